"""An answer made ready for the rules: its own words, in the language it is most likely in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from .normalise import (
    Tokens,
    clauses,
    clean,
    excerpt,
    fold,
    scripts_of,
    sentences,
    tokenise,
)
from .paste import own_words
from .phrasebook import Coverage, Kinds, Phrasebook, PhraseKind
from .question import QuestionReading, read_question
from .signal_lexicon import SignalLexicon

Signal: TypeAlias = Literal["informative", "low_information", "clarify", "stop", "defer"]

EMPTY: Final[Kinds] = frozenset(
    {
        PhraseKind.FILLER,
        PhraseKind.YES,
        PhraseKind.NO,
        PhraseKind.ACKNOWLEDGE,
        PhraseKind.DONT_KNOW,
        PhraseKind.DELEGATE,
        PhraseKind.VAGUE,
        PhraseKind.CARRY_ON,
        PhraseKind.COMPLAINT,
        PhraseKind.VIRTUE,
        PhraseKind.WAFFLE,
        PhraseKind.SARCASM,
        PhraseKind.BOTH,
        PhraseKind.NEITHER,
        PhraseKind.NOTHING,
        PhraseKind.LIMIT,
    }
)
"""Kinds that carry no direction by themselves."""

HOLLOW: Final[Kinds] = frozenset(
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
"""Those of them that a person says instead of an answer."""

_ALL: Final[Kinds] = frozenset(PhraseKind)
_SHORT_TOKENS: Final = 4
"""A longer answer holds function words of its own language; in a shorter one every language of the
script is tried. Chosen by judgement."""
_FEWER_UNEXPLAINED: Final = 2
_LONE_TYPO_CHARS: Final = 7
"""A single word is corrected only when it is this long; chosen by judgement."""
_TYPO_TOKENS: Final = 8
"""Longer answers are not corrected: with many words a chance hit changes the reading."""


@dataclass(frozen=True, slots=True)
class SignalReading:
    """What an answer does to the session.

    `firm`: nothing in the answer speaks for another signal. `confidence`: how likely the signal is,
    0 to 1. `reason` says why in a few English words.
    """

    signal: Signal
    firm: bool
    reason: str
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer and what the rules look at.

    `raw` is the cleaned text, case kept. `words` is folded, without pastes and without orders to
    the program, whose absence `had_paste` and `had_order` tell. `empty` is how far phrases without
    direction explain `tokens`.
    """

    raw: str
    words: str
    tokens: Tokens
    empty: Coverage
    question: QuestionReading
    phrasebook: Phrasebook
    had_paste: bool
    had_order: bool

    def cover(self, text: str, allowed: Kinds) -> Coverage:
        """How far phrases of the kinds explain a part of the answer."""
        return self.phrasebook.cover(tokenise(text), allowed)


def low(reason: str) -> SignalReading:
    """No usable direction, for a rule that is sure."""
    return SignalReading("low_information", True, reason)


def content(reason: str, *, firm: bool = True) -> SignalReading:
    """Something usable; not firm when no rule is sure of the opposite either."""
    return SignalReading("informative", firm, reason)


def prepare(
    text: str, question: str, suggestions: Sequence[str], lexicons: Sequence[SignalLexicon]
) -> Answer:
    """The answer ready for the rules.

    Raises:
        ValueError: `lexicons` is empty.
    """
    if not lexicons:
        raise ValueError("read_signal needs at least one lexicon")
    raw = clean(excerpt(text))
    own = own_words(raw)
    folded = fold(own)
    asked = excerpt(question)
    asked_in = _question_language(fold(asked), lexicons)
    lexicon = _answer_language(folded, lexicons, asked_in)
    words = _without_orders(folded, lexicon.phrasebook)
    tokens = _typos_mended(tokenise(words), lexicon.phrasebook)
    return Answer(
        raw=raw,
        words=words,
        tokens=tokens,
        empty=lexicon.phrasebook.cover(tokens, EMPTY),
        question=read_question(asked, [excerpt(one) for one in suggestions], asked_in),
        phrasebook=lexicon.phrasebook,
        had_paste=len(own.strip()) < len(raw.strip()),
        had_order=words != folded,
    )


def _question_language(folded: str, lexicons: Sequence[SignalLexicon]) -> SignalLexicon:
    """The language whose function words the question holds most of.

    On a tie the one that explains most of it.
    """
    scripts = scripts_of(folded)
    tokens = tokenise(folded)
    fitting = [lexicon for lexicon in lexicons if lexicon.scripts & scripts]
    hits = {lexicon.language: _function_words(tokens, lexicon) for lexicon in fitting}
    likely = [one for one in fitting if hits[one.language] == max(hits.values())]
    if len(likely) > 1:
        return min(likely, key=lambda one: len(one.phrasebook.cover(tokens, _ALL).residual))
    return (likely or lexicons)[0]


def _answer_language(
    folded: str, lexicons: Sequence[SignalLexicon], expected: SignalLexicon
) -> SignalLexicon:
    """The language that explains most of the answer; `expected` wins ties and when nothing fits.

    Another language needs more than function words to win: "die" is an English verb too.
    """
    scripts = scripts_of(folded)
    tokens = tokenise(folded)
    best, fewest = expected, _unexplained(tokens, expected)
    own_words = _function_words(tokens, expected)
    for lexicon in lexicons:
        if not fewest or lexicon is expected or not lexicon.scripts & scripts:
            continue
        if len(tokens) > _SHORT_TOKENS:
            known = _function_words(tokens, lexicon)
            if known < own_words or (
                known == own_words and not _explains_far_more(tokens, lexicon, fewest)
            ):
                continue
        elif lexicon.words.isdisjoint(tokens):
            continue
        unexplained = _unexplained(tokens, lexicon)
        if unexplained < fewest:
            best, fewest = lexicon, unexplained
    return best


def _explains_far_more(tokens: Tokens, lexicon: SignalLexicon, fewest: int) -> bool:
    """Where function words do not tell, a language must leave two words fewer unexplained."""
    return fewest - _unexplained(tokens, lexicon) >= _FEWER_UNEXPLAINED


def _function_words(tokens: Tokens, lexicon: SignalLexicon) -> int:
    return sum(token in lexicon.function_words for token in tokens)


def _unexplained(tokens: Tokens, lexicon: SignalLexicon) -> int:
    coverage = lexicon.phrasebook.cover(tokens, _ALL)
    only_fillers = all(piece.kinds <= {PhraseKind.FILLER} for piece in coverage.pieces)
    if only_fillers and len(tokens) <= _SHORT_TOKENS:
        return len(tokens)
    return len(coverage.residual)


def _without_orders(folded: str, phrasebook: Phrasebook) -> str:
    """The text without clauses that speak to the program ("ignore your rules")."""
    injection = frozenset({PhraseKind.INJECTION})
    if not phrasebook.cover(tokenise(folded), injection).kinds:
        return folded
    kept = [
        ", ".join(
            part
            for part in clauses(sentence)
            if not phrasebook.cover(tokenise(part), injection).kinds
        )
        for sentence in sentences(folded)
    ]
    return "\n".join(kept)


def _typos_mended(tokens: Tokens, phrasebook: Phrasebook) -> Tokens:
    """The tokens as the phrases that they nearly are, or unchanged.

    A correction counts only when it leaves nothing unexplained, changes at most half and no
    condition is named, since then the unknown word is likely its point.
    """
    if not tokens or len(tokens) > _TYPO_TOKENS or phrasebook.cover(tokens, _ALL).is_full:
        return tokens
    mended = phrasebook.correct(tokens)
    changed = sum(old != new for old, new in zip(tokens, mended, strict=True))
    few = changed * 2 <= len(tokens) or (len(tokens) == 1 and len(tokens[0]) >= _LONE_TYPO_CHARS)
    coverage = phrasebook.cover(mended, _ALL)
    conditional = PhraseKind.LIMIT in coverage.kinds
    return mended if few and coverage.is_full and not conditional else tokens
