"""Past decisions at a real terminal: a choice before a session, a question after one, lists."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from loopback.session import ANSWERS, TOPIC

from keystone_roundtable.terminal.columns import width_of

from .tmux import REPOSITORY, Tmux

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux"),
]

AGAIN = "Is it time to build the notifications, or do we still wait for the settings refactoring?"
WIDE = "我们应该删除旧的客户数据库，还是把它归档？เราควรลบฐานข้อมูลลูกค้าเก่าหรือเก็บถาวรไว้ดี 👩‍👩‍👧🚀🇩🇪"


def command(folder: Path, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "keystone_roundtable", *words],
        input=stdin, cwd=folder, capture_output=True, encoding="utf-8", timeout=60,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY)},
    )  # fmt: skip


def held(folder: Path, topic: str = TOPIC) -> str:
    stdin = "".join(f"{answer}\n" for answer in ANSWERS)
    ran = command(folder, "run", topic, "--answers", "-", "--json", "--force", stdin=stdin)
    return str(json.loads(ran.stdout)["session"])


def sessions(folder: Path) -> dict[str, dict[str, object]]:
    """The first event of every session."""
    logs = folder.glob(".keystone/roundtable/sessions/*/events.jsonl")
    return {log.parent.name: json.loads(log.read_text("utf-8").split("\n")[0]) for log in logs}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path


@pytest.fixture
def earlier(folder: Path) -> str:
    session = held(folder)
    command(folder, "decisions")
    return session


def test_enter_goes_on_with_the_new_question(folder: Path, earlier: str) -> None:
    with Tmux(["run", AGAIN], folder) as terminal:
        terminal.wait("Something close was here before", "Go on with the new question")
        terminal.press("Enter")
        terminal.wait("Question 1 of at least 3")
    (new,) = set(sessions(folder)) - {earlier}
    assert sessions(folder)[new]["topic"] == AGAIN
    assert sessions(folder)[new]["reopens"] is None


def test_the_earlier_one_can_be_reopened_and_the_new_words_are_kept(
    folder: Path, earlier: str
) -> None:
    with Tmux(["run", AGAIN], folder) as terminal:
        terminal.wait("Reopen the earlier one")
        terminal.press("Down", "Enter")
        terminal.wait("Question 1 of at least 3")
    (new,) = set(sessions(folder)) - {earlier}
    start = sessions(folder)[new]
    assert (start["topic"], start["reopens"]) == (TOPIC, earlier)
    facts = start["facts"]
    assert isinstance(facts, list)
    assert [fact["text"] for fact in facts] == [*ANSWERS, AGAIN]


def test_leaving_the_choice_starts_nothing(folder: Path, earlier: str) -> None:
    with Tmux(["run", AGAIN], folder) as terminal:
        terminal.wait("Reopen the earlier one")
        terminal.press("C-c")
        terminal.wait("[status 130]")
    assert set(sessions(folder)) == {earlier}


@pytest.mark.parametrize("options", [["--plain"], ["--json"]])
def test_without_a_menu_it_is_a_notice(folder: Path, earlier: str, options: list[str]) -> None:
    with Tmux(["run", *options, AGAIN], folder) as terminal:
        terminal.wait("Something close was here before", f"reopen {earlier}", "Question 1 of at")


def test_a_session_held_at_a_terminal_is_remembered(folder: Path) -> None:
    with Tmux(["run", TOPIC], folder, rows=50) as terminal:
        for number, answer in enumerate(ANSWERS, 1):
            terminal.wait(f"Question {number}", "Enter sends")
            terminal.answer(answer)
        terminal.wait("Enter accepts")
        terminal.press("Enter")
        terminal.wait("[status 0]")
    with Tmux(["run", AGAIN], folder) as terminal:
        terminal.wait("Something close was here before")


def test_show_asks_how_an_old_decision_turned_out(folder: Path) -> None:
    session = held(folder)
    log = folder / ".keystone/roundtable/sessions" / session / "events.jsonl"
    log.write_text(log.read_text("utf-8").replace('"at": "20', '"at": "19'), "utf-8")
    for typed, told, status in (("", "Nothing is kept", 0), ("held", "Kept with", 0)):
        with Tmux(["show", session], folder, rows=60) as terminal:
            terminal.wait("How did it turn out?")
            terminal.answer(typed)
            terminal.wait(told, f"[status {status}]")
    with Tmux(["show", session], folder, rows=60) as terminal:
        terminal.wait("Outcome: held", "[status 0]")
        assert "How did it turn out?" not in terminal.screen()


def test_leaving_that_question_keeps_nothing(folder: Path) -> None:
    session = held(folder)
    log = folder / ".keystone/roundtable/sessions" / session / "events.jsonl"
    log.write_text(log.read_text("utf-8").replace('"at": "20', '"at": "19'), "utf-8")
    with Tmux(["show", session], folder, rows=60) as terminal:
        terminal.wait("How did it turn out?")
        terminal.press("C-c")
        terminal.wait("[status 0]")
    assert not (log.parent / "outcomes.jsonl").exists()


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_a_list_fits_any_screen_in_any_script(folder: Path, columns: int) -> None:
    wide, usual = held(folder, WIDE), held(folder)
    for words, expected in ((["list"], [usual, wide]), (["decisions"], [usual])):
        with Tmux(words, folder, columns=columns) as terminal:
            screen = terminal.wait("[status 0]")
        rows = [row.rstrip() for row in screen.split("\n") if row.strip()][:-1]
        assert [row.split()[0] for row in rows if row.startswith("20")] == expected
        # No row was broken by the terminal: each is an id's or belongs to the one above it.
        assert all(row.startswith(("20", "    ")) for row in rows)
        assert all(width_of(row) <= columns for row in rows)
        assert "Should we build" in screen
        assert words == ["decisions"] or "我们应该删除" in screen
        assert columns == 200 or "…" in screen
