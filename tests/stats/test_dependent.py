"""Tests of two metrics: exact enumeration as the oracle, and what must always hold."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.stats import dependent, resampling
from summetry.stats.dependent import bootstrap_test, permutation_test, standardised
from summetry.stats.levels import correlate
from summetry.stats.significance import student_p
from summetry.stats.williams import williams, williams_test

LEVELS = ("system", "input", "global", "per_system")
COEFFICIENTS = ("pearson", "spearman", "tau_a", "tau_b")
SWAPS = ("systems", "inputs", "both")


def made(systems=3, inputs=3, missing=(), seed=0):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(systems, inputs))
    x, y = (np.round(z + s * rng.normal(size=z.shape), 1) for s in (0.5, 1.5))
    z = np.round(2 * z) / 2
    for cell in missing:
        y[cell] = np.nan
    return x, y, z


def enumerated(x, y, z, level, name, swap, alternative):
    """All ways, one after the other, with the tables written out."""
    gone = np.isnan(x) | np.isnan(y) | np.isnan(z)
    x, y, z = (np.where(gone, np.nan, t) for t in (x, y, z))
    a, b = ((t - np.nanmean(t)) / np.nanstd(t) for t in (x, y))

    def delta(first, second):
        return correlate(first, z, level, name).value - correlate(second, z, level, name).value

    real = delta(x, y)
    m, n = x.shape
    if swap == "both":
        places = [[(i, j)] for i in range(m) for j in range(n) if not gone[i, j]]
    elif swap == "systems":
        places = [[(i, j) for j in range(n)] for i in range(m) if not gone[i].all()]
    else:
        places = [[(i, j) for i in range(m)] for j in range(n) if not gone[:, j].all()]
    hits = ways = 0
    for way in product([False, True], repeat=len(places)):
        mask = np.zeros(x.shape, bool)
        for moved, cells in zip(way, places, strict=True):
            for cell in cells:
                mask[cell] = moved
        found = delta(np.where(mask, b, a), np.where(mask, a, b))
        if math.isnan(found):
            continue
        ways += 1
        hits += {
            "two_sided": abs(found) >= abs(real) - 1e-9,
            "greater": found >= real - 1e-9,
            "less": found <= real + 1e-9,
        }[alternative]
    return hits / ways, ways


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("swap", SWAPS)
def test_small_tests_count_all_ways(level, name, swap):
    x, y, z = made()
    for alternative in ("two_sided", "greater", "less"):
        found = permutation_test(x, y, z, level, name, swap, alternative=alternative)
        p, ways = enumerated(x, y, z, level, name, swap, alternative)
        assert found.exact and (found.p, found.draws) == (p, ways)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("swap", SWAPS)
def test_missing_cells_do_not_change_places(level, swap):
    tables = made(missing=[(0, 1), (2, 2)], seed=1)
    found = permutation_test(*tables, level, "pearson", swap)
    p, ways = enumerated(*tables, level, "pearson", swap, "two_sided")
    assert (found.p, found.draws) == (p, ways)


@pytest.mark.parametrize("level", LEVELS)
def test_many_draws_come_near_to_all_ways(level):
    x, y, z = made(seed=2)
    drawn = permutation_test(x, y, z, level, "pearson", draws=400)
    counted = permutation_test(x, y, z, level, "pearson", draws=512)
    assert counted.exact and not drawn.exact
    # Four deviations of a share of 400 draws.
    assert drawn.p == pytest.approx(counted.p, abs=0.1)


@settings(max_examples=30)
@given(st.integers(2, 5), st.integers(1, 5), st.integers(0, 999), st.sampled_from(LEVELS))
def test_a_metric_is_not_different_from_itself(systems, inputs, seed, level):
    """Nor from itself on another scale."""
    x, _, z = made(systems, inputs, seed=seed)
    for other in (x, 3 * x + 1):
        for alternative in ("two_sided", "greater", "less"):
            found = permutation_test(x, other, z, level, "tau_b", draws=30, alternative=alternative)
            if not found.reason and alternative == "two_sided":
                assert found.p == 1
        found = bootstrap_test(x, other, z, level, "pearson", draws=30)
        assert found.reason or found.p == 1
        found = williams_test(x, other, z, level, "pearson")
        assert found.reason or found.p == 1


@settings(max_examples=20)
@given(st.integers(0, 999), st.sampled_from(LEVELS), st.sampled_from(COEFFICIENTS))
def test_p_turns_with_the_metrics_and_is_never_0(seed, level, name):
    x, y, z = made(4, 4, seed=seed)
    for test in (permutation_test, bootstrap_test):
        one = test(x, y, z, level, name, draws=20, alternative="greater", seed=seed)
        other = test(y, x, z, level, name, draws=20, alternative="less", seed=seed)
        assert one.p == pytest.approx(other.p, nan_ok=True)
        assert one.reason or 1 / 21 <= one.p <= 1


def test_a_clearly_better_metric_is_found_better():
    rng = np.random.default_rng(0)
    z = rng.normal(size=(10, 20))
    x, y = z + 0.1 * rng.normal(size=z.shape), rng.normal(size=z.shape)
    for level in ("input", "global"):
        for test in (permutation_test, bootstrap_test):
            found = test(x, y, z, level, "tau_b", "both", draws=500, alternative="greater")
            assert found.p < 0.01 and found.value > 0
            other = test(x, y, z, level, "tau_b", "both", draws=500, alternative="less")
            assert other.p > 0.9
    assert bootstrap_test(x, y, z, "input", "pearson", draws=500).low > 0


def test_the_same_seed_gives_the_same_p_in_steps_of_any_size(monkeypatch):
    x, y, z = made(6, 6)
    tests = (permutation_test, bootstrap_test)
    at_once = [test(x, y, z, "input", "tau_b", draws=100, seed=3) for test in tests]
    for name in ("STEP", "LARGE_STEP"):
        monkeypatch.setattr(resampling, name, 1)
    monkeypatch.setattr(dependent, "WEIGHTS", 1)
    assert resampling.at_once(6) == 16
    assert [test(x, y, z, "input", "tau_b", draws=100, seed=3) for test in tests] == at_once


def test_the_paired_bootstrap_by_hand():
    """One input; drawn inputs are that one again, so delta* = delta: never as far as 2 delta."""
    x, y, z = [[1.0], [2.0], [3.0]], [[1.0], [3.0], [2.0]], [[1.0], [2.0], [3.0]]
    found = bootstrap_test(x, y, z, "input", "tau_a", "inputs", draws=99)
    assert (found.first, found.value) == (1, pytest.approx(2 / 3))
    assert (found.low, found.high, found.p) == (pytest.approx(2 / 3), pytest.approx(2 / 3), 0.01)


def test_williams_by_hand():
    """r = .9 .8 .7 of 10: K = 1 - .81 - .64 - .49 + 1.008 = .068, mean .85.

    t = .1 sqrt(9 * 1.7 / (2 * .068 * 9 / 7 + .7225 * .027)) = .1 sqrt(15.3 / .1943...) = .8873
    """
    below = 2 * 0.068 * 9 / 7 + 0.85**2 * 0.3**3
    t = 0.1 * math.sqrt(9 * 1.7 / below)
    assert williams(0.9, 0.8, 0.7, 10) == pytest.approx(student_p(t, 7), rel=1e-9)
    assert williams(0.9, 0.8, 0.7, 10, "greater") == pytest.approx(student_p(t, 7) / 2, rel=1e-9)
    assert williams(0.9, 0.8, 0.7, 10, "less") == pytest.approx(1 - student_p(t, 7) / 2)


def test_student_s_p_is_that_of_scipy():
    from scipy import stats

    for t, freedom in ((0.3, 1), (-2.5, 7), (40.0, 30)):
        assert student_p(t, freedom) == pytest.approx(2 * stats.t.sf(abs(t), freedom), rel=1e-9)
        assert student_p(t, freedom, "greater") == pytest.approx(stats.t.sf(t, freedom), rel=1e-9)
    assert student_p(1e300, 500) > 0


@pytest.mark.parametrize("r", [(0.9, 0.5, 0.5), (1.0, 0.3, 0.3), (0.5, -0.5, -1.0)])
def test_williams_is_defined_for_extreme_coefficients(r):
    assert 0 < williams(*r, 10) <= 1


def test_what_is_undefined_has_a_reason():
    x, y, z = made()
    flat = np.ones(x.shape)
    found = permutation_test(flat, y, z, "input", "pearson")
    assert math.isnan(found.p) and found.reason.startswith("r(X, Z) is undefined: no input")
    found = bootstrap_test(x, flat, z, "system", "pearson", draws=10)
    assert math.isnan(found.p) and "r(Y, Z) is undefined" in found.reason
    found = williams_test(x, y, z)
    assert math.isnan(found.p) and "4 points or more, got 3" in found.reason
    assert math.isnan(williams(0.9, 0.8, 0.7, 3))
    nothing = np.full(x.shape, np.nan)
    for test in (permutation_test, bootstrap_test, williams_test):
        found = test(x, y, nothing, "input", "tau_b")
        assert math.isnan(found.p) and "fewer than two" in found.reason


def test_two_systems_and_one_topic_have_a_p():
    x, y, z = [[1.0], [2.0]], [[2.0], [1.0]], [[1.0], [2.0]]
    found = permutation_test(x, y, z, "input", "pearson")
    # All 4 ways: each way or its mirror has delta 2, or both metrics are the same and have none.
    assert found.value == 2 and found.exact and found.p == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"draws": 0}, "needs 1 draw or more, got 0"),
        ({"swap": "cells"}, "no way of swapping is named 'cells'"),
        ({"alternative": "better"}, "no alternative is named 'better'"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(SummetryError, match=message):
        permutation_test(*made(), "input", "tau_b", **options)


def test_bad_options_of_the_bootstrap_are_named():
    with pytest.raises(SummetryError, match="no way of drawing is named 'judges'"):
        bootstrap_test(*made(), "input", "tau_b", "judges")
    with pytest.raises(SummetryError, match="got 0"):
        bootstrap_test(*made(), "input", "tau_b", draws=0)


def test_a_constant_table_is_standardised_to_0():
    """The mean of twelve times 0.3 is not quite 0.3, and would be divided by next to nothing."""
    assert np.std(np.full((3, 4), 0.3)) > 0
    assert standardised(np.full((3, 4), 0.3)).tolist() == [[0.0] * 4] * 3
    table = standardised(np.array([[0.3, 0.1 + 0.2, math.nan]]))
    assert table[0, :2].tolist() == [0, 0] and math.isnan(table[0, 2])


def test_a_constant_metric_changes_places_as_what_is_in_the_middle():
    """Standardised, X of one input is -a 0 a and Y is 0 0 0; tau-a of a constant is 0.

    The middle one may be swapped or not. With none or both of the others delta is 1 - 0 or 0 - 1,
    with one of them X' and Y' have a tie each, 2/3 - 2/3: of 8 ways 4 are as far from 0.
    """
    x, y, z = [[1.0], [2.0], [3.0]], [[0.3]] * 3, [[1], [2], [3]]
    found = permutation_test(x, y, z, "input", "tau_a", "systems")
    assert (found.value, found.exact, found.p) == (1, True, 4 / 8)
