"""Averages and confidence intervals as ROUGE-1.5.5 makes them, to the last digit it prints.

For each seed 0, 1, ... the script draws as many evaluations as there are, with replacement, and
averages them. Its "average" is the mean of these means, not that of the evaluations. Sorted, with

    delta = samples (100 - confidence) / 200

the interval goes from place delta to place samples - delta - 1, both without their fractions; both
ends are moved towards the next place by the fraction of the second. Sums are added up in the order
of the script, since ties at the fifth decimal are common.

The generator is the script's own (drand48 of the C library), so the interval is the same on every
machine and needs no seed. For intervals of your own choice it is not the tool.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from summetry.arrays.types import Floats
from summetry.errors import SummetryError

_FACTOR, _STEP, _START = np.uint64(25214903917), np.uint64(11), np.uint64(13070)
_BITS = 48
_MASK = np.uint64((1 << _BITS) - 1)


class Average(NamedTuple):
    """One entry per column: the mean over all samples, and both ends of the interval."""

    mean: Floats
    low: Floats
    high: Floats


def sample_sums(rows: Floats, samples: int) -> Floats:
    """The sums of the drawn rows, one row per sample.

    >>> sample_sums(np.array([[1.0], [2.0], [4.0]]), 3).tolist()
    [[6.0], [7.0], [7.0]]
    """
    count = len(rows)
    state = (np.arange(samples, dtype=np.uint64) << np.uint64(16)) + _START
    sums = np.zeros((samples, *rows.shape[1:]))
    for _ in range(count):
        # Multiplication wraps at 64 bits, of which the lower 48 are right.
        state = (state * _FACTOR + _STEP) & _MASK
        share = np.ldexp(state.astype(np.float64), -_BITS)
        sums += rows[(share * count).astype(np.int64)]
    return sums


def average_scores(scores: Floats, samples: int, confidence: float) -> Average:
    """Scores averaged column by column; rows are evaluations in the order of the script."""
    _check(samples, confidence)
    return _summarise(sample_sums(scores, samples) / max(len(scores), 1), confidence)


def average_counts(counts: Floats, samples: int, confidence: float, alpha: float) -> Average:
    """Recall, precision and F of summed counts (``-t 1``).

    ``counts`` has three columns: units of the references, units of the candidate, hits.
    """
    _check(samples, confidence)
    reference, candidate, hits = sample_sums(counts, samples).T
    recall, precision = _ratio(hits, reference), _ratio(hits, candidate)
    f = _ratio(precision * recall, (1 - alpha) * precision + alpha * recall)
    return _summarise(np.column_stack([recall, precision, f]), confidence)


def _summarise(values: Floats, confidence: float) -> Average:
    samples = len(values)
    ascending = np.sort(values, axis=0)
    # From the smallest on, one after the other: the pairwise sums of numpy end in other digits.
    mean = np.add.accumulate(ascending, axis=0)[-1] / samples
    delta = samples * ((100 - confidence) / 2) / 100
    upper = math.trunc(samples - delta - 1)
    fraction = samples - delta - 1 - upper
    # Behind the last place the script finds a 0, which shows with a single sample alone.
    ascending = np.append(ascending, np.zeros((1, *ascending.shape[1:])), axis=0)
    low, high = (
        ascending[at] + (ascending[at + 1] - ascending[at]) * fraction
        for at in (math.trunc(delta), upper)
    )
    return Average(mean, low, high)


def _ratio(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def _check(samples: int, confidence: float) -> None:
    if samples < 1:
        raise SummetryError(f"resampling needs 1 sample or more, got {samples}")
    if not 0 <= confidence <= 100:
        raise SummetryError(f"a confidence is between 0 and 100 percent, got {confidence}")
