"""Counting for ROUGE-W: longest common subsequences in which unbroken runs weigh more.

A run of k tokens is worth f(k) = k^w. The table, the trace-back and the payment of runs follow
ROUGE-1.5.5 to the order of additions, since equal sums decide which way is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from summetry.metrics._rouge_counts import PairCounts
from summetry.metrics._rouge_views import RougeView
from summetry.text.lcs_marks import trace_back

Sentence = Sequence[Hashable]


def weighted_marks(marked: Sentence, other: Sentence, weight: float) -> list[bool]:
    """The tokens of ``marked`` in its heaviest common subsequence with ``other``.

    >>> weighted_marks("abxab", "ab", 2.0)
    [False, False, False, True, True]
    """
    width = len(other) + 1
    values, runs = [[0.0] * width], [[0] * width]
    for a in marked:
        above, above_runs = values[-1], runs[-1]
        row, row_runs = [0.0], [0]
        for j, b in enumerate(other):
            if a == b:
                run = above_runs[j]
                row.append(above[j] + (run + 1) ** weight - run**weight)
                row_runs.append(run + 1)
            else:
                row.append(above[j + 1] if above[j + 1] >= row[j] else row[j])
                row_runs.append(0)
        values.append(row)
        runs.append(row_runs)
    return trace_back(marked, other, values)


def weighted_runs(
    references: Sequence[Sentence],
    candidates: Sequence[Sentence],
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
    for sentence in references:
        marks = [False] * len(sentence)
        for other in candidates:
            found = weighted_marks(sentence, other, weight)
            marks = [a or b for a, b in zip(marks, found, strict=True)]
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


def weighted_counts(view: RougeView, weight: float, quirks: bool) -> PairCounts:
    """W for every pair. The original weighs the length of the reference twice; ours once."""
    table, first = view.sentences.table, view.sentences.first

    def sentences(text: int) -> list[list[int]]:
        return [table.row(row).tolist() for row in range(first[text], first[text + 1])]

    rows = []
    for left, right in zip(view.left.tolist(), view.right.tolist(), strict=True):
        mine, theirs = sentences(left), sentences(right)
        have = Counter(view.text.row(left).tolist()), Counter(view.text.row(right).tolist())
        runs = weighted_runs(theirs, mine, have, weight, quirks)
        hits = sum(worth for _, worth in runs)
        reference = sum(len(sentence) ** weight for sentence in theirs)
        if quirks:
            candidate = len(view.text.row(left)) ** weight
            rows.append((reference**weight, candidate, hits))
        else:
            candidate = sum(len(sentence) ** weight for sentence in mine)
            rows.append((reference, candidate, hits))
    columns = np.array(rows, dtype=np.float64).reshape(-1, 3).T
    return PairCounts(*columns)
