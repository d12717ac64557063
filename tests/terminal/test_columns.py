"""Lines that are printed and not drawn: how wide they are, and where they are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcwidth

from keystone_roundtable.terminal.columns import clipped, padded, width_of

FAMILY = "👩‍👩‍👧"


@pytest.mark.parametrize(
    ("text", "width"), [("", 0), ("abc", 3), ("设置", 4), ("ที่", 1), ("é", 1), ("ｱ", 1)]
)
def test_the_width_of_a_text(text: str, width: int) -> None:
    assert width_of(text) == width


def test_no_letter_is_taken_for_narrower_than_terminals_draw_it() -> None:
    """A flag is drawn in two columns, one for each of its letters."""
    flags = range(0x1F1E6, 0x1F200)
    points = (p for p in range(32, 0x30000) if not 0xD800 <= p < 0xE000 and p not in flags)
    narrower = [hex(p) for p in points if width_of(chr(p)) < wcwidth(chr(p))]
    assert narrower == []


@given(st.text(max_size=40), st.integers(min_value=1, max_value=40))
def test_what_is_clipped_fits_and_what_fits_is_whole(text: str, width: int) -> None:
    shown = clipped(text, width)
    assert width_of(shown) <= max(width, 1)
    assert shown == text or shown.endswith("…")
    if width_of(text) <= width:
        assert shown == text
    assert clipped(text, None) == text


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("设置重构", 4, "设…"),
        ("ที่นี่ที่นี่", 3, "ที่นี่…"),
        (f"a{FAMILY}b{FAMILY}", 8, f"a{FAMILY}…"),
        ("🇩🇪🇫🇷🇯🇵", 5, "🇩🇪🇫🇷…"),
        ("one two", 5, "one…"),
    ],
)
def test_it_is_cut_between_letters_as_people_see_them(text: str, width: int, shown: str) -> None:
    assert clipped(text, width) == shown


def test_padding_counts_columns() -> None:
    assert padded("设置", 6) == "设置  "
    assert padded("toolong", 3) == "toolong"
