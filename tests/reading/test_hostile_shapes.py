"""Texts whose shape could cost the square of their length take time in proportion to it.

Each reading is compared with itself in one run, on a text and on one eight times as long: in
proportion that is eight times the work, by the square sixty-four times.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import pytest

from keystone_roundtable.cli.wiring import load_rules
from keystone_roundtable.core.secrets import mask, shown
from keystone_roundtable.reading.sentences import split_sentences

SHORT, TIMES = 2_000, 8  # the longer text is below what the readings cut off
MOST = 24  # times the work; halfway between eight and sixty-four on a scale of ratios
LEAST_S = 0.002  # below this a measured time is the clock's own noise

OPTIONS = ("build the notification system", "defer it until the settings refactor is done")
QUESTION = "Which path comes first, and why?"
ROLES = {"sre": ("SRE", "the SRE"), "security": ("security",)}

SHAPES = {
    "blanks": " ",
    "tabs": "\t",
    "no-break blanks": "\u00a0",
    "lines of a blank": " \n",
    "numbered": "1. ",
    "one word a sentence": "Go. ",
    "one letter a sentence": "x y. ",
    "questions": "? ",
    "bullets": "- a\n",
    "semicolons": "a; ",
    "decimals": "3.14 ",
    "decimals in a list": "0.123456,",
    "digits": "1",
    "digits and commas": "1,",
    "amounts": "$5 ",
    "ideographs and commas": "好，",
    "questions without blanks": "我们应该做吗？",
    "Thai choices": "หรือ",
    "and": "and ",
    "but": "but ",
    "or": "we or ",
    "maybe": "maybe ",
    "because": "because ",
    "limits": "must a. ",
    "quotes": "“",
    "brackets": "(",
    "dots": ".",
    "hyphens": "a-",
    "stars": "*",
    "letters": "a",
}

rules = load_rules()
READINGS: dict[str, Callable[[str], object]] = {
    "stance": lambda text: rules.stance(text, OPTIONS, ROLES),
    "stance of an answer": lambda text: rules.stance(text, OPTIONS, ROLES, "choice"),
    "pick": lambda text: rules.pick(text, OPTIONS),
    "signal": lambda text: rules.signal(text, QUESTION, OPTIONS),
    "alternative": rules.alternative,
    "options": rules.options,
    "route": rules.route,
    "mode": rules.mode,
    "complexity": rules.complexity,
    "reversibility": rules.reversibility,
    "same option": lambda text: rules.same_option(text, OPTIONS),
    "sentences": split_sentences,
    "mask": mask,
    "shown": shown,
}


def text_of(unit: str, length: int) -> str:
    """Words at both ends, so that nothing is stripped away."""
    return f"we {unit * (length // len(unit))} wait"


def work(read: Callable[[str], object], text: str) -> float:
    """Seconds of this process alone."""
    began = process_time()
    read(text)
    return process_time() - began


def in_proportion(read: Callable[[str], object], unit: str) -> bool:
    short = max(work(read, text_of(unit, SHORT)), LEAST_S)
    return work(read, text_of(unit, SHORT * TIMES)) < MOST * short


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("reading", READINGS)
def test_eight_times_the_text_is_about_eight_times_the_work(reading: str, shape: str) -> None:
    read, unit = READINGS[reading], SHAPES[shape]
    read(text_of(unit, 100))  # what is loaded and compiled once is not measured
    assert any(in_proportion(read, unit) for _ in range(3)), "three times running"


@pytest.mark.parametrize("reading", ["stance", "alternative"])
def test_a_gap_of_any_usual_width_parts_clauses_all_the_same(reading: str) -> None:
    clauses = ("we wait", "it must not cost 5k", "build the notification system")
    for gap in (" ", "  ", " " * 60, "\n" + " " * 60, "\t\t"):
        text = f"{clauses[0]},{gap}but{gap}{clauses[1]}{gap}and{gap}we {clauses[2]}"
        found = READINGS[reading](text)
        plain = READINGS[reading](text.replace(gap, " "))
        assert found == plain
