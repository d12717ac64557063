"""The outcome table, row by row, its caps, and the rulings on preference and wrong-choice cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from keystone_roundtable.core import events as ev
from keystone_roundtable.core.cost import lowest_cost
from keystone_roundtable.core.outcome import Outcome, needs_confirmation, outcome_of
from keystone_roundtable.core.preference import preference
from keystone_roundtable.core.records import Option, Preview, Reassessment

from .builders import (
    ROLES,
    Held,
    converged,
    cost,
    held,
    irreversible,
    needing_confirmation,
    option,
    preview,
    split_views,
    view,
)

NO_WAY_BACK = (
    option("o1", reversibility="irreversible"),
    option("o2", reversibility="irreversible"),
)
YES_NO = (option("o1"), option("o2", "keep things as they are", status_quo=True))


def breaker(prepared: Preview | None = None) -> Held:
    return held(prepared).shrug().shrug().end()


def unfilled(*slots: str) -> Preview:
    """A preview whose needed slots are never asked, but for those named."""
    missing = tuple(f"missing{n}" for n in range(3 - len(slots)))
    return preview(needed=(*slots, *missing))


def irreconcilable(prepared: Preview | None = None) -> Held:
    """The second role cannot accept what the first prefers; the person chose the first's option."""
    base = prepared or preview()
    views = split_views(second_rejects=["o1"])
    return converged(base.model_copy(update={"views": views})).end()


# -- the rows --------------------------------------------------------------------------


class Expected(NamedTuple):
    decision: str
    confidence: float
    escalate: bool
    next_skill: str
    state_next_skill: str
    exit_code: str
    status: int
    state_reason: str


def aligned(confidence: float, reason: str = "Direction converged") -> Expected:
    return Expected(
        "roundtable-aligned", confidence, False, "writing-plan", "writing-plan", "ok", 0, reason
    )


DEFERRED = Expected(
    "roundtable-deferred", 0.5, False, "roundtable", "roundtable", "deferred", 4,
    "More discussion is still needed",
)  # fmt: skip
ESCALATED = Expected(
    "roundtable-escalate", 0.5, True, "orchestrate", "", "escalate", 3,
    "Directional disagreement cannot be resolved safely",
)  # fmt: skip
FORCED = aligned(0.7, "Direction forced with risk disclosure")
CHEAPEST = aligned(0.7, "Direction chosen by lowest wrong-choice cost")

ROWS: list[tuple[str, Callable[[], Held], Expected]] = [
    ("deferred", lambda: held().defer().end(), DEFERRED),
    ("forced_without_safe_direction", lambda: breaker(preview(options=NO_WAY_BACK)), ESCALATED),
    ("forced", breaker, FORCED),
    ("too_much_missing", lambda: held(unfilled()).until_the_end(), ESCALATED),
    ("irreconcilable", irreconcilable, ESCALATED),
    ("none_preferred", lambda: held().until_the_end(), CHEAPEST),
    (
        "irreconcilable_lower_cost",
        lambda: irreconcilable(preview(options=(option("o1", reversibility="reversible"),
                                                option("o2")))),
        aligned(0.8),
    ),
    (
        "converged_scope_soft",
        lambda: held().choose("o1").say().say().shrug().end(),
        aligned(0.8),
    ),
    ("converged", lambda: converged().end(), aligned(0.9)),
]  # fmt: skip


@pytest.mark.parametrize(("row", "make", "expected"), ROWS, ids=[name for name, _, _ in ROWS])
def test_each_row_gives_its_whole_end(
    row: str, make: Callable[[], Held], expected: Expected
) -> None:
    outcome = make().outcome
    assert outcome.row == row
    assert outcome.confidence_reasons == (row,)
    assert Expected(*(getattr(outcome, name) for name in Expected._fields)) == expected


@pytest.mark.parametrize(("row", "make", "expected"), ROWS, ids=[name for name, _, _ in ROWS])
def test_a_direction_is_named_exactly_where_the_end_is_aligned(
    row: str, make: Callable[[], Held], expected: Expected
) -> None:
    assert (make().outcome.option is not None) is (expected.decision == "roundtable-aligned")


@pytest.mark.parametrize(("row", "make", "expected"), ROWS, ids=[name for name, _, _ in ROWS])
def test_only_a_breaker_or_an_early_stop_is_forced(
    row: str, make: Callable[[], Held], expected: Expected
) -> None:
    assert make().outcome.forced is row.startswith("forced")


# -- which row comes first -------------------------------------------------------------


def test_a_deferral_beats_every_other_row() -> None:
    late = converged(preview(options=NO_WAY_BACK)).end().draft().happen(ev.DeferRequested)
    assert late.outcome.row == "deferred"
    assert late.session.phase_exit == "user_deferred"
    assert breaker(preview(options=NO_WAY_BACK)).draft().happen(
        ev.DeferRequested
    ).outcome.row == "deferred"  # fmt: skip


def test_a_forced_end_beats_missing_points_and_roles_that_cannot_agree() -> None:
    prepared = unfilled().model_copy(update={"views": split_views(second_rejects=["o1"])})
    assert breaker(prepared).outcome.row == "forced"


def test_missing_points_beat_roles_that_cannot_agree() -> None:
    prepared = unfilled().model_copy(update={"views": split_views(second_rejects=["o1"])})
    assert held(prepared).until_the_end().outcome.row == "too_much_missing"


def test_roles_that_cannot_agree_beat_the_lack_of_a_preference() -> None:
    prepared = preview(views=split_views(second_rejects=["o1"]))
    assert held(prepared).until_the_end().outcome.row == "irreconcilable"


def test_the_lack_of_a_preference_beats_roles_with_a_cheaper_way_out() -> None:
    prepared = preview(views=split_views(second_rejects=["o1"]), options=YES_NO)
    ended = held(prepared).until_the_end()
    assert ended.outcome.row == "none_preferred"
    assert ended.outcome.confidence == 0.7


def test_roles_with_a_cheaper_way_out_beat_a_soft_scope() -> None:
    prepared = preview(views=split_views(second_rejects=["o1"]), options=YES_NO)
    ended = held(prepared).choose("o1").say().say().shrug().end()
    assert ended.session.scope_soft
    assert ended.outcome.row == "irreconcilable_lower_cost"


# -- forced ends -----------------------------------------------------------------------


@pytest.mark.parametrize("informative", [0, 1, 2])
def test_a_stop_before_three_informative_answers_forces_a_direction(informative: int) -> None:
    standing = held()
    for _ in range(informative):
        standing.say()
    assert standing.stop().end().outcome.row == "forced"


def test_a_stop_after_three_informative_answers_forces_nothing() -> None:
    outcome = held().say().say().say().stop().end().outcome
    assert (outcome.row, outcome.forced) == ("none_preferred", False)


def test_a_stop_said_as_an_answer_counts_like_the_command() -> None:
    ended = held().say().say(signal="stop").end()
    assert ended.session.phase_exit == "user_stopped"
    assert ended.outcome.row == "forced"


def test_a_stop_is_no_informative_answer() -> None:
    assert held().say().say().say(signal="stop").end().outcome.forced


def test_the_breaker_forces_however_much_was_answered_before() -> None:
    ended = held().say().say().say().shrug().shrug().end()
    assert ended.session.phase_exit == "circuit_breaker"
    assert ended.outcome.row == "forced"


def test_a_forced_end_takes_the_lowest_wrong_choice_cost() -> None:
    options = (option("o1"), option("o2", reversibility="reversible"))
    assert chosen_in(breaker(preview(options=options))) == "o2"


def test_a_stated_preference_decides_a_forced_end() -> None:
    options = (option("o1"), option("o2", reversibility="reversible"))
    ended = held(preview(options=options)).choose("o1").shrug().shrug().end()
    assert ended.outcome.row == "forced"
    assert chosen_in(ended) == "o1"


def test_a_lean_of_the_topic_alone_does_not_decide_a_forced_end() -> None:
    options = (option("o1"), option("o2", reversibility="reversible"))
    assert chosen_in(breaker(preview(options=options, lean="o1"))) == "o2"


def test_a_forced_end_never_takes_an_excluded_option() -> None:
    options = (option("o1"), option("o2", reversibility="reversible"))
    ended = held(preview(options=options)).exclude("o2").shrug().shrug().end()
    assert chosen_in(ended) == "o1"


@pytest.mark.parametrize(
    "make",
    [
        lambda: breaker(preview(options=())),
        lambda: held().exclude("o1", "o2").shrug().shrug().end(),
        lambda: held().say(reassessed=(irreversible("o1"),), exclusions=("o2",)).stop().end(),
        lambda: held(preview(options=NO_WAY_BACK)).choose("o1").shrug().shrug().end(),
    ],
    ids=["no option", "all excluded", "the open one irreversible", "a choice that is irreversible"],
)
def test_a_forced_end_without_a_safe_direction_escalates(make: Callable[[], Held]) -> None:
    assert make().outcome.row == "forced_without_safe_direction"


def test_one_option_that_can_be_undone_is_a_safe_direction() -> None:
    options = (option("o1", reversibility="irreversible"), option("o2"))
    ended = breaker(preview(options=options))
    assert ended.outcome.row == "forced"
    assert chosen_in(ended) == "o2"


# -- too much missing ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("needed", "row"),
    [
        (("cost", "none", "nil"), "too_much_missing"),
        (("cost", "failure", "nil"), "none_preferred"),
        (("cost", "failure", "none", "nil"), "none_preferred"),
    ],
    ids=["a third", "two thirds", "exactly half"],
)
def test_fewer_than_half_of_the_needed_slots_is_too_little(
    needed: tuple[str, ...], row: str
) -> None:
    assert held(preview(needed=needed)).until_the_end().outcome.row == row


def test_an_answer_that_chooses_outweighs_missing_slots() -> None:
    assert held(unfilled()).choose("o1").until_the_end().outcome.row == "converged"


def test_an_answer_that_leaves_one_option_outweighs_missing_slots() -> None:
    assert held(unfilled()).exclude("o2").until_the_end().outcome.row == "converged"


def test_a_lean_of_the_topic_does_not_outweigh_missing_slots() -> None:
    prepared = unfilled().model_copy(update={"lean": "o1"})
    assert held(prepared).until_the_end().outcome.row == "too_much_missing"


@pytest.mark.parametrize(
    "make",
    [
        lambda: held(preview(options=())).until_the_end(),
        lambda: held().exclude("o1", "o2").until_the_end(),
        lambda: held(preview(lean="o1")).exclude("o1").exclude("o2").until_the_end(),
    ],
    ids=["none was named", "all were excluded", "the lean was excluded too"],
)
def test_zero_options_at_the_end_escalate(make: Callable[[], Held]) -> None:
    outcome = make().outcome
    assert (outcome.decision, outcome.option) == ("roundtable-escalate", None)


# -- roles that cannot agree -----------------------------------------------------------


def test_a_rejected_preference_is_no_clash_once_an_answer_excludes_it() -> None:
    prepared = preview(views=split_views(second_rejects=["o1"]))
    assert converged_by_exclusion(prepared, "o1").outcome.row == "converged"
    assert converged_by_exclusion(prepared, "o2").outcome.row == "converged"


def converged_by_exclusion(prepared: Preview, excluded: str) -> Held:
    return held(prepared).exclude(excluded).say().say().say().end()


def test_different_preferences_that_all_can_live_with_are_no_clash() -> None:
    assert converged(preview(views=split_views())).end().outcome.row == "converged"


def test_rejecting_an_option_that_nobody_prefers_is_no_clash() -> None:
    views = (view(ROLES[0], "o1", ["o2"]), view(ROLES[1], "o1"))
    assert converged(preview(views=views)).end().outcome.row == "converged"


def test_either_side_may_be_the_one_that_cannot_accept() -> None:
    for views in (split_views(first_rejects=["o2"]), split_views(second_rejects=["o1"])):
        ended = converged(preview(views=views)).end()
        assert ended.outcome.row == "irreconcilable"


def test_the_views_after_the_answers_count_and_not_those_of_the_preview() -> None:
    standing = held(preview(views=split_views(second_rejects=["o1"])))
    agreed = (view(ROLES[0], "o1"), view(ROLES[1], "o1"))
    ended = standing.choose("o1").say().say(views=agreed).say().end()
    assert ended.outcome.row == "converged"


def test_the_persons_choice_stands_where_the_roles_cannot_agree_but_one_way_is_cheaper() -> None:
    ended = irreconcilable(preview(options=YES_NO))
    assert ended.outcome.row == "irreconcilable_lower_cost"
    assert chosen_in(ended) == "o1"


# -- caps ------------------------------------------------------------------------------


def converged_with(**answer: Any) -> Held:
    return held().choose("o1", **answer).say(**answer).say(**answer).say(**answer).end()


def test_picking_suggestions_only_caps_at_four_fifths() -> None:
    outcome = converged_with(picked=True).outcome
    assert outcome.confidence == 0.8
    assert outcome.confidence_reasons == ("converged", "suggestions_only")


def test_one_answer_in_own_words_lifts_the_cap_on_suggestions() -> None:
    ended = held().choose("o1", picked=True).say(picked=True).say(picked=True).say().end()
    assert ended.outcome.confidence_reasons == ("converged",)


def test_no_answer_at_all_is_not_called_picking_suggestions() -> None:
    assert breaker().outcome.confidence_reasons == ("forced",)


def test_an_answer_by_the_agent_caps_at_seven_tenths() -> None:
    ended = held().choose("o1").say().say(by="agent").say().end()
    assert ended.outcome.confidence == 0.7
    assert ended.outcome.confidence_reasons == ("converged", "answered_by_agent")


def test_a_note_by_the_agent_is_a_fact_and_caps_nothing() -> None:
    standing = held().ask().happen(ev.NoteAdded, text="It ships in March.", by="agent")
    assert standing.choose("o1").say().say().say().end().outcome.confidence == 0.9


def test_a_direction_without_way_back_caps_at_seven_tenths_until_it_is_confirmed() -> None:
    standing = needing_confirmation()
    assert standing.outcome.confidence == 0.7
    assert standing.outcome.confidence_reasons == ("converged", "irreversible_unconfirmed")
    confirmed = standing.happen(ev.DirectionConfirmed, text="take path o1").outcome
    assert confirmed.confidence == 0.9
    assert confirmed.confidence_reasons == ("converged",)


def test_an_unconfirmed_direction_keeps_its_cap() -> None:
    ended = needing_confirmation().happen(ev.DirectionUnconfirmed, reason="nobody typed it")
    assert ended.outcome.confidence == 0.7


def test_only_the_direction_taken_has_to_be_reversible() -> None:
    options = (option("o1"), option("o2", reversibility="irreversible"))
    ended = converged(preview(options=options)).end()
    assert ended.outcome.confidence == 0.9
    assert not needs_confirmation(ended.session)


def test_an_answer_can_make_the_direction_one_without_way_back() -> None:
    ended = held().choose("o1").say(reassessed=(irreversible("o1"),)).say().say().end()
    assert needs_confirmation(ended.session)


def test_no_direction_needs_no_confirmation() -> None:
    assert not needs_confirmation(breaker(preview(options=NO_WAY_BACK)).session)


def test_every_cap_that_applied_is_named_and_the_lowest_counts() -> None:
    options = (option("o1", reversibility="irreversible"), option("o2"))
    standing = held(preview(options=options)).choose("o1", picked=True, by="agent")
    outcome = standing.say(picked=True).say(picked=True).say(picked=True).end().outcome
    assert outcome.confidence == 0.7
    assert outcome.confidence_reasons == (
        "converged",
        "suggestions_only",
        "answered_by_agent",
        "irreversible_unconfirmed",
    )


def test_a_cap_never_lifts_a_lower_row() -> None:
    ended = held(unfilled()).until_the_end(by="agent")
    assert ended.outcome.confidence == 0.5
    assert "answered_by_agent" in ended.outcome.confidence_reasons


# -- notes -----------------------------------------------------------------------------


def test_a_soft_scope_is_noted() -> None:
    outcome = held().choose("o1").say().say().shrug().end().outcome
    assert outcome.notes == ("scope needs compression",)


def test_keeping_things_as_they_are_is_planned_like_any_direction_and_noted() -> None:
    outcome = held(preview(options=YES_NO)).choose("o2").say().say().say().end().outcome
    assert outcome.next_skill == "writing-plan"
    assert outcome.notes == ("nothing to build; record and close",)


def test_a_session_entered_against_its_route_says_so() -> None:
    standing = Held().start(route="diagnose", route_reason="the cause is unknown")
    standing.happen(ev.EnteredAnyway).prepare().choose("o1").say().say().say().end()
    assert standing.outcome.notes == ("entered although the topic reads as 'diagnose'",)


def test_a_reopened_session_names_the_one_it_comes_from() -> None:
    standing = held(reopens="20261129-beef").choose("o1").say().say().say().end()
    assert standing.outcome.notes == ("reopens 20261129-beef",)


def test_a_plain_end_has_no_note() -> None:
    assert converged().end().outcome.notes == ()


# -- preferred -------------------------------------------------------------------------


def preferred(standing: Held) -> tuple[str | None, str | None]:
    current = preference(standing.session)
    return current.option, current.basis


def test_a_choice_beats_the_lean_of_the_topic() -> None:
    assert preferred(held(preview(lean="o2")).choose("o1")) == ("o1", "chosen")


def test_the_lean_of_the_topic_stands_while_nothing_is_chosen() -> None:
    assert preferred(held(preview(lean="o2")).say()) == ("o2", "lean")


def test_an_excluded_lean_gives_way_to_the_only_option_left() -> None:
    assert preferred(held(preview(lean="o2")).exclude("o2")) == ("o1", "only_left")


def test_the_only_option_no_answer_excludes_is_preferred() -> None:
    options = (option("o1"), option("o2"), option("o3"))
    standing = held(preview(options=options)).exclude("o1")
    assert preferred(standing) == (None, None)
    assert preferred(standing.exclude("o3")) == ("o2", "only_left")


def test_an_option_brought_in_by_an_answer_can_be_chosen() -> None:
    brought = Option(id="o3", text="take path o3", source="answer")
    assert preferred(held().say(options=(brought,), choices=("o3",))) == ("o3", "chosen")


@pytest.mark.parametrize(
    ("make", "answers"),
    [
        (lambda: held().choose("o1").choose("o2"), ("A1", "A2")),
        (lambda: held().choose("o1").say().exclude("o1"), ("A1", "A3")),
        (lambda: held().exclude("o1").choose("o1"), ("A1", "A2")),
        (lambda: held().choose("o1", "o2"), ("A1",)),
    ],
    ids=["two choices", "chosen, then excluded", "excluded, then chosen", "both in one answer"],
)
def test_contradicting_answers_leave_none_preferred(
    make: Callable[[], Held], answers: tuple[str, ...]
) -> None:
    current = preference(make().session)
    assert current.option is None
    assert current.conflict == answers


def test_a_conflict_outweighs_the_lean_of_the_topic() -> None:
    assert preferred(held(preview(lean="o1")).choose("o1").choose("o2")) == (None, None)


def test_a_choice_made_twice_is_no_conflict() -> None:
    assert preferred(held().choose("o1").choose("o1")) == ("o1", "chosen")


def test_the_answer_to_the_question_that_showed_a_conflict_settles_it() -> None:
    torn = held().choose("o1").choose("o2").ask()
    assert torn.session.turns[-1].question.conflict == ("A1", "A2")
    assert preferred(torn.choose("o1")) == ("o1", "chosen")


def test_a_settling_choice_lifts_an_earlier_exclusion() -> None:
    assert preferred(held().exclude("o1").choose("o1").choose("o1")) == ("o1", "chosen")


def test_a_conflict_of_two_choices_is_settled_by_excluding_one() -> None:
    assert preferred(held().choose("o1").choose("o2").exclude("o1")) == ("o2", "chosen")


def test_a_conflict_over_one_option_is_settled_by_excluding_it_again() -> None:
    assert preferred(held().choose("o1").exclude("o1").exclude("o1")) == ("o2", "only_left")


def test_an_answer_beside_the_point_settles_no_conflict() -> None:
    standing = held().choose("o1").choose("o2").say()
    assert preferred(standing) == (None, None)
    assert preference(standing.session).conflict == ("A1", "A2")


def test_a_later_change_of_mind_is_a_conflict_again() -> None:
    settled = held().choose("o1").choose("o2").choose("o1")
    assert preferred(settled.choose("o2")) == (None, None)


def test_an_unsettled_conflict_at_the_end_takes_the_lowest_cost() -> None:
    options = (option("o1"), option("o2", reversibility="reversible"))
    ended = held(preview(options=options)).choose("o1").choose("o2").until_the_end()
    assert ended.outcome.row == "none_preferred"
    assert chosen_in(ended) == "o2"


# -- wrong-choice cost -----------------------------------------------------------------


def chosen_in(ended: Held) -> str | None:
    outcome: Outcome = outcome_of(ended.session)
    return outcome.option.id if outcome.option else None


def cheapest(options: tuple[Option, ...], **learned: Any) -> str:
    standing = held(preview(options=options)).say(**learned)
    found = lowest_cost(standing.session, standing.session.options)
    assert found is not None
    return found.id


def test_what_can_be_undone_costs_least_then_the_unknown() -> None:
    back, unknown, gone = (
        option(f"o{n}", reversibility=value)
        for n, value in enumerate(("reversible", "unknown", "irreversible"), 1)
    )
    assert cheapest((gone, unknown, back)) == "o1"
    assert cheapest((gone, unknown)) == "o2"


def test_reversibility_beats_any_stated_cost() -> None:
    options = (option("o1"), option("o2", reversibility="reversible"))
    assert cheapest(options, costs=(cost("o2", 1e6),)) == "o2"


def test_the_lower_stated_cost_wins_among_equals() -> None:
    costs = (cost("o1", 9, "weeks"), cost("o2", 2, "weeks"))
    assert cheapest((option("o1"), option("o2")), costs=costs) == "o2"


def test_an_option_without_a_stated_cost_is_cheaper_than_one_with() -> None:
    assert cheapest((option("o1"), option("o2")), costs=(cost("o1"),)) == "o2"


def test_the_highest_cost_stated_of_an_option_counts() -> None:
    costs = (cost("o1", 1), cost("o1", 9), cost("o2", 5))
    assert cheapest((option("o1"), option("o2")), costs=costs) == "o2"


def test_a_stated_cost_beats_keeping_things_as_they_are() -> None:
    assert cheapest(YES_NO, costs=(cost("o2", 3),)) == "o1"


def test_keeping_things_as_they_are_wins_among_equals() -> None:
    assert cheapest(YES_NO) == "o2"


def test_the_first_listed_wins_where_nothing_else_tells_them_apart() -> None:
    assert cheapest((option("o1"), option("o2"))) == "o1"
    assert cheapest((option("o2"), option("o1"))) == "o2"


def test_what_an_answer_says_of_reversibility_counts() -> None:
    told = Reassessment(option="o2", reversibility="reversible", words="a flag turns it off")
    assert cheapest((option("o1"), option("o2")), reassessed=(told,)) == "o2"


def test_no_option_has_no_lowest_cost() -> None:
    assert lowest_cost(held().session, ()) is None
