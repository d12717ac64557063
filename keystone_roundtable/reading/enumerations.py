"""Options that a text lists by letter, number or bullet."""

from __future__ import annotations

import re
from typing import Final

from .option_lexicon import OptionLexicon
from .phrases import tidy, trim, words_of

_LABELLED: Final = re.compile(
    r"(?:^|(?<=[\s.;,?!:]))(?:option|variant|plan|path|choice|alternative)\s+(?P<label>[A-Fa-f1-6])\s*[:)–—-]\s*(?P<text>[^\n]{2,400}?)"
    r"(?=[\s.;,]*(?:\b(?:or|and)\s+)?(?:\n|$|\b(?:option|variant|plan|path|choice|alternative)\s+[A-Fa-f1-6]\s*[:)–—-]))",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(
    r"(?:^|(?<=[\s:;,.?!(]))\(?(?P<label>[1-6]|[a-fA-F])[.)]\s+(?P<text>[^\n]{2,400}?)"
    r"(?=[\s;,.]*(?:\b(?:or|and)\s+)?(?:\n|$|(?<=[\s:;,.?!(])\(?(?:[1-6]|[a-fA-F])[.)]\s))"
)
_BULLET: Final = re.compile(r"^[ \t]*[-*•–][ \t]+(?P<text>\S[^\n]{0,400})$", re.MULTILINE)
_FULL_STOP: Final = re.compile(r"[.!?。]\s")
_LEAD_SPAN: Final = 240
_SCAN: Final = 20_000
_MOST: Final = 6


def listed_options(topic: str, lexicon: OptionLexicon) -> tuple[str, ...]:
    """The options that `topic` lists one by one, in order; empty when it lists none.

    Numbers and bullets count only after words that announce a choice, as briefs are full of lists
    of another kind.
    """
    scanned = topic[:_SCAN]
    labelled = list(_LABELLED.finditer(scanned))
    if _counts_up(labelled):
        return _texts(labelled)
    for pattern in (_NUMBERED, _BULLET):
        found = list(pattern.finditer(scanned))
        if pattern is _NUMBERED and not _counts_up(found):
            continue
        if 2 <= len(found) <= _MOST and _announces(
            scanned[: found[0].start()], scanned[found[-1].end() :], lexicon
        ):
            return _texts(found)
    return ()


def _counts_up(found: list[re.Match[str]]) -> bool:
    labels = [each["label"].casefold() for each in found]
    return 2 <= len(labels) <= _MOST and labels in (
        list("123456"[: len(labels)]),
        list("abcdef"[: len(labels)]),
    )


def _announces(before: str, after: str, lexicon: OptionLexicon) -> bool:
    lead = words_of(before[-_LEAD_SPAN:])
    follow = words_of(after[:_LEAD_SPAN])
    asks = any(
        word in lexicon.choice_cues or word in {"should", "could", "either"} for word in lead
    )
    return asks or ("?" in after[:_LEAD_SPAN] and any(word in {"which", "what"} for word in follow))


def _texts(found: list[re.Match[str]]) -> tuple[str, ...]:
    texts = (trim(tidy(_FULL_STOP.split(each["text"])[0])) for each in found)
    return tuple(text for text in texts if text)
