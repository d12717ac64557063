"""What every line of a conclusion is told from, and a line while it is being written."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..core.catalog import Catalog
from ..core.outcome import Outcome
from ..core.records import Line, Option
from ..core.session import Session
from ..reading.rules import Rules
from .said import Said
from .wording import Wording, joined, quoted


@dataclass
class Draft:
    """A line being written: its sentences, and what they rest on in order of mention."""

    sentences: list[str] = field(default_factory=list)
    refs: list[str] = field(default_factory=list)

    def add(self, sentence: str, *refs: str) -> None:
        self.sentences.append(sentence)
        self.refs += [ref for ref in refs if ref not in self.refs]

    def line(self, *otherwise: str) -> Line:
        """The line; `otherwise` is what it rests on where nothing was said for it."""
        return Line(text=" ".join(self.sentences), refs=tuple(self.refs or otherwise))


@dataclass(frozen=True)
class Telling:
    """A session, how it ends, and the words to say so with."""

    session: Session
    outcome: Outcome
    rules: Rules
    catalog: Catalog
    wording: Wording
    said: Said

    def quoted_text(self, option_id: str) -> str:
        return quoted(self.session.option(option_id).text)

    def support(self, option: Option) -> tuple[str, ...]:
        """The answers that speak for the option, else what made it stand out."""
        current = self.said.preference
        if current.basis == "chosen":
            return current.chosen.get(option.id, ())
        if current.basis == "lean":
            return ("topic",)
        if current.basis == "only_left":
            return tuple(a for answers in current.excluded.values() for a in answers)
        costs = [t.answer_id for t, a in self.session.assessments if a.costs]
        return ("topic", *dict.fromkeys(costs))

    def open_options(self) -> list[Option]:
        excluded = self.said.preference.excluded
        return [o for o in self.session.options if o.id not in excluded]

    def is_name(self, words: str, option: Option) -> bool:
        return words.strip().isdigit() or words.strip(" .").casefold() == option.text.casefold()

    def favour(self) -> str:
        """What the direction was taken for, as it stands after "for"."""
        current = self.said.preference
        option = self.outcome.option
        if option is not None and current.option == option.id:
            if current.basis == "chosen":
                return f"your choice in {joined(current.chosen[option.id])}"
            if current.basis == "lean":
                return "the direction you came with"
            return "the only path left"
        return "the path that costs least if it is wrong"

    def reversibility(self, option: Option, line: str) -> str:
        words = option.reversibility_words
        key = f"{line}.{option.reversibility}" + (".words" if words else "")
        return self.wording.say(key, option=quoted(option.text), words=quoted(words, 60))

    def counts(self) -> tuple[str, str]:
        """How many usable answers to how many questions, in words."""
        answered, asked = len(self.session.answered), len(self.session.turns)
        return (
            f"{in_words(answered)} usable answer{'' if answered <= 1 else 's'}",
            f"{in_words(asked)} question{'' if asked == 1 else 's'}",
        )


def in_words(count: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven")
    return words[count] if count < len(words) else str(count)
