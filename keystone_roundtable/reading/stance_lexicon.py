"""The words that tell for or against: choices, exclusions, limits, and a role's word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class StanceLexicon:
    """One language's phrases by kind, lower case. A kind that a language lacks is empty."""

    language: str
    choice: tuple[str, ...] = ()
    exclusion: tuple[str, ...] = ()
    refusal: tuple[str, ...] = ()
    """Exclusions that call the thing unacceptable."""
    change_of_mind: tuple[str, ...] = ()
    """What follows is a new choice, whatever was asked."""
    opening_negation: tuple[str, ...] = ()
    contrast: tuple[str, ...] = ()
    """Between the thing wanted and the thing not wanted: "rather than"."""
    conditional: tuple[str, ...] = ()
    """A negation beside one of these excludes nothing: "not before the audit"."""
    reason: tuple[str, ...] = ()
    """What follows tells why, and names what speaks for the choice rather than the choice."""
    concession: tuple[str, ...] = ()
    """What follows speaks against the thing said, which holds all the same: "although"."""
    conclusion: tuple[str, ...] = ()
    """What follows is what the words before it lead to: "so"."""
    turning_away: tuple[str, ...] = ()
    """What follows is the path not to take: "not", "no more", "stop"."""
    putting_off: tuple[str, ...] = ()
    """What stands before it is not what comes first: "can wait"."""
    limit: tuple[str, ...] = ()
    cost: tuple[str, ...] = ()
    role_against: tuple[str, ...] = ()
    role_for: tuple[str, ...] = ()
    easy_reversal: tuple[str, ...] = ()
    hard_reversal: tuple[str, ...] = ()
    consent: tuple[str, ...] = ()
    """Says to do the thing in question, without naming it."""
    refusal_to_do: tuple[str, ...] = ()
    nothing: tuple[str, ...] = ()
    lead_ins: tuple[str, ...] = ()
    """Words before the thing itself, dropped when an answer names an alternative."""

    @classmethod
    def from_mapping(cls, language: str, data: Mapping[str, Any]) -> StanceLexicon:
        """Raises `ValueError` naming the field that is unknown or no list of strings."""
        kinds = {f.name for f in fields(cls)} - {"language"}
        for kind, phrases in data.items():
            if kind not in kinds:
                raise ValueError(f"stance lexicon '{language}': unknown field '{kind}'")
            if not isinstance(phrases, list) or not all(isinstance(p, str) for p in phrases):
                raise ValueError(f"stance lexicon '{language}', '{kind}': not a list of strings")
        return cls(language, **{kind: tuple(phrases) for kind, phrases in data.items()})

    def finds(self, kind: str, folded: str) -> Found | None:
        """The first phrase of `kind` in the folded text, whole words where words have spaces.

        Plain searching: for a few dozen phrases and one answer a pattern costs more to make.
        """
        hits = (_find(phrase, folded) for phrase in getattr(self, kind))
        return min((hit for hit in hits if hit is not None), default=None)


@dataclass(frozen=True, order=True)
class Found:
    """Where a phrase stands; of two that begin together the longer comes first."""

    start: int
    negative_end: int

    @property
    def end(self) -> int:
        return -self.negative_end


def _find(phrase: str, folded: str) -> Found | None:
    at = folded.find(phrase)
    while at >= 0:
        end = at + len(phrase)
        if not (
            _joined(folded[at - 1 : at], phrase[0]) or _joined(folded[end : end + 1], phrase[-1])
        ):
            return Found(at, -end)
        at = folded.find(phrase, at + 1)
    return None


def _joined(neighbour: str, edge: str) -> bool:
    """Whether a neighbouring letter makes the edge of a phrase the middle of a word."""
    return _has_spaces(edge) and (neighbour.isalnum() or neighbour == "_")


def _has_spaces(letter: str) -> bool:
    return letter.isalnum() and ord(letter) < 0x0E00
