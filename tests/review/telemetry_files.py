"""A project's telemetry written line by line, and its review."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from keystone_roundtable.review.figures import Review
from keystone_roundtable.review.reviewing import Wanted, review
from keystone_roundtable.review.span import make_span

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def event(kind: str, ts: str = "2026-11-10T10:00:00Z", **fields: Any) -> dict[str, Any]:
    """A line of ours; fields that are `...` are left out."""
    line = {"skill": "roundtable", "ts": ts, "schema_version": 1, "event": kind, "session": "s1"}
    return {name: value for name, value in {**line, **fields}.items() if value is not ...}


def finished(ts: str = "2026-11-10T10:00:00Z", **fields: Any) -> dict[str, Any]:
    """A finished line with every field that is counted."""
    whole = {
        "decision": "roundtable-aligned",
        "confidence": 0.9,
        "mode": "align",
        "format": "socratic",
        "exit_code": "ok",
        "escalate": False,
        "forced": False,
        "breaker": False,
        "questions": 4,
        "model": "offline",
        "model_calls": 0,
        "input_tokens": 0,
        "output_tokens": 0,
        "cost_usd": 0.0,
        "seconds": 61.5,
    }
    return event("finished", ts, **{**whole, **fields})


def outcome(result: str, ts: str = "2026-11-20T10:00:00Z", **fields: Any) -> dict[str, Any]:
    return event("outcome", ts, **{"outcome": result, "confidence": 0.9, **fields})


def folder_of(root: Path) -> Path:
    folder = root / ".keystone" / "telemetry" / "events"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def put(root: Path, *lines: dict[str, Any] | bytes, month: str = "2026-11") -> Path:
    """Adds lines to a month; bytes as they are, with a newline."""
    path = folder_of(root) / f"{month}.jsonl"
    with path.open("ab") as file:
        for line in lines:
            file.write((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n")
    return path


def reviewed(
    *roots: Path, since: str | None = None, until: str | None = None, **wanted: Any
) -> Review:
    now = wanted.pop("now", NOW)
    return review(Wanted(roots, make_span(since, until), **wanted), now)
