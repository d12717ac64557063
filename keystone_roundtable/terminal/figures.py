"""Figures as others hand them in: tables of words, with a mark for each row where it has one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Cell(Protocol):
    @property
    def text(self) -> str: ...


class Column(Protocol):
    @property
    def label(self) -> str: ...
    @property
    def number(self) -> bool: ...


class Mark(Protocol):
    """A row's place on a scale from 0 to 1; `point` makes it an interval around a value."""

    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def point(self) -> float | None: ...
    @property
    def reference(self) -> float | None: ...


class Table(Protocol):
    @property
    def caption(self) -> str: ...
    @property
    def columns(self) -> Sequence[Column]: ...
    @property
    def rows(self) -> Sequence[Sequence[Cell]]: ...
    @property
    def marks(self) -> Sequence[Mark | None]: ...
    @property
    def by_time(self) -> bool: ...


class Section(Protocol):
    @property
    def title(self) -> str: ...
    @property
    def notes(self) -> Sequence[str]: ...
    @property
    def tables(self) -> Sequence[Table]: ...


class Figure(Protocol):
    @property
    def label(self) -> str: ...
    @property
    def cell(self) -> Cell: ...


class Overview(Protocol):
    @property
    def title(self) -> str: ...
    @property
    def about(self) -> Sequence[str]: ...
    @property
    def headline(self) -> Sequence[Figure]: ...
    @property
    def sections(self) -> Sequence[Section]: ...
