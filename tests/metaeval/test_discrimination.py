"""Verdicts on pairs of systems: other programs' values, examples by hand, and a plain oracle."""

import math
from itertools import combinations

import goldens
import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from summetry.errors import SummetryError
from summetry.metaeval.discrimination import DiscriminateSettings, discriminate, verdicts
from summetry.metaeval.grids import Grid, GridJudgments
from summetry.metaeval.notes import least_permutation_p
from summetry.records.scores import Column
from summetry.reports.discrimination import discrimination_sheet, nist_counts
from summetry.stats.discrimination import Discrimination
from summetry.stats.multiple import tukey_hsd
from summetry.stats.paired import paired_t_test, permutation_test

CASES = (goldens.golden("metaeval.json") or {}).get("cases", {})
TESTS = ["tukey", "t", "permutation"]
every_test = pytest.mark.parametrize("test", TESTS)


def grid(*tables, names=None, roles=None):
    """Tables of systems and topics as the values of a grid, named after metrics."""
    values = np.array(tables, np.float64)
    _, systems, topics = values.shape
    columns = [Column(name, "value") for name in names or [f"x{i}" for i in range(len(values))]]
    protocol, roles = ("all_peers", roles) if roles else ("no_models", ["candidate"] * systems)
    systems, topics = ([f"{x}{i}" for i in range(n)] for x, n in (("s", systems), ("t", topics)))
    return Grid(protocol, *map(tuple, (systems, roles, topics, columns)), values)


def marks(table):
    return GridJudgments("quality", ("j",), np.array([table], np.float64))


def counts(metric, people, roles=None, **settings):
    how = DiscriminateSettings(**settings)
    (line,) = discriminate(grid(metric, roles=roles), marks(people), how)
    return line.counts


@pytest.mark.parametrize("name", [n for n in CASES if "aesop" in CASES[n]])
@pytest.mark.parametrize("test", ["tukey", "t"])
def test_golden_tables_and_p_that_scipy_gives(name, test):
    x, y, z = (np.array(CASES[name][key], np.float64) for key in "XYZ")
    how = DiscriminateSettings(test)
    results = discriminate(grid(x, y), marks(z), how)
    results = zip((x, y), ("X_vs_Z", "Y_vs_Z"), results, strict=True)
    for metric, key, line in results:
        expected = CASES[name]["aesop"]["paired_t" if test == "t" else test][key]
        a, b, c, d, e, left_out = line.counts
        assert [[a, b, 0], [c, d, 0], [0, 0, e]] == expected["table"]
        assert line.counts.agreements == expected["agreements"]
        assert line.counts.disagreements == expected["disagreements"]
        assert sum(line.counts) == expected["pairs"] and not left_out
        for numbers, side in ((metric, "metric"), (z, "human")):
            result, theirs = verdicts(numbers, how), np.array(expected[f"p_{side}"], np.float64)
            p = result.p
            pairs = ~np.eye(len(p), dtype=bool)
            if test == "t":
                assert p[pairs] == pytest.approx(theirs[pairs], rel=1e-9)
            else:
                # The distribution is an integral, counted to about eight digits.
                assert p == pytest.approx(theirs, abs=1e-7)
                assert result.anova == pytest.approx(expected[f"anova_p_{side}"], rel=1e-9)
                assert line.anova == pytest.approx(expected["anova_p_metric"], rel=1e-9)


def test_an_example_by_hand():
    """People: differences 2, 2, 3 and 3 give t = 2.5 / (0.577 / 2) = 8.66; 0, 1, 0, -1 give 0.

    The metric turns the first pair round, and finds the other two: one each of e, b and a.
    """
    people = [[5, 5, 6, 6], [3, 3, 3, 3], [5, 4, 6, 7]]
    metric = [[0, 0, 0, 1], [9, 9, 9, 8], [20, 21, 22, 24]]
    tally = counts(metric, people, test="t")
    assert tally == Discrimination(1, 1, 0, 0, 1, 0)
    assert (tally.agreements, tally.disagreements) == (1, 2)
    # Of people's two pairs one is found; of the metric's three one is nobody else's.
    assert (tally.found, tally.false_discoveries) == (1 / 2, 1 / 3)
    # Four topics are too few for signs: the least p of 16 ways to set them is 2/16.
    people = [[5, 5, 6, 6], [3, 3, 3, 3]]
    assert verdicts(people, DiscriminateSettings("permutation")).p[0, 1] == 2 / 16
    assert counts(people, people, test="permutation") == Discrimination(0, 0, 0, 1, 0, 0)
    assert counts(people, people, test="permutation", alpha=0.2).both == 1


def test_the_layout_of_nist():
    """The example of README_aesop.txt, as the paper prints it."""
    (line,) = discriminate(grid([[1, 2], [1, 3]], names=["Submission 7"]), marks([[1, 2], [2, 1]]))
    line = type(line)(
        Column("Submission 7", "value"), "Pyramid", Discrimination(224, 294, 143, 820, 4, 0),
        1, 44, 0, math.nan,
    )  # fmt: skip
    assert nist_counts([line]) == "Submission 7\nPyramid\n224 294 0\n143 820 0\n0 0 4"
    sheet = discrimination_sheet("x", "x", [line], DiscriminateSettings())
    row = dict(zip((h.name for h in sheet.headings), sheet.rows[0], strict=True))
    assert (row["agreements"], row["disagreements"]) == (1044, 441)
    assert sum(line.counts) == 55 * 54 // 2


def plain_verdict(x, i, k, test, draws=10_000):
    """1, -1 or 0 for a pair of systems by tests of two lists or by Tukey's; None if undefined."""
    if not isinstance(test, str):
        p, difference = test.p[i, k], test.differences[i, k]
    else:
        topics = [j for j in range(x.shape[1]) if not np.isnan(x[[i, k], j]).any()]
        if len(topics) < 2:
            return None
        a, b = x[i, topics].tolist(), x[k, topics].tolist()
        if a == b:
            return 0
        difference = math.fsum(a) - math.fsum(b)
        p = paired_t_test(a, b).p if test == "t" else permutation_test(a, b, draws).p
    if math.isnan(p):
        return None
    return 0 if p >= 0.05 else int(math.copysign(1, difference))


def plain_counts(x, z, test):
    gone = np.isnan(x) | np.isnan(z)
    x, z = (np.where(gone, np.nan, table) for table in (x, z))
    tests = [tukey_hsd(table) if test == "tukey" else test for table in (x, z)]
    tally = dict.fromkeys(("both", "metric", "people", "neither", "opposite", "none"), 0)
    for i, k in combinations(range(len(x)), 2):
        both = zip((x, z), tests, strict=True)
        by_metric, by_people = (plain_verdict(table, i, k, how) for table, how in both)
        if by_metric is None or by_people is None:
            tally["none"] += 1
        elif by_metric and by_people:
            tally["both" if by_metric == by_people else "opposite"] += 1
        elif by_metric or by_people:
            tally["metric" if by_metric else "people"] += 1
        else:
            tally["neither"] += 1
    return tuple(tally.values())


@every_test
@pytest.mark.parametrize("seed", range(1, 5))
def test_the_counts_are_those_of_a_plain_loop(test, seed):
    random = np.random.default_rng(seed)
    quality = random.normal(size=(7, 1))
    z = np.round(3 + quality + random.normal(size=(7, 9)))
    x = quality * (-1) ** (seed % 2) + random.normal(size=(7, 9))
    x[1] = x[0]
    for table in (x, z):
        table[random.random(table.shape) < 0.15 * (seed > 2)] = np.nan
    assert tuple(counts(x, z, test=test)) == plain_counts(x, z, test)


def test_drawn_signs_are_used_as_they_are_asked_for():
    """None of 50 draws sets 25 signs alike, so the real way is the only one of 51."""
    x = np.array([np.arange(25) + 10.0, np.zeros(25)])
    assert verdicts(x, DiscriminateSettings("permutation", draws=50)).p[0, 1] == 1 / 51
    assert least_permutation_p(25, 50) == 1 / 51
    for topics in (2, 5, 24):
        # The least p is that of a system that is always better.
        p = verdicts(x[:, :topics], DiscriminateSettings("permutation")).p
        assert p[0, 1] == least_permutation_p(topics, 0)
    noise = np.random.default_rng(1).normal(size=(4, 25))
    settings = [DiscriminateSettings("permutation", draws=50, seed=s) for s in (3, 3, 4)]
    p, again, other = (verdicts(noise, how).p for how in settings)
    assert (p == again).all() and not (p == other).all()


scores = arrays(np.float64, (5, 4), elements=st.integers(0, 6).map(float))


@every_test
def test_lower_values_may_be_better(test):
    people = np.arange(4)[:, None] * 5.0 + np.array([0, 1, 2, 1, 0, 1])
    people[::2, 0] += 0.5
    columns = grid(people, -people, names=["cosine", "js_divergence"])
    first, second = discriminate(columns, marks(people), DiscriminateSettings(test, draws=64))
    assert first.counts == second.counts and first.counts.opposite == 0


def test_only_pairs_of_a_candidate_and_a_reference():
    random = np.random.default_rng(2)
    z, x = (np.arange(6)[:, None] + random.normal(size=(6, 8)) for _ in range(2))
    roles = ["reference", "candidate", "candidate", "reference", "candidate", "candidate"]
    tally = counts(x, z, roles, pairs="candidate_reference", test="t")
    assert sum(tally) == 8 and tally.left_out == 0
    by_hand = [0, 0]
    for i, k in combinations(range(6), 2):
        if roles[i] != roles[k]:
            agree = plain_verdict(x, i, k, "t") == plain_verdict(z, i, k, "t")
            by_hand[agree] += 1
    assert [tally.disagreements, tally.agreements] == by_hand
    # Tukey's test is still of all systems; only the counting is of fewer pairs.
    assert sum(counts(x, z, roles, pairs="candidate_reference")) == 8
    with pytest.raises(SummetryError, match="need both, but under no_models all are candidates"):
        counts(x, z, pairs="candidate_reference")
    # Ranks are by agreements, and shared.
    people = np.arange(3)[:, None] + np.array([[0, 0.1, 0.2, 0.1], [0, 0.2, 0.1, 0], [0.1] * 4])
    results = discriminate(grid(people, -people, people * 2), marks(people))
    assert [line.rank for line in results] == [1, 3, 1]
    assert results[1].counts.opposite == 3


@every_test
def test_identical_and_constant_systems_do_not_differ(test):
    same = [[1, 2, 3], [1, 2, 3], [1, 2, 3]]
    assert counts(same, same, test=test) == Discrimination(0, 0, 0, 3, 0, 0)
    flat = np.full((3, 3), 0.1 + 0.2)
    flat[1] = 0.3
    assert counts(flat, flat, test=test) == Discrimination(0, 0, 0, 3, 0, 0)
    # Two systems and one topic.
    assert sum(counts([[1, 2, 3], [4, 6, 9]], [[1, 2, 3], [4, 6, 9]], test=test)) == 1
    assert counts([[1], [2]], [[1], [2]], test=test).left_out == 1
    assert counts([[1, 2]], [[1, 2]], test=test) == Discrimination(0, 0, 0, 0, 0, 0)
    # Two systems a whole point apart on every topic: t would be infinite.
    if test == "t":
        assert counts([[2, 3, 4], [1, 2, 3]], [[1, 5, 2], [2, 2, 1]], test=test).left_out == 1


@every_test
def test_a_cell_that_one_lacks_counts_for_neither(test):
    random = np.random.default_rng(5)
    z, x = (np.arange(5)[:, None] + random.normal(size=(5, 7)) for _ in range(2))
    for table in (x, z):
        table[2, 3] = np.nan
    alone = x.copy()
    alone[2, 3] = 100.0
    (line,) = discriminate(grid(alone), marks(z), DiscriminateSettings(test, draws=128))
    assert line.counts == counts(x, z, test=test, draws=128) and line.missing == 1
    gone = np.full((5, 7), np.nan)
    assert counts(gone, z, test=test).left_out == 10
