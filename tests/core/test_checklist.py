"""The 14 points: each can be met, waived where the rules allow it, and failed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from keystone_roundtable.core import events as ev
from keystone_roundtable.core.checklist import CheckedPoint, check
from keystone_roundtable.core.records import Line, RoleLine
from keystone_roundtable.core.report import make_report

from .builders import (
    ROLES,
    Held,
    conclusion,
    converged,
    held,
    option,
    preview,
    question,
    split_views,
)

POINTS = (
    "the internal preview and user-visible output are separate",
    "the mode is explicit",
    "at least 3 Socratic questions were asked before the final report",
    "the question phase exit condition is satisfied",
    "the final report appears only after the question phase",
    "the activated roles match the problem and mode",
    'the conclusion is singular (one direction, not "both are fine")',
    "excluded paths are explicit",
    "the next skill is explicit",
    "circuit breaker was applied when user gave consecutive non-answers",
    "wrong-choice cost is disclosed in the report",
    "role disagreement was not suppressed to force false consensus",
    "the one-sentence topic compression was performed before questions began",
    "the circuit breaker threshold (2 consecutive non-answers) was respected",
)
(
    SEPARATE, MODE, ASKED, EXIT, AFTER, ROLES_MATCH, SINGULAR, EXCLUDED, NEXT, BREAKER, COST,
    DISSENT, COMPRESSED, THRESHOLD,
) = POINTS  # fmt: skip


def checked(standing: Held, **report: Any) -> dict[str, CheckedPoint]:
    """The points of a session with a draft; `report` replaces fields of the report."""
    made = make_report(standing.session, standing.outcome).model_copy(update=report)
    return {point.point: point for point in check(standing.session, standing.outcome, made)}


def drafted(**changes: Any) -> Held:
    return converged().end().draft(**changes)


def verdict(standing: Held, point: str, **report: Any) -> str:
    found = checked(standing, **report)[point]
    assert bool(found.reason) is (found.verdict != "ok")
    return found.verdict


def test_the_points_stand_in_the_skills_words_and_order() -> None:
    assert tuple(checked(drafted())) == POINTS


def test_a_clean_session_fails_none() -> None:
    verdicts = {point: found.verdict for point, found in checked(drafted()).items()}
    assert verdicts.pop(BREAKER) == "waived"
    assert set(verdicts.values()) == {"ok"}


@pytest.mark.parametrize("part", ["lead", "text", "stakes", "explanation"])
def test_a_view_shown_in_a_question_is_a_leak(part: str) -> None:
    leaky = question("cost").model_copy(update={part: f"Note: {ROLES[0]} holds its position."})
    bank = (leaky, question("failure"), question("dismissed"))
    standing = converged(preview(bank=bank)).end().draft()
    assert verdict(standing, SEPARATE) == "failed"


def test_a_view_formed_by_an_answer_is_no_less_internal() -> None:
    views = tuple(v.model_copy(update={"position": "Ship it now."}) for v in split_views())
    reworded = question("failure").model_copy(update={"text": "Ship it now. What may fail?"})
    standing = held().choose("o1").say(views=views)
    standing = held().choose("o1", views=views, questions=(reworded,)).say().say().say()
    assert verdict(standing.end().draft(), SEPARATE) == "failed"


def test_a_report_without_a_mode_fails() -> None:
    assert verdict(drafted(), MODE, mode="") == "failed"


@pytest.mark.parametrize("early", ["stop", "defer", "breaker"])
def test_fewer_than_three_answers_are_waived_only_where_the_person_ended_it(early: str) -> None:
    standing = held().say()
    ended = {
        "stop": lambda: standing.stop(),
        "defer": lambda: standing.defer(),
        "breaker": lambda: standing.shrug().shrug(),
    }[early]().end()  # fmt: skip
    assert verdict(ended.draft(), ASKED) == "waived"


def test_fewer_than_three_answers_at_the_limit_fail() -> None:
    standing = held().say().say()
    while standing.session.phase_exit is None:
        standing.clarify().clarify()
        if len(standing.session.turns) == 7:
            standing.end()
    assert standing.session.phase_exit == "question_limit"
    assert verdict(standing.draft(), ASKED) == "failed"


def test_a_report_before_the_question_phase_ended_fails() -> None:
    standing = drafted()
    standing.session = replace(standing.session, phase_exit=None)
    assert verdict(standing, EXIT) == "failed"
    assert verdict(standing, AFTER) == "failed"


def test_one_role_is_too_few() -> None:
    prepared = preview(roles=ROLES[:1], views=split_views()[:1])
    assert verdict(converged(prepared).end().draft(), ROLES_MATCH) == "failed"


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        ("Go with “take path o1”.", "ok"),
        ("TAKE PATH O1.", "ok"),
        ("Do what seems best.", "failed"),
        ("take path o1 and then take path o2.", "failed"),
        ("take path o2.", "failed"),
        ("None: nothing could be settled.", "failed"),
    ],
)
def test_a_decision_names_exactly_the_direction_taken(decision: str, expected: str) -> None:
    assert verdict(drafted(decision=Line(text=decision)), SINGULAR) == expected


def test_an_option_inside_the_directions_own_text_is_no_second_direction() -> None:
    options = (option("o1", "do not build the queue"), option("o2", "build the queue"))
    assert verdict(converged(preview(options=options)).end().draft(), SINGULAR) == "ok"


def test_no_direction_is_waived_where_the_report_says_none() -> None:
    deferred = held().defer().end()
    assert verdict(deferred.draft(), SINGULAR) == "waived"
    bold = held().defer().end().draft(decision=Line(text="take path o1."))
    assert verdict(bold, SINGULAR) == "failed"


def test_excluded_paths_cost_and_next_skill_must_not_be_blank() -> None:
    assert verdict(drafted(), EXCLUDED, excluded_paths=" ") == "failed"
    assert verdict(drafted(), COST, wrong_choice_cost="") == "failed"
    assert verdict(drafted(), NEXT, next_skill="") == "failed"


def test_the_breaker_is_applied_or_was_not_called_for() -> None:
    tripped = held().shrug().shrug().end().draft()
    assert verdict(tripped, BREAKER) == "ok"
    assert verdict(tripped, THRESHOLD) == "ok"
    ignored = replace(tripped.session, phase_exit="question_limit")
    tripped.session = ignored
    assert verdict(tripped, BREAKER) == "failed"


def test_a_deferral_after_the_breaker_does_not_undo_it() -> None:
    standing = held().shrug().shrug().end().draft().happen(ev.DeferRequested).draft()
    assert verdict(standing, BREAKER) == "ok"


def test_three_non_answers_in_a_row_break_the_threshold() -> None:
    standing = held().shrug().shrug().end().draft()
    turns = standing.session.turns
    standing.session = replace(standing.session, turns=(*turns, turns[-1]))
    assert verdict(standing, THRESHOLD) == "failed"


def test_clarifications_do_not_count_towards_the_threshold() -> None:
    standing = held().shrug().clarify().clarify().say().shrug().shrug().end().draft()
    assert verdict(standing, THRESHOLD) == "ok"


def test_disagreement_reported_as_none_is_suppressed() -> None:
    standing = converged(preview(views=split_views())).end().draft()
    assert verdict(standing, DISSENT) == "failed"
    told = Line(text="The sre prefers path o2.")
    open_about_it = converged(preview(views=split_views())).end().draft(disagreement=told)
    assert verdict(open_about_it, DISSENT) == "ok"


def test_a_role_left_out_of_the_report_is_suppressed() -> None:
    one = (RoleLine(role=ROLES[0], text="It sees a risk."),)
    found = checked(drafted(role_views=one))[DISSENT]
    assert (found.verdict, found.reason) == ("failed", f"no view of {ROLES[1]}")


def test_a_vague_topic_waives_the_compression() -> None:
    vague = converged(preview(vague=True)).end().draft()
    assert verdict(vague, COMPRESSED) == "waived"
    assert verdict(converged(preview(decision_topic="")).end().draft(), COMPRESSED) == "failed"


def test_a_conclusion_of_another_outcome_is_caught() -> None:
    wrong = conclusion(held().defer().end().outcome)
    standing = converged().end().happen(ev.ReportDrafted, conclusion=wrong)
    assert verdict(standing, SINGULAR) == "failed"
