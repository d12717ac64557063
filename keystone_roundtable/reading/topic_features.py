"""What the trained weights see of a topic: the rules' reading, its cues, words and letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .linear_model import FeatureGroup
from .normalise import fold, tokenise
from .text_features import bucket, letter_features, unit, word_features
from .topic_sentences import TopicSentence

_LAST: Final = 2
"""Sentences from the end that are looked at by themselves: the last request decides."""


def topic_features(
    sentences: Sequence[TopicSentence], route_reason: str, mode_reason: str
) -> tuple[FeatureGroup, ...]:
    """The features of a topic whose route and mode the rules read for these reasons."""
    shape = [f"route={route_reason}", f"mode={mode_reason}", f"{route_reason}&{mode_reason}"]
    shape.append(f"sentences={bucket(len(sentences))}")
    cues = {f"cue={kind}" for sentence in sentences for kind in sentence.kinds}
    cues |= {"asks" for sentence in sentences if sentence.asks}
    groups = [FeatureGroup(shape), unit(sorted(cues), 1.5)]
    for place, sentence in enumerate(reversed(sentences[-_LAST:])):
        groups.append(_of_sentence(sentence, f"{place}:"))
    whole = fold(" ".join(sentence.text for sentence in sentences))
    last = fold(sentences[-1].text) if sentences else ""
    return (
        *groups,
        word_features(tokenise(whole), "w:"),
        word_features(tokenise(last), "l:"),
        letter_features(last, 2, 4, "lc:"),
        letter_features(whole, 2, 4, "c:"),
    )


def _of_sentence(sentence: TopicSentence, prefix: str) -> FeatureGroup:
    found = sorted(f"{prefix}{kind}" for kind in sentence.kinds)
    found += [f"{left}+{right}" for left in found for right in found if left < right]
    marks = [f"{prefix}asks={sentence.asks}", f"{prefix}orders={sentence.orders}"]
    return unit([*found, *marks, *(f"{one}&{marks[0]}" for one in found)], 1.5)
