"""Whether a text cites a value: words found as whole words, in any script."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

VALUE_WORDS = ("honesty", "safety", "consent")  # round-table, step 3

# Scripts that write no spaces between words, by the names that Unicode gives their characters.
_UNSPACED = (
    "THAI", "LAO", "KHMER", "MYANMAR", "CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "TIBETAN",
    "YI SYLLABLE", "TAI", "NEW TAI", "JAVANESE", "BALINESE", "HENTAIGANA", "IDEOGRAPHIC",
)  # fmt: skip
_SPACES = str.maketrans(dict.fromkeys("\u200b\u2060\ufeff", " "))


def cited(text: str, words: Iterable[str]) -> tuple[str, ...]:
    """Those of `words` that stand in `text`, in their order; case and the form of a letter do not
    matter. A word counts only whole: "dishonesty" does not cite honesty. Where a script writes no
    spaces, a word counts anywhere.
    """
    folded = _folded(text)
    return tuple(word for word in words if _stands_in(folded, _folded(word)))


def _folded(text: str) -> str:
    """One form for one word: fullwidth, decomposed and capital letters, and invisible characters
    inside a word, which would hide it.
    """
    visible = "".join(
        c
        for c in text.translate(_SPACES)
        if unicodedata.category(c) not in ("Cf", "Cc") or c in _WS
    )
    once = unicodedata.normalize("NFKC", visible).casefold()
    return " ".join(unicodedata.normalize("NFKC", once).split())


_WS = "\t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85"


def _stands_in(text: str, word: str) -> bool:
    if not word:
        return False
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if apart(text[start - 1 : start], word[0]) and apart(text[end : end + 1], word[-1]):
            return True
        start = text.find(word, start + 1)
    return False


def apart(neighbour: str, edge: str) -> bool:
    """Whether a word may end between these two characters; "" is the end of the text."""
    return (
        not neighbour
        or not _joins(neighbour)
        or not _joins(edge)
        or _unspaced(edge)
        or _unspaced(neighbour)
    )


def _joins(character: str) -> bool:
    return character == "_" or unicodedata.category(character)[0] in "LMN"


def _unspaced(character: str) -> bool:
    return unicodedata.name(character, "").startswith(_UNSPACED)
