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
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Floats, Ints
from summetry.arrays.vectors import bag_entries, shared_tokens
from summetry.errors import SummetryError
from summetry.metrics._against import Against, needs_against, pairs_against, sides_against
from summetry.metrics._tokens import TextPairs, placed
from summetry.metrics.base import (
    METRICS,
    Better,
    Counts,
    Metric,
    Needs,
    Over,
    Scores,
    explained,
    means,
    over_references,
)
from summetry.metrics.explanations import Explanation, Part, left_out
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
    return _cosine(
        math.fsum(a * b for a, b in zip(x, y, strict=True)),
        math.fsum(a * a for a in x),
        math.fsum(b * b for b in y),
    )


def cosine_of_tokens(x: Iterable[Hashable], y: Iterable[Hashable]) -> float:
    """Cosine of the term counts of two texts."""
    left, right = Counter(x), Counter(y)
    terms = [*(left | right)]
    return cosine([left[term] for term in terms], [right[term] for term in terms])


def _cosine(dot: float, left: float, right: float) -> float:
    if not right:
        return math.nan
    # One root of the product: identical vectors give 1 exactly.
    return dot / math.sqrt(left * right) if left else 0.0


@METRICS.register
@dataclass(frozen=True)
class Cosine(Metric):
    """Cosine of term vectors (Steinberger and Jezek, eq. 4)."""

    weights: Literal["tf", "binary", "tf_isf"] = "tf"
    references: Over = "mean"
    against: Against = "references"
    text: TextPipeline = field(default_factory=LanguagePipeline)

    name: ClassVar[str] = "cosine"
    family: ClassVar[str] = "content"
    values: ClassVar[tuple[str, ...]] = ("value",)
    headline: ClassVar[str] = "value"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    better: ClassVar[Better] = dict.fromkeys(values, "higher")

    @property
    def needs(self) -> Needs:
        source = Needs.SOURCE if self.weights == "tf_isf" else Needs.NOTHING
        return needs_against(self.against) | source

    def count(self, batch: Batch) -> Counts:
        pairs = pairs_against(batch, self.text, self.against)
        bags = pairs.table.bags
        isf = _batch_isf(batch, pairs.table, self.text) if self.weights == "tf_isf" else None
        shared = shared_tokens(bags, pairs.left, pairs.right)
        dot = shared.total(
            self._weigh(bags.counts[shared.left], shared.pair, shared.left, pairs, isf)
            * self._weigh(bags.counts[shared.right], shared.pair, shared.right, pairs, isf)
        )
        left, right = (self._squares(pairs, rows, isf) for rows in (pairs.left, pairs.right))
        root = np.sqrt(left * right)
        values = np.divide(dot, root, out=np.zeros(len(dot)), where=root > 0)
        values[right == 0] = np.nan
        return over_references(values, pairs.owners, len(batch), self.references)

    def score(self, counts: Counts) -> Scores:
        return means(counts, self.values)

    def explain(self, comparison: Comparison) -> Explanation:
        isf = _source_isf(comparison.material, self.text) if self.weights == "tf_isf" else None
        sides = sides_against(comparison, self.against)
        parts = [self._part(comparison, side, isf) for side in sides]
        return explained(self, comparison, parts, self.references)

    def _squares(self, pairs: TextPairs, rows: Ints, isf: Isf | None) -> Floats:
        bags = pairs.table.bags
        entries, pair = bag_entries(bags, rows)
        weights = self._weigh(bags.counts[entries], pair, entries, pairs, isf)
        return np.bincount(pair, weights=weights**2, minlength=len(rows)).astype(np.float64)

    def _weigh(
        self, counts: Ints, pair: Ints, entries: Ints, pairs: TextPairs, isf: Isf | None
    ) -> Floats:
        if self.weights == "binary":
            return np.ones(len(counts))
        if isf is None:
            return counts.astype(np.float64)
        return counts * isf.of(pairs.owners[pair], pairs.table.bags.ids[entries])

    def _part(self, comparison: Comparison, side: Side, isf: Callable[[str], float] | None) -> Part:
        tokens = placed(comparison, side, self.text)

        def weigh(token: str, count: int) -> float:
            if self.weights == "binary":
                return 1.0
            return count * (isf(token) if isf is not None else 1.0)

        mine = {token: weigh(token, len(spans)) for token, spans in tokens.candidate.items()}
        theirs = {token: weigh(token, len(spans)) for token, spans in tokens.reference.items()}
        matches = tuple(tokens.match(t, mine[t] * theirs[t]) for t in tokens.shared())
        facts = {
            "matched": math.fsum(match.weight for match in matches),
            "candidate": math.fsum(weight**2 for weight in mine.values()),
            "reference": math.fsum(weight**2 for weight in theirs.values()),
        }
        formula = {"value": "matched / (candidate * reference)**0.5 if matched else 0"}
        return Part(side.author, facts, formula if theirs else left_out(self.values), matches)


@dataclass(frozen=True)
class Isf:
    """Inverse sentence frequencies of many sources: sorted keys ``source * size + term``."""

    source: Ints
    keys: Ints
    weights: Floats
    unseen: Floats
    size: int

    def of(self, comparisons: Ints, terms: Ints) -> Floats:
        sources = self.source[comparisons]
        found = self.unseen[sources]
        wanted = sources * self.size + terms
        where = np.searchsorted(self.keys, wanted)
        inside = np.flatnonzero(where < len(self.keys))
        hit = inside[self.keys[where[inside]] == wanted[inside]]
        found[hit] = self.weights[where[hit]]
        return found


def isf_weight(sentences: Ints | int, holding: Ints | int) -> Floats:
    """ln((N+1)/(n+1)) + 1 for a term that n of N sentences hold."""
    weight: Floats = np.log((sentences + 1) / (holding + 1)) + 1
    return weight


def source_sentences(material: Material) -> tuple[str, ...]:
    """The sentences of the source: its units, or cut from its text where units are others."""
    if material.units and material.unit == "sentence":
        return material.units
    source = material.source or ""
    return tuple(source[a:b] for a, b in split_sentences(source, material.language))


def _batch_isf(batch: Batch, table: TokenTable, pipeline: TextPipeline) -> Isf:
    # Comparisons of one topic share their material, so each source is read once.
    number: dict[int, int] = {}
    materials: list[Material] = []
    for comparison in batch.comparisons:
        if id(comparison.material) not in number:
            number[id(comparison.material)] = len(materials)
            materials.append(comparison.material)
    units = [source_sentences(material) for material in materials]
    counts = np.array([len(sentences) for sentences in units], dtype=np.int64)
    sentences = pipeline.encode(
        [text for texts in units for text in texts],
        [m.language for m, texts in zip(materials, units, strict=True) for _ in texts],
    )
    owner = np.repeat(np.arange(len(materials), dtype=np.int64), counts)
    bags, size = sentences.bags, max(len(table.words), 1)
    known = {word: i for i, word in enumerate(table.words)}
    terms = np.array([known.get(word, -1) for word in sentences.words], np.int64)[bags.ids]
    holder = owner[np.repeat(np.arange(len(sentences)), bags.lengths)]
    keys, held = np.unique((holder * size + terms)[terms >= 0], return_counts=True)
    return Isf(
        np.array([number[id(c.material)] for c in batch.comparisons], np.int64),
        keys,
        isf_weight(counts[keys // size], held),
        isf_weight(counts, 0),
        size,
    )


def _source_isf(material: Material, pipeline: TextPipeline) -> Callable[[str], float]:
    """The weight of a term, for the explanation of one comparison."""
    units = source_sentences(material)
    held: Counter[str] = Counter()
    for unit in units:
        held.update({token for token, _ in pipeline.locate(unit, material.language)})
    return lambda term: float(isf_weight(len(units), held[term]))
