"""Paired tests of two systems, and of many pairs at once: all signs, scipy, hand-worked examples.

The golden cases of the t-test are in test_golden_papers.py.
"""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from summetry.stats import contrasts, permutation
from summetry.stats.contrasts import Differences, bootstrap_rows, differences, p_of_pairs
from summetry.stats.paired import paired_t_test, permutation_test
from summetry.stats.power import corpus_power, detection_power, smallest_difference, topics_needed

NAN = math.nan
TESTS = ("permutation", "t", "wilcoxon", "bootstrap")
every_test = pytest.mark.parametrize("test", TESTS)


def pairs_of(values, least=2):
    return st.lists(st.tuples(values, values), min_size=least, max_size=8)


few_scores, many_scores = pairs_of(st.integers(0, 20)), pairs_of(st.integers(0, 1000), 1)


def columns(pairs, scale=1):
    return [x / scale for x, _ in pairs], [y / scale for _, y in pairs]


def of_two(x, y):
    return differences(np.array([x, y], np.float64), np.array([0]), np.array([1]))


def p_of(x, y, test, **settings):
    return float(p_of_pairs(of_two(x, y), test, **settings)[0])


def share_as_far(values):
    """The share of all choices of signs with a sum as far from 0."""
    seen, size = abs(sum(values)), len(values)
    ways = product((1, -1), repeat=size)
    sums = [abs(sum(s * v for s, v in zip(signs, values, strict=True))) for signs in ways]
    return sum(total >= seen for total in sums) / len(sums)


def plain_ranks(differences):
    """Signed doubled mean ranks of whole numbers, zeros left out."""
    changed = [d for d in differences if d]
    sizes = [abs(d) for d in changed]
    ranks = [sum(s < size for s in sizes) * 2 + sizes.count(size) + 1 for size in sizes]
    return [rank if d > 0 else -rank for rank, d in zip(ranks, changed, strict=True)]


@given(few_scores)
def test_permutations_and_ranks_agree_with_going_through_all_signs(pairs):
    whole = [x - y for x, y in pairs]
    # Tenths as floats: ties of sums and of ranks must be found in spite of their rounding.
    x, y = columns(pairs, 10)
    assert p_of(x, y, "permutation") == share_as_far(whole)
    assert p_of(x, y, "wilcoxon") == pytest.approx(share_as_far(plain_ranks(whole)))


@given(many_scores)
def test_permutations_of_one_pair_agree_with_going_through_all_signs(pairs):
    x, y = columns(pairs, 1000)
    result, back = permutation_test(x, y), permutation_test(y, x)
    assert result.p == share_as_far([x - y for x, y in pairs])
    assert result.is_exact and result.permutations == 2 ** len(pairs)
    # Who is named first makes no difference but of sign.
    assert (back.difference, back.p) == (-result.difference, result.p)


@pytest.mark.parametrize("topics", [2, 3, 8, 15, 18, 19])
def test_a_search_in_halves_finds_what_all_sums_have(topics):
    x, y = np.random.default_rng(topics).random((2, topics))
    assert p_of(x, y, "permutation") == permutation_test(x.tolist(), y.tolist()).p


@given(many_scores)
def test_t_agrees_with_scipy(pairs):
    x, y = columns(pairs)
    result = paired_t_test(x, y)
    if len({a - b for a, b in pairs}) < 2:
        assert math.isnan(result.t) and math.isnan(result.p)
        return
    expected = stats.ttest_rel(x, y)
    assert result.t == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
    assert result.p == pytest.approx(expected.pvalue, rel=1e-9)
    assert p_of(x, y, "t") == pytest.approx(expected.pvalue)
    assert result.df == len(pairs) - 1


@pytest.mark.parametrize(("topics", "highest", "method"), [
    (6, 0, "exact"), (30, 0, "exact"), (90, 0, "exact"), (300, 9, "asymptotic"),
])  # fmt: skip
def test_wilcoxon_is_that_of_scipy(topics, highest, method):
    """Exact without ties; of many topics with ties it is the normal one, zeros left out."""
    rng = np.random.default_rng(topics)
    x, y = rng.integers(0, highest, (2, topics)) * 1.0 if highest else rng.random((2, topics))
    expected = stats.wilcoxon(x, y, zero_method="wilcox", method=method).pvalue
    assert p_of(x, y, "wilcoxon") == pytest.approx(expected)


def test_a_bootstrap_comes_near_to_drawing_in_every_way():
    """Three topics can be drawn in 27 ways; their means are counted here one by one."""
    values = [0.1, 0.2, 0.6]
    means = [sum(drawn) / 3 for drawn in product(values, repeat=3)]
    mean = sum(values) / 3
    share = sum(abs(m - mean) >= mean - 1e-9 for m in means) / 27
    p = bootstrap_rows(np.array([values]), 20_000, seed=1)
    # Five standard errors of a share of 20,000.
    assert abs(p.p[0] - share) < 5 * math.sqrt(share * (1 - share) / 20_000)
    # One way in 27 gives each extreme: more than the 2.5 per cent beyond the ends.
    assert p.low[0] == pytest.approx(0.1) and p.high[0] == pytest.approx(0.6)


def test_pairs_worked_by_hand():
    """Differences 1, 2, 3: two of eight choices of signs reach 6; ranks are the differences.

    Their mean is 2 and their standard deviation 1, so t = 2 / (1 / sqrt(3)), and with two degrees
    of freedom p has a closed form.
    """
    x, y = [3, 5, 7], [2, 3, 4]
    t = 2 * math.sqrt(3)
    assert p_of(x, y, "permutation") == p_of(x, y, "wilcoxon") == 2 / 8
    assert p_of(x, y, "t") == pytest.approx(1 - t / math.sqrt(2 + t * t))
    # Differences 3, -1, 1, 0: ranks 3, 1.5, 1.5, none; 3 is reached by 6 of 8 sums of ranks.
    assert p_of([4, 1, 2, 5], [1, 2, 1, 5], "wilcoxon") == 6 / 8
    pair = of_two([4, 1, 2, 5], [1, 2, 1, 5])
    assert pair.means() == 0.75
    # Two won, one tied, one lost.
    assert pair.superiority() == 2.5 / 4
    # Of the mean, three quarters, they are 9, 7, 1 and 3 quarters apart.
    assert pair.deviations() == pytest.approx(math.sqrt((81 + 49 + 1 + 9) / 16 / 3))


@every_test
def test_identical_systems_have_p_1_and_one_topic_has_none(test):
    same = [0.1 + 0.2, 0.7, 0.9]
    assert p_of(same, [0.3, 0.7, 0.9], test) == p_of(same * 20, same * 20, test) == 1
    for pair in (([0.5], [0.1]), ([0.5, NAN], [0.1, 0.3]), ([NAN] * 3, [0.1, 0.3, 0.4])):
        assert math.isnan(p_of(*pair, test))
    assert len(p_of_pairs(Differences(np.zeros((0, 3)), np.zeros(0)), test)) == 0
    x = [0.3, 0.7, 0.1]
    assert permutation_test(x, x).p == permutation_test(x * 20, x * 20).p == 1
    assert math.isnan(paired_t_test(x, x).p) and math.isnan(paired_t_test([1], [0]).df)
    assert math.isnan(paired_t_test([], []).p) and math.isnan(permutation_test([], []).p)
    assert permutation_test([Fraction(1, 3)], [0]).p == 1


def test_constant_differences_have_no_spread_and_intervals_hold_the_mean():
    """In spite of their rounding."""
    x, y = [0.1 + 0.2, 0.7, 0.9], [0.2, 0.6, 0.8]
    result = paired_t_test(x, y)
    assert math.isnan(result.t) and result.df == 2
    assert math.isnan(p_of(x, y, "t")) and math.isnan(p_of(x, y, "bootstrap"))
    assert p_of(x, y, "permutation") == p_of(x, y, "wilcoxon") == 2 / 8
    # Intervals hold the mean, and fewer than two numbers have none.
    rows = np.array([[0.1, 0.4, 0.3, 0.9], [0.5, np.nan, np.nan, np.nan], [np.nan] * 4, [0.2] * 4])
    p = bootstrap_rows(rows, 2000)
    assert 0.1 < p.low[0] < np.mean(rows[0]) < p.high[0] < 0.9
    assert np.isnan(p.low[1:3]).all() and np.isnan(p.p[1:3]).all()
    assert p.low[3] == p.high[3] == pytest.approx(0.2)
    narrow = bootstrap_rows(rows, 2000, confidence=0.5)
    assert p.low[0] < narrow.low[0] < narrow.high[0] < p.high[0]


@every_test
@pytest.mark.parametrize("topics", [8, 40])
def test_a_missing_topic_counts_as_if_it_were_not_there(test, topics):
    x, y = np.random.default_rng(topics).random((2, topics))
    pair, with_gap = of_two(x, y), of_two(np.insert(x, 3, np.nan), np.insert(y, 3, 0.5))
    assert with_gap.topics() == topics
    assert with_gap.means() == pytest.approx(pair.means())
    assert with_gap.deviations() == pytest.approx(pair.deviations())
    assert with_gap.superiority() == pair.superiority()
    p = [float(p_of_pairs(table, test, draws=4000)[0]) for table in (pair, with_gap)]
    # Draws are of another number of topics, so that they differ by chance.
    assert p[0] == pytest.approx(p[1], abs=0.04)


@every_test
def test_pairs_do_not_depend_on_the_others_nor_on_blocks(test, monkeypatch):
    table = np.random.default_rng(2).random((4, 30))
    table[1, 4] = np.nan
    i, k = np.triu_indices(4, 1)
    whole = p_of_pairs(differences(table, i, k), test, draws=300, seed=3)
    monkeypatch.setattr(contrasts, "_BLOCK", 1)
    in_blocks = p_of_pairs(differences(table, i, k), test, draws=300, seed=3)
    assert whole.tolist() == in_blocks.tolist()
    single = [p_of_pairs(differences(table, i[[j]], k[[j]]), test, 300, 3)[0] for j in range(6)]
    assert whole.tolist() == pytest.approx(single)


def four_rows():
    """3,000 topics: skewed; one score outweighs all others; two values only; gaps."""
    rng = np.random.default_rng(5)
    rows = rng.exponential(size=(4, 3000)) ** 2 - 1.95
    rows[1, 7], rows[2] = 2000, rng.integers(0, 2, 3000) - 0.49
    rows[3, rng.random(3000) < 0.4] = NAN
    return rows


def test_many_topics_have_the_limit_of_their_resamples(monkeypatch):
    """A share of 2,000 draws near .025 has the deviation .0035, and p near .5 that of .011."""
    rows = four_rows()
    drawn, share = contrasts._drawn_means(rows, 2000, 3), bootstrap_rows(rows, 2000, 3).p
    monkeypatch.setattr(contrasts, "MANY_COLUMNS", 2999)
    limit = bootstrap_rows(rows, 2000)
    assert (drawn <= limit.low[:, None]).mean(axis=1) == pytest.approx([0.025] * 4, abs=0.014)
    assert (drawn >= limit.high[:, None]).mean(axis=1) == pytest.approx([0.025] * 4, abs=0.014)
    assert limit.p.tolist() == pytest.approx(share.tolist(), abs=0.045)
    # Of numbers of two kinds it is the binomial distribution, whose steps are 1 / 3,000.
    mean = np.count_nonzero(rows[2] > 0) / 3000
    ends = stats.binom(3000, mean).ppf([0.025, 0.975]) / 3000 - 0.49
    assert [limit.low[2], limit.high[2]] == pytest.approx(ends.tolist(), abs=1.1 / 3000)
    # Equal numbers have no spread, and one has no interval.
    flat = np.full((2, 3000), 0.3)
    flat[1, 1:] = NAN
    assert bootstrap_rows(flat, 99).low.tolist() == pytest.approx([0.3, NAN], nan_ok=True)
    assert bootstrap_rows(flat, 99).p.tolist() == pytest.approx([0.01, NAN], nan_ok=True)


def test_signs_of_many_topics_are_drawn_eight_at_a_time(monkeypatch):
    """Sums of signs of ones have the binomial distribution."""
    monkeypatch.setattr(permutation, "_ROWS", 2)
    ones = np.where(np.arange(5001) < 2530, 1.0, -1.0)
    rows = np.array([ones, np.where(np.arange(5001) < 9, ones, 0.0), ones / 3])
    p = permutation.p_of_drawn_signs(rows, np.full(3, 1e-12), 4000, 1)
    exact = stats.binomtest(2530, 5001).pvalue
    # Four deviations of a share of 4,000 draws.
    assert p[0] == pytest.approx(exact, abs=0.032) and p[0] == p[2]
    assert p[1] == pytest.approx(2 / 2**9, abs=0.004)
    assert p.tolist() == permutation.p_of_drawn_signs(rows, np.full(3, 1e-12), 4000, 1).tolist()


def test_many_topics_that_all_differ_have_the_smallest_p_of_the_draws_and_none_is_0():
    x, y = np.linspace(0.5, 0.9, 40).tolist(), np.linspace(0.1, 0.2, 40).tolist()
    assert p_of(x, y, "permutation", draws=999) == p_of(x, y, "bootstrap", draws=999) == 1 / 1000
    assert 0 < p_of(x, y, "t") < 1e-20 and p_of(x, y, "wilcoxon") == 2 / 2**40
    result = permutation_test(x, y, draws=999)
    assert (result.is_exact, result.permutations, result.p) == (False, 999, 1 / 1000)

    # Of 500 topics with a difference of 1 and hardly any spread: beyond what a float can hold.
    result = paired_t_test([1 + (topic % 2) * 1e-6 for topic in range(500)], [0.0] * 500)
    assert result.t > 1e6 and result.p > 0


# --- Power of the paired t-test: against scipy's noncentral t, published sizes, and simulation ----


@given(st.floats(0, 3), st.floats(0.1, 2), st.integers(2, 200), st.sampled_from([0.05, 0.001]))
def test_power_is_that_of_the_noncentral_t(difference, deviation, topics, alpha):
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


def test_published_sample_sizes():
    """Cohen's d, and the pairs that a two-sided paired t-test at 0.05 needs for this power."""
    for d, power, topics in ((0.2, 0.8, 199), (0.5, 0.8, 34), (0.8, 0.8, 15), (0.5, 0.95, 54)):
        assert topics_needed(d, 1.0, power) == topics_needed(-3 * d, 3.0, power) == topics


@given(st.floats(0.05, 2), st.floats(0.1, 2), st.sampled_from([0.5, 0.8, 0.99]))
def test_so_many_topics_are_enough_and_one_less_is_not(difference, deviation, power):
    needed = topics_needed(difference, deviation, power)
    assert detection_power(difference, deviation, needed) >= power
    assert needed == 2 or detection_power(difference, deviation, needed - 1) < power
    smallest = smallest_difference(needed, deviation, power)
    assert smallest <= difference * (1 + 1e-9)
    assert detection_power(smallest, deviation, needed) == pytest.approx(power, abs=1e-6)

    # A difference of 0 is found as often as alpha, and one without a spread always.
    assert detection_power(0.0, 1.0, 20, 0.05) == pytest.approx(0.05)
    assert detection_power(0.0, 0.0, 20, 0.05) == 0.05
    assert detection_power(0.1, 0.0, 20) == detection_power(1e6, 1.0, 20) == 1


def test_a_corpus_says_what_its_topics_can_show():
    """Differences of a and b: 0 2 (deviation sqrt 2); a and c: 1 1 (0); b and c: 1 -1 (sqrt 2)."""
    power = corpus_power([[0, 0], [0, -2], [-1, -1]])
    assert (power.topics, power.pairs, power.left_out) == (2, 3, 0)
    assert power.deviation == power.widest == pytest.approx(math.sqrt(2))
    assert power.smallest == power.smallest_of_widest
    assert power.smallest == pytest.approx(smallest_difference(2, math.sqrt(2)))

    # With missing cells, or without topics.
    power = corpus_power([[1, 2, NAN], [2, 1, 4], [NAN, NAN, 1]])
    assert (power.topics, power.pairs, power.left_out) == (2, 1, 2)
    power = corpus_power([[1.0], [2.0]])
    assert math.isnan(power.smallest) and "two topics in common" in power.reason
    assert math.isnan(smallest_difference(1, 1.0)) and math.isnan(detection_power(1, 1, 1))
    # Systems always as far apart: 1.1 - 1 and 0.3 - 0.2 are a tenth, but for noise.
    table = [[0.3, 1.1, 0.5], [0.2, 1.0, 0.4]]
    assert np.std(np.subtract(*table)) > 0
    power = corpus_power(table)
    assert (power.deviation, power.smallest) == (0, 0)
    assert corpus_power([[1, 2], [1, 2]]).smallest == 0
