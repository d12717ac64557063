"""One prompt: the keys."""

from __future__ import annotations

import pytest

from keystone_roundtable.core.inputs import Pause
from keystone_roundtable.terminal.prompting import Screen

from .conftest import (
    ALT_ENTER,
    CTRL_C,
    CTRL_D,
    ENTER,
    ESCAPE,
    NEW_LINE,
    RIGHT,
    UP,
    Terminal,
    pasted,
)

SCREEN = Screen(lambda columns, rows: [[("", "What now?")]], hints=("Enter sends",))


def ask(terminal: Terminal, *keys: str, screen: Screen = SCREEN) -> str | Pause:
    terminal.type(*keys)
    answer: str | Pause = terminal.prompter().ask(screen)
    return answer


def test_enter_sends_what_was_typed(terminal: Terminal) -> None:
    assert ask(terminal, "Postgres", ENTER) == "Postgres"


@pytest.mark.parametrize("key", [ALT_ENTER, NEW_LINE], ids=["Alt-Enter", "Ctrl-J"])
def test_a_new_line_is_started_without_sending(terminal: Terminal, key: str) -> None:
    assert ask(terminal, "one", key, "two", ENTER) == "one\ntwo"


def test_a_paste_of_2000_lines_is_one_answer(terminal: Terminal) -> None:
    page = "\n".join(f"line {number}" for number in range(2000))
    terminal.when("2,000 lines", ENTER)
    assert ask(terminal, pasted(page)) == page


def test_a_paste_with_carriage_returns_is_not_sent_line_by_line(terminal: Terminal) -> None:
    assert ask(terminal, pasted("one\r\ntwo\rthree"), ENTER) == "one\ntwo\nthree"


def test_escapes_in_a_paste_are_dropped(terminal: Terminal) -> None:
    evil = "before\x1b[2J\x1b]0;owned\x07after"
    assert ask(terminal, pasted(evil), ENTER) == "beforeafter"
    assert "owned" not in terminal.raw
    assert "\x1b[2J" not in terminal.raw


@pytest.mark.parametrize(
    ("key", "cause"), [(CTRL_C, "interrupt"), (CTRL_D, "end_of_input")], ids=["Ctrl-C", "Ctrl-D"]
)
def test_leaving_pauses_and_keeps_the_draft(terminal: Terminal, key: str, cause: str) -> None:
    paused = ask(terminal, "half an ans", key)
    assert isinstance(paused, Pause)
    assert (paused.cause, paused.draft) == (cause, "half an ans")


def test_a_closed_terminal_pauses_and_keeps_the_draft(terminal: Terminal) -> None:
    terminal.type("half")
    terminal.hang_up()
    paused = terminal.prompter().ask(SCREEN)
    assert paused == Pause("end_of_input", "half")


def test_escape_alone_does_nothing(terminal: Terminal) -> None:
    unused_key = "\x1b[24~"  # F12 ends the wait for what an escape may begin
    assert ask(terminal, "text", ESCAPE, unused_key, " more", ENTER) == "text more"


def test_a_draft_stands_there_to_be_changed(terminal: Terminal) -> None:
    screen = Screen(SCREEN.head, draft="earlier words")
    assert ask(terminal, "!", ENTER, screen=screen) == "earlier words!"


def test_what_is_refused_can_be_changed(terminal: Terminal) -> None:
    screen = Screen(SCREEN.head, check=lambda text: "" if "!" in text else "Louder, please.")
    terminal.when("Louder, please.", "!", ENTER)
    assert ask(terminal, "no", ENTER, screen=screen) == "no!"


def test_earlier_answers_are_offered_again(terminal: Terminal) -> None:
    prompter = terminal.prompter()
    terminal.type("the hospital", ENTER)
    prompter.ask(SCREEN)
    terminal.type(UP, " and the clinic", ENTER)
    assert prompter.ask(SCREEN) == "the hospital and the clinic"


def test_an_earlier_answer_is_suggested_while_typing(terminal: Terminal) -> None:
    prompter = terminal.prompter()
    terminal.type("the hospital", ENTER)
    prompter.ask(SCREEN)
    terminal.type("the h")
    terminal.when("ospital", RIGHT, "!", ENTER)
    assert prompter.ask(SCREEN) == "the hospital!"


def test_commands_are_no_history(terminal: Terminal) -> None:
    prompter = terminal.prompter()
    terminal.type("/why", ENTER)
    prompter.ask(SCREEN)
    assert prompter.history.get_strings() == []


@pytest.mark.parametrize(
    ("typed", "offered", "completed"),
    [
        ("/wh", "what this question is for", "/why"),
        ("/mode ch", "test a direction for risks", "/mode challenge"),
    ],
)
def test_commands_are_completed(
    terminal: Terminal, typed: str, offered: str, completed: str
) -> None:
    terminal.when(offered, "\t", ENTER)
    assert ask(terminal, typed, screen=Screen(SCREEN.head, commands=("/why", "/mode"))) == completed


def test_the_terminal_is_never_asked_where_its_cursor_is(terminal: Terminal) -> None:
    """A terminal that does not answer would hold up every prompt for a second."""
    ask(terminal, "x", ENTER)
    assert "\x1b[6n" not in terminal.raw
