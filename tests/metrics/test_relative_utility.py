"""Relative utility: an oracle over all subsets, properties, and what is refused."""

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry import spec
from summetry.errors import SummetryError
from summetry.metrics import METRICS
from summetry.metrics.relative_utility import relative_utility

judges = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 9), min_size=n, max_size=n), min_size=1, max_size=3)
)


@given(judges, st.data())
def test_the_denominator_is_the_best_of_all_subsets(utilities, data):
    count = len(utilities[0])
    system = data.draw(st.lists(st.integers(0, count - 1), unique=True))
    worth = [sum(values) for values in zip(*utilities, strict=True)]
    best = max(sum(chosen) for chosen in combinations(worth, len(system)))
    result = relative_utility(utilities, system)
    assert result.denominator == best
    if system and best:
        assert result.value == sum(worth[unit] for unit in system) / best
        assert 0 <= result.value <= 1


@given(judges)
def test_extracting_everything_is_perfect_unless_nothing_is_worth_anything(utilities):
    value = relative_utility(utilities, range(len(utilities[0]))).value
    assert value == 1 if any(map(any, utilities)) else math.isnan(value)


def test_the_papers_example():
    utilities = [[5, 4, 4, 1, 2]]
    assert relative_utility(utilities, [0, 1]).value == 1
    assert relative_utility(utilities, [0, 2]).value == 1
    assert relative_utility(utilities, [3, 4]).value == pytest.approx(3 / 9)


def test_the_best_units_have_exactly_1_in_whatever_order():
    assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1
    assert relative_utility([[0.1, 0.2, 0.3]], [0, 1, 2]).value == 1


def test_without_judges_it_is_undefined():
    assert math.isnan(relative_utility([], [0, 3]).value)


def test_negative_utilities_are_refused():
    with pytest.raises(SummetryError, match="utilities must be 0 or more, got -2"):
        relative_utility([[1, -2]], [0])


def test_judges_who_valued_different_numbers_of_units_are_refused():
    with pytest.raises(SummetryError, match="every judge must value every unit, got 2, 1 values"):
        relative_utility([[1, 2], [1]], [0])


def test_a_length_is_a_number_of_sentences():
    with pytest.raises(SummetryError, match="a length must be above 0, got 0 units"):
        METRICS.build("relative_utility(length=0)")
    with pytest.raises(SummetryError, match="relative_utility: length must be in sentences, got 9"):
        METRICS.build('relative_utility(length="9 words")')
    same = METRICS.build('relative_utility(length="3 sentences")')
    assert same == METRICS.build("relative_utility(length=3)") and same.e == 3
    assert spec.show(same) == "relative_utility(length=3)"
