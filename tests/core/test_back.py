"""Taking an answer back: it and all after it leave the session, their words are kept as drafts."""

from __future__ import annotations

import pytest

from keystone_roundtable.core import commands as cmd
from keystone_roundtable.core import events as ev
from keystone_roundtable.core.phase import exit_reason
from keystone_roundtable.core.preference import preference
from keystone_roundtable.core.status import Status

from .builders import Held, converged, held, needing_confirmation, preview


def due_question(standing: Held) -> cmd.AskUser:
    due = standing.due
    assert isinstance(due, cmd.AskUser), due
    return due


def draft(standing: Held) -> str:
    due = standing.ask().due
    assert isinstance(due, cmd.AwaitAnswer), due
    return due.draft


def test_the_previous_question_comes_again_and_the_open_one_goes() -> None:
    standing = held().say("first").say("second").ask().back()
    assert [t.answer.text for t in standing.session.turns if t.answer] == ["first"]
    assert due_question(standing).question.id == "Q2"
    assert due_question(standing).question.slot == "failure"


def test_the_answer_taken_back_is_offered_as_a_draft() -> None:
    assert draft(held().say("first").say("second").ask().back()) == "second"


def test_drafts_of_later_answers_wait_for_their_question() -> None:
    standing = held().say("first").say("second").ask().back().ask().back()
    assert draft(standing) == "first"
    assert draft(standing.say("first, revised")) == "second"
    assert draft(standing.say("second, revised")) == ""


def test_a_revised_answer_leaves_no_draft_behind() -> None:
    standing = held().say("first").ask().back().say("better").ask().back()
    assert draft(standing) == "better"


def test_what_the_answer_taught_leaves_with_it() -> None:
    standing = held().choose("o1").say().ask()
    assert preference(standing.session).option == "o1"
    assert preference(standing.back().ask().back().session).option is None


def test_options_named_by_the_answer_leave_with_it() -> None:
    brought = preview().options[0].model_copy(update={"id": "o3", "source": "answer"})
    standing = held().say(options=(brought,)).ask()
    assert [o.id for o in standing.session.options] == ["o1", "o2", "o3"]
    assert [o.id for o in standing.back().session.options] == ["o1", "o2"]


def test_the_breaker_counts_the_answers_in_force() -> None:
    standing = held().shrug().ask().back().shrug()
    assert standing.session.non_answers_in_a_row == 1
    assert exit_reason(standing.session) is None


def test_a_tripped_breaker_is_taken_back_with_its_answer() -> None:
    standing = held().shrug().shrug().end().draft().back()
    assert standing.session.phase_exit is None
    assert standing.session.conclusion is None
    assert due_question(standing).question.id == "Q2"
    assert exit_reason(standing.say().session) is None


def test_a_tripped_breaker_trips_again_on_another_non_answer() -> None:
    standing = held().shrug().shrug().end().draft().back().shrug()
    assert exit_reason(standing.session) == "circuit_breaker"


@pytest.mark.parametrize("signal", ["stop", "defer"])
def test_going_back_takes_a_stop_or_a_deferral_with_it(signal: str) -> None:
    standing = held().say().say(signal=signal).end().draft().back()
    assert not standing.session.stopped
    assert not standing.session.deferred
    assert exit_reason(standing.say().session) is None


def test_after_a_stop_the_question_that_was_open_comes_again() -> None:
    standing = held().say().stop().end().draft().back()
    assert due_question(standing).question.id == "Q2"
    assert len(standing.session.turns) == 1


def test_the_drafted_report_goes_back_to_the_last_question() -> None:
    standing = converged().end().draft().back()
    assert standing.status is Status.CHOOSING
    assert due_question(standing).question.slot == "survive"
    assert standing.say().end().draft().status is Status.REVIEWING


def test_a_confirmation_can_be_taken_back_too() -> None:
    standing = needing_confirmation().back()
    assert standing.session.conclusion is None
    assert due_question(standing).question.id == "Q4"


def test_a_question_left_open_after_two_clarifications_can_be_returned_to() -> None:
    standing = held().clarify().clarify().ask().back()
    assert due_question(standing).question.id == "Q1"
    assert standing.say("now I see").session.turns[0].clarifications == ()


def test_a_reasked_scope_question_may_be_asked_again() -> None:
    standing = converged().end().draft().back().ask().back().say().say()
    assert standing.session.scope_asked
    assert exit_reason(standing.session) == "enough_information"


def test_slots_after_the_revised_answer_are_asked_anew() -> None:
    standing = held().say().say().say().ask().back().ask().back().say()
    assert due_question(standing).question.slot == "dismissed"


def test_the_log_keeps_what_was_taken_back() -> None:
    standing = held().say("first").ask().back().say("better")
    texts = [e.answer.text for e in standing.events if e.type == "answer_given"]
    assert texts == ["first", "better"]


def test_notes_stay_when_an_answer_is_taken_back() -> None:
    standing = held().say().ask().happen(ev.NoteAdded, text="It ships in March.").back()
    assert [n.text for n in standing.session.notes] == ["It ships in March."]
