"""Co-selection: how far an extract picks the units that people picked.

    P = |S n I| / |S|     R = |S n I| / |I|     F = (b^2 + 1) P R / (b^2 P + R)

computed as F = (1 + b^2) |S n I| / (b^2 |I| + |S|), which is the same wherever the printed
formula is defined and 0 where nothing is shared. ``beta`` > 1 favours recall: the paper's
sentence says the opposite of its formula. An empty extract has P = 0; an ideal extract
without units leaves R undefined.

``weights=words`` counts the words of the units instead of the units, so that a long sentence
weighs more than a short one. With several informants each of them is an ideal, or the extract on
which most of them agree is, which the engine makes (``against=majority``).

Source: Steinberger and Jezek (2009), eq. 1-2; the weights by words are not in the paper.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from summetry.errors import SummetryError
from summetry.metrics._pairs import FactsMetric, PairFacts, facts_of_rows
from summetry.metrics.base import METRICS, Needs, Over
from summetry.metrics.explanations import Match, Votes
from summetry.metrics.source_units import unit_match, votes_of, votes_of_informants
from summetry.records.batches import Batch, Comparison, Material
from summetry.text.pipeline import LanguagePipeline, TextPipeline

# Its square times any number of words is still a number.
_LARGEST_BETA = 1e100

# How many words each unit has; None where every unit counts 1.
Weights: TypeAlias = Sequence[int] | None


class PrecisionRecallF(NamedTuple):
    precision: float
    recall: float
    f: float


def precision_recall_f(
    hits: int, chosen: int, ideal: int, beta: float | Fraction = 1.0
) -> PrecisionRecallF:
    """P, R and F from the number of hits, of chosen things and of those that should be chosen.

    >>> precision_recall_f(2, 3, 4)
    PrecisionRecallF(precision=0.6666666666666666, recall=0.5, f=0.5714285714285714)
    """
    check_beta(beta)
    nothing = math.nan if not ideal else 0.0
    precision = hits / chosen if chosen else nothing
    recall = hits / ideal if ideal else math.nan
    below = beta**2 * ideal + chosen
    if below:
        return PrecisionRecallF(precision, recall, float((1 + beta**2) * hits / below))
    return PrecisionRecallF(precision, recall, nothing)


def coselection(
    system: Collection[int],
    ideal: Collection[int],
    beta: float | Fraction = 1.0,
    weights: Weights = None,
) -> PrecisionRecallF:
    """P, R and F of two extracts, given as unit numbers; ``weights[unit]`` is what a unit counts.

    >>> coselection([1, 3], [1, 2]).f
    0.5
    >>> coselection([1, 3], [1, 2], weights=[9, 6, 4, 2]).precision
    0.75
    """
    return precision_recall_f(*_sizes(system, ideal, weights), beta)


def _sizes(
    system: Collection[int], ideal: Collection[int], weights: Weights
) -> tuple[int, int, int]:
    """What the common units, the chosen and the ideal ones count."""
    mine, theirs = set(system), set(ideal)
    hits, chosen, wanted = (
        sum(_weight(unit, weights) for unit in units) for units in (mine & theirs, mine, theirs)
    )
    return hits, chosen, wanted


def _weight(unit: int, weights: Weights) -> int:
    if weights is None:
        return 1
    # Units are checked when a corpus is read, unless nothing is known of the source.
    return weights[unit] if unit < len(weights) else 0


def check_beta(beta: float | Fraction) -> None:
    if not 0 <= beta < math.inf:
        raise SummetryError(f"beta must be 0 or more and finite, got {beta}")
    if beta > _LARGEST_BETA:
        raise SummetryError(f"beta must be {_LARGEST_BETA:g} or less, got {beta:g}")


@METRICS.register
@dataclass(frozen=True)
class CoSelection(FactsMetric[tuple[int, ...]]):
    """Precision, recall and F over unit numbers (Steinberger and Jezek, eq. 1-2)."""

    beta: float = 1.0
    against: Literal["extracts", "majority", "references"] = "extracts"
    references: Over = "mean"
    weights: Literal["units", "words"] = "units"
    text: TextPipeline = field(default_factory=LanguagePipeline)

    name: ClassVar[str] = "coselection"
    family: ClassVar[str] = "co-selection"
    headline: ClassVar[str] = "f"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    defined_by: ClassVar[str] = "wanted"
    formulas: ClassVar[dict[str, str]] = {
        "precision": "matched / chosen if chosen else 0",
        "recall": "matched / wanted",
        "f": "(1 + beta**2) * matched / (beta**2 * wanted + chosen) if matched else 0",
    }

    def __post_init__(self) -> None:
        check_beta(self.beta)

    @property
    def needs(self) -> Needs:
        ideals = Needs.REFERENCE_UNITS if self.against == "references" else Needs.EXTRACTS
        words = Needs.SOURCE if self.weights == "words" else Needs.NOTHING
        return Needs.UNITS | ideals | words

    @property
    def reads_majority(self) -> bool:
        """Whether the engine must make the extract on which most informants agree."""
        return self.against == "majority"

    @property
    def pipeline(self) -> TextPipeline | None:
        """What makes words of a text, where that decides the value."""
        return self.text if self.weights == "words" else None

    @property
    def terms(self) -> dict[str, str]:
        units = "units" if self.weights == "units" else "words of the units"
        return {
            "matched": f"{units} that both have",
            "chosen": f"{units} of the candidate",
            "wanted": f"{units} of the other extract",
            "beta": "how many times as much as precision recall counts in F",
        }

    def pair_facts(self, batch: Batch) -> PairFacts:
        weights = self._weights([comparison.material for comparison in batch.comparisons])
        rows = [
            (
                row,
                *_sizes(comparison.candidate.units or (), ideal, weights[id(comparison.material)]),
            )
            for row, comparison in enumerate(batch.comparisons)
            for _, ideal in self.others(comparison)
        ]
        facts, owners = facts_of_rows(("matched", "chosen", "wanted"), rows)
        return PairFacts({**facts, "beta": self.beta}, owners)

    def matches(self, comparison: Comparison, other: tuple[int, ...]) -> list[Match]:
        return self._listed(comparison, {*(comparison.candidate.units or ())} & {*other})

    def missed(
        self, comparison: Comparison, other: tuple[int, ...], matches: Sequence[Match]
    ) -> list[Match]:
        return self._listed(comparison, {*other} - {*(comparison.candidate.units or ())})

    def _listed(self, comparison: Comparison, units: set[int]) -> list[Match]:
        weights = self._weights([comparison.material])[id(comparison.material)]
        return [
            unit_match(comparison, unit, float(_weight(unit, weights))) for unit in sorted(units)
        ]

    def votes(self, comparison: Comparison) -> Votes | None:
        if self.against == "references":
            return votes_of(comparison, self.others(comparison), "reference")
        return votes_of_informants(comparison)

    def others(self, comparison: Comparison) -> list[tuple[str, tuple[int, ...]]]:
        """The ideal extracts."""
        material = comparison.material
        if self.against == "references":
            return [(s.author, s.units) for s in comparison.references if s.units is not None]
        if self.against == "extracts":
            return [(e.informant, e.units) for e in material.extracts]
        if material.majority is not None:
            return [(f"the majority of {len(material.extracts)}", material.majority)]
        if material.extracts:
            raise SummetryError(
                f"{self.name}: against=majority expects the majority's extract of topic "
                f"{material.topic!r} in its material, found none; `evaluate` puts it there"
            )
        return []

    def _weights(self, materials: list[Material]) -> dict[int, Weights]:
        """What the units of each material count, by the number of the object."""
        distinct = {id(material): material for material in materials}
        if self.weights == "units":
            return dict.fromkeys(distinct)
        units = [unit for material in distinct.values() for unit in material.units]
        languages = [m.language for m in distinct.values() for _ in m.units]
        words = iter(self.text.encode(units, languages).lengths.tolist())
        return {key: list(islice(words, len(m.units))) for key, m in distinct.items()}
