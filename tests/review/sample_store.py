"""A project's telemetry as it grows: two years of sessions, outcomes, other skills, torn lines."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from pathlib import Path

from keystone_roundtable.review.figures import Review
from keystone_roundtable.review.reviewing import Wanted, review

MONTHS = [f"{year}-{month:02}" for year in (2025, 2026) for month in range(1, 13)][:22]
QUIET = "2025-11"
"""A month in which nothing happened."""
DECISIONS = ("roundtable-aligned", "roundtable-deferred", "roundtable-escalate")
MODELS = ("offline", "anthropic:claude-sonnet-4-5", "ollama:qwen3:8b")


def write_store(root: Path, sessions: int = 300, seed: int = 11) -> Path:
    """Writes month files below `root`; returns `root`."""
    draw = random.Random(seed)
    files: dict[str, list[str]] = {month: [] for month in MONTHS}
    for number in range(sessions):
        month, day = draw.choice([m for m in MONTHS if m != QUIET]), draw.randint(1, 28)
        session = f"{month.replace('-', '')}{day:02}-{number:08x}"
        at = f"{month}-{day:02}T{draw.randint(8, 20):02}:00:00Z"
        shared = {"skill": "roundtable", "ts": at, "session": session}
        files[month].append(json.dumps({**shared, "event": "started"}))
        if draw.random() < 0.1:
            files[month].append(json.dumps({**shared, "event": "paused"}))
            continue
        finished = {**shared, **_finished(draw)}
        files[month].append(json.dumps(finished))
        if draw.random() < 0.5:
            held = draw.random() < finished["confidence"]
            outcome = {"event": "outcome", "outcome": "held" if held else "reversed"}
            stated = {"confidence": finished["confidence"]}
            files["2026-10"].append(json.dumps({**shared, **outcome, **stated}))
    lone = {"skill": "roundtable", "ts": "2026-10-30T09:00:00Z", "event": "outcome"}
    for number in range(3):  # a band of confidence with too few to tell
        told = {"session": f"20240101-{number:08x}", "outcome": "reversed", "confidence": 0.2}
        files["2026-10"].append(json.dumps({**lone, **told}))
    files["2025-03"].insert(1, '{"skill": "roundtable", "ts": "2025-03-0')
    files["2026-02"].insert(2, "not even an object")
    for skill, count in (("writing-plan", 12), ("orchestrate", 3)):
        line = json.dumps({"skill": skill, "ts": "2026-05-02T10:00:00Z", "extra": [1, 2]})
        files["2026-05"] += [line] * count
    folder = root / ".keystone" / "telemetry" / "events"
    folder.mkdir(parents=True)
    for month, lines in files.items():
        if lines:
            text = "".join(f"{line}\n" for line in lines)
            (folder / f"{month}.jsonl").write_text(text, encoding="utf-8")
    return root


def _finished(draw: random.Random) -> dict[str, object]:
    decision = draw.choices(DECISIONS, (9, 2, 3))[0]
    model = draw.choice(MODELS)
    asked = model != "offline"
    forced = draw.random() < 0.15
    return {
        "event": "finished",
        "decision": decision,
        "confidence": draw.choice((0.5, 0.7, 0.8, 0.9)),
        "mode": draw.choice(("align", "brainstorm", "challenge")),
        "format": "socratic",
        "escalate": decision == "roundtable-escalate",
        "forced": forced,
        "breaker": forced,
        "questions": draw.randint(3, 7),
        "seconds": round(draw.uniform(60, 1400), 3),
        "model": model,
        "model_calls": draw.randint(4, 9) if asked else 0,
        "input_tokens": draw.randint(8_000, 20_000) if asked else 0,
        "output_tokens": draw.randint(1_000, 4_000) if asked else 0,
        "cost_usd": round(draw.uniform(0.02, 0.2), 4) if model.startswith("anthropic") else 0.0,
    }


def busy_review(folder: Path) -> Review:
    """The review of a store written below `folder`, as of a fixed day."""
    wanted = Wanted(roots=[write_store(folder / "shop")])
    return review(wanted, datetime(2026, 11, 1, tzinfo=UTC))
