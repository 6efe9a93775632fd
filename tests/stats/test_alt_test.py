"""The alternative-annotator test: by hand, against plain loops, properties, and bad input."""

import math
import sys

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from summetry.stats.alt_test import advantage_difference, alt_test
from summetry.stats.multiple import benjamini_yekutieli

NAN = math.nan
ALIGNMENTS = st.sampled_from(["rmse", "accuracy"])


def near_by_loops(mark, others, alignment):
    """How near a mark is to those of others, as the authors' program says it."""
    if alignment == "accuracy":
        return sum(mark == other for other in others) / len(others)
    return -math.sqrt(sum((mark - other) ** 2 for other in others) / len(others))


def by_loops(judge, marks, alignment="rmse", epsilon=0.2, alpha=0.05):
    """Slow and plain: winning rate, average advantage, and p of each annotator who is tested.

    The t-test is scipy's, the correction the step-up rule itself.
    """
    advantages, p = [], []
    for left_out, own in enumerate(marks):
        is_as_near, differences = [], []
        for i, mark in enumerate(own):
            others = [row[i] for k, row in enumerate(marks) if k != left_out]
            others = [other for other in others if not math.isnan(other)]
            if math.isnan(mark) or math.isnan(judge[i]) or not others:
                continue
            human = near_by_loops(mark, others, alignment)
            machine = near_by_loops(judge[i], others, alignment)
            is_as_near.append(machine >= human)
            differences.append(int(human >= machine) - int(machine >= human))
        if len(is_as_near) >= 30:
            advantages.append(sum(is_as_near) / len(is_as_near))
            # Of differences that are all the same scipy has no p.
            if len({*differences}) == 1:
                p.append(float(differences[0] >= epsilon))
            else:
                p.append(stats.ttest_1samp(differences, epsilon, alternative="less").pvalue)
    harmonic, steps = sum(1 / k for k in range(1, len(p) + 1)), enumerate(sorted(p), 1)
    won = max((k for k, value in steps if value <= k / len(p) * alpha / harmonic), default=0)
    return won / len(p), sum(advantages) / len(p), p


@st.composite
def annotated(draw, least=30, most=45, people=None):
    """A judge and annotators, three to five unless ``people`` says it; some marks are missing."""
    size, people = draw(st.integers(least, most)), people or draw(st.integers(3, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    quality = rng.integers(1, 6, size)
    noise = rng.integers(-1, 2, (people + 1, size)) * (rng.random((people + 1, size)) < 0.6)
    marks = np.clip(quality + noise, 1, 5).astype(float)
    missing = rng.random((people, size)) < draw(st.sampled_from([0.0, 0.1]))
    return marks[0], np.where(missing, NAN, marks[1:])


@given(
    annotated(least=34), ALIGNMENTS, st.sampled_from([0.0, 0.1, 0.2]),
    st.randoms(), st.integers(-3, 3), st.sampled_from([0.5, 1, 10]),
)  # fmt: skip
def test_it_is_what_plain_loops_give(data, alignment, epsilon, random, shift, factor):
    """In any order of instances and annotators, and on any scale."""
    judge, marks = data
    # Enough that somebody is tested.
    assume(((~np.isnan(marks)).sum(axis=1) >= 34).any())
    test = alt_test(judge, marks, alignment, epsilon=epsilon)
    rate, advantage, p = by_loops(judge, marks, alignment, epsilon)
    assert (test.winning_rate, test.advantage) == pytest.approx((rate, advantage))
    tested = [row.p for row in test.against if not math.isnan(row.p)]
    assert tested == pytest.approx(p, rel=1e-9, abs=1e-300)
    instances, people = (random.sample(range(size), size) for size in marks.shape[::-1])
    moved = judge[instances] * factor + shift, marks[np.ix_(people, instances)] * factor + shift
    turned = alt_test(*moved, alignment, epsilon=epsilon)
    assert turned.winning_rate == test.winning_rate
    assert turned.advantage == pytest.approx(test.advantage)
    for i, who in enumerate(people):
        assert turned.against[i] == pytest.approx(test.against[who], nan_ok=True)


def repeated(columns, times=10):
    """Instances by hand, each so many times that there are enough."""
    return np.tile(np.array(columns, float), times)


def advantages(test):
    """Of the judge, and of the annotators."""
    rows = test.against
    return [row.advantage for row in rows], [row.annotator_advantage for row in rows]


def test_two_alignments_by_hand():
    """Three instances, ten times: marks of a, b, c are 1 1 2, then 4 5 5, then 3 3 3.

    The judge says 2, 5, 1. Squares of distances from the others, judge and the one left out:
    a  1+0 and 0+1 (tie)   0+0 and 1+1 (judge)   4+4 and 0 (a)
    b  1+0 and 0+1 (tie)   1+0 and 1+0 (tie)     4+4 and 0 (b)
    c  1+1 and 1+1 (tie)   1+0 and 1+0 (tie)     4+4 and 0 (c)
    So a judge is as near on two of three instances each time, a on two, b and c on three.
    """
    marks = repeated([[1, 4, 3], [1, 5, 3], [2, 5, 3]])
    judge = repeated([2, 5, 1])
    test = alt_test(judge, marks)
    expected = pytest.approx([2 / 3] * 3), pytest.approx([2 / 3, 1, 1])
    assert advantages(test) == expected
    assert test.advantage == pytest.approx(2 / 3)
    # d is 0, -1, 1 for a: mean 0, sum of squares 20 of 30; t = -.2 sqrt(30) / sqrt(20 / 29).
    t = -0.2 * math.sqrt(30) / math.sqrt(20 / 29)
    assert test.against[0].p == pytest.approx(stats.t.cdf(t, 29), rel=1e-9)
    # d is 0, 0, 1 for b and c: mean 1/3, which is not below .2.
    assert test.against[1].p == test.against[2].p > 0.9
    assert (test.winning_rate, test.passes) == (0.0, False)
    # Shares of equal marks: a 1/2 tie, judge 2/2 to 0/2, a; b 1/2 tie, 1/2 tie, b; c: 0 tie, 1/2
    # tie, c. The same, as it happens, but for nothing.
    assert advantages(alt_test(judge, marks, "accuracy")) == expected


def test_a_near_mark_is_nearer_by_rmse_and_as_far_by_accuracy():
    """All others say 5: the judge's 4 is nearer than a's 1, and neither is equal."""
    marks, judge = repeated([[1], [5], [5]], 30), repeated([4], 30)
    for alignment, both in {"rmse": (1, 0), "accuracy": (1, 1)}.items():
        first = alt_test(judge, marks, alignment).against[0]
        assert (first.advantage, first.annotator_advantage) == both
    # A copy of an annotator ties with that annotator.
    marks = np.random.default_rng(2).integers(1, 6, (3, 40)).astype(float)
    copied = alt_test(marks[1], marks).against[1]
    assert (copied.advantage, copied.annotator_advantage) == (1.0, 1.0)
    # d is 0 everywhere, or 1: t is infinite, and p the smallest number or 1.
    marks = repeated([[3], [3], [3]], 30)
    same, other = alt_test(repeated([3], 30), marks), alt_test(repeated([1], 30), marks)
    assert (same.winning_rate, same.advantage, same.passes) == (1.0, 1.0, True)
    assert {row.p for row in same.against} == {sys.float_info.min}
    assert (other.winning_rate, other.advantage) == (0.0, 0.0)
    assert {row.p for row in other.against} == {1.0}
    # Without epsilon the mean of d, 0, is not below it.
    assert alt_test(repeated([3], 30), marks, epsilon=0).winning_rate == 0.0


def test_an_annotator_with_few_instances_is_not_tested_but_counts_among_the_others():
    marks, judge = repeated([[4], [4], [4]], 40), repeated([4], 40)
    marks[2, 29:] = NAN
    # On the first 29 instances the third annotator sees something else than the first two.
    marks[2, :29], judge[:29] = 1, 2
    test = alt_test(judge, marks)
    third = test.against[2]
    assert third.instances == 29 and math.isnan(third.p) and not third.is_won
    assert np.isnan(test.indicators[2]).all()
    # Others of the first are 4 and 1: squares 4 + 1 of the judge, 0 + 9 of the annotator.
    assert test.against[0].advantage == 1.0
    # Of two p, both are multiplied: harmonic number 1.5, and the smaller one by 2.
    expected = benjamini_yekutieli([row.p for row in test.against[:2]])
    assert [row.corrected_p for row in test.against[:2]] == pytest.approx(expected)
    assert test.winning_rate == 1.0
    # Instances with one annotator or without the judge do not count.
    marks, judge = repeated([[1], [2], [3]], 50), repeated([2], 50)
    judge[:5] = NAN
    marks[1:, 5:12] = NAN
    assert [row.instances for row in alt_test(judge, marks).against] == [38, 38, 38]


# --- Two judges ----------------------------------------------------------------------------------


@given(st.integers(0, 2**32), st.integers(2, 6))
def test_the_difference_of_advantages_is_theirs_and_t_is_scipys(seed, topics):
    rng = np.random.default_rng(seed)
    marks = rng.integers(1, 6, (3, 8 * topics)).astype(float)
    number = np.repeat(np.arange(topics), 8)
    if len(number) < 30:
        marks, number = np.tile(marks, 4), np.tile(number, 4)
    tests = [alt_test(rng.integers(1, 6, len(number)), marks) for _ in range(2)]
    difference = advantage_difference(tests[0].indicators, tests[1].indicators, number)
    assert difference.value == pytest.approx(tests[0].advantage - tests[1].advantage, abs=1e-12)
    assert difference.topics == topics
    # As many instances of every topic: the mean difference of each topic is the sample.
    apart = np.array(tests[0].indicators) - np.array(tests[1].indicators)
    each = [np.mean(apart[:, number == k]) for k in range(topics)]
    if len(set(np.round(each, 12))) > 1:
        p = stats.ttest_1samp(each, 0, alternative="greater").pvalue
        assert difference.p == pytest.approx(p, rel=1e-6, abs=1e-12)
    back = advantage_difference(tests[1].indicators, tests[0].indicators, number)
    assert back.value == pytest.approx(-difference.value, abs=1e-12)


def test_a_judge_is_not_better_than_itself_and_only_instances_of_both_are_compared():
    marks = np.random.default_rng(5).integers(1, 6, (3, 40)).astype(float)
    indicators = alt_test(marks[0], marks).indicators
    same = advantage_difference(indicators, indicators, np.repeat([0, 1], 20))
    assert (same.value, same.p) == (0.0, 1.0)
    # One topic gives no p.
    alone = advantage_difference(indicators, indicators, np.zeros(40, int))
    assert alone.value == 0.0 and math.isnan(alone.p)
    # The first has 1 1 1 0 and the second - 1 0 0 of one annotator: 1/3 on three instances.
    first, second = np.array([[1.0, 1, 1, 0]]), np.array([[NAN, 1.0, 0, 0]])
    difference = advantage_difference(first, second, [0, 1, 2, 3])
    assert difference.value == pytest.approx(1 / 3) and difference.topics == 3
