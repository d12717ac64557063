"""The report as a page."""

from __future__ import annotations

import re

import pytest

from keystone_roundtable.terminal.rendering import render_report
from keystone_roundtable.terminal.wrapping import width_of

REPORT = """## Roundtable Final Report

**Mode**: challenge
**Topic**: 我们应该删除旧的客户数据库，还是把它归档？เราควรลบฐานข้อมูลลูกค้าเก่าหรือเก็บถาวรไว้ดี
**Activated roles**: product-manager, sre

### Conclusion
- **Decision**: Archive the database, with the read-only copy that the auditors asked for last year.
- **Why**: `code` and a [link](https://example.org) are in the text.
"""


def text_of(page: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", page)


def test_the_title_is_in_one_piece() -> None:
    assert "Roundtable Final Report" in render_report(REPORT, 80)


def test_the_head_keeps_a_line_for_each_field() -> None:
    lines = [line.rstrip() for line in text_of(render_report(REPORT, 80)).split("\n")]
    assert "Mode: challenge" in lines
    assert "Activated roles: product-manager, sre" in lines


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_no_line_is_wider_than_the_screen(columns: int) -> None:
    lines = text_of(render_report(REPORT, columns)).split("\n")
    assert all(width_of(line.rstrip()) <= columns for line in lines)


def test_no_colour_leaves_bold_alone() -> None:
    page = render_report(REPORT, 80, colour=False)
    assert "\x1b[1m" in page
    assert not re.search(r"\x1b\[[0-9;]*(3[0-7]|4[0-7]|9[0-7])m", page)


def test_no_background_colour_is_set() -> None:
    """A patch of black would be unreadable on a light terminal."""
    assert not re.search(r"\x1b\[([0-9]+;)*(4[0-8]|10[0-7])[;m]", render_report(REPORT, 80))


def test_links_are_not_made_clickable() -> None:
    """What an answer says must not lead anywhere else than it reads."""
    assert "\x1b]8" not in render_report(REPORT, 80)


def test_lines_are_not_filled_with_spaces() -> None:
    assert not any(line.endswith(" ") for line in text_of(render_report(REPORT, 80)).split("\n"))
