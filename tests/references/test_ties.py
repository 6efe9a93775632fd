"""Tie rules against their definitions in plain Python; ties that matter, by trying all orders."""

from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.records.lengths import fill
from summetry.references.fitting import fit_reference, rules_beside
from summetry.references.ties import Ties, deciding_level, vote_order
from summetry.references.voting import count_votes

UNITS = 6
extracts = st.lists(st.sets(st.integers(0, UNITS - 1)), min_size=1, max_size=5)
fits = st.sampled_from(["stop", "skip", "overshoot"])


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
    levels, _ = slow_levels(chosen)
    order = []
    for level in levels:
        left = list(level)
        while left:
            company = order or level
            bonds = [sum(both(chosen, u, other) for other in company) for u in left]
            order.append(left.pop(bonds.index(max(bonds))))
    return tuple(order)


@settings(max_examples=200)
@given(extracts, st.fractions(0, 1, max_denominator=4))
def test_orders_are_those_of_the_definitions(chosen, theta):
    levels, _ = slow_levels(chosen)
    assert vote_order(UNITS, chosen) == tuple(u for level in levels for u in level)
    assert vote_order(UNITS, chosen, Ties("exclusion", theta)) == slow_exclusion(chosen, theta)
    assert vote_order(UNITS, chosen, "inclusion") == slow_inclusion(chosen)


@settings(max_examples=200)
@given(
    st.lists(st.sets(st.integers(0, 4)), min_size=1, max_size=3),
    st.lists(st.integers(0, 6), min_size=5, max_size=5),
    st.fractions(0, 20, max_denominator=2),
    fits,
    st.integers(0, 1),
)
# One of both fills the room to the last word; there is room for nothing but the gap.
@example([{0, 1}], [2, 2, 0, 0, 0], Fraction(2), "overshoot", 0)
@example([{0, 1}], [3, 3, 0, 0, 0], Fraction(0), "overshoot", 1)
def test_a_tie_matters_when_some_order_of_equals_gives_another_reference(
    chosen, lengths, limit, fit, gap
):
    levels = count_votes(5, chosen).levels()
    found = set()
    for orders in product(*(permutations(level) for level in levels)):
        order = [u for level in orders for u in level]
        found.add(frozenset(fill(order, lengths, limit, fit, gap).units))
    assert (deciding_level(levels, lengths, limit, fit, gap) is not None) == (len(found) > 1)


def test_people_who_chose_one_of_two_did_not_choose_the_other():
    # Units 0 and 2 have two votes each and no informant in common; 1 goes with 0.
    chosen = [[0, 1], [0, 1], [2], [2]]
    assert vote_order(3, chosen) == (0, 1, 2)
    chosen = [[0, 2], [0, 2], [1], [1]]
    assert vote_order(3, chosen) == (0, 1, 2)
    assert vote_order(3, chosen, "exclusion") == (0, 2, 1)
    assert vote_order(3, chosen, "inclusion") == (0, 2, 1)


def test_the_company_of_a_level_counts_for_its_first_unit_only():
    # 1 has company in its level and is the earliest that has, 4 was chosen with it. Nobody who
    # chose these two chose another, so the others follow by position, or with what came last.
    assert vote_order(5, [[2, 3], [1, 4], [0]], "inclusion") == (1, 4, 0, 2, 3)


def test_few_in_common_are_too_few_only_by_theta():
    # Units 0 and 1 share one of three votes.
    chosen = [[0, 1, 2], [0, 2], [0, 2], [1], [1]]
    assert vote_order(3, chosen, "exclusion") == (0, 1, 2)
    assert vote_order(3, chosen, "exclusion(theta=1/3)") == (0, 2, 1)


def test_weights_can_make_and_break_ties():
    ballot = count_votes(2, [[0], [1], [1]], [2, 1, 1])
    assert Ties().order(ballot) == (0, 1)
    ballot = count_votes(2, [[0], [1], [1]], [1, 1, Fraction(1, 2)])
    assert Ties().order(ballot) == (1, 0)


def test_inclusion_weighs_the_company_exactly_whatever_the_weights():
    # Units 1 and 2 have as many votes; unit 2 was chosen with unit 0 by who weighs one more.
    huge = 10**30
    chosen = [[0, 1], [0, 2], [2], [1, 3], [0], [0]]
    ballot = count_votes(4, chosen, [huge, huge + 1, huge - 1, huge, huge, huge])
    assert ballot.counts[1] == ballot.counts[2]
    assert Ties("inclusion").order(ballot) == (0, 2, 1, 3)
    assert Ties().order(ballot) == (0, 1, 2, 3)


@settings(max_examples=30)
@given(st.lists(st.lists(st.sampled_from([0, 1, 2, 5]), min_size=UNITS), min_size=1, max_size=3))
def test_units_that_the_same_people_chose_stand_in_text_order(drawn):
    chosen = [{u for u in range(UNITS) if votes[u % 2] > 1} for votes in drawn]
    assert vote_order(UNITS, chosen, "inclusion") == slow_inclusion(chosen)
    assert vote_order(UNITS, chosen, "exclusion") == slow_exclusion(chosen, 0)


def test_the_report_says_what_each_rule_would_have_chosen():
    ballot = count_votes(4, [[0, 3], [0, 3], [1], [1]])
    found = fit_reference(ballot, [2, 2, 2, 2], 4)
    assert found.units == (0, 1)
    assert (found.tie.votes, found.tie.units) == (2, (0, 1, 3))
    assert found.tie.choices == {"position": (0, 1), "exclusion": (0, 3), "inclusion": (0, 3)}
    assert found.tie.rules_differ
    asked = fit_reference(ballot, [2, 2, 2, 2], 4, ties=Ties("exclusion", "1/2"))
    assert list(asked.tie.choices) == ["position", "exclusion(theta=1/2)", "inclusion"]


@pytest.mark.parametrize(
    ("lengths", "limit", "fit"),
    [
        ([2, 2], 4, "stop"),  # Both fit.
        ([5, 5], 4, "stop"),  # Neither does.
        ([5, 5], 4, "skip"),
        ([3, 9], 4, "skip"),  # Only one of them ever can.
        ([3, 3], 4, "overshoot"),  # One is not enough, so both are taken.
        ([3, 3], 0, "overshoot"),
    ],
)
def test_a_tie_that_does_not_matter_is_not_reported(lengths, limit, fit):
    assert fit_reference(count_votes(2, [[0, 1]]), lengths, limit, fit).tie is None


def test_an_order_is_the_same_on_every_call_and_spellings_read_back():
    for rule in ("position", "inclusion", "exclusion", "exclusion(theta=1/3)"):
        assert str(Ties.parse(rule)) == rule
    assert Ties.parse("exclusion(theta=0.25)") == Ties("exclusion", Fraction(1, 4))
    assert [str(r) for r in rules_beside(Ties())] == ["position", "exclusion", "inclusion"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("positon", "no tie rule is named 'positon'. Did you mean 'position'?"),
        ("exclusion(theta=2)", "theta is a share from 0 to 1, got 2"),
        ("exclusion(theta=x)", "expected a number, found 'x'"),
        ("inclusion(theta=1/3)", "theta goes with the tie rule exclusion, not with inclusion"),
        ("exclusion(share=1)", "no option but theta, got 'share'"),
        ("exclusion(1/3)", "expected key=value"),
        ("exclusion.x", "no option but theta, got '.x'"),
    ],
)
def test_a_rule_that_does_not_exist_is_told(text, message):
    with pytest.raises(SummetryError) as told:
        Ties.parse(text)
    assert message in str(told.value)
