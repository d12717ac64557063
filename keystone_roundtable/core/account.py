"""A decision as its log tells it, in the same shape for every format: what a record is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Reason:
    """A line for (`good`), against (`bad`) or beside (`neutral`) an option."""

    weight: Literal["good", "bad", "neutral"]
    text: str


@dataclass(frozen=True)
class Considered:
    """One path that was open."""

    text: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class Account:
    """Texts are as they were said: whoever shows them masks them and makes them safe."""

    question: str
    """The words typed at the start."""
    date: str
    """The day of the decision, UTC."""
    makers: tuple[str, ...]
    context: tuple[str, ...]
    drivers: tuple[str, ...]
    options: tuple[Considered, ...]
    decision: str
    """In a sentence, also where none was taken."""
    why: str
    consequences: tuple[str, ...]
    more: tuple[str, ...]


def quoted(text: str) -> str:
    return f"“{' '.join(text.split())}”"
