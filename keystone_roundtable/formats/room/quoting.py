"""Whether words stand in a seat's turn, and which of its words tell the most."""

from __future__ import annotations

import re

from ...core.plain import is_blank, one_line
from .room import Room

_MIN_WORDS = 3  # fewer stand nearly anywhere; chosen by judgement
_MIN_LETTERS = 12
_SENTENCE = re.compile(r"(?<=[.!?…。！？])\s+|\n+")
_ALIKE = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-"})


def quote_fault(room: Room, quote: str, seat: str, turn: int) -> str:
    """Why the quote cannot stand, in words; "" where it does.

    Line breaks, blanks and the shape of quotation marks and dashes are no difference; anything else
    is.
    """
    if seat not in room.names:
        return f"nobody called '{one_line(seat)}' sits in this room"
    said = room.turn_of(turn, seat)
    if said is None:
        return f"{seat} has no turn {turn}"
    shown = _shortened(one_line(quote))
    if is_blank(quote):
        return f"no quote of {seat} is given"
    if len(quote.split()) < _MIN_WORDS and len(one_line(quote)) < _MIN_LETTERS:
        return f'"{shown}" is too short to be a quote'
    if _bare(quote) not in _bare(said.turn.text):
        folder = room.step(turn).folder
        return f'"{shown}" does not stand in {seat}\'s turn {folder}'
    return ""


def sentences(text: str) -> tuple[str, ...]:
    """The turn's own sentences that can be quoted, in order, without marks of lists."""
    found = []
    for part in _SENTENCE.split(text):
        bare = part.strip().lstrip("#>*-+ \t").strip()
        if len(bare.split()) >= _MIN_WORDS and len(one_line(bare)) >= _MIN_LETTERS:
            found.append(bare)
    return tuple(dict.fromkeys(found))


def first_words(text: str) -> str:
    """The first sentence that can be quoted; the whole where it has none."""
    found = sentences(text)
    return found[0] if found else text.strip()


def _bare(text: str) -> str:
    return one_line(text).translate(_ALIKE)


def _shortened(text: str, most: int = 80) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
