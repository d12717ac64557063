"""The last word on an answer: what the rules read, weighed with what trained weights make of it.

The rules know shapes (a yes under a yes-no question, a clause that asks for the end); the weights
know how people word things in fourteen languages. Neither alone may call an answer with something
countable, conditional or chosen in it empty for certain.
"""

from __future__ import annotations

import re
from typing import Final

from .answer import Answer, Signal, SignalReading
from .answer_features import answer_features
from .linear_model import LinearModel
from .phrasebook import PhraseKind

STRUCTURAL: Final = frozenset({"no words", "laughter"})
"""Reasons of rules that need no words to be known."""

ANSWERS_BY_SHAPE: Final = frozenset(
    {
        "a number or letter that the question asks for",
        "a sign of yes or no to a yes-no question",
        "excludes every side",
        "names a listed option",
        "names a suggestion",
        "names one of the sides",
        "points at an option by its place",
        "repeats one of the sides",
        "says that there is none",
        "takes both sides",
        "yes or no to a yes-no question",
    }
)
"""Reasons of rules that know an answer by the question it stands under."""

FIRM_FROM: Final = 0.65
UNRULED_EMPTY_FIRM_FROM: Final = 0.85
LEAVING_FROM: Final = 0.5
UNRULED_LEAVING_FROM: Final = 0.6
SURELY_LEAVING_FROM: Final = 0.9
CLARIFY_FROM: Final = 0.5
EMPTY_FROM: Final = 0.45
RULED_EMPTY_FROM: Final = 0.4
RULED_CONTENT_FROM: Final = 0.65
SUBSTANCE_FROM: Final = 0.75
"""Least probabilities: for a firm reading; for a firm non-answer that no rule reads, since a real
answer in plain words is worded much like one; for a stop or deferral that the rules read too, for
one that they do not, and where they know the answer by its shape; for a question back; for a
non-answer where the rules are unsure, where they read one too, where they are sure of content, and
where the answer names something. Chosen on labelled lines that the weights were not trained on."""

_QUANTITY: Final = re.compile(r"\d[\d.,:]{0,40}\s?(?:%|[^\W\d_])|[$€£¥₹₽₩฿₫]\s?\d")
_REASONS: Final[dict[Signal, str]] = {
    "informative": "worded like answers that say something",
    "low_information": "worded like answers without a direction",
    "clarify": "worded like a question about the question",
    "stop": "worded like a request for the end",
    "defer": "worded like a wish to go on another day",
}


def weigh(answer: Answer, ruled: SignalReading, model: LinearModel) -> SignalReading:
    """The reading of an answer that the rules read as `ruled`."""
    if ruled.reason in STRUCTURAL:
        return ruled
    likely = model.probabilities(answer_features(answer, ruled))
    substance = has_substance(answer)
    by_shape = ruled.reason in ANSWERS_BY_SHAPE
    says_something = by_shape or (substance and ruled.signal != "low_information")
    signal = _decide(likely, ruled, says_something)
    confidence = round(likely[signal], 3)
    firm = confidence >= FIRM_FROM
    if signal == "low_information":
        known = ruled.signal == signal or confidence >= UNRULED_EMPTY_FIRM_FROM
        firm = firm and known and not substance
    reason = ruled.reason if ruled.signal == signal else _REASONS[signal]
    return SignalReading(signal, firm, reason, confidence)


def _decide(likely: dict[str, float], ruled: SignalReading, says_something: bool) -> Signal:
    """The likeliest signal that clears its bar; content where none does."""
    unruled = SURELY_LEAVING_FROM if ruled.reason in ANSWERS_BY_SHAPE else UNRULED_LEAVING_FROM
    bars: dict[Signal, float] = {
        "stop": LEAVING_FROM if ruled.signal == "stop" else unruled,
        "defer": LEAVING_FROM if ruled.signal == "defer" else unruled,
        "clarify": CLARIFY_FROM,
        "low_information": _empty_from(ruled, says_something),
    }
    cleared = [signal for signal, bar in bars.items() if likely[signal] >= bar]
    return max(cleared, key=likely.__getitem__, default="informative")


def _empty_from(ruled: SignalReading, says_something: bool) -> float:
    if says_something:
        return SUBSTANCE_FROM
    if ruled.signal == "low_information":
        return RULED_EMPTY_FROM
    return RULED_CONTENT_FROM if ruled.firm else EMPTY_FROM


def has_substance(answer: Answer) -> bool:
    """Whether an answer holds a quantity, a reason or limit, or a side of the question."""
    if _QUANTITY.search(answer.words) or PhraseKind.LIMIT in answer.empty.kinds:
        return True
    said = set(answer.tokens)
    left, right = answer.question.sides
    return bool(said & left) != bool(said & right)
