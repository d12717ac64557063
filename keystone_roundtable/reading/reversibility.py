"""Whether a path can be undone, by the words that say so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from .option_lexicon import OptionLexicon, Phrases, phrase_pattern

Reversibility = Literal["reversible", "unknown", "irreversible"]

_WORDS_BEFORE: Final = re.compile(r"[\w'’]+")
_LOOK_BACK: Final = 24


def find_reversibility(text: str, lexicons: Sequence[OptionLexicon]) -> tuple[Reversibility, str]:
    """What `text` says about undoing it, and the words that say so.

    Words of no return win over words of trial: a pilot that deletes the data cannot be undone.
    `("unknown", "")` when the text says neither.
    """
    lexicons = _in_reach(text, lexicons)
    for lexicon in lexicons:
        if words := _said(text, lexicon, lexicon.irreversible + lexicon.irreversible_claims):
            return "irreversible", words
    for lexicon in lexicons:
        if words := _said(text, lexicon, lexicon.reversible + lexicon.reversible_claims):
            return "reversible", words
        if words := _opening(text, lexicon):
            return "reversible", words
    return "unknown", ""


def find_claim(text: str, lexicons: Sequence[OptionLexicon]) -> tuple[Reversibility, str]:
    """What `text` says outright about undoing a step that it does not name itself."""
    lexicons = _in_reach(text, lexicons)
    for lexicon in lexicons:
        if words := _said(text, lexicon, lexicon.irreversible_claims):
            return "irreversible", words
    for lexicon in lexicons:
        if words := _said(text, lexicon, lexicon.reversible_claims):
            return "reversible", words
    return "unknown", ""


def _in_reach(text: str, lexicons: Sequence[OptionLexicon]) -> Sequence[OptionLexicon]:
    """The lexicons whose script `text` can hold."""
    return [each for each in lexicons if each.script == "latin"] if text.isascii() else lexicons


def _said(text: str, lexicon: OptionLexicon, phrases: Phrases) -> str:
    for found in phrase_pattern(phrases, spaced=lexicon.spaced).finditer(text):
        if not _is_negated(text[max(0, found.start() - _LOOK_BACK) : found.start()], lexicon):
            return found[0]
    return ""


def _is_negated(before: str, lexicon: OptionLexicon) -> bool:
    """Whether one of the two words just before is a negation ("not permanently")."""
    if not lexicon.spaced:
        return any(before.endswith(negation) for negation in lexicon.negations)
    words = [word.casefold() for word in _WORDS_BEFORE.findall(before)]
    return any(word in lexicon.negations for word in words[-2:])


def _opening(text: str, lexicon: OptionLexicon) -> str:
    pattern = phrase_pattern(lexicon.reversible_starts, spaced=lexicon.spaced)
    found = pattern.match(text.lstrip())
    return found[0] if found else ""
