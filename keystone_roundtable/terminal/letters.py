"""Letters drawn whole on the line one types on.

prompt-toolkit draws character by character: it loses a mark that falls behind the last column, and
draws one at a row's end twice. Thai words would lose and gain tone marks while they are typed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput

from .wrapping import graphemes


class Letters(str):
    """A text that is gone through letter by letter, each with its marks."""

    __slots__ = ()

    def __iter__(self) -> Iterator[str]:
        return graphemes(str(self))


class WholeLetters(Processor):
    """Hands a line over in whole letters. Comes last: others would take the letters apart again."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        fragments: StyleAndTextTuples = []
        shown_at: list[int] = []  # for each character: which letter it belongs to
        letters = 0
        for style, run in groupby(transformation_input.fragments, key=lambda part: part[0]):
            text = "".join(part[1] for part in run)
            fragments.append((style, Letters(text)))
            for letter in graphemes(text):
                shown_at += [letters] * len(letter)
                letters += 1

        def source_to_display(position: int) -> int:
            beyond = position - len(shown_at)
            return letters + beyond if beyond >= 0 else shown_at[position]

        def display_to_source(position: int) -> int:
            beyond = position - letters
            return len(shown_at) + beyond if beyond >= 0 else shown_at.index(position)

        return Transformation(fragments, source_to_display, display_to_source)
