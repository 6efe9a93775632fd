"""Which tokens of a text take part in the longest common subsequence with another.

Of several longest ones the trace-back of ROUGE-1.5.5 picks one, and which one matters as soon as
the marks of several sentences are united: start at both ends; equal tokens go together; otherwise
drop the token of the marked text if that loses nothing, else the token of the other.

The table of lengths is kept as bits (see ``lcs``): one machine word a row for texts of up to 64
tokens, so that whole batches advance and trace back side by side.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from summetry.text.vocabulary import Ints, TokenTable, gather_runs

Marks = NDArray[np.bool_]
Bits = NDArray[Any]
# A row of the table is a machine word, no wider than it must be: narrow ones are quicker.
_BITS = (np.uint16, np.uint32, np.uint64)
# Pairs that are worked on at a time: the table of one pair takes 8 bytes a marked token.
_BLOCK = 1 << 21
# _BELOW[j] has the lowest j bits set.
_BELOW = np.array([(1 << j) - 1 for j in range(65)], dtype=np.uint64)


def mark_plainly(marked: Sequence[Hashable], other: Sequence[Hashable]) -> list[bool]:
    """The marks of one pair by the textbook table; slow, and of any length.

    >>> mark_plainly("abcd", "bd")
    [False, True, False, True]
    """
    table = [[0] * (len(other) + 1)]
    for a in marked:
        above, row = table[-1], [0]
        for j, b in enumerate(other):
            row.append(above[j] + 1 if a == b else max(above[j + 1], row[j]))
        table.append(row)
    return trace_back(marked, other, table)


def trace_back(
    marked: Sequence[Hashable], other: Sequence[Hashable], table: Sequence[Sequence[float]]
) -> list[bool]:
    """The marks that a table of values leads to, from its last corner to its first."""
    marks = [False] * len(marked)
    i, j = len(marked), len(other)
    while i and j:
        if marked[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            marks[i] = True
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return marks


def mark_pairs(table: TokenTable, marked: Ints, other: Ints) -> Marks:
    """The marks of the texts ``marked[p]`` against ``other[p]``, one pair behind the other."""
    lengths, widths = table.lengths[marked], table.lengths[other]
    starts = np.cumsum(lengths) - lengths
    found = np.zeros(int(lengths.sum()), dtype=bool)
    narrower = 0
    for bits in _BITS:
        width = 8 * np.dtype(bits).itemsize
        fits = (lengths > 0) & (widths > narrower) & (widths <= width)
        for block in _blocks(np.flatnonzero(fits), lengths):
            _mark_block(table, marked[block], other[block], starts[block], bits, found)
        narrower = width
    for pair in np.flatnonzero(widths > narrower).tolist():
        mine, theirs = table.row(marked[pair]).tolist(), table.row(other[pair]).tolist()
        found[starts[pair] : starts[pair] + len(mine)] = mark_plainly(mine, theirs)
    return found


def _blocks(pairs: Ints, lengths: Ints) -> list[Ints]:
    """Pairs in blocks whose tables fit into memory, longest first."""
    if not len(pairs):
        return []
    pairs = pairs[np.argsort(-lengths[pairs], kind="stable")]
    size = np.cumsum(lengths[pairs])
    return np.split(pairs, np.searchsorted(size, np.arange(_BLOCK, size[-1], _BLOCK)))


def _mark_block(
    table: TokenTable, marked: Ints, other: Ints, starts: Ints, bits: type[Any], found: Marks
) -> None:
    """Pairs ordered by falling length of the marked text; marks are set in ``found``."""
    lengths = table.lengths[marked]
    first = table.offsets[marked]
    columns = _columns(table, other)
    # states[i] holds the row after i tokens of every marked text that has so many, matches[i]
    # where its token i stands in the other text.
    states = [np.full(len(marked), ~bits(0))]
    matches: list[Bits] = []
    for step in range(int(lengths[0])):
        alive = int(np.searchsorted(-lengths, -step, side="left"))
        tokens = table.ids[first[:alive] + step].astype(np.int32)
        match = np.zeros(alive, dtype=bits)
        for place, column in enumerate(columns):
            match |= np.multiply(column[:alive] == tokens, bits(1 << place), dtype=bits)
        v = states[-1][:alive]
        states.append((v + (v & match)) | (v & ~match))
        matches.append(match)
    _trace_back(table.lengths[other], starts, states, matches, found)


def _columns(table: TokenTable, rows: Ints) -> NDArray[np.int32]:
    """The k-th tokens of all rows beside one another, a number that is no token where none is."""
    lengths = table.lengths[rows]
    width = int(lengths.max(initial=0))
    padded = np.full((len(rows), width), -1, dtype=np.int32)
    # Filled row by row, which is the order of the tokens, and then turned round.
    padded[np.arange(width) < lengths[:, None]] = table.ids[
        gather_runs(table.offsets[rows], lengths)
    ]
    return np.ascontiguousarray(padded.T)


def _trace_back(
    columns: Ints, starts: Ints, states: list[Bits], matches: list[Bits], found: Marks
) -> None:
    """Go up the rows of all pairs at once; ``columns`` of the other text are still open.

    A token is marked where it stands in the last open column, or where the length there is one
    more than in the row above: then the way goes left to its last match, and no way goes up
    before that, since the length stays one more on all of it.
    """
    open_columns = columns.copy()
    for step in range(len(matches) - 1, -1, -1):
        match = matches[step]
        here = open_columns[: len(match)]
        below = _BELOW[here].astype(match.dtype)
        last = _highest_bit(match & below)
        grown = np.bitwise_count(~states[step + 1] & below) != np.bitwise_count(
            ~states[step][: len(match)] & below
        )
        mark = (last > 0) & ((last == here) | grown)
        open_columns[: len(match)] = np.where(mark, last - 1, here)
        found[starts[: len(match)] + step] = mark


def _highest_bit(bits: Bits) -> Ints:
    """The place of the highest bit that is set, from 1; 0 where none is."""
    # As a float a number gives its exponent away; 32 bits at a time are exact.
    if bits.dtype != np.uint64:
        return np.frexp(bits.astype(np.float64))[1].astype(np.int64)
    upper = np.frexp((bits >> np.uint64(32)).astype(np.float64))[1]
    lower = np.frexp((bits & np.uint64(0xFFFFFFFF)).astype(np.float64))[1]
    return np.where(upper > 0, upper + 32, lower).astype(np.int64)


def unite(marks: Marks, targets: Ints, size: int) -> Marks:
    """Marks of several pairs put together: ``targets`` says which token each mark is of."""
    united = np.zeros(size, dtype=bool)
    united[targets[marks]] = True
    return united
