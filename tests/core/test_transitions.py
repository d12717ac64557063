"""Every status against every event: where the legal ones lead, and that the rest change nothing."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from keystone_roundtable.core import commands as cmd
from keystone_roundtable.core import events as ev
from keystone_roundtable.core.errors import IllegalEventError
from keystone_roundtable.core.fold import apply
from keystone_roundtable.core.outcome import outcome_of
from keystone_roundtable.core.records import Assessment
from keystone_roundtable.core.status import FINAL, Status

from .builders import (
    Held,
    answer,
    conclusion,
    converged,
    held,
    model_asked,
    needing_confirmation,
    preview,
    standing_in,
)

EVENT_TYPES: tuple[type[ev.Happened], ...] = get_args(get_args(ev.Event)[0])
PAUSABLE = set(Status) - {Status.NEW, Status.PAUSED, *FINAL}
BY_MODEL = (Status.PREVIEWING, Status.ASSESSING, Status.CONCLUDING)

# Where each legal event leads from the session of `standing_in(status)`.
LEADS_TO: dict[tuple[Status, type[ev.Happened]], Status] = {
    (Status.NEW, ev.SessionStarted): Status.PREVIEWING,
    (Status.INTAKE, ev.Redirected): Status.REDIRECTED,
    (Status.INTAKE, ev.EnteredAnyway): Status.PREVIEWING,
    (Status.PREVIEWING, ev.PreviewMade): Status.CHOOSING,
    (Status.CHOOSING, ev.QuestionAsked): Status.AWAITING_ANSWER,
    (Status.AWAITING_ANSWER, ev.AnswerGiven): Status.ASSESSING,
    (Status.AWAITING_ANSWER, ev.NoteAdded): Status.AWAITING_ANSWER,
    (Status.AWAITING_ANSWER, ev.BackTaken): Status.CHOOSING,
    (Status.AWAITING_ANSWER, ev.StopRequested): Status.CHOOSING,
    (Status.AWAITING_ANSWER, ev.DeferRequested): Status.CHOOSING,
    (Status.ASSESSING, ev.AnswerAssessed): Status.CHOOSING,
    (Status.ASSESSING, ev.AssessmentPostponed): Status.CHOOSING,
    (Status.CONCLUDING, ev.ReportDrafted): Status.REVIEWING,
    (Status.REVIEWING, ev.ReportAccepted): Status.CLOSING,
    (Status.REVIEWING, ev.NoteAdded): Status.CONCLUDING,
    (Status.REVIEWING, ev.BackTaken): Status.CHOOSING,
    (Status.REVIEWING, ev.DeferRequested): Status.CONCLUDING,
    (Status.CONFIRMING, ev.DirectionConfirmed): Status.CLOSING,
    (Status.CONFIRMING, ev.DirectionUnconfirmed): Status.CLOSING,
    (Status.CONFIRMING, ev.NoteAdded): Status.CONCLUDING,
    (Status.CONFIRMING, ev.BackTaken): Status.CHOOSING,
    (Status.CONFIRMING, ev.DeferRequested): Status.CONCLUDING,
    (Status.CLOSING, ev.SessionFinished): Status.FINISHED,
    (Status.PAUSED, ev.Resumed): Status.AWAITING_ANSWER,
    **{(status, kind): status for status in PAUSABLE for kind in (ev.ModelCalled, ev.ModelChanged)},
    **{(status, ev.ModelAsked): status for status in BY_MODEL},
    **{(status, ev.Paused): Status.PAUSED for status in PAUSABLE},
    # A crash leaves no `Paused` in the log: resuming leads back to where the log ends.
    **{(status, ev.Resumed): status for status in PAUSABLE},
}


def event_for(standing: Held, kind: type[ev.Happened]) -> ev.Event:
    """An event of this kind whose contents fit the session wherever they can."""
    session = standing.session
    turn = session.turns[-1] if session.turns else None
    asking = turn.asking if turn else "k1"
    due = standing.due if session.status is not Status.NEW else None
    drafted = outcome_of(session) if session.phase_exit else None
    fields: dict[type[ev.Happened], dict[str, Any]] = {
        ev.SessionStarted: {"session": "s", "topic": "t", "route": "roundtable"},
        ev.PreviewMade: {"preview": preview()},
        ev.QuestionAsked: {
            "question": getattr(due, "question", preview().bank[0]),
            "asking": getattr(due, "asking", "k1"),
        },
        ev.AnswerGiven: {"answer": answer(turn.question.id if turn else "Q1", asking)},
        ev.AnswerAssessed: {"assessment": Assessment(asking=asking)},
        ev.AssessmentPostponed: {"asking": asking},
        ev.ModelCalled: {"call": {"step": "preview", "model": "ollama:x", "result": "ok"}},
        ev.ModelAsked: model_asked(),
        ev.ModelReplied: {"call": "c1", "reply": "{}"},
        ev.ModelChanged: {"model": "offline"},
        ev.NoteAdded: {"text": "It ships in March."},
        ev.ModeChanged: {"mode": "align"},
        ev.QuestionPhaseEnded: {
            "reason": due.reason if isinstance(due, cmd.EndQuestions) else "user_stopped"
        },
        ev.ReportDrafted: {
            "conclusion": conclusion(drafted or outcome_of(converged().end().session))
        },
        ev.DirectionConfirmed: {"text": "take path o1"},
        ev.DirectionUnconfirmed: {"reason": "nobody typed it"},
        ev.Paused: {"cause": "quit"},
    }
    return ev.EVENT.validate_python(kind(at=standing.moment(), **fields.get(kind, {})))


@pytest.mark.parametrize("kind", EVENT_TYPES, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("status", list(Status))
def test_a_legal_event_leads_where_the_table_says_and_any_other_changes_nothing(
    status: Status, kind: type[ev.Happened]
) -> None:
    standing = standing_in(status)
    before = standing.session
    assert before.status is status
    event = event_for(standing, kind)
    if (status, kind) in LEADS_TO:
        assert apply(before, event).status is LEADS_TO[status, kind]
    else:
        with pytest.raises(IllegalEventError):
            apply(before, event)
        assert before == standing_in(status).session


def test_every_event_type_is_legal_somewhere() -> None:
    reachable = {kind for _, kind in LEADS_TO} | {
        ev.ModeChanged,
        ev.QuestionPhaseEnded,
        ev.ModelReplied,
    }
    assert reachable == set(EVENT_TYPES)


def test_a_topic_of_another_skill_waits_at_the_intake() -> None:
    assert Held().start(route="verify").status is Status.INTAKE


def test_force_enters_whatever_the_route() -> None:
    assert Held().start(route="verify", force=True).status is Status.PREVIEWING


def test_a_question_phase_with_a_reason_to_end_leads_to_the_conclusion() -> None:
    assert converged().end().status is Status.CONCLUDING


def test_the_mode_changes_while_the_first_question_is_open() -> None:
    changed = held().ask().happen(ev.ModeChanged, mode="align")
    assert changed.status is Status.PREVIEWING
    assert changed.session.turns == ()
    assert changed.session.asked_mode == "align"


def test_the_mode_stays_from_the_second_question_on() -> None:
    with pytest.raises(IllegalEventError, match="before the second question"):
        held().say().ask().happen(ev.ModeChanged, mode="align")


def test_a_question_asked_for_its_meaning_is_put_again_without_an_assessment() -> None:
    assert held().clarify().status is Status.CHOOSING


def test_a_direction_that_cannot_be_undone_is_confirmed_before_the_session_closes() -> None:
    assert needing_confirmation().status is Status.CONFIRMING


@pytest.mark.parametrize("text", ["take path o1", "  Take  PATH o1 "])
def test_the_directions_own_text_confirms_it(text: str) -> None:
    confirmed = needing_confirmation().happen(ev.DirectionConfirmed, text=text)
    assert confirmed.status is Status.CLOSING
    assert confirmed.session.confirmed


@pytest.mark.parametrize("text", ["yes", "take path o2", "", "take path o1 now"])
def test_other_words_confirm_nothing(text: str) -> None:
    standing = needing_confirmation()
    with pytest.raises(IllegalEventError):
        standing.happen(ev.DirectionConfirmed, text=text)
    assert not standing.session.confirmed


def test_an_agent_confirms_nothing() -> None:
    with pytest.raises(IllegalEventError, match="only the person"):
        needing_confirmation().happen(ev.DirectionConfirmed, text="take path o1", by="agent")


@pytest.mark.parametrize("status", sorted(PAUSABLE))
def test_a_pause_comes_back_to_where_it_was_taken(status: Status) -> None:
    standing = standing_in(status).happen(ev.Paused, cause="interrupt")
    assert standing.session.pause_cause == "interrupt"
    resumed = standing.happen(ev.Resumed).session
    assert resumed.status is status
    assert resumed.pause_cause is None
    assert resumed.resumes_to is None


def test_a_pause_keeps_what_was_being_typed_until_the_question_is_answered() -> None:
    standing = standing_in(Status.PAUSED).happen(ev.Resumed)
    assert getattr(standing.due, "draft", None) == "half an ans"
    standing.say("Postgres").ask()
    assert getattr(standing.due, "draft", None) == ""


def test_the_time_of_a_pause_is_not_spent_on_the_session() -> None:
    standing = held().ask()
    spent = standing.session.active_s
    paused = ev.Paused(at="2026-11-30T11:00:00.000000Z", cause="quit")
    resumed = ev.Resumed(at="2026-12-03T09:00:00.000000Z")
    session = apply(apply(standing.session, paused), resumed)
    assert session.active_s == spent + 3600 - (len(standing.events) - 1)


def test_a_clock_that_runs_backwards_takes_no_time_back() -> None:
    session = held().session
    earlier = ev.Paused(at="2026-11-30T09:00:00.000000Z", cause="quit")
    assert apply(session, earlier).active_s == session.active_s


def test_an_answer_to_another_asking_is_refused() -> None:
    standing = held().ask()
    for stray in (answer("Q1", "k9"), answer("Q2", "k1")):
        with pytest.raises(IllegalEventError, match="not the open question"):
            standing.happen(ev.AnswerGiven, answer=stray)


@pytest.mark.parametrize("text", ["", "  ", "\n\t"])
def test_silence_is_recorded_as_nothing(text: str) -> None:
    standing = held().ask()
    with pytest.raises(IllegalEventError, match="silence"):
        standing.give(text)
    assert standing.session.open_turn is not None


def test_the_first_question_has_nothing_to_go_back_to() -> None:
    with pytest.raises(IllegalEventError, match="no earlier answer"):
        held().ask().back()
