"""The example sessions: their pages are what the program says today, and no two read alike."""

from __future__ import annotations

import importlib.util
import re
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
REPORT = "## Roundtable Final Report"


def _maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_examples", EXAMPLES / "make.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make = _maker()
ITEMS: list[dict[str, Any]] = make.examples()


@pytest.fixture(scope="module")
def held() -> dict[str, dict[str, Any]]:
    return {item["name"]: make.hold(item) for item in ITEMS}


def test_there_are_twenty_topics_in_three_modes(held: dict[str, dict[str, Any]]) -> None:
    assert len(ITEMS) >= 20
    assert {h["mode"] for h in held.values()} >= {"brainstorm", "align", "challenge"}


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item["name"])
def test_the_page_is_what_the_program_says(
    item: dict[str, Any], held: dict[str, dict[str, Any]]
) -> None:
    number = ITEMS.index(item) + 1
    page = (EXAMPLES / f"{number:02}-{item['name']}.md").read_text("utf-8")
    assert page == make.page(item, held[item["name"]]), "run docs/examples/make.py and read it"


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item["name"])
def test_every_line_of_a_conclusion_has_evidence_that_exists(
    item: dict[str, Any], held: dict[str, dict[str, Any]]
) -> None:
    """Answers, questions and roles named as evidence are those of the session."""
    session = held[item["name"]]
    if session["report"] is None:
        return
    numbers = [question["id"][1:] for question in session["questions"]]
    known = {"topic", "context", *session["roles"]}
    known |= {f"A{n}" for n in numbers} | {f"Q{n}" for n in numbers}
    lines = {line["line"]: line["items"] for line in session["report"]["evidence"]}
    assert {"Decision", "Why", "Excluded paths", "Wrong-choice cost"} <= set(lines)
    for name, items in lines.items():
        assert items, f"{name} rests on nothing"
        assert {found["ref"] for found in items} <= known


def test_no_two_reports_share_more_than_half_of_their_sentences(
    held: dict[str, dict[str, Any]],
) -> None:
    """With each topic's own words masked."""
    reports = {
        item["name"]: _masked_sentences(held[item["name"]]["report_markdown"], item["topic"])
        for item in ITEMS
        if held[item["name"]]["report_markdown"]
    }
    assert len(reports) >= 18
    for (one, a), (other, b) in combinations(reports.items(), 2):
        shared = len(a & b) / min(len(a), len(b))
        assert shared <= 0.5, f"{one} and {other} share {shared:.0%}"


def _masked_sentences(report: str, topic: str) -> set[str]:
    own = set(re.findall(r"\w+", topic.casefold()))
    sentences = set()
    for line in report.splitlines():
        for sentence in re.split(r"(?<=[.!?])\s+", line):
            words = re.findall(r"\w+", sentence.casefold())
            if words:
                sentences.add(" ".join("_" if word in own else word for word in words))
    return sentences
