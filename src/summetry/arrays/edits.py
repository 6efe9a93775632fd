"""Edit distance: the fewest substitutions, insertions and deletions between two sequences.

Each counts 1. Row by row as in Wagner and Fischer (1974), all pairs of a batch side by side:
along a row the insertions are one running minimum.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from summetry.arrays.token_tables import TokenTable, gather_runs
from summetry.arrays.types import Ints

# Numbers in a row of all pairs that are worked on at a time: they stay in a processor's memory.
_BLOCK = 1 << 17


def edit_distance(x: Sequence[Hashable], y: Sequence[Hashable]) -> int:
    """The fewest edits that turn ``x`` into ``y``.

    >>> edit_distance("kitten", "sitting")
    3
    """
    number = {item: i for i, item in enumerate(dict.fromkeys([*x, *y]))}
    table = sequence_table([[number[item] for item in side] for side in (x, y)])
    return int(edit_distances(table, np.array([0]), np.array([1]))[0])


def sequence_table(sequences: Sequence[Sequence[int]]) -> TokenTable:
    """Sequences of whole numbers as rows of one table; the numbers stand for themselves."""
    lengths = np.fromiter(map(len, sequences), np.int64, len(sequences))
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    items = (item for sequence in sequences for item in sequence)
    return TokenTable(np.fromiter(items, np.int64, int(offsets[-1])), offsets, ())


def edit_distances(table: TokenTable, left: Ints, right: Ints) -> Ints:
    """The distance of the rows ``left[i]`` and ``right[i]`` of a table, for every pair ``i``."""
    # Pairs of like lengths go together, so that little of a block is empty.
    order = np.lexsort((table.lengths[left], table.lengths[right]))
    found = np.zeros(len(left), dtype=np.int64)
    at = 0
    while at < len(order):
        block = order[at : at + _BLOCK]
        widest = np.maximum.accumulate(table.lengths[left[block]] + 1)
        size = max(1, int(np.searchsorted(widest * np.arange(1, len(block) + 1), _BLOCK, "right")))
        block = block[:size]
        found[block] = _block_distances(table, left[block], right[block])
        at += size
    return found


def _block_distances(table: TokenTable, left: Ints, right: Ints) -> Ints:
    wide, high = table.lengths[left], table.lengths[right]
    across, down = _filled(table, left), _filled(table, right)
    columns = np.arange(across.shape[1] + 1, dtype=np.int32)
    row = np.broadcast_to(columns, (len(left), len(columns))).copy()
    found = np.where(high == 0, wide, 0)
    pairs = np.arange(len(left))
    for step in range(down.shape[1]):
        kept = row[:, :-1] + (across != down[:, step, None])
        row += 1  # Deleted.
        np.minimum(row[:, 1:], kept, out=row[:, 1:])
        row -= columns
        np.minimum.accumulate(row, axis=1, out=row)
        row += columns
        found = np.where(high == step + 1, row[pairs, wide], found)
    return found.astype(np.int64)


def _filled(table: TokenTable, rows: Ints) -> Ints:
    """The rows as a matrix. What stands behind their ends is never read."""
    lengths = table.lengths[rows]
    matrix = np.zeros((len(rows), int(lengths.max(initial=0))), dtype=np.int64)
    owner = np.repeat(np.arange(len(rows)), lengths)
    place = gather_runs(np.zeros(len(rows), dtype=np.int64), lengths)
    matrix[owner, place] = table.ids[gather_runs(table.offsets[rows], lengths)]
    return matrix
