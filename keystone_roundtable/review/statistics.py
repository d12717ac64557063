"""The few formulas of a review: intervals, scores, percentiles, bands of confidence."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, sqrt

ENOUGH = 10
"""Judged outcomes below which nothing is said of calibration. With nine, the Wilson interval of a
share of a half is more than half of the scale wide; chosen by judgement."""

CONFIDENCE_STEPS = 10_000
"""Steps of confidence to 1: what is counted are whole numbers, so that sums merge exactly."""

BANDS = 10
"""Tenths of equal width, the usual bins of a reliability diagram (Murphy & Winkler 1977). The
confidences of the outcome table, 0.5, 0.7, 0.8 and 0.9, each have their own."""

_Z_95 = 1.959963984540054


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % score interval of a share (Wilson 1927). `trials` is at least 1."""
    share, z2 = successes / trials, _Z_95**2
    middle = share + z2 / (2 * trials)
    half = _Z_95 * sqrt(share * (1 - share) / trials + z2 / (4 * trials**2))
    low, high = (middle - half) / (1 + z2 / trials), (middle + half) / (1 + z2 / trials)
    # At 0 and 1 the bound is exact, and rounding must not push it out.
    return (0.0 if not successes else low), (1.0 if successes == trials else high)


def brier(held: Mapping[int, int], not_held: Mapping[int, int]) -> float | None:
    """Mean squared distance of confidence to what happened, 1 or 0 (Brier 1950, one category).

    Both map steps of confidence to how many; None where there are none.
    """
    count = sum(held.values()) + sum(not_held.values())
    if not count:
        return None
    squares = sum(n * (CONFIDENCE_STEPS - step) ** 2 for step, n in held.items())
    squares += sum(n * step**2 for step, n in not_held.items())
    return squares / (count * CONFIDENCE_STEPS**2)


def nearest_rank(counts: Mapping[float, int], per_cent: int) -> float | None:
    """The smallest value that `per_cent` of the values do not exceed; None where there are none."""
    rank = ceil(sum(counts.values()) * per_cent / 100)
    for value in sorted(counts):
        rank -= counts[value]
        if rank <= 0:
            return value
    return None


def band_of(step: int) -> int:
    """The number of the band, 0 to 9, in which a confidence lies."""
    return min(step * BANDS // CONFIDENCE_STEPS, BANDS - 1)


def band_name(band: int) -> str:
    """Such as `0.8-0.9`."""
    return f"{band / BANDS:.1f}-{(band + 1) / BANDS:.1f}"
