"""Correlations: against counting pairs one by one, and at their edges."""

import math
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.stats.correlation import kendall_tau_a, kendall_tau_b, mid_ranks, pearson, spearman

lists = st.integers(2, 9).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(-5, 5), min_size=n, max_size=n)] * 2)
)


@given(lists)
def test_tau_counts_pairs_one_by_one(pair):
    x, y = pair
    balance = untied_x = untied_y = pairs = 0
    for i, j in combinations(range(len(x)), 2):
        a, b = (x[i] > x[j]) - (x[i] < x[j]), (y[i] > y[j]) - (y[i] < y[j])
        balance, pairs = balance + a * b, pairs + 1
        untied_x, untied_y = untied_x + abs(a), untied_y + abs(b)
    assert kendall_tau_a(x, y) == balance / pairs
    if untied_x and untied_y:
        assert kendall_tau_b(x, y) == pytest.approx(balance / math.sqrt(untied_x * untied_y))
    else:
        assert math.isnan(kendall_tau_b(x, y))


@settings(max_examples=50)
@given(lists)
def test_all_are_symmetric_and_turn_with_the_sign(pair):
    x, y = pair
    for coefficient in (pearson, spearman, kendall_tau_a, kendall_tau_b):
        value = coefficient(x, y)
        assert coefficient(y, x) == pytest.approx(value, nan_ok=True, abs=1e-12)
        turned = coefficient([-a for a in x], y)
        assert turned == pytest.approx(-value, nan_ok=True, abs=1e-12)
        assert math.isnan(value) or -1 <= value <= 1


def test_pearson_is_the_formula():
    assert pearson([1, 2, 4], [1, 3, 2]) == pytest.approx(1 / math.sqrt(14 / 3 * 2))


def test_equal_numbers_share_their_mean_rank():
    assert mid_ranks([3.0, 1.0, 3.0, 2.0]).tolist() == [3.5, 1, 3.5, 2]


def test_the_noise_of_addition_makes_no_order():
    assert math.isnan(pearson([0.1 + 0.2, 0.3], [1, 2]))
    assert kendall_tau_a([0.1 + 0.2, 0.3], [1, 2]) == 0


def test_numbers_are_the_same_within_the_noise_of_the_largest():
    """As everywhere in the statistics: beside 1, a difference of 1e-15 is none."""
    x, y = [1e-15, 2e-15, 1.0], [2, 1, 3]
    assert mid_ranks(x).tolist() == [1.5, 1.5, 3]
    assert kendall_tau_b(x, y) == pytest.approx(2 / math.sqrt(2 * 3))
    assert spearman(x, y) == pytest.approx(spearman([1, 1, 2], y))


def test_lists_of_two_lengths_are_refused():
    with pytest.raises(SummetryError, match="two lists of the same length, got 1 and 2"):
        pearson([1], [1, 2])


def test_an_infinite_number_has_a_rank_but_no_size():
    assert math.isnan(pearson([1, 2, math.inf], [1, 2, 3]))
    assert spearman([1, 2, math.inf], [1, 2, 3]) == 1
    assert kendall_tau_b([1, 2, math.inf], [1, 2, 3]) == 1
