"""Answers that stay in the question phase: content, questions back, and the ways to say nothing."""

from __future__ import annotations

import re
from typing import Final

from keystone_roundtable.reading.answer import EMPTY, Answer, SignalReading
from keystone_roundtable.reading.normalise import asks, sentences
from keystone_roundtable.reading.phrasebook import Coverage, Kinds, PhraseKind

_AGREEING: Final[Kinds] = frozenset({PhraseKind.YES, PhraseKind.NO, PhraseKind.ACKNOWLEDGE})
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
_ASKING_SENTENCE: Final[Kinds] = EMPTY | _ASKING
_HOLLOW: Final[Kinds] = frozenset(
    {
        PhraseKind.WAFFLE,
        PhraseKind.VIRTUE,
        PhraseKind.VAGUE,
        PhraseKind.DELEGATE,
        PhraseKind.ACKNOWLEDGE,
        PhraseKind.DONT_KNOW,
        PhraseKind.COMPLAINT,
        PhraseKind.SARCASM,
    }
)
_AFFIRMING_EMOJI: Final = frozenset("👍👌✅✔☑🆗👎❌✖⛔🙅🙆💯")
_LAUGHTER: Final = re.compile(
    r"(?:a?(?:ha|he|hi|ho|ja|je|xa|rs|wk|kw|ks|ха|хе|хи|ах)){2,}\w?|x+d+|5{3,}\+?|lo+l|[hkwxㅋ草笑ه]"
)
_MASH_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "йцукенгшщзхъ", "фывапролджэ")
_MASH: Final = re.compile(r"(?:[bcdfghjklmnpqrstvwxz]{6,}|(\w{2,3})\1{2,}|lorem|ipsum|dolor)")
_BARE_MARK: Final = re.compile(
    r"[#(\[]?\s*(?:\d{1,9}(?:[.,]\d+)?|[a-zа-г])\s*[)\].:번번째号番]?", re.IGNORECASE
)
_QUICK_QUESTION_TOKENS: Final = 6
"""A question of so few words is about the question and not about the topic; by judgement."""
_WAFFLE_MIN_TOKENS: Final = 9
_WAFFLE_MAX_UNEXPLAINED: Final = 0.25
"""Both chosen by judgement: a long answer made of hollow phrases holds no direction although a
quarter of its words is in no list."""


def _low(reason: str) -> SignalReading:
    return SignalReading("low_information", True, reason)


def _content(reason: str, *, firm: bool = True) -> SignalReading:
    return SignalReading("informative", firm, reason)


def is_wordless(answer: Answer) -> SignalReading | None:
    """Punctuation, emoji, blank, laughter; a thumb answers a yes-no question."""
    if answer.had_paste or answer.had_order:
        return None
    if not answer.tokens:
        if answer.question.is_polar and _AFFIRMING_EMOJI & set(answer.raw):
            return _content("a sign of yes or no to a yes-no question")
        return _low("no words")
    laughing = all(_LAUGHTER.fullmatch(token) for token in answer.tokens)
    if laughing and not (answer.question.wants_quantity and answer.tokens[0].isdigit()):
        return _low("laughter")
    return None


def only_paste_or_order(answer: Answer) -> SignalReading | None:
    """A bare trace, log, code or link, or nothing but an order to the program."""
    if not (answer.had_paste or answer.had_order):
        return None
    if answer.tokens and not answer.empty.is_full:
        return None
    return _low("an order to the program" if answer.had_order else "a bare paste")


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
    if len(coverage.tokens) <= _QUICK_QUESTION_TOKENS or PhraseKind.DEICTIC in coverage.kinds:
        return True
    return any(answer.question.echoes(token) for token in coverage.residual)


def is_bare_mark(answer: Answer) -> SignalReading | None:
    """A number or a letter counts when the question asks for one or lists options."""
    unexplained = answer.empty.residual
    bare = _BARE_MARK.fullmatch(answer.words.strip().rstrip(".!"))
    single = len(unexplained) == 1 and (unexplained[0].isdigit() or len(answer.tokens) == 1)
    if not bare and not (single and _BARE_MARK.fullmatch(unexplained[0])):
        return None
    if answer.question.is_list or answer.question.wants_quantity or answer.question.is_choice:
        return _content("a number or letter that the question asks for")
    if len(answer.tokens) > 1:
        return None
    return _low("a bare number or letter") if not answer.question.wants_degree else None


def is_degree(answer: Answer) -> SignalReading | None:
    """How much, where the question asks that."""
    if not answer.question.wants_degree:
        return None
    coverage = answer.phrasebook.cover(
        answer.tokens, frozenset({PhraseKind.DEGREE, PhraseKind.FILLER})
    )
    if coverage.is_full and PhraseKind.DEGREE in coverage.kinds:
        return _content("the degree that the question asks for")
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
    return None if undecided else _content("yes or no to a yes-no question")


def names_none_or_both(answer: Answer) -> SignalReading | None:
    """Both, neither, nothing: content where it answers the question."""
    if not answer.empty.is_full:
        return None
    kinds = answer.empty.kinds
    agreed = {PhraseKind.DONT_KNOW, PhraseKind.DELEGATE, PhraseKind.VAGUE, PhraseKind.VIRTUE}
    if kinds & agreed:
        return None
    if PhraseKind.NEITHER in kinds and (answer.question.is_choice or answer.question.is_polar):
        return _content("excludes every side")
    if PhraseKind.BOTH in kinds and answer.question.is_choice and not answer.question.wants_order:
        return None if answer.question.is_list else _content("takes both sides")
    if PhraseKind.NOTHING in kinds and answer.question.may_be_nothing:
        return _content("says that there is none")
    return None


def picks_option(answer: Answer) -> SignalReading | None:
    """A side or a suggestion, by its words or by its place."""
    if not answer.question.is_choice:
        return None
    fillers = frozenset({PhraseKind.FILLER, PhraseKind.PICK})
    coverage = answer.phrasebook.cover(answer.tokens, EMPTY | fillers)
    if PhraseKind.PICK in coverage.kinds:
        return _content("points at an option by its place")
    said = {
        token
        for piece in coverage.pieces
        if not piece.kinds - {PhraseKind.FILLER}
        for token in coverage.tokens[piece.start : piece.end]
        if not piece.kinds
    } or (set() if answer.empty.kinds & _HOLLOW else set(answer.tokens))
    left, right = answer.question.sides
    if bool(said & left) != bool(said & right):
        return _content("names one of the sides")
    if said and any(said <= words for words in answer.question.suggestions):
        return _content("names a suggestion")
    return None


def is_sarcasm(answer: Answer) -> SignalReading | None:
    """A sarcastic opening with nothing countable and no reason after it."""
    kinds = answer.empty.kinds
    if PhraseKind.SARCASM not in kinds or PhraseKind.LIMIT in kinds:
        return None
    return None if any(map(str.isdigit, answer.words)) else _low("sarcasm")


def only_empty_phrases(answer: Answer) -> SignalReading | None:
    """Nothing but phrases without direction."""
    if not answer.empty.is_full:
        return None
    return _low(_EMPTY_REASONS.get(_dominant(answer.empty), "no usable direction"))


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
        return _low("keys struck at random")
    return None


def _is_mash(token: str) -> bool:
    if _MASH.match(token) and not token.isdigit():
        return True
    return len(token) >= 4 and any(token in row or token in row[::-1] for row in _MASH_ROWS)


def only_echoes(answer: Answer) -> SignalReading | None:
    """The question given back, with nothing but empty phrases added."""
    if answer.question.is_polar or any(answer.question.sides):
        return None
    unexplained = answer.empty.residual
    if all(answer.question.echoes(token) for token in unexplained) and not any(
        token.isdigit() for token in unexplained
    ):
        return _low("restates the question")
    return _tautology(answer)


def _tautology(answer: Answer) -> SignalReading | None:
    unexplained = answer.empty.residual
    repeated = len(unexplained) > 1 and len(set(unexplained)) == 1
    return _low("says a thing is itself") if repeated and len(unexplained[0]) > 1 else None


def mostly_waffle(answer: Answer) -> SignalReading | None:
    """A long answer of hollow phrases with little else in it."""
    coverage = answer.empty
    if len(coverage.tokens) < _WAFFLE_MIN_TOKENS or coverage.count(_HOLLOW) < 2:
        return None
    if PhraseKind.LIMIT in coverage.kinds or any(map(str.isdigit, answer.words)):
        return None
    share = len(coverage.residual) / len(coverage.tokens)
    return _low("long but without direction") if share <= _WAFFLE_MAX_UNEXPLAINED else None


def holds_content(answer: Answer) -> SignalReading:
    """Anything else says something; how surely depends on what it is."""
    if any(map(str.isdigit, answer.words)):
        return _content("names a quantity")
    if PhraseKind.LIMIT in answer.empty.kinds:
        return _content("names a reason or a limit")
    if len(answer.empty.residual) >= 3:
        return _content("says something of its own")
    return _content("words that no rule knows", firm=False)
