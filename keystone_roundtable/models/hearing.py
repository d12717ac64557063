"""One answer in its session, and what has been learned from it so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..core.catalog import Catalog
from ..core.plain import one_line
from ..core.records import Answer, Fact, Option, Reassessment, StatedCost
from ..core.session import Session, Turn
from ..reading.rules import Rules
from ..reading.stance import Leaning
from .preparing import template_of


@dataclass
class Learned:
    choices: list[str] = field(default_factory=list)
    exclusions: list[str] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    options: list[Option] = field(default_factory=list)
    reassessed: list[Reassessment] = field(default_factory=list)
    costs: list[StatedCost] = field(default_factory=list)
    decision_topic: str | None = None


@dataclass(frozen=True)
class Hearing:
    """An answer with all that tells what it means; `learned` grows as it is read."""

    session: Session
    turn: Turn
    answer: Answer
    rules: Rules
    catalog: Catalog
    learned: Learned

    @property
    def options(self) -> tuple[Option, ...]:
        return self.session.options

    @property
    def slot(self) -> str:
        return self.turn.question.slot

    @property
    def text(self) -> str:
        return self.answer.text

    @property
    def leaning(self) -> Leaning:
        """What a bare mention of an option means under this question."""
        question = self.turn.question
        template = template_of(self.catalog, self.session.prepared.mode, question.template)
        if question.conflict or (question.template == "loop" and self._is_scope_fork):
            return "choice"
        return template.suggests if template is not None else None

    @property
    def _is_scope_fork(self) -> bool:
        """Whether every option is a path of its own, with no silent alternative beside it."""
        return len(self.options) > 1 and not any(o.source == "implied" for o in self.options)

    @property
    def option_texts(self) -> list[str]:
        return [option.text for option in self.options]

    def fact(
        self, kind: str, text: str, options: Sequence[str] = (), role: str | None = None
    ) -> None:
        fact = Fact.model_validate(
            {
                "kind": kind,
                "text": one_line(text),
                "ref": self.turn.answer_id,
                "options": tuple(options),
                "role": role,
            }
        )
        self.learned.facts.append(fact)

    def choose(self, options: Sequence[str], words: str) -> None:
        if options:
            self.learned.choices += options
            self.fact("choice", words, options)

    def exclude(self, options: Sequence[str], words: str) -> None:
        if options:
            self.learned.exclusions += options
            self.fact("exclusion", words, options)

    def add_option(
        self, text: str, reversibility: str, words: str, *, status_quo: bool = False
    ) -> str:
        option_id = f"o{len(self.options) + len(self.learned.options) + 1}"
        self.learned.options.append(
            Option.model_validate(
                {
                    "id": option_id,
                    "text": self.rules.as_option(one_line(text)),
                    "source": "answer",
                    "reversibility": reversibility,
                    "reversibility_words": words,
                    "status_quo": status_quo,
                }
            )
        )
        return option_id
