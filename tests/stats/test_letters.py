"""Letters: whatever differs, two members share a letter exactly if they do not differ."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    return table_of(size, [pair for pair in combinations(range(size), 2) if draw(st.booleans())])


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


def check_definition(different, display):
    labels = [set(text.split(",")) if "," in "".join(display) else set(text) for text in display]
    assert all(labels)
    for i, k in combinations(range(len(different)), 2):
        assert bool(labels[i] & labels[k]) == (not different[i, k])


@given(tables())
def test_groups_are_all_the_largest_ones(different):
    expected = largest_alike(different)
    assert groups_alike(different) == expected
    check_definition(different, compact_letters(different))
    # The definition holds too where there are too many groups to list all.
    groups = letters._enough_groups(different)
    assert set(groups) <= set(expected)
    pairs = combinations(range(len(different)), 2)
    together = {pair for group in groups for pair in combinations(group, 2)}
    assert together == {(i, k) for i, k in pairs if not different[i, k]}
    assert {member for group in groups for member in group} == set(range(len(different)))


def test_thousands_of_groups_are_not_counted():
    """Thirteen pairs that differ, and nothing else: 2 to the 13 largest groups."""
    different = table_of(26, [(i, i + 1) for i in range(0, 26, 2)])
    assert len(groups_alike(different)) <= 26 * 25 / 2
    check_definition(different, compact_letters(different))


# Of four, the first differs from the last two, the second from the last.
CHAIN = table_of(4, [(0, 2), (0, 3), (1, 3)])
# Three groups of three share a member by pairs; the group of these members is needless.
ALIKE = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (0, 4), (2, 4), (1, 5), (2, 5)]
RING = table_of(6, [pair for pair in combinations(range(6), 2) if pair not in ALIKE])


@pytest.mark.parametrize(
    ("different", "groups", "display"),
    [
        (CHAIN, [(0, 1), (1, 2), (2, 3)], "a ab bc c"),
        (RING, [(0, 1, 2), (0, 1, 3), (0, 2, 4), (1, 2, 5)], "ab ac bc a b c"),
        (np.zeros((3, 3)), [(0, 1, 2)], "a a a"),
        (~np.eye(3, dtype=bool), [(0,), (1,), (2,)], "a b c"),
        # What stands on the diagonal says nothing.
        (np.ones((2, 2)), None, "a b"),
        (np.zeros((0, 0)), None, ""),
    ],
)
def test_displays_worked_by_hand(different, groups, display):
    assert compact_letters(different) == display.split()
    assert groups is None or groups_alike(different) == groups


def test_numbers_take_the_place_of_letters_where_these_are_too_few():
    many = compact_letters(~np.eye(53, dtype=bool))
    assert many[0] == "1" and many[-1] == "53"
    assert compact_letters(~np.eye(52, dtype=bool))[-1] == "Z"
    different = ~np.eye(54, dtype=bool)
    different[0, 1:3] = different[1:3, 0] = False
    assert compact_letters(different)[:3] == ["1,2", "1", "2"]
