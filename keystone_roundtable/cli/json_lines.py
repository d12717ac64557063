"""JSON for standard output that cannot act on a terminal."""

from __future__ import annotations

import re
from typing import Any

from ..stores.json_text import to_json

# Controls that JSON lets stand, bidi marks, and what breaks lines for some readers.
_ACTING = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def json_text(value: dict[str, Any]) -> str:
    """The object, indented; characters that could act are written as their escapes."""
    text = to_json(value, indent=2).decode()
    return _ACTING.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
