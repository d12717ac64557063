"""A review as one page of HTML: each chart with its table under it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ...content.pages import html_page
from ...core.plain import one_line
from ...core.report import shorten
from ..figures import MonthRow, Review
from . import charts, words
from .chart_style import WIDTH, Spec
from .counts import short_decision
from .drawing import svg_of
from .overview import overview
from .tables import Cell, Figure, Section, Table, by_count

MAX_MONTH_ROWS = 5  # of the chart; rarer decisions are in the table
LABEL_LETTERS = 40  # of a line of a chart, in the widest of the usual fonts


@dataclass(frozen=True)
class Part:
    """A table, and the drawing of it as SVG; "" where the table says it all.

    `left_out` says what of the table is not in the drawing; "" where all is.
    """

    table: Table
    drawing: str
    left_out: str


@dataclass(frozen=True)
class PageSection:
    key: str
    title: str
    notes: tuple[str, ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Page:
    title: str
    about: tuple[str, ...]
    headline: tuple[Figure, ...]
    sections: tuple[PageSection, ...]
    foot: str


def review_page(review: Review) -> str:
    """The whole file. Raises `MissingLibraryError` where nothing can draw."""
    told = overview(review)
    page = Page(
        title=told.title,
        about=told.about,
        headline=told.headline,
        sections=tuple(_section(section, review) for section in told.sections),
        foot=told.foot,
    )
    return html_page("review", page=page)


Charted = Callable[[Review, Table], Spec | None]


def _section(section: Section, review: Review) -> PageSection:
    parts = []
    drawn = _CHARTS.get(section.key, ())
    for number, table in enumerate(section.tables):
        spec = drawn[number](review, table) if number < len(drawn) else None
        key = f"{section.key}-chart-{number + 1}"
        drawing = svg_of(spec, WIDTH, key, table.caption, _in_words(table)) if spec else ""
        parts.append(Part(table, drawing, _left_out(review, table) if spec else ""))
    return PageSection(section.key, section.title, section.notes, tuple(parts))


def _left_out(review: Review, table: Table) -> str:
    if table.by_time:
        shown = len(tuple(months_between(review.by_month)))
        earlier = review.by_month[0].month < next(months_between(review.by_month))
        return words.last_months(shown) if earlier else ""
    if len(table.rows) > charts.MAX_BARS:
        return words.most_frequent(charts.MAX_BARS, len(table.rows))
    return ""


def _in_words(table: Table) -> str:
    """What the drawing shows, for who hears it: the first rows; the table has them all."""
    told = [f"{row[0].text}: {row[1].text}" for row in table.rows[: charts.MAX_BARS]]
    more = words.more_rows(len(table.rows) - len(told))
    return one_line("; ".join([*told, *([more] if more else [])])) + ". " + words.TABLE_BELOW


# -- one chart for each table ----------------------------------------------------------


def _months(review: Review, table: Table) -> Spec | None:
    months = tuple(months_between(review.by_month))
    by_name = {row.month: row for row in review.by_month}

    def counts(decision: str) -> list[int]:
        rows = (by_name.get(month) for month in months)
        return [row.decisions.get(decision, 0) if row else 0 for row in rows]

    ranked = by_count(review.decisions)[:MAX_MONTH_ROWS]
    rows = []
    for decision, number in ranked:
        told = f" · {number:,}"
        rows.append((_label(short_decision(decision, review.skill), told) + told, counts(decision)))
    return charts.month_columns(months, rows) if rows else None


def months_between(rows: Sequence[MonthRow]) -> Iterator[str]:
    """The last months that a chart shows, those without an event among them."""
    if not rows:
        return
    first, last = (_number(row.month) for row in (rows[0], rows[-1]))
    for number in range(max(first, last - charts.MAX_MONTHS + 1), last + 1):
        yield f"{number // 12:04}-{number % 12 + 1:02}"


def _number(month: str) -> int:
    year, _, number = month.partition("-")
    return int(year) * 12 + int(number) - 1


def _lying(review: Review, table: Table) -> Spec | None:
    """The table's marks as bars; beside each what its other cells read."""
    return _bars(table, lambda row: " · ".join(cell.text for cell in row[1:]))


def _models(review: Review, table: Table) -> Spec | None:
    return _bars(table, lambda row: words.calls(row[2].text))


def _bars(table: Table, beside: Callable[[tuple[Cell, ...]], str]) -> Spec | None:
    rows = []
    for row, mark in zip(table.rows, table.marks, strict=True):
        told = beside(row)
        rows.append(charts.Lying(_label(row[0].text, told), mark.end if mark else 0, told))
    return charts.bars(rows, table.of_whole) if rows else None


def _histogram(review: Review, table: Table) -> Spec | None:
    if not review.confidence.count:
        return None
    return charts.histogram([(b.low, b.high, b.count) for b in review.confidence.histogram])


def _calibration(review: Review, table: Table) -> Spec | None:
    bands = [
        charts.Judged(row.confidence, row.held_share, row.interval_low, row.interval_high, told)
        for row in review.calibration
        if row.enough
        and row.confidence is not None
        and row.held_share is not None
        and row.interval_low is not None
        and row.interval_high is not None
        for told in (words.judged(row.judged),)
    ]
    return charts.calibration(bands) if bands else None


def _label(text: str, beside: str) -> str:
    """A name on the line of a chart that `beside` stands on too."""
    return shorten(one_line(text), LABEL_LETTERS - len(beside)) or words.NO_NAME


_CHARTS: dict[str, tuple[Charted, ...]] = {
    "months": (_months,),
    "decisions": (_lying, _lying),
    "modes": (_lying, _lying),
    "confidence": (_histogram,),
    "calibration": (_calibration,),
    "effort": (_lying, _lying),
    "models": (_models,),
    "other-skills": (_lying,),
}
