"""The union of longest common subsequences of sentences, which summary-level ROUGE-L counts.

Every sentence of a text is set against every sentence of another, and a token is marked if it is
in the subsequence that one of them leads to (``lcs_marks`` says in which of several). Only equal
tokens are looked at: they come from the words that two texts share, which are counted anyway.
``lcs_tables`` marks them; here the work is cut into parts that fit into memory.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from summetry.arrays.token_tables import KEY_BITS, run_starts, spread
from summetry.arrays.types import Ints
from summetry.arrays.vectors import Shared
from summetry.metrics.rouge.lcs_marks import Marks, mark_pair
from summetry.metrics.rouge.lcs_tables import (
    WIDEST,
    Numbering,
    Part,
    Sides,
    Tokens,
    mark_narrow,
    mark_wide,
)

__all__ = ["Sides", "count_marked"]

# Pairs of equal tokens that are worked on at a time: few enough to stay in the cache. Two texts
# with more of them are cut at sentences, so that they do not fill the memory.
_BLOCK = 1 << 16
_MOST = 1 << 22


def count_marked(sides: Sides, shared: Shared) -> Ints:
    """How many tokens of each word that two texts share are marked.

    ``shared`` are the common words of the texts of ``sides``, by their bags.
    """
    bags, places, first = sides.whole.bags, sides.whole.places, sides.first
    starts = np.cumsum(bags.counts) - bags.counts
    mine, theirs = bags.counts[shared.right], bags.counts[shared.left]
    found = [np.zeros(0, dtype=np.int64)]
    for block in _blocks(shared.pair, mine * theirs):
        # Every token of the marked texts whose word the other text has.
        word, entry = spread(starts[shared.right[block]], mine[block])
        word += block.start
        others = shared.left[word]
        tokens = Tokens(places[entry], shared.pair[word], starts[others], bags.counts[others])
        low, high = int(tokens.pair[0]), int(tokens.pair[-1]) + 1
        left, right = sides.left[low:high], sides.right[low:high]
        part = Part(tokens, low, (first[right], first[right + 1]), (first[left], first[left + 1]))
        marked = word[_marks(sides, part)] - block.start
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


def _marks(sides: Sides, part: Part) -> Marks:
    """Which of the tokens some sentence of the other text marks."""
    tokens = part.tokens
    equals = int(tokens.equals.sum())
    numbering = Numbering(sides, part)
    too_many = equals > _MOST or numbering.bits > KEY_BITS
    if part.is_one_table and (too_many or equals > _BLOCK):
        return _mark_one_table(sides, part)
    if too_many:
        return _in_two_parts(sides, part)
    slot, keys, widths = numbering.equals(tokens)
    marked = np.zeros(numbering.slots, dtype=bool)
    if sides.widest > WIDEST:
        wide = widths > WIDEST
        if wide.any():
            words = np.zeros(numbering.slots, dtype=np.int64)
            words[slot] = sides.whole.ids[tokens.place]
            mark_wide(numbering, keys[wide], words, marked)
            keys = keys[~wide]
    if len(keys):
        mark_narrow(numbering, keys, marked)
    return marked[slot]


def _in_two_parts(sides: Sides, part: Part) -> Marks:
    """The marks of very many equal tokens: those that either half of the part leads to."""
    marks = np.zeros(len(part.tokens.place), dtype=bool)
    for here, half in _halves(sides, part):
        if here.any():
            marks[here] |= _marks(sides, half)
    return marks


def _halves(sides: Sides, part: Part) -> Iterator[tuple[Marks, Part]]:
    """A part cut in two, between pairs or else between sentences, and whose tokens each has."""
    tokens, low, marked, other = part
    pairs = len(marked[0])
    if pairs > 1:
        for span in (slice(0, pairs // 2), slice(pairs // 2, pairs)):
            here = (tokens.pair >= low + span.start) & (tokens.pair < low + span.stop)
            mine, theirs = ((first[span], end[span]) for first, end in (marked, other))
            yield here, Part(tokens.only(here), low + span.start, mine, theirs)
    elif marked[1] - marked[0] > 1:
        middle = (marked[0] + marked[1]) // 2
        early = sides.sentence_of[tokens.place] < middle
        yield early, Part(tokens.only(early), low, (marked[0], middle), other)
        yield ~early, Part(tokens.only(~early), low, (middle, marked[1]), other)
    else:
        middle = (other[0] + other[1]) // 2
        # The equals of a token stand in order of place: those in the earlier sentences come first.
        count = np.cumsum(sides.whole.places < sides.sentences.offsets[middle])
        count = np.concatenate([[0], count])
        first = count[tokens.start + tokens.equals] - count[tokens.start]
        halves = (tokens.start, first), (tokens.start + first, tokens.equals - first)
        spans = (other[0], middle), (middle, other[1])
        for (start, equals), theirs in zip(halves, spans, strict=True):
            here = equals > 0
            some = Tokens(tokens.place, tokens.pair, start, equals).only(here)
            yield here, Part(some, low, marked, theirs)


def _mark_one_table(sides: Sides, part: Part) -> Marks:
    """The marks of one long sentence by another."""
    table, place = sides.sentences, int(part.marked[0][0])
    rows = [table.row(row).tolist() for row in (place, int(part.other[0][0]))]
    marks = np.array(mark_pair(*rows))
    found: Marks = marks[part.tokens.place - table.offsets[place]]
    return found
