"""Letters for groups that do not differ: two share a letter exactly if they are not different.

The display starts with one group of all. For each pair that differs, every group that holds both
is replaced by two, one without the first and one without the second (insert); a group that lies
within another one says nothing new and is dropped (absorb). What is left are all the largest groups
without a pair that differs.

Of these groups one is left out if each of its pairs is in another one too (sweep), beginning with
the last, so that the display has fewer letters and says the same.

Where differences follow no order there can be thousands of such groups. Then only so many are taken
that every pair which does not differ is in one of them.

Source: Piepho (2004), An algorithm for a letter-based representation of all-pairwise comparisons.
"""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase

import numpy as np
from numpy.typing import ArrayLike

from summetry.arrays.types import Bools
from summetry.errors import SummetryError

SINGLE_LETTERS = ascii_lowercase + ascii_uppercase
# More groups than this are not readable.
MOST_GROUPS = 200


def groups_alike(different: ArrayLike) -> list[tuple[int, ...]]:
    """Groups without a pair that differs, none within another, in the order of their members.

    >>> groups_alike([[0, 0, 1], [0, 0, 0], [1, 0, 0]])
    [(0, 1), (1, 2)]
    """
    table = np.asarray(different, bool)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or (table != table.T).any():
        raise SummetryError(
            f"which pairs differ must be a square table, the same both ways, got {table.shape}"
        )
    size = len(table)
    table = table & ~np.eye(size, dtype=bool)
    if not size:
        return []
    # A group is a number whose bit i stands for member i.
    groups = [(1 << size) - 1]
    for i, k in np.argwhere(np.triu(table, 1)).tolist():
        groups = _separate(groups, 1 << i, 1 << k)
        if len(groups) > MOST_GROUPS:
            return _enough_groups(table)
    members = [tuple(i for i in range(size) if group >> i & 1) for group in groups]
    return sorted(members)


def _separate(groups: list[int], one: int, other: int) -> list[int]:
    both = one | other
    kept = [group for group in groups if group & both != both]
    parts = [group ^ gone for group in groups if group & both == both for gone in (one, other)]
    # Parts never lie within each other, nor old groups within parts: that was absorbed before.
    return kept + [part for part in parts if not any(part & old == part for old in kept)]


def _enough_groups(different: Bools) -> list[tuple[int, ...]]:
    """For each pair that is in no group yet, it and all that can join it, first ones first."""
    together = np.zeros_like(different)
    groups = []
    for i, k in np.argwhere(np.triu(~different)).tolist():
        if not together[i, k]:
            group = [i, k] if i != k else [i]
            able = np.array(~different[group].any(axis=0))
            able[group] = False
            while able.any():
                group.append(int(np.argmax(able)))
                able &= ~different[group[-1]]
                able[group[-1]] = False
            together[np.ix_(group, group)] = True
            groups.append(tuple(sorted(group)))
    return sorted(groups)


def compact_letters(different: ArrayLike) -> list[str]:
    """The letters of each member, from the first group on.

    Where 52 letters are too few, groups have numbers, with commas between them.

    >>> compact_letters([[0, 0, 1], [0, 0, 0], [1, 0, 0]])
    ['a', 'ab', 'b']
    """
    groups = _without_needless(groups_alike(different), len(np.asarray(different)))
    few = len(groups) <= len(SINGLE_LETTERS)
    names = SINGLE_LETTERS if few else [str(number) for number in range(1, len(groups) + 1)]
    letters: list[list[str]] = [[] for _ in range(len(np.asarray(different)))]
    for name, group in zip(names, groups, strict=False):
        for member in group:
            letters[member].append(name)
    return [("" if few else ",").join(own) for own in letters]


def _without_needless(groups: list[tuple[int, ...]], size: int) -> list[tuple[int, ...]]:
    """The groups without those whose pairs, and members, are all in others."""
    times = np.zeros((size, size), np.int64)
    for group in groups:
        times[np.ix_(group, group)] += 1
    kept = []
    for group in reversed(groups):
        of_group = np.ix_(group, group)
        if times[of_group].min() > 1:
            times[of_group] -= 1
        else:
            kept.append(group)
    return kept[::-1]
