"""Everything the rules can read off a text, with their lexicons in one place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from ..core.records import Complexity, Reversibility, Route
from . import options as option_reading
from . import picking, references, reversibility, stance, topic
from .option_lexicon import OptionLexicon, choose_lexicon
from .phrases import as_action, is_verbal, lower_opening
from .stance_lexicon import StanceLexicon
from .topic_lexicon import TopicLexicon

if TYPE_CHECKING:
    from .answer import SignalReading
    from .linear_model import LinearModel
    from .signal_lexicon import SignalLexicon

MAX_NAMING_WORDS = 5  # "I'd rather wait"; chosen by judgement
_NOT_NOW = re.compile(r"not (?:now|yet)\b", re.IGNORECASE)  # of two times, the later one
_GERUND_LEFT = re.compile(r"\band \w+ing\b")


_Lexicon = TypeVar("_Lexicon", covariant=True)


class LexiconSource(Protocol[_Lexicon]):
    """The lexicons of one kind in every language."""

    def for_text(self, text: str) -> Sequence[_Lexicon]:
        """Those of the languages that the text may be written in, English first."""
        ...


WeightsName = Literal["signals", "routes", "modes"]
"""The readings that have trained weights."""


class WeightsSource(Protocol):
    """The trained weights of each reading."""

    def __call__(self, name: WeightsName) -> LinearModel: ...


@dataclass(frozen=True)
class Rules:
    """Reads topics and answers by rules and trained weights; one lexicon per kind and language.

    Without `weights` the rules alone decide.
    """

    signal_lexicons: LexiconSource[SignalLexicon]
    topic_lexicons: LexiconSource[TopicLexicon]
    option_lexicons: LexiconSource[OptionLexicon]
    stance_lexicons: LexiconSource[StanceLexicon]
    weights: WeightsSource | None = None

    def route(self, text: str) -> tuple[Route, str]:
        """Where a topic should go, and why in a few words."""
        read = self._topic(text)
        if self.weights is None:
            reading = topic.route_of(read)
        else:
            from .topic_weighing import weigh_route

            reading = weigh_route(read, self.weights("routes"))
        return reading.route, reading.reason

    def mode(self, text: str) -> topic.ModeReading:
        if self.weights is None:
            return topic.mode_of(self._topic(text))
        from .topic_weighing import weigh_mode

        return weigh_mode(self._topic(text), self.weights("modes"))

    def complexity(self, text: str) -> Complexity:
        return topic.complexity_of(self._topic(text))

    def _topic(self, text: str) -> topic.Topic:
        return topic.read_topic(text, self.topic_lexicons.for_text(text))

    def signal(self, text: str, question: str, suggestions: Iterable[str]) -> SignalReading:
        # Imported here: the first question comes before any answer is read.
        from .answer import prepare
        from .signal import read_signal
        from .weighing import weigh

        offered = tuple(suggestions)
        lexicons = self.signal_lexicons.for_text(" ".join((text, question, *offered)))
        answer = prepare(text, question, offered, lexicons)
        read = read_signal(answer)
        if self.weights is not None:
            read = weigh(answer, read, self.weights("signals"))
        later = read.signal == "defer" and _NOT_NOW.match(text.strip()) is not None
        chosen = read.signal == "low_information" and self._names_one_of(text, offered)
        if chosen or (later and self.mentioned(text, offered)):
            return replace(read, signal="informative", reason="names one of the options")
        return read

    def _names_one_of(self, text: str, offered: Sequence[str]) -> bool:
        """Whether a short text holds a word that only one of the offered options has."""
        short = len(text.split()) <= MAX_NAMING_WORDS
        return short and len(offered) > 1 and len(self.mentioned(text, offered)) == 1

    def options(self, text: str) -> option_reading.OptionsReading:
        return option_reading.read_options(text, self.option_lexicons.for_text(text))

    def mentioned(self, text: str, options: Sequence[str]) -> tuple[int, ...]:
        """Indices of the options a text mentions."""
        return references.mentions(text, options, self._option_lexicons_for(text, options))

    def same_option(self, text: str, options: Sequence[str]) -> int | None:
        """Index of the one option a short text stands for."""
        return references.same_option(text, options, self._option_lexicons_for(text, options))

    def pick(self, text: str, options: Sequence[str]) -> picking.Pick:
        """The one option that an answer to "which one?" picks, and those it turns from."""
        return picking.read_pick(
            text,
            options,
            self._option_lexicons_for(text, options),
            self._stance_lexicons_for(text),
        )

    def reversibility(self, text: str) -> tuple[Reversibility, str]:
        return reversibility.find_reversibility(text, self.option_lexicons.for_text(text))

    def is_action(self, text: str) -> bool:
        """Whether a phrase reads as something to do ("build it") rather than a thing ("a van")."""
        return is_verbal(text, choose_lexicon(text, self.option_lexicons.for_text(text)))

    def as_option(self, text: str) -> str:
        """A phrase worded as an option: no capital at its start, a gerund as a plain verb."""
        lexicon = choose_lexicon(text, self.option_lexicons.for_text(text))
        if lexicon.language != "en":
            return text
        action = as_action(text, lexicon)
        if not action or _GERUND_LEFT.search(action):
            action = text
        return lower_opening(action, lexicon, known=True)

    def stance(
        self,
        text: str,
        options: Sequence[str],
        roles: Mapping[str, Sequence[str]],
        leaning: stance.Leaning = None,
    ) -> stance.Stance:
        return stance.read_stance(
            text,
            mentions=lambda clause: self.mentioned(clause, options),
            roles=roles,
            leaning=leaning,
            lexicons=self._stance_lexicons_for(text),
        )

    def alternative(self, text: str) -> str | None:
        """The path that a text names; None for one that is denied, which is no path."""
        named = stance.named_alternative(text, self._stance_lexicons_for(text))
        if named is None:
            return None
        lexicon = choose_lexicon(text, self.option_lexicons.for_text(text))
        return None if references.denies(named, lexicon) else named

    def declines(self, text: str) -> bool:
        """Whether an answer opens by saying that there is nothing to say, with or without why."""
        return stance.declines(text, self._stance_lexicons_for(text))

    def chooses(self, text: str) -> bool:
        """Whether a text holds a word of choosing."""
        return stance.chooses(text, self._stance_lexicons_for(text))

    def opens_with_choice(self, text: str) -> bool:
        """Whether a text begins with a word of choosing."""
        return stance.opens_with_choice(text, self._stance_lexicons_for(text))

    def consent(self, text: str) -> bool | None:
        """True for "let's do it", False for "better not"; None where neither is said."""
        return stance.consent(text, self._stance_lexicons_for(text))

    def reversal_pain(self, text: str) -> str | None:
        return stance.reversal_pain(text, self._stance_lexicons_for(text))

    def _stance_lexicons_for(self, text: str) -> tuple[StanceLexicon, ...]:
        """English and the text's own language: other languages' short words would collide."""
        language = choose_lexicon(text, self.option_lexicons.for_text(text)).language
        found = self.stance_lexicons.for_text(text)
        return tuple(x for x in found if x.language in ("en", language))

    def _option_lexicons_for(self, text: str, options: Sequence[str]) -> Sequence[OptionLexicon]:
        return self.option_lexicons.for_text(" ".join((text, *options)))
