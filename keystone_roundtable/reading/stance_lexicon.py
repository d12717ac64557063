"""The words that tell for or against: choices, exclusions, limits, and a role's word."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class StanceLexicon:
    """One language's phrases by kind, lower case. A kind that a language lacks is empty."""

    language: str
    choice: tuple[str, ...] = ()
    exclusion: tuple[str, ...] = ()
    refusal: tuple[str, ...] = ()
    """Exclusions that call the thing unacceptable."""
    opening_negation: tuple[str, ...] = ()
    contrast: tuple[str, ...] = ()
    """Between the thing wanted and the thing not wanted: "rather than"."""
    conditional: tuple[str, ...] = ()
    """A negation beside one of these excludes nothing: "not before the audit"."""
    limit: tuple[str, ...] = ()
    cost: tuple[str, ...] = ()
    role_against: tuple[str, ...] = ()
    role_for: tuple[str, ...] = ()
    easy_reversal: tuple[str, ...] = ()
    hard_reversal: tuple[str, ...] = ()
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

    @cached_property
    def _patterns(self) -> dict[str, re.Pattern[str]]:
        return {}

    def finds(self, kind: str, folded: str) -> re.Match[str] | None:
        """The first phrase of `kind` in the folded text, whole words where words have spaces."""
        if kind not in self._patterns:
            self._patterns[kind] = _any_of(getattr(self, kind))
        return self._patterns[kind].search(folded)


def _any_of(phrases: tuple[str, ...]) -> re.Pattern[str]:
    if not phrases:
        return re.compile(r"(?!)")
    ordered = sorted(phrases, key=len, reverse=True)
    return re.compile("|".join(_whole(p) for p in ordered))


def _whole(phrase: str) -> str:
    """A pattern with word borders at the ends that are letters of a script with spaces."""
    start = r"(?<!\w)" if _has_spaces(phrase[:1]) else ""
    end = r"(?!\w)" if _has_spaces(phrase[-1:]) else ""
    return start + re.escape(phrase) + end


def _has_spaces(letter: str) -> bool:
    return letter.isalnum() and ord(letter) < 0x0E00
