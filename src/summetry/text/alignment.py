"""Where the words of a text stand in another: the in-order alignment that keeps the most words.

Of several alignments that keep as many words, the leftmost is taken: the first word stands as
early as it can, then the second, and so on. A word that finds no place belongs to nothing.

The lengths of all common subsequences are kept as bits (see ``lcs``), so that a source of some
thousand words takes milliseconds.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Sequence

from summetry.text.lcs import _states as lcs_states


def leftmost_alignment(source: Sequence[Hashable], text: Sequence[Hashable]) -> list[int | None]:
    """For each word of ``text`` its place in ``source``, None for a word without one.

    >>> leftmost_alignment("a cat and a dog".split(), "a big dog".split())
    [0, None, 4]
    """
    places: defaultdict[Hashable, list[int]] = defaultdict(list)
    for place, word in enumerate(text):
        places[word].append(place)
    known = [place for place, word in enumerate(source) if word in places]
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

    def of(self, i: int, j: int) -> int:
        if j == self.down or i == self.across:
            return 0
        # The zeros among the lowest bits, since both sequences are turned round.
        bits = self.across - i
        row = self.rows[self.down - j - 1] & ((1 << bits) - 1)
        return bits - row.bit_count()
