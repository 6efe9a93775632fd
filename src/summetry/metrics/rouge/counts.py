"""Counting for ROUGE-N, -L, -S and -SU: for each candidate and reference the units of the
reference, the units of the candidate, and the hits, for whole batches.

A skip-bigram that two texts share is made of words that they share, and those are counted anyway.
So only these are joined to pairs, some words at a time: of long texts there are too many to hold.
A word that is joined with very many is counted without joining: how often it stands before each
place of the text is a running sum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from summetry.arrays import kernel
from summetry.arrays.ngrams import shared_ngrams
from summetry.arrays.token_tables import (
    TokenTable,
    count_distinct,
    sort_with_places,
    spread,
)
from summetry.arrays.types import Floats, Ints
from summetry.arrays.vectors import Shared
from summetry.errors import SummetryError
from summetry.metrics.rouge.plain import united_hits
from summetry.metrics.rouge.views import RougeTexts
from summetry.records.batches import SentenceTable

# Pairs of tokens that are made at a time.
_BLOCK = 1 << 21
# A word that begins more pairs than this is counted by itself.
_MANY = 1 << 12
# The most steps that words by themselves may take together: a minute or two.
_MOST_STEPS = 1 << 34


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


def skip_counts(texts: RougeTexts, gap: int, singles: str) -> PairCounts:
    """Ordered pairs of tokens with at most ``gap`` between (any number if it is below 0).

    ``singles`` says which tokens count by themselves, too: ``none``, ``all``, or ``not last`` as
    in the original.
    """
    table, words, (left, right) = texts.table, texts.shared(1), texts.rows
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
    is_last: Ints = (table.ids[table.offsets[rows + 1] - 1] == words).astype(np.int64)
    return is_last


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
    if not kernel.is_compiled():
        pairs = zip(left.tolist(), right.tolist(), strict=True)
        return np.array([_united_hits(sentences, whole, i, j) for i, j in pairs], np.int64)
    table, have, first = sentences.table.checked, whole.checked, sentences.first
    words = max(table.words, have.words)
    hits = np.empty(len(left), dtype=np.int64)
    kernel.call(
        "union_hits", table.ids, table.offsets, np.ascontiguousarray(first), have.ids,
        have.offsets, left, right, len(left), words, by_text.checked.longest, table.longest, hits,
    )  # fmt: skip
    return hits


def _united_hits(sentences: SentenceTable, whole: TokenTable, left: int, right: int) -> int:
    mine, theirs = (
        [
            sentences.table.row(row).tolist()
            for row in range(sentences.first[text], sentences.first[text + 1])
        ]
        for text in (left, right)
    )
    return united_hits(mine, theirs, (whole.row(left).tolist(), whole.row(right).tolist()))


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
    joined = np.sum([side.pairs_of_entry for side in sides], axis=0)
    many = np.flatnonzero(joined > _MANY)
    _check_steps(table, shared, many)
    for entry, pair in zip(many.tolist(), shared.pair[many].tolist(), strict=True):
        words = np.searchsorted(shared.pair, [pair, pair + 1])
        often = [side.take_followers(entry, *words.tolist()) for side in sides]
        hits[pair] += np.minimum(*often).sum()
    joined[many] = 0
    for low, high in _blocks(joined):
        (mine, here), (theirs, there) = (count_distinct(side.keys(low, high)) for side in sides)
        common, left, right = np.intersect1d(mine, theirs, True, True)
        pair = shared.pair[low + common // entries]
        both = np.minimum(here[left], there[right])
        hits += np.bincount(pair, weights=both, minlength=shared.pairs)
    return hits


def _check_steps(table: TokenTable, shared: Shared, many: Ints) -> None:
    """Refuse texts whose pairs would take many minutes, before they are counted."""
    counts = table.bags.counts
    tokens = shared.total(counts[shared.left] + counts[shared.right])
    steps = np.bincount(shared.pair[many], tokens[shared.pair[many]], shared.pairs)
    if steps.max(initial=0) > _MOST_STEPS:
        pair = int(steps.argmax())
        raise SummetryError(
            f"rouge_s, rouge_su: two texts that share {int(shared.types[pair]):,} different words "
            f"have too many pairs of words, one far behind the other; set a gap, as in "
            f"rouge_s(gap=4), or a length, as in rouge_s(length='1000 words')"
        )


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

    def take_followers(self, entry: int, low: int, high: int) -> Floats:
        """How often each shared word from ``low`` to ``high``, those of one pair of texts, follows
        the word ``entry``; pairs that begin with it are not among :meth:`keys` any more."""
        tokens = self.position[self.first[entry] : self.first[entry + 1]]
        ends = tokens + self.followers[tokens] + 1
        start, size = int(tokens.min()), int(ends.max() - tokens.min())
        # From one place to the next: times of the word that come into reach, less those that leave.
        change = np.bincount(tokens + 1 - start, minlength=size + 1)
        change -= np.bincount(ends - start, minlength=size + 1)
        before = np.cumsum(change)[:size]
        self.followers[tokens] = 0
        followers = self.entry[start : start + size] - low
        return np.bincount(followers, before, high - low).astype(np.float64)

    def keys(self, low: int, high: int) -> Ints:
        """All pairs that begin with the shared words from ``low`` on, as one number each."""
        tokens = self.position[self.first[low] : self.first[high]]
        tokens = tokens[self.followers[tokens] > 0]
        owner, follower = spread(tokens + 1, self.followers[tokens])
        keys: Ints = ((self.entry[tokens] - low) * (len(self.first) - 1))[owner]
        return keys + self.entry[follower]


def _blocks(sizes: Ints) -> list[tuple[int, int]]:
    """Entries from one to another that have about :data:`_BLOCK` pairs together."""
    number = np.cumsum(sizes) // _BLOCK
    ends = [*(np.flatnonzero(number[1:] != number[:-1]) + 1).tolist(), len(sizes)]
    return list(zip([0, *ends[:-1]], ends, strict=True)) if len(sizes) else []
