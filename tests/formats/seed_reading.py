"""The rules of a table read a second time, slowly, from the seed's sentences.

It shares no code with the package. Shares are fractions, roundings decimal, ties are broken by
sorting whole sentences of the rule out, and words are found by splitting a text into words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

State = dict[str, Any]


def voting_souls(state: State) -> list[dict[str, Any]]:
    return [agent for agent in state["agents"] if not agent.get("empty")]


def expected_vote(state: State) -> dict[str, Any]:
    """What `vote` must give: `status`, and what else the rules say of this state."""
    souls = voting_souls(state)
    if len(souls) < 3:
        return {"status": 1}
    again = {soul["name"]: problem for soul in souls if (problem := problem_with(soul, state))}
    if again:
        return {"status": 2, "reprompt": again}

    confidences: dict[str, list[int]] = defaultdict(list)
    for soul in souls:
        confidences[soul["final"]["vote"]].append(int(soul["final"]["confidence"]))

    def score(option: str) -> int:
        cast = confidences[option]
        return len(cast) if state.get("aggregator") == "majority" else sum(cast)

    tied = [o for o in state["options"] if score(o) == max(map(score, state["options"]))]
    if len(tied) > 1:
        highest = max(max(confidences[option]) for option in tied)
        tied = [option for option in tied if highest in confidences[option]]
    if len(tied) > 1:
        fewest = min(notes_for(option, souls) for option in tied)
        tied = [option for option in tied if notes_for(option, souls) == fewest]
    winner = tied[0] if len(tied) == 1 else None

    total = sum(sum(cast) for cast in confidences.values())
    kinds = set()
    if winner is None:
        kinds.add("tie")
    elif Fraction(sum(confidences[winner]), total) < Fraction(60, 100):
        kinds.add("low_share")
    if sum(10 in cast for cast in confidences.values()) >= 2:
        kinds.add("opposing_tens")
    words = state.get("values_keywords") or ["honesty", "safety", "consent"]
    for soul in souls:
        if set(words_of(soul.get("dissent_note") or "")) & {word.lower() for word in words}:
            kinds.add("value_dissent")
    if state.get("aggregator") == "unanimity-or-escalate":
        sides = {soul["final"]["vote"] for soul in souls}
        if len(sides) > 1 or any(soul["final"]["confidence"] < 7 for soul in souls):
            kinds.add("not_unanimous")

    expected: dict[str, Any] = {
        "status": 3 if kinds else 0,
        "winner": winner,
        "kinds": kinds,
        "tally": {option: sum(confidences[option]) for option in state["options"]},
        "heads": {option: len(confidences[option]) for option in state["options"]},
        "out_of": 10 * len(souls),
    }
    if winner is None:
        return expected | {"percent": None, "top_dissent": None, "top_hedger": None}
    part = Decimal(100 * sum(confidences[winner])) / Decimal(10 * len(souls))
    expected["percent"] = int(part.quantize(Decimal(1), ROUND_HALF_UP))
    expected["share"] = Fraction(sum(confidences[winner]), total)
    against = [soul for soul in souls if soul["final"]["vote"] != winner]
    backing = [soul for soul in souls if soul["final"]["vote"] == winner]
    against.sort(key=lambda soul: -soul["final"]["confidence"])  # stable: the first seated stays
    backing.sort(key=lambda soul: soul["final"]["confidence"])
    expected["top_dissent"] = against[0]["name"] if against else None
    expected["top_hedger"] = backing[0]["name"]
    return expected


def problem_with(soul: dict[str, Any], state: State) -> str:
    final = soul.get("final")
    if not final:
        return "missing"
    if final["vote"] not in state["options"]:
        return "off_option"
    if repr(final["confidence"]) not in [str(n) for n in range(1, 11)]:
        return "bad_number"
    return "forbidden_five" if final["confidence"] == 5 else ""


def notes_for(option: str, souls: list[dict[str, Any]]) -> int:
    """Dissent notes among those who voted for the option."""
    return sum(1 for soul in souls if soul["final"]["vote"] == option and soul.get("dissent_note"))


def words_of(text: str) -> list[str]:
    """For scripts that write spaces."""
    return re.split(r"[^a-z]+", text.lower())


def expected_inspection(state: State) -> str:
    """What `inspect` must give; "error" before round 2, and where a soul lacks an answer in the
    latest round.
    """
    souls = voting_souls(state)
    if len(souls) < 3:
        return "error"
    latest = max((entry["round"] for soul in souls for entry in soul["rounds"]), default=0)
    held = [{entry["round"]: entry for entry in soul["rounds"]} for soul in souls]
    if latest < 2 or any(latest not in rounds for rounds in held):
        return "error"
    now = [rounds[latest] for rounds in held]
    if len({entry["position"] for entry in now}) == 1 and min(e["confidence"] for e in now) >= 8:
        return "EARLY-STOP"
    unmoved = [
        1 in rounds
        and rounds[1]["position"] == rounds[2]["position"]
        and (not rounds[2]["self_update"] or "no change" in rounds[2]["self_update"].lower())
        for rounds in held
        if latest == 2
    ]
    if latest == 2 and all(unmoved):
        return "SKIP-ROUND-3"
    ordered = sorted(entry["confidence"] for entry in now)
    if ordered[-1] == 10 and ordered[-2] <= 3:
        return "EXPERT-DEFERENCE"
    return "CONTINUE"
