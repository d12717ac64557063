"""A well-behaved model: it reads the prompt and fills in each step in words of the topic.

It shares no code with the package: what it knows it has from the request alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from .dialects import Asked
from .reading import Situation, Slot, situation
from .replies import Reaction, Response

Change = Callable[[dict[str, Any], Situation], dict[str, Any]]

SEATED = 3  # as many as a topic of normal complexity has
_ASKING = re.compile(r"^(?:(?:should|shall|do|can|could|would) (?:we|i)|whether to) ", re.I)
_NOTHING = ("up to you", "whatever", "no idea", "dunno", "hmm", "either is fine", "/skip")


def playing(change: Change | None = None) -> Reaction:
    """Fills in whichever step is asked; `change` may spoil what it made."""

    def react(request: Asked) -> Response:
        seen = situation(request)
        value = {"preview": _preview, "assess": _assess, "conclude": _conclude}[seen.step](seen)
        return Response(json.dumps(change(value, seen) if change else value))

    return react


def in_step(step: str, then: Reaction, otherwise: Reaction | None = None) -> Reaction:
    """`then` for one of the three steps, good play for the others."""
    play = otherwise or playing()
    return lambda request: (then if situation(request).step == step else play)(request)


# -- the three steps -------------------------------------------------------------------


def _preview(seen: Situation) -> dict[str, Any]:
    mode = seen.mode or next(iter(seen.modes))
    roles = seen.asked_roles or seen.roles[:SEATED]
    options = _paths(seen.topic)
    return {
        "decision_topic": _short(seen.topic, 200),
        "mode": mode,
        "mode_reason": f"“{_short(seen.topic, 80)}” names no settled direction",
        "options": [
            {
                "id": f"o{number}",
                "text": text,
                "quote": quote,
                "status_quo": False,
                "reversibility": "unknown",
                "reversibility_quote": "",
            }
            for number, (text, quote) in enumerate(options, 1)
        ],
        "lean": None,
        "lean_quote": "",
        "known": [],
        "views": [_view(role, _short(seen.topic, 80), ["F1"]) for role in roles],
        "questions": [_question(slot, seen) for slot in seen.modes[mode]],
    }


def _assess(seen: Situation) -> dict[str, Any]:
    quote = _short(seen.answer, 400)
    signal, why = _signal(seen.answer)
    named = [o for o, text in seen.options.items() if text.casefold() in seen.answer.casefold()]
    learned = {
        "kind": "choice" if len(named) == 1 else "statement",
        "quote": quote,
        "options": named,
        "role": None,
    }
    usable = signal == "informative" and len(quote) > 1
    return {
        "signal": signal,
        "signal_reason": why,
        "signal_quote": quote if signal in ("stop", "defer") else "",
        "learned": [learned] if usable else [],
        "options": [],
        "costs": [],
        "reversals": [],
        "contradicts": [],
        "views": [
            _view(role, _short(seen.answer, 80), list(seen.ledger)[:1]) for role in seen.roles
        ],
        "next_questions": [_question(slot, seen) for slot in seen.open_slots[:6]],
    }


def _conclude(seen: Situation) -> dict[str, Any]:
    about = _short(seen.topic, 80)
    refs = list(seen.ledger)[:1]

    def line(text: str) -> dict[str, Any]:
        return {"text": text, "refs": refs}

    return {
        "role_views": [
            {"role": role, "text": f"As {role} I look at “{about}”."} for role in seen.roles
        ],
        "consensus": line(f"All of them want “{about}” settled."),
        "disagreement": line(f"Not settled between {', '.join(seen.roles)}: what comes first."),
        "decision": line(f"The direction: {seen.decided}." if seen.decided else "None: open."),
        "why": line(f"It rests on what was said of “{about}”."),
        "excluded_paths": line("Nothing was excluded beyond what was said."),
        "wrong_choice_cost": line("Nobody said what a wrong choice costs."),
        "entry_condition": line("What was named as missing is there."),
        "risk_disclosure": line("Little was answered.") if seen.risk_wanted else None,
    }


# -- parts -----------------------------------------------------------------------------


def _view(role: str, about: str, refs: list[str]) -> dict[str, Any]:
    return {
        "role": role,
        "position": f"As {role} I start from “{about}”.",
        "reason": f"“{about}” is what was said.",
        "risk": f"Without {role} a side of “{about}” is not seen.",
        "refs": refs,
    }


def _question(slot: Slot, seen: Situation) -> dict[str, Any]:
    about = _short(seen.topic, 60).rstrip("?.!。？ ").replace("?", ",")
    return {
        "slot": slot.id,
        "text": f"On “{about}”: {_asked(slot.question)}",
        "stakes": f"It settles {slot.id.replace('_', ' ')}.",
        "explanation": f"One line on {slot.id.replace('_', ' ')} will do.",
        "suggestions": [],
        "recommended": None,
    }


def _asked(question: str) -> str:
    """The last question of a wording that an earlier reply of ours may have put a lead before."""
    return question.rpartition("”: ")[2]


def _paths(topic: str) -> list[tuple[str, str]]:
    """Each path that a plain English "A or B?" names, with the words that name it."""
    sentence = next((s for s in re.split(r"(?<=[.!])\s+", topic) if " or " in s), "")
    body = _ASKING.sub("", sentence.strip().rstrip("?. "))
    quotes = body.split(" or ") if body else []
    if len(quotes) < 2 or not all(1 < len(q) <= 160 for q in quotes):
        return []
    thing = re.sub(r" (?:now|today)$", "", quotes[0].partition(" ")[2])
    return [(re.sub(r"\bit\b", thing, q, count=1) if thing else q, q) for q in quotes[:6]]


def _signal(answer: str) -> tuple[str, str]:
    folded = answer.casefold().strip()
    if folded.startswith("stop"):
        return "stop", "no more questions are wanted"
    if "decide tomorrow" in folded:
        return "defer", "another day is wanted"
    if folded.startswith(_NOTHING):
        return "low_information", "it gives no direction"
    return "informative", "it says something of use"


def _short(text: str, most: int) -> str:
    """The beginning of a text on one line; a part of it word for word where it has one line."""
    return " ".join(text.split())[:most].strip()
