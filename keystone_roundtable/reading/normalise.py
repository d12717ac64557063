"""Text made comparable: cleaned, folded, cut into sentences, clauses and tokens.

Everything here is total: any `str` comes through, lone surrogates and control characters included,
in time linear in `EXCERPT_CHARS`.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, TypeAlias

Tokens: TypeAlias = tuple[str, ...]

EXCERPT_CHARS: Final = 3000
"""Characters kept from each end of a long text; chosen by judgement: a request to stop or a choice
stands at one of the two ends, and 6 000 characters are enough to tell prose from a paste."""

_ANSI: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b.")
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u0640\u093c\u200b-\u200f\u202a-\u202e\u2060-\u2069"
    "\ufe0e\ufe0f\ufeff\ud800-\udfff]"
)
_SHRUG: Final = re.compile(r"[¯‾]?\\*_*\(\s*ツ\s*\)_*/?[¯‾]?")
_ARABIC_VOWELS: Final = re.compile("[\u064b-\u065f\u0670]")
_LATIN_MARKED: Final = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_VIETNAMESE: Final = re.compile("[ơưđ\u1ea0-\u1ef9]")
_ELISION: Final = re.compile(r"\b(qu|jusqu|lorsqu|puisqu|[cdjlmnst])'(?=\w)")
_LETTERS_ALIKE: Final = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "`": "'",
        "´": "'",
        "ё": "е",
        "ø": "o",
        "ł": "l",
        "أ": "ا",
        "إ": "ا",
        "آ": "ا",
        "ى": "ي",
        "ة": "ه",
        "ँ": "ं",
        "\x85": "\n",
        "\u2028": "\n",
        "\u2029": "\n",
        "\v": " ",
        "\f": " ",
        "\r": "\n",
    }
)

_UNSPACED: Final = (
    "\u0e00-\u0e7f\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\U00020000-\U0002ffff"
)
_JAMO: Final = "\u1100-\u11ff"
_MARKS: Final = "\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0962\u0963"
_TOKEN: Final = re.compile(f"[{_UNSPACED}]|(?:[^\\W_{_UNSPACED}{_JAMO}]|[{_MARKS}])+")
_REPEATED: Final = re.compile(f"([^\\W\\d_{_UNSPACED}])\\1+")

_SENTENCE_END: Final = re.compile(r"(?<=[!?。؟।\n])|(?<=[.;])(?=\s|$)|(?<=\.\.)(?=[^\s.])")
_CLAUSE_END: Final = re.compile(r"[,،、:;()—–…\n]| - |\.\.+")

_SCRIPTS: Final = (
    ("latin", re.compile("[a-z]")),
    ("cyrillic", re.compile("[\u0400-\u04ff]")),
    ("han", re.compile("[\u3400-\u9fff\U00020000-\U0002ffff]")),
    ("kana", re.compile("[\u3040-\u30ff]")),
    ("hangul", re.compile("[\uac00-\ud7a3]")),
    ("thai", re.compile("[\u0e00-\u0e7f]")),
    ("devanagari", re.compile("[\u0900-\u097f]")),
    ("arabic", re.compile("[\u0600-\u06ff]")),
)


def excerpt(text: str) -> str:
    """The text itself, or its two ends on separate lines when it is long."""
    if len(text) <= 2 * EXCERPT_CHARS:
        return text
    return f"{text[:EXCERPT_CHARS]}\n{text[-EXCERPT_CHARS:]}"


def clean(text: str) -> str:
    """The text without terminal escapes, control, invisible or unpaired characters; case kept."""
    plain = _SHRUG.sub(" ", _ANSI.sub("", text))
    return _INVISIBLE.sub("", plain).translate(_LETTERS_ALIKE)


def fold(text: str) -> str:
    """The text in the one spelling used for comparison.

    Compatibility forms joined, case folded, Arabic vowels and (but for Vietnamese) Latin accents
    dropped, apostrophes
    closed up ("don't" is "dont") or, after an elided French word, opened ("l'app" is "l app").
    """
    folded = unicodedata.normalize("NFKC", clean(text)).casefold().translate(_LETTERS_ALIKE)
    folded = _ARABIC_VOWELS.sub("", _INVISIBLE.sub("", folded))
    if not _VIETNAMESE.search(folded):
        folded = without_marks(folded)
    return _ELISION.sub(r"\1 ", folded).replace("'", "")


def without_marks(folded: str) -> str:
    """The text with plain Latin letters; `fold` does that itself save for Vietnamese, whose words
    often differ in nothing else."""
    return _LATIN_MARKED.sub(_base_letter, folded)


def _base_letter(match: re.Match[str]) -> str:
    letter = match.group()
    return "d" if letter == "đ" else unicodedata.normalize("NFD", letter)[0]


def tokenise(folded: str) -> Tokens:
    """Words in order; in scripts written without reliable spaces, single characters.

    Hangul counts among the latter, because its particles cling to the word. Letters repeated within
    a word are squeezed, so that "sooo", "too" and "realy" meet "so", "to" and "really".
    """
    return tuple(_TOKEN.findall(_REPEATED.sub(r"\1", folded)))


def tokenise_lines(folded: str) -> list[Tokens]:
    """The tokens of each line, as `tokenise` cuts them; quicker than line by line."""
    return [tuple(_TOKEN.findall(line)) for line in _REPEATED.sub(r"\1", folded).split("\n")]


def sentences(folded: str) -> tuple[str, ...]:
    """The non-blank sentences in order, each with its closing mark."""
    parts = (part.strip() for part in _SENTENCE_END.split(folded))
    return tuple(part for part in parts if part)


def clauses(sentence: str) -> tuple[str, ...]:
    """The non-blank parts of a sentence between commas, colons, dashes and brackets."""
    parts = (part.strip() for part in _CLAUSE_END.split(sentence))
    return tuple(part for part in parts if part)


def asks(sentence: str) -> bool:
    """Whether a sentence closes with a question mark, whatever quotes or emoji follow it."""
    return any(mark in sentence[-6:] for mark in "?؟")


def scripts_of(folded: str) -> frozenset[str]:
    """The names of the writing systems present, empty for digits, punctuation and emoji."""
    return frozenset(name for name, letters in _SCRIPTS if letters.search(folded))


def within_one_typo(word: str, other: str) -> bool:
    """Whether one letter added, dropped, changed or two neighbours swapped turn one into the other.

    Cost linear in the length of the words.
    """
    if abs(len(word) - len(other)) > 1 or word == other:
        return word == other
    start = _shared_prefix(word, other)
    rest, other_rest = word[start:], other[start:]
    if len(rest) != len(other_rest):
        longer, shorter = sorted((rest, other_rest), key=len, reverse=True)
        return longer[1:] == shorter
    swapped = rest[1:2] + rest[:1] + rest[2:]
    return rest[1:] == other_rest[1:] or swapped == other_rest


def is_swapped(word: str, other: str) -> bool:
    """Whether two neighbouring letters changed places and nothing else differs."""
    start = _shared_prefix(word, other)
    rest, other_rest = word[start:], other[start:]
    return len(rest) > 1 and rest[1] + rest[0] + rest[2:] == other_rest


def _shared_prefix(word: str, other: str) -> int:
    for index, (left, right) in enumerate(zip(word, other, strict=False)):
        if left != right:
            return index
    return min(len(word), len(other))
