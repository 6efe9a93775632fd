"""Pairs and ranks under weights: against tables of all pairs, both roads."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_roads import on_both_roads

from summetry.arrays.orders import count_pairs, earlier_signs, point_balances, sum_ranks


def signs(places):
    return np.sign(places[:, None] - places)


@st.composite
def weighted_points(draw):
    """Places by two orders, and weights; more columns than the kernel takes at a time, or few."""
    size, columns = draw(st.integers(0, 12)), draw(st.sampled_from([1, 3, 16, 35]))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    first, second = (rng.integers(0, draw(st.integers(1, 20)), size) for _ in range(2))
    return first, second, rng.integers(0, 4, (size, columns)).astype(np.float64)


@given(weighted_points())
def test_pairs_are_those_of_the_table_of_all_pairs(points):
    first, second, weights = points
    a, b = signs(first), signs(second)
    expected = [
        [float(w @ table @ w) / 2 for w in weights.T] for table in (a * b, np.abs(a), np.abs(b))
    ]
    found = on_both_roads(lambda: [n.tolist() for n in count_pairs(first, second, weights)])
    assert found == expected
    balances = on_both_roads(lambda: point_balances(first, second).tolist())
    assert balances == (a * b).sum(axis=1).tolist()


@given(weighted_points())
def test_ranks_are_those_of_the_table_of_all_pairs(points):
    first, second, weights = points
    a, b = signs(first) @ weights, signs(second) @ weights
    expected = [(weights * p * q).sum(axis=0).tolist() for p, q in ((a, b), (a, a), (b, b))]
    assert on_both_roads(lambda: sum_ranks(first, second, weights).tolist()) == expected


@given(weighted_points(), st.integers(-1, 3))
def test_points_before_a_point_are_below_or_above_it_or_have_no_place(points, least):
    first, second, _ = points
    first, lists = np.sort(first), np.array([second, np.maximum(second - 2, least), -second])
    lists = np.maximum(lists, -1)
    is_pair = (first[:, None] > first) & (lists[:, :, None] >= 0) & (lists[:, None] >= 0)
    expected = (is_pair * np.sign(lists[:, :, None] - lists[:, None])).sum(axis=2).tolist()
    assert on_both_roads(lambda: earlier_signs(first, lists).tolist()) == expected


@pytest.mark.parametrize("places", [9000, 4])
def test_many_points_are_counted_the_same_on_both_roads(places):
    """The tree is higher than a few levels, and counts are beyond 32 bits."""
    rng = np.random.default_rng(5)
    weights = rng.integers(0, 40, (9000, 2)).astype(np.float64)
    first, second = rng.permutation(9000), rng.integers(0, places, 9000)
    pairs = on_both_roads(lambda: [n.tolist() for n in count_pairs(first, second, weights)])
    assert max(pairs[1]) > 1 << 32
    on_both_roads(lambda: sum_ranks(first, second, weights).tolist())
    total = sum(on_both_roads(lambda: point_balances(first, second).tolist()))
    assert total == 2 * count_pairs(first, second, np.ones((9000, 1)))[0][0]
