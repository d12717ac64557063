"""A review on a terminal and in a pipe: it fits, and needs neither colour nor Unicode."""

from __future__ import annotations

import io
import re

import pytest
from sample_reviews import HOSTILE, empty_review, hostile_review, month, young_review
from sample_store import busy_review

from keystone_roundtable.cli.reviewing import print_review
from keystone_roundtable.core.plain import one_line
from keystone_roundtable.review.figures import EventCounts, Review
from keystone_roundtable.review.showing.overview import overview
from keystone_roundtable.review.showing.tables import Mark
from keystone_roundtable.terminal.figure_lines import figure_lines
from keystone_roundtable.terminal.figure_page import MAX_ROWS, Look, figure_page, interval_line
from keystone_roundtable.terminal.wrapping import width_of

WIDTHS = (40, 52, 60, 72, 80, 100, 132, 200)


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Review:
    return busy_review(tmp_path_factory.mktemp("store"))


@pytest.fixture(params=["busy", "empty", "young", "hostile"])
def review(request, busy) -> Review:
    reviews = {
        "busy": busy,
        "empty": empty_review(),
        "young": young_review(),
        "hostile": hostile_review(),
    }
    return reviews[request.param]


def text_of(page: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", page)


def shown(review: Review, columns: int = 100, **look: bool) -> str:
    return figure_page(overview(review), Look(columns, **look))


@pytest.mark.parametrize("columns", WIDTHS)
def test_no_line_is_wider_than_the_screen_or_filled_with_spaces(review, columns):
    for line in text_of(shown(review, columns)).split("\n"):
        assert width_of(line) <= columns
        assert line == line.rstrip()


@pytest.mark.parametrize("columns", WIDTHS)
def test_every_figure_is_there_at_any_width(busy, columns):
    """What does not fit a table stands in words; no figure is cut or broken."""
    page = text_of(shown(busy, columns))
    for section in overview(busy).sections:
        for table in section.tables:
            for row in table.rows:
                for column, cell in zip(table.columns, row, strict=True):
                    assert not column.number or " ".join(cell.text.split()) in squeezed(page)


def squeezed(page: str) -> str:
    """The page as one line."""
    return " ".join(page.split())


def test_a_path_is_not_broken_where_the_screen_can_hold_it(busy):
    page = text_of(shown(busy, 110))
    assert all(f"  {broken.file}" in page for broken in busy.broken)


def test_rows_of_a_table_stand_on_one_line_where_there_is_room(busy):
    lines = text_of(shown(busy, 100)).split("\n")
    for row in busy.by_month:
        line = next(line for line in lines if line.startswith(row.month))
        assert line.split()[1] == str(row.finished)


def test_bars_are_as_long_as_their_counts(busy):
    lines = text_of(shown(busy, 100, unicode=False)).split("\n")
    lengths = {
        line.split()[0]: line.count("#") for line in lines if re.match(r"20\d\d-\d\d ", line)
    }
    most = max(row.finished for row in busy.by_month)
    assert lengths == {
        row.month: pytest.approx(40 * row.finished / most, abs=0.5) for row in busy.by_month
    }


def test_narrow_screens_have_bars_where_they_fit(busy):
    assert "█" in text_of(shown(busy, 40))


def test_without_unicode_everything_is_ascii(review):
    assert text_of(shown(review, unicode=False)).isascii()


def test_without_colour_only_bold_dim_and_italic_are_left(review):
    page = shown(review, colour=False)
    assert not re.search(r"\x1b\[[0-9;]*(3[0-7]|4[0-7]|9[0-7])m", page)


def test_no_background_colour_is_set(review):
    assert not re.search(r"\x1b\[([0-9]+;)*(4[0-8]|10[0-7])[;m]", shown(review))


def test_names_from_files_cannot_act_on_the_terminal():
    for page in (shown(hostile_review()), "\n".join(figure_lines(overview(hostile_review())))):
        assert "\x1b[31m" not in page
        assert not {"\u202e", "\u2066", "\x00"} & set(page)
        assert one_line(HOSTILE) in text_of(page).replace("\n", "")


def test_markup_of_the_drawing_library_is_text():
    told = young_review(other_skills={"[bold]x[/bold] :smile:": 3})
    assert "[bold]x[/bold] :smile:" in text_of(shown(told))


def test_an_interval_shows_value_and_what_was_stated():
    mark = Mark(0.25, 0.75, point=0.5, reference=0.6)
    assert interval_line(mark, 20, unicode=True) == "     ─────●─│───     "[:20]
    assert interval_line(mark, 20, unicode=False) == "     -----o-|---     "[:20]


def test_an_interval_at_the_ends_stays_within_the_scale():
    assert interval_line(Mark(0, 1, point=1, reference=1), 10, unicode=False) == "---------o"
    assert interval_line(Mark(0, 0.2, point=0, reference=0.5), 10, unicode=False) == "o--  |    "


def test_of_many_months_the_last_are_shown_and_the_rest_counted():
    months = [f"{year}-{number:02}" for year in range(2010, 2015) for number in range(1, 13)]
    told = young_review(
        events=EventCounts(finished=60), by_month=tuple(month(m, {"x": 1}) for m in months)
    )
    page = text_of(shown(told))
    assert f"… {60 - MAX_ROWS} earlier rows" in page
    assert "2014-12" in page
    assert "2010-01" not in page
    assert "2010-01" in "\n".join(figure_lines(overview(told)))


def test_few_outcomes_are_too_few_to_tell():
    page = text_of(shown(young_review()))
    assert "Too few to tell: 1 judged" in page
    assert "●" not in page


def test_an_empty_store_says_how_to_begin():
    page = text_of(shown(empty_review()))
    assert "Nothing is recorded yet. The first session begins with: keystone-roundtable" in page


def test_in_a_pipe_there_are_plain_lines(busy):
    pipe = io.StringIO()
    print_review(busy, pipe)
    lines = pipe.getvalue().split("\n")
    assert lines[0] == "Decisions in review"
    assert "\x1b" not in pipe.getvalue()
    assert not re.search(r"[─-▟●]", pipe.getvalue())
    row = busy.by_month[0]
    aligned = row.decisions["roundtable-aligned"]
    line = next(line for line in lines if line.startswith(f"- {row.month}:"))
    assert line.startswith(f"- {row.month}: decided {row.finished}, aligned {aligned}, ")


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_without_a_cursor_gets_plain_lines(busy, monkeypatch, term):
    monkeypatch.setenv("TERM", term)
    screen, pipe = Screen(), io.StringIO()
    print_review(busy, screen)
    print_review(busy, pipe)
    assert screen.getvalue() == pipe.getvalue()


def test_plain_lines_come_where_they_are_asked_for(busy, monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    screen, pipe = Screen(), io.StringIO()
    print_review(busy, screen, plain=True)
    print_review(busy, pipe)
    assert screen.getvalue() == pipe.getvalue()


def test_no_color_is_obeyed_on_a_terminal(busy, monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    coloured, bare = Screen(), Screen()
    monkeypatch.delenv("NO_COLOR", raising=False)
    print_review(busy, coloured)
    monkeypatch.setenv("NO_COLOR", "1")
    print_review(busy, bare)
    assert "\x1b[35m" in coloured.getvalue()
    assert "\x1b[35m" not in bare.getvalue()
    assert text_of(coloured.getvalue()) == text_of(bare.getvalue())
