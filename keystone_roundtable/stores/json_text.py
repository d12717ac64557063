"""JSON as it stands in our files: UTF-8, every script readable, nothing lost."""

from __future__ import annotations

import json
import math
from typing import Any


def to_json(value: Any, indent: int | None = None) -> bytes:
    """`value` as UTF-8 JSON without a newline at the end.

    A lone surrogate, which UTF-8 cannot hold, is written as its JSON escape and comes back as
    itself.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    # In JSON text a surrogate can stand only inside a string, where `\udXXX` is its escape.
    return text.encode("utf-8", errors="backslashreplace")


def from_json(data: bytes) -> Any:
    """The value that UTF-8 JSON holds.

    Raises `ValueError` where it is none, and for a number that would not survive being written
    again because it is out of range.
    """
    try:
        return json.loads(data.decode("utf-8"), parse_float=_finite)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"the number {digits} is out of range")
    return number
