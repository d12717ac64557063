"""Letters drawn whole on the line one types on."""

from __future__ import annotations

from typing import cast

import pytest
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.layout.controls import BufferControl
from prompt_toolkit.layout.processors import Transformation, TransformationInput

from keystone_roundtable.terminal.letters import WholeLetters

from .conftest import ENTER, Terminal
from .test_prompting import ask

TEXT = "ก้ a👍🏽 นี้"


def transformed(text: str) -> Transformation:
    line = TransformationInput(
        BufferControl(Buffer()),
        Document(text),
        0,
        lambda position: position,
        [("", character) for character in text],  # as other processors leave it
        80,
        24,
    )
    return WholeLetters().apply_transformation(line)


def test_marks_and_modifiers_stay_with_their_letter() -> None:
    (fragment,) = transformed(TEXT).fragments
    assert list(fragment[1]) == ["ก้", " ", "a", "👍🏽", " ", "นี้"]


@pytest.mark.parametrize("text", [TEXT, "", "plain", "e\u0301"])
def test_every_place_of_the_cursor_is_on_a_letter(text: str) -> None:
    made = transformed(text)
    letters = sum(len(list(cast(str, part[1]))) for part in made.fragments)
    shown = [made.source_to_display(place) for place in range(len(text) + 2)]
    assert shown == sorted(shown)
    assert shown[len(text)] == letters
    assert all(shown[made.display_to_source(place)] == place for place in range(letters + 2))


def test_a_mark_at_the_end_of_a_row_is_drawn(terminal: Terminal) -> None:
    terminal.columns = 40
    terminal.when("ที่" * 37, ENTER)  # two columns are the prompt's, the last stays free
    assert ask(terminal, "ที่" * 37) == "ที่" * 37
