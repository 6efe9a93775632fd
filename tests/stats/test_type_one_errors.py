"""How often tests find a difference where there is none: 200 seeded data sets each.

Both metrics are people's scores with as much noise, so no test should find one better more often
than alpha. Of 200 sets 10 are expected at 0.05; more than 20 would happen once in 500 times.
"""

import numpy as np
import pytest

from summetry.stats.contrasts import Differences, differences, p_of_pairs
from summetry.stats.correlation import fisher_interval
from summetry.stats.dependent import bootstrap_test, permutation_test, williams_test
from summetry.stats.levels import correlate
from summetry.stats.multiple import benjamini_hochberg, holm, tukey_hsd
from summetry.stats.pairwise import p_no_better
from summetry.stats.resampling import bootstrap

pytestmark = pytest.mark.slow

SETS, ALPHA, DRAWS = 200, 0.05, 199
MOST = 20
LEVELS = ("system", "summary", "global", "per_system")


def null_set(seed, systems=12, topics=20):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(systems, 1)) + rng.normal(size=(systems, topics))
    return *(z + rng.normal(size=z.shape) for _ in range(2)), z


@pytest.fixture(scope="module")
def null_sets():
    return [null_set(seed) for seed in range(SETS)]


def rejections(test, sets):
    return sum(test(*tables, seed).p <= ALPHA for seed, tables in enumerate(sets))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("swap", ["systems", "topics", "both"])
@pytest.mark.parametrize("name", ["pearson", "tau_b"])
def test_permutation_tests_keep_alpha(level, swap, name, null_sets):
    def test(x, y, z, seed):
        return permutation_test(x, y, z, level, name, swap, draws=DRAWS, seed=seed)

    rejected = rejections(test, null_sets)
    # Ranks of few systems have few values, so fewer than 10 are found there.
    assert 2 <= rejected <= MOST


@pytest.mark.parametrize("level", ["system", "summary"])
@pytest.mark.parametrize("over", ["systems", "topics", "both"])
def test_the_paired_bootstrap_is_careful(level, over, null_sets):
    """It finds far fewer than alpha where systems are drawn: resampling adds noise of its own."""

    def test(x, y, z, seed):
        return bootstrap_test(x, y, z, level, "pearson", over, draws=DRAWS, seed=seed)

    assert rejections(test, null_sets) <= MOST


def test_williams_test_keeps_alpha_for_systems(null_sets):
    rejected = rejections(lambda x, y, z, _: williams_test(x, y, z), null_sets)
    assert 2 <= rejected <= MOST


def test_tukey_keeps_alpha_for_all_pairs_together():
    rng = np.random.default_rng(1)
    rejected = [(tukey_hsd(rng.normal(size=(6, 15))).p <= ALPHA).any() for _ in range(SETS)]
    assert 2 <= sum(rejected) <= MOST


@pytest.mark.parametrize("topics", [10, 40])
@pytest.mark.parametrize("test", ["permutation", "t", "wilcoxon", "bootstrap"])
def test_paired_tests_of_systems_keep_alpha(test, topics):
    """Systems share the difficulty of the topics, and their scores are far from normal."""
    rng = np.random.default_rng(5)
    rejected = 0
    for seed in range(SETS):
        table = rng.normal(size=topics) + rng.exponential(size=(2, topics)) ** 1.5
        pair = differences(table, np.array([0]), np.array([1]))
        rejected += int(p_of_pairs(pair, test, draws=DRAWS, seed=seed)[0] <= ALPHA)
    # Means of few drawn topics vary less than means of other topics would.
    assert (0 if topics < 20 else 2) <= rejected <= (2 * MOST if test == "bootstrap" else MOST)


def test_signs_keep_alpha():
    rng = np.random.default_rng(2)
    pairs = Differences(rng.normal(size=(2000, 15)), np.zeros(2000))
    rejected = p_no_better(pairs, draws=999) <= ALPHA
    # Of 2000 rows 100 are expected, four deviations are 39.
    assert 61 <= rejected.sum() <= 139


def test_adjusted_p_keeps_alpha_for_the_whole_family():
    rng = np.random.default_rng(3)
    families = rng.random((2000, 10))
    for adjust in (holm, benjamini_hochberg):
        rejected = sum((adjust(p) <= ALPHA).any() for p in families)
        assert 61 <= rejected <= 139


def test_intervals_hold_the_truth():
    """Two normal lists with r = 0.6: 95 % of the intervals should hold it."""
    rng = np.random.default_rng(4)
    held = {"fisher": 0, "bootstrap": 0}
    for seed in range(SETS):
        z = rng.normal(size=(30, 1))
        x = 0.6 * z + 0.8 * rng.normal(size=(30, 1))
        value = correlate(x, z, "system", "pearson").value
        low, high = fisher_interval(value, 30)
        held["fisher"] += low <= 0.6 <= high
        rejected = bootstrap(x, z, "system", "pearson", "systems", draws=400, seed=seed)
        held["bootstrap"] += rejected.low <= 0.6 <= rejected.high
    assert held["fisher"] >= SETS - MOST
    # Percentiles of 30 points are somewhat narrow.
    assert held["bootstrap"] >= SETS - 30
