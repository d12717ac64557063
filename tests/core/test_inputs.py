"""What a line typed at a prompt gives."""

from __future__ import annotations

import pytest

from keystone_roundtable.core.errors import UsageError
from keystone_roundtable.core.inputs import (
    COMMANDS,
    AddNote,
    Back,
    Defer,
    Explain,
    Help,
    Input,
    Pause,
    Said,
    SetMode,
    Skip,
    Stop,
    parse_input,
)

SIMPLE: dict[str, Input] = {
    "/help": Help(),
    "/why": Explain(),
    "/mode": SetMode(None),
    "/back": Back(),
    "/skip": Skip(),
    "/stop": Stop(),
    "/defer": Defer(),
    "/quit": Pause("quit"),
}


@pytest.mark.parametrize(("text", "given"), SIMPLE.items())
def test_a_command_alone_is_taken_whatever_its_case_and_spacing(text: str, given: Input) -> None:
    assert parse_input(text) == given
    assert parse_input(f"  {text.upper()}\n") == given


def test_every_command_is_known_with_what_it_does() -> None:
    assert set(COMMANDS) == {*SIMPLE, "/note"}
    assert all(COMMANDS.values())


@pytest.mark.parametrize(
    "text",
    [
        "/etc/hosts is shared",
        "/stopping is not an option",
        "/unknown",
        "/stop the old service first",
        "/back to basics",
        "we use /stop as a route",
        "stop",
        "/",
        "",
        "   ",
        "no",
    ],
)
def test_anything_else_is_what_was_said(text: str) -> None:
    assert parse_input(text) == Said(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("/sotp", "/stop"),
        ("/STPO", "/stop"),
        ("/exit", "/quit"),
        ("/q", "/quit"),
        ("/end", "/stop"),
        ("/later", "/defer"),
        ("/notes", "/note"),
    ],
)
def test_a_lone_word_that_is_nearly_a_command_is_no_answer(text: str, meant: str) -> None:
    with pytest.raises(UsageError, match=f"did you mean {meant}"):
        parse_input(f" {text}\n")


@pytest.mark.parametrize("text", ["/sotp the old service", "/exit/door", "/home", "/etc", "exit"])
def test_other_words_with_a_slash_stay_answers(text: str) -> None:
    assert parse_input(text) == Said(text)


def test_what_was_said_keeps_its_spacing() -> None:
    assert parse_input("  two\n lines ") == Said("  two\n lines ")


@pytest.mark.parametrize("text", ["/note It ships in March.", "/NOTE\tIt ships in March. ",
                                  "/note\nIt ships in March."])  # fmt: skip
def test_a_note_keeps_its_fact(text: str) -> None:
    assert parse_input(text) == AddNote("It ships in March.")


@pytest.mark.parametrize("text", ["/note", "/note   "])
def test_a_note_without_a_fact_says_what_it_needs(text: str) -> None:
    with pytest.raises(UsageError, match="/note TEXT"):
        parse_input(text)


@pytest.mark.parametrize("mode", ["brainstorm", "align", "challenge"])
def test_a_mode_is_named_after_its_command(mode: str) -> None:
    assert parse_input(f"/mode {mode}") == SetMode(mode)  # type: ignore[arg-type]
    assert parse_input(f"/mode  {mode.title()}") == SetMode(mode)  # type: ignore[arg-type]


def test_an_unknown_mode_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="brainstorm, align, challenge"):
        parse_input("/mode debate")


def test_what_an_agent_puts_in_stays_marked_as_its_own() -> None:
    assert parse_input("Postgres", "agent") == Said("Postgres", "agent")
    assert parse_input("/skip", "agent") == Skip("agent")
    assert parse_input("/note a fact", "agent") == AddNote("a fact", "agent")
