"""Phrases by kind, and how much of a text they account for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from .normalise import (
    Tokens,
    fold,
    is_swapped,
    tokenise_lines,
    within_one_typo,
    without_marks,
)

TYPO_MIN_CHARS: Final = 5
"""Shorter words are never corrected: "cost" and "most" are one letter apart, and so are too many
others; chosen by judgement."""
SWAP_MIN_CHARS: Final = 3
"""From here on two swapped neighbours are set right: "yuo", "knwo"."""


class PhraseKind(StrEnum):
    """What a phrase does in an answer or a question; the names of the fields of a lexicon."""

    FILLER = "filler"
    """Function words and politeness: they neither make nor break a reading."""
    YES = "yes"
    NO = "no"
    ACKNOWLEDGE = "acknowledge"
    DONT_KNOW = "dont_know"
    DELEGATE = "delegate"
    VAGUE = "vague"
    """Hedges, stalling, fillers, comments on the question, laughter, pointing back."""
    CARRY_ON = "carry_on"
    """Skip this one, next, continue."""
    COMPLAINT = "complaint"
    VIRTUE = "virtue"
    """Praise that excludes nothing: simple, scalable."""
    WAFFLE = "waffle"
    """Abstract talk about the topic: many factors, weigh carefully."""
    SARCASM = "sarcasm"
    BOTH = "both"
    NEITHER = "neither"
    NOTHING = "nothing"
    DEGREE = "degree"
    """How much: very, hardly, a nightmare."""
    PICK = "pick"
    """Points at an option by its place: the second one, the former."""
    LIMIT = "limit"
    """Opens a reason, a condition or a boundary: because, as long as, must, except."""
    STOP = "stop"
    """Ends the questions wherever it fills a clause."""
    STOP_ALONE = "stop_alone"
    """Ends the questions only when nothing else is said: enough, that's all."""
    CEASE = "cease"
    """Together with QUESTIONS a stop: no more, stop, enough."""
    QUESTIONS = "questions"
    DELIVER = "deliver"
    """Together with ENDING a stop: give me, go straight to."""
    ENDING = "ending"
    """The conclusion, the report, the verdict, the end."""
    DEFER = "defer"
    """Puts the session off wherever it fills a clause."""
    TALK_AGAIN = "talk_again"
    """Together with LATER or UNTIL puts the session off: let's continue, ask me again."""
    POSTPONE = "postpone"
    """The same, but it can also name an option of the question: wait, defer it."""
    LATER = "later"
    UNTIL = "until"
    CLARIFY = "clarify"
    """A request to explain that fills a sentence."""
    CLARIFY_OPENER = "clarify_opener"
    """A request to explain, wherever it stands: what do you mean by, are you asking about."""
    DEICTIC = "deictic"
    """Points at the question or at the conversation: this, here, you mean."""
    INTERROGATIVE = "interrogative"
    CHOOSING = "choosing"
    """Asks for one of several: which."""
    POLAR_START = "polar_start"
    """Makes a yes-no question at the head of a sentence: is, does, should."""
    POLAR_MARK = "polar_mark"
    """Makes a yes-no question anywhere: or not."""
    OR = "or"
    ORDERING = "ordering"
    """Asks for an order: first, before the other."""
    HOW_MANY = "how_many"
    """Asks for a number, an amount or a time."""
    HOW_ADJECTIVE = "how_adjective"
    """Asks for a degree: how painful."""
    ABSENT = "absent"
    """The question can be answered by "nothing": missing, unconfirmed."""
    PROPOSAL = "proposal"
    """Opens a suggestion or a rhetorical question that carries a fact: what about, didn't we."""
    INJECTION = "injection"
    """Speaks to the program and not about the topic: ignore your rules."""


Kinds: TypeAlias = frozenset[PhraseKind]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of tokens, `end` exclusive, and what it is; no kinds when no phrase accounts
    for it (then it is one token long)."""

    start: int
    end: int
    kinds: Kinds


@dataclass(frozen=True, slots=True)
class Coverage:
    """A text cut into phrases and unexplained tokens, in order and without gaps."""

    tokens: Tokens
    pieces: tuple[Piece, ...]

    @property
    def residual(self) -> Tokens:
        """The tokens that no phrase accounts for."""
        return tuple(self.tokens[piece.start] for piece in self.pieces if not piece.kinds)

    @property
    def kinds(self) -> Kinds:
        """Every kind present."""
        return frozenset(kind for piece in self.pieces for kind in piece.kinds)

    @property
    def is_full(self) -> bool:
        """Whether there are tokens and phrases account for all of them."""
        return bool(self.pieces) and all(piece.kinds for piece in self.pieces)

    def count(self, kinds: Kinds) -> int:
        """Pieces that are of one of the kinds."""
        return sum(1 for piece in self.pieces if piece.kinds & kinds)

    def where(self, kind: PhraseKind) -> tuple[int, ...]:
        """Indices into `pieces` of those of the kind."""
        return tuple(index for index, piece in enumerate(self.pieces) if kind in piece.kinds)


class Phrasebook:
    """One language's phrases, ready to be looked up."""

    def __init__(self, phrases: Mapping[PhraseKind, Iterable[str]]) -> None:
        kinds: dict[Tokens, set[PhraseKind]] = {}
        for kind, texts in phrases.items():
            folded = fold("\n".join(texts))
            for spelling in {folded, without_marks(folded)}:
                for key in tokenise_lines(spelling):
                    kinds.setdefault(key, set()).add(kind)
        kinds.pop((), None)
        self._kinds: dict[Tokens, Kinds] = {key: frozenset(found) for key, found in kinds.items()}
        self._lengths = _lengths_by_first(self._kinds)
        self._words = frozenset(word for key in self._kinds for word in key)
        self._by_initial = _by_initial(self._words)

    def cover(self, tokens: Tokens, allowed: Kinds) -> Coverage:
        """The reading with the fewest unexplained tokens, then with the fewest pieces.

        Only phrases of an `allowed` kind count. Linear in the number of tokens.
        """
        count = len(tokens)
        best: list[tuple[int, int]] = [(0, 0)] * (count + 1)
        chosen: list[Piece] = [Piece(0, 0, frozenset())] * count
        for start in range(count - 1, -1, -1):
            left, pieces = best[start + 1]
            best[start], chosen[start] = (
                (left + 1, pieces + 1),
                Piece(start, start + 1, frozenset()),
            )
            for piece in self._pieces_at(tokens, start, allowed):
                left, pieces = best[piece.end]
                if (left, pieces + 1) < best[start]:
                    best[start], chosen[start] = (left, pieces + 1), piece
        return Coverage(tokens, tuple(_walk(chosen)))

    def correct(self, tokens: Tokens) -> Tokens:
        """The tokens with unknown words replaced by the one known word a typo away, if only one."""
        return tuple(self._corrected(token) for token in tokens)

    def _corrected(self, token: str) -> str:
        if token in self._words or len(token) < SWAP_MIN_CHARS or not token.isalpha():
            return token
        alike = self._by_initial.get(token[0], ())
        swapped = [word for word in alike if is_swapped(token, word)]
        near = swapped or [word for word in alike if _is_typo(token, word)]
        return near[0] if len(near) == 1 else token

    def _pieces_at(self, tokens: Tokens, start: int, allowed: Kinds) -> Iterator[Piece]:
        for length in self._lengths.get(tokens[start], ()):
            end = start + length
            kinds = self._kinds.get(tokens[start:end], frozenset()) & allowed
            if kinds and end <= len(tokens):
                yield Piece(start, end, kinds)


def _by_initial(words: Iterable[str]) -> dict[str, list[str]]:
    """Words by first letter: a typo seldom hits it, and few words are left to compare."""
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(word[0], []).append(word)
    return found


def _is_typo(token: str, word: str) -> bool:
    return min(len(token), len(word)) >= TYPO_MIN_CHARS and within_one_typo(token, word)


def _lengths_by_first(keys: Iterable[Tokens]) -> dict[str, tuple[int, ...]]:
    lengths: dict[str, set[int]] = {}
    for key in keys:
        lengths.setdefault(key[0], set()).add(len(key))
    return {first: tuple(sorted(found)) for first, found in lengths.items()}


def _walk(chosen: list[Piece]) -> Iterator[Piece]:
    start = 0
    while start < len(chosen):
        yield chosen[start]
        start = chosen[start].end
