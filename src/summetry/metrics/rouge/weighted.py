"""ROUGE-W: common subsequences in which unbroken runs weigh more.

A run of k tokens is worth f(k) = k^w. In the table of values equal tokens add f(k + 1) - f(k) to
the value before both, k being the length of the run that ends there; other tokens take the greater
of the values above and to the left. The way back is that of ``lcs_union``: equal tokens go
together, otherwise up if the value there is no less, else left. The table, the way back and the
payment of runs follow ROUGE-1.5.5 to the order of additions, since equal sums decide which way is
taken.

A cell needs its neighbours above and to the left alone, so the cells of an anti-diagonal are
computed at once, for many pairs of texts side by side; of each cell one bit is kept for the way
back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from summetry.arrays.token_tables import TokenTable, gather_runs, run_starts, table_of
from summetry.arrays.types import Bools, Ints
from summetry.metrics.rouge.counts import PairCounts
from summetry.metrics.rouge.views import RougeTexts

Sentence = Sequence[Hashable]
# Two long texts have more pairs of sentences than fit into memory at once.
_SENTENCE_PAIRS = 1 << 17
# Cells of an anti-diagonal over all pairs of a block: few enough to stay in the cache.
_BLOCK_CELLS = 1 << 16
# Texts of no more tokens (2^6) are taken together, longer ones with those of like length.
_SHORT_BITS = 6
# What fills shorter texts up: no token, and not the same on both sides.
_NO_TOKEN, _NO_OTHER = -1, -2


def weighted_marks(
    marked: Sequence[Hashable], other: Sequence[Hashable], weight: float
) -> list[bool]:
    """The tokens of ``marked`` in its heaviest common subsequence with ``other``.

    >>> weighted_marks("abxab", "ab", 2.0)
    [False, False, False, True, True]
    """
    table = table_of([marked, other], dict.fromkeys([*marked, *other]))
    marks: list[bool] = mark_heaviest(table, np.array([0]), np.array([1]), weight).tolist()
    return marks


def mark_heaviest(table: TokenTable, marked: Ints, other: Ints, weight: float) -> Bools:
    """:func:`weighted_marks` of the texts ``marked[p]`` and ``other[p]``, one behind the other."""
    lengths, widths = table.lengths[marked], table.lengths[other]
    starts = np.cumsum(lengths) - lengths
    marks = np.zeros(int(lengths.sum()), dtype=bool)
    for block in _blocks(lengths, widths):
        rows, columns = _mark_block(table, marked[block], other[block], weight)
        marks[starts[block[columns]] + rows] = True
    return marks


def _blocks(lengths: Ints, widths: Ints) -> Iterator[Ints]:
    """Pairs of texts that are not empty, those of like size together."""
    some = np.flatnonzero((lengths > 0) & (widths > 0))
    high, wide = (np.maximum(_bits(size[some]), _SHORT_BITS) for size in (lengths, widths))
    kinds = np.unique(high * 64 + wide)
    for kind in kinds.tolist():
        group = some[high * 64 + wide == kind]
        group = group[np.argsort(np.maximum(lengths[group], widths[group]), kind="stable")]
        step = max(_BLOCK_CELLS >> min(divmod(kind, 64)), 1)
        yield from (group[start : start + step] for start in range(0, len(group), step))


def _bits(sizes: Ints) -> Ints:
    """The least b for each size such that 2^b is no less."""
    return np.ceil(np.log2(sizes)).astype(np.int64)


def _mark_block(table: TokenTable, marked: Ints, other: Ints, weight: float) -> tuple[Ints, Ints]:
    """The places of all tokens that are marked, and the pair that each is of."""
    mine, theirs = _beside(table, marked, _NO_TOKEN), _beside(table, other, _NO_OTHER)
    upwards = _Diagonals(mine, theirs, weight)
    row, column = table.lengths[marked], table.lengths[other]
    pair = np.arange(len(marked))
    rows, pairs = [], []
    while len(pair):
        same = mine[row - 1, pair] == theirs[column - 1, pair]
        rows.append(row[same] - 1)
        pairs.append(pair[same])
        up = upwards.at(row, column, pair)
        row, column = row - (same | up), column - (same | ~up)
        left = (row > 0) & (column > 0)
        row, column, pair = row[left], column[left], pair[left]
    return np.concatenate(rows), np.concatenate(pairs)


class _Diagonals:
    """The tables of all pairs; kept is where the value above is no less than that to the left."""

    def __init__(self, mine: NDArray[Any], theirs: NDArray[Any], weight: float) -> None:
        height, self._width, self._pairs = len(mine), len(theirs), mine.shape[1]
        worth = np.array([float(run) ** weight for run in range(min(height, self._width) + 1)])
        backwards = theirs[::-1].copy()
        # The cell (row, column) of an anti-diagonal stands at its row; the two before are needed.
        # Row 0 is never written to, nor is column 0, which is the last row of an anti-diagonal.
        older, last, new = (np.zeros((height + 1, self._pairs)) for _ in range(3))
        older_runs, last_runs, new_runs = (
            np.zeros((height + 1, self._pairs), dtype=np.int32) for _ in range(3)
        )
        bits = []
        for number in range(2, height + self._width + 1):
            low, high = max(1, number - self._width), min(height, number - 1) + 1
            shift = self._width - number
            equal = mine[low - 1 : high - 1] == backwards[shift + low : shift + high]
            up, left = last[low - 1 : high - 1], last[low:high]
            bits.append(np.packbits(up >= left))
            np.maximum(up, left, out=new[low:high])
            new_runs[low:high] = 0
            at = np.flatnonzero(equal)
            run = older_runs[low - 1 : high - 1].reshape(-1)[at]
            before = older[low - 1 : high - 1].reshape(-1)[at]
            new[low:high].reshape(-1)[at] = before + worth[run + 1] - worth[run]
            new_runs[low:high].reshape(-1)[at] = run + 1
            older, last, new = last, new, older
            older_runs, last_runs, new_runs = last_runs, new_runs, older_runs
        self._bits = np.concatenate(bits)
        self._first = np.concatenate([[0, 0, 0], np.cumsum([len(part) for part in bits])])

    def at(self, row: Ints, column: Ints, pair: Ints) -> Bools:
        """Whether the way goes up from these cells, counted from 1, of these pairs."""
        number = row + column
        place = (row - np.maximum(1, number - self._width)) * self._pairs + pair
        byte = self._bits[self._first[number] + (place >> 3)]
        is_up: Bools = (byte >> (7 - (place & 7)) & 1).astype(bool)
        return is_up


def _beside(table: TokenTable, rows: Ints, nothing: int) -> NDArray[Any]:
    """The k-th tokens of all rows beside one another, ``nothing`` where there is none."""
    lengths = table.lengths[rows]
    # Narrow numbers, which are compared twice as fast; no vocabulary has more words.
    sheet = np.full((len(rows), int(lengths.max())), nothing, dtype=np.int32)
    # Filled row by row, which is the order of the tokens, and then turned round.
    tokens = table.ids[gather_runs(table.offsets[rows], lengths)]
    sheet[np.arange(sheet.shape[1]) < lengths[:, None]] = tokens
    return np.ascontiguousarray(sheet.T)


def weighted_runs(
    references: Sequence[Sentence],
    marks_of: Sequence[Sequence[bool]],
    have: tuple[Counter[Any], Counter[Any]],
    weight: float,
    quirks: bool,
) -> list[tuple[list[tuple[int, int]], float]]:
    """Runs of marked tokens, each token by its sentence and its place there, and what each run is
    worth; ``have`` are the words of both texts.

    A marked token that its text has too few of is not paid. In the original it neither ends the
    run nor pays it, so a run may bridge it or be lost; without quirks it ends the run.
    """
    mine, theirs = Counter(have[0]), Counter(have[1])
    paid_runs: list[tuple[list[tuple[int, int]], float]] = []
    for row, (sentence, marks) in enumerate(zip(references, marks_of, strict=True)):
        run: list[tuple[int, int]] = []
        for place, token in enumerate(sentence):
            paid = marks[place] and mine[token] > 0 and theirs[token] > 0
            if paid:
                run.append((row, place))
                mine[token] -= 1
                theirs[token] -= 1
            last = place + 1 == len(sentence) or not marks[place + 1]
            if run and ((paid and last) if quirks else (not paid or last)):
                paid_runs.append((run, len(run) ** weight))
                run = []
    return paid_runs


def _marks_of_pairs(texts: RougeTexts, weight: float) -> Bools:
    """What the candidate marks of each reference: all references' sentences behind one another."""
    table, first = texts.sentences.table, texts.sentences.first
    left, right = texts.rows
    counts = first[right + 1] - first[right]
    sentences = gather_runs(first[right], counts)
    candidates = np.repeat(left, counts)
    repeats = first[candidates + 1] - first[candidates]
    lengths = table.lengths[sentences]
    base = np.cumsum(lengths) - lengths
    united = np.zeros(int(lengths.sum()), dtype=bool)
    # Each reference sentence with each sentence of the candidate, some at a time.
    starts = run_starts(np.cumsum(repeats) // _SENTENCE_PAIRS)
    for part in map(slice, starts.tolist(), [*starts[1:].tolist(), len(sentences)]):
        marked = np.repeat(sentences[part], repeats[part])
        others = gather_runs(first[candidates[part]], repeats[part])
        targets = gather_runs(np.repeat(base[part], repeats[part]), table.lengths[marked])
        united[targets[mark_heaviest(table, marked, others, weight)]] = True
    return united


def reference_weights(texts: RougeTexts, weight: float) -> list[float]:
    """For each pair the worth of the sentences of its reference, each an unbroken run.

    Added up in order: the original compares references by sums like these, to the last bit.
    """
    lengths, first = texts.sentences.table.lengths.tolist(), texts.sentences.first.tolist()
    return [
        _add(length**weight for length in lengths[first[text] : first[text + 1]])
        for text in texts.rows[1].tolist()
    ]


def _add(numbers: Iterable[float]) -> float:
    """One addition after the other; newer versions of ``sum`` add more exactly."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def weighted_counts(texts: RougeTexts, weight: float, quirks: bool) -> PairCounts:
    """W for every pair. The original weighs the length of the reference twice; ours once."""
    all_marks = _marks_of_pairs(texts, weight).tolist()
    table, first, whole = texts.sentences.table, texts.sentences.first, texts.whole

    def sentences(text: int) -> list[list[int]]:
        return [table.row(row).tolist() for row in range(first[text], first[text + 1])]

    rows, start = [], 0
    columns = (column.tolist() for column in texts.rows)
    for left, right, reference in zip(*columns, reference_weights(texts, weight), strict=True):
        mine, theirs, marks = sentences(left), sentences(right), []
        # The marks of all references stand behind one another, sentence by sentence.
        for sentence in theirs:
            marks.append(all_marks[start : start + len(sentence)])
            start += len(sentence)
        have = Counter(whole.row(left).tolist()), Counter(whole.row(right).tolist())
        hits = _add(worth for _, worth in weighted_runs(theirs, marks, have, weight, quirks))
        if quirks:
            candidate = len(whole.row(left)) ** weight
            rows.append((reference**weight, candidate, hits))
        else:
            candidate = _add(len(sentence) ** weight for sentence in mine)
            # The words of two sentences of the candidate may be one run of the reference, which
            # is worth more than both; all that hits is something the candidate has.
            rows.append((reference, max(candidate, hits), hits))
    return PairCounts(*np.array(rows, dtype=np.float64).reshape(-1, 3).T)
