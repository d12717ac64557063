"""What an answer says of a wrong choice: what it costs, and how hard it is to undo."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..core.plain import one_line
from ..core.preference import preference
from ..core.records import Reassessment, Reversibility, StatedCost
from ..reading.stance import Stance, find_quantities
from .hearing import Hearing

_BY_PAIN: Mapping[str | None, Reversibility] = {
    "easy": "reversible",
    "hard": "irreversible",
    None: "unknown",
}


def take_costs(heard: Hearing, stance: Stance) -> None:
    if heard.slot not in ("cost", "failure") and not stance.costs:
        return
    words = heard.text if heard.slot in ("cost", "failure") else "; ".join(stance.costs)
    for option in _concerned(heard, words):
        amount, unit = _amount(words)
        heard.learned.costs.append(
            StatedCost(option=option, words=one_line(words), amount=amount, unit=unit)
        )


def take_reversibility(heard: Hearing) -> None:
    value, words = heard.rules.reversibility(heard.text)
    if heard.slot == "reversal" and value == "unknown":
        pain = heard.rules.reversal_pain(heard.text)
        value = _BY_PAIN[pain]
        words = one_line(heard.text)
    if value == "unknown":
        return
    for option in _concerned(heard, heard.text):
        heard.learned.reassessed.append(
            Reassessment.model_validate({"option": option, "reversibility": value, "words": words})
        )


def _concerned(heard: Hearing, words: str) -> list[str]:
    """The options that words are about: those named, else "this path" where it is clear."""
    named = heard.rules.mentioned(words, heard.option_texts)
    if named:
        return [heard.options[i].id for i in named]
    if heard.slot not in ("cost", "failure", "reversal"):
        return []
    current = preference(heard.session)
    path = heard.learned.choices[-1:] or [o for o in (current.option,) if o]
    doing = [option.id for option in heard.options if not option.status_quo]
    return path or (doing if len(doing) == 1 else [])


_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def _amount(words: str) -> tuple[float | None, str]:
    """The first quantity with its unit, "40k" as 40000; (None, "") where there is none."""
    for quantity in find_quantities(words):
        match = _NUMBER.search(quantity)
        if match is None:
            continue
        unit = (quantity[: match.start()] + quantity[match.end() :]).strip().casefold()
        scale = {"k": 1e3, "m": 1e6}.get(
            unit[-1:] if unit[-1:] in "km" and len(unit) < 3 else "", 1.0
        )
        return float(match.group().replace(",", "")) * scale, unit
    return None, ""
