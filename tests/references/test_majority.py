"""References in a corpus: whose votes, which length, what is written; leaving somebody out."""

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest

from summetry.errors import SummetryError
from summetry.records.lengths import Length
from summetry.records.summaries import Summary
from summetry.references import (
    Voters,
    leave_one_out,
    majority_reference,
    make_references,
    stability,
    topic_votes,
    with_references,
)
from summetry.references.majority import groups_of, voting_part
from summetry.references.validation import Stability, most_stable


def units_of(corpus, *arguments, **options):
    references = make_references(corpus, *arguments, **options)
    return [topic.reference.units for topic in references.by_topic]


# --- lengths ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("length", "fit", "units"), [
    ("70%", "overshoot", (0, 1, 2, 3)),  # More than 7 of 7.7 words.
    ("50% of units", "stop", (0, 1)),
    ("mean of units", "overshoot", (0, 1, 2)),  # 7 / 3 units
    ("50% of characters", "stop", (0, 1)),  # 28 of 29, of 15 + 12 + 9 + 20 and three blanks
    ("47% of characters", "stop", (0,)),  # of 27.73
])  # fmt: skip
def test_a_length_in_any_unit(ferry, make_corpus, length, fit, units):
    assert units_of(ferry, length, fit) == [units]
    # In a language without blanks nothing stands between units.
    corpus = make_corpus({"t": ["船沉了。", "没人死。"]}, {"t": {"a": [0, 1]}}, language="zh")
    assert units_of(corpus, "8 characters") == [(0, 1)]


# --- informants -------------------------------------------------------------------------------


@pytest.mark.parametrize(("voters", "votes", "units"), [
    (Voters(), (3, 2, 1, 1), (0, 1, 2)),
    (Voters(without=frozenset({"ann", "ben"})), (1, 0, 0, 1), (0, 3)),
    (Voters(group="writers"), (1, 0, 0, 1), (0, 3)),
    (Voters(weights={"cy": 3}), (5, 2, 1, 3), (0, 3)),
    (Voters(weights={"cy": "0.5"}), (Fraction(5, 2), 2, 1, Fraction(1, 2)), (0, 1, 2)),
    # A weight of nothing leaves out.
    (Voters(weights={"cy": 0}), (2, 2, 1, 0), (0, 1, 2)),
])  # fmt: skip
def test_informants_can_be_left_out_and_weighted(ferry, voters, votes, units):
    assert units_of(ferry, "7 words", voters=voters) == [units]
    (of_topic,) = topic_votes(ferry, voters)
    assert of_topic.ballot.votes == votes


def test_the_part_of_a_corpus_that_votes(make_corpus):
    texts = {"t": ["One.", "Two."], "u": ["One."], "v": ["One."]}
    corpus = make_corpus(texts, {"t": {"a": [0], "b": [1]}, "u": {"b": [0]}})
    summaries = tuple(Summary(name, "s", "candidate", units=(0,)) for name in texts)
    corpus = dataclasses.replace(corpus, summaries=summaries)
    part = voting_part(corpus, Voters(without=frozenset({"b"})))
    assert part.summaries == summaries[:1]
    assert [topic.id for topic in part.topics] == ["t"]
    assert [extract.informant for extract in part.extracts] == ["a"]
    assert groups_of(part) == {"a": "(no group)"}


def test_informants_who_are_not_there_are_told(ferry, refused):
    refused(lambda options: make_references(ferry, voters=Voters(**options)), [
        {"without": ["bem"]}, {"weights": {"dan": 1}}, {"group": "reader"},
        {"without": ["ann", "ben", "cy"]}, {"weights": {"ann": -1}},
    ])  # fmt: skip


# --- what is written --------------------------------------------------------------------------


def test_references_are_models_with_their_votes_and_ties(ferry, snapshot):
    corpus = with_references(make_references(ferry, "7 words"))
    (model,) = corpus.summaries
    assert (model.author, model.role, model.units) == ("majority", "reference", (0, 1, 2))
    assert model.meta == snapshot
    # Weights are written where there are any.
    references = make_references(ferry, voters=Voters(weights={"cy": "0.5"}))
    (model,) = with_references(references).summaries
    assert model.meta["weights"] == {"ann": 1, "ben": 1, "cy": 0.5}
    assert model.meta["votes"] == [2.5, 2, 1, 0.5]


def test_models_that_are_there_stay_unless_told(demo):
    def models_of(corpus):
        return {summary.author for summary in corpus.summaries if summary.role == "reference"}

    kept = with_references(make_references(demo))
    assert models_of(kept) == {"m1", "m2", "m3", "majority"}
    with pytest.raises(SummetryError, match="has references by 'majority' already"):
        with_references(make_references(kept))
    again = with_references(make_references(kept, "10%", "overshoot"), only=True)
    assert models_of(again) == {"majority"}


def test_topics_without_a_reference_are_named_with_the_reason(make_corpus, snapshot):
    texts = {"a": ["One."], "b": ["One."], "c": ["One two three."], "d": ["One.", "Two."]}
    votes = {"b": {"x": []}, "c": {"x": [0]}, "d": {"x": [0]}}
    references = make_references(make_corpus(texts, votes), "1 words")
    assert "\n".join(references.notes()) == snapshot
    assert [s.topic for s in with_references(references).summaries] == ["d"]
    # Overshoot is no advice where it was taken.
    # Three dots are no word, so the mean length is none.
    references = make_references(make_corpus({"a": ["..."]}, {"a": {"x": [0]}}), fit="overshoot")
    assert references.notes() == ["no reference for 1 of 1 topics (a): the mean length comes to 0"]
    # A corpus in which nothing comes out is refused.
    with pytest.raises(SummetryError, match="'small' has no extracts to count votes of; extracts"):
        make_references(make_corpus({"b": ["One."]}, {}))
    with pytest.raises(SummetryError, match="no topic of 'small' has a reference"):
        with_references(make_references(make_corpus({"b": ["One."]}, {"b": {"x": []}})))


# --- leaving one informant out --------------------------------------------------------------------


def predictions(corpus, length=Length("mean"), fit="stop"):  # noqa: B008
    """Recall, precision and F by informant."""
    lines = leave_one_out(topic_votes(corpus), length, fit)
    return {line.informant: tuple(line.shares) for line in lines}


NUMBERS = ["One.", "Two.", "Three.", "Four."]


def test_three_informants_are_predicted_as_by_hand(ferry):
    near = pytest.approx
    assert predictions(ferry, Length("units", 2)) == {
        # Without ann units 0 to 3 have 2, 1, 1 and 1 votes: 0 and 1, which are hers.
        "ann": (1, 1, 1),
        # Without ben 2, 1, 0 and 1: 0 and 1, two of his three.
        "ben": near((2 / 3, 1, 4 / 5)),
        # Without cy 2, 2, 1 and 0: 0 and 1, of which he has one.
        "cy": near((1 / 2, 1 / 2, 1 / 2)),
    }
    # Two of four units are a half of two, at random.
    *_, cy = leave_one_out(topic_votes(ferry), Length("units", 2))
    assert (cy.topics, cy.chance) == (1, 0.5)


@pytest.mark.parametrize(("votes", "fit", "expected"), [
    # Those who agree are predicted.
    ({"a": [0, 2], "b": [0, 2], "c": [0, 2]}, "stop", dict.fromkeys("abc", (1, 1, 1))),
    # The mean length is that of the others: c has three units, and they have one.
    ({"a": [0], "b": [0], "c": [0, 1, 2]}, "overshoot", {"c": (1 / 3, 1, 1 / 2)}),
    # Nobody is predicted by their own vote.
    ({"a": [0], "b": [1]}, "stop", dict.fromkeys("ab", (0, 0, 0))),
    ({"a": [], "b": []}, "stop", dict.fromkeys("ab", (math.nan,) * 3)),
])  # fmt: skip
def test_informants_are_predicted_by_the_others_alone(make_corpus, votes, fit, expected):
    shares = predictions(make_corpus({"t": NUMBERS}, {"t": votes}), fit=fit)
    for informant, values in expected.items():
        assert shares[informant] == pytest.approx(values, nan_ok=True)


@pytest.mark.parametrize("fit", ["stop", "skip", "overshoot"])
def test_stability_is_that_of_references_made_anew(demo, fit):
    percents = (10, 30, 60)
    lines = stability(topic_votes(demo), fit, percents=percents)
    for line in lines:
        seen, rule = [], (Length("percent", line.percent), fit)
        for votes in topic_votes(demo):
            whole = set(majority_reference(votes.words, votes.chosen, *rule).units)
            for i in range(len(votes.chosen)):
                others = votes.chosen[:i] + votes.chosen[i + 1 :]
                fewer = set(majority_reference(votes.words, others, *rule).units)
                if whole | fewer:
                    seen.append(len(whole & fewer) / len(whole | fewer))
        assert line.jaccard == pytest.approx(np.mean(seen))
        assert line.corrected == pytest.approx((line.jaccard - line.chance) / (1 - line.chance))


def test_the_references_of_those_who_agree_are_stable(make_corpus):
    corpus = make_corpus({"t": NUMBERS}, {"t": {name: [0, 2] for name in "abc"}})
    (line,) = stability(topic_votes(corpus), percents=[50])
    assert (line.jaccard, line.corrected) == (1, 1)
    # One informant has no others.
    votes = topic_votes(make_corpus({"t": ["One."]}, {"t": {"a": [0]}}))
    assert leave_one_out(votes, Length("mean")) == []
    (line,) = stability(votes, percents=[50])
    assert math.isnan(line.jaccard) and math.isnan(line.corrected)
    assert most_stable([line]) is None
    # The most stable is the first furthest above chance.
    lines = [Stability(5, 0.5, 0.1, 0.4), Stability(10, 0.9, 0.9, 0.0), Stability(15, 0, 0, 0.4)]
    assert most_stable(lines).percent == 5


def test_weights_stay_with_their_informants(ferry):
    (votes,) = topic_votes(ferry, Voters(weights={"ann": 2, "cy": "0.5"}))
    assert votes.without(1).ballot.votes == (2.5, 2, 0, 0.5)
    assert votes.without(0).ballot.votes == (1.5, 1, 1, 0.5)
