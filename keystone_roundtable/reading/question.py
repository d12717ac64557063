"""What kind of answer a question asks for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .normalise import Tokens, asks, clauses, fold, sentences, tokenise
from .phrasebook import Coverage, Kinds, Phrasebook, PhraseKind
from .signal_lexicon import SignalLexicon

_NUMBERED: Final = (("1", "2"), ("一", "二"))
_LETTERED: Final = (("а", "б"), ("ا", "ب"), ("क", "ख"), ("ก", "ข"), ("가", "나"))
"""The first two marks of a list, in each way of counting but by Latin letters."""
_BEFORE_MARK: Final = r"(?:^|[\s(:,;：，、；・/|。.?!])\s*"
_AFTER_LETTER: Final = r"\s*(?:[).:=、．,]|\s)\s*\S"
_AFTER_NUMBER: Final = r"\s*(?:[).:=、．,]|\s|(?=[^\W\d_]))\s*\S"  # ①安全 is folded to 1安全
_LISTS: Final = tuple(
    re.compile(f"{_BEFORE_MARK}{first}{after}.{{0,300}}?{_BEFORE_MARK}{second}{after}", re.DOTALL)
    for marks, after in ((_NUMBERED, _AFTER_NUMBER), (_LETTERED, _AFTER_LETTER))
    for first, second in marks
)
_LATIN_LIST: Final = re.compile(
    r"(?:^|[^\w'])(?:a[).:=]|\(a\)|(?-i:A)(?=[\s).:=案]))\s*\S.{0,300}?"
    r"(?:^|[^\w'])(?:b[).:=]|\(b\)|(?-i:B)(?=[\s).:=案]))",
    re.DOTALL | re.IGNORECASE,
)
_TAG_TOKENS: Final = 3
"""A closing question this short asks whether what stands before it holds: "Right?"."""
_STEM_CHARS: Final = 5
"""Letters that two words must share to count as forms of one word; chosen by judgement."""

_QUESTION_KINDS: Final[Kinds] = frozenset(
    {
        PhraseKind.INTERROGATIVE,
        PhraseKind.CHOOSING,
        PhraseKind.POLAR_START,
        PhraseKind.POLAR_MARK,
        PhraseKind.OR,
        PhraseKind.ORDERING,
        PhraseKind.HOW_MANY,
        PhraseKind.HOW_ADJECTIVE,
        PhraseKind.ABSENT,
        PhraseKind.LATER,
        PhraseKind.UNTIL,
        PhraseKind.POSTPONE,
        PhraseKind.FILLER,
    }
)
_DELAYS: Final[Kinds] = frozenset({PhraseKind.LATER, PhraseKind.UNTIL, PhraseKind.POSTPONE})


@dataclass(frozen=True, slots=True)
class QuestionReading:
    """The shape of a question.

    `is_polar`: yes or no answers it. `is_choice`: it offers sides, in words or as a list.
    `sides`: the words that stand on one side of its "or" only, left and right. `suggestions`: the
    words of each suggested answer. `offers_delay`: waiting is one of the sides.
    """

    tokens: Tokens
    is_polar: bool
    is_choice: bool
    is_list: bool
    wants_order: bool
    wants_quantity: bool
    wants_degree: bool
    may_be_nothing: bool
    offers_delay: bool
    sides: tuple[frozenset[str], frozenset[str]]
    suggestions: tuple[frozenset[str], ...]

    def echoes(self, word: str) -> bool:
        """Whether the question holds the word or another form of it."""
        stem = word[:_STEM_CHARS]
        return any(
            word == own or (len(stem) == _STEM_CHARS and own.startswith(stem))
            for own in self.tokens
        )


def read_question(
    question: str, suggestions: Sequence[str], lexicon: SignalLexicon
) -> QuestionReading:
    """The shape of `question` in the language of `lexicon`; all false for a blank question."""
    folded = fold(question)
    tokens = tokenise(folded)
    book = lexicon.phrasebook
    whole = book.cover(tokens, _QUESTION_KINDS)
    parts = [book.cover(tokenise(part), _QUESTION_KINDS) for part in sentences(folded)]
    is_list = _lists(question, folded)
    suggested = tuple(frozenset(tokenise(fold(text))) for text in suggestions)
    is_choice = is_list or any(_is_choice(part) for part in parts) or _has_colon_or(folded, whole)
    is_choice = is_choice or _offers_after_comma(folded, book)
    is_polar = bool(tokens) and not is_choice and _is_polar(parts, folded)
    return QuestionReading(
        tokens=tokens,
        is_polar=is_polar,
        is_choice=is_choice or bool(suggested),
        is_list=is_list or bool(suggested),
        wants_order=bool(whole.kinds & {PhraseKind.ORDERING, PhraseKind.CHOOSING}),
        wants_quantity=PhraseKind.HOW_MANY in whole.kinds,
        wants_degree=PhraseKind.HOW_ADJECTIVE in whole.kinds,
        may_be_nothing=PhraseKind.ABSENT in whole.kinds,
        offers_delay=(is_choice and bool(whole.kinds & _DELAYS))
        or any(_offers_delay(text, lexicon) for text in suggestions),
        sides=_sides(parts) if is_choice else (frozenset(), frozenset()),
        suggestions=suggested,
    )


def _lists(question: str, folded: str) -> bool:
    """Whether answers are listed under numbers or letters."""
    if _LATIN_LIST.search(unicodedata.normalize("NFKC", question)):
        return True
    return any(listed.search(folded) for listed in _LISTS)


def _has_or(coverage: Coverage) -> bool:
    return PhraseKind.OR in coverage.kinds


def _offers_after_comma(folded: str, book: Phrasebook) -> bool:
    """Whether sides follow the question word after a comma: "what comes first, A or B?"."""
    for sentence in sentences(folded):
        *opening, last = [book.cover(tokenise(c), _QUESTION_KINDS) for c in clauses(sentence)] or [
            Coverage((), ())
        ]
        asked = any(PhraseKind.INTERROGATIVE in part.kinds for part in opening)
        if asked and _has_or(last) and PhraseKind.INTERROGATIVE not in last.kinds:
            return True
    return False


def _has_colon_or(folded: str, whole: Coverage) -> bool:
    return ":" in folded and _has_or(whole)


def _is_choice(part: Coverage) -> bool:
    """An "or" that no "what" governs: "what dependency or boundary is missing" offers no sides."""
    if not _has_or(part):
        return False
    return PhraseKind.INTERROGATIVE not in part.kinds or PhraseKind.CHOOSING in part.kinds


def _is_polar(parts: Sequence[Coverage], folded: str) -> bool:
    last = parts[-1] if parts else None
    if last is None:
        return False
    if _starts_polar(last) or (len(parts) > 1 and asks(folded) and _is_tag(last)):
        return True
    open_kinds = {PhraseKind.INTERROGATIVE, PhraseKind.CHOOSING, PhraseKind.HOW_MANY}
    open_kinds.add(PhraseKind.HOW_ADJECTIVE)
    if any(part.kinds & open_kinds for part in parts):
        return False
    return asks(folded) or PhraseKind.POLAR_MARK in last.kinds


def _is_tag(part: Coverage) -> bool:
    return len(part.tokens) <= _TAG_TOKENS and PhraseKind.INTERROGATIVE not in part.kinds


def _starts_polar(part: Coverage) -> bool:
    return PhraseKind.POLAR_START in part.pieces[0].kinds if part.pieces else False


def _sides(parts: Sequence[Coverage]) -> tuple[frozenset[str], frozenset[str]]:
    for part in parts:
        places = part.where(PhraseKind.OR)
        if places:
            start, end = part.pieces[places[-1]].start, part.pieces[places[-1]].end
            left, right = frozenset(part.tokens[:start]), frozenset(part.tokens[end:])
            return left - right, right - left
    return frozenset(), frozenset()


def _offers_delay(suggestion: str, lexicon: SignalLexicon) -> bool:
    words = (tokenise(clause) for clause in clauses(fold(suggestion)))
    return any(
        PhraseKind.POSTPONE in lexicon.phrasebook.cover(part, _QUESTION_KINDS).kinds
        for part in words
    )
