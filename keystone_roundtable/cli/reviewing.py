"""A review as people see it: on the terminal, line by line, and as a page in a file."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TextIO

from ..review.figures import Review
from ..review.showing.overview import overview
from .screens import can_redraw, speaks_unicode, wants_colour


def print_review(review: Review, screen: TextIO, plain: bool = False) -> None:
    """Tables and small charts on a terminal; plain lines with `plain` and everywhere else."""
    told = overview(review)
    if plain or not can_redraw(screen):
        from ..terminal.figure_lines import figure_lines

        for line in figure_lines(told):
            print(line, file=screen)
        return
    from ..terminal.figure_page import Look, figure_page

    columns = shutil.get_terminal_size().columns
    look = Look(columns, colour=wants_colour(), unicode=speaks_unicode())
    screen.write(figure_page(told, look))


def write_page(review: Review, target: Path) -> None:
    """The review as one HTML file at `target`, for its owner to read.

    Raises `MissingLibraryError` where the charts cannot be drawn, `StoreError` where the file
    cannot be written.
    """
    from ..review.showing.page import review_page
    from ..stores.files import atomic_write

    atomic_write(target, review_page(review))
