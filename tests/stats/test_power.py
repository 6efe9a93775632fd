"""Power of the paired t-test: against scipy's noncentral t, published sizes, and simulation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.stats.power import corpus_power, detection_power, smallest_difference, topics_needed

NAN = math.nan


@given(st.floats(0, 3), st.floats(0.1, 2), st.integers(2, 200), st.sampled_from([0.05, 0.001]))
def test_power_is_that_of_the_noncentral_t(difference, deviation, topics, alpha):
    from scipy import stats

    shift = math.sqrt(topics) * difference / deviation
    if shift > 37:
        # There the series of scipy end.
        assert detection_power(difference, deviation, topics, alpha) > 0.999 or topics < 5
        return
    critical = stats.t.isf(alpha / 2, topics - 1)
    # Of a tail that is far too small to matter scipy may say NaN.
    far = np.nan_to_num(stats.nct.cdf(-critical, topics - 1, shift))
    tails = stats.nct.sf(critical, topics - 1, shift) + far
    power = detection_power(difference, deviation, topics, alpha)
    # With two topics the critical value is some hundreds, and the sum coarser than elsewhere.
    assert power == pytest.approx(tails, abs=1e-8 if topics > 2 else 1e-6)


# Cohen's d, and the pairs that a two-sided paired t-test at 0.05 needs for this power.
@pytest.mark.parametrize(
    ("d", "power", "topics"), [(0.2, 0.8, 199), (0.5, 0.8, 34), (0.8, 0.8, 15), (0.5, 0.95, 54)]
)
def test_published_sample_sizes(d, power, topics):
    assert topics_needed(d, 1.0, power) == topics_needed(-3 * d, 3.0, power) == topics


@given(st.floats(0.05, 2), st.floats(0.1, 2), st.sampled_from([0.5, 0.8, 0.99]))
def test_so_many_topics_are_enough_and_one_less_is_not(difference, deviation, power):
    needed = topics_needed(difference, deviation, power)
    assert detection_power(difference, deviation, needed) >= power
    assert needed == 2 or detection_power(difference, deviation, needed - 1) < power
    smallest = smallest_difference(needed, deviation, power)
    assert smallest <= difference * (1 + 1e-9)
    assert detection_power(smallest, deviation, needed) == pytest.approx(power, abs=1e-6)


def test_a_difference_of_0_is_found_as_often_as_alpha():
    assert detection_power(0.0, 1.0, 20, 0.05) == pytest.approx(0.05)
    assert detection_power(0.0, 0.0, 20, 0.05) == 0.05
    assert detection_power(0.1, 0.0, 20) == detection_power(1e6, 1.0, 20) == 1


@pytest.mark.parametrize("samples", [500, pytest.param(20_000, marks=pytest.mark.slow)])
def test_power_is_how_often_the_test_sees_it(samples):
    from scipy import stats

    sample = np.random.default_rng(0).normal(0.5, 1.0, (samples, 34))
    seen = (stats.ttest_1samp(sample, 0, axis=1).pvalue < 0.05).mean()
    # Four deviations of a share of so many.
    assert detection_power(0.5, 1.0, 34) == pytest.approx(seen, abs=1.6 / math.sqrt(samples))


def test_a_corpus_says_what_its_topics_can_show():
    """Differences of a and b: 0 2 (deviation sqrt 2); a and c: 1 1 (0); b and c: 1 -1 (sqrt 2)."""
    power = corpus_power([[0, 0], [0, -2], [-1, -1]])
    assert (power.topics, power.pairs, power.left_out) == (2, 3, 0)
    assert power.deviation == power.widest == pytest.approx(math.sqrt(2))
    assert power.smallest == power.smallest_of_widest
    assert power.smallest == pytest.approx(smallest_difference(2, math.sqrt(2)))


def test_a_corpus_with_missing_cells_or_without_topics():
    power = corpus_power([[1, 2, NAN], [2, 1, 4], [NAN, NAN, 1]])
    assert (power.topics, power.pairs, power.left_out) == (2, 1, 2)
    power = corpus_power([[1.0], [2.0]])
    assert math.isnan(power.smallest) and "two topics in common" in power.reason
    assert math.isnan(smallest_difference(1, 1.0)) and math.isnan(detection_power(1, 1, 1))


def test_systems_that_are_always_as_far_apart_show_any_difference():
    """1.1 - 1 and 0.3 - 0.2 are a tenth, but for the noise of subtraction."""
    table = [[0.3, 1.1, 0.5], [0.2, 1.0, 0.4]]
    assert np.std(np.subtract(*table)) > 0
    power = corpus_power(table)
    assert (power.deviation, power.smallest) == (0, 0)
    assert corpus_power([[1, 2], [1, 2]]).smallest == 0
