"""Runs of ``n`` tokens as tokens of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np

from summetry.arrays.token_tables import KEY_BITS, Bags, TokenTable, bags_of_keys, id_bits
from summetry.arrays.types import Ints


def ngram_table(table: TokenTable, n: int) -> TokenTable:
    """The n-grams of each text; the words of an n-gram are joined by a blank.

    A text with fewer than ``n`` tokens has none. Ids keep the order of the words, so the
    vocabulary is sorted as in the table it comes from.
    """
    if n == 1:
        return table
    if n > int(table.lengths.max(initial=0)):
        nothing = np.zeros(0, dtype=np.int64)
        return TokenTable(nothing, np.zeros(len(table) + 1, dtype=np.int64), ())
    starts = np.maximum(table.lengths - n + 1, 0)
    offsets = np.concatenate([[0], np.cumsum(starts)]).astype(np.int64)
    first = _window_starts(table, starts)
    keys = table.ids[first]
    size = max(len(table.words), 1)
    words: Sequence[str] = table.words
    for step in range(1, n):
        # Only pairs that occur get a number, so the numbers never grow past the tokens.
        pairs, keys = np.unique(keys * size + table.ids[first + step], return_inverse=True)
        words = NgramWords(words, table.words, pairs)
    return TokenTable(keys.astype(np.int64), offsets, words)


def ngram_bags(table: TokenTable, n: int) -> tuple[Bags, Ints]:
    """The n-grams of each text with their counts, and how many each text has.

    As the bags of :func:`ngram_table`, without numbering n-grams that nobody asks to see: an
    n-gram is the number that its ids write, as long as it fits into 64 bits with its text.
    """
    bits = id_bits(len(table.words))
    longest = int(table.lengths.max(initial=0))
    totals = np.maximum(table.lengths - min(n, longest + 1) + 1, 0)
    if n == 1 or n > longest or n * bits + id_bits(len(table) + 1) > KEY_BITS:
        return ngram_table(table, n).bags, totals
    last = len(table.ids) - n + 1
    # Windows over all texts at once, then without those that reach into the next text.
    rows = table.owners[:last]
    keys = rows.copy()
    for step in range(n):
        keys <<= bits
        keys |= table.ids[step : step + last]
    inside = rows == table.owners[n - 1 :]
    return bags_of_keys(keys[inside], len(table), n * bits), totals


class NgramWords(Sequence[str]):
    """The n-grams that ids stand for, spelt out only when somebody asks for them."""

    def __init__(self, heads: Sequence[str], words: Sequence[str], pairs: Ints) -> None:
        self.heads, self.words, self.pairs = heads, words, pairs

    def __len__(self) -> int:
        return len(self.pairs)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        size = max(len(self.words), 1)
        pair = int(self.pairs[place])
        return f"{self.heads[pair // size]} {self.words[pair % size]}"


def _window_starts(table: TokenTable, starts: Ints) -> Ints:
    rows = np.repeat(np.arange(len(table)), starts)
    within = np.arange(int(starts.sum()), dtype=np.int64) - np.repeat(
        np.cumsum(starts) - starts, starts
    )
    found: Ints = table.offsets[rows] + within
    return found
