"""The offline moderator's sentences: phrases from data, chosen so that topics differ.

Which of several wordings is taken depends on the session's topic alone, so a replay says the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from zlib import crc32

from ..core.plain import one_line
from ..core.report import shorten

QUOTE_LENGTH = 110  # characters of an answer quoted inside a sentence


@dataclass(frozen=True)
class Wording:
    """`phrases` maps a key to its wordings; `seed` is what the choice among them depends on."""

    phrases: Mapping[str, tuple[str, ...]]
    seed: str

    def say(self, key: str, *, turn: int = 0, **slots: str) -> str:
        """The phrase for `key`, filled in; the next `turn` takes the next wording.

        Raises `KeyError` where no phrase has this key.
        """
        wordings = self.phrases[key]
        chosen = wordings[(crc32(f"{self.seed}|{key}".encode()) + turn) % len(wordings)]
        return chosen.format_map(slots)


def quoted(text: str, limit: int = QUOTE_LENGTH) -> str:
    """The person's words in quotation marks, on one line, shortened at a word end."""
    inner = shorten(one_line(text), limit).strip("\"“”'").rstrip(".")
    return f"“{inner}”"


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def joined(parts: Iterable[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    items = list(parts)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"
