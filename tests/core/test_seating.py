"""What is kept of seats: shapes that load again, and who is left to be asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, ValidationError

from keystone_roundtable.core.errors import UnsupportedSchemaError
from keystone_roundtable.core.seating import Absence, Receipt, Reply, Seat, seats_to_ask

GOLDEN = Path(__file__).parents[1] / "golden" / "seating.json"


class Vote(BaseModel):
    vote: Literal["a", "b"]


SHAPES: dict[str, type[BaseModel]] = {
    "seat": Seat,
    "receipt": Receipt,
    "reply": Reply[Vote],
    "absence": Absence,
}


@pytest.mark.parametrize("name", SHAPES)
def test_what_was_written_loads_and_says_the_same_when_written_again(name: str) -> None:
    written = json.loads(GOLDEN.read_text(encoding="utf-8"))[name]
    record = SHAPES[name].model_validate_json(json.dumps(written))
    again = json.loads(record.model_dump_json())
    assert {key: again[key] for key in written} == written


@pytest.mark.parametrize("name", SHAPES)
def test_a_newer_record_is_refused_in_words(name: str) -> None:
    written = json.loads(GOLDEN.read_text(encoding="utf-8"))[name]
    with pytest.raises(UnsupportedSchemaError, match="version 99"):
        SHAPES[name].model_validate_json(json.dumps({**written, "schema_version": 99}))


def test_a_reply_keeps_its_value_whatever_its_shape() -> None:
    reply: Reply[Vote] = Reply(seat="sre", round="vote", value=Vote(vote="b"))
    assert Reply[Vote].model_validate_json(reply.model_dump_json()).value == Vote(vote="b")


@pytest.mark.parametrize("name", ["", " ", "\u200b", "two\nlines", "re\x1b[31md", "x" * 81, " a"])
def test_a_name_that_would_spoil_a_table_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        Seat(name=name, engine="offline")


def test_a_rerun_asks_who_has_no_turn_yet_or_had_no_budget() -> None:
    seats = [Seat(name=name, engine="offline") for name in ("a", "b", "c", "d")]
    turns = [
        Reply(seat="a", round="open", value=Vote(vote="a")),
        Absence(seat="b", round="open", reason="timeout"),
        Absence(seat="c", round="open", reason="over_budget"),
        Reply(seat="d", round="vote", value=Vote(vote="a")),
    ]
    assert [seat.name for seat in seats_to_ask(seats, turns, "open")] == ["c", "d"]
