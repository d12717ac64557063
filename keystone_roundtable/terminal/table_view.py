"""Who has answered, while a round is open: redrawn on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TextIO

from ..core.plain import one_line
from ..core.report import shorten

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

_TOLD = 100  # characters; chosen by judgement: what a row of a terminal holds
_WAITS, _ASKED, _AGAIN = "waiting", "asked", "asked again"


@dataclass
class PlainView:
    """One line for each thing that happens."""

    out: TextIO

    def opened(self, title: str, seats: Sequence[str]) -> None:
        self._line(f"{title}: asking {', '.join(map(one_line, seats))}")

    def began(self, seat: str, attempt: int) -> None:
        if attempt > 1:
            self._line(f"  {one_line(seat)} is {_AGAIN}")

    def landed(self, seat: str, told: str, seconds: float, *, absent: bool) -> None:
        mark = "absent, " if absent else ""
        self._line(f"  {one_line(seat)}: {mark}{shorten(one_line(told), _TOLD)} ({seconds:.1f} s)")

    def closed(self) -> None:
        self.out.flush()

    def _line(self, text: str) -> None:
        print(text, file=self.out, flush=True)


@dataclass
class LiveView:
    """A small table that is redrawn while the round is open, and stays as it was at its end."""

    out: TextIO
    colour: bool = True
    _title: str = ""
    _rows: dict[str, tuple[str, str]] = field(default_factory=dict)
    _live: Live | None = None

    def opened(self, title: str, seats: Sequence[str]) -> None:
        from rich.console import Console
        from rich.live import Live

        self._title = title
        self._rows = {seat: (_WAITS, "") for seat in seats}
        console = Console(file=self.out, no_color=not self.colour, highlight=False)
        self._live = Live(self._drawn(), console=console, refresh_per_second=8)
        self._live.start()

    def began(self, seat: str, attempt: int) -> None:
        self._set(seat, _ASKED if attempt == 1 else _AGAIN, "")

    def landed(self, seat: str, told: str, seconds: float, *, absent: bool) -> None:
        state = f"{'absent' if absent else 'answered'} {seconds:.1f} s"
        self._set(seat, state, shorten(one_line(told), _TOLD))

    def closed(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _set(self, seat: str, state: str, told: str) -> None:
        self._rows[seat] = (state, told)
        if self._live is not None:
            self._live.update(self._drawn())

    def _drawn(self) -> Table:
        from rich.box import SIMPLE
        from rich.table import Table
        from rich.text import Text

        drawn = Table(title=Text(self._title), title_justify="left", box=SIMPLE, show_header=False)
        for seat, (state, told) in self._rows.items():
            drawn.add_row(Text(one_line(seat)), Text(state), Text(told))
        return drawn
