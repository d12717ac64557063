"""The page of a review in a real browser: drawn, readable, quiet, and of the same figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser import Opened, OpenPage
from sample_reviews import empty_review, hostile_review, young_review
from sample_store import busy_review

from keystone_roundtable.core.plain import one_line
from keystone_roundtable.review.figures import Review
from keystone_roundtable.review.showing.page import review_page

pytestmark = pytest.mark.browser

SCHEMES = ("light", "dark")


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Review:
    return busy_review(tmp_path_factory.mktemp("store"))


@pytest.fixture(scope="module")
def pages(busy: Review, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    pytest.importorskip("vl_convert")
    folder = tmp_path_factory.mktemp("pages")
    reviews = {
        "busy": busy,
        "empty": empty_review(),
        "young": young_review(),
        "hostile": hostile_review(),
    }
    for name, told in reviews.items():
        (folder / f"{name}.html").write_text(review_page(told), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in reviews}


def tables_of(opened: Opened) -> dict[str, list[list[str]]]:
    """For each caption the rows: the figure behind each cell, or its words."""
    script = """() => [...document.querySelectorAll("table")].map((table) => [
      table.caption.textContent,
      [...table.tBodies[0].rows].map((row) => [...row.cells].map(
        (cell) => cell.querySelector("data")?.value ?? cell.textContent.trim())),
    ])"""
    return dict(opened.page.evaluate(script))


@pytest.mark.parametrize("name", ["busy", "empty", "young", "hostile"])
def test_nothing_goes_wrong_and_nothing_is_asked_for(open_page: OpenPage, pages, name):
    opened = open_page(pages[name])
    assert opened.complaints == []
    assert opened.asked == [pages[name].as_uri()]


def test_the_policy_stops_what_does_not_belong_to_the_page(open_page: OpenPage, pages, tmp_path):
    """Where something foreign came into the file all the same, it neither runs nor loads."""
    spoiled = tmp_path / "spoiled.html"
    foreign = "<script>document.title = 'taken'</script><img src='http://192.0.2.1/x.png'>"
    page = pages["busy"].read_text(encoding="utf-8")
    spoiled.write_text(page.replace("<main", f"{foreign}<main", 1), encoding="utf-8")
    opened = open_page(spoiled)
    assert opened.page.title() == "Decisions in review"
    assert opened.outgoing == []
    assert len(opened.complaints) == 2


def test_every_chart_is_drawn(open_page: OpenPage, pages):
    """Each has shapes that can be seen, within its frame, and as large as a chart is."""
    opened = open_page(pages["busy"])
    script = """() => [...document.querySelectorAll("figure svg")].map((svg) => {
      const frame = svg.getBoundingClientRect();
      const shapes = [...svg.querySelectorAll("path, line, text")]
        .filter((e) => getComputedStyle(e).fill !== "none" || getComputedStyle(e).stroke !== "none")
        .map((e) => e.getBoundingClientRect())
        .filter((box) => box.width * box.height > 1 || box.width + box.height > 4);
      const outside = shapes.filter((b) =>
        b.left < frame.left - 2 || b.right > frame.right + 2 ||
        b.top < frame.top - 2 || b.bottom > frame.bottom + 2);
      return [frame.width, frame.height, shapes.length, outside.length];
    })"""
    charts = opened.page.evaluate(script)
    assert len(charts) == 11
    for width, height, shapes, outside in charts:
        assert width > 300
        assert height > 40
        assert shapes >= 4  # a bar, its whole, its label and its figure
        assert outside == 0


def test_the_longest_bar_is_the_largest_count(open_page: OpenPage, pages, busy):
    """The drawing tells what the table tells: the lengths of the bars are in its proportions."""
    opened = open_page(pages["busy"])
    script = """() => [...document.querySelectorAll("#decisions figure:first-of-type svg path")]
      .filter((e) => e.getAttribute("fill") === "var(--mark)")
      .map((e) => e.getBoundingClientRect().width)"""
    widths = opened.page.evaluate(script)
    counts = sorted(busy.decisions.values(), reverse=True)
    whole = opened.page.evaluate(
        """() => document.querySelector('#decisions figure svg path[fill="var(--track)"]')
          .getBoundingClientRect().width"""
    )
    shares = [width / whole for width in widths]
    assert shares == pytest.approx([count / busy.events.finished for count in counts], abs=0.01)


def test_the_figures_are_those_of_the_json(open_page: OpenPage, pages, busy):
    told = json.loads(busy.model_dump_json())
    tables = tables_of(open_page(pages["busy"]))

    def column(caption: str, at: int) -> dict[str, float]:
        rows = next(rows for name, rows in tables.items() if name.startswith(caption))
        return {row[0]: float(row[at]) for row in rows}

    months = {row["month"]: row for row in told["by_month"]}
    assert column("Finished sessions by month", 1) == {m: r["finished"] for m, r in months.items()}
    assert column("Finished sessions by month", 5) == {
        m: r["confidence"] for m, r in months.items()
    }
    assert column("Finished sessions by decision", 1) == told["decisions"]
    assert column("Finished sessions by mode", 1) == told["by_mode"]
    assert column("Finished sessions by format", 1) == told["by_format"]
    assert column("Finished sessions by stated", 1) == {
        bar["band"]: bar["count"] for bar in told["confidence"]["histogram"]
    }
    assert list(column("What shaped the end", 1).values()) == [
        told[name] for name in ("forced", "breaker", "escalated", "deferred", "abandoned")
    ]
    bands = {row["band"]: row for row in told["calibration"] if row["judged"]}
    assert column("Stated confidence against", 1) == {b: r["judged"] for b, r in bands.items()}
    assert column("Stated confidence against", 2) == {b: r["held"] for b, r in bands.items()}
    quantities = (("Questions", told["questions"]), ("Active time", told["seconds"]))
    for caption, spread in quantities:
        assert list(column(caption, 1).values()) == [spread["p50"], spread["mean"], spread["p95"]]
    models = {row["model"]: row for row in told["models"]}
    for at, key in enumerate(("sessions", "calls", "input_tokens", "output_tokens", "cost_usd"), 1):
        assert column("Models", at) == {name: row[key] for name, row in models.items()}
    assert column("Events of other skills", 1) == told["other_skills"]
    broken = next(rows for name, rows in tables.items() if name.startswith("Lines that"))
    assert [(row[0], int(row[1]), row[2]) for row in broken] == [
        (b["file"], b["line"], one_line(b["reason"])) for b in told["broken"]
    ]


def test_the_headline_tells_the_figures_of_the_json(open_page: OpenPage, pages, busy):
    opened = open_page(pages["busy"])
    shown = opened.page.evaluate(
        """() => [...document.querySelectorAll("dl div")].map(
          (e) => Number(e.querySelector("dd data").value))"""
    )
    assert shown == [
        busy.events.finished,
        busy.confidence.mean,
        busy.questions.p50,
        busy.seconds.p50,
        busy.outcomes.judged,
        busy.brier,
    ]


@pytest.mark.parametrize("name", ["busy", "empty", "young", "hostile"])
@pytest.mark.parametrize("width", [320, 360, 768, 1024, 1600])
def test_no_page_is_wider_than_its_window(open_page: OpenPage, pages, name, width):
    assert open_page(pages[name], width=width).overflow() <= 0


def test_letters_stay_readable_on_a_phone(open_page: OpenPage, pages):
    opened = open_page(pages["busy"], width=360)
    smallest = opened.page.evaluate(
        """() => Math.min(...[...document.querySelectorAll("text")].map(
          (e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a))"""
    )
    assert smallest >= 10


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["busy", "young"])
@pytest.mark.parametrize("width", [360, 1600])
def test_every_text_stands_out(open_page: OpenPage, pages, name, scheme, width):
    """The ground differs between the schemes, and between cards and what is around them."""
    opened = open_page(pages[name], scheme=scheme, width=width)
    assert opened.faint_texts() == []


def test_light_and_dark_differ_and_marks_stand_out_in_both(open_page: OpenPage, pages):
    script = """() => [getComputedStyle(document.body).backgroundColor,
      getComputedStyle(document.querySelector('svg path[fill="var(--mark)"]')).fill]"""
    light, dark = (open_page(pages["busy"], scheme=s).page.evaluate(script) for s in SCHEMES)
    assert light[0] != dark[0]
    assert light[1] != dark[1]


def test_forced_colours_are_taken_over(open_page: OpenPage, pages):
    opened = open_page(pages["busy"], forced_colours=True)
    mark, ink = opened.page.evaluate(
        """() => [getComputedStyle(document.querySelector('svg path[fill="var(--mark)"]')).fill,
          getComputedStyle(document.body).color]"""
    )
    assert mark == ink
    assert opened.faint_texts() == []


def test_tab_goes_through_links_and_wide_tables_in_reading_order(open_page: OpenPage, pages):
    opened = open_page(pages["busy"], width=360)
    stops = opened.tab_stops()
    sections = opened.page.locator("h2").all_inner_texts()
    assert stops[0] == "a Skip to the content"
    assert stops[1 : 1 + len(sections)] == [f"a {title}" for title in sections]
    scrolled = opened.page.evaluate(
        """() => [...document.querySelectorAll(".scrolls caption")]
          .map((e) => "div " + e.textContent)"""
    )
    assert stops[1 + len(sections) :] == scrolled
    assert len(scrolled) == 3


def test_whatever_is_wider_than_the_page_can_be_scrolled_by_keyboard(open_page: OpenPage, pages):
    opened = open_page(pages["busy"], width=360)
    hidden = opened.page.evaluate(
        """() => [...document.querySelectorAll("main *")]
          .filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth
            && getComputedStyle(e).overflowX !== "visible" && e.tabIndex < 0)
          .map((e) => e.outerHTML.slice(0, 80))"""
    )
    assert hidden == []
    table = opened.page.locator(".scrolls").last
    table.focus()
    opened.page.keyboard.press("ArrowRight")
    opened.page.wait_for_function("(e) => e.scrollLeft > 0", arg=table.element_handle())


def test_the_skip_link_leads_to_the_content(open_page: OpenPage, pages):
    opened = open_page(pages["busy"])
    opened.page.keyboard.press("Tab")
    opened.page.keyboard.press("Enter")
    assert opened.page.evaluate("document.activeElement.id") == "content"


def test_a_screen_reader_finds_landmarks_headings_pictures_and_tables(open_page: OpenPage, pages):
    opened = open_page(pages["busy"])
    roles = opened.roles()
    assert ("RootWebArea", "Decisions in review") in roles
    for landmark in ("banner", "main", "contentinfo"):
        assert [role for role, _ in roles].count(landmark) == 1
    assert ("navigation", "Sections") in roles
    headings = [name for role, name in roles if role == "heading"]
    assert headings[0] == "Decisions in review"
    assert ("region", "Calibration") in roles
    pictures = [name for role, name in roles if role in ("image", "img")]
    assert len(pictures) == 11
    assert all(len(name) > 30 for name in pictures)
    tables = [name for role, name in roles if role == "table"]
    assert len(tables) == 12
    assert "" not in tables
    assert ("columnheader", "Decided") in roles
    assert ("rowheader", "2025-01") in roles
    inside = [role for role, _ in roles if role.startswith("Svg") or role == "graphics-symbol"]
    assert inside == []  # a picture is read as one


def test_hostile_names_are_words_on_the_page(open_page: OpenPage, pages):
    opened = open_page(pages["hostile"])
    assert opened.page.locator("img").count() == 0
    assert "<img src=x" in opened.page.locator("h1").inner_text()


def test_the_page_prints(open_page: OpenPage, pages):
    """On paper ink is black on white whatever the scheme, and nothing to click is there."""
    opened = open_page(pages["busy"], scheme="dark")
    printed = opened.page.pdf(format="A4")
    assert printed.startswith(b"%PDF-")
    assert len(printed) > 20_000
    opened.page.emulate_media(media="print")
    assert opened.page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert not opened.page.locator("nav").is_visible()
    assert opened.faint_texts() == []
