"""When the question phase ends, and what may still be asked in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from keystone_roundtable.core import commands as cmd
from keystone_roundtable.core import events as ev
from keystone_roundtable.core.errors import IllegalEventError
from keystone_roundtable.core.phase import exit_reason

from .builders import NEEDED, ROLES, SLOTS, Held, held, preview, question, split_views, view


def slots(standing: Held) -> list[str]:
    return [turn.question.slot for turn in standing.session.turns]


def next_slot(standing: Held) -> str:
    due = standing.due
    assert isinstance(due, cmd.AskUser), due
    return due.question.slot


def due_reason(standing: Held) -> str | None:
    return exit_reason(standing.session)


# -- the reasons, each alone -----------------------------------------------------------


def test_two_non_answers_in_a_row_end_it() -> None:
    standing = held().shrug()
    assert due_reason(standing) is None
    assert due_reason(standing.shrug()) == "circuit_breaker"


def test_an_informative_answer_resets_the_breaker() -> None:
    assert due_reason(held().shrug().say().shrug()) is None


@pytest.mark.parametrize("clarifications", [1, 2])
def test_a_clarification_neither_resets_nor_advances_the_breaker(clarifications: int) -> None:
    standing = held().shrug()
    for _ in range(clarifications):
        standing.clarify()
    assert due_reason(standing) is None
    assert due_reason(standing.shrug()) == "circuit_breaker"


def test_clarifications_alone_never_trip_the_breaker() -> None:
    standing = held()
    for _ in range(6):
        standing.clarify()
    assert due_reason(standing) is None


def test_two_clarifications_between_two_non_answers_do_not_hide_them() -> None:
    standing = held().shrug().clarify().clarify()
    assert standing.session.turns[-1].given_up
    assert due_reason(standing.shrug()) == "circuit_breaker"


def test_stop_ends_it_at_once_with_the_question_still_open() -> None:
    assert due_reason(held().stop()) == "user_stopped"


def test_defer_ends_it_at_once() -> None:
    assert due_reason(held().say().defer()) == "user_deferred"


@pytest.mark.parametrize(
    ("signal", "reason"), [("stop", "user_stopped"), ("defer", "user_deferred")]
)
def test_an_answer_that_stops_or_defers_ends_it(signal: str, reason: str) -> None:
    assert due_reason(held().say(signal=signal)) == reason


def test_three_answers_with_a_preference_and_the_needed_slots_are_enough() -> None:
    standing = held(preview(scope_slot="cost")).choose("o1").say()
    assert due_reason(standing) is None
    assert due_reason(standing.say()) == "enough_information"


def test_the_lean_of_the_topic_is_preference_enough() -> None:
    standing = held(preview(scope_slot="cost", lean="o1")).say().say().say()
    assert due_reason(standing) == "enough_information"


def test_three_answers_without_a_preference_are_not_enough() -> None:
    assert due_reason(held(preview(scope_slot="cost")).say().say().say()) is None


def test_a_preference_without_a_needed_slot_is_not_enough() -> None:
    prepared = preview(scope_slot="cost", needed=("cost", "failure", "skeptic"))
    assert due_reason(held(prepared).choose("o1").say().say()) is None


def test_a_low_information_answer_fills_no_slot_and_does_not_count() -> None:
    standing = held(preview(scope_slot="cost", lean="o1")).say().shrug().say()
    assert standing.session.unfilled_needed == ("failure",)
    assert due_reason(standing) is None
    assert due_reason(standing.say()) is None  # three answered, the slot still open


def test_a_clarified_question_is_not_an_answered_one() -> None:
    standing = held(preview(scope_slot="cost", lean="o1", needed=("cost",))).say().say()
    standing.clarify().clarify()
    assert due_reason(standing) is None
    assert due_reason(standing.say()) == "enough_information"


def split(**changes: Any) -> Held:
    options = [view_option for view_option in preview().options]
    third = options[0].model_copy(update={"id": "o3", "text": "take path o3"})
    base = {"views": split_views(), "options": (*options, third), "scope_slot": "cost"}
    return held(preview(**{**base, **changes}))


def test_an_exclusion_ends_it_where_the_roles_still_disagree() -> None:
    standing = split().exclude("o3").say()
    assert due_reason(standing) is None
    assert due_reason(standing.say()) == "exclusions_clear"


def test_an_exclusion_alone_does_not_end_it_where_the_roles_agree() -> None:
    agreed = (view(ROLES[0], "o1"), view(ROLES[1], "o1"))
    assert due_reason(split(views=agreed).exclude("o3").say().say()) is None


def test_a_role_without_a_preference_disagrees_with_nobody() -> None:
    views = (view(ROLES[0], "o1"), view(ROLES[1]))
    assert due_reason(split(views=views).exclude("o3").say().say()) is None


def test_disagreement_without_an_exclusion_does_not_end_it() -> None:
    assert due_reason(split().say().say().say()) is None


def test_a_contradiction_is_shown_before_exclusions_can_end_it() -> None:
    standing = split().choose("o1").say().exclude("o1")
    assert due_reason(standing) is None
    assert standing.ask().session.turns[-1].question.conflict == ("A1", "A3")
    assert due_reason(standing.say()) == "exclusions_clear"


def test_seven_questions_are_the_limit() -> None:
    standing = held()
    for number in range(7):
        assert due_reason(standing) is None, number
        standing.say()
    assert len(standing.session.turns) == 7
    assert due_reason(standing) == "question_limit"


def test_a_large_bank_is_cut_at_seven() -> None:
    standing = held(preview(slots=tuple(f"slot{n}" for n in range(12)))).until_the_end()
    assert len(standing.session.turns) == 7
    assert standing.session.phase_exit == "question_limit"


def test_an_exhausted_bank_ends_it_before_seven() -> None:
    standing = held(preview(scope_slot="cost")).until_the_end()
    assert (len(standing.session.turns), standing.session.phase_exit) == (6, "question_limit")


# -- which comes first -----------------------------------------------------------------


ORDER: list[tuple[Callable[[], Held], str]] = [
    (lambda: held().say().say().say().say().say().shrug().shrug(), "circuit_breaker"),
    (lambda: nearly_enough().say(signal="stop"), "user_stopped"),
    (lambda: nearly_enough().say(signal="defer"), "user_deferred"),
    (lambda: split(lean="o1").exclude("o3").say().say(), "enough_information"),
    (lambda: at_the_limit(lean="o1"), "enough_information"),
    (lambda: at_the_limit(views=split_views()), "exclusions_clear"),
]


def nearly_enough() -> Held:
    return held(preview(lean="o1")).say().say().say()


def at_the_limit(**changes: Any) -> Held:
    """Seven asked, and only the last answer completes what is needed or excludes something."""
    needed = (*NEEDED, "survive")
    standing = split(needed=needed, slots=(*SLOTS, "survive"), **changes)
    for _ in range(6):
        standing.say()
    return standing.exclude("o3")


@pytest.mark.parametrize(("make", "reason"), ORDER, ids=[reason for _, reason in ORDER])
def test_the_first_reason_that_holds_counts(make: Callable[[], Held], reason: str) -> None:
    assert due_reason(make()) == reason


@pytest.mark.parametrize("reason", ["user_stopped", "question_limit", "enough_information"])
def test_the_phase_ends_by_no_other_reason_than_the_one_due(reason: str) -> None:
    for standing in (held(), held().shrug().shrug()):
        with pytest.raises(IllegalEventError, match="cannot end"):
            standing.happen(ev.QuestionPhaseEnded, reason=reason)


# -- the scope question ----------------------------------------------------------------


def test_the_scope_question_comes_before_a_soft_scope_may_leave() -> None:
    standing = held().choose("o1").say().say()
    assert next_slot(standing) == "survive"
    assert due_reason(standing.say()) == "enough_information"


def test_the_scope_question_comes_before_exclusions_may_end_it_too() -> None:
    standing = split(scope_slot="survive").exclude("o3").say().say()
    assert next_slot(standing) == "survive"
    assert due_reason(standing.say()) == "exclusions_clear"


@pytest.mark.parametrize("unanswered", ["shrug", "clarify twice"])
def test_the_scope_question_is_asked_once_whatever_comes_of_it(unanswered: str) -> None:
    standing = held().choose("o1").say().say()
    if unanswered == "shrug":
        standing.shrug()
    else:
        standing.clarify().clarify()
    assert standing.session.scope_soft
    assert due_reason(standing) == "enough_information"


def test_a_scope_question_under_another_key_is_asked_once_as_well() -> None:
    prepared = preview(scope_question=question("survive", template="smallest"))
    assert due_reason(held(prepared).choose("o1").say().say().shrug()) == "enough_information"


def test_a_told_scope_is_not_asked_for() -> None:
    standing = held(preview(slots=("survive", *NEEDED))).say().choose("o1").say().say()
    assert due_reason(standing) == "enough_information"


def test_the_scope_question_may_come_after_its_slot_was_left_open() -> None:
    prepared = preview(slots=("survive", *NEEDED), lean="o1")
    standing = held(prepared).shrug().say().say().say()
    assert next_slot(standing) == "survive"


def test_no_scope_question_beyond_seven() -> None:
    prepared = preview(slots=tuple(f"s{n}" for n in range(9)), needed=("s6",), lean="o1")
    standing = held(prepared)
    for _ in range(7):
        standing.say()
    assert (due_reason(standing), standing.session.scope_soft) == ("enough_information", True)


def test_the_scope_question_closes_an_exhausted_bank() -> None:
    standing = held().until_the_end()
    assert slots(standing) == [*SLOTS, "survive"]


# -- which question --------------------------------------------------------------------


def test_no_slot_is_asked_for_twice() -> None:
    bank = (question("cost"), question("cost", template="price"), question("failure"))
    standing = held(preview(bank=bank)).until_the_end()
    assert slots(standing) == ["cost", "failure", "survive"]


def test_the_order_follows_the_latest_agenda() -> None:
    standing = held().say(agenda=("reversal", "skeptic"))
    assert next_slot(standing) == "reversal"
    assert next_slot(standing.say(agenda=("skeptic",))) == "skeptic"


def test_what_an_agenda_leaves_out_or_invents_changes_nothing_else() -> None:
    standing = held().say(agenda=("nonsense", "reversal")).say()
    assert next_slot(standing) == "failure"


def test_a_question_reworded_by_what_was_said_is_asked_in_its_new_words() -> None:
    reworded = question("failure").model_copy(update={"text": "What must not fail?"})
    assert held().say(questions=(reworded,)).ask().session.turns[-1].question.text == (
        "What must not fail?"
    )


def test_questions_are_numbered_in_the_order_they_are_put() -> None:
    ids = [turn.question.id for turn in held().say().shrug().say().session.turns]
    assert ids == ["Q1", "Q2", "Q3"]


def test_only_the_question_that_is_due_may_be_put() -> None:
    standing = held()
    due = standing.due
    assert isinstance(due, cmd.AskUser)
    other = due.question.model_copy(update={"template": "skeptic", "slot": "skeptic"})
    for wrong, asking in ((other, due.asking), (due.question, "k7")):
        with pytest.raises(IllegalEventError):
            standing.happen(ev.QuestionAsked, question=wrong, asking=asking)


def test_no_question_may_be_put_once_the_phase_must_end() -> None:
    standing = held().shrug().shrug()
    with pytest.raises(IllegalEventError, match="circuit_breaker"):
        standing.happen(ev.QuestionAsked, question=question("dismissed"), asking="k3")


def test_a_contradiction_cannot_be_left_out_of_the_question_that_shows_it() -> None:
    standing = held().choose("o1").choose("o2")
    due = standing.due
    assert isinstance(due, cmd.AskUser)
    silent = due.question.model_copy(update={"conflict": ()})
    with pytest.raises(IllegalEventError):
        standing.happen(ev.QuestionAsked, question=silent, asking=due.asking)


def test_a_contradiction_is_shown_once() -> None:
    standing = held().choose("o1").choose("o2").say().ask()
    assert [t.question.conflict for t in standing.session.turns] == [(), (), ("A1", "A2"), ()]


# -- clarifications --------------------------------------------------------------------


def test_a_clarified_question_comes_again_with_its_explanation_and_a_fresh_asking() -> None:
    standing = held().clarify()
    due = standing.due
    assert isinstance(due, cmd.AskUser)
    assert (due.question.id, due.asking) == ("Q1", "k2")
    assert due.clarification == "It asks for the cost."
    assert len(standing.ask().session.turns) == 1
    again = standing.due
    assert isinstance(again, cmd.AwaitAnswer)
    assert again.clarification == "It asks for the cost."


def test_after_two_clarifications_another_slot_is_asked_and_the_suggestions_stand_above() -> None:
    bank = (question("cost", suggestions=("o1", "o2")), *(question(s) for s in SLOTS[1:]))
    standing = held(preview(bank=bank)).clarify().clarify()
    due = standing.due
    assert isinstance(due, cmd.AskUser)
    assert (due.question.id, due.question.slot) == ("Q2", "failure")
    assert "take path o1; take path o2" in due.clarification
    again = standing.ask().due
    assert isinstance(again, cmd.AwaitAnswer)
    assert again.clarification == due.clarification
    assert "cost" not in slots(standing.say().ask())[1:]


def test_an_explanation_does_not_stand_above_later_questions() -> None:
    due = held().clarify().say().due
    assert isinstance(due, cmd.AskUser)
    assert due.clarification == ""


def test_every_asking_has_its_own_id() -> None:
    standing = held().clarify().say().ask().back().ask()
    askings = [e.asking for e in standing.events if isinstance(e, ev.QuestionAsked)]
    assert askings == ["k1", "k2", "k3", "k4"]


# -- what a moderator may say ----------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lean": "o9"}, "options the session lacks: o9"),
        ({"views": (view(ROLES[0], "o9"), view(ROLES[1]))}, "o9"),
        ({"views": (view(ROLES[0]), view(ROLES[1], None, ["o8"]))}, "o8"),
        ({"views": (view(ROLES[0]),)}, "role's view"),
        ({"views": (view(ROLES[0]), view(ROLES[0]), view(ROLES[1]))}, "role's view"),
        ({"bank": (question("cost"), question("failure", template="cost"))}, "listed twice"),
        ({"options": (*preview().options, preview().options[0])}, "listed twice"),
        ({"mode": "align"}, "the mode asked for is challenge"),
    ],
)
def test_a_preview_that_does_not_add_up_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(IllegalEventError, match=message):
        held(preview(**changes), mode="challenge")


@pytest.mark.parametrize(
    "learned",
    [
        {"choices": ("o9",)},
        {"exclusions": ("o9",)},
        {"views": (view(ROLES[0], "o9"), view(ROLES[1]))},
        {"views": (view(ROLES[0]),)},
        {"options": preview().options[:1]},
    ],
    ids=["choice", "exclusion", "view", "a role's view dropped", "an option redefined"],
)
def test_an_assessment_that_does_not_add_up_is_refused(learned: dict[str, Any]) -> None:
    with pytest.raises(IllegalEventError):
        held().say(**learned)


@pytest.mark.parametrize("learned", [{"choices": ("o1",)}, {"exclusions": ("o1",)}])
def test_a_non_answer_teaches_nothing(learned: dict[str, Any]) -> None:
    with pytest.raises(IllegalEventError, match="low-information"):
        held().shrug(**learned)


def test_an_assessment_of_an_answer_that_has_one_is_refused() -> None:
    standing = held().say().give()
    with pytest.raises(IllegalEventError, match="no answer waits for"):
        standing.happen(ev.AnswerAssessed, assessment={"asking": "k1"})
