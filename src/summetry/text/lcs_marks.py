"""Which tokens of a text take part in the longest common subsequence with another.

Of several longest ones the trace-back of ROUGE-1.5.5 picks one, and which one matters as soon as
the marks of several sentences are united: start at both ends; equal tokens go together; otherwise
drop the token of the marked text if that loses nothing, else the token of the other.

The table of lengths is kept as bits (see ``lcs``): one machine word a row for texts of up to 64
tokens, so that whole batches advance and trace back side by side; one long number a row for others.

On the way back a token is marked where it stands in the last column that is open, or where the
length there is one more than in the row above: then the way goes left to its last match, and no
way goes up before that, since the length stays one more on all of it.
"""

from __future__ import annotations

import math
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
# Above every token of a vocabulary that fits into 16 bits.
_NO_TOKEN = (1 << 16) - 1
# _BELOW[j] has the lowest j bits set.
_BELOW = np.array([(1 << j) - 1 for j in range(65)], dtype=np.uint64)


def mark_pair(marked: Sequence[Hashable], other: Sequence[Hashable]) -> list[bool]:
    """The marks of one pair, of any length; a row of the table is one long number.

    >>> mark_pair("abcd", "bd")
    [False, True, False, True]
    """
    stands_at: dict[Hashable, int] = {}
    for place, token in enumerate(other):
        stands_at[token] = stands_at.get(token, 0) | 1 << place
    matches = [stands_at.get(token, 0) for token in marked]
    all_open = (1 << len(other)) - 1
    # Every so many rows one is kept, and those between are worked out again on the way back:
    # all rows of two long texts would not fit into memory.
    stride = math.isqrt(len(matches)) + 1
    kept = [all_open]
    for start in range(0, len(matches), stride):
        kept.append(_rows(kept[-1], matches[start : start + stride], all_open)[-1])
    marks = [False] * len(marked)
    still = all_open
    for start in reversed(range(0, len(matches), stride)):
        rows = _rows(kept[start // stride], matches[start : start + stride], all_open)
        for step in reversed(range(len(rows) - 1)):
            match = matches[start + step] & still
            upto = (1 << match.bit_length()) - 1
            if match and (
                upto == still or _length(rows[step + 1], still) != _length(rows[step], still)
            ):
                marks[start + step] = True
                still = upto >> 1
    return marks


def _rows(first: int, matches: Sequence[int], all_open: int) -> list[int]:
    """The row ``first`` of a table, and the rows that follow from it."""
    rows = [first]
    for match in matches:
        row = rows[-1]
        rows.append(((row + (row & match)) | (row & ~match)) & all_open)
    return rows


def _length(row: int, columns: int) -> int:
    """The length of the longest common subsequence with the first columns."""
    return (~row & columns).bit_count()


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
        found[starts[pair] : starts[pair] + len(mine)] = mark_pair(mine, theirs)
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
    columns, tokens_at = token_columns(table, other), token_columns(table, marked)
    # states[i] holds the row after i tokens of every marked text that has so many, matches[i]
    # where its token i stands in the other text.
    states = [np.full(len(marked), ~bits(0))]
    matches: list[Bits] = []
    for step in range(int(lengths[0])):
        alive = int(np.searchsorted(-lengths, -step, side="left"))
        match = _matches(columns, tokens_at[step, :alive], bits)
        v = states[-1][:alive]
        states.append((v + (v & match)) | (v & ~match))
        matches.append(match)
    _trace_back(table.lengths[other], starts, states, matches, found)


def _matches(columns: NDArray[Any], tokens: NDArray[Any], bits: type[Any]) -> Bits:
    """Where each token stands among the columns, as bits."""
    alive = len(tokens)
    match = np.zeros(alive, dtype=bits)
    equal = np.empty(alive, dtype=bool)
    # From the last column to the first: doubling makes room for the next bit.
    for column in columns[::-1]:
        np.add(match, match, out=match)
        np.equal(column[:alive], tokens, out=equal)
        np.bitwise_or(match, equal.view(np.uint8), out=match)
    return match


def token_columns(table: TokenTable, rows: Ints) -> NDArray[Any]:
    """The k-th tokens of all rows beside one another, a number that is no token where none is."""
    width = int(table.lengths[rows].max(initial=0))
    if len(rows) > len(table):
        # A text is in many pairs: texts are written out first, and pairs made of them then.
        return _sheet(table, np.arange(len(table)), width).take(rows, axis=1)
    return _sheet(table, rows, width)


def _sheet(table: TokenTable, rows: Ints, width: int) -> NDArray[Any]:
    """The first ``width`` tokens of some texts, one text a column."""
    lengths = np.minimum(table.lengths[rows], width)
    kind = np.uint16 if len(table.words) < _NO_TOKEN else np.int32
    sheet = np.full((len(rows), width), _NO_TOKEN if kind is np.uint16 else -1, dtype=kind)
    # Filled row by row, which is the order of the tokens, and then turned round.
    sheet[np.arange(width) < lengths[:, None]] = table.ids[
        gather_runs(table.offsets[rows], lengths)
    ]
    return np.ascontiguousarray(sheet.T)


def _trace_back(
    columns: Ints, starts: Ints, states: list[Bits], matches: list[Bits], found: Marks
) -> None:
    """Go up the rows of all pairs at once; the bits of ``still`` are the columns still open."""
    still = _BELOW[columns].astype(states[0].dtype)
    for step in range(len(matches) - 1, -1, -1):
        match = matches[step]
        here = still[: len(match)]
        upto = _up_to_highest(match & here)
        grown = np.bitwise_count(~states[step + 1] & here) != np.bitwise_count(
            ~states[step][: len(match)] & here
        )
        mark = (upto > 0) & ((upto == here) | grown)
        still[: len(match)] = np.where(mark, upto >> here.dtype.type(1), here)
        found[starts[: len(match)] + step] = mark


def _up_to_highest(bits: Bits) -> Bits:
    """All bits from the lowest to the highest one that is set."""
    found = bits.copy()
    distance = 1
    while distance < 8 * found.itemsize:
        found |= found >> found.dtype.type(distance)
        distance *= 2
    return found


def unite(marks: Marks, targets: Ints, size: int) -> Marks:
    """Marks of several pairs put together: ``targets`` says which token each mark is of."""
    united = np.zeros(size, dtype=bool)
    united[targets[marks]] = True
    return united
