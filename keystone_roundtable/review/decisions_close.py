"""Whether a topic has been decided before: how much of what is said in two topics is the same.

Words are cut to their beginning, so that endings do not matter; scripts without blanks are taken
in pairs or threes of characters. What many topics share ("should we", "now", "wait") weighs
little: `common_words.txt` holds how little, counted over the labelled topics of all languages.
Other words for the same thing are not seen through. `python -m benchmarks.closeness` measures it.
"""

from __future__ import annotations

import math
import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from ..stores.places import LOG_NAME, roundtable_folder
from .decisions_index import COLUMNS, DecisionIndex, Past
from .decisions_text import UNSPACED

CLOSE = 0.5
"""Above it a topic counts as decided before; `benchmarks/closeness.py` measures how well."""

WORDS_FILE = Path(__file__).with_name("common_words.txt")

_STEM = 6  # characters of a word that count; of 5, 6 and 7 the one that told most pairs apart
_CANDIDATES = 50  # that share the rarest words are compared; chosen by judgement
_TERMS = 12
_MAX_TOPIC = 2_000  # characters of a topic that are looked at; chosen by judgement

_FOUND = (
    f"SELECT {COLUMNS} FROM texts JOIN past AS p ON p.number = texts.rowid"
    " WHERE texts MATCH ? AND p.status = 'finished' ORDER BY rank LIMIT ?"
)


def closest(root: Path, topic: str) -> Past | None:
    """The finished one whose topic is closest, if it is close; None without an index.

    The index is taken as it is: a start does not wait until it is brought up to date.
    """
    match = _match(units_of(topic))
    index = DecisionIndex(root)
    if not match or not index.path.is_file():
        return None
    found = index.as_it_is(lambda connection: _candidates(connection, match))
    near = [(closeness(topic, past.topic), past.at, past) for past in found or ()]
    for how_close, _, past in sorted(near, reverse=True):
        if how_close <= CLOSE:
            break
        if (roundtable_folder(root) / past.place / LOG_NAME).is_file():
            return past
    return None


def closeness(one: str, other: str) -> float:
    """From 0, nothing in common that tells anything, to 1; the cosine of their weighted words."""
    ours, others = units_of(one), units_of(other)
    shared = _weight(ours & others)
    if not shared:
        return 0.0
    return round(shared / math.sqrt(_weight(ours) * _weight(others)), 6)


def units_of(text: str) -> frozenset[str]:
    """What is compared of a text: beginnings of words, runs of characters."""
    folded = unicodedata.normalize("NFKC", text[:_MAX_TOPIC]).casefold()
    units: list[str] = []
    for part in re.findall(rf"(?:{UNSPACED})+|(?:(?!{UNSPACED})[\w{_MARKS}])+", folded):
        if re.match(UNSPACED, part):
            units += _runs(re.findall(UNSPACED, part))
        else:
            units.append(_stem(part))
    return frozenset(filter(None, units))


_MARKS = "\u0300-\u036f\u0900-\u0dff"  # accents, and the vowels of the scripts of India


def _runs(letters: list[str]) -> list[str]:
    size = 3 if "\u0e00" <= letters[0] < "\u0f00" else 2  # Thai and Lao have few letters
    if len(letters) < size:
        return ["".join(letters)]
    return ["".join(letters[at : at + size]) for at in range(len(letters) - size + 1)]


def _stem(word: str) -> str:
    if "\uac00" <= word[0] <= "\ud7a3":
        return word[:2]  # Korean syllables; particles come after
    letters = unicodedata.normalize("NFD", word)
    return "".join(c for c in letters if not unicodedata.combining(c))[:_STEM]


def _weight(units: Iterable[str]) -> float:
    weights = common_words()
    return math.fsum(weights.get(unit, 1.0) for unit in units)  # the same in any order


@cache
def common_words() -> Mapping[str, float]:
    """What a unit weighs that many topics have; all others weigh 1."""
    weights: dict[str, float] = {}
    for line in WORDS_FILE.read_text(encoding="utf-8").splitlines():
        weight, *units = line.split(" ")
        weights |= dict.fromkeys(units, float(weight))
    return weights


def _match(units: Iterable[str]) -> str:
    """A query for what shares the units that tell most."""
    weights = common_words()
    telling = sorted(units, key=lambda unit: (-weights.get(unit, 1.0), -len(unit), unit))[:_TERMS]
    terms = [" ".join(re.findall(UNSPACED, unit)) or unit for unit in telling]
    return "{topic} : (" + " OR ".join(f'"{term}"*' for term in terms) + ")" if terms else ""


def _candidates(connection: sqlite3.Connection, match: str) -> list[Past]:
    return [Past(*row) for row in connection.execute(_FOUND, (match, _CANDIDATES))]
