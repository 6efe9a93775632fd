"""The arithmetic of pyramids on plain data: weights by SCU, and the SCUs that a summary expresses.

Sums are exact; a score is rounded once, when it becomes a number with a point.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple

from summetry.errors import SummetryError

Rounding = Literal["half_up", "floor", "fractional"]


@dataclass(frozen=True)
class Weights:
    """The weights of a pyramid by the ids of its SCUs, and how many models it was made of."""

    by_id: Mapping[str, float]
    models: int = 0

    def __post_init__(self) -> None:
        wrong = [name for name, weight in self.by_id.items() if not 0 <= weight < math.inf]
        if wrong:
            found = f"{self.by_id[wrong[0]]} for the SCU {wrong[0]!r}"
            raise SummetryError(f"weights must be 0 or more and finite, got {found}")

    @property
    def total(self) -> Fraction:
        return self._sums[-1]

    @property
    def mean_size(self) -> Fraction:
        """Xa: how many SCUs a model has, on average; 0 where the models are not known."""
        return self.total / self.models if self.models else Fraction(0)

    def largest(self, size: int | Fraction) -> Fraction:
        """Max(x): the weight of the heaviest ``size`` SCUs, of a part of the last one too.

        >>> Weights({"a": 4, "b": 3, "c": 2}).largest(Fraction(5, 2))
        Fraction(8, 1)
        """
        whole = min(int(size), len(self.by_id))
        rest = size - whole if whole < len(self.by_id) else 0
        below, above = self._sums[whole], self._sums[min(whole + 1, len(self.by_id))]
        return below + rest * (above - below)

    def of(self, scus: Iterable[str]) -> Fraction:
        """The weight of these SCUs, each as often as it is there; 0 for one not in the pyramid."""
        return Fraction(sum(self._exact.get(scu, 0) for scu in scus))

    @cached_property
    def _exact(self) -> dict[str, int | Fraction]:
        # Whole numbers stay what they are, since fractions take ten times as long to add.
        return {n: w if isinstance(w, int) else Fraction(w) for n, w in self.by_id.items()}

    @cached_property
    def _sums(self) -> list[Fraction]:
        heaviest = sorted(self._exact.values(), reverse=True)
        return [Fraction(total) for total in accumulate(heaviest, initial=0)]


class PyramidScores(NamedTuple):
    """Both scores with all that they are made of."""

    weight: float
    weight_with_repeats: float
    size: int
    best: float
    original: float
    mean_size: float
    rounded_size: int
    best_of_rounded: float
    modified: float
    modified_fractional: float


def pyramid_scores(weights: Mapping[str, float], models: int, peer: Sequence[str]) -> PyramidScores:
    """The scores of a peer that expresses the SCUs ``peer``, ids outside the pyramid among them.

    >>> pyramid_scores({"a": 4, "b": 3, "c": 1}, 4, ["a", "c", "x"]).original
    0.625
    """
    known, distinct = Weights(weights, models), list(dict.fromkeys(peer))
    rounded = round_size(known.mean_size, "half_up")
    sizes = len(distinct), rounded, known.mean_size
    original, modified, fractional = (best_share(known, distinct, size) for size in sizes)
    return PyramidScores(
        float(known.of(distinct)),
        float(known.of(peer)),
        len(distinct),
        float(known.largest(len(distinct))),
        original,
        float(known.mean_size),
        int(rounded),
        float(known.largest(rounded)),
        modified,
        fractional,
    )


def round_size(size: Fraction, rounding: Rounding) -> Fraction:
    """Xa as a number of SCUs.

    >>> round_size(Fraction(5, 2), "half_up"), round_size(Fraction(5, 2), "floor")
    (Fraction(3, 1), Fraction(2, 1))
    """
    if rounding == "fractional":
        return size
    return Fraction(math.floor(size + Fraction(1, 2) if rounding == "half_up" else size))


def scu_recall(weights: Mapping[str, float], peer: Iterable[str], weighted: bool = False) -> float:
    """The share of the pyramid's SCUs, or of their weight, that a peer expresses.

    >>> scu_recall({"a": 3, "b": 1}, ["a", "x"]), scu_recall({"a": 3, "b": 1}, ["a"], True)
    (0.5, 0.75)
    """
    known = Weights(weights if weighted else dict.fromkeys(weights, 1))
    return float(known.of(set(peer)) / known.total) if known.total else math.nan


def scu_precision(weights: Mapping[str, float], peer: Iterable[str]) -> float:
    """The share of a peer's distinct units that are in the pyramid; 0 for a peer without any.

    >>> scu_precision({"a": 3, "b": 1}, ["a", "x", "x"])
    0.5
    """
    distinct = set(peer)
    if not weights:
        return math.nan
    return len(distinct & weights.keys()) / len(distinct) if distinct else 0.0


def best_share(weights: Weights, distinct: Sequence[str], size: int | Fraction) -> float:
    """D by Max(size), 0 for a peer without a single unit."""
    if not weights.total:
        return math.nan
    best = weights.largest(size)
    if not best:
        return math.nan if distinct or isinstance(size, Fraction) else 0.0
    return float(weights.of(distinct) / best)
