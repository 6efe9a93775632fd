"""Runs of ASCII letters and digits of many texts at once, on bytes.

For pipelines whose tokens are the runs of ``a-z0-9`` after lower-casing ``A-Z``, everything else
being a separator: one look-up a byte finds the letters, the edges between letters and other bytes
are the tokens, and a token of up to eight bytes is a machine word of its own, so that only
distinct tokens are ever looked at one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from summetry.text.vocabulary import Ints, TokenTable

# Distinct tokens -> the form of each that is compared, None for one that is left out.
Normalise = Callable[[list[str]], list[str | None]]

_END = b"\x00"
_WORD = 8
# Each byte in lower case, 0 for what is no letter or digit.
_LOWER = np.zeros(256, dtype=np.uint8)
for _byte in b"abcdefghijklmnopqrstuvwxyz0123456789":
    _LOWER[_byte] = _byte
for _byte in b"ABCDEFGHIJKLMNOPQRSTUVWXYZ":
    _LOWER[_byte] = _byte + 32
# An odd number that spreads keys over the slots (the golden ratio of 2^64).
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_MOST_SLOT_BITS = 18
# The first n bytes of a machine word.
_FIRST = np.array([(1 << (8 * n)) - 1 for n in range(_WORD + 1)], dtype=np.uint64)


def encode_ascii(texts: Sequence[str], normalise: Normalise) -> TokenTable:
    """The tokens of all texts as one table; ``normalise`` sees each distinct token once.

    >>> table = encode_ascii(["The dam's 2nd", "", "THE"], lambda words: list(words))
    >>> table.words, table.ids.tolist(), table.offsets.tolist()
    (('2nd', 'dam', 's', 'the'), [3, 1, 2, 0, 3], [0, 4, 4, 5])
    """
    letters, ends = _letters(texts)
    starts, lengths = _tokens(letters)
    coded, distinct = _number(letters, starts, lengths)
    forms = normalise(distinct)
    words = tuple(sorted({form for form in forms if form is not None}))
    number = {word: i for i, word in enumerate(words)}
    ids = np.array([-1 if f is None else number[f] for f in forms], dtype=np.int64)[coded]
    kept = ids >= 0
    before = np.concatenate([[0], np.cumsum(kept)])
    offsets = before[np.concatenate([[0], np.searchsorted(starts, ends)])]
    return TokenTable(ids[kept], offsets.astype(np.int64), words)


def _letters(texts: Sequence[str]) -> tuple[NDArray[np.uint8], Ints]:
    """All texts behind one another as lower-case bytes, and where each of them ends."""
    # A character outside ASCII becomes one byte that separates, as it should.
    content = "\x00".join(texts).encode("ascii", "replace")
    if content.count(_END) != max(len(texts) - 1, 0):
        content = _END.join(t.encode("ascii", "replace").replace(_END, b" ") for t in texts)
    # Room behind the last token, so that a machine word can be read at every letter.
    raw = np.frombuffer(content + _END * (_WORD + 1), dtype=np.uint8)
    ends = np.flatnonzero(raw[: len(content) + 1] == 0)[: len(texts)]
    return _LOWER[raw], ends.astype(np.int64)


def _tokens(letters: NDArray[np.uint8]) -> tuple[Ints, Ints]:
    """Where the runs of letters start, and how long they are."""
    inside = np.concatenate([[False], letters != 0])
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts, ends = edges[0::2], edges[1::2]
    return starts.astype(np.int64), (ends - starts).astype(np.int64)


def _number(letters: NDArray[np.uint8], starts: Ints, lengths: Ints) -> tuple[Ints, list[str]]:
    """A number for each token, and the distinct tokens that the numbers stand for."""
    at_every_byte = np.ndarray((len(letters) - _WORD + 1,), "<u8", letters, strides=(1,))
    keys = at_every_byte[starts] & _FIRST[np.minimum(lengths, _WORD)]
    short = lengths <= _WORD
    # A token holds no 0, so the bytes of a short one are all there is to know of it.
    found, coded_short = distinct_numbers(keys[short])
    text = letters.tobytes()
    distinct = [key.to_bytes(_WORD, "little").rstrip(_END).decode() for key in found.tolist()]
    coded = np.empty(len(starts), dtype=np.int64)
    coded[short] = coded_short
    # Longer ones are few: they are taken out one by one.
    places = np.flatnonzero(~short)
    numbers: dict[bytes, int] = {}
    spans = zip(starts[places].tolist(), lengths[places].tolist(), strict=True)
    base = len(distinct)
    longer = [numbers.setdefault(text[a : a + n], base + len(numbers)) for a, n in spans]
    coded[places] = longer
    return coded, distinct + [word.decode() for word in numbers]


def distinct_numbers(keys: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], Ints]:
    """The distinct keys in some order, and the place of each key among them.

    As ``np.unique`` with its inverse, without sorting: each key is thrown into a slot, the slot
    remembers one of its keys, and only keys that meet another one there are sorted.

    >>> found, places = distinct_numbers(np.array([7, 5, 7], dtype=np.uint64))
    >>> found[places].tolist(), len(found)
    ([7, 5, 7], 2)
    """
    bits = min(len(keys).bit_length() + 1, _MOST_SLOT_BITS)
    slots = ((keys * _SPREAD) >> np.uint64(64 - bits)).astype(np.int64)
    holder = np.full(1 << bits, -1, dtype=np.int64)
    holder[slots] = np.arange(len(keys))
    used = holder >= 0
    found = keys[holder[used]]
    places = (np.cumsum(used) - 1)[slots]
    others = np.flatnonzero(found[places] != keys)
    if len(others):
        more, inverse = np.unique(keys[others], return_inverse=True)
        places[others] = len(found) + inverse
        found = np.concatenate([found, more])
    return found, places
