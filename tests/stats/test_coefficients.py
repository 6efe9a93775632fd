"""Coefficients of lists, of weighted lists and of tables: against slow loops, and at the edges."""

import math
from itertools import combinations, permutations, product
from statistics import fmean

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from summetry.stats import levels, weighted
from summetry.stats.association import association, orders_of
from summetry.stats.concordance import codes
from summetry.stats.correlation import fisher_interval, mid_ranks, pearson, spearman
from summetry.stats.correlation import kendall_tau_a as tau_a
from summetry.stats.correlation import kendall_tau_b as tau_b
from summetry.stats.levels import correlate, reached_at_random
from summetry.stats.weighted import FIXED, MOVING

PLAIN = {"pearson": pearson, "spearman": spearman, "tau_a": tau_a, "tau_b": tau_b}
LEVELS = ("system", "summary", "global", "per_system")
# Sums of up to some hundred products of numbers up to 1.
NEAR = {"abs": 1e-11, "nan_ok": True}
NONE = math.nan

every_level = pytest.mark.parametrize("level", LEVELS)
every_coefficient = pytest.mark.parametrize("name", PLAIN)


numbers = st.integers(-5, 5)
lists = st.lists(st.tuples(numbers, numbers), min_size=2, max_size=9)


@given(lists)
def test_tau_counts_pairs(points):
    x, y = map(list, zip(*points, strict=True))
    balance = untied_x = untied_y = pairs = 0
    for i, j in combinations(range(len(x)), 2):
        a, b = (x[i] > x[j]) - (x[i] < x[j]), (y[i] > y[j]) - (y[i] < y[j])
        balance, pairs = balance + a * b, pairs + 1
        untied_x, untied_y = untied_x + abs(a), untied_y + abs(b)
    assert tau_a(x, y) == balance / pairs
    size = math.sqrt(untied_x * untied_y)
    assert tau_b(x, y) == pytest.approx(balance / size if size else NONE, nan_ok=True)


def test_numbers_are_the_same_within_the_noise_of_the_largest():
    """As everywhere in the statistics: beside 1, a difference of 1e-15 is none."""
    assert pearson([1, 2, 4], [1, 3, 2]) == pytest.approx(1 / math.sqrt(14 / 3 * 2))
    assert math.isnan(pearson([0.1 + 0.2, 0.3], [1, 2])) and tau_a([0.1 + 0.2, 0.3], [1, 2]) == 0
    x, y = [1e-15, 2e-15, 1.0], [2, 1, 3]
    assert mid_ranks([3.0, 1.0, 3.0, 2.0]).tolist() == [3.5, 1, 3.5, 2]
    assert mid_ranks(x).tolist() == [1.5, 1.5, 3]
    assert tau_b(x, y) == pytest.approx(2 / math.sqrt(2 * 3))
    assert spearman(x, y) == pytest.approx(spearman([1, 1, 2], y))
    for values, expected in (([0.1 + 0.2, 0.3, 1.0], [0, 0, 1]), (x, [0, 0, 1]), ([], [])):
        assert codes(np.array(values, float)).tolist() == expected
    # An infinite number has a rank but no size.
    assert math.isnan(pearson([1, 2, math.inf], [1, 2, 3]))
    assert spearman([1, 2, math.inf], [1, 2, 3]) == tau_b([1, 2, math.inf], [1, 2, 3]) == 1


# --- Weights: a point counts as often as it was drawn --------------------------------------------


def sample_from(seed):
    """Two lists of tenths, and weights of three resamples."""
    rng = np.random.default_rng(seed)
    size = rng.integers(0, 8)
    return *rng.integers(-4, 5, (2, size)) / 10, rng.integers(0, 4, (size, 3)) * 1.0


samples = st.integers(0, 10**6).map(sample_from)


def written_out(x, z, weights, name):
    times = weights.astype(int)
    return PLAIN[name](np.repeat(x, times).tolist(), np.repeat(z, times).tolist())


@every_coefficient
@given(sample=samples, other=samples)
def test_a_weight_is_so_many_copies_of_a_point(name, sample, other):
    x, z, weights = sample
    expected = [written_out(x, z, column, name) for column in weights.T]
    assert FIXED[name](x, z, weights).tolist() == pytest.approx(expected, **NEAR)
    # Points may be others in each resample.
    size = min(len(x), len(other[0]))
    x, z = (np.stack([sample[i][:size], other[i][:size]], axis=1) for i in (0, 1))
    weights = np.stack([sample[2][:size, 0], other[2][:size, 0]], axis=1)
    expected = [written_out(x[:, j], z[:, j], weights[:, j], name) for j in (0, 1)]
    assert MOVING[name](x, z, weights).tolist() == pytest.approx(expected, **NEAR)


def test_long_lists_take_n_log_n_and_are_those_of_scipy():
    """A table of all pairs of 60,000 points has 3.6 billion cells."""
    rng = np.random.default_rng(7)
    x = rng.normal(size=60_000)
    for z in (x + rng.normal(size=len(x)), np.round(x + rng.normal(size=len(x)))):
        assert tau_b(x, z) == pytest.approx(stats.kendalltau(x, z).statistic, rel=1e-12)
        assert spearman(x, z) == pytest.approx(stats.spearmanr(x, z).statistic, rel=1e-9)


def test_points_that_differ_by_noise_only_have_no_pearson_and_near_ones_keep_their_digits():
    """0.1 + 0.2 is not quite 0.3; a mean of marks that are all the same may have such noise."""
    noisy, z = np.array([0.1 + 0.2, 0.3, 0.3]), np.array([1.0, 2.0, 4.0])
    for weights in (np.ones((3, 1)), np.array([[2.0], [1.0], [0.0]])):
        for pair in ((noisy, z), (z, noisy)):
            assert math.isnan(FIXED["pearson"](*pair, weights)[0])
    # Two points a millionth apart beside one far away: sums of squares alone would lose them.
    x, z = np.array([0.0, 1e-6, 2e-6, 1e3]), np.array([0.0, 1.0, 3.0, 5.0])
    value = FIXED["pearson"](x, z, np.array([[1.0], [1.0], [1.0], [0.0]]))[0]
    assert value == pytest.approx(pearson([0, 1e-6, 2e-6], [0, 1, 3]), rel=1e-9)
    # What a point of weight 0 holds does not matter.
    x, weights = np.array([[1.0], [2.0], [NONE]]), np.array([[1.0], [1.0], [0.0]])
    for coefficient in MOVING.values():
        assert coefficient(x, x.copy(), weights).tolist() == [1.0]


@pytest.mark.parametrize("name", ["spearman", "tau_a", "tau_b"])
def test_many_points_that_move_are_sorted_and_give_the_same(name, monkeypatch):
    rng = np.random.default_rng(3)
    x, z = rng.integers(0, 20, (2, 60)) / 10
    weights = rng.integers(0, 3, (60, 5)).astype(np.float64)
    small = FIXED[name](x, z, weights)
    wide = [np.repeat(numbers[:, None], 5, axis=1) for numbers in (x, z)]
    assert MOVING[name](*wide, weights).tolist() == small.tolist()
    monkeypatch.setattr(weighted, "MANY_MOVING", 10)
    assert MOVING[name](*wide, weights).tolist() == small.tolist()


# --- Tables ---------------------------------------------------------------------------------------


def tables_from(seed):
    """Two tables of quarters, with gaps."""
    rng = np.random.default_rng(seed)
    tables = rng.integers(0, 6, (2, *rng.integers(1, 6, 2))) / 4
    tables[rng.random(tables.shape) < 0.15] = NONE
    return tables


two_tables = st.integers(0, 10**6).map(tables_from)


def slow(x, z, level, name):
    """One loop a level, over the cells that both tables have."""
    both = {
        (i, j): (x[i][j], z[i][j])
        for i, j in product(range(len(x)), range(len(x[0])))
        if not (math.isnan(x[i][j]) or math.isnan(z[i][j]))
    }

    def of(pairs):
        return PLAIN[name]([a for a, _ in pairs], [b for _, b in pairs])

    if level == "global":
        return of(list(both.values()))
    axis = 0 if level in ("system", "per_system") else 1
    groups = {}
    for key, pair in both.items():
        groups.setdefault(key[axis], []).append(pair)
    if level == "system":
        return of([(fmean(a for a, _ in g), fmean(b for _, b in g)) for g in groups.values()])
    correlation = [r for r in map(of, groups.values()) if not math.isnan(r)]
    return fmean(correlation) if correlation else math.nan


@every_level
@every_coefficient
@settings(max_examples=10)
@given(tables=two_tables)
def test_every_level_is_the_loop_over_its_groups_in_any_order(level, name, tables):
    x, z = tables
    correlation = correlate(x, z, level, name)
    value = pytest.approx(slow(x.tolist(), z.tolist(), level, name), **NEAR)
    assert correlation.value == value == correlate(z, x, level, name).value
    assert correlate(x[::-1, ::-1], z[::-1, ::-1], level, name).value == value
    assert correlation.missing == int((np.isnan(x) | np.isnan(z)).sum())
    assert bool(correlation.reason) == (correlation.groups == 0) == math.isnan(correlation.value)


def test_four_levels_by_hand_and_what_a_result_says_of_itself():
    """Columns: 1 2 3 against 1 2 3 (tau 1), and 2 1 3 against 1 2 3 (tau 1/3).

    Means 1.5 1.5 3 against 1 2 3: one pair tied in x, two alike: 2 / sqrt(2 * 3). Rows have two
    cells: 1 2 | 2 1 | 3 3 against equal marks: no coefficient. All cells: below.
    """
    x, z = [[1, 2], [2, 1], [3, 3]], [[1, 1], [2, 2], [3, 3]]
    assert correlate(x, z, "summary", "tau_b").value == pytest.approx(2 / 3)
    assert correlate(x, z, "system", "tau_b").value == pytest.approx(2 / math.sqrt(6))
    rows = correlate(x, z, "per_system", "tau_b")
    assert math.isnan(rows.value) and rows.undefined == 3
    # Of 15 pairs 12 are untied in z, 12 in x; of those untied in both, 9 are alike and 1 is not.
    assert correlate(x, z, "global", "tau_b").value == pytest.approx((9 - 1) / 12)
    # A result says what it is of.
    x = np.array([[1, 2, 3, NONE], [2, 1, NONE, NONE], [3, 3, 5, 1.0]])
    z = np.array([[1, 1, 1, 1], [2, 1, 2, 2], [3, 1, 3, 3.0]])
    correlation = correlate(x, z, "summary", "pearson")
    # The second topic has one mark only, the last one score only; the third has two.
    counts = correlation.size, correlation.groups, correlation.undefined, correlation.of_two
    assert counts == (3, 2, 2, 1)
    assert correlation.missing == 3 and correlation.value == pytest.approx(1)
    assert correlate(x, z, "system", "pearson").size == 3
    assert correlate(x, z, "global", "pearson").size == 9

    # Two systems have a coefficient of 1 or -1, and it says so.
    correlation = correlate([[1, 2], [2, 3]], [[1, 5], [4, 2]], "summary", "pearson")
    assert correlation.value == pytest.approx(0, abs=1e-15) and correlation.of_two == 2
    assert correlate([[1], [2]], [[5], [7]], "system", "spearman").of_two == 1
    # A topic of two systems with equal scores has none, and is not among those of two.
    correlation = correlate([[1, 2], [2, 2]], [[1, 5], [4, 2]], "summary", "pearson")
    assert (correlation.groups, correlation.undefined, correlation.of_two) == (1, 1, 1)
    alone = correlate([[2], [2]], [[5], [2]], "summary", "pearson")
    assert alone.reason.endswith(": all scores are the same in one of the tables")
    alone = correlate([[2], [NONE]], [[5], [2]], "summary", "pearson")
    assert alone.reason.endswith(": fewer than two systems, or cells, have both scores")


def test_scores_that_differ_by_noise_only_are_the_same():
    # Topic 1: 0.3 and 0.1 + 0.2 are the same. Topic 2 is in order.
    x, z = [[0.1 + 0.2, 1.0], [0.3, 2.0], [0.3, 3.0]], [[1, 1], [2, 2], [4, 3]]
    for tables, level in (((x, z), "summary"), ((np.transpose(x), np.transpose(z)), "per_system")):
        correlation = correlate(*tables, level, "pearson")
        assert (correlation.value, correlation.groups, correlation.undefined) == (1, 1, 1)
    # Every mean is 0, one of them 0.1 + 0.2 - 0.3, which is 5.6e-17.
    x = [[0.1, 0.2, -0.3], [0.5, -0.5, 0.0], [-0.2, 0.1, 0.1]]
    assert sum(x[0]) != 0
    for name in ("pearson", "spearman", "tau_b"):
        correlation = correlate(x, [[1, 1, 1], [2, 2, 2], [3, 3, 3]], "system", name)
        assert math.isnan(correlation.value) and "all scores are the same" in correlation.reason


# --- Intervals and chance ------------------------------------------------------------------------


def test_fisher_intervals_of_too_few_points_no_coefficient_and_a_perfect_one():
    for edge in ((0.5, 3), (0.5, 4, "tau_b"), (NONE, 30)):
        assert np.isnan(fisher_interval(*edge)).all()
    assert fisher_interval(1.0, 30) == (1.0, 1.0)


@every_level
@every_coefficient
@pytest.mark.parametrize(("systems", "topics"), [(8, 6), (16, 1)])
def test_one_random_table_in_20_exceeds_the_line(level, name, systems, topics):
    """Of 400 random tables a share of .05 has a standard deviation of .011; ties are coarse."""
    rng = np.random.default_rng(1)
    people = np.round(3 + rng.normal(size=(systems, topics)))
    people[0, 0] = np.nan
    line = reached_at_random(people, level, name)
    if level == "per_system" and topics == 1:
        assert math.isnan(line)
        return
    # As the last axis, so that all tables are correlated at once.
    tables = np.moveaxis(rng.normal(size=(400, systems, topics)), 0, -1)
    tables[0, 0] = np.nan
    values = levels.at_level(people, tables, level, name)
    assert values[0] == pytest.approx(correlate(tables[..., 0], people, level, name).value)
    assert 0.015 <= (values > line + 1e-9).mean() <= 0.095


def test_the_random_line_by_hand():
    """Pearson of six: t of 4 degrees of freedom above which is .05 is 2.132: 2.132 / sqrt(8.545).

    Kendall of 3 topics with four systems and no ties: each has the variance 26 / 108, their mean
    a third of it, and 1.6449 * sqrt(26 / 324) is 0.466.
    """
    six = np.arange(6.0)[:, None]
    assert reached_at_random(six, "system", "pearson") == pytest.approx(0.7293, abs=1e-4)
    four = np.tile(np.arange(4.0)[:, None], 3)
    for name in ("tau_a", "tau_b"):
        assert reached_at_random(four, "summary", name) == pytest.approx(0.46596, abs=1e-4)
    # Numbers that are small everywhere are no ties.
    tiny = [[1e-9 * n for n in row] for row in four]
    expected = reached_at_random(four, "summary", "tau_b")
    assert reached_at_random(tiny, "summary", "tau_b") == expected
    assert math.isnan(reached_at_random([[1], [2]], "system", "pearson"))
    assert math.isnan(reached_at_random([[1, 1], [1, 1]], "summary", "tau_b"))


# --- The p of a coefficient, by all orders written out and by scipy -------------------------------


def share_of_orders(x, z, level, name):
    """The share of all orders with a coefficient as far from 0, each counted by itself."""
    axis = 1 if level == "per_system" else 0
    seen = correlate(x, z, level, name).value
    # One order alone says nothing.
    if math.isnan(seen) or x.shape[axis] < 2:
        return math.nan
    orders = permutations(range(x.shape[axis]))
    values = [correlate(x, np.take(z, order, axis=axis), level, name).value for order in orders]
    return float(np.mean(np.abs(values) >= abs(seen) - 1e-9))


# The mean of all ranks fills a topic of each table.
@example(seed=2, systems=2, topics=2, level="global")
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 4), st.sampled_from(LEVELS))
def test_few_systems_have_the_share_of_all_orders_written_out(seed, systems, topics, level):
    rng = np.random.default_rng(seed)
    x, z = (rng.integers(0, 4, (systems, topics)).astype(float) for _ in range(2))
    for name in PLAIN:
        test = association(x, z, level, name)
        assert test.exact
        assert test.p == pytest.approx(share_of_orders(x, z, level, name), nan_ok=True), name


def test_a_missing_cell_adds_nothing_and_what_has_no_coefficient_has_no_p():
    """Of the second topic only two systems are left: 1 3 against 2 1 is -1."""
    x = np.array([[1.0, 1], [2, np.nan], [3, 3]])
    z = np.array([[1.0, 2], [2, 5], [3, 1]])
    # By hand, G is [[.5, 0, -.5], [0, 0, 0], [-.5, 0, .5]] + [[-.5, 0, .5], [0] * 3, [.5, 0, -.5]].
    assert association(x, z, "summary", "pearson").p == 1.0
    x[2, 1] = np.nan
    assert association(x, z, "summary", "pearson").p == pytest.approx(2 / 6)
    flat, z = np.ones((4, 3)), np.arange(12.0).reshape(4, 3)
    for level in LEVELS:
        for name in ("pearson", "spearman", "tau_b"):
            assert math.isnan(association(flat, z, level, name).p)
        assert association(flat, z, level, "tau_a").p == 1.0


def test_the_orders_of_a_long_column_are_counted_by_scipy():
    """4,500 cells of three systems, which have six orders."""
    rng = np.random.default_rng(2)
    z = np.round(rng.normal(np.arange(3)[:, None] / 10, size=(3, 1500)))
    x = z + 3 * rng.normal(size=z.shape)
    for people in (z, z + rng.normal(size=z.shape)):
        orders = permutations(range(3))
        values = [stats.kendalltau(x, people[list(order)]).statistic for order in orders]
        share = np.mean(np.abs(values) >= abs(values[0]) - 1e-9)
        assert association(x, people, "global", "tau_b").p == pytest.approx(share)


def test_all_orders_are_different_and_drawn_ones_are_orders():
    assert len({tuple(row) for row in orders_of(4, 24, 0).tolist()}) == 24
    drawn = orders_of(4, 23, 0)
    assert drawn.shape == (23, 4) and (np.sort(drawn, axis=1) == np.arange(4)).all()
    # p is never 0.
    z = np.arange(12.0)[:, None]
    assert association(z, z, "system", "spearman", draws=50).p == 1 / 51
