"""Counting for ROUGE: for each candidate and reference the units of the reference, the units of
the candidate, and the hits, for whole batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from summetry.metrics._rouge_views import RougeView
from summetry.text.lcs_marks import Marks, mark_pairs, unite
from summetry.text.vectors import Floats, shared_tokens
from summetry.text.vocabulary import (
    Bags,
    Ints,
    TokenTable,
    bags_of,
    count_distinct,
    gather_runs,
    id_bits,
)


class PairCounts(NamedTuple):
    """One entry a pair of candidate and reference."""

    reference: Floats
    candidate: Floats
    hits: Floats


def clipped(bags: Bags, totals: Ints, left: Ints, right: Ints) -> PairCounts:
    """Multisets compared: a unit hits as often as both texts have it."""
    shared = shared_tokens(bags, left, right)
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


class Marked(NamedTuple):
    """The tokens of every pair's reference, sentence by sentence, and which are in some LCS."""

    pair: Ints
    ids: Ints
    marks: Marks


def union_marks(view: RougeView, mark: Callable[[TokenTable, Ints, Ints], Marks]) -> Marked:
    """For each reference sentence the union of what every candidate sentence marks of it."""
    instance = _reference_sentences(view)
    table, first = view.sentences.table, view.sentences.first
    lengths = table.lengths[instance.row]
    base = np.cumsum(lengths) - lengths
    # Each reference sentence with each sentence of the candidate.
    candidates = view.left[instance.pair]
    repeats = first[candidates + 1] - first[candidates]
    marked = np.repeat(instance.row, repeats)
    other = gather_runs(first[candidates], repeats)
    marks = mark(table, marked, other)
    targets = gather_runs(np.repeat(base, repeats), table.lengths[marked])
    tokens = gather_runs(table.offsets[instance.row], lengths)
    return Marked(
        np.repeat(instance.pair, lengths),
        table.ids[tokens],
        unite(marks, targets, int(lengths.sum())),
    )


class _Instances(NamedTuple):
    pair: Ints
    row: Ints


def _reference_sentences(view: RougeView) -> _Instances:
    first = view.sentences.first
    counts = first[view.right + 1] - first[view.right]
    pairs = np.repeat(np.arange(len(view.right), dtype=np.int64), counts)
    return _Instances(pairs, gather_runs(first[view.right], counts))


def lcs_counts(view: RougeView) -> PairCounts:
    """Summary-level L: marked tokens, each word clipped to what both texts have of it."""
    found = union_marks(view, mark_pairs)
    bits = id_bits(len(view.text.words))
    keys, hits = count_distinct((found.pair[found.marks] << bits) | found.ids[found.marks])
    pair = keys >> bits
    # A word that is marked once is in both texts, unless a limit cut it off one of them.
    unsure = slice(None) if view.limited else np.flatnonzero(hits > 1)
    rows, words = pair[unsure], keys[unsure] & ((1 << bits) - 1)
    for side in (view.left, view.right):
        hits[unsure] = np.minimum(hits[unsure], _count_of(view.text.bags, side[rows], words))
    pairs = len(view.left)
    total = np.bincount(pair, weights=hits, minlength=pairs)
    reference = np.bincount(found.pair, minlength=pairs)
    candidate = view.text.lengths[view.left]
    return PairCounts(reference.astype(float), candidate.astype(float), total.astype(float))


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
