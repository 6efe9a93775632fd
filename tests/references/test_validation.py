"""Leaving one informant out: by hand, by the plain definition, and edges."""

import math

import numpy as np
import pytest

from summetry.records.lengths import Length
from summetry.references import leave_one_out, majority_reference, stability, topic_votes
from summetry.references.majority import Voters
from summetry.references.validation import Stability, most_stable


def test_three_informants_by_hand(ferry):
    predicted = {p.informant: p for p in leave_one_out(topic_votes(ferry), Length("units", 2))}
    # Without ann units 0 to 3 have 2, 1, 1 and 1 votes: 0 and 1, which are hers.
    assert predicted["ann"].shares == (1, 1, 1)
    # Without ben 2, 1, 0 and 1: 0 and 1, two of his three.
    assert predicted["ben"].shares == pytest.approx((2 / 3, 1, 4 / 5))
    # Without cy 2, 2, 1 and 0: 0 and 1, of which he has one.
    assert predicted["cy"].shares == pytest.approx((1 / 2, 1 / 2, 1 / 2))
    # Two of four units are a half of two, at random.
    assert (predicted["cy"].topics, predicted["cy"].chance) == (1, 0.5)


@pytest.mark.parametrize("fit", ["stop", "skip", "overshoot"])
def test_stability_is_that_of_references_made_anew(demo, fit):
    percents = (10, 30, 60)
    lines = stability(topic_votes(demo), fit, percents=percents)
    for line in lines:
        seen = []
        for votes in topic_votes(demo):
            length = Length("percent", line.percent)
            whole = set(majority_reference(votes.words, votes.chosen, length, fit).units)
            for place in range(len(votes.chosen)):
                others = votes.chosen[:place] + votes.chosen[place + 1 :]
                fewer = set(majority_reference(votes.words, others, length, fit).units)
                if whole | fewer:
                    seen.append(len(whole & fewer) / len(whole | fewer))
        assert line.jaccard == pytest.approx(np.mean(seen))
        assert line.corrected == pytest.approx((line.jaccard - line.chance) / (1 - line.chance))


def test_those_who_agree_are_predicted_and_stable(make_corpus):
    votes = {"t": {name: [0, 2] for name in "abc"}}
    corpus = make_corpus({"t": ["One.", "Two.", "Three.", "Four."]}, votes)
    for predicted in leave_one_out(topic_votes(corpus), Length("mean")):
        assert predicted.shares == (1, 1, 1)
    (line,) = stability(topic_votes(corpus), percents=[50])
    assert (line.jaccard, line.corrected) == (1, 1)


def test_the_mean_length_is_that_of_the_others(make_corpus):
    votes = {"t": {"a": [0], "b": [0], "c": [0, 1, 2]}}
    corpus = make_corpus({"t": ["One.", "Two.", "Three."]}, votes)
    by_others = leave_one_out(topic_votes(corpus), Length("mean"), "overshoot")[2]
    assert by_others.shares == pytest.approx((1 / 3, 1, 1 / 2))


def test_nobody_is_predicted_by_their_own_vote(make_corpus):
    corpus = make_corpus({"t": ["One.", "Two."]}, {"t": {"a": [0], "b": [1]}})
    for predicted in leave_one_out(topic_votes(corpus), Length("mean")):
        assert predicted.shares == (0, 0, 0)


def test_weights_stay_with_their_informants(ferry):
    (votes,) = topic_votes(ferry, Voters(weights={"ann": 2, "cy": "0.5"}))
    assert votes.without(1).ballot.votes == (2.5, 2, 0, 0.5)
    assert votes.without(0).ballot.votes == (1.5, 1, 1, 0.5)


def test_one_informant_has_no_others(make_corpus):
    votes = topic_votes(make_corpus({"t": ["One."]}, {"t": {"a": [0]}}))
    assert leave_one_out(votes, Length("mean")) == []
    (line,) = stability(votes, percents=[50])
    assert math.isnan(line.jaccard) and math.isnan(line.corrected)
    assert most_stable([line]) is None


def test_the_most_stable_is_the_first_furthest_above_chance():
    lines = [Stability(5, 0.5, 0.1, 0.4), Stability(10, 0.9, 0.9, 0.0), Stability(15, 0, 0, 0.4)]
    assert most_stable(lines).percent == 5


def test_empty_extracts_are_predicted_by_nothing(make_corpus):
    votes = topic_votes(make_corpus({"t": ["One."]}, {"t": {"a": [], "b": []}}))
    assert all(math.isnan(p.shares.f) for p in leave_one_out(votes, Length("mean")))
