"""Text fitted to a screen's width: wrapped or clipped, never through a character as people see it.

Widths are columns as prompt-toolkit counts them, character by character, so that what is wrapped
here is drawn at the same width there.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from prompt_toolkit.utils import get_cwidth

MIN_WIDTH = 8  # narrower than this a line holds no word; the terminal may cut it then
ELLIPSIS = "…"

_JOINER = "\u200d"
_SPACING_MARKS = "\u0e33\u0eb3"  # Thai and Lao AM: a column of their own, part of the letter before
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_FLAGS = range(0x1F1E6, 0x1F200)

# Scripts written without spaces between words. A dictionary would know the words' ends; without
# one a line may end after any whole letter.
_UNSPACED = (range(0x0E00, 0x0F00), range(0x1000, 0x10A0), range(0x1780, 0x1800))
_STAYS_WITH_PREVIOUS = frozenset("、。，．：；？！）」』】〉》〕｝’”…‥・ー々ะาๅๆฯ,.:;?!)]}%")
_STAYS_WITH_NEXT = frozenset("（「『【〈《〔｛‘“([{เแโใไ")


def width_of(text: str) -> int:
    """Columns that `text` takes on a screen."""
    return get_cwidth(text)


def graphemes(text: str) -> Iterator[str]:
    """The characters as people see them: a letter with its marks, an emoji with its modifiers."""
    cluster = ""
    for character in text:
        if cluster and not _continues(cluster, character):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def wrap(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` columns, broken at words; at least one line.

    Line breaks of the text stay. A word wider than the line is broken between characters.
    """
    width = max(width, MIN_WIDTH)
    return [line for part in text.expandtabs(4).split("\n") for line in _wrap_line(part, width)]


def clip(text: str, width: int) -> str:
    """`text` cut to `width` columns, with an ellipsis where something was left out."""
    if width_of(text) <= width:
        return text
    kept, used = "", width_of(ELLIPSIS)
    for cluster in graphemes(text):
        used += width_of(cluster)
        if used > width:
            break
        kept += cluster
    return kept.rstrip() + ELLIPSIS


def _continues(cluster: str, character: str) -> bool:
    code = ord(character)
    if code in _FLAGS:
        return len(cluster) == 1 and ord(cluster) in _FLAGS
    return (
        character in _SPACING_MARKS
        or code in _SKIN_TONES
        or cluster.endswith(_JOINER)
        or (get_cwidth(character) == 0 and unicodedata.category(character) != "Cc")
    )


def _wrap_line(text: str, width: int) -> list[str]:
    lines, line, used = [], "", 0
    for space, piece in _pieces(text):
        for part in _split(piece, width):
            needed = width_of(part)
            gap = space if used else ""
            if used and used + len(gap) + needed > width:
                lines.append(line)
                line, used, gap = "", 0, ""
            line += gap + part
            used += len(gap) + needed
            space = ""
    return [*lines, line]


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """What may stand on a line of its own, each with the space before it."""
    space = ""
    for word in text.split(" "):
        for piece in _breakable(word):
            yield space, piece
            space = ""
        space += " "


def _breakable(word: str) -> Iterator[str]:
    """The word, taken apart where its script allows a line to end."""
    clusters = list(graphemes(word))
    piece = "".join(clusters[:1])
    for before, after in pairwise(clusters):
        if _may_break(before, after):
            yield piece
            piece = ""
        piece += after
    if piece:
        yield piece


def _may_break(before: str, after: str) -> bool:
    if before[0] in _STAYS_WITH_NEXT or after[0] in _STAYS_WITH_PREVIOUS:
        return False
    return _ends_anywhere(before) or _ends_anywhere(after)


def _ends_anywhere(cluster: str) -> bool:
    code = ord(cluster[0])
    return get_cwidth(cluster[0]) == 2 or any(code in script for script in _UNSPACED)


def _split(piece: str, width: int) -> Iterator[str]:
    """`piece` in parts that fit a line."""
    if width_of(piece) <= width:
        yield piece
        return
    part = ""
    for cluster in graphemes(piece):
        if part and width_of(part) + width_of(cluster) > width:
            yield part
            part = ""
        part += cluster
    yield part
