"""Informants beside one another, by hand: overlap, flags, differences, leaving somebody out."""

import math

import pytest

from summetry.records.lengths import Length
from summetry.references import topic_votes
from summetry.references.informants import (
    FASTEST_READER,
    Disputed,
    Flag,
    disputed_units,
    informants,
    overlap,
    reading_seconds,
    references_without,
)

FIVE = ["The ferry sank.", "Nobody died.", "Fog came.", "They build a bridge.", "It rained."]
VOTES = {"ann": [0, 1], "ben": [0, 1, 2], "cy": [0, 3]}


@pytest.fixture
def five(make_corpus):
    return topic_votes(make_corpus({"ferry": FIVE}, {"ferry": VOTES}))


@pytest.fixture
def make_votes(make_corpus):
    """Four texts of six sentences, on which everybody makes the same extracts."""

    def make(**extracts):
        names = ["a", "b", "c", "d"]
        texts = {name: [f"Sentence {n} of {name} is here." for n in range(6)] for name in names}
        return topic_votes(make_corpus(texts, dict.fromkeys(names, extracts)))

    return make


def flags_of(found):
    return {one.name: [flag.name for flag in one.flags] for one in found}


def test_everybody_is_compared_with_the_others_and_never_with_themselves(five):
    ann, ben, cy = informants(five)
    # ann shares 2 of 3 units with ben and 1 of 3 with cy; ben shares 1 of 4 with cy.
    assert ann.with_others.jaccard == pytest.approx((2 / 3 + 1 / 3) / 2)
    assert ben.with_others.jaccard == pytest.approx((2 / 3 + 1 / 4) / 2)
    assert cy.with_others.jaccard == pytest.approx((1 / 3 + 1 / 4) / 2)
    # Two random pairs of five units share 0, 1 or 2 in 3, 6 and 1 of 10 cases.
    two_and_two = 0.6 * 1 / 3 + 0.1 * 1
    # Two and three share 0, 1 or 2 in 1, 6 and 3 of 10 cases.
    two_and_three = 0.6 * 1 / 4 + 0.3 * 2 / 3
    assert ann.with_others.chance == pytest.approx((two_and_two + two_and_three) / 2)
    assert ben.with_others.chance == pytest.approx(two_and_three)
    # 3, 2, 2, 4 and 2 words.
    assert [one.mean_length for one in (ann, ben, cy)] == pytest.approx(
        [500 / 13, 700 / 13, 700 / 13]
    )


def test_who_worked_alone_has_nobody_to_agree_with(make_corpus):
    (ann,) = informants(topic_votes(make_corpus({"t": FIVE}, {"t": {"ann": [0]}})))
    assert math.isnan(ann.with_others.jaccard) and math.isnan(ann.with_others.chance)
    assert ann.flags == ()


def test_who_shares_no_more_than_chance_is_far_from_everybody(make_votes):
    found = informants(make_votes(ann=[0, 2], ben=[0, 2], cy=[4, 5]))
    assert flags_of(found) == {"ann": [], "ben": [], "cy": ["far"]}
    (far,) = found[2].flags
    # Two random pairs of six units share 0, 1 or 2 in 6, 8 and 1 of 15 cases.
    assert far == Flag("far", 0, pytest.approx(8 / 15 / 3 + 1 / 15))


def test_who_takes_the_first_sentences_of_nearly_all_texts_is_flagged(make_votes):
    found = informants(make_votes(ann=[0, 1], ben=[0, 1, 2], cy=[1, 0], dee=[0, 2]))
    assert flags_of(found) == {"ann": ["lead"], "ben": ["lead"], "cy": ["lead"], "dee": []}
    assert found[0].flags == (Flag("lead", 4, 4),)


def test_an_empty_extract_is_not_that_of_the_first_sentences(make_votes):
    found = informants(make_votes(ann=[], ben=[0, 3]))
    assert found[0].lead == 0


def test_who_is_quicker_than_reading_on_most_texts_is_fast(make_votes):
    votes = make_votes(ann=[0, 2], ben=[0, 2])
    # 6 sentences of 6 words are read in 3.6 seconds at 600 words per minute.
    assert FASTEST_READER == 600 and reading_seconds(36) == pytest.approx(3.6)
    seconds = {("ann", "a"): 3.5, ("ann", "b"): 3.5, ("ann", "c"): 3.5, ("ann", "d"): 90}
    seconds |= {("ben", "a"): 3.5, ("ben", "b"): 3.5, ("ben", "c"): 3.7, ("ben", "d"): 3.7}
    found = informants(votes, seconds)
    assert flags_of(found) == {"ann": ["fast"], "ben": []}
    assert found[0].flags == (Flag("fast", 3, 4),)


def test_two_texts_are_too_few_for_a_flag(make_corpus):
    votes = {name: {"ann": [0, 1], "ben": [3, 4]} for name in ("a", "b")}
    found = informants(
        topic_votes(make_corpus({"a": FIVE, "b": FIVE}, votes)),
        {("ann", "a"): 0.1, ("ann", "b"): 0.1},
    )
    assert flags_of(found) == {"ann": [], "ben": []}


def test_the_same_extract_twice_is_full_agreement_with_oneself():
    assert overlap(5, [0, 3], [3, 0]).jaccard == 1
    assert math.isnan(overlap(5, [], []).jaccard)


def test_units_with_votes_nearest_to_half_come_first(five):
    # 3, 2, 1, 1 and 0 votes: of three pairs two differ wherever not all agree.
    assert disputed_units(five[0]) == [
        Disputed(1, ("ann", "ben"), ("cy",), pytest.approx(2 / 3)),
        Disputed(2, ("ben",), ("ann", "cy"), pytest.approx(2 / 3)),
        Disputed(3, ("cy",), ("ann", "ben"), pytest.approx(2 / 3)),
    ]


def test_a_half_is_more_disputed_than_a_quarter(make_corpus):
    votes = {"t": {"a": [0, 1], "b": [1], "c": [4], "d": [4]}}
    found = disputed_units(topic_votes(make_corpus({"t": FIVE}, votes))[0])
    assert [(one.unit, one.differing) for one in found] == [(1, 4 / 6), (4, 4 / 6), (0, 3 / 6)]


def test_without_an_informant_the_reference_may_change(five):
    (changed,) = references_without(five, {"ann"}, Length("units", 2))
    # With all: 0 and 1. Without ann units 1, 2 and 3 have one vote each, and 1 comes first.
    assert (changed.before.units, changed.after.units) == ((0, 1), (0, 1))
    (changed,) = references_without(five, {"ann", "ben"}, Length("units", 2))
    assert (changed.added, changed.removed) == ((3,), (1,))
    (changed,) = references_without(five, {"ann", "ben", "cy"}, Length("units", 2))
    assert changed.after is None and changed.removed == (0, 1)


def test_only_texts_on_which_somebody_is_left_out_are_shown(make_corpus):
    votes = {"a": {"ann": [0], "ben": [1]}, "b": {"ben": [0], "cy": [1]}}
    corpus = make_corpus({"a": FIVE, "b": FIVE}, votes)
    changed = references_without(topic_votes(corpus), {"cy"}, Length("mean"))
    assert [one.topic for one in changed] == ["b"]
