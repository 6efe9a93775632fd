"""ROUGE of one candidate and one reference in plain Python, on tokens of any kind.

It is what a single small pair runs on, what runs where the kernel is not compiled, and what the
kernel is held against.

Summary-level L sets every sentence of a reference against every sentence of the candidate, and a
token is marked if it is in the subsequence that one of them leads to. Of several longest ones the
trace-back of ROUGE-1.5.5 picks one, and which one matters as soon as the marks of several sentences
are united: start at both ends; equal tokens go together; otherwise drop the token of the marked
text if that loses nothing, else the token of the other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain

from summetry.arrays.ngrams import windows

Tokens = Sequence[Hashable]
# A table of up to this many bits (8 MB) is kept whole.
_MOST_BITS = 1 << 26


def shared_ngrams(candidate: Tokens, reference: Tokens, n: int = 1) -> int:
    """The n-grams that both have, each as often as both have it.

    >>> shared_ngrams("abab", "ab", 2)
    1
    """
    if n > 1:
        candidate, reference = (list(map(tuple, windows(t, n))) for t in (candidate, reference))
    left, found = Counter(reference), 0
    for gram in candidate:
        if left.get(gram, 0) > 0:
            left[gram] -= 1
            found += 1
    return found


def united_hits(
    candidate: Sequence[Tokens],
    reference: Sequence[Tokens],
    have: tuple[Iterable[Hashable], Iterable[Hashable]] | None = None,
) -> int:
    """The tokens of the reference's sentences that some sentence of the candidate marks, of each
    word no more than both texts have of it.

    ``have`` are the words of both texts, where these are not the words of the sentences.

    >>> united_hits(["abc"], ["ab", "bc"])
    3
    """
    mine, theirs = have or (chain.from_iterable(candidate), chain.from_iterable(reference))
    left = Counter(mine) & Counter(theirs)
    marks = [[False] * len(sentence) for sentence in reference]
    for other in candidate:
        places = places_of(other)
        for sentence, marked in zip(reference, marks, strict=True):
            _mark(sentence, places, len(other), marked)
    found = 0
    for sentence, marked in zip(reference, marks, strict=True):
        for token, mark in zip(sentence, marked, strict=True):
            if mark and left[token] > 0:
                left[token] -= 1
                found += 1
    return found


def mark_pair(marked: Tokens, other: Tokens) -> list[bool]:
    """The tokens of ``marked`` in its common subsequence with ``other``.

    >>> mark_pair("abcd", "bd")
    [False, True, False, True]
    """
    marks = [False] * len(marked)
    _mark(marked, places_of(other), len(other), marks)
    return marks


def places_of(tokens: Tokens) -> dict[Hashable, int]:
    """For each token where it stands: bit ``i`` is set if ``tokens[i]`` is it.

    >>> {token: format(bits, "04b") for token, bits in places_of("abca").items()}
    {'a': '1001', 'b': '0010', 'c': '0100'}
    """
    places: dict[Hashable, int] = {}
    for place, token in enumerate(tokens):
        places[token] = places.get(token, 0) | 1 << place
    return places


def _mark(tokens: Tokens, places: Mapping[Hashable, int], width: int, marks: list[bool]) -> None:
    """Set the marks of a sentence by another one, of which ``places`` and ``width`` are known.

    A token without an equal leaves the table of lengths as it is and is never marked, so only the
    others have rows. On the way back one is marked where it stands in the last column that is open,
    or where the length there is one more than in the row above: then the way goes left to its last
    match, and no way goes up before that, since the length stays one more on all of it.
    """
    rows = [place for place, token in enumerate(tokens) if token in places]
    matches = [places[tokens[place]] for place in rows]
    still = (1 << width) - 1
    # Of two long texts only one row in ``stride`` is kept, and those between are computed again on
    # the way back: all rows would not fit into memory.
    height = len(rows)
    stride = max(height if height * width <= _MOST_BITS else math.isqrt(height), 1)
    kept = [still]
    for start in range(0, height - stride, stride):
        kept.append(_table(kept[-1], matches[start : start + stride], kept[0])[-1])
    for start in reversed(range(0, height, stride)):
        table = _table(kept[start // stride], matches[start : start + stride], kept[0])
        for row in reversed(range(start, min(start + stride, height))):
            match = matches[row] & still
            if not match:
                continue
            upto = (1 << match.bit_length()) - 1
            # Open bits of a row are the columns where the length does not grow.
            above, here = (table[row - start + step] & still for step in (0, 1))
            if upto == still or here.bit_count() != above.bit_count():
                marks[rows[row]] = True
                still = upto >> 1


def _table(first: int, matches: Iterable[int], all_open: int) -> list[int]:
    """The row ``first`` of a table of lengths, and the rows that follow from it.

    Bit ``j`` of a row is 0 where the length grows at token ``j`` of the other text (Hyyrö 2004,
    "Bit-parallel LCS-length computation revisited").
    """
    rows = [first]
    for match in matches:
        row = rows[-1]
        rows.append(((row + (row & match)) | (row & ~match)) & all_open)
    return rows
