"""A room below a temporary home, worked on by calls of the command line in this process."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from replays import put_engines

from keystone_roundtable.cli.main import main
from keystone_roundtable.runtime.processes import FAMILY

QUESTION = "Should the Windows port be native or WSL2?"
OPTIONS = ("--options", "native,WSL2")

Call = Callable[..., "Ran"]


class Ran:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def object(self) -> dict[str, Any]:
        value = json.loads(self.out)
        assert isinstance(value, dict)
        return value


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "home" / "seen").mkdir(parents=True)
    (tmp_path / "project" / ".keystone").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("KEYSTONE_MODEL", raising=False)
    monkeypatch.delenv("KEYSTONE_CLI", raising=False)
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "home"


@pytest.fixture
def room(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Call]:
    with open(os.devnull) as nothing:  # noqa: PTH123
        monkeypatch.setattr("sys.stdin", nothing)

        def run(*words: str) -> Ran:
            status = main(["room", *words])
            printed = capsys.readouterr()
            return Ran(status, printed.out, printed.err)

        yield run


def engines(home: Path, **hows: str) -> None:
    put_engines(home.parent / "config", hows)


def seats(*names: str) -> list[str]:
    return [word for name in names for word in ("--seat", name)]


def rooms(home: Path) -> Path:
    return home.parent / "project" / ".keystone" / "roundtable" / "rooms"


def folder(home: Path) -> Path:
    (found,) = rooms(home).iterdir()
    return found


def run(room: Call, round_name: str, *more: str) -> Ran:
    return room("run", round_name, "--yes", "--timeout", "30", *more)


def left_running(room_id: str) -> list[str]:
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                if f"{FAMILY}={room_id}".encode() in (process / "environ").read_bytes():
                    found.append((process / "cmdline").read_text())
            except OSError:
                continue
    return found


def quote(name: str) -> str:
    return f"{name} has counted the tickets itself."


def a_map(room: Call, names: list[str], spoken: list[str], number: int = 2) -> dict[str, Any]:
    """Five claims in the seats' own words; the first splits, the second is settled."""

    def claim(told: str, source: str, agree: list[str], disagree: list[str]) -> dict[str, Any]:
        votes = [
            {"seat": n, "vote": "agree" if n in agree else "disagree", "quote": quote(n),
             "turn": number} if n in agree + disagree
            else {"seat": n, "vote": "silent", "quote": "", "turn": 0}
            for n in names
        ]  # fmt: skip
        return {
            "claim": told,
            "quote": quote(source),
            "seat": source,
            "turn": number,
            "votes": votes,
        }

    first, rest = spoken[0], spoken[1:]
    claims = [claim("Native keeps file watching", first, [first], rest)]
    claims.append(claim("The tickets were counted", first, spoken, []))
    claims += [claim(f"Claim {n} is {first}'s alone", first, [first], []) for n in (3, 4, 5)]
    return {"claims": claims}


def given(home: Path, value: dict[str, Any]) -> tuple[str, str]:
    path = home.parent / "given.json"
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return "--file", str(path)
