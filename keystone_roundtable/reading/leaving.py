"""Answers that leave the question phase: stop now, or go on another day."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .answer import EMPTY, Answer, SignalReading
from .normalise import clauses, sentences
from .phrasebook import Coverage, Kinds, PhraseKind

_STOPPING: Final[Kinds] = frozenset(
    {
        PhraseKind.STOP,
        PhraseKind.STOP_ALONE,
        PhraseKind.CEASE,
        PhraseKind.QUESTIONS,
        PhraseKind.DELIVER,
        PhraseKind.ENDING,
    }
)
_STOP_CLAUSE: Final[Kinds] = EMPTY | _STOPPING
_BESIDE_ALONE: Final[Kinds] = frozenset(
    {
        PhraseKind.STOP_ALONE,
        PhraseKind.ACKNOWLEDGE,
        PhraseKind.YES,
        PhraseKind.VAGUE,
        PhraseKind.COMPLAINT,
    }
)
_PAUSING: Final[Kinds] = frozenset(
    {
        PhraseKind.DEFER,
        PhraseKind.TALK_AGAIN,
        PhraseKind.POSTPONE,
        PhraseKind.LATER,
        PhraseKind.UNTIL,
    }
)
_DEFER_CLAUSE: Final[Kinds] = EMPTY | _PAUSING
_RESUMING: Final[Kinds] = frozenset({PhraseKind.TALK_AGAIN, PhraseKind.POSTPONE})


def stops(answer: Answer) -> SignalReading | None:
    """Stop, when a clause or the whole says nothing but that; content beside it does not matter."""
    whole = answer.phrasebook.cover(answer.tokens, _STOP_CLAUSE)
    if _is_offered(answer, whole, _STOPPING):
        return None
    if whole.is_full and (_ends(whole) or _ends_alone(whole)):
        return SignalReading("stop", True, "asks for the end of the questions")
    if answer.question.may_be_nothing and _denies_first(answer):
        return None
    for part in _stretches(answer.words):
        coverage = answer.cover(part, _STOP_CLAUSE)
        if coverage.is_full and _ends(coverage):
            return SignalReading("stop", True, "asks for the end of the questions in one clause")
    return None


def _ends(coverage: Coverage) -> bool:
    kinds = coverage.kinds
    if PhraseKind.STOP in kinds:
        return True
    if {PhraseKind.CEASE, PhraseKind.QUESTIONS} <= kinds:
        return True
    return PhraseKind.ENDING in kinds and bool(
        kinds & {PhraseKind.DELIVER, PhraseKind.DELEGATE, PhraseKind.CARRY_ON}
    )


def _ends_alone(coverage: Coverage) -> bool:
    """Whether a word like "enough" has only agreement or annoyance beside it."""
    pieces = [piece.kinds for piece in coverage.pieces if piece.kinds != {PhraseKind.FILLER}]
    return any(PhraseKind.STOP_ALONE in kinds for kinds in pieces) and all(
        kinds & _BESIDE_ALONE for kinds in pieces
    )


def _denies_first(answer: Answer) -> bool:
    """Whether "none" or "nothing" opens the answer to a question that it answers."""
    pieces = answer.empty.pieces
    return bool(pieces) and bool(pieces[0].kinds & {PhraseKind.NOTHING, PhraseKind.NO})


def defers(answer: Answer) -> SignalReading | None:
    """Defer, when a clause or the whole puts the session off; a later side is a choice."""
    whole = answer.phrasebook.cover(answer.tokens, _DEFER_CLAUSE)
    if whole.is_full and _puts_off(answer, whole):
        return SignalReading("defer", True, "puts the session off")
    for part in _stretches(answer.words):
        coverage = answer.cover(part, _DEFER_CLAUSE)
        if _puts_off(answer, coverage) and (coverage.is_full or _open_ended(coverage)):
            return SignalReading("defer", True, "puts the session off in one clause")
    return None


def _puts_off(answer: Answer, coverage: Coverage) -> bool:
    kinds = frozenset[PhraseKind]().union(*(_meant(answer, one.kinds) for one in coverage.pieces))
    if answer.question.offers_delay or answer.question.wants_quantity:
        return PhraseKind.TALK_AGAIN in kinds and bool(kinds & {PhraseKind.LATER, PhraseKind.UNTIL})
    if PhraseKind.DEFER in kinds:
        return True
    if kinds & _RESUMING and kinds & {PhraseKind.LATER, PhraseKind.UNTIL}:
        return True
    if answer.question.is_choice:
        return False
    pieces = [piece for piece in coverage.pieces if piece.kinds - {PhraseKind.FILLER}]
    return bool(pieces) and all(piece.kinds & {PhraseKind.LATER} for piece in pieces)


def _meant(answer: Answer, kinds: Kinds) -> Kinds:
    """What a phrase does under this question: "nothing" postpones, unless it is the answer."""
    if answer.question.may_be_nothing and PhraseKind.NOTHING in kinds:
        return kinds - {PhraseKind.POSTPONE}
    return kinds


def _open_ended(coverage: Coverage) -> bool:
    """Whether only the date is unexplained: "park this until the board has met".

    The verb stands at one end, where each language puts it, and a word like "until" follows it or
    stands at the other end.
    """
    pieces = [
        piece
        for piece in coverage.pieces
        if not piece.kinds or piece.kinds - {PhraseKind.FILLER} or piece.kinds & _PAUSING
    ]
    if len(pieces) < 2:
        return False
    if pieces[0].kinds & _RESUMING:
        return PhraseKind.UNTIL in pieces[1].kinds
    return bool(pieces[-1].kinds & _RESUMING) and PhraseKind.UNTIL in coverage.kinds


def _stretches(words: str) -> Iterator[str]:
    """Sentences, then the first and the last clause of the whole: a clause in the midst of a
    description ("the form must end, no more questions, just a list") is no request."""
    whole = sentences(words)
    yield from whole
    parts = [part for sentence in whole for part in clauses(sentence)]
    if parts:
        yield parts[0]
        yield parts[-1]


def _is_offered(answer: Answer, coverage: Coverage, kinds: Kinds) -> bool:
    """Whether the question itself offers the words as a side: "continue or stop?"."""
    left, right = answer.question.sides
    offered = left | right | frozenset().union(*answer.question.suggestions)
    if not offered:
        return False
    said = {
        token
        for piece in coverage.pieces
        if piece.kinds & kinds
        for token in coverage.tokens[piece.start : piece.end]
    }
    return bool(said) and said <= offered
