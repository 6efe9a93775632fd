"""Letters: whatever differs, two members share a letter exactly if they do not differ."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.stats import letters
from summetry.stats.letters import compact_letters, groups_alike


def table_of(size, pairs):
    different = np.zeros((size, size), bool)
    for i, k in pairs:
        different[i, k] = different[k, i] = True
    return different


@st.composite
def tables(draw, largest=9):
    size = draw(st.integers(1, largest))
    pairs = list(combinations(range(size), 2))
    return table_of(size, [pair for pair in pairs if draw(st.booleans())])


def largest_alike(different):
    """By going through all groups: those without a pair that differs and not within another."""
    members = range(len(different))
    fine = [
        set(group)
        for count in range(1, len(different) + 1)
        for group in combinations(members, count)
        if not any(different[i, k] for i, k in combinations(group, 2))
    ]
    return sorted(tuple(sorted(group)) for group in fine if not any(group < g for g in fine))


def check_definition(different, given):
    shown = [set(text.split(",")) if "," in "".join(given) else set(text) for text in given]
    assert all(shown)
    for i, k in combinations(range(len(different)), 2):
        assert bool(shown[i] & shown[k]) == (not different[i, k])


@given(tables())
@settings(max_examples=80)
def test_groups_are_all_the_largest_ones(different):
    assert groups_alike(different) == largest_alike(different)
    check_definition(different, compact_letters(different))


@given(tables())
@settings(max_examples=60)
def test_where_there_are_too_many_groups_the_definition_holds_too(different):
    groups = letters._enough_groups(different)
    assert set(groups) <= set(largest_alike(different))
    together = {pair for group in groups for pair in combinations(group, 2)}
    alike = {(i, k) for i, k in combinations(range(len(different)), 2) if not different[i, k]}
    assert together == alike
    assert {member for group in groups for member in group} == set(range(len(different)))


def test_thousands_of_groups_are_not_counted():
    """Thirteen pairs that differ, and nothing else: 2 to the 13 largest groups."""
    different = table_of(26, [(i, i + 1) for i in range(0, 26, 2)])
    assert len(groups_alike(different)) <= 26 * 25 / 2
    check_definition(different, compact_letters(different))


def test_a_hand_worked_display():
    """Of four, the first differs from the last two, the second from the last."""
    different = table_of(4, [(0, 2), (0, 3), (1, 3)])
    assert groups_alike(different) == [(0, 1), (1, 2), (2, 3)]
    assert compact_letters(different) == ["a", "ab", "bc", "c"]


def test_a_group_that_others_stand_for_has_no_letter():
    """Three groups of three share a member by pairs; the group of these members is needless."""
    alike = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (0, 4), (2, 4), (1, 5), (2, 5)]
    different = table_of(6, [pair for pair in combinations(range(6), 2) if pair not in alike])
    assert groups_alike(different) == [(0, 1, 2), (0, 1, 3), (0, 2, 4), (1, 2, 5)]
    assert compact_letters(different) == ["ab", "ac", "bc", "a", "b", "c"]


def test_all_or_none_differ():
    assert compact_letters(np.zeros((3, 3))) == ["a", "a", "a"]
    assert compact_letters(~np.eye(3, dtype=bool)) == ["a", "b", "c"]
    # What stands on the diagonal says nothing.
    assert compact_letters(np.ones((2, 2))) == ["a", "b"]
    assert compact_letters(np.zeros((0, 0))) == []


def test_numbers_take_the_place_of_letters_where_these_are_too_few():
    many = compact_letters(~np.eye(53, dtype=bool))
    assert many[0] == "1" and many[-1] == "53"
    assert compact_letters(~np.eye(52, dtype=bool))[-1] == "Z"
    different = ~np.eye(54, dtype=bool)
    different[0, 1:3] = different[1:3, 0] = False
    assert compact_letters(different)[:3] == ["1,2", "1", "2"]


def test_a_table_that_is_not_square_or_not_the_same_both_ways_is_refused():
    for wrong in ([[0, 1]], [[0, 1], [0, 0]], [0, 1]):
        with pytest.raises(SummetryError, match="must be a square table, the same both ways"):
            compact_letters(wrong)
