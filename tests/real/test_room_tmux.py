"""A person at a real terminal who opens and runs a room."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from replays import put_engines

from .tmux import Tmux

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux"),
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    put_engines(tmp_path / "config", {"ada": "good", "other": "good", "gone": "crash"})
    (tmp_path / "project" / ".keystone" / "roundtable").mkdir(parents=True)
    return tmp_path / "project"


def room(project: Path, *words: str, **environ: str) -> Tmux:
    environment = {"XDG_CONFIG_HOME": str(project.parent / "config"), **environ}
    return Tmux(["room", *words], project, 110, 50, environment)


SEATS = ("--seat", "ada", "--seat", "other", "--seat", "gone")


def test_a_drafted_fork_is_corrected_and_the_plan_gets_its_yes(project: Path) -> None:
    with room(project, "open", "Thoughts on Windows?", *SEATS) as screen:
        screen.wait("Motion (drafted): Should we go for Windows now, or not?", "Take it with Enter")
        screen.answer("Native port or WSL2?")
        shown = screen.wait("[status 0]", "Next: room run opening", history=True)
    assert "Motion: Native port or WSL2?" in shown
    with room(project, "run", "opening") as screen:
        screen.wait("Go on? [y/N]")
        screen.answer("n")
        screen.wait("nothing was asked", "[status 1]")
    with room(project, "run", "opening") as screen:
        screen.wait("Cost: unknown for ada, other, gone", "Go on? [y/N]")
        screen.answer("y")
        shown = screen.wait("[status 0]", history=True)
    assert "2 of 3 answered: gone absent, broke off" in shown


def test_a_command_of_the_project_is_shown_once_and_needs_a_yes(project: Path) -> None:
    (project / ".keystone" / "roundtable" / "engines.yaml").write_text(
        f"theirs:\n  kind: cli\n  argv: [{sys.executable}, -c, print()]\n"
    )
    options = ("--options", "keep it,split it")
    words = ("open", "Keep it or split it?", *options, "--seat", "ada", "--seat", "theirs")
    with room(project, *words) as screen:
        screen.wait(
            "Engine 'theirs' comes with this project", "print()", "Trust it on this machine?"
        )
        screen.answer("n")
        screen.wait("engine 'theirs' is not trusted", "[status 2]")
    with room(project, *words) as screen:
        screen.wait("Trust it on this machine?")
        screen.answer("y")
        screen.wait("[status 0]")
    with room(project, *words) as screen:
        assert "Trust it" not in screen.wait("[status 0]", history=True)


def test_claims_are_written_in_an_editor_and_refused_with_the_line(project: Path) -> None:
    editor = project.parent / "editor.sh"
    editor.write_text("#!/bin/sh\nsed -i 's/ada has counted/ada has invented/' \"$1\"\n")
    editor.chmod(0o700)
    put_engines(project.parent / "config", dict.fromkeys(("ada", "other", "gone"), "good"))
    with room(project, "open", "Keep it or split it?", *SEATS) as screen:
        screen.wait("Take them with Enter, or type others")
        screen.answer("keep all of it, split it")
        screen.wait("- keep all of it", "[status 0]")
    for name in ("opening", "cross"):
        with room(project, "run", name, "--yes") as screen:
            screen.wait("[status 0]")
    with room(project, "claims", "--edit", EDITOR=str(editor)) as screen:
        screen.wait("line ", "claim 1:", "does not stand in ada's turn", "[status 2]")
    editor.write_text("#!/bin/sh\nsed -i 's/ada has invented/ada has counted/' \"$1\"\n")
    with room(project, "claims", "--edit", EDITOR=str(editor)) as screen:
        shown = screen.wait("[status", history=True)
    (folder,) = (project / ".keystone" / "roundtable" / "rooms").iterdir()
    assert "[status 0]" in shown
    assert (folder / "claims.json").exists() and not (folder / "claims.draft.json").exists()
    with room(project, "run", "converge", "--yes") as screen:
        screen.wait("[status 0]")
    with room(project, "decide", "--call", "keep all of it", "--cost", "x", "--signal", "y") as end:
        end.wait("Verdict: ready", "[status 0]", history=True)
    # The next session is told of it.
    assert (project / ".keystone" / "roundtable" / "decisions.db").is_file()
