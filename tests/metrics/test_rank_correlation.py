"""Rank correlation: by hand, the plain coefficients as oracles, properties, edge cases."""

import math

import pytest
from comparisons import one
from hypothesis import given
from hypothesis import strategies as st

from summetry.metrics.rank_correlation import places_by, places_in, rank_correlation
from summetry.records.batches import Comparison, Material, Side
from summetry.records.judgments import Utilities
from summetry.stats.correlation import kendall_tau_b, spearman


@st.composite
def rankings(draw, least=0):
    """The number of units, and two lists of some of them."""
    n = draw(st.integers(max(least, 1), 8))
    lists = st.lists(st.integers(0, n - 1), unique=True, min_size=least)
    return n, draw(lists), draw(lists)


def scores(ranking, n):
    """What stands for the places of a ranking in a plain correlation: the last for all others."""
    return [ranking.index(unit) if unit in ranking else n for unit in range(n)]


@given(rankings())
def test_agrees_with_the_plain_coefficients_over_all_units(drawn):
    n, mine, theirs = drawn
    result = rank_correlation(mine, places_in(theirs, n))
    if mine:
        x, y = scores(mine, n), scores(theirs, n)
        assert result.spearman == pytest.approx(spearman(x, y), nan_ok=True)
        assert result.kendall == pytest.approx(kendall_tau_b(x, y), nan_ok=True)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=8), st.data())
def test_agrees_with_the_plain_coefficients_where_the_reference_has_ties(values, data):
    mine = data.draw(st.lists(st.integers(0, len(values) - 1), unique=True, min_size=1))
    result = rank_correlation(mine, places_by(values))
    x, y = scores(mine, len(values)), [-value for value in values]
    assert result.spearman == pytest.approx(spearman(x, y), nan_ok=True)
    assert result.kendall == pytest.approx(kendall_tau_b(x, y), nan_ok=True)


@given(st.permutations(range(6)), st.integers(1, 6))
def test_a_ranking_agrees_with_itself_exactly(order, length):
    assert rank_correlation(order[:length], places_in(order[:length], 6)) == (1.0, 1.0)


@given(st.permutations(range(6)))
def test_a_whole_ranking_backwards_is_the_worst(order):
    assert rank_correlation(order, places_in(order[::-1], 6)) == (-1.0, -1.0)


@given(rankings(least=1))
def test_which_of_two_rankings_is_the_reference_does_not_matter(drawn):
    n, mine, theirs = drawn
    ab, ba = rank_correlation(mine, places_in(theirs, n)), rank_correlation(
        theirs, places_in(mine, n)
    )  # fmt: skip
    assert repr(ab) == repr(ba)


def test_worked_by_hand():
    # Ranks 1 2 3 and 1 3 2: Spearman 1 - 6 * 2 / (3 * 8); of three pairs two agree.
    result = rank_correlation([0, 1, 2], places_in([0, 2, 1], 3))
    assert result == (0.5, pytest.approx(1 / 3))
    # Of four units the system names 3, the judge gives 2 0 0 2: ranks 3 3 3 1 and 1.5 3.5 3.5 1.5.
    # Less the mean rank, doubled: 1 1 1 -3 and -2 2 2 -2. Sum of products 8, of squares 12 and 16.
    # Pairs apart: 3 and 4; unit 3 agrees with 1 and 2, and with 0 it is tied.
    result = rank_correlation([3], places_by([2, 0, 0, 2]))
    assert result.spearman == pytest.approx(8 / math.sqrt(12 * 16))
    assert result.kendall == pytest.approx(2 / math.sqrt(12))


def test_nothing_ranked_is_the_worst_and_no_order_in_the_reference_leaves_no_value():
    assert rank_correlation([], places_in([1, 0], 3)) == (-1.0, -1.0)
    for reference in (places_in([], 3), places_in([0], 1), places_by([4, 4]), places_by([])):
        assert all(map(math.isnan, rank_correlation([0], reference)))
        assert all(map(math.isnan, rank_correlation([], reference)))


def test_a_unit_named_twice_has_its_first_place():
    assert places_in([1, 0, 1], 3) == places_in([1, 0], 3)
    reference = places_in([0, 1, 2], 3)
    assert rank_correlation([1, 0, 1], reference) == rank_correlation([1, 0], reference)


def test_large_topics_are_exact():
    order = list(range(3000))
    assert rank_correlation(order, places_in(order, 3000)) == (1.0, 1.0)
    assert rank_correlation(order, places_in(order[::-1], 3000)) == (-1.0, -1.0)


def compare(units, models=(), utilities=()):
    judged = tuple(Utilities("t", f"j{i}", values) for i, values in enumerate(utilities))
    material = Material("t", units=("A.", "B.", "C."), utilities=judged)
    sides = tuple(Side(f"m{i}", "", ranking) for i, ranking in enumerate(models))
    return Comparison(material, Side("candidate", "", units), sides)


def test_several_models_are_averaged_or_the_nearest_is_taken():
    comparison = compare((0, 1, 2), models=((0, 1, 2), (2, 1, 0), None))
    assert one("rank_correlation(against=references)", comparison) == {
        "spearman": 0.0,
        "kendall": 0.0,
    }
    assert one("rank_correlation(against=references,references=best)", comparison)["kendall"] == 1.0


def test_each_judge_gives_a_ranking_and_one_without_an_order_is_left_out():
    comparison = compare((2, 1, 0), utilities=((1, 2, 3), (5, 5, 5)))
    assert one("rank_correlation", comparison)["spearman"] == 1.0


def test_the_order_of_units_matters_and_their_number_too():
    right, wrong = compare((0, 1), models=((0, 1, 2),)), compare((1, 0), models=((0, 1, 2),))
    assert one("rank_correlation(against=references)", right)["spearman"] == 1.0
    assert one("rank_correlation(against=references)", wrong)["spearman"] == 0.5
    # The first unit alone: the other two share the second place.
    first = one("rank_correlation(against=references)", compare((0,), models=((0, 1, 2),)))
    assert first["kendall"] == pytest.approx(2 / math.sqrt(2 * 3))
