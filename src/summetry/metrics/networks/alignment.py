"""Where the words of a text stand in another: the in-order alignment that keeps the most words.

Of several alignments that keep as many words, the leftmost is taken: the first word stands as
early as it can, then the second, and so on. A word that finds no place belongs to nothing.

The lengths of all common subsequences are kept as bits (see ``lcs_states``), so that a source of
some thousand words takes milliseconds. They are all needed, so very long texts are refused.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Sequence

import numpy as np

from summetry.arrays.sequences import lcs_states
from summetry.errors import SummetryError

# One bit for every word of the text and of the source, and half as much for counts: 1.5 GB.
_MOST_BITS = 1 << 33
# Above this many words of the source, bits are counted once for each word of the text.
_LONG = 10_000


def leftmost_alignment(source: Sequence[Hashable], text: Sequence[Hashable]) -> list[int | None]:
    """For each word of ``text`` its place in ``source``, None for a word without one.

    >>> leftmost_alignment("a cat and a dog".split(), "a big dog".split())
    [0, None, 4]
    """
    places: defaultdict[Hashable, list[int]] = defaultdict(list)
    for place, word in enumerate(text):
        places[word].append(place)
    known = [place for place, word in enumerate(source) if word in places]
    if len(known) * len(text) > _MOST_BITS:
        raise SummetryError(
            f"a text of {len(text):,} words is aligned to up to {_MOST_BITS // len(text):,} words "
            f"of a source, found {len(known):,} that it has too; give its units instead, or cut it"
        )
    longest = _LongestOfEnds([source[place] for place in known], text)
    found: list[int | None] = [None] * len(text)
    left, start = longest.of(0, 0), 0
    for at, place in enumerate(known):
        if not left:
            break
        # An earlier place in the text leaves more of it, so only the next one can be right.
        here = places[source[place]]
        nearest = bisect_left(here, start)
        if nearest == len(here):
            continue
        if longest.of(at + 1, here[nearest] + 1) == left - 1:
            found[here[nearest]] = place
            left, start = left - 1, here[nearest] + 1
    return found


class _LongestOfEnds:
    """Length of the longest common subsequence of ``x[i:]`` and ``y[j:]``."""

    def __init__(self, x: Sequence[Hashable], y: Sequence[Hashable]) -> None:
        self.across, self.down = len(x), len(y)
        self.rows = lcs_states(x[::-1], y[::-1])
        self._counted: dict[int, tuple[bytes, memoryview]] = {}

    def of(self, i: int, j: int) -> int:
        if j == self.down or i == self.across:
            return 0
        # The zeros among the lowest bits, since both sequences are turned round.
        bits = self.across - i
        if self.across > _LONG:
            return bits - self._ones(self.down - j - 1, bits)
        row = self.rows[self.down - j - 1] & ((1 << bits) - 1)
        return bits - row.bit_count()

    def _ones(self, row: int, bits: int) -> int:
        """The ones among the lowest bits of a long row, which is not counted anew each time."""
        if row not in self._counted:
            content = self.rows[row].to_bytes(8 * (self.across // 64 + 1), "little")
            counts = np.bitwise_count(np.frombuffer(content, "<u8"))
            self._counted[row] = content, np.cumsum(counts, dtype=np.int32).data
            self.rows[row] = 0  # It is held as bytes now.
        content, upto = self._counted[row]
        whole, rest = divmod(bits, 64)
        word = int.from_bytes(content[8 * whole : 8 * whole + 8], "little")
        before = int(upto[whole - 1]) if whole else 0
        return before + (word & ((1 << rest) - 1)).bit_count()
