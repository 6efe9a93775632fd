"""The best combination: weights by brute force, cross-validation and chance by plain loops."""

import math
from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import nnls

import summetry
from summetry.errors import SummetryError
from summetry.metaeval.combination import Gain, combine, combine_columns, spelling
from summetry.metaeval.cross_validation import CombineSettings, Folds, values_of_unseen
from summetry.metaeval.grids import Grid, GridJudgments, grid_of, judgments_of
from summetry.records.scores import Column
from summetry.stats.levels import correlate

COEFFICIENTS = ("pearson", "spearman", "tau_b")
LEVELS = ("system", "summary")
every_level = pytest.mark.parametrize("level", LEVELS)


def data(seed, systems=7, topics=6, measures=2, missing=0.0, noise=0.5):
    """Measures that each see a part of the quality that people see, and noise."""
    random = np.random.default_rng(seed)
    sides = random.normal(size=(measures, systems, 1))
    x = sides + noise * random.normal(size=(measures, systems, topics))
    z = sides.sum(axis=0) + noise * random.normal(size=(systems, topics))
    for table in (*x, z):
        table[random.random(table.shape) < missing] = np.nan
    return x, z


# --- Weights -------------------------------------------------------------------------------------


def plain_points(x, z, level, cells):
    """The points of least squares, by loops: rows of measures, and marks; all less their means."""
    axis = 0 if level == "system" else 1
    groups = [[c for c in cells if c[axis] == k] for k in sorted({c[axis] for c in cells})]
    points = [[[t[c] for t in (*x, z)] for c in group] for group in groups]
    if level == "system":
        points = [[[math.fsum(v) / len(rows) for v in zip(*rows, strict=True)] for rows in points]]
    centred = []
    for rows in points if cells else []:
        means = [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]
        centred += [[v - m for v, m in zip(row, means, strict=True)] for row in rows]
    combined = np.array(centred).reshape(-1, len(x) + 1)
    return combined[:, :-1], combined[:, -1]


def present_cells(x, z):
    gone = np.isnan(z) | np.isnan(x).any(axis=0)
    return [tuple(c) for c in np.argwhere(~gone).tolist()]


@every_level
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_weights_are_those_of_scipy_on_the_plain_points(level, missing):
    for seed in range(3):
        x, z = data(seed, measures=4, missing=missing, noise=2.0)
        # Folds are only for what is left out.
        fit = combine(x, z, CombineSettings(level, folds=2, draws=1)).fit
        left, right = plain_points(x, z, level, present_cells(x, z))
        assert fit.raw == pytest.approx(nnls(left, right)[0], abs=1e-9)
        assert fit.standardised == pytest.approx(fit.raw * left.std(axis=0), abs=1e-9)
        # The constant makes the mean that of the marks.
        present = ~(np.isnan(z) | np.isnan(x).any(axis=0))
        values = fit.constant + np.einsum("k,kij->ij", fit.raw, x)
        rows = np.maximum(present.sum(axis=1, keepdims=True), 1)
        weights = present / rows if level == "system" else present
        sums = [np.nansum(np.where(present, table, 0) * weights) for table in (values, z)]
        assert sums[0] == pytest.approx(sums[1])


def test_progress_counts_every_fold_of_every_draw():
    seen = []
    random = np.random.default_rng(3)
    how = CombineSettings(folds=1_000_000, draws=7)
    combine(random.random((2, 4, 3)), random.random((4, 3)), how, lambda *now: seen.append(now))
    # 4 systems x 3 topics, each a fold of its own.
    assert seen == [(7 * fold, 7 * 12) for fold in range(1, 13)]


def test_an_example_by_hand():
    """Systems' means (1, 0), (0, 1), (2, 2) and (1, 1); marks are 10 + 2 x + 3 y exactly."""
    x = [[1, 1], [0, 0], [2, 2], [0, 2]], [[0, 0], [2, 0], [2, 2], [1, 1]]
    x = np.array(x, np.float64)
    z = 10 + 2 * x[0] + 3 * x[1]
    combined = combine(x, z, CombineSettings(draws=24))
    assert combined.fit.raw == pytest.approx([2, 3])
    assert combined.fit.constant == pytest.approx(10)
    # Means 1, 0, 2, 1 have the deviation 0.7071.
    assert combined.fit.standardised == pytest.approx([2 * 0.5**0.5, 3 * 0.5**0.5])
    assert combined.gain.combination == pytest.approx(1)


# --- Cross-validation ----------------------------------------------------------------------------


def test_every_summary_is_left_out_once_with_its_system_and_topic():
    folds = Folds.of((23, 11), 5)
    assert (len(folds.systems), len(folds.topics)) == (5, 5)
    seen = np.zeros((23, 11))
    for systems, topics in folds:
        seen += systems[:, None] & topics
    assert (seen == 1).all()
    # With fewer than 20 systems each is left out alone.
    assert len(Folds.of((19, 3), 5).systems) == 19 and len(Folds.of((20, 3), 5).systems) == 5
    assert len(Folds.of((19, 3), 5).topics) == 3


def plain_tables(x, z, level, folds):
    """The cross-validated tables of the combination and of the best single measure, by loops."""
    measures, systems, topics = x.shape
    cells = present_cells(x, z)
    apart = systems if systems < 4 * folds else folds
    parts = min(folds, topics)
    tables = np.full((2, systems, topics), np.nan)
    everything, _ = plain_points(x, z, level, cells)
    for fold in range(apart):
        for part in range(parts):
            training = [(i, j) for i, j in cells if i % apart != fold and j % parts != part]
            left, right = plain_points(x, z, level, training)
            deviations = left.std(axis=0) if len(left) else np.zeros(measures)
            standard = np.divide(left, deviations, out=np.zeros(left.shape), where=deviations > 0)
            weights, alone = np.zeros((2, measures))
            if len(left):
                weights = nnls(standard, right)[0]
                follows = standard.T @ right
                if follows.max() > 0:
                    alone[int(follows.argmax())] = 1
            for table, w in zip(tables, (weights, alone), strict=True):
                raw = np.divide(w, deviations, out=np.zeros(measures), where=deviations > 0)
                size = (everything @ raw).std()
                for i, j in cells:
                    if i % apart == fold and j % parts == part:
                        centred = [t[i, j] - centre(t, cells, level, j) for t in x]
                        table[i, j] = raw @ centred / size if size > 0 else 0.0
    return tables


def centre(table, cells, level, topic):
    if level == "summary":
        return np.mean([table[i, j] for i, j in cells if j == topic])
    systems = sorted({i for i, _ in cells})
    return np.mean([np.mean([table[c] for c in cells if c[0] == i]) for i in systems])


def plain_gains(x, z, level, name, folds):
    """What the combination gains over the measure chosen in the folds, and in hindsight."""
    tables = plain_tables(x, z, level, folds)
    combined, single = (correlate(table, z, level, name).value for table in tables)
    best = max(correlate(measure, z, level, name).value for measure in x)
    return combined, single, best


@every_level
@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize(("seed", "shape", "folds", "missing"), [
    (2, (9, 4, 3), 2, 0.0), (3, (6, 5, 2), 5, 0.15),
])  # fmt: skip
def test_cross_validation_is_that_of_plain_loops(level, name, seed, shape, folds, missing):
    x, z = data(seed, *shape, missing=missing, noise=1.5)
    gone = np.isnan(z) | np.isnan(x).any(axis=0)
    x, z = np.where(gone, np.nan, x), np.where(gone, np.nan, z)
    result = combine(x, z, CombineSettings(level, name, folds, draws=1))
    combined, single, best = plain_gains(x, z, level, name, folds)
    assert result.gain[:2] == pytest.approx((single, combined), abs=1e-9)
    assert result.hindsight[:2] == pytest.approx((best, combined), abs=1e-9)
    assert result.gain.value == pytest.approx(combined - single, abs=1e-9)
    for one, value in zip(x, result.singles, strict=True):
        assert value == pytest.approx(correlate(one, z, level, name).value, abs=1e-9)
    assert (result.cells, result.missing) == ((~gone).sum(), gone.sum())


@every_level
def test_marks_of_a_system_have_no_part_in_its_own_values(level):
    """A system that is marked otherwise changes what others get, and nothing of its own."""
    x, z = data(5, systems=6, topics=4)
    other = z.copy()
    other[2] += np.array([3.0, -2.0, 5.0, 1.0])
    whole, how, folds = np.ones(z.shape, bool), CombineSettings(level), Folds.of(z.shape, 5)
    both = np.stack([z, other], axis=-1)
    combined = values_of_unseen(x, both, whole, how, folds).tables
    for table, plain in zip(combined, plain_tables(x, z, level, 5), strict=True):
        assert table[2, :, 0] == pytest.approx(table[2, :, 1])
        assert not np.allclose(table[..., 0], table[..., 1])
        assert table[..., 0] == pytest.approx(plain)


@pytest.mark.parametrize("seed", range(3))
def test_what_gains_nothing_is_never_more_than_chance(seed):
    """A measure that hardly follows the marks has no weight in some folds, and in many draws."""
    x, z = data(seed, systems=6, topics=4, noise=3.0)
    for measures in (x[:1], np.array([x[0], 2 * x[0], np.ones((6, 4))])):
        combined = combine(measures, z, CombineSettings(draws=50))
        if combined.reason:
            assert math.isnan(combined.gain.p) and math.isnan(combined.hindsight.p)
        else:
            assert (combined.gain.value, combined.gain.p, combined.hindsight.p) == (0, 1, 1)
    noise = Gain(0.1 + 0.2, 0.3, 0.5)
    assert noise.combination != noise.single and str(noise.value) == "0.0"


# --- Chance --------------------------------------------------------------------------------------


@every_level
@pytest.mark.parametrize(("seed", "gap"), [(4, False), (5, True)])
def test_p_is_the_share_of_all_ways_to_exchange_what_the_best_measure_leaves(level, seed, gap):
    x, z = data(seed, systems=4, topics=3, noise=1.0)
    if gap:
        z[1, 2] = np.nan
        x[:, 1, 2] = np.nan
    result = combine(x, z, CombineSettings(level, "pearson", 2, draws=24))
    left, right = plain_points(x, z, level, present_cells(x, z))
    slopes = [nnls(left[:, [k]], right) for k in range(len(x))]
    best = min(range(len(x)), key=lambda k: slopes[k][1])
    explained = slopes[best][0][0] * x[best]
    rest = z - explained
    if gap:
        # The gap belongs to a row and to a column, and gets what these have in common.
        rest[1, 2] = np.nanmean(rest[1]) + np.nanmean(rest[:, 2]) - np.nanmean(rest)
    gains = []
    for order in permutations(range(4)):
        marks = explained + rest[list(order)]
        combined, single, hindsight = plain_gains(x, marks, level, "pearson", 2)
        combined, single = (0.0 if math.isnan(v) else v for v in (combined, single))
        gains.append((combined - single, combined - hindsight))
    for k, gain in enumerate((result.gain, result.hindsight)):
        as_much = sum(g[k] >= gain.value - 1e-9 for g in gains)
        assert gain.p == pytest.approx(as_much / 24)
    assert result.exact and result.draws == 24


def test_the_same_seed_draws_the_same_and_another_does_not():
    x, z = data(7, systems=9)
    first, again, other = (combine(x, z, CombineSettings(draws=100, seed=s)) for s in (1, 1, 2))
    assert first.hindsight == again.hindsight and first.gain == again.gain
    assert not first.exact and first.draws == 100
    assert first.gain[:2] == other.gain[:2], "draws decide p and nothing else"
    # Two shares of 100 draws differ by 0.07 as a rule.
    assert other.gain.p == pytest.approx(first.gain.p, abs=0.3)
    assert combine(x, z, CombineSettings(draws=1)).gain.p >= 1 / 2
    # Two sides of a quality together gain more than chance.
    x, z = data(8, systems=14, topics=10)
    combined = combine(x, z, CombineSettings(draws=49))
    assert combined.gain.value > 0.1 and combined.hindsight.value > 0.1
    assert combined.gain.p == combined.hindsight.p == 1 / 50


@pytest.mark.slow
@every_level
@pytest.mark.parametrize("kind", ["permuted", "noise", "copies"])
def test_the_test_keeps_its_alpha(level, kind):
    """200 data sets in which nothing is gained: a share of 0.05 has a deviation of 0.015."""
    hits = []
    for seed in range(200):
        random = np.random.default_rng(seed)
        quality = random.normal(size=(10, 1))
        z = quality + 0.5 * random.normal(size=(10, 1)) + random.normal(size=(10, 8))
        first = quality + 0.1 * random.normal(size=(10, 8))
        others = random.normal(size=(2, 10, 1)) + 0.5 * random.normal(size=(2, 10, 8))
        others += quality * (kind == "copies")
        if kind == "permuted":
            z = z[random.permutation(10)]
        how = CombineSettings(level, draws=99, seed=seed)
        combined = combine(np.array([first, *others]), z, how)
        hits += [] if combined.reason else [(combined.gain.p <= 0.05, combined.hindsight.p <= 0.05)]
    shares = np.mean(hits, axis=0)
    assert len(hits) >= 100 and (shares <= 0.1).all(), shares


# --- Edges ----------------------------------------------------------------------------------------


def test_measures_that_are_identical_or_constant_or_do_not_help_have_no_weight():
    x, z = data(9)
    tables = np.array([x[0], x[0], 2 * x[0] + 1]), x[:1]
    combined, alone = (combine(table, z, CombineSettings(draws=50)) for table in tables)
    assert combined.fit.raw.tolist() == [alone.fit.raw[0], 0, 0]
    assert combined.used[1:] == combined.chosen[1:] == (0, 0)
    assert combined.gain.value == pytest.approx(0, abs=1e-12) and combined.gain.p == 1
    flat = np.full(z.shape, 0.1 + 0.2)
    flat[0, 0] = 0.3
    combined = combine(np.array([flat, x[0]]), z, CombineSettings(draws=50))
    assert combined.fit.raw[0] == 0 and combined.used[0] == 0
    assert math.isnan(combined.singles[0]) and combined.gain.p == 1
    # Where no measure helps, that is said.
    x, z = data(11)
    flat = np.full((7, 6), 3.0)
    for measures in (-x, flat[None]):
        combined = combine(measures, z, CombineSettings(draws=50))
        assert not combined.fit.raw.any()
        assert combined.reason == "no metric follows the judgments: all weights are 0"
        assert np.isnan([combined.gain.p, combined.gain.combination]).all()
        assert combined.draws == 0 and combined.fit.constant == pytest.approx(z.mean())
    # Nor where nobody sees a difference.
    combined = combine(x, flat, CombineSettings(draws=50))
    assert combined.reason and math.isnan(combined.gain.p)


def test_few_systems_and_topics_and_those_without_a_whole_summary():
    x, z = data(13, systems=3, topics=2)
    combined = combine(x, z, CombineSettings(folds=10, draws=6))
    assert (combined.system_folds, combined.topic_folds, combined.exact) == (3, 2, True)
    # Systems and topics without a whole summary do not count.
    x, z = data(14, systems=8, topics=6)
    more = np.pad(x, ((0, 0), (0, 1), (0, 1)), constant_values=np.nan)
    marks = np.pad(z, ((0, 1), (0, 1)), constant_values=1.0)
    more[0, 8, 0] = np.inf
    how = CombineSettings(draws=40)
    whole, padded = combine(x, z, how), combine(more, marks, how)
    assert (padded.systems, padded.topics, padded.missing) == (8, 6, 15)
    assert padded.gain == whole.gain and padded.fit.raw.tolist() == whole.fit.raw.tolist()


def combine_ones(*shapes):
    return lambda: combine(*map(np.ones, shapes))


@pytest.mark.parametrize(("call", "words"), [
    (combine_ones((2, 2, 5), (2, 5)), "3 systems and 2 topics .* are needed, got 2 and 5"),
    (combine_ones((2, 5, 1), (5, 1)), "3 systems and 2 topics .* are needed, got 5 and 1"),
    (combine_ones((2, 0, 3), (0, 3)), "3 systems and 2 topics .* are needed, got 0 and 0"),
    (combine_ones((2, 3, 4), (3, 5)), r"got shapes \(2, 3, 4\) and \(3, 5\)"),
])  # fmt: skip
def test_what_cannot_be_combined_is_refused(call, words):
    with pytest.raises(SummetryError, match=words):
        call()


# --- Columns of scores ---------------------------------------------------------------------------


def test_the_spelling_scores_what_the_weights_say(demo):
    table = summetry.evaluate(demo, ["npower.value", "js_divergence", "rouge_n(n=2).recall"])
    grid = grid_of(table)
    marks = judgments_of(demo, "grammaticality", grid)
    combined = combine_columns(grid, marks, CombineSettings(draws=10))
    spelt = spelling(grid.columns, combined.fit)
    scored = summetry.evaluate(demo, [spelt])
    expected = combined.fit.constant + table.data @ combined.fit.raw
    assert scored.data[:, 0] == pytest.approx(expected, abs=1e-12)
    assert combined.fit.raw.any() and "constant=" in spelt


def test_lower_values_get_negative_weights():
    x, z = data(15)
    columns = (Column("cosine", "value"), Column("js_divergence", "value"))
    names = tuple("abcdefg"), ("candidate",) * 7, tuple("123456")
    grid = Grid("no_models", *names, columns, np.array([x[0], -x[1]]))
    marks = GridJudgments("quality", ("j", "k"), np.array([z - 1, z + 1]))
    combined = combine_columns(grid, marks, CombineSettings(draws=5))
    plain = combine(x, z, CombineSettings(draws=5))
    assert combined.fit.raw == pytest.approx(plain.fit.raw * [1, -1], rel=1e-5)
    assert combined.gain == pytest.approx(plain.gain)
    spelt = spelling(columns, combined.fit)
    assert spelt.startswith("combination(of=[cosine,js_divergence],weights=[") and ",-" in spelt
    # What is not ours has no spelling.
    with pytest.raises(SummetryError, match="no metric is named 'BE-HM'"):
        spelling([Column("BE-HM", "score"), Column("cosine", "value")], combined.fit)
