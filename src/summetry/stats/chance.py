"""What people would agree on if they chose at random.

Everybody chooses as many of ``things`` as they really did, every set of that size being as likely
as any other, and nobody looks at what the others choose.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def expected_jaccard(things: int, first: int, second: int) -> float:
    """The mean of shared members by all members, for sets of so many members.

    >>> expected_jaccard(2, 1, 1)
    0.5
    """
    if not first and not second:
        return math.nan
    total = math.comb(things, second)
    least = max(0, first + second - things)
    ways = math.comb(first, least) * math.comb(things - first, second - least)
    terms = []
    for shared in range(least, min(first, second) + 1):
        # Quotients of whole numbers of any size are rounded once, and adding them is exact.
        terms.append(ways * shared / (total * (first + second - shared)))
        ways = ways * (first - shared) * (second - shared)
        ways //= (shared + 1) * (things - first - second + shared + 1)
    return math.fsum(terms)


def expected_votes_agreement(things: int, sizes: Sequence[int]) -> float:
    """The mean agreement in per cent over all things that anybody chose (see ``votes_agreement``).

    The votes are as many as were given; what chance decides is on how many things they fall.

    >>> expected_votes_agreement(2, [1, 1])
    75.0
    """
    votes = sum(sizes)
    if not votes:
        return math.nan
    chosen = np.zeros(things + 1)
    chosen[0] = 1.0
    for size in sizes:
        chosen = _with_one_more(chosen, size)
    counts = np.arange(1, things + 1)
    return float(100 * votes / len(sizes) * (chosen[1:] / counts).sum())


def _with_one_more(chosen: Floats, size: int) -> Floats:
    """The distribution of the number of things that are chosen by one person more."""
    things = len(chosen) - 1
    log = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, things + 1)))])

    def choose(n: NDArray[np.int64] | int, k: NDArray[np.int64] | int) -> Floats:
        found: Floats = log[n] - log[k] - log[np.subtract(n, k)]
        return found

    found = np.zeros(things + 1)
    for new in range(size + 1):
        # So many of the things that this person chooses are new ones.
        before = np.arange(max(size - new, 0), things - new + 1)
        ways = choose(before, size - new) + choose(things - before, new) - choose(things, size)
        found[before + new] += chosen[before] * np.exp(ways)
    return found
