"""Small builders for previews, questions, answers and events, and a session to drive with them.

Time is counted in seconds from one fixed moment, so that the same calls make the same events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from keystone_roundtable.core import commands as cmd
from keystone_roundtable.core import events as ev
from keystone_roundtable.core.fold import apply
from keystone_roundtable.core.machine import next_command
from keystone_roundtable.core.outcome import Outcome, outcome_of
from keystone_roundtable.core.records import (
    Answer,
    Assessment,
    Conclusion,
    Line,
    Option,
    Preview,
    Question,
    Reassessment,
    RoleLine,
    RoleView,
    StatedCost,
    Suggestion,
)
from keystone_roundtable.core.session import Session
from keystone_roundtable.core.status import Status

ROLES = ("security-architect", "sre")
NEEDED = ("cost", "failure", "dismissed")
SLOTS = (*NEEDED, "blind_spot", "skeptic", "reversal")


def at(second: int) -> str:
    """The moment `second` seconds into the session, ISO 8601 in UTC."""
    minutes, seconds = divmod(second, 60)
    hours, minutes = divmod(minutes, 60)
    return f"2026-11-30T{10 + hours:02}:{minutes:02}:{seconds:02}.000000Z"


def option(option_id: str, text: str = "", **fields: Any) -> Option:
    return Option(id=option_id, text=text or f"take path {option_id}", source="topic", **fields)


def view(role: str, prefers: str | None = None, cannot_accept: Iterable[str] = ()) -> RoleView:
    return RoleView(
        role=role,
        position=f"{role} holds its position.",
        reason="It has a reason.",
        risk="Something breaks.",
        prefers=prefers,
        cannot_accept=tuple(cannot_accept),
    )


def question(slot: str, template: str = "", suggestions: Iterable[str] = ()) -> Question:
    """A question of the bank; `suggestions` are option ids."""
    return Question(
        id="Q0",
        template=template or slot,
        slot=slot,
        text=f"What about the {slot}?",
        lead="“Postgres or SQLite?”",
        stakes=f"The {slot} hangs on it.",
        explanation=f"It asks for the {slot}.",
        suggestions=tuple(Suggestion(text=f"take path {o}", option=o) for o in suggestions),
    )


def preview(**changes: Any) -> Preview:
    """A challenge session on two options, with the needed slots first in its bank.

    `slots` replaces the slots of the bank; every other name is a field of `Preview`.
    """
    slots = changes.pop("slots", SLOTS)
    roles = changes.get("roles", ROLES)
    fields: dict[str, Any] = {
        "decision_topic": "Should we take path o1 or path o2?",
        "vague": False,
        "mode": "challenge",
        "mode_reason": "a direction is leaned to",
        "complexity": "normal",
        "roles": roles,
        "views": tuple(view(role) for role in roles),
        "options": (option("o1"), option("o2")),
        "bank": tuple(question(slot) for slot in slots),
        "scope_question": question("survive", template="scope"),
        "needed": NEEDED,
        "scope_slot": "survive",
    }
    return Preview(**{**fields, **changes})


def split_views(first: str = "o1", second: str = "o2", **rejected: Any) -> tuple[RoleView, ...]:
    """Two roles for different options; `first_rejects` and `second_rejects` name options."""
    return (
        view(ROLES[0], first, rejected.get("first_rejects", ())),
        view(ROLES[1], second, rejected.get("second_rejects", ())),
    )


def cost(option_id: str, amount: float | None = None, unit: str = "") -> StatedCost:
    return StatedCost(option=option_id, words="it costs that", amount=amount, unit=unit)


def irreversible(option_id: str) -> Reassessment:
    return Reassessment(option=option_id, reversibility="irreversible", words="no way back")


def conclusion(outcome: Outcome, **changes: Any) -> Conclusion:
    """Plain words for an outcome; a name of a field replaces its line."""
    name = outcome.option.text if outcome.option else None
    fields: dict[str, Any] = {
        "role_views": tuple(RoleLine(role=role, text=f"{role} sees a risk.") for role in ROLES),
        "consensus": Line(text="Both want it to last."),
        "disagreement": Line(text="none", refs=ROLES),
        "decision": Line(
            text=f"{name}." if name else "None: nothing could be settled.", refs=("A1", "topic")
        ),
        "why": Line(text="It was said so.", refs=("A1",)),
        "excluded_paths": Line(text="The other one waits.", refs=("topic",)),
        "wrong_choice_cost": Line(text="Two weeks.", refs=("A1", ROLES[0])),
        "entry_condition": Line(text="direction is now clear enough"),
        "simulated_by": "The roles were played by the tests.",
    }
    return Conclusion(**{**fields, **changes})


def answer(
    turn_question: str, asking: str, text: str = "Two weeks are lost.", **fields: Any
) -> Answer:
    return Answer(
        question=turn_question,
        asking=asking,
        text=text,
        signal=fields.pop("signal", "informative"),
        **fields,
    )


@dataclass
class Held:
    """A session being held: `session` is what its `events` make."""

    session: Session = field(default_factory=Session)
    events: list[ev.Event] = field(default_factory=list)

    @property
    def due(self) -> cmd.Command:
        return next_command(self.session)

    @property
    def outcome(self) -> Outcome:
        return outcome_of(self.session)

    @property
    def status(self) -> Status:
        return self.session.status

    def moment(self) -> str:
        return at(len(self.events))

    def happen(self, kind: type[ev.Happened], **fields: Any) -> Held:
        """One event, applied. Leaves everything as it was where it is illegal."""
        event = ev.EVENT.validate_python(kind(at=self.moment(), **fields))
        self.session = apply(self.session, event)
        self.events.append(event)
        return self

    # -- the beginning -----------------------------------------------------------------

    def start(self, **fields: Any) -> Held:
        known: dict[str, Any] = {
            "session": "20261130-abcd",
            "topic": "Postgres or SQLite?",
            "route": "roundtable",
        }
        return self.happen(ev.SessionStarted, **{**known, **fields})

    def prepare(self, prepared: Preview | None = None) -> Held:
        return self.happen(ev.PreviewMade, preview=prepared or preview())

    # -- questions and answers ---------------------------------------------------------

    def ask(self) -> Held:
        """Puts the question that is due; does nothing where one is open."""
        if isinstance(self.due, cmd.AskUser):
            self.happen(ev.QuestionAsked, question=self.due.question, asking=self.due.asking)
        return self

    def give(self, text: str = "Two weeks are lost.", **fields: Any) -> Held:
        """An answer to the open question, not yet assessed."""
        turn = self.ask().session.open_turn
        assert turn is not None, "no question is open"
        given = answer(turn.question.id, turn.asking, text, **fields)
        return self.happen(ev.AnswerGiven, answer=given)

    def assess(self, **learned: Any) -> Held:
        """What the last answer taught: `choices`, `exclusions`, `costs` and so on."""
        asking = self.session.turns[-1].asking
        return self.happen(ev.AnswerAssessed, assessment=Assessment(asking=asking, **learned))

    def say(self, text: str = "Two weeks are lost.", *, by: str = "user", picked: bool = False,
            signal: str = "informative", **learned: Any) -> Held:  # fmt: skip
        """An answer with its assessment."""
        return self.give(text, by=by, picked=picked, signal=signal).assess(**learned)

    def shrug(self, text: str = "up to you", **fields: Any) -> Held:
        return self.say(text, signal="low_information", **fields)

    def clarify(self) -> Held:
        return self.give("What do you mean?", signal="clarify")

    def choose(self, *options: str, **fields: Any) -> Held:
        return self.say(f"I want {options}", choices=options, **fields)

    def exclude(self, *options: str, **fields: Any) -> Held:
        return self.say(f"Not {options}", exclusions=options, **fields)

    def back(self) -> Held:
        return self.happen(ev.BackTaken)

    def stop(self) -> Held:
        return self.ask().happen(ev.StopRequested)

    def defer(self) -> Held:
        return self.ask().happen(ev.DeferRequested)

    # -- the end -----------------------------------------------------------------------

    def end(self) -> Held:
        """Ends the question phase, which must be due."""
        due = self.due
        assert isinstance(due, cmd.EndQuestions), due
        return self.happen(ev.QuestionPhaseEnded, reason=due.reason)

    def until_the_end(self, **fields: Any) -> Held:
        """Informative answers to everything that is still asked, then the end of the phase."""
        while isinstance(self.due, cmd.AskUser):
            self.say(**fields)
        return self.end()

    def draft(self, **changes: Any) -> Held:
        return self.happen(ev.ReportDrafted, conclusion=conclusion(self.outcome, **changes))

    def accept(self) -> Held:
        return self.happen(ev.ReportAccepted)

    def close(self) -> Held:
        """From the draft to the finished session; what needs confirming stays unconfirmed."""
        self.accept()
        if self.status is Status.CONFIRMING:
            self.happen(ev.DirectionUnconfirmed, reason="nobody was there to type it")
        return self.happen(ev.SessionFinished)


def held(prepared: Preview | None = None, **start: Any) -> Held:
    """A session that is about to ask its first question."""
    return Held().start(**start).prepare(prepared)


def converged(prepared: Preview | None = None) -> Held:
    """Three answers in the needed slots with a choice, and the scope told: due to end."""
    return held(prepared).choose("o1").say().say().say()


def standing_in(status: Status) -> Held:
    """A session that stands in `status`."""
    return _STANDING[status]()


def needing_confirmation() -> Held:
    """A converged session whose direction cannot be undone, with the report accepted."""
    options = (option("o1", reversibility="irreversible"), option("o2"))
    return converged(preview(options=options)).end().draft().accept()


_STANDING: dict[Status, Callable[[], Held]] = {
    Status.NEW: Held,
    Status.INTAKE: lambda: Held().start(route="diagnose", route_reason="the cause is unknown"),
    Status.PREVIEWING: lambda: Held().start(),
    Status.CHOOSING: held,
    Status.AWAITING_ANSWER: lambda: held().say().ask(),
    Status.ASSESSING: lambda: held().give(),
    Status.CONCLUDING: lambda: converged().end(),
    Status.REVIEWING: lambda: converged().end().draft(),
    Status.CONFIRMING: needing_confirmation,
    Status.CLOSING: lambda: converged().end().draft().accept(),
    Status.FINISHED: lambda: converged().end().draft().close(),
    Status.REDIRECTED: lambda: standing_in(Status.INTAKE).happen(ev.Redirected),
    Status.PAUSED: lambda: held().ask().happen(ev.Paused, cause="quit", draft="half an ans"),
}


def prefixes(events: list[ev.Event]) -> Iterator[list[ev.Event]]:
    """The events so far, after each of them."""
    for count in range(len(events) + 1):
        yield events[:count]


def model_asked(**changes: Any) -> dict[str, Any]:
    """What the calling agent is asked, without the moment."""
    fields = {
        "call": "c1",
        "key": "k",
        "step": "assess",
        "attempt": 1,
        "prompt": "Reply with an object.",
        "reply_schema": {"type": "object"},
    }
    return fields | changes
