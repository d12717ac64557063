"""Formulas against published figures and their own definitions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keystone_roundtable.review.statistics import (
    CONFIDENCE_STEPS,
    band_name,
    band_of,
    brier,
    nearest_rank,
    wilson,
)

Z = 1.959963984540054


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(successes, trials, low, high):
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_at_the_bounds_the_share_lies_just_as_far_off_as_chance_allows(case):
    """What defines the interval: |share - bound| is z standard errors at the bound."""
    successes, trials = case
    share = successes / trials
    low, high = wilson(successes, trials)
    assert 0 <= low <= share <= high <= 1
    for bound in (low, high):
        assert abs(share - bound) == pytest.approx(Z * sqrt(bound * (1 - bound) / trials), abs=1e-9)


def test_brier_is_the_mean_squared_distance():
    assert brier({9000: 1}, {}) == pytest.approx(0.01)
    assert brier({}, {9000: 1}) == pytest.approx(0.81)
    assert brier({5000: 3}, {5000: 4}) == 0.25
    assert brier({10000: 2}, {0: 5}) == 0
    assert brier({}, {}) is None


@given(st.lists(st.tuples(st.integers(0, CONFIDENCE_STEPS), st.booleans()), min_size=1))
def test_brier_of_any_outcomes(judged):
    held = Counter(step for step, happened in judged if happened)
    not_held = Counter(step for step, happened in judged if not happened)
    squares = [(Fraction(step, CONFIDENCE_STEPS) - happened) ** 2 for step, happened in judged]
    assert brier(held, not_held) == pytest.approx(float(sum(squares) / len(judged)))


@given(st.lists(st.integers(0, 50), min_size=1), st.sampled_from([50, 95]))
def test_a_percentile_is_a_value_that_so_many_do_not_exceed(values, per_cent):
    found = nearest_rank(Counter(values), per_cent)
    assert found in values
    assert sum(value <= found for value in values) * 100 >= per_cent * len(values)
    assert sum(value < found for value in values) * 100 < per_cent * len(values)


def test_nothing_has_no_percentile():
    assert nearest_rank({}, 50) is None


def test_bands_are_tenths_and_the_last_holds_certainty():
    assert [band_name(band_of(step)) for step in (0, 999, 1000, 7000, 8999, 9000, 10000)] == [
        "0.0-0.1",
        "0.0-0.1",
        "0.1-0.2",
        "0.7-0.8",
        "0.8-0.9",
        "0.9-1.0",
        "0.9-1.0",
    ]
