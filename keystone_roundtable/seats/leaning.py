"""Which option a persona's own words stand nearest to: words in common, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..reading.normalise import fold, tokenise

# Words of up to three letters carry the sentence, not its matter; in scripts whose tokens are
# single characters, neighbouring pairs stand in for words. Chosen by judgement.
_SHORTEST = 4
# Inflected forms of one word share at least so many letters: "reversible", "reverse".
_STEM = 5


@dataclass(frozen=True)
class Leaning:
    """`shared` are the option's words that the text holds; none where no option stands out."""

    option: str
    shared: tuple[str, ...]
    lead: int
    """How many more of them than the next option has."""


def leaning(text: str, options: Sequence[str]) -> Leaning:
    """The option that shares the most words with `text`, an earlier one before a later.

    Words that stand in every option tell nothing and do not count. `options` has at least one.
    """
    held = _words(text)
    words = [_words(option) for option in options]
    everywhere = set(words[0]).intersection(*words[1:]) if len(words) > 1 else set()
    shared = [[shown for stem, shown in each.items() if stem in held and stem not in everywhere]
              for each in words]  # fmt: skip
    counts = [len(each) for each in shared]
    best = counts.index(max(counts))
    lead = counts[best] - max([*counts[:best], *counts[best + 1 :]], default=0)
    return Leaning(options[best], tuple(shared[best]) if lead else (), lead)


def _words(text: str) -> dict[str, str]:
    """Each word's stem with the word as it stands, in order."""
    found: dict[str, str] = {}
    tokens = tokenise(fold(text))
    for token in tokens:
        if len(token) >= _SHORTEST:
            found.setdefault(token[:_STEM], token)
    for left, right in pairwise(tokens):
        if len(left) == len(right) == 1 and not left.isascii():
            found.setdefault(left + right, left + right)
    return found
