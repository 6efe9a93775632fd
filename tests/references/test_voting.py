"""Votes by bit masks against plain counting."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.references.voting import count_votes, mask_of

UNITS = 7
extracts = st.lists(st.lists(st.integers(0, UNITS - 1), max_size=9), max_size=6)
weights = st.fractions(0, 3, max_denominator=4)


@given(extracts, st.data())
def test_votes_and_what_units_share_are_plain_sums_over_informants(chosen, data):
    given_weights = [data.draw(weights) for _ in chosen]
    ballot = count_votes(UNITS, chosen, given_weights)
    people = list(zip(chosen, given_weights, strict=True))
    for a in range(UNITS):
        assert ballot.votes[a] == sum(w for units, w in people if a in units)
        for b in range(UNITS):
            both = sum(w for units, w in people if a in units and b in units)
            assert Fraction(ballot.weigh(ballot.masks[a] & ballot.masks[b]), ballot.unit) == both
    assert ballot.informants == sum(1 for weight in given_weights if weight)
    assert ballot.most == sum(given_weights)


@given(extracts)
def test_levels_hold_every_unit_with_a_vote_once_most_votes_first(chosen):
    ballot = count_votes(UNITS, chosen)
    levels = ballot.levels()
    votes = [{ballot.counts[unit] for unit in level} for level in levels]
    assert all(len(found) == 1 for found in votes)
    assert votes == sorted(votes, key=max, reverse=True)
    assert sorted(u for level in levels for u in level) == sorted({u for e in chosen for u in e})
    assert all(level == sorted(level) for level in levels)


def test_more_informants_than_bits_of_a_machine_word():
    ballot = count_votes(2, [[0]] * 200 + [[0, 1]] * 100)
    assert ballot.counts == (300, 100) and ballot.weigh(ballot.masks[0] & ballot.masks[1]) == 100


def test_weights_are_taken_as_they_are_written():
    ballot = count_votes(2, [[0], [0], [0], [1]], [0.1, 0.1, 0.1, 0.3])
    assert ballot.votes == (Fraction(3, 10), Fraction(3, 10))
    assert ballot.levels() == [[0, 1]]


def test_who_weighs_nothing_is_no_informant():
    assert count_votes(2, [[0], [1]], [1, 0]) == count_votes(2, [[0]])


def test_no_units_and_no_extracts():
    assert count_votes(0, []).votes == ()
    assert count_votes(0, [[], []]).levels() == []
    assert count_votes(3, []).counts == (0, 0, 0)
    assert mask_of([]) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: count_votes(3, [[0], [3]]), "extract 1: expected units from 0 to 2, found 3"),
        (lambda: count_votes(3, [[-1]]), "extract 0: expected units from 0 to 2, found -1"),
        (lambda: count_votes(0, [[0]]), "expected no units, for the text has none, found 0"),
        (lambda: count_votes(3, [[0]], [1, 2]), "a weight for each of 1 extracts, found 2"),
        (lambda: count_votes(3, [[0]], [-1]), "0 or more and finite, got -1"),
        (lambda: count_votes(3, [[0]], [float("nan")]), "0 or more and finite, got nan"),
    ],
)
def test_what_cannot_be_counted_is_told(call, message):
    with pytest.raises(SummetryError, match=message):
        call()
