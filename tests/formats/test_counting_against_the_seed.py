"""The counting agrees with a second, slower reading of the rules, on labelled and on random tables.

What each of the labelled tables tests stands in its own `note`.
"""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keystone_roundtable.formats.errors import TableStateError, TooFewSoulsError
from keystone_roundtable.formats.inspecting import inspect
from keystone_roundtable.formats.table_state import read_state
from keystone_roundtable.formats.voting import Count, vote

from .random_states import random_state
from .seed_reading import expected_inspection, expected_vote

TABLES = sorted((Path(__file__).parents[1] / "data" / "tables").glob("*.json"))
STATUS = {"DECIDED": 0, "RE-PROMPT": 2, "ESCALATE": 3}


def labelled(path: Path) -> dict[str, Any]:
    value = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def counted(state: dict[str, Any]) -> Count | None:
    """The count; None where there are too few souls."""
    try:
        return vote(read_state(state))
    except TooFewSoulsError:
        return None


def inspected(state: dict[str, Any]) -> str:
    try:
        return inspect(read_state(state)).outcome
    except (TableStateError, TooFewSoulsError):
        return "error"


def check_vote(state: dict[str, Any]) -> str:
    """Compares every part with the slow reading; gives the outcome."""
    expected = expected_vote(state)
    count = counted(state)
    if count is None:
        assert expected["status"] == 1
        return "too few"
    assert STATUS[count.outcome] == expected["status"]
    if count.outcome == "RE-PROMPT":
        assert {one.name: one.problem for one in count.reprompt} == expected["reprompt"]
        return count.outcome
    assert count.winner == expected["winner"]
    assert {reason.kind for reason in count.reasons} == expected["kinds"]
    assert {one.option: one.confidence for one in count.tally} == expected["tally"]
    assert {one.option: one.heads for one in count.tally} == expected["heads"]
    assert (count.percent, count.out_of) == (expected["percent"], expected["out_of"])
    names = [one.name if one else None for one in (count.top_dissent, count.top_hedger)]
    assert names == [expected["top_dissent"], expected["top_hedger"]]
    if count.winner is not None:
        assert Fraction(count.share).limit_denominator(1000) == expected["share"]
    return count.outcome


# -- labelled tables -------------------------------------------------------------------


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_labelled_table_votes_as_its_label_says(path: Path) -> None:
    table = labelled(path)
    expected = table["expect"]["vote"]
    count = counted(table["state"])
    if expected["outcome"] == "BAD-INPUT":
        assert count is None
        return
    assert count is not None
    assert (count.outcome, STATUS[count.outcome]) == (expected["outcome"], expected["exit"])
    assert count.winner == expected["winner"]
    assert [one.name for one in count.reprompt] == expected["reprompt"]
    problems = {one.name: one.problem for one in count.reprompt}
    assert problems == expected.get("reprompt_kinds", {})
    if count.outcome == "RE-PROMPT":
        return
    assert {one.option: one.confidence for one in count.tally} == expected["tally"]
    assert {one.option: one.heads for one in count.tally} == expected["heads"]
    assert round(100 * count.share, 1) == expected["share_of_cast_pct"]
    kinds = {reason.kind for reason in count.reasons}
    assert set(expected["reasons"]) <= kinds
    assert kinds <= {*expected["reasons"], *expected.get("reasons_also_allowed", ())}
    for name, found in (("top_dissent", count.top_dissent), ("top_hedger", count.top_hedger)):
        allowed = expected.get(f"{name}_any_of", [expected.get(name)])
        assert (found.name if found else None) in allowed


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_labelled_table_is_inspected_as_its_label_says(path: Path) -> None:
    table = labelled(path)
    expected = table["expect"]["inspect"]
    for number in (2, 3):
        outcome = expected[f"after_round_{number}"]
        if outcome is None:
            continue
        state = deepcopy(table["state"])
        for agent in state["agents"]:
            agent["rounds"] = [entry for entry in agent["rounds"] if entry["round"] <= number]
        assert inspected(state) == outcome


# -- random tables ---------------------------------------------------------------------


def test_ten_thousand_random_tables_vote_and_are_inspected_as_the_slow_reading_says() -> None:
    random = Random(20261108)
    votes: Counter[str] = Counter()
    inspections: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for _ in range(10_000):
        state = random_state(random)
        votes[check_vote(state)] += 1
        kinds.update(expected_vote(state).get("kinds", ()))
        found = inspected(state)
        assert found == expected_inspection(state)
        inspections[found] += 1
    # Every way to end was met often enough to mean something.
    assert set(votes) == {"DECIDED", "ESCALATE", "RE-PROMPT", "too few"}
    assert min(votes.values()) > 300
    assert set(kinds) == {
        "tie", "low_share", "opposing_tens", "value_dissent", "not_unanimous"
    }  # fmt: skip
    assert min(kinds.values()) > 50
    assert len(inspections) == 5
    assert min(inspections.values()) > 50


@given(st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_a_random_table_votes_as_the_slow_reading_says(random: Random) -> None:
    check_vote(random_state(random))


@given(st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_the_order_of_the_souls_changes_no_outcome(random: Random) -> None:
    state = random_state(random)
    turned = deepcopy(state)
    turned["agents"].reverse()
    first, second = counted(state), counted(turned)
    assert (first is None) == (second is None)
    if first is not None and second is not None:
        assert (first.outcome, first.winner, first.tally) == (
            second.outcome,
            second.winner,
            second.tally,
        )
        assert {r.kind for r in first.reasons} == {r.kind for r in second.reasons}
