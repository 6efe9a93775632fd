"""Counting for ROUGE-W: longest common subsequences in which unbroken runs weigh more.

A run of k tokens is worth f(k) = k^w. The table, the trace-back and the payment of runs follow
ROUGE-1.5.5 to the order of additions, since equal sums decide which way is taken.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from summetry.metrics._rouge_counts import PairCounts
from summetry.metrics._rouge_views import RougeView
from summetry.text.lcs_marks import Marks, trace_back
from summetry.text.vocabulary import Ints, TokenTable, gather_runs

Sentence = Sequence[Hashable]

# Longer texts are marked one pair at a time: few are as long, and their tables are large.
_LONGEST_TOGETHER = 64
_BLOCK_PAIRS = 2048


def weighted_marks(marked: Sentence, other: Sentence, weight: float) -> list[bool]:
    """The tokens of ``marked`` in its heaviest common subsequence with ``other``.

    >>> weighted_marks("abxab", "ab", 2.0)
    [False, False, False, True, True]
    """
    width = len(other) + 1
    # All values are needed on the way back; packed they take a quarter of the memory.
    above, above_runs = [0.0] * width, [0] * width
    values = [array("d", above)]
    for a in marked:
        row, row_runs = [0.0], [0]
        for j, b in enumerate(other):
            if a == b:
                run = above_runs[j]
                row.append(above[j] + (run + 1) ** weight - run**weight)
                row_runs.append(run + 1)
            else:
                row.append(above[j + 1] if above[j + 1] >= row[j] else row[j])
                row_runs.append(0)
        values.append(array("d", row))
        above, above_runs = row, row_runs
    return trace_back(marked, other, values)


def weighted_mark_pairs(table: TokenTable, marked: Ints, other: Ints, weight: float) -> Marks:
    """:func:`weighted_marks` of the texts ``marked[p]`` and ``other[p]``, one behind the other."""
    lengths, widths = table.lengths[marked], table.lengths[other]
    starts = np.cumsum(lengths) - lengths
    found = np.zeros(int(lengths.sum()), dtype=bool)
    longest = np.maximum(lengths, widths)
    some = np.flatnonzero((lengths > 0) & (widths > 0) & (longest <= _LONGEST_TOGETHER))
    # Pairs of like size together, in blocks whose tables fit into memory.
    some = some[np.argsort(longest[some], kind="stable")]
    for block in np.split(some, np.arange(_BLOCK_PAIRS, len(some), _BLOCK_PAIRS)):
        if len(block):
            _mark_block(table, marked[block], other[block], weight, starts[block], found)
    for pair in np.flatnonzero((longest > _LONGEST_TOGETHER) & (widths > 0)).tolist():
        mine, theirs = table.row(marked[pair]).tolist(), table.row(other[pair]).tolist()
        found[starts[pair] : starts[pair] + len(mine)] = weighted_marks(mine, theirs, weight)
    return found


def _mark_block(
    table: TokenTable, marked: Ints, other: Ints, weight: float, starts: Ints, found: Marks
) -> None:
    """The tables of all pairs side by side, then the way back through all of them."""
    mine, theirs = _token_columns(table, marked), _token_columns(table, other)
    height, width, pairs = len(mine), len(theirs), len(marked)
    worth = np.array([float(run) ** weight for run in range(height + 2)])
    values = np.zeros((height + 1, width + 1, pairs))
    runs = np.zeros((width + 1, pairs), dtype=np.int64)
    equal = mine[:, None, :] == theirs[None, :, :]
    for row in range(height):
        # In the order of additions of the plain way.
        longer = values[row, :-1] + worth[runs[:-1] + 1] - worth[runs[:-1]]
        for column in range(width):
            kept = np.maximum(values[row, column + 1], values[row + 1, column])
            values[row + 1, column + 1] = np.where(equal[row, column], longer[column], kept)
        runs[1:] = np.where(equal[row], runs[:-1] + 1, 0)
    at_row, at_column = table.lengths[marked], table.lengths[other]
    pair = np.flatnonzero((at_row > 0) & (at_column > 0))
    while len(pair):
        i, j = at_row[pair], at_column[pair]
        same = equal[i - 1, j - 1, pair]
        found[starts[pair[same]] + i[same] - 1] = True
        up = same | (values[i - 1, j, pair] >= values[i, j - 1, pair])
        at_row[pair] -= up
        at_column[pair] -= same | ~up
        pair = pair[(at_row[pair] > 0) & (at_column[pair] > 0)]


def _token_columns(table: TokenTable, rows: Ints) -> Ints:
    """The k-th tokens of all rows beside one another, -1 where there is none."""
    lengths = table.lengths[rows]
    sheet = np.full((len(rows), int(lengths.max(initial=0))), -1, dtype=np.int64)
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
) -> list[tuple[list[Hashable], float]]:
    """Runs of marked tokens and what each is worth; ``have`` are the words of both texts.

    A marked token that its text has too few of is not paid. In the original it neither ends the
    run nor pays it, so a run may bridge it or be lost; without quirks it ends the run.
    """
    mine, theirs = Counter(have[0]), Counter(have[1])
    paid_runs: list[tuple[list[Hashable], float]] = []
    for sentence, marks in zip(references, marks_of, strict=True):
        run: list[Hashable] = []
        for place, token in enumerate(sentence):
            paid = marks[place] and mine[token] > 0 and theirs[token] > 0
            if paid:
                run.append(token)
                mine[token] -= 1
                theirs[token] -= 1
            last = place + 1 == len(sentence) or not marks[place + 1]
            if run and ((paid and last) if quirks else (not paid or last)):
                paid_runs.append((run, len(run) ** weight))
                run = []
    return paid_runs


def united_marks(
    references: Sequence[Sentence], candidates: Sequence[Sentence], weight: float
) -> list[list[bool]]:
    """For each reference sentence the tokens that some candidate sentence marks."""
    found = []
    for sentence in references:
        marks = [weighted_marks(sentence, other, weight) for other in candidates]
        found.append(
            [any(column) for column in zip(*marks, strict=True)] or [False] * len(sentence)
        )
    return found


def _marks_of_pairs(view: RougeView, weight: float) -> Marks:
    """What the candidate marks of each reference: all references' sentences behind one another."""
    table, first = view.sentences.table, view.sentences.first
    counts = first[view.right + 1] - first[view.right]
    sentences = gather_runs(first[view.right], counts)
    # Each reference sentence with each sentence of the candidate.
    candidates = np.repeat(view.left, counts)
    repeats = first[candidates + 1] - first[candidates]
    marked = np.repeat(sentences, repeats)
    marks = weighted_mark_pairs(table, marked, gather_runs(first[candidates], repeats), weight)
    lengths = table.lengths[sentences]
    base = np.cumsum(lengths) - lengths
    targets = gather_runs(np.repeat(base, repeats), table.lengths[marked])
    united = np.zeros(int(lengths.sum()), dtype=bool)
    united[targets[marks]] = True
    return united


def reference_weights(view: RougeView, weight: float) -> list[float]:
    """For each pair the worth of the sentences of its reference, each an unbroken run.

    Added up in order: the original compares references by sums like these, to the last bit.
    """
    lengths, first = view.sentences.table.lengths.tolist(), view.sentences.first.tolist()
    return [
        sum(length**weight for length in lengths[first[text] : first[text + 1]])
        for text in view.right.tolist()
    ]


def weighted_counts(view: RougeView, weight: float, quirks: bool) -> PairCounts:
    """W for every pair. The original weighs the length of the reference twice; ours once."""
    found = _marks_of_pairs(view, weight).tolist()
    table, first = view.sentences.table, view.sentences.first

    def sentences(text: int) -> list[list[int]]:
        return [table.row(row).tolist() for row in range(first[text], first[text + 1])]

    rows, start = [], 0
    weights = reference_weights(view, weight)
    pairs = zip(view.left.tolist(), view.right.tolist(), weights, strict=True)
    for left, right, reference in pairs:
        mine, theirs, marks = sentences(left), sentences(right), []
        # The marks of all references stand behind one another, sentence by sentence.
        for sentence in theirs:
            marks.append(found[start : start + len(sentence)])
            start += len(sentence)
        have = Counter(view.text.row(left).tolist()), Counter(view.text.row(right).tolist())
        hits = sum(worth for _, worth in weighted_runs(theirs, marks, have, weight, quirks))
        if quirks:
            candidate = len(view.text.row(left)) ** weight
            rows.append((reference**weight, candidate, hits))
        else:
            candidate = sum(len(sentence) ** weight for sentence in mine)
            # The words of two sentences of the candidate may be one run of the reference, which
            # is worth more than both; all that hits is something the candidate has.
            rows.append((reference, max(candidate, hits), hits))
    return PairCounts(*np.array(rows, dtype=np.float64).reshape(-1, 3).T)
