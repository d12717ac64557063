"""A person at a real terminal: tmux draws the screen, and the screen is read."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from pathlib import Path

import pytest

from .tmux import Tmux

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux"),
]

TOPIC = "Should we build the notification system now or defer it until after the settings refactor?"
IRREVERSIBLE = "Should we delete the old customer database or archive it?"
THAI = "เราควรลบฐานข้อมูลลูกค้าเก่าหรือเก็บถาวรไว้ดี"
CHINESE = "我们应该删除旧的客户数据库，还是把它归档？"
FIRST = "Question 1 of at least 3"
ANSWER = "A pilot customer gets told when an import fails, without calling us"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project of its own, so that nothing is looked for above it."""
    (tmp_path / ".git").mkdir()
    return tmp_path


def run(folder: Path, topic: str = TOPIC, *options: str, **settings: int) -> Tmux:
    return Tmux(["run", *options, topic], folder, **settings)


def events(folder: Path) -> list[dict[str, object]]:
    log = next(folder.glob(".keystone/roundtable/sessions/*/events.jsonl"))
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


def paused_id(screen: str) -> str:
    found = re.search(r"resume (\S+)", screen.replace("\n", ""))
    assert found, screen
    return found[1][: len("20261130-00000000")]


# -- a question ------------------------------------------------------------------------


def test_heading_question_and_bottom_line(folder: Path) -> None:
    with run(folder) as terminal:
        screen = terminal.wait(FIRST, "/quit", "Enter sends")
        rows = [row for row in screen.split("\n") if row.strip()]
        heading = next(number for number, row in enumerate(rows) if row.startswith(FIRST))
        assert "At stake:" in "".join(rows[heading:])
        assert "/help /why /mode /skip /note /stop /defer /quit" in "".join(rows[-2:])


def test_the_question_is_bold_and_the_bottom_line_reversed(folder: Path) -> None:
    with run(folder) as terminal:
        terminal.wait(FIRST, "Enter sends")
        coloured = terminal.screen(colours=True)
        assert re.search(r"\x1b\[[0-9;]*1m[^\n]*What is the single outcome", coloured)
        assert re.search(r"\x1b\[[0-9;]*7m[^\n]*\n?[^\n]*/help", coloured)


def test_no_color_keeps_bold_and_loses_colour(folder: Path) -> None:
    terminal = Tmux(["run", TOPIC], folder, environment={"NO_COLOR": "1"})
    with terminal:
        terminal.wait(FIRST, "Enter sends")
        coloured = terminal.screen(colours=True)
        assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", coloured)
        assert re.search(r"\x1b\[(0;)?1m", coloured)


def test_the_breaker_is_announced_on_the_bottom_line(folder: Path) -> None:
    with run(folder) as terminal:
        terminal.wait(FIRST)
        terminal.answer("/skip")
        screen = terminal.wait("Question 2", "One more non-answer and I conclude.")
        assert screen.index("Question 2") < screen.index("One more non-answer")


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_words_stay_whole_at_every_width(folder: Path, columns: int) -> None:
    with run(folder, columns=columns, rows=50) as terminal:
        screen = terminal.wait_until(
            lambda s: FIRST in " ".join(s.split()) and "/help" in s, "the first question"
        )
        assert "the single outcome this round must produce?" in " ".join(screen.split())


def test_a_resize_draws_the_question_once_and_whole(folder: Path) -> None:
    with run(folder) as terminal:
        terminal.wait(FIRST, "Enter sends")
        terminal.type("a draft that is longer than forty columns are wide")
        terminal.wait("are wide")
        for columns, rows in ((40, 40), (120, 40), (50, 30), (80, 24)):
            terminal.resize(columns, rows)
            screen = terminal.wait_until(
                lambda s, width=columns: (
                    s.count(FIRST) == 1
                    and "are wide" in " ".join(s.split())
                    and any(len(line.rstrip()) <= width for line in s.split("\n"))
                    and "/help" in s
                ),
                f"one question at {columns} columns",
            )
            assert screen.count("At stake") == 1, screen


def test_an_answer_survives_a_resize(folder: Path) -> None:
    with run(folder) as terminal:
        terminal.wait(FIRST)
        terminal.type("first half, ")
        terminal.wait("first half,")
        terminal.resize(40, 30)
        terminal.answer("second half")
        terminal.wait("Question 2")
    given = [event for event in events(folder) if event["type"] == "answer_given"]
    assert given[0]["answer"]["text"] == "first half, second half"  # type: ignore[index]


def test_a_paste_of_2000_lines_is_one_answer(folder: Path) -> None:
    page = "\n".join(f"Reason number {number} is that mails get lost" for number in range(2000))
    with run(folder) as terminal:
        terminal.wait(FIRST)
        terminal.paste(page)
        screen = terminal.wait("2,000 lines", "Reason number 1999")
        assert FIRST in screen
        terminal.press("Enter")
        terminal.wait("more lines", "Question 2")
    given = [event for event in events(folder) if event["type"] == "answer_given"]
    assert [answer["answer"]["text"] for answer in given] == [page]  # type: ignore[index]


def test_pasted_escapes_change_nothing_on_the_screen(folder: Path) -> None:
    with run(folder) as terminal:
        terminal.wait(FIRST)
        terminal.paste("see \x1b[2J\x1b]0;owned\x07this")
        assert FIRST in terminal.wait("see this")


def test_escape_alone_does_nothing(folder: Path) -> None:
    with run(folder) as terminal:
        terminal.wait(FIRST)
        terminal.type("some")
        terminal.wait("› some")
        terminal.press("Escape")
        terminal.press("F12")
        terminal.type("thing")
        terminal.wait("› something", FIRST)


def test_commands_are_listed_and_completed(folder: Path) -> None:
    with run(folder) as terminal:
        terminal.wait(FIRST)
        terminal.type("/")
        terminal.wait("/defer  decide another day", FIRST)
        terminal.type("w")
        terminal.wait("what this question is for", gone="decide another day")
        terminal.press("Tab")
        terminal.wait("› /why")


# -- leaving and going on --------------------------------------------------------------


def test_ctrl_c_keeps_the_draft_and_resume_shows_it(folder: Path) -> None:
    with run(folder) as terminal:
        terminal.wait(FIRST)
        terminal.answer(ANSWER)
        terminal.wait("Question 2")
        terminal.type("half of an ans")
        terminal.wait("› half of an ans")
        terminal.press("C-c")
        screen = terminal.wait("What you were typing is kept.", "resume", "[status 130]")
        session = paused_id(screen)
    with Tmux(["resume", session], folder) as terminal:
        screen = terminal.wait("Going on where you left", "Question 2", "› half of an ans")
        assert "› A pilot customer gets told" in screen
        terminal.answer("wer")
        terminal.wait("half of an answer", "Question 3")


def test_a_second_ctrl_c_does_not_cut_the_pause_off(folder: Path) -> None:
    with run(folder) as terminal:
        terminal.wait(FIRST)
        terminal.press(*["C-c"] * 5)
        screen = terminal.wait("Paused:", "resume", "[status 130]")
        assert "Traceback" not in screen
        assert "keystone-roundtable: " not in screen


def test_what_is_typed_while_it_starts_is_the_first_answer(folder: Path) -> None:
    with run(folder) as terminal:
        terminal.answer(ANSWER)
        terminal.wait("Question 2 of at least 3", f"›  {ANSWER}"[:60])


def test_the_terminal_is_left_as_it_was_found(folder: Path) -> None:
    with Tmux(["run", TOPIC], folder, after="stty -a") as terminal:
        terminal.wait(FIRST)
        terminal.press("C-c")
        settings = terminal.wait("[status 130]", "icanon")
        for name in ("isig", "icanon", "icrnl", "echo"):
            assert re.search(rf"(?<!-)\b{name}\b", settings), settings


@pytest.mark.parametrize(
    ("name", "status"), [("SIGTERM", 130), ("SIGHUP", 130)], ids=["SIGTERM", "SIGHUP"]
)
def test_a_signal_pauses_with_the_draft(folder: Path, name: str, status: int) -> None:
    with run(folder) as terminal:
        terminal.wait(FIRST)
        terminal.type("half")
        terminal.wait("› half")
        os.kill(terminal.process(), getattr(signal, name))
        terminal.wait(f"[status {status}]")
    last = events(folder)[-1]
    assert (last["type"], last["draft"]) == ("paused", "half")


def test_a_closed_terminal_leaves_a_session_to_go_on_with(folder: Path) -> None:
    with run(folder) as terminal:
        terminal.wait(FIRST)
        terminal.answer(ANSWER)
        terminal.wait("Question 2")
    with Tmux(["resume"], folder) as terminal:
        terminal.wait("› A pilot customer gets told", "Question 2")


def test_among_several_sessions_one_is_chosen(folder: Path) -> None:
    for topic in (TOPIC, IRREVERSIBLE):
        with run(folder, topic) as terminal:
            terminal.wait(FIRST)
            terminal.press("C-c")
            terminal.wait("[status 130]")
    with Tmux(["resume"], folder) as terminal:
        terminal.wait("Which session", "Should we delete", "Should we build")
        terminal.press("Down")
        terminal.press("Enter")
        terminal.wait(FIRST, "“Should we build")


# -- the end ---------------------------------------------------------------------------


def test_the_report_is_accepted_and_the_end_says_what_to_type(folder: Path) -> None:
    with run(folder, rows=60) as terminal:
        terminal.wait(FIRST)
        terminal.answer("/skip")
        terminal.wait("Question 2")
        terminal.answer("/skip")
        terminal.wait("Press Enter again")
        terminal.press("Enter")
        terminal.wait("Roundtable Final Report", "Does this report stand?", history=True)
        terminal.press("Enter")
        terminal.wait("report.md", "Next: writing-plan", "keystone-roundtable show", "[status 0]")


# -- other scripts and other terminals -------------------------------------------------


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("topic", [THAI, CHINESE], ids=["Thai", "Chinese"])
def test_other_scripts_stand_whole(folder: Path, topic: str, columns: int) -> None:
    with run(folder, topic, "--force", columns=columns) as terminal:
        screen = terminal.wait(FIRST, "Enter sends")
        assert topic in "".join(screen.split())
        terminal.type(topic)
        terminal.wait_until(lambda s: "".join(s.split()).count(topic) == 2, "what was typed")
        terminal.press("BSpace")
        terminal.wait_until(lambda s: "".join(s.split()).count(topic) == 1, "a letter less")


@pytest.mark.parametrize("columns", [39, 40, 41])
def test_no_thai_mark_is_lost_or_doubled_at_the_end_of_a_row(folder: Path, columns: int) -> None:
    with run(folder, columns=columns) as terminal:
        terminal.wait(FIRST, "/help")
        terminal.type("ที่" * 90)
        terminal.wait_until(lambda s: s.count("ที่") == 90, "ninety whole letters")
        assert "่่" not in terminal.screen()


def test_a_dumb_terminal_gets_lines(folder: Path) -> None:
    with Tmux(["run", TOPIC], folder, environment={"TERM": "dumb"}) as terminal:
        screen = terminal.wait(FIRST, "Your answer:")
        assert "Alt-Enter" not in screen
        terminal.answer(ANSWER)
        terminal.wait("Question 2 of at least 3")
        terminal.press("C-c")
        terminal.wait("resume", "[status 130]")


def test_plain_is_one_line_at_a_time(folder: Path) -> None:
    with run(folder, TOPIC, "--plain") as terminal:
        terminal.wait(FIRST, "Your answer:")
        terminal.answer(ANSWER)
        screen = terminal.wait("Question 2 of at least 3")
        assert f"Your answer: {ANSWER}"[:70] in screen
        assert "\x1b[" not in terminal.screen(colours=True)


def test_with_no_topic_it_asks_for_one(folder: Path) -> None:
    with Tmux([], folder) as terminal:
        terminal.wait("What are you stuck on?", "For example", "A whole paragraph is fine.")
        terminal.type("Redis or Postgres?")
        terminal.press("M-Enter")
        terminal.type("We run both today, and one must go.")
        terminal.press("Enter")
        terminal.wait(FIRST)
    assert events(folder)[0]["topic"] == ("Redis or Postgres?\nWe run both today, and one must go.")
