"""Means, bounds and biases, each worked out by hand."""

import math

import numpy as np
import pytest
from judged_corpora import answer, entry, small_corpus

from summetry.judges.answers import outcome_of
from summetry.judges.judged import Judged, Spent
from summetry.judges.prompts import Choice, plan_asks
from summetry.judges.rubrics import asked_rubrics

# How many words a summary has: these, its topic and its system.
WORDS = {"ada": 10, "bob": 3, "eve": 6}


def judged(replies, rubric="fluency", mode=None, topics=2, systems=("ada", "bob"), trials=1):
    """What comes of replies, one per request in order; None is a request without an answer."""
    corpus = small_corpus(topics, systems, WORDS)
    asks = plan_asks(corpus, asked_rubrics([rubric], mode), Choice(), "m", {}, trials)
    assert len(asks) == len(replies)
    entries = [
        entry(ask, problem="late") if said is None else entry(ask, answer(str(said)))
        for ask, said in zip(asks, replies, strict=True)
    ]
    said = tuple((ask, outcome_of(e, ask.asked)) for ask, e in zip(asks, entries, strict=True))
    return Judged(corpus, "m", trials, said, {}, Spent(0, 0, 0), Spent(0, 0, 0), 0, 200, 0)


def bias_of(result, name):
    (found,) = [one for one in result.biases if one.bias == name]
    return found


def test_the_mean_of_marks_is_over_topics_and_trials_and_bounded_where_some_lack():
    # ada: t1 (4, 5), t2 (2, 2); bob: t1 (1, 3), t2 (5, 5).
    ada, bob = judged([4, 5, 1, 3, 2, 2, 5, 5], trials=2).rows
    rows = [(r.system, r.mean.value, r.asked, r.topics) for r in (ada, bob)]
    assert rows == [("ada", 3.25, 4, 2), ("bob", 3.5, 4, 2)]
    # Of two topics a resample has the mean 2, 3.25 or 4.5.
    assert (ada.mean.low, ada.mean.high) == (2.0, 4.5)
    assert ada.worst == ada.best == 3.25
    # ada: t1 (4, no answer), t2 (refusal, off the scale); bob: all there.
    result = judged([4, None, 1, 1, "I'm sorry, I cannot", '{"mark": 9}', 1, 1], trials=2)
    ada, bob = result.rows
    one_each = {"mark": 1, "parse_failure": 1, "refusal": 1, "no_answer": 1, "not_asked": 0}
    assert ada.counts == one_each and result.counts == one_each | {"mark": 5}
    assert ada.asked == 4 and ada.mean.value == 4
    # Worst: t1 (4 + 1) / 2, t2 1; best: t1 (4 + 5) / 2, t2 5.
    assert (ada.worst, ada.best) == (1.75, 4.75)
    assert (bob.worst, bob.best) == (1, 1)
    result = judged([4, 1, 2, 5])
    said = (*result.said[:3], (result.said[3][0], outcome_of(None, result.said[3][0].asked)))
    missing = Judged(result.corpus, "m", 1, said, {}, Spent(0, 0, 0), Spent(0, 0, 0), 0, 50, 0)
    bob = missing.rows[1]
    assert bob.counts["not_asked"] == 1 and (bob.worst, bob.best) == (1.0, 3.0)


# Each topic: ada first, bob first.
PAIRS = ["A", "B", "A", "A", "equal", "B", "B", None]


@pytest.fixture(scope="module")
def pairs():
    return judged(PAIRS, mode="pairs", topics=4)


def test_win_rates_count_both_orders_and_half_for_equal_and_judgments_are_shares_won(pairs):
    ada, bob = pairs.rows
    # ada gets t1: 1, 1; t2: 1, 0; t3: 1/2, 1; t4: 0 and nothing.
    assert ada.mean.value == pytest.approx((1 + 0.5 + 0.75 + 0) / 4)
    assert bob.mean.value == pytest.approx((0 + 0.5 + 0.25 + 1) / 4)
    assert (ada.worst, ada.best) == (pytest.approx(2.25 / 4), pytest.approx(2.75 / 4))
    assert (ada.asked, ada.counts["no_answer"], bob.counts["no_answer"]) == (8, 1, 1)
    assert ada.mean.low < ada.mean.value < ada.mean.high
    shares = {(j.topic, j.author): j.value for j in pairs.judgments()}
    assert shares["t2", "ada"] == shares["t2", "bob"] == 0.5
    assert shares["t3", "ada"] == 0.75 and shares["t4", "bob"] == 1
    assert {j.dimension for j in pairs.judgments()} == {"fluency_pairs"}
    rows = pairs.verdicts()
    first = [" ".join(row[3:7]) for row in rows[:3]]
    assert first == ["ada bob ada mark", "bob ada ada mark", "ada bob ada mark"]
    assert rows[4][5] == "equal" and rows[7][3:] == ["bob", "ada", "", "no_answer", "late"]


def test_position_bias_by_hand_and_equal_in_both_orders_is_no_flip(pairs):
    # Seven verdicts; six name one: A, B, A, A, B, B. One of seven is equal.
    first = bias_of(pairs, "first wins")
    assert (first.estimate.value, first.number) == (pytest.approx(3 / 6), 6)
    assert bias_of(pairs, "called equal").estimate.value == pytest.approx(1 / 7)
    # Three pairs have both orders: the same verdict in t1; the first both times in t2; equal in
    # one order only in t3.
    flips = bias_of(pairs, "flips")
    assert (flips.estimate.value, flips.number) == (pytest.approx(2 / 3), 3)
    assert 0 <= flips.estimate.low <= 2 / 3 <= flips.estimate.high <= 1
    # ada is longer. Verdicts that name one: ada, ada, ada, bob, ada, bob.
    longer = bias_of(pairs, "longer wins")
    assert (longer.estimate.value, longer.number) == (pytest.approx(4 / 6), 6)
    result = judged(["equal", "equal", "A", "B"], mode="pairs")
    assert bias_of(result, "flips").estimate == (0, 0, 0)


def test_length_bias_of_marks_is_a_coefficient_within_topics():
    # Lengths by rank: ada 3, eve 2, bob 1. t1: marks 5, 3, 1 follow them; t2: 1, 3, 2 do not.
    result = judged([5, 3, 1, 1, 3, 2], systems=("ada", "eve", "bob"))
    found = bias_of(result, "mark and length")
    # Spearman of (3, 2, 1) with (1, 3, 2): 1 - 6 (4 + 1 + 1) / 24 = -0.5.
    assert found.estimate.value == pytest.approx((1 - 0.5) / 2)
    assert (found.estimate.low, found.estimate.high) == (pytest.approx(-0.5), pytest.approx(1))
    assert found.number == 6
    # One system or topic has no such interval.
    one = bias_of(judged([5, 4], systems=("ada",)), "mark and length")
    assert math.isnan(one.estimate.value)
    alone = judged([5, 1], topics=1)
    estimate = bias_of(alone, "mark and length").estimate
    assert estimate.value == 1 and np.isnan([estimate.low, estimate.high]).all()
    assert math.isnan(alone.rows[0].mean.low)


def test_self_consistency_by_hand_of_more_than_one_trial():
    # ada t1: 4, 5, 4; bob t1: 1, 1, 1; ada t2: 2, no answer, 4; bob t2: nothing.
    result = judged([4, 5, 4, 1, 1, 1, 2, None, 4, None, None, None], trials=3)
    equal = bias_of(result, "equal marks of two trials")
    # Pairs of trials: 3 with one equal, 3 all equal, 1 not equal.
    assert (equal.estimate.value, equal.number) == (pytest.approx(4 / 7), 7)
    apart = bias_of(result, "difference of two trials")
    assert apart.estimate.value == pytest.approx((1 + 0 + 1 + 0 + 0 + 0 + 2) / 7)
    assert {one.bias for one in judged([4, 5, 1, 3]).biases} == {"mark and length"}


def test_units_are_shares_and_pyramids_by_majority_of_more_than_half_of_the_trials():
    # Of u1 and u2: ada t1 yes no, bob t1 yes no answer, ada t2 yes yes, bob t2 no no.
    result = judged(["yes", "no", "yes", None, "yes", "yes", "no", "no"], rubric="coverage")
    ada, bob = result.rows
    assert ada.mean.value == 0.75 and (bob.worst, bob.best) == (0.25, 0.5)
    peers = [{w: [p.scu for p in of] for w, of in one.peers.items()} for one in result.pyramids()]
    # bob was not judged on t1: a unit that nobody answered is not a no.
    assert peers == [{"ada": ["u1"]}, {"ada": ["u1", "u2"], "bob": []}]
    assert result.not_judged() == [("t1", "bob")]
    first, second = ["u1", "It rained.", 2, "ada", 1], ["u2", "It was cold.", 1, "ada", 0]
    assert result.unit_rows()[:2] == [["t1", *first], ["t1", *second]]
    # With two trials, one yes is not more than half.
    replies = ["yes", "no", "yes", "yes", *["no"] * 4]
    result = judged(replies, rubric="coverage", topics=1, trials=2)
    assert [p.scu for p in result.pyramids()[0].peers["ada"]] == ["u2"]


def test_judgments_have_a_judge_per_trial_and_a_result_prints_and_is_a_frame():
    result = judged([4, 5, 1, None, 2, 2, 5, 5], trials=2)
    rows = [(j.topic, j.author, j.judge, j.dimension, j.value) for j in result.judgments()]
    firsts = (("ada", "m#1", 4), ("ada", "m#2", 5), ("bob", "m#1", 1))
    assert rows[:3] == [("t1", who, judge, "fluency", value) for who, judge, value in firsts]
    assert len(rows) == 7
    names, means = result.scores()
    assert names == ["id", "system", "fluency-by-m"]
    assert means == [["t1", "ada", 4.5], ["t1", "bob", 1.0], ["t2", "ada", 2.0], ["t2", "bob", 5.0]]
    result = judged([4, 5, 1, 3])
    assert "ada" in repr(result) and "2.500" in repr(result)
    frame = result.to_pandas()
    assert list(frame["system"]) == ["ada", "bob"] and list(frame["mark"]) == [2, 2]
