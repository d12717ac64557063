"""The engine of one's own that docs/seats.md shows takes a seat as it stands there."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from replays import put_engines

from keystone_roundtable.cli.main import main

PAGE = Path(__file__).parents[2] / "docs" / "seats.md"
PLACE = "/home/me/seat.py"

Room = Callable[..., int]


def shown(language: str) -> str:
    section = PAGE.read_text(encoding="utf-8").partition("## An engine of your own")[2]
    found = re.search(rf"^```{language}\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def test_the_engine_of_your_own_takes_a_seat_and_is_given_what_is_shown(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr("sys.stdin", open(os.devnull))  # noqa: SIM115, PTH123
    (tmp_path / "project" / ".keystone").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project")
    put_engines(tmp_path / "config", {"claude": "good"}, version_argv=[])
    script = tmp_path / "seat.py"
    # Here `python3` may be a version manager's shim, whose home a sandbox hides, as the page says.
    source = shown("python").replace("#!/usr/bin/env python3", f"#!{sys.executable}")
    script.write_text(source, encoding="utf-8")
    script.chmod(0o700)
    with (tmp_path / "config" / "keystone-roundtable" / "engines.yaml").open("a") as file:
        file.write(shown("yaml").replace(PLACE, str(script)))
    command = re.search(r"^`keystone-roundtable (room open .*)`$", PAGE.read_text(), re.MULTILINE)
    assert command is not None
    assert main(shlex.split(command[1])) == 0
    for name in ("opening", "cross", "converge"):
        assert main(["room", "run", name, "--yes"]) == 0, capsys.readouterr().err
    capsys.readouterr()
    (turn,) = tmp_path.rglob("rounds/3-converge/mine.md")
    assert "Two people know the system behind it." in turn.read_text()
    prompts = [json.loads(one.read_text())["prompt"] for one in (home / "seen").iterdir()]
    assert _lines(shown("text")) in map(_lines, prompts)


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]
