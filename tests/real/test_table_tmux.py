"""A person at a real terminal who convenes a table."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from loopback.replies import Response
from loopback.server import LoopbackServer
from loopback.table_souls import Play, good, playing_souls

from .tmux import Tmux

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux"),
]

QUESTION = "Should we keep the service or split it?"


def table(folder: Path, *words: str) -> Tmux:
    environment = {"XDG_CONFIG_HOME": str(folder / "config")}
    return Tmux(["table", *words], folder, 110, 60, environment)


def log_of(folder: Path) -> list[str]:
    (log,) = folder.glob(".keystone/roundtable/tables/*/events.jsonl")
    return [json.loads(line)["type"] for line in log.read_text("utf-8").splitlines()]


def test_options_facts_and_consent_are_asked_for_before_anybody_speaks(tmp_path: Path) -> None:
    with table(tmp_path, QUESTION) as screen:
        screen.wait("1. keep the service", "2. split the service", "Enter takes them")
        screen.answer("keep, split, wait")
        screen.wait("One fact a line")
        screen.answer("Two of nine services publish")
        screen.answer("")
        screen.wait("Options: keep, split, wait", "a lens of this program", "Go on? [y/N]")
        assert "soul_answered" not in log_of(tmp_path)
        screen.answer("y")
        screen.wait("Did no new evidence come")
        screen.answer("y")
        shown = screen.wait("[status 0]", history=True)
    assert "Round 2, DEEPEN" in shown
    assert "Round 3" not in shown
    assert "DECISION: keep" in shown
    assert "🪑 Minute: " in shown
    state = json.loads(next((tmp_path / ".keystone/roundtable/tables").glob("*.json")).read_bytes())
    assert state["question_context"] == "Two of nine services publish"


@pytest.mark.parametrize("slip", ["", "what?"])
def test_a_slip_asks_again_and_a_no_convenes_nobody(tmp_path: Path, slip: str) -> None:
    with table(tmp_path, QUESTION, "--options", "keep,split", "--facts", "facts.txt") as screen:
        screen.wait("No such file")
    (tmp_path / "facts.txt").write_text("none", encoding="utf-8")
    with table(tmp_path, QUESTION, "--options", "keep,split", "--facts", "facts.txt") as screen:
        screen.wait("Go on? [y/N]")
        screen.answer(slip)
        screen.wait("y begins, n leaves it for later")
        screen.answer("n")
        screen.wait("No table was held", "Go on with: keystone-roundtable table resume")
        screen.wait("[status 6]")
    assert log_of(tmp_path)[-1] == "table_paused"


@pytest.mark.parametrize(("key", "status"), [("C-c", 130), ("C-d", 6)])
def test_leaving_at_a_question_pauses_and_resume_asks_it_again(
    tmp_path: Path, key: str, status: int
) -> None:
    with table(tmp_path, QUESTION, "--options", "keep,split") as screen:
        screen.wait("One fact a line")
        screen.press(key)
        screen.wait("Go on with: keystone-roundtable table resume", f"[status {status}]")
    with table(tmp_path, "resume") as screen:
        screen.wait("One fact a line")
        screen.answer("")
        screen.wait("Go on? [y/N]")
        screen.answer("y")
        screen.wait("Did no new evidence come")
        screen.answer("")
        screen.wait("Round 3, CONVERGE", "[status 0]", history=True)


def test_a_person_nobody_knows_is_one_line_or_no_seat(tmp_path: Path) -> None:
    with table(
        tmp_path, QUESTION, "--options", "a,b", "--agents", "sre,product-manager,Ada"
    ) as screen:
        screen.wait("No soul called Ada was found")
        screen.answer("asks what happens on the worst day")
        screen.wait("One fact a line")
        screen.answer("")
        screen.wait("a real person, in one line: asks what happens on the worst day")
        screen.press("C-c")
        screen.wait("[status 130]")


def test_a_deadlock_is_put_to_the_person_who_decides_it_or_leaves_it_open(tmp_path: Path) -> None:
    """Four souls, two of whom vote for each option."""
    pytest.importorskip("pydantic_ai", reason="the extra 'openai' is not installed")

    def side(option: str) -> Play:
        return lambda turn: Response(json.dumps(good(turn, option))) if turn.round else None

    plays = {name: side(("keep", "split")[n % 2]) for n, name in enumerate("abcd")}
    people = [word for name in plays for word in ("--person", f"{name}=argues")]
    words = [QUESTION, "--options", "keep,split", "--model", "openai-chat:loopback", "--yes"]
    with LoopbackServer(default=playing_souls(("keep", "split"), plays)) as server:
        environment = {
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
            "OPENAI_BASE_URL": server.url,
        }
        for typed, status, told in (("2", 0, "human_ruling"), ("", 3, "tie")):
            with Tmux(["table", *words, *people], tmp_path, 110, 60, environment) as screen:
                screen.wait("DECISION: ESCALATE", "- tie:", "A number decides")
                screen.answer(typed)
                screen.wait(f"[status {status}]")
            state = json.loads((tmp_path / ".keystone" / "state.json").read_bytes())
            assert state["exit_reason"] == told
