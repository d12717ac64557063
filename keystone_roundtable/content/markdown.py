"""Values put into Markdown: one line each, and none opens a block of its own."""

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
    r"|\|"  # table
    r"|<[A-Za-z/!?]"  # HTML
    r"|\[[^\]]*\]:|\[[ xX]\]\s"  # link definition, task
)
_NUMBER = re.compile(r"(\d{1,9})(?=[.)](?:\s|$))")


def entry(text: str) -> str:
    """`text` as what a list entry or a line begins with: at most one backslash keeps it text."""
    flat = one_line(text)
    if _OPENS_BLOCK.match(flat):
        return f"\\{flat}"
    return _NUMBER.sub(r"\1\\", flat, count=1) if _NUMBER.match(flat) else flat
