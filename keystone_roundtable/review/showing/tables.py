"""Figures as tables of words: what a page and a terminal show alike, each in its own way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Value = str | int | float | None


@dataclass(frozen=True)
class Column:
    label: str
    number: bool = False


@dataclass(frozen=True)
class Cell:
    """What is read, and the figure behind it; None where the words are all there is."""

    text: str
    value: Value = None


@dataclass(frozen=True)
class Mark:
    """A row's place on a scale from 0 to 1: a bar from `start` to `end`.

    `point` within it is a value with its interval, `reference` what it is held against.
    """

    start: float
    end: float
    point: float | None = None
    reference: float | None = None


@dataclass(frozen=True)
class Table:
    """Rows under columns, the first cell of each naming it.

    `marks`: one a row, or none at all; `of_whole` says that the scale's end is a whole of which
    they are parts, and not just the largest of them; `by_time`, that the last rows are the newest.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    marks: tuple[Mark | None, ...] = ()
    of_whole: bool = False
    by_time: bool = False


@dataclass(frozen=True)
class Section:
    """Tables under one heading, with what has to be said before them. `key` is its address."""

    key: str
    title: str
    notes: tuple[str, ...]
    tables: tuple[Table, ...]


@dataclass(frozen=True)
class Figure:
    """One of the numbers above everything else."""

    label: str
    cell: Cell

    @property
    def words(self) -> bool:
        """Whether words stand where a number would."""
        return self.cell.value is None


@dataclass(frozen=True)
class Overview:
    """A whole review in words: title, what it is about, headline, sections."""

    title: str
    about: tuple[str, ...]
    headline: tuple[Figure, ...]
    sections: tuple[Section, ...]
    foot: str


NOTHING = Cell("–")


def name(text: str) -> Cell:
    return Cell(text, text)


def count(number: int) -> Cell:
    return Cell(f"{number:,}", number)


def decimal(number: float | None) -> Cell:
    """Two decimals, as confidence is stated."""
    return NOTHING if number is None else Cell(f"{number:.2f}", number)


def score(number: float | None) -> Cell:
    return NOTHING if number is None else Cell(f"{number:.3f}", number)


def amount(number: float | None) -> Cell:
    """At most one decimal."""
    if number is None:
        return NOTHING
    return Cell(f"{number:,.1f}".removesuffix(".0"), number)


def share(part: int, whole: int) -> Cell:
    """Of a hundred; nothing of nothing."""
    return Cell(percent(part / whole)) if whole else NOTHING


def percent(part: float) -> str:
    """Whole per cent; below one half of one only what is none is 0%."""
    if 0 < part < 0.005:
        return "<1%"
    if 0.995 <= part < 1:
        return ">99%"
    return f"{part:.0%}"


def duration(seconds: float | None) -> Cell:
    """In the two largest units: `42 s`, `12 min 5 s`, `3 h 20 min`."""
    if seconds is None:
        return NOTHING
    whole = round(seconds)
    if whole < 60:
        return Cell(f"{whole} s", seconds)
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return Cell(f"{minutes} min {rest} s" if rest else f"{minutes} min", seconds)
    hours, minutes = divmod(minutes, 60)
    return Cell(f"{hours:,} h {minutes} min" if minutes else f"{hours:,} h", seconds)


def dollars(cost: float, sessions: int, unknown: int) -> Cell:
    """What is known of a cost; that of `unknown` of the sessions is not in it."""
    if unknown and unknown == sessions:
        return Cell("not known", cost)
    text = f"${cost:,.2f}" if cost >= 0.01 or not cost else f"${cost:.4f}"
    return Cell(f"≥ {text}" if unknown else text, cost)


def by_count(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """The most frequent first, then by name."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def parts(counts: Iterable[tuple[int, int]]) -> tuple[Mark, ...]:
    """Bars of parts, each of its whole."""
    return tuple(Mark(0, min(part / whole, 1) if whole else 0) for part, whole in counts)


def bars(counts: Iterable[int]) -> tuple[Mark, ...]:
    """Bars against the largest of them."""
    numbers = list(counts)
    highest = max(numbers, default=0) or 1
    return tuple(Mark(0, number / highest) for number in numbers)
