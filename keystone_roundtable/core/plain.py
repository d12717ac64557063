"""Text made safe: what may be kept at all, and what may reach a screen or a page."""

from __future__ import annotations

import re
import unicodedata

_SURROGATES = re.compile("[\ud800-\udfff]")
_ESCAPES = re.compile(
    "\x1b(?:"
    "\\[[0-?]*[ -/]*[@-~]"  # control sequences: colours, cursor movement
    "|\\][^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)"  # operating system commands: titles, links
    "|[PX^_][^\x1b\x9c]*(?:\x1b\\\\|\x9c)"  # device control and other strings
    "|[ -/]*[0-~]"
    ")?"
)
_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_BIDI_OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069]")


def storable(text: str) -> str:
    """`text` without NUL bytes and lone surrogates: what UTF-8 can hold.

    Bytes that are no UTF-8 come in as lone surrogates and become U+FFFD; a surrogate pair becomes
    the character it stands for.
    """
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _SURROGATES.sub("\ufffd", joined).replace("\x00", "")


def plain(text: str) -> str:
    """`text` for a screen: no terminal escapes, control characters or bidi overrides.

    Tabs stay, and line breaks of every kind become newlines. An escape without its end loses only
    its introducer.
    """
    text = _BREAKS.sub("\n", _ESCAPES.sub("", storable(text)))
    return _BIDI_OVERRIDES.sub("", _CONTROLS.sub("", text))


def is_blank(text: str) -> bool:
    """Whether nothing of `text` can be seen: blanks, controls, and characters of no width."""
    return all(unicodedata.category(c) in _UNSEEN for c in plain(text))


_UNSEEN = ("Cc", "Cf", "Zs", "Zl", "Zp")


def as_read(text: str) -> str:
    """The form in which two texts are the same where they read the same, case apart."""
    return unicodedata.normalize("NFKC", as_seen(text).casefold())


def as_seen(text: str) -> str:
    """The form in which two texts are the same where they look the same: without invisible
    characters, and with one code for one letter.
    """
    seen = "".join(c for c in one_line(text) if unicodedata.category(c) != "Cf")
    return unicodedata.normalize("NFKC", seen)


def one_line(text: str) -> str:
    """`plain(text)` on a single line."""
    return " ".join(plain(text).split())
