"""ROUGE of one candidate and one reference in plain Python, on tokens of any kind.

It is what runs where the kernel is not compiled, and what the kernel is held against.

Summary-level L sets every sentence of a reference against every sentence of the candidate, and a
token is marked if it is in the subsequence that one of them leads to. Of several longest ones the
trace-back of ROUGE-1.5.5 picks one, and which one matters as soon as the marks of several sentences
are united: start at both ends; equal tokens go together; otherwise drop the token of the marked
text if that loses nothing, else the token of the other.

W has a table of values instead of lengths, in which a run of k tokens is worth f(k) = k^weight:
equal tokens add f(k + 1) - f(k) to the value before both, k being the length of the run that ends
there; other tokens take the greater of the values above and to the left, and end the run (Lin 2004,
section 4). Equal sums decide which way is taken back, so the order of additions matters.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain, pairwise
from operator import ge
from typing import NamedTuple

from summetry.arrays.sequences import bits_by_token, places_by_token

Tokens = Sequence[Hashable]
# A table of up to this many bits (8 MB) is kept whole.
_MOST_BITS = 1 << 26


def shared_ngrams(candidate: Tokens, reference: Tokens, n: int = 1) -> int:
    """The n-grams that both have, each as often as both have it.

    >>> shared_ngrams("abab", "ab", 2)
    1
    """
    left, found = Counter(_ngrams(reference, n)), 0
    often = left.get
    for gram in _ngrams(candidate, n):
        if often(gram):
            left[gram] -= 1
            found += 1
    return found


def _ngrams(tokens: Tokens, n: int) -> Iterable[Hashable]:
    if n == 1 or n > len(tokens):
        return tokens if n == 1 else ()
    return zip(*(tokens[i:] for i in range(n)), strict=False)


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
    # No more tokens of the reference are marked than it has, unless a limit took some away.
    left = Counter(have[0]) & Counter(have[1]) if have else Counter(chain.from_iterable(candidate))
    marks = [[False] * len(sentence) for sentence in reference]
    for other in candidate:
        places = bits_by_token(other)
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
    _mark(marked, bits_by_token(other), len(other), marks)
    return marks


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
            above, here = table[row - start], table[row - start + 1]
            if upto == still or (here & still).bit_count() != (above & still).bit_count():
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


class WeightedLcs(NamedTuple):
    """The worth of a heaviest common subsequence, and its runs: places in both sentences."""

    worth: float
    runs: list[list[tuple[int, int]]]


def weighted_lcs(reference: Tokens, candidate: Tokens, weight: float) -> WeightedLcs:
    """Lin's weighted common subsequence of two sentences, cell by cell.

    >>> weighted_lcs("abcdefg", "abcdhik", 2.0).worth, weighted_lcs("abcdefg", "ahbkcid", 2.0).worth
    (16.0, 4.0)
    """
    worth = [float(k) ** weight for k in range(min(len(reference), len(candidate)) + 1)]
    above, ends, upwards = [0.0] * (len(candidate) + 1), [0] * (len(candidate) + 1), []
    for mine in reference:
        row, runs, left = [0.0], [0], 0.0
        for other, k, before, up in zip(candidate, ends, above, above[1:], strict=False):
            if mine == other:
                left = before + worth[k + 1] - worth[k]
                runs.append(k + 1)
            else:
                left = up if up > left else left
                runs.append(0)
            row.append(left)
        # A byte for each cell is all that the way back needs: is the value above no less than left?
        upwards.append(bytes(map(ge, above[1:], row)))
        above, ends = row, runs
    return WeightedLcs(above[-1], _runs_of(reference, candidate, upwards))


def _runs_of(
    reference: Tokens, candidate: Tokens, upwards: Sequence[bytes]
) -> list[list[tuple[int, int]]]:
    """The way back through a table: equal tokens together, else up if that is no less, else left.

    A run that is met is followed to its beginning, so what is found is what the table paid.
    """
    row, column = len(reference), len(candidate)
    runs: list[list[tuple[int, int]]] = []
    while row and column:
        end = row
        while row and column and reference[row - 1] == candidate[column - 1]:
            row, column = row - 1, column - 1
        if row < end:
            runs.append([(row + step, column + step) for step in range(end - row)])
        elif upwards[row - 1][column - 1]:
            row -= 1
        else:
            column -= 1
    return runs[::-1]


def heaviest_hits(candidate: Sequence[Tokens], reference: Sequence[Tokens], weight: float) -> float:
    """The worth of each reference sentence in the heaviest sentence of the candidate, summed.

    >>> heaviest_hits(["abx", "bcd"], ["abcd", "xy"], 2.0)
    10.0
    """
    total = 0.0
    for sentence in reference:
        worth = (weighted_lcs(sentence, other, weight).worth for other in candidate)
        # What is added up step by step may pass the worth of a sentence in its last bits.
        total += min(max(worth, default=0.0), float(len(sentence)) ** weight)
    return total


def weighted_marks(marked: Tokens, other: Tokens, weight: float) -> list[bool]:
    """The tokens of ``marked`` in its heaviest common subsequence with ``other``.

    >>> weighted_marks("abxab", "ab", 2.0)
    [False, False, False, True, True]
    """
    places = {place for run in weighted_lcs(marked, other, weight).runs for place, _ in run}
    return [place in places for place in range(len(marked))]


def united_marks(
    candidate: Sequence[Tokens],
    reference: Sequence[Tokens],
    mark: Callable[[Tokens, Tokens], list[bool]],
) -> list[list[bool]]:
    """For each sentence of the reference the tokens that some sentence of the candidate marks."""
    return [
        list(map(any, zip(*(mark(sentence, other) for other in candidate), strict=True)))
        or [False] * len(sentence)
        for sentence in reference
    ]


def script_runs(
    candidate: Sequence[Tokens],
    reference: Sequence[Tokens],
    have: tuple[Iterable[Hashable], Iterable[Hashable]],
    weight: float,
) -> list[tuple[list[tuple[int, int]], float]]:
    """ROUGE-1.5.5's runs of marked tokens, each token by its sentence and its place there, and what
    each run is worth; ``have`` are the words of both texts.

    A marked token that a text has too few of is not paid. It neither ends the run nor pays it, so a
    run may bridge it or be lost.
    """
    left = Counter(have[0]) & Counter(have[1])
    marks_of = united_marks(candidate, reference, lambda x, y: weighted_marks(x, y, weight))
    paid_runs: list[tuple[list[tuple[int, int]], float]] = []
    for row, (sentence, marks) in enumerate(zip(reference, marks_of, strict=True)):
        run: list[tuple[int, int]] = []
        for place, token in enumerate(sentence):
            if not (marks[place] and left[token] > 0):
                continue
            run.append((row, place))
            left[token] -= 1
            if place + 1 == len(sentence) or not marks[place + 1]:
                paid_runs.append((run, float(len(run)) ** weight))
                run = []
    return paid_runs


def script_hits(
    candidate: Sequence[Tokens],
    reference: Sequence[Tokens],
    have: tuple[Iterable[Hashable], Iterable[Hashable]],
    weight: float,
) -> float:
    """What all :func:`script_runs` are worth, one added after the other."""
    total = 0.0
    # Newer versions of ``sum`` add more exactly.
    for _, worth in script_runs(candidate, reference, have, weight):
        total += worth
    return total


def shared_skips(candidate: Tokens, reference: Tokens, gap: int = 4, singles: str = "none") -> int:
    """The pairs of tokens in order that both have, at most ``gap`` tokens between them (any number
    if it is below 0), each as often as both have it.

    ``singles`` says which tokens count by themselves, too: ``none``, ``all``, or ``not last``.

    >>> shared_skips("abc", "bac", gap=-1), shared_skips("abc", "bac", gap=0, singles="all")
    (2, 3)
    """
    texts = candidate, reference
    mine, theirs = places = places_by_token(candidate), places_by_token(reference)
    found = 0
    # Word by word: of long texts there are too many pairs to hold.
    for token in mine.keys() & theirs.keys():
        here, there = (
            _followers(text, where[token], gap) for text, where in zip(texts, places, strict=True)
        )
        found += (here & there).total()
    if singles != "none":
        here, there = (Counter(text[:-1] if singles == "not last" else text) for text in texts)
        found += (here & there).total()
    return found


def _followers(tokens: Tokens, places: list[int], gap: int) -> Counter[Hashable]:
    """How often each token stands behind one of these places, at most ``gap`` tokens between."""
    if 0 <= gap < len(tokens):
        return Counter(chain.from_iterable(tokens[at + 1 : at + gap + 2] for at in places))
    often: Counter[Hashable] = Counter()
    # Up to the next of the places all tokens stand behind the same ones.
    for before, (start, end) in enumerate(pairwise([*places, len(tokens)]), start=1):
        for token in tokens[start + 1 : end + 1]:
            often[token] += before
    return often
