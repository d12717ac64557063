"""Telemetry of any size as it may lie on a disk: whole lines, broken ones, sessions over months.

The same arguments write the same bytes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

MODELS = ("offline", "offline", "openai:gpt-5-mini", "ollama:qwen3:8b")
DECISIONS = ("roundtable-aligned",) * 4 + ("roundtable-escalate", "roundtable-deferred")
RESULTS = ("held",) * 3 + ("reversed", "partly", "unknown")
FIRST_YEAR = 2024

Waiting = tuple[int, dict[str, Any]]

Breaking = Callable[[bytes, random.Random], bytes]
"""Makes a broken line of a whole one."""

BREAKINGS: dict[str, Breaking] = {
    "torn": lambda line, draw: line[: draw.randrange(8, len(line) - 1)],
    "not JSON": lambda line, draw: b"Traceback (most recent call last):",
    "not an object": lambda line, draw: b'["skill", "roundtable"]',
    "wrong type": lambda line, draw: _with(
        line, skill="roundtable", event="finished", confidence="0.9"
    ),
    "no moment": lambda line, draw: _with(line, ts="last Tuesday"),
    "not UTF-8": lambda line, draw: line.replace(b'"skill"', b'"\xff\xfe": "\x00", "skill"'),
}
"""Six ways in which a line is broken."""


def write_store(
    root: Path,
    lines: int,
    *,
    months: int = 24,
    broken_every: int = 5000,
    repeated_across: float = 0.02,
    seed: int = 1,
) -> Path:
    """Writes `lines` lines below `root`, the same number a month; gives `root`.

    Of the sessions a hundredth finishes twice in a month, `repeated_across` in two months.
    """
    folder = root / ".keystone" / "telemetry" / "events"
    folder.mkdir(parents=True)
    draw = random.Random(seed)
    breakings = list(BREAKINGS.values())
    waiting: list[Waiting] = []  # events of sessions that go on in a later month
    written = 0
    for number in range(months):
        month = f"{FIRST_YEAR + number // 12}-{number % 12 + 1:02}"
        until = lines * (number + 1) // months
        with (folder / f"{month}.jsonl").open("wb") as file:
            events = _events(draw, number, month, until - written, waiting, repeated_across)
            for _ in range(until - written):
                line = json.dumps(next(events)).encode()
                written += 1
                if written % broken_every == 0:
                    line = breakings[written // broken_every % len(breakings)](line, draw)
                file.write(line + b"\n")
    return root


def _events(
    draw: random.Random,
    number: int,
    month: str,
    wanted: int,
    waiting: list[Waiting],
    repeated_across: float,
) -> Iterator[dict[str, Any]]:
    """Without end: what happens in a month, in the order of its days, about `wanted` of them."""
    given = 0
    for later, event in [one for one in waiting if one[0] <= number]:
        waiting.remove((later, event))
        given += 1
        yield {**event, "ts": _ts(draw, month, 1)}
    while True:
        day = min(28, 1 + given * 28 // max(wanted, 1))
        for event in _session(draw, number, month, day, waiting):
            if event.get("event") == "finished" and draw.random() < repeated_across:
                waiting.append((number + 1, event))
            given += 1
            yield event


def _session(
    draw: random.Random,
    number: int,
    month: str,
    day: int,
    waiting: list[Waiting],
) -> Iterator[dict[str, Any]]:
    """The lines of one session, those of other tools, or the five fields of a shell snippet."""
    chance = draw.random()
    ts = _ts(draw, month, day)
    if chance < 0.08:
        skill = draw.choice(("qa", "writing-plan", "ส่งงาน"))
        yield {"skill": skill, "ts": ts, "event": "ran", "took": [1, {"s": 2}]}
        return
    confidence = draw.choice((0.5, 0.7, 0.8, 0.9))
    decision, mode = draw.choice(DECISIONS), draw.choice(("align", "brainstorm", "challenge"))
    five = {"decision": decision, "confidence": confidence, "mode": mode}
    if chance < 0.1:
        yield {"skill": "roundtable", "ts": ts, **five}
        return
    shared = _shared(draw, ts, f"{month.replace('-', '')}{day:02}-{draw.getrandbits(32):08x}")
    yield {**shared, "event": "started"}
    if chance < 0.15:
        return
    if chance < 0.3:
        yield {**shared, "event": "paused"}
    finished = {**shared, **five, **_finished(draw, shared["model"])}
    if 0.3 <= chance < 0.35:
        waiting.append((number + 1, finished))
    else:
        yield finished
        if 0.35 <= chance < 0.36:
            yield finished  # a crash between the line and the log
    if draw.random() < 0.2:
        outcome = {**shared, "event": "outcome", "confidence": confidence}
        waiting.append((number + draw.randint(1, 4), {**outcome, "outcome": draw.choice(RESULTS)}))
        if draw.random() < 0.2:
            waiting.append((number + 5, {**outcome, "outcome": draw.choice(RESULTS)}))


def _shared(draw: random.Random, ts: str, session: str) -> dict[str, Any]:
    return {
        "skill": "roundtable",
        "ts": ts,
        "schema_version": 1,
        "format": draw.choice(("socratic", "socratic", "table")),
        "session": session,
        "project": "acme-3f2a",
        "version": "0.1.0",
        "model": draw.choice(MODELS),
    }


def _finished(draw: random.Random, model: str) -> dict[str, Any]:
    offline = model == "offline"
    return {
        "event": "finished",
        "exit_reason": "enough_information",
        "exit_code": "ok",
        "next_skill": "writing-plan",
        "escalate": draw.random() < 0.1,
        "forced": draw.random() < 0.1,
        "breaker": draw.random() < 0.05,
        "confidence_reasons": ["converged"],
        "questions": draw.randint(3, 7),
        "informative": 3,
        "low_information": 0,
        "clarifications": 0,
        "roles": ["pm", "sre", "security"],
        "model_calls": 0 if offline else draw.randint(3, 9),
        "input_tokens": 0 if offline else draw.choice((None, draw.randint(1000, 20000))),
        "output_tokens": 0 if offline else draw.randint(100, 3000),
        "cost_usd": 0.0 if offline else draw.choice((None, round(draw.random(), 6))),
        "seconds": round(draw.expovariate(1 / 400), 3),
        "checklist_failed": 0,
    }


def _ts(draw: random.Random, month: str, day: int) -> str:
    hour, minute, second = draw.randrange(24), draw.randrange(60), draw.randrange(60)
    return f"{month}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"


def _with(line: bytes, **fields: Any) -> bytes:
    return json.dumps({**json.loads(line), **fields}).encode()
