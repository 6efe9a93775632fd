"""Pyramid scores and the recall and precision of content units."""

import json
import math
from fractions import Fraction

import pytest
from comparisons import explained, notes, values
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry.metrics import METRICS
from summetry.metrics.pyramid.pyramid_metrics import (
    Weights,
    pyramid_scores,
    scu_precision,
    scu_recall,
)
from summetry.records.batches import Comparison, Material, Side
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic

WEIGHTS = {"a": 4, "b": 3, "c": 2, "d": 1, "e": 1}
numbers = st.integers(0, 6) | st.floats(0, 6, allow_subnormal=False)
pyramids = st.dictionaries(st.sampled_from("abcdefgh"), numbers, max_size=8)
candidates = st.lists(st.sampled_from("abcdefghxyz"), max_size=12)
undefined = pytest.approx(math.nan, nan_ok=True)


def made_of(groups):
    """A pyramid from the contributors of each SCU: ``{"1": "abc"}``."""

    def unit(name, people):
        contributors = tuple(Contributor(person, f"says {name}") for person in people)
        return Scu(name, f"fact {name}", len(people), contributors)

    return tuple(unit(name, people) for name, people in groups.items())


# By hand


def test_an_example_by_hand():
    # a and d weigh 5; the best three weigh 9; the models have 11/4 SCUs each, rounded 3.
    result = pyramid_scores(WEIGHTS, 4, ["a", "d", "x", "d"])
    assert (result.weight, result.weight_with_repeats, result.size, result.best) == (5, 6, 3, 9)
    assert result.original == 5 / 9
    assert (result.mean_size, result.rounded_size, result.best_of_rounded) == (2.75, 3, 9)
    assert result.modified == 5 / 9
    assert result.modified_fractional == 5 / 8.5
    # The modified score may exceed one; a mean size is rounded half up.
    assert pyramid_scores(WEIGHTS, 11, ["a", "b"]).modified == 7 / 4
    assert pyramid_scores({"a": 1, "b": 2, "c": 2}, 2, ["a"]).rounded_size == 3


@pytest.mark.parametrize(
    ("weights", "said", "expected"),
    [
        (WEIGHTS, ["a", "a", "x"], (1 / 5, 4 / 11, 1 / 2)),
        (WEIGHTS, [], (0, 0, 0)),
        ({}, ["x"], (undefined, undefined, undefined)),
        ({"a": 0}, ["a"], (1, undefined, 1)),
    ],
)
def test_recall_weighted_recall_and_precision_by_hand(weights, said, expected):
    weighted = scu_recall(weights, said, weighted=True)
    assert (scu_recall(weights, said), weighted, scu_precision(weights, said)) == expected


@pytest.mark.parametrize(
    ("weights", "references", "said", "expected"),
    [
        # Without a pyramid nothing is defined, and a peer that says nothing has nothing.
        ({}, 3, ["x"], (undefined, undefined, undefined)),
        (WEIGHTS, 4, [], (0, 0, 0)),
        # The modified score needs to know how many models there are.
        (WEIGHTS, 0, ["a"], (1, undefined, undefined)),
        # Weights of nothing but zero leave the scores undefined.
        ({"a": 0}, 1, ["a"], (undefined, undefined, undefined)),
    ],
)
def test_degenerate_pyramids(weights, references, said, expected):
    result = pyramid_scores(weights, references, said)
    assert (result.original, result.modified, result.modified_fractional) == expected


# Against a slow reading of the definition


def slow(weights, references, candidate):
    """Both scores by the words of the definition, in fractions."""
    exact = {name: Fraction(weight) for name, weight in weights.items()}
    unique = set(candidate)
    total = sum((exact[name] for name in unique if name in exact), Fraction(0))
    falling = sorted(exact.values(), reverse=True)

    def best(x):
        return sum(falling[:x], Fraction(0))

    def share(x):
        if not sum(falling):
            return math.nan
        if not unique:
            return 0.0 if best(x) or x == 0 else math.nan
        return float(total / best(x)) if best(x) else math.nan

    mean = Fraction(sum(falling), references)
    rounded = next(x for x in range(100) if x - Fraction(1, 2) <= mean < x + Fraction(1, 2))
    return share(len(unique)), share(rounded) if rounded else math.nan


@given(pyramids, st.integers(1, 5), candidates)
def test_the_scores_are_those_of_the_slow_reading(weights, references, candidate):
    result = pyramid_scores(weights, references, candidate)
    expected = list(slow(weights, references, candidate))
    assert [result.original, result.modified] == pytest.approx(expected, nan_ok=True)


# Properties


@given(pyramids, candidates, st.fractions(0, 9), st.fractions(0, 9))
def test_what_holds_for_every_pyramid(weights, candidate, one, other):
    once = pyramid_scores(weights, 2, candidate)
    recalls = scu_recall(weights, candidate), scu_recall(weights, candidate, weighted=True)
    for result in (once.original, *recalls, scu_precision(weights, candidate)):
        assert math.isnan(result) or 0 <= result <= 1
    # Order and repetition change nothing.
    turned = pyramid_scores(weights, 2, candidate[::-1] * 2)
    assert repr((once.original, once.modified)) == repr((turned.original, turned.modified))
    # To say something outside the pyramid never helps.
    before, after = once.original, pyramid_scores(weights, 2, [*candidate, "another"]).original
    assert math.isnan(before) or math.isnan(after) or after <= before
    # The best weight grows with the size.
    known = Weights(weights)
    small, large = sorted((one, other))
    assert known.largest(small) <= known.largest(large) <= known.total


# The metric, and models that leave


def comparison(groups, said, references="", models="", candidate="candidate"):
    material = Material("t", pyramid=Pyramid("t", made_of(groups), said), models=tuple(models))
    sides = tuple(Side(name, "") for name in references)
    return Comparison(material, Side(candidate, "It says 1 and more."), sides)


SAID = {"candidate": (PeerScu("1"), PeerScu("3"), PeerScu("x"))}
ONCE = {"candidate": (PeerScu("1"),)}
TWICE = {"candidate": (PeerScu("1"), PeerScu("1"))}
GROUPS = {"1": "abc", "2": "ab", "3": "c"}
WHOLE = comparison(GROUPS, SAID, "abc", "abc")
# Without c: 1 and 2 weigh 2, 3 is gone, and counts as said outside the pyramid.
WITHOUT_C = comparison(GROUPS, SAID, "ab", "abc")
# A model is judged by the others: c says 1 and 3; without c the pyramid is {1: 2, 2: 2}.
C = comparison(GROUPS, {}, "ab", "abc", candidate="c")
# Those beyond a and b contribute to nothing: 3 contributions of 6 models are half an SCU each.
SILENT = comparison({"1": "ab", "2": "a"}, ONCE, "abcdef", "abcdef")


@pytest.mark.parametrize(
    ("spelling", "compared", "expected"),
    [
        ("pyramid", WHOLE, 4 / 6),
        ("pyramid(score=modified)", WHOLE, 4 / 5),
        ("scu_recall", WHOLE, 2 / 3),
        ("scu_precision", WHOLE, 2 / 3),
        ("scu_recall(weights=pyramid)", WHOLE, 4 / 6),
        ("pyramid", WITHOUT_C, 2 / 4),
        ("pyramid(score=modified)", WITHOUT_C, 2 / 4),
        ("scu_recall", WITHOUT_C, 1 / 2),
        ("scu_precision", WITHOUT_C, 1 / 3),
        ("pyramid", C, 2 / 4),
        ("scu_recall", C, 1 / 2),
        ("scu_precision", C, 1 / 2),
        # A contributor is never judged by what it said itself: nobody says that c is a model.
        ("pyramid", comparison(GROUPS, {}, "ab", "", candidate="c"), 2 / 4),
        # A model alone is judged by nobody.
        ("pyramid", comparison({"1": "a"}, {}, "", "a", candidate="a"), undefined),
        # Rounded to one, not rounded, and rounded down to nothing.
        ("pyramid(score=modified)", SILENT, 1),
        ("pyramid(score=modified,rounding=fractional)", SILENT, 2),
        ("pyramid(score=modified,rounding=floor)", SILENT, undefined),
        # Repeats count where they are asked to.
        ("pyramid", comparison(GROUPS, TWICE, "abc", "abc"), 1),
        ("pyramid(repeats=true)", comparison(GROUPS, TWICE, "abc", "abc"), 3 / 5),
    ],
)
def test_values_by_hand(spelling, compared, expected):
    assert values(spelling, compared) == [expected]


@pytest.mark.parametrize("references", ["ab", "a"])
def test_flat_weights_without_contributors_stay_when_a_model_leaves(references):
    flat = Pyramid("t", (Scu("1"), Scu("2")), {"candidate": (PeerScu("2"),)})
    sides = tuple(Side(name, "") for name in references)
    material = Material("t", pyramid=flat, models=("a", "b"))
    assert values("scu_recall", Comparison(material, Side("candidate", ""), sides)) == [1 / 2]


def test_a_note_tells_of_strange_contributors_and_of_equal_weights():
    strange = comparison(GROUPS, SAID, "xy", "xyz")
    assert values("pyramid", strange) == [4 / 6]
    # Three contributors are the models, not two references besides.
    assert values("pyramid(score=modified)", strange) == [4 / 5]
    (noted,) = notes("pyramid", strange, strange).items()
    assert "not among the references" in noted[0] and noted[1] == 2
    assert not notes("pyramid", comparison(GROUPS, SAID, "ab", "abc"))
    # Where all weights are equal, the published value is named.
    # One unit of three: 1 of the best weight of one unit, 1 of 3 units.
    flat, single, weighted = (
        comparison(groups, ONCE, "a", "a")
        for groups in ({"1": "a", "2": "a", "3": "a"}, {"1": "a"}, {"1": "ab", "2": "a"})
    )
    assert values("pyramid", flat) == [1] and values("scu_recall", flat) == [1 / 3]
    for spelling in ("pyramid", "pyramid(score=modified)"):
        (noted,) = notes(spelling, flat, single, weighted, flat).items()
        assert noted[0].endswith("the published value of such pyramids is scu_recall")
        assert noted[1] == 2
    assert not notes("scu_recall", flat)


def corpus(*more):
    people = dict.fromkeys("abc", "reference")
    people |= dict.fromkeys(("candidate", "mute", *more), "candidate")
    return Corpus(
        topics=(Topic("t", documents=(Document("d", units=("One.",)),)),),
        summaries=tuple(Summary("t", name, role, text="One.") for name, role in people.items()),
        pyramids=(Pyramid("t", made_of(GROUPS), {**SAID, "mute": ()}),),
    )


def test_jackknifing_is_the_mean_over_the_groups_that_leave_one_out():
    table = summetry.evaluate(corpus(), ["pyramid"], "all_peers")
    result = dict(zip([row.author for row in table.rows], table.data[:, 0], strict=True))
    # Without a, as without b: {1: 2, 2: 1, 3: 1}, said 1, 3 and x: 3 of 4. Without c: 1/2.
    assert result["candidate"] == pytest.approx((3 / 4 + 3 / 4 + 1 / 2) / 3)
    # a says 1 and 2 of {1: 2, 2: 1, 3: 1}: 3 of 3; c says 1 and 3 of {1: 2, 2: 2}: 2 of 4.
    assert (result["a"], result["b"], result["c"], result["mute"]) == (1, 1, 1 / 2, 0)
    assert "jackknife" in table.columns[0].signature
    # Without jackknifing the pyramid is whole.
    table = summetry.evaluate(corpus(), ["pyramid", "retention(information=scus).retention"])
    assert [row.author for row in table.rows] == ["candidate", "mute"]
    assert table.data.tolist() == [[4 / 6, 4 / 6], [0, 0]]
    # A summary that nobody annotated has no value.
    table = summetry.evaluate(corpus("new"), ["scu_recall"])
    assert math.isnan(table.data[-1, 0])
    assert "1 of 3 summaries, which lack a pyramid with the candidate's SCUs" in table.notes[0]


def test_an_explanation_names_what_was_found_and_missed():
    said = {"candidate": (PeerScu("1", "says 1...more"), PeerScu("x", "odd"))}
    compared = comparison(GROUPS, said, "abc", "abc")
    part = explained("pyramid", compared)
    assert part.against == "the pyramid of 3 references"
    matches = [match.what for match in part.matches]
    assert matches == ["SCU 1: fact 1", "not in the pyramid: x: odd"]
    missed = [(match.what, match.weight) for match in part.missed]
    assert missed == [("SCU 2: fact 2", 2.0), ("SCU 3: fact 3", 1.0)]
    text = compared.candidate.text
    assert [text[a:b] for a, b in part.matches[0].candidate] == ["says 1", "more"]
    assert (part.facts["matched"], part.facts["best"]) == (3, 5)
    assert METRICS.build("pyramid").explain(compared).values["value"] == 3 / 5


def test_the_peers_of_the_demonstration_stand_in_a_sensible_order(demo):
    table = summetry.evaluate(demo, ["scu_recall"])
    means = {}
    for row, number in zip(table.rows, table.data[:, 0], strict=True):
        means[row.author] = means.get(row.author, 0) + number / len(demo.topics)
    assert max(means, key=means.get) == "careful" and min(means, key=means.get) == "hasty"


def test_realsumms_recall_of_flat_units_is_what_its_votes_give(real_data):
    """2,500 summaries, each with a majority label for every unit of one reference."""
    folder = real_data("realsumm")
    documents, rows = (
        [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        for name in ("docs.jsonl", "summaries.jsonl")
    )
    scus = {d["doc_id"]: [str(scu["id"]) for scu in d["scus"]] for d in documents}
    said = {name: {} for name in scus}
    for row in rows:
        marked = zip(scus[row["doc_id"]], row["scu_labels"], strict=True)
        said[row["doc_id"]][row["system"]] = tuple(PeerScu(name) for name, there in marked if there)
    corpus = Corpus(
        topics=tuple(Topic(str(name)) for name in scus),
        summaries=tuple(Summary(str(r["doc_id"]), r["system"], "candidate", text="") for r in rows),
        pyramids=tuple(
            Pyramid(str(name), tuple(map(Scu, ids)), said[name]) for name, ids in scus.items()
        ),
    )
    table = summetry.evaluate(corpus, ["scu_recall"])
    published = {(str(r["doc_id"]), r["system"]): r["litepyramid_recall_from_votes"] for r in rows}
    result = {(r.topic, r.author): v for r, v in zip(table.rows, table.data[:, 0], strict=True)}
    assert len(result) == 2500
    assert result == pytest.approx(published, abs=1e-6)
