"""Whether words stand in a seat's turn, and which of its words tell the most."""

from __future__ import annotations

import re

from ...core.plain import is_blank, one_line
from ..value_words import apart
from .room import Room

_MIN_WORDS = 3  # fewer stand nearly anywhere; chosen by judgement
_MIN_LETTERS = 12
_JOINS = "'’-._\u00ad\u2011\u2060"
_BLANKLESS = "\u0e00"  # Thai, and beyond it Chinese and Japanese, part words by no blanks
_MIN_SIGNS = 6  # of a script that parts words by no blanks
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])\s*|\n+")
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
    if not is_quote(quote) and _bare(quote) != _bare(said.turn.text):
        return f'"{shown}" is too short to be a quote'
    if not _stands_in(_bare(quote), _bare(said.turn.text)):
        folder = room.step(turn).folder
        return f'"{shown}" does not stand in {seat}\'s turn {folder}'
    return ""


def is_quote(words: str) -> bool:
    """Whether they are so many that they do not stand nearly anywhere."""
    least = _MIN_SIGNS if any(c >= _BLANKLESS for c in words) else _MIN_LETTERS
    return len(words.split()) >= _MIN_WORDS or len(one_line(words)) >= least


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
    """Whether a word, a number, or words joined by a hyphen or an apostrophe go on there."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if not apart(before, after):
        return True
    joined = before in _JOINS and at > 1 and not apart(text[at - 2], after)
    return joined or (after in _JOINS and at + 1 < len(text) and not apart(before, text[at + 1]))


def sentences(text: str) -> tuple[str, ...]:
    """The turn's own sentences that can be quoted, in order, without marks of lists."""
    found = []
    for part in _SENTENCE.split(text):
        bare = part.strip().lstrip("#>*-+ \t").strip()
        if is_quote(bare):
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
