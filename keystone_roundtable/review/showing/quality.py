"""The sections that judge: confidence, calibration, questions and time, models and cost."""

from __future__ import annotations

from collections.abc import Callable

from ..figures import CalibrationRow, Review, Spread
from ..statistics import ENOUGH
from . import words
from .tables import (
    NOTHING,
    Cell,
    Column,
    Mark,
    Section,
    Table,
    amount,
    bars,
    count,
    dollars,
    duration,
    name,
    percent,
    share,
)


def confidence(review: Review) -> Section:
    stated = review.confidence
    rows = tuple(
        (Cell(words.band(bar.band), bar.band), count(bar.count), share(bar.count, stated.count))
        for bar in stated.histogram
    )
    table = Table(
        words.CONFIDENCE_CAPTION,
        (
            Column(words.STATED),
            Column(words.SESSIONS, number=True),
            Column(words.SHARE, number=True),
        ),
        rows,
        bars(bar.count for bar in stated.histogram),
    )
    notes = (words.stated_by(stated.count, review.events.finished),)
    return Section("confidence", words.CONFIDENCE_TITLE, notes, (table,))


def calibration(review: Review) -> Section:
    judged = review.outcomes.judged
    notes = [words.CALIBRATION_NOTE]
    if not review.outcomes.enough:
        notes.append(words.too_few(judged, ENOUGH))
    elif review.brier is not None:
        notes.append(words.brier(review.brier, judged))
    if review.outcomes.enough and any(0 < row.judged < ENOUGH for row in review.calibration):
        notes.append(words.few_in_bands(ENOUGH))
    rows = [row for row in review.calibration if _has_outcomes(row)]
    table = Table(
        words.CALIBRATION_CAPTION,
        (
            Column(words.STATED),
            Column(words.JUDGED_SHORT, number=True),
            Column(words.HELD, number=True),
            Column(words.SHARE_HELD, number=True),
            Column(words.INTERVAL, number=True),
            Column(words.PARTLY, number=True),
            Column(words.UNKNOWN, number=True),
        ),
        tuple(_calibration_row(row) for row in rows),
        tuple(calibration_mark(row) for row in rows),
    )
    return Section("calibration", words.CALIBRATION_TITLE, tuple(notes), (table,) if rows else ())


def _has_outcomes(row: CalibrationRow) -> bool:
    return bool(row.judged or row.partly or row.unknown)


def _calibration_row(row: CalibrationRow) -> tuple[Cell, ...]:
    held, interval = NOTHING, NOTHING
    if row.judged and not row.enough:
        held = Cell(words.TOO_FEW)
    elif row.held_share is not None:
        held = Cell(percent(row.held_share), row.held_share)
        interval = Cell(words.interval(row.interval_low or 0, row.interval_high or 0))
    return (
        Cell(words.band(row.band), row.band),
        count(row.judged),
        count(row.held),
        held,
        interval,
        count(row.partly),
        count(row.unknown),
    )


def calibration_mark(row: CalibrationRow) -> Mark | None:
    """The share that held with its interval, against what was stated; None where too few tell."""
    if not row.enough or row.interval_low is None or row.interval_high is None:
        return None
    return Mark(row.interval_low, row.interval_high, row.held_share, row.confidence)


def effort(review: Review) -> Section:
    questions, seconds = review.questions, review.seconds
    tables = (
        _spread(words.questions_caption(questions.count), words.QUESTIONS, questions, amount),
        _spread(words.seconds_caption(seconds.count), words.TIME, seconds, duration),
    )
    return Section("effort", words.EFFORT_TITLE, (), tables)


def _spread(
    caption: str, quantity: str, spread: Spread, cell: Callable[[float | None], Cell]
) -> Table:
    values = ((words.MEDIAN, spread.p50), (words.MEAN, spread.mean), (words.MOST, spread.p95))
    highest = max((value or 0 for _, value in values), default=0) or 1
    return Table(
        caption,
        (Column(words.MEASURE), Column(quantity, number=True)),
        tuple((Cell(label), cell(value)) for label, value in values),
        tuple(Mark(0, (value or 0) / highest) for _, value in values),
    )


def models(review: Review) -> Section | None:
    if not review.models:
        return None
    ranked = sorted(review.models, key=lambda row: (-row.calls, -row.sessions, row.model))
    rows = tuple(
        (
            name(row.model),
            count(row.sessions),
            count(row.calls),
            count(row.input_tokens),
            count(row.output_tokens),
            dollars(row.cost_usd, row.sessions, row.unknown_cost),
        )
        for row in ranked
    )
    table = Table(
        words.MODELS_CAPTION,
        (
            Column(words.MODEL),
            *(
                Column(label, number=True)
                for label in (
                    words.SESSIONS,
                    words.CALLS,
                    words.INPUT_TOKENS,
                    words.OUTPUT_TOKENS,
                    words.COST,
                )
            ),
        ),
        rows,
        bars(row.calls for row in ranked),
    )
    unknown_cost = sum(row.unknown_cost for row in review.models)
    unknown_tokens = sum(row.unknown_tokens for row in review.models)
    return Section(
        "models", words.MODELS_TITLE, words.unknown_use(unknown_cost, unknown_tokens), (table,)
    )
