"""The report as data: its lines, what they rest on, and what has to be said beside them."""

from __future__ import annotations

from typing import Any

import pytest

from keystone_roundtable.core import events as ev
from keystone_roundtable.core.errors import IllegalEventError
from keystone_roundtable.core.records import Fact, Line
from keystone_roundtable.core.report import (
    FORCED_SENTENCE,
    MAX_QUOTE,
    Report,
    make_report,
    shorten,
    sources,
)

from .builders import ROLES, Held, converged, held, needing_confirmation, option, preview


def report_of(standing: Held) -> Report:
    return make_report(standing.session, standing.outcome)


def drafted(**changes: Any) -> Held:
    return converged().end().draft(**changes)


def test_no_report_before_the_conclusion() -> None:
    with pytest.raises(IllegalEventError, match="not been drafted"):
        report_of(converged().end())


def test_the_lines_of_the_conclusion_stand_in_the_report() -> None:
    report = report_of(drafted())
    assert (report.mode, report.topic) == ("challenge", "Should we take path o1 or path o2?")
    assert report.activated_roles == ROLES
    assert [line.role for line in report.role_views] == list(ROLES)
    assert report.decision == "take path o1."
    assert report.next_skill == "writing-plan"
    assert report.risk_disclosure == report.missing_points == report.remarks == ()


def test_every_line_of_the_conclusion_has_its_evidence() -> None:
    evidence = report_of(drafted()).evidence
    assert [e.line for e in evidence] == ["Decision", "Why", "Excluded paths", "Wrong-choice cost"]
    assert all(e.items for e in evidence)


def test_a_risk_disclosure_has_its_evidence_too() -> None:
    report = report_of(drafted(risk_disclosure=Line(text="It may fail.", refs=("A2",))))
    assert report.risk_disclosure == ("It may fail.",)
    assert report.evidence[-1].line == "Risk disclosure"
    assert [i.ref for i in report.evidence[-1].items] == ["A2"]


def test_an_answer_is_quoted_and_a_role_only_named() -> None:
    decision, _, _, cost = report_of(drafted()).evidence
    assert [(i.ref, i.quote) for i in decision.items] == [
        ("A1", "I want ('o1',)"),
        ("topic", "Postgres or SQLite?"),
    ]
    assert (cost.items[1].ref, cost.items[1].quote) == (ROLES[0], "")


def test_what_nobody_said_is_no_evidence() -> None:
    report = report_of(drafted(decision=Line(text="take path o1.", refs=("A9", "N3", "A1"))))
    assert [i.ref for i in report.evidence[0].items] == ["A1"]


def test_an_answer_taken_back_is_no_evidence() -> None:
    standing = held().say().say("taken back").ask().back()
    assert "A2" not in sources(standing.session)


def test_everything_that_was_put_in_can_be_rested_on() -> None:
    fact = Fact(kind="statement", text="It ships in March.", ref="R1")
    standing = held(context="The brief.", facts=(fact,)).say("An answer.").ask()
    known = sources(standing.happen(ev.NoteAdded, text="A note.").session)
    assert known == {
        "topic": "Postgres or SQLite?",
        "context": "The brief.",
        "R1": "It ships in March.",
        "Q1": "What about the cost?",
        "A1": "An answer.",
        "Q2": "What about the failure?",
        "N1": "A note.",
        **dict.fromkeys(ROLES, ""),
    }


def test_a_session_without_a_context_cannot_rest_on_one() -> None:
    assert "context" not in sources(held().session)


def test_long_quotes_are_shortened_in_the_evidence() -> None:
    standing = held().choose("o1").say("A long answer. " * 40).say().say().end()
    standing.draft(why=Line(text="It was said.", refs=("A2",)))
    quote = report_of(standing).evidence[1].items[0].quote
    assert len(quote) <= MAX_QUOTE
    assert quote.endswith("…")


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("short", 10, "short"),
        ("exactly-10", 10, "exactly-10"),
        ("two\n  lines", 20, "two lines"),
        ("one two three four", 13, "one two…"),
        ("one two, three four", 13, "one two…"),
        ("x" * 30, 10, "x" * 9 + "…"),
        ("a " + "x" * 30, 10, "a " + "x" * 7 + "…"),
        ("", 10, ""),
    ],
)
def test_a_quote_is_cut_at_a_word_end_where_one_is_near(
    text: str, limit: int, expected: str
) -> None:
    assert shorten(text, limit) == expected


# -- what has to be said ---------------------------------------------------------------


def test_a_forced_direction_is_called_forced() -> None:
    disclosure = Line(text="Nobody told what it costs.", refs=("topic",))
    report = report_of(held().shrug().shrug().end().draft(risk_disclosure=disclosure))
    assert report.risk_disclosure == (FORCED_SENTENCE, "Nobody told what it costs.")
    assert FORCED_SENTENCE == (
        "Direction was forced due to insufficient user input; risk disclosure applies"
    )


def test_no_direction_was_forced_where_none_was_taken() -> None:
    gone = (option("o1", reversibility="irreversible"),)
    report = report_of(held(preview(options=gone)).shrug().shrug().end().draft())
    assert report.risk_disclosure == ()
    assert report.decision.startswith("None: ")
    assert report.next_skill == "orchestrate"


def test_missing_points_are_listed_one_by_one() -> None:
    points = (Line(text="The cost."), Line(text="The failure."))
    report = report_of(held().defer().end().draft(missing_points=points))
    assert report.missing_points == ("The cost.", "The failure.")


def test_picking_suggestions_only_is_said() -> None:
    standing = held().choose("o1", picked=True).say(picked=True).say(picked=True)
    remarks = report_of(standing.say(picked=True).end().draft()).remarks
    assert len(remarks) == 1
    assert "no words" in remarks[0]


def test_answers_by_the_agent_are_said() -> None:
    remarks = report_of(held().choose("o1", by="agent").say().say().say().end().draft()).remarks
    assert len(remarks) == 1
    assert "agent" in remarks[0]


def test_a_missing_confirmation_is_said_until_it_is_given() -> None:
    standing = needing_confirmation()
    assert "has not been confirmed" in report_of(standing).remarks[0]
    (remark,) = report_of(standing.happen(ev.DirectionConfirmed, text="take path o1")).remarks
    assert "confirmed it by typing it" in remark


def test_notes_of_the_outcome_are_said() -> None:
    soft = held().choose("o1").say().say().shrug().end().draft()
    assert report_of(soft).remarks == ("Note: scope needs compression.",)


def test_who_played_the_roles_is_said() -> None:
    assert report_of(drafted()).simulated_by == "The roles were played by the tests."


def test_a_sharper_topic_from_an_answer_heads_the_report() -> None:
    standing = held().choose("o1", decision_topic="Which queue?").say().say().say().end().draft()
    assert report_of(standing).topic == "Which queue?"
