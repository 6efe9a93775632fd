"""ROUGE-W: common subsequences in which unbroken runs weigh more.

A run of k tokens is worth f(k) = k^weight. Lin's recursion fills a table of values: equal tokens
add f(k + 1) - f(k) to the value before both, k being the length of the run that ends there; other
tokens take the greater of the values above and to the left, and end the run. The last corner is
the worth of the heaviest common subsequence. The worth of a text is, for each sentence of the
reference, that of the heaviest sentence of the candidate, summed.

The script ROUGE-1.5.5 has the same table and does not take its worth. It goes back through it, as
``lcs_union`` does, marks tokens of the reference, unites the marks of all sentences of the
candidate, and pays runs of marked tokens: words scattered in the candidate are one run if they
are one in the reference. All this is followed to the order of additions, since equal sums decide
which way is taken.

A cell needs its neighbours above and to the left alone, so the cells of an anti-diagonal are
computed at once, for many pairs of sentences side by side.

Source: Lin (2004), section 4; the script ROUGE-1.5.5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from summetry.arrays.token_tables import TokenTable, gather_runs, run_starts, table_of
from summetry.arrays.types import Bools, Floats, Ints
from summetry.errors import SummetryError
from summetry.metrics.rouge.counts import PairCounts
from summetry.metrics.rouge.views import RougeTexts

Sentence = Sequence[Hashable]
# The most cells of two texts, the words of one times those of the other: some seconds of work.
MOST_CELLS = 1 << 29
# Two long texts have more pairs of sentences than fit into memory at once.
_SENTENCE_PAIRS = 1 << 17
# Cells of an anti-diagonal over all pairs of a block: few enough to stay in the cache.
_BLOCK_CELLS = 1 << 16
# Texts of no more tokens (2^6) are taken together, longer ones with those of like length.
_SHORT_BITS = 6
# What fills shorter texts up: no token, and not the same on both sides.
_NO_TOKEN, _NO_OTHER = -1, -2


class WeightedLcs(NamedTuple):
    """The worth of a heaviest common subsequence, and its runs: places in both sentences."""

    worth: float
    runs: list[list[tuple[int, int]]]


def weighted_lcs(reference: Sentence, candidate: Sentence, weight: float) -> WeightedLcs:
    """Lin's weighted common subsequence of two sentences, cell by cell.

    >>> weighted_lcs("abcdefg", "abcdhik", 2.0).worth, weighted_lcs("abcdefg", "ahbkcid", 2.0).worth
    (16.0, 4.0)
    """
    values = [[0.0] * (len(candidate) + 1)]
    ends = [0] * (len(candidate) + 1)
    for mine in reference:
        above, row, runs = values[-1], [0.0], [0]
        for column, other in enumerate(candidate):
            k = ends[column]
            is_same = mine == other
            added = above[column] + (k + 1) ** weight - k**weight
            row.append(added if is_same else max(above[column + 1], row[column]))
            runs.append(k + 1 if is_same else 0)
        values.append(row)
        ends = runs
    return WeightedLcs(values[-1][-1], _runs_of(reference, candidate, values))


def _runs_of(
    reference: Sentence, candidate: Sentence, values: Sequence[Sequence[float]]
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
        elif values[row - 1][column] >= values[row][column - 1]:
            row -= 1
        else:
            column -= 1
    return runs[::-1]


def heaviest(table: TokenTable, left: Ints, right: Ints, weight: float) -> Floats:
    """The worth of :func:`weighted_lcs` of the texts ``left[p]`` and ``right[p]``."""
    lengths, widths = table.lengths[left], table.lengths[right]
    worth = np.zeros(len(left))
    for block in _blocks(lengths, widths):
        mine, theirs = _both_sides(table, left[block], right[block])
        high, corners = lengths[block], lengths[block] + widths[block]
        for number, diagonal in enumerate(_diagonals(mine, theirs, weight), start=2):
            ended = np.flatnonzero(corners == number)
            worth[block[ended]] = diagonal.values[high[ended], ended]
    return worth


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
    mine, theirs = _both_sides(table, marked, other)
    upwards = _Upwards(mine, theirs, weight)
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


class _Upwards:
    """A bit for each cell: whether the value above it is no less than that to the left."""

    def __init__(self, mine: NDArray[Any], theirs: NDArray[Any], weight: float) -> None:
        self._width, self._pairs = len(theirs), mine.shape[1]
        bits = [np.packbits(d.above >= d.left) for d in _diagonals(mine, theirs, weight)]
        self._bits = np.concatenate(bits)
        self._first = np.concatenate([[0, 0, 0], np.cumsum([len(part) for part in bits])])

    def at(self, row: Ints, column: Ints, pair: Ints) -> Bools:
        """Whether the way goes up from these cells, counted from 1, of these pairs."""
        number = row + column
        place = (row - np.maximum(1, number - self._width)) * self._pairs + pair
        byte = self._bits[self._first[number] + (place >> 3)]
        is_up: Bools = (byte >> (7 - (place & 7)) & 1).astype(bool)
        return is_up


class _Diagonal(NamedTuple):
    """The cells of an anti-diagonal, one column per pair: those above them, those to their left,
    and, by the row of the cell counted from 1, their values."""

    above: Floats
    left: Floats
    values: Floats


def _diagonals(mine: NDArray[Any], theirs: NDArray[Any], weight: float) -> Iterator[_Diagonal]:
    """The anti-diagonals of the tables of all pairs, from the first cell to the last; each is
    overwritten when those after it are made."""
    (height, pairs), width = mine.shape, len(theirs)
    worth = np.array([float(run) ** weight for run in range(min(height, width) + 1)])
    backwards = theirs[::-1].copy()
    # The cell (row, column) of an anti-diagonal stands at its row; the two before are needed.
    # Row 0 is never written to, nor is column 0, which is the last row of an anti-diagonal.
    older, last, new = (np.zeros((height + 1, pairs)) for _ in range(3))
    older_runs, last_runs, new_runs = (np.zeros((height + 1, pairs), np.int32) for _ in range(3))
    for number in range(2, height + width + 1):
        low, high = max(1, number - width), min(height, number - 1) + 1
        shift = width - number
        equal = mine[low - 1 : high - 1] == backwards[shift + low : shift + high]
        up, left = last[low - 1 : high - 1], last[low:high]
        np.maximum(up, left, out=new[low:high])
        new_runs[low:high] = 0
        at = np.flatnonzero(equal)
        run = older_runs[low - 1 : high - 1].reshape(-1)[at]
        before = older[low - 1 : high - 1].reshape(-1)[at]
        new[low:high].reshape(-1)[at] = before + worth[run + 1] - worth[run]
        new_runs[low:high].reshape(-1)[at] = run + 1
        yield _Diagonal(up, left, new)
        older, last, new = last, new, older
        older_runs, last_runs, new_runs = last_runs, new_runs, older_runs


def _both_sides(table: TokenTable, left: Ints, right: Ints) -> tuple[NDArray[Any], NDArray[Any]]:
    """The tokens of both texts of some pairs, one column per pair."""
    return _beside(table, left, _NO_TOKEN), _beside(table, right, _NO_OTHER)


def _beside(table: TokenTable, rows: Ints, nothing: int) -> NDArray[Any]:
    """The k-th tokens of all rows beside one another, ``nothing`` where there is none."""
    lengths = table.lengths[rows]
    # Narrow numbers, which are compared twice as fast; no vocabulary has more words.
    sheet = np.full((len(rows), int(lengths.max())), nothing, dtype=np.int32)
    # Filled row by row, which is the order of the tokens, and then turned round.
    tokens = table.ids[gather_runs(table.offsets[rows], lengths)]
    sheet[np.arange(sheet.shape[1]) < lengths[:, None]] = tokens
    return np.ascontiguousarray(sheet.T)


def script_runs(
    references: Sequence[Sentence],
    marks_of: Sequence[Sequence[bool]],
    have: tuple[Counter[Any], Counter[Any]],
    weight: float,
) -> list[tuple[list[tuple[int, int]], float]]:
    """The script's runs of marked tokens, each token by its sentence and its place there, and what
    each run is worth; ``have`` are the words of both texts.

    A marked token that its text has too few of is not paid. It neither ends the run nor pays it,
    so a run may bridge it or be lost.
    """
    mine, theirs = Counter(have[0]), Counter(have[1])
    paid_runs: list[tuple[list[tuple[int, int]], float]] = []
    for row, (sentence, marks) in enumerate(zip(references, marks_of, strict=True)):
        run: list[tuple[int, int]] = []
        for place, token in enumerate(sentence):
            if not (marks[place] and mine[token] > 0 and theirs[token] > 0):
                continue
            run.append((row, place))
            mine[token] -= 1
            theirs[token] -= 1
            if place + 1 == len(sentence) or not marks[place + 1]:
                paid_runs.append((run, len(run) ** weight))
                run = []
    return paid_runs


def _sentences_of(texts: RougeTexts) -> tuple[Ints, Ints]:
    """The sentences of all references one behind the other, and the pair that each is of."""
    first, right = texts.sentences.first, texts.rows[1]
    counts = first[right + 1] - first[right]
    return gather_runs(first[right], counts), np.repeat(np.arange(len(right)), counts)


def _sentence_pairs(texts: RougeTexts) -> Iterator[tuple[Ints, Ints]]:
    """Each of these sentences, by its place, with each of its candidate, some at a time."""
    first = texts.sentences.first
    candidates = texts.rows[0][_sentences_of(texts)[1]]
    repeats = first[candidates + 1] - first[candidates]
    starts = run_starts(np.cumsum(repeats) // _SENTENCE_PAIRS)
    for part in map(slice, starts.tolist(), [*starts[1:].tolist(), len(repeats)]):
        places = np.repeat(np.arange(len(repeats))[part], repeats[part])
        yield places, gather_runs(first[candidates[part]], repeats[part])


def _marks_of_pairs(texts: RougeTexts, weight: float) -> Bools:
    """What the candidate marks of each reference: all references' sentences behind one another."""
    table, (sentences, _) = texts.sentences.table, _sentences_of(texts)
    lengths = table.lengths[sentences]
    base = np.cumsum(lengths) - lengths
    united = np.zeros(int(lengths.sum()), dtype=bool)
    for places, others in _sentence_pairs(texts):
        targets = gather_runs(base[places], lengths[places])
        united[targets[mark_heaviest(table, sentences[places], others, weight)]] = True
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


def weighted_counts(texts: RougeTexts, weight: float) -> PairCounts:
    """W for every pair: for each reference sentence the heaviest sentence of the candidate."""
    _check_size(texts)
    table, first, (left, right) = texts.sentences.table, texts.sentences.first, texts.rows
    text = np.repeat(np.arange(len(first) - 1), np.diff(first))
    worth = np.array([float(length) ** weight for length in table.lengths.tolist()])
    weights = np.bincount(text, worth, len(first) - 1).astype(np.float64)
    sentences, pair = _sentences_of(texts)
    most = np.zeros(len(sentences))
    for places, others in _sentence_pairs(texts):
        np.maximum.at(most, places, heaviest(table, sentences[places], others, weight))
    # What is added up step by step may pass the worth of a sentence in its last bits.
    hits = np.bincount(pair, np.minimum(most, worth[sentences]), len(left)).astype(np.float64)
    # A sentence of the candidate may match several of the reference.
    return PairCounts(weights[right], np.maximum(weights[left], hits), hits)


def _check_size(texts: RougeTexts) -> None:
    """Refuse texts whose table would take minutes, before anything is done."""
    lengths = texts.sentences.whole.lengths
    left, right = (lengths[side] for side in texts.rows)
    cells = left * right
    if cells.max(initial=0) > MOST_CELLS:
        place = int(cells.argmax())
        raise SummetryError(
            f"rouge_w: a candidate of {int(left[place]):,} words and a reference of "
            f"{int(right[place]):,} are too long: multiplied, they may be {MOST_CELLS:,} at most; "
            f"set a length, as in rouge_w(length='1000 words'), or take rouge-l"
        )


def script_counts(texts: RougeTexts, weight: float) -> PairCounts:
    """W as the script ROUGE-1.5.5 has it, which weighs the length of the reference twice."""
    _check_size(texts)
    all_marks = _marks_of_pairs(texts, weight).tolist()
    table, first, whole = texts.sentences.table, texts.sentences.first, texts.whole
    rows, start = [], 0
    columns = (column.tolist() for column in texts.rows)
    for left, right, reference in zip(*columns, reference_weights(texts, weight), strict=True):
        sentences = [table.row(row).tolist() for row in range(first[right], first[right + 1])]
        marks = []
        # The marks of all references stand behind one another, sentence by sentence.
        for sentence in sentences:
            marks.append(all_marks[start : start + len(sentence)])
            start += len(sentence)
        have = Counter(whole.row(left).tolist()), Counter(whole.row(right).tolist())
        hits = _add(worth for _, worth in script_runs(sentences, marks, have, weight))
        rows.append((reference**weight, len(whole.row(left)) ** weight, hits))
    return PairCounts(*np.array(rows, dtype=np.float64).reshape(-1, 3).T)
