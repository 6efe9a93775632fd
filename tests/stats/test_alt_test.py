"""The alternative-annotator test: by hand, against plain loops, properties, and bad input."""

import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.stats.alt_test import advantage_difference, alt_test
from summetry.stats.multiple import benjamini_yekutieli

NAN = math.nan
ALIGNMENTS = ("rmse", "accuracy")


def near_by_loops(mark, others, alignment):
    """How near a mark is to those of others, as the authors' program says it."""
    if alignment == "accuracy":
        return sum(mark == other for other in others) / len(others)
    return -math.sqrt(sum((mark - other) ** 2 for other in others) / len(others))


def found_by_loops(judge, marks, alignment="rmse", epsilon=0.2, alpha=0.05):
    """Slow and plain: winning rate, average advantage, and p of each annotator (None: not tested).

    The t-test is scipy's, the correction the step-up rule itself.
    """
    from scipy.stats import ttest_1samp

    advantages, p_values = [], []
    for left_out, own in enumerate(marks):
        ours, differences = [], []
        for place, mark in enumerate(own):
            others = [row[place] for k, row in enumerate(marks) if k != left_out]
            others = [other for other in others if not math.isnan(other)]
            if math.isnan(mark) or math.isnan(judge[place]) or not others:
                continue
            human = near_by_loops(mark, others, alignment)
            machine = near_by_loops(judge[place], others, alignment)
            ours.append(machine >= human)
            differences.append(int(human >= machine) - int(machine >= human))
        if len(ours) >= 30:
            advantages.append(sum(ours) / len(ours))
            # Of differences that are all the same scipy has no p.
            if len({*differences}) == 1:
                p_values.append(float(differences[0] >= epsilon))
            else:
                p_values.append(ttest_1samp(differences, epsilon, alternative="less").pvalue)
    number = len(p_values)
    harmonic = sum(1 / k for k in range(1, number + 1))
    ascending = sorted(p_values)
    found = [k for k in range(1, number + 1) if ascending[k - 1] <= k / number * alpha / harmonic]
    return max(found, default=0) / number, sum(advantages) / number, p_values


MARKS = st.integers(1, 5)


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


@given(annotated(least=40), st.sampled_from(ALIGNMENTS), st.sampled_from([0.0, 0.1, 0.2]))
def test_it_is_what_plain_loops_give(data, alignment, epsilon):
    judge, marks = data
    if ((~np.isnan(marks)).sum(axis=1) < 34).any():
        return  # Tested below, where annotators have too few instances.
    rate, advantage, p_values = found_by_loops(judge, marks, alignment, epsilon)
    test = alt_test(judge, marks, alignment, epsilon=epsilon)
    assert test.winning_rate == pytest.approx(rate)
    assert test.advantage == pytest.approx(advantage)
    for one, p in zip(test.against, p_values, strict=True):
        assert one.p == pytest.approx(p, rel=1e-9, abs=1e-300)


def repeated(columns, times=10):
    """Instances by hand, each so many times that there are enough."""
    return np.tile(np.array(columns, float), times)


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
    assert [one.advantage for one in test.against] == pytest.approx([2 / 3] * 3)
    assert [one.annotator_advantage for one in test.against] == pytest.approx([2 / 3, 1, 1])
    assert test.advantage == pytest.approx(2 / 3)
    # d is 0, -1, 1 for a: mean 0, sum of squares 20 of 30; t = -.2 sqrt(30) / sqrt(20 / 29).
    t = -0.2 * math.sqrt(30) / math.sqrt(20 / 29)
    assert test.against[0].p == pytest.approx(student_by_integral(t, 29), rel=1e-6)
    # d is 0, 0, 1 for b and c: mean 1/3, which is not below .2.
    assert test.against[1].p == test.against[2].p > 0.9
    assert (test.winning_rate, test.passes) == (0.0, False)
    # Shares of equal marks: a 1/2 tie, judge 2/2 to 0/2, a; b 1/2 tie, 1/2 tie, b; c: 0 tie, 1/2
    # tie, c. The same, as it happens, but for nothing.
    exact = alt_test(judge, marks, "accuracy")
    assert [one.advantage for one in exact.against] == pytest.approx([2 / 3] * 3)
    assert [one.annotator_advantage for one in exact.against] == pytest.approx([2 / 3, 1, 1])


def test_a_near_mark_is_nearer_by_rmse_and_as_far_by_accuracy():
    """All others say 5: the judge's 4 is nearer than a's 1, and neither is equal."""
    marks = repeated([[1], [5], [5]], 30)
    judge = repeated([4], 30)
    for alignment, both in {"rmse": (1, 0), "accuracy": (1, 1)}.items():
        one = alt_test(judge, marks, alignment).against[0]
        assert (one.advantage, one.annotator_advantage) == both


def student_by_integral(t, freedom):
    """P(T <= t) by the trapezoidal rule over the density."""
    x = np.linspace(-60, t, 400_001)
    front = math.gamma((freedom + 1) / 2) / (math.sqrt(freedom * math.pi) * math.gamma(freedom / 2))
    return float(np.trapezoid(front * (1 + x**2 / freedom) ** (-(freedom + 1) / 2), x))


def test_a_judge_that_always_ties_wins_and_one_that_never_does_loses():
    """d is 0 everywhere, or 1: t is infinite, and p the smallest number or 1."""
    marks = repeated([[3], [3], [3]], 30)
    same, other = alt_test(repeated([3], 30), marks), alt_test(repeated([1], 30), marks)
    assert (same.winning_rate, same.advantage, same.passes) == (1.0, 1.0, True)
    assert {one.p for one in same.against} == {sys.float_info.min}
    assert (other.winning_rate, other.advantage) == (0.0, 0.0)
    assert {one.p for one in other.against} == {1.0}


def test_without_epsilon_a_judge_that_always_ties_does_not_win():
    """Its mean of d is 0, which is not below 0."""
    marks = repeated([[3], [3], [3]], 30)
    assert alt_test(repeated([3], 30), marks, epsilon=0).winning_rate == 0.0


@given(annotated(people=3))
def test_a_judge_that_is_the_mean_of_all_is_as_near_as_everybody(data):
    """The others' mean is nearest of all marks by rmse, and the mean of all lies between it and
    the mark that is left out (the optimal jury of the paper)."""
    marks = np.where(np.isnan(data[1]), 3.0, data[1])
    test = alt_test(marks.mean(axis=0), marks)
    assert test.advantage == 1.0
    assert test.winning_rate == 1.0


@given(annotated(), st.sampled_from(ALIGNMENTS), st.randoms())
def test_the_order_of_instances_and_annotators_does_not_matter(data, alignment, random):
    judge, marks = data
    instances, people = list(range(len(judge))), list(range(len(marks)))
    try:
        test = alt_test(judge, marks, alignment)
    except SummetryError:
        return
    random.shuffle(instances)
    random.shuffle(people)
    other = alt_test(judge[instances], marks[np.ix_(people, instances)], alignment)
    assert other.winning_rate == test.winning_rate
    assert other.advantage == pytest.approx(test.advantage)
    for place, who in enumerate(people):
        assert other.against[place] == pytest.approx(test.against[who], nan_ok=True)


@given(annotated(), st.sampled_from(ALIGNMENTS), st.integers(-3, 3), st.sampled_from([0.5, 1, 10]))
def test_another_scale_of_all_marks_changes_nothing(data, alignment, shift, factor):
    judge, marks = data
    try:
        test = alt_test(judge, marks, alignment)
    except SummetryError:
        return
    other = alt_test(judge * factor + shift, marks * factor + shift, alignment)
    assert other.winning_rate == test.winning_rate and other.advantage == test.advantage


@given(annotated())
def test_a_larger_epsilon_never_loses_a_win(data):
    judge, marks = data
    try:
        rates = [alt_test(judge, marks, epsilon=e).winning_rate for e in (0.0, 0.1, 0.2, 0.5)]
    except SummetryError:
        return
    assert rates == sorted(rates)


def test_a_copy_of_an_annotator_ties_with_that_annotator():
    rng = np.random.default_rng(2)
    marks = rng.integers(1, 6, (3, 40)).astype(float)
    one = alt_test(marks[1], marks).against[1]
    assert (one.advantage, one.annotator_advantage) == (1.0, 1.0)


def test_an_annotator_with_few_instances_is_not_tested_but_counts_among_the_others():
    marks = repeated([[4], [4], [4]], 40)
    marks[2, 29:] = NAN
    judge = repeated([4], 40)
    # On the first 29 instances the third annotator sees something else than the first two.
    marks[2, :29] = 1
    judge[:29] = 2
    test = alt_test(judge, marks)
    third = test.against[2]
    assert third.instances == 29 and math.isnan(third.p) and not third.is_won
    assert np.isnan(test.indicators[2]).all()
    # Others of the first are 4 and 1: squares 4 + 1 of the judge, 0 + 9 of the annotator.
    assert test.against[0].advantage == 1.0
    # Of two p, both are multiplied: harmonic number 1.5, and the smaller one by 2.
    p = [one.p for one in test.against[:2]]
    expected = benjamini_yekutieli(p)
    assert [one.corrected_p for one in test.against[:2]] == pytest.approx(expected)
    assert test.winning_rate == 1.0


def test_instances_with_one_annotator_or_without_the_judge_do_not_count():
    marks = repeated([[1], [2], [3]], 50)
    judge = repeated([2], 50)
    judge[:5] = NAN
    marks[1:, 5:12] = NAN
    test = alt_test(judge, marks)
    assert [one.instances for one in test.against] == [38, 38, 38]


@pytest.mark.parametrize("people", [0, 1, 2])
def test_fewer_than_three_annotators_are_refused(people):
    marks = np.ones((people, 40))
    with pytest.raises(SummetryError, match=f"needs 3 annotators or more .*, got {people}"):
        alt_test(np.ones(40), marks)


def test_who_marked_nothing_is_no_annotator():
    marks = np.ones((3, 40))
    marks[1] = NAN
    with pytest.raises(SummetryError, match="needs 3 annotators or more beside the judge, got 2"):
        alt_test(np.ones(40), marks)


def test_too_few_instances_are_refused():
    with pytest.raises(SummetryError, match=r"30 instances or more .* the most is 29"):
        alt_test(np.ones(29), np.ones((3, 29)))


@pytest.mark.parametrize("epsilon", [-0.1, 1.0, NAN])
def test_an_epsilon_that_is_no_share_is_refused(epsilon):
    with pytest.raises(SummetryError, match="epsilon must be 0 or more and below 1"):
        alt_test(np.ones(30), np.ones((3, 30)), epsilon=epsilon)


def test_an_unknown_alignment_is_refused():
    with pytest.raises(SummetryError, match="no alignment is named 'mae'"):
        alt_test(np.ones(30), np.ones((3, 30)), "mae")


def test_marks_of_another_number_of_instances_are_refused():
    with pytest.raises(SummetryError, match="one mark for each instance"):
        alt_test(np.ones(29), np.ones((3, 30)))


# Two judges.


@given(st.integers(0, 2**32), st.integers(2, 6))
def test_the_difference_of_advantages_is_theirs_and_t_is_scipys(seed, topics):
    from scipy.stats import ttest_1samp

    rng = np.random.default_rng(seed)
    marks = rng.integers(1, 6, (3, 8 * topics)).astype(float)
    number = np.repeat(np.arange(topics), 8)
    if len(number) < 30:
        marks, number = np.tile(marks, 4), np.tile(number, 4)
    tests = [alt_test(rng.integers(1, 6, len(number)), marks) for _ in range(2)]
    found = advantage_difference(tests[0].indicators, tests[1].indicators, number)
    assert found.value == pytest.approx(tests[0].advantage - tests[1].advantage, abs=1e-12)
    assert found.topics == topics
    # As many instances of every topic: the mean difference of each topic is the sample.
    each = [
        np.mean([(a - b)[number == k] for a, b in zip(*(t.indicators for t in tests), strict=True)])
        for k in range(topics)
    ]
    if len(set(np.round(each, 12))) > 1:
        p = ttest_1samp(each, 0, alternative="greater").pvalue
        assert found.p == pytest.approx(p, rel=1e-6, abs=1e-12)
    back = advantage_difference(tests[1].indicators, tests[0].indicators, number)
    assert back.value == pytest.approx(-found.value, abs=1e-12)


def test_a_judge_is_not_better_than_itself_and_one_topic_gives_no_p():
    rng = np.random.default_rng(5)
    marks = rng.integers(1, 6, (3, 40)).astype(float)
    test = alt_test(marks[0], marks)
    same = advantage_difference(test.indicators, test.indicators, np.repeat([0, 1], 20))
    assert (same.value, same.p) == (0.0, 1.0)
    alone = advantage_difference(test.indicators, test.indicators, np.zeros(40, int))
    assert alone.value == 0.0 and math.isnan(alone.p)


def test_only_instances_of_both_judges_are_compared():
    """The first has 1 1 1 0 and the second - 1 0 0 of one annotator: 1/3 on three instances."""
    first, second = np.array([[1.0, 1, 1, 0]]), np.array([[NAN, 1.0, 0, 0]])
    found = advantage_difference(first, second, [0, 1, 2, 3])
    assert found.value == pytest.approx(1 / 3) and found.topics == 3


def test_benjamini_and_yekutieli_by_hand():
    """Of three the harmonic number is 11/6: .01 * 3 * 11/6 = .055, .02 * 3/2 * 11/6 = .055."""
    adjusted = benjamini_yekutieli([0.04, 0.01, NAN, 0.02])
    assert adjusted == pytest.approx([0.04 * 11 / 6, 0.055, NAN, 0.055], nan_ok=True)


@given(st.lists(st.floats(0.0001, 1), min_size=1, max_size=8), st.sampled_from([0.01, 0.05, 0.3]))
def test_benjamini_and_yekutieli_find_what_the_step_up_rule_finds(p, alpha):
    order = np.argsort(p, kind="stable")
    harmonic = sum(1 / k for k in range(1, len(p) + 1))
    found = [k for k in range(1, len(p) + 1) if p[order[k - 1]] <= k / len(p) * alpha / harmonic]
    rejected = set(order[: max(found, default=0)].tolist())
    adjusted = benjamini_yekutieli(p)
    # Of p on the edge rounding decides, in either rule.
    if (np.abs(adjusted - alpha) > 1e-9).all():
        assert set(np.flatnonzero(adjusted <= alpha).tolist()) == rejected
