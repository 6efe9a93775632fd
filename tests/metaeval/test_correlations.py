"""Metrics against people: by hand, against scipy in loops, and at the edges."""

import math
from itertools import product
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marked_tables import grid_marks, grid_scores, judged_corpus

import summetry
from summetry.errors import SummetryError
from summetry.metaeval.correlation_tables import A_JUDGE, CorrelateSettings
from summetry.metaeval.correlations import correlate_with_judgments
from summetry.metaeval.nulls import A_LENGTH, A_RANDOM
from summetry.records.scores import ScoreTable
from summetry.stats.correlation import fisher_interval, kendall_tau_a
from summetry.stats.dependent import permutation_test, williams_test
from summetry.stats.resampling import bootstrap

NAN = math.nan
LEVELS = ("system", "summary", "global", "per_system")
COEFFICIENTS = ("pearson", "spearman", "tau_b", "tau_a")


def correlations_of(tables, marks, **options):
    """Tables of ``{metric: systems x topics}`` against ``{judge: systems x topics}``."""
    corpus = judged_corpus(grid_marks(marks))
    return summetry.correlate(grid_scores(tables), corpus, **{"draws": 50} | options)


def rows_of(correlations, coefficient="pearson", place=0):
    rows = correlations.tables[place].rows
    return {row.column.metric: row for row in rows if row.coefficient == coefficient}


def test_one_topic_by_hand():
    """Marks 1 3 2 5. The scores 1 2 3 4 have the coefficients of test_correlations; 5 2 3 1 has
    deviations 2.25 -.75 .25 -1.75 from 2.75, with -1.75 .25 -.75 2.25: products -3.9375 -.1875
    -.1875 -3.9375, sum -8.25 by 8.75; ranks 4 2 3 1 and 1 3 2 4 are opposite.
    """
    marks = {"j": [[1], [3], [2], [5]]}
    tables = {"up": [[1], [2], [3], [4]], "down": [[5], [2], [3], [1]]}
    correlations = correlations_of(tables, marks)
    (table,) = correlations.tables
    place = table.protocol, table.part, table.dimension, table.level
    assert place == ("no_models", "", "quality", "system")
    assert (table.systems, table.topics, table.judges) == (4, 1, 1)
    expected = {
        "pearson": (5.5 / math.sqrt(5 * 8.75), -8.25 / 8.75),
        "spearman": (0.8, -1.0),
        "tau_b": (4 / 6, -1.0),
    }
    for name, values in expected.items():
        lines = rows_of(correlations, name)
        assert [lines[m].value for m in tables] == pytest.approx(values, rel=1e-13)
        assert [lines[m].rank for m in tables] == [1, 2]
        assert math.isnan(lines["up"].p_best)
        assert lines["down"].p_best_corrected == lines["down"].p_best or name != "pearson"


def test_a_divergence_is_ranked_by_its_turned_sign():
    """The divergence that falls as marks rise is the best metric; one that rises is the worst."""
    marks = {"j": [[1, 2, 1], [3, 2, 3], [5, 4, 4], [6, 5, 6]]}
    good = [[9, 8, 7], [5, 6, 5], [3, 2, 2], [1, 1, 0]]
    tables = {"js_divergence": good, "theirs": [[1, 2, 5], [1, 5, 1], [4, 1, 3], [4, 4, 2]]}
    correlations = correlations_of(
        tables, marks, levels=("system", "summary"), draws=200, all_tests=True
    )
    for table in correlations.tables:
        for name in ("pearson", "spearman", "tau_b"):
            lines = {(x.column.metric, x.coefficient): x for x in table.rows}
            line = lines["js_divergence", name]
            assert line.value < -0.7 and line.rank == 1 and line.cluster == 1
            assert line.better == "lower"
            assert line.low <= line.value <= line.high <= 0
            assert lines["theirs", name].rank == 2
    assert correlations.notes == (
        "js_divergence: lower is better, so a coefficient of -1 is the best",
    )


def test_turning_a_metric_mirrors_its_line():
    """A divergence and its negative under another name are equally good."""
    rng = np.random.default_rng(1)
    people, table, third = (rng.normal(size=(6, 5)) for _ in range(3))
    tables = {"js_divergence": table, "negative": -table, "third": third}
    options = {"levels": ("summary",), "all_tests": True}
    lines = rows_of(correlations_of(tables, {"j": people}, **options), "tau_b")
    one, other = lines["js_divergence"], lines["negative"]
    assert (one.value, one.low, one.high) == pytest.approx((-other.value, -other.high, -other.low))
    assert (one.fisher_low, one.fisher_high) == pytest.approx(
        (-other.fisher_high, -other.fisher_low)
    )
    assert (one.rank, one.cluster) == (other.rank, other.cluster)
    assert 0 < lines["third"].p_best <= 1
    assert one.p == other.p


def test_a_length_has_a_coefficient_and_no_rank():
    rng = np.random.default_rng(1)
    people = rng.normal(size=(5, 4))
    tables = {"compression": people, "one": people + rng.normal(size=people.shape)}
    correlations = correlations_of(tables, {"j": people})
    line = rows_of(correlations)["compression"]
    assert line.value == pytest.approx(1.0) and line.high == pytest.approx(1.0)
    assert (line.rank, line.cluster) == (None, None) and math.isnan(line.p_best)
    assert rows_of(correlations)["one"].rank == 1
    assert "neither higher nor lower is better" in correlations.notes[0]
    assert [line.column.metric for line in correlations.tables[0].of("pearson")] == [
        "one",
        "compression",
    ]


def scipy_value(x, z, level, name):
    """The mean over groups, or one coefficient, by scipy; None where it is undefined."""
    from scipy import stats

    def of(pairs):
        a, b = ([p[side] for p in pairs] for side in (0, 1))
        if len(pairs) < 2:
            return None
        if name == "tau_a":
            # scipy has none; of equal scores it is 0, since no pair is ordered.
            return kendall_tau_a(a, b)
        if len(set(a)) < 2 or len(set(b)) < 2:
            return None
        functions = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}
        return float(functions.get(name, stats.kendalltau)(a, b)[0])

    cells = [
        (i, j, x[i][j], z[i][j])
        for i, j in product(range(len(x)), range(len(x[0])))
        if x[i][j] == x[i][j] and z[i][j] == z[i][j]
    ]
    if level == "global":
        return of([(a, b) for _, _, a, b in cells])
    axis = 1 if level == "summary" else 0
    groups = [
        [(a, b) for *at, a, b in cells if at[axis] == place]
        for place in sorted({cell[axis] for cell in cells})
    ]
    if level == "system":
        return of([(fmean(a for a, _ in g), fmean(b for _, b in g)) for g in groups])
    defined = [value for value in map(of, groups) if value is not None]
    return fmean(defined) if defined else None


@pytest.mark.parametrize("seed", [0, 1, 4])
def test_the_whole_table_is_what_scipy_and_loops_say(seed):
    """Values by scipy, ranks by sorting, p by the test of one pair, intervals by one bootstrap."""
    rng = np.random.default_rng(seed)
    shape = (6, 5)
    people = rng.integers(1, 6, shape) * 1.0
    tables = {f"m{k}": people + (k + 1) * rng.normal(size=shape) for k in range(4)}
    if seed % 2:
        people[rng.random(shape) < 0.2] = NAN
    options = {"draws": 64, "alpha": 0.1, "seed": seed, "over": "systems" if seed > 3 else "both"}
    correlations = correlations_of(
        tables,
        {"j": people},
        levels=LEVELS,
        coefficients=COEFFICIENTS,
        all_tests=True,
        **options,
    )
    swap, conf = options["over"], {"confidence": 0.9, "draws": 64, "seed": seed}
    for table in correlations.tables:
        for name in COEFFICIENTS:
            lines = {x.column.metric: x for x in table.rows if x.coefficient == name}
            values = {m: scipy_value(t, people, table.level, name) for m, t in tables.items()}
            ordered = sorted(values.values(), reverse=True)
            best = next(m for m, value in values.items() if value == ordered[0])
            p = {}
            for metric, line in lines.items():
                assert line.value == pytest.approx(values[metric], abs=1e-12)
                assert line.rank == 1 + ordered.index(values[metric])
                again = bootstrap(tables[metric], people, table.level, name, swap, **conf)
                assert (line.low, line.high) == pytest.approx((again.low, again.high))
                if metric != best:
                    pair = (tables[best], tables[metric], people, table.level, name, swap)
                    p[metric] = permutation_test(*pair, draws=64, seed=seed).p
                    assert line.p_best == pytest.approx(p[metric])
            steps = [
                min(1.0, max(q * (len(p) - at) for at, q in enumerate(sorted(p.values())[: k + 1])))
                for k in range(len(p))
            ]
            corrected = [lines[metric].p_best_corrected for metric in sorted(p, key=p.__getitem__)]
            assert corrected == pytest.approx(steps)


def test_fisher_intervals_stand_beside_the_bootstrap():
    rng = np.random.default_rng(3)
    people = rng.normal(size=(9, 4))
    line = rows_of(correlations_of({"m": people + rng.normal(size=people.shape)}, {"j": people}))[
        "m"
    ]
    assert (line.fisher_low, line.fisher_high) == fisher_interval(line.value, 9, "pearson", 0.95)


def test_clusters_begin_where_somebody_is_beaten():
    """Two copies of people's marks and two of noise: two clusters, as ranks share places."""
    rng = np.random.default_rng(0)
    people, noise = rng.normal(size=(2, 10, 12))
    tables = {"a": people, "b": 2 * people, "c": noise, "d": 3 * noise + 1}
    lines = rows_of(correlations_of(tables, {"j": people}, levels=("summary",), draws=500))
    assert [lines[m].cluster for m in "abcd"] == [1, 1, 2, 2]
    assert [lines[m].rank for m in "abcd"] == [1, 1, 3, 3]
    assert lines["b"].p_best == 1.0
    assert lines["c"].p_best_corrected == pytest.approx(3 / 501)


def test_clusters_never_contradict_the_tests_against_the_best():
    """A metric is in the first cluster exactly if its corrected p is above alpha."""
    rng = np.random.default_rng(5)
    people = rng.normal(size=(8, 15))
    sizes = np.linspace(0.3, 3, 9)
    tables = {f"m{k}": people + s * rng.normal(size=people.shape) for k, s in enumerate(sizes)}
    correlations = correlations_of(
        tables, {"j": people}, levels=("system", "summary"), draws=400, all_tests=True
    )
    clusters = set()
    for table in correlations.tables:
        for name in ("pearson", "spearman", "tau_b"):
            best, *others = table.of(name)
            assert best.cluster == 1 and math.isnan(best.p_best)
            for row in others:
                assert (row.cluster == 1) == (row.p_best_corrected > 0.05)
            # The best of those that differ from the best begins the next one.
            behind = [row for row in others if row.cluster != 1]
            assert not behind or behind[0].cluster == 2
            clusters |= {row.cluster for row in others}
    assert {1, 2, 3} <= clusters


def test_a_coefficient_has_a_p_of_its_own():
    """Of the 24 orders of 1 2 3 4, two are as far from 0 as 1; 0.8 (1 2 4 3) has 8 of them.

    Sums of squared differences of ranks: 0 for one order, 2 for three, 20 for one and 18 for three.
    """
    marks = {"j": [[1], [2], [3], [4]]}
    tables = {"same": [[1], [2], [3], [4]], "near": [[1], [2], [4], [3]], "flat": [[1]] * 4}
    lines = rows_of(correlations_of(tables, marks, draws=24))
    assert [lines[m].p for m in ("same", "near")] == pytest.approx([2 / 24, 8 / 24])
    assert math.isnan(lines["flat"].p)
    drawn = rows_of(correlations_of(tables, marks, draws=23))
    assert drawn["same"].p != lines["same"].p


def test_intervals_and_tests_are_of_the_first_coefficient_unless_all_are_wanted():
    rng = np.random.default_rng(2)
    people = rng.normal(size=(6, 5))
    tables = {name: people + rng.normal(size=people.shape) for name in "ab"}
    few, all_of = (correlations_of(tables, {"j": people}, all_tests=t) for t in (False, True))
    for row, other in zip(few.tables[0].rows, all_of.tables[0].rows, strict=True):
        first = row.coefficient == "pearson"
        assert (row.value, row.rank, row.fisher_low) == (other.value, other.rank, other.fisher_low)
        assert math.isnan(row.low) == math.isnan(row.p) == (row.cluster is None) == (not first)
        if first:
            assert (row.low, row.p, row.cluster) == (other.low, other.p, other.cluster)
        assert not math.isnan(other.low) and 0 < other.p <= 1


def test_williams_is_chosen_by_name():
    rng = np.random.default_rng(4)
    people = rng.normal(size=(9, 4))
    tables = {
        name: people + s * rng.normal(size=people.shape) for name, s in (("a", 0.2), ("b", 3))
    }
    worse = rows_of(correlations_of(tables, {"j": people}, test="williams"))["b"]
    assert worse.p_best == williams_test(tables["a"], tables["b"], people).p
    with pytest.raises(SummetryError, match="no test of metrics is named 'wiliams'"):
        CorrelateSettings(test="wiliams")


def test_enough_permutations_are_drawn_for_many_metrics():
    """500 metrics share alpha = 0.05: 10,000 draws would not do."""
    settings = CorrelateSettings()
    assert (settings.resamples, settings.permutations(20)) == (10_000, 10_000)
    assert settings.permutations(600) == 2 * (600 * 20 - 1)
    assert CorrelateSettings(draws=300).permutations(600) == 300


def test_the_judges_have_a_line():
    one = [[1, 2], [2, 3], [3, 5], [4, 4]]
    correlations = correlations_of({"m": one}, {"j1": one, "j2": one})
    (table,) = correlations.tables
    assert {name: top.value for name, top in table.ceilings.items()} == pytest.approx(
        dict.fromkeys(("pearson", "spearman", "tau_b"), 1.0)
    )
    records = [record for record in correlations.records() if record["metric"] == A_JUDGE]
    assert [(r["coefficient"], r["rank"], r["systems"]) for r in records] == [
        ("pearson", None, 4),
        ("spearman", None, 4),
        ("tau_b", None, 4),
    ]


def test_one_judge_has_no_line_and_a_note():
    correlations = correlations_of({"m": [[1], [2], [3]]}, {"j": [[1], [2], [3]]})
    assert correlations.tables[0].notes == (
        "how well one judge follows the others is not shown: there is only one judge",
    )
    assert not [record for record in correlations.records() if record["metric"] == A_JUDGE]


def too_few(correlations):
    return [note for note in correlations.notes if note.startswith("too few")]


def test_three_systems_are_too_few_and_a_test_of_metrics_is_of_these_only():
    """Three systems have six orders: one of them is 0.17, whatever the coefficient is."""
    people = [[1, 2, 1, 2, 1], [3, 4, 3, 4, 3], [6, 5, 6, 5, 6]]
    tables = {"good": people, "bad": [[4, 2, 4, 1, 4], [1, 4, 2, 2, 1], [2, 3, 1, 4, 1]]}
    assert too_few(correlations_of(tables, {"j": people})) == [
        "too few systems: with 3 the smallest possible p of a coefficient is 0.17, so none can be "
        "shown to be more than chance; intervals say little, and vs best compares metrics on these "
        "3 systems only: it says nothing of others"
    ]
    assert too_few(correlations_of(tables, {"j": people}, tests=False)) == [
        "too few systems: with 3 the smallest possible p of a coefficient is 0.17, so none can be "
        "shown to be more than chance"
    ]
    assert too_few(correlations_of(tables, {"j": people}, levels="per_system")) == []


@pytest.mark.parametrize(
    ("systems", "level", "coefficient", "least"),
    [
        # One order of all; by ranks the reversed one is as far from 0, within one list of them.
        (2, "system", "pearson", "1"),
        (3, "system", "tau_b", "0.33"),
        (3, "summary", "tau_b", "0.17"),
        (4, "system", "spearman", "0.083"),
        (4, "system", "pearson", None),
        (5, "system", "tau_b", None),
    ],
)
def test_how_many_systems_are_too_few(systems, level, coefficient, least):
    marks = [[(3 * s * s + s * t) % 11 + s for t in range(6)] for s in range(systems)]
    correlations = correlations_of(
        {"m": marks}, {"j": marks}, levels=level, coefficients=coefficient
    )
    if least is None:
        assert too_few(correlations) == []
    else:
        (note,) = too_few(correlations)
        assert f"with {systems} the smallest possible p of a coefficient is {least}," in note
        (row,) = correlations.tables[0].rows
        assert row.p >= float(least) - 0.005


def test_few_topics_are_too_few_where_topics_are_permuted():
    people = [[1, 2, 3], [3, 2, 4], [6, 5, 5], [7, 8, 9], [2, 1, 4], [8, 6, 9]]
    (note,) = too_few(correlations_of({"m": people}, {"j": people}, levels="per_system"))
    assert note.startswith(
        "too few topics: with 3 the smallest possible p of a coefficient is 0.17"
    )


def test_judges_left_out_and_judges_by_place_are_told():
    table = [[1.0], [2.0], [3.0]]
    flat = correlations_of({"m": table}, {"j1": table, "j2": table, "j3": [[2], [2], [2]]})
    assert flat.tables[0].notes == (
        "(a judge) is the mean of 2 of 3 judges: the others have no coefficient",
    )
    alone = {
        f"j{i}{side}": [[1.0 + i if k == i else NAN] for k in range(3)]
        for i in range(3)
        for side in "ab"
    }
    correlations = correlations_of({"m": table}, alone)
    assert correlations.tables[0].ceilings["pearson"].value == pytest.approx(1.0)
    assert correlations.tables[0].notes == (
        "summaries have different judges: the judgments of each, in order, stand for judges",
    )


def test_intervals_over_judges():
    rng = np.random.default_rng(5)
    people = rng.normal(size=(4, 6, 5))
    table = people.mean(axis=0) + rng.normal(size=(6, 5))
    judges = {f"j{i}": marks for i, marks in enumerate(people)}
    for over in ("judges", "all"):
        line = rows_of(correlations_of({"m": table}, judges, over=over))["m"]
        again = bootstrap(table, people, "system", "pearson", over, draws=50)
        assert (line.low, line.high, line.draws) == (again.low, again.high, again.draws)


def test_one_judge_cannot_be_drawn():
    line = rows_of(correlations_of({"m": [[1], [2], [3]]}, {"j": [[1], [2], [4]]}, over="judges"))[
        "m"
    ]
    assert line.value == line.value and math.isnan(line.low) and line.draws == 0


@pytest.mark.parametrize("level", LEVELS)
def test_constant_scores_have_no_rank_and_a_reason(level):
    rng = np.random.default_rng(2)
    people = rng.normal(size=(4, 3))
    correlations = correlations_of(
        {"flat": np.ones((4, 3)), "m": people}, {"j": people}, levels=(level,)
    )
    for name in ("pearson", "spearman", "tau_b"):
        line = rows_of(correlations, name)["flat"]
        assert math.isnan(line.value) and math.isnan(line.p)
        assert (line.rank, line.cluster) == (None, None)
        assert "all scores are the same in one of the tables" in line.reason
    assert rows_of(correlations)["m"].rank == 1
    assert any(note.startswith("no coefficient of flat") for note in correlations.tables[0].notes)


def test_nothing_but_constant_scores():
    (table,) = correlations_of({"flat": np.ones((3, 2))}, {"j": [[1, 2], [2, 3], [3, 4]]}).tables
    assert all(math.isnan(line.value) and line.rank is None for line in table.rows)


def test_two_systems_agree_or_do_not():
    tables = {"yes": [[1, 2], [3, 5]], "no": [[4, 4], [1, 2]]}
    lines = rows_of(correlations_of(tables, {"j": [[1, 1], [2, 3]]}))
    assert [lines[m].value for m in tables] == pytest.approx([1.0, -1.0])
    assert lines["yes"].of_two == 1 and math.isnan(lines["yes"].fisher_low)
    assert 0 < lines["no"].p <= 1


def test_one_system_has_no_coefficient():
    lines = rows_of(correlations_of({"m": [[1, 2, 3]]}, {"j": [[1, 2, 3]]}))
    assert math.isnan(lines["m"].value)
    assert lines["m"].reason == "fewer than two systems, or cells, have both scores"
    alone = rows_of(correlations_of({"m": [[1, 2, 3]]}, {"j": [[1, 2, 3]]}, levels=("per_system",)))
    assert alone["m"].value == pytest.approx(1.0)


def test_missing_cells_are_counted():
    """The metric lacks t1 of s0; people lack t0 of s2, and both lack t2 of s1."""
    people = [[1, 2, 3], [2, 3, NAN], [NAN, 5, 6], [4, 4, 5]]
    table = [[1, NAN, 4], [3, 2, NAN], [2, 6, 8], [3, 5, 6]]
    line = rows_of(correlations_of({"m": table}, {"j": people}, levels=("summary",)))["m"]
    assert (line.missing, line.systems, line.topics, line.groups) == (3, 4, 3, 3)


def test_metrics_that_lack_other_scores_are_told():
    """m has no score of s0, so that the test of both is on three systems."""
    people = [[1, 2], [2, 3], [3, 5], [4, 4]]
    gaps = [[NAN, NAN], [3, 2], [2, 6], [3, 5]]
    told = "some metrics have no scores where others have some: ranks are of all that each has, "
    (table,) = correlations_of({"m": gaps, "whole": people}, {"j": people}).tables
    assert [note for note in table.notes if note.startswith(told)]
    (table,) = correlations_of({"m": gaps, "also": gaps}, {"j": people}).tables
    assert not [note for note in table.notes if note.startswith(told)]


def test_too_few_draws_for_so_many_metrics_are_told():
    """Three tests: the least p after Holm is 3 / 60 = 0.05 with 59 draws, and above with 58."""
    rng = np.random.default_rng(4)
    people = rng.normal(size=(6, 5))
    tables = {f"m{k}": people + rng.normal(size=people.shape) for k in range(4)}
    few, enough = (
        correlations_of(tables, {"j": people}, draws=n).tables[0].notes for n in (58, 59)
    )
    assert few[-1] == (
        "nothing can be significant here: the smallest p of 58 draws is 0.017, corrected for "
        "3 comparisons 0.051; 59 draws can show more"
    )
    assert not [note for note in enough if "draws" in note]


def test_too_few_summaries_for_any_p_are_told():
    """Four cells can be swapped in 16 ways, and the most extreme one has a mirror: 2/16."""
    people = [[1, 2], [4, 3]]
    tables = {"m": people, "other": [[2, 1], [1, 4]]}
    (table,) = correlations_of(tables, {"j": people}).tables
    assert min(line.p for line in table.rows if line.p == line.p) >= 2 / 16
    least = "nothing can be significant here: the smallest p of all 16 ways to swap is 0.12"
    assert table.notes[-1] == f"{least}; more systems or topics can show more"
    (alone,) = correlations_of({"m": people}, {"j": people}).tables
    assert not [note for note in alone.notes if "nothing can be" in note]


def test_judges_without_a_coefficient_are_told_once():
    (table,) = correlations_of({"m": [[1]]}, {"j1": [[1]], "j2": [[2]]}).tables
    assert table.notes[1:] == (
        "how well one judge follows the others is not shown: no judge has a coefficient with the "
        "others",
    )


def test_scores_of_which_none_is_defined():
    (table,) = correlations_of({"m": np.full((2, 2), NAN)}, {"j": [[1, 2], [2, 3]]}).tables
    assert (table.systems, table.topics) == (2, 2)
    assert all(math.isnan(line.value) and line.missing == 4 for line in table.rows)
    assert table.notes[0] == (
        "no coefficient of m: fewer than two systems, or cells, have both scores"
    )


def test_a_summary_with_two_scores_is_refused():
    table, corpus = grid_scores({"m": [[1], [2]]}), judged_corpus(grid_marks({"j": [[1], [2]]}))
    twice = ScoreTable(table.rows * 2, table.columns, np.tile(table.data, (2, 1)))
    with pytest.raises(SummetryError, match="'s0' has two rows of scores for the topic 't0'"):
        summetry.correlate(twice, corpus)


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.sampled_from(LEVELS))
def test_the_order_of_metrics_changes_no_line(seed, level):
    rng = np.random.default_rng(seed)
    people = rng.integers(1, 4, (4, 3))
    tables = {f"m{k}": rng.integers(0, 4, (4, 3)) for k in range(3)}
    turned = dict(reversed(tables.items()))
    options = {"levels": (level,), "draws": 20}
    one, other = (correlations_of(t, {"j": people}, **options) for t in (tables, turned))
    for name in ("pearson", "tau_b"):
        first, second = rows_of(one, name), rows_of(other, name)
        for metric in tables:
            assert first[metric].value == pytest.approx(second[metric].value, nan_ok=True)
            assert first[metric].rank == second[metric].rank
            ends = [(x.low, x.high) for x in (first[metric], second[metric])]
            assert ends[0] == pytest.approx(ends[1], nan_ok=True)


def test_the_same_twice_and_progress_to_the_end():
    rng = np.random.default_rng(9)
    people = rng.normal(size=(5, 4))
    tables = {f"m{k}": rng.normal(size=(5, 4)) for k in range(3)}
    told = []
    one, other = (
        correlations_of(tables, {"j": people}, levels=("system", "summary"), progress=show)
        for show in (None, lambda done, total: told.append((done, total)))
    )
    assert repr(one.tables) == repr(other.tables)
    assert told == [(k, 12) for k in range(1, 13)]


def test_scores_and_judgments_from_files(tmp_path, demo, demo_folder):
    from summetry.formats.scores import write_scores

    table = summetry.evaluate(demo, ["unit_overlap", "lcs"])
    write_scores(table, tmp_path / "scores.csv")
    options = {"draws": 20, "metrics": ["lcs.f"], "dimensions": ["responsiveness"]}
    here = summetry.correlate(table, demo, **options)
    there = summetry.correlate(tmp_path / "scores.csv", str(demo_folder), **options)
    assert repr(here.tables) == repr(there.tables)
    assert {line.column.name for line in here.tables[0].rows} == {"lcs.f"}


def test_mistakes_are_told(demo):
    import dataclasses

    table = summetry.evaluate(demo, ["lcs"])
    bare = dataclasses.replace(demo, judgments=())
    with pytest.raises(SummetryError, match="the corpus has no judgments to compare scores with"):
        summetry.correlate(table, bare)
    with pytest.raises(SummetryError, match=r"rouge_n was not scored; .*; there are lcs"):
        summetry.correlate(table, demo, metrics=["rouge_n"])
    cases = [
        ({"levels": ()}, "at least one level and one coefficient are needed"),
        ({"levels": ("sytem",)}, "no level is named 'sytem'. Did you mean 'system'"),
        ({"coefficients": ("kendall",)}, "no coefficient is named 'kendall'"),
        ({"over": "inputs"}, "no way of drawing is named 'inputs'"),
        ({"levels": ("segment",)}, "say summary (within each topic, then averaged) or global"),
        ({"alpha": 0}, "alpha must be between 0 and 1, such as 0.05, got 0"),
        ({"draws": 0}, "draws must be 1 or more, got 0"),
        ({"draws": 10**12}, "draws must be 100,000 or fewer, got 1,000,000,000,000"),
    ]
    for options, words in cases:
        with pytest.raises(SummetryError) as error:
            CorrelateSettings(**options)
        assert words in str(error.value)


def test_plain_coefficients_with_marks_by_hand():
    """As in ``test_one_topic_by_hand``, without ranks, intervals and tests."""
    corpus = judged_corpus(grid_marks({"j": [[1], [3], [2], [5]]}))
    (correlations,) = correlate_with_judgments(grid_scores({"up": [[1], [2], [3], [4]]}), corpus)
    assert (correlations.value, correlations.dimension, correlations.systems) == (
        "up",
        "quality",
        4,
    )
    assert correlations.signature == "up|v:0"
    # Sums of a few terms: an error of some units in the last place.
    assert correlations.pearson == pytest.approx(5.5 / math.sqrt(5 * 8.75), rel=1e-14)
    assert (correlations.spearman, correlations.kendall) == pytest.approx((0.8, 4 / 6), rel=1e-14)


def test_a_row_for_every_value_and_dimension_as_plain_means_have_it(demo):
    table = summetry.evaluate(demo, ["unit_overlap", "lcs", "coselection"])
    correlations = correlate_with_judgments(table, demo)
    dimensions = list(dict.fromkeys(j.dimension for j in demo.judgments))
    assert [(f.value, f.dimension) for f in correlations] == [
        (column.name, dimension) for column in table.columns for dimension in dimensions
    ]
    for line in correlations:
        numbers = table.column(line.value)
        pairs = []
        for author in table.authors():
            values, marks = [], []
            for row, number in zip(table.rows, numbers, strict=True):
                given = [
                    demo.mark(j)
                    for j in demo.judgments
                    if (j.topic, j.author, j.dimension) == (row.topic, author, line.dimension)
                ]
                if row.author == author and not math.isnan(number) and given:
                    values.append(number)
                    marks.append(fmean(given))
            if values:
                pairs.append((fmean(values), fmean(marks)))
        assert line.systems == len(pairs)
        expected = np.corrcoef(*zip(*pairs, strict=True))[0, 1]
        # Two different ways of adding up nine numbers and six products.
        assert line.pearson == pytest.approx(expected, rel=1e-9)


def test_input_is_taken_for_summary():
    assert CorrelateSettings(("input", "summary", "system")).levels == ("summary", "system")


def test_without_tests_there_are_values_and_ranks_only():
    people = [[1, 2], [2, 3], [3, 5], [4, 4]]
    tables = {"m": [[2, 1], [1, 2], [3, 6], [4, 5]], "whole": people}
    tested, quick = (
        correlations_of(tables, {"j": people}, levels=LEVELS, tests=tests, all_tests=True)
        for tests in (True, False)
    )
    for table, other in zip(tested.tables, quick.tables, strict=True):
        for row, same in zip(table.rows, other.rows, strict=True):
            assert (row.column, row.coefficient, row.value, row.rank) == (
                same.column, same.coefficient, same.value, same.rank,
            )  # fmt: skip
            assert not math.isnan(row.low) and row.cluster
            numbers = (same.low, same.high, same.p, same.p_best, same.p_best_corrected)
            assert all(map(math.isnan, numbers)) and same.cluster is None


def test_what_the_judges_made_has_no_rank_and_disturbs_no_other():
    """scu_recall is people's own numbers: it would be the first, and the best of the tests."""
    people = [[1], [2], [3], [4], [5]]
    tables = {"scu_recall": people, "m": [[1], [3], [2], [4], [5]], "n": [[2], [1], [5], [3], [4]]}
    corpus = judged_corpus(grid_marks({"j": people}, "modified_pyramid"))
    made = summetry.correlate(grid_scores(tables), corpus, draws=50)
    rows = rows_of(made)
    assert [rows[name].rank for name in tables] == [None, 1, 2]
    assert rows["scu_recall"].value == pytest.approx(1)
    assert math.isnan(rows["scu_recall"].p_best)
    assert math.isnan(rows["m"].p_best) and rows["m"].cluster == 1
    note = "scu_recall: made of the judgments on modified_pyramid, so there is no rank"
    assert note in made.notes
    # Against other judgments it is a metric like any other.
    other = correlations_of(tables, {"j": people})
    assert [rows_of(other)[name].rank for name in tables] == [1, 2, 3]
    assert not [n for n in other.notes if "made of" in n]


def with_lengths(marks, words):
    """A corpus in which system k wrote ``words[k]`` words on each topic."""
    from dataclasses import replace

    from summetry.records.summaries import Summary

    corpus = judged_corpus(marks)
    summaries = tuple(
        Summary(topic.id, f"s{k}", "candidate", text="word, " * number)
        for topic in corpus.topics
        for k, number in enumerate(words)
    )
    return replace(corpus, summaries=summaries)


@pytest.mark.parametrize(
    ("words", "note"), [((10, 20, 30, 40, 50), "quality (1.00)"), ((50, 40, 30, 20, 10), "(-1.00)")]
)
def test_judgments_that_follow_length_are_named_in_one_note(words, note):
    marks = {"j": [[k, k + 1] for k in range(5)]}
    corpus = with_lengths(grid_marks(marks), words)
    scores = grid_scores({"m": [[1, 3], [2, 2], [5, 4], [3, 6], [4, 5]]})
    made = summetry.correlate(scores, corpus, levels=("system", "summary"), tests=False)
    follow = [n for n in made.notes if n.startswith("people's judgments follow the length")]
    assert len(follow) == 1 and note in follow[0] and "(number of words)" in follow[0]
    values = {(r["metric"], r["level"]): r["value"] for r in made.records()}
    expected = 1.0 if words[0] < words[1] else -1.0
    for level in ("system", "summary"):
        assert values[A_LENGTH, level] == pytest.approx(expected)


def test_lengths_that_say_nothing_are_no_news():
    """Lengths 2 1 4 1 3 against 1 2 3 4 5: r = 1 * 0 ... by numpy below what random ones reach."""
    corpus = with_lengths(grid_marks({"j": [[k] for k in range(1, 6)]}), (20, 10, 40, 10, 30))
    made = summetry.correlate(grid_scores({"m": [[1], [2], [5], [3], [4]]}), corpus, tests=False)
    (table,) = made.tables
    expected = np.corrcoef([20, 10, 40, 10, 30], range(1, 6))[0, 1]
    assert table.length["pearson"] == pytest.approx(expected)
    assert table.beside()[A_RANDOM]["pearson"] > expected
    assert not [n for n in made.notes if "length" in n]


def test_a_column_of_lengths_stands_for_texts_that_are_not_there():
    """Also where it is not among the metrics that are shown."""
    tables = {"m": [[1], [2], [4], [3]], "length": [[10], [5], [7], [9]]}
    marks = {"j": [[1], [2], [3], [4]]}
    made = correlations_of(tables, marks, metrics=["m"], tests=False)
    assert A_LENGTH not in made.tables[0].beside()
    corpus = judged_corpus(grid_marks(marks))
    scores = grid_scores(tables)
    from summetry.metaeval.correlations import correlate_parts
    from summetry.metaeval.selection import Selection, judged_parts

    parts, _ = judged_parts([scores], corpus, Selection(metrics=["m"]))
    (table,) = correlate_parts(parts, CorrelateSettings(tests=False)).tables
    assert {row.column.name for row in table.rows} == {"m"}
    expected = np.corrcoef([10, 5, 7, 9], [1, 2, 3, 4])[0, 1]
    assert table.beside()[A_LENGTH]["pearson"] == pytest.approx(expected)
    assert table.counted == "length"


def holm_by_hand(p):
    """Each p times how many are not smaller, and not below those before it."""
    order, most, corrected = np.argsort(p, kind="stable"), 0.0, np.zeros(len(p))
    for rank, place in enumerate(order):
        most = max(most, min(p[place] * (len(p) - rank), 1.0))
        corrected[place] = most
    return corrected


@pytest.mark.parametrize("level", ["system", "summary"])
@pytest.mark.parametrize("words", [(10, 20, 30, 50, 40), (50, 40, 30, 10, 20)])
def test_a_metric_is_tested_against_length_in_the_direction_that_follows_people(level, words):
    """Against the plain test of two dependent coefficients, and Holm's rule by hand."""
    rng = np.random.default_rng(4)
    people = np.add.outer(np.arange(5.0), rng.normal(size=6))
    tables = {"near": people + rng.normal(0, 0.2, people.shape), "far": rng.normal(size=(5, 6))}
    corpus = with_lengths(grid_marks({"j": people}), words)
    made = summetry.correlate(grid_scores(tables), corpus, levels=level, draws=400, seed=3)
    sign = 1 if words[0] < words[-1] else -1
    lengths = sign * np.repeat(np.array(words, float)[:, None], 6, axis=1)
    assert sign * made.tables[0].length["pearson"] > 0.5
    tests = [
        permutation_test(table, lengths, people, level, "pearson", draws=400, seed=3)
        for table in tables.values()
    ]
    expected = holm_by_hand([test.p if test.value > 0 else 1.0 for test in tests])
    rows = rows_of(made)
    assert [rows[name].p_length_corrected for name in tables] == pytest.approx(expected)
    # Beside a source of three words that no summary has, lead overlap is 0 everywhere.
    assert all(math.isnan(row.p_lead_corrected) for row in rows.values())
    assert (expected <= 0.05).tolist() == [True, False]
    (note,) = [note for note in made.tables[0].notes if "better than" in note]
    assert note == "no better than (length alone), as far as the test can tell: far"


def test_where_no_metric_beats_length_one_note_says_so():
    people = np.add.outer(np.arange(5.0), np.zeros(3))
    rng = np.random.default_rng(1)
    tables = {name: rng.normal(size=(5, 3)) for name in "ab"}
    corpus = with_lengths(grid_marks({"j": people}), (10, 20, 30, 40, 50))
    made = summetry.correlate(grid_scores(tables), corpus, draws=50)
    assert "no metric is better than (length alone), as far as the test can tell" in (
        made.tables[0].notes
    )
    assert {row.p_length_corrected for row in made.tables[0].of("pearson")} == {1.0}
    plain = summetry.correlate(grid_scores(tables), corpus, draws=50, tests=False)
    assert not [note for note in plain.tables[0].notes if "better than" in note]


def test_tests_against_null_judges_do_not_change_those_of_metrics():
    """Cells that have a length and no score change nothing."""
    rng = np.random.default_rng(9)
    people, tables = rng.normal(size=(4, 5)), {name: rng.normal(size=(4, 5)) for name in "abc"}
    for table in tables.values():
        table[0, :2] = NAN
    marks = grid_marks({"j": people})
    with_texts = summetry.correlate(
        grid_scores(tables), with_lengths(marks, (9, 5, 7, 8)), draws=100
    )
    without = summetry.correlate(grid_scores(tables), judged_corpus(marks), draws=100)
    ours, theirs = rows_of(with_texts), rows_of(without)
    assert not any(math.isnan(row.p_length_corrected) for row in ours.values())
    for name, row in theirs.items():
        assert ours[name].p_best == pytest.approx(row.p_best, nan_ok=True)
        assert ours[name].cluster == row.cluster


def test_williams_test_is_that_of_null_judges_too():
    rng = np.random.default_rng(2)
    people = np.add.outer(np.arange(6.0), rng.normal(size=4))
    table = people + rng.normal(size=people.shape)
    words = (10, 30, 20, 40, 60, 50)
    corpus = with_lengths(grid_marks({"j": people}), words)
    made = summetry.correlate(grid_scores({"m": table}), corpus, test="williams", draws=20)
    lengths = np.repeat(np.array(words, float)[:, None], 4, axis=1)
    test = williams_test(table, lengths, people, "system", "pearson")
    expected = test.p if test.value > 0 else 1.0
    assert rows_of(made)["m"].p_length_corrected == pytest.approx(expected)


def test_python_scores_texts_so_that_null_judges_are_there(demo):
    """As the scores of the same corpus, given as a corpus or as a frame of its texts."""
    rows = [
        {"id": s.topic, "system": s.author, "candidate": demo.text_of(s)}
        for s in demo.summaries
        if s.role == "candidate"
    ]
    marks = [
        {"id": j.topic, "system": j.author, "judge": j.judge, j.dimension: j.value}
        for j in demo.judgments if j.dimension == "responsiveness"
    ]  # fmt: skip
    how = {"dimensions": "responsiveness", "tests": False}
    scored = summetry.evaluate(demo, ["rouge-1"])
    known = summetry.correlate(scored, demo, metrics=["rouge-1.f"], **how)
    made = summetry.correlate(demo, demo, metrics=["rouge-1.f"], **how)
    assert repr(made) == repr(known)
    sources = {t.id: " ".join(str(w) for w in range(9)) for t in demo.topics}
    texts = [row | {"reference": "a gold text", "source": sources[row["id"]]} for row in rows]
    found = summetry.correlate(texts, marks, metrics=["compression"], **how)
    (table,) = found.tables
    assert table.length["pearson"] == pytest.approx(known.tables[0].length["pearson"])


def test_a_cell_that_is_no_number_is_quoted_in_part():
    row = {"id": "t", "system": "a", "metric": "m", "score": "a long article " * 300}
    with pytest.raises(SummetryError, match="expected a number as m") as error:
        summetry.correlate([row | {"score": 1.0}, row], [{"id": "t", "system": "a", "q": 1}])
    assert len(str(error.value)) < 200
