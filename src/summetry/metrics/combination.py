"""A weighted sum of values of other metrics.

    value = constant + w_1 v_1 + ... + w_k v_k

Undefined where one of the v is. Without weights it is the plain mean of the values, w = 1/k. Of a
value of which lower is better the weight should be negative, so that higher is better of the sum.
``summetry combine`` finds weights with which the sum follows people's judgments, and spells them.

A mean of sums is the sum of means: over topics, and over groups of references that are left
out (jackknifing), a combination is the same combination of its parts' means, if all are defined.

Source: ours; NPowER (Giannakopoulos and Karkaletsis 2013) is such a sum of two values.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from operator import or_
from typing import Any, ClassVar

import numpy as np

from summetry import spec
from summetry.arrays.types import Floats
from summetry.errors import SummetryError
from summetry.metrics.base import METRICS, Counts, Metric, Needs, Scores, build_metric, explained
from summetry.metrics.explanations import UNDEFINED, Explanation, Match, Part
from summetry.records.batches import Batch, Comparison
from summetry.spec import Spec


def combination(values: Sequence[float], weights: Sequence[float], constant: float = 0.0) -> float:
    """The weighted sum of the values of one summary.

    >>> combination([0.5, 0.25], [0.7, 1.3], constant=1.0)
    1.675
    """
    if len(values) != len(weights):
        raise SummetryError(
            f"a combination needs a weight for each value, got {len(weights)} weights for "
            f"{len(values)} values"
        )
    return math.fsum([constant, *(w * v for w, v in zip(weights, values, strict=True))])


@dataclass(frozen=True)
class MetricValue:
    """A metric, and the name of one of its values."""

    metric: Metric
    value: str

    @staticmethod
    def from_spec(part: Any) -> MetricValue:
        """The value that ``rouge_n(n=2).recall`` names; without a name, the metric's headline."""
        if isinstance(part, MetricValue):
            return part
        if not isinstance(part, str | Spec):
            raise SummetryError(f"of: expected metrics such as rouge_n(n=2).recall, got {part!r}")
        metric, pick = build_metric(part)
        return MetricValue(metric, pick or metric.headline)

    def to_spec(self) -> Spec:
        """The spelling; of a metric with one value that value is not named."""
        pick = self.value if len(self.metric.values) > 1 else ""
        return Spec(self.metric.name, spec.changed_options(self.metric), pick)

    def __str__(self) -> str:
        return str(self.to_spec())


@cache
def _usual() -> tuple[MetricValue, ...]:
    return MetricValue.from_spec("unit_overlap"), MetricValue.from_spec("cosine")


def _of_any_part(name: str) -> Any:
    """A property that is true where it is true of one of the parts."""
    return property(lambda self: any(getattr(metric, name) for metric in self._metrics))


@METRICS.register
@dataclass(frozen=True)
class Combination(Metric):
    """A weighted sum of values of other metrics; `summetry combine` finds weights."""

    # Not the usual parts as a default: a spelling should name its parts, even if they are these.
    of: tuple[MetricValue, ...] = ()
    weights: tuple[float, ...] = ()
    constant: float = 0.0

    name: ClassVar[str] = "combination"
    family: ClassVar[str] = "combinations"
    values: ClassVar[tuple[str, ...]] = ("value",)
    # It repeats what its parts say, so it is no part of "all metrics".
    only_if_asked: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.weights and not self.of:
            raise SummetryError("combination: weights go with of, the values that they are for")
        twice = [str(part) for part, count in Counter(self.of).items() if count > 1]
        if twice:
            raise SummetryError(f"combination: of has {twice[0]} twice; give it one weight")
        if self.weights and len(self.weights) != len(self.of):
            raise SummetryError(
                f"combination: a weight for each value is needed, got {len(self.weights)} "
                f"weights for {len(self.of)} values"
            )
        for weight in (*self.weights, self.constant):
            if not math.isfinite(weight):
                raise SummetryError(f"combination: weights must be finite numbers, got {weight}")
        if 0 in self.weights:
            part = self.of[self.weights.index(0)]
            raise SummetryError(f"combination: the weight of {part} is 0; leave {part} out")

    @property
    def bounds(self) -> tuple[float, float]:
        ends = [
            sorted(weight * bound for bound in part.metric.bounds)
            for part, weight in self._weighted
        ]
        low, high = (sum(side) for side in zip(*ends, strict=True))
        return self.constant + low, self.constant + high

    @property
    def needs(self) -> Needs:
        return reduce(or_, (metric.needs for metric in self._metrics))

    @property
    def reference_policy(self) -> str:
        return " and ".join(_each_once(metric.reference_policy for metric in self._metrics))

    @property
    def pipeline(self) -> _Pipelines | None:
        pipelines = (metric.pipeline for metric in self._metrics)
        described = _each_once(one.describe() for one in pipelines if one is not None)
        return _Pipelines(described) if described else None

    @property
    def files(self) -> tuple[str, ...]:
        return _each_once(file for metric in self._metrics for file in metric.files)

    reads_majority = _of_any_part("reads_majority")
    reads_sentences = _of_any_part("reads_sentences")
    leaves_out_contributors = _of_any_part("leaves_out_contributors")
    multiplies_matrices = _of_any_part("multiplies_matrices")

    def count(self, batch: Batch) -> Counts:
        """The counts of all parts side by side, of a metric with several values once."""
        return join_counts([metric.count(batch) for metric in self._metrics])

    def score(self, counts: Counts) -> Scores:
        values = self._part_values(counts)
        total = np.full(len(counts), self.constant)
        with np.errstate(invalid="ignore"):
            # An infinite value of each sign has no sum.
            for part, weight in self._weighted:
                total += weight * values[part]
        return {"value": total}

    @property
    def terms(self) -> dict[str, str]:
        return {
            "constant": "what is added",
            "weight": "how much this value counts",
            **{f"value_{i}": str(part) for i, (part, _) in enumerate(self._weighted, 1)},
        }

    def explain(self, comparison: Comparison) -> Explanation:
        values = self._part_values(self.count(Batch([comparison])))
        facts, terms, matches = {"constant": self.constant}, ["constant"], []
        for number, (part, weight) in enumerate(self._weighted, 1):
            value = float(values[part][0])
            facts |= {f"weight_{number}": weight, f"value_{number}": value}
            terms.append(f"weight_{number} * value_{number}")
            matches.append(Match(f"value_{number}: {part}", weight * value))
        defined = not any(math.isnan(fact) for fact in facts.values())
        formula = {"value": " + ".join(terms) if defined else UNDEFINED}
        return explained(self, comparison, [Part("the parts", facts, formula, tuple(matches))])

    def notes(self, batch: Batch) -> dict[str, int]:
        return {
            f"{spec.show(metric)}: {words}": count
            for metric in self._metrics
            for words, count in metric.notes(batch).items()
        }

    @cached_property
    def _metrics(self) -> tuple[Metric, ...]:
        return tuple(dict.fromkeys(part.metric for part, _ in self._weighted))

    @property
    def _weighted(self) -> list[tuple[MetricValue, float]]:
        parts = self.of or _usual()
        weights = self.weights or (1 / len(parts),) * len(parts)
        return list(zip(parts, weights, strict=True))

    def _part_values(self, counts: Counts) -> dict[MetricValue, Floats]:
        pieces = split_counts(counts, len(self._metrics))
        if pieces is None:
            return {part: np.full(len(counts), np.nan) for part, _ in self._weighted}
        scores = {m: m.score(own) for m, own in zip(self._metrics, pieces, strict=True)}
        return {part: scores[part.metric][part.value] for part, _ in self._weighted}


def join_counts(pieces: Sequence[Counts]) -> Counts:
    """Counts of several metrics in one table, in front of them 1 and how wide each is.

    Rows may be added up, as those of one metric may: in front of a sum of n rows there is n, and
    n times each width.

    >>> join_counts([np.array([[5.0, 6.0]]), np.array([[7.0]])]).tolist()
    [[1.0, 2.0, 1.0, 5.0, 6.0, 7.0]]
    """
    widths = [1.0, *(float(piece.shape[1]) for piece in pieces)]
    front = np.tile(widths, (len(pieces[0]), 1))
    return np.hstack([front, *pieces])


def split_counts(counts: Counts, number: int) -> list[Counts] | None:
    """The ``number`` tables that :func:`join_counts` joined; None of no rows, or of their sum."""
    rows = counts[counts[:, 0] > 0][:1]
    if not len(rows):
        return None
    widths = np.rint(rows[0, 1 : number + 1] / rows[0, 0]).astype(np.int64)
    ends = number + 1 + np.cumsum(widths)
    return np.split(counts, [number + 1, *ends[:-1]], axis=1)[1:]


def _each_once(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, words)))


@dataclass(frozen=True)
class _Pipelines:
    """How the parts prepare texts, in words."""

    described: tuple[str, ...]

    def describe(self) -> str:
        return "+".join(self.described)
