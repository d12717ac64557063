"""Picking a suggestion: by its number, or word for word."""

from __future__ import annotations

from .records import Question, Suggestion


def picked_suggestion(text: str, question: Question) -> Suggestion | None:
    """The suggestion that `text` picks; None where it is an answer in the person's own words."""
    said = _folded(text)
    for number, suggestion in enumerate(question.suggestions, 1):
        if said in (str(number), _folded(suggestion.text)):
            return suggestion
    return None


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".")
