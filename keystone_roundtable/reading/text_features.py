"""Features of the letters and words of a text, alike in every script."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from .linear_model import FeatureGroup
from .normalise import Tokens

_HEAD_CHARS: Final = 240
_TAIL_CHARS: Final = 120
"""Letters looked at from each end; chosen by judgement: what a line is about shows there."""
_LENGTHS: Final = (1, 2, 3, 4, 6, 9, 14, 22, 40)


def letter_features(
    folded: str, shortest: int, longest: int, prefix: str, weight: float = 1.0
) -> FeatureGroup:
    """Runs of `shortest` to `longest` letters, words marked at their ends."""
    text = folded if len(folded) <= _HEAD_CHARS + _TAIL_CHARS else _ends(folded)
    padded = f" {' '.join(text.split())} "
    found = {
        f"{prefix}{padded[start : start + length]}"
        for length in range(shortest, longest + 1)
        for start in range(len(padded) - length + 1)
    }
    return unit(sorted(found), weight)


def word_features(tokens: Tokens, prefix: str, weight: float = 1.0) -> FeatureGroup:
    """Single words and neighbouring pairs."""
    kept = tokens if len(tokens) <= _HEAD_CHARS else (*tokens[:_HEAD_CHARS], *tokens[-_TAIL_CHARS:])
    found = {f"{prefix}{token}" for token in kept}
    found |= {f"{prefix}{left} {right}" for left, right in pairwise(kept)}
    return unit(sorted(found), weight)


def unit(features: Sequence[str], weight: float = 1.0) -> FeatureGroup:
    """The features with values whose squares add up to `weight` squared."""
    return FeatureGroup(features, weight / math.sqrt(len(features) or 1))


def bucket(count: int) -> str:
    """A number by its size, so that 23 and 25 count as alike."""
    return str(next((limit for limit in _LENGTHS if count <= limit), "many")) if count else "0"


def crossed(left: Sequence[str], right: Sequence[str]) -> Iterator[str]:
    """Every pair of the two."""
    return (f"{one}&{other}" for one in left for other in right)


def _ends(text: str) -> str:
    return f"{text[:_HEAD_CHARS]} {text[-_TAIL_CHARS:]}"
