"""Paired tests. The golden cases of the t-test are in test_golden_papers.py."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.stats.paired import paired_t_test, permutation_test

values = st.integers(0, 1000)
pairs = st.lists(st.tuples(values, values), min_size=1, max_size=8)


def columns(pairs, scale=1):
    return [x / scale for x, _ in pairs], [y / scale for _, y in pairs]


@given(pairs)
@settings(max_examples=50)
def test_permutations_agree_with_going_through_all_signs(pairs):
    differences = [x - y for x, y in pairs]
    seen = abs(sum(differences))
    signs = list(product((1, -1), repeat=len(pairs)))
    sums = [abs(sum(s * d for s, d in zip(sign, differences, strict=True))) for sign in signs]
    expected = sum(total >= seen for total in sums) / len(signs)
    # Thousandths as floats: ties of sums must be found in spite of their rounding.
    result = permutation_test(*columns(pairs, 1000))
    assert result.p == expected
    assert result.is_exact and result.permutations == 2 ** len(pairs)


@given(pairs)
@settings(max_examples=40)
def test_t_agrees_with_scipy(pairs):
    from scipy import stats

    x, y = columns(pairs)
    result = paired_t_test(x, y)
    if len({a - b for a, b in pairs}) < 2:
        assert math.isnan(result.t) and math.isnan(result.p)
        return
    expected = stats.ttest_rel(x, y)
    assert result.t == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
    assert result.p == pytest.approx(expected.pvalue, rel=1e-9)
    assert result.df == len(pairs) - 1


def test_a_hand_worked_t():
    """Differences 1, 2, 3: mean 2, standard deviation 1, so t = 2 / (1 / sqrt(3))."""
    result = paired_t_test([2, 4, 6], [1, 2, 3])
    assert result.t == pytest.approx(2 * math.sqrt(3)) and result.df == 2
    # With two degrees of freedom p has a closed form.
    assert result.p == pytest.approx(1 - result.t / math.sqrt(2 + result.t**2))


def test_the_same_differences_have_no_t_in_spite_of_rounding():
    result = paired_t_test([0.1 + 0.2, 0.7, 0.9], [0.2, 0.6, 0.8])
    assert math.isnan(result.t) and result.df == 2


def test_identical_systems_are_never_different():
    x = [0.3, 0.7, 0.1]
    assert permutation_test(x, x).p == 1
    assert permutation_test(x * 20, x * 20).p == 1
    assert math.isnan(paired_t_test(x, x).p)


def test_many_topics_are_drawn_and_p_is_never_0():
    x, y = np.linspace(0.5, 0.9, 40).tolist(), np.linspace(0.1, 0.2, 40).tolist()
    result = permutation_test(x, y, draws=999)
    assert not result.is_exact and result.permutations == 999
    assert result.p == 1 / 1000


def test_drawing_comes_near_to_counting_all(monkeypatch):
    from summetry.stats import paired

    random = np.random.default_rng(1)
    x, y = random.random(12).tolist(), random.random(12).tolist()
    exact = permutation_test(x, y)
    monkeypatch.setattr(paired, "_MOST_EXACT", 0)
    drawn = permutation_test(x, y, draws=20_000)
    # Five standard errors of a share of 20,000.
    assert abs(drawn.p - exact.p) < 5 * math.sqrt(0.25 / 20_000)
    assert drawn == permutation_test(x, y, draws=20_000)
    assert drawn != permutation_test(x, y, draws=20_000, seed=1)


@given(pairs)
def test_who_is_named_first_makes_no_difference_but_of_sign(pairs):
    x, y = columns(pairs)
    there, back = permutation_test(x, y), permutation_test(y, x)
    assert there.difference == -back.difference and there.p == back.p


def test_few_topics():
    assert math.isnan(paired_t_test([], []).p) and math.isnan(permutation_test([], []).p)
    assert math.isnan(paired_t_test([1], [0]).df)
    assert permutation_test([Fraction(1, 3)], [0]).p == 1


def test_mistakes_are_named():
    message = "one score per topic for both systems, got 3 and 2"
    for test in (paired_t_test, permutation_test):
        with pytest.raises(SummetryError, match=message):
            test([1, 2, 3], [1, 2])
        with pytest.raises(SummetryError, match="found one that is undefined or infinite"):
            test([1, math.nan], [1, 2])
    with pytest.raises(SummetryError, match="needs 1 draw or more, got 0"):
        permutation_test([1], [0], draws=0)


def test_p_of_a_huge_t_is_not_0():
    """Of 500 topics with a difference of 1 and hardly any spread: beyond what a float can hold."""
    x = [1 + (topic % 2) * 1e-6 for topic in range(500)]
    result = paired_t_test(x, [0.0] * 500)
    assert result.t > 1e6 and result.p > 0
