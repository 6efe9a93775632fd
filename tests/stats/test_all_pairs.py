"""All pairs of metrics at once: what the test of one pair says, by hand, and at the edges."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.stats import all_pairs, dependent, permuted
from summetry.stats.all_pairs import compare_all_pairs
from summetry.stats.dependent import standardised
from summetry.stats.levels import column_means, correlate, same_cells
from summetry.stats.weighted import FIXED

COEFFICIENTS = ("pearson", "spearman", "tau_a", "tau_b")
LEVELS = ("system", "input", "global", "per_system")
SWAPS = ("systems", "inputs", "both")
# Two ways of adding up the same few numbers of size 1.
NEAR = {"rel": 1e-9, "abs": 1e-9}


def tables(seed, systems, inputs, digits=1, missing=0.0):
    """Three metrics and people; the first two have ties and an input of equal scores."""
    rng = np.random.default_rng(seed)
    people = np.round(1.5 * rng.normal(size=(systems, inputs)))
    metrics = [np.round(people + 2 * rng.normal(size=people.shape), digits) for _ in range(3)]
    metrics[0][:, 0], metrics[1][:, 0] = 1.0, -2.0
    people[rng.random(people.shape) < missing] = np.nan
    return metrics, people


def plain_deltas(x, y, z, level, name, exchanged):
    """The oracle: each permutation by the weights of scores, or by the means of written-out tables.

    ``exchanged`` is permutations x systems x inputs.
    """
    if level == "per_system":
        return plain_deltas(x.T, y.T, z.T, "input", name, np.swapaxes(exchanged, 1, 2))
    if level == "system":
        sides = [np.where(exchanged, *pair) for pair in ((y, x), (x, y))]
        return np.subtract(*(by_means(side, z, name) for side in sides))
    if level == "global":
        x, y, z = (table.reshape(-1, 1) for table in (x, y, z))
        exchanged = exchanged.reshape(len(exchanged), -1, 1)
    values = []
    for j in range(x.shape[1]):
        there = ~np.isnan(z[:, j])
        s = exchanged[:, there, j].T.astype(float)
        weights = np.block([[1 - s, s], [s, 1 - s]])
        scores = np.concatenate([x[there, j], y[there, j]])
        values.append(FIXED[name](scores, np.tile(z[there, j], 2), weights))
    return np.subtract(*np.split(column_means(np.array(values)), 2))


def by_means(tables, z, name):
    return np.array([correlate(table, z, "system", name).value for table in tables])


def permutation_test(x, y, z, level, name, swap, draws, seed):
    """delta; p that X is no better, that Y is no better, that they are equally good; if exact."""
    x, y, z = same_cells(x, y, z)
    there = ~np.isnan(z)
    units = {
        "systems": there.any(axis=1, keepdims=True),
        "inputs": there.any(axis=0, keepdims=True),
        "both": there,
    }[swap]
    count = int(units.sum())
    exact = 2**count <= draws
    if exact:
        flips = np.array(list(product([False, True], repeat=count))).reshape(2**count, count)
    else:
        flips = np.random.default_rng(seed).random((draws, count)) < 0.5
    exchanged = np.zeros((len(flips), *units.shape), bool)
    exchanged[:, units] = flips
    exchanged = np.broadcast_to(exchanged, (len(flips), *z.shape))
    delta = correlate(x, z, level, name).value - correlate(y, z, level, name).value
    if np.isnan(delta):
        return delta, (np.nan,) * 3, exact
    values = plain_deltas(standardised(x), standardised(y), z, level, name, exchanged)
    values, drawn = values[~np.isnan(values)], int(not exact)
    near = 1e-10
    as_extreme = values >= delta - near, values <= delta + near, abs(values) >= abs(delta) - near
    return delta, tuple((e.sum() + drawn) / (len(values) + drawn) for e in as_extreme), exact


def check_against_single_tests(metrics, people, level, swap, draws, seed):
    """With the same seed, all pairs and single tests meet the same permutations."""
    tests = compare_all_pairs(metrics, people, level, COEFFICIENTS, swap, draws=draws, seed=seed)
    for name, found in tests.items():
        for i, k in combinations(range(len(metrics)), 2):
            pair = (metrics[i], metrics[k], people, level, name, swap)
            delta, p, exact = permutation_test(*pair, draws, seed)
            all_p = found.greater[i, k], found.greater[k, i], found.two_sided[i, k]
            assert all_p == pytest.approx(p, nan_ok=True)
            assert found.two_sided[k, i] == pytest.approx(p[2], nan_ok=True)
            deltas = found.differences[i, k], -found.differences[k, i]
            assert deltas == pytest.approx((delta, delta), nan_ok=True, **NEAR)
            assert found.exact == exact
            single = dependent.permutation_test(*pair, draws=draws, seed=seed)
            assert single.p == pytest.approx(p[2], nan_ok=True)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.parametrize(
    ("systems", "inputs", "digits"), [(2, 3, 0), (3, 3, 1), (7, 5, 0), (6, 8, 6), (4, 1, 1)]
)
def test_all_pairs_are_single_tests(level, swap, systems, inputs, digits):
    metrics, people = tables(systems, systems, inputs, digits)
    check_against_single_tests(metrics, people, level, swap, 150, 3)


@pytest.mark.parametrize("level", LEVELS)
def test_cells_that_people_lack_change_nothing(level):
    metrics, people = tables(5, 6, 7, missing=0.25)
    check_against_single_tests(metrics, people, level, "both", 100, 1)


@pytest.mark.parametrize("level", ["input", "global", "per_system"])
def test_long_columns_take_no_table_of_their_pairs(level, monkeypatch):
    """A table of all pairs of 10,000 cells would not fit into memory."""
    monkeypatch.setattr(permuted, "LONGEST", 3)
    monkeypatch.setattr(permuted, "PermutedColumns", None)
    metrics, people = tables(5, 6, 7, missing=0.2)
    check_against_single_tests(metrics, people, level, "both", 40, 1)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(1, 5), st.sampled_from(LEVELS))
def test_any_tables_are_single_tests(seed, systems, inputs, level):
    metrics, people = tables(seed, systems, inputs, digits=seed % 3)
    check_against_single_tests(metrics[:2], people, level, "both", 60, seed)


def test_three_inputs_by_hand():
    """Kendall of the inputs: the first metric 1, 1, 1 and the second 1, -1, -1.

    Swaps of inputs turn the signs of 0, 2 and 2: deltas 4, 0, 0, -4 (thirds), each two ways.
    """
    people = np.array([[1.0, 1, 1], [2, 2, 2]])
    other = np.array([[1.0, 2, 2], [2, 1, 1]])
    found = compare_all_pairs([people, other], people, "input", ["tau_a"], "inputs")["tau_a"]
    assert (found.exact, found.draws) == (True, 8)
    assert found.differences[0, 1] == pytest.approx(4 / 3)
    assert (found.greater[0, 1], found.greater[1, 0]) == (0.25, 1.0)
    assert found.two_sided[0, 1] == found.two_sided[1, 0] == 0.5


def test_a_metric_and_its_copy_do_not_differ():
    metrics, people = tables(1, 6, 8)
    found = compare_all_pairs([metrics[2], 5 * metrics[2] + 1], people, "input", COEFFICIENTS)
    for tests in found.values():
        assert tests.two_sided[0, 1] == tests.greater[0, 1] == tests.greater[1, 0] == 1.0


def test_p_is_never_0():
    rng = np.random.default_rng(2)
    people = rng.normal(size=(12, 20))
    found = compare_all_pairs([people, rng.normal(size=people.shape)], people, "input", ["tau_b"])
    assert found["tau_b"].greater[0, 1] == 1 / 10_001


def test_what_has_no_coefficient_has_no_p():
    metrics, people = tables(1, 4, 5)
    found = compare_all_pairs([metrics[2], np.ones((4, 5))], people, "system", ["pearson"])
    tests = found["pearson"]
    assert np.isnan([tests.differences, tests.greater, tests.two_sided]).all()


def test_metrics_without_a_cell_in_common_are_not_compared():
    metrics, people = tables(1, 4, 6)
    metrics[0][:, :3], metrics[1][:, 3:] = np.nan, np.nan
    tests = compare_all_pairs(metrics, people, "system", ["pearson"], draws=50)["pearson"]
    assert np.isnan(tests.two_sided[0, 1])
    assert not np.isnan([tests.two_sided[0, 2], tests.two_sided[1, 2]]).any()


@pytest.mark.parametrize("count", [0, 1])
def test_without_a_pair_there_is_nothing_to_compare(count):
    metrics, people = tables(1, 3, 3)
    tests = compare_all_pairs(metrics[:count], people, "system", ["tau_b"])["tau_b"]
    assert tests.two_sided.shape == (count, count) and np.isnan(tests.two_sided).all()


def test_every_pair_is_told():
    metrics, people = tables(1, 3, 4)
    told = []
    compare_all_pairs(metrics, people, "input", ["tau_a"], draws=9, tick=lambda: told.append(1))
    assert len(told) == 3


def test_the_same_seed_gives_the_same_and_another_another():
    metrics, people = tables(1, 8, 9)
    first, again, other = (
        compare_all_pairs(metrics, people, "input", ["pearson"], draws=99, seed=seed)["pearson"]
        for seed in (1, 1, 2)
    )
    assert np.array_equal(first.two_sided, again.two_sided, equal_nan=True)
    assert not np.array_equal(first.two_sided, other.two_sided, equal_nan=True)


def test_mistakes_are_told():
    people = np.ones((2, 2))
    with pytest.raises(SummetryError, match="a permutation test needs 1 draw or more, got 0"):
        compare_all_pairs([people], people, "system", ["pearson"], draws=0)
    with pytest.raises(SummetryError, match="no coefficient is named 'kendall'"):
        compare_all_pairs([people], people, "system", ["kendall"])
    with pytest.raises(SummetryError, match="must have the same systems and inputs"):
        compare_all_pairs([np.ones((2, 3))], people, "system", ["pearson"])


@pytest.mark.parametrize("level", LEVELS)
def test_large_marks_have_the_p_of_small_ones(level):
    """The mean of numbers near a million is not quite in their middle."""
    rng = np.random.default_rng(9)
    z = rng.integers(0, 10, (2, 4)) / 10
    metrics = [z + rng.normal(size=z.shape) for _ in range(3)]
    small, large = (
        compare_all_pairs(metrics, marks, level, ["pearson"], draws=300)["pearson"]
        for marks in (z, 1e6 + z)
    )
    np.testing.assert_array_equal(small.two_sided, large.two_sided)
    np.testing.assert_array_equal(small.greater, large.greater)


def test_a_metric_that_varies_by_noise_only_is_not_compared():
    constant, other, z = [[0.3, 0.1 + 0.2], [0.3, 0.3]], [[1, 2], [3, 5]], [[1, 2], [2, 4]]
    for level in LEVELS:
        found = compare_all_pairs([constant, other], z, level, ["tau_b"])["tau_b"]
        assert np.isnan(found.two_sided[0, 1]), level


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("draws", [100, 10_000])
def test_swaps_that_are_drawn_again_for_each_pair_are_the_same(level, draws, monkeypatch):
    """Where they do not fit into memory at once; 9 cells have 512 ways, less than 10,000."""
    monkeypatch.setattr(all_pairs, "STEP", 1)
    metrics, people = tables(4, 3, 3)
    monkeypatch.setattr(all_pairs, "HELD", 200)
    found = compare_all_pairs(metrics, people, level, COEFFICIENTS, draws=draws, seed=3)
    monkeypatch.setattr(all_pairs, "HELD", 1 << 27)
    whole = compare_all_pairs(metrics, people, level, COEFFICIENTS, draws=draws, seed=3)
    for name in COEFFICIENTS:
        for part, of_whole in zip(found[name], whole[name], strict=True):
            np.testing.assert_array_equal(part, of_whole)
