"""Which tokens of a text take part in the longest common subsequence with another.

Of several longest ones the trace-back of ROUGE-1.5.5 picks one, and which one matters as soon as
the marks of several sentences are united: start at both ends; equal tokens go together; otherwise
drop the token of the marked text if that loses nothing, else the token of the other.

The table of lengths is kept as bits (see ``lcs``), one long number a row. ``lcs_union`` does the
same for many pairs of sentences at once, and says why the way back goes as it does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence

from summetry.arrays.sequences import places_of
from summetry.arrays.types import Bools

Marks = Bools
# A table of so many bits (8 MB) is kept whole.
_MOST_BITS = 1 << 26


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
    # Of two long texts every so many rows one is kept, and those between are worked out again on
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
