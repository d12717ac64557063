"""Picking a suggestion by number or word for word."""

from __future__ import annotations

import pytest

from keystone_roundtable.core.records import Suggestion
from keystone_roundtable.core.suggestions import picked_suggestion

from .builders import question

QUESTION = question("cost").model_copy(
    update={"suggestions": (Suggestion(text="Use Postgres."), Suggestion(text="Use SQLite"))}
)


@pytest.mark.parametrize(
    "text",
    [
        "1",
        " 1 ",
        "1.",
        "#1",
        "(1)",
        "1)",
        "１",
        "①",
        "Use Postgres.",
        "use  postgres",
        "USE POSTGRES",
    ],
)
def test_a_number_or_the_words_themselves_pick_a_suggestion(text: str) -> None:
    assert picked_suggestion(text, QUESTION) == QUESTION.suggestions[0]


def test_the_second_number_picks_the_second() -> None:
    assert picked_suggestion("2", QUESTION) == QUESTION.suggestions[1]


@pytest.mark.parametrize(
    "text", ["0", "3", "-1", "12", "Postgres", "Use Postgres, it is known", "the first", "", "."]
)
def test_anything_else_is_an_answer_in_own_words(text: str) -> None:
    assert picked_suggestion(text, QUESTION) is None


def test_nothing_is_picked_where_nothing_is_suggested() -> None:
    assert picked_suggestion("1", question("cost")) is None
