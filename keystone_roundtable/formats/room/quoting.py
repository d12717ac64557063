"""Whether words stand in a seat's turn, and which of its words tell the most."""

from __future__ import annotations

import re

from ...core.plain import is_blank, one_line
from .room import Room

_MIN_WORDS = 3  # fewer stand nearly anywhere; chosen by judgement
_MIN_LETTERS = 12
_BLANKLESS = "\u0e00"  # Thai, and beyond it Chinese and Japanese, part words by no blanks
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
    if not is_quote(quote):
        return f'"{shown}" is too short to be a quote'
    if not _stands_in(_bare(quote), _bare(said.turn.text)):
        folder = room.step(turn).folder
        return f'"{shown}" does not stand in {seat}\'s turn {folder}'
    return ""


def is_quote(words: str) -> bool:
    """Whether they are so many that they do not stand nearly anywhere."""
    return len(words.split()) >= _MIN_WORDS or len(one_line(words)) >= _MIN_LETTERS


def _stands_in(quote: str, text: str) -> bool:
    """Whether it does, and neither begins nor ends in the middle of a word."""
    start = text.find(quote)
    while start >= 0:
        end = start + len(quote)
        if not _within_word(text, start) and not _within_word(text, end):
            return True
        start = text.find(quote, start + 1)
    return False


def _within_word(text: str, at: int) -> bool:
    """Whether letters of one word stand on both sides, in a script that parts words by blanks."""
    sides = text[at - 1 : at + 1] if 0 < at < len(text) else ""
    return len(sides) == 2 and all(one.isalnum() and one < _BLANKLESS for one in sides)


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
