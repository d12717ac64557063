"""Exported pages in a real browser: quiet, readable on a phone, in both schemes, by structure."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from browser import OpenPage
from loopback.session import ANSWERS, TOPIC

pytestmark = pytest.mark.browser

REPOSITORY = Path(__file__).parents[2]
MARKUP = (
    "<script>document.title='taken'</script><img src=//192.0.2.1/x.png onerror=alert(1)> [a](b)"
)
LONG = "/srv/" + "averylongnamewithoutanyblank" * 12
HOSTILE = (f"{MARKUP} or {LONG}?", (MARKUP, LONG, "ข้อความ 设置 🚀", "/stop"))


def command(folder: Path, *words: str, stdin: str = "") -> str:
    return subprocess.run(
        [sys.executable, "-m", "keystone_roundtable", *words],
        input=stdin, cwd=folder, capture_output=True, encoding="utf-8", timeout=60,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY)},
    ).stdout  # fmt: skip


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of a usual decision and of a hostile one, and the log of both."""
    folder = tmp_path_factory.mktemp("project")
    for topic, answers in ((TOPIC, ANSWERS), HOSTILE):
        stdin = "".join(f"{answer}\n" for answer in answers)
        command(folder, "run", topic, "--answers", "-", "--force", stdin=stdin)
    hostile, usual = [line.split()[0] for line in command(folder, "decisions").splitlines()
                      if line.startswith("20")]  # fmt: skip
    command(folder, "outcome", usual, "held", "--note", MARKUP)
    command(folder, "decisions", "link", hostile, "supersedes", usual)
    made = {"usual": [usual], "hostile": [hostile], "log": ["--log"]}
    for name, words in made.items():
        command(folder, "export", *words, "--format", "html", "--output", f"{name}.html")
    return {name: folder / f"{name}.html" for name in made}


NAMES = ("usual", "hostile", "log")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_goes_wrong_and_every_text_stands_out(open_page: OpenPage, pages, name, scheme):
    opened = open_page(pages[name], scheme=scheme)
    assert opened.complaints == []
    assert opened.asked == [pages[name].as_uri()]
    assert opened.faint_texts() == []
    assert opened.page.title() != "taken"
    assert opened.page.locator("main img, main script, main a").count() == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [320, 360, 1600])
def test_no_page_is_wider_than_its_window(open_page: OpenPage, pages, name, width):
    assert open_page(pages[name], width=width).overflow() <= 0


@pytest.mark.parametrize("name", NAMES)
def test_a_screen_reader_finds_landmarks_and_headings(open_page: OpenPage, pages, name):
    roles = open_page(pages[name]).roles()
    landmarks = [role for role, _ in roles if role in ("banner", "main", "contentinfo")]
    assert landmarks == ["banner", "main", "contentinfo"]
    headings = [told for role, told in roles if role == "heading"]
    assert len(headings) == len(set(headings)) or name != "log"
    if name == "log":
        assert [role for role, _ in roles].count("columnheader") == 5
        assert [role for role, _ in roles].count("rowheader") == 2
    else:
        assert headings[1:4] == [
            "Context and problem statement", "Decision drivers", "Decision outcome",
        ]  # fmt: skip


def test_what_was_said_is_there_to_the_letter(open_page: OpenPage, pages):
    text = open_page(pages["hostile"]).page.locator("main").inner_text()
    assert MARKUP in text
    assert "ข้อความ 设置 🚀" in text
