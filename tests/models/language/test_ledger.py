"""The ledger: what was said, numbered, and what the roles may not rest on kept apart."""

from __future__ import annotations

import json

from keystone_roundtable.core import events as ev
from keystone_roundtable.core.records import Fact
from keystone_roundtable.models.language.ledger import MAX_WORDS, ledger_of

from .sitting import (
    LATER_TEXT,
    TOPIC,
    Player,
    answered,
    given,
    happened,
    moderator,
    opened,
    prepared,
)


def test_it_holds_topic_text_earlier_facts_answers_and_notes_in_order() -> None:
    fact = Fact(kind="statement", text="The refactor ends in May", ref="R1")
    start = opened(context="A brief.", facts=(fact,))
    session = answered(prepared(start), "5 customers asked for it")
    session = happened(session, ev.NoteAdded, text="Ana is away")
    entries = ledger_of(session).entries
    assert [entry.id for entry in entries] == ["F1", "F2", "F3", "F4", "F5"]
    assert [entry.ref for entry in entries] == ["topic", "context", "R1", "A1", "N1"]
    assert [entry.words for entry in entries] == [
        TOPIC, "A brief.", "The refactor ends in May", "5 customers asked for it", "Ana is away",
    ]  # fmt: skip


def test_what_gave_no_direction_is_no_entry() -> None:
    session = given(prepared(), "up to you", signal="low_information", firm=True)
    assert [entry.ref for entry in ledger_of(session).entries] == ["topic"]


def test_what_tells_a_leaning_is_kept_apart() -> None:
    session = answered(prepared(), f"We choose to {LATER_TEXT}", "5 customers asked for it")
    ledger = ledger_of(session)
    assert [entry.ref for entry in ledger.leanings] == ["A1"]
    assert [entry.ref for entry in ledger.facts] == ["topic", "A2"]


def test_the_prompt_says_that_the_leaning_is_not_for_the_roles_views() -> None:
    session = answered(prepared(), f"We choose to {LATER_TEXT}", "5 customers asked for it")
    player = Player()
    moderator(player).assess(given(session, "One mail, because June is near"))
    facts, leaning = player.asks[0].task.split(
        "What the person leans to (not for the roles' views):"
    )
    assert json.dumps(f"We choose to {LATER_TEXT}") not in facts
    assert "F2 (answer A1 to " in leaning.split("The options:")[0]
    assert '"5 customers asked for it"' in facts


def test_an_answer_that_was_taken_back_is_no_entry() -> None:
    session = answered(prepared(), "5 customers asked for it", "One mail, because June is near")
    back = happened(session, ev.BackTaken)
    assert [entry.ref for entry in ledger_of(back).entries] == ["topic", "A1"]


def test_a_pasted_page_is_cut_in_the_prompt_and_whole_for_quotes() -> None:
    page = "word " * MAX_WORDS + "the end"
    entry = ledger_of(opened(page)).entries[0]
    assert len(entry.words) == MAX_WORDS
    assert entry.said.endswith("the end")


def test_no_escape_comes_into_it() -> None:
    assert ledger_of(opened("Move \x1b[31mnow\x1b[0m?")).entries[0].words == "Move now?"


def test_an_id_is_known_by_the_ledger_and_by_the_session() -> None:
    ledger = ledger_of(answered(prepared(), "5 customers asked for it"))
    assert (ledger.ref("F2"), ledger.ref("A1"), ledger.ref("F1")) == ("A1", "A1", "topic")
    assert ledger.ref("F9") is None and ledger.ref("") is None
