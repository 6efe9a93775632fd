"""Co-selection: how far an extract picks the units that people picked.

    P = |S n I| / |S|     R = |S n I| / |I|     F = (b^2 + 1) P R / (b^2 P + R)

computed as F = (1 + b^2) |S n I| / (b^2 |I| + |S|), which is the same wherever the printed
formula is defined and 0 where nothing is shared. ``beta`` > 1 favours recall: the paper's
sentence says the opposite of its formula. An empty extract has P = 0; an ideal extract
without units leaves R undefined.

Source: Steinberger and Jezek (2009), eq. 1-2.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from summetry.errors import SummetryError
from summetry.metrics._base import (
    METRICS,
    Better,
    Counts,
    Needs,
    Over,
    Scores,
    explained,
    means,
    over_references,
)
from summetry.metrics._explain import Explanation, Match, Part, left_out
from summetry.model.batches import Batch, Comparison


class PrecisionRecallF(NamedTuple):
    precision: float
    recall: float
    f: float


def precision_recall_f(
    hits: int, chosen: int, wanted: int, beta: float | Fraction = 1.0
) -> PrecisionRecallF:
    """P, R and F from the number of hits, of chosen and of wanted things.

    >>> precision_recall_f(2, 3, 4)
    PrecisionRecallF(precision=0.6666666666666666, recall=0.5, f=0.5714285714285714)
    """
    check_beta(beta)
    nothing = math.nan if not wanted else 0.0
    precision = hits / chosen if chosen else nothing
    recall = hits / wanted if wanted else math.nan
    below = beta**2 * wanted + chosen
    if below:
        return PrecisionRecallF(precision, recall, float((1 + beta**2) * hits / below))
    return PrecisionRecallF(precision, recall, nothing)


def coselection(
    system: Collection[int], ideal: Collection[int], beta: float | Fraction = 1.0
) -> PrecisionRecallF:
    """P, R and F of two extracts, given as unit numbers.

    >>> coselection([1, 3], [1, 2]).f
    0.5
    """
    chosen, wanted = set(system), set(ideal)
    return precision_recall_f(len(chosen & wanted), len(chosen), len(wanted), beta)


def check_beta(beta: float | Fraction) -> None:
    if not 0 <= beta < math.inf:
        raise SummetryError(f"beta must be 0 or more and finite, got {beta}")


@METRICS.register
@dataclass(frozen=True)
class CoSelection:
    """Precision, recall and F over unit numbers (Steinberger and Jezek, eq. 1-2)."""

    beta: float = 1.0
    against: Literal["informants", "models"] = "informants"
    references: Over = "mean"

    name: ClassVar[str] = "coselection"
    family: ClassVar[str] = "co-selection"
    values: ClassVar[tuple[str, ...]] = ("precision", "recall", "f")
    headline: ClassVar[str] = "f"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    better: ClassVar[Better] = dict.fromkeys(values, "higher")

    def __post_init__(self) -> None:
        check_beta(self.beta)

    @property
    def needs(self) -> Needs:
        if self.against == "informants":
            return Needs.UNITS | Needs.EXTRACTS
        return Needs.UNITS | Needs.REFERENCE_UNITS

    def count(self, batch: Batch) -> Counts:
        found, owners = [], []
        for row, comparison in enumerate(batch.comparisons):
            chosen = comparison.candidate.units or ()
            for _, ideal in self._ideals(comparison):
                found.append(coselection(chosen, ideal, self.beta) if ideal else _LEFT_OUT)
                owners.append(row)
        table = np.array(found, dtype=np.float64).reshape(-1, len(self.values))
        who = np.array(owners, dtype=np.int64)
        return np.hstack([over_references(c, who, len(batch), self.references) for c in table.T])

    def score(self, counts: Counts) -> Scores:
        return means(counts, self.values)

    def explain(self, comparison: Comparison) -> Explanation:
        chosen = set(comparison.candidate.units or ())
        parts = []
        for who, ideal in self._ideals(comparison):
            shared = sorted(chosen & set(ideal))
            facts: dict[str, float] = {"matched": len(shared), "chosen": len(chosen)}
            facts |= {"wanted": len(set(ideal)), "beta": self.beta}
            matches = tuple(Match(unit_text(comparison, unit)) for unit in shared)
            formulas = _FORMULAS if ideal else left_out(self.values)
            parts.append(Part(who, facts, formulas, matches))
        return explained(self, comparison, parts, self.references)

    def _ideals(self, comparison: Comparison) -> list[tuple[str, tuple[int, ...]]]:
        if self.against == "informants":
            return [(e.informant, e.units) for e in comparison.material.extracts]
        return [(s.author, s.units) for s in comparison.references if s.units is not None]


_LEFT_OUT = PrecisionRecallF(math.nan, math.nan, math.nan)
_FORMULAS = {
    "precision": "matched / chosen if chosen else 0",
    "recall": "matched / wanted",
    "f": "(1 + beta**2) * matched / (beta**2 * wanted + chosen) if matched else 0",
}


def unit_text(comparison: Comparison, unit: int) -> str:
    """A unit's number and text, for an explanation."""
    units = comparison.material.units
    return f"unit {unit}: {units[unit]}" if unit < len(units) else f"unit {unit}"
