"""Normalised relative utility: by hand, an oracle over all extracts, properties, edge cases."""

import math
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.metrics import METRICS
from summetry.metrics.normalised_relative_utility import (
    exact_utilities,
    level_of,
    normalised_relative_utility,
)
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.records.judgments import Utilities

judges = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 9), min_size=n, max_size=n), min_size=2, max_size=4)
)


def slow(utilities, chosen):
    """The definition, with every extract of the same length made one by one."""
    units, e = range(len(utilities[0])), len(chosen)
    judges = [values for values in utilities if any(values)]

    def worth(extract, values):
        best = max(sum(values[u] for u in other) for other in combinations(units, e))
        return Fraction(sum(values[u] for u in extract), best)

    def mean(numbers):
        numbers = list(numbers)
        return sum(numbers) / len(numbers)

    def favourites(values):
        # Of all best extracts the first: combinations come in the order of their units.
        return max(combinations(units, e), key=lambda extract: sum(values[u] for u in extract))

    system = mean(worth(chosen, values) for values in judges)
    random = mean(worth(x, values) for x in combinations(units, e) for values in judges)
    own = mean(
        worth(favourites(one), other)
        for i, one in enumerate(judges)
        for j, other in enumerate(judges)
        if i != j
    )
    return system, random, own


@given(judges, st.data())
def test_agrees_with_making_every_extract(utilities, data):
    units = range(len(utilities[0]))
    chosen = data.draw(st.lists(st.sampled_from(units), unique=True, min_size=1))
    if sum(map(any, utilities)) < 2:
        assert math.isnan(normalised_relative_utility(utilities, chosen).judges)
        return
    system, random, own = slow(utilities, chosen)
    result = normalised_relative_utility(utilities, chosen)
    assert (result.system, result.random, result.judges) == tuple(map(float, (system, random, own)))
    if own > random:
        assert result.value == float((system - random) / (own - random))
    else:
        assert math.isnan(result.value)


def test_worked_by_hand():
    # Best pairs are worth 9 to each judge. The first would take units 0 and 1, worth 2 + 3 to the
    # second; the second 2 and 1 (before 3, which it values alike), worth 1 + 4 to the first. By
    # chance half of all is found: 10 and 14 by two, over 9. The extract: (5 + 1) and (2 + 6) / 9.
    utilities = [[5, 4, 1, 0], [2, 3, 6, 3]]
    result = normalised_relative_utility(utilities, [0, 2])
    assert (result.judges, result.random, result.system) == (10 / 18, 12 / 18, 14 / 18)
    assert math.isnan(result.value)  # These two agree less than chance would have them.
    agreeing = [[5, 4, 1, 0], [6, 3, 3, 2]]
    # They would take units 0 and 1 both: 9 of 9. Chance: (5 + 7) / 18. The extract: (6 + 9) / 18.
    result = normalised_relative_utility(agreeing, [0, 2])
    assert result.value == (Fraction(15, 18) - Fraction(12, 18)) / (1 - Fraction(12, 18)) == 0.5


@given(judges, st.data())
def test_the_mean_over_all_extracts_is_0(utilities, data):
    e = data.draw(st.integers(1, len(utilities[0])))
    exact = exact_utilities(tuple(map(tuple, utilities)))
    level = level_of(exact, e) if len(exact) > 1 else None
    if level and level.judges > level.random:
        extracts = combinations(range(len(exact[0])), e)
        values = [normalised_relative_utility(utilities, extract).value for extract in extracts]
        size = max(map(abs, values))
        assert math.fsum(values) / len(values) == pytest.approx(0, abs=1e-12 * size)


@given(st.lists(st.integers(0, 9), min_size=2, max_size=6), st.data())
def test_judges_who_agree_give_their_own_extract_1(values, data):
    e = data.draw(st.integers(1, len(values) - 1))
    best = sorted(range(len(values)), key=lambda unit: -values[unit])[:e]
    result = normalised_relative_utility([values, values], best)
    assert result.value == 1 if len(set(values)) > 1 else math.isnan(result.value)


@given(judges, st.integers(1, 9), st.data())
def test_the_scale_of_a_judge_does_not_matter(utilities, factor, data):
    chosen = data.draw(st.lists(st.sampled_from(range(len(utilities[0]))), unique=True))
    scaled = [[value * factor for value in utilities[0]], *utilities[1:]]
    a, b = (normalised_relative_utility(judged, chosen) for judged in (utilities, scaled))
    assert repr(a) == repr(b)


@pytest.mark.parametrize("value", [0.1, 0.7, 1 / 3, 1e-300, 1e300])
@pytest.mark.parametrize("e", [1, 2])
def test_whether_judges_do_better_than_chance_is_no_matter_of_rounding(value, e):
    utilities = [[value] * 3, [2 * value] * 3]
    assert math.isnan(normalised_relative_utility(utilities, range(e)).value)
    a_little = math.nextafter(value, math.inf)
    utilities = [[value, a_little, value], [value, a_little, value]]
    assert normalised_relative_utility(utilities, [1]).value == 1.0


def test_a_random_extract_of_nothing_is_as_good_as_an_empty_one():
    utilities = [[3, 1, 0], [2, 1, 0]]
    assert normalised_relative_utility(utilities, []).value == 0.0
    # With a length that was asked for, nothing is worse than chance.
    result = normalised_relative_utility(utilities, [], e=1)
    assert result.value == pytest.approx(-(4 / 9 + 1 / 2) / 2 / (1 - (4 / 9 + 1 / 2) / 2))


@pytest.mark.parametrize(
    ("utilities", "system"),
    [
        ([], [0]),
        ([[3, 1]], [0]),
        ([[3, 1], [0, 0]], [0]),
        ([[0, 0], [0, 0]], [0]),
        ([[3, 1], [3, 1]], [0, 1]),
        ([[3, 0], [0, 3]], [0]),
        ([[2, 2], [2, 2]], [0]),
    ],
)
def test_undefined_without_judges_who_do_better_than_chance(utilities, system):
    assert math.isnan(normalised_relative_utility(utilities, system).value)


def test_a_unit_listed_twice_counts_once():
    utilities = [[3, 1, 0], [2, 1, 0]]
    once, twice = (normalised_relative_utility(utilities, x) for x in ([0, 1], [0, 1, 0]))
    assert once == twice


def test_what_is_wrong_is_refused():
    with pytest.raises(SummetryError, match="utilities must be 0 or more, got -2"):
        normalised_relative_utility([[1, -2], [1, 2]], [0])
    with pytest.raises(SummetryError, match="a length must be above 0, got 0 units"):
        METRICS.build("normalised_relative_utility(length=0)")


def test_the_reader_is_told_why_there_is_no_value():
    def compared(*utilities, units=(0,)):
        judged = tuple(Utilities("t", f"j{i}", values) for i, values in enumerate(utilities))
        return Comparison(Material("t", utilities=judged), Side("candidate", "", units))

    metric = METRICS.build("normalised_relative_utility")
    batch = Batch(
        [
            compared((3, 1)),
            compared((3, 0), (0, 3)),
            compared((3, 1), (3, 1)),
            compared(),
            compared((3, 1), units=None),
        ]
    )
    assert metric.notes(batch) == {
        "no value without two judges who value some unit": 1,
        "no value where judges reach no more than a random extract": 1,
    }
