"""Ctrl-C in a real process: what runs ends at once, and what was answered is on disk."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from loopback import replies
from loopback.server import LoopbackServer

from keystone_roundtable.core.engines import EngineReply, Invocation

from .at_commands import left_of
from .at_table import BUILD, ask, by_seat, rounds_of

TESTS = Path(__file__).parents[1]

HOLDS_A_ROUND = """
import os, sys
from seats.at_table import Kept, ask, engine_at, rounds_of
from keystone_roundtable.core.spending_plan import Limits

class OnDisk(Kept):
    def received(self, receipt):
        self.put(receipt)
    def landed(self, turn):
        self.put(turn)
        print(turn.seat, flush=True)
    def put(self, record):
        with open(sys.argv[2], "a") as file:
            file.write(record.model_dump_json() + "\\n")
            os.fsync(file.fileno())

with rounds_of(engine_at(sys.argv[1]), Limits(seat_s=60)) as rounds:
    rounds.hold("open", [ask("one"), ask("two"), ask("three")], OnDisk())
"""


@pytest.mark.real
@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_keeps_what_was_answered_and_ends_the_rest(
    times: int, server: LoopbackServer, tmp_path: Path
) -> None:
    server.default = by_seat({"one": replies.saying(BUILD)}, replies.hanging())
    kept = tmp_path / "kept.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS_A_ROUND, server.url, str(kept)],
        env={**os.environ, "PYTHONPATH": f"{TESTS.parent}{os.pathsep}{TESTS}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "one\n"
    for _ in range(3):
        assert server.arrived.acquire(timeout=20)
    for _ in range(times):
        process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=20)
    assert process.returncode == -signal.SIGINT and "KeyboardInterrupt" in told
    lines = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]
    assert next(line["outcome"] for line in lines if "outcome" in line) == "answered"
    assert [line["seat"] for line in lines if line.get("kind") == "reply"] == ["one"]
    if times == 1:
        cancelled = {line["seat"] for line in lines if line.get("outcome") == "cancelled"}
        assert cancelled == {"two", "three"}


HOLDS_COMMANDS = """
import os, sys
from seats.at_commands import entry, TASK
from seats.at_table import FixedClock, Kept, Opening
from keystone_roundtable.core.seating import Seat
from keystone_roundtable.runtime.processes import SeatPrograms
from keystone_roundtable.seats import sandboxing
from keystone_roundtable.seats.asking import SeatAsk
from keystone_roundtable.seats.cli_engine import CliEngine
from keystone_roundtable.seats.rounds import Rounds
from keystone_roundtable.core.spending_plan import Limits

family, home, evidence, bare = sys.argv[1:]
if bare:
    sandboxing._works = lambda *_: False
environ = {"PATH": os.environ["PATH"], "HOME": home}

class Told(Kept):
    def landed(self, turn):
        print(turn.seat, flush=True)

def engine(seat):
    one = entry(seat.name, evidence_argv=["--read"], version_argv=[])
    return CliEngine(seat.name, one, None, programs=SeatPrograms(), environ=environ, family=family)

def ask(name):
    seat = Seat(name=name, engine=name)
    return SeatAsk(seat=seat, stable="", task=TASK, shape=Opening, evidence=(evidence,))

with Rounds(engine, FixedClock(), Limits(seat_s=60)) as rounds:
    rounds.hold("open", [ask("hang"), ask("good")], Told())
"""


@pytest.mark.real
@pytest.mark.parametrize("sandbox", ["sandbox", "bare"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_polite_kill_and_a_closed_terminal_end_the_commands_too(
    number: signal.Signals, sandbox: str, family: str, home: Path, tmp_path: Path
) -> None:
    """Nothing goes on running, and no copy of the evidence is left."""
    temporary, evidence = tmp_path / "temporary", tmp_path / "evidence.txt"
    temporary.mkdir()
    evidence.write_text("evidence")
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS_COMMANDS, family, str(home), str(evidence),
         "bare" if sandbox == "bare" else ""],
        env={**os.environ, "PYTHONPATH": f"{TESTS.parent}{os.pathsep}{TESTS}",
             "TMPDIR": str(temporary)},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "good\n"
    process.send_signal(number)
    _, told = process.communicate(timeout=20)
    assert process.returncode == -signal.SIGINT and "KeyboardInterrupt" in told
    assert left_of(family) == []
    assert list(temporary.iterdir()) == []


class Hanging:
    """An engine whose terminal is closed while it answers."""

    sends_to = ""

    def price_of(self, tokens: int) -> float | None:
        return 0.0

    def prepare(self) -> None: ...

    async def invoke(self, invocation: Invocation) -> EngineReply:
        os.kill(os.getpid(), signal.SIGHUP)
        await asyncio.sleep(0)
        return EngineReply(text=BUILD)

    async def close(self) -> None: ...


def test_a_run_that_is_to_outlive_its_terminal_goes_on() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        with rounds_of(Hanging()) as rounds:
            (turn,) = rounds.hold("open", [ask("one")])
    finally:
        signal.signal(signal.SIGHUP, before)
    assert turn.kind == "reply"
