"""Answers that say something: a mark, a degree, yes or no, a side, or words of their own."""

from __future__ import annotations

import re
from typing import Final

from .answer import EMPTY, HOLLOW, Answer, SignalReading, content, low
from .phrasebook import Coverage, Kinds, PhraseKind

_AGREEING: Final[Kinds] = frozenset({PhraseKind.YES, PhraseKind.NO, PhraseKind.ACKNOWLEDGE})
_SIDES: Final[Kinds] = frozenset({PhraseKind.BOTH, PhraseKind.NEITHER})
_BARE_MARK: Final = re.compile(
    r"[#(\[]?\s*(?:\d{1,9}(?:[.,]\d+)?|[a-zа-г])\s*[)\].:번번째号番]?", re.IGNORECASE
)


def is_bare_mark(answer: Answer) -> SignalReading | None:
    """A number or a letter counts when the question asks for one or lists options."""
    unexplained = answer.empty.residual
    if answer.question.is_list and _is_one_mark(answer):
        return content("a number or letter that the question asks for")
    bare = _BARE_MARK.fullmatch(answer.words.strip().rstrip(".!"))
    single = len(unexplained) == 1 and (unexplained[0].isdigit() or len(answer.tokens) == 1)
    if not bare and not (single and _BARE_MARK.fullmatch(unexplained[0])):
        return None
    if answer.question.is_list or answer.question.wants_quantity or answer.question.is_choice:
        return content("a number or letter that the question asks for")
    if len(answer.tokens) > 1:
        return None
    return low("a bare number or letter") if not answer.question.wants_degree else None


def _is_one_mark(answer: Answer) -> bool:
    """Whether an answer is one number with nothing but empty words beside it: "#1 please"."""
    marks = tuple(token for token in answer.tokens if token.isdigit())
    return len(marks) == 1 and set(answer.empty.residual) <= set(marks)


def is_degree(answer: Answer) -> SignalReading | None:
    """How much, where the question asks that."""
    if not answer.question.wants_degree:
        return None
    coverage = answer.phrasebook.cover(
        answer.tokens, frozenset({PhraseKind.DEGREE, PhraseKind.FILLER})
    )
    if coverage.is_full and PhraseKind.DEGREE in coverage.kinds:
        return content("the degree that the question asks for")
    return None


def affirms(answer: Answer) -> SignalReading | None:
    """Yes or no: content after a yes-no question, none after an open one."""
    if not (answer.empty.is_full and answer.question.is_polar):
        return None
    kinds = answer.empty.kinds - {PhraseKind.FILLER}
    if {PhraseKind.YES, PhraseKind.NO} <= kinds or not kinds & _AGREEING:
        return None
    firsts = [piece.kinds for piece in answer.empty.pieces if piece.kinds - {PhraseKind.FILLER}]
    undecided = any(not found & _AGREEING for found in firsts)
    return None if undecided else content("yes or no to a yes-no question")


def sets_condition(answer: Answer) -> SignalReading | None:
    """A yes-no question answered by a condition alone: "only if it's cheap"."""
    kinds = answer.empty.kinds
    if not (answer.question.is_polar and answer.empty.is_full and PhraseKind.LIMIT in kinds):
        return None
    if kinds & (HOLLOW - {PhraseKind.VIRTUE, PhraseKind.ACKNOWLEDGE}):
        return None
    return content("a condition on a yes-no question")


def names_none_or_both(answer: Answer) -> SignalReading | None:
    """Both, neither, nothing: content where it answers the question."""
    if not answer.empty.is_full:
        return None
    kinds = answer.empty.kinds
    agreed = {PhraseKind.DONT_KNOW, PhraseKind.DELEGATE, PhraseKind.VAGUE, PhraseKind.VIRTUE}
    if kinds & agreed:
        return None
    if PhraseKind.NEITHER in kinds and (answer.question.is_choice or answer.question.is_polar):
        return content("excludes every side")
    if PhraseKind.BOTH in kinds and answer.question.is_choice and not answer.question.wants_order:
        return None if answer.question.is_list else content("takes both sides")
    if PhraseKind.NOTHING in kinds and answer.question.may_be_nothing:
        return content("says that there is none")
    return None


def picks_option(answer: Answer) -> SignalReading | None:
    """A side or a suggestion, by its words or by its place."""
    if not answer.question.is_choice:
        return None
    fillers = frozenset({PhraseKind.FILLER, PhraseKind.PICK})
    coverage = answer.phrasebook.cover(answer.tokens, EMPTY | fillers)
    if PhraseKind.PICK in coverage.kinds:
        return content("points at an option by its place")
    said = _own_words(coverage)
    if not said and not answer.empty.kinds & (HOLLOW | _SIDES):
        said = set(answer.tokens)
    left, right = answer.question.sides
    if bool(said & left) != bool(said & right):
        return content("names one of the sides")
    if answer.tokens and any(set(answer.tokens) <= side for side in (left, right)):
        return content("repeats one of the sides")
    if said and answer.question.is_list and said <= set(answer.question.tokens):
        return content("names a listed option")
    if said and any(said <= words for words in answer.question.suggestions):
        return content("names a suggestion")
    return None


def _own_words(coverage: Coverage) -> set[str]:
    """The tokens that neither function words nor phrases without direction account for."""
    return {coverage.tokens[piece.start] for piece in coverage.pieces if not piece.kinds}


def holds_content(answer: Answer) -> SignalReading:
    """Anything else says something; how surely depends on what it is."""
    if any(map(str.isdigit, answer.words)):
        return content("names a quantity")
    if PhraseKind.LIMIT in answer.empty.kinds:
        return content("names a reason or a limit")
    if len(answer.empty.residual) >= 3:
        return content("says something of its own")
    return content("words that no rule knows", firm=False)
