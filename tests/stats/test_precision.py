"""Average precision and its ties. The golden cases are in test_golden_papers.py."""

import math
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.stats.precision import (
    RULES,
    average_precision,
    expected_ap_random,
    macro_average_precision,
)

NAN = math.nan
labelled = st.lists(
    st.tuples(st.sampled_from([0, 18, 36, NAN]), st.sampled_from([True, False, None])), max_size=7
)


def precision_of_order(order):
    """The formula of the paper: precision times the change of recall, rank by rank, exactly."""
    positives = sum(order)
    if not positives:
        return NAN
    total = hits = Fraction(0)
    for rank, is_positive in enumerate(order, 1):
        hits += is_positive
        total += hits / rank * Fraction(is_positive, positives)
    return total


def orders(scores, labels):
    """The labels in every order that the scores allow, best first."""
    for order in permutations(labelled_pairs(scores, labels)):
        if all(a[0] >= b[0] for a, b in pairwise(order)):
            yield [label for _, label in order]


def labelled_pairs(scores, labels):
    pairs = zip(scores, labels, strict=True)
    return [(-math.inf if math.isnan(s) else s, label) for s, label in pairs if label is not None]


def block_oracle(scores, labels):
    """The mean precision of all with at least the score of each positive one."""
    pairs = labelled_pairs(scores, labels)
    precision = []
    for score in (score for score, label in pairs if label):
        above = [label for other, label in pairs if other >= score]
        precision.append(sum(above) / len(above))
    return sum(precision) / len(precision)


@given(labelled)
@settings(max_examples=80)
def test_ties_agree_with_going_through_all_orders(pairs):
    scores, labels = [s for s, _ in pairs], [label for _, label in pairs]
    precision = {ties: average_precision(scores, labels, ties) for ties in RULES}
    all_orders = [precision_of_order(order) for order in orders(scores, labels)]
    if not any(labels):
        assert all(map(math.isnan, precision.values()))
        return
    assert precision["expected"] == pytest.approx(
        float(sum(all_orders) / len(all_orders)), abs=1e-12
    )
    assert precision["optimistic"] == pytest.approx(float(max(all_orders)), abs=1e-12)
    assert precision["pessimistic"] == pytest.approx(float(min(all_orders)), abs=1e-12)
    low, high = precision["pessimistic"] - 1e-12, precision["optimistic"] + 1e-12
    assert low <= precision["stable"] <= high and low <= precision["expected"] <= high
    assert precision["block"] == pytest.approx(block_oracle(scores, labels), abs=1e-12)


@given(st.integers(1, 7), st.data())
@settings(max_examples=40)
def test_chance_agrees_with_going_through_all_orders(number, data):
    positive = data.draw(st.integers(1, number))
    labels = [True] * positive + [False] * (number - positive)
    all_orders = [precision_of_order(order) for order in permutations(labels)]
    expected = float(sum(all_orders) / len(all_orders))
    assert expected_ap_random(number, positive) == pytest.approx(expected, abs=1e-12)
    # A ranking that says nothing is a random order.
    tied = average_precision([1] * number, labels, "expected")
    assert tied == pytest.approx(expected, abs=1e-12)


def test_a_hand_worked_example():
    """Precision is 1/1 at the first positive one and 2/4 at the second."""
    precision = average_precision([9, 7, 5, 3, 1], [True, False, None, False, True])
    assert precision == (1 + 2 / 4) / 2


def test_undefined_scores_stand_last_and_are_tied():
    scores, labels = [NAN, 1, NAN], [True, False, False]
    assert average_precision(scores, labels) == 1 / 2
    assert average_precision(scores, labels, "expected") == pytest.approx((1 / 2 + 1 / 3) / 2)


@pytest.mark.parametrize(("scores", "labels"), [([], []), ([1], [False]), ([1, 2], [None, None])])
def test_without_a_positive_one_it_is_undefined(scores, labels):
    assert all(math.isnan(average_precision(scores, labels, ties)) for ties in RULES)


def test_undefined_sets_are_left_out_of_the_mean():
    precision = macro_average_precision([([2, 1], [True, False]), ([1], [False])])
    assert precision.macro == 1 and precision.sets_used == 1 and math.isnan(precision.per_set[1])
    assert math.isnan(macro_average_precision([]).macro)


def test_mistakes_are_named():
    with pytest.raises(SummetryError, match="a label for each score, got 2 scores and 1 labels"):
        average_precision([1, 2], [True])
    with pytest.raises(SummetryError, match=r"got 'stabel'. Did you mean 'stable'?"):
        average_precision([1], [True], "stabel")
    with pytest.raises(SummetryError, match="expected 0 to 3 positive ones, got 4"):
        expected_ap_random(3, 4)
    assert math.isnan(expected_ap_random(3, 0))
