"""Texts and queries as the full-text index takes them.

The index splits at blanks and punctuation, as most scripts do. Those that write without blanks
are put into it character by character; a run of them in a query is then a phrase, which finds it
wherever it stands, however short. (Three-letter runs, the other way, find no word of two
characters, which most Chinese words are, and needed 2.3 times the room.)
"""

from __future__ import annotations

import re

TOKENIZER = "unicode61 remove_diacritics 2 categories 'L* N* Co M* So'"
"""Marks belong to their letter: without them words of Hindi or Thai fall apart at each vowel."""

MAX_TERMS = 32  # chosen by judgement: nobody types more, and a pasted page stays quick

_MIN_PREFIX = 3  # characters; chosen by judgement: "c" is to find C, not every word with a c

_MARKS = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"  # Thai, Lao
    "\u102b-\u103e\u17b4-\u17d3"  # Burmese, Khmer
    "\u3099\u309a"  # voicing of kana
)
# Compiled when a text first needs it: most queries are ASCII, and it takes milliseconds.
UNSPACED = (
    "["
    "\u0e01-\u0e30\u0e32\u0e33\u0e3f-\u0e46\u0e50-\u0e5b"  # Thai
    "\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0ed0-\u0edf"  # Lao
    "\u1000-\u102a\u103f-\u109f\u1780-\u17b3\u17d4-\u17ff"  # Burmese, Khmer
    "\u3005-\u3007\u3040-\u3096\u309d-\u30ff\u31f0-\u31ff"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Chinese characters
    "\u2600-\u27bf\U0001f000-\U0001faff"  # pictures
    f"][{_MARKS}]*"
)
_UNSEEN_SELECTORS = "[\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]"
_QUOTES = str.maketrans(dict.fromkeys("“”„«»「」『』", '"'))
_TERM = r'"([^"]+)"|([^\s"]+)'


def indexable(text: str) -> str:
    """`text` as it goes into the index: one form for each letter, scripts without blanks apart."""
    if text.isascii():
        return text
    import unicodedata

    composed = unicodedata.normalize("NFKC", re.sub(_UNSEEN_SELECTORS, "", text))
    return re.sub(UNSPACED, r" \g<0> ", composed)


def terms_of(query: str) -> tuple[str, ...]:
    """The terms of what a person typed, each in the words of the index; empty where it has none.

    Words in quotes are one term. Nothing in a query is an operator.
    """
    found = []
    for quoted, word in re.findall(_TERM, _harmless(query).translate(_QUOTES)):
        words = " ".join(_words(quoted or word))
        if words:
            found.append(f'"{words}"' if quoted or not _may_go_on(words) else f'"{words}"*')
    return tuple(dict.fromkeys(found))[:MAX_TERMS]


def _harmless(query: str) -> str:
    """`query` without what does not print. Nearly all print, and need nothing loaded for that."""
    if query.isprintable():
        return query
    from ..core.plain import plain

    return plain(query)


def _words(text: str) -> list[str]:
    """The words that the index's tokenizer finds in `text`."""
    if text.isascii():
        return re.findall("[0-9A-Za-z]+", text)
    import unicodedata

    def counts(character: str) -> bool:
        category = unicodedata.category(character)
        return category[0] in "LNM" or category in ("Co", "So")

    return "".join(c if counts(c) else " " for c in indexable(text)).split()


def _may_go_on(words: str) -> bool:
    """Whether a word that begins so is meant too. Korean words go on with their particles."""
    last = words.rpartition(" ")[2]
    return len(last) >= _MIN_PREFIX or "\uac00" <= last[-1] <= "\ud7a3"
