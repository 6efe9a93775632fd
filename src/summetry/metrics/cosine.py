"""Cosine similarity of two texts as vectors of term weights.

    cos(X, Y) = sum x_i y_i / (sqrt(sum x_i^2) sqrt(sum y_i^2))

The paper does not say what the x_i are. ``weights=tf`` takes term counts, ``binary`` 0 or 1,
``tf_isf`` counts times the inverse sentence frequency in the source, ln((N+1)/(n+1)) + 1 for a
term in n of its N sentences. An empty candidate has 0, an empty reference no value.
``against=source`` compares with the full text instead of references (their table 2).

Source: Steinberger and Jezek (2009), eq. 4.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from summetry.arrays.token_tables import TokenTable, bags_of
from summetry.arrays.types import Floats, Ints
from summetry.arrays.vectors import InverseFrequencies, bag_entries, shared_tokens
from summetry.errors import SummetryError
from summetry.metrics._pairs import Against, TextPairMetric, TextPairs, placed
from summetry.metrics.base import METRICS, Needs, Over
from summetry.metrics.explanations import Match
from summetry.metrics.formulas import Facts
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.text.pipeline import LanguagePipeline, TextPipeline
from summetry.text.sentences import split_sentences


def cosine(x: Sequence[float], y: Sequence[float]) -> float:
    """Cosine of a candidate's and a reference's vector; 0 for a zero candidate.

    >>> cosine([1, 0], [1, 1])
    0.7071067811865475
    """
    if len(x) != len(y):
        raise SummetryError(f"two vectors of one length are needed, got {len(x)} and {len(y)}")
    dot = math.fsum(a * b for a, b in zip(x, y, strict=True))
    left, right = (math.fsum(a * a for a in vector) for vector in (x, y))
    if not right:
        return math.nan
    # One root of the product: identical vectors give 1 exactly.
    return dot / math.sqrt(left * right) if left else 0.0


def cosine_of_tokens(x: Iterable[Hashable], y: Iterable[Hashable]) -> float:
    """Cosine of the term counts of two texts."""
    left, right = Counter(x), Counter(y)
    terms = [*(left | right)]
    return cosine([left[term] for term in terms], [right[term] for term in terms])


@METRICS.register
@dataclass(frozen=True)
class Cosine(TextPairMetric):
    """Cosine of term vectors (Steinberger and Jezek, eq. 4)."""

    weights: Literal["tf", "binary", "tf_isf"] = "tf"
    references: Over = "mean"
    against: Against = "references"
    text: TextPipeline = field(default_factory=LanguagePipeline)

    name: ClassVar[str] = "cosine"
    formulas: ClassVar[dict[str, str]] = {
        "value": "matched / (candidate * reference)**0.5 if matched else 0"
    }

    @property
    def needs(self) -> Needs:
        source = Needs.SOURCE if self.weights == "tf_isf" else Needs.NOTHING
        return super().needs | source

    @property
    def terms(self) -> dict[str, str]:
        weights = {"tf": "counts", "binary": "weights, 1 each", "tf_isf": "weights"}[self.weights]
        return {
            "matched": f"over all shared words, the product of both {weights}",
            "candidate": "sum of the squares over the words of the candidate",
            "reference": f"sum of the squares over the words of the {self.other}",
        }

    def facts(self, batch: Batch, pairs: TextPairs) -> Facts:
        bags, left, right, owners = pairs.table.bags, pairs.left, pairs.right, pairs.owners
        if self.weights == "tf_isf":
            isf, source = _batch_isf(batch, pairs.table, self.text)

        def weigh(entries: Ints, pair: Ints) -> Floats:
            if self.weights == "binary":
                return np.ones(len(entries))
            counts: Floats = bags.counts[entries].astype(np.float64)
            if self.weights == "tf":
                return counts
            return counts * isf.of(source[owners[pair]], bags.ids[entries])

        def squares(rows: Ints) -> Floats:
            entries, pair = bag_entries(bags, rows)
            weights = weigh(entries, pair) ** 2
            return np.bincount(pair, weights=weights, minlength=len(rows)).astype(np.float64)

        shared = shared_tokens(bags, left, right)
        products = weigh(shared.left, shared.pair) * weigh(shared.right, shared.pair)
        return {
            "matched": shared.total(products),
            "candidate": squares(left),
            "reference": squares(right),
        }

    def matches(self, comparison: Comparison, other: Side) -> list[Match]:
        tokens = placed(comparison, other, self.text)
        if self.weights == "binary":
            return [tokens.match(token, 1.0) for token in tokens.shared()]
        isf: dict[str, float] = {}
        if self.weights == "tf_isf":
            batch = Batch([comparison])
            table = batch.tokens(self.text)
            terms = np.arange(len(table.words))
            weights = _batch_isf(batch, table, self.text)[0].of(0 * terms, terms)
            isf = dict(zip(table.words, weights.tolist(), strict=True))
        mine, theirs = (
            {token: len(spans) * isf.get(token, 1.0) for token, spans in text.items()}
            for text in (tokens.candidate, tokens.reference)
        )
        return [tokens.match(token, mine[token] * theirs[token]) for token in tokens.shared()]


def source_sentences(material: Material) -> tuple[str, ...]:
    """The sentences of the source: its units, or cut from its text where units are others."""
    if material.units and material.unit == "sentence":
        return material.units
    source = material.source or ""
    return tuple(source[a:b] for a, b in split_sentences(source, material.language))


def _batch_isf(
    batch: Batch, table: TokenTable, pipeline: TextPipeline
) -> tuple[InverseFrequencies, Ints]:
    """The frequencies in all sources of a batch, and the source of each comparison."""
    # Comparisons of one topic share their material, so each source is read once.
    materials = list({id(c.material): c.material for c in batch.comparisons}.values())
    number = {id(material): i for i, material in enumerate(materials)}
    units = [source_sentences(material) for material in materials]
    counts = np.array([len(sentences) for sentences in units], dtype=np.int64)
    sentences = pipeline.encode(
        [text for texts in units for text in texts],
        [m.language for m, texts in zip(materials, units, strict=True) for _ in texts],
    )
    owner = np.repeat(np.arange(len(materials), dtype=np.int64), counts)
    bags, number_of = sentences.bags, {word: i for i, word in enumerate(table.words)}
    terms = np.array([number_of.get(word, -1) for word in sentences.words], np.int64)[bags.ids]
    holder = owner[np.repeat(np.arange(len(sentences)), bags.lengths)]
    known = terms >= 0
    holding = bags_of(holder[known], terms[known], len(materials), len(table.words))
    source = np.array([number[id(c.material)] for c in batch.comparisons], np.int64)
    return InverseFrequencies(counts, holding), source
