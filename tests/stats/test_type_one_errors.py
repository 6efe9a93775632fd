"""How often tests find a difference where there is none, in seeded data sets.

In ``null_set`` both metrics are people's scores with as much noise, so no test should find one
better more often than alpha. Of 200 sets 10 are expected at 0.05; more than 20 would happen once in
500 times. Of the 40 sets of a quick run 2 are expected; more than 7 would happen once in 700 times.
"""

from itertools import product

import numpy as np
import pytest

from summetry.metaeval.metric_tests import chosen_test, pair_tester
from summetry.stats.contrasts import Differences, differences, p_of_pairs
from summetry.stats.correlation import fisher_interval
from summetry.stats.dependent import bootstrap_test, permutation_test, williams_test
from summetry.stats.levels import correlate
from summetry.stats.multiple import benjamini_hochberg, holm, tukey_hsd
from summetry.stats.pairwise import p_no_better
from summetry.stats.resampling import bootstrap

SETS, ALPHA, DRAWS = 200, 0.05, 199
MOST = {200: 20, 40: 7}
LEVELS = ("system", "summary", "global", "per_system")
few_or_many = pytest.mark.parametrize("sets", [40, pytest.param(SETS, marks=pytest.mark.slow)])


def null_set(seed, systems=12, topics=20):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(systems, 1)) + rng.normal(size=(systems, topics))
    return *(z + rng.normal(size=z.shape) for _ in range(2)), z


def rejections(test, sets, *how):
    """Of so many sets: how often a resampling test finds something."""
    p = [test(*null_set(seed), *how, draws=DRAWS, seed=seed).p for seed in range(sets)]
    return sum(value <= ALPHA for value in p)


def few_then_many(quick, every):
    """Few sets of some cases, and many sets of all."""
    slow = [pytest.param(*case, SETS, marks=pytest.mark.slow) for case in every]
    return [(*case, 40) for case in quick] + slow


QUICK = [("summary", "pearson", "cells"), ("system", "tau_b", "systems")]
ALL = [*product(LEVELS, ["pearson", "tau_b"], ["systems", "topics", "cells"])]


@pytest.mark.parametrize(("level", "coefficient", "swap", "sets"), few_then_many(QUICK, ALL))
def test_permutation_tests_keep_alpha(level, coefficient, swap, sets):
    rejected = rejections(permutation_test, sets, level, coefficient, swap)
    # Ranks of few systems have few values, so fewer than 10 are found there.
    assert 2 * (sets == SETS) <= rejected <= MOST[sets]


def systematic_set(seed, systems=12, topics=20):
    """Both metrics are equally good for other systems, and each errs in its own way for a system,
    on all topics alike, and for a topic."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(systems, 1))
    people = quality + rng.normal(0, 0.7, topics) + rng.normal(0, 0.5, (systems, topics))
    both = (
        quality + rng.normal(0, 0.7, (systems, 1)) + rng.normal(0, 0.7, topics)
        + rng.normal(size=people.shape)
        for _ in range(2)
    )  # fmt: skip
    return [*both, people]


OF_ERRORS = [("system", "pearson"), ("summary", "pearson")]
ALL_OF_ERRORS = [*OF_ERRORS, ("system", "tau_b"), ("global", "pearson"), ("per_system", "pearson")]


@pytest.mark.parametrize(("level", "coefficient", "sets"), few_then_many(OF_ERRORS, ALL_OF_ERRORS))
def test_the_default_test_keeps_alpha_where_metrics_err_by_system(level, coefficient, sets):
    """Swapping single summaries finds a difference in far more of them."""
    rejected = {"auto": 0, "cells": 0}
    for seed in range(sets):
        *metrics, people = systematic_set(seed)
        for test in rejected:
            kind = chosen_test(test, level, coefficient)
            how = {"draws": DRAWS, "seed": seed, "kept": {}}
            tester = pair_tester(kind, metrics, people, level, **how)
            p = tester.compare([(0, 1, 0)], coefficient).p[0]
            rejected[test] += p <= ALPHA
    assert rejected["auto"] <= MOST[sets] < rejected["cells"]


RESAMPLED = [*product(["system", "summary"], ["systems", "topics", "both"])]


@pytest.mark.parametrize(
    ("level", "over", "sets"), few_then_many([("system", "topics"), ("summary", "both")], RESAMPLED)
)
def test_the_paired_bootstrap_is_careful(level, over, sets):
    """It finds far fewer than alpha where systems are drawn: resampling adds noise of its own."""
    assert rejections(bootstrap_test, sets, level, "pearson", over) <= MOST[sets]


def test_williams_test_keeps_alpha_for_systems():
    rejected = [williams_test(*null_set(seed)).p <= ALPHA for seed in range(SETS)]
    assert 2 <= sum(rejected) <= MOST[SETS]


@few_or_many
def test_tukey_keeps_alpha_for_all_pairs_together(sets):
    rng = np.random.default_rng(1)
    rejected = [(tukey_hsd(rng.normal(size=(6, 15))).p <= ALPHA).any() for _ in range(sets)]
    assert 2 * (sets == SETS) <= sum(rejected) <= MOST[sets]


@few_or_many
@pytest.mark.parametrize("topics", [10, 40])
@pytest.mark.parametrize("test", ["permutation", "t", "wilcoxon", "bootstrap"])
def test_paired_tests_of_systems_keep_alpha(test, topics, sets):
    """Systems share the difficulty of the topics, and their scores are far from normal."""
    rng = np.random.default_rng(5)
    rejected = 0
    for seed in range(sets):
        table = rng.normal(size=topics) + rng.exponential(size=(2, topics)) ** 1.5
        pair = differences(table, np.array([0]), np.array([1]))
        rejected += int(p_of_pairs(pair, test, draws=DRAWS, seed=seed)[0] <= ALPHA)
    # Means of few drawn topics vary less than means of other topics would.
    most = MOST[sets] * (2 if test == "bootstrap" else 1)
    assert (2 if topics > 20 and sets == SETS else 0) <= rejected <= most


def test_signs_and_corrections_keep_alpha():
    """Of 2000 rows, or families, 100 are expected; four deviations are 39."""
    pairs = Differences(np.random.default_rng(2).normal(size=(2000, 15)), np.zeros(2000))
    assert 61 <= (p_no_better(pairs, draws=999) <= ALPHA).sum() <= 139
    families = np.random.default_rng(3).random((2000, 10))
    for adjust in (holm, benjamini_hochberg):
        assert 61 <= sum((adjust(p) <= ALPHA).any() for p in families) <= 139


@few_or_many
def test_intervals_hold_the_truth(sets):
    """Two normal lists with r = 0.6: 95 % of the intervals should hold it."""
    rng = np.random.default_rng(4)
    held = {"fisher": 0, "bootstrap": 0}
    for seed in range(sets):
        z = rng.normal(size=(30, 1))
        x = 0.6 * z + 0.8 * rng.normal(size=(30, 1))
        low, high = fisher_interval(correlate(x, z, "system", "pearson").value, 30)
        held["fisher"] += low <= 0.6 <= high
        interval = bootstrap(x, z, "system", "pearson", "systems", draws=400, seed=seed)
        held["bootstrap"] += interval.low <= 0.6 <= interval.high
    assert held["fisher"] >= sets - MOST[sets]
    # Percentiles of 30 points are somewhat narrow.
    assert held["bootstrap"] >= sets - 1.5 * MOST[sets]
