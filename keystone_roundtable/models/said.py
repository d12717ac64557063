"""What was said in a session, arranged for the one who has to conclude from it."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.preference import Preference, preference
from ..core.records import Fact, Option
from ..core.session import Session, Turn


@dataclass(frozen=True)
class Quote:
    """Words of the person and where they stand: `topic`, `context`, `A2`, `N1`."""

    text: str
    ref: str


@dataclass(frozen=True)
class Said:
    """A session's answers by what they were to find out."""

    session: Session

    @property
    def preference(self) -> Preference:
        return preference(self.session)

    def slot(self, *slots: str) -> Quote | None:
        """The informative answer that filled the first of `slots` to have one."""
        for slot in slots:
            for turn in self.session.answered:
                if turn.question.slot == slot and turn.answer:
                    return Quote(turn.words, turn.answer_id)
        return None

    def answer(self, answer_id: str) -> Quote:
        turn = next(t for t in self.session.turns if t.answer_id == answer_id and t.answer)
        return Quote(turn.words, answer_id)

    def facts(self, *kinds: str) -> list[Fact]:
        return [fact for fact in self.session.facts if fact.kind in kinds]

    @property
    def limits(self) -> list[Quote]:
        """Each limit once; where an answer is nothing but its limit it is quoted whole."""
        return [Quote(fact.text, fact.ref) for fact in self.facts("limit")]

    @property
    def notes(self) -> list[Quote]:
        return [Quote(note.text, note.id) for note in self.session.notes]

    @property
    def earlier(self) -> list[Quote]:
        """What a reopened session had said before."""
        facts = self.session.start.facts
        return [Quote(fact.text, fact.ref) for fact in facts if fact.kind == "statement"]

    @property
    def unusable(self) -> list[Turn]:
        """Questions that brought no usable answer."""
        return [t for t in self.session.turns if t.signal != "informative"]

    def brought_in(self, option: Option) -> str | None:
        """The answer that named an option the topic did not have."""
        for turn, assessment in self.session.assessments:
            if any(added.id == option.id for added in assessment.options):
                return turn.answer_id
        return None

    def others(self, option: Option | None) -> list[Option]:
        return [o for o in self.session.options if option is None or o.id != option.id]
