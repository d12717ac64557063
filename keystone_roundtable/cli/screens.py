"""What the screen can do: move its cursor, show colour, show letters beyond ASCII."""

from __future__ import annotations

import locale
import os
from typing import TextIO


def can_redraw(screen: TextIO) -> bool:
    """Whether the terminal moves its cursor; "" and "dumb" are how one says that it does not."""
    return screen.isatty() and os.environ.get("TERM", "").casefold() not in ("", "dumb", "unknown")


def wants_colour() -> bool:
    """False where `NO_COLOR` is set to anything (no-color.org)."""
    return not os.environ.get("NO_COLOR")


def speaks_unicode() -> bool:
    """Whether the locale says so; what is written is UTF-8 all the same."""
    return locale.getencoding().casefold().replace("-", "") == "utf8"
