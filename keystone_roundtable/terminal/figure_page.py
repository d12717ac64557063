"""Figures on a screen: tables with small charts beside them, as wide as there is room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from rich.bar import Bar
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from ..core.plain import one_line
from . import strings
from .figure_lines import row_in_words
from .figures import Cell, Mark, Overview, Section, Table
from .rendering import without_padding
from .wrapping import width_of

MAX_ROWS = 24  # of one table; `--json` and a pipe have them all
MAX_WIDTH = 110
MIN_NAME, WHOLE_NAME = 12, 30  # letters; for a bar only longer names go on in the next line
MIN_BAR, MAX_BAR = 10, 40
GAP = 2  # between columns

Shown = tuple[Sequence[Cell], Mark | None]
"""A row with its mark."""

# What says the same where only ASCII can be shown.
_ASCII = str.maketrans({"–": "-", "·": "|", "≥": ">=", "…": "..."})


@dataclass(frozen=True)
class Look:
    """What the terminal can show."""

    columns: int
    colour: bool = True
    unicode: bool = True

    @property
    def width(self) -> int:
        return min(self.columns, MAX_WIDTH)

    def text(self, text: str) -> str:
        """`text` on one line, in letters that the terminal has."""
        text = one_line(text)
        if self.unicode:
            return text
        return text.translate(_ASCII).encode("ascii", "backslashreplace").decode("ascii")


def figure_page(overview: Overview, look: Look) -> str:
    """The whole page, with ANSI styles."""
    written = StringIO()
    console = Console(
        file=written,
        force_terminal=True,
        color_system="standard",
        no_color=not look.colour,
        width=look.width,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
    console.print(Text(look.text(overview.title), style="bold"))
    for line in overview.about:
        console.print(Text(look.text(line), style="dim"))
    console.print()
    console.print(_headline(overview, look))
    for section in overview.sections:
        _print_section(console, section, look)
    return without_padding(written.getvalue())


def _headline(overview: Overview, look: Look) -> Grid:
    grid = Grid.grid(padding=(0, GAP, 0, 0))
    grid.add_column(overflow="fold")
    grid.add_column(justify="right", overflow="fold")
    for figure in overview.headline:
        grid.add_row(look.text(figure.label), Text(look.text(figure.cell.text), style="bold"))
    return grid


def _print_section(console: Console, section: Section, look: Look) -> None:
    console.print()
    console.print(Text(look.text(section.title), style="bold magenta"))
    for note in section.notes:
        console.print(Text(look.text(note), style="dim"))
    for table in section.tables:
        if len(section.tables) > 1:
            console.print()
            console.print(Text(look.text(table.caption), style="italic"))
        _print_table(console, table, look)


def _print_table(console: Console, table: Table, look: Look) -> None:
    shown, hidden = _shown(table)
    first, room = _fitting(table, shown, look)
    if room < 0:
        for row, _ in shown:
            console.print(Padding(Text(look.text(row_in_words(table, row))), (0, 0, 0, GAP)))
    else:
        console.print(_grid(table, shown, look, first, room))
        if room and any(mark is not None and mark.point is not None for _, mark in shown):
            legend = strings.INTERVAL_LEGEND if look.unicode else strings.ASCII_INTERVAL_LEGEND
            console.print(Text(legend, style="dim"))
    if hidden:
        told = strings.earlier_rows(hidden) if table.by_time else strings.more_rows(hidden)
        console.print(Text(look.text(told), style="dim"))


def _shown(table: Table) -> tuple[list[Shown], int]:
    """The rows that are shown, each with its mark, and how many are not."""
    marks = table.marks or [None] * len(table.rows)
    rows = list(zip(table.rows, marks, strict=True))
    hidden = max(len(rows) - MAX_ROWS, 0)
    return (rows[hidden:] if table.by_time else rows[:MAX_ROWS]), hidden


def _fitting(table: Table, shown: Sequence[Shown], look: Look) -> tuple[int, int]:
    """Columns for the names, and what is left for bars: 0 for none, below that no table fits.

    Names may go on in the next line, figures may not, and neither may words beside names: a path
    in pieces can be neither read nor copied.
    """
    names, *others = (
        max(
            [width_of(look.text(c.label)), *(width_of(look.text(row[at].text)) for row, _ in shown)]
        )
        for at, c in enumerate(table.columns)
    )
    left = look.width - sum(others) - GAP * len(others)
    wordy = any(not column.number for column in table.columns[1:])
    if left < (names if wordy else min(names, MIN_NAME)):
        return 0, -1
    if not any(mark is not None for _, mark in shown):
        return min(names, left), 0
    room = max(left - names - GAP, min(MIN_BAR, left - WHOLE_NAME - GAP))
    if room < MIN_BAR:
        return min(names, left), 0
    return min(names, left - room - GAP), min(room, MAX_BAR)


def _grid(
    table: Table,
    shown: Sequence[Shown],
    look: Look,
    names: int,
    room: int,
) -> Grid:
    grid = Grid(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="dim")
    for at, column in enumerate(table.columns):
        grid.add_column(
            Text(look.text(column.label)),
            justify="right" if column.number else "left",
            overflow="fold",
            no_wrap=column.number,
            width=names if at == 0 else None,
        )
    if room:
        grid.add_column("", width=room)
    for row, mark in shown:
        cells: list[RenderableType] = [Text(look.text(cell.text)) for cell in row]
        grid.add_row(*cells, *([_drawn(mark, room, look)] if room else []))
    return grid


def _drawn(mark: Mark | None, room: int, look: Look) -> RenderableType:
    if mark is None:
        return ""
    if mark.point is not None:
        return Text(interval_line(mark, room, look.unicode), style="magenta")
    if look.unicode:
        return Bar(1, mark.start, mark.end, width=room, color="magenta")
    return Text("#" * max(round(mark.end * room), int(mark.end > 0)), style="magenta")


def interval_line(mark: Mark, room: int, unicode: bool) -> str:
    """The scale from 0 to 1 in `room` letters: interval, value, and what it is held against."""
    span, point, reference = "─●│" if unicode else "-o|"
    line = [" "] * room

    def at(share: float) -> int:
        return min(int(share * room), room - 1)

    for place in range(at(mark.start), at(mark.end) + 1):
        line[place] = span
    if mark.reference is not None:
        line[at(mark.reference)] = reference
    if mark.point is not None:
        line[at(mark.point)] = point
    return "".join(line)
