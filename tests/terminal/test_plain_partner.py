"""The plain loop: lines out, lines in."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from keystone_roundtable.cli.moderators import offline_services
from keystone_roundtable.cli.wiring import Project, new_session_id
from keystone_roundtable.core.errors import ModelFailureError
from keystone_roundtable.core.fold import replay
from keystone_roundtable.core.recovery import GiveUp, Leave, Recovery, TryAgain, UseModel
from keystone_roundtable.core.session import Session
from keystone_roundtable.core.status import Status
from keystone_roundtable.runtime.conversation import converse
from keystone_roundtable.runtime.engine import Engine
from keystone_roundtable.runtime.services import Beginning
from keystone_roundtable.terminal.plain_partner import PlainPartner

from .test_conversation import ANSWERS, ELSEWHERE, IRREVERSIBLE, IRREVERSIBLY, TOPIC


def reader(*typed: str) -> Callable[[], str]:
    """Reads `typed` line by line, then the end of input."""
    rest = iter(typed)

    def read() -> str:
        line = next(rest, None)
        if line is None:
            raise EOFError
        return line

    return read


class Plain:
    """A session held line by line."""

    def __init__(self, folder: Path) -> None:
        self.project = Project(folder)
        self.out = io.StringIO()
        self.id = new_session_id()

    @property
    def lines(self) -> list[str]:
        return self.out.getvalue().split("\n")

    def hold(self, topic: str, *typed: str) -> Session:
        with self.project.store.create(self.id) as log:
            engine = Engine(log, offline_services(self.project))
            engine.begin(Beginning(session=self.id, topic=topic, project="test", version="0"))
            converse(engine, offline_services(self.project), PlainPartner(self.out, reader(*typed)))
        return engine.session

    def resume(self, *typed: str) -> Session:
        self.out = io.StringIO()
        session = replay(self.project.store.read(self.id).events)
        with self.project.store.open(self.id) as log:
            engine = Engine(log, offline_services(self.project), session)
            engine.resume()
            converse(engine, offline_services(self.project), PlainPartner(self.out, reader(*typed)))
        return engine.session


@pytest.fixture
def plain(tmp_path: Path) -> Plain:
    return Plain(tmp_path)


def test_everything_is_lines_without_escapes(plain: Plain) -> None:
    session = plain.hold(TOPIC, *ANSWERS, "", "")
    assert "\x1b" not in plain.out.getvalue()
    assert "Question 1 of at least 3" in plain.lines
    assert "## Roundtable Final Report" in plain.lines
    assert session.status is Status.FINISHED


def test_the_end_of_input_pauses(plain: Plain) -> None:
    assert plain.hold(TOPIC).pause_cause == "end_of_input"


def test_a_second_skip_warns_first(plain: Plain) -> None:
    session = plain.hold(TOPIC, "/skip", "/skip")
    assert session.non_answers_in_a_row == 1
    assert any("Type /skip again" in line for line in plain.lines)


@pytest.mark.parametrize("typed", ["/sotp", "exit", " Quit", "q"])
def test_what_looks_like_leaving_is_asked_back_and_no_answer(plain: Plain, typed: str) -> None:
    session = plain.hold(TOPIC, typed, "/quit")
    assert session.pause_cause == "quit"
    assert session.turns[0].answer is None
    assert any("/stop" in line for line in plain.lines)


def test_a_word_of_leaving_is_an_answer_when_it_is_said_again(plain: Plain) -> None:
    session = plain.hold(TOPIC, "exit", "exit")
    answer = session.turns[0].answer
    assert answer is not None and answer.text == "exit"


def test_resuming_says_what_was_said(plain: Plain) -> None:
    plain.hold(TOPIC, ANSWERS[0])
    plain.resume()
    assert plain.lines[0] == "Going on where you left."
    assert any(line.endswith(f"You said: {ANSWERS[0]}") for line in plain.lines)


def test_a_note_without_text_at_the_report_is_asked_again(plain: Plain) -> None:
    session = plain.hold(TOPIC, "/skip", "/skip", "/skip", "/note", "")
    assert session.status is Status.FINISHED


def test_only_what_can_be_done_is_taken_at_the_confirmation(plain: Plain) -> None:
    session = plain.hold(
        IRREVERSIBLE, *IRREVERSIBLY, "", "/defer", "/note x", "delete the old customer database"
    )
    assert session.confirmed
    assert sum("That does nothing here" in line for line in plain.lines) == 2


@pytest.mark.parametrize(("typed", "entered"), [("y", True), ("n", False), ("", False)])
def test_a_topic_that_belongs_elsewhere(plain: Plain, typed: str, entered: bool) -> None:
    assert bool(plain.hold(ELSEWHERE, typed).turns) is entered


def test_a_session_is_chosen_by_number() -> None:
    out = io.StringIO()
    sessions = [("a", "2026-11-30T08:15", "one"), ("b", "2026-11-29T18:00", "two")]
    assert PlainPartner(out, reader("7", "2")).choose_session(sessions) == "b"
    assert "1. 2026-11-30 08:15 one" in out.getvalue()
    assert "Type a number from 1 to 2." in out.getvalue()
    assert PlainPartner(out, reader("")).choose_session(sessions) == "a"


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [
        (("1",), TryAgain()),
        (("2",), UseModel("offline")),
        (("3", "ollama:qwen3"), UseModel("ollama:qwen3")),
        (("4",), Leave()),
        (("", "  ", "0", "9", "two", "2"), UseModel("offline")),
        ((), GiveUp()),
    ],
    ids=["again", "the rules", "another model", "pause", "silence and slips", "the end of input"],
)
def test_what_to_do_without_the_model_is_chosen_by_number_and_never_by_silence(
    typed: tuple[str, ...], chosen: Recovery
) -> None:
    partner = PlainPartner(io.StringIO(), reader(*typed))
    failure = ModelFailureError("no answer", "Try again later", kind="timeout")
    assert partner.model_failed(Session(), failure) == chosen


def test_ctrl_c_at_that_choice_is_an_interrupt() -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    failure = ModelFailureError("no answer", "Try again later", kind="timeout")
    partner = PlainPartner(io.StringIO(), interrupted)
    assert partner.model_failed(Session(), failure) == Leave("interrupt")
