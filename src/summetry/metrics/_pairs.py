"""Metrics that compare a candidate with each of several references, or with the source.

A metric declares its ``formulas`` and says two things of a pair: its facts, for all pairs of a
batch at once, and its matches, for an explanation. The rest is here: which pairs there are, the
mean or the best over the references of a comparison, and the parts of an explanation.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar, Generic, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np

from summetry.arrays.types import Ints
from summetry.metrics._tokens import TextPairs, text_pairs
from summetry.metrics.base import Counts, Needs, Over, Scores, explained, means, over_references
from summetry.metrics.explanations import Explanation, Match, Part
from summetry.metrics.formulas import Facts, FormulaMetric
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.pipeline import TextPipeline

Other = TypeVar("Other")
Against: TypeAlias = Literal["source", "references"]


class PairFacts(NamedTuple):
    """The facts of all pairs of a batch, and the comparison that each pair belongs to."""

    facts: Facts
    owners: Ints


class PairMetric(FormulaMetric, Generic[Other]):
    """A metric that compares a candidate with each of several others, whatever these are.

    Where the values are more than formulas on facts, a metric has ``pair_values`` and ``parts`` of
    its own instead of ``pair_facts`` and ``matches``.
    """

    defined_by: ClassVar[str] = "reference"
    references: Over

    @abstractmethod
    def others(self, comparison: Comparison) -> Sequence[tuple[str, Other]]:
        """What the candidate is compared with, each with its name."""

    def pair_facts(self, batch: Batch) -> PairFacts:
        """The facts of every candidate with each of its others, in their order."""
        raise NotImplementedError

    def matches(self, comparison: Comparison, other: Other) -> Iterable[Match]:
        """What candidate and other share; the fact ``matched`` is the sum of the weights."""
        raise NotImplementedError

    def pair_values(self, batch: Batch) -> tuple[Scores, Ints]:
        """The values of every pair, and the comparison that each pair belongs to."""
        facts, owners = self.pair_facts(batch)
        return self.values_of(facts), owners

    def count(self, batch: Batch) -> Counts:
        values, owners = self.pair_values(batch)
        over, rows = self.references, len(batch)
        columns = [
            over_references(values[name], owners, rows, over, self.better[name])
            for name in self.values
        ]
        return np.hstack(columns)

    def score(self, counts: Counts) -> Scores:
        return means(counts, self.values)

    def explain(self, comparison: Comparison) -> Explanation:
        return explained(self, comparison, self.parts(comparison), self.references)

    def parts(self, comparison: Comparison) -> list[Part]:
        """One part of the explanation for each of the others."""
        others = self.others(comparison)
        facts = self.pair_facts(Batch([comparison])).facts
        columns = [
            np.broadcast_to(fact, len(others)).astype(float).tolist() for fact in facts.values()
        ]
        return [
            self.part(
                name, dict(zip(facts, numbers, strict=True)), tuple(self.matches(comparison, other))
            )
            for (name, other), *numbers in zip(others, *columns, strict=True)
        ]


def facts_of_rows(names: Sequence[str], rows: Sequence[tuple[int, ...]]) -> PairFacts:
    """Facts of pairs that were compared one by one: the number of the comparison, then the facts.

    >>> facts_of_rows(["matched"], [(0, 3), (0, 5), (1, 4)]).owners.tolist()
    [0, 0, 1]
    """
    owners, *columns = np.array(rows, np.float64).reshape(-1, len(names) + 1).T
    return PairFacts(dict(zip(names, columns, strict=True)), owners.astype(np.int64))


class TextPairMetric(PairMetric[Side]):
    """A metric that compares the tokens of two texts.

    A metric with the option ``against`` can compare with the source instead of the references.
    """

    family: ClassVar[str] = "content"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    against: Against = "references"
    text: TextPipeline

    @property
    def needs(self) -> Needs:
        return needs_against(self.against)

    def facts(self, batch: Batch, pairs: TextPairs) -> Facts:
        """The facts of every pair; ``reference`` is 0 where the reference is empty."""
        raise NotImplementedError

    def pairs(self, batch: Batch) -> TextPairs:
        """Every candidate with its source, where there is one, or with each of its references."""
        return pairs_against(batch, self.text, self.against)

    def others(self, comparison: Comparison) -> list[tuple[str, Side]]:
        return [(side.author, side) for side in sides_against(comparison, self.against)]

    def pair_facts(self, batch: Batch) -> PairFacts:
        pairs = self.pairs(batch)
        return PairFacts(self.facts(batch, pairs), pairs.owners)


def needs_against(against: Against) -> Needs:
    return Needs.SOURCE if against == "source" else Needs.REFERENCES


def pairs_against(batch: Batch, pipeline: TextPipeline, against: Against) -> TextPairs:
    """Every candidate with its source, where there is one, or with each of its references."""
    if against == "references":
        return text_pairs(batch, pipeline)
    owners = np.flatnonzero(batch.sources >= 0).astype(np.int64)
    table = batch.tokens(pipeline)
    return TextPairs(table, batch.candidates[owners], batch.sources[owners], owners)


def sides_against(comparison: Comparison, against: Against) -> tuple[Side, ...]:
    """What a candidate is compared with, for explanations."""
    if against == "references":
        return comparison.references
    source = comparison.material.source
    return () if source is None else (Side("source", source),)
