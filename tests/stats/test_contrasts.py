"""Tests of many pairs at once, against going through all signs, scipy, and one pair at a time."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.stats import contrasts
from summetry.stats.contrasts import Differences, bootstrap_rows, differences, p_of_pairs
from summetry.stats.paired import paired_t_test, permutation_test

TESTS = ("permutation", "t", "wilcoxon", "bootstrap")
scores = st.integers(0, 20)
pairs = st.lists(st.tuples(scores, scores), min_size=2, max_size=8)


def of_two(x, y):
    table = np.array([x, y], np.float64)
    return differences(table, np.array([0]), np.array([1]))


def p_of(x, y, test, **settings):
    return float(p_of_pairs(of_two(x, y), test, **settings)[0])


def columns(pairs, scale=1.0):
    return [x / scale for x, _ in pairs], [y / scale for _, y in pairs]


def share_as_far(values):
    """The share of all choices of signs with a sum as far from 0."""
    seen = abs(sum(values))
    sums = [
        abs(sum(s * v for s, v in zip(signs, values, strict=True)))
        for signs in product((1, -1), repeat=len(values))
    ]
    return sum(total >= seen for total in sums) / len(sums)


def plain_ranks(differences):
    """Signed doubled mean ranks of whole numbers, zeros left out."""
    kept = [d for d in differences if d]
    sizes = [abs(d) for d in kept]
    ranks = [sum(s < size for s in sizes) * 2 + sizes.count(size) + 1 for size in sizes]
    return [rank if d > 0 else -rank for rank, d in zip(ranks, kept, strict=True)]


@given(pairs)
@settings(max_examples=50)
def test_permutations_and_ranks_agree_with_going_through_all_signs(pairs):
    whole = [x - y for x, y in pairs]
    # Tenths as floats: ties of sums and of ranks must be found in spite of their rounding.
    x, y = columns(pairs, 10)
    assert p_of(x, y, "permutation") == share_as_far(whole)
    assert p_of(x, y, "wilcoxon") == pytest.approx(share_as_far(plain_ranks(whole)))


def test_a_search_in_halves_finds_what_all_sums_have():
    rng = np.random.default_rng(5)
    for topics in range(2, 20):
        x, y = rng.random((2, topics))
        assert p_of(x, y, "permutation") == permutation_test(x.tolist(), y.tolist()).p


def test_t_is_that_of_one_pair_and_of_scipy():
    from scipy import stats

    rng = np.random.default_rng(6)
    table = rng.random((5, 12))
    i, k = np.triu_indices(5, 1)
    pair = p_of_pairs(differences(table, i, k), "t")
    for p, a, b in zip(pair, i, k, strict=True):
        assert p == pytest.approx(paired_t_test(table[a].tolist(), table[b].tolist()).p)
        assert p == pytest.approx(stats.ttest_rel(table[a], table[b]).pvalue)


@pytest.mark.parametrize("topics", [6, 30, 90])
def test_wilcoxon_is_that_of_scipy_without_ties(topics):
    from scipy import stats

    rng = np.random.default_rng(topics)
    x, y = rng.random((2, topics))
    expected = stats.wilcoxon(x, y, method="exact").pvalue
    assert p_of(x, y, "wilcoxon") == pytest.approx(expected)


def test_wilcoxon_of_many_topics_is_the_normal_one_of_scipy_with_ties():
    from scipy import stats

    rng = np.random.default_rng(8)
    x, y = rng.integers(0, 9, (2, 300)).astype(float)
    expected = stats.wilcoxon(x, y, zero_method="wilcox", method="asymptotic").pvalue
    assert p_of(x, y, "wilcoxon") == pytest.approx(expected)


def test_hand_worked_pairs():
    """Differences 1, 2, 3: two of eight choices of signs reach 6; ranks are the differences."""
    x, y = [3, 5, 7], [2, 3, 4]
    assert p_of(x, y, "permutation") == 2 / 8
    assert p_of(x, y, "wilcoxon") == 2 / 8
    t = 2 * math.sqrt(3)
    assert p_of(x, y, "t") == pytest.approx(1 - t / math.sqrt(2 + t * t))
    # Differences 3, -1, 1, 0: ranks 3, 1.5, 1.5, none; 3 is reached by 6 of 8 sums of ranks.
    assert p_of([4, 1, 2, 5], [1, 2, 1, 5], "wilcoxon") == 6 / 8
    p = of_two([4, 1, 2, 5], [1, 2, 1, 5])
    assert p.means() == 0.75
    # Two won, one tied, one lost.
    assert p.superiority() == 2.5 / 4
    # Of the mean, three quarters, they are 9, 7, 1 and 3 quarters apart.
    assert p.deviations() == pytest.approx(math.sqrt((81 + 49 + 1 + 9) / 16 / 3))


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


@given(pairs, st.sampled_from(TESTS))
@settings(max_examples=50)
def test_p_is_symmetrical_and_between_0_and_1(pairs, test):
    x, y = columns(pairs)
    there, back = p_of(x, y, test, draws=50), p_of(y, x, test, draws=50)
    assert there == back or (math.isnan(there) and math.isnan(back))
    assert math.isnan(there) or 0 < there <= 1


@pytest.mark.parametrize("test", TESTS)
def test_identical_systems_have_p_1_and_one_topic_has_none(test):
    same = [0.1 + 0.2, 0.7, 0.9]
    assert p_of(same, [0.3, 0.7, 0.9], test) == 1
    assert p_of(same * 20, same * 20, test) == 1
    assert math.isnan(p_of([0.5], [0.1], test))
    assert math.isnan(p_of([0.5, np.nan], [0.1, 0.3], test))
    assert math.isnan(p_of([np.nan] * 3, [0.1, 0.3, 0.4], test))


def test_constant_differences_have_no_t_and_no_spread_to_draw_from():
    x, y = [0.3, 0.6, 0.9], [0.2, 0.5, 0.8]
    assert math.isnan(p_of(x, y, "t")) and math.isnan(p_of(x, y, "bootstrap"))
    assert p_of(x, y, "permutation") == p_of(x, y, "wilcoxon") == 2 / 8


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("topics", [8, 40])
def test_a_missing_topic_counts_as_if_it_were_not_there(test, topics):
    rng = np.random.default_rng(topics)
    x, y = rng.random((2, topics))
    with_gaps = np.insert(x, 3, np.nan), np.insert(y, 3, 0.5)
    alone, gone = of_two(x, y), of_two(*with_gaps)
    assert gone.topics() == topics
    assert gone.means() == pytest.approx(alone.means())
    assert gone.deviations() == pytest.approx(alone.deviations())
    assert gone.superiority() == alone.superiority()
    p = [float(p_of_pairs(pair, test, draws=4000)[0]) for pair in (alone, gone)]
    # Draws are of another number of topics, so that they differ by chance.
    assert p[0] == pytest.approx(p[1], abs=0.04)


@pytest.mark.parametrize("test", TESTS)
def test_pairs_do_not_depend_on_the_others_nor_on_blocks(test, monkeypatch):
    rng = np.random.default_rng(2)
    table = rng.random((4, 30))
    table[1, 4] = np.nan
    i, k = np.triu_indices(4, 1)
    whole = p_of_pairs(differences(table, i, k), test, draws=300, seed=3)
    monkeypatch.setattr(contrasts, "_BLOCK", 1)
    again = p_of_pairs(differences(table, i, k), test, draws=300, seed=3)
    assert whole.tolist() == again.tolist()
    single = [p_of_pairs(differences(table, i[[j]], k[[j]]), test, 300, 3)[0] for j in range(6)]
    assert whole.tolist() == pytest.approx(single)


def test_drawn_signs_come_near_to_all_of_them(monkeypatch):
    rng = np.random.default_rng(1)
    x, y = rng.random((2, 14))
    exact = p_of(x, y, "permutation")
    monkeypatch.setattr(contrasts, "MOST_EXACT", 0)
    drawn = p_of(x, y, "permutation", draws=20_000)
    assert abs(drawn - exact) < 5 * math.sqrt(0.25 / 20_000)
    assert drawn == p_of(x, y, "permutation", draws=20_000)
    assert drawn != p_of(x, y, "permutation", draws=20_000, seed=1)


def test_many_topics_that_all_differ_have_the_smallest_p_of_the_draws():
    x, y = np.linspace(0.5, 0.9, 40), np.linspace(0.1, 0.2, 40)
    assert p_of(x, y, "permutation", draws=999) == 1 / 1000
    assert p_of(x, y, "bootstrap", draws=999) == 1 / 1000
    assert 0 < p_of(x, y, "t") < 1e-20 and p_of(x, y, "wilcoxon") == 2 / 2**40


def test_intervals_hold_the_mean_and_fewer_than_two_numbers_have_none():
    rows = np.array([[0.1, 0.4, 0.3, 0.9], [0.5, np.nan, np.nan, np.nan], [np.nan] * 4, [0.2] * 4])
    p = bootstrap_rows(rows, 2000)
    assert 0.1 < p.low[0] < np.mean(rows[0]) < p.high[0] < 0.9
    assert np.isnan(p.low[1:3]).all() and np.isnan(p.p[1:3]).all()
    assert p.low[3] == p.high[3] == pytest.approx(0.2)
    narrow = bootstrap_rows(rows, 2000, confidence=0.5)
    assert p.low[0] < narrow.low[0] < narrow.high[0] < p.high[0]


def test_no_pairs_have_no_p():
    nothing = Differences(np.zeros((0, 3)), np.zeros(0))
    for test in TESTS:
        assert len(p_of_pairs(nothing, test)) == 0


def test_mistakes_are_named():
    pair = of_two([1, 2], [2, 4])
    with pytest.raises(SummetryError, match=r"no paired test is named 'z'. Known: bootstrap, perm"):
        p_of_pairs(pair, "z")
    with pytest.raises(SummetryError, match="draws must be 1 or more, got 0"):
        p_of_pairs(pair, draws=0)
    with pytest.raises(SummetryError, match="a confidence is between 0 and 1"):
        bootstrap_rows(pair.values, confidence=95)
