"""Picking a suggestion: by its number, or word for word."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from .records import Question, Suggestion

_BARE_NUMBER: Final = re.compile(r"[#(\[]?\s*(?P<sign>[-–−]?)(?P<number>\d{1,9})\s*[)\].:]?")


def picked_suggestion(text: str, question: Question) -> Suggestion | None:
    """The suggestion that `text` picks; None where it is an answer in the person's own words."""
    said, number = _folded(text), bare_number(text)
    for place, suggestion in enumerate(question.suggestions, 1):
        if number == place or said == _folded(suggestion.text):
            return suggestion
    return None


def bare_number(text: str) -> int | None:
    """The number that is all of `text`, in whatever digits and marks: `2`, `#2`, `(2)`, `②`."""
    found = _BARE_NUMBER.fullmatch(unicodedata.normalize("NFKC", text).strip())
    if found is None:
        return None
    return -int(found["number"]) if found["sign"] else int(found["number"])


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".")
