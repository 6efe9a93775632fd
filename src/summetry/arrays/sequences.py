"""Longest common subsequences and edit distances of sequences of tokens.

The lengths of many come from the kernel. Those of two sequences, distances, and the alignments that
are shown to a reader come from rapidfuzz. It compares the hashes of what it is given, and those of
some objects collide (-1 and -2), so tokens become whole numbers from 0 on first: their ids in a
table, or numbers by order of appearance.

:func:`lcs_states` is for trace-backs whose choice among several longest subsequences decides a
number: the table of lengths as bits, one long number per token (Hyyrö 2004, "Bit-parallel
LCS-length computation revisited").
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np

from summetry.arrays import kernel
from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Ints

Numbers = Sequence[int]
Token = TypeVar("Token", bound=Hashable)
# Loaded where it is first needed: it takes as long to load as a short run takes.
Measure = Callable[[Numbers, Numbers], int]


def lcs_length(x: Sequence[Hashable], y: Sequence[Hashable]) -> int:
    """Tokens in the longest sequence that ``x`` and ``y`` both hold in order.

    >>> lcs_length("the cat sat on it".split(), "the dog sat on a cat".split())
    3
    """
    return _common()(*_numbered(x, y))


def lcs_lengths(table: TokenTable, left: Ints, right: Ints) -> Ints:
    """:func:`lcs_length` of the texts ``left[i]`` and ``right[i]`` of a table, for every ``i``."""
    if not kernel.is_compiled():
        return _of_pairs(_common(), table, left, right)
    left, right = table.checked_rows(left, right)
    ids, offsets, words, longest = table.checked
    lengths = np.empty(len(left), dtype=np.int64)
    here, there = table.lengths[left], table.lengths[right]
    for part in kernel.in_parts(here + there + here * there // 64):
        sides, found = (left[part], right[part]), lengths[part]
        kernel.call("lcs_lengths", ids, offsets, *sides, len(found), words, longest, found)
    return lengths


def lcs_alignment(x: Sequence[Hashable], y: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The places in ``x`` and in ``y`` of one longest common subsequence, for explanations.

    >>> lcs_alignment("abcde", "xbxdx")
    [(1, 1), (3, 3)]
    """
    from rapidfuzz.distance import LCSseq

    blocks = LCSseq.editops(*_numbered(x, y)).as_matching_blocks()
    return [(block.a + i, block.b + i) for block in blocks for i in range(block.size)]


def edit_distance(x: Sequence[Hashable], y: Sequence[Hashable]) -> int:
    """The fewest substitutions, insertions and deletions that turn ``x`` into ``y``.

    >>> edit_distance("kitten", "sitting")
    3
    """
    return _edits()(*_numbered(x, y))


def edit_distances(table: TokenTable, left: Ints, right: Ints) -> Ints:
    """:func:`edit_distance` of the texts ``left[i]`` and ``right[i]``, for every ``i``."""
    return _of_pairs(_edits(), table, left, right)


def lcs_states(x: Sequence[Hashable], y: Sequence[Hashable]) -> list[int]:
    """For each token of ``y`` a number: bit ``i`` is 0 where ``x[i]`` makes the longest one longer.

    With ``M`` the places of the token in ``x``, ``V := (V + (V & M)) | (V & ~M)``. The zeros among
    the lowest ``i`` bits are the length for ``x[:i]`` and ``y`` up to the token.

    >>> [format(v, "03b") for v in lcs_states("abc", "ac")]
    ['110', '010']
    """
    places, full = bits_by_token(x), (1 << len(x)) - 1
    states, state = [], full
    for token in y:
        match = state & places.get(token, 0)
        state = ((state + match) | (state - match)) & full
        states.append(state)
    return states


def bits_by_token(tokens: Iterable[Token]) -> dict[Token, int]:
    """For each token where it stands: bit ``i`` is set if it is the ``i``-th, from 0.

    >>> {token: format(bits, "04b") for token, bits in bits_by_token("abca").items()}
    {'a': '1001', 'b': '0010', 'c': '0100'}
    """
    bits: dict[Token, int] = {}
    for place, token in enumerate(tokens):
        bits[token] = bits.get(token, 0) | 1 << place
    return bits


def places_by_token(tokens: Iterable[Token]) -> dict[Token, list[int]]:
    """For each token the places where it stands, ascending."""
    places: dict[Token, list[int]] = {}
    for place, token in enumerate(tokens):
        places.setdefault(token, []).append(place)
    return places


def _common() -> Measure:
    from rapidfuzz.distance import LCSseq

    return LCSseq.similarity


def _edits() -> Measure:
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance


def _of_pairs(measure: Measure, table: TokenTable, left: Ints, right: Ints) -> Ints:
    # rapidfuzz reads arrays of numbers at once, and lists item by item.
    ids = array("q", table.ids.tobytes())
    rows = [ids[start:end] for start, end in pairwise(table.offsets.tolist())]
    pairs = zip(left.tolist(), right.tolist(), strict=True)
    return np.fromiter((measure(rows[i], rows[j]) for i, j in pairs), np.int64, len(left))


def _numbered(*sequences: Sequence[Hashable]) -> Iterator[Numbers]:
    number: dict[Hashable, int] = {}
    for sequence in sequences:
        yield array("q", [number.setdefault(token, len(number)) for token in sequence])
