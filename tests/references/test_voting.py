"""Votes, tie rules and the reference of one text, against definitions that try everything."""

import math
from fractions import Fraction
from itertools import chain, permutations, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from summetry.records.lengths import Length, fill
from summetry.references.voting import (
    Ties,
    count_votes,
    deciding_level,
    fit_reference,
    majority_reference,
    rules_beside,
    vote_order,
)

UNITS = 6
extracts = st.lists(st.sets(st.integers(0, UNITS - 1)), min_size=1, max_size=5)
with_repeats = st.lists(st.lists(st.integers(0, UNITS - 1), max_size=9), max_size=6)
fits = st.sampled_from(["stop", "skip", "overshoot"])
weights = st.fractions(0, 3, max_denominator=4)


@given(with_repeats, st.data())
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


@pytest.mark.parametrize(("units", "extracts", "weights", "votes", "levels"), [
    # More informants than bits of a machine word.
    (2, [[0]] * 200 + [[0, 1]] * 100, None, (300, 100), [[0], [1]]),
    # Weights are taken as they are written.
    (2, [[0], [0], [0], [1]], [0.1, 0.1, 0.1, 0.3], (Fraction(3, 10),) * 2, [[0, 1]]),
    (2, [[0], [1], [1]], [2, 1, 1], (2, 2), [[0, 1]]),
    (2, [[0], [1], [1]], [1, 1, Fraction(1, 2)], (1, Fraction(3, 2)), [[1], [0]]),
    (0, [], None, (), []),
    (0, [[], []], None, (), []),
    (3, [], None, (0, 0, 0), []),
])  # fmt: skip
def test_votes_worked_by_hand(units, extracts, weights, votes, levels):
    ballot = count_votes(units, extracts, weights)
    assert ballot.votes == votes
    assert ballot.levels() == levels
    assert Ties().order(ballot) == tuple(unit for level in levels for unit in level)


def test_what_cannot_be_counted_is_told(refused):
    refused(count_votes, [
        (3, [[0], [3]]), (3, [[-1]]), (0, [[0]]),
        (3, [[0]], [1, 2]), (3, [[0]], [-1]), (3, [[0]], [float("nan")]),
    ])  # fmt: skip


# --- tie rules ------------------------------------------------------------------------------------


def slow_levels(chosen):
    votes = {u: sum(u in extract for extract in chosen) for u in range(UNITS)}
    counts = sorted({v for v in votes.values() if v}, reverse=True)
    return [[u for u in range(UNITS) if votes[u] == count] for count in counts], votes


def both(chosen, a, b):
    return sum(a in extract and b in extract for extract in chosen)


def slow_exclusion(chosen, theta):
    levels, votes = slow_levels(chosen)
    order = []
    for level in levels:
        kept = []
        for u in level:
            if all(both(chosen, u, k) > theta * votes[u] for k in kept):
                kept.append(u)
        order += kept + [u for u in level if u not in kept]
    return tuple(order)


def slow_inclusion(chosen):
    order = []
    for level in slow_levels(chosen)[0]:
        left = list(level)
        while left:
            bonds = [sum(both(chosen, u, other) for other in order or level) for u in left]
            order.append(left.pop(bonds.index(max(bonds))))
    return tuple(order)


@given(extracts, st.fractions(0, 1, max_denominator=4))
def test_orders_are_those_of_the_definitions(chosen, theta):
    levels, _ = slow_levels(chosen)
    assert vote_order(UNITS, chosen) == tuple(u for level in levels for u in level)
    assert vote_order(UNITS, chosen, Ties("exclusion", theta)) == slow_exclusion(chosen, theta)
    assert vote_order(UNITS, chosen, "inclusion") == slow_inclusion(chosen)


@given(st.lists(st.sets(st.integers(0, 4)), min_size=1, max_size=3),
       st.lists(st.integers(0, 6), min_size=5, max_size=5), st.fractions(0, 20, max_denominator=2),
       fits, st.integers(0, 1))  # fmt: skip
# One of both fills the room to the last word; there is room for nothing but the gap.
@example([{0, 1}], [2, 2, 0, 0, 0], Fraction(2), "overshoot", 0)
@example([{0, 1}], [3, 3, 0, 0, 0], Fraction(0), "overshoot", 1)
def test_a_tie_matters_when_some_order_of_equals_gives_another_reference(
    chosen, lengths, limit, fit, gap
):
    levels, room = count_votes(5, chosen).levels(), (lengths, limit, fit, gap)
    orders = [chain(*parts) for parts in product(*map(permutations, levels))]
    references = {frozenset(fill(list(order), *room).units) for order in orders}
    assert (deciding_level(levels, *room) is not None) == (len(references) > 1)


def test_inclusion_weighs_the_company_exactly_whatever_the_weights():
    # Units 1 and 2 have as many votes; unit 2 was chosen with unit 0 by who weighs one more.
    huge = 10**30
    chosen = [[0, 1], [0, 2], [2], [1, 3], [0], [0]]
    ballot = count_votes(4, chosen, [huge, huge + 1, huge - 1, huge, huge, huge])
    assert ballot.counts[1] == ballot.counts[2]
    assert Ties("inclusion").order(ballot) == (0, 2, 1, 3)
    assert Ties().order(ballot) == (0, 1, 2, 3)


def test_the_report_says_what_each_rule_would_have_chosen():
    ballot = count_votes(4, [[0, 3], [0, 3], [1], [1]])
    reference = fit_reference(ballot, [2, 2, 2, 2], 4)
    tie = reference.tie
    assert (reference.units, tie.votes, tie.units) == ((0, 1), 2, (0, 1, 3))
    assert tie.choices == {"position": (0, 1), "exclusion": (0, 3), "inclusion": (0, 3)}
    assert tie.rules_differ
    with_theta = fit_reference(ballot, [2, 2, 2, 2], 4, ties=Ties("exclusion", "1/2"))
    assert list(with_theta.tie.choices) == ["position", "exclusion(theta=1/2)", "inclusion"]
    # Spellings of tie rules read back.
    for rule in ("position", "inclusion", "exclusion", "exclusion(theta=1/3)"):
        assert str(Ties.parse(rule)) == rule
    assert Ties.parse("exclusion(theta=0.25)") == Ties("exclusion", Fraction(1, 4))
    assert [str(r) for r in rules_beside(Ties())] == ["position", "exclusion", "inclusion"]


def test_a_rule_that_does_not_exist_is_told(refused):
    shares = "theta=2", "theta=x", "share=1", "1/3"
    exclusions = (f"exclusion({share})" for share in shares)
    refused(Ties.parse, ["positon", *exclusions, "inclusion(theta=1/3)", "exclusion.x"])


# --- references -----------------------------------------------------------------------------------


lengths = st.lists(st.integers(0, 9), min_size=UNITS, max_size=UNITS)
shares = st.builds(Length, st.just("percent"), st.fractions("1/9", 100, max_denominator=9))
rules = st.sampled_from(["position", "exclusion", "exclusion(theta=1/3)", "inclusion"])
THREE = [[0, 1, 2], [0, 1], [0, 3]]


@pytest.mark.parametrize(("words", "chosen", "options", "units"), [
    # Votes 3 2 1 1 0 0; 30 % of 30 words are 9.
    ([4, 5, 6, 5, 5, 5], THREE, {"length": "30%"}, (0, 1)),
    # The mean length is (15 + 9 + 9) / 3 = 11: two words are left, and nothing has two.
    ([4, 5, 6, 5, 5, 5], THREE, {}, (0, 1)),
    ([4, 5, 6, 5, 5, 5], THREE, {"fit": "overshoot"}, (0, 1, 2)),
    # A length in units counts units, and any other what the lengths are in.
    ([9, 9, 9, 9], THREE, {"length": 2}, (0, 1)),
    ([9, 9, 9, 9], THREE, {"length": "17 words"}, (0,)),
    # Units without words.
    ([0, 0], [[0], [1]], {"fit": "overshoot"}, ()),
    # A share is exact: 0.1 * 3 <= 0.3 is false for floats.
    ([1] * 10, [range(10)], {"length": "30%"}, (0, 1, 2)),
    # One informant is the majority.
    ([5, 6, 7], [[0, 2]], {}, (0, 2)),
])  # fmt: skip
def test_references_worked_by_hand(words, chosen, options, units):
    assert majority_reference(words, chosen, **options).units == units


@given(lengths, extracts, shares, fits, rules, st.randoms())
def test_what_holds_for_every_reference(words, chosen, length, fit, ties, random):
    # The order of the informants does not matter.
    orders = chosen, random.sample(chosen, len(chosen))
    before, after = (majority_reference(words, order, "mean", fit, ties) for order in orders)
    assert after.units == before.units
    reference = majority_reference(words, chosen, length, fit, ties)
    assert reference.units == tuple(sorted(set(reference.units)))
    assert all(reference.ballot.counts[u] for u in reference.units)
    assert reference.length == sum(words[u] for u in reference.units)
    assert majority_reference(words, chosen, length, fit, ties) == reference
    if reference.tie:
        assert reference.units == reference.tie.choices.get(ties, reference.units)
        if ties != "exclusion(theta=1/3)":
            assert reference.units == reference.tie.choices[ties]
    else:
        for rule in ("position", "exclusion", "inclusion"):
            other = majority_reference(words, chosen, length, fit, rule)
            assert other.units == reference.units


@pytest.mark.parametrize("fit", ["stop", "skip", "overshoot"])
def test_no_extracts_and_empty_extracts(fit):
    nobody = majority_reference([3, 4], [], "mean", fit)
    assert nobody.units == () and math.isnan(nobody.limit) and math.isnan(nobody.agreement)
    empty = majority_reference([3, 4], [[], []], "mean", fit)
    assert empty.units == () and empty.limit == 0 and math.isnan(empty.agreement)
    assert majority_reference([], [], "100%", fit).units == ()


def test_a_reference_has_whole_units(refused):
    refused(majority_reference, [
        ([1], [[0]], "100%", "cut"), ([1], [], "mean", "cut"), ([1], [[0]], "100%", "fill"),
        ([1], [[1]], "mean", "stop"),
    ])  # fmt: skip
