"""What holds whatever happens: the machine driven by random people, readings and moderators.

Every decision of a driven session comes from one `Random`, so that a failing one can be held again.
"""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from keystone_roundtable.core import commands as cmd
from keystone_roundtable.core import events as ev
from keystone_roundtable.core.errors import IllegalEventError
from keystone_roundtable.core.fold import apply, replay
from keystone_roundtable.core.machine import next_command
from keystone_roundtable.core.outcome import outcome_of
from keystone_roundtable.core.records import Assessment, Preview
from keystone_roundtable.core.report import make_report
from keystone_roundtable.core.session import Session
from keystone_roundtable.core.status import FINAL, Status

from .builders import (
    ROLES,
    SLOTS,
    Held,
    answer,
    conclusion,
    cost,
    irreversible,
    option,
    preview,
    question,
    view,
)
from .test_transitions import EVENT_TYPES, event_for

MODES = ("brainstorm", "align", "challenge")
SIGNALS = (
    *["informative"] * 20, *["low_information"] * 6, *["clarify"] * 4, "stop", "defer"
)  # fmt: skip
REVERSIBILITIES = ("reversible", "unknown", "unknown", "irreversible")
BY_PERSON = {Status.AWAITING_ANSWER, Status.REVIEWING, Status.CONFIRMING}
# What a person does at each prompt; what stands there more often is done more often.
ACTIONS = {
    Status.AWAITING_ANSWER: ["answer"] * 40
    + ["back"] * 3
    + ["late_assessment"] * 10
    + ["note", "change_mode", "change_mode", "stop", "defer", "pause_and_resume", "try_any_event"],
    Status.REVIEWING: ["accept"] * 4
    + ["back"] * 3
    + ["note", "defer", "pause_and_resume", "try_any_event"],
    Status.CONFIRMING: ["confirm"] * 4
    + ["back", "note", "defer", "pause_and_resume", "try_any_event"],
}


def random_views(random: Random, options: list[str]) -> tuple[Any, ...]:
    def one() -> str | None:
        return random.choice([None, *options])

    return tuple(view(role, one(), [o for o in [one()] if o is not None]) for role in ROLES)


def random_preview(random: Random, mode: str | None) -> Preview:
    ids = [f"o{n + 1}" for n in range(random.choice([0, 1, 2, 2, 2, 3]))]
    slots = random.sample([*SLOTS, "survive"], random.choice([1, 4, 6, 6, 6, 7]))
    bank = [question(slot) for slot in slots]
    if random.random() < 0.3:
        bank.append(question(slots[0], template="twice"))
    return preview(
        mode=mode or random.choice(MODES),
        options=tuple(
            option(o, reversibility=random.choice(REVERSIBILITIES), status_quo=o == "o2")
            for o in ids
        ),
        lean=random.choice([None, None, *ids]),
        views=random_views(random, ids),
        bank=tuple(bank),
        needed=tuple(random.sample(slots[:5], random.randint(0, min(3, len(slots[:5]))))),
        scope_slot=random.choice(["survive", slots[0]]),
    )


def random_assessment(random: Random, session: Session, asking: str) -> Assessment:
    turn = session.turn_asked(asking)
    assert turn is not None
    if turn.signal == "low_information":
        return Assessment(asking=turn.asking)
    ids = [o.id for o in session.options_until(turn)]
    free = f"o{len(session.options) + 1}"
    new = (option(free),) if random.random() < 0.1 else ()
    ids += [o.id for o in new]

    def some(chance: float) -> tuple[str, ...]:
        return (random.choice(ids),) if ids and random.random() < chance else ()

    return Assessment(
        asking=turn.asking,
        choices=some(0.2),
        exclusions=some(0.2),
        options=new,
        reassessed=tuple(irreversible(o) for o in some(0.1)),
        costs=tuple(cost(o, random.choice([None, 1.0, 2.0])) for o in some(0.2)),
        views=random_views(random, ids) if random.random() < 0.3 else (),
        agenda=tuple(random.sample(SLOTS, random.randint(0, 6))),
    )


class Deliberation:
    """Sessions one after another: a person does what may be done at each prompt, the machine's own
    commands are carried out in between, and pauses and stray events come at any time.
    """

    def __init__(self, random: Random) -> None:
        self.random = random
        self.held = Held()

    @property
    def session(self) -> Session:
        return self.held.session

    def go_on(self) -> None:
        """One act of a person, then everything up to the next prompt."""
        if self.session.status in {Status.NEW, *FINAL}:
            self.begin()
        else:
            getattr(self, self.random.choice(ACTIONS[self.session.status]))()
            self.check_what_always_holds()
        self.advance()

    def begin(self) -> None:
        self.held = Held()
        reroute = self.random.random() < 0.1
        mode = self.random.choice([None, *MODES])
        self.held.start(mode=mode, route="verify" if reroute else "roundtable")
        if reroute:
            self.held.happen(ev.EnteredAnyway)

    # -- the machine's side ------------------------------------------------------------

    def advance(self) -> None:
        while self.session.status not in {*BY_PERSON, *FINAL}:
            if self.random.random() < 0.05:
                self.pause_and_resume()
            self.carry_out()
            self.check_what_always_holds()

    def carry_out(self) -> None:
        match next_command(self.session):
            case cmd.MakePreview():
                self.held.prepare(random_preview(self.random, self.session.asked_mode))
            case cmd.AskUser(asked, asking):
                self.check_question_is_allowed(asked)
                self.held.happen(ev.QuestionAsked, question=asked, asking=asking)
            case cmd.AssessAnswer(asking):
                self.check_the_report_waits_for_it(asking)
                if self.session.status is Status.ASSESSING and self.random.random() < 0.3:
                    self.held.happen(ev.AssessmentPostponed, asking=asking)
                else:
                    self.assess(asking)
            case cmd.EndQuestions(reason):
                self.check_reason(reason)
                self.held.happen(ev.QuestionPhaseEnded, reason=reason)
            case cmd.DraftReport(outcome):
                self.held.happen(ev.ReportDrafted, conclusion=conclusion(outcome))
            case cmd.CloseSession():
                self.held.happen(ev.SessionFinished)

    def assess(self, asking: str) -> None:
        found = random_assessment(self.random, self.session, asking)
        self.held.happen(ev.AnswerAssessed, assessment=found)

    def check_the_report_waits_for_it(self, asking: str) -> None:
        assert self.session.status in (Status.ASSESSING, Status.CONCLUDING)
        assert asking in [turn.asking for turn in self.session.outstanding]

    def late_assessment(self) -> None:
        """What was postponed comes while a question is open; the breaker stays as it was."""
        row = self.session.non_answers_in_a_row
        for turn in self.session.outstanding[:1]:
            self.assess(turn.asking)
        assert self.session.non_answers_in_a_row == row

    def check_question_is_allowed(self, asked: Any) -> None:
        earlier = self.session.turns
        again = self.session.reask is not None
        answered = [t.signal for t in earlier if t.signal is not None]
        if not again:
            assert answered[-2:] != ["low_information"] * 2, "a third question"
            assert not any(s in ("stop", "defer") for s in answered)
            assert len(earlier) < 7
            same = [t for t in earlier if t.question.slot == asked.slot]
            assert not same or asked.template == "scope", "the same slot twice"
            assert asked.id == f"Q{len(earlier) + 1}"
        assert all(t.settled for t in earlier) or asked == earlier[-1].question

    def check_reason(self, reason: str) -> None:
        session = self.session
        signals = [t.signal for t in session.turns if t.signal is not None]
        answered = signals.count("informative")
        tripped = signals[-2:] == ["low_information"] * 2
        assert (reason == "circuit_breaker") is tripped
        if reason in ("enough_information", "exclusions_clear"):
            assert answered >= 3
            filled = {t.question.slot for t in session.turns if t.signal == "informative"}
            scope = session.prepared.scope_slot in filled
            asked = any(t.question.template == "scope" for t in session.turns)
            assert scope or asked or len(session.turns) == 7, "left with a soft scope unasked"
        if reason == "enough_information":
            assert set(session.prepared.needed) <= filled
        if reason == "question_limit":
            slots = {t.question.slot for t in session.turns}
            bank = {q.slot for q in session.bank}
            assert len(session.turns) == 7 or bank <= slots

    # -- the person's side -------------------------------------------------------------

    def answer(self) -> None:
        turn = self.session.open_turn
        assert turn is not None
        given = answer(
            turn.question.id,
            turn.asking,
            "words",
            signal=self.random.choice(SIGNALS),
            by=self.random.choice(["user", "user", "user", "user", "agent"]),
            picked=self.random.random() < 0.3,
        )
        self.held.happen(ev.AnswerGiven, answer=given)

    def note(self) -> None:
        before = self.session.turns
        self.held.happen(ev.NoteAdded, text="It ships in March.")
        assert self.session.turns == before, "a note is no answer"

    def change_mode(self) -> None:
        if len(self.session.turns) == 1:
            self.held.happen(ev.ModeChanged, mode=self.random.choice(MODES))
            assert not self.session.turns

    def back(self) -> None:
        waiting = self.session.status is Status.AWAITING_ANSWER
        kept = self.session.turns[:-1] if waiting else self.session.turns
        if not kept:
            return
        self.held.happen(ev.BackTaken)
        assert self.session.turns == kept[:-1]
        assert self.session.reask == kept[-1].question
        assert self.session.phase_exit is None

    def stop(self) -> None:
        self.held.happen(ev.StopRequested)

    def defer(self) -> None:
        self.held.happen(ev.DeferRequested)

    def accept(self) -> None:
        self.held.accept()

    def confirm(self) -> None:
        chosen = self.held.outcome.option
        assert chosen is not None
        assert chosen.reversibility == "irreversible"
        if self.random.random() < 0.5:
            self.held.happen(ev.DirectionConfirmed, text=chosen.text)
        else:
            self.held.happen(ev.DirectionUnconfirmed, reason="nobody typed it")

    # -- anything at any time ----------------------------------------------------------

    def pause_and_resume(self) -> None:
        before = self.session
        if self.random.random() < 0.5:  # else the process was killed, and the log has no pause
            cause = self.random.choice(["quit", "interrupt", "failure"])
            self.held.happen(ev.Paused, cause=cause, draft="half")
            assert isinstance(next_command(self.session), cmd.Rest)
            self.check_what_always_holds()
            self.try_any_event()
        self.held.happen(ev.Resumed)
        assert self.session.status is before.status
        assert self.session.turns == before.turns
        assert type(next_command(self.session)) is type(next_command(before))
        self.try_any_event()

    def try_any_event(self) -> None:
        """It leads somewhere, or is refused; either way the session before it stays as it was."""
        session = self.session
        event = event_for(self.held, self.random.choice(EVENT_TYPES))
        try:
            after = apply(session, event)
        except IllegalEventError:
            pass
        else:
            assert after.events == session.events + 1
            next_command(after)
        assert session == replay(self.held.events)

    # -- what always holds -------------------------------------------------------------

    def check_what_always_holds(self) -> None:
        self.replaying_gives_the_live_session()
        self.at_most_one_question_is_open()
        self.at_most_seven_are_asked_and_no_slot_twice()
        self.never_three_non_answers_in_a_row()
        self.an_asking_id_is_never_used_twice()
        self.nothing_of_the_report_exists_before_the_question_phase_ended()
        self.the_end_is_one_of_the_table()

    def replaying_gives_the_live_session(self) -> None:
        assert replay(self.held.events) == self.session

    def at_most_one_question_is_open(self) -> None:
        assert all(turn.settled for turn in self.session.turns[:-1])
        if self.session.status is Status.AWAITING_ANSWER:
            assert self.session.open_turn is self.session.turns[-1]

    def at_most_seven_are_asked_and_no_slot_twice(self) -> None:
        turns = self.session.turns
        assert len(turns) <= 7
        slots = [t.question.slot for t in turns if t.question.template != "scope"]
        assert len(set(slots)) == len(slots)
        assert sum(t.question.template == "scope" for t in turns) <= 1
        assert [t.question.id for t in turns] == [f"Q{n + 1}" for n in range(len(turns))]

    def never_three_non_answers_in_a_row(self) -> None:
        signals = [t.signal for t in self.session.turns if t.signal is not None]
        for start in range(len(signals) - 2):
            assert signals[start : start + 3] != ["low_information"] * 3

    def an_asking_id_is_never_used_twice(self) -> None:
        askings = [e.asking for e in self.held.events if isinstance(e, ev.QuestionAsked)]
        assert len(set(askings)) == len(askings)

    def nothing_of_the_report_exists_before_the_question_phase_ended(self) -> None:
        session = self.session
        where = session.resumes_to if session.status is Status.PAUSED else session.status
        over = where in {
            Status.CONCLUDING, Status.REVIEWING, Status.CONFIRMING, Status.CLOSING, Status.FINISHED
        }  # fmt: skip
        assert (session.phase_exit is not None) is over
        if session.conclusion is not None:
            assert over

    def the_end_is_one_of_the_table(self) -> None:
        session = self.session
        if session.phase_exit is None:
            return
        outcome = outcome_of(session)
        assert (outcome.option is None) is (outcome.decision != "roundtable-aligned")
        assert outcome.escalate is (outcome.decision == "roundtable-escalate")
        assert 0.5 <= outcome.confidence <= 0.9
        assert outcome.confidence_reasons[0] == outcome.row
        if outcome.option is None:
            assert outcome.confidence == 0.5
        if outcome.forced:
            assert outcome.confidence <= 0.7
        if any(t.answer and t.answer.by == "agent" for t in session.turns):
            assert outcome.confidence <= 0.7
        if outcome.option and outcome.option.reversibility == "irreversible":
            assert session.confirmed or outcome.confidence <= 0.7
        if session.deferred:
            assert outcome.row == "deferred"
        if session.conclusion is not None:
            assert make_report(session, outcome).next_skill == outcome.next_skill


@settings(max_examples=120, deadline=None)
@given(random=st.randoms(use_true_random=True), acts=st.integers(1, 60))
def test_the_rules_hold_whatever_happens(random: Random, acts: int) -> None:
    deliberation = Deliberation(random)
    for _ in range(acts):
        deliberation.go_on()
