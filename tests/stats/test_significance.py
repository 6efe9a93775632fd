"""One rule for alpha: what it says where p meets it, and how many draws can get so far."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.stats.discrimination import discrimination
from summetry.stats.multiple import (
    benjamini_hochberg,
    holm,
    partial_conjunction,
    significance_clusters,
)
from summetry.stats.significance import draws_needed, is_significant


def test_alpha_itself_is_significant_and_what_is_undefined_is_not():
    p = [0.049, 0.05, 0.0501, float("nan"), 1.0]
    assert is_significant(p, 0.05).tolist() == [True, True, False, False, False]
    assert bool(is_significant(0.05, 0.05)) and not bool(is_significant(float("nan"), 0.05))


def test_the_rounding_of_a_correction_decides_nothing():
    """25 tests, the 17 best with p = 17/500: by Benjamini and Hochberg 17/500 * 25/17 = 1/20."""
    corrected = benjamini_hochberg([17 / 500] * 17 + [1.0] * 8)
    assert corrected[0] > 0.05
    assert is_significant(corrected, 0.05).tolist() == [True] * 17 + [False] * 8


@given(st.integers(1, 300), st.sampled_from(["0.05", "0.01", "0.1", "0.001", "0.2"]))
def test_so_many_draws_are_enough_and_one_fewer_is_not(tests, alpha):
    needed = draws_needed(tests, float(alpha))
    assert Fraction(tests, needed + 1) <= Fraction(alpha)
    assert needed == 1 or Fraction(tests, needed) > Fraction(alpha)


def test_where_p_meets_alpha_all_say_the_same():
    """p = 2/32, as of five topics on all of which one system is better, and alpha = 1/16."""
    p, alpha = 2 / 32, 1 / 16
    table, apart = np.array([[1, p], [p, 1]]), np.array([[0, 1], [-1, 0]])
    assert discrimination(table, apart, table, apart, alpha).both == 1
    assert significance_clusters([2, 1], table, alpha) == [1, 2]
    assert partial_conjunction([p], alpha).data_sets == 1
    assert is_significant(holm([p]), alpha).all()


@pytest.mark.parametrize("alpha", [0.0625, 0.0624])
def test_compare_and_discriminate_decide_alike(alpha):
    from summetry.metaeval.discrimination import DiscriminateSettings, verdicts
    from summetry.metaeval.rankings import CompareSettings, PairTest

    scores = np.array([[2.0, 3, 4, 5, 7], [1.0, 1, 1, 1, 1]])
    result = verdicts(scores, DiscriminateSettings("permutation", alpha))
    assert result.p[0, 1] == 2 / 32
    counted = discrimination(result.p, result.differences, result.p, result.differences, alpha)
    pair = PairTest("a", "b", 5, 3.2, 1.0, 5.0, 2 / 32, 2 / 32, 1.0, 1.0)
    assert CompareSettings(alpha=alpha).differ(pair) == bool(counted.both) == (alpha == 0.0625)
