"""Rows for a width and a height."""

from __future__ import annotations

import pytest

from keystone_roundtable.core import commands as cmd
from keystone_roundtable.core.records import Question, Suggestion
from keystone_roundtable.core.session import Session, Turn
from keystone_roundtable.terminal.screens import (
    MAX_TEXT_WIDTH,
    Row,
    bar_rows,
    fit,
    question_blocks,
    said_rows,
)
from keystone_roundtable.terminal.wrapping import width_of

QUESTION = Question(
    id="Q1",
    template="cost",
    slot="cost",
    lead="“เราควรลบฐานข้อมูลลูกค้าเก่าหรือเก็บถาวรไว้ดี 我们应该删除旧的客户数据库”",
    text="If this path is wrong, what is the most expensive cost that you can think of today?",
    stakes="It decides how careful the first step has to be, and who must be asked before it.",
    suggestions=(
        Suggestion(text="delete the old customer database of the northern region"),
        Suggestion(text="archive it", recommended=True),
    ),
)
SESSION = Session(turns=(Turn(QUESTION, "k1"),))
COMMANDS = ["/help", "/why", "/back", "/skip", "/note", "/stop", "/defer", "/quit", "Enter sends"]


def text_of(rows: list[Row]) -> list[str]:
    return ["".join(text for _, text in row) for row in rows]


def question(columns: int, rows: int = 100) -> list[str]:
    blocks = question_blocks(SESSION, cmd.AwaitAnswer(QUESTION, "k1"), columns)
    return text_of(fit(blocks, rows))


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_no_row_is_wider_than_the_screen(columns: int) -> None:
    assert all(width_of(row) <= columns for row in question(columns))


def test_lines_stay_readable_on_a_wide_screen() -> None:
    assert all(width_of(row) <= MAX_TEXT_WIDTH for row in question(300))


def test_suggestions_stand_by_number_and_one_is_recommended() -> None:
    rows = question(100)
    assert "  1  delete the old customer database of the northern region" in rows
    assert "  2  archive it (recommended)" in rows


def test_a_wrapped_suggestion_stands_beside_its_number() -> None:
    rows = question(40)
    first = next(number for number, row in enumerate(rows) if row.startswith("  1  delete"))
    assert rows[first + 1].startswith("     ")
    assert rows[first + 1].strip()


@pytest.mark.parametrize("rows", range(1, 30))
def test_what_is_shown_never_takes_more_rows_than_there_are(rows: int) -> None:
    assert len(question(40, rows)) <= rows


def test_heading_question_and_suggestions_go_last() -> None:
    rows = question(80, 6)
    assert rows[0].startswith("Question 1 of at least 3")
    assert any("what is the most expensive cost" in row for row in rows)
    assert any("archive it" in row for row in rows)
    assert not any("At stake" in row for row in rows)


def test_a_clarification_stands_above_the_question() -> None:
    asked = cmd.AwaitAnswer(QUESTION, "k2", clarification="It asks what you would pay.")
    rows = text_of(fit(question_blocks(SESSION, asked, 80), 100))
    assert rows.index("It asks what you would pay.") < next(
        number for number, row in enumerate(rows) if "most expensive cost" in row
    )


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_the_bar_fills_whole_rows_and_no_more(columns: int) -> None:
    rows = text_of(bar_rows("One more non-answer and I conclude.", COMMANDS, columns))
    assert all(width_of(row) == columns for row in rows)


def test_the_bar_names_every_command_at_40_columns() -> None:
    shown = " ".join(text_of(bar_rows("", COMMANDS, 40)))
    assert all(name in shown for name in COMMANDS)


def test_commands_and_keys_get_a_row_each_where_one_is_too_short() -> None:
    commands, keys = text_of(bar_rows("", [*COMMANDS, "Alt-Enter: new line"], 80))
    assert commands.strip() == " ".join(COMMANDS[:-1])
    assert keys.strip() == "Enter sends · Alt-Enter: new line"


def test_everything_is_on_one_row_where_there_is_room() -> None:
    assert len(bar_rows("", [*COMMANDS, "Alt-Enter: new line"], 200)) == 1


def test_the_breaker_comes_before_everything_else_on_the_bar() -> None:
    rows = text_of(bar_rows("One more non-answer and I conclude.", COMMANDS, 60))
    assert "One more non-answer and I conclude." in rows[0]


def test_a_long_answer_is_recorded_in_a_few_rows() -> None:
    answer = "\n".join(f"line {number}" for number in range(2000))
    rows = text_of(said_rows("Q1", QUESTION.text, answer, 80))
    assert len(rows) < 12
    assert "… 1,994 more lines" in rows[-1]
