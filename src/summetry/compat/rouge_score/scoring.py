"""Scores, and their means over resamples, as ``rouge_score.scoring`` has them.

The aggregator of rouge-score draws from numpy's global generator, so two runs differ. Here the
generator is seeded: the bounds are those of ``np.random.seed(seed)`` followed by rouge-score's
``aggregate()``, to the last bit, and two calls agree.
"""

from __future__ import annotations

import abc
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from summetry.arguments import check_whole
from summetry.arrays.types import Floats
from summetry.errors import SummetryError

DEFAULT_SEED = 0
# How many draws are held at a time.
_BLOCK = 1 << 18


class Score(NamedTuple):
    """One value of each kind, in the order of rouge-score."""

    precision: float
    recall: float
    fmeasure: float


class AggregateScore(NamedTuple):
    """The bounds of an interval around the mean, and its middle: the median of the resamples."""

    low: Any
    mid: Any
    high: Any


class BaseScorer(abc.ABC):
    """What scores a prediction against its target."""

    @abc.abstractmethod
    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """A score for each type."""


class BootstrapAggregator:
    """Intervals of means by resampling; ``seed`` is the one argument that rouge-score lacks.

    >>> aggregator = BootstrapAggregator(n_samples=100)
    >>> aggregator.add_scores({"rouge1": Score(0.5, 0.5, 0.5)})
    >>> aggregator.add_scores({"rouge1": Score(1.0, 1.0, 1.0)})
    >>> [float(bound.fmeasure) for bound in aggregator.aggregate()["rouge1"]]
    [0.5, 0.75, 1.0]
    """

    def __init__(
        self, confidence_interval: float = 0.95, n_samples: int = 1000, seed: int = DEFAULT_SEED
    ) -> None:
        if not 0 <= confidence_interval <= 1:
            raise SummetryError(
                f"confidence_interval must be between 0 and 1, got {confidence_interval}"
            )
        check_whole("n_samples", n_samples, 1)
        check_whole("seed", seed, 0)
        self._confidence_interval, self._n_samples = confidence_interval, n_samples
        self._seed = seed
        self._scores: defaultdict[str, list[Any]] = defaultdict(list)

    def add_scores(self, scores: Mapping[str, Any]) -> None:
        """Take the scores of one more prediction: a named tuple of numbers for each type."""
        for rouge_type, score in scores.items():
            self._scores[rouge_type].append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """The bounds for each type, as named tuples of the kind that was added."""
        columns = {name: np.array(scores, dtype=float) for name, scores in self._scores.items()}
        bounds = bootstrap(columns, self._confidence_interval, self._n_samples, self._seed)
        return {
            name: AggregateScore(*(type(self._scores[name][0])(*row) for row in rows))
            for name, rows in bounds.items()
        }


def bootstrap(
    columns: Mapping[str, Floats],
    confidence_interval: float = 0.95,
    n_samples: int = 1000,
    seed: int = DEFAULT_SEED,
) -> dict[str, Floats]:
    """Rows for low, mid and high of the mean of each column; one name after the other draws."""
    # The legacy generator, since rouge-score draws from it.
    random = np.random.RandomState(seed)
    tail = (1 - confidence_interval) / 2
    percentiles = 100 * np.array([tail, 0.5, 1 - tail])
    return {
        name: np.percentile(_resampled_means(table, n_samples, random), percentiles, axis=0)
        for name, table in columns.items()
    }


def _resampled_means(table: Floats, n_samples: int, random: np.random.RandomState) -> Floats:
    """A row of means for each resample of the rows of ``table``."""
    rows = len(table)
    means = np.empty((n_samples, table.shape[1]))
    step = max(1, _BLOCK // rows)
    for start in range(0, n_samples, step):
        size = min(step, n_samples - start)
        draws = random.randint(0, rows, size=size * rows)
        resample = np.repeat(np.arange(size), rows)
        for column, values in enumerate(table.T):
            # Adds up one row after the other, as the mean over rows does in rouge-score;
            # numpy's sum of a single column would add in another order.
            sums = np.bincount(resample, weights=values[draws], minlength=size)
            means[start : start + size, column] = sums / rows
    return means


def fmeasure(precision: float, recall: float) -> float:
    """The harmonic mean; 0 where both are 0."""
    total = precision + recall
    return 2 * precision * recall / total if total > 0 else 0.0
