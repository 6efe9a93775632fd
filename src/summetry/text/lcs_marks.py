"""Which tokens of a text take part in the longest common subsequence with another.

Of several longest ones the trace-back of ROUGE-1.5.5 picks one, and which one matters as soon as
the marks of several sentences are united: start at both ends; equal tokens go together; otherwise
drop the token of the marked text if that loses nothing, else the token of the other.

The table of lengths is kept as bits (see ``lcs``): one machine word a row for texts of up to 64
tokens, so that whole batches advance and trace back side by side.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from summetry.text.vocabulary import Ints, TokenTable, gather_runs

Marks = NDArray[np.bool_]
_WORD = 64
# Pairs that are worked on at a time: the table of one pair takes 8 bytes a marked token.
_BLOCK = 1 << 21


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
    lengths = table.lengths[marked]
    starts = np.cumsum(lengths) - lengths
    found = np.zeros(int(lengths.sum()), dtype=bool)
    fits = table.lengths[other] <= _WORD
    for block in _blocks(np.flatnonzero(fits & (lengths > 0)), lengths):
        _mark_block(table, marked[block], other[block], starts[block], found)
    for pair in np.flatnonzero(~fits).tolist():
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


def _mark_block(table: TokenTable, marked: Ints, other: Ints, starts: Ints, found: Marks) -> None:
    """Pairs ordered by falling length of the marked text; marks are set in ``found``."""
    lengths = table.lengths[marked]
    first = table.offsets[marked]
    others = _padded(table, other)
    eight = np.zeros((len(marked), 8), dtype=np.uint8)
    # rows[i] holds the state after i tokens of every marked text that has so many.
    rows = [np.full(len(marked), ~np.uint64(0))]
    for step in range(int(lengths[0])):
        alive = int(np.searchsorted(-lengths, -step, side="left"))
        tokens = table.ids[first[:alive] + step].astype(np.int32)
        equal = others[:alive] == tokens[:, None]
        eight[:alive, : others.shape[1] // 8] = np.packbits(equal, axis=1, bitorder="little")
        match = eight[:alive].view("<u8")[:, 0]
        v = rows[-1][:alive]
        rows.append((v + (v & match)) | (v & ~match))
    _trace_back(table, marked, other, starts, rows, found)


def _padded(table: TokenTable, rows: Ints) -> NDArray[np.int32]:
    """The tokens of each row, filled up to whole bytes of bits with a number that is no token."""
    lengths = table.lengths[rows]
    width = -(-int(lengths.max(initial=1)) // 8) * 8
    padded = np.full((len(rows), width), -1, dtype=np.int32)
    padded[np.arange(width) < lengths[:, None]] = table.ids[
        gather_runs(table.offsets[rows], lengths)
    ]
    return padded


def _trace_back(
    table: TokenTable,
    marked: Ints,
    other: Ints,
    starts: Ints,
    rows: list[NDArray[np.uint64]],
    found: Marks,
) -> None:
    flat = np.concatenate(rows)
    first = np.cumsum([0, *(len(row) for row in rows[:-1])])
    pair = np.arange(len(marked), dtype=np.int64)
    i, j = table.lengths[marked].copy(), table.lengths[other].copy()
    mine, theirs = table.offsets[marked] - 1, table.offsets[other] - 1
    while True:
        alive = np.flatnonzero((i > 0) & (j > 0))
        if len(alive) < len(pair):
            pair, i, j = pair[alive], i[alive], j[alive]
        if not len(pair):
            return
        equal = table.ids[mine[pair] + i] == table.ids[theirs[pair] + j]
        found[(starts[pair] + i - 1)[equal]] = True
        # Zeros of a row up to column j are the length there; unchanged without token i?
        below = ~np.uint64(0) >> (_WORD - j).astype(np.uint64)
        here = np.bitwise_count(~flat[first[i] + pair] & below)
        above = np.bitwise_count(~flat[first[i - 1] + pair] & below)
        up = here == above
        i = i - (equal | up)
        j = j - (equal | ~up)


def unite(marks: Marks, targets: Ints, size: int) -> Marks:
    """Marks of several pairs put together: ``targets`` says which token each mark is of."""
    united = np.zeros(size, dtype=bool)
    united[targets[marks]] = True
    return united
