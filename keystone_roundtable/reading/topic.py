"""What a topic lacks: the route it should take, the mode of its session, and its complexity.

What is missing decides (seed 003, Prerequisite Check and Quick Selection): an unknown cause goes to
diagnose, an unproven claim to verify, settled work to writing-plan; a direction that is missing,
soft or doubted makes a round table. The last request of a topic counts, not its first verb.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from .topic_lexicon import CueKind, TopicLexicon
from .topic_sentences import TopicSentence, read_topic_sentences

Route = Literal["roundtable", "diagnose", "verify", "writing-plan"]
Mode = Literal["brainstorm", "align", "challenge"]
Complexity = Literal["small", "normal", "complex"]

K = CueKind

_FIRST_SIGN: Final = "\u3040"  # kana, Han and Hangul stand from here on
_LETTERS_PER_SIGN: Final = 2  # beyond the one the sign itself is


@dataclass(frozen=True)
class RouteReading:
    """Where a topic should go, and why in a few words."""

    route: Route
    reason: str


@dataclass(frozen=True)
class ModeReading:
    """The mode a round table on the topic should take, and why in a few words."""

    mode: Mode
    reason: str
    vague: bool
    """The topic cannot be compressed into one decision."""
    by_default: bool = False
    """Nothing in the topic speaks for this mode; it is what is left."""


@dataclass(frozen=True)
class Topic:
    """A topic cut into sentences with their cues: read once, asked several things."""

    sentences: tuple[TopicSentence, ...]

    @cached_property
    def kinds(self) -> frozenset[CueKind]:
        return frozenset().union(*(sentence.kinds for sentence in self.sentences))

    def has(self, *kinds: CueKind) -> bool:
        return not self.kinds.isdisjoint(kinds)

    def last(self, *kinds: CueKind) -> int:
        """Position of the last sentence with a cue of any of `kinds`; -1 when there is none."""
        positions = (n for n, sentence in enumerate(self.sentences) if sentence.has(*kinds))
        return max(positions, default=-1)

    @cached_property
    def length(self) -> float:
        """Size in letters of an alphabet; a syllable or word sign counts for several."""
        text = "".join(sentence.text for sentence in self.sentences)
        signs = sum(character >= _FIRST_SIGN for character in text)
        return len(text) + _LETTERS_PER_SIGN * signs

    @cached_property
    def parties(self) -> int:
        return sum(sentence.parties for sentence in self.sentences)

    @cached_property
    def offers_paths(self) -> bool:
        return any(
            sentence.has(K.OR_WORD)
            and (sentence.asks or sentence.has(K.MISSING, K.OPEN, K.DIRECTION))
            for sentence in self.sentences
        )

    @cached_property
    def edge_is_last_word(self) -> bool:
        """No worry comes after what is said about the edge."""
        return self.last(K.EDGE) >= self.last(K.DOUBT)

    @cached_property
    def is_unfinished(self) -> bool:
        """Something is still asked or said to be open."""
        return self.has(K.MISSING, K.OPEN, K.WHICH) or self.asks

    @cached_property
    def asks(self) -> bool:
        return any(sentence.asks for sentence in self.sentences)


_VERSUS: Final = re.compile(r"\b(?:vs|versus)\b")  # "use this vs stay on that" orders nothing

_ComplexityRule = tuple[Callable[[Topic], bool], Complexity]
_SentenceRule = tuple[Callable[[TopicSentence, Topic], bool], RouteReading]
_TopicRouteRule = tuple[Callable[[Topic], bool], RouteReading]
_ModeRule = tuple[Callable[[Topic], bool], ModeReading]

_DIRECTION_ASKED: Final = RouteReading("roundtable", "a direction is asked for")
_DIRECTION_DOUBTED: Final = RouteReading("roundtable", "a direction is in doubt")
_DIRECTION_SOFT: Final = RouteReading("roundtable", "a direction is missing or soft")
_PLAN_ASKED: Final = RouteReading("writing-plan", "the steps are asked for, the decision is made")
_WORK_ORDERED: Final = RouteReading("writing-plan", "the work is already clear enough to plan")
_CAUSE_ASKED: Final = RouteReading("diagnose", "the cause is unknown")
_MISBEHAVIOUR: Final = RouteReading("diagnose", "something misbehaves and the cause is unknown")
_EVIDENCE_ASKED: Final = RouteReading("verify", "evidence is asked for")
_CLAIM_UNPROVEN: Final = RouteReading("verify", "a claim is not proven yet")

_NO_DIRECTION: Final = ModeReading("brainstorm", "no direction yet", False)
PATHS_ARE_NAMED: Final = "several paths and no lean yet"
_SEVERAL_PATHS: Final = ModeReading("brainstorm", PATHS_ARE_NAMED, False)
_TOO_VAGUE: Final = ModeReading("brainstorm", "too vague yet to be one decision", True)
_EDGE_MISSING: Final = ModeReading("align", "the direction stands, its edge is missing", False)
_PART_OPEN: Final = ModeReading("align", "the direction stands, a part of it is open", False)
_CASE_AGAINST: Final = ModeReading("challenge", "the case against it is asked for", False)
_IN_PASSING: Final = ModeReading("challenge", "concluded in passing, with doubts about it", False)
_LEANING_IN_DOUBT: Final = ModeReading(
    "challenge", "leaning one way, with doubts about risk, cost or omissions", False
)
_UNTESTED: Final = ModeReading("challenge", "one direction, not yet tested", False, by_default=True)

# The first rule that holds for a sentence decides; sentences are tried from the last to the first.
_SENTENCE_RULES: Final[tuple[_SentenceRule, ...]] = (
    (lambda s, t: s.has(K.DIRECTION) and s.asks and not s.has(K.PLAN), _DIRECTION_ASKED),
    (lambda s, t: s.has(K.ATTACK), _DIRECTION_DOUBTED),
    (lambda s, t: s.has(K.PLAN), _PLAN_ASKED),
    (lambda s, t: s.has(K.CAUSE), _CAUSE_ASKED),
    (lambda s, t: s.has(K.CHECK), _EVIDENCE_ASKED),
    (lambda s, t: _is_order(s), _WORK_ORDERED),
    (lambda s, t: s.has(K.EDGE, K.MISSING) and t.has(K.FIXED, K.LEANING), _DIRECTION_SOFT),
    (lambda s, t: s.has(K.OPEN), _DIRECTION_SOFT),
    (lambda s, t: s.has(K.DOUBT) and t.has(K.FIXED, K.LEANING, K.INFORMAL), _DIRECTION_DOUBTED),
    (lambda s, t: s.has(K.DIRECTION), _DIRECTION_ASKED),
    (lambda s, t: s.asks and s.has(K.OR_WORD, K.WHICH), _DIRECTION_ASKED),
    (lambda s, t: s.asks and s.has(K.CLAIM) and not t.has(K.FIXED, K.LEANING), _CLAIM_UNPROVEN),
)
_TOPIC_RULES: Final[tuple[_TopicRouteRule, ...]] = (
    (lambda t: t.has(K.READY) and not t.has(K.DOUBT, K.EDGE, K.MISSING), _WORK_ORDERED),
    (lambda t: t.has(K.FIXED, K.LEANING, K.EDGE, K.VAGUE), _DIRECTION_SOFT),
    (lambda t: t.has(K.SYMPTOM), _MISBEHAVIOUR),
    (lambda t: t.has(K.CLAIM), _CLAIM_UNPROVEN),
    (lambda t: True, _DIRECTION_SOFT),
)

_MODE_RULES: Final[tuple[_ModeRule, ...]] = (
    (lambda t: t.has(K.ATTACK) and t.last(K.ATTACK) >= t.last(K.EDGE), _CASE_AGAINST),
    (lambda t: t.has(K.VAGUE) and t.has(K.OPEN), _TOO_VAGUE),
    (lambda t: t.has(K.FIXED) and t.has(K.EDGE) and t.edge_is_last_word, _EDGE_MISSING),
    (lambda t: t.has(K.FIXED) and t.is_unfinished and not t.has(K.DOUBT), _PART_OPEN),
    (lambda t: t.has(K.INFORMAL) and t.has(K.DOUBT, K.MISSING), _IN_PASSING),
    (lambda t: t.has(K.VAGUE) and not t.has(K.EDGE, K.DOUBT, K.FIXED) and not t.asks, _TOO_VAGUE),
    (lambda t: t.has(K.OPEN) and t.last(K.OPEN) >= t.last(K.DOUBT), _NO_DIRECTION),
    (
        lambda t: t.has(K.EDGE) and t.has(K.MISSING, K.LEANING) and t.edge_is_last_word,
        _EDGE_MISSING,
    ),
    (lambda t: t.has(K.DOUBT), _LEANING_IN_DOUBT),
    (lambda t: t.offers_paths and not t.has(K.LEANING), _SEVERAL_PATHS),
    (lambda t: t.has(K.OPEN, K.WHICH), _NO_DIRECTION),
    (lambda t: t.has(K.EDGE), _EDGE_MISSING),
    (lambda t: t.has(K.LEANING, K.FIXED, K.DIRECTION), _UNTESTED),
    (lambda t: t.asks and t.has(K.CLAIM), _UNTESTED),
    (lambda t: t.length > _ONE_PHRASE, _NO_DIRECTION),
    (lambda t: True, _TOO_VAGUE),
)

# Chosen by judgement: three or more concerns take about this much room.
_MANY_SENTENCES: Final = 6
_LONG_TOPIC: Final = 220
_MANY_PARTIES: Final = 3
_SHORT_TOPIC: Final = 125
_ONE_PHRASE: Final = 40  # letters; less names a subject at best

_COMPLEXITY_RULES: Final[tuple[_ComplexityRule, ...]] = (
    (lambda t: len(t.sentences) >= _MANY_SENTENCES, "complex"),
    (lambda t: t.length >= _LONG_TOPIC or t.parties >= _MANY_PARTIES, "complex"),
    (lambda t: t.has(K.SMALL) and t.length <= _SHORT_TOPIC, "small"),
    (lambda t: mode_of(t).vague, "complex"),
    (lambda t: True, "normal"),
)


def read_topic(topic: str, lexicons: Sequence[TopicLexicon]) -> Topic:
    """The topic, ready to be asked for its route, its mode and its complexity."""
    return Topic(read_topic_sentences(topic, lexicons))


def route_of(topic: Topic) -> RouteReading:
    """Which skill supplies what is missing; a blank topic is a round table."""
    for sentence in reversed(topic.sentences):
        for holds, route in _SENTENCE_RULES:
            if holds(sentence, topic):
                return route
    return next(route for applies, route in _TOPIC_RULES if applies(topic))


def mode_of(topic: Topic) -> ModeReading:
    """The mode for a round table on it (seed 003, Quick Selection and gray areas)."""
    return next(mode for holds, mode in _MODE_RULES if holds(topic))


def complexity_of(topic: Topic) -> Complexity:
    """How many roles it deserves: small 2, normal 3, complex 4 to 5."""
    return next(size for holds, size in _COMPLEXITY_RULES if holds(topic))


def _is_order(sentence: TopicSentence) -> bool:
    """Whether the sentence orders a concrete change, with nothing about it left open."""
    if sentence.has(K.MISSING, K.OPEN, K.DOUBT, K.LEANING) or _VERSUS.search(sentence.text):
        return False
    opens_concretely = sentence.orders and not sentence.asks and not sentence.has(K.VAGUE)
    return sentence.has(K.ORDER) or opens_concretely
