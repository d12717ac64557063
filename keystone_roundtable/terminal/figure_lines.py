"""Figures line by line: for pipes, screen readers and terminals without a cursor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..core.plain import one_line
from .figures import Cell, Overview, Table


def figure_lines(overview: Overview) -> Iterator[str]:
    """Every figure in words; nothing is aligned, drawn or left out."""
    yield one_line(overview.title)
    yield from map(one_line, overview.about)
    for figure in overview.headline:
        yield f"{figure.label}: {one_line(figure.cell.text)}"
    for section in overview.sections:
        yield ""
        yield one_line(section.title)
        yield from map(one_line, section.notes)
        for table in section.tables:
            yield f"{one_line(table.caption)}:"
            yield from (f"- {row_in_words(table, row)}" for row in table.rows)


def row_in_words(table: Table, row: Sequence[Cell]) -> str:
    """`2026-09: decided 4, aligned 3`; where there is but one figure, `median: 4`."""
    name, *cells = (one_line(cell.text) for cell in row)
    if len(cells) == 1:
        return f"{name}: {cells[0]}"
    told = (f"{_within(c.label)} {text}" for c, text in zip(table.columns[1:], cells, strict=True))
    return f"{name}: {', '.join(told)}"


def _within(label: str) -> str:
    """A column's label in the middle of a sentence."""
    label = one_line(label)
    return label[:1].lower() + label[1:]
