"""Agreement on a scale: equal to the plain definitions, with intervals of resampled clusters."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.stats.agreement import (
    count_ratings,
    fleiss_kappa,
    krippendorff_alpha,
    weighted_kappa,
)
from summetry.stats.ratings import ratings_agreement

values = st.none() | st.sampled_from([1, 2, 3, 5, 2.5])
ratings = st.integers(1, 6).flatmap(
    lambda things: st.lists(
        st.lists(values, min_size=things, max_size=things), min_size=1, max_size=4
    )
)


def as_array(people):
    return np.array([[math.nan if x is None else x for x in row] for row in people], np.float64)


def plain(people):
    """Fleiss, the mean of pairs' weighted kappas by what they share, ordinal alpha, as defined."""
    # A thing with one rating says nothing, also of the pairs: they share none of it.
    table, classes = count_ratings(people)
    if not classes:
        return (math.nan,) * 3
    total = things = 0.0
    for a, b in combinations(people, 2):
        kappa = weighted_kappa(a, b)
        if not math.isnan(kappa):
            shared = sum(None not in both for both in zip(a, b, strict=True))
            total, things = total + shared * kappa, things + shared
    alpha = krippendorff_alpha(table, classes, "ordinal")
    return fleiss_kappa(table).kappa, total / things if things else math.nan, alpha


@settings(max_examples=100)
@given(ratings)
def test_the_coefficients_are_those_of_the_definitions(people):
    result = ratings_agreement(as_array(people), np.arange(len(people[0])), draws=0)
    estimates = (result.fleiss, result.weighted, result.alpha)
    assert [e.value for e in estimates] == pytest.approx(plain(people), abs=1e-12, nan_ok=True)
    assert all(math.isnan(end) for e in estimates for end in e[1:])


def test_alpha_of_krippendorffs_own_example():
    """Krippendorff (2011), section E, four observers: .815 for ordinal data."""
    people = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    result = ratings_agreement(as_array(people), np.arange(12))
    assert result.alpha.value == pytest.approx(0.815, abs=0.0005)


def test_a_judge_of_two_things_counts_as_two_things_do():
    """Two agree on all eight; a third gives the first two the other way round.

    The third's kappa with either is 1 - 2 * 2 / 2 = -1 over two things, so the mean by things is
    (8 * 1 - 2 - 2) / 12; the plain mean of the three pairs would be -1 / 3.
    """
    people = [[1, 2, 3, 4, 1, 2, 3, 4], [1, 2, 3, 4, 1, 2, 3, 4], [2, 1] + [None] * 6]
    result = ratings_agreement(as_array(people), np.arange(8), draws=0)
    assert result.weighted.value == pytest.approx(4 / 12)


def test_judges_of_everything_count_alike():
    people = [[1, 2, 3], [1, 3, 3], [1, 2, 3]]
    result = ratings_agreement(as_array(people), np.arange(3), draws=0)
    # 1 2 3 with 1 3 3: 3 * 1 / (3 * (14 + 19) - 2 * 6 * 7) = 3 / 15; 1 2 3 with itself: 0.
    assert result.weighted.value == pytest.approx((0.8 + 0.8 + 1) / 3)


def test_intervals_are_percentiles_of_resampled_clusters():
    """Whole clusters are drawn, as one would by hand: their things side by side."""
    rng = np.random.default_rng(5)
    people = rng.integers(1, 5, (3, 12)).astype(float)
    people[rng.random(people.shape) < 0.2] = math.nan
    clusters = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3])
    result = ratings_agreement(people, clusters, draws=200, seed=7)
    drawn = []
    for places in np.random.default_rng(7).integers(0, 4, (200, 4)):
        things = np.concatenate([np.flatnonzero(clusters == place) for place in places])
        rows = [[None if math.isnan(x) else x for x in row] for row in people[:, things].tolist()]
        drawn.append(plain(rows))
    ends = np.nanpercentile(np.array(drawn, float), [2.5, 97.5], axis=0)
    for estimate, low, high in zip(result[2:], *ends, strict=True):
        assert estimate[1:] == pytest.approx((low, high), abs=1e-12)


def test_one_cluster_has_no_interval_and_one_class_no_value():
    people = np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 3.0]])
    result = ratings_agreement(people, np.zeros(3, int))
    assert result.alpha.value > 0 and math.isnan(result.alpha.low)
    same = ratings_agreement(np.ones((2, 3)), np.arange(3))
    assert same.agreement == same.chance == 1
    assert all(math.isnan(e.value) for e in same[2:])
    nothing = ratings_agreement(np.full((2, 3), math.nan), np.arange(3))
    assert all(math.isnan(e.value) for e in nothing[2:])
