"""Answers that ask the question back: what it means, its scope, its purpose, an example."""

from __future__ import annotations

from typing import Final

from .answer import EMPTY, Answer, SignalReading
from .normalise import asks, sentences
from .phrasebook import Coverage, Kinds, PhraseKind

_ASKING: Final[Kinds] = frozenset(
    {
        PhraseKind.INTERROGATIVE,
        PhraseKind.CHOOSING,
        PhraseKind.POLAR_START,
        PhraseKind.POLAR_MARK,
        PhraseKind.HOW_MANY,
        PhraseKind.HOW_ADJECTIVE,
        PhraseKind.OR,
        PhraseKind.DEICTIC,
        PhraseKind.CLARIFY,
        PhraseKind.CLARIFY_OPENER,
        PhraseKind.PROPOSAL,
    }
)
_OPEN_QUESTION: Final[Kinds] = frozenset(
    {
        PhraseKind.INTERROGATIVE,
        PhraseKind.CHOOSING,
        PhraseKind.HOW_MANY,
        PhraseKind.HOW_ADJECTIVE,
        PhraseKind.CLARIFY,
    }
)
_ASKING_SENTENCE: Final[Kinds] = EMPTY | _ASKING
_QUICK_QUESTION_TOKENS: Final = 6
"""A question of so few words is about the question and not about the topic; by judgement."""


def asks_back(answer: Answer) -> SignalReading | None:
    """A question about the question; any other sentence may only be empty."""
    found = False
    for sentence in sentences(answer.words):
        if _is_question_back(answer, sentence):
            found = True
        elif not answer.cover(sentence, EMPTY).is_full and answer.cover(sentence, EMPTY).tokens:
            return None
    return SignalReading("clarify", True, "asks what the question means") if found else None


def _is_question_back(answer: Answer, sentence: str) -> bool:
    coverage = answer.cover(sentence, _ASKING_SENTENCE)
    kinds = coverage.kinds
    if PhraseKind.CLARIFY_OPENER in kinds:
        return True
    if PhraseKind.PROPOSAL in kinds:
        return False
    unknown = [token for token in coverage.residual if not answer.question.echoes(token)]
    empty = answer.cover(sentence, EMPTY).is_full
    if PhraseKind.CLARIFY in kinds and not unknown:
        return asks(sentence) or not empty
    if empty:
        return False
    return _asks_about_question(answer, sentence, coverage)


def _asks_about_question(answer: Answer, sentence: str, coverage: Coverage) -> bool:
    last = coverage.pieces[-1].kinds if coverage.pieces else frozenset()
    if not asks(sentence) and (PhraseKind.POLAR_MARK not in last or PhraseKind.NO in last):
        return False
    if not coverage.kinds & (_ASKING - {PhraseKind.DEICTIC}):
        return False
    if PhraseKind.DEICTIC in coverage.kinds:
        return True
    if coverage.kinds & _OPEN_QUESTION and len(coverage.tokens) <= _QUICK_QUESTION_TOKENS:
        return True
    return any(answer.question.echoes(token) for token in coverage.residual)
