"""Values put into Markdown: one line each, and none opens a block of its own or does anything."""

from __future__ import annotations

import re

from ..core.plain import one_line

# What opens a block, or is swallowed, where a line or a list entry begins: CommonMark 0.31, ch. 4
# and 5, and GitHub's tables and task lists.
_OPENS_BLOCK = re.compile(
    r"#{1,6}(?=\s|$)"  # heading
    r"|>"  # quotation
    r"|[-+*](?=\s|$)|-[-\s]*$|([*_])(?:\s*\1){2,}\s*$"  # list, rule
    r"|`{3}|~{3}"  # code
    r"|\||:?-+:?\s*(?:\|\s*:?-*:?\s*)+$"  # table, and the row under its head
    r"|=+\s*$"  # what makes a heading of the line above
    r"|<[A-Za-z/!?]"  # HTML
    r"|\[[^\]]*\]:|\[[ xX]\]\s"  # link definition, task
)
# What is more than text within a line: CommonMark 0.31, ch. 6; GitHub's bare links and mentions.
_LIVE = re.compile(
    r"[\\`*\[\]<@]"
    r"|~(?=~)|(?<=~)~"  # struck out
    r"|(?<![^\W_])_|_(?![^\W_])"  # within a word it is text already
    r"|&(?=#?\w+;)"  # a character's name
    r"|(?<=http):(?=//)|(?<=https):(?=//)|(?<=ftp):(?=//)|(?<=www)\.",  # a link without brackets
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(\d{1,9})(?=[.)](?:\s|$))")


def entry(text: str) -> str:
    """`text` as what a list entry or a line begins with: at most one backslash keeps it text."""
    flat = one_line(text)
    if _OPENS_BLOCK.match(flat):
        return f"\\{flat}"
    return _NUMBER.sub(r"\1\\", flat, count=1) if _NUMBER.match(flat) else flat


def inert(text: str) -> str:
    """`text` as what it is wherever it stands in a line: no link, picture, HTML or emphasis."""
    return entry(_LIVE.sub(r"\\\g<0>", one_line(text)))


def cell(text: str) -> str:
    """`inert(text)` for the cell of a table."""
    return re.sub(r"(?<!\\)\|", r"\|", inert(text))
