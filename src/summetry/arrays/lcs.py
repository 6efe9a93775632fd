"""Length of the longest common subsequence, by bits.

One bit a position of one text, all positions advanced at once for each token of the other
(Hyyrö 2004, "Bit-parallel LCS-length computation revisited"): with ``M`` the positions that
hold the token, ``V := (V + (V & M)) | (V & ~M)``; the zeros of ``V`` at the end are the length.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from summetry.arrays.token_tables import TokenTable, gather_runs
from summetry.arrays.types import Ints

# Above this many 64-bit words Python's own long integers are the faster way.
_WORDS = 4
# So they are for fewer pairs than this.
_FEW = 8
# Above this many tokens the bits of a token are set in bytes first.
_LONG = 10_000
# The numbers of tokens that occur no more often are made when they are asked for: there are many
# such tokens in a long text, and each number is as long as the text.
_RARE = 64


def lcs_length(x: Sequence[Hashable], y: Sequence[Hashable]) -> int:
    """Tokens in the longest sequence that ``x`` and ``y`` both hold in order.

    >>> lcs_length("the cat sat on it".split(), "the dog sat on a cat".split())
    3
    """
    last = (1 << len(x)) - 1
    # One state at a time: those of two books together would fill any memory.
    for state in _states(x, y):
        last = state
    return len(x) - last.bit_count()


def lcs_alignment(x: Sequence[Hashable], y: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The places in ``x`` and in ``y`` of one longest common subsequence.

    >>> lcs_alignment("abcde", "xbxdx")
    [(1, 1), (3, 3)]
    """
    rows = lcs_states(x, y)
    found: list[tuple[int, int]] = []
    i, j = len(x) - 1, len(y) - 1
    while i >= 0 and j >= 0:
        if rows[j] >> i & 1:
            i -= 1
        elif j and not rows[j - 1] >> i & 1:
            j -= 1
        else:
            found.append((i, j))
            i, j = i - 1, j - 1
    return found[::-1]


def lcs_states(x: Sequence[Hashable], y: Sequence[Hashable]) -> list[int]:
    """``V`` after each token of ``y``: bit ``i`` is 0 where ``x[i]`` makes the longest one longer.

    >>> [format(v, "03b") for v in lcs_states("abc", "ac")]
    ['110', '010']
    """
    return list(_states(x, y))


def _states(x: Sequence[Hashable], y: Sequence[Hashable]) -> Iterator[int]:
    places = places_of(x)
    full = (1 << len(x)) - 1
    v = full
    for token in y:
        match = v & places(token)
        v = ((v + match) | (v - match)) & full
        yield v


def places_of(x: Sequence[Hashable]) -> Callable[[Hashable], int]:
    """What tells where a token stands in ``x``: bit ``i`` is set if ``x[i]`` is the token.

    >>> places = places_of("abca")
    >>> format(places("a"), "04b"), places("z")
    ('1001', 0)
    """
    if len(x) > _LONG:
        return _places_of_long(x)
    masks: dict[Hashable, int] = {}
    for place, token in enumerate(x):
        masks[token] = masks.get(token, 0) | 1 << place
    return lambda token: masks.get(token, 0)


def _places_of_long(x: Sequence[Hashable]) -> Callable[[Hashable], int]:
    """The same; bit by bit a long number would be copied as often as a token occurs."""
    places: defaultdict[Hashable, list[int]] = defaultdict(list)
    for place, token in enumerate(x):
        places[token].append(place)
    kept: dict[Hashable, int] = {}

    def stands_at(token: Hashable) -> int:
        if token in kept or token not in places:
            return kept.get(token, 0)
        here = places[token]
        bits = bytearray(here[-1] // 8 + 1)
        for place in here:
            bits[place // 8] |= 1 << place % 8
        found = int.from_bytes(bits, "little")
        if len(here) > _RARE:
            kept[token] = found
        return found

    return stands_at


def lcs_lengths(table: TokenTable, left: Ints, right: Ints) -> Ints:
    """The same for the texts ``left[i]`` and ``right[i]`` of a table, for every pair ``i``."""
    # The shorter text gives the bits; the measure is symmetric.
    swap = table.lengths[left] > table.lengths[right]
    bits, steps = np.where(swap, right, left), np.where(swap, left, right)
    words = (table.lengths[bits] + 63) // 64
    found = np.zeros(len(left), dtype=np.int64)
    alone = words > _WORDS
    for count in range(1, _WORDS + 1):
        group = np.flatnonzero(words == count)
        if len(group) < _FEW:
            alone[group] = True
        else:
            found[group] = _batch(table, bits[group], steps[group], count)
    for pair in np.flatnonzero(alone).tolist():
        found[pair] = lcs_length(table.row(bits[pair]).tolist(), table.row(steps[pair]).tolist())
    return found


def _batch(table: TokenTable, bits: Ints, steps: Ints, words: int) -> Ints:
    """Pairs whose shorter text fits into ``words`` 64-bit words, advanced side by side."""
    order = np.argsort(-table.lengths[steps], kind="stable")
    bits, steps = bits[order], steps[order]
    lengths = table.lengths[steps]
    keys, masks = _position_masks(table, np.unique(bits), words)
    index = _mask_of_each_step(table, bits, steps, keys)
    starts = np.cumsum(lengths) - lengths
    v = np.full((words, len(bits)), ~np.uint64(0), dtype=np.uint64)
    for step in range(int(lengths[0]) if len(lengths) else 0):
        alive = int(np.searchsorted(-lengths, -step, side="left"))
        _advance(v[:, :alive], masks[:, index[starts[:alive] + step]])
    zeros = 64 * words - np.bitwise_count(v).sum(axis=0, dtype=np.int64)
    found = np.empty(len(bits), dtype=np.int64)
    found[order] = zeros
    return found


def _advance(v: NDArray[np.uint64], match: NDArray[np.uint64]) -> None:
    """One step of the recurrence on ``v`` in place; sums carry from word to word."""
    if len(v) == 1:
        kept = v & ~match
        v += v & match
        v |= kept
        return
    carry = np.zeros(v.shape[1], dtype=np.uint64)
    for word, found in zip(v, match, strict=True):
        kept = word & ~found
        total = word + (word & found)
        over = total < word
        total += carry
        over |= total < carry
        carry = over.astype(np.uint64)
        word[:] = total | kept


def _position_masks(table: TokenTable, rows: Ints, words: int) -> tuple[Ints, NDArray[np.uint64]]:
    """For each (text, token) that occurs, the positions of the token; mask 0 is empty."""
    lengths = table.lengths[rows]
    at = gather_runs(table.offsets[rows], lengths)
    owner = np.repeat(rows, lengths)
    place = at - np.repeat(table.offsets[rows], lengths)
    size = max(len(table.words), 1)
    key = owner * size + table.ids[at]
    order = np.argsort(key, kind="stable")
    keys, first = np.unique(key[order], return_index=True)
    place = place[order]
    bit = np.uint64(1) << (place % 64).astype(np.uint64)
    masks = np.zeros((words, len(keys) + 1), dtype=np.uint64)
    for word in range(words):
        here = np.where(place // 64 == word, bit, np.uint64(0))
        masks[word, 1:] = np.bitwise_or.reduceat(here, first)
    return keys, masks


def _mask_of_each_step(table: TokenTable, bits: Ints, steps: Ints, keys: Ints) -> Ints:
    lengths = table.lengths[steps]
    at = gather_runs(table.offsets[steps], lengths)
    size = max(len(table.words), 1)
    wanted = np.repeat(bits, lengths) * size + table.ids[at]
    where = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    found: Ints = np.where(keys[where] == wanted, where + 1, 0)
    return found
