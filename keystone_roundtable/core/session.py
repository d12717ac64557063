"""A session: what is known of it at any moment. Only `core.fold` makes a new one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from . import events as ev
from .errors import IllegalEventError, UnknownOptionError
from .limits import BREAKER_AT, MAX_CLARIFICATIONS
from .records import (
    Answer,
    Assessment,
    Conclusion,
    ExitReason,
    Fact,
    ModeId,
    ModelCall,
    Option,
    PauseCause,
    Preview,
    Question,
    RoleView,
    Signal,
)
from .status import FINAL, Status
from .suggestions import picked_suggestion


@dataclass(frozen=True)
class Turn:
    """A question in force with what was said to it.

    `answer` is None while it is open, and stays None where two clarifications were spent on it.
    """

    question: Question
    asking: str
    clarifications: tuple[Answer, ...] = ()
    answer: Answer | None = None
    assessment: Assessment | None = None

    @property
    def answer_id(self) -> str:
        return "A" + self.question.id.removeprefix("Q")

    @property
    def words(self) -> str:
        """What was answered: the suggestion's text where one was picked by its number."""
        if self.answer is None:
            return ""
        picked = picked_suggestion(self.answer.text, self.question) if self.answer.picked else None
        return picked.text if picked is not None else self.answer.text

    @property
    def given_up(self) -> bool:
        return self.answer is None and len(self.clarifications) >= MAX_CLARIFICATIONS

    @property
    def settled(self) -> bool:
        return self.answer is not None or self.given_up

    @property
    def signal(self) -> Signal | None:
        return self.answer.signal if self.answer else None

    @property
    def unassessed(self) -> bool:
        """What the answer teaches is still outstanding."""
        return self.answer is not None and self.assessment is None


@dataclass(frozen=True)
class Note:
    id: str
    text: str
    by: str = "user"


@dataclass(frozen=True)
class ModelExchange:
    """One attempt of the calling agent at a step. `reply` is None while it is waited for."""

    asked: ev.ModelAsked
    reply: str | None = None
    replied_at: str = ""
    counted: bool = False
    """True when the call it belongs to is among the session's calls already."""


@dataclass(frozen=True)
class Session:
    """What is known of a session. Lists hold only what is in force; the log keeps the rest."""

    status: Status = Status.NEW
    resumes_to: Status | None = None
    started: ev.SessionStarted | None = None
    preview: Preview | None = None
    asked_mode: ModeId | None = None
    turns: tuple[Turn, ...] = ()
    notes: tuple[Note, ...] = ()
    reask: Question | None = None
    """The question that comes again next, after a clarification or `/back`."""
    drafts: tuple[tuple[str, str], ...] = ()
    """(template, text) of answers taken back, offered when their question comes again."""
    pause_draft: str = ""
    pause_cause: PauseCause | None = None
    stopped: bool = False
    deferred: bool = False
    phase_exit: ExitReason | None = None
    conclusion: Conclusion | None = None
    confirmed: bool = False
    unconfirmed_reason: str = ""
    askings: int = 0
    active_s: float = 0.0
    last_at: str = ""
    finished_at: str = ""
    calls: tuple[ModelCall, ...] = ()
    model: str = "offline"
    """Who plays the roles from here on; the log has who did before."""
    exchanges: tuple[ModelExchange, ...] = ()
    """What the calling agent was asked for the step that is due, until something comes of it."""
    model_askings: int = 0
    events: int = field(default=0)

    # -- what was put in ---------------------------------------------------------------

    @property
    def start(self) -> ev.SessionStarted:
        if self.started is None:
            raise IllegalEventError("the session has not started")
        return self.started

    @property
    def id(self) -> str:
        return self.start.session

    @property
    def prepared(self) -> Preview:
        if self.preview is None:
            raise IllegalEventError("the session has no preview yet")
        return self.preview

    @property
    def closed(self) -> bool:
        return self.status in FINAL

    # -- the questions -----------------------------------------------------------------

    @property
    def open_turn(self) -> Turn | None:
        """The turn whose question waits for an answer."""
        return self.turns[-1] if self.turns and not self.turns[-1].settled else None

    def turn_asked(self, asking: str) -> Turn | None:
        """The turn in force that was asked so."""
        return next((turn for turn in self.turns if turn.asking == asking), None)

    def as_of(self, asking: str) -> Session:
        """The session with that answer as its last: what assessing it may look at."""
        upto = next(n for n, turn in enumerate(self.turns, 1) if turn.asking == asking)
        return replace(self, turns=self.turns[:upto])

    @property
    def outstanding(self) -> tuple[Turn, ...]:
        """Turns whose answers are not assessed yet."""
        return tuple(turn for turn in self.turns if turn.unassessed)

    @property
    def answered(self) -> tuple[Turn, ...]:
        """Turns with an informative answer: only these count as answered."""
        return tuple(t for t in self.turns if t.signal == "informative")

    @property
    def asked_slots(self) -> frozenset[str]:
        return frozenset(t.question.slot for t in self.turns)

    @property
    def filled_slots(self) -> frozenset[str]:
        return frozenset(t.question.slot for t in self.answered)

    @property
    def scope_asked(self) -> bool:
        key = self.prepared.scope_question.template
        return any(t.question.template == key for t in self.turns)

    @property
    def scope_soft(self) -> bool:
        return self.prepared.scope_slot not in self.filled_slots

    @property
    def unfilled_needed(self) -> tuple[str, ...]:
        filled = self.filled_slots
        return tuple(slot for slot in self.prepared.needed if slot not in filled)

    @property
    def non_answers_in_a_row(self) -> int:
        """Low-information answers in a row at the end; a clarification neither adds nor resets."""
        count = 0
        for turn in reversed(self.turns):
            if turn.answer is None:
                continue
            if turn.answer.signal != "low_information":
                break
            count += 1
        return count

    @property
    def breaker_tripped(self) -> bool:
        return self.non_answers_in_a_row >= BREAKER_AT

    # -- what was learned --------------------------------------------------------------

    @property
    def assessments(self) -> tuple[tuple[Turn, Assessment], ...]:
        return tuple((t, t.assessment) for t in self.turns if t.assessment is not None)

    @property
    def options(self) -> tuple[Option, ...]:
        """Options in order of listing, with reversibility as last stated."""
        return self._options(self.turns)

    def options_until(self, turn: Turn) -> tuple[Option, ...]:
        """Those that the topic and the turns up to this one brought in.

        What an answer teaches may come late, and may name no others: `/back` can take later turns
        away.
        """
        return self._options(self.turns[: self.turns.index(turn) + 1])

    def _options(self, turns: tuple[Turn, ...]) -> tuple[Option, ...]:
        if self.preview is None:
            return ()
        known = {o.id: o for o in self.preview.options}
        for assessment in (t.assessment for t in turns if t.assessment is not None):
            known.update({o.id: o for o in assessment.options})
            for change in assessment.reassessed:
                known[change.option] = known[change.option].model_copy(
                    update={
                        "reversibility": change.reversibility,
                        "reversibility_words": change.words,
                    }
                )
        return tuple(known.values())

    def option(self, option_id: str) -> Option:
        """The option with this id. Raises `UnknownOptionError`."""
        for option in self.options:
            if option.id == option_id:
                return option
        raise UnknownOptionError(f"the session has no option '{option_id}'")

    @property
    def views(self) -> tuple[RoleView, ...]:
        """Each activated role's present view."""
        current = self.prepared.views
        for _, assessment in self.assessments:
            current = assessment.views or current
        return current

    @property
    def facts(self) -> tuple[Fact, ...]:
        found = (*self.start.facts, *(self.preview.facts if self.preview else ()))
        learned = (fact for _, a in self.assessments for fact in a.facts)
        return (*found, *learned)

    @property
    def decision_topic(self) -> str:
        topic = self.prepared.decision_topic
        for _, assessment in self.assessments:
            topic = assessment.decision_topic or topic
        return topic

    @property
    def agenda(self) -> tuple[str, ...]:
        order = tuple(q.template for q in self.prepared.bank)
        for _, assessment in self.assessments:
            order = assessment.agenda or order
        return order

    @property
    def bank(self) -> tuple[Question, ...]:
        """The questions that may be asked, as last worded."""
        worded = {q.template: q for q in self.prepared.bank}
        for _, assessment in self.assessments:
            worded.update({q.template: q for q in assessment.questions if q.template in worded})
        return tuple(worded.values())

    def draft_for(self, template: str) -> str:
        return dict(self.drafts).get(template, "")
