"""ROUGE-W of whole batches: common subsequences in which unbroken runs weigh more.

A run of k tokens is worth f(k) = k^weight (``plain`` has the table). The worth of a text is, for
each sentence of the reference, that of the heaviest sentence of the candidate, summed.

The script ROUGE-1.5.5 has the same table and does not take its worth. It goes back through it, as L
does, marks tokens of the reference, unites the marks of all sentences of the candidate, and pays
runs of marked tokens: words scattered in the candidate are one run if they are one in the
reference. All this is followed to the order of additions, since equal sums decide which way is
taken.

Source: Lin (2004), section 4; the script ROUGE-1.5.5.
"""

from __future__ import annotations

import numpy as np

from summetry.arrays import kernel
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError
from summetry.metrics.rouge.counts import PairCounts
from summetry.metrics.rouge.plain import heaviest_hits, script_hits
from summetry.metrics.rouge.views import RougeTexts

# The most cells of two texts, the words of one times those of the other: some seconds of work, and
# a bit of memory for each.
MOST_CELLS = 1 << 29


def weighted_counts(texts: RougeTexts, weight: float) -> PairCounts:
    """W for every pair: for each reference sentence the heaviest sentence of the candidate."""
    left, right = texts.rows
    hits = _hits(texts, weight, is_script=False)
    weights = _text_weights(texts, weight)
    # A sentence of the candidate may match several of the reference.
    return PairCounts(weights[right], np.maximum(weights[left], hits), hits)


def script_counts(texts: RougeTexts, weight: float) -> PairCounts:
    """W as the script ROUGE-1.5.5 has it, which weighs the length of the reference twice."""
    hits = _hits(texts, weight, is_script=True)
    once, lengths = reference_weights(texts, weight), texts.whole.lengths[texts.rows[0]]
    reference, candidate = (
        np.array([float(size) ** weight for size in sizes.tolist()]) for sizes in (once, lengths)
    )
    return PairCounts(reference, candidate, hits)


def reference_weights(texts: RougeTexts, weight: float) -> Floats:
    """For each pair the worth of the sentences of its reference, each an unbroken run."""
    return _text_weights(texts, weight)[texts.rows[1]]


def _text_weights(texts: RougeTexts, weight: float) -> Floats:
    """For each text the worth of its sentences, added up in order: the original compares references
    by sums like these, to the last bit."""
    lengths, first = texts.sentences.table.lengths, texts.sentences.first
    text = np.repeat(np.arange(len(first) - 1), np.diff(first))
    worth = _powers(int(lengths.max(initial=0)), weight)[lengths]
    return np.bincount(text, worth, len(first) - 1).astype(np.float64)


def _powers(longest: int, weight: float) -> Floats:
    """What runs of 0, 1, 2, ... tokens are worth."""
    return np.array([float(run) ** weight for run in range(longest + 1)])


def _hits(texts: RougeTexts, weight: float, is_script: bool) -> Floats:
    """What is paid for each pair: the heaviest sentences, or the script's runs."""
    sentences, whole = texts.sentences, texts.whole
    left, right = sentences.whole.checked_rows(*texts.rows)
    whole.checked_rows(left, right)
    assert whole.is_numbered_like(sentences.whole)
    cells = _count_cells(sentences.whole.lengths, left, right)
    if not kernel.is_compiled():
        pairs = zip(left.tolist(), right.tolist(), strict=True)
        return np.array([_plain_hits(texts, *pair, weight, is_script) for pair in pairs], float)
    table, have = sentences.table.checked, whole.checked
    rows = table.ids, table.offsets, np.ascontiguousarray(sentences.first, np.int64)
    name, counted = ("script_hits", have[:2]) if is_script else ("heaviest_hits", ())
    sizes = max(table.words, have.words), table.longest
    powers, hits = _powers(table.longest, weight), np.empty(len(left))
    for part in kernel.in_parts(cells):
        sides = left[part], right[part]
        kernel.call(name, *rows, *counted, *sides, len(sides[0]), *sizes, powers, hits[part])
    return hits


def _plain_hits(texts: RougeTexts, left: int, right: int, weight: float, is_script: bool) -> float:
    sides = texts.sentences.rows_of(left), texts.sentences.rows_of(right)
    if not is_script:
        return heaviest_hits(*sides, weight)
    have = texts.whole.row(left).tolist(), texts.whole.row(right).tolist()
    return script_hits(*sides, have, weight)


def _count_cells(lengths: Ints, left: Ints, right: Ints) -> Ints:
    """The cells of each pair; texts whose table would take minutes are refused."""
    cells: Ints = lengths[left] * lengths[right]
    if cells.max(initial=0) > MOST_CELLS:
        place = int(cells.argmax())
        raise SummetryError(
            f"rouge_w: a candidate of {int(lengths[left[place]]):,} words and a reference of "
            f"{int(lengths[right[place]]):,} are too long: multiplied, they may be {MOST_CELLS:,} "
            f"at most; set a length, as in rouge_w(length='1000 words'), or take rouge-l"
        )
    return cells
