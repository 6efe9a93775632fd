"""Counting for ROUGE: for each candidate and reference the units of the reference, the units of
the candidate, and the hits, for whole batches."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from summetry.arrays.token_tables import Bags, TokenTable
from summetry.arrays.types import Floats, Ints
from summetry.arrays.vectors import Shared
from summetry.metrics.rouge.lcs_union import Sides, count_marked
from summetry.metrics.rouge.skips import skip_hits, skip_totals
from summetry.metrics.rouge.views import RougeView


class PairCounts(NamedTuple):
    """One entry a pair of candidate and reference."""

    reference: Floats
    candidate: Floats
    hits: Floats


def clipped(bags: Bags, totals: Ints, left: Ints, right: Ints, shared: Shared) -> PairCounts:
    """Multisets compared: a unit hits as often as both texts have it."""
    both = np.minimum(bags.counts[shared.left], bags.counts[shared.right])
    return PairCounts(
        totals[right].astype(np.float64), totals[left].astype(np.float64), shared.total(both)
    )


def skip_counts(
    table: TokenTable, left: Ints, right: Ints, words: Shared, gap: int, singles: str
) -> PairCounts:
    """Ordered pairs of tokens with at most ``gap`` between (any number if it is below 0).

    ``words`` are those that the texts of each pair share. ``singles`` says which tokens count by
    themselves, too: ``none``, ``all``, or ``not last`` as in the original.
    """
    totals, hits = skip_totals(table.lengths, gap), skip_hits(table, words, gap)
    if singles != "none":
        totals = totals + table.lengths
        bags = table.bags
        here, there = bags.counts[words.left], bags.counts[words.right]
        if singles == "not last":
            totals = totals - (table.lengths > 0)
            here = here - _is_last(table, left[words.pair], bags.ids[words.left])
            there = there - _is_last(table, right[words.pair], bags.ids[words.right])
        hits = hits + words.total(np.minimum(here, there))
    return PairCounts(totals[right].astype(np.float64), totals[left].astype(np.float64), hits)


def _is_last(table: TokenTable, rows: Ints, words: Ints) -> Ints:
    """1 where a text ends in a word, else 0; none of the texts is empty."""
    found: Ints = (table.ids[table.offsets[rows + 1] - 1] == words).astype(np.int64)
    return found


def lcs_counts(view: RougeView, words: Shared) -> PairCounts:
    """Summary-level L: marked tokens, each word clipped to what both texts have of it.

    ``words`` are those that the sentences of each pair share.
    """
    table, first, whole = view.sentences.table, view.sentences.first, view.sentences.whole
    hits = count_marked(Sides(table, whole, first, view.left, view.right), words)
    if view.limited:
        # A limit may cut words off the text that its sentences still have.
        ids = whole.bags.ids[words.left]
        for side in (view.left, view.right):
            hits = np.minimum(hits, _count_of(view.text.bags, side[words.pair], ids))
    else:
        hits = np.minimum(hits, whole.bags.counts[words.left])
    return PairCounts(
        whole.lengths[view.right].astype(np.float64),
        view.text.lengths[view.left].astype(np.float64),
        words.total(hits),
    )


def _count_of(bags: Bags, rows: Ints, words: Ints) -> Ints:
    """How often each text has each word."""
    owner = np.repeat(np.arange(len(bags.lengths), dtype=np.int64), bags.lengths)
    keys = owner * bags.size + bags.ids
    wanted = rows * bags.size + words
    where = np.searchsorted(keys, wanted)
    found = np.zeros(len(wanted), dtype=np.int64)
    inside = np.flatnonzero(where < len(keys))
    hit = inside[keys[where[inside]] == wanted[inside]]
    found[hit] = bags.counts[where[hit]]
    return found
