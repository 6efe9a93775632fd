"""N-grams as symbols: one number for each run of ``n`` tokens, whatever the tokens are.

The number of an n-gram is written by those of its tokens, in binary, as long as that fits; else
the n-grams that occur are counted through. Either way smaller numbers are earlier n-grams in the
order of the tokens, so the order of two n-grams never depends on the texts around them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import overload

import numpy as np

from summetry.arrays.token_tables import TokenTable, gather_runs
from summetry.arrays.types import Ints
from summetry.errors import SummetryError

# Keys of more bits than this would leave the numbers that arrays can hold.
MOST_BITS = 62
# Longer n-grams are met nowhere twice, and every token more is a step more.
LONGEST_N = 100


def ngram_symbols(table: TokenTable, n: int, blank: str = " ") -> TokenTable:
    """The n-grams of each text, in order; ``blank`` stands between the tokens of one.

    >>> abc = TokenTable(np.array([0, 1, 2, 0, 1]), np.array([0, 3, 5]), "abc")
    >>> pairs = ngram_symbols(abc, 2, "")
    >>> pairs.text(0), pairs.text(1)
    (['ab', 'bc'], ['ab'])
    """
    if n < 1:
        raise SummetryError(f"an n-gram is 1 token long or more, got {n}")
    if n > LONGEST_N:
        raise SummetryError(f"an n-gram is {LONGEST_N} tokens long or less, got {n}")
    if n == 1:
        return table
    counts = np.maximum(table.lengths - n + 1, 0)
    first = gather_runs(table.offsets[:-1], counts)
    width = bits(len(table.words))
    tokens, places = table.ids, max(len(table.ids) - n + 1, 0)
    keys, used = tokens[:places], width
    for step in range(1, n):
        if used + width > MOST_BITS:
            keys, used = renumber(keys)
        keys = keys << width | tokens[step : step + places]
        used += width
    found = keys[first]
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return TokenTable(found, offsets, NgramNames(table, first, found, n, blank, used))


def bits(size: int) -> int:
    """How many bits the numbers below ``size`` take, 1 at least.

    >>> bits(2), bits(3), bits(0)
    (1, 2, 1)
    """
    return max((size - 1).bit_length(), 1)


def renumber(keys: Ints) -> tuple[Ints, int]:
    """The place of each key among the distinct ones, and how many bits such places take."""
    distinct, places = np.unique(keys, return_inverse=True)
    return places.astype(np.int64), bits(len(distinct))


def joined(tokens: Iterable[str], blank: str) -> str:
    r"""An n-gram in writing; two halves of a character become that character.

    >>> joined(["a", "\ud83d", "\ude00"], "")
    'a😀'
    """
    text = blank.join(tokens)
    if not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


class NgramNames(Sequence[str]):
    """What the numbers of n-grams stand for, looked up only when somebody asks."""

    def __init__(
        self, table: TokenTable, first: Ints, keys: Ints, n: int, blank: str, used: int
    ) -> None:
        self._table, self._first, self._keys = table, first, keys
        self._n, self._blank, self._bits = n, blank, used
        self._known: dict[int, str] = {}

    def __len__(self) -> int:
        return 1 << self._bits

    @overload
    def __getitem__(self, key: int) -> str: ...

    @overload
    def __getitem__(self, key: slice) -> Sequence[str]: ...

    def __getitem__(self, key: int | slice) -> str | Sequence[str]:
        if isinstance(key, slice):
            raise TypeError("the numbers of n-grams have gaps; ask for one at a time")
        # Edges ask for the same few n-grams again and again.
        if key not in self._known:
            self._known[key] = self._written(key)
        return self._known[key]

    def _written(self, key: int) -> str:
        distinct, where = self._occurrences
        place = int(np.searchsorted(distinct, key))
        if place == len(distinct) or distinct[place] != key:
            raise IndexError(f"no n-gram has the number {key}")
        start = int(self._first[where[place]])
        tokens = self._table.ids[start : start + self._n]
        return joined((self._table.words[token] for token in tokens), self._blank)

    @cached_property
    def _occurrences(self) -> tuple[Ints, Ints]:
        """Every number that occurs, and one place where it does."""
        distinct, where = np.unique(self._keys, return_index=True)
        return distinct, where.astype(np.int64)
