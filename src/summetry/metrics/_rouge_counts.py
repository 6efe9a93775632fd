"""Counting for ROUGE: for each candidate and reference the units of the reference, the units of
the candidate, and the hits, for whole batches."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from summetry.metrics._rouge_views import RougeView
from summetry.text.lcs_union import Sides, count_marked
from summetry.text.vectors import Floats, Shared
from summetry.text.vocabulary import Bags, Ints, TokenTable, bags_of


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


def skip_bags(table: TokenTable, gap: int, unigrams: str) -> tuple[Bags, Ints]:
    """Ordered pairs of tokens with at most ``gap`` between (any number if it is below 0).

    ``unigrams`` adds single tokens: ``none``, ``all``, or ``not last`` as the original does.
    """
    size = max(len(table.words), 1)
    lengths = table.lengths
    owner = np.repeat(np.arange(len(table), dtype=np.int64), lengths)
    place = np.arange(len(table.ids), dtype=np.int64) - np.repeat(table.offsets[:-1], lengths)
    left_over = np.repeat(lengths, lengths) - place
    furthest = int(lengths.max(initial=0)) - 1 if gap < 0 else gap + 1
    rows, keys = [], []
    for distance in range(1, furthest + 1):
        first = np.flatnonzero(left_over > distance)
        if not len(first):
            break
        rows.append(owner[first])
        keys.append(table.ids[first] * size + table.ids[first + distance])
    if unigrams != "none":
        single = np.flatnonzero(left_over > (1 if unigrams == "not last" else 0))
        rows.append(owner[single])
        keys.append(size * size + table.ids[single])
    nothing = np.zeros(0, dtype=np.int64)
    return _bags(np.concatenate([nothing, *rows]), np.concatenate([nothing, *keys]), len(table))


def _bags(rows: Ints, keys: Ints, texts: int) -> tuple[Bags, Ints]:
    distinct, ids = np.unique(keys, return_inverse=True)
    size = max(len(distinct), 1)
    totals = np.bincount(rows, minlength=texts).astype(np.int64)
    return bags_of(rows, ids, texts, size), totals


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
