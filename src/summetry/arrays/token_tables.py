"""Whole batches of texts as integer arrays.

A :class:`TokenTable` holds many texts behind one another: ``ids[offsets[i]:offsets[i+1]]``
are the tokens of text ``i``. The vocabulary is sorted, so equal batches give equal arrays
and the order of two words never depends on the texts around them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import Any, NamedTuple, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from summetry.arrays import kernel
from summetry.arrays.memory import room_apart
from summetry.arrays.types import Ints
from summetry.errors import SummetryError

# What a number of 64 bits holds beside its sign.
KEY_BITS = 63
# C counts places and words with 32 bits.
MOST_TOKENS = (1 << 31) - 1
# So many bytes of text need no room apart, which takes some microseconds to get.
_LITTLE = 1 << 16

_PLAIN_WORD = re.compile("[A-Za-z0-9]+")
# How C cuts texts (see tokens.c).
BETWEEN_BLANKS, PLAIN_WORDS, PLAIN_STEMS, WORDS, LOWER_WORDS = range(5)
# What stands there for the byte 0.
_ZERO = b"\xff"

# Pieces of text between blanks -> the tokens of each.
Reader = Callable[[list[str]], list[list[str]]]


class Checked(NamedTuple):
    """The arrays of a table as C reads them; ids are below ``words``."""

    ids: Ints
    offsets: Ints
    words: int
    longest: int


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

    @cached_property
    def checked(self) -> Checked:
        """What C may read without looking: ids and offsets that fit each other."""
        ids, offsets = (np.ascontiguousarray(part, np.int64) for part in (self._raw, self.offsets))
        if not len(offsets) or offsets[0] < 0 or offsets[-1] > len(ids):
            raise IndexError("the offsets of a table of tokens do not fit its ids")
        # Without its sign a number below 0 is the largest of all.
        last = int(ids.view(np.uint64).max()) if len(ids) else -1
        if (self.lengths < 0).any() or last > MOST_TOKENS or len(ids) > MOST_TOKENS:
            raise IndexError("a table of tokens has ids or lengths below 0, or too many of them")
        return Checked(ids, offsets, last + 1, int(self.lengths.max(initial=0)))

    @property
    def _raw(self) -> Ints:
        """The ids that C counts, which need not be sorted."""
        return self.ids

    def with_offsets(self, offsets: Ints) -> TokenTable:
        """The same tokens in other rows."""
        return TokenTable(self.ids, offsets, self.words)

    def is_numbered_like(self, other: TokenTable) -> bool:
        """Whether C meets the same words under the same ids in both tables."""
        return self.words is other.words

    def checked_rows(self, *columns: Ints) -> list[Ints]:
        """Columns of rows of this table, as long as one another, for C."""
        for rows in columns:
            if rows.min(initial=0) < 0 or rows.max(initial=-1) >= len(self):
                raise IndexError("a row is not in its table of tokens")
            if len(rows) != len(columns[0]):
                raise IndexError("as many rows are needed on both sides")
        return [np.ascontiguousarray(rows, np.int64) for rows in columns]

    def row(self, index: int) -> Ints:
        return self.ids[self.offsets[index] : self.offsets[index + 1]]

    def text(self, index: int) -> list[str]:
        """The words of one text again."""
        return [self.words[i] for i in self.row(index)]

    @cached_property
    def bags(self) -> Bags:
        """The distinct tokens of each text with their counts."""
        return bags_of(self.owners, self.ids, len(self), len(self.words))


class _Numbering:
    """Tokens by numbers as they are first met, and by sorted ones when somebody asks: C does not,
    and sorting takes longer than counting."""

    def __init__(self, numbers: Ints, words: Sequence[str]) -> None:
        self.numbers, self._words = numbers, words

    def __len__(self) -> int:
        return len(self._words)

    @cached_property
    def sorted(self) -> tuple[Ints, tuple[str, ...]]:
        order = sorted(range(len(self._words)), key=self._words.__getitem__)
        places = np.empty(len(order), dtype=np.int64)
        places[order] = np.arange(len(order))
        return places[self.numbers], tuple([self._words[place] for place in order])


class _NumberedTable(TokenTable):
    """A table whose ids are sorted when they are looked at."""

    _numbering: _Numbering

    def __init__(self, numbering: _Numbering, offsets: Ints) -> None:
        # Fields of a frozen class, of which two are worked out below.
        self.__dict__.update(_numbering=numbering, offsets=offsets)

    @property
    def ids(self) -> Ints:
        return self._numbering.sorted[0]

    @property
    def words(self) -> Sequence[str]:
        return self._numbering.sorted[1]

    @property
    def _raw(self) -> Ints:
        return self._numbering.numbers

    @cached_property
    def checked(self) -> Checked:
        # Whoever gave the words their numbers gave no others, and cut no more texts than fit.
        longest = int(self.lengths.max(initial=0))
        return Checked(self._raw, self.offsets, len(self._numbering), longest)

    def with_offsets(self, offsets: Ints) -> TokenTable:
        return _NumberedTable(self._numbering, offsets)

    def is_numbered_like(self, other: TokenTable) -> bool:
        return isinstance(other, _NumberedTable) and self._numbering is other._numbering


class Bags(msgspec.Struct, frozen=True, dict=True):
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
    keys = np.sort(keys)
    first = run_starts(keys)
    keys, counts = keys[first], np.diff(first, append=len(keys))
    offsets = np.searchsorted(keys, np.arange(texts + 1, dtype=np.int64) << bits)
    return Bags(keys & ((1 << bits) - 1), counts, offsets.astype(np.int64), 1 << bits)


def id_bits(size: int) -> int:
    """How many bits hold every number below ``size``."""
    return max(size - 1, 0).bit_length()


def run_starts(keys: NDArray[np.integer[Any]]) -> Ints:
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


class Pieces(NamedTuple):
    """Texts cut into pieces: the number of each piece, where rows begin among them, how many rows
    stand before each text, and the distinct pieces in the order of their numbers."""

    ids: Ints
    offsets: Ints
    first: Ints
    distinct: list[str]

    def spelt(self, tokens: Sequence[str], counts: Ints | None = None) -> TokenTable:
        """The rows with tokens for pieces: those of all distinct pieces behind one another, and how
        many each has, by default one."""
        words = list(dict.fromkeys(tokens))
        number = dict(zip(words, range(len(words)), strict=True))
        ids = np.fromiter(map(number.__getitem__, tokens), np.int64, len(tokens))
        if counts is None or (counts == 1).all():
            return _NumberedTable(_Numbering(ids[self.ids], words), self.offsets)
        each = counts[self.ids]
        first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        if not kernel.is_compiled():
            offsets = np.concatenate([[0], np.cumsum(each)]).astype(np.int64)[self.offsets]
            spelt = ids[gather_runs(first[self.ids], each)]
        else:
            spelt, offsets = np.empty(int(each.sum()), np.int64), np.empty_like(self.offsets)
            rows = len(self.offsets) - 1
            kernel.call("spell_tokens", self.ids, self.offsets, rows, first, ids, spelt, offsets)
        return _NumberedTable(_Numbering(spelt, words), offsets)

    def spelt_each(self, tokens: Sequence[Sequence[str]]) -> TokenTable:
        """The rows with the tokens of each distinct piece for it."""
        counts = np.fromiter(map(len, tokens), np.int64, len(tokens))
        return self.spelt(list(chain.from_iterable(tokens)), counts)

    def as_table(self) -> TokenTable:
        """The rows with the pieces themselves as tokens."""
        # A copy, since what C wrote to has room for many more.
        return _NumberedTable(_Numbering(self.ids.copy(), self.distinct), self.offsets)


def cut_at_blanks(texts: Sequence[str] | Coded) -> Pieces:
    """What stands between the blanks of ASCII, a row for each text."""
    if not kernel.is_compiled():
        assert not isinstance(texts, Coded), "only C reads bytes"
        return _numbered([[text.split()] for text in texts])
    return _cut(texts, BETWEEN_BLANKS)


def cut_plain_words(texts: Sequence[str], lines: bool = False) -> Pieces:
    """The runs of a-z and 0-9 after A-Z has become a-z, all else being a separator; a row for each
    text, or for each of its ``lines`` that is not empty.

    >>> pieces = cut_plain_words(["The dam's 2nd", "", "THE"])
    >>> pieces.distinct, pieces.ids.tolist(), pieces.offsets.tolist()
    (['the', 'dam', 's', '2nd'], [0, 1, 2, 3, 0], [0, 4, 4, 5])
    """
    if not kernel.is_compiled():
        rows = [[line for line in text.split("\n") if line] if lines else [text] for text in texts]
        return _numbered([[_plain_words(line) for line in text] for text in rows])
    # Every byte of a letter outside ASCII separates, as the letter should.
    return _cut(texts, PLAIN_WORDS, lines)


class Coded(NamedTuple):
    """The bytes of all rows behind one another, and how many each has."""

    content: bytes
    lengths: Ints

    @classmethod
    def of(cls, texts: Sequence[str]) -> Coded:
        joined, coded = "".join(texts), cast(Sequence[Sized], texts)
        if joined.isascii():
            content = joined.encode()
        else:
            # Half a pair of surrogates has no bytes of its own, but a text may hold one.
            parts = [text.encode("utf-8", "surrogatepass") for text in texts]
            content, coded = b"".join(parts), parts
        return cls(content, np.fromiter(map(len, coded), np.int64, len(texts)))


def _cut(rows: Sequence[str] | Coded, how: int, lines: bool = False) -> Pieces:
    """The pieces of each row, cut by the kernel."""
    content, lengths = rows if isinstance(rows, Coded) else Coded.of(rows)
    texts = len(lengths)
    if len(content) + texts > MOST_TOKENS:
        raise SummetryError("the texts of a batch are more than 2 gigabytes; take fewer at a time")
    most_rows = texts + (content.count(b"\n") if lines else 0)
    # Room for as many pieces as texts of single letters have; mostly there are far fewer.
    room = np.empty if len(content) < _LITTLE else room_apart
    ids = room(len(content) // 2 + texts, np.int64)
    offsets, first = np.empty(most_rows + 1, np.int64), np.empty(texts + 1, np.int64)
    listed = room(len(content) + texts + 8, np.uint8)
    given = content, np.cumsum(lengths), texts
    found = ids, offsets, first, listed
    longest = int(lengths.max(initial=0))
    size = kernel.call("cut_tokens", *given, longest, how, int(lines), *found)
    names = listed[:size].tobytes().replace(_ZERO, b"\0")
    distinct = names.decode("utf-8", "surrogatepass").split("\n")[:-1]
    offsets = offsets[: int(first[-1]) + 1]
    return Pieces(ids[: int(offsets[-1])], offsets, first, distinct)


def _numbered(texts: Sequence[Sequence[Sequence[str]]]) -> Pieces:
    """Texts whose rows are cut into pieces already."""
    number: dict[str, int] = {}
    rows = [row for text in texts for row in text]
    ids = [number.setdefault(piece, len(number)) for piece in chain.from_iterable(rows)]
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    first = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    return Pieces(np.array(ids, np.int64), offsets, first, list(number))


def _plain_words(text: str) -> list[str]:
    return [word.lower() for word in _PLAIN_WORD.findall(text)]


def build_table(texts: Sequence[str] | Coded, read: Reader) -> TokenTable:
    """Tokens of ``texts``; ``read`` is given each distinct piece between blanks just once.

    >>> table = build_table(["b a b", "", "a"], lambda pieces: [[p] for p in pieces])
    >>> table.words, table.ids.tolist(), table.offsets.tolist()
    (('a', 'b'), [1, 0, 1, 0], [0, 3, 3, 4])
    """
    pieces = cut_at_blanks(texts)
    distinct = pieces.distinct
    if "".join(distinct).isascii():
        return pieces.spelt_each(read(distinct))
    # The kernel knows the blanks of ASCII alone; a piece with another one inside is cut here.
    parts = [piece.split() for piece in distinct]
    found = iter(read(list(chain.from_iterable(parts))))
    return pieces.spelt_each([list(chain.from_iterable(islice(found, len(p)))) for p in parts])


def build_word_table(
    texts: Sequence[str] | Coded, read: Reader, fold: bool, has_forms: bool
) -> TokenTable:
    """As :func:`build_table` for a ``read`` that finds words (see ``text.tokens``).

    A word in ASCII, in lower case with ``fold``, has another form only if ``has_forms`` says so.
    """
    if not kernel.is_compiled():
        return build_table(texts, read)
    pieces = _cut(texts, LOWER_WORDS if fold else WORDS)
    distinct = pieces.distinct
    if has_forms:
        return pieces.spelt_each(read(distinct))
    others = [place for place, piece in enumerate(distinct) if not piece.isascii()]
    if not others:
        return pieces.as_table()
    tokens: list[str] = []
    counts, start = np.ones(len(distinct), np.int64), 0
    for place, found in zip(others, read([distinct[place] for place in others]), strict=True):
        tokens += distinct[start:place]
        tokens += found
        counts[place], start = len(found), place + 1
    return pieces.spelt([*tokens, *distinct[start:]], counts)


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


def cut_into_runs(sizes: Ints, most: int, count: int | None = None) -> Iterator[slice]:
    """Neighbours whose sizes add up to at most ``most``, and at most ``count`` of them; one that
    is larger stands alone.

    >>> [(run.start, run.stop) for run in cut_into_runs(np.array([3, 4, 9, 1, 1]), 8)]
    [(0, 2), (2, 3), (3, 5)]
    """
    passed, start = np.cumsum(sizes), 0
    while start < len(passed):
        fit = int(np.searchsorted(passed, passed[start] - sizes[start] + most, side="right"))
        stop = min(max(fit, start + 1), start + (count or len(passed)))
        yield slice(start, stop)
        start = stop


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
