"""Text without its Markdown: what people paste carries marks that name nothing."""

from __future__ import annotations

import re
from typing import Final

_HEADING: Final = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+", re.MULTILINE)
# A pair of marks around words, with nothing of a word outside; underscores only in ones: a name
# such as `__init__` has two.
_AROUND: Final = re.compile(
    r"(?<![\w*`])(?P<mark>\*\*\*|\*\*|\*|``|`|(?<!_)_(?!_))(?=[^\s*`])"
    r"(?P<words>[^*`\n]{1,200}?)(?<=[^\s*`])(?P=mark)(?![\w*`])"
)


def without_emphasis(text: str) -> str:
    """`text` with emphasis, code marks and heading marks gone; list marks and lone marks stay."""
    return _AROUND.sub(r"\g<words>", _HEADING.sub("", text))
