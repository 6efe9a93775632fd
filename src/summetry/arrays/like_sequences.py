"""Length of the longest common subsequence of two long sequences, in little time if they are alike.

What both begin and end with is common, and what only one of them has is not: neither is looked at
again. The rest is compared by its few differences (Wu, Manber, Myers and Miller 1990, "An O(NP)
sequence comparison algorithm"): round p finds whether all but p tokens of the shorter one stand
in order in the longer one. A copy, an extract and an edited text take few rounds. Of two texts
that have little in common the rounds are given up, and ``lcs`` counts by bits, which takes time
with the product of the lengths.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from summetry.arrays.lcs import lcs_length
from summetry.arrays.types import Ints

# By bits a token of the longer sequence takes time with the length of the shorter one, in a round
# it does not. With one round for so many tokens, trying in vain costs a small part of what follows.
_TOKENS_A_ROUND = 25_000
# What is alike is found in few rounds, and a user should not wait long to hear that it is not.
_MOST_ROUNDS = 8


class Reduced(NamedTuple):
    """What is left of two sequences, and how many tokens are known to be common."""

    common: int
    x: Ints
    y: Ints


def long_lcs_length(
    x: Ints, y: Ints, before_bits: Callable[[int, int], None] = lambda x, y: None
) -> int:
    """Tokens in the longest sequence that ``x`` and ``y`` both hold in order.

    ``before_bits`` is called with the lengths of what is left when the long way is taken.

    >>> long_lcs_length(np.array([1, 2, 3, 4]), np.array([1, 5, 3, 4, 6]))
    3
    """
    common, x, y = reduced(x, y)
    if len(x) > len(y):
        x, y = y, x
    short, long = x.tolist(), y.tolist()
    rounds = min(len(short) // _TOKENS_A_ROUND, _MOST_ROUNDS)
    missing = tokens_missing(short, long, rounds * (len(x) + len(y))) if rounds else None
    if missing is not None:
        return common + len(x) - missing
    before_bits(len(x), len(y))
    return common + lcs_length(short, long)


def reduced(x: Ints, y: Ints) -> Reduced:
    """Two sequences without their common ends and without tokens that only one of them has.

    >>> reduced(np.array([1, 2, 3, 4]), np.array([1, 3, 5, 2, 4])).x.tolist()
    [2, 3]
    """
    trimmed, x, y = _without_ends(x, y)
    x, y = x[np.isin(x, y)], y[np.isin(y, x)]
    # What stood between equal tokens may have gone.
    more, x, y = _without_ends(x, y)
    return Reduced(trimmed + more, x, y)


def _without_ends(x: Ints, y: Ints) -> Reduced:
    start = _equal_at_start(x, y)
    x, y = x[start:], y[start:]
    end = _equal_at_start(x[::-1], y[::-1])
    return Reduced(start + end, x[: len(x) - end], y[: len(y) - end])


def _equal_at_start(x: Ints, y: Ints) -> int:
    shorter = min(len(x), len(y))
    differs = x[:shorter] != y[:shorter]
    return int(differs.argmax()) if differs.any() else shorter


def tokens_missing(x: list[int], y: list[int], most_work: int) -> int | None:
    """How many tokens of ``x``, the shorter, no common subsequence can keep.

    None if that is not known after about ``most_work`` steps.

    >>> tokens_missing([1, 2, 3], [2, 1, 4, 3], 100), tokens_missing([1, 2, 3], [3, 2, 1, 0], 1)
    (1, None)
    """
    width, height = len(x), len(y)
    goal = height - width
    # On diagonal k, where a place in y is k more than one in x: how far in y the round has come.
    # Diagonals left of 0 stand at the end of the list, where Python counts from -1 on.
    reached = [-1] * (2 * width + goal + 4)
    work = 0

    def follow(k: int) -> None:
        nonlocal work
        at = start = max(reached[k - 1] + 1, reached[k + 1])
        while at < height and at - k < width and x[at - k] == y[at]:
            at += 1
        reached[k] = at
        work += at - start + 1

    for missing in range(width + 1):
        for k in range(-missing, goal):
            follow(k)
        for k in range(goal + missing, goal, -1):
            follow(k)
        follow(goal)
        if reached[goal] == height:
            return missing
        if work > most_work:
            return None
    raise AssertionError("without any token of x nothing is missing")
