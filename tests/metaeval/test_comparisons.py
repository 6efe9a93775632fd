"""Systems compared by one value: hand-worked tables, plain oracles, and what has no answer."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rankings import compare, table_of

import summetry
from summetry.errors import SummetryError
from summetry.formats.scores import write_scores
from summetry.metaeval import comparisons
from summetry.metaeval.comparisons import compare_by
from summetry.metaeval.grids import grid_of
from summetry.metaeval.rankings import CompareSettings
from summetry.records.scores import Column, ScoreTable
from summetry.reports.comparisons import comparison_sheets
from summetry.stats.multiple import holm
from summetry.stats.paired import paired_t_test, permutation_test
from summetry.stats.power import topics_needed

NAN, INF = math.nan, math.inf
every_test = pytest.mark.parametrize("test", ["permutation", "t", "wilcoxon", "bootstrap"])


def names(ranking):
    return [standing.system for standing in ranking.systems]


def letters(ranking):
    return [standing.letters for standing in ranking.systems]


def normal(systems, topics):
    """Systems s0, s1, ... with normal scores."""
    rngs = map(np.random.default_rng, range(systems))
    return {f"s{i}": rng.normal(size=topics).tolist() for i, rng in enumerate(rngs)}


# Differences of best and middle 1, 2, 3, of middle and last 2, 2, 1.
THREE = {"last": [1, 2, 4], "best": [4, 6, 8], "middle": [3, 4, 5]}


def test_a_hand_worked_comparison():
    ranking = compare(table_of(THREE))
    assert names(ranking) == ["best", "middle", "last"]
    assert [s.mean for s in ranking.systems] == [6, 4, 7 / 3]
    assert [(s.topics, s.missing, s.role) for s in ranking.systems] == [(3, 0, "candidate")] * 3
    assert ranking.baseline == "best" and not ranking.is_named and ranking.better == "higher"
    assert (ranking.topics, ranking.protocol, ranking.column.signature) == (3, "no_models", "")
    middle, last = ranking.against
    assert (middle.first, middle.second, middle.topics) == ("middle", "best", 3)
    # Differences -1, -2, -3: deviation 1, so d_z is the mean.
    assert (middle.difference, middle.effect, middle.won) == (-2, pytest.approx(-2), 0)
    # All eight choices of signs, two of them as far: p = 1/4, of three pairs 3/4.
    assert (middle.p, middle.corrected) == (0.25, 0.75)
    assert (last.difference, last.p) == (-11 / 3, 0.25)
    # The interval turns with the pair.
    pair = ranking.pairs[0]
    assert (pair.first, pair.difference, pair.won) == ("best", 2, 1)
    assert (pair.low, pair.high) == (-middle.high, -middle.low)
    # Means of three differences drawn from 1, 2 and 3; one way in 27 gives each extreme.
    assert (pair.low, pair.high) == (1, 3)
    assert letters(ranking) == ["a", "a", "a"]
    # A t-test needs 5 topics; of 7 the smallest p of three permutation tests is 3 * 2 / 128.
    assert ranking.systems[0].gap == 2 and ranking.systems[0].needed == 7 > topics_needed(2, 1)
    assert math.isnan(ranking.systems[2].gap) and ranking.systems[2].needed is None
    # Lower may be better:
    systems = {"a": [3.0, 4.0, 5.0, 9.0], "b": [1.0, 2.0, 5.0, 4.0]}
    ranking = compare(table_of(systems, "js_divergence.value"), test="t", alpha=0.2)
    assert ranking.better == "lower" and names(ranking) == ["b", "a"]
    (pair,) = ranking.against
    # a is above b on three topics and ties one: it wins half a topic of four.
    assert (pair.first, pair.difference, pair.won) == ("a", 2.25, 1 / 8)
    assert ranking.verdict(pair) == "worse" and ranking.worse() == [pair]
    # A value without a direction is ordered, but not judged.
    table = table_of({"a": [0.1, 0.2, 0.3], "b": [0.4, 0.6, 0.5]}, "compression.value")
    ranking = compare(table, "compression", test="t")
    assert ranking.better == "neither" and names(ranking) == ["b", "a"]
    assert ranking.verdict(ranking.against[0]) == "lower" and not ranking.worse()
    with pytest.raises(SummetryError, match="no metric among the scores says which direction"):
        compare(table)


five_scores = st.lists(st.one_of(st.none(), st.integers(0, 10)), min_size=5, max_size=5)


@given(st.lists(five_scores, min_size=2, max_size=5), st.randoms())
def test_every_pair_is_that_of_plain_lists_in_any_order_of_systems(scores, random):
    systems = {f"s{i}": row for i, row in enumerate(scores) if any(v is not None for v in row)}
    assume(len(systems) > 1)
    ranking = compare(table_of(systems), draws=20)
    shuffled = random.sample(sorted(systems), len(systems))
    turned = compare(table_of({name: systems[name] for name in shuffled}), draws=20)
    assert sorted(s.mean for s in turned.systems) == sorted(s.mean for s in ranking.systems)
    assert ranking.topics == sum(any(v is not None for v in c) for c in zip(*scores, strict=True))
    present = {name: [v for v in row if v is not None] for name, row in systems.items()}
    means = {name: sum(row) / len(row) for name, row in present.items()}
    assert [s.mean for s in ranking.systems] == sorted(means.values(), reverse=True)
    assert {s.system: s.mean for s in ranking.systems} == means
    for pair in ranking.pairs:
        rows = zip(systems[pair.first], systems[pair.second], strict=True)
        both = [(a, b) for a, b in rows if a is not None and b is not None]
        assert pair.topics == len(both)
        if len(both) < 2:
            assert math.isnan(pair.p) and pair.reason
            continue
        x, y = zip(*both, strict=True)
        assert pair.p == permutation_test(x, y).p
        assert pair.difference == pytest.approx(sum(x) / len(x) - sum(y) / len(y))
        won = sum((a > b) + (a == b) / 2 for a, b in both) / len(both)
        assert pair.won == pytest.approx(won)
        effect = paired_t_test(x, y).t / math.sqrt(len(both))
        assert pair.effect == pytest.approx(effect, nan_ok=True)


def test_the_best_is_corrected_for_all_pairs_and_a_named_baseline_for_its_own():
    systems = {f"s{i}": np.random.default_rng(i).random(12).tolist() for i in range(5)}
    best, named = (compare(table_of(systems), baseline=name) for name in ("", "s3"))
    assert [pair.corrected for pair in best.pairs] == holm([p.p for p in best.pairs]).tolist()
    by_pair = {frozenset(pair[:2]): pair.corrected for pair in best.pairs}
    assert [p.corrected for p in best.against] == [by_pair[frozenset(p[:2])] for p in best.against]
    assert best.family() == 10
    assert named.baseline == "s3" and named.is_named and named.family() == 4
    assert {pair.second for pair in named.against} == {"s3"}
    assert [p.corrected for p in named.against] == holm([p.p for p in named.against]).tolist()
    # The pairs themselves, and the letters, do not depend on the baseline.
    assert named.pairs == best.pairs and named.systems[:2] == best.systems[:2]


def test_letters_never_contradict_the_tests_against_a_named_baseline():
    """p against the baseline is corrected for 5 comparisons, that of other pairs for all 15."""
    rng = np.random.default_rng(3)
    table = {f"s{i}": (0.6 * i + rng.normal(size=12)).tolist() for i in range(6)}
    scores, decisions = table_of(table), set()
    for baseline in table:
        ranking = compare(scores, baseline=baseline, test="t", draws=100)
        by_system = {s.system: set(s.letters) for s in ranking.systems}
        by_all = {frozenset(pair[:2]): pair for pair in ranking.pairs}
        for pair in ranking.against:
            shared = bool(by_system[pair.first] & by_system[baseline])
            assert shared == (pair.corrected > 0.05)
            all_pairs = by_all[frozenset(pair[:2])].corrected
            decisions.add((pair.corrected <= 0.05, all_pairs <= 0.05))
    # In some pairs only the fewer comparisons show a difference.
    assert (True, False) in decisions


def test_power_is_given_for_one_comparison_for_the_baseline_s_and_for_all():
    table = table_of(normal(4, 20))
    ways = {}, {"baseline": "s1"}, {"correction": "none"}
    best, named, plain = (compare(table, draws=50, **how).power for how in ways)
    each = {1: 0.05, 3: 0.05 / 3, 6: 0.05 / 6}
    assert {power.comparisons: power.alpha for power in named} == each
    sizes = [power.power.smallest for power in named]
    assert 0 < sizes[0] < sizes[1] < sizes[2]
    assert [power.comparisons for power in best] == [1, 6] and best == (named[0], named[2])
    assert best[0].power.pairs == 6 and plain == best[:1]
    # Beside three systems one without scores: three of six pairs are tested.
    table = table_of({**THREE, "none": [NAN] * 3})
    ranking = compare(table, test="t")
    p = sorted(pair.p for pair in ranking.pairs if not math.isnan(pair.p))
    assert len(ranking.pairs) == 6 and len(p) == 3 and ranking.family() == 3
    assert min(pair.corrected for pair in ranking.pairs[:3]) == pytest.approx(3 * p[0])
    assert [power.comparisons for power in ranking.power] == [1, 3]
    notes = [note for sheet in comparison_sheets([ranking]) for note in sheet.notes]
    assert sum("corrected by Holm for all 3 pairs" in note for note in notes) == 1
    assert compare(table, test="t", baseline="last").family() == 2
    # Seven topics and five systems: ten times 2 / 2^7 is 0.16; of three pairs it is 0.047.
    few = {f"s{i}": np.random.default_rng(i).random(7).tolist() for i in range(3)}
    ranking = compare(table_of({**few, "x": [NAN] * 7, "y": [NAN] * 7}))
    assert ranking.notes == ("without any score: x, y",)


@pytest.mark.parametrize(("test", "correction", "baseline", "needed"), [
    # 2 / 2**n times 6 pairs, or times the 3 with the baseline, is 0.05 or less.
    ("permutation", "holm", "", (8, 8, 8)),
    ("wilcoxon", "bonferroni", "", (8, 8, 8)),
    ("permutation", "holm", "a", (7, 8, 8)),
    ("permutation", "none", "", (6, 6, 6)),
    ("permutation", "bh", "", (6, 6, 6)),
    # The power of a t-test is all that it needs.
    ("t", "holm", "", (2, 2, 2)),
])  # fmt: skip
def test_as_many_topics_are_needed_as_can_be_significant(test, correction, baseline, needed):
    """Differences of 10, 10.1 and 9.9 are so alike that t of two topics sees them."""
    rows = {"a": [40, 40.1, 39.9], "b": [30, 30, 30], "c": [20, 19.9, 20.1], "d": [10, 10, 10]}
    ranking = compare(table_of(rows), test=test, correction=correction, baseline=baseline)
    assert [s.needed for s in ranking.systems] == [*needed, None]


def test_the_same_seed_gives_the_same_in_blocks_of_any_size(monkeypatch):
    table, steps = table_of(normal(4, 30)), []
    first, again, other = (compare(table, draws=100, seed=s) for s in (1, 1, 2))
    assert first.pairs == again.pairs and first.systems == again.systems
    assert first.pairs != other.pairs
    monkeypatch.setattr(comparisons, "_BLOCK", 1)
    ranking = compare(table, draws=100, seed=1, progress=lambda *step: steps.append(step))
    for pair, expected in zip(ranking.pairs, first.pairs, strict=True):
        assert pair[2:10] == pytest.approx(expected[2:10])
    assert steps == [(n, 6) for n in range(1, 7)]


def test_one_system_one_topic_and_constant_scores():
    table = table_of({"only": [0.1, 0.5]})
    with pytest.raises(SummetryError, match="compare needs two systems, found only"):
        compare(table)
    # A report has one all the same.
    grid = grid_of(table)
    (ranking,) = compare_by(grid, grid.columns)
    (standing,) = ranking.systems
    assert (standing.mean, standing.letters) == (pytest.approx(0.3), "a")
    assert ranking.pairs == ranking.against == ranking.power == ()
    assert ranking.notes == ("1 system with scores: there is nothing to compare",)
    ranking = compare(table_of({"a": [0.5], "b": [0.2]}))
    (pair,) = ranking.against
    assert pair.difference == pytest.approx(-0.3)
    assert np.isnan([pair.p, pair.corrected, pair.low]).all()
    assert pair.reason == "fewer than two topics in common"
    assert ranking.verdict(pair) == "undefined"
    # What was not found to differ shares a letter.
    assert letters(ranking) == ["a", "a"]
    assert "1 of 1 pairs have no p: fewer than two topics in common" in ranking.notes
    assert ranking.systems[0].needed is None
    assert ranking.power[0].power.reason == "no two systems have two topics in common"
    table = table_of({"a": [0.75] * 6, "b": [0.5] * 6})
    ranking = compare(table)
    assert ranking.against[0].p == 2 / 2**6 and math.isnan(ranking.against[0].effect)
    assert (ranking.systems[0].low, ranking.systems[0].high) == (0.75, 0.75)
    ranking = compare(table, test="t")
    assert ranking.against[0].reason == "all differences are the same"
    assert ranking.verdict(ranking.against[0]) == "undefined"
    assert "1 of 1 pairs have no p: all differences are the same" in ranking.notes


def test_missing_cells_are_told_and_pairs_are_on_common_topics():
    systems = {"a": [1, 2, 3, None], "b": [2, 3, None, 9], "c": [0, 0, 0, 0]}
    ranking = compare(table_of(systems))
    topics = {s.system: (s.topics, s.missing) for s in ranking.systems}
    assert topics == {"a": (3, 1), "b": (3, 1), "c": (4, 0)}
    assert {"".join(sorted(p[:2])): p.topics for p in ranking.pairs} == {"ab": 2, "ac": 3, "bc": 3}
    fewer = "3 of 3 pairs are compared on fewer than 4 topics, those that both systems have"
    assert ranking.notes[0] == f"scores are missing: {fewer}"
    # A system without a score is last and has no letter.
    ranking = compare(table_of({"a": [NAN, NAN], "b": [1, 2], "c": [1, 3]}))
    assert names(ranking) == ["c", "b", "a"]
    assert letters(ranking) == ["a", "a", ""]
    assert "without any score: a" in ranking.notes
    ranking = compare(table_of({"a": [NAN], "b": [NAN]}))
    assert ranking.baseline == "" and not ranking.against
    assert "no system with scores: there is nothing to compare" in ranking.notes


# --- Infinite and very large scores --------------------------------------------------------------


@every_test
@pytest.mark.parametrize(("column", "worst"), [("kl_divergence.missed", 1), ("lcs.f", -1)])
def test_an_infinitely_bad_score_makes_a_system_the_last(column, worst, test):
    """One of `a` is infinite, two of `c`; without these both would be best."""
    bad = worst * INF
    scores = {"a": [1, 1, bad, 1], "b": [2, 3, 2, 4], "c": [0, bad, bad, 0], "d": [NAN] * 4}
    if worst < 0:
        scores |= {"b": [0, 0, 0, 0.5], "c": [1, bad, bad, 1]}
    ranking = compare(table_of(scores, column), test=test)
    assert names(ranking) == ["b", "a", "c", "d"]
    assert [s.mean for s in ranking.systems][1:3] == [bad, bad]
    assert math.isfinite(ranking.systems[0].mean) and ranking.systems[0].needed is None
    assert [s.topics for s in ranking.systems] == [4, 4, 4, 0]
    assert {pair.difference for pair in ranking.against} >= {bad}
    assert all(0 < pair.p <= 1 for pair in ranking.against if pair.first != "d")
    assert ranking.notes[0].startswith(f"{ranking.column.name}: 3 infinite scores")


def test_p_with_an_infinite_score_by_hand():
    """Differences 0, 1 and infinite: of the four choices of signs two are as far from 0."""
    scores = {"a": [1, 2, INF], "b": [1, 1, 1]}
    (pair,) = compare(table_of(scores, "kl_divergence.missed")).against
    assert (pair.first, pair.difference, pair.p) == ("a", INF, 0.5)
    assert math.isinf(pair.deviation) and math.isnan(pair.effect)
    # Both are infinite on one topic, where neither is better.
    scores = {"a": [INF, 2, 2], "b": [INF, 1, 1]}
    (pair,) = compare(table_of(scores, "kl_divergence.missed")).against
    assert (pair.difference, pair.p, pair.won) == pytest.approx((2 / 3, 0.5, 1 / 6))


@pytest.mark.filterwarnings("error")
@every_test
def test_scores_up_to_the_largest_numbers_are_compared_like_small_ones(test):
    """A power of two times larger, and nothing else differs."""
    rng, times = np.random.default_rng(5), 2.0**1023
    small = {name: (rng.random(30) + shift) for name, shift in (("a", 0), ("b", 0.1), ("c", -1))}
    large = {name: scores * times for name, scores in small.items()}
    assert max(map(max, large.values())) > 9e307
    one, other = (compare(table_of(scores), test=test, draws=99) for scores in (small, large))

    def enlarged(record, *names):
        return record._replace(**{name: getattr(record, name) * times for name in names})

    for row, expected in zip(one.systems, other.systems, strict=True):
        assert enlarged(row, "mean", "low", "high", "gap") == pytest.approx(expected, nan_ok=True)
    for pair, expected in zip(one.pairs, other.pairs, strict=True):
        assert enlarged(pair, "difference", "low", "high", "deviation") == expected
    sizes = ("deviation", "widest", "smallest", "smallest_of_widest")
    for row, expected in zip(one.power, other.power, strict=True):
        assert enlarged(row.power, *sizes) == expected.power


# --- What the tests could not have shown ---------------------------------------------------------


# Six systems have 15 pairs.
NOTED = {
    # 15 times 2 / 2^9 is 0.0586; a t-test and other corrections can find something.
    "9 topics": (9, {}),
    **{f"9 topics, {name}": (9, how) for name, how in (
        ("t", {"test": "t"}), ("bh", {"correction": "bh"}), ("uncorrected", {"correction": "none"}),
        ("alpha 0.1", {"alpha": 0.1}),
    )},
    # Against a baseline there are fewer tests than behind the letters: 5 times 0.0039 is 0.0195.
    "9 topics with a baseline": (9, {"baseline": "s1"}),
    # Of seven topics p is 2 / 2^7 = 0.0156, five times that 0.078: nothing is significant.
    "7 topics with a baseline": (7, {"baseline": "s1"}),
    # 15 of 300 permutations are 0.05. Uncorrected, 20 are enough.
    **{f"{draws} draws, {correction}": (30, {"draws": draws, "correction": correction})
       for draws, correction in ((99, "holm"), (299, "holm"), (9, "bh"), (19, "bh"))},
}  # fmt: skip


@pytest.mark.parametrize("case", NOTED)
def test_tests_that_cannot_find_anything_are_noted(case, snapshot):
    topics, how = NOTED[case]
    table = {f"s{i}": np.random.default_rng(i).random(topics).tolist() for i in range(6)}
    assert "\n".join(compare(table_of(table), **how).notes) == snapshot


def test_what_was_found_is_not_said_to_be_impossible():
    """Of 30 topics 24 differ, always the same way: all signs are counted, p = 2 / 2^24.

    Ten draws could not give a p below 1/11, but this one is not drawn.
    """
    ranking = compare(table_of({"a": [1] * 24 + [0] * 6, "b": [0] * 30}), draws=10)
    assert ranking.against[0].p == 2 / 2**24
    assert ranking.verdict(ranking.against[0]) == "worse" and ranking.notes == ()
    # 40 systems have 780 pairs: 10,000 permutations could reject nothing at alpha 0.05.
    usual = CompareSettings()
    assert usual.permutations(15) == usual.resamples == 10_000
    assert usual.permutations(780) == 2 * (780 * 20 - 1)
    assert CompareSettings(correction="bh").permutations(780) == 10_000
    assert CompareSettings(draws=99).permutations(780) == CompareSettings(draws=99).resamples == 99


# --- Tables and names -----------------------------------------------------------------------------


def test_a_table_of_both_protocols_is_compared_under_the_one_that_is_named(demo, tmp_path):
    parts = [summetry.evaluate(demo, ["lcs.f"], p) for p in ("no_models", "all_peers")]
    # Models stand beside peers under all_peers.
    ranking = compare(parts[1], draws=20)
    assert {s.system for s in ranking.systems if s.role == "reference"} == {"m1", "m2", "m3"}
    assert len(ranking.systems) == 9 and len(ranking.pairs) == 36
    write_scores(parts[1], tmp_path / "scores.csv")
    assert compare(tmp_path / "scores.csv", draws=20).pairs == ranking.pairs
    rows = tuple(row for part in parts for row in part.rows)
    data = np.full((len(rows), 2), np.nan)
    data[: len(parts[0]), 0], data[len(parts[0]) :, 1] = (part.data[:, 0] for part in parts)
    both = ScoreTable(rows, (parts[0].columns[0], Column("x", "y")), data)
    assert compare(both, "lcs.f", protocol="no_models", draws=20).systems == (
        compare(parts[0], draws=20).systems
    )
    with pytest.raises(SummetryError, match="x has no scores under the protocol 'no_models'"):
        compare(both, "x", protocol="no_models")
