"""Pyramid scores and the recall and precision of content units."""

import json
import math
from fractions import Fraction

import pytest
from comparisons import values
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry.errors import SummetryError
from summetry.metrics import METRICS
from summetry.metrics.pyramid.pyramid_metrics import (
    Weights,
    pyramid_scores,
    scu_precision,
    scu_recall,
)
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic

WEIGHTS = {"a": 4, "b": 3, "c": 2, "d": 1, "e": 1}
numbers = st.integers(0, 6) | st.floats(0, 6, allow_subnormal=False)
pyramids = st.dictionaries(st.sampled_from("abcdefgh"), numbers, max_size=8)
candidates = st.lists(st.sampled_from("abcdefghxyz"), max_size=12)


def value(spelling, comparison):
    return values(spelling, comparison)[0]


def made_of(groups):
    """A pyramid from the contributors of each SCU: ``{"1": "abc"}``."""
    return tuple(
        Scu(
            name, f"fact {name}", len(people), tuple(Contributor(p, f"says {name}") for p in people)
        )
        for name, people in groups.items()
    )


# By hand


def test_an_example_by_hand():
    # a and d weigh 5; the best three weigh 9; the models have 11/4 SCUs each, rounded 3.
    result = pyramid_scores(WEIGHTS, 4, ["a", "d", "x", "d"])
    assert (result.weight, result.weight_with_repeats, result.size, result.best) == (5, 6, 3, 9)
    assert result.original == 5 / 9
    assert (result.mean_size, result.rounded_size, result.best_of_rounded) == (2.75, 3, 9)
    assert result.modified == 5 / 9
    assert result.modified_fractional == 5 / 8.5


def test_the_modified_score_may_exceed_one():
    assert pyramid_scores(WEIGHTS, 11, ["a", "b"]).modified == 7 / 4


def test_recall_and_precision_by_hand():
    assert scu_recall(WEIGHTS, ["a", "a", "x"]) == 1 / 5
    assert scu_recall(WEIGHTS, ["a", "a", "x"], weighted=True) == 4 / 11
    assert scu_precision(WEIGHTS, ["a", "a", "x"]) == 1 / 2


def test_a_mean_size_is_rounded_half_up():
    assert pyramid_scores({"a": 1, "b": 2, "c": 2}, 2, ["a"]).rounded_size == 3


# Degenerate


def test_without_a_pyramid_nothing_is_defined():
    result = pyramid_scores({}, 3, ["x"])
    assert math.isnan(result.original) and math.isnan(result.modified)
    assert math.isnan(scu_recall({}, ["x"])) and math.isnan(scu_precision({}, ["x"]))


def test_a_peer_that_says_nothing_has_nothing():
    result = pyramid_scores(WEIGHTS, 4, [])
    assert (result.original, result.modified, result.modified_fractional) == (0, 0, 0)
    assert (scu_recall(WEIGHTS, []), scu_precision(WEIGHTS, [])) == (0, 0)


def test_the_modified_score_needs_to_know_how_many_models_there_are():
    result = pyramid_scores(WEIGHTS, 0, ["a"])
    assert result.original == 1 and math.isnan(result.modified)


def test_weights_of_nothing_but_zero_leave_the_scores_undefined():
    assert math.isnan(pyramid_scores({"a": 0}, 1, ["a"]).original)
    assert scu_recall({"a": 0}, ["a"]) == 1


@pytest.mark.parametrize("weight", [-1, math.inf, math.nan])
def test_a_weight_must_be_a_number_of_zero_or_more(weight):
    with pytest.raises(SummetryError, match=r"0 or more and finite, got .* 'a'"):
        pyramid_scores({"a": weight}, 1, ["a"])


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


@given(pyramids, candidates)
def test_the_original_score_and_the_shares_are_between_0_and_1(weights, candidate):
    for result in (
        pyramid_scores(weights, 1, candidate).original,
        scu_recall(weights, candidate),
        scu_recall(weights, candidate, weighted=True),
        scu_precision(weights, candidate),
    ):
        assert math.isnan(result) or 0 <= result <= 1


@given(pyramids, candidates)
def test_order_and_repetition_change_nothing(weights, candidate):
    once, turned = (
        pyramid_scores(weights, 2, candidate),
        pyramid_scores(weights, 2, candidate[::-1] * 2),
    )
    assert repr((once.original, once.modified)) == repr((turned.original, turned.modified))


@given(pyramids, candidates)
def test_to_say_something_outside_the_pyramid_never_helps(weights, candidate):
    before = pyramid_scores(weights, 2, candidate).original
    after = pyramid_scores(weights, 2, [*candidate, "another"]).original
    assert math.isnan(before) or math.isnan(after) or after <= before


@given(pyramids.filter(len), st.fractions(0, 9), st.fractions(0, 9))
def test_the_best_weight_grows_with_the_size(weights, one, other):
    known = Weights(weights)
    small, large = sorted((one, other))
    assert known.largest(small) <= known.largest(large) <= known.total


# The metric, and models that leave


def comparison(groups, said, references="", models="", candidate="candidate"):
    material = Material("t", pyramid=Pyramid("t", made_of(groups), said), models=tuple(models))
    sides = tuple(Side(name, "") for name in references)
    return Comparison(material, Side(candidate, "It says 1 and more."), sides)


SAID = {"candidate": (PeerScu("1"), PeerScu("3"), PeerScu("x"))}
GROUPS = {"1": "abc", "2": "ab", "3": "c"}


def test_all_models_give_the_weights_of_the_corpus():
    whole = comparison(GROUPS, SAID, "abc", "abc")
    assert value("pyramid", whole) == 4 / 6
    assert value("pyramid(score=modified)", whole) == 4 / 5
    assert value("scu_recall", whole) == value("scu_precision", whole) == 2 / 3
    assert value("scu_recall(weights=pyramid)", whole) == 4 / 6


def test_a_model_that_left_takes_its_weights_along():
    # Without c: 1 and 2 weigh 2, 3 is gone, and counts as said outside the pyramid.
    rest = comparison(GROUPS, SAID, "ab", "abc")
    assert value("pyramid", rest) == 2 / 4
    assert value("pyramid(score=modified)", rest) == 2 / 4
    assert (value("scu_recall", rest), value("scu_precision", rest)) == (1 / 2, 1 / 3)


def test_a_model_is_judged_by_the_others_and_says_what_it_contributes():
    # c says 1 and 3; without c the pyramid is {1: 2, 2: 2}.
    own = comparison(GROUPS, {}, "ab", "abc", candidate="c")
    assert value("pyramid", own) == 2 / 4
    assert value("scu_recall", own) == value("scu_precision", own) == 1 / 2


def test_a_contributor_is_never_judged_by_what_it_said_itself():
    # Nobody says that c is a model, yet without it the pyramid is {1: 2, 2: 2} again.
    assert value("pyramid", comparison(GROUPS, {}, "ab", "", candidate="c")) == 2 / 4


def test_a_model_alone_is_judged_by_nobody():
    assert math.isnan(value("pyramid", comparison({"1": "a"}, {}, "", "a", candidate="a")))


def test_a_model_that_contributes_to_nothing_counts_among_the_models():
    silent = comparison({"1": "ab", "2": "a"}, {"candidate": (PeerScu("1"),)}, "abcdef", "abcdef")
    # 3 contributions of 6 models: half an SCU each, rounded to one.
    assert value("pyramid(score=modified)", silent) == 1
    assert value("pyramid(score=modified,rounding=fractional)", silent) == 2
    assert math.isnan(value("pyramid(score=modified,rounding=floor)", silent))


def test_flat_weights_without_contributors_stay_when_a_model_leaves():
    flat = Pyramid("t", (Scu("1"), Scu("2")), {"candidate": (PeerScu("2"),)})
    for references in ("ab", "a"):
        sides = tuple(Side(name, "") for name in references)
        result = Comparison(
            Material("t", pyramid=flat, models=("a", "b")), Side("candidate", ""), sides
        )
        assert value("scu_recall", result) == 1 / 2


def test_repeats_count_where_they_are_asked_to():
    said = {"candidate": (PeerScu("1"), PeerScu("1"))}
    assert value("pyramid", comparison(GROUPS, said, "abc", "abc")) == 1
    assert value("pyramid(repeats=true)", comparison(GROUPS, said, "abc", "abc")) == 3 / 5


def test_contributors_under_other_names_than_the_models_stay_and_are_told():
    strange = comparison(GROUPS, SAID, "xy", "xyz")
    assert value("pyramid", strange) == 4 / 6
    # Three contributors are the models, not two references besides.
    assert value("pyramid(score=modified)", strange) == 4 / 5
    (noted,) = METRICS.build("pyramid").notes(Batch([strange, strange])).items()
    assert "not among the references" in noted[0] and noted[1] == 2
    assert not METRICS.build("pyramid").notes(Batch([comparison(GROUPS, SAID, "ab", "abc")]))


def test_where_all_weights_are_equal_the_published_value_is_named():
    said = {"candidate": (PeerScu("1"),)}
    # One unit of three: 1 of the best weight of one unit, 1 of 3 units.
    flat = comparison({"1": "a", "2": "a", "3": "a"}, said, "a", "a")
    assert value("pyramid", flat) == 1 and value("scu_recall", flat) == 1 / 3
    single, weighted = (comparison(g, said, "a", "a") for g in ({"1": "a"}, {"1": "ab", "2": "a"}))
    for spelling in ("pyramid", "pyramid(score=modified)"):
        (noted,) = METRICS.build(spelling).notes(Batch([flat, single, weighted, flat])).items()
        assert noted[0].endswith("the published value of such pyramids is scu_recall")
        assert noted[1] == 2
    assert not METRICS.build("scu_recall").notes(Batch([flat]))


def corpus():
    said = {"candidate": SAID["candidate"], "mute": ()}
    people = [*("abc"), "candidate", "mute"]
    return Corpus(
        topics=(Topic("t", documents=(Document("d", units=("One.",)),)),),
        summaries=tuple(
            Summary("t", name, "reference" if len(name) == 1 else "candidate", text="One.")
            for name in people
        ),
        pyramids=(Pyramid("t", made_of(GROUPS), said),),
    )


def test_jackknifing_is_the_mean_over_the_groups_that_leave_one_out():
    table = summetry.evaluate(corpus(), ["pyramid"], "all_peers")
    result = dict(zip([row.author for row in table.rows], table.data[:, 0], strict=True))
    # Without a, as without b: {1: 2, 2: 1, 3: 1}, said 1, 3 and x: 3 of 4. Without c: 1/2.
    assert result["candidate"] == pytest.approx((3 / 4 + 3 / 4 + 1 / 2) / 3)
    # a says 1 and 2 of {1: 2, 2: 1, 3: 1}: 3 of 3; c says 1 and 3 of {1: 2, 2: 2}: 2 of 4.
    assert (result["a"], result["b"], result["c"], result["mute"]) == (1, 1, 1 / 2, 0)
    assert "jackknife" in table.columns[0].signature


def test_without_jackknifing_the_pyramid_is_whole():
    table = summetry.evaluate(corpus(), ["pyramid", "retention(information=scus).retention"])
    assert [row.author for row in table.rows] == ["candidate", "mute"]
    assert table.data.tolist() == [[4 / 6, 4 / 6], [0, 0]]


def test_a_summary_that_nobody_annotated_has_no_value():
    result = corpus()
    more = (*result.summaries, Summary("t", "new", "candidate", text="One."))
    table = summetry.evaluate(
        Corpus(topics=result.topics, summaries=more, pyramids=result.pyramids), ["scu_recall"]
    )
    assert math.isnan(table.data[-1, 0])
    assert "1 of 3 summaries, which lack a pyramid with the candidate's SCUs" in table.notes[0]


def test_an_explanation_names_what_was_found_and_missed():
    said = {"candidate": (PeerScu("1", "says 1...more"), PeerScu("x", "odd"))}
    result = METRICS.build("pyramid").explain(comparison(GROUPS, said, "abc", "abc"))
    (part,) = result.parts
    assert part.against == "the pyramid of 3 references"
    assert [match.what for match in part.matches] == [
        "SCU 1: fact 1",
        "not in the pyramid: x: odd",
    ]
    assert [(match.what, match.weight) for match in part.missed] == [
        ("SCU 2: fact 2", 2.0), ("SCU 3: fact 3", 1.0),
    ]  # fmt: skip
    text = "It says 1 and more."
    assert [text[a:b] for a, b in part.matches[0].candidate] == ["says 1", "more"]
    assert (part.facts["matched"], part.facts["best"], result.values["value"]) == (3, 5, 3 / 5)


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
