"""ROUGE-S and -SU of whole batches: pairs of tokens in order with some tokens between them.

For each word that two texts share is counted how often each of these words follows it, in one text
and in the other. That takes memory for words and not for their pairs, of which long texts have too
many to hold.
"""

from __future__ import annotations

import numpy as np

from summetry.arrays import kernel
from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Ints
from summetry.errors import SummetryError
from summetry.metrics.rouge.counts import PairCounts
from summetry.metrics.rouge.plain import shared_skips
from summetry.metrics.rouge.views import RougeTexts

# The most steps that two texts may take: the words that they share, times all places of these.
_MOST_STEPS = 1 << 34
# Which tokens count by themselves, as the kernel numbers it.
SINGLES = {"none": 0, "all": 1, "not last": 2}


def skip_counts(texts: RougeTexts, gap: int, singles: str) -> PairCounts:
    """Ordered pairs of tokens with at most ``gap`` between (any number if it is below 0).

    ``singles`` says which tokens count by themselves, too: ``none``, ``all``, or ``not last`` as
    in the original.
    """
    table, (left, right) = texts.table, texts.rows
    totals = unit_totals(table.lengths, gap, singles)
    columns = totals[right], totals[left], skip_hits(table, left, right, gap, singles)
    return PairCounts(*(column.astype(np.float64) for column in columns))


def unit_totals(lengths: Ints, gap: int, singles: str) -> Ints:
    """How many pairs, and tokens that count by themselves, texts of these lengths have."""
    totals = skip_totals(lengths, gap)
    if singles != "none":
        totals = totals + lengths
    return totals - (lengths > 0) if singles == "not last" else totals


def skip_totals(lengths: Ints, gap: int) -> Ints:
    """How many pairs texts of these lengths have; a ``gap`` below 0 is no limit.

    >>> skip_totals(np.array([0, 1, 4]), 1).tolist()
    [0, 0, 5]
    """
    reach = np.maximum(lengths - 1, 0)
    if 0 <= gap < int(reach.max(initial=0)):
        reach = np.minimum(reach, gap + 1)
    totals: Ints = reach * lengths - reach * (reach + 1) // 2
    return totals


def skip_hits(table: TokenTable, left: Ints, right: Ints, gap: int, singles: str = "none") -> Ints:
    """:func:`shared_skips` of the texts ``left[p]`` and ``right[p]`` of a table, for each pair."""
    left, right = table.checked_rows(left, right)
    ids, offsets, words, longest = table.checked
    reach = longest if gap < 0 else min(gap + 1, longest)
    steps = _count_steps(table, left, right, reach)
    if not kernel.is_compiled():
        mine, theirs = ([table.row(row).tolist() for row in side] for side in (left, right))
        pairs = zip(mine, theirs, strict=True)
        return np.array([shared_skips(*pair, gap, singles) for pair in pairs], dtype=np.int64)
    hits = np.empty(len(left), dtype=np.int64)
    for part in kernel.in_parts(steps):
        here, there, found = left[part], right[part], hits[part]
        kernel.call(
            "shared_skips", ids, offsets, here, there, len(found), reach, SINGLES[singles],
            words, longest, found,
        )  # fmt: skip
    return hits


def _count_steps(table: TokenTable, left: Ints, right: Ints, reach: int) -> Ints:
    """How many steps each pair takes at most; texts that would take many minutes are refused."""
    here, there = table.lengths[left], table.lengths[right]
    steps: Ints = np.minimum(np.minimum(here, there), reach) * (here + there)
    for pair in np.flatnonzero(steps > _MOST_STEPS).tolist():
        rows = table.row(left[pair]), table.row(right[pair])
        words = np.intersect1d(*rows)
        tokens = sum(int(np.isin(row, words).sum()) for row in rows)
        steps[pair] = min(len(words), reach) * tokens
        if steps[pair] > _MOST_STEPS:
            raise SummetryError(
                f"rouge_s, rouge_su: two texts that share {len(words):,} different words have too "
                f"many pairs of words, one far behind the other; set a gap, as in rouge_s(gap=4), "
                f"or a length, as in rouge_s(length='1000 words')"
            )
    return steps
