"""Metrics against people, and with each other: by hand, against single tests, and at the edges."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from marked_tables import grid_marks, grid_scores, judged_corpus

import summetry
from summetry.errors import SummetryError
from summetry.metaeval.accuracies import accuracies
from summetry.metaeval.correlation_tables import A_JUDGE, CorrelateSettings
from summetry.metaeval.correlations import correlate_parts, correlate_with_judgments
from summetry.metaeval.matrix import matrices
from summetry.metaeval.nulls import A_LENGTH, A_RANDOM
from summetry.metaeval.selection import Selection, judged_parts
from summetry.records.scores import ScoreTable
from summetry.records.summaries import Summary
from summetry.stats.correlation import fisher_interval
from summetry.stats.dependent import permutation_test, williams_test
from summetry.stats.jackknife import jackknife_test
from summetry.stats.levels import correlate
from summetry.stats.pairwise import calibrated_accuracy, soft_pairwise_accuracy
from summetry.stats.resampling import bootstrap

NAN = math.nan
LEVELS = ("system", "summary", "global", "per_system")
COEFFICIENTS = ("pearson", "spearman", "tau_b", "tau_a")
RISING = [[1, 2], [2, 3], [3, 5], [4, 4]]


def correlations_of(tables, marks, **options):
    """Tables of ``{metric: systems x topics}`` against ``{judge: systems x topics}``."""
    corpus = judged_corpus(grid_marks(marks))
    return summetry.correlate(grid_scores(tables), corpus, **{"draws": 50} | options)


def rows_of(correlations, coefficient="pearson"):
    rows = correlations.tables[0].rows
    return {row.column.metric: row for row in rows if row.coefficient == coefficient}


def noisy(rng, people, **noise):
    """Metrics by name: what people say and so much noise."""
    return {name: people + size * rng.normal(size=people.shape) for name, size in noise.items()}


def test_one_topic_by_hand():
    """Marks 1 3 2 5. The scores 1 2 3 4 have the coefficients of test_coefficients; 5 2 3 1 has
    deviations 2.25 -.75 .25 -1.75 from 2.75, with -1.75 .25 -.75 2.25: products -3.9375 -.1875
    -.1875 -3.9375, sum -8.25 by 8.75; ranks 4 2 3 1 and 1 3 2 4 are opposite.
    """
    marks = {"j": [[1], [3], [2], [5]]}
    tables = {"up": [[1], [2], [3], [4]], "down": [[5], [2], [3], [1]]}
    correlations = correlations_of(tables, marks)
    (table,) = correlations.tables
    part = table.protocol, table.part, table.dimension, table.level
    assert part == ("no_models", "", "quality", "system")
    assert (table.systems, table.topics, table.judges) == (4, 1, 1)
    pearson = (5.5 / math.sqrt(5 * 8.75), -8.25 / 8.75)
    expected = {"pearson": pearson, "spearman": (0.8, -1.0), "tau_b": (4 / 6, -1.0)}
    for name, values in expected.items():
        rows = rows_of(correlations, name)
        assert [rows[m].value for m in tables] == pytest.approx(values, rel=1e-13)
        assert [rows[m].rank for m in tables] == [1, 2]
        assert math.isnan(rows["up"].p_best)
        assert rows["down"].p_best_corrected == rows["down"].p_best or name != "pearson"
    # The same without ranks, intervals and tests.
    corpus = judged_corpus(grid_marks(marks))
    (plain,) = correlate_with_judgments(grid_scores({"up": tables["up"]}), corpus)
    assert (plain.dimension, plain.systems, plain.signature) == ("quality", 4, "up|v:0")
    values = plain.pearson, plain.spearman, plain.kendall
    assert values == pytest.approx([value for value, _ in expected.values()], rel=1e-14)


def test_a_divergence_is_ranked_by_its_turned_sign_and_is_the_mirror_of_its_negative():
    people, table, third = np.random.default_rng(1).normal(size=(3, 6, 5))
    tables = {"js_divergence": table - people, "negative": people - table, "third": third}
    how = {"levels": ("summary",), "all_tests": True}
    correlations = correlations_of(tables, {"j": people}, **how)
    note = "js_divergence: lower is better, so a coefficient of -1 is the best"
    assert note in correlations.notes
    rows = rows_of(correlations, "tau_b")
    row, other = rows["js_divergence"], rows["negative"]
    numbers = row.value, row.low, row.high, row.fisher_low, row.fisher_high
    mirrored = other.value, other.high, other.low, other.fisher_high, other.fisher_low
    assert numbers == pytest.approx([-value for value in mirrored])
    assert (row.rank, row.cluster, row.p) == (other.rank, other.cluster, other.p)
    assert (row.rank, row.better, rows["third"].rank) == (1, "lower", 3) and row.value < 0
    assert 0 < rows["third"].p_best <= 1


def test_a_length_has_a_coefficient_and_no_rank_and_the_judges_a_line():
    rng = np.random.default_rng(1)
    people = rng.normal(size=(5, 4))
    tables = {"compression": people, **noisy(rng, people, m=1)}
    correlations = correlations_of(tables, {"j": people})
    row = rows_of(correlations)["compression"]
    assert row.value == pytest.approx(1.0) and row.high == pytest.approx(1.0)
    assert (row.rank, row.cluster) == (None, None) and math.isnan(row.p_best)
    assert rows_of(correlations)["m"].rank == 1
    assert "neither higher nor lower is better" in correlations.notes[0]
    ranked = [row.column.metric for row in correlations.tables[0].of("pearson")]
    assert ranked == ["m", "compression"]
    # The judges have a line, unless there is only one.
    correlations = correlations_of({"m": RISING}, {"j1": RISING, "j2": RISING})
    ceilings = {name: top.value for name, top in correlations.tables[0].ceilings.items()}
    assert ceilings == pytest.approx(dict.fromkeys(("pearson", "spearman", "tau_b"), 1.0))
    records = [r for r in correlations.records() if r["metric"] == A_JUDGE]
    assert [(r["coefficient"], r["rank"], r["systems"]) for r in records] == [
        ("pearson", None, 4), ("spearman", None, 4), ("tau_b", None, 4),
    ]  # fmt: skip
    alone = correlations_of({"m": RISING}, {"j": RISING})
    assert not [r for r in alone.records() if r["metric"] == A_JUDGE]


def holm_by_hand(p):
    """Each p times how many are not smaller, and not below those before it."""
    order, most, corrected = np.argsort(p, kind="stable"), 0.0, np.zeros(len(p))
    for rank, i in enumerate(order):
        most = max(most, min(p[i] * (len(p) - rank), 1.0))
        corrected[i] = most
    return corrected


def single_test(pair, level, coefficient, test, draws):
    """The name of the test of two metrics, and its p."""
    if test == "auto":
        by_level = {"summary": "systems", "global": "jackknife", "per_system": "topics"}
        test = by_level.get(level, "williams" if coefficient == "pearson" else "systems")
    whole = {"williams": williams_test, "jackknife": jackknife_test}.get(test)
    if whole:
        return test, whole(*pair, level, coefficient).p
    return test, permutation_test(*pair, level, coefficient, test, **draws).p


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", [1, 4])
def test_the_whole_table_is_what_single_tests_say(seed, level):
    """Ranks by sorting, p by the test of one pair, intervals by one bootstrap."""
    rng = np.random.default_rng(seed)
    shape = (6, 5)
    people = rng.integers(1, 6, shape) * 1.0
    tables = noisy(rng, people, m0=1, m1=2, m2=3, m3=4)
    if seed % 2:
        people[rng.random(shape) < 0.2] = NAN
    draws, over = {"draws": 64, "seed": seed}, "systems" if seed > 3 else "both"
    how = {"levels": level, "coefficients": COEFFICIENTS, "alpha": 0.1, "over": over, **draws}
    how["test"] = "cells" if seed > 3 else "auto"
    correlations = correlations_of(tables, {"j": people}, all_tests=True, **how)
    for name in COEFFICIENTS:
        rows, at = rows_of(correlations, name), (level, name)
        values = {m: correlate(t, people, *at).value for m, t in tables.items()}
        ordered = sorted(values.values(), reverse=True)
        best, *others = sorted(values, key=values.get, reverse=True)
        for metric, row in rows.items():
            assert row.value == pytest.approx(values[metric], abs=1e-12)
            assert row.rank == 1 + ordered.index(values[metric])
            interval = bootstrap(tables[metric], people, *at, over, confidence=0.9, **draws)
            assert (row.low, row.high) == pytest.approx((interval.low, interval.high))
            if level == "system":
                fisher = fisher_interval(row.value, 6, name, 0.9)
                assert (row.fisher_low, row.fisher_high) == fisher
        pairs = [(tables[best], tables[m], people) for m in others]
        names, p = zip(*(single_test(pair, *at, how["test"], draws) for pair in pairs), strict=True)
        assert [rows[m].p_best for m in others] == pytest.approx(p)
        corrected = [rows[m].p_best_corrected for m in others]
        assert corrected == pytest.approx(holm_by_hand(p).tolist())
        assert [rows[m].test for m in others] == [*names] and rows[best].test == ""


def test_clusters_begin_where_somebody_is_beaten_and_never_contradict_the_tests():
    """Two copies of people's marks and two of noise: two clusters, as ranks share places."""
    people, noise = np.random.default_rng(0).normal(size=(2, 10, 12))
    tables = {"a": people, "b": 2 * people, "c": noise, "d": 3 * noise + 1}
    rows = rows_of(correlations_of(tables, {"j": people}, levels=("summary",), draws=500))
    assert [rows[m].cluster for m in "abcd"] == [1, 1, 2, 2]
    assert [rows[m].rank for m in "abcd"] == [1, 1, 3, 3]
    assert rows["b"].p_best == 1.0
    # Of 1024 ways to swap ten systems, none and all are the most extreme; three tests.
    assert rows["c"].p_best_corrected == pytest.approx(3 * 2 / 1024)
    # A metric is in the first cluster exactly if its corrected p is above alpha.
    rng = np.random.default_rng(9)
    people = rng.normal(size=(12, 4))
    tables = noisy(rng, people, **{f"m{k}": 0.3 + 0.06 * k for k in range(6)})
    (table,) = correlations_of(tables, {"j": people}, levels="summary", draws=400).tables
    _, *others = table.of("pearson")
    assert [row.cluster == 1 for row in others] == [row.p_best_corrected > 0.05 for row in others]
    assert any(row.p_best <= 0.05 < row.p_best_corrected for row in others)


def test_what_cannot_be_tested_has_no_p_no_cluster_and_a_reason():
    rng = np.random.default_rng(4)
    people = rng.normal(size=(9, 5))
    tables = noisy(rng, people, a=0.2, b=1, c=4)
    for how, words in (
        ({"levels": "summary", "test": "williams"}, "for the system level only"),
        ({"levels": "global", "exclude": [f"s{k}" for k in range(2, 9)]}, "got 2 and 5"),
    ):
        (table,) = correlations_of(tables, {"j": people}, **how).tables
        (note,) = [note for note in table.notes if note.startswith("no test against the best")]
        assert words in note and note.count("Williams") + note.count("jackknife") == 1
        best, *others = table.of("pearson")
        assert best.cluster == 1
        assert all(math.isnan(row.p_best) and row.cluster is None for row in others)
    # One system has one order.
    made = correlations_of({"m": [[1, 2, 3]]}, {"j": [[1, 3, 2]]}, levels="global")
    (row,) = (row for row in made.tables[0].of("pearson"))
    assert row.value == pytest.approx(0.5) and math.isnan(row.p)
    assert "too few systems: a coefficient of one cannot be tested" in made.notes


def test_there_is_no_second_cluster_behind_a_metric_that_is_not_shown_to_follow_people():
    """Four systems: 2 of 24 orders have tau 1, so that its p is 0.083; and -1 is far from it."""
    people = np.arange(4.0)[:, None] + np.zeros((4, 12))
    noise = np.random.default_rng(1).normal(size=(3, 4, 12))
    tables = {"up": people + 0.1 * noise[0], "down": 0.1 * noise[1] - people}
    how = {"coefficients": "tau_b", "levels": "summary", "test": "cells", "draws": 200}
    (table,) = correlations_of(tables, {"j": people}, **how).tables
    best, worst = table.of("tau_b")
    assert best.p == pytest.approx(2 / 24) and worst.p_best_corrected < 0.05
    assert (best.cluster, worst.cluster) == (1, None)
    note = "no second cluster: up, the best metric, is not shown to follow people (p = 0.083)"
    assert note in table.notes
    (table,) = correlations_of(tables, {"j": people}, **how, alpha=0.1).tables
    assert [row.cluster for row in table.of("tau_b")] == [1, 2]


def test_a_coefficient_has_a_p_of_its_own():
    """Of the 24 orders of 1 2 3 4, two are as far from 0 as 1; 0.8 (1 2 4 3) has 8 of them.

    Sums of squared differences of ranks: 0 for one order, 2 for three, 20 for one and 18 for three.
    """
    marks = {"j": [[1], [2], [3], [4]]}
    tables = {"same": [[1], [2], [3], [4]], "near": [[1], [2], [4], [3]], "flat": [[1]] * 4}
    rows = rows_of(correlations_of(tables, marks, draws=24))
    assert [rows[m].p for m in ("same", "near")] == pytest.approx([2 / 24, 8 / 24])
    assert math.isnan(rows["flat"].p)
    assert rows_of(correlations_of(tables, marks, draws=23))["same"].p != rows["same"].p


def test_intervals_and_tests_are_of_the_first_coefficient_unless_all_are_wanted():
    rng = np.random.default_rng(2)
    people = rng.normal(size=(6, 5))
    tables = noisy(rng, people, a=1, b=1)
    ways = {}, {"all_tests": True}, {"all_tests": True, "tests": False}
    each = (correlations_of(tables, {"j": people}, levels=LEVELS, **how) for how in ways)
    first, whole, quick = each
    for few, tested, bare in zip(first.tables, whole.tables, quick.tables, strict=True):
        for row, other, plain in zip(few.rows, tested.rows, bare.rows, strict=True):
            for same in (row, plain):
                assert (same.column, same.coefficient, same.value, same.rank) == (
                    other.column, other.coefficient, other.value, other.rank,
                )  # fmt: skip
            is_first = row.coefficient == "pearson"
            assert row.fisher_low == pytest.approx(other.fisher_low, nan_ok=True)
            assert math.isnan(row.low) == math.isnan(row.p) == (row.cluster is None) != is_first
            if is_first:
                assert (row.low, row.p, row.cluster) == (other.low, other.p, other.cluster)
            assert not math.isnan(other.low) and 0 < other.p <= 1 and other.cluster
            numbers = plain.low, plain.high, plain.p, plain.p_best, plain.p_best_corrected
            assert np.isnan(numbers).all() and plain.cluster is None


def test_enough_permutations_are_drawn():
    """500 metrics share alpha = 0.05: 10,000 draws would not do."""
    settings = CorrelateSettings()
    assert (settings.resamples, settings.permutations(20)) == (10_000, 10_000)
    assert settings.permutations(600) == 2 * (600 * 20 - 1)
    assert CorrelateSettings(draws=300).permutations(600) == 300
    assert CorrelateSettings(("input", "summary", "system")).levels == ("summary", "system")


def test_scores_that_cannot_be_compared_are_refused(demo):
    scored = summetry.evaluate(demo, ["lcs"])
    table, corpus = grid_scores({"m": [[1], [2]]}), judged_corpus(grid_marks({"j": [[1], [2]]}))
    twice = ScoreTable(table.rows * 2, table.columns, np.tile(table.data, (2, 1)))
    for scores, judged, metrics, words in (
        (scored, replace(demo, judgments=()), (), "no judgments to compare scores with"),
        (scored, demo, ["rouge_n"], r"rouge_n was not scored; .*; there are lcs"),
        (twice, corpus, (), "'s0' has two rows of scores for the topic 't0'"),
    ):
        with pytest.raises(SummetryError, match=words):
            summetry.correlate(scores, judged, metrics=metrics)


ONE_TOPIC = [[1.0], [2.0], [3.0]]
EACH_ITS_JUDGES = {
    f"j{i}{side}": [[1.0 + i if k == i else NAN] for k in range(3)]
    for i in range(3) for side in "ab"
}  # fmt: skip
# m has no score of s0, so that a test of both is on three systems.
GAPS = [[NAN, NAN], [3, 2], [2, 6], [3, 5]]
SIX_BY_5 = np.random.default_rng(4).normal(size=(6, 5))
FOUR = noisy(np.random.default_rng(5), SIX_BY_5, m0=1, m1=1, m2=1, m3=1)
SIX_BY_3 = [[1, 2, 3], [3, 2, 4], [6, 5, 5], [7, 8, 9], [2, 1, 4], [8, 6, 9]]
SQUARE = {"m": [[1, 2], [4, 3]], "other": [[2, 1], [1, 4]]}


def orders(systems, level, coefficient, **how):
    """Judgments of so many systems, which are the scores too."""
    marks = [[(3 * s * s + s * t) % 11 + s for t in range(6)] for s in range(systems)]
    return {"m": marks}, marks, {"levels": level, "coefficients": coefficient, **how}


NOTED = {
    "one judge": ({"m": ONE_TOPIC}, ONE_TOPIC, {}),
    "a judge without a coefficient":
        ({"m": ONE_TOPIC}, {"j1": ONE_TOPIC, "j2": ONE_TOPIC, "j3": [[2], [2], [2]]}, {}),
    "each summary its judges": ({"m": ONE_TOPIC}, EACH_ITS_JUDGES, {}),
    # Told once, and not for each coefficient.
    "one summary": ({"m": [[1]]}, {"j1": [[1]], "j2": [[2]]}, {}),
    "no scores": ({"m": np.full((2, 2), NAN)}, [[1, 2], [2, 3]], {}),
    "some metrics lack scores": ({"m": GAPS, "whole": RISING}, RISING, {}),
    "all metrics lack the same scores": ({"m": GAPS, "also": GAPS}, RISING, {}),
    # One order of all: 1 of 1, 1 of 6 and 2 of 24, as by ranks the reversed one is as far from 0.
    "2 systems": orders(2, "system", "pearson"),
    "3 systems": orders(3, "summary", "tau_b"),
    "3 systems without tests": orders(3, "summary", "tau_b", tests=False),
    "4 systems": orders(4, "system", "spearman"),
    "4 systems by numbers": orders(4, "system", "pearson"),
    "5 systems": orders(5, "system", "tau_b"),
    "3 topics, where topics are permuted": ({"m": SIX_BY_3}, SIX_BY_3, {"levels": "per_system"}),
    # Four cells can be swapped in 16 ways, and the most extreme one has a mirror: 2/16.
    "4 cells": (SQUARE, SQUARE["m"], {"test": "cells"}),
    # Three tests: the least p after Holm is 3 / 60 = 0.05 with 59 draws, and above with 58.
    "58 draws": (FOUR, SIX_BY_5, {"test": "cells", "draws": 58}),
    "59 draws": (FOUR, SIX_BY_5, {"test": "cells", "draws": 59}),
    # Six systems have 64 ways, and one of three tests needs 1/60; draws do not matter.
    "64 ways": (FOUR, SIX_BY_5, {"levels": "summary"}),
}  # fmt: skip


@pytest.mark.parametrize("case", NOTED)
def test_notes(case, snapshot):
    tables, marks, how = NOTED[case]
    correlations = correlations_of(
        tables, marks if isinstance(marks, dict) else {"j": marks}, **how
    )
    (table,) = correlations.tables
    assert "\n".join([*correlations.notes, "in the table:", *table.notes]) == snapshot


def test_intervals_over_judges():
    rng = np.random.default_rng(5)
    people = rng.normal(size=(4, 6, 5))
    table = people.mean(axis=0) + rng.normal(size=(6, 5))
    judges = {f"j{i}": marks for i, marks in enumerate(people)}
    for over in ("judges", "all"):
        row = rows_of(correlations_of({"m": table}, judges, over=over))["m"]
        interval = bootstrap(table, people, "system", "pearson", over, draws=50)
        assert (row.low, row.high, row.draws) == (interval.low, interval.high, interval.draws)
    # One judge cannot be drawn.
    alone = correlations_of({"m": ONE_TOPIC}, {"j": [[1], [2], [4]]}, over="judges")
    row = rows_of(alone)["m"]
    assert not math.isnan(row.value) and math.isnan(row.low) and row.draws == 0


@pytest.mark.parametrize("level", LEVELS)
def test_constant_scores_have_no_rank_and_a_reason(level):
    people = np.random.default_rng(2).normal(size=(4, 3))
    tables = {"flat": np.ones((4, 3)), "m": people}
    correlations = correlations_of(tables, {"j": people}, levels=(level,))
    for name in ("pearson", "spearman", "tau_b"):
        row = rows_of(correlations, name)["flat"]
        assert math.isnan(row.value) and math.isnan(row.p)
        assert (row.rank, row.cluster) == (None, None)
        assert "all scores are the same in one of the tables" in row.reason
    assert rows_of(correlations)["m"].rank == 1
    assert any(note.startswith("no coefficient of flat") for note in correlations.tables[0].notes)


def test_progress_goes_on_to_the_end():
    tables, steps = {f"m{k}": RISING for k in range(3)}, []
    progress = {"progress": lambda *now: steps.append(now)}
    correlations_of(tables, {"j": RISING}, levels=("system", "summary"), **progress)
    assert steps == [(k, 12) for k in range(1, 13)]


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


# --- Null judges ---------------------------------------------------------------------------------


def with_lengths(people, words):
    """A corpus in which system k wrote ``words[k]`` words on each topic."""
    corpus = judged_corpus(grid_marks({"j": people}))
    texts = product(corpus.topics, enumerate("word, " * number for number in words))
    summaries = (Summary(topic.id, f"s{k}", "candidate", text=text) for topic, (k, text) in texts)
    return replace(corpus, summaries=tuple(summaries))


@pytest.mark.parametrize(("words", "note"), [
    ((10, 20, 30, 40, 50), "quality (1.00)"), ((50, 40, 30, 20, 10), "(-1.00)"),
])  # fmt: skip
def test_judgments_that_follow_length_are_named_in_one_note(words, note):
    corpus = with_lengths([[k, k + 1] for k in range(5)], words)
    scores = grid_scores({"m": [[1, 3], [2, 2], [5, 4], [3, 6], [4, 5]]})
    made = summetry.correlate(scores, corpus, levels=("system", "summary"), tests=False)
    (follow,) = [n for n in made.notes if n.startswith("people's judgments follow the length")]
    assert note in follow and "(number of words)" in follow
    values = {(r["metric"], r["level"]): r["value"] for r in made.records()}
    for level in ("system", "summary"):
        assert values[A_LENGTH, level] == pytest.approx(1 if words[0] < words[1] else -1)


def test_where_no_metric_beats_length_one_note_says_so():
    people = np.add.outer(np.arange(5.0), np.zeros(3))
    a, b = np.random.default_rng(1).normal(size=(2, 5, 3))
    scores = grid_scores({"a": a, "b": b})
    corpus = with_lengths(people, (10, 20, 30, 40, 50))
    (table,) = summetry.correlate(scores, corpus, draws=50).tables
    assert "no metric is better than (length alone), as far as the test can tell" in table.notes
    assert {row.p_length_corrected for row in table.of("pearson")} == {1.0}
    plain = summetry.correlate(scores, corpus, draws=50, tests=False)
    assert not [note for note in plain.tables[0].notes if "better than" in note]


def test_lengths_that_say_nothing_are_no_news_and_a_column_stands_for_texts_that_are_not_there():
    """Lengths 2 1 4 1 3 against 1 2 3 4 5: r = 1 * 0 ... by numpy below what random ones reach."""
    corpus = with_lengths([[k] for k in range(1, 6)], (20, 10, 40, 10, 30))
    made = summetry.correlate(grid_scores({"m": [[1], [2], [5], [3], [4]]}), corpus, tests=False)
    (table,) = made.tables
    expected = np.corrcoef([20, 10, 40, 10, 30], range(1, 6))[0, 1]
    assert table.length["pearson"] == pytest.approx(expected)
    assert table.beside()[A_RANDOM]["pearson"] > expected
    assert not [n for n in made.notes if "length" in n]
    # A column of lengths stands for texts, also where it is not among the metrics that are shown.
    tables = {"m": [[1], [2], [4], [3]], "length": [[10], [5], [7], [9]]}
    marks = {"j": [[1], [2], [3], [4]]}
    made = correlations_of(tables, marks, metrics=["m"], tests=False)
    assert A_LENGTH not in made.tables[0].beside()
    corpus = judged_corpus(grid_marks(marks))
    parts, _ = judged_parts([grid_scores(tables)], corpus, Selection(metrics=["m"]))
    (table,) = correlate_parts(parts, CorrelateSettings(tests=False)).tables
    assert {row.column.name for row in table.rows} == {"m"}
    expected = np.corrcoef([10, 5, 7, 9], [1, 2, 3, 4])[0, 1]
    assert table.beside()[A_LENGTH]["pearson"] == pytest.approx(expected)
    assert table.counted == "length"


@pytest.mark.parametrize("level", ["system", "summary"])
@pytest.mark.parametrize("words", [(10, 20, 30, 50, 40), (50, 40, 30, 10, 20)])
def test_a_metric_is_tested_against_length_in_the_direction_that_follows_people(level, words):
    """Against the plain test of two dependent coefficients, and Holm's rule by hand."""
    rng = np.random.default_rng(4)
    people = np.add.outer(np.arange(5.0), rng.normal(size=6))
    tables = {"near": people + rng.normal(0, 0.2, people.shape), "far": rng.normal(size=(5, 6))}
    how = {"draws": 400, "seed": 3, "test": "cells"}
    corpus = with_lengths(people, words)
    made = summetry.correlate(grid_scores(tables), corpus, levels=level, **how)
    sign = 1 if words[0] < words[-1] else -1
    lengths = sign * np.repeat(np.array(words, float)[:, None], 6, axis=1)
    assert sign * made.tables[0].length["pearson"] > 0.5
    at = people, level, "pearson"
    swapped = {"swap": "cells", "draws": 400, "seed": 3}
    tests = [permutation_test(table, lengths, *at, **swapped) for table in tables.values()]
    expected = holm_by_hand([test.p if test.value > 0 else 1.0 for test in tests])
    rows = rows_of(made)
    assert [rows[name].p_length_corrected for name in tables] == pytest.approx(expected)
    # Beside a source of three words that no summary has, lead overlap is 0 everywhere.
    assert all(math.isnan(row.p_lead_corrected) for row in rows.values())
    assert (expected <= 0.05).tolist() == [True, False]
    (note,) = [note for note in made.tables[0].notes if "better than" in note]
    assert note == "no better than (length alone), as far as the test can tell: far"


def test_more_tests_against_null_judges_than_six_systems_allow_are_told():
    """Of 64 ways the real one and its mirror: 0.031 for one test, 0.062 for two."""
    rng = np.random.default_rng(4)
    people = np.add.outer(np.arange(6.0), rng.normal(size=8))
    scores = grid_scores(noisy(rng, people, a=0.1, b=5))
    corpus = with_lengths(people, (30, 50, 40, 20, 60, 10))
    (table,) = summetry.correlate(scores, corpus, levels="summary", draws=20).tables
    (note,) = [note for note in table.notes if "nothing can be" in note]
    assert note.startswith("against null judges nothing can be significant here: the smallest p of")
    assert note.endswith(
        "6 systems is 0.031, corrected for 2 comparisons 0.062; 7 systems can show more"
    )
    # A test that there is not has no p against null judges either.
    how = {"levels": "summary", "test": "williams", "draws": 20}
    rows = rows_of(summetry.correlate(scores, corpus, **how))
    assert all(math.isnan(row.p_length_corrected) for row in rows.values())


def test_tests_against_null_judges_do_not_change_those_of_metrics():
    """Cells that have a length and no score change nothing."""
    people, *tables = np.random.default_rng(9).normal(size=(4, 4, 5))
    for table in tables:
        table[0, :2] = NAN
    scores = grid_scores(dict(zip("abc", tables, strict=True)))
    both = with_lengths(people, (9, 5, 7, 8)), judged_corpus(grid_marks({"j": people}))
    with_texts, without = (rows_of(summetry.correlate(scores, c, draws=100)) for c in both)
    assert not any(math.isnan(row.p_length_corrected) for row in with_texts.values())
    for name, row in without.items():
        assert with_texts[name].p_best == pytest.approx(row.p_best, nan_ok=True)
        assert with_texts[name].cluster == row.cluster


def test_python_scores_texts_so_that_null_judges_are_there(demo):
    """As the scores of the same corpus, given as a corpus or as a frame of its texts."""
    rows = [{"id": s.topic, "system": s.author, "candidate": demo.text_of(s)}
            for s in demo.summaries if s.role == "candidate"]  # fmt: skip
    marks = [
        {"id": j.topic, "system": j.author, "judge": j.judge, j.dimension: j.value}
        for j in demo.judgments if j.dimension == "responsiveness"
    ]  # fmt: skip
    how = {"dimensions": "responsiveness", "tests": False}
    scored = summetry.evaluate(demo, ["rouge-1"])
    expected = summetry.correlate(scored, demo, metrics=["rouge-1.f"], **how)
    assert repr(summetry.correlate(demo, demo, metrics=["rouge-1.f"], **how)) == repr(expected)
    texts = [row | {"reference": "a gold text", "source": "0 1 2 3 4 5 6 7 8"} for row in rows]
    (table,) = summetry.correlate(texts, marks, metrics=["compression"], **how).tables
    assert table.length["pearson"] == pytest.approx(expected.tables[0].length["pearson"])


# --- Metrics with each other, and how often they agree with people on pairs of systems -----------


def matrices_of(tables, *levels, coefficient):
    how = CorrelateSettings(levels or ("system",), (coefficient,))
    (matrix,) = matrices([grid_scores(tables)], Selection(), how)
    return matrix


def test_three_metrics_by_hand(demo):
    """Means 1 2 3, 3 2 1 and 1 3 2: all pairs of the first two are opposite, and of the first and
    the third two of three agree."""
    tables = {"a": [[0, 2], [2, 2], [4, 2]], "b": [[3, 3], [2, 2], [1, 1]]}
    matrix = matrices_of(tables | {"c": [[1, 1], [3, 3], [2, 2]]}, coefficient="tau_b")
    third = 1 / 3
    expected = [[1, -1, third], [-1, 1, -third], [third, -third, 1]]
    assert matrix.values == pytest.approx(np.array(expected))
    assert (matrix.protocol, matrix.level) == ("no_models", "system")
    assert (matrix.systems, matrix.topics) == (3, 2)
    # A constant metric has no coefficient, even with itself.
    matrix = matrices_of({"a": [[1], [2]], "b": [[3], [3]]}, coefficient="pearson")
    assert np.isnan(matrix.values).tolist() == [[False, True], [True, True]]
    # Every level, coefficient and part has a matrix.
    table = summetry.evaluate(demo, ["unit_overlap", "lcs", "js_divergence"])
    how = CorrelateSettings(("system", "summary"), ("pearson", "tau_b"))
    rows = matrices([table], Selection(by="group"), how, demo)
    names = list(product("AB", how.levels, how.coefficients))
    assert [(m.part, m.level, m.coefficient) for m in rows] == names
    for matrix in rows:
        assert matrix.values == pytest.approx(matrix.values.T)
        assert np.diag(matrix.values) == pytest.approx(np.ones(3))


def test_accuracies_turn_a_divergence_and_leave_out_a_length():
    rng = np.random.default_rng(6)
    people = rng.normal(size=(5, 6))
    tables = {name: rng.normal(size=(5, 6)) for name in ("js_divergence", "m", "compression")}
    corpus = judged_corpus(grid_marks({"j": people}))
    parts, _ = judged_parts([grid_scores(tables)], corpus, Selection())
    rows = accuracies(parts, CorrelateSettings(draws=64, seed=2))
    # The number that stands for the length of the summaries is a null judge here.
    names = ["js_divergence", "m", "(length alone)", "(constant)"]
    assert [row.column.metric for row in rows] == names
    lengths = tables["compression"]
    follows = np.corrcoef(lengths.mean(axis=1), people.mean(axis=1))[0, 1]
    expected = [-tables["js_divergence"], tables["m"], np.sign(follows) * lengths, 0 * people]
    for row, table in zip(rows, expected, strict=True):
        assert row.soft == soft_pairwise_accuracy(table, people, draws=64, seed=2)
        assert row.calibrated == calibrated_accuracy(table, people)
