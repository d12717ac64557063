"""The report as a page for the terminal."""

from __future__ import annotations

import re
from io import StringIO
from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Heading, Markdown
from rich.theme import Theme

from .screens import MAX_TEXT_WIDTH

# The terminal's own colours: rich's look for code and links assumes a dark background.
_THEME = Theme(
    {
        "markdown.h2": "bold magenta",
        "markdown.h3": "bold",
        "markdown.code": "bold",
        "markdown.item.bullet": "magenta",
        "markdown.link": "underline",
        "markdown.link_url": "underline",
        "markdown.block_quote": "italic",
    }
)

# A narrower window would wrap the spaces that rich fills each line with into empty lines.
_PADDING = re.compile(r"((?: |\x1b\[[0-9;]*m)+)\n")


class _LeftHeading(Heading):
    """A heading on its own line at the left, in one piece."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.text.justify = "left"
        yield self.text


class _Page(Markdown):
    elements: ClassVar = {**Markdown.elements, "heading_open": _LeftHeading}


def render_report(markdown: str, columns: int, colour: bool = True) -> str:
    """The report, wrapped at `columns`, with ANSI styles."""
    written = StringIO()
    console = Console(
        file=written,
        force_terminal=True,
        color_system="standard",
        no_color=not colour,
        width=min(columns, MAX_TEXT_WIDTH),
        theme=_THEME,
        legacy_windows=False,
        highlight=False,
    )
    console.print(_Page(_with_line_breaks(markdown), hyperlinks=False))
    return without_padding(written.getvalue())


def without_padding(page: str) -> str:
    """`page` without the spaces at the ends of its lines."""
    return _PADDING.sub(lambda end: end[1].replace(" ", "") + "\n", page)


def _with_line_breaks(markdown: str) -> str:
    """Keeps the report's head (`**Mode**: ...`) one field a line; Markdown would join the lines."""
    return markdown.replace("\n**", "  \n**")
