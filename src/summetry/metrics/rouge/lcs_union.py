"""The union of longest common subsequences of sentences, which summary-level ROUGE-L counts.

Every sentence of a text is set against every sentence of another, and a token is marked if it is
in the subsequence that one of them leads to. Of several longest ones the trace-back of ROUGE-1.5.5
picks one, and which one matters as soon as the marks of several sentences are united: start at
both ends; equal tokens go together; otherwise drop the token of the marked text if that loses
nothing, else the token of the other.

Most tokens have no equal in the other sentence. They leave the table of lengths as it is and are
never marked, so only equal tokens are looked at: they come from the words that two texts share,
which are counted anyway. A row of a table is a token with equals in the other sentence, with one
bit for each of them (see ``lcs_states``): one machine word, so that the tables of many pairs of
sentences advance and are traced back together, or one long number for long sentences.

On the way back a token is marked where it stands in the last column that is open, or where the
length there is one more than in the row above: then the way goes left to its last match, and no
way goes up before that, since the length stays one more on all of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from summetry.arrays.sequences import places_of
from summetry.arrays.token_tables import KEY_BITS, TokenTable, id_bits, run_starts, spread
from summetry.arrays.types import Bools, Ints
from summetry.arrays.vectors import Shared

Bits = NDArray[Any]
# Pairs of equal tokens that are worked on at a time: few enough to stay in the cache. Two texts
# with more of them than fit into memory are marked one sentence after the other.
_BLOCK = 1 << 16
_MOST = 1 << 23
# A table of up to this many bits (8 MB) is kept whole.
_MOST_BITS = 1 << 26
# A row of a table is a machine word, no wider than it must be: narrow ones are quicker.
# Sentences with more tokens than the widest has bits are marked one by one.
_WORDS = (np.uint16, np.uint32, np.uint64)
_WIDEST = 64
# _BELOW[j] has the lowest j bits set.
_BELOW = np.array([(1 << j) - 1 for j in range(_WIDEST + 1)], dtype=np.uint64)


def mark_pair(marked: Sequence[Hashable], other: Sequence[Hashable]) -> list[bool]:
    """The marks of one pair, of any length.

    >>> mark_pair("abcd", "bd")
    [False, True, False, True]
    """
    stands_at = places_of(other)
    there = set(other)
    # A token that has no equal leaves the table as it is and is never marked.
    places = [place for place, token in enumerate(marked) if token in there]
    marks = [False] * len(marked)
    rows = mark_rows(lambda row: stands_at(marked[places[row]]), len(places), len(other))
    for place, mark in zip(places, rows, strict=True):
        marks[place] = mark
    return marks


def mark_rows(match_of: Callable[[int], int], height: int, width: int) -> list[bool]:
    """Which rows of a table are marked; ``match_of`` a row has a bit where its token has equals.

    ``width`` is how many tokens the other text has.
    """
    all_open = (1 << width) - 1
    # Of two long texts only one row in ``stride`` is kept, and those between are computed again on
    # the way back: all rows would not fit into memory.
    stride = height + 1 if height * width <= _MOST_BITS else math.isqrt(height) + 1
    kept = [all_open]
    for start in range(0, height - stride, stride):
        kept.append(_rows(kept[-1], map(match_of, range(start, start + stride)), all_open)[-1])
    marks = [False] * height
    still = all_open
    for start in reversed(range(0, height, stride)):
        matches = [match_of(row) for row in range(start, min(start + stride, height))]
        rows = _rows(kept[start // stride], matches, all_open)
        for step in reversed(range(len(matches))):
            match = matches[step] & still
            if not match:
                continue
            upto = (1 << match.bit_length()) - 1
            # Open bits of a row are the columns where the length does not grow.
            if (
                upto == still
                or (rows[step + 1] & still).bit_count() != (rows[step] & still).bit_count()
            ):
                marks[start + step] = True
                still = upto >> 1
    return marks


def _rows(first: int, matches: Iterable[int], all_open: int) -> list[int]:
    """The row ``first`` of a table, and the rows that follow from it."""
    rows = [first]
    for match in matches:
        row = rows[-1]
        rows.append(((row + (row & match)) | (row & ~match)) & all_open)
    return rows


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


class Numbering:
    """Numbers for the pairs of sentences and the marked tokens of the pairs from ``low`` on.

    Pairs of sentences are numbered by the pair of texts, by the marked sentence and by the other
    one; a marked token has a slot, as often as its text is in a pair. Two equal tokens are one
    number: their pair of sentences, the slot, and the column, that is the place in the other one.
    """

    def __init__(self, sides: Sides, low: int, high: int) -> None:
        self.sides, self.low = sides, low
        left, right = sides.left[low:high], sides.right[low:high]
        self.first_marked, self.first_other = sides.first[right], sides.first[left]
        self.others = sides.first[left + 1] - self.first_other
        counts = (sides.first[right + 1] - self.first_marked) * self.others
        self.number = np.cumsum(counts) - counts
        self.offsets = sides.whole.offsets[right]
        lengths = sides.whole.lengths[right]
        self.slot = np.cumsum(lengths) - lengths
        self.slots = int(lengths.sum())
        self.column_bits = id_bits(sides.widest)
        self.slot_bits = id_bits(self.slots)
        self.tables = int(counts.sum())
        self.bits = id_bits(self.tables) + self.slot_bits + self.column_bits

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
        widths: Ints = self.sides.sentences.lengths[self.first_other[pair] + column]
        return widths


def mark_wide(numbering: Numbering, keys: Ints, words: Ints, marked: Bools) -> None:
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


def mark_narrow(numbering: Numbering, keys: Ints, marked: Bools) -> None:
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
    below: Bits = bits >> bits.dtype.type(1)
    distance = 1
    while distance < 8 * below.itemsize:
        below |= below >> below.dtype.type(distance)
        distance *= 2
    return below


def count_marked(sides: Sides, shared: Shared) -> Ints:
    """How many tokens of each word that two texts share are marked.

    ``shared`` are the common words of the texts of ``sides``, by their bags.
    """
    bags, places = sides.whole.bags, sides.whole.places
    starts = np.cumsum(bags.counts) - bags.counts
    mine, theirs = bags.counts[shared.right], bags.counts[shared.left]
    counts = [np.zeros(0, dtype=np.int64)]
    for block in _blocks(shared.pair, mine * theirs):
        # Every token of the marked texts whose word the other text has.
        word, entry = spread(starts[shared.right[block]], mine[block])
        word += block.start
        others = shared.left[word]
        tokens = Tokens(places[entry], shared.pair[word], starts[others], bags.counts[others])
        marked = word[_marks(sides, tokens)] - block.start
        counts.append(np.bincount(marked, minlength=block.stop - block.start))
    return np.concatenate(counts)


def _blocks(pair: Ints, sizes: Ints) -> Iterator[slice]:
    """Entries in blocks of whole pairs, each of about :data:`_BLOCK` pairs of equal tokens."""
    if not len(pair):
        return
    ends = np.append(run_starts(pair)[1:], len(pair))
    number = np.cumsum(sizes)[ends - 1] // _BLOCK
    begin = 0
    for end in ends[np.append(number[1:] != number[:-1], True)].tolist():
        yield slice(begin, end)
        begin = end


def _marks(sides: Sides, tokens: Tokens) -> Bools:
    """Which of the tokens some sentence of the other text marks."""
    numbering = Numbering(sides, int(tokens.pair[0]), int(tokens.pair[-1]) + 1)
    most = _MOST if numbering.tables > 1 else _BLOCK
    if int(tokens.equals.sum()) > most or numbering.bits > KEY_BITS:
        return _mark_one_by_one(sides, tokens)
    slot, keys, widths = numbering.equals(tokens)
    marked = np.zeros(numbering.slots, dtype=bool)
    if sides.widest > _WIDEST:
        wide = widths > _WIDEST
        if wide.any():
            words = np.zeros(numbering.slots, dtype=np.int64)
            words[slot] = sides.whole.ids[tokens.place]
            mark_wide(numbering, keys[wide], words, marked)
            keys = keys[~wide]
    if len(keys):
        mark_narrow(numbering, keys, marked)
    return marked[slot]


def _mark_one_by_one(sides: Sides, tokens: Tokens) -> Bools:
    """The marks of very long texts: each sentence by each sentence of the other text."""
    table, first = sides.sentences, sides.first
    marks = np.zeros(len(tokens.place), dtype=bool)
    keys = tokens.pair * len(table) + sides.sentence_of[tokens.place]
    for key in np.unique(keys).tolist():
        pair, sentence = divmod(key, len(table))
        left, words = sides.left[pair], table.row(sentence).tolist()
        others = [row for row in range(first[left], first[left + 1]) if table.lengths[row]]
        united = np.any([mark_pair(words, table.row(row).tolist()) for row in others], axis=0)
        here = keys == key
        marks[here] = united[tokens.place[here] - table.offsets[sentence]]
    return marks
