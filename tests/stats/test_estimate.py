"""Estimates from few judgments: an oracle written here, properties, simulations, mistakes."""

import math
from itertools import product

import goldens
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from summetry.stats.estimate import estimate
from summetry.stats.estimate.needed import Source, smallest_seen, topics_to_judge
from summetry.stats.estimate.targets import distances, fenced
from summetry.stats.power import detection_power, topics_needed

NAN = math.nan


def made(seed, systems=4, topics=60, judged=25, proxies=1):
    """Judgments of the first topics, and proxies of all."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(3, 1, (systems, topics)) + rng.normal(0, 0.5, (systems, 1))
    y = quality.copy()
    y[:, judged:] = np.nan
    f = quality + rng.normal(0, 0.8, (proxies, systems, topics))
    return y, f


def all_numbers(result):
    rows = (*result.means, *result.differences)
    return np.array([(row.estimate, row.se, row.low, row.high, row.saved) for row in rows])


@pytest.mark.parametrize("draws", [60, pytest.param(250, marks=pytest.mark.slow)])
def test_intervals_of_means_and_differences_hold_in_simulated_draws(draws):
    """Normal judgments, 30 of 200 topics: a slower version is benchmarks/estimate.py."""
    rng = np.random.default_rng(3)
    truth = np.array([2.5, 3.0, 3.5, 3.5])
    held, of_pairs = [], []
    for _ in range(draws):
        quality = truth[:, None] + rng.normal(0, 1, (4, 200)) + rng.normal(0, 0.5, 200)
        f = quality + rng.normal(0, 1, quality.shape)
        quality[:, 30:] = np.nan
        result = estimate(quality, f[None])
        held += [m.low <= truth[m.system] <= m.high for m in result.means]
        of_pairs += [d.low <= truth[d.a] - truth[d.b] <= d.high for d in result.differences]
    least, most = (0.93, 0.985) if draws == 250 else (0.91, 0.99)
    assert least <= np.mean(held) <= most and least <= np.mean(of_pairs) <= most


@given(
    st.integers(0, 1000), st.sampled_from([-1, 1]), st.floats(0.01, 100), st.floats(-50, 50),
    st.permutations(range(4)), st.permutations(range(60)),
)  # fmt: skip
def test_unit_sign_and_zero_of_a_proxy_and_the_order_of_rows_do_not_matter(
    seed, sign, unit, shift, systems, topics
):
    y, f = made(seed)
    before, scaled = estimate(y, f), estimate(y, sign * unit * f + shift)
    assert all_numbers(scaled) == pytest.approx(all_numbers(before), rel=1e-6, abs=1e-8)
    assert scaled.ranks == before.ranks
    moved = estimate(y[systems][:, topics], f[:, systems][:, :, topics])
    for row, system in zip(moved.means, systems, strict=True):
        mean = before.means[system]
        assert (row.estimate, row.low) == pytest.approx((mean.estimate, mean.low))
    ranks = {rank.system: rank[1:] for rank in before.ranks}
    assert [ranks[systems[rank.system]] for rank in moved.ranks] == [r[1:] for r in moved.ranks]


def test_without_a_proxy_the_judgments_stand_alone():
    y, f = made(2)
    once, without = estimate(y, f), estimate(y, np.empty((0, *y.shape)))
    for mean, other in zip(without.means, once.means, strict=True):
        alone = other.alone.estimate, other.alone.low, other.alone.high
        assert (mean.estimate, mean.low, mean.high) == pytest.approx(alone)
        assert mean.topics == 60 and mean.weights == ()


def test_judgments_that_are_all_the_same_have_no_width_and_nothing_to_save():
    """4.1 cannot be added up exactly: rounding must not look like a spread."""
    y, f = made(9)
    y[~np.isnan(y)] = 4.1
    result = estimate(y, f)
    assert {(m.estimate, m.se, m.low, m.high) for m in result.means} == {(4.1, 0.0, 4.1, 4.1)}
    assert {(d.estimate, d.se, d.p, d.p_holm) for d in result.differences} == {(0.0, 0.0, 1.0, 1.0)}
    assert math.isnan(result.saved_means) and math.isnan(result.means[0].saved)


def test_a_distance_counts_standard_errors_of_a_mean_drawn_at_random():
    rng = np.random.default_rng(12)
    f = np.tile(rng.normal(size=50), (2000, 1))
    y = np.where(rng.random(f.shape).argsort(axis=1) < 20, 1.0, np.nan)
    away = distances(y, f[None], np.ones(f.shape, bool))
    assert away.shape == (1, 2000)
    assert away.mean() == pytest.approx(0, abs=0.08) and away.std() == pytest.approx(1, abs=0.06)
    # Judged topics that were picked by the proxy are far from all.
    y, f = made(11, judged=60)
    y[:, f[0].mean(axis=0).argsort()[25:]] = np.nan
    assert min(m.distances[0] for m in estimate(y, f).means) < -3
    assert max(abs(m.distances[0]) for m in estimate(*made(11)).means) < 3


def test_topics_to_judge_are_those_of_a_paired_t_test_and_the_fewest_of_a_plain_search():
    for difference, deviation in ((0.5, 1.0), (0.1, 0.7), (2.0, 1.0)):
        source = Source(deviation**2, deviation**2, 10**6, 0)
        needed = topics_to_judge(difference, [source], False, 0.8, 0.05, 10**6)
        assert needed == max(topics_needed(difference, deviation), 3)
        assert detection_power(difference, deviation, needed) >= 0.8
    # With proxies, by the noncentral t of scipy, n by n; ten judgments for each proxy at least.
    for k, difference in product((1, 2), (0.62, 0.65, 0.7, 0.8)):

        def power(n, k=k, difference=difference):
            v = 0.7 * (1 / n - 1 / 60) * (1 + k / (n - k - 2)) + 1.3 / 60
            critical, shift = stats.t.isf(0.025, n - 1 - k), difference / math.sqrt(v)
            return stats.nct.sf(critical, n - 1 - k, shift)

        needed = topics_to_judge(difference, [Source(0.7, 1.3, 60, k)], False, 0.8, 0.05, 60)
        assert needed == next(n for n in range(10 * k, 61) if power(n) >= 0.8)


def test_what_all_topics_cannot_show_is_said():
    y, f = made(15)
    result = estimate(y, f, detect=0.001)
    assert result.topics_needed() == (None, None)
    assert min(result.topics_needed(alone=True)) > 1000
    assert estimate(y, f, detect=0.001, population="these").topics_needed() == (60, 60)

    # Nor does a result without pairs need any.
    y, f = made(16, systems=1)
    result = estimate(y, f, detect=0.5)
    assert result.differences == () and result.topics_needed() == (None, None)
    assert math.isnan(result.saved_differences)
    # A value far out is pulled to three interquartile ranges.
    values = np.array([[1.0, 2.0, 3.0, 4.0, 5000.0, NAN], [7.0, 7.0, 7.0, 7.0, 9.0, NAN]])
    near = fenced(values, ~np.isnan(values))
    assert near[0, :5].tolist() == [1.0, 2.0, 3.0, 4.0, 10.0]
    assert near[1, :5].tolist() == values[1, :5].tolist()


@pytest.mark.parametrize("proxies", [0, 2])
def test_the_smallest_difference_is_on_the_edge_of_what_all_topics_show(proxies):
    sources = [Source(0.7, 1.3, 60, proxies), Source(0.4, 0.9, 60, proxies)]
    size = smallest_seen(sources, False, 0.8, 0.05, 60)
    needed = [topics_to_judge(k * size, sources, False, 0.8, 0.05, 60) for k in (1.0001, 0.9999)]
    assert needed[0] <= 60 and needed[1] is None
    # Of exactly these topics nothing is unknown if all are judged.
    assert smallest_seen(sources, True, 0.8, 0.05, 60) == 0


# --- Golden cases, field by field: from a slow implementation with the standard library only -----

CASES = (goldens.golden("estimate.json") or {}).get("cases", [])
assert CASES or goldens.FOLDER.name != "golden", "another folder need not have this file; ours has"
# The words of the golden file that are other ones here.
WORDS = {"n": "judged", "N": "topics", "lambda": "weights", "df": "freedom"}


def estimate_of(judgments, proxies, scale=None, **settings):
    y = np.array(judgments, np.float64)  # null becomes NaN
    f = np.array(proxies, np.float64).reshape(len(proxies), *y.shape)
    return estimate(y, f, scale=tuple(scale) if scale else None, **settings)


def same(result, expected, tolerance):
    """Also whether a result has as many rows, and whole numbers where they are expected."""
    if expected is None:
        return result is None or (isinstance(result, float) and math.isnan(result))
    if isinstance(expected, dict):
        values = ((getattr(result, WORDS.get(n, n)), value) for n, value in expected.items())
        return all(same(*both, tolerance) for both in values)
    if isinstance(expected, list):
        pairs = zip(result, expected, strict=False)
        return len(result) == len(expected) and all(same(*pair, tolerance) for pair in pairs)
    if isinstance(expected, float):
        return abs(result - expected) <= tolerance * max(1, abs(expected))
    return type(result) in (type(expected), float) and result == expected


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_golden_cases_of_estimates(case):
    result = estimate_of(**case["input"])
    for name, expected in case["expected"].items():
        rows = getattr(result, name)
        assert same(rows, expected, case["tolerance"]), (name, rows, expected)
    assert not same(result.saved_means, 7.5, case["tolerance"])
