"""A room whose process is killed in the middle of its openings, for real."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from replays import put_engines

from keystone_roundtable.runtime.processes import FAMILY

REPOSITORY = Path(__file__).parents[2]
NAMES = ("ada", "other", "slow", "late")

pytestmark = pytest.mark.real


def environ(folder: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(REPOSITORY),
        "HOME": str(folder / "home"),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }


def started(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "keystone_roundtable", "room", *words],
        cwd=folder / "project",
        env=environ(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def wait_for_lines(process: subprocess.Popen[bytes], *wanted: str) -> None:
    assert process.stderr is not None
    left = set(wanted)
    for line in process.stderr:
        left -= {one for one in left if one in line.decode()}
        if not left:
            return
    raise AssertionError(f"{left} never came")


def running(room_id: str) -> list[int]:
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                if f"{FAMILY}={room_id}".encode() in (process / "environ").read_bytes():
                    found.append(int(process.name))
            except OSError:
                continue
    return found


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_after_two_of_four_openings_only_the_missing_two_are_asked(
    tmp_path: Path, how: signal.Signals
) -> None:
    (tmp_path / "project" / ".keystone").mkdir(parents=True)
    (tmp_path / "home" / "seen").mkdir(parents=True)
    put_engines(
        tmp_path / "config", {"ada": "good", "other": "good", "slow": "hang", "late": "hang"}
    )
    seats = [word for name in NAMES for word in ("--seat", name)]
    opened = started(
        tmp_path, "open", "Keep it or split it?", "--options", "keep,split", *seats, "--json"
    )
    room = json.loads(opened.communicate(timeout=60)[0])
    process = started(tmp_path, "run", "opening", "--yes")
    wait_for_lines(process, "ada: keep at 7", "other: split at 7")
    process.send_signal(how)
    process.communicate(timeout=60)
    assert process.returncode == (130 if how is signal.SIGINT else -how)
    if how is signal.SIGINT:
        assert running(room["room"]) == []
    kept = Path(room["folder"]) / "rounds" / "1-opening"
    sealed = {path.name: path.read_bytes() for path in kept.iterdir()}
    assert sorted(sealed) == ["ada.md", "other.md"]

    # What was begun counts, also where nothing tells how it ended.
    limited = started(tmp_path, "run", "opening", "--yes", "--max-invocations", "4")
    assert b"--max-invocations 4 is used up: 4 were" in limited.communicate(timeout=60)[1]
    assert limited.returncode == 2

    put_engines(tmp_path / "config", dict.fromkeys(NAMES, "good"))
    again = started(tmp_path, "run", "opening", "--yes", "--json")
    out, err = again.communicate(timeout=60)
    assert again.returncode == 0, err.decode()
    told = json.loads(out)
    assert told["rows"][0]["quorum"] == "4 of 4 answered"
    seen = sorted(path.name for path in (tmp_path / "home" / "seen").iterdir())
    assert seen == [
        "ada-0.json", "late-0.json", "late-1.json", "other-0.json", "slow-0.json", "slow-1.json",
    ]  # fmt: skip
    for name in ("slow", "late"):
        noted = (tmp_path / "home" / "seen" / f"{name}-1.json").read_text()
        assert "has counted the tickets" not in noted
    assert {
        path.name: path.read_bytes() for path in kept.iterdir() if path.name in sealed
    } == sealed
    assert running(room["room"]) == []
