"""Answers without a usable direction: no words, pastes, empty phrases, echoes and talk."""

from __future__ import annotations

import re
from typing import Final

from .answer import HOLLOW, Answer, SignalReading, content, low
from .phrasebook import Coverage, Kinds, PhraseKind

_GENERAL: Final[Kinds] = frozenset(
    {PhraseKind.FILLER, PhraseKind.WAFFLE, PhraseKind.LIMIT, PhraseKind.NO}
)
_PRECISE: Final[Kinds] = frozenset({PhraseKind.LIMIT, PhraseKind.NO, PhraseKind.NOTHING})
_AFFIRMING_EMOJI: Final = frozenset("👍👌✅✔☑🆗👎❌✖⛔🙅🙆💯")
_LAUGHTER: Final = re.compile(
    r"a?(ha|he|hi|ho|ja|je|xa|rs|wk|kw|ks|ха|хе|хи|ах)(?:a?\1)+\w?|x+d+|5{3,}|lo+l|[hkwx草笑ه]"
)
"""One syllable over and over: "horse" and "jars" are made of two."""
_MASH_ROWS: Final = (
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiop",
    "йцукенгшщзхъ",
    "фывапролджэ",
)
_MASH: Final = re.compile(r"(?:[bcdfghjklmnpqrstvwxz]{6,}|(\w{2,3})\1{2,}|lorem|ipsum)")
_CLAUSE_MIN_TOKENS: Final = 4
_TALK_MIN_PIECES: Final = 3
_MASH_MIN_CHARS: Final = 6
_WAFFLE_MIN_TOKENS: Final = 9
_WAFFLE_MAX_UNEXPLAINED: Final = 0.25
"""These five chosen by judgement: a long answer made of hollow phrases holds no direction although
a quarter of its words is in no list."""


def is_wordless(answer: Answer) -> SignalReading | None:
    """Punctuation, emoji, blank, laughter; a thumb answers a yes-no question."""
    if answer.had_paste or answer.had_order:
        return None
    if not answer.tokens:
        if answer.question.is_polar and _AFFIRMING_EMOJI & set(answer.raw):
            return content("a sign of yes or no to a yes-no question")
        return low("no words")
    laughing = all(_LAUGHTER.fullmatch(token) for token in answer.tokens)
    if laughing and not (answer.question.wants_quantity and answer.tokens[0].isdigit()):
        return low("laughter")
    return None


def only_paste_or_order(answer: Answer) -> SignalReading | None:
    """A bare trace, log, code or link, or nothing but an order to the program."""
    if not (answer.had_paste or answer.had_order):
        return None
    if answer.tokens and not answer.empty.is_full:
        return None
    return low("an order to the program" if answer.had_order else "a bare paste")


def is_sarcasm(answer: Answer) -> SignalReading | None:
    """A sarcastic opening with nothing countable and no reason after it."""
    kinds = answer.empty.kinds
    if PhraseKind.SARCASM not in kinds or PhraseKind.LIMIT in kinds:
        return None
    return None if any(map(str.isdigit, answer.words)) else low("sarcasm")


def only_empty_phrases(answer: Answer) -> SignalReading | None:
    """Nothing but phrases without direction."""
    if not answer.empty.is_full:
        return None
    if _is_thin(answer.empty):
        return content("a general word that may answer the question", firm=False)
    return low(_EMPTY_REASONS.get(_dominant(answer.empty), "no usable direction"))


def _is_thin(coverage: Coverage) -> bool:
    """General words that may be the answer all the same: "time" is a kind of cost, and "that they
    want it at all" is an assumption. Three abstract words in a row are talk."""
    abstract = coverage.count(frozenset({PhraseKind.WAFFLE}))
    if coverage.kinds - _GENERAL or abstract >= _TALK_MIN_PIECES:
        return False
    return len(coverage.tokens) >= _CLAUSE_MIN_TOKENS or (
        abstract > 0 and PhraseKind.NO not in coverage.kinds
    )


def _dominant(coverage: Coverage) -> PhraseKind | None:
    return next((kind for kind in _EMPTY_REASONS if kind in coverage.kinds), None)


_EMPTY_REASONS: Final[dict[PhraseKind | None, str]] = {
    PhraseKind.DELEGATE: "leaves the choice to others",
    PhraseKind.DONT_KNOW: "does not know and gives no reason",
    PhraseKind.CARRY_ON: "skips or moves on",
    PhraseKind.COMPLAINT: "a complaint without a request",
    PhraseKind.VIRTUE: "virtues that exclude nothing",
    PhraseKind.WAFFLE: "talk that excludes nothing",
    PhraseKind.VAGUE: "a hedge, a stall or a filler",
    PhraseKind.BOTH: "both, where one is asked for",
    PhraseKind.NEITHER: "neither, where no sides are offered",
    PhraseKind.NOTHING: "nothing, where something is asked for",
    PhraseKind.ACKNOWLEDGE: "agreement with an open question",
    PhraseKind.YES: "agreement with an open question",
    PhraseKind.NO: "a bare no to an open question",
}


def is_mash(answer: Answer) -> SignalReading | None:
    """Keys struck at random, or filler text."""
    unexplained = [token for token in answer.empty.residual if not _LAUGHTER.fullmatch(token)]
    if all(_is_mash(token) for token in unexplained) and answer.raw != answer.raw.upper():
        return low("keys struck at random")
    return None


def _is_mash(token: str) -> bool:
    if _MASH.match(token) and not token.isdigit():
        return True
    if len(token) >= _MASH_MIN_CHARS and any(set(token) <= set(row) for row in _MASH_ROWS[1:3]):
        return True
    return len(token) >= 4 and any(token in row or token in row[::-1] for row in _MASH_ROWS)


def only_echoes(answer: Answer) -> SignalReading | None:
    """The question given back, with nothing but empty phrases added."""
    if answer.question.is_polar or answer.question.is_choice:
        return None
    unexplained = answer.empty.residual
    if all(answer.question.echoes(token) for token in unexplained) and not any(
        token.isdigit() for token in unexplained
    ):
        return low("restates the question")
    return _tautology(answer)


def _tautology(answer: Answer) -> SignalReading | None:
    unexplained = answer.empty.residual
    repeated = len(unexplained) > 1 and len(set(unexplained)) == 1
    return low("says a thing is itself") if repeated and len(unexplained[0]) > 1 else None


def mostly_waffle(answer: Answer) -> SignalReading | None:
    """A long answer of hollow phrases with little else in it."""
    coverage = answer.empty
    if len(coverage.tokens) < _WAFFLE_MIN_TOKENS or coverage.count(HOLLOW) < 3:
        return None
    if coverage.kinds & {PhraseKind.LIMIT, PhraseKind.NO, PhraseKind.NOTHING} or any(
        map(str.isdigit, answer.words)
    ):
        return None
    share = len(coverage.residual) / len(coverage.tokens)
    return low("long but without direction") if share <= _WAFFLE_MAX_UNEXPLAINED else None
