"""Events written by earlier versions still load, one line for each type."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from keystone_roundtable.core import events as ev

LINES = (Path(__file__).with_name("events.jsonl")).read_text(encoding="utf-8").splitlines()


def keeps(new: Any, old: Any) -> bool:
    """Whether `new` says all that `old` says; fields that came later may stand beside it."""
    if isinstance(old, dict):
        return isinstance(new, dict) and all(
            key in new and keeps(new[key], value) for key, value in old.items()
        )
    if isinstance(old, list):
        return len(new) == len(old) and all(map(keeps, new, old))
    return bool(new == old)


@pytest.mark.parametrize("line", LINES, ids=[json.loads(line)["type"] for line in LINES])
def test_a_written_event_loads_and_says_the_same_when_written_again(line: str) -> None:
    event = ev.EVENT.validate_json(line)
    written = event.model_dump_json()
    assert keeps(json.loads(written), json.loads(line))
    assert ev.EVENT.validate_json(written) == event


def test_every_event_type_has_its_line() -> None:
    kinds = get_args(get_args(ev.Event)[0])
    written = [json.loads(line)["type"] for line in LINES]
    assert sorted(written) == sorted(kind.model_fields["type"].default for kind in kinds)


def test_every_field_of_an_event_stands_in_its_line() -> None:
    """A line says something of every field, so that a renamed one cannot go unnoticed."""
    for line in LINES:
        assert set(ev.EVENT.validate_json(line).model_dump()) == set(json.loads(line))


@pytest.mark.parametrize("line", LINES, ids=[json.loads(line)["type"] for line in LINES])
def test_an_unknown_field_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="surplus"):
        ev.EVENT.validate_python({**json.loads(line), "surplus": 1})
