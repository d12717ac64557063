"""A table whose process is killed in the middle of a round, for real."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="the extra 'openai' is not installed")
pytest.importorskip("openai", reason="the extra 'openai' is not installed")

from loopback.replies import Response
from loopback.server import LoopbackServer
from loopback.table_souls import Turn, good, playing_souls, turn_of

REPOSITORY = Path(__file__).parents[2]
NAMES = ("ops", "product", "security", "finance", "support")

pytestmark = pytest.mark.real


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(default=playing_souls(("keep", "split"))) as running:
        yield running


def words(folder: Path) -> list[str]:
    for name in NAMES:
        (folder / f"{name}.md").write_text(f"I am {name}.\n", encoding="utf-8")
    seats = [word for name in NAMES for word in ("--seat", f"{name}={name}.md")]
    return [
        "table", "Should it be split out?", *seats, "--options", "keep,split", "--yes",
        "--model", "openai-chat:loopback",
    ]  # fmt: skip


def started(folder: Path, url: str, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "keystone_roundtable", *arguments],
        cwd=folder,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(REPOSITORY),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "OPENAI_BASE_URL": url,
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def wait_for_line(process: subprocess.Popen[bytes], holding: str) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if holding in line.decode():
            return
    raise AssertionError(f"'{holding}' never came")


def slow_in_two(turn: Turn) -> Response | None:
    return Response(hang=True) if turn.round == 2 else None


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_after_a_kill_only_who_had_not_answered_is_asked(
    tmp_path: Path, server: LoopbackServer, how: signal.Signals
) -> None:
    """In round 2 ops and finance hang; the others have answered when the process ends."""
    server.default = playing_souls(
        ("keep", "split"), dict.fromkeys(("ops", "finance"), slow_in_two)
    )
    process = started(tmp_path, server.url, *words(tmp_path))
    wait_for_line(process, "Round 2")
    for _ in range(3):
        wait_for_line(process, ": split at 7")
    process.send_signal(how)
    process.communicate(timeout=30)
    assert process.returncode == (130 if how is signal.SIGINT else -how)
    before = len(server.requests)

    server.default = playing_souls(("keep", "split"))
    resumed = started(
        tmp_path, server.url, "table", "resume", "--model", "openai-chat:loopback", "--json"
    )
    out, err = resumed.communicate(timeout=60)
    assert resumed.returncode == 0, err.decode()
    turns = [turn_of(recorded.asked) for recorded in server.requests[before:]]
    assert sorted(turn.name for turn in turns if turn.round == 2) == ["finance", "ops"]
    assert not [turn for turn in turns if turn.round == 1]
    told: dict[str, Any] = json.loads(out)
    assert (told["count"]["winner"], told["count"]["out_of"]) == ("split", 50)


def test_a_state_left_in_the_middle_of_the_vote_names_who_votes_again(
    tmp_path: Path, server: LoopbackServer
) -> None:
    """finance voted a 5 and hangs when it is asked again."""

    def five(turn: Turn) -> Response | None:
        if turn.round != 4:
            return None
        return Response(hang=True) if turn.again else Response(json.dumps(good(turn, "split", 5)))

    server.default = playing_souls(("keep", "split"), {"finance": five})
    process = started(tmp_path, server.url, *words(tmp_path))
    wait_for_line(process, "once more: asking finance")
    process.kill()
    process.communicate(timeout=30)
    (state,) = (tmp_path / ".keystone" / "roundtable" / "tables").glob("*.json")
    counting = started(tmp_path, server.url, "table", "vote", str(state), "--json")
    out, _ = counting.communicate(timeout=60)
    assert counting.returncode == 2
    assert json.loads(out)["reprompt"] == [{"name": "finance", "problem": "forbidden_five"}]


@pytest.mark.parametrize("stdin", ["closed", "null", "pipe"])
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("table", "Should we keep it or split it?"), 1),
        (("table", "pricing", "--yes"), 1),
        (("table", "Should we keep it or split it?", "--yes"), 0),
        (("table", "resume"), 1),
        (("table",), 1),
    ],
)
def test_a_table_without_a_terminal_ends(
    tmp_path: Path, stdin: str, arguments: tuple[str, ...], status: int
) -> None:
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            [
                *(["sh", "-c", 'exec "$@" <&-', "sh"] if stdin == "closed" else []),
                *[sys.executable, "-m", "keystone_roundtable", *arguments],
            ],
            stdin=reading if stdin == "pipe" else subprocess.DEVNULL,
            capture_output=True,
            cwd=tmp_path,
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": str(REPOSITORY),
                "XDG_CONFIG_HOME": str(tmp_path / "config"),
            },
            timeout=60,
        )
    finally:
        os.close(reading)
        os.close(writing)
    assert (done.returncode, b"Traceback" in done.stderr) == (status, False), done.stderr.decode()
