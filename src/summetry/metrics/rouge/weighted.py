"""Counting for ROUGE-W: longest common subsequences in which unbroken runs weigh more.

A run of k tokens is worth f(k) = k^w. The table, the trace-back and the payment of runs follow
ROUGE-1.5.5 to the order of additions, since equal sums decide which way is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from summetry.arrays.token_tables import gather_runs, run_starts
from summetry.metrics.rouge.counts import PairCounts
from summetry.metrics.rouge.lcs_marks import Marks
from summetry.metrics.rouge.lcs_weighted import mark_heaviest, weighted_marks
from summetry.metrics.rouge.views import RougeView

Sentence = Sequence[Hashable]
# Two long texts have more pairs of sentences than fit into memory at once.
_SENTENCE_PAIRS = 1 << 17


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
    candidates = np.repeat(view.left, counts)
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


def reference_weights(view: RougeView, weight: float) -> list[float]:
    """For each pair the worth of the sentences of its reference, each an unbroken run.

    Added up in order: the original compares references by sums like these, to the last bit.
    """
    lengths, first = view.sentences.table.lengths.tolist(), view.sentences.first.tolist()
    return [
        _add(length**weight for length in lengths[first[text] : first[text + 1]])
        for text in view.right.tolist()
    ]


def _add(numbers: Iterable[float]) -> float:
    """One addition after the other; newer versions of ``sum`` add more exactly."""
    total = 0.0
    for number in numbers:
        total += number
    return total


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
        hits = _add(worth for _, worth in weighted_runs(theirs, marks, have, weight, quirks))
        if quirks:
            candidate = len(view.text.row(left)) ** weight
            rows.append((reference**weight, candidate, hits))
        else:
            candidate = _add(len(sentence) ** weight for sentence in mine)
            # The words of two sentences of the candidate may be one run of the reference, which
            # is worth more than both; all that hits is something the candidate has.
            rows.append((reference, max(candidate, hits), hits))
    return PairCounts(*np.array(rows, dtype=np.float64).reshape(-1, 3).T)
