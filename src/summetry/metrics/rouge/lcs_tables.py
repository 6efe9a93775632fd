"""Many tables of longest common subsequences side by side, one for each pair of sentences.

Most tokens have no equal in the other sentence. They leave the table of lengths as it is and are
never marked, so only equal tokens are looked at. A row of a table is a token with equals in the
other sentence, one machine word with a bit for each of them, and the tables of many pairs of
sentences advance and are traced back together.

On the way back a token is marked where it stands in the last column that is open, or where the
length there is one more than in the row above: then the way goes left to its last match, and no
way goes up before that, since the length stays one more on all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from summetry.arrays.token_tables import TokenTable, id_bits, run_starts, spread
from summetry.arrays.types import Ints
from summetry.metrics.rouge.lcs_marks import Marks, mark_rows

Bits = NDArray[Any]
# A row of a table is a machine word, no wider than it must be: narrow ones are quicker.
# Sentences with more tokens than the widest has bits are marked one by one.
_WORDS = (np.uint16, np.uint32, np.uint64)
WIDEST = 64
# _BELOW[j] has the lowest j bits set.
_BELOW = np.array([(1 << j) - 1 for j in range(WIDEST + 1)], dtype=np.uint64)


@dataclass(frozen=True)
class Sides:
    """Pairs of texts: the sentences of text ``left[p]`` mark those of ``right[p]``.

    ``sentences`` holds the tokens by sentence, ``whole`` the same by text, and ``first`` the
    first sentence of each text.
    """

    sentences: TokenTable
    whole: TokenTable
    first: Ints
    left: Ints
    right: Ints

    @property
    def sentence_of(self) -> Ints:
        """The sentence that each token is of."""
        return self.sentences.owners

    @cached_property
    def widest(self) -> int:
        """The tokens of the longest sentence."""
        return int(self.sentences.lengths.max(initial=0))


class Tokens(NamedTuple):
    """Tokens of marked texts, the pair of each, and its equals: from which entry, how many."""

    place: Ints
    pair: Ints
    start: Ints
    equals: Ints

    def only(self, wanted: Marks) -> Tokens:
        return Tokens(*(column[wanted] for column in self))


class Part(NamedTuple):
    """Pairs from number ``low`` on, with the sentences of each that are looked at.

    Of the marked text of a pair these are the sentences from ``marked[0]`` to before ``marked[1]``,
    of the other text those from ``other[0]``; ``tokens`` are marked ones that have equals there.
    """

    tokens: Tokens
    low: int
    marked: tuple[Ints, Ints]
    other: tuple[Ints, Ints]

    @property
    def is_one_table(self) -> bool:
        return len(self.marked[0]) == 1 and all(
            first[0] + 1 == end[0] for first, end in (self.marked, self.other)
        )


class Numbering:
    """Numbers for the pairs of sentences and the marked tokens of a part.

    Pairs of sentences are numbered by the pair of texts, by the marked sentence and by the other
    one; a marked token has a slot, as often as its text is in a pair. Two equal tokens are one
    number: their pair of sentences, the slot, and the column, that is the place in the other one.
    """

    def __init__(self, sides: Sides, part: Part) -> None:
        self.sides, self.low = sides, part.low
        self.first_marked, self.first_other = part.marked[0], part.other[0]
        self.others = part.other[1] - part.other[0]
        counts = (part.marked[1] - part.marked[0]) * self.others
        self.number = np.cumsum(counts) - counts
        self.offsets = sides.sentences.offsets[part.marked[0]]
        lengths = sides.sentences.offsets[part.marked[1]] - self.offsets
        self.slot = np.cumsum(lengths) - lengths
        self.slots = int(lengths.sum())
        self.column_bits = id_bits(sides.widest)
        self.slot_bits = id_bits(self.slots)
        self.bits = id_bits(int(counts.sum())) + self.slot_bits + self.column_bits

    def equals(self, tokens: Tokens) -> tuple[Ints, Ints, Ints]:
        """The slot of each token, the numbers of all equals, and the lengths of their sentences."""
        sides, pair = self.sides, tokens.pair - self.low
        slot = (self.slot - self.offsets)[pair] + tokens.place
        row = sides.sentence_of[tokens.place] - self.first_marked[pair]
        number = (self.number - self.first_other)[pair] + row * self.others[pair]
        shift = self.slot_bits + self.column_bits
        owner, entry = spread(tokens.start, tokens.equals)
        place = sides.whole.places[entry]
        other = sides.sentence_of[place]
        mine = (number << shift) + (slot << self.column_bits)
        column = place - sides.sentences.offsets[other]
        keys = mine[owner] + (other << shift) + column
        return slot, keys, sides.sentences.lengths[other]

    def widths(self, numbers: Ints) -> Ints:
        """How many tokens the other sentence of each pair of sentences has."""
        # Pairs without sentences have no numbers of their own: the last of equals is meant.
        pair = np.searchsorted(self.number, numbers, side="right") - 1
        column = (numbers - self.number[pair]) % self.others[pair]
        found: Ints = self.sides.sentences.lengths[self.first_other[pair] + column]
        return found


def mark_wide(numbering: Numbering, keys: Ints, words: Ints, marked: Marks) -> None:
    """Equals in sentences that have more tokens than a machine word has bits.

    ``words`` are those of the slots: tokens of one word have the same equals.
    """
    keys.sort()
    rows, columns = keys >> numbering.column_bits, keys & ((1 << numbering.column_bits) - 1)
    at = run_starts(rows)
    rows = rows[at]
    numbers, slots = rows >> numbering.slot_bits, rows & ((1 << numbering.slot_bits) - 1)
    begin = run_starts(numbers)
    widths = numbering.widths(numbers[begin]).tolist()
    tables = zip(begin.tolist(), [*begin[1:].tolist(), len(numbers)], widths, strict=True)
    spans = list(zip(at.tolist(), [*at[1:].tolist(), len(keys)], strict=True))
    word_of = words[slots].tolist()
    for start, end, width in tables:
        stands_at: dict[int, int] = {}
        for word, (low, high) in zip(word_of[start:end], spans[start:end], strict=True):
            if word not in stands_at:
                stands_at[word] = sum(1 << column for column in columns[low:high].tolist())
        matches = [stands_at[word] for word in word_of[start:end]]
        marks = mark_rows(matches.__getitem__, len(matches), width)
        marked[slots[start:end][marks]] = True


def mark_narrow(numbering: Numbering, keys: Ints, marked: Marks) -> None:
    """All tables side by side: those with most rows come first, so that who is left is in front."""
    column_bits, slot_bits = numbering.column_bits, numbering.slot_bits
    keys.sort()
    rows = keys >> column_bits
    at = run_starts(rows)
    columns = (keys & ((1 << column_bits) - 1)).astype(np.uint64)
    rows = rows[at]
    numbers, slots = rows >> slot_bits, rows & ((1 << slot_bits) - 1)
    begin = run_starts(numbers)
    widths = numbering.widths(numbers[begin])
    word: Any = next(kind for kind in _WORDS if int(widths.max()) <= 8 * np.dtype(kind).itemsize)
    one = word(1)
    # No two bits of a row are the same, so their sum is what they are together.
    total = np.cumsum(one << columns.astype(word), dtype=word)
    matches = np.diff(total[np.append(at[1:], len(keys)) - 1], prepend=word(0))
    heights = np.diff(begin, append=len(numbers))
    order = _longest_first(heights)
    begin, heights = begin[order], heights[order]
    alive = np.searchsorted(-heights, -np.arange(int(heights[0])), side="left").tolist()
    states = [np.full(len(begin), ~word(0))]
    for step, count in enumerate(alive):
        match, state = matches[begin[:count] + step], states[-1][:count]
        states.append((state + (state & match)) | (state & ~match))
    still = _BELOW[widths[order]].astype(word)
    for step, count in reversed(list(enumerate(alive))):
        here, row = still[:count], begin[:count] + step
        match = matches[row] & here
        grown = np.bitwise_count(~states[step + 1] & here) != np.bitwise_count(
            ~states[step][:count] & here
        )
        last = (here >> one) + one
        hit = np.flatnonzero(((match & last) != 0) | (grown & (match != 0)))
        still[hit] = _below_highest(match[hit])
        marked[slots[row[hit]]] = True


def _longest_first(heights: Ints) -> Ints:
    """The order of tables by falling height, those of one height as they came."""
    most = int(heights.max())
    # Numbers of 16 bits are sorted by their digits, several times faster.
    kind = np.uint16 if most < 1 << 16 else np.int64
    return np.argsort((most - heights).astype(kind), kind="stable")


def _below_highest(bits: Bits) -> Bits:
    """All bits below the highest one that is set."""
    found: Bits = bits >> bits.dtype.type(1)
    distance = 1
    while distance < 8 * found.itemsize:
        found |= found >> found.dtype.type(distance)
        distance *= 2
    return found
