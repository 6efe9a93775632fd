"""What people would agree on if they chose at random.

Everybody chooses as many of ``things`` as they really did, every set of that size being as likely
as any other, and independently of the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from summetry.arrays.types import Floats, Ints

# What is less likely than this cannot be seen in any result.
_NEVER = 1e-25


@lru_cache(maxsize=4096)
def expected_jaccard(things: int, first: int, second: int) -> float:
    """The mean of shared members divided by all members, for random sets of two sizes.

    >>> expected_jaccard(2, 1, 1)
    0.5
    """
    if not first and not second:
        return math.nan
    shared, likely = _shared_members(things, first, second)
    return math.fsum((likely * shared / (first + second - shared)).tolist())


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
    return 100 * votes / len(sizes) * math.fsum((chosen[1:] / counts).tolist())


def _with_one_more(chosen: Floats, size: int) -> Floats:
    """How likely each number of chosen things is, when one person more chooses ``size`` of them."""
    likelihoods = np.zeros(len(chosen))
    for before in np.flatnonzero(chosen > _NEVER).tolist():
        shared, likely = _shared_members(len(chosen) - 1, before, size)
        likelihoods[before + size - shared] += chosen[before] * likely
    return likelihoods


# The texts of a corpus are of like lengths and so are their extracts: the same sizes come again.
@lru_cache(maxsize=8192)
def _shared_members(things: int, first: int, second: int) -> tuple[Ints, Floats]:
    """How many members two random sets can share, and how likely each number of them is."""
    shared = np.arange(max(0, first + second - things), min(first, second) + 1)
    last = shared[:-1].astype(np.float64)
    ratios = (first - last) * (second - last) / ((last + 1) * (things - first - second + last + 1))
    # From the most likely number each way, so that products fall and nothing overflows.
    most = int((ratios >= 1).sum())
    below = np.cumprod(1 / ratios[:most][::-1])[::-1]
    likely = np.concatenate([below, [1.0], np.cumprod(ratios[most:])])
    return shared, likely / likely.sum()
