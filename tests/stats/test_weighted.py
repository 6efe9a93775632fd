"""Coefficients of many resamples: against the plain ones on lists with the points written out."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.errors import UnknownNameError
from summetry.stats import concordance, weighted
from summetry.stats.concordance import codes
from summetry.stats.correlation import kendall_tau_a, kendall_tau_b, pearson, spearman
from summetry.stats.weighted import FIXED, MOVING

PLAIN = {"pearson": pearson, "spearman": spearman, "tau_a": kendall_tau_a, "tau_b": kendall_tau_b}
# Sums of up to some hundred products of numbers up to 1.
NEAR = {"abs": 1e-11, "nan_ok": True}


@st.composite
def samples(draw, most=7):
    """Two lists of tenths, and weights of three resamples."""
    size = draw(st.integers(0, most))
    tenths = st.lists(st.integers(-4, 4).map(lambda i: i / 10), min_size=size, max_size=size)
    counts = st.lists(st.integers(0, 3), min_size=3, max_size=3)
    weights = draw(st.lists(counts, min_size=size, max_size=size))
    table = np.array(weights, dtype=np.float64).reshape(size, 3)
    return np.array(draw(tenths)), np.array(draw(tenths)), table


def written_out(x, z, weights, name):
    times = weights.astype(int)
    return PLAIN[name](np.repeat(x, times).tolist(), np.repeat(z, times).tolist())


@pytest.mark.parametrize("name", PLAIN)
@settings(max_examples=60)
@given(sample=samples())
def test_a_weight_is_so_many_copies_of_a_point(name, sample):
    x, z, weights = sample
    expected = [written_out(x, z, column, name) for column in weights.T]
    assert FIXED[name](x, z, weights).tolist() == pytest.approx(expected, **NEAR)
    wide = [np.repeat(numbers[:, None], 3, axis=1) for numbers in (x, z)]
    assert MOVING[name](*wide, weights).tolist() == pytest.approx(expected, **NEAR)


@pytest.mark.parametrize("name", PLAIN)
@settings(max_examples=40)
@given(sample=samples(), other=samples())
def test_points_may_be_others_in_each_resample(name, sample, other):
    size = min(len(sample[0]), len(other[0]))
    x, z = (np.stack([sample[i][:size], other[i][:size]], axis=1) for i in (0, 1))
    weights = np.stack([sample[2][:size, 0], other[2][:size, 0]], axis=1)
    expected = [written_out(x[:, j], z[:, j], weights[:, j], name) for j in (0, 1)]
    assert MOVING[name](x, z, weights).tolist() == pytest.approx(expected, **NEAR)


@pytest.mark.parametrize("rows", [1, 7, 39])
def test_some_rows_of_the_table_at_a_time_count_the_same(rows, monkeypatch):
    """Many points, of which tied pairs are counted group by group."""
    rng = np.random.default_rng(7)
    x, z = rng.integers(0, 9, (2, 40)) / 10
    weights = rng.integers(0, 4, (40, 20)).astype(np.float64)
    for a, b in ((x, z), (np.arange(40.0), z), (x, np.ones(40))):
        whole = concordance.pairs_fixed(a, b, weights)
        monkeypatch.setattr(concordance, "ROWS", rows)
        parts = concordance.pairs_fixed(a, b, weights)
        monkeypatch.undo()
        assert [part.tolist() for part in parts] == [part.tolist() for part in whole]


def test_points_that_differ_by_noise_only_have_no_pearson():
    """0.1 + 0.2 is not quite 0.3; a mean of marks that are all the same may have such noise."""
    noisy, z = np.array([0.1 + 0.2, 0.3, 0.3]), np.array([1.0, 2.0, 4.0])
    for weights in (np.ones((3, 1)), np.array([[2.0], [1.0], [0.0]])):
        assert math.isnan(FIXED["pearson"](noisy, z, weights)[0])
        assert math.isnan(FIXED["pearson"](z, noisy, weights)[0])


@pytest.mark.parametrize("name", ["spearman", "tau_a", "tau_b"])
def test_many_points_are_sorted_and_give_the_same(name, monkeypatch):
    rng = np.random.default_rng(3)
    x, z = rng.integers(0, 20, (2, 60)) / 10
    weights = rng.integers(0, 3, (60, 5)).astype(np.float64)
    small = FIXED[name](x, z, weights)
    wide = [np.repeat(numbers[:, None], 5, axis=1) for numbers in (x, z)]
    monkeypatch.setattr(concordance, "ROWS", 10)
    monkeypatch.setattr(weighted, "MANY_MOVING", 10)
    assert FIXED[name](x, z, weights).tolist() == small.tolist()
    assert MOVING[name](*wide, weights).tolist() == small.tolist()


def test_every_resample_of_three_points_by_hand():
    """x = 1 2 3, z = 1 3 2: of all 27 resamples, those with two different points have tau-b."""
    x, z = np.array([1.0, 2, 3]), np.array([1.0, 3, 2])
    for draw in product(range(3), repeat=3):
        weights = np.bincount(draw, minlength=3)[:, None].astype(np.float64)
        value = FIXED["tau_b"](x, z, weights)[0]
        if len(set(draw)) == 1:
            assert math.isnan(value)
        elif len(set(draw)) == 3:
            assert value == pytest.approx(1 / 3)
        else:
            # Two pairs of the same two points: all of them ordered alike, or oppositely.
            assert value == (-1 if set(draw) == {1, 2} else 1)


def test_drawn_points_that_lie_near_each_other_keep_their_digits():
    """Two points a millionth apart beside one far away: sums of squares alone would lose them."""
    x = np.array([0.0, 1e-6, 2e-6, 1e3])
    z = np.array([0.0, 1.0, 3.0, 5.0])
    weights = np.array([[1.0], [1.0], [1.0], [0.0]])
    expected = pearson([0, 1e-6, 2e-6], [0, 1, 3])
    assert FIXED["pearson"](x, z, weights)[0] == pytest.approx(expected, rel=1e-9)


def test_what_a_point_of_weight_0_holds_does_not_matter():
    x = np.array([[1.0], [2.0], [math.nan]])
    z = np.array([[1.0], [2.0], [math.nan]])
    weights = np.array([[1.0], [1.0], [0.0]])
    for name in MOVING:
        assert MOVING[name](x, z, weights).tolist() == [1.0]


def test_numbers_are_the_same_within_the_noise_of_the_largest():
    assert codes(np.array([0.1 + 0.2, 0.3, 1.0])).tolist() == [0, 0, 1]
    assert codes(np.array([1e-15, 2e-15, 1.0])).tolist() == [0, 0, 1]
    assert codes(np.zeros(0)).tolist() == []


def test_an_unknown_coefficient_is_named():
    with pytest.raises(UnknownNameError, match=r"no coefficient is named 'taub'.*'tau_b'"):
        weighted.check_coefficient("taub")
