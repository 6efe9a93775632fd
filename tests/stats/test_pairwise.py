"""Pairwise accuracy, plain and soft: counted pair by pair, and what chance gives."""

import math
from itertools import combinations, product
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.stats import pairwise
from summetry.stats.contrasts import Differences
from summetry.stats.pairwise import (
    calibrated_accuracy,
    p_no_better,
    pairwise_accuracy,
    soft_pairwise_accuracy,
)

LEVELS = ("system", "summary", "global", "per_system")
NONE = math.nan
NEAR = {"abs": 1e-12, "nan_ok": True}
cells = st.one_of(st.none(), st.integers(0, 6)).map(lambda c: math.nan if c is None else c / 10)


def tables_from(seed):
    """Two tables of tenths, with gaps."""
    rng = np.random.default_rng(seed)
    tables = rng.integers(0, 7, (2, *rng.integers(1, [6, 5]))) / 10
    tables[rng.random(tables.shape) < 0.15] = NONE
    return tables


two_tables = st.integers(0, 10**6).map(tables_from)


def groups(x, z, level):
    present = ~(np.isnan(x) | np.isnan(z))
    if level == "system":
        rows = [i for i in range(len(x)) if present[i].any()]
        return [[(x[i][present[i]].mean(), z[i][present[i]].mean()) for i in rows]]
    if level == "global":
        return [list(zip(x[present], z[present], strict=True))]
    if level == "per_system":
        x, z, present = x.T, z.T, present.T
    columns = range(x.shape[1])
    return [list(zip(x[present[:, j], j], z[present[:, j], j], strict=True)) for j in columns]


def slow(x, z, level, epsilon):
    accuracy = []
    for group in groups(x, z, level):
        right = []
        for (a, c), (b, d) in combinations(group, 2):
            by_metric = 0 if abs(a - b) <= epsilon + 1e-9 else math.copysign(1, a - b)
            by_people = 0 if abs(c - d) <= 1e-9 else math.copysign(1, c - d)
            right.append(by_metric == by_people)
        if right:
            accuracy.append(fmean(right))
    return fmean(accuracy) if accuracy else math.nan


@pytest.mark.parametrize("level", LEVELS)
@given(tables=two_tables, tenths=st.integers(0, 4))
def test_accuracy_is_counted_pair_by_pair_and_calibration_tries_all(level, tables, tenths):
    x, z = tables
    accuracy = pairwise_accuracy(x, z, level, tenths / 10)
    assert accuracy.value == pytest.approx(slow(x, z, level, tenths / 10), **NEAR)
    assert bool(accuracy.reason) == math.isnan(accuracy.value)
    accuracy = calibrated_accuracy(x, z, level)
    pairs = [pair for group in groups(x, z, level) for pair in combinations(group, 2)]
    apart = {abs(a - b) for (a, _), (b, _) in pairs}
    tried = {epsilon: slow(x, z, level, epsilon) for epsilon in {0.0} | apart}
    best = max(tried.values(), default=math.nan)
    assert accuracy.value == pytest.approx(best, **NEAR)
    if not accuracy.reason:
        smallest = min(e for e, value in tried.items() if value >= best - 1e-12)
        assert accuracy.epsilon == pytest.approx(smallest, abs=1e-9)
        # All ties is one of the epsilons, so nothing below it is ever the best.
        assert accuracy.value >= accuracy.all_ties - 1e-12


def test_accuracy_by_hand():
    """Pairs of x: tie, -1, -1; of z: -1, -1, tie. Only the middle one is right.

    With epsilon 1 all are ties, and the last one is right.
    """
    x, z = [[1.0], [1.0], [2.0]], [[1.0], [2.0], [2.0]]
    accuracy = pairwise_accuracy(x, z)
    assert (accuracy.value, accuracy.pairs, accuracy.groups) == (1 / 3, 3, 1)
    chances = accuracy.all_ties, accuracy.random_order, accuracy.chance
    assert chances == pytest.approx((1 / 3,) * 3)
    assert pairwise_accuracy(x, z, epsilon=1).value == 1 / 3
    assert calibrated_accuracy(x, z).epsilon == 0


def test_groups_without_a_pair_are_left_out_and_counted():
    accuracy = pairwise_accuracy([[1, 1], [2, NONE]], [[1, 1], [2, 3]])
    assert (accuracy.value, accuracy.groups, accuracy.left_out) == (1, 1, 1)
    for nothing in ([[NONE]], [[1.0]], np.zeros((0, 0))):
        accuracy = calibrated_accuracy(nothing, nothing)
        assert math.isnan(accuracy.value) and "fewer than two" in accuracy.reason
        assert math.isnan(accuracy.epsilon)
    accuracy = calibrated_accuracy([[1.0, NONE]], [[1.0, 2.0]])
    assert math.isnan(accuracy.value) and math.isnan(accuracy.epsilon) and accuracy.reason
    # Soft accuracy leaves out pairs of systems without a common topic.
    x = [[1, NONE, 2], [NONE, 2, 1], [3, 3, 3]]
    accuracy = soft_pairwise_accuracy([[1, NONE], [NONE, 2]], [[1, 2], [3, 4]])
    assert math.isnan(accuracy.value) and accuracy.left_out == 1
    assert "no two systems have a topic in common" in accuracy.reason
    assert soft_pairwise_accuracy(x, x).left_out == 0
    assert math.isnan(soft_pairwise_accuracy([[1.0]], [[1.0]]).value)
    # By x both are equal on all topics, so p is 1/2; by z the first is better: p = 1/16.
    x = [[0.1 + 0.2, 0.3, 0.6], [0.3, 0.1 + 0.2, 0.6]]
    accuracy = soft_pairwise_accuracy(x, [[2, 2, 2], [1, 1, 1]])
    assert accuracy.value == 1 - (1 / 2 - 1 / 16)
    # Differences of a tenth between large numbers are the same but for their noise.
    large = [[1e6 + 0.1, 1e6 + 0.3], [1e6, 1e6 + 0.2]]
    assert (large[0][0] - large[1][0]) != (large[0][1] - large[1][1])
    assert soft_pairwise_accuracy(large, [[2, 2], [1, 1]]).value == 1


def exact_p(differences):
    """All signs, one after the other."""
    present = [d for d in differences if not math.isnan(d)]
    real = math.fsum(present)
    sums = [math.fsum(s * d for s, d in zip(way, present, strict=True))
            for way in product((1, -1), repeat=len(present))]  # fmt: skip
    return fmean((s > real + 1e-9) + 0.5 * (abs(s - real) <= 1e-9) for s in sums)


def rows(values):
    """Differences of pairs of systems, with the noise of scores up to 1."""
    return Differences(np.array(values, np.float64), np.full(len(values), 1e-12))


@given(st.lists(cells.map(lambda c: c - 0.3), min_size=1, max_size=7))
def test_p_of_signs_counts_all_ways(differences):
    accuracy = p_no_better(rows([differences]))
    if all(map(math.isnan, differences)):
        assert math.isnan(accuracy[0])
    else:
        assert accuracy[0] == pytest.approx(exact_p(differences), abs=1e-12)


@given(tables=two_tables, draws=st.sampled_from([1, 10, 1000]))
def test_soft_accuracy_has_no_direction_and_is_never_sure(tables, draws):
    x, z = tables
    accuracy = soft_pairwise_accuracy(x, z, draws=draws)
    turned = soft_pairwise_accuracy(-x[::-1], -z[::-1], draws=draws)
    assert turned.value == pytest.approx(accuracy.value, **NEAR)
    itself = soft_pairwise_accuracy(x, x, draws=draws)
    assert itself.value == pytest.approx(NONE if itself.reason else 1, nan_ok=True)
    differences = x[:1] - x
    p = p_no_better(rows(differences), draws)
    back = p_no_better(rows(-differences), draws)
    assert p + back == pytest.approx(np.where(np.isnan(p), NONE, 1.0), **NEAR)
    assert not ((p <= 0) | (p >= 1)).any()


def test_soft_accuracy_by_hand():
    """One pair, two topics. x: differences 1 1, of four ways none is above 2 and one equal: 1/8.

    z: 1 -1, sums 0 0 2 -2: one above 0, two equal: 1/4 + 1/4 = 1/2. So 1 - 3/8.
    """
    accuracy = soft_pairwise_accuracy([[1, 1], [0, 0]], [[1, 0], [0, 1]])
    assert accuracy.exact and accuracy.draws == 4
    assert accuracy.value == 1 - 3 / 8
    # People are undecided: so is a metric that never sees a difference, and noise is 1/4 off.
    assert (accuracy.undecided, accuracy.noise, accuracy.chance) == (1, 0.75, 1)


def test_steps_draw_the_same_signs(monkeypatch):
    differences = np.random.default_rng(2).normal(size=(4, 30))
    accuracy = p_no_better(rows(differences), 100, seed=9)
    monkeypatch.setattr(pairwise, "STEP", 1)
    assert p_no_better(rows(differences), 100, seed=9).tolist() == accuracy.tolist()
