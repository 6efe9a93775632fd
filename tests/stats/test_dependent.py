"""Tests of two metrics and of all pairs of many: exact enumeration, plain loops, what must hold."""

import math
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from summetry.errors import SummetryError
from summetry.stats import dependent, permuted, resampling
from summetry.stats.dependent import MetricTests, bootstrap_test, permutation_test, williams
from summetry.stats.levels import (
    column_means,
    correlate,
    group_coefficients,
    lists_at,
    same_cells,
)
from summetry.stats.significance import student_p

LEVELS = ("system", "summary", "global", "per_system")
every_level = pytest.mark.parametrize("level", LEVELS)
COEFFICIENTS = ("pearson", "spearman", "tau_a", "tau_b")
ALTERNATIVES = ("greater", "less", "two_sided")
# Two ways of adding up the same few numbers of size 1.
NEAR = {"rel": 1e-9, "abs": 1e-9}


def three_tables(systems=3, topics=3, missing=(), seed=0):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(systems, topics))
    x, y = (np.round(z + s * rng.normal(size=z.shape), 1) for s in (0.5, 1.5))
    z = np.round(2 * z) / 2
    for cell in missing:
        y[cell] = np.nan
    return x, y, z


def several_metrics(seed, systems, topics, digits=1, missing=0.0):
    """Three metrics and people; the first two have ties and a topic of equal scores."""
    rng = np.random.default_rng(seed)
    people = np.round(1.5 * rng.normal(size=(systems, topics)))
    metrics = [np.round(people + 2 * rng.normal(size=people.shape), digits) for _ in range(3)]
    metrics[0][:, 0], metrics[1][:, 0] = 1.0, -2.0
    people[rng.random(people.shape) < missing] = np.nan
    return metrics, people


def exchanges(z, swap, draws, seed):
    """Permutations x systems x topics, True where a cell changes places; and if these are all."""
    present = ~np.isnan(z)
    axis = {"systems": 1, "topics": 0, "cells": ()}[swap]
    units = present.any(axis=axis, keepdims=True)
    count = int(units.sum())
    exact = (swap != "cells" and count <= 14) or 2**count <= draws
    if exact:
        flips = np.array(list(product([False, True], repeat=count))).reshape(2**count, count)
    else:
        flips = np.random.default_rng(seed).random((draws, count)) < 0.5
    exchanged = np.zeros((len(flips), *units.shape), bool)
    exchanged[:, units] = flips
    return np.broadcast_to(exchanged, (len(flips), *z.shape)), exact


def coefficients(tables, z, level, name):
    """Of each of many tables with z; the lists of one topic, or system, of all tables at once."""
    lists = np.array([lists_at(table, level) for table in tables]).swapaxes(0, 1)
    groups = []
    for each, marks in zip(lists, lists_at(z, level), strict=True):
        present = ~np.isnan(marks)
        columns = each[:, present].T
        same = np.broadcast_to(marks[present, None], columns.shape)
        groups.append(group_coefficients(columns, same, name)[:, 0])
    return column_means(np.array(groups))


def plain_test(x, y, z, level, name, swap, draws, seed):
    """delta, p by alternative, how many permutations have a value, and if these are all.

    Plain: both tables of every permutation are written out.
    """
    x, y, z = same_cells(x, y, z)
    exchanged, exact = exchanges(z, swap, draws, seed)
    delta = correlate(x, z, level, name).value - correlate(y, z, level, name).value
    if np.isnan(delta):
        return delta, dict.fromkeys(ALTERNATIVES, np.nan), 0, exact
    a, b = dependent.standardised(x), dependent.standardised(y)
    first, second = np.where(exchanged, b, a), np.where(exchanged, a, b)
    values = np.subtract(*(coefficients(tables, z, level, name) for tables in (first, second)))
    values, drawn = values[~np.isnan(values)], int(not exact)
    near = 1e-10
    as_extreme = values >= delta - near, values <= delta + near, abs(values) >= abs(delta) - near
    p = [(e.sum() + drawn) / (len(values) + drawn) for e in as_extreme]
    return delta, dict(zip(ALTERNATIVES, p, strict=True)), len(values), exact


def against(tests, first, rest, coefficient):
    """The differences and p of a metric and others."""
    return tests.compare([(first, other, 0) for other in rest], coefficient)[:2]


def all_pairs(tests, coefficient):
    """The differences and p of each metric (rows) against all, itself too."""
    metrics = range(len(tests.tables))
    each = [against(tests, metric, metrics, coefficient) for metric in metrics]
    return tuple(np.array([pair[side] for pair in each]) for side in (0, 1))


def check_against_single_tests(metrics, people, level, swap, draws, seed):
    """With the same seed, tests of many metrics and single ones meet the same permutations."""
    options = {"draws": draws, "seed": seed}
    tests = MetricTests(metrics, people, level, swap, **options)
    for name in COEFFICIENTS:
        differences, two_sided = all_pairs(tests, name)
        for place, (i, k) in enumerate(combinations(range(len(metrics)), 2)):
            pair = (metrics[i], metrics[k], people, level, name, swap)
            delta, p, ways, exact = plain_test(*pair, draws, seed)
            both = two_sided[i, k], two_sided[k, i]
            assert both == pytest.approx((p["two_sided"],) * 2, nan_ok=True)
            deltas = differences[i, k], -differences[k, i]
            assert deltas == pytest.approx((delta, delta), nan_ok=True, **NEAR)
            assert tests.permutations.exact == exact
            # One pair of each coefficient by itself, each time with another alternative.
            if place != COEFFICIENTS.index(name) % 3:
                continue
            alternative = ALTERNATIVES[2 * place % 3]
            single = permutation_test(*pair, **options, alternative=alternative)
            assert single.p == pytest.approx(p[alternative], nan_ok=True)
            assert bool(single.reason) == math.isnan(delta)
            if not single.reason:
                assert (single.draws, single.exact) == (ways, exact)


@every_level
@pytest.mark.parametrize(("swap", "systems", "topics", "digits", "missing", "draws"), [
    ("cells", 2, 3, 0, 0, 64), ("systems", 7, 5, 0, 0, 20), ("topics", 6, 7, 6, 0.25, 20),
    ("cells", 4, 1, 1, 0, 40),
])  # fmt: skip
def test_all_pairs_are_single_tests(level, swap, systems, topics, digits, missing, draws):
    """Two systems on three topics have 64 ways of exchanging cells, all of which are tried."""
    metrics, people = several_metrics(systems, systems, topics, digits, missing)
    check_against_single_tests(metrics, people, level, swap, draws, 3)


@pytest.mark.parametrize("level", ["summary", "global", "per_system"])
def test_long_columns_take_no_table_of_their_pairs(level, monkeypatch):
    """A table of all pairs of 10,000 cells would not fit into memory."""
    monkeypatch.setattr(permuted, "LONGEST", 3)
    monkeypatch.setattr(permuted, "PermutedColumns", None)
    metrics, people = several_metrics(5, 6, 7, missing=0.2)
    check_against_single_tests(metrics, people, level, "cells", 20, 1)


@given(st.integers(2, 5), st.integers(1, 5), st.integers(0, 999), st.sampled_from(LEVELS))
def test_a_metric_is_not_different_from_itself(systems, topics, seed, level):
    """Nor from itself on another scale."""
    x, _, z = three_tables(systems, topics, seed=seed)
    for other in (x, 3 * x + 1):
        for test, name, options in (
            (permutation_test, "tau_b", {"draws": 9}),
            (bootstrap_test, "pearson", {"draws": 9}),
            (dependent.williams_test, "pearson", {}),
        ):
            result = test(x, other, z, level, name, **options)
            assert result.reason or result.p == 1
    metrics, people = several_metrics(seed, systems, topics)
    tests = MetricTests([metrics[2], 5 * metrics[2] + 1], people, level, "cells", draws=19)
    for name in COEFFICIENTS:
        p = all_pairs(tests, name)[1]
        assert (np.isnan(p) | (p == 1)).all()


@given(st.integers(0, 999), st.sampled_from(LEVELS), st.sampled_from(COEFFICIENTS))
def test_p_turns_with_the_metrics_and_is_never_0(seed, level, name):
    x, y, z = three_tables(4, 4, seed=seed)
    for test in (permutation_test, bootstrap_test):
        greater = test(x, y, z, level, name, draws=20, alternative="greater", seed=seed)
        less = test(y, x, z, level, name, draws=20, alternative="less", seed=seed)
        assert greater.p == pytest.approx(less.p, nan_ok=True)
        assert greater.reason or 1 / 21 <= greater.p <= 1


def test_the_same_seed_gives_the_same_p_in_steps_of_any_size(monkeypatch):
    x, y, z = three_tables(6, 6)
    tests = (permutation_test, bootstrap_test)
    at_once = [test(x, y, z, "summary", "tau_b", draws=100, seed=3) for test in tests]
    for module, names in {resampling: ("STEP",), dependent: ("STEP", "HELD")}.items():
        for name in names:
            monkeypatch.setattr(module, name, 1)
    assert resampling.at_once(6) == 16
    assert [test(x, y, z, "summary", "tau_b", draws=100, seed=3) for test in tests] == at_once


def test_the_paired_bootstrap_by_hand():
    """One topic; drawn topics are that one again, so delta* = delta: never as far as 2 delta."""
    x, y, z = [[1.0], [2.0], [3.0]], [[1.0], [3.0], [2.0]], [[1.0], [2.0], [3.0]]
    result = bootstrap_test(x, y, z, "summary", "tau_a", "topics", draws=99)
    assert (result.first, result.value) == (1, pytest.approx(2 / 3))
    assert (result.low, result.high, result.p) == (pytest.approx(2 / 3), pytest.approx(2 / 3), 0.01)
    # What is undefined has a reason.
    x, y, z = three_tables()
    flat, nothing = np.ones(x.shape), np.full(x.shape, np.nan)
    result = permutation_test(flat, y, z, "summary", "pearson")
    assert math.isnan(result.p) and result.reason.startswith("r(X, Z) is undefined: no topic")
    result = bootstrap_test(x, flat, z, "system", "pearson", draws=10)
    assert math.isnan(result.p) and "r(Y, Z) is undefined" in result.reason
    for test in (permutation_test, bootstrap_test, dependent.williams_test):
        result = test(x, y, nothing, "summary", "tau_b")
        assert math.isnan(result.p) and "fewer than two" in result.reason


def test_one_topic_and_a_constant_metric_by_hand():
    """Standardised, X of one topic is -a 0 a and Y is 0 0 0; tau-a of a constant is 0.

    The middle one may be swapped or not. With none or both of the others delta is 1 - 0 or 0 - 1,
    with one of them X' and Y' have a tie each, 2/3 - 2/3: of 8 ways 4 are as far from 0.
    """
    x, y, z = [[1.0], [2.0], [3.0]], [[0.3]] * 3, [[1], [2], [3]]
    result = permutation_test(x, y, z, "summary", "tau_a", "systems")
    assert (result.value, result.exact, result.p) == (1, True, 4 / 8)
    # Two systems, all 4 ways: each way or its mirror has delta 2, or both metrics are the same and
    # have none.
    result = permutation_test([[1.0], [2.0]], [[2.0], [1.0]], [[1.0], [2.0]], "summary", "pearson")
    assert (result.value, result.exact, result.p) == (2, True, 1)
    # The mean of twelve times 0.3 is not quite 0.3, and would be divided by next to nothing.
    assert np.std(np.full((3, 4), 0.3)) > 0
    assert dependent.standardised(np.full((3, 4), 0.3)).tolist() == [[0.0] * 4] * 3
    table = dependent.standardised(np.array([[0.3, 0.1 + 0.2, math.nan]]))
    assert table[0, :2].tolist() == [0, 0] and math.isnan(table[0, 2])


def test_p_is_never_0_and_what_has_no_coefficient_has_none():
    rng = np.random.default_rng(2)
    people = rng.normal(size=(12, 20))
    metrics = [people, rng.normal(size=people.shape)]
    tests = MetricTests(metrics, people, "summary", "cells", draws=999)
    assert against(tests, 0, [1], "tau_b")[1] == 1 / 1000
    metrics, people = several_metrics(1, 4, 5)
    tests = MetricTests([metrics[2], np.ones((4, 5))], people, "system", draws=50)
    assert np.isnan(against(tests, 0, [1], "pearson")).all()
    # Metrics are compared on the cells that both have.
    metrics, people = several_metrics(1, 4, 6)
    metrics[0][:, :3], metrics[1][:, 3:] = np.nan, np.nan
    p = against(MetricTests(metrics, people, "system", draws=50), 0, [1, 2], "pearson")[1]
    assert np.isnan(p).tolist() == [True, False]
    metrics, people = several_metrics(3, 6, 7)
    metrics[1][2, 3] = metrics[2][0, 0] = np.nan
    for level in LEVELS:
        check_against_single_tests(metrics[1:], people, level, "topics", 12, 2)


@every_level
@pytest.mark.parametrize("most", [1, 1 << 23])
def test_tests_with_several_people_are_those_with_each_alone(level, most, monkeypatch):
    """People who gave all the same, within a topic or in all, beside others; and missing cells."""
    monkeypatch.setattr(dependent, "TOGETHER", most)
    metrics, people = several_metrics(5, 6, 7)
    metrics[1][2, 3] = people[0, 0] = np.nan
    some = people.copy()
    some[1:, 0], some[:, 1] = 2.0, 3.0
    several = np.array([people, some, np.where(np.isnan(people), np.nan, 1.0)])
    pairs = [(i, k, who) for who in range(3) for i, k in combinations(range(len(metrics)), 2)]
    together, *tests = (
        MetricTests(metrics, marks, level, "cells", draws=20) for marks in (several, *several)
    )
    for name in COEFFICIENTS:
        *both, reasons = together.compare(pairs, name)
        alone = [tests[who].compare([(i, k, 0)], name)[:2] for i, k, who in pairs]
        for numbers, expected in zip(both, np.array(alone)[..., 0].T, strict=True):
            assert numbers == pytest.approx(expected, nan_ok=True, **NEAR)
        assert [bool(reason) for reason in reasons] == np.isnan(both[1]).tolist()


def test_permutations_are_kept_for_tests_of_the_same_cells(monkeypatch):
    metrics, people = several_metrics(1, 8, 9)
    kept = {}

    def p(**options):
        tests = MetricTests(metrics, people, "summary", "cells", **options)
        return all_pairs(tests, "pearson")[1]

    first = p(draws=60, kept=kept)
    assert not np.array_equal(first, p(draws=60, seed=1))
    monkeypatch.setattr(dependent, "_kept_blocks", None)
    np.testing.assert_array_equal(first, p(draws=60, kept=kept))
    for other in ({"draws": 61}, {"draws": 60, "seed": 1}):
        with pytest.raises(TypeError):
            p(**other, kept=dict(kept))


@every_level
def test_large_marks_have_the_p_of_small_ones(level):
    """The mean of numbers near a million is not quite in their middle."""
    rng = np.random.default_rng(9)
    z = rng.integers(0, 10, (2, 4)) / 10
    metrics = [z + rng.normal(size=z.shape) for _ in range(3)]
    tests = (MetricTests(metrics, marks, level, "cells", draws=300) for marks in (z, 1e6 + z))
    np.testing.assert_array_equal(*(all_pairs(test, "pearson")[1] for test in tests))
    # A metric that varies by noise only is not compared.
    constant, other, z = [[0.3, 0.1 + 0.2], [0.3, 0.3]], [[1, 2], [3, 5]], [[1, 2], [2, 4]]
    assert np.isnan(against(MetricTests([constant, other], z, level), 0, [1], "tau_b")[1])


@every_level
@pytest.mark.parametrize("draws", [40, 70])
def test_permutations_that_are_drawn_again_for_each_test_are_the_same(level, draws, monkeypatch):
    """Where they do not fit into memory at once; 6 cells have 64 ways, less than 70."""
    monkeypatch.setattr(dependent, "STEP", 1)
    metrics, people = several_metrics(4, 2, 3)
    results = []
    for held in (200, 1 << 27):
        monkeypatch.setattr(dependent, "HELD", held)
        tests = MetricTests(metrics, people, level, "cells", draws=draws, seed=3)
        results.append([all_pairs(tests, name) for name in ("pearson", "tau_b")])
    np.testing.assert_array_equal(*results)


@every_level
def test_scores_near_each_other_have_the_p_of_plain_sums(level):
    """In one topic a metric is nearly constant and far away: sums of squares lose digits."""
    metrics, people = several_metrics(6, 6, 4, digits=6)
    metrics[0][:, 1] = 500 + 1e-4 * metrics[0][:, 1]
    metrics[1][:, 2] = 7.0
    check_against_single_tests(metrics, people, level, "cells", 20, 5)


# Tau-a of equal scores is 0.
@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "tau_b"])
def test_a_topic_whose_scores_differ_by_rounding_alone_changes_nothing(coefficient):
    rng = np.random.default_rng(0)
    x, y, z = rng.normal(size=(3, 6, 4))
    for table in (x, y):
        table[:, 3] = 10 * (1 + 2e-16 * table[:, 3].round(1))
    moved = rng.integers(0, 2, size=(6, 4, 5))
    deltas = permuted.deltas(x, y, z, "summary", coefficient, moved)
    without = (table[:, :3] for table in (x, y, z))
    expected = permuted.deltas(*without, "summary", coefficient, moved[:, :3])
    assert deltas == pytest.approx(expected, **NEAR)


# --- Williams' test ------------------------------------------------------------------------------


def test_williams_by_hand():
    """r = .9 .8 .7 of 10: K = 1 - .81 - .64 - .49 + 1.008 = .068, mean .85.

    t = .1 sqrt(9 * 1.7 / (2 * .068 * 9 / 7 + .7225 * .027)) = .1 sqrt(15.3 / .1943...) = .8873
    """
    below = 2 * 0.068 * 9 / 7 + 0.85**2 * 0.3**3
    t = 0.1 * math.sqrt(9 * 1.7 / below)
    assert williams(0.9, 0.8, 0.7, 10) == pytest.approx(student_p(t, 7), rel=1e-9)
    assert williams(0.9, 0.8, 0.7, 10, "greater") == pytest.approx(student_p(t, 7) / 2, rel=1e-9)
    assert williams(0.9, 0.8, 0.7, 10, "less") == pytest.approx(1 - student_p(t, 7) / 2)
    # However near to each other the metrics are; also where the formula is 0 / 0.
    for between in (0.2, 1.0):
        assert williams(0.5, 0.5, between, 20) == williams(0.5, 0.5 + 1e-11, between, 20) == 1.0
        for side in ("greater", "less"):
            assert williams(0.5, 0.5, between, 20, side) == 0.5
    x, z = np.array([[1.0], [2], [4], [3], [5]]), [[1.0], [3], [2], [4], [5]]
    assert dependent.williams_test(x, x**3, z, "system", "spearman").p == 1


# Vectors in a plane: the determinant is 0, and with rounding just above it or just below.
COSINES = math.cos(1), math.cos(2), math.cos(3)


@pytest.mark.parametrize(
    "r", [(0.9, 0.5, 0.5), (1.0, 0.3, 0.3), (0.5, -0.5, -1.0), (1 + 1e-10, 0.3, 0.3), COSINES]
)
def test_williams_is_defined_for_extreme_coefficients(r):
    assert 0 < williams(*r, 10) <= 1

    # A little rounding is forgiven and decides next to nothing.
    for noise in (1e-11, -1e-11) if r in ((0.9, 0.5, 0.5), (1.0, 0.3, 0.3), COSINES) else ():
        p = williams(*(value + noise for value in r), 10)
        assert p == pytest.approx(williams(*r, 10), rel=0.01)


@pytest.mark.parametrize(("r", "words"), [
    # .72 and the root of .19 * .36 = .2615 more or less.
    ((0.9, 0.8, 1.0), r"r12 = 0.9 and r13 = 0.8, r23 is between 0.458 and 0.982, got 1.0; all"),
    ((0.9, 0.8, 0.4), "r23 is between 0.458 and 0.982, got 0.4; all three must be of the same"),
    ((0.5, 0.5, -1.0), "r23 is between -0.5 and 1, got -1.0"),
    ((1.2, 1.2, 1.0), "a correlation is between -1 and 1, got 1.2"),
    ((0.1, -1.001, 0.2), "a correlation is between -1 and 1, got -1.001"),
    ((0.1, 0.2, math.inf), "a correlation is between -1 and 1, got inf"),
])  # fmt: skip
def test_coefficients_that_no_three_lists_have_are_refused(r, words):
    with pytest.raises(SummetryError, match=words):
        williams(*r, 6)
    assert math.isnan(williams(*r, 3)) and math.isnan(williams(math.nan, *r[1:], 6))


@given(st.integers(0, 10**6), st.sampled_from(LEVELS), st.sampled_from(COEFFICIENTS))
def test_tables_never_have_impossible_coefficients(seed, level, name):
    """Ties, constant topics and metrics that follow from each other, up to rounding."""
    rng = np.random.default_rng(seed)
    x, y, z = rng.integers(0, 3, (3, 5, 4)).astype(float)
    large, mixed = 1e6 + 1e-3 * x, 0.1 * x + 0.2 * z
    for other in (y, large, mixed, np.ones(x.shape)):
        result = dependent.williams_test(x, other, z, level, name)
        assert bool(result.reason) != (0 < result.p <= 1)


@pytest.mark.parametrize("level", ["summary", "global", "per_system"])
def test_williams_test_is_of_one_list_of_independent_points(level):
    """Of a mean over 50 topics the formula finds nothing, and of 200 cells too much."""
    x, y, z = three_tables(6, 50)
    result = dependent.williams_test(x, y, z, level, "tau_b")
    assert result.value == pytest.approx(
        correlate(x, z, level, "tau_b").value - correlate(y, z, level, "tau_b").value
    )
    assert math.isnan(result.p) and "for the system level only" in result.reason
    tests = dependent.WilliamsTests([x, y], z, level)
    (difference,), (p,), reasons = tests.compare([(0, 1, 0)], "tau_b")
    assert difference == pytest.approx(result.value) and math.isnan(p)
    assert reasons == [result.reason]


def test_williams_test_needs_four_points_and_a_coefficient_of_both_metrics():
    x, y, z = three_tables()
    result = dependent.williams_test(x, y, z)
    assert math.isnan(result.p) and "4 systems or more, got 3" in result.reason
    assert williams(0.9, 0.8, 0.7, 4) < 1
    # Tests of many are those of each.
    metrics, people = several_metrics(8, 9, 4)
    tests = dependent.WilliamsTests(metrics, people, "system")
    differences, p = against(tests, 1, [0, 2], "pearson")
    for other, *both in zip((0, 2), differences, p, strict=True):
        single = dependent.williams_test(metrics[1], metrics[other], people, "system", "pearson")
        assert both == [single.value, single.p]
    for t, freedom in ((0.3, 1), (-2.5, 7), (40.0, 30)):
        assert student_p(t, freedom) == pytest.approx(2 * stats.t.sf(abs(t), freedom), rel=1e-9)
        assert student_p(t, freedom, "greater") == pytest.approx(stats.t.sf(t, freedom), rel=1e-9)
    assert student_p(1e300, 500) > 0
