"""What `review --json` prints: one frozen shape, with its JSON Schema.

Objects whose keys are names (`decisions`, `by_mode`, `by_format`, `other_skills`) are sorted by
name; lists are sorted by their objects' first field. Times and months are UTC. Shares and
confidences lie in [0, 1].
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from ..core.records import Record

REVIEW_SCHEMA_VERSION = 1

Count = int
Share = float


class Broken(Record):
    """A line that could not be counted."""

    file: str
    line: int = Field(ge=0, description="from 1; 0 where the file itself cannot be read")
    reason: str


class EventCounts(Record):
    """How many lines of each event there were."""

    finished: int = 0
    started: int = 0
    paused: int = 0
    redirected: int = 0
    outcome: int = 0


class MonthRow(Record):
    """One UTC month in which something happened; months without an event have no row."""

    month: str = Field(description="YYYY-MM")
    finished: int
    started: int
    paused: int
    redirected: int
    outcome: int
    decisions: dict[str, int]
    modes: dict[str, int] = Field(description="finished sessions by mode")
    confidence: float | None = Field(description="mean of what was stated; null where nothing was")


class Bar(Record):
    """How often a confidence within one tenth was stated."""

    band: str = Field(description="such as 0.8-0.9: from the first on, below the second")
    low: float
    high: float = Field(description="not within the band, but for 1.0 in the last one")
    count: int


class Confidence(Record):
    """The confidence that finished sessions stated."""

    count: int = Field(description="finished sessions that stated one")
    mean: float | None
    histogram: tuple[Bar, ...] = Field(description="ten bands of a tenth, lowest first")


class Spread(Record):
    """Mean and percentiles (nearest rank) over the finished sessions that tell the quantity."""

    count: int
    mean: float | None
    p50: float | None
    p95: float | None


class ModelRow(Record):
    """What finished sessions with one model used. Sums leave out what is unknown, and say so."""

    model: str
    sessions: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float
    unknown_tokens: int = Field(description="sessions of which a token count is not known")
    unknown_cost: int = Field(description="sessions of which the cost is not known")


class CalibrationRow(Record):
    """Stated confidence against what happened, for one tenth of confidence.

    `judged` are the outcomes held or reversed; share, interval and mean are over them alone.
    `partly` and `unknown` are neither, and stand beside.
    """

    band: str = Field(description="such as 0.8-0.9: from the first on, below the second")
    low: float
    high: float = Field(description="not within the band, but for 1.0 in the last one")
    judged: int
    held: int
    reversed: int
    partly: int
    unknown: int
    confidence: float | None = Field(description="mean stated confidence of the judged")
    held_share: float | None = Field(description="held / judged")
    interval_low: float | None = Field(description="95 % Wilson interval of held_share")
    interval_high: float | None
    enough: bool = Field(description="false below 10 judged: too few to tell")


class OutcomeCounts(Record):
    """The last outcome of each session."""

    held: int = 0
    reversed: int = 0
    partly: int = 0
    unknown: int = 0
    judged: int = Field(
        0, description="held or reversed, with a stated confidence: what brier is over"
    )
    enough: bool = Field(False, description="false below 10 judged: too few to tell")


class LeftOut(Record):
    """What is read well and counted nowhere else."""

    repeated: int = Field(0, description="events that stand on an earlier line too")
    unknown_events: int = Field(
        0, description="events of this skill that this version has no word for"
    )
    copied_files: int = Field(0, description="files that are the same in another project; not read")


class Review(Record):
    """What the telemetry of one or many projects says."""

    schema_version: int = REVIEW_SCHEMA_VERSION
    since: str | None = Field(description="YYYY-MM-DD, included; null without a bound")
    until: str | None = Field(description="YYYY-MM-DD, included; null without a bound")
    roots: tuple[str, ...]
    lines: int = Field(description="whole lines that are not blank, broken ones included")
    broken: tuple[Broken, ...] = Field(max_length=100, description="the first hundred")
    broken_count: int
    events: EventCounts
    decisions: dict[str, int]
    by_month: tuple[MonthRow, ...]
    by_mode: dict[str, int] = Field(description="finished sessions")
    by_format: dict[str, int] = Field(description="finished sessions")
    confidence: Confidence
    forced: int
    breaker: int
    escalated: int
    deferred: int
    abandoned: int = Field(description="started, not finished, no sign of life for 7 days")
    questions: Spread
    seconds: Spread = Field(description="active seconds to a decision")
    models: tuple[ModelRow, ...]
    calibration: tuple[CalibrationRow, ...] = Field(description="ten bands, lowest first")
    brier: float | None = Field(description="0 is perfect, 0.25 a coin; null with nothing judged")
    other_skills: dict[str, int] = Field(description="events of every other skill")
    skill: str = Field(description="whose events the figures are about")
    outcomes: OutcomeCounts
    left_out: LeftOut


def review_schema() -> dict[str, Any]:
    """The JSON Schema of `review --json` (draft 2020-12)."""
    schema = Review.model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
