"""Real processes on one index: killed while they write it, and several at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from past_sessions import put_session

REPOSITORY = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.real

COUNT = 300
# Stops itself for good where the index is being written: at the n-th statement that changes it.
KILLED_AT = """
import os, signal, sqlite3, sys
at, seen = int(sys.argv[1]), 0

class Connection(sqlite3.Connection):
    def execute(self, statement, *rest):
        global seen
        if statement.split()[0] in ("INSERT", "DELETE", "UPDATE", "COMMIT"):
            seen += 1
            if seen == at:
                os.kill(os.getpid(), signal.SIGKILL)
        return super().execute(statement, *rest)

connect = sqlite3.connect
sqlite3.connect = lambda *a, **k: connect(*a, **{**k, "factory": Connection})
from keystone_roundtable.cli.main import main
sys.exit(main(["decisions", "zebra", "--json"]))
"""


def environment() -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY)}


def ask(root: Path, query: str = "zebra") -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-m", "keystone_roundtable", "decisions", query, "--json"],
        cwd=root, env=environment(), capture_output=True, timeout=60,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, b"")
    return [one["session"] for one in json.loads(ran.stdout)["decisions"]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for number in range(COUNT):
        put_session(tmp_path, f"20260101-{number:04}", f"Should we adopt animal {number}?")
    put_session(tmp_path, "20260102-zebra", "Should we adopt a zebra?")
    return tmp_path


@pytest.mark.parametrize("at", [1, 2, COUNT, 2 * COUNT + 3, 2 * COUNT + 4])
@pytest.mark.parametrize("made", [False, True], ids=["making it", "bringing it up to date"])
def test_whoever_is_killed_while_writing_leaves_an_index_that_serves(
    root: Path, at: int, made: bool
) -> None:
    if made:
        assert ask(root) == ["20260102-zebra"]
    for number in range(COUNT):  # every one has changed by now
        log = root / f".keystone/roundtable/sessions/20260101-{number:04}/events.jsonl"
        log.write_text(log.read_text() + "\n")
    ran = subprocess.run(
        [sys.executable, "-c", KILLED_AT, str(at)],
        cwd=root, env=environment(), capture_output=True, timeout=60,
    )  # fmt: skip
    assert ran.returncode == -signal.SIGKILL
    assert ask(root) == ["20260102-zebra"]
    assert len(ask(root, "animal")) == 20
    left = sorted(p.name for p in (root / ".keystone" / "roundtable").iterdir())
    assert left == ["decisions.db", "decisions.db.lock", "sessions"]


def test_several_at_once_while_sessions_come_and_go(root: Path) -> None:
    """Each sees at least what was there when it began."""
    running = []
    for number in range(8):
        put_session(root, f"20260103-{number:04}", f"A zebra for room {number}?")
        if number == 4:
            (root / ".keystone/roundtable/decisions.db").write_bytes(b"\xa5" * 20_000)
        running.append(
            subprocess.Popen(
                [sys.executable, "-m", "keystone_roundtable", "decisions", "zebra", "--json"],
                cwd=root, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )
        )  # fmt: skip
    for number, one in enumerate(running):
        out, err = one.communicate(timeout=60)
        assert (one.returncode, err) == (0, b"")
        found = {past["session"] for past in json.loads(out)["decisions"]}
        assert {"20260102-zebra", *(f"20260103-{n:04}" for n in range(number + 1))} <= found
    assert len(ask(root)) == 9
