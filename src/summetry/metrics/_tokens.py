"""What the metrics on tokens share: pairs of texts, and where their tokens stand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Ints
from summetry.metrics.explanations import Match
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.pipeline import TextPipeline
from summetry.text.tokens import Span

# A token, or several joined, with its places; none where the text was cut.
PlacedToken: TypeAlias = tuple[str, tuple[Span, ...]]


class TextPairs(NamedTuple):
    """Every candidate with each of its references, as rows of one token table."""

    table: TokenTable
    left: Ints
    right: Ints
    owners: Ints


def text_pairs(batch: Batch, pipeline: TextPipeline, n: int = 1) -> TextPairs:
    table = batch.tokens(pipeline, n)
    return TextPairs(table, batch.candidates[batch.owners], batch.references, batch.owners)


def placed_ngrams(pipeline: TextPipeline, text: str, language: str, n: int) -> list[PlacedToken]:
    """The tokens of a text, or its n-grams, each from its first to its last character."""
    tokens = pipeline.locate(text, language)
    grams = [tokens[i : i + n] for i in range(len(tokens) - n + 1)]
    return [(" ".join(t for t, _ in gram), ((gram[0][1][0], gram[-1][1][1]),)) for gram in grams]


def spans_by_token(tokens: Iterable[PlacedToken]) -> dict[str, tuple[Span, ...]]:
    """The places of each distinct token, in the order of first occurrence.

    >>> spans_by_token([("a", ((0, 1),)), ("b", ((2, 3),)), ("a", ((4, 5),))])
    {'a': ((0, 1), (4, 5)), 'b': ((2, 3),)}
    """
    spans: defaultdict[str, list[Span]] = defaultdict(list)
    for token, places in tokens:
        spans[token] += places
    return {token: tuple(places) for token, places in spans.items()}


class Placed(NamedTuple):
    """A candidate and one of its references, each token with its places."""

    against: str
    candidate: Mapping[str, tuple[Span, ...]]
    reference: Mapping[str, tuple[Span, ...]]

    def shared(self) -> list[str]:
        return sorted(self.candidate.keys() & self.reference.keys())

    def match(self, token: str, weight: float) -> Match:
        return Match(token, weight, self.candidate[token], self.reference[token])


def placed(comparison: Comparison, side: Side, pipeline: TextPipeline, n: int = 1) -> Placed:
    """The tokens of a comparison's candidate and of one other text, or their n-grams."""
    language = comparison.material.language
    candidate, reference = (
        spans_by_token(placed_ngrams(pipeline, text, language, n))
        for text in (comparison.candidate.text, side.text)
    )
    return Placed(side.author, candidate, reference)
