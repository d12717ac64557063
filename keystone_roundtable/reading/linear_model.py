"""A multinomial logistic model over hashed features: small, quick to load, and the same everywhere.

A feature is a string; its hash is its place in a table of weights, one signed byte a label. Weights
stand in a file that `dump` writes and `load` reads: a line of JSON, then the table, compressed.
"""

from __future__ import annotations

import json
import math
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

FORMAT: Final = 1
_COMPRESSION: Final = 9


@dataclass(frozen=True, slots=True)
class FeatureGroup:
    """Features that share one value: 1 each, or less where a long text has many."""

    features: Sequence[str]
    value: float = 1.0


def place(feature: str, bits: int) -> int:
    """The feature's place in a table of 2**`bits`; the same on every machine."""
    return zlib.crc32(feature.encode("utf-8", "surrogatepass")) & ((1 << bits) - 1)


@dataclass(frozen=True, slots=True)
class LinearModel:
    """`weights` holds one row of `len(labels)` signed bytes a place, in units of `step`.

    `trained_on` is a digest of the material that it was fitted on.
    """

    labels: tuple[str, ...]
    bits: int
    step: float
    bias: tuple[float, ...]
    weights: array[int]
    trained_on: str = ""

    def probabilities(self, groups: Iterable[FeatureGroup]) -> dict[str, float]:
        """How likely each label is; they add up to 1. A feature never met in training is silent."""
        count = len(self.labels)
        scores = list(self.bias)
        for group in groups:
            factor = group.value * self.step
            for feature in group.features:
                start = place(feature, self.bits) * count
                for index in range(count):
                    scores[index] += factor * self.weights[start + index]
        return dict(zip(self.labels, softmax(scores), strict=True))


def softmax(scores: Sequence[float]) -> list[float]:
    """Scores as probabilities."""
    highest = max(scores)
    grown = [math.exp(score - highest) for score in scores]
    total = sum(grown)
    return [one / total for one in grown]


def dump(model: LinearModel) -> bytes:
    """The model as the bytes of its file; the same bytes for the same model."""
    head = {
        "format": FORMAT,
        "labels": list(model.labels),
        "bits": model.bits,
        "step": model.step,
        "bias": list(model.bias),
        "trained_on": model.trained_on,
    }
    table = zlib.compress(model.weights.tobytes(), _COMPRESSION)
    return json.dumps(head).encode() + b"\n" + table


def load(data: bytes) -> LinearModel:
    """The model in the bytes of a file.

    Raises:
        ValueError: the bytes are no such file.
    """
    line, _, table = data.partition(b"\n")
    try:
        head: Mapping[str, object] = json.loads(line)
        weights = array("b", zlib.decompress(table))
        model = LinearModel(
            labels=tuple(head["labels"]),  # type: ignore[arg-type]
            bits=int(head["bits"]),  # type: ignore[call-overload]
            step=float(head["step"]),  # type: ignore[arg-type]
            bias=tuple(head["bias"]),  # type: ignore[arg-type]
            weights=weights,
            trained_on=str(head.get("trained_on", "")),
        )
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise ValueError(f"not a model file ({error})") from error
    if head.get("format") != FORMAT or len(weights) != len(model.labels) << model.bits:
        raise ValueError("not a model file of this version")
    return model
