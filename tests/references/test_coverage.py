"""The coverage of a reference."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.references.coverage import mean_coverage

PERCENTS = st.lists(st.sampled_from([0, 20, 40, 60, 80, 100]), min_size=1, max_size=30)


@given(PERCENTS)
def test_coverage_is_a_share_between_the_least_and_the_best_covered_unit(percents):
    # A mean of floats can miss the ends by a rounding.
    assert min(percents) / 100 - 1e-12 <= mean_coverage(percents) <= max(percents) / 100 + 1e-12


def test_every_unit_counts_alike():
    assert mean_coverage([100, 0, 20]) == pytest.approx(0.4, abs=1e-15)


def test_a_reference_without_units_has_no_coverage():
    assert math.isnan(mean_coverage([]))
