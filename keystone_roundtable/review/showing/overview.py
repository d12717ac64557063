"""A review in words: headline, and one section for each thing that is looked at."""

from __future__ import annotations

from ..figures import Review
from . import counts, quality, words
from .tables import Cell, Figure, Overview, amount, count, decimal, duration, score


def overview(review: Review) -> Overview:
    """Everything a person is shown of `review`."""
    told = (
        (
            counts.months(review),
            counts.decisions(review),
            counts.kinds(review),
            quality.confidence(review),
            quality.calibration(review),
            quality.effort(review),
            quality.models(review),
        )
        if review.events.finished
        else (quality.calibration(review),)
        if review.events.outcome
        else ()
    )
    rest = (counts.other_skills(review), counts.left_out(review))
    return Overview(
        title=words.title(review.skill),
        about=_about(review),
        headline=_headline(review),
        sections=tuple(section for section in (*told, *rest) if section is not None),
        foot=words.FOOT,
    )


def _about(review: Review) -> tuple[str, ...]:
    months = [row.month for row in review.by_month]
    lines = [words.period(review.since, review.until, months), words.places(review.roots)]
    if not review.events.finished:
        lines.append(words.NOTHING_YET if not review.lines else words.NOTHING_FINISHED)
    return tuple(lines)


def _headline(review: Review) -> tuple[Figure, ...]:
    if not review.events.finished:
        return (
            Figure(words.DECIDED, count(0)),
            Figure(words.STARTED, count(review.events.started)),
            Figure(words.LINES_READ, count(review.lines)),
        )
    brier = score(review.brier) if review.outcomes.enough else Cell(words.TOO_FEW_TO_TELL)
    return (
        Figure(words.DECIDED, count(review.events.finished)),
        Figure(words.MEAN_CONFIDENCE, decimal(review.confidence.mean)),
        Figure(words.MEDIAN_QUESTIONS, amount(review.questions.p50)),
        Figure(words.MEDIAN_TIME, duration(review.seconds.p50)),
        Figure(words.JUDGED, count(review.outcomes.judged)),
        Figure(words.BRIER, brier),
    )
