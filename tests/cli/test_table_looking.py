"""`table list` and `table show`, and what other commands make of a table's id."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keystone_roundtable.cli.saying import say_wrapped
from keystone_roundtable.terminal.table_lines import STAKES

Call = Callable[..., Any]
QUESTION = "Should we keep the service or split it?"


@pytest.fixture
def tables(call: Call, table_typed: Call) -> tuple[str, str]:
    """One that was held, and one that was left at its consent."""
    held = call("table", QUESTION, "--yes", "--json").object["table"]
    left, _ = table_typed("Buy it or build it?", "--json", lines=["", "", "n"])
    return held, left.object["table"]


def test_tables_are_listed_with_date_status_and_minute(
    call: Call, tables: tuple[str, str], project: Path
) -> None:
    (project / ".keystone/roundtable/tables/20200101-abcd").mkdir()
    told = {one["table"]: one for one in call("table", "list", "--json").object["tables"]}
    held, left = (told[one] for one in tables)
    assert (held["status"], held["question"]) == ("rehearsal", QUESTION)
    assert Path(held["minute"]).is_file()
    assert held["date"] == Path(held["minute"]).name[:10]
    assert (left["status"], left["minute"]) == ("paused", None)
    assert told["20200101-abcd"]["status"] == "unreadable"
    shown = call("table", "list").out
    assert all(part in shown for part in (*tables, QUESTION, held["minute"]))


def test_a_table_is_shown_by_its_minute(call: Call, tables: tuple[str, str]) -> None:
    held, left = tables
    assert call("table", "show", held).out.startswith(f"# {QUESTION}\n")
    assert call("table", "show", held[:12], "--json").object["table"] == held
    shown = call("table", "show").out
    assert "Buy it or build it?" in shown and f"table resume {left}" in shown
    assert "there is no table" in call("table", "show", "20200101-abcd").one_line
    minute = Path(call("table", "show", held, "--json").object["paths"]["minute"])
    minute.unlink()
    assert f"no longer there: {minute}" in call("table", "show", held).out


def test_where_no_table_was_held_that_is_said(call: Call) -> None:
    ran = call("table", "list")
    assert (ran.status, "No table was held here" in ran.out) == (0, True)
    assert call("table", "list", "--json").object == {"tables": []}
    assert "no table was held here" in call("table", "show").one_line


def test_a_rehearsal_is_no_decision(call: Call, tables: tuple[str, str]) -> None:
    held, left = tables
    for words in (("outcome", held, "held"), ("export", held), ("decisions", "link", held,
                  "refines", held)):  # fmt: skip
        ran = call(*words)
        assert ran.status == 2
        assert f"table {held} was a rehearsal: no model was consulted" in ran.one_line
        assert 'keystone-roundtable table "QUESTION" --model SPEC' in ran.one_line
    assert "Nothing was decided here yet" in call("decisions").out
    assert "No decision matches" in call("decisions", "service").out
    assert call("export", "--log").out.count("|\n") == 2  # its head alone
    ran = call("outcome", left, "held")
    assert f"table {left} is paused: nothing is decided in it yet" in ran.one_line
    assert f"keystone-roundtable table resume {left}" in ran.one_line


def test_show_shows_what_table_show_does(call: Call, tables: tuple[str, str]) -> None:
    held, left = tables
    assert call("show", held).out == call("table", "show", held).out
    assert call("show", left).out == call("table", "show", left).out
    shown = call("show", held, "--json").object
    assert shown.items() >= call("table", "show", held, "--json").object.items()
    assert shown["superseded_by"] is None
    assert "no internal preview" in call("show", held, "--internal").one_line


def test_on_a_narrow_screen_words_stay_whole_and_indents_stay(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("keystone_roundtable.cli.saying.columns_of", lambda out: 40)
    say_wrapped(f"  {STAKES}")
    rows = capsys.readouterr().err.splitlines()
    assert all(len(row) < 40 and row.startswith("  ") for row in rows)
    assert " ".join(row.strip() for row in rows) == STAKES
