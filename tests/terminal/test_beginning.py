"""Before there is a session: the topic is asked for, or an open session chosen."""

from __future__ import annotations

import pytest

from keystone_roundtable.terminal.prompt_partner import PromptPartner

from .conftest import ALT_ENTER, CTRL_C, DOWN, ENTER, Terminal, pasted

SESSIONS = [
    ("20261130-aaaa", "2026-11-30T08:15:00", "Should we \x1b[31mbuild\x1b[0m it?"),
    ("20261129-bbbb", "2026-11-29T18:00:00", "Redis or Postgres?"),
]


def partner(terminal: Terminal) -> PromptPartner:
    return PromptPartner(terminal.keys, terminal.output)


def test_the_topic_is_asked_for_with_an_example_and_a_hint(terminal: Terminal) -> None:
    terminal.type("Redis or Postgres?", ENTER)
    assert partner(terminal).ask_topic() == "Redis or Postgres?"
    assert "What are you stuck on?" in terminal.text
    assert "For example:" in terminal.text
    assert "A whole paragraph is fine." in terminal.text


def test_the_topic_may_be_a_paragraph(terminal: Terminal) -> None:
    terminal.type(pasted("We have two shops.\nWhich one first?"), ALT_ENTER, "Soon.", ENTER)
    assert partner(terminal).ask_topic() == "We have two shops.\nWhich one first?\nSoon."


@pytest.mark.parametrize(
    ("typed", "said"), [("", "Type the decision"), ("/help", "Commands come later")]
)
def test_no_topic_is_no_topic(terminal: Terminal, typed: str, said: str) -> None:
    terminal.type(typed, ENTER)
    terminal.when(said, CTRL_C)
    with pytest.raises(KeyboardInterrupt):
        partner(terminal).ask_topic()


def test_a_session_is_chosen_with_the_arrow_keys(terminal: Terminal) -> None:
    terminal.type(DOWN, ENTER)
    assert partner(terminal).choose_session(SESSIONS) == "20261129-bbbb"
    assert "2026-11-29 18:00  Redis or Postgres?" in terminal.text


def test_the_latest_session_stands_first(terminal: Terminal) -> None:
    terminal.type(ENTER)
    assert partner(terminal).choose_session(SESSIONS) == "20261130-aaaa"
    assert "Should we build it?" in terminal.text


def test_the_choice_can_be_left(terminal: Terminal) -> None:
    terminal.type(CTRL_C)
    with pytest.raises(KeyboardInterrupt):
        partner(terminal).choose_session(SESSIONS)
