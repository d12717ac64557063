"""What a person reads of past sessions: lists, links and outcomes. Imports nothing heavy."""

from __future__ import annotations

from collections.abc import Sequence

from .columns import clipped, padded

NONE_YET = "No sessions yet. Start one with: keystone-roundtable"
NONE_FITS = "No session fits. Without filters: keystone-roundtable list"
NO_DECISION_YET = "Nothing was decided here yet. Start with: keystone-roundtable"
NO_TERMS = "There is no word to look for in that."
SOME_TERMS = "No decision has all of these words; these have some:"

_WORDS = {
    "roundtable-aligned": "decided",
    "roundtable-deferred": "deferred",
    "roundtable-escalate": "escalated",
}
_STATUS_WIDTH, _OUTCOME_WIDTH = 13, 8
_MAX_TOPIC = 200  # characters where no terminal limits the line; chosen by judgement


def ending_word(decision: str | None, status: str) -> str:
    """How a session ended, or where it stands, in one word."""
    return _WORDS.get(decision or "", decision or status)


def row(
    session_id: str,
    at: str,
    ended: str,
    confidence: float | None,
    outcome: str,
    told: str,
    width: int | None,
    id_width: int = 17,
) -> str:
    """One line of a listing, in columns; what is `told` comes last and takes what room is left."""
    stated = f"{ended} {confidence:g}" if confidence is not None else ended
    columns = (
        padded(session_id, id_width),
        padded(at[:10], 10),
        padded(stated, _STATUS_WIDTH),
        padded(outcome or "-", _OUTCOME_WIDTH),
    )
    told = told if len(told) <= _MAX_TOPIC else f"{told[:_MAX_TOPIC].rstrip()}…"
    return clipped("  ".join((*columns, told)).rstrip(), width)


def below(text: str, width: int | None) -> str:
    """A line that belongs to the row above it."""
    return clipped(f"    {text}", width)


def direction(option: str) -> str:
    return f"→ {option}"


def superseded_by(session_id: str, at: str) -> str:
    return f"superseded by {session_id} ({at[:10]})"


def no_match(query: str) -> str:
    return f"No decision matches {clipped(query, 60)!r}."


def more_found(shown: int) -> str:
    return f"These are the first {shown}; --limit N shows more, --limit 0 all."


def ask_outcome(session_ids: Sequence[str]) -> str:
    """The one line that asks how old decisions turned out."""
    first, *others = session_ids
    of_others = f" ({len(others)} more have no outcome yet.)" if others else ""
    return (
        f"How did {first} turn out? keystone-roundtable outcome {first} "
        f"held|reversed|partly|unknown{of_others}"
    )
