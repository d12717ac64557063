"""The totals of a review worked out in the plainest way: everything in memory, nothing shared."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

OUR_EVENTS = ("finished", "started", "paused", "redirected", "outcome")


def totals_of(roots: list[Path], now: datetime) -> dict[str, Any]:
    """What `review --json` has to say, but for what is not about lines."""
    lines, broken, others, repeated = 0, [], Counter(), 0
    events: list[tuple[str, dict[str, Any]]] = []
    seen = set()
    for root in roots:
        for path in sorted((root / ".keystone" / "telemetry" / "events").glob("*.jsonl")):
            *whole, _ = path.read_bytes().split(b"\n")
            for number, data in enumerate(whole, 1):
                if not data.strip():
                    continue
                lines += 1
                event = understood(data)
                if event is None:
                    broken.append((str(path), number))
                elif event["skill"] != "roundtable":
                    others[event["skill"]] += 1
                else:
                    kind = event.get("event") or "finished"
                    told_apart = event["ts"] if kind in ("paused", "outcome") else None
                    key = (event.get("session"), kind, told_apart, event.get("outcome"))
                    if "session" in event and key in seen:
                        repeated += 1
                    else:
                        seen.add(key)
                        events.append((kind, event))
    finished = [event for kind, event in events if kind == "finished"]
    return {
        "lines": lines,
        "broken_count": len(broken),
        "broken": broken[:100],
        "events": {kind: sum(k == kind for k, _ in events) for kind in OUR_EVENTS},
        "decisions": dict(Counter(event["decision"] for event in finished)),
        "by_month": _by_month(events),
        "by_mode": dict(Counter(event["mode"] for event in finished)),
        "by_format": dict(Counter(event["format"] for event in finished if "format" in event)),
        "confidence": float(
            sum(Fraction(str(event["confidence"])) for event in finished) / len(finished)
        ),
        "forced": sum(event.get("forced", False) for event in finished),
        "breaker": sum(event.get("breaker", False) for event in finished),
        "escalated": sum(
            event.get("escalate", event["decision"].endswith("escalate")) for event in finished
        ),
        "deferred": sum(event["decision"].endswith("deferred") for event in finished),
        "abandoned": _abandoned(events, now),
        "questions": _spread([e["questions"] for e in finished if "questions" in e]),
        "seconds": _spread([e["seconds"] for e in finished if "seconds" in e]),
        "models": _models(finished),
        **_calibration(events),
        "other_skills": dict(others),
        "left_out": {"repeated": repeated, "unknown_events": 0, "copied_files": 0},
    }


def understood(data: bytes) -> dict[str, Any] | None:
    """The event, None for a broken line."""
    try:
        event = json.loads(data.decode("utf-8"))
        datetime.fromisoformat(event["ts"])
        assert b"\x00" not in data
        assert isinstance(event["skill"], str)
        if event.get("event") == "finished" or "decision" in event:
            assert isinstance(event["confidence"], float)
    except (ValueError, LookupError, TypeError, AssertionError):
        return None
    return event


def _by_month(events: list[tuple[str, dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    months: dict[str, Any] = defaultdict(Counter)
    for kind, event in events:
        months[event["ts"][:7]][kind] += 1
        if kind == "finished":
            months[event["ts"][:7]][event["decision"]] += 1
    return {month: dict(counts) for month, counts in months.items()}


def _abandoned(events: list[tuple[str, dict[str, Any]]], now: datetime) -> int:
    started: dict[str, datetime] = {}
    for kind, event in events:
        if kind == "started":
            started[event["session"]] = datetime.fromisoformat(event["ts"])
    for kind, event in events:
        if kind == "paused" and event["session"] in started:
            at = datetime.fromisoformat(event["ts"])
            started[event["session"]] = max(at, started[event["session"]])
    ended = {e.get("session") for kind, e in events if kind in ("finished", "redirected")}
    long_ago = now - timedelta(days=7)
    return sum(at < long_ago and session not in ended for session, at in started.items())


def _spread(values: list[float]) -> dict[str, Any]:
    ordered = sorted(float(f"{value:.3g}") for value in values)
    return {
        "count": len(values),
        "mean": sum(values) / len(values),
        "p50": ordered[math.ceil(len(ordered) * 0.5) - 1],
        "p95": ordered[math.ceil(len(ordered) * 0.95) - 1],
    }


def _models(finished: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    models: dict[str, Any] = defaultdict(Counter)
    for event in finished:
        if "model" not in event:
            continue
        row = models[event["model"]]
        row["sessions"] += 1
        row["calls"] += event["model_calls"]
        tokens = event["input_tokens"], event["output_tokens"]
        row["input_tokens"] += tokens[0] or 0
        row["output_tokens"] += tokens[1] or 0
        row["unknown_tokens"] += None in tokens
        row["unknown_cost"] += event["cost_usd"] is None
        row["cost_usd"] += Fraction(str(event["cost_usd"] or 0))
    return {model: {**row, "cost_usd": float(row["cost_usd"])} for model, row in models.items()}


def _calibration(events: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    last: dict[str, dict[str, Any]] = {}
    told = [event for kind, event in events if kind == "outcome"]
    for event in sorted(told, key=lambda event: event["ts"]):
        last[event["session"]] = event
    bands: dict[str, Any] = defaultdict(Counter)
    squares, judged = Fraction(0), 0
    for event in last.values():
        stated = Fraction(str(event["confidence"]))
        low = math.floor(stated * 10)
        band = bands[f"{low / 10}-{(low + 1) / 10}"]
        band[event["outcome"]] += 1
        if event["outcome"] in ("held", "reversed"):
            judged += 1
            squares += (stated - (event["outcome"] == "held")) ** 2
    return {
        "calibration": {band: dict(counts) for band, counts in bands.items()},
        "brier": float(squares / judged),
        "outcomes": dict(Counter(event["outcome"] for event in last.values())),
    }


NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
