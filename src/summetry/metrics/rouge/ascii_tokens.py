"""Runs of ASCII letters and digits of many texts at once, on bytes.

For pipelines whose tokens are the runs of ``a-z0-9`` after lower-casing ``A-Z``, everything else
being a separator: one look-up per byte finds the letters, the edges between letters and other bytes
are the tokens, and the bytes of a token are read as machine words, so that only distinct tokens
are ever looked at one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Ints

# Distinct tokens -> the form of each that is compared, None for one that is left out.
Normalise = Callable[[list[str]], list[str | None]]
Words = NDArray[np.uint64]
Letters = NDArray[np.uint8]

_END, _LINE = b"\x00", b"\n"
_WORD = 8
# A token of more bytes than this is no word; texts with one are taken token by token.
_LONGEST = 64
# Set in what stands for a longer token: no byte of a letter or digit has its highest bit set.
_MIXED = np.uint64(1 << 63)
# Each byte in lower case, 0 for what is no letter or digit.
_LOWER = bytes(
    byte + 32 if 65 <= byte <= 90 else byte if chr(byte) in "abcdefghijklmnopqrstuvwxyz0123456789"
    else 0
    for byte in range(256)
)  # fmt: skip
# An odd number that spreads keys over the slots (the golden ratio of 2^64).
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_MOST_SLOT_BITS = 17
# The first n bytes of a machine word.
_FIRST = np.array([(1 << (8 * n)) - 1 for n in range(_WORD + 1)], dtype=np.uint64)


def encode_ascii(texts: Sequence[str], normalise: Normalise) -> TokenTable:
    """The tokens of all texts as one table; ``normalise`` sees each distinct token once.

    >>> table = encode_ascii(["The dam's 2nd", "", "THE"], lambda words: list(words))
    >>> table.words, table.ids.tolist(), table.offsets.tolist()
    (('2nd', 'dam', 's', 'the'), [3, 1, 2, 0, 3], [0, 4, 4, 5])
    """
    content = _joined(texts)
    return _table(content, np.flatnonzero(_bytes_of(content) == _END[0]), normalise)


def encode_ascii_lines(texts: Sequence[str], normalise: Normalise) -> tuple[TokenTable, Ints]:
    """The tokens of all lines that are not empty, and where the lines of each text start.

    >>> table, first = encode_ascii_lines(["a b\\n\\nc", "", "d"], lambda words: list(words))
    >>> table.offsets.tolist(), first.tolist()
    ([0, 2, 3, 4], [0, 2, 2, 3])
    """
    content = _joined(texts)
    raw = _bytes_of(content)
    borders = np.flatnonzero((raw == _END[0]) | (raw == _LINE[0]))
    kept = np.diff(borders, prepend=-1) > 1
    # A text ends where one of the borders is its end.
    first = np.concatenate([[0], np.cumsum(kept)[raw[borders] == _END[0]]])
    return _table(content, borders[kept], normalise), first.astype(np.int64, copy=False)


def _table(content: bytes, ends: Ints, normalise: Normalise) -> TokenTable:
    """The tokens of the pieces of ``content`` that end at ``ends``."""
    letters = _bytes_of(b"".join([_END, content.translate(_LOWER), _END * _WORD]))
    starts, lengths = _tokens(letters)
    coded, distinct = _number(letters[1:], starts, lengths)
    forms = normalise(distinct)
    words = tuple(sorted({form for form in forms if form is not None}))
    number: dict[str | None, int] = {word: i for i, word in enumerate(words)}
    number[None] = -1
    ids = np.fromiter(map(number.__getitem__, forms), np.int64, len(forms))[coded]
    borders = np.concatenate([[0], np.searchsorted(starts, ends)])
    if None in forms:
        kept = ids >= 0
        ids, borders = ids[kept], np.concatenate([[0], np.cumsum(kept)])[borders]
    return TokenTable(ids, borders.astype(np.int64, copy=False), words)


def _joined(texts: Sequence[str]) -> bytes:
    """All texts behind one another, each with a byte 0 at its end."""
    try:
        # Every byte of a letter outside ASCII separates, as the letter should.
        content = _END.join([*map(str.encode, texts), b""])
    except UnicodeEncodeError:
        # So does half a pair of surrogates, which has no bytes of its own.
        content = _END.join([*(text.encode("ascii", "replace") for text in texts), b""])
    if content.count(_END) == len(texts):
        return content
    return b"".join(t.encode("ascii", "replace").replace(_END, b" ") + _END for t in texts)


def _bytes_of(content: bytes) -> Letters:
    return np.frombuffer(content, dtype=np.uint8)


def _tokens(letters: Letters) -> tuple[Ints, Ints]:
    """Where the runs of letters start, not counting the byte in front, and how long they are."""
    inside = letters != 0
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts = np.ascontiguousarray(edges[0::2])
    return starts, edges[1::2] - starts


def _number(letters: Letters, starts: Ints, lengths: Ints) -> tuple[Ints, list[str]]:
    """A number for each token, and the distinct tokens that the numbers stand for.

    A token holds no 0, so the bytes of a short one are all there is to know of it. The machine
    words of a longer one are mixed into one, and whether two tokens that got the same are the
    same is looked up afterwards, so that a coincidence costs time and never a wrong number.
    """
    # There is room behind the last token, so that a machine word can be read at every letter.
    at_every_byte: Words = np.ndarray((len(letters) - _WORD + 1,), "<u8", letters, strides=(1,))
    keys = at_every_byte[starts]
    keys &= _FIRST.take(lengths, mode="clip")
    longer = np.flatnonzero(lengths > _WORD)
    tokens = _Longer(at_every_byte, keys[longer], starts[longer], lengths[longer])
    keys[longer] = tokens.mixed
    numbers, coded = distinct_numbers(keys)
    mixed = np.flatnonzero(numbers >= _MIXED)
    numbers[mixed] = 0
    distinct: list[str] = numbers.astype("<u8").view(f"S{_WORD}").astype(f"U{_WORD}").tolist()
    one = np.zeros(len(numbers), dtype=np.int64)
    one[coded[longer]] = np.arange(len(longer))
    if not tokens.equal(one[coded[longer]]):
        return _number_one_by_one(letters, starts, lengths)
    spelt = _spell(letters, tokens.starts[one[mixed]], tokens.lengths[one[mixed]])
    for place, token in zip(mixed.tolist(), spelt, strict=True):
        distinct[place] = token.decode()
    return coded, distinct


class _Longer:
    """Tokens of more than one machine word, ``keys`` being their first words."""

    def __init__(self, at_every_byte: Words, keys: Words, starts: Ints, lengths: Ints) -> None:
        self.keys, self.starts, self.lengths = keys, starts, lengths
        # The further words, each with the tokens that have one.
        self.rests: list[tuple[Ints, Words]] = []
        self.mixed = keys.copy()
        for step in range(_WORD, min(int(lengths.max(initial=0)), _LONGEST), _WORD):
            more = np.flatnonzero(lengths > step)
            left = np.minimum(lengths[more] - step, _WORD)
            rest = at_every_byte[starts[more] + step] & _FIRST[left]
            self.rests.append((more, rest))
            self.mixed[more] = _mix(self.mixed[more], rest)
        self.mixed |= _MIXED

    def equal(self, others: Ints) -> bool:
        """Whether each token is the same as the one of these that ``others`` names."""
        if not (self.lengths <= _LONGEST).all():
            return False
        if not (self.keys == self.keys[others]).all():
            return False
        for more, rest in self.rests:
            whole = np.zeros(len(self.keys), dtype=np.uint64)
            whole[more] = rest
            if not (whole == whole[others]).all():
                return False
        return True


def _mix(words: Words, others: Words) -> Words:
    mixed: Words = (words * _SPREAD) ^ others
    return mixed


def _number_one_by_one(letters: Letters, starts: Ints, lengths: Ints) -> tuple[Ints, list[str]]:
    """As :func:`_number`, for tokens of any length."""
    numbers: dict[bytes, int] = {}
    coded = [numbers.setdefault(token, len(numbers)) for token in _spell(letters, starts, lengths)]
    return np.array(coded, dtype=np.int64), [token.decode() for token in numbers]


def _spell(letters: Letters, starts: Ints, lengths: Ints) -> Iterator[bytes]:
    content = letters.tobytes()
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        yield content[start : start + length]


def distinct_numbers(keys: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], Ints]:
    """The distinct keys in some order, and the place of each key among them.

    As ``np.unique`` with its inverse, without sorting: each key is thrown into a slot, the slot
    remembers one of its keys, and only keys that meet another one there are sorted.

    >>> distinct, places = distinct_numbers(np.array([7, 5, 7], dtype=np.uint64))
    >>> distinct[places].tolist(), len(distinct)
    ([7, 5, 7], 2)
    """
    bits = min(len(keys).bit_length() + 1, _MOST_SLOT_BITS)
    slots = ((keys * _SPREAD) >> np.uint64(64 - bits)).view(np.int64)
    # Narrow numbers, so that the slots stay in the cache.
    kind: Any = np.int32 if len(keys) < 1 << 31 else np.int64
    holder: Ints = np.full(1 << bits, -1, dtype=kind)
    holder[slots] = np.arange(len(keys), dtype=kind)
    used = np.flatnonzero(holder >= 0)
    distinct = keys[holder[used]]
    holder[used] = np.arange(len(used), dtype=kind)
    places = holder[slots].astype(np.int64)
    others = np.flatnonzero(distinct[places] != keys)
    if len(others):
        more, inverse = np.unique(keys[others], return_inverse=True)
        places[others] = len(distinct) + inverse
        distinct = np.concatenate([distinct, more])
    return distinct, places
