"""Random tables, from one `Random`, so that a failing one can be made again."""

from __future__ import annotations

from random import Random
from typing import Any

OPTIONS = ("adopt", "adopt-modified", "reject", "wait")
NOTES = (
    *[""] * 25, "more moving parts", "this breaks consent", "Safety first!", "dishonesty",
    "unsafe", "the safety-net is gone", "cost",
)  # fmt: skip
UPDATES = ("", "", "no change", "No change.", "the cost argument moved me", "still here")
BAD_VOTES = ("hybrid", "", "ADOPT ", None)
BAD_NUMBERS: tuple[Any, ...] = (0, 11, -3, 7.5, "8", None, True)


def random_state(random: Random) -> dict[str, Any]:
    """A table of 1 to 9 souls; one in five has something in its votes that must be asked again."""
    options = list(OPTIONS[: random.randint(2, 4)])
    sound = random.random() < 0.8
    last = random.choice((1, 2, 2, 2, 2, 2, 2, 3, 3))
    souls = range(random.randint(1, 9))
    agents = [_agent(random, f"soul{n}", options, sound, last) for n in souls]
    if random.random() < 0.1:
        agents[0]["empty"] = "two off-option votes"
    state: dict[str, Any] = {
        "id": "random",
        "question": "Adopt it?",
        "options": options,
        "agents": agents,
    }
    aggregator = random.choice(("weighted", "majority", "unanimity-or-escalate", None))
    if aggregator:
        state["aggregator"] = aggregator
    if random.random() < 0.1:
        state["values_keywords"] = ["cost"]
    return state


def _agent(random: Random, name: str, options: list[str], sound: bool, last: int) -> dict[str, Any]:
    narrow = random.random() < 0.6  # few numbers make ties
    numbers = (7, 8, 10) if narrow else (1, 2, 3, 4, 6, 7, 8, 9, 10)
    agent: dict[str, Any] = {
        "name": name,
        "soul": "argues",
        "rounds": _rounds(random, options, last),
        "final": {
            "vote": random.choice(options),
            "confidence": random.choice(numbers),
            "rationale": random.choice(("", "because of consent", "it pays")),
        },
        "dissent_note": random.choice(NOTES),
    }
    if not sound and random.random() < 0.4:
        match random.randint(0, 3):
            case 0:
                del agent["final"]
            case 1:
                agent["final"]["vote"] = random.choice(BAD_VOTES)
            case 2:
                agent["final"]["confidence"] = random.choice(BAD_NUMBERS)
            case _:
                agent["final"]["confidence"] = 5
    return agent


def _rounds(random: Random, options: list[str], last: int) -> list[dict[str, Any]]:
    """Souls that agree, stay or stand alone often enough to be noticed; one in fifty lags."""
    held = random.choice((options[0], options[0], options[1]))
    rounds = []
    for number in range(1, last + 1 - (random.random() < 0.02)):
        if random.random() < 0.1:
            held = random.choice(options)
        rounds.append(
            {
                "round": number,
                "position": held,
                "confidence": random.choice((1, 2, 3, 3, 8, 8, 9, 9, 10)),
                "self_update": random.choice(UPDATES),
            }
        )
    return rounds
