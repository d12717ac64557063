"""`kill -9` at random moments: the session goes on where its log ends."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.real

REPOSITORY = Path(__file__).resolve().parents[2]
TOPIC = "Should we build the notification system now or defer it until after the settings refactor?"
ANSWERS = (
    "A pilot customer gets told when an import fails, without calling us",
    "what do you mean?",
    "The settings refactor, because the preferences would live in the new settings",
    "/note The refactor is planned for May",
    "A push channel on mobile, nobody asked for it yet",
    "One kind of mail, for failed imports only, switched on by hand",
)
TAKEN_BY = ("answer_given", "note_added")
EVERYDAY, ON_DEMAND = 12, 200


@dataclass
class Victim:
    """One session in a folder of its own, held by processes that may be killed."""

    root: Path
    stop: signal.Signals = signal.SIGKILL
    kills: int = 0
    killed_behind: list[str] = field(default_factory=list)
    """The last event on disk at each kill."""

    def hold(self, kill_after_s: float | None, from_the_preview: bool = False) -> int | None:
        """One process, given the answers that are still to come; None where it was killed.

        The time before the kill counts from the start, or from the first line that is shown.
        """
        if self.root.joinpath(".keystone").exists() and self.log is not None:
            words = ["resume", self.log.parent.name]
        else:
            words = ["run", TOPIC]
        process = subprocess.Popen(
            [sys.executable, "-m", "keystone_roundtable", *words, "--answers", "-", "--json"],
            cwd=self.root,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdin and process.stderr and process.stdout
        process.stdin.write("".join(f"{answer}\n" for answer in self.still_to_come()).encode())
        process.stdin.close()
        if from_the_preview:
            process.stderr.readline()
        try:
            process.wait(kill_after_s)
        except subprocess.TimeoutExpired:
            process.send_signal(self.stop)
            process.wait()
            self.kills += 1
            events = self.events
            self.killed_behind.append(events[-1]["type"] if events else "nothing")
        with process.stdout, process.stderr:
            self.said = process.stderr.read().decode()
            self.printed = process.stdout.read().decode()
        return process.returncode if process.returncode >= 0 else None

    @property
    def log(self) -> Path | None:
        """The log of the session that began; one killed before that left an empty log or none."""
        logs = (self.root / ".keystone" / "roundtable" / "sessions").glob("*/events.jsonl")
        return next((log for log in logs if b"\n" in log.read_bytes()), None)

    @property
    def events(self) -> list[dict[str, Any]]:
        """Whole lines only: what is torn never counted."""
        if self.log is None:
            return []
        return [json.loads(line) for line in self.log.read_bytes().split(b"\n")[:-1]]

    @property
    def finished(self) -> bool:
        return any(event["type"] == "session_finished" for event in self.events)

    def still_to_come(self) -> tuple[str, ...]:
        return ANSWERS[sum(event["type"] in TAKEN_BY for event in self.events) :]

    def telemetry(self) -> list[dict[str, Any]]:
        months = (self.root / ".keystone" / "telemetry" / "events").glob("*.jsonl")
        return [json.loads(line) for month in months for line in month.read_bytes().splitlines()]


def happened(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What happened apart from stops, moments and the session's name."""
    return [
        {k: v for k, v in event.items() if k not in ("at", "session", "project")}
        for event in events
        if event["type"] not in ("paused", "resumed")
    ]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Victim, float, float]:
    """The session that nobody killed, and its seconds: in all, and from the first line shown."""
    victim = Victim(tmp_path_factory.mktemp("whole"))
    began = time.monotonic()
    assert victim.hold(None) == 0
    in_all_s = time.monotonic() - began
    times = [event["at"] for event in victim.events]
    first, last = (float(at[17:26]) for at in (times[1], times[-1]))
    return victim, in_all_s, (last - first) % 60


@pytest.mark.parametrize("crashes", [EVERYDAY, pytest.param(ON_DEMAND, marks=pytest.mark.slow)])
def test_killed_at_random_nothing_is_lost_and_nothing_asked_twice(
    tmp_path: Path,
    whole: tuple[Victim, float, float],
    crashes: int,
    request: pytest.FixtureRequest,
) -> None:
    if crashes == ON_DEMAND:
        if "KEYSTONE_CRASHES" not in os.environ and "slow" not in request.config.option.markexpr:
            pytest.skip("on demand: -m slow, or KEYSTONE_CRASHES=200")
        crashes = int(os.environ.get("KEYSTONE_CRASHES", crashes))
    uninterrupted, in_all_s, from_the_preview_s = whole
    seed = os.environ.get("KEYSTONE_SEED") or str(random.SystemRandom().randrange(10**6))
    print(f"KEYSTONE_SEED={seed}")
    chance = random.Random(seed)
    killed_behind: Counter[str] = Counter()
    kills = 0
    folders = (tmp_path / str(number) for number in itertools.count())
    while kills < crashes:
        victim = Victim(next(folders))
        victim.root.mkdir()
        while not victim.finished:
            if kills + victim.kills >= crashes:
                assert victim.hold(None) == 0, victim.said
            elif chance.random() < 0.2:
                victim.hold(chance.uniform(0, in_all_s))
            else:
                victim.hold(chance.uniform(0, from_the_preview_s), from_the_preview=True)
        kills += victim.kills
        killed_behind.update(victim.killed_behind)
        assert happened(victim.events) == happened(uninterrupted.events)
        check_the_end(victim, uninterrupted)
    print(dict(killed_behind))
    assert len(killed_behind) > 2  # the moments were not all the same


def test_interrupted_at_random_it_pauses_and_goes_on(
    tmp_path: Path, whole: tuple[Victim, float, float]
) -> None:
    """Ctrl-C may come while an event is written; the log must add up all the same."""
    uninterrupted, _, from_the_preview_s = whole
    seed = os.environ.get("KEYSTONE_SEED") or str(random.SystemRandom().randrange(10**6))
    print(f"KEYSTONE_SEED={seed}")
    chance = random.Random(seed)
    for number in range(8):
        victim = Victim(tmp_path / str(number), stop=signal.SIGINT)
        victim.root.mkdir()
        status = victim.hold(chance.uniform(0, from_the_preview_s), from_the_preview=True)
        # It may be about to leave: finished, or with the pause said and on disk.
        leaving = victim.finished or "Paused" in victim.said
        assert status in (0, 130) or leaving, victim.said
        assert "Traceback" not in victim.said
        if not victim.finished:
            assert victim.hold(None) == 0, victim.said
        assert happened(victim.events) == happened(uninterrupted.events)
        check_the_end(victim, uninterrupted)


def check_the_end(victim: Victim, uninterrupted: Victim) -> None:
    """Report, contract, state and telemetry are those of a session that nobody killed."""
    assert victim.log and uninterrupted.log
    ours, theirs = victim.log.parent, uninterrupted.log.parent
    assert (ours / "report.md").read_bytes() == (theirs / "report.md").read_bytes()
    contract = json.loads((ours / "contract.json").read_bytes())
    expected = json.loads((theirs / "contract.json").read_bytes())
    assert contract | {"session": ""} == expected | {"session": ""}
    state = json.loads((victim.root / ".keystone" / "state.json").read_bytes())
    assert state["exit_code"] == "ok"
    assert state["artifacts"]["roundtable_contract"] == contract
    about = [line for line in victim.telemetry() if line["session"] == ours.name]
    told = Counter(line["event"] for line in about)
    assert (told["started"], told["finished"]) == (1, 1)
    assert not list((victim.root / ".keystone").rglob("*.tmp"))
    assert sorted(path.name for path in ours.iterdir()) == sorted(p.name for p in theirs.iterdir())


def test_a_process_that_is_killed_gives_its_lock_back(tmp_path: Path) -> None:
    """Standard input stays open: the process waits for its first answer when it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "keystone_roundtable", "run", TOPIC, "--answers", "-"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY)},
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin and process.stderr
    with process.stdin, process.stderr:
        process.stderr.readline()
        victim = Victim(tmp_path)
        busy = victim.hold(None)
        assert busy == 1
        assert "is open in another process" in victim.said
        process.kill()
        process.wait()
    assert victim.hold(None) == 0, victim.said
