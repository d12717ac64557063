"""The sections that count: months, decisions, modes, other skills, lines left out."""

from __future__ import annotations

from collections.abc import Mapping

from ..figures import MonthRow, Review
from . import words
from .tables import Cell, Column, Section, Table, bars, by_count, count, decimal, name, parts, share

MAX_DECISION_COLUMNS = 4  # in the table of months; the rest is summed

_COUNTED = (Column(words.SESSIONS, number=True), Column(words.SHARE, number=True))


def months(review: Review) -> Section:
    ranked = [decision for decision, _ in by_count(review.decisions)]
    shown, rest = ranked[:MAX_DECISION_COLUMNS], ranked[MAX_DECISION_COLUMNS:]
    columns = [Column(words.MONTH), Column(words.DECIDED, number=True)]
    columns += [Column(short_decision(d, review.skill), number=True) for d in shown]
    columns += [Column(words.OTHER_DECISIONS, number=True)] if rest else []
    columns.append(Column(words.CONFIDENCE, number=True))

    def row(month: MonthRow) -> tuple[Cell, ...]:
        cells = [name(month.month), count(month.finished)]
        cells += [count(month.decisions.get(decision, 0)) for decision in shown]
        cells += [count(sum(month.decisions.get(d, 0) for d in rest))] if rest else []
        return (*cells, decimal(month.confidence))

    table = Table(
        words.MONTHS_CAPTION,
        tuple(columns),
        tuple(row(month) for month in review.by_month),
        bars(month.finished for month in review.by_month),
        by_time=True,
    )
    events = review.events
    note = words.events(events.started, events.paused, events.redirected, events.outcome)
    return Section("months", words.MONTHS_TITLE, (note,), (table,))


def decisions(review: Review) -> Section:
    decided = review.events.finished
    ranked = by_count(review.decisions)
    rows = [
        (Cell(short_decision(d, review.skill), d), count(n), share(n, decided)) for d, n in ranked
    ]
    ends = (
        (words.FORCED, review.forced, decided),
        (words.BREAKER, review.breaker, decided),
        (words.ESCALATED, review.escalated, decided),
        (words.DEFERRED, review.deferred, decided),
        (words.ABANDONED, review.abandoned, review.events.started),
    )
    columns = (Column(words.DECISION), *_COUNTED)
    return Section(
        "decisions",
        words.DECISIONS_TITLE,
        (),
        (
            Table(
                words.DECISIONS_CAPTION,
                columns,
                tuple(rows),
                parts((n, decided) for _, n in ranked),
                of_whole=True,
            ),
            Table(
                words.ENDS_CAPTION,
                (Column(words.END), *_COUNTED),
                tuple((Cell(label), count(n), share(n, of)) for label, n, of in ends),
                parts((n, of) for _, n, of in ends),
                of_whole=True,
            ),
        ),
    )


def kinds(review: Review) -> Section:
    decided = review.events.finished
    return Section(
        "modes",
        words.MODES_TITLE,
        (),
        (
            _counts(words.MODES_CAPTION, words.MODE, review.by_mode, decided),
            _counts(words.FORMATS_CAPTION, words.FORMAT, review.by_format, decided),
        ),
    )


def other_skills(review: Review) -> Section | None:
    if not review.other_skills:
        return None
    ranked = by_count(review.other_skills)
    table = Table(
        words.OTHER_SKILLS_CAPTION,
        (Column(words.SKILL), Column(words.EVENTS, number=True)),
        tuple((name(skill), count(n)) for skill, n in ranked),
        bars(n for _, n in ranked),
    )
    return Section("other-skills", words.OTHER_SKILLS_TITLE, (), (table,))


def left_out(review: Review) -> Section | None:
    left = review.left_out
    notes = (
        *words.broken(review.broken_count, len(review.broken), review.lines),
        *words.left_out(left.repeated, left.unknown_events, left.copied_files),
    )
    if not notes:
        return None
    table = Table(
        words.BROKEN_CAPTION,
        (Column(words.FILE), Column(words.LINE, number=True), Column(words.REASON)),
        tuple((name(b.file), count(b.line), Cell(b.reason)) for b in review.broken),
    )
    return Section("left-out", words.LEFT_OUT_TITLE, notes, (table,) if review.broken else ())


def short_decision(decision: str, skill: str) -> str:
    """`aligned` for `roundtable-aligned`: the skill's own name before it says nothing here."""
    return decision.removeprefix(f"{skill}-")


def _counts(caption: str, label: str, counts: Mapping[str, int], whole: int) -> Table:
    ranked = by_count(counts)
    return Table(
        caption,
        (Column(label), *_COUNTED),
        tuple((name(key), count(n), share(n, whole)) for key, n in ranked),
        parts((n, whole) for _, n in ranked),
        of_whole=True,
    )
