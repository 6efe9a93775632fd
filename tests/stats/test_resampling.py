"""Bootstrap intervals: against resamples that are written out, and at their edges."""

import math

import numpy as np
import pytest

from summetry.stats import resampling
from summetry.stats.contrasts import bootstrap_rows
from summetry.stats.levels import correlate
from summetry.stats.resampling import Resamples, bootstrap, draw, redrawn
from summetry.stats.sums import bootstrap_sums, share_kept

COEFFICIENTS = ("pearson", "spearman", "tau_a", "tau_b")
NEAR = {"abs": 1e-11, "nan_ok": True}

every_level = pytest.mark.parametrize("level", ["system", "summary", "global", "per_system"])
every_coefficient = pytest.mark.parametrize("name", COEFFICIENTS)


def made(systems=6, topics=5, judges=0, missing=0.0, seed=0):
    """A metric and people on a grid of quarters, so that there are ties."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(systems, 1))
    shape = (judges, systems, topics) if judges else (systems, topics)
    x = np.round(quality + rng.normal(size=(systems, topics)), 2)
    z = np.round(4 * (quality + rng.normal(size=shape))) / 4
    z[rng.random(shape) < missing] = np.nan
    return x, z


@every_level
@every_coefficient
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_every_draw_is_the_coefficient_of_the_drawn_table(level, name, missing):
    x, z = made(missing=missing)
    rng = np.random.default_rng(1)
    rows, columns = rng.integers(0, 6, (8, 6)), rng.integers(0, 5, (8, 5))
    x = np.where(np.isnan(z), np.nan, x)
    for drawn in (
        Resamples(resampling.times_drawn(rows, 6)),
        Resamples(None, resampling.times_drawn(columns, 5)),
        Resamples(resampling.times_drawn(rows, 6), resampling.times_drawn(columns, 5)),
    ):
        values = redrawn(x, z[None], level, name, drawn)
        for k in range(8):
            i = list(range(6)) if drawn.systems is None else rows[k]
            j = list(range(5)) if drawn.topics is None else columns[k]
            tables = (t[np.ix_(i, j)] for t in (x, z))
            assert values[k] == pytest.approx(correlate(*tables, level, name).value, **NEAR)


@every_level
@pytest.mark.parametrize("name", ["pearson", "spearman", "tau_b"])
@pytest.mark.parametrize("over", ["topics", "all"])
def test_many_tables_with_many_people_are_each_pair(level, name, over, monkeypatch):
    """Some of the people, and of the tables, miss cells; one gives all topics the same marks."""
    tables = [made(seed=seed)[0] for seed in range(2)]
    tables[1][2, 3] = np.nan
    people = [made(judges=2, missing=part, seed=7)[1] for part in (0.0, 0.3)]
    people += [people[0][::-1].round(), np.ones(people[0].shape)]
    options = {"draws": 8, "seed": 4}
    alone = [bootstrap(x, z, level, name, over, **options) for z in people for x in tables]
    for held in (1, 1 << 23):
        monkeypatch.setattr(resampling, "HELD", held)
        together = resampling.bootstrap_many(tables, people, level, name, over, **options)
        pairs = [interval for ends in together for interval in ends]
        for interval, one in zip(pairs, alone, strict=True):
            assert interval == pytest.approx((one.low, one.high, one.draws), **NEAR)


@every_level
@every_coefficient
def test_a_draw_of_judges_is_the_mean_of_the_drawn_ones(level, name):
    x, z = made(judges=3, missing=0.4)
    rng = np.random.default_rng(2)
    judges, rows = rng.integers(0, 3, (8, 3)), rng.integers(0, 6, (8, 6))
    drawn = Resamples(resampling.times_drawn(rows, 6), None, resampling.times_drawn(judges, 3))
    a, b = resampling.with_judges(x, z, "all")
    values = redrawn(a, b, level, name, drawn)
    for k in range(8):
        people = [z[judge] for judge in judges[k]]
        counts = np.sum([~np.isnan(p) for p in people], axis=0)
        mean = np.nansum(people, axis=0) / np.where(counts, counts, np.nan)
        expected = correlate(x[rows[k]], mean[rows[k]], level, name).value
        assert values[k] == pytest.approx(expected, **NEAR)


@every_level
@pytest.mark.parametrize("name", ["pearson", "spearman", "tau_b"])
@pytest.mark.parametrize("over", ["judges", "all"])
def test_draws_of_the_same_judges_together_are_those_one_by_one(monkeypatch, level, name, over):
    """Two judges are drawn in three ways; where both lack a cell of the first, it is missing."""
    rng = np.random.default_rng(11)
    x = rng.normal(size=(5, 6))
    z = np.round(x + rng.normal(size=(2, 5, 6)))
    z[0, rng.random((5, 6)) < 0.2] = np.nan
    together = redrawn(x, z, level, name, draw(over, z.shape, 60, 1))
    monkeypatch.setattr(resampling, "FEW_WAYS", 61)
    in_turn = redrawn(x, z, level, name, draw(over, z.shape, 60, 1))
    assert together.tolist() == pytest.approx(in_turn.tolist(), abs=1e-12, nan_ok=True)
    assert len(set(together[~np.isnan(together)].round(9).tolist())) > 1


@pytest.mark.parametrize("over", ["both", "all"])
def test_the_same_seed_gives_the_same_interval_in_steps_of_any_size(over, monkeypatch):
    x, z = made(judges=4)
    first = bootstrap(x, z, "summary", "tau_b", over, draws=60, seed=5)
    monkeypatch.setattr(resampling, "STEP", 1)
    assert bootstrap(x, z, "summary", "tau_b", over, draws=60, seed=5) == first
    other = bootstrap(x, z, "summary", "tau_b", over, draws=60, seed=6)
    assert (other.low, other.high) != (first.low, first.high) and other.value == first.value


def test_the_interval_is_between_percentiles_of_the_draws():
    x, z = made()
    drawn = draw("topics", (1, 6, 5), 99, seed=3)
    values = redrawn(x, z[None], "global", "spearman", drawn)
    interval = bootstrap(x, z, "global", "spearman", "topics", draws=99, seed=3, confidence=0.5)
    assert (interval.low, interval.high) == pytest.approx(tuple(np.percentile(values, [25, 75])))
    assert (interval.draws, interval.undefined, interval.seed) == (99, 0, 3)


def test_draws_without_a_coefficient_are_left_out_and_counted():
    """Of two systems, half of the draws take one of them twice."""
    x, z = [[1, 2], [2, 3]], [[1, 2], [4, 3]]
    interval = bootstrap(x, z, "system", "pearson", "systems", draws=400)
    assert interval.draws + interval.undefined == 400
    assert 140 < interval.undefined < 260
    assert (interval.low, interval.high) == (1, 1)
    # The libraries stop here: with missing cells a draw may have an empty topic.
    x = np.array([[1.0, np.nan, 2.0], [2.0, np.nan, 1.0], [3.0, 1.0, 5.0], [4.0, 2.0, 6.0]])
    interval = bootstrap(x, x + 1, "summary", "pearson", "systems", draws=200)
    assert interval.draws > 150 and interval.value == pytest.approx(1)
    # Constant scores have no interval at all, and one topic has one over systems.
    interval = bootstrap(np.ones((4, 3)), np.arange(12).reshape(4, 3), "summary", "tau_b", draws=20)
    assert math.isnan(interval.low) and math.isnan(interval.value)
    assert interval.undefined == 20 and "the same" in interval.reason
    interval = bootstrap(*made(systems=8, topics=1), "summary", "spearman", draws=100)
    assert interval.low < interval.value < interval.high


# --- Intervals of values that are computed from sums ---------------------------------------------


def share(sums):
    return [sums[0] / sums[1]]


def test_intervals_of_sums_are_those_of_means_and_of_all_pairs(monkeypatch):
    values = np.random.default_rng(3).random(20)
    numbers = np.stack([values, np.ones(20)], axis=1)
    (estimate,) = bootstrap_sums(numbers, share, draws=500, seed=7)
    spread = bootstrap_rows(values[None], draws=500, seed=7)
    assert estimate.value == pytest.approx(values.mean())
    assert estimate[1:] == pytest.approx((spread.low[0], spread.high[0]))
    # Of two topics there are four pairs.
    numbers = np.array([[1.0, 1.0], [0.0, 3.0]])
    (estimate,) = bootstrap_sums(numbers, share, draws=2000)
    # Twice the first, once each, or twice the second: 2/2, 1/4, 0/6.
    assert estimate == (0.25, 0.0, 1.0)
    (estimate,) = bootstrap_sums(np.array([[1.0, 2.0]]), share)
    assert estimate.value == 0.5 and math.isnan(estimate.low) and math.isnan(estimate.high)

    # Sums without a value are left out.
    def defined(sums):
        return [np.where(sums[1] > 0, sums[0] / np.maximum(sums[1], 1), np.nan)]

    numbers = np.array([[1.0, 1.0], [0.0, 0.0]])
    assert bootstrap_sums(numbers, defined, draws=200) == [(1.0, 1.0, 1.0)]
    # Many topics are drawn in steps that change nothing.
    numbers = np.random.default_rng(5).random((30, 2))
    whole = bootstrap_sums(numbers, share, draws=100, seed=1)
    monkeypatch.setattr("summetry.stats.sums._STEP", 30 * 7)
    assert np.allclose(whole, bootstrap_sums(numbers, share, draws=100, seed=1))
    # The share that is kept is the way between both bounds.
    shares = share_kept(np.array([0.2, 0.5, 0.8, 0.9]), np.full(4, 0.2), np.full(4, 0.8))
    assert shares == pytest.approx([0.0, 0.5, 1.0, 7 / 6])
    # Without a gap there is none.
    shares = share_kept(np.array([0.5, 0.5]), np.array([0.5, 0.6]), np.array([0.5, 0.4]))
    assert np.isnan(shares).all()
