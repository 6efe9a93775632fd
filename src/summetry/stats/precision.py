"""Average precision: how well a ranking puts the positive ones first.

    AveP = mean, over the positive ones, of the precision at their rank

which is the sum of Prec(r) times the change of recall at r. What is not labelled (None) is left
out before ranks are counted. Without a positive one it is undefined.

Scores that are equal have no order, and average precision depends on it. ``ties`` says what is
done:

``stable``       the order in which they are given
``expected``     the mean over all orders of the tied ones, in closed form
``optimistic``   positive ones first
``pessimistic``  positive ones last
``block``        all of a tie at the rank of its last one

An undefined score (NaN) is below all others; those that are undefined are tied.

Source: Kennedy and Szpakowicz (2010), section 3.1; the rules for ties are ours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from summetry.arrays.types import Bools, Floats
from summetry.errors import SummetryError, did_you_mean, next_sentence
from summetry.stats.agreement import mean_defined

Ties = Literal["stable", "expected", "optimistic", "pessimistic", "block"]
RULES: tuple[Ties, ...] = get_args(Ties)

# True for positive, False for negative, None for what nobody labelled.
Labels = Sequence[bool | None]


def average_precision(scores: Sequence[float], labels: Labels, ties: Ties = "stable") -> float:
    """The average precision of a ranking by ``scores``, highest first.

    >>> average_precision([3, 2, 1], [True, False, True])
    0.8333333333333333
    >>> average_precision([5, 5], [False, True], "expected")
    0.75
    """
    if ties not in RULES:
        hint = next_sentence(did_you_mean(ties, RULES))
        raise SummetryError(f"ties must be one of {', '.join(RULES)}, got {ties!r}{hint}")
    if len(scores) != len(labels):
        raise SummetryError(
            f"average precision needs a label for each score, got {len(scores)} scores and "
            f"{len(labels)} labels"
        )
    labelled = [place for place, label in enumerate(labels) if label is not None]
    values = np.array([scores[place] for place in labelled], np.float64)
    is_positive = np.array([labels[place] for place in labelled], np.bool_)
    if not is_positive.any():
        return math.nan
    if ties in ("optimistic", "pessimistic"):
        return _of_order(is_positive[np.lexsort((is_positive == (ties == "pessimistic"), -values))])
    order = np.argsort(-values, kind="stable")
    if ties == "stable":
        return _of_order(is_positive[order])
    return _of_blocks(values[order], is_positive[order], ties == "expected")


def _of_order(is_positive: Bools) -> float:
    ranks = np.flatnonzero(is_positive) + 1
    return float(math.fsum(np.arange(1, len(ranks) + 1) / ranks) / len(ranks))


def _of_blocks(values: Floats, is_positive: Bools, expected: bool) -> float:
    """Average precision where each run of equal values counts as a whole.

    In a run of g with q positive ones, behind a others of which p are positive, place i is
    positive in q / g of all orders, and then (i - 1) (q - 1) / (g - 1) of those before it in the
    run are, on average.
    """
    same = (values[1:] == values[:-1]) | (np.isnan(values[1:]) & np.isnan(values[:-1]))
    first = np.flatnonzero(np.append(True, ~same))
    g = np.diff(first, append=len(values))
    q = np.add.reduceat(is_positive.astype(np.int64), first)
    p = np.cumsum(q) - q
    if not expected:
        return math.fsum(q * (p + q) / (first + g)) / float(q.sum())
    a, g, q, p = (np.repeat(column, g) for column in (first, g, q, p))
    i = np.arange(1, len(values) + 1) - a
    before = p + (i - 1) * (q - 1) / np.maximum(g - 1, 1)
    # Whatever the run holds, a place that is never positive adds nothing.
    shares = np.where(q > 0, q / g * (before + 1) / (a + i), 0.0)
    return math.fsum(shares) / float(is_positive.sum())


def expected_ap_random(labelled: int, positive: int) -> float:
    """The mean average precision over all orders of so many, of which ``positive`` are positive.

    (H + (R - 1) / (N - 1) (N - H)) / N, where H = 1 + 1/2 + ... + 1/N.

    >>> expected_ap_random(4, 1)
    0.5208333333333334
    """
    if not 0 <= positive <= labelled:
        raise SummetryError(f"expected 0 to {labelled} positive ones, got {positive}")
    if not positive:
        return math.nan
    harmonic = math.fsum(1 / rank for rank in range(1, labelled + 1))
    share = (positive - 1) / (labelled - 1) if labelled > 1 else 0.0
    return (harmonic + share * (labelled - harmonic)) / labelled


class MacroPrecision(NamedTuple):
    """Average precision of each set and its mean; ``pooled`` ranks all sets as one."""

    per_set: tuple[float, ...]
    macro: float
    pooled: float
    sets_used: int


def macro_average_precision(sets: Iterable[tuple[Sequence[float], Labels]]) -> MacroPrecision:
    """The mean average precision over sets of scores and labels; undefined ones are left out."""
    lists = [(list(scores), list(labels)) for scores, labels in sets]
    per_set = tuple(average_precision(scores, labels) for scores, labels in lists)
    pooled = average_precision(
        [score for scores, _ in lists for score in scores],
        [label for _, labels in lists for label in labels],
    )
    used = sum(not math.isnan(value) for value in per_set)
    return MacroPrecision(per_set, mean_defined(per_set), pooled, used)
