"""References by majority vote: hand-worked, properties, and everything that is odd."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.references.fitting import majority_reference

UNITS = 6
extracts = st.lists(st.sets(st.integers(0, UNITS - 1)), min_size=1, max_size=5)
lengths = st.lists(st.integers(0, 9), min_size=UNITS, max_size=UNITS)
rates = st.fractions(0, 1, max_denominator=9)
fits = st.sampled_from(["stop", "skip", "overshoot"])
rules = st.sampled_from(["position", "exclusion", "exclusion(theta=1/3)", "inclusion"])


def test_three_informants_by_hand():
    # Votes 3 2 1 1 0 0; 30 % of 30 words are 9.
    chosen = [[0, 1, 2], [0, 1], [0, 3]]
    words = [4, 5, 6, 5, 5, 5]
    found = majority_reference(words, chosen, Fraction(3, 10))
    assert (found.units, found.length, found.limit) == ((0, 1), 9, 9)
    assert found.agreement == pytest.approx(100 * 5 / 6)
    # The mean length is (15 + 9 + 9) / 3 = 11: two words are left, and nothing has two.
    assert majority_reference(words, chosen).units == (0, 1)
    assert majority_reference(words, chosen, fit="overshoot").units == (0, 1, 2)


@settings(max_examples=300)
@given(lengths, extracts, rates, rules)
def test_with_stop_no_unit_that_is_left_out_has_more_votes_than_one_that_is_in(
    words, chosen, rate, ties
):
    found = majority_reference(words, chosen, rate, "stop", ties)
    votes = found.ballot.counts
    left_out = [votes[u] for u in range(UNITS) if u not in found.units]
    assert min([votes[u] for u in found.units], default=9) >= max(left_out, default=0)
    assert found.length <= found.limit


@settings(max_examples=300)
@given(lengths, extracts, rates, fits, rules)
def test_what_holds_for_every_reference(words, chosen, rate, fit, ties):
    found = majority_reference(words, chosen, rate, fit, ties)
    assert found.units == tuple(sorted(set(found.units)))
    assert all(found.ballot.counts[u] for u in found.units)
    assert found.length == sum(words[u] for u in found.units)
    assert majority_reference(words, chosen, rate, fit, ties) == found
    if found.tie:
        assert found.units == found.tie.choices.get(ties, found.units)
        if ties != "exclusion(theta=1/3)":
            assert found.units == found.tie.choices[ties]
    else:
        others = {majority_reference(words, chosen, rate, fit, r).units for r in
                  ("position", "exclusion", "inclusion")}  # fmt: skip
        assert others == {found.units}


@settings(max_examples=200)
@given(lengths, extracts, st.randoms(), fits, rules)
def test_the_order_of_the_informants_does_not_matter(words, chosen, random, fit, ties):
    moved = list(chosen)
    random.shuffle(moved)
    assert (
        majority_reference(words, moved, "mean", fit, ties).units
        == majority_reference(words, chosen, "mean", fit, ties).units
    )


@given(lengths, st.sets(st.integers(0, UNITS - 1)), st.integers(1, 4))
def test_people_who_all_chose_the_same_have_it_as_their_reference(words, units, people):
    found = majority_reference(words, [units] * people)
    assert set(found.units) == units
    assert found.agreement == 100 or not units
    assert found.tie is None


def test_one_informant_is_the_majority():
    found = majority_reference([5, 6, 7], [[0, 2]])
    assert (found.units, found.agreement, found.tie) == ((0, 2), 100, None)


@pytest.mark.parametrize("fit", ["stop", "skip", "overshoot"])
def test_no_extracts_and_empty_extracts(fit):
    nobody = majority_reference([3, 4], [], "mean", fit)
    assert nobody.units == () and math.isnan(nobody.limit) and math.isnan(nobody.agreement)
    empty = majority_reference([3, 4], [[], []], "mean", fit)
    assert empty.units == () and empty.limit == 0 and math.isnan(empty.agreement)
    assert majority_reference([], [], 1, fit).units == ()


def test_units_without_words():
    assert majority_reference([0, 0, 3], [[0, 1], [0]]).units == (0, 1)
    assert majority_reference([0, 0], [[0], [1]], fit="overshoot").units == ()


def test_a_share_is_exact():
    # 0.1 * 3 <= 0.3 is false for floats; int(0.29 * 100) is 28.
    assert majority_reference([1] * 10, [range(10)], 0.3).units == (0, 1, 2)
    assert len(majority_reference([1] * 100, [range(100)], 0.29).units) == 29


def test_a_reference_has_whole_units():
    with pytest.raises(SummetryError, match="fit is stop, skip or overshoot, not cut"):
        majority_reference([1], [[0]], 1, "cut")
    with pytest.raises(SummetryError, match="fit is stop, skip or overshoot, not cut"):
        majority_reference([1], [], "mean", "cut")
    with pytest.raises(SummetryError, match="fit must be one of stop"):
        majority_reference([1], [[0]], 1, "fill")
    with pytest.raises(SummetryError, match="extract 0: expected units from 0 to 0, found 1"):
        majority_reference([1], [[1]])
