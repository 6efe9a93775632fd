"""Average precision with its ties, and shares of choices: against all orders, and by hand.

The golden cases of average precision are in test_golden_papers.py.
"""

import math
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.stats.choices import Choice, shares_won
from summetry.stats.precision import RULES, average_precision, expected_ap_random
from summetry.stats.precision import macro_average_precision as macro

NAN = math.nan
scores, labels = st.sampled_from([0, 18, 36, NAN]), st.sampled_from([True, False, None])
labelled = st.lists(st.tuples(scores, labels), max_size=7)


def precision_of_order(order):
    """The formula of the paper: precision times the change of recall, rank by rank, exactly."""
    positives, total, hits = sum(order), Fraction(0), Fraction(0)
    for rank, is_positive in enumerate(order, 1):
        hits += is_positive
        total += hits / rank * Fraction(is_positive, positives)
    return total


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
def test_ties_agree_with_going_through_all_orders(pairs):
    scores, labels = [s for s, _ in pairs], [label for _, label in pairs]
    precision = {ties: average_precision(scores, labels, ties) for ties in RULES}
    if not any(labels):
        assert all(map(math.isnan, precision.values()))
        return
    # The labels in every order that the scores allow, best first.
    orders = permutations(labelled_pairs(scores, labels))
    orders = [order for order in orders if all(a[0] >= b[0] for a, b in pairwise(order))]
    orders = [precision_of_order([label for _, label in order]) for order in orders]
    expected = {
        "expected": float(sum(orders) / len(orders)), "optimistic": float(max(orders)),
        "pessimistic": float(min(orders)), "block": block_oracle(scores, labels),
    }  # fmt: skip
    assert {rule: precision[rule] for rule in expected} == pytest.approx(expected, abs=1e-12)
    low, high = precision["pessimistic"] - 1e-12, precision["optimistic"] + 1e-12
    assert low <= precision["stable"] <= high and low <= precision["expected"] <= high


def test_examples_by_hand_and_nothing_positive():
    # Precision is 1/1 at the first positive one and 2/4 at the second.
    labels = [True, False, None, False, True]
    assert average_precision([9, 7, 5, 3, 1], labels) == (1 + 2 / 4) / 2
    # Without a positive one it is undefined, and left out of the mean.
    for scores, labels in (([], []), ([1], [False]), ([1, 2], [None, None])):
        assert all(math.isnan(average_precision(scores, labels, ties)) for ties in RULES)
    precision = macro([([2, 1], [True, False]), ([1], [False])])
    assert precision.macro == 1 and precision.sets_used == 1 and math.isnan(precision.per_set[1])
    assert math.isnan(macro([]).macro) and math.isnan(expected_ap_random(3, 0))


# --- Shares of choices between two ---------------------------------------------------------------


def test_a_thing_that_won_one_lost_one_and_tied_one_has_half():
    choices = [Choice("x", "y", 1), Choice("x", "z", 0), Choice("w", "x", 0.5)]
    assert shares_won(choices) == {"x": 0.5, "y": 0.0, "z": 1.0, "w": 0.5}
    assert shares_won([]) == {}
