"""Rows of an answer in SQL, one under the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..core.plain import one_line
from .columns import clipped, padded, width_of

_GAP = "  "
_MAX_COLUMN = 60
"""Columns of the screen for one column of the answer, where the screen is a terminal."""


def answer_table(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], width: int | None
) -> Iterator[str]:
    """Lines with numbers at the right; cut to `width` columns, whole where it is None."""
    most = None if width is None else _MAX_COLUMN
    cells = [[clipped(_told(value), most) for value in row] for row in rows]
    names = [one_line(name) for name in columns]
    numeric = [
        bool(rows) and all(_is_number(row[place]) for row in rows) for place in range(len(names))
    ]
    widths = [
        max(width_of(name), *(width_of(row[place]) for row in cells), 0)
        for place, name in enumerate(names)
    ]
    for texts in (names, ["-" * each for each in widths], *cells):
        placed = (
            " " * (widths[place] - width_of(text)) + text
            if numeric[place]
            else padded(text, widths[place])
            for place, text in enumerate(texts)
        )
        yield clipped(_GAP.join(placed).rstrip(), width)


def _told(value: Any) -> str:
    return "" if value is None else one_line(str(value))


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))
