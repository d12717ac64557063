"""How wide a text is on a screen, for lines that are printed and not drawn.

Own code beside a library: prompt-toolkit and wcwidth, by which drawn screens are measured, take
longer to import than a whole listing may. A character here is never narrower than it is there.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from typing import TextIO

ELLIPSIS = "…"

_USUAL_COLUMNS = 80

_JOINER = "\u200d"
_EMOJI_SELECTOR = "\ufe0f"
_SPACING_MARKS = "\u0e33\u0eb3"  # Thai and Lao AM: a column of their own, part of the letter before
_SKIN_TONES = ("\U0001f3fb", "\U0001f3ff")
_HAS_WIDTH = "[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd]"
_DRAWN_WIDE = "[\u2600-\u27bf\u4dc0-\u4dff\U0001d300-\U0001d37f]"  # by newer terminals
_FLAGS = ("\U0001f1e6", "\U0001f1ff")


def columns_of(out: TextIO) -> int | None:
    """How many columns the terminal behind `out` has; None where it is none.

    The terminal is asked itself: a variable `COLUMNS` is that of a window as it once was.
    """
    if not out.isatty():
        return None
    with suppress(OSError, ValueError):
        if columns := os.get_terminal_size(out.fileno()).columns:
            return columns
    return _USUAL_COLUMNS


def width_of(text: str) -> int:
    """Columns that `text` takes at most."""
    return len(text) if text.isascii() else sum(map(_width, text))


def clipped(text: str, width: int | None) -> str:
    """`text` cut to `width` columns, between letters as people see them; whole where it is None."""
    if width is None or width_of(text) <= width:
        return text
    kept, used = "", 1
    for cluster in _letters(text):
        used += width_of(cluster)
        if used > width:
            break
        kept += cluster
    return kept.rstrip() + ELLIPSIS


def padded(text: str, width: int) -> str:
    """`text` with blanks after it to `width` columns."""
    return text + " " * (width - width_of(text))


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        # The selector widens what it follows; marks such as Arabic's number sign have a width.
        return int(
            character in (_EMOJI_SELECTOR, "\u00ad") or re.match(_HAS_WIDTH, character) is not None
        )
    wide = unicodedata.east_asian_width(character) in "WF" or re.match(_DRAWN_WIDE, character)
    return 2 if wide else 1


def _letters(text: str) -> Iterator[str]:
    """Letters with their marks, pictures with their modifiers."""
    cluster = ""
    for character in text:
        if cluster and not _continues(cluster, character):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def _continues(cluster: str, character: str) -> bool:
    if _FLAGS[0] <= character <= _FLAGS[1]:
        return len(cluster) == 1 and _FLAGS[0] <= cluster <= _FLAGS[1]
    return (
        character in _SPACING_MARKS
        or _SKIN_TONES[0] <= character <= _SKIN_TONES[1]
        or cluster.endswith(_JOINER)
        or unicodedata.category(character) in ("Mn", "Me", "Mc", "Cf")
    )
