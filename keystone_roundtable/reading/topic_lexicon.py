"""Cue phrases of one language: the words that tell what a topic lacks.

A cue is a phrase as a person would type it. `*` ends a word early ("decid*" also finds "decided"),
` ... ` stands for a short gap inside one sentence, a leading `^` ties the phrase to the start of a
sentence or clause, and `|` is such a start or end. Languages that write without spaces, or glue
particles to words, set `whole_words: false`: their cues are found anywhere, and `_` stands for the
edge of a word.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final


class CueKind(StrEnum):
    """What a cue says about the sentence it stands in."""

    IDLE = "idle"
    """A phrase that only looks like a cue ("should be simple"); it is cut out before reading."""
    ORDER_VERBS = "order_verbs"
    """Verbs that open an order to change something; one word each."""
    ORDER = "order"
    """An order to change something, wherever it stands in the sentence."""
    PLAN = "plan"
    """Asks for steps, tasks or a plan."""
    READY = "ready"
    """Says that the work is written down: a ticket, a list, an accepted proposal."""
    CAUSE = "cause"
    """Asks for the cause of something."""
    SYMPTOM = "symptom"
    """Describes misbehaviour without asking anything."""
    CHECK = "check"
    """Asks for evidence, figures or a confirmation."""
    CLAIM = "claim"
    """Repeats a claim, or asks about a matter of fact."""
    DIRECTION = "direction"
    """Asks what to do, or whether, or in which order."""
    FIXED = "fixed"
    """A direction that has been chosen or cannot be avoided."""
    LEANING = "leaning"
    """A direction somebody wants, plans or proposes."""
    OPEN = "open"
    """Says that there is no direction, idea or favourite."""
    WHICH = "which"
    """Asks which, what or where among paths not yet chosen."""
    OR_WORD = "or_word"
    """Joins alternatives."""
    EDGE = "edge"
    """Scope, boundary, dependency, entry condition, smallest loop."""
    MISSING = "missing"
    """Something about the direction is unknown or not said."""
    ATTACK = "attack"
    """Asks for the case against a direction."""
    DOUBT = "doubt"
    """Worry about risk, cost, omissions or validity."""
    INFORMAL = "informal"
    """A conclusion reached in passing, outside a proper discussion."""
    VAGUE = "vague"
    """A wish without an object one could decide on."""
    PARTIES = "parties"
    """Several teams or parties, or a concern across all of them."""
    SMALL = "small"
    """One person, one small thing, cheap to undo."""


_ARABIC_LETTERS: Final = str.maketrans("أإآىة", "ااايه")
_APOSTROPHES: Final = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "＇": "'"})
_CLAUSE_MARK: Final = "|"
_SEPARATOR: Final = " / "
_GAP: Final = "..."
_WORD_EDGE: Final = "_"
_LONGEST_GAP: Final = 60  # characters between two parts of a cue, chosen by judgement


def fold(text: str) -> str:
    """`text` without differences of case, width, apostrophe or Arabic spelling."""
    folded = unicodedata.normalize("NFKC", text.translate(_APOSTROPHES)).casefold()
    if folded.isascii():
        return folded
    unmarked = "".join(c for c in folded if not "\u064b" <= c <= "\u0652" and c != "\u0640")
    return unmarked.translate(_ARABIC_LETTERS)


@dataclass(frozen=True)
class Cue:
    """A phrase ready to be looked for: its literal parts in order."""

    parts: tuple[str, ...]

    @classmethod
    def parse(cls, phrase: str, whole_words: bool) -> Cue:
        """The cue written as `phrase`; see the module's docstring for the notation."""
        opening = phrase.startswith("^")
        parts = [
            _literal(part.strip(), whole_words) for part in fold(phrase.lstrip("^")).split(_GAP)
        ]
        if opening:
            parts[0] = f"{_CLAUSE_MARK} {parts[0].lstrip()}"
        return cls(tuple(part for part in parts if part.strip()))

    def find(self, sentence: str) -> tuple[int, int] | None:
        """Start and end of the cue's first occurrence in a prepared `sentence`, if any."""
        start = sentence.find(self.parts[0])
        if start < 0:
            return None
        end = start + len(self.parts[0])
        for part in self.parts[1:]:
            position = sentence.find(part, end - 1, end + _LONGEST_GAP + len(part))
            if position < 0:
                return None
            end = position + len(part)
        return start, end


def _literal(part: str, whole_words: bool) -> str:
    if not whole_words:
        return part.rstrip("*").replace(_WORD_EDGE, " ")
    return f" {part[:-1]}" if part.endswith("*") else f" {part} "


@dataclass(frozen=True)
class TopicLexicon:
    """One language's cue phrases by kind, and what tells that language from others."""

    language: str
    script: str
    whole_words: bool
    common_words: frozenset[str]
    """Frequent short words, to tell languages of one script apart; empty where the script tells."""
    softeners: frozenset[str]
    """Words that may stand before the first word that counts ("please", "but")."""
    spellings: tuple[tuple[str, str], ...]
    """Replacements made before reading, in order ("can't" to "cannot")."""
    phrases: Mapping[CueKind, tuple[str, ...]]

    @cached_property
    def cues(self) -> Mapping[CueKind, tuple[Cue, ...]]:
        """The phrases ready to be looked for; made when first needed, as most are never."""
        return {
            kind: tuple(Cue.parse(phrase, self.whole_words) for phrase in phrases)
            for kind, phrases in self.phrases.items()
            if kind is not CueKind.ORDER_VERBS
        }

    @cached_property
    def order_verbs(self) -> frozenset[str]:
        """Verbs that open an order, folded."""
        return frozenset(fold(verb) for verb in self.phrases.get(CueKind.ORDER_VERBS, ()))

    @classmethod
    def from_mapping(cls, language: str, data: object) -> TopicLexicon:
        """The lexicon described by `data`, the content of one language's file.

        Every kind is text with its cues separated by line breaks or " / "; a kind may be absent.
        Raises `ValueError` naming the language and the field when something is malformed.
        """
        if not isinstance(data, Mapping):
            raise ValueError(f"{language}: expected a mapping of fields, got {type(data).__name__}")
        known = {"script", "whole_words", "common_words", "softeners", "spellings", *CueKind}
        for field in data:
            if field not in known:
                raise ValueError(f"{language}: unknown field {field!r}")
        return cls(
            language=language,
            script=_text(language, data, "script").strip(),
            whole_words=_flag(language, data, "whole_words"),
            common_words=frozenset(fold(_text(language, data, "common_words", "")).split()),
            softeners=frozenset(fold(_text(language, data, "softeners", "")).split()),
            spellings=_spellings(language, data),
            phrases={
                kind: _cues(language, data, kind.value) for kind in CueKind if kind.value in data
            },
        )


def _text(
    language: str, data: Mapping[object, object], field: str, default: str | None = None
) -> str:
    value = data.get(field, default)
    if not isinstance(value, str):
        raise ValueError(f"{language}: field {field!r} must be text, got {value!r}")
    return value


def _flag(language: str, data: Mapping[object, object], field: str) -> bool:
    value = data.get(field, True)
    if not isinstance(value, bool):
        raise ValueError(f"{language}: field {field!r} must be true or false, got {value!r}")
    return value


def _cues(language: str, data: Mapping[object, object], field: str) -> tuple[str, ...]:
    text = _text(language, data, field)
    cues = tuple(
        cue.strip() for line in text.splitlines() for cue in line.split(_SEPARATOR) if cue.strip()
    )
    for cue in cues:
        if not cue.strip("^*|_. "):
            raise ValueError(f"{language}: field {field!r} holds an empty cue {cue!r}")
    if not cues:
        raise ValueError(f"{language}: field {field!r} holds no cue")
    return cues


def _spellings(language: str, data: Mapping[object, object]) -> tuple[tuple[str, str], ...]:
    pairs: list[tuple[str, str]] = []
    for line in _text(language, data, "spellings", "").splitlines():
        if not line.strip():
            continue
        written, arrow, read = line.partition("=>")
        if not arrow or not written.strip():
            raise ValueError(f"{language}: field 'spellings' needs 'a => b', got {line!r}")
        pairs.append((fold(written.strip()), fold(read.strip())))
    return tuple(pairs)
