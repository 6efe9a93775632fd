"""Relative utility: how much of the attainable worth an extract collects.

    RU = sum over the extract of the judges' summed utilities / the best sum of e units

``e`` is the number of units extracted unless a ``length`` is given; then only the first e units of
the extract count, and a shorter extract scores less. Units of equal utility need no tie rule: the
best sum is the same. Nothing extracted gives 0; utilities that are all 0 leave RU undefined.

Source: Steinberger and Jezek (2009), eq. 3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from summetry.errors import SummetryError
from summetry.metrics.base import METRICS, Counts, Needs, explained
from summetry.metrics.explanations import Explanation, Part, Votes, left_out
from summetry.metrics.formulas import FormulaMetric, TotalsMetric
from summetry.metrics.source_units import unit_match, votes_of_judges
from summetry.records.batches import Batch, Comparison
from summetry.records.lengths import Length


class RelativeUtilityResult(NamedTuple):
    value: float
    numerator: float
    denominator: float
    e: int


def relative_utility(
    utilities: Sequence[Sequence[float]], system: Sequence[int], e: int | None = None
) -> RelativeUtilityResult:
    """RU of a system's units, best first, by ``utilities[judge][unit]``.

    >>> relative_utility([[5, 4, 4, 1, 2]], [0, 2]).value
    1.0
    """
    if not utilities:
        return RelativeUtilityResult(math.nan, 0.0, 0.0, 0)
    worth = _summed(utilities)
    chosen = list(dict.fromkeys(system))
    e = len(chosen) if e is None else min(e, len(worth))
    numerator = _total([worth[unit] for unit in chosen[:e]])
    denominator = _total(sorted(worth, reverse=True)[:e])
    if not chosen:
        value = 0.0 if any(worth) else math.nan
    else:
        value = numerator / denominator if denominator else math.nan
    return RelativeUtilityResult(value, numerator, denominator, e)


def _total(values: list[float]) -> float:
    """Their sum, whatever their order: whole numbers stay so, others are rounded once."""
    return sum(values) if all(isinstance(value, int) for value in values) else math.fsum(values)


def _summed(utilities: Sequence[Sequence[float]]) -> list[float]:
    check_utilities(utilities)
    return [sum(values) for values in zip(*utilities, strict=True)]


def check_utilities(utilities: Sequence[Sequence[float]]) -> None:
    """Refuse judges who valued different numbers of units, and utilities below 0."""
    if len({len(values) for values in utilities}) > 1:
        lengths = ", ".join(str(len(values)) for values in utilities)
        raise SummetryError(f"every judge must value every unit, got {lengths} values")
    lowest = min((min(values, default=0) for values in utilities), default=0)
    if lowest < 0:
        raise SummetryError(f"utilities must be 0 or more, got {lowest}")


@dataclass(frozen=True)
class UtilityMetric(FormulaMetric):
    """What relative utility and normalised relative utility share."""

    length: str | int | None = None

    family: ClassVar[str] = "co-selection"
    needs: ClassVar[Needs] = Needs.UNITS | Needs.UTILITIES

    def __post_init__(self) -> None:
        if self.length is not None:
            length = Length.parse(self.length)
            if length.kind != "units":
                raise SummetryError(f"{self.name}: length must be in sentences, got {length}")
            # Equal lengths are spelt alike.
            object.__setattr__(self, "length", int(length.amount))

    @property
    def e(self) -> int | None:
        """How many units count; None for as many as the extract has."""
        return None if self.length is None else int(self.length)

    def votes(self, comparison: Comparison) -> Votes | None:
        return votes_of_judges(comparison)

    def explained_by_judges(
        self,
        comparison: Comparison,
        facts: dict[str, float],
        worth: Mapping[int, float],
        formulas: dict[str, str],
    ) -> Explanation:
        """By all judges: the units that count, and what each of them is worth."""
        matches = tuple(unit_match(comparison, unit, worth[unit]) for unit in worth)
        judges = ", ".join(utilities.judge for utilities in comparison.material.utilities)
        return explained(self, comparison, [Part(judges, facts, formulas, matches)])


@METRICS.register
@dataclass(frozen=True)
class RelativeUtility(UtilityMetric, TotalsMetric):
    """Utility of the extract divided by the best attainable (Steinberger and Jezek, eq. 3)."""

    name: ClassVar[str] = "relative_utility"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    totals: ClassVar[tuple[str, ...]] = ("matched", "best")
    defined_by: ClassVar[str] = "best"
    formulas: ClassVar[dict[str, str]] = {"value": "matched / best if best else 0"}

    terms: ClassVar[Mapping[str, str]] = {
        "matched": "utility of the candidate's units, over all judges",
        "best": "utility of the best choice of as many units",
    }

    def count(self, batch: Batch) -> Counts:
        results = [self._result(comparison) for comparison in batch.comparisons]
        # Worth collected and worth attainable; an empty extract counts as 0 of 1.
        rows = [
            (r.numerator, r.denominator) if r.e else (0.0, 0.0 if math.isnan(r.value) else 1.0)
            for r in results
        ]
        return np.array(rows, dtype=np.float64).reshape(-1, 2)

    def explain(self, comparison: Comparison) -> Explanation:
        result = self._result(comparison)
        worth = _summed([u.values for u in comparison.material.utilities])
        chosen = list(dict.fromkeys(comparison.candidate.units or ()))[: result.e]
        facts = {"matched": result.numerator, "best": result.denominator}
        formulas = left_out(self.values) if math.isnan(result.value) else self.formulas
        return self.explained_by_judges(comparison, facts, {u: worth[u] for u in chosen}, formulas)

    def _result(self, comparison: Comparison) -> RelativeUtilityResult:
        utilities = [u.values for u in comparison.material.utilities]
        return relative_utility(utilities, comparison.candidate.units or (), self.e)
