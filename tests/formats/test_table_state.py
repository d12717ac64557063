"""Which states are read, and what is said of the others."""

from __future__ import annotations

from typing import Any

import pytest

from keystone_roundtable.formats.errors import TableStateError
from keystone_roundtable.formats.table_state import read_state

from .states import rounds, soul, table

SOULS = [soul("a"), soul("b"), soul("c")]


def test_what_is_not_needed_may_be_missing_or_more() -> None:
    bare = [{"name": name} for name in "abc"]
    state = read_state({"options": ["keep", "split"], "agents": bare, "minute": "m.md"})
    assert (state.aggregator, state.values) == ("weighted", ("honesty", "safety", "consent"))
    assert [agent.final for agent in state.agents] == [None] * 3


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"options": None}, "options: is null"),
        ({"options": "keep"}, "options: is a text"),
        ({"options": ["keep"]}, "options: 1 given"),
        ({"options": ["keep", 3]}, "options[1]: is a number"),
        ({"options": ["keep", " \u200b"]}, "options[1]: is blank"),
        ({"options": ["keep", "split", "keep"]}, "options[2]: 'keep' stands in options[0]"),
        ({"options": ["keep", "ke\x1b[31mep"]}, "options[1]: 'keep' stands in options[0]"),
        ({"options": ["keep", "ESCALATE"]}, "options[1]: no option may be called ESCALATE"),
        ({"aggregator": "loudest"}, "aggregator: 'loudest' is none"),
        ({"aggregator": 3}, "aggregator: is a number"),
        ({"values_keywords": "safety"}, "values_keywords: is a text"),
        ({"values_keywords": [1]}, "values_keywords[0]: is a number"),
        ({"question": []}, "question: is a list"),
        ({"agents": {}}, "agents: is an object"),
        ({"agents": ["a"]}, "agents[0]: is a text"),
        ({"agents": [*SOULS, soul("a")]}, "agents[3].name: 'a' stands in agents[0]"),
        ({"agents": [*SOULS, soul(" ")]}, "agents[3].name: must be a text"),
        ({"agents": [*SOULS, {"soul": "x"}]}, "agents[3].name: must be a text"),
        ({"agents": [soul("a", rounds={})]}, "agents[0].rounds: is an object"),
        ({"agents": [soul("a", rounds=[3])]}, "agents[0].rounds[0]: is a number"),
        ({"agents": [soul("a", rounds=[{"round": 5}])]}, "agents[0].rounds[0].round: must be"),
        ({"agents": [soul("a", rounds=[{}])]}, "agents[0].rounds[0].round: must be"),
        (
            {"agents": [soul("a", rounds=[*rounds(("keep", 3)), *rounds(("keep", 3))])]},
            "agents[0].rounds[1].round: '1' stands",
        ),
        (
            {"agents": [soul("a", rounds=[{"round": 1, "position": 3}])]},
            "agents[0].rounds[0].position: is a number",
        ),
        ({"agents": [soul("a", final="split")]}, "agents[0].final: is a text"),
        ({"agents": [soul("a", says=3)]}, "agents[0].final.rationale: is a number"),
        ({"agents": [soul("a", note=[])]}, "agents[0].dissent_note: is a list"),
        ({"agents": [soul("a", empty=True)]}, "agents[0].empty: is true or false"),
    ],
)
def test_an_error_names_the_field(change: dict[str, Any], field: str) -> None:
    with pytest.raises(TableStateError) as caught:
        read_state(table(*SOULS) | change)
    assert str(caught.value).startswith(field)


@pytest.mark.parametrize("missing", ["options", "agents"])
def test_what_is_needed_must_be_there(missing: str) -> None:
    state = table(*SOULS)
    del state[missing]
    with pytest.raises(TableStateError, match=f"{missing}: is missing"):
        read_state(state)


@pytest.mark.parametrize("value", [None, [], "x", 3])
def test_a_state_is_an_object(value: object) -> None:
    with pytest.raises(TableStateError, match="not an object"):
        read_state(value)
