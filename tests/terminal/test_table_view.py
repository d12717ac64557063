"""Who has answered: as lines, and redrawn."""

from __future__ import annotations

import io

import pytest

from keystone_roundtable.terminal.table_view import LiveView, PlainView

HOSTILE = "\x1b[2Jops\x07\n[bold]x[/bold]"


def shown(view: PlainView | LiveView) -> None:
    view.opened("Round 1, OPEN", [HOSTILE, "finance"])
    view.began(HOSTILE, 1)
    view.began("finance", 2)
    view.landed(HOSTILE, f"keep\n{HOSTILE}", 1.24, absent=False)
    view.landed("finance", "timeout: no reply within 2 s", 2.0, absent=True)
    view.closed()


def test_plain_lines_tell_each_thing_once_and_on_one_line() -> None:
    out = io.StringIO()
    shown(PlainView(out))
    assert out.getvalue().splitlines() == [
        "Round 1, OPEN: asking ops [bold]x[/bold], finance",
        "  finance is asked again",
        "  ops [bold]x[/bold]: keep ops [bold]x[/bold] (1.2 s)",
        "  finance: absent, timeout: no reply within 2 s (2.0 s)",
    ]


@pytest.mark.parametrize("colour", [True, False])
def test_the_drawn_table_ends_with_what_every_seat_did(colour: bool) -> None:
    out = io.StringIO()
    shown(LiveView(out, colour))
    drawn = out.getvalue()
    assert "[bold]x[/bold]" in drawn
    assert "absent 2.0 s" in drawn
    assert not set(drawn) & {"\x07"}
    assert "\x1b[2J" not in drawn
