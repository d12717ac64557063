"""The review of what was counted: a pure function from tallies to the shape of `--json`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .figures import (
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
from .statistics import (
    BANDS,
    CONFIDENCE_STEPS,
    ENOUGH,
    band_name,
    band_of,
    brier,
    nearest_rank,
    wilson,
)
from .tally import KINDS, MICRO, NANO, Result, Tally, Usage

_DIGITS = 6
"""Decimals of shares and means: beyond them stands only the rounding of the division."""


@dataclass(frozen=True)
class Scope:
    """What was looked at: days (YYYY-MM-DD, both included), folders and the skill.

    `copied_files` were found to be copies of others among them, and not looked at.
    """

    roots: tuple[str, ...]
    since: str | None = None
    until: str | None = None
    skill: str = "roundtable"
    copied_files: int = 0


@dataclass(frozen=True)
class Sessions:
    """What can be told only of whole sessions, wherever their lines stand."""

    abandoned: int = 0
    outcomes: Mapping[tuple[int, str], int] | None = None
    """The last one of each session, by step of confidence, -1 where none is stated, and result."""


def make_review(tally: Tally, sessions: Sessions, scope: Scope) -> Review:
    outcomes = Counter[tuple[int, str]](sessions.outcomes or {})
    outcomes.update(tally.outcomes)
    return Review(
        since=scope.since,
        until=scope.until,
        roots=scope.roots,
        lines=tally.lines,
        broken=tuple(Broken(file=f, line=n, reason=r) for f, n, r in tally.broken),
        broken_count=tally.broken_count,
        events=EventCounts(**_by_last(tally.events)),
        decisions=_by_last(tally.decisions),
        by_month=tuple(_months(tally)),
        by_mode=_by_last(tally.modes),
        by_format=_sorted(tally.formats),
        confidence=_confidence(tally),
        forced=tally.flags["forced"],
        breaker=tally.flags["breaker"],
        escalated=tally.flags["escalated"],
        deferred=tally.flags["deferred"],
        abandoned=sessions.abandoned,
        questions=_spread(tally.questions, sum(q * n for q, n in tally.questions.items())),
        seconds=_spread(tally.seconds, tally.seconds_sum / MICRO),
        models=tuple(_model(name, usage) for name, usage in sorted(tally.models.items())),
        calibration=tuple(_calibration(outcomes, band) for band in range(BANDS)),
        brier=_rounded(brier(_steps(outcomes, "held"), _steps(outcomes, "reversed"))),
        other_skills=_sorted(tally.other_skills),
        skill=scope.skill,
        outcomes=_outcomes(outcomes),
        left_out=LeftOut(
            repeated=tally.repeated,
            unknown_events=tally.unknown_events,
            copied_files=scope.copied_files,
        ),
    )


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def _by_last(counts: Mapping[tuple[str, str], int]) -> dict[str, int]:
    """Summed over the months."""
    summed: Counter[str] = Counter()
    for (_, name), count in counts.items():
        summed[name] += count
    return _sorted(summed)


def _months(tally: Tally) -> Iterator[MonthRow]:
    for month in sorted({month for month, _ in tally.events}):
        yield MonthRow(
            month=month,
            **{kind: tally.events[month, kind] for kind in KINDS},
            decisions=_sorted({d: n for (m, d), n in tally.decisions.items() if m == month}),
            modes=_sorted({d: n for (m, d), n in tally.modes.items() if m == month}),
            confidence=_mean((s, n) for (m, s), n in tally.confidence.items() if m == month),
        )


def _confidence(tally: Tally) -> Confidence:
    bars: Counter[int] = Counter()
    for (_, step), count in tally.confidence.items():
        bars[band_of(step)] += count
    return Confidence(
        count=sum(bars.values()),
        mean=_mean((step, n) for (_, step), n in tally.confidence.items()),
        histogram=tuple(
            Bar(band=band_name(b), low=b / BANDS, high=(b + 1) / BANDS, count=bars[b])
            for b in range(BANDS)
        ),
    )


def _mean(steps: Iterable[tuple[int, int]]) -> float | None:
    """The mean of confidences, given as steps and how many; None where there are none."""
    count = summed = 0
    for step, n in steps:
        count += n
        summed += step * n
    return round(summed / (count * CONFIDENCE_STEPS), _DIGITS) if count else None


def _spread(counts: Mapping[float, int], summed: float) -> Spread:
    count = sum(counts.values())
    return Spread(
        count=count,
        mean=round(summed / count, _DIGITS) if count else None,
        p50=nearest_rank(counts, 50),
        p95=nearest_rank(counts, 95),
    )


def _model(name: str, usage: Usage) -> ModelRow:
    return ModelRow(
        model=name,
        sessions=usage.sessions,
        calls=usage.calls,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cost_usd=usage.cost / NANO,
        unknown_tokens=usage.unknown_tokens,
        unknown_cost=usage.unknown_cost,
    )


def _outcomes(outcomes: Mapping[tuple[int, str], int]) -> OutcomeCounts:
    counts: Counter[str] = Counter()
    judged = 0
    for (step, result), count in outcomes.items():
        counts[result] += count
        judged += count if step >= 0 and result in ("held", "reversed") else 0
    return OutcomeCounts(**counts, judged=judged, enough=judged >= ENOUGH)


def _calibration(outcomes: Mapping[tuple[int, str], int], band: int) -> CalibrationRow:
    counts: Counter[str] = Counter()
    judged: list[tuple[int, int]] = []
    for (step, result), count in outcomes.items():
        if step < 0 or band_of(step) != band:
            continue
        counts[result] += count
        if result in ("held", "reversed"):
            judged.append((step, count))
    trials = counts["held"] + counts["reversed"]
    low, high = wilson(counts["held"], trials) if trials else (None, None)
    return CalibrationRow(
        band=band_name(band),
        low=band / BANDS,
        high=(band + 1) / BANDS,
        judged=trials,
        held=counts["held"],
        reversed=counts["reversed"],
        partly=counts["partly"],
        unknown=counts["unknown"],
        confidence=_mean(judged),
        held_share=round(counts["held"] / trials, _DIGITS) if trials else None,
        interval_low=_rounded(low),
        interval_high=_rounded(high),
        enough=trials >= ENOUGH,
    )


def _steps(outcomes: Mapping[tuple[int, str], int], wanted: Result) -> Counter[int]:
    """How many of one result stated each step of confidence."""
    steps: Counter[int] = Counter()
    for (step, result), count in outcomes.items():
        if result == wanted and step >= 0:
            steps[step] += count
    return steps


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
