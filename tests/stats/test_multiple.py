"""Many comparisons and one rule for alpha: by definition, by hand, against scipy and tables."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from summetry.stats import letters
from summetry.stats.discrimination import discrimination
from summetry.stats.letters import compact_letters, groups_alike
from summetry.stats.multiple import (
    benjamini_hochberg,
    benjamini_yekutieli,
    bonferroni,
    holm,
    partial_conjunction,
    significance_clusters,
    tukey_hsd,
)
from summetry.stats.significance import draws_needed, is_significant
from summetry.stats.studentized import range_tail, studentized_range_tail

NONE = math.nan
ps = st.lists(st.one_of(st.just(NONE), st.floats(0, 1)), max_size=8)


def holm_finds(p, alpha):
    """Holm's procedure as he wrote it: step down until one is not significant."""
    ascending = sorted((value, i) for i, value in enumerate(p) if not math.isnan(value))
    result = set()
    for k, (value, i) in enumerate(ascending):
        if value * (len(ascending) - k) > alpha:
            break
        result.add(i)
    return result


def hochberg_finds(p, alpha, factor=lambda count: 1.0):
    """Benjamini and Hochberg's: the largest k with p_k <= k alpha / m, and all before it."""
    ascending = sorted((value, i) for i, value in enumerate(p) if not math.isnan(value))
    count = len(ascending)
    steps = enumerate(ascending, 1)
    passed = [k for k, (p, _) in steps if p * (count / k) * factor(count) <= alpha]
    return {i for _, i in ascending[: max(passed, default=0)]}


def yekutieli_finds(p, alpha):
    """And for p that depend on each other: m times the harmonic number of m."""
    return hochberg_finds(p, alpha, lambda count: sum(1 / k for k in range(1, count + 1)))


PROCEDURES = {
    holm: holm_finds, benjamini_hochberg: hochberg_finds, benjamini_yekutieli: yekutieli_finds,
}  # fmt: skip


@given(ps, st.floats(0.001, 0.5))
def test_adjusted_p_finds_what_the_procedure_finds(p, alpha):
    for adjust, finds in PROCEDURES.items():
        adjusted = adjust(p)
        # Of p on the edge rounding decides.
        if not (np.abs(adjusted - alpha) < 1e-12).any():
            assert set(np.flatnonzero(adjusted <= alpha).tolist()) == finds(p, alpha)
    raw = np.array(p, dtype=np.float64)
    present = ~np.isnan(raw)
    a, b, c = benjamini_hochberg(p)[present], holm(p)[present], bonferroni(p)[present]
    assert (raw[present] <= a).all() and (b <= c).all() and (c <= 1).all()
    # Rounding of m / k times p against m p.
    assert (a <= b * (1 + 1e-12)).all()
    assert np.isnan(holm(p)[~present]).all()


def test_lists_by_hand_and_alpha_itself():
    """.01 .02 .03 .04: Holm 4 x .01, 3 x .02, then 2 x .03 and .04, not below the one before.

    Benjamini and Yekutieli: of three the harmonic number is 11/6: .01 * 3 * 11/6 = .055,
    .02 * 3/2 * 11/6 = .055.
    """
    p = [0.03, 0.01, 0.04, 0.02]
    assert holm(p) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert benjamini_hochberg(p) == pytest.approx([0.04] * 4)
    assert bonferroni(p) == pytest.approx([0.12, 0.04, 0.16, 0.08])
    adjusted = benjamini_yekutieli([0.04, 0.01, NONE, 0.02])
    assert adjusted == pytest.approx([0.04 * 11 / 6, 0.055, NONE, 0.055], nan_ok=True)
    assert holm([]).tolist() == []
    assert partial_conjunction([0.01, NONE, 0.02]).places == (0, 2)
    # Alpha itself is significant, and what is undefined is not.
    p = [0.049, 0.05, 0.0501, NONE, 1.0]
    assert is_significant(p, 0.05).tolist() == [True, True, False, False, False]
    assert bool(is_significant(0.05, 0.05)) and not bool(is_significant(NONE, 0.05))
    # Rounding decides nothing. 25 tests, the 17 best with p = 17/500: 17/500 * 25/17 = 1/20.
    corrected = benjamini_hochberg([17 / 500] * 17 + [1.0] * 8)
    assert corrected[0] > 0.05
    assert is_significant(corrected, 0.05).tolist() == [True] * 17 + [False] * 8


@given(st.integers(1, 300), st.sampled_from(["0.05", "0.01", "0.1", "0.001", "0.2"]))
def test_so_many_draws_are_enough_and_one_fewer_is_not(tests, alpha):
    needed = draws_needed(tests, float(alpha))
    assert Fraction(tests, needed + 1) <= Fraction(alpha)
    assert needed == 1 or Fraction(tests, needed) > Fraction(alpha)


@pytest.mark.parametrize("alpha", [0.0625, 0.0624])
def test_where_p_meets_alpha_all_say_the_same(alpha):
    """p = 2/32, as of five topics on all of which one system is better, and alpha = 1/16."""
    from summetry.metaeval.discrimination import DiscriminateSettings, verdicts
    from summetry.metaeval.rankings import CompareSettings, PairTest

    scores = np.array([[2.0, 3, 4, 5, 7], [1.0, 1, 1, 1, 1]])
    result = verdicts(scores, DiscriminateSettings("permutation", alpha))
    p, differences = result.p, result.differences
    assert p[0, 1] == 2 / 32
    pair = PairTest("a", "b", 5, 3.2, 1.0, 5.0, 2 / 32, 2 / 32, 1.0, 1.0)
    decisions = [
        CompareSettings(alpha=alpha).differ(pair), is_significant(holm([2 / 32]), alpha).all(),
        discrimination(p, differences, p, differences, alpha).both == 1,
        significance_clusters([2, 1], p, alpha) == [1, 2],
        partial_conjunction([2 / 32], alpha).data_sets == 1,
    ]  # fmt: skip
    assert list(map(bool, decisions)) == [alpha == 0.0625] * 5


# --- Tukey's test --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("groups", "freedom"), [(3, 6), (8, 20), pytest.param(20, 100, marks=pytest.mark.slow)]
)
def test_the_studentized_range_is_that_of_scipy(groups, freedom):
    q = np.array([0.5, 2.0, 4.0, 7.0])
    expected = stats.studentized_range.sf(q, groups, freedom)
    assert studentized_range_tail(q, groups, freedom) == pytest.approx(expected, abs=1e-8)
    # A range is above 0 for sure, and rarely large.
    tail = range_tail(np.array([0.0, 3.0, 30.0]), 5)
    assert tail[0] == pytest.approx(1) and 0 < tail[2] < 1e-90 < tail[1] < 1


def test_tukey_is_that_of_scipy_with_missing_cells_and_at_its_edges():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4, 1)) + rng.normal(size=(4, 6))
    x[0, 1] = x[2, 0] = x[2, 3] = np.nan
    rows = [row[~np.isnan(row)] for row in x]
    result, expected = tukey_hsd(x), stats.tukey_hsd(*rows)
    assert result.p == pytest.approx(expected.pvalue, abs=1e-8)
    assert result.differences == pytest.approx(expected.statistic, abs=1e-12)
    assert result.anova == pytest.approx(stats.f_oneway(*rows).pvalue, rel=1e-9)
    assert result.freedom == 24 - 3 - 4
    # At its edges:
    one, single = tukey_hsd([[1.0, 2.0]]), tukey_hsd([[1.0], [2.0]])
    assert np.isnan(one.p).all() and "two systems with a score, got 1" in one.reason
    assert np.isnan(single.p).all() and "two scores or more" in single.reason
    same = tukey_hsd([[1.0, 2.0], [1.0, 2.0]])
    assert same.p.tolist() == [[1, 1], [1, 1]] and same.anova == 1
    flat = tukey_hsd([[1.0, 1.0], [2.0, 2.0]])
    assert 0 < flat.p[0, 1] < 1e-100 and 0 < flat.anova < 1e-100
    # 0.1 + 0.2 is not quite 0.3, and neither is the mean of three times 0.1 quite 0.1.
    for noise in ([[0.1 + 0.2] * 3, [0.3] * 3], [[0.1] * 3, [0.1, 0.1, NONE]]):
        result = tukey_hsd([*noise, [NONE] * 3])
        assert result.p[:2, :2].tolist() == [[1, 1], [1, 1]] and result.anova == 1
    # What is that near is the same; what is apart still differs.
    apart = tukey_hsd([[0.1 + 0.2] * 3, [0.3] * 3, [0.4] * 3])
    assert apart.p[0, 1] == 1 and 0 < apart.p[0, 2] < 1e-20 and 0 < apart.anova < 1e-20
    empty = tukey_hsd([[1.0, 2.0], [NONE, NONE], [5.0, 6.0]])
    assert math.isnan(empty.p[0, 1]) and not math.isnan(empty.p[0, 2])


# --- Clusters and verdicts -----------------------------------------------------------------------


def test_clusters_and_verdicts_by_hand():
    """a, b, c fall slowly: a beats c, nobody beats b; d is beaten by c."""
    p, values = np.ones((4, 4)), np.array([0.9, 0.8, 0.7, 0.1])
    p[0, 2] = p[2, 3] = 0.01
    assert significance_clusters(values, p) == [1, 1, 2, 3]
    # Whatever the order of the rows.
    order = [2, 0, 3, 1]
    assert significance_clusters(values[order], p[np.ix_(order, order)]) == [2, 1, 3, 1]
    # Only those of the rank itself count: a beats d too, but c, with whom d is, does not.
    p[0, 3], p[2, 3] = 0.01, 1
    assert significance_clusters(values, p) == [1, 1, 2, 2]
    assert significance_clusters([], np.zeros((0, 0))) == []
    assert significance_clusters([NONE, 1.0], np.ones((2, 2))) == [0, 1]
    # Alpha itself is significant; equal values are in the order given.
    assert significance_clusters([1, 1], [[1, 0.05], [1, 1]]) == [1, 2]
    # Three systems. Metric: 0 > 1, 0 > 2. People: 0 > 1, 2 > 0, 1 > 2.
    metric_p = [[1, 0.01, 0.01], [0.01, 1, 0.5], [0.01, 0.5, 1]]
    metric = [[0, 1, 1], [-1, 0, 0], [-1, 0, 0]]
    people_p = [[1, 0.01, 0.01], [0.01, 1, 0.01], [0.01, 0.01, 1]]
    people = [[0, 1, -1], [-1, 0, 1], [1, -1, 0]]
    result = discrimination(metric_p, metric, people_p, people)
    assert (result.both, result.metric_only, result.people_only) == (1, 0, 1)
    assert (result.neither, result.opposite, result.left_out) == (0, 1, 0)
    assert (result.agreements, result.disagreements) == (1, 2)
    assert (result.found, result.false_discoveries) == (1 / 3, 0)
    # Verdicts without p are left out.
    p, d = [[1, NONE], [NONE, 1]], np.zeros((2, 2))
    result = discrimination(p, d, p, d)
    assert result.left_out == 1 and sum(result) == 1
    assert math.isnan(result.found) and math.isnan(result.false_discoveries)


# --- Letters: two members share a letter exactly if they do not differ ----------------------------


def table_of(size, pairs):
    different = np.zeros((size, size), bool)
    for i, k in pairs:
        different[i, k] = different[k, i] = True
    return different


@st.composite
def tables(draw, largest=9):
    size = draw(st.integers(1, largest))
    return table_of(size, [pair for pair in combinations(range(size), 2) if draw(st.booleans())])


def largest_alike(different):
    """By going through all groups: those without a pair that differs and not within another."""
    members = range(len(different))
    groups = [set(group) for count in members for group in combinations(members, count + 1)]
    fine = [g for g in groups if not any(different[pair] for pair in combinations(g, 2))]
    return sorted(tuple(sorted(group)) for group in fine if not any(group < g for g in fine))


def check_definition(different, display):
    labels = [set(text.split(",")) if "," in "".join(display) else set(text) for text in display]
    assert all(labels)
    for i, k in combinations(range(len(different)), 2):
        assert bool(labels[i] & labels[k]) == (not different[i, k])


@given(tables())
def test_groups_are_all_the_largest_ones(different):
    expected = largest_alike(different)
    assert groups_alike(different) == expected
    check_definition(different, compact_letters(different))
    # The definition holds too where there are too many groups to list all.
    groups = letters._enough_groups(different)
    assert set(groups) <= set(expected)
    pairs = combinations(range(len(different)), 2)
    together = {pair for group in groups for pair in combinations(group, 2)}
    assert together == {(i, k) for i, k in pairs if not different[i, k]}
    assert {member for group in groups for member in group} == set(range(len(different)))


def test_thousands_of_groups_are_not_counted_and_numbers_stand_for_letters_that_are_too_few():
    """Thirteen pairs that differ, and nothing else: 2 to the 13 largest groups."""
    different = table_of(26, [(i, i + 1) for i in range(0, 26, 2)])
    assert len(groups_alike(different)) <= 26 * 25 / 2
    check_definition(different, compact_letters(different))
    many = compact_letters(~np.eye(53, dtype=bool))
    assert many[0] == "1" and many[-1] == "53"
    assert compact_letters(~np.eye(52, dtype=bool))[-1] == "Z"
    different = ~np.eye(54, dtype=bool)
    different[0, 1:3] = different[1:3, 0] = False
    assert compact_letters(different)[:3] == ["1,2", "1", "2"]


# Of four, the first differs from the last two, the second from the last.
CHAIN = table_of(4, [(0, 2), (0, 3), (1, 3)])
# Three groups of three share a member by pairs; the group of these members is needless.
ALIKE = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (0, 4), (2, 4), (1, 5), (2, 5)]
RING = table_of(6, [pair for pair in combinations(range(6), 2) if pair not in ALIKE])


@pytest.mark.parametrize(("different", "groups", "display"), [
    (CHAIN, [(0, 1), (1, 2), (2, 3)], "a ab bc c"),
    (RING, [(0, 1, 2), (0, 1, 3), (0, 2, 4), (1, 2, 5)], "ab ac bc a b c"),
    (np.zeros((3, 3)), [(0, 1, 2)], "a a a"),
    (~np.eye(3, dtype=bool), [(0,), (1,), (2,)], "a b c"),
    # What stands on the diagonal says nothing.
    (np.ones((2, 2)), None, "a b"),
    (np.zeros((0, 0)), None, ""),
])  # fmt: skip
def test_displays_worked_by_hand(different, groups, display):
    assert compact_letters(different) == display.split()
    assert groups is None or groups_alike(different) == groups
