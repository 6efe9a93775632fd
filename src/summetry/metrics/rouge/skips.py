"""Skip-bigrams: ordered pairs of tokens of a text, with at most so many tokens between.

A pair that two texts share is made of words that they share, and those are counted anyway. So only
these are joined to pairs, some words at a time: of long texts there are too many to hold.
"""

from __future__ import annotations

import numpy as np

from summetry.arrays.token_tables import TokenTable, count_distinct, sort_with_places, spread
from summetry.arrays.types import Floats, Ints
from summetry.arrays.vectors import Shared

# Pairs of tokens that are made at a time.
_BLOCK = 1 << 21


def skip_totals(lengths: Ints, gap: int) -> Ints:
    """How many pairs texts of these lengths have; a ``gap`` below 0 is no limit.

    >>> skip_totals(np.array([0, 1, 4]), 1).tolist()
    [0, 0, 5]
    """
    reach = np.maximum(lengths - 1, 0)
    if 0 <= gap < int(reach.max(initial=0)):
        reach = np.minimum(reach, gap + 1)
    totals: Ints = reach * lengths - reach * (reach + 1) // 2
    return totals


def skip_hits(table: TokenTable, shared: Shared, gap: int) -> Floats:
    """For each pair of texts the skip-bigrams that both have, each as often as both have it.

    ``shared`` are the words that the texts of ``table`` have in common, by their bags.
    """
    hits = np.zeros(shared.pairs)
    entries = len(shared.pair)
    sides = [_Side(table, shared, rows, gap) for rows in (shared.left, shared.right)]
    for low, high in _blocks(sum(side.pairs_of_entry for side in sides)):
        (mine, here), (theirs, there) = (count_distinct(side.keys(low, high)) for side in sides)
        common, left, right = np.intersect1d(mine, theirs, True, True)
        pair = shared.pair[low + common // entries]
        both = np.minimum(here[left], there[right])
        hits += np.bincount(pair, weights=both, minlength=shared.pairs)
    return hits


class _Side:
    """One text of each pair: its tokens of shared words, by pair and place.

    ``entry`` is the shared word of each token, ``followers`` how many tokens it is joined with.
    """

    def __init__(self, table: TokenTable, shared: Shared, rows: Ints, gap: int) -> None:
        counts = table.bags.counts
        starts = (np.cumsum(counts) - counts)[rows]
        entry, at = spread(starts, counts[rows])
        length = len(table.ids)
        reach = length if gap < 0 else min(gap + 1, length)
        # So far apart that no token reaches into the next pair of texts.
        keys = shared.pair[entry] * (length + reach) + table.places[at]
        keys, order = sort_with_places(keys)
        number = np.arange(len(keys), dtype=np.int64)
        self.entry = entry[order]
        self.followers = np.searchsorted(keys, keys + reach, side="right") - number - 1
        # Where the tokens of each shared word stand, word by word.
        self.position = np.empty_like(number)
        self.position[order] = number
        self.first = np.concatenate([[0], np.cumsum(counts[rows])])
        joined = np.concatenate([[0], np.cumsum(self.followers[self.position])])
        self.pairs_of_entry = np.diff(joined[self.first])

    def keys(self, low: int, high: int) -> Ints:
        """All pairs that begin with the shared words from ``low`` on, as one number each."""
        tokens = self.position[self.first[low] : self.first[high]]
        tokens = tokens[self.followers[tokens] > 0]
        owner, follower = spread(tokens + 1, self.followers[tokens])
        found: Ints = ((self.entry[tokens] - low) * (len(self.first) - 1))[owner]
        return found + self.entry[follower]


def _blocks(sizes: Ints) -> list[tuple[int, int]]:
    """Entries from one to another that have about :data:`_BLOCK` pairs together."""
    number = np.cumsum(sizes) // _BLOCK
    ends = [*(np.flatnonzero(number[1:] != number[:-1]) + 1).tolist(), len(sizes)]
    return list(zip([0, *ends[:-1]], ends, strict=True)) if len(sizes) else []
