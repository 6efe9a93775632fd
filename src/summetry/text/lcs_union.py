"""The union of longest common subsequences of sentences, which summary-level ROUGE-L counts.

Every sentence of a text is set against every sentence of another, and a token is marked if it is
in the subsequence that one of them leads to (``lcs_marks`` says in which of several).

Most tokens have no equal in the other sentence. They leave the table of lengths as it is and are
never marked, so only equal tokens are looked at: they come from the words that two texts share,
which are counted anyway. A row of a table is then a token with equals in the other sentence, one
machine word with a bit for each of them, and the tables of many pairs of sentences advance and
are traced back side by side.

On the way back a token is marked where it stands in the last column that is open, or where the
length there is one more than in the row above: then the way goes left to its last match, and no
way goes up before that, since the length stays one more on all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from summetry.text.lcs_marks import Marks, mark_pair
from summetry.text.vectors import Shared
from summetry.text.vocabulary import Ints, TokenTable, count_distinct, id_bits, run_starts, spread

Bits = NDArray[Any]
# Pairs of equal tokens that are worked on at a time: few enough to stay in the cache. Two texts
# with more of them are cut at sentences, so that they do not fill the memory.
_BLOCK = 1 << 16
_MOST = 1 << 22
# A row of a table is a machine word, no wider than it must be: narrow ones are quicker.
# Sentences with more tokens than the widest has bits are marked one by one.
_WORDS = (np.uint16, np.uint32, np.uint64)
_WIDEST = 64
# _BELOW[j] has the lowest j bits set.
_BELOW = np.array([(1 << j) - 1 for j in range(_WIDEST + 1)], dtype=np.uint64)


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

    @cached_property
    def sentence_of(self) -> Ints:
        """The sentence that each token is of."""
        return np.repeat(np.arange(len(self.sentences), dtype=np.int64), self.sentences.lengths)

    @cached_property
    def widest(self) -> int:
        """The tokens of the longest sentence."""
        return int(self.sentences.lengths.max(initial=0))


class _Tokens(NamedTuple):
    """Tokens of marked texts, the pair of each, and its equals: from which entry, how many."""

    place: Ints
    pair: Ints
    start: Ints
    equals: Ints


def count_marked(sides: Sides, shared: Shared) -> Ints:
    """How many tokens of each word that two texts share are marked.

    ``shared`` are the common words of the texts of ``sides``, by their bags.
    """
    bags, places = sides.whole.bags, sides.whole.places
    starts = np.cumsum(bags.counts) - bags.counts
    mine, theirs = bags.counts[shared.right], bags.counts[shared.left]
    found = [np.zeros(0, dtype=np.int64)]
    for block in _blocks(shared.pair, mine * theirs):
        # Every token of the marked texts whose word the other text has.
        word, entry = spread(starts[shared.right[block]], mine[block])
        word += block.start
        others = shared.left[word]
        tokens = _Tokens(places[entry], shared.pair[word], starts[others], bags.counts[others])
        marked = word[_marks(sides, tokens)] - block.start
        found.append(np.bincount(marked, minlength=block.stop - block.start))
    return np.concatenate(found)


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


def _marks(sides: Sides, tokens: _Tokens) -> Marks:
    """Which of the tokens some sentence of the other text marks."""
    sentence = sides.sentence_of[tokens.place]
    if int(tokens.equals.sum()) > _MOST and (sentence != sentence[0]).any():
        return _in_two_parts(sides, tokens, sentence)
    numbering = _Numbering(sides, int(tokens.pair[0]), int(tokens.pair[-1]) + 1)
    slot, keys, widths = numbering.equals(tokens, sentence)
    marked = np.zeros(numbering.slots, dtype=bool)
    if sides.widest > _WIDEST:
        wide = widths > _WIDEST
        _mark_wide(numbering, keys[wide], marked)
        keys = keys[~wide]
    if len(keys):
        _mark(numbering, keys, marked)
    return marked[slot]


def _in_two_parts(sides: Sides, tokens: _Tokens, sentence: Ints) -> Marks:
    """The marks of very many equal tokens: first of the earlier sentences, then of the later."""
    marks = np.zeros(len(sentence), dtype=bool)
    late = sentence > (int(sentence.min()) + int(sentence.max())) // 2
    for part in (~late, late):
        marks[part] = _marks(sides, _Tokens(*(given[part] for given in tokens)))
    return marks


class _Numbering:
    """Numbers for the pairs of sentences and the marked tokens of the pairs ``low`` to ``high``.

    Pairs of sentences are numbered by the pair of texts, by the marked sentence and by the other
    one; a marked token has a slot, as often as its text is in a pair. Two equal tokens are one
    number: their pair of sentences, the slot, and the column, that is the place in the other one.
    """

    def __init__(self, sides: Sides, low: int, high: int) -> None:
        self.sides, self.low = sides, low
        self.left, self.right = sides.left[low:high], sides.right[low:high]
        first = sides.first
        self.others = first[self.left + 1] - first[self.left]
        counts = (first[self.right + 1] - first[self.right]) * self.others
        self.number = np.cumsum(counts) - counts
        lengths = sides.whole.lengths[self.right]
        self.slot = np.cumsum(lengths) - lengths
        self.slots = int(lengths.sum())
        self.column_bits = id_bits(sides.widest)
        self.slot_bits = id_bits(self.slots)

    def equals(self, tokens: _Tokens, sentence: Ints) -> tuple[Ints, Ints, Ints]:
        """The slot of each token, the numbers of all equals, and the lengths of their sentences."""
        sides, pair = self.sides, tokens.pair - self.low
        slot = (self.slot - sides.whole.offsets[self.right])[pair] + tokens.place
        row = sentence - sides.first[self.right][pair]
        number = (self.number - sides.first[self.left])[pair] + row * self.others[pair]
        shift = self.slot_bits + self.column_bits
        owner, entry = spread(tokens.start, tokens.equals)
        place = sides.whole.places[entry]
        other = sides.sentence_of[place]
        mine = (number << shift) + (slot << self.column_bits)
        column = place - sides.sentences.offsets[other]
        keys = mine[owner] + (other << shift) + column
        return slot, keys, sides.sentences.lengths[other]

    def sentence_pairs(self, numbers: Ints) -> tuple[Ints, Ints, Ints]:
        """The pair of texts (from ``low``), the marked sentence and the other one."""
        pair = np.searchsorted(self.number, numbers, side="right") - 1
        row, column = np.divmod(numbers - self.number[pair], self.others[pair])
        first = self.sides.first
        return pair, first[self.right[pair]] + row, first[self.left[pair]] + column

    def widths(self, numbers: Ints) -> Ints:
        """How many tokens the other sentence has."""
        _, _, others = self.sentence_pairs(numbers)
        return self.sides.sentences.lengths[others]


def _mark_wide(numbering: _Numbering, keys: Ints, marked: Marks) -> None:
    """Equals in sentences that have more tokens than a machine word has bits."""
    table, whole = numbering.sides.sentences, numbering.sides.whole
    numbers, _ = count_distinct(keys >> (numbering.slot_bits + numbering.column_bits))
    for pair, mine, theirs in zip(*numbering.sentence_pairs(numbers), strict=True):
        begin = numbering.slot[pair] + table.offsets[mine] - whole.offsets[numbering.right[pair]]
        marks = mark_pair(table.row(mine).tolist(), table.row(theirs).tolist())
        marked[begin : begin + len(marks)] |= marks


def _mark(numbering: _Numbering, keys: Ints, marked: Marks) -> None:
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
        upto = _up_to_highest(matches[row] & here)
        grown = np.bitwise_count(~states[step + 1] & here) != np.bitwise_count(
            ~states[step][:count] & here
        )
        mark = (upto > 0) & ((upto == here) | grown)
        still[:count] = np.where(mark, upto >> one, here)
        marked[slots[row[mark]]] = True


def _longest_first(heights: Ints) -> Ints:
    """The order of tables by falling height, those of one height as they came."""
    most = int(heights.max())
    # Numbers of 16 bits are sorted by their digits, several times faster.
    kind = np.uint16 if most < 1 << 16 else np.int64
    return np.argsort((most - heights).astype(kind), kind="stable")


def _up_to_highest(bits: Bits) -> Bits:
    """All bits from the lowest to the highest one that is set."""
    found = bits.copy()
    distance = 1
    while distance < 8 * found.itemsize:
        found |= found >> found.dtype.type(distance)
        distance *= 2
    return found
