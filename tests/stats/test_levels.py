"""Levels: by hand, against loops over plain lists, and at their edges."""

import math
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.stats.correlation import (
    fisher_interval,
    kendall_tau_a,
    kendall_tau_b,
    pearson,
    spearman,
)
from summetry.stats.levels import (
    correlate,
    level_named,
    reached_at_random,
    same_cells,
    system_means,
)

PLAIN = {"pearson": pearson, "spearman": spearman, "tau_a": kendall_tau_a, "tau_b": kendall_tau_b}
LEVELS = ("system", "summary", "global", "per_system")
NEAR = {"abs": 1e-11, "nan_ok": True}
NONE = math.nan

cells = st.one_of(st.none(), st.integers(0, 5)).map(lambda c: math.nan if c is None else c / 4)


@st.composite
def two_tables(draw):
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    row = st.lists(cells, min_size=columns, max_size=columns)
    return [np.array(draw(st.lists(row, min_size=rows, max_size=rows))) for _ in range(2)]


def slow(x, z, level, name):
    """One loop a level, over the cells that both tables have."""
    both = {
        (i, j): (x[i][j], z[i][j])
        for i in range(len(x))
        for j in range(len(x[0]))
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


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", PLAIN)
@settings(max_examples=30)
@given(tables=two_tables())
def test_every_level_is_the_loop_over_its_groups(level, name, tables):
    x, z = tables
    correlation = correlate(x, z, level, name)
    assert correlation.value == pytest.approx(slow(x.tolist(), z.tolist(), level, name), **NEAR)
    assert correlation.missing == int((np.isnan(x) | np.isnan(z)).sum())
    assert bool(correlation.reason) == math.isnan(correlation.value)
    assert (correlation.groups == 0) == math.isnan(correlation.value)


@settings(max_examples=40)
@given(tables=two_tables())
def test_the_order_of_systems_and_inputs_does_not_matter(tables):
    x, z = tables
    for level in LEVELS:
        value = correlate(x, z, level, "tau_b").value
        turned = correlate(x[::-1, ::-1], z[::-1, ::-1], level, "tau_b").value
        assert turned == pytest.approx(value, **NEAR)
        assert correlate(z, x, level, "tau_b").value == pytest.approx(value, **NEAR)


def test_four_levels_by_hand():
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


def test_a_result_says_what_it_is_of():
    x = np.array([[1, 2, 3, NONE], [2, 1, NONE, NONE], [3, 3, 5, 1.0]])
    z = np.array([[1, 1, 1, 1], [2, 1, 2, 2], [3, 1, 3, 3.0]])
    correlation = correlate(x, z, "summary", "pearson")
    # The second topic has one mark only, the last one score only; the third has two.
    assert (correlation.size, correlation.groups, correlation.undefined, correlation.of_two) == (
        3,
        2,
        2,
        1,
    )
    assert correlation.missing == 3 and correlation.value == pytest.approx(1)
    assert correlate(x, z, "system", "pearson").size == 3
    assert correlate(x, z, "global", "pearson").size == 9


def test_two_systems_have_a_coefficient_of_1_and_it_says_so():
    correlation = correlate([[1, 2], [2, 3]], [[1, 5], [4, 2]], "summary", "pearson")
    assert correlation.value == pytest.approx(0, abs=1e-15)
    assert correlation.of_two == 2
    assert correlate([[1], [2]], [[5], [7]], "system", "spearman").of_two == 1


@pytest.mark.parametrize("level", LEVELS)
def test_one_system_or_nothing_has_no_coefficient(level):
    for table in ([[NONE, NONE], [NONE, NONE]], [[1.0]], np.zeros((0, 0)), np.zeros((2, 0))):
        correlation = correlate(table, table, level, "pearson")
        assert math.isnan(correlation.value) and "fewer than two" in correlation.reason


@pytest.mark.parametrize("level", LEVELS)
def test_constant_scores_have_no_coefficient(level):
    correlation = correlate(
        np.full((3, 4), 0.1 + 0.2), np.arange(12).reshape(3, 4), level, "spearman"
    )
    assert math.isnan(correlation.value) and "all scores are the same" in correlation.reason


def test_one_topic_is_a_table_like_any_other():
    x, z = [[1], [2], [4]], [[1], [3], [2]]
    values = [correlate(x, z, level, "tau_a").value for level in ("system", "summary", "global")]
    assert values == pytest.approx([1 / 3] * 3)


def test_a_missing_cell_is_missing_from_both():
    a, b = same_cells([[1, NONE]], [[NONE, 2]])
    assert np.isnan([a, b]).all()


def test_means_are_over_the_cells_of_a_row():
    assert system_means([[1, 3], [NONE, 5], [NONE, NONE]]).tolist()[:2] == [2, 5]
    assert math.isnan(system_means([[NONE]])[0])


def test_tables_of_other_shapes_are_refused():
    with pytest.raises(SummetryError, match="same systems and topics, got 1 x 2, 2 x 2"):
        correlate([[1, 2]], [[1, 2], [3, 4]], "system", "pearson")
    with pytest.raises(SummetryError, match=r"a row for each system.*got 1 dimension$"):
        correlate([1, 2], [1, 2], "system", "pearson")


def test_an_infinite_score_is_refused():
    with pytest.raises(SummetryError, match=r"must be finite.*row 1, column 0 is -inf"):
        correlate([[1], [-math.inf]], [[1], [2]], "summary", "tau_b")


def test_unknown_names_are_named():
    with pytest.raises(SummetryError, match="no level is named 'document'"):
        correlate([[1]], [[1]], "document", "pearson")
    with pytest.raises(SummetryError, match="no coefficient is named 'kendall'"):
        correlate([[1]], [[1]], "summary", "kendall")


@given(st.floats(-0.99, 0.99), st.integers(5, 500), st.sampled_from(list(PLAIN)))
def test_a_fisher_interval_holds_its_value_and_shrinks(value, size, name):
    low, high = fisher_interval(value, size, name)
    assert -1 <= low <= value <= high <= 1
    wider = fisher_interval(value, size, name, confidence=0.99)
    assert wider[0] <= low and high <= wider[1]
    nearer = fisher_interval(value, 10 * size, name)
    assert low <= nearer[0] and nearer[1] <= high


def test_fisher_intervals_at_their_edges():
    assert all(map(math.isnan, fisher_interval(0.5, 3)))
    assert all(map(math.isnan, fisher_interval(0.5, 4, "tau_b")))
    assert all(map(math.isnan, fisher_interval(math.nan, 30)))
    assert fisher_interval(1.0, 30) == (1.0, 1.0)
    with pytest.raises(SummetryError, match=r"between 0 and 1, such as 0.95 for 95 %, got 95"):
        fisher_interval(0.5, 30, confidence=95)
    with pytest.raises(SummetryError, match="no coefficient is named 'tau'"):
        fisher_interval(0.5, 30, "tau")


def test_scores_that_differ_by_noise_only_are_left_out():
    """Topic 1: 0.3 and 0.1 + 0.2 are the same. Topic 2 is in order."""
    x, z = [[0.1 + 0.2, 1.0], [0.3, 2.0], [0.3, 3.0]], [[1, 1], [2, 2], [4, 3]]
    correlation = correlate(x, z, "summary", "pearson")
    assert (correlation.value, correlation.groups, correlation.undefined) == (1, 1, 1)
    turned = correlate(np.transpose(x), np.transpose(z), "per_system", "pearson")
    assert (turned.value, turned.undefined) == (1, 1)


@pytest.mark.parametrize("name", ["pearson", "spearman", "tau_b"])
def test_means_that_are_nothing_but_noise_are_the_same(name):
    """Every mean is 0, one of them 0.1 + 0.2 - 0.3, which is 5.6e-17."""
    x = [[0.1, 0.2, -0.3], [0.5, -0.5, 0.0], [-0.2, 0.1, 0.1]]
    assert sum(x[0]) != 0
    correlation = correlate(x, [[1, 1, 1], [2, 2, 2], [3, 3, 3]], "system", name)
    assert math.isnan(correlation.value) and "all scores are the same" in correlation.reason


@pytest.mark.parametrize("name", LEVELS)
def test_levels_are_called_by_their_names_or_nlpstats_input(name):
    assert level_named(name) == name
    assert level_named("input") == "summary"


def test_a_segment_may_be_two_levels():
    with pytest.raises(SummetryError, match=r"say summary \(within each topic.*or global"):
        level_named("segment")
    with pytest.raises(SummetryError, match="no level is named 'topic'"):
        level_named("topic")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("coefficient", list(PLAIN))
@pytest.mark.parametrize(("systems", "topics"), [(8, 6), (16, 1)])
def test_one_random_table_in_20_exceeds_the_line(level, coefficient, systems, topics):
    """Of 1,000 random tables a share of .05 has a standard deviation of .007; ties are coarse."""
    rng = np.random.default_rng(1)
    people = np.round(3 + rng.normal(size=(systems, topics)))
    people[0, 0] = np.nan
    line = reached_at_random(people, level, coefficient)
    if level == "per_system" and topics == 1:
        assert math.isnan(line)
        return
    tables = rng.normal(size=(1000, systems, topics))
    values = np.array([correlate(table, people, level, coefficient).value for table in tables])
    assert 0.02 <= (values > line + 1e-9).mean() <= 0.085


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
    assert math.isnan(reached_at_random([[1], [2]], "system", "pearson"))
    assert math.isnan(reached_at_random([[1, 1], [1, 1]], "summary", "tau_b"))
