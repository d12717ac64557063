"""Reviews to show: an empty one, a young one, and one whose names attack what shows them.

A busy one comes from `sample_store`.
"""

from __future__ import annotations

from typing import Any

from keystone_roundtable.review.figures import (
    Bar,
    Broken,
    CalibrationRow,
    Confidence,
    EventCounts,
    LeftOut,
    ModelRow,
    MonthRow,
    OutcomeCounts,
    Review,
    Spread,
)

HOSTILE = "<img src=x onerror=alert(1)>\"'&\x1b[31m\u202eevil\u2066\x00]]>{{7*7}}"
"""Markup, quotes, a terminal escape, bidi overrides, a NUL and a template's braces."""

TENTHS = [(f"{low / 10:.1f}-{(low + 1) / 10:.1f}", low / 10, (low + 1) / 10) for low in range(10)]
NO_SPREAD = Spread(count=0, mean=None, p50=None, p95=None)


def empty_review(**changes: Any) -> Review:
    """Nothing was recorded; `changes` say what was."""
    nothing: dict[str, Any] = {
        "since": None, "until": None, "roots": ("/home/mara/shop",), "lines": 0, "broken": (),
        "broken_count": 0, "events": EventCounts(), "decisions": {}, "by_month": (),
        "by_mode": {}, "by_format": {}, "confidence": confidence({}), "forced": 0, "breaker": 0,
        "escalated": 0, "deferred": 0, "abandoned": 0, "questions": NO_SPREAD,
        "seconds": NO_SPREAD, "models": (), "calibration": calibration({}), "brier": None,
        "other_skills": {}, "skill": "roundtable", "outcomes": OutcomeCounts(),
        "left_out": LeftOut(),
    }  # fmt: skip
    return Review(**{**nothing, **changes})


def young_review(**changes: Any) -> Review:
    """Three sessions, one outcome: too few to tell anything by."""
    told: dict[str, Any] = {
        "since": "2026-11-01",
        "lines": 8,
        "events": EventCounts(started=4, finished=3, outcome=1),
        "decisions": {"roundtable-aligned": 3},
        "by_month": (month("2026-11", {"roundtable-aligned": 3}),),
        "by_mode": {"align": 3},
        "by_format": {"socratic": 3},
        "confidence": confidence({9: 3}),
        "abandoned": 1,
        "questions": Spread(count=3, mean=3.333333, p50=3.0, p95=4.0),
        "seconds": Spread(count=3, mean=143.333333, p50=95.0, p95=240.0),
        "models": (model("offline", 3, 0, 0.0),),
        "calibration": calibration({9: (1, 0)}),
        "brier": 0.01,
        "outcomes": OutcomeCounts(held=1, judged=1, enough=False),
    }
    return empty_review(**{**told, **changes})


def hostile_review() -> Review:
    """Every name that comes from a file is `HOSTILE`."""
    return young_review(
        roots=(HOSTILE,),
        skill=HOSTILE,
        decisions={HOSTILE: 3},
        by_month=(month("2026-11", {HOSTILE: 3}),),
        by_mode={HOSTILE: 3},
        by_format={HOSTILE: 3},
        models=(model(HOSTILE, 3, 3, 0.1),),
        other_skills={HOSTILE: 5},
        broken_count=1,
        broken=(Broken(file=HOSTILE, line=1, reason=HOSTILE),),
    )


def month(name: str, decisions: dict[str, int]) -> MonthRow:
    finished = sum(decisions.values())
    return MonthRow(
        month=name,
        finished=finished,
        started=finished,
        paused=0,
        redirected=0,
        outcome=0,
        decisions=decisions,
        modes={},
        confidence=0.9,
    )


def confidence(by_tenth: dict[int, int]) -> Confidence:
    count = sum(by_tenth.values())
    bars = [
        Bar(band=band, low=low, high=high, count=by_tenth.get(at, 0))
        for at, (band, low, high) in enumerate(TENTHS)
    ]
    return Confidence(count=count, mean=0.9 if count else None, histogram=tuple(bars))


def calibration(by_tenth: dict[int, tuple[int, int]]) -> tuple[CalibrationRow, ...]:
    """`by_tenth`: held and reversed."""
    rows = []
    for at, (band, low, high) in enumerate(TENTHS):
        held, reversed_ = by_tenth.get(at, (0, 0))
        judged = held + reversed_
        rows.append(
            CalibrationRow(
                band=band,
                low=low,
                high=high,
                judged=judged,
                held=held,
                reversed=reversed_,
                partly=0,
                unknown=0,
                confidence=low if judged else None,
                held_share=held / judged if judged else None,
                interval_low=max(held / judged - 0.2, 0) if judged else None,
                interval_high=min(held / judged + 0.2, 1) if judged else None,
                enough=judged >= 10,
            )
        )
    return tuple(rows)


def model(name: str, sessions: int, calls: int, cost: float, unknown_cost: int = 0) -> ModelRow:
    return ModelRow(
        model=name,
        sessions=sessions,
        calls=calls,
        input_tokens=calls * 2_900,
        output_tokens=calls * 610,
        cost_usd=cost,
        unknown_tokens=0,
        unknown_cost=unknown_cost,
    )
