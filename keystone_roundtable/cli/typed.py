"""Words of the command line as they were typed, whatever the locale makes of them."""

from __future__ import annotations


def as_typed(text: str) -> str:
    """`text` with the bytes that the locale could not read taken as UTF-8.

    In an ASCII locale Python hands over "ไทย" as lone surrogates, one a byte. File names must keep
    them to be found; words that are kept or shown must not.
    """
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # surrogates that stand for no byte
        return text
