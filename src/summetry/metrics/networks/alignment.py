"""Where the words of a text stand in another: the in-order alignment that keeps the most words.

Of several alignments that keep as many words, the leftmost is taken: the first word stands as
early as it can, then the second, and so on. A word that finds no place belongs to nothing.

The lengths of all common subsequences are kept as bits (see ``lcs_states``), so that a source of
several thousand words takes milliseconds. They are all needed, so very long texts are refused.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Sequence

from summetry.arrays.sequences import lcs_states, places_by_token
from summetry.errors import SummetryError

# One bit for every word of the text and of the source: 1 GB.
_MOST_BITS = 1 << 33


def leftmost_alignment(source: Sequence[Hashable], text: Sequence[Hashable]) -> list[int | None]:
    """For each word of ``text`` its place in ``source``, None for a word without one.

    >>> leftmost_alignment("a cat and a dog".split(), "a big dog".split())
    [0, None, 4]
    """
    places = places_by_token(text)
    known = [place for place, word in enumerate(source) if word in places]
    if len(known) * len(text) > _MOST_BITS:
        raise SummetryError(
            f"a text of {len(text):,} words is aligned to up to {_MOST_BITS // len(text):,} words "
            f"of a source, found {len(known):,} that it has too; give its units instead, or cut it"
        )
    # Both sequences are turned round, so that rows are about what is left of them.
    rows = lcs_states([source[place] for place in reversed(known)], text[::-1])

    def longest(i: int, j: int) -> int:
        """Length of the longest common subsequence of ``known[i:]`` and ``text[j:]``."""
        if j == len(text):
            return 0
        # The zeros among the lowest bits.
        bits = len(known) - i
        return bits - (rows[len(text) - j - 1] & ((1 << bits) - 1)).bit_count()

    alignment: list[int | None] = [None] * len(text)
    left, start = longest(0, 0), 0
    for at, place in enumerate(known):
        if not left:
            break
        # An earlier place in the text leaves more of it, so only the next one can be right.
        here = places[source[place]]
        nearest = bisect_left(here, start)
        if nearest == len(here):
            continue
        if longest(at + 1, here[nearest] + 1) == left - 1:
            alignment[here[nearest]] = place
            left, start = left - 1, here[nearest] + 1
    return alignment
