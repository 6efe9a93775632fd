"""Whole batches of texts as integer arrays.

A :class:`TokenTable` holds many texts behind one another: ``ids[offsets[i]:offsets[i+1]]``
are the tokens of text ``i``. The vocabulary is sorted, so equal batches give equal arrays
and the order of two words never depends on the texts around them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from summetry.arrays.types import Ints

# What a number of 64 bits holds beside its sign.
KEY_BITS = 63

# Pieces of text between blanks -> the tokens of each.
Reader = Callable[[list[str]], list[list[str]]]


@dataclass(frozen=True)
class TokenTable:
    """Token ids of many texts, and the sorted words that the ids stand for."""

    ids: Ints
    offsets: Ints
    words: Sequence[str]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def lengths(self) -> Ints:
        return np.diff(self.offsets)

    @cached_property
    def owners(self) -> Ints:
        """The text that each token is of."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.lengths)

    def row(self, index: int) -> Ints:
        return self.ids[self.offsets[index] : self.offsets[index + 1]]

    def text(self, index: int) -> list[str]:
        """The words of one text again."""
        return [self.words[i] for i in self.row(index)]

    @property
    def bags(self) -> Bags:
        """The distinct tokens of each text with their counts."""
        return self._by_word[0]

    @property
    def places(self) -> Ints:
        """Where each token of the bags stands: by text, then by token, then by place."""
        return self._by_word[1]

    @cached_property
    def _by_word(self) -> tuple[Bags, Ints]:
        bits = id_bits(len(self.words))
        keys, places = sort_with_places((self.owners << bits) | self.ids)
        return _bags_of_sorted(keys, len(self), bits), places


@dataclass(frozen=True)
class Bags:
    """For each text its distinct ids, ascending, with counts; ``size`` is above every id."""

    ids: Ints
    counts: Ints
    offsets: Ints
    size: int

    @cached_property
    def lengths(self) -> Ints:
        return np.diff(self.offsets)


def bags_of(rows: Ints, ids: Ints, texts: int, size: int) -> Bags:
    """Bags from the ids of all tokens, each with the text that it is of; ids are below ``size``."""
    # A power of two, because bits are taken apart many times faster than numbers divided.
    bits = id_bits(size)
    return bags_of_keys((rows << bits) | ids, texts, bits)


def bags_of_keys(keys: Ints, texts: int, bits: int) -> Bags:
    """Bags from one number per token: the id in its lowest ``bits``, and the text above them."""
    return _bags_of_sorted(np.sort(keys), texts, bits)


def _bags_of_sorted(keys: Ints, texts: int, bits: int) -> Bags:
    keys, counts = _count_runs(keys)
    offsets = np.searchsorted(keys, np.arange(texts + 1, dtype=np.int64) << bits)
    return Bags(keys & ((1 << bits) - 1), counts, offsets.astype(np.int64), 1 << bits)


def id_bits(size: int) -> int:
    """How many bits hold every number below ``size``."""
    return max(size - 1, 0).bit_length()


def count_distinct(keys: Ints) -> tuple[Ints, Ints]:
    """The distinct keys, ascending, and how often each is there.

    >>> [column.tolist() for column in count_distinct(np.array([5, 3, 5]))]
    [[3, 5], [1, 2]]
    """
    return _count_runs(np.sort(keys))


def _count_runs(keys: Ints) -> tuple[Ints, Ints]:
    first = run_starts(keys)
    return keys[first], np.diff(first, append=len(keys))


def run_starts(keys: Ints) -> Ints:
    """Where another key begins in a row of keys.

    >>> run_starts(np.array([4, 4, 7, 7, 7, 4])).tolist()
    [0, 2, 5]
    """
    new = np.empty(len(keys), dtype=bool)
    new[:1] = True
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    return np.flatnonzero(new)


def sort_with_places(keys: Ints) -> tuple[Ints, Ints]:
    """Keys (0 and above) in ascending order, and the place that each had; equal keys stay in order.

    >>> [part.tolist() for part in sort_with_places(np.array([5, 3, 5]))]
    [[3, 5, 5], [1, 0, 2]]
    """
    bits = id_bits(len(keys))
    if len(keys) and int(keys.max()).bit_length() + bits > KEY_BITS:
        places = np.argsort(keys, kind="stable")
        return keys[places], places
    # Key and place as one number: plain numbers are sorted several times faster.
    both = np.sort((keys << bits) | np.arange(len(keys), dtype=np.int64))
    return both >> bits, both & ((1 << bits) - 1)


def build_table(texts: Sequence[str], read: Reader) -> TokenTable:
    """Tokens of ``texts``; ``read`` is given each distinct piece between blanks just once.

    >>> table = build_table(["b a b", "", "a"], lambda pieces: [[p] for p in pieces])
    >>> table.words, table.ids.tolist(), table.offsets.tolist()
    (('a', 'b'), [1, 0, 1, 0], [0, 3, 3, 4])
    """
    pieces, border = _cut_at_blanks(texts)
    distinct = list(set(pieces) - {border})
    number = {piece: i for i, piece in enumerate(distinct)}
    number[border] = len(distinct)
    coded = np.fromiter(map(number.__getitem__, pieces), np.int64, len(pieces))
    tokens = read(distinct)
    words = tuple(sorted(set(chain.from_iterable(tokens))))
    ids = {word: i for i, word in enumerate(words)}
    per_piece = np.fromiter(map(len, tokens), np.int64, len(tokens))
    flat = np.fromiter(
        (ids[word] for word in chain.from_iterable(tokens)), np.int64, int(per_piece.sum())
    )
    # The border becomes a piece without tokens, so that it only marks where a text ends.
    counts = np.append(per_piece, 0)
    starts = np.concatenate([[0], np.cumsum(per_piece)])
    where = gather_runs(starts[coded], counts[coded])
    ends = np.cumsum(counts[coded])[coded == len(distinct)]
    return TokenTable(flat[where], np.concatenate([[0], ends]).astype(np.int64), words)


def table_of(rows: Sequence[Sequence[Any]], words: Iterable[Any] | None = None) -> TokenTable:
    """Texts that are sequences of tokens already.

    ``words`` are all distinct tokens in the order of their ids; by default they are sorted.

    >>> table = table_of([["b", "a"], [], ["b"]])
    >>> table.words, table.ids.tolist(), table.offsets.tolist()
    (('a', 'b'), [1, 0, 1], [0, 2, 2, 3])
    """
    known = tuple(words if words is not None else sorted(set(chain.from_iterable(rows))))
    number = {word: i for i, word in enumerate(known)}
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    tokens = chain.from_iterable(rows)
    ids = np.fromiter(map(number.__getitem__, tokens), np.int64, int(offsets[-1]))
    return TokenTable(ids, offsets, known)


def gather_runs(starts: Ints, lengths: Ints) -> Ints:
    """Indices of many runs behind one another: ``start, start+1, ...`` for each run.

    >>> gather_runs(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    shift = np.repeat(starts - (ends - lengths), lengths)
    places: Ints = np.arange(total, dtype=np.int64) + shift
    return places


def spread(starts: Ints, lengths: Ints) -> tuple[Ints, Ints]:
    """Many runs behind one another, none of them empty: the number of each element's run, and
    the element: ``start, start+1, ...``.

    >>> [part.tolist() for part in spread(np.array([5, 0]), np.array([2, 3]))]
    [[0, 0, 1, 1, 1], [5, 6, 0, 1, 2]]
    """
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    # Adding up where runs begin takes a fraction of the time of repeating their numbers.
    owner = np.zeros(total, dtype=np.int64)
    owner[ends[:-1]] = 1
    np.cumsum(owner, out=owner)
    return owner, np.arange(total, dtype=np.int64) + (starts - ends + lengths)[owner]


def take_rows(table: TokenTable, rows: Ints) -> TokenTable:
    """Some rows of a table, in this order."""
    lengths = table.lengths[rows]
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return TokenTable(table.ids[gather_runs(table.offsets[rows], lengths)], offsets, table.words)


def merge_tables(tables: Sequence[TokenTable], order: Sequence[int]) -> TokenTable:
    """One table over a common vocabulary; ``order[i]`` is the place of the i-th row."""
    words = tuple(sorted(set(chain.from_iterable(table.words for table in tables))))
    number = {word: i for i, word in enumerate(words)}
    maps = [np.array([number[w] for w in table.words], np.int64) for table in tables]
    # An empty vocabulary has nothing to map, and an empty array cannot be indexed by one.
    ids = np.concatenate([m[t.ids] if len(m) else t.ids for m, t in zip(maps, tables, strict=True)])
    lengths = np.concatenate([table.lengths for table in tables])
    starts = np.cumsum(lengths) - lengths
    back: NDArray[Any] = np.argsort(np.asarray(order, np.int64), kind="stable")
    offsets = np.concatenate([[0], np.cumsum(lengths[back])]).astype(np.int64)
    return TokenTable(ids[gather_runs(starts[back], lengths[back])], offsets, words)


def _cut_at_blanks(texts: Sequence[str]) -> tuple[list[str], str]:
    """Pieces between blanks of all texts, a border after each text; and that border."""
    buffer = " \x00 ".join(texts)
    if buffer.count("\x00") >= max(len(texts), 1):
        # A text holds the border itself. Text by text is slower, but then a blank is a border.
        return [piece for text in texts for piece in (*text.split(), " ")], " "
    pieces = buffer.split()
    return [*pieces, "\x00"] if texts else [], "\x00"
