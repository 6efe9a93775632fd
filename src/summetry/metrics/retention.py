"""Retention ratio: how much of the information of the text is in the summary.

    RR = information in summary / information in full text       omission = 1 - RR

The paper leaves open what information is. ``information=words`` counts the distinct words of
the source that the summary uses, ``votes`` the informants' votes for the extracted units,
``utilities`` the judges' utilities of the extracted units, ``scus`` the weights of the content
units that the summary expresses. What several annotators say of these is decided by majority;
pyramids with different units are taken together.

Source: Hassel and Dalianis (2005), section 1.1 (where omission is named as if it were the same).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from summetry.arrays.vectors import shared_tokens
from summetry.metrics._pairs import placed
from summetry.metrics.base import METRICS, Better, Counts, Needs
from summetry.metrics.explanations import Match, Votes
from summetry.metrics.formulas import TotalsMetric
from summetry.metrics.pyramid.pyramid_metrics import contributed
from summetry.metrics.source_units import unit_match, votes_of_informants, votes_of_judges
from summetry.records.batches import Batch, Comparison, Side
from summetry.records.pyramids import Pyramid, by_majority, said_by
from summetry.text.pipeline import LanguagePipeline, TextPipeline


def retention_ratio(information: Sequence[float], summary: Collection[int]) -> float:
    """Information of the units in ``summary`` divided by the information of all units.

    >>> retention_ratio([2, 3], [1])
    0.6
    """
    total = sum(information)
    return sum(information[unit] for unit in set(summary)) / total if total else math.nan


@METRICS.register
@dataclass(frozen=True)
class Retention(TotalsMetric):
    """Information of the summary divided by the source's (Hassel and Dalianis, 1.1)."""

    information: Literal["words", "votes", "utilities", "scus"] = "words"
    text: TextPipeline = field(default_factory=LanguagePipeline)

    name: ClassVar[str] = "retention"
    family: ClassVar[str] = "length"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    better: ClassVar[Better] = {"retention": "higher", "omission": "lower"}
    totals: ClassVar[tuple[str, ...]] = ("matched", "all")
    defined_by: ClassVar[str] = "all"
    formulas: ClassVar[dict[str, str]] = {
        "retention": "matched / all",
        "omission": "1 - matched / all",
    }

    @property
    def terms(self) -> dict[str, str]:
        units = {
            "words": "different words",
            "votes": "votes for units",
            "utilities": "utility of units",
            "scus": "weight of SCUs",
        }[self.information]
        return {"matched": f"{units} that the summary keeps", "all": f"{units}, all together"}

    @property
    def needs(self) -> Needs:
        return {
            "words": Needs.SOURCE,
            "votes": Needs.UNITS | Needs.EXTRACTS,
            "utilities": Needs.UNITS | Needs.UTILITIES,
            "scus": Needs.PYRAMID,
        }[self.information]

    def count(self, batch: Batch) -> Counts:
        if self.information == "words":
            return self._count_words(batch)
        rows = [
            (math.fsum(match.weight for match in self.matches(comparison)), self._total(comparison))
            for comparison in batch.comparisons
        ]
        return np.array(rows, dtype=np.float64).reshape(-1, 2)

    def matches(self, comparison: Comparison) -> list[Match]:
        """What the candidate keeps, each with its weight."""
        if self.information == "words":
            source = Side("source", comparison.material.source or "")
            words = placed(comparison, source, self.text)
            return [words.match(token, 1.0) for token in words.shared()]
        if self.information == "scus":
            return _expressed(comparison)
        worth = self._worth(comparison)
        units = dict.fromkeys(comparison.candidate.units or ())
        return [unit_match(comparison, u, worth[u]) for u in units if worth.get(u)]

    def votes(self, comparison: Comparison) -> Votes | None:
        known = {"votes": votes_of_informants, "utilities": votes_of_judges}
        votes = known.get(self.information)
        return votes(comparison) if votes else None

    def _count_words(self, batch: Batch) -> Counts:
        bags = batch.tokens(self.text).bags
        types = np.append(bags.lengths, 0)[batch.sources]
        there = np.flatnonzero(batch.sources >= 0)
        kept = np.zeros(len(batch))
        kept[there] = shared_tokens(bags, batch.candidates[there], batch.sources[there]).types
        return np.column_stack([kept, types]).astype(np.float64)

    def _total(self, comparison: Comparison) -> float:
        if self.information == "scus":
            return math.fsum(s.weight for pyramid, _ in _marked(comparison) for s in pyramid.scus)
        return math.fsum(self._worth(comparison).values())

    def _worth(self, comparison: Comparison) -> dict[int, float]:
        """The votes or utilities of each unit."""
        worth: defaultdict[int, float] = defaultdict(float)
        if self.information == "votes":
            for extract in comparison.material.extracts:
                for unit in set(extract.units):
                    worth[unit] += 1
        else:
            for utilities in comparison.material.utilities:
                for unit, value in enumerate(utilities.values):
                    worth[unit] += value
        return worth


def _expressed(comparison: Comparison) -> list[Match]:
    """The SCUs of the pyramid that the candidate expresses, each once."""
    return [
        Match(f"SCU {scu.id}: {scu.label}", scu.weight, also=contributed(scu, comparison))
        for pyramid, said in _marked(comparison)
        for scu in pyramid.scus
        if scu.id in said
    ]


def _marked(comparison: Comparison) -> Iterator[tuple[Pyramid, set[str]]]:
    """Each pyramid by which the candidate was marked, and the SCUs that it expresses."""
    for pyramid in by_majority(comparison.material.pyramids):
        said = said_by(pyramid, comparison.candidate.author)
        if said is not None:
            yield pyramid, {part.scu for part in said}
