"""The seal of a room's openings where the room's folder lies in what the seats may read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from replays import put_engines

from keystone_roundtable.cli.main import main


def test_a_later_attempt_is_given_no_copy_of_the_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    (home / "seen").mkdir(parents=True)
    (project / ".keystone").mkdir(parents=True)
    (project / "notes.md").write_text("tickets")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(project)
    put_engines(tmp_path / "config", {"ada": "good", "bob": "good"}, version_argv=[])
    monkeypatch.setattr("sys.stdin", open(os.devnull))  # noqa: SIM115, PTH123
    words = ["room", "open", "Native or WSL2?", "--options", "native,WSL2", "--evidence", "."]
    at = ["--dir", "./decisions/r1"]
    assert main([*words, *at, "--seat", "ada", "--seat", "bob"]) == 0
    for seat in ("ada", "bob", "ada"):
        main(["room", "run", "opening", "--yes", "--only", seat, *at])
    capsys.readouterr()
    assert (project / "decisions" / "r1" / "rounds" / "1-opening" / "ada.md").exists()
    noted = [json.loads(one.read_text()) for one in (home / "seen").iterdir()]
    assert len(noted) == 3
    for seen in noted:
        read = [name.partition("/evidence/")[2] for name in seen["files"]]
        assert read == ["project/notes.md"]
