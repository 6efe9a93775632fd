"""Runs of ASCII letters and digits of many texts at once, on bytes.

For pipelines whose tokens are the runs of ``a-z0-9`` after lower-casing ``A-Z``, everything else
being a separator: one look-up a byte finds the letters, the edges between letters and other bytes
are the tokens, and the bytes of a token are read as machine words, so that only distinct tokens
are ever looked at one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from summetry.text.vocabulary import Ints, TokenTable

# Distinct tokens -> the form of each that is compared, None for one that is left out.
Normalise = Callable[[list[str]], list[str | None]]
Words = NDArray[np.uint64]

_END, _LINE = b"\x00", b"\n"
_WORD = 8
# Tokens of more bytes than this are no words; they are few and taken out one by one.
_LONGEST = 64
# Each byte in lower case, 0 for what is no letter or digit.
_LOWER = bytes(
    byte + 32 if 65 <= byte <= 90 else byte if chr(byte) in "abcdefghijklmnopqrstuvwxyz0123456789"
    else 0
    for byte in range(256)
)  # fmt: skip
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
    content = _joined(texts)
    return _table(content, _places(content, _END), normalise)


def encode_ascii_lines(texts: Sequence[str], normalise: Normalise) -> tuple[TokenTable, Ints]:
    """The tokens of all lines that are not empty, and where the lines of each text start.

    >>> table, first = encode_ascii_lines(["a b\\n\\nc", "", "d"], lambda words: list(words))
    >>> table.offsets.tolist(), first.tolist()
    ([0, 2, 3, 4], [0, 2, 2, 3])
    """
    content = _joined(texts)
    borders = np.sort(np.concatenate([_places(content, _LINE), _places(content, _END)]))
    kept = np.diff(borders, prepend=-1) > 1
    # A text ends where one of the borders is its end.
    ends = np.searchsorted(borders, _places(content, _END), side="right")
    first = np.concatenate([[0], np.cumsum(kept)])[np.concatenate([[0], ends])]
    return _table(content, borders[kept], normalise), first.astype(np.int64)


def _table(content: bytes, ends: Ints, normalise: Normalise) -> TokenTable:
    """The tokens of the pieces of ``content`` that end at ``ends``."""
    # Room behind the last token, so that a machine word can be read at every letter.
    letters = np.frombuffer(content.translate(_LOWER) + _END * _WORD, dtype=np.uint8)
    starts, lengths = _tokens(letters)
    coded, distinct = _number(letters, starts, lengths)
    forms = normalise(distinct)
    words = tuple(sorted({form for form in forms if form is not None}))
    number: dict[str | None, int] = {word: i for i, word in enumerate(words)}
    number[None] = -1
    ids = np.fromiter(map(number.__getitem__, forms), np.int64, len(forms))[coded]
    borders = np.concatenate([[0], np.searchsorted(starts, ends)])
    if None in forms:
        kept = ids >= 0
        ids, borders = ids[kept], np.concatenate([[0], np.cumsum(kept)])[borders]
    return TokenTable(ids, borders.astype(np.int64), words)


def _joined(texts: Sequence[str]) -> bytes:
    """All texts behind one another, each with a byte 0 at its end."""
    # A character outside ASCII becomes one byte that separates, as it should.
    content = "\x00".join([*texts, ""]).encode("ascii", "replace")
    if content.count(_END) == len(texts):
        return content
    return b"".join(t.encode("ascii", "replace").replace(_END, b" ") + _END for t in texts)


def _places(content: bytes, byte: bytes) -> Ints:
    raw = np.frombuffer(content, dtype=np.uint8)
    return np.flatnonzero(raw == byte[0]).astype(np.int64, copy=False)


def _tokens(letters: NDArray[np.uint8]) -> tuple[Ints, Ints]:
    """Where the runs of letters start, and how long they are."""
    inside = np.concatenate([[False], letters != 0])
    edges = np.flatnonzero(inside[1:] != inside[:-1]).astype(np.int64, copy=False)
    starts, ends = edges[0::2], edges[1::2]
    return np.ascontiguousarray(starts), ends - starts


def _number(letters: NDArray[np.uint8], starts: Ints, lengths: Ints) -> tuple[Ints, list[str]]:
    """A number for each token, and the distinct tokens that the numbers stand for."""
    at_every_byte: Words = np.ndarray((len(letters) - _WORD + 1,), "<u8", letters, strides=(1,))
    keys = at_every_byte[starts] & _FIRST[np.minimum(lengths, _WORD)]
    short = lengths <= _WORD
    # A token holds no 0, so the bytes of a short one are all there is to know of it.
    found, coded_short = distinct_numbers(keys[short])
    distinct = found.astype("<u8").view(f"S{_WORD}").astype(f"U{_WORD}").tolist()
    coded = np.empty(len(starts), dtype=np.int64)
    coded[short] = coded_short
    longer = np.flatnonzero(~short)
    coded_longer, words = _number_longer(
        letters, at_every_byte, keys[longer], starts[longer], lengths[longer]
    )
    coded[longer] = coded_longer + len(distinct)
    return coded, distinct + words


def _number_longer(
    letters: NDArray[np.uint8], at_every_byte: Words, keys: Words, starts: Ints, lengths: Ints
) -> tuple[Ints, list[str]]:
    """As :func:`_number`, for tokens of more than one machine word.

    Their words are mixed into one, and whether two tokens that got the same are the same is
    looked up afterwards, so that a coincidence costs time and never a wrong number.
    """
    rests: list[tuple[Ints, Words]] = []
    mixed = keys
    for step in range(_WORD, min(int(lengths.max(initial=0)), _LONGEST), _WORD):
        more = np.flatnonzero(lengths > step)
        rest = at_every_byte[starts[more] + step] & _FIRST[np.minimum(lengths[more] - step, _WORD)]
        rests.append((more, rest))
        mixed = mixed.copy()
        mixed[more] = _mix(mixed[more], rest)
    _, coded = distinct_numbers(mixed)
    one = np.zeros(int(coded.max(initial=-1)) + 1, dtype=np.int64)
    one[coded] = np.arange(len(coded))
    stands_for = one[coded]
    same = (keys == keys[stands_for]) & (lengths == lengths[stands_for]) & (lengths <= _LONGEST)
    for more, rest in rests:
        whole = np.zeros(len(keys), dtype=np.uint64)
        whole[more] = rest
        same &= whole == whole[stands_for]
    text = letters.tobytes()
    if same.all():
        spans = zip(starts[one].tolist(), lengths[one].tolist(), strict=True)
        return coded, [text[start : start + length].decode() for start, length in spans]
    numbers: dict[bytes, int] = {}
    spans = zip(starts.tolist(), lengths.tolist(), strict=True)
    found = [numbers.setdefault(text[a : a + n], len(numbers)) for a, n in spans]
    return np.array(found, dtype=np.int64), [word.decode() for word in numbers]


def _mix(words: Words, others: Words) -> Words:
    found: Words = (words * _SPREAD) ^ others
    return found


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
