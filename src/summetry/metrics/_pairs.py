"""Metrics that compare a candidate with each of several references, or with the source.

Most declare ``formulas`` and say two things of a pair: its facts, for all pairs of a batch at
once, and its matches, for an explanation (:class:`FactsMetric`, for texts :class:`TextPairMetric`).
Where values are more than formulas on facts, a metric says itself what the values and the parts of
an explanation are (:class:`PairMetric`, for texts :class:`TextMetric`). The rest is here: which
pairs there are, and the mean or the best over the references of a comparison.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Generic, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np

from summetry.arrays.ngrams import windows
from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Ints
from summetry.metrics.base import (
    Counts,
    MeanMetric,
    Needs,
    Over,
    Scores,
    explained,
    over_references,
)
from summetry.metrics.explanations import Explanation, Match, Part
from summetry.metrics.formulas import Facts, FormulaMetric
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.pipeline import TextPipeline
from summetry.text.tokens import Span

Other = TypeVar("Other")
Against: TypeAlias = Literal["source", "references"]


class PairFacts(NamedTuple):
    """The facts of all pairs of a batch, and the comparison that each pair belongs to."""

    facts: Facts
    owners: Ints


class PairMetric(FormulaMetric, MeanMetric, Generic[Other]):
    """A metric that compares a candidate with each of several others, whatever these are."""

    defined_by: ClassVar[str] = "reference"
    references: Over

    @abstractmethod
    def others(self, comparison: Comparison) -> Sequence[tuple[str, Other]]:
        """What the candidate is compared with, each with its name."""

    @abstractmethod
    def pair_values(self, batch: Batch) -> tuple[Scores, Ints]:
        """The values of every pair, and the comparison that each pair belongs to."""

    @abstractmethod
    def parts(self, comparison: Comparison) -> list[Part]:
        """One part of the explanation for each of the others."""

    def count(self, batch: Batch) -> Counts:
        values, owners = self.pair_values(batch)
        over, rows = self.references, len(batch)
        columns = [
            over_references(values[name], owners, rows, over, self.better[name])
            for name in self.values
        ]
        return np.hstack(columns)

    def explain(self, comparison: Comparison) -> Explanation:
        return explained(self, comparison, self.parts(comparison), self.references)


class FactsMetric(PairMetric[Other]):
    """A metric of pairs whose values are formulas on facts."""

    @abstractmethod
    def pair_facts(self, batch: Batch) -> PairFacts:
        """The facts of every candidate with each of its others, in their order."""

    @abstractmethod
    def matches(self, comparison: Comparison, other: Other) -> Iterable[Match]:
        """What candidate and other share; the fact ``matched`` is the sum of the weights."""

    def missed(
        self, comparison: Comparison, other: Other, matches: Sequence[Match]
    ) -> Iterable[Match]:
        """What the other has and the candidate does not."""
        return ()

    def pair_values(self, batch: Batch) -> tuple[Scores, Ints]:
        facts, owners = self.pair_facts(batch)
        return self.values_of(facts), owners

    def parts(self, comparison: Comparison) -> list[Part]:
        others = self.others(comparison)
        facts = self.pair_facts(Batch([comparison])).facts
        columns = [
            np.broadcast_to(fact, len(others)).astype(float).tolist() for fact in facts.values()
        ]
        parts = []
        for (name, other), *numbers in zip(others, *columns, strict=True):
            matches = tuple(self.matches(comparison, other))
            missed = self.missed(comparison, other, matches)
            parts.append(self.part(name, dict(zip(facts, numbers, strict=True)), matches, missed))
        return parts


def facts_of_rows(names: Sequence[str], rows: Sequence[tuple[int, ...]]) -> PairFacts:
    """Facts of pairs that were compared one by one: the number of the comparison, then the facts.

    >>> facts_of_rows(["matched"], [(0, 3), (0, 5), (1, 4)]).owners.tolist()
    [0, 0, 1]
    """
    owners, *columns = np.array(rows, np.float64).reshape(-1, len(names) + 1).T
    return PairFacts(dict(zip(names, columns, strict=True)), owners.astype(np.int64))


# A token, or several joined, with its places; none where the text was cut.
PlacedToken: TypeAlias = tuple[str, tuple[Span, ...]]


class PairRows(NamedTuple):
    """Rows of the texts of each pair, and the comparison that it belongs to."""

    left: Ints
    right: Ints
    owners: Ints


class TextPairs(NamedTuple):
    """Every candidate with each of its references, as rows of one token table."""

    table: TokenTable
    left: Ints
    right: Ints
    owners: Ints


class TextMetric(PairMetric[Side]):
    """A metric that compares two texts.

    With an option ``against`` it can compare with the source instead of the references.
    """

    family: ClassVar[str] = "content"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    against: Against = "references"
    text: TextPipeline

    @property
    def other(self) -> str:
        """What the candidate is compared with, in words."""
        return "source" if self.against == "source" else "reference"

    @property
    def needs(self) -> Needs:
        return Needs.SOURCE if self.against == "source" else Needs.REFERENCES

    def pair_rows(self, batch: Batch) -> PairRows:
        """Every candidate with its source, where there is one, or with each of its references."""
        if self.against == "references":
            return PairRows(batch.candidates[batch.owners], batch.references, batch.owners)
        owners = np.flatnonzero(batch.sources >= 0).astype(np.int64)
        return PairRows(batch.candidates[owners], batch.sources[owners], owners)

    def pairs(self, batch: Batch) -> TextPairs:
        return TextPairs(batch.tokens(self.text), *self.pair_rows(batch))

    def others(self, comparison: Comparison) -> list[tuple[str, Side]]:
        if self.against == "references":
            return [(side.author, side) for side in comparison.references]
        source = comparison.material.source
        return [] if source is None else [("source", Side("source", source))]


class TextPairMetric(TextMetric, FactsMetric[Side]):
    """A metric of two texts whose values are formulas on facts about their tokens."""

    @abstractmethod
    def facts(self, batch: Batch, pairs: TextPairs) -> Facts:
        """The facts of every pair; ``reference`` is 0 where the reference is empty."""

    def pair_facts(self, batch: Batch) -> PairFacts:
        pairs = self.pairs(batch)
        return PairFacts(self.facts(batch, pairs), pairs.owners)

    def missed(
        self, comparison: Comparison, other: Side, matches: Sequence[Match]
    ) -> tuple[Match, ...]:
        language = comparison.material.language
        mine, theirs = (
            [(token, (span,)) for token, span in self.text.locate(text, language)]
            for text in (comparison.candidate.text, other.text)
        )
        return unmatched(theirs, matches, mine)


def spans_by_token(tokens: Iterable[PlacedToken]) -> dict[str, tuple[Span, ...]]:
    """The places of each distinct token, in the order of first occurrence.

    >>> spans_by_token([("a", ((0, 1),)), ("b", ((2, 3),)), ("a", ((4, 5),))])
    {'a': ((0, 1), (4, 5)), 'b': ((2, 3),)}
    """
    spans: defaultdict[str, list[Span]] = defaultdict(list)
    for token, places in tokens:
        spans[token] += places
    return {token: tuple(places) for token, places in spans.items()}


def unmatched(
    tokens: Iterable[PlacedToken], matches: Iterable[Match], mine: Iterable[PlacedToken]
) -> tuple[Match, ...]:
    """The tokens of a reference that stand in no match, each with how often, the most frequent
    first, and with its places among ``mine``, the tokens of the candidate.

    >>> here = Match("a", 1.0, ((0, 1),), ((0, 1),))
    >>> places = [("a", ((0, 1),)), ("b", ((2, 3),)), ("c", ((4, 5),)), ("c", ((6, 7),))]
    >>> missed = unmatched(places, [here], [("a", ((0, 1),)), ("b", ((9, 10),))])
    >>> [(match.what, match.weight, match.candidate) for match in missed]
    [('c', 2.0, ()), ('b', 1.0, ((9, 10),))]
    """
    spans = {span for match in matches for span in match.reference}
    matched = {place for start, end in spans for place in range(start, end)}
    left = spans_by_token(
        (token, places) for token, places in tokens if places and places[0][0] not in matched
    )
    own = spans_by_token(mine)
    missed = [
        Match(token, float(len(places)), own.get(token, ()), places)
        for token, places in left.items()
    ]
    return tuple(sorted(missed, key=lambda match: -match.weight))


class Placed(NamedTuple):
    """The tokens of a candidate and of one of its references, each with its places."""

    candidate: Mapping[str, tuple[Span, ...]]
    reference: Mapping[str, tuple[Span, ...]]

    def shared(self) -> list[str]:
        """The tokens of both, in the order of the candidate."""
        return [token for token in self.candidate if token in self.reference]

    def match(self, token: str, weight: float) -> Match:
        return Match(token, weight, self.candidate[token], self.reference[token])


def placed(comparison: Comparison, side: Side, pipeline: TextPipeline, n: int = 1) -> Placed:
    """The tokens of a comparison's candidate and of one other text, or their n-grams.

    They are in the order of first occurrence.
    """
    language = comparison.material.language
    mine, theirs = (
        placed_ngrams(pipeline.locate(text, language), n)
        for text in (comparison.candidate.text, side.text)
    )
    return Placed(mine, theirs)


def placed_ngrams(tokens: Sequence[tuple[str, Span]], n: int = 1) -> dict[str, tuple[Span, ...]]:
    """The places of each distinct run of ``n`` tokens, from its first to its last character.

    >>> placed_ngrams([("a", (0, 1)), ("b", (2, 3)), ("c", (4, 5))], 2)
    {'a b': ((0, 3),), 'b c': ((2, 5),)}
    """
    return spans_by_token(
        (" ".join(token for token, _ in gram), ((gram[0][1][0], gram[-1][1][1]),))
        for gram in windows(tokens, n)
    )
