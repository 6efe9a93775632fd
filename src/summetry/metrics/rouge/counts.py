"""Counting for ROUGE-N and -L: for each candidate and reference the units of the reference, the
units of the candidate, and the hits, for whole batches."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from summetry.arrays import kernel
from summetry.arrays.ngrams import shared_ngrams
from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Floats, Ints
from summetry.metrics.rouge.plain import united_hits
from summetry.metrics.rouge.views import RougeTexts
from summetry.records.batches import SentenceTable


class PairCounts(NamedTuple):
    """One entry per pair of candidate and reference."""

    reference: Floats
    candidate: Floats
    hits: Floats

    def at(self, places: Ints) -> PairCounts:
        return PairCounts(*(column[places] for column in self))


def ngram_counts(texts: RougeTexts, n: int) -> PairCounts:
    """N: a unit hits as often as both texts have it."""
    table, (left, right) = texts.table, texts.rows
    n = min(n, table.checked.longest + 1)
    totals = np.maximum(table.lengths - n + 1, 0).astype(np.float64)
    hits = shared_ngrams(table, left, right, n).astype(np.float64)
    return PairCounts(totals[right], totals[left], hits)


def lcs_counts(texts: RougeTexts) -> PairCounts:
    """Summary-level L: marked tokens, each word clipped to what both texts have of it."""
    left, right = texts.rows
    # A limit may cut words off the text that its sentences still have.
    candidate, reference = texts.whole.lengths[left], texts.sentences.whole.lengths[right]
    hits = union_hits(texts.sentences, texts.whole, left, right)
    return PairCounts(*(column.astype(np.float64) for column in (reference, candidate, hits)))


def union_hits(sentences: SentenceTable, whole: TokenTable, left: Ints, right: Ints) -> Ints:
    """For each pair the tokens of text ``right[p]`` that sentences of ``left[p]`` mark, of each
    word no more than both have of it in ``whole``."""
    by_text = sentences.whole
    left, right = by_text.checked_rows(left, right)
    whole.checked_rows(left, right)
    assert whole.is_numbered_like(by_text)
    if not kernel.is_compiled():
        pairs = zip(left.tolist(), right.tolist(), strict=True)
        return np.array([_united_hits(sentences, whole, i, j) for i, j in pairs], np.int64)
    table, have, first = sentences.table.checked, whole.checked, sentences.first
    rows = table.ids, table.offsets, np.ascontiguousarray(first), have.ids, have.offsets
    sizes = max(table.words, have.words), by_text.checked.longest, table.longest
    hits = np.empty(len(left), dtype=np.int64)
    # Each token is looked at once for each sentence of the other text, or for 64 of its tokens.
    others = np.diff(first)[left] + by_text.lengths[left] // 64
    for part in kernel.in_parts(by_text.lengths[right] * others):
        found = hits[part]
        kernel.call("union_hits", *rows, left[part], right[part], len(found), *sizes, found)
    return hits


def _united_hits(sentences: SentenceTable, whole: TokenTable, left: int, right: int) -> int:
    mine, theirs = sentences.rows_of(left), sentences.rows_of(right)
    return united_hits(mine, theirs, (whole.row(left).tolist(), whole.row(right).tolist()))
