"""How significant dimensions are, and how many of them are kept."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.metrics.lsa.dimensions import (
    captured_significance,
    reduction_r,
    relative_significance,
    singular_values,
    zipf_fit,
)


@given(st.integers(0, 400), st.integers(1, 400), st.integers(1, 60))
def test_r_is_exact_in_whole_numbers(sw, fw, n):
    share = Fraction(min(sw, fw), fw)
    result = {rule: reduction_r(sw, fw, n, rule) for rule in ("half_up", "floor", "ceil")}
    assert {r.p for r in result.values()} == {100 * share}
    assert {r.exact for r in result.values()} == {share * n}
    assert result["floor"].r == max(math.floor(share * n), 1)
    assert result["ceil"].r == max(math.ceil(share * n), 1)
    assert result["half_up"].r == max(math.floor(share * n + Fraction(1, 2)), 1)


def test_the_singular_values_of_a_text():
    """Disjoint sentences: the roots of their numbers of words, by size; two terms give two."""
    assert singular_values([["a"], ["b", "c", "d", "e"]]) == pytest.approx([2, 1])
    assert singular_values([["a"], ["b"], ["a"]]) == pytest.approx([math.sqrt(2), 1])
    assert singular_values([]) == []


def test_sentences_that_are_there_twice_add_no_dimension_and_leave_the_fit_alone():
    sentences = [["fog", "pier"], ["ice", "boat", "fog"], ["sea"]]
    values = singular_values([*sentences, *sentences])
    # A with each column twice: singular values of A times the root of 2.
    assert values == pytest.approx([*(v * math.sqrt(2) for v in singular_values(sentences)), 0, 0])
    assert values[3:] == [0, 0]
    assert zipf_fit(values).b == pytest.approx(zipf_fit(singular_values(sentences)).b)


def test_the_fit_of_equation_10_finds_the_line_and_figure_3_its_shares():
    n = 30
    values = [math.sqrt(500 / i) for i in range(1, n + 1)]
    fit = zipf_fit(values)
    assert fit == pytest.approx((500, -1))
    harmonic = [math.fsum(1 / i for i in range(1, r + 1)) for r in range(n + 1)]
    shares = captured_significance(values, [10, 30, 100])
    expected = {10: harmonic[3] / harmonic[30], 30: harmonic[9] / harmonic[30], 100: 1.0}
    assert shares == pytest.approx(expected)
    # The paper reads 40 % and 70 % off its figure.
    assert 0.40 < shares[10] < 0.50
    assert shares[30] == pytest.approx(0.70, abs=0.02)


def test_too_few_singular_values_have_no_line():
    assert all(map(math.isnan, zipf_fit([3, 0])))
    assert all(map(math.isnan, captured_significance([0, 0]).values()))
    assert all(map(math.isnan, captured_significance([]).values()))


def test_relative_significances_add_up_exactly():
    result = relative_significance([1] * 49)
    assert result.cumulative[-1] == 1.0
    assert relative_significance([]).relative == []
