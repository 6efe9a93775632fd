"""Many comparisons: by their definitions, and Tukey's test against scipy and tables."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.stats.discrimination import discrimination
from summetry.stats.multiple import (
    benjamini_hochberg,
    bonferroni,
    holm,
    partial_conjunction,
    significance_clusters,
    tukey_hsd,
)
from summetry.stats.studentized import range_tail, studentized_range_tail

NONE = math.nan
ps = st.lists(st.one_of(st.just(NONE), st.floats(0, 1)), max_size=8)


def holm_finds(p, alpha):
    """Holm's procedure as he wrote it: step down until one is not significant."""
    left = sorted((value, i) for i, value in enumerate(p) if not math.isnan(value))
    result = set()
    for k, (value, i) in enumerate(left):
        if value * (len(left) - k) > alpha:
            break
        result.add(i)
    return result


def hochberg_finds(p, alpha):
    """Benjamini and Hochberg's: the largest k with p_k <= k alpha / m, and all before it."""
    left = sorted((value, i) for i, value in enumerate(p) if not math.isnan(value))
    count = len(left)
    passed = [k for k, (value, _) in enumerate(left, 1) if value * (count / k) <= alpha]
    return {i for _, i in left[: max(passed, default=0)]}


@given(ps, st.floats(0.001, 0.5))
def test_adjusted_p_finds_what_the_procedure_finds(p, alpha):
    for adjust, finds in ((holm, holm_finds), (benjamini_hochberg, hochberg_finds)):
        adjusted = adjust(p)
        assert set(np.flatnonzero(adjusted <= alpha).tolist()) == finds(p, alpha)


@given(ps)
def test_adjusted_p_is_larger_and_bonferroni_s_the_largest(p):
    given_p = np.array(p, dtype=np.float64)
    there = ~np.isnan(given_p)
    a, b, c = benjamini_hochberg(p)[there], holm(p)[there], bonferroni(p)[there]
    assert (given_p[there] <= a).all() and (b <= c).all() and (c <= 1).all()
    # Rounding of m / k times p against m p.
    assert (a <= b * (1 + 1e-12)).all()
    assert np.isnan(holm(p)[~there]).all()


def test_a_list_by_hand():
    """.01 .02 .03 .04: Holm 4 x .01, 3 x .02, then 2 x .03 and .04, not below the one before."""
    p = [0.03, 0.01, 0.04, 0.02]
    assert holm(p) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert benjamini_hochberg(p) == pytest.approx([0.04] * 4)
    assert bonferroni(p) == pytest.approx([0.12, 0.04, 0.16, 0.08])
    assert holm([]).tolist() == []
    assert partial_conjunction([0.01, NONE, 0.02]).places == (0, 2)


def test_p_must_be_p():
    with pytest.raises(SummetryError, match=r"between 0 and 1, got \[1.5\]"):
        holm([1.5])
    with pytest.raises(SummetryError, match="one list, got 2 dimensions"):
        bonferroni(np.ones((2, 2)))


# Published upper 5 % and 1 % points of the studentized range, to three figures behind the point.
POINTS = [
    (3.877, 3, 10, 0.05), (5.270, 3, 10, 0.01), (3.958, 4, 20, 0.05), (4.232, 5, 20, 0.05),
    (17.97, 2, 1, 0.05), (3.314, 3, 1_000_000, 0.05), (4.735, 10, 40, 0.05),
]  # fmt: skip


@pytest.mark.parametrize(("q", "groups", "freedom", "p"), POINTS)
def test_the_studentized_range_has_its_published_points(q, groups, freedom, p):
    assert studentized_range_tail(np.array([q]), groups, freedom)[0] == pytest.approx(p, rel=2e-3)


@pytest.mark.parametrize("freedom", [1, 3, 8, 9, 60])
def test_the_range_of_two_is_student_s_t(freedom):
    from scipy.special import stdtr

    q = np.array([0.1, 1.0, 3.0, 6.0])
    expected = 2 * stdtr(freedom, -q / math.sqrt(2))
    assert studentized_range_tail(q, 2, freedom) == pytest.approx(expected, abs=1e-9)


def test_the_studentized_range_is_that_of_scipy():
    from scipy.stats import studentized_range

    q = np.array([0.5, 2.0, 4.0, 7.0])
    for groups, freedom in ((3, 6), (8, 20), (20, 100)):
        expected = studentized_range.sf(q, groups, freedom)
        assert studentized_range_tail(q, groups, freedom) == pytest.approx(expected, abs=1e-8)


def test_a_range_is_above_0_for_sure_and_rarely_large():
    result = range_tail(np.array([0.0, 3.0, 30.0]), 5)
    assert result[0] == pytest.approx(1) and 0 < result[2] < 1e-90 < result[1] < 1


def test_tukey_is_that_of_scipy_with_missing_cells_too():
    from scipy.stats import f_oneway
    from scipy.stats import tukey_hsd as theirs

    rng = np.random.default_rng(0)
    x = rng.normal(size=(4, 1)) + rng.normal(size=(4, 6))
    x[0, 1] = x[2, 0] = x[2, 3] = np.nan
    rows = [row[~np.isnan(row)] for row in x]
    result = tukey_hsd(x)
    expected = theirs(*rows)
    assert result.p == pytest.approx(expected.pvalue, abs=1e-8)
    assert result.differences == pytest.approx(expected.statistic, abs=1e-12)
    assert result.anova == pytest.approx(f_oneway(*rows).pvalue, rel=1e-9)
    assert result.freedom == 24 - 3 - 4


def test_tukey_at_its_edges():
    one = tukey_hsd([[1.0, 2.0]])
    assert np.isnan(one.p).all() and "two systems with a score, got 1" in one.reason
    single = tukey_hsd([[1.0], [2.0]])
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


def test_clusters_begin_where_somebody_above_is_better():
    """a, b, c fall slowly: a beats c, nobody beats b; d is beaten by c."""
    p = np.ones((4, 4))
    p[0, 2] = p[2, 3] = 0.01
    assert significance_clusters([0.9, 0.8, 0.7, 0.1], p) == [1, 1, 2, 3]
    # Only those of the rank itself count: a beats d too, but c, with whom d is, does not.
    p[0, 3], p[2, 3] = 0.01, 1
    assert significance_clusters([0.9, 0.8, 0.7, 0.1], p) == [1, 1, 2, 2]
    p[0, 3], p[2, 3] = 1, 0.01
    # Whatever the order of the rows.
    order = [2, 0, 3, 1]
    turned = significance_clusters([0.7, 0.9, 0.1, 0.8], p[np.ix_(order, order)])
    assert turned == [2, 1, 3, 1]


def test_clusters_at_their_edges():
    assert significance_clusters([], np.zeros((0, 0))) == []
    assert significance_clusters([NONE, 1.0], np.ones((2, 2))) == [0, 1]
    # Alpha itself is significant; equal values are in the order given.
    assert significance_clusters([1, 1], [[1, 0.05], [1, 1]]) == [1, 2]
    with pytest.raises(SummetryError, match=r"3 values need a p for each pair, 3 x 3, got"):
        significance_clusters([1, 2, 3], [[1]])


def test_verdicts_by_hand():
    """Three systems. Metric: 0 > 1, 0 > 2. People: 0 > 1, 2 > 0, 1 > 2."""
    metric_p = [[1, 0.01, 0.01], [0.01, 1, 0.5], [0.01, 0.5, 1]]
    metric = [[0, 1, 1], [-1, 0, 0], [-1, 0, 0]]
    people_p = [[1, 0.01, 0.01], [0.01, 1, 0.01], [0.01, 0.01, 1]]
    people = [[0, 1, -1], [-1, 0, 1], [1, -1, 0]]
    result = discrimination(metric_p, metric, people_p, people)
    assert (result.both, result.metric_only, result.people_only) == (1, 0, 1)
    assert (result.neither, result.opposite, result.left_out) == (0, 1, 0)
    assert (result.agreements, result.disagreements) == (1, 2)
    assert (result.found, result.false_discoveries) == (1 / 3, 0)


def test_verdicts_without_p_are_left_out():
    p, d = [[1, NONE], [NONE, 1]], np.zeros((2, 2))
    result = discrimination(p, d, p, d)
    assert result.left_out == 1 and sum(result) == 1
    assert math.isnan(result.found) and math.isnan(result.false_discoveries)
    with pytest.raises(SummetryError, match="four square tables of one size"):
        discrimination([[1]], [[1]], [[1, 2]], [[1]])
