"""What the metrics on tokens share: pairs of texts, and where their tokens stand."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Ints
from summetry.metrics.explanations import Match
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.pipeline import TextPipeline
from summetry.text.tokens import Span


class TextPairs(NamedTuple):
    """Every candidate with each of its references, as rows of one token table."""

    table: TokenTable
    left: Ints
    right: Ints
    owners: Ints


def text_pairs(batch: Batch, pipeline: TextPipeline, n: int = 1) -> TextPairs:
    table = batch.tokens(pipeline, n)
    return TextPairs(table, batch.candidates[batch.owners], batch.references, batch.owners)


def located(pipeline: TextPipeline, text: str, language: str, n: int = 1) -> list[tuple[str, Span]]:
    """The tokens of a text, or its n-grams, each from its first to its last character."""
    tokens = pipeline.locate(text, language)
    grams = [tokens[i : i + n] for i in range(len(tokens) - n + 1)]
    return [(" ".join(t for t, _ in g), (g[0][1][0], g[-1][1][1])) for g in grams]


def spans_by_token(tokens: list[tuple[str, Span]]) -> dict[str, tuple[Span, ...]]:
    found: defaultdict[str, list[Span]] = defaultdict(list)
    for token, span in tokens:
        found[token].append(span)
    return {token: tuple(spans) for token, spans in found.items()}


class Placed(NamedTuple):
    """A candidate and one of its references, each token with its places."""

    against: str
    candidate: dict[str, tuple[Span, ...]]
    reference: dict[str, tuple[Span, ...]]

    def shared(self) -> list[str]:
        return sorted(self.candidate.keys() & self.reference.keys())

    def match(self, token: str, weight: float) -> Match:
        return Match(token, weight, self.candidate[token], self.reference[token])


def placed(comparison: Comparison, side: Side, pipeline: TextPipeline, n: int = 1) -> Placed:
    language = comparison.material.language
    candidate = located(pipeline, comparison.candidate.text, language, n)
    reference = located(pipeline, side.text, language, n)
    return Placed(side.author, spans_by_token(candidate), spans_by_token(reference))
