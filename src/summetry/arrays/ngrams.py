"""Runs of ``n`` tokens: as slices of a list, as tokens of a table, as symbols, and as bags.

In arrays an n-gram is one number: that which the ids of its tokens write in binary, as long as it
fits; else what was written so far is numbered anew by the n-grams that occur. Either way smaller
numbers are earlier n-grams in the order of the tokens, so the order of two n-grams never depends on
the texts around them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from summetry.arrays import kernel
from summetry.arrays.token_tables import (
    KEY_BITS,
    Bags,
    TokenTable,
    bags_of_keys,
    gather_runs,
    id_bits,
    run_starts,
    sort_with_places,
)
from summetry.arrays.types import Ints

Items = TypeVar("Items", bound=Sequence[object])

# Numbers of more bits than this would not fit into the arrays.
MOST_BITS = 62
# Longer n-grams occur nowhere twice, and every further token is a further step.
LONGEST_N = 100


def windows(items: Items, n: int) -> list[Items]:
    """Every run of ``n`` items, in order.

    >>> windows("abcd", 3)
    ['abc', 'bcd']
    """
    return [items[i : i + n] for i in range(len(items) - n + 1)]  # type: ignore[misc]


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
    keys, starts, offsets = _number(table, n)
    keys, places = sort_with_places(keys)
    first = run_starts(keys)
    ids = np.empty_like(keys)
    ids[places] = np.repeat(np.arange(len(first)), np.diff(first, append=len(keys)))
    return TokenTable(ids, offsets, _Names(table, starts[places[first]], n, " "))


def ngram_bags(table: TokenTable, n: int) -> tuple[Bags, Ints]:
    """The n-grams of each text with their counts, and how many each text has.

    As the bags of :func:`ngram_table`, but faster where an n-gram and its text fit into one number.
    """
    width = id_bits(len(table.words))
    longest = int(table.lengths.max(initial=0))
    totals = np.maximum(table.lengths - min(n, longest + 1) + 1, 0)
    if n == 1 or n > longest or n * width + id_bits(len(table) + 1) > KEY_BITS:
        return ngram_table(table, n).bags, totals
    last = len(table.ids) - n + 1
    # Windows over all texts at once, then without those that reach into the next text.
    rows = table.owners[:last]
    keys = rows.copy()
    for step in range(n):
        keys <<= width
        keys |= table.ids[step : step + last]
    inside = rows == table.owners[n - 1 :]
    return bags_of_keys(keys[inside], len(table), n * width), totals


def shared_ngrams(table: TokenTable, left: Ints, right: Ints, n: int = 1) -> Ints:
    """For each pair of texts the n-grams that both have, each as often as both have it.

    >>> abc = TokenTable(np.array([0, 1, 0, 1, 0, 1]), np.array([0, 4, 6]), "ab")
    >>> shared_ngrams(abc, np.array([0, 1]), np.array([1, 0]), 2).tolist()
    [1, 1]
    """
    left, right = table.checked_rows(left, right)
    # No text has an n-gram of more tokens.
    n = min(n, table.checked.longest + 1)
    if not kernel.is_compiled():
        bags = [Counter(map(tuple, windows(table.row(i).tolist(), n))) for i in range(len(table))]
        pairs = zip(left.tolist(), right.tolist(), strict=True)
        return np.array([(bags[i] & bags[j]).total() for i, j in pairs], dtype=np.int64)
    ids, offsets, words, longest = table.checked
    hits = np.empty(len(left), dtype=np.int64)
    kernel.call("shared_ngrams", ids, offsets, left, right, len(left), n, words, longest, hits)
    return hits


def bits(size: int) -> int:
    """How many bits the numbers below ``size`` take, 1 at least.

    >>> bits(2), bits(3), bits(0)
    (1, 2, 1)
    """
    return max(id_bits(size), 1)


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


def _number(table: TokenTable, n: int) -> tuple[Ints, Ints, Ints]:
    """A number for each n-gram of a table, where it starts, and where those of each text are."""
    counts = np.maximum(table.lengths - n + 1, 0)
    starts = gather_runs(table.offsets[:-1], counts)
    width = bits(len(table.words))
    tokens, places = table.ids, max(len(table.ids) - n + 1, 0)
    # Windows over all texts at once; those that reach into the next text are left out in the end.
    keys, used = tokens[:places], width
    for step in range(1, n):
        if used + width > MOST_BITS:
            keys, used = renumber(keys)
        keys = keys << width | tokens[step : step + places]
        used += width
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return keys[starts], starts, offsets


class _Names(Sequence[str]):
    """N-grams that are spelt out only when a reader asks; ``starts`` is a place of each."""

    def __init__(self, table: TokenTable, starts: Ints, n: int, blank: str) -> None:
        self._table, self._starts, self._n, self._blank = table, starts, n, blank

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        start = int(self._starts[place])
        tokens = self._table.ids[start : start + self._n]
        return joined((self._table.words[token] for token in tokens), self._blank)
