"""Intervals of values that are computed from sums."""

import math

import numpy as np
import pytest

from summetry.errors import SummetryError
from summetry.stats.contrasts import bootstrap_rows
from summetry.stats.sums import bootstrap_sums, share_kept


def share(sums):
    return [sums[0] / sums[1]]


def test_a_mean_has_the_same_interval_as_by_the_bootstrap_of_means():
    values = np.random.default_rng(3).random(20)
    numbers = np.stack([values, np.ones(20)], axis=1)
    (estimate,) = bootstrap_sums(numbers, share, draws=500, seed=7)
    spread = bootstrap_rows(values[None], draws=500, seed=7)
    assert estimate.value == pytest.approx(values.mean())
    assert estimate[1:] == pytest.approx((spread.low[0], spread.high[0]))


def test_the_interval_of_two_topics_is_that_of_their_four_pairs():
    numbers = np.array([[1.0, 1.0], [0.0, 3.0]])
    (estimate,) = bootstrap_sums(numbers, share, draws=2000)
    # Twice the first, once each, or twice the second: 2/2, 1/4, 0/6.
    assert estimate == (0.25, 0.0, 1.0)


def test_draws_without_a_value_are_left_out():
    numbers = np.array([[1.0, 1.0], [0.0, 0.0]])

    def defined(sums):
        return [np.where(sums[1] > 0, sums[0] / np.maximum(sums[1], 1), np.nan)]

    assert bootstrap_sums(numbers, defined, draws=200) == [(1.0, 1.0, 1.0)]


def test_one_topic_has_a_value_and_no_interval():
    (estimate,) = bootstrap_sums(np.array([[1.0, 2.0]]), share)
    assert estimate.value == 0.5
    assert math.isnan(estimate.low) and math.isnan(estimate.high)


def test_many_topics_are_drawn_in_steps_that_change_nothing(monkeypatch):
    numbers = np.random.default_rng(5).random((30, 2))
    whole = bootstrap_sums(numbers, share, draws=100, seed=1)
    monkeypatch.setattr("summetry.stats.sums._STEP", 30 * 7)
    assert np.allclose(whole, bootstrap_sums(numbers, share, draws=100, seed=1))


def test_the_share_that_is_kept_is_the_way_between_both_bounds():
    kept = share_kept(np.array([0.2, 0.5, 0.8, 0.9]), np.full(4, 0.2), np.full(4, 0.8))
    assert kept == pytest.approx([0.0, 0.5, 1.0, 7 / 6])


def test_without_a_gap_no_share_is_kept():
    kept = share_kept(np.array([0.5, 0.5]), np.array([0.5, 0.6]), np.array([0.5, 0.4]))
    assert np.isnan(kept).all()


def test_no_draws_are_refused():
    with pytest.raises(SummetryError, match="draws must be 1 or more, got 0"):
        bootstrap_sums(np.ones((2, 2)), share, draws=0)
