"""Fits a linear model in plain Python: no library decides its bytes.

Multinomial logistic regression with an L2 penalty, by AdaGrad over shuffled examples.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from keystone_roundtable.reading.linear_model import FeatureGroup, LinearModel, place, softmax

LARGEST = 127  # what a signed byte holds


@dataclass(frozen=True)
class Settings:
    """How a model is fitted; chosen by leaving families of the seen half out."""

    bits: int = 16
    rounds: int = 12
    rate: float = 0.25
    penalty: float = 2e-6
    seed: int = 7


@dataclass(frozen=True)
class Example:
    """Features at their places with their values, the label's number, and how much it counts."""

    places: tuple[int, ...]
    values: tuple[float, ...]
    label: int
    weight: float = 1.0


def example(groups: Iterable[FeatureGroup], label: int, bits: int, weight: float = 1.0) -> Example:
    found: dict[int, float] = {}
    for group in groups:
        for feature in group.features:
            at = place(feature, bits)
            found[at] = found.get(at, 0.0) + group.value
    return Example(tuple(found), tuple(found.values()), label, weight)


def fit(examples: Sequence[Example], labels: Sequence[str], settings: Settings) -> LinearModel:
    """The model, averaged over the rounds; the same examples in the same order give the same one.

    The average of the rounds wavers less with the order of the examples than the last one does.
    """
    count = len(labels)
    size = count << settings.bits
    weights = [0.0] * size
    squares = [1e-3] * size
    bias = [0.0] * count
    bias_squares = [1e-3] * count
    order = list(range(len(examples)))
    shuffle = random.Random(settings.seed)
    rate, penalty = settings.rate, settings.penalty
    sums = [0.0] * size
    bias_sums = [0.0] * count
    for _ in range(settings.rounds):
        shuffle.shuffle(order)
        for number in order:
            one = examples[number]
            scores = list(bias)
            for at, value in zip(one.places, one.values, strict=True):
                start = at * count
                for index in range(count):
                    scores[index] += value * weights[start + index]
            errors = softmax(scores)
            errors[one.label] -= 1.0
            for index in range(count):
                gradient = errors[index] * one.weight
                bias_squares[index] += gradient * gradient
                bias[index] -= rate * gradient / bias_squares[index] ** 0.5
                if abs(gradient) < 1e-3:
                    continue
                for at, value in zip(one.places, one.values, strict=True):
                    spot = at * count + index
                    slope = gradient * value + penalty * weights[spot]
                    squares[spot] += slope * slope
                    weights[spot] -= rate * slope / squares[spot] ** 0.5
        sums = [total + weight for total, weight in zip(sums, weights, strict=True)]
        bias_sums = [total + one for total, one in zip(bias_sums, bias, strict=True)]
    rounds = settings.rounds
    return _packed(
        [total / rounds for total in sums],
        [total / rounds for total in bias_sums],
        labels,
        settings.bits,
    )


def _packed(
    weights: Sequence[float], bias: Sequence[float], labels: Sequence[str], bits: int
) -> LinearModel:
    step = max(max(weights), -min(weights), 1e-9) / LARGEST
    return LinearModel(
        labels=tuple(labels),
        bits=bits,
        step=step,
        bias=tuple(round(one, 6) for one in bias),
        weights=array("b", (round(one / step) for one in weights)),
    )
