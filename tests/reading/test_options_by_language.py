"""Options and leanings of everyday topics in the thirteen languages other than English."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from keystone_roundtable.content.lexicons import load_option_lexicons
from keystone_roundtable.reading.options import OptionsReading, read_options

TOPICS: Final = Path(__file__).with_name("options_by_language.jsonl")
KEPT: Final = "KEEP"
"""Stands in the file for the implied option of keeping things as they are."""
EDGES: Final = " \t.,;:!?¿¡。、，；：？！؟،।\"'"
LEAST_SHARE: Final = 0.85
LEAST_SHARE_OF_A_LANGUAGE: Final = 0.8


def read(topic: str) -> OptionsReading:
    return read_options(topic, load_option_lexicons().for_text(topic))


def folded(text: str) -> str:
    return text.casefold().strip(EDGES)


def found_options(reading: OptionsReading) -> list[str]:
    return [
        folded(KEPT if option.source == "implied" else option.text) for option in reading.options
    ]


@pytest.fixture(scope="module")
def topics() -> list[dict[str, Any]]:
    return [json.loads(line) for line in TOPICS.read_text(encoding="utf-8").splitlines()]


def test_most_topics_of_each_language_give_exactly_their_options(
    topics: list[dict[str, Any]],
) -> None:
    total: Counter[str] = Counter()
    exact: Counter[str] = Counter()
    for each in topics:
        found = found_options(read(each["topic"]))
        wanted = [folded(option) for option in each["options"]]
        total[each["lang"]] += 1
        exact[each["lang"]] += found == wanted
        if found != wanted:
            print(f"{each['lang']}: {each['topic']}\n  wanted {wanted}\n  found  {found}")
    shares = {language: exact[language] / total[language] for language in total}
    print(shares)
    assert len(total) == 14
    assert exact.total() >= LEAST_SHARE * total.total()
    assert min(shares.values()) >= LEAST_SHARE_OF_A_LANGUAGE, shares


def test_the_leaning_is_right_where_the_options_are(topics: list[dict[str, Any]]) -> None:
    missed = [
        (each["topic"], each["lean"], reading.lean)
        for each in topics
        if found_options(reading := read(each["topic"])) == [folded(x) for x in each["options"]]
        and reading.lean != each["lean"]
    ]
    print(*missed, sep="\n")
    assert len(missed) <= (1 - LEAST_SHARE) * len(topics)


def test_hindi_in_latin_letters_keeps_its_letters() -> None:
    reading = read("Kya humein Friday ki meeting band kar deni chahiye?")
    assert all(option.text.isascii() for option in reading.options)
    assert (reading.decision_topic or "").isascii()
