"""The page of a review as a file: every chart with its table, the figures, everything escaped."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise

import pytest
from page_tables import PageReader
from sample_reviews import HOSTILE, empty_review, hostile_review, month, young_review
from sample_store import QUIET, busy_review

from keystone_roundtable.core.plain import one_line
from keystone_roundtable.review.errors import MissingLibraryError
from keystone_roundtable.review.figures import EventCounts, LeftOut, Review
from keystone_roundtable.review.showing.page import months_between, review_page

KINDS = ("busy", "empty", "young", "hostile")


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Review:
    return busy_review(tmp_path_factory.mktemp("store"))


@pytest.fixture(scope="module")
def pages(busy: Review) -> dict[str, str]:
    pytest.importorskip("vl_convert")
    reviews = (busy, empty_review(), young_review(), hostile_review())
    return {kind: review_page(told) for kind, told in zip(KINDS, reviews, strict=True)}


@pytest.fixture(params=KINDS)
def page(request, pages) -> str:
    return pages[request.param]


def test_every_chart_has_a_table_under_it(page):
    order = PageReader(page).order
    following = [after for before, after in pairwise(order) if before == "svg"]
    assert following == ["table"] * order.count("svg")


def test_every_section_of_a_busy_project_is_drawn(pages):
    assert PageReader(pages["busy"]).order.count("svg") == 11


def test_tables_say_what_they_are_and_heads_what_they_are_about(page):
    for table in PageReader(page).tables:
        assert table.caption
        columns = len(table.head)
        assert table.scopes == ["col"] * columns + ["row"] * len(table.rows)
        assert {len(row) for row in table.rows} == {columns}


def test_headings_go_down_in_order_from_one_first(page):
    levels = [level for level, _ in PageReader(page).headings]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_ids_are_there_once_and_links_lead_to_them(page):
    read = PageReader(page)
    assert len(read.ids) == len(set(read.ids))
    assert {link.removeprefix("#") for link in read.links} <= set(read.ids)
    named = [value for name, value in read.attributes if name == "aria-labelledby"]
    assert {part for value in named for part in value.split()} <= set(read.ids)


def test_drawings_have_a_title_and_say_what_they_show(pages):
    drawings = re.findall(r"<svg.*?</svg>", pages["busy"], re.DOTALL)
    for drawing in drawings:
        assert 'role="img"' in drawing
        assert re.search(r"<title[^>]*>[^<]+</title><desc[^>]*>[^<]+</desc>", drawing)


def test_the_page_runs_and_loads_nothing(page):
    read = PageReader(page)
    assert {"script", "link", "img", "iframe", "object", "image", "use"} & set(read.tags) == set()
    assert [name for name, _ in read.attributes if name.startswith("on")] == []
    policy = next(v for n, v in read.attributes if n == "content" and v and "default-src" in v)
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    addresses = [v for n, v in read.attributes if v and "://" in v and not n.startswith("xmlns")]
    assert addresses == []
    assert not re.search(r"url\(|@import", page)


def test_the_tables_tell_the_figures_of_the_review(busy, pages):
    review, read = busy, PageReader(pages["busy"])
    months = read.table("Finished sessions by month")
    assert months.column("Decided") == {row.month: str(row.finished) for row in review.by_month}
    assert months.column("Confidence") == {
        row.month: str(row.confidence) for row in review.by_month
    }
    decisions = read.table("Finished sessions by decision").column("Sessions")
    assert decisions == {name: str(count) for name, count in review.decisions.items()}
    models = read.table("Models").column("Cost")
    assert models == {row.model: str(row.cost_usd) for row in review.models}
    bands = read.table("Stated confidence against").column("Held")
    assert bands == {
        row.band: str(row.held) for row in review.calibration if row.judged or row.partly
    }


def test_a_month_in_which_nothing_happened_keeps_its_place_on_the_chart(busy):
    months = list(months_between(busy.by_month))
    assert months[0] == "2025-01"
    assert months[-1] == "2026-10"
    assert QUIET in months
    assert QUIET not in [row.month for row in busy.by_month]
    assert len(months) == 22


def test_the_page_says_what_a_chart_has_no_room_for():
    pytest.importorskip("vl_convert")
    months = [f"{year}-{number:02}" for year in range(2010, 2015) for number in range(1, 13)]
    page = review_page(
        young_review(
            events=EventCounts(finished=60),
            by_month=tuple(month(name, {"x": 1}) for name in months),
            other_skills={f"skill-{number:02}": number for number in range(1, 31)},
        )
    )
    read = PageReader(page)
    assert "The chart shows the last 36 months" in page
    assert "The chart shows 12 of 30" in page
    assert len(read.table("Finished sessions by month").rows) == 60
    assert len(read.table("Events of other skills").rows) == 30


def test_names_from_files_are_text_and_nothing_else(pages):
    page, read = pages["hostile"], PageReader(pages["hostile"])
    assert "<img" not in page
    assert "alert(1)" in page  # it is shown, as text
    assert "{{7*7}}" in page
    for unseen in ("\x1b", "\u202e", "\u2066", "\x00"):
        assert unseen not in page
    shown = one_line(HOSTILE)
    assert [row[0][0] for row in read.table("Finished sessions by mode").rows] == [shown]
    assert [row[0][0] for row in read.table("Lines that could not").rows] == [shown]


def test_an_empty_store_says_how_to_begin(pages):
    assert "Nothing is recorded yet" in pages["empty"]
    assert "keystone-roundtable" in pages["empty"]
    assert PageReader(pages["empty"]).tables == []


def test_few_outcomes_are_too_few_to_tell(pages):
    young = pages["young"]
    assert "Too few to tell: 1 judged" in young
    assert "calibration-chart" not in young
    assert PageReader(young).table("Stated confidence against").rows[0][3] == ("too few", None)


def test_broken_lines_are_named_by_file_and_line(busy, pages):
    table = PageReader(pages["busy"]).table("Lines that could not")
    assert [(row[0][1], row[1][1]) for row in table.rows] == [
        (broken.file, str(broken.line)) for broken in busy.broken
    ]


def test_what_was_read_and_not_counted_is_said():
    pytest.importorskip("vl_convert")
    page = review_page(young_review(left_out=LeftOut(repeated=2, unknown_events=1, copied_files=3)))
    for sentence in ("2 told what an earlier", "1 told an event", "not read again: 3"):
        assert sentence in page


def test_the_same_review_gives_the_same_page(busy, pages):
    assert review_page(busy) == pages["busy"]


def test_without_the_library_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingLibraryError) as caught:
        review_page(young_review())
    assert str(caught.value).endswith("Install it with: pip install 'keystone-roundtable[pages]'")


def test_drawing_is_not_loaded_before_a_page_is_wanted():
    script = (
        "import sys; import keystone_roundtable.cli.reviewing;"
        "print('vl_convert' in sys.modules, 'jinja2' in sys.modules, 'rich' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "False False False\n"
