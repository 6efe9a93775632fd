"""Maximal marginal relevance: what matters and has not been said yet, sentence by sentence.

    next = the sentence not yet taken with the largest
           weight * relevance - (1 - weight) * largest cosine with a sentence taken

Relevance is the score that another summarizer gives, moved to 0 (its lowest) to 1 (its highest);
a summarizer without scores gives equal steps from its first sentence to its last. Sentences to
which it gives no score come after all others, in its order; those that it never takes are not
taken. Cosines are of word counts; a sentence without words is similar to none.

Source: Carbonell and Goldstein (1998), where relevance is the similarity to a query; with
``ranker=tf_isf`` it is. The scale of relevance is ours.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

from summetry.arrays.token_tables import gather_runs, table_of
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.spec import Spec
from summetry.summarizers._vectors import Matrix, unit_rows, word_counts
from summetry.summarizers.base import (
    SUMMARIZERS,
    Learning,
    Ranking,
    Source,
    Summarizer,
    content_words,
)
from summetry.summarizers.textrank import TextRank
from summetry.text.pipeline import TextPipeline

# Values that differ less are equal, and the earlier sentence is taken.
_EQUAL = 1e-9

if TYPE_CHECKING:
    Ranker: TypeAlias = Summarizer
else:

    class Ranker:
        """The type of an option that spells a summarizer."""

        @staticmethod
        def from_spec(value: Any) -> Summarizer:
            if isinstance(value, str | Spec):
                return SUMMARIZERS.build(value)
            if hasattr(value, "rank"):
                return value
            raise SummetryError(f"ranker must be a summarizer such as textrank, got {value!r}")


def mmr(
    relevance: Sequence[float], sentences: Sequence[Sequence[str]], weight: float = 0.7
) -> list[int]:
    """The order in which sentences, given as lists of words, are taken.

    >>> mmr([1.0, 0.9, 0.5], [["fog"], ["fog"], ["ferry"]], weight=0.5)
    [0, 2, 1]
    """
    vectors = unit_rows(word_counts(table_of(sentences)))
    return list(map(int, _take(np.asarray(relevance, np.float64), vectors, weight)[0]))


def _take(relevance: Floats, vectors: Matrix, weight: float) -> tuple[Ints, Floats]:
    """The order of all sentences, and the value that each had when it was taken."""
    size = len(relevance)
    order, values = np.zeros(size, np.int64), np.zeros(size)
    by_word = vectors.T.tocsr()
    holding = np.diff(by_word.indptr)
    # (1 - weight) times the largest cosine of each sentence with one that is taken.
    penalty = np.zeros(size)
    worth = weight * relevance
    for step in range(size):
        value = worth - penalty
        best = int(np.argmax(value >= value.max() - _EQUAL))
        order[step], values[step] = best, value[best]
        worth[best] = -np.inf
        # Only the places of its own words are looked up: of a long text these are few.
        row = slice(vectors.indptr[best], vectors.indptr[best + 1])
        words, weights = vectors.indices[row], vectors.data[row] * (1 - weight)
        places = gather_runs(by_word.indptr[words], holding[words])
        products = by_word.data[places] * np.repeat(weights, holding[words])
        cosines = np.bincount(by_word.indices[places], products, minlength=size)
        np.maximum(penalty, cosines, out=penalty)
    return order, values


@SUMMARIZERS.register
@dataclass(frozen=True)
class Mmr:
    """Another summarizer's ranking without its repetitions (Carbonell and Goldstein, 1998)."""

    ranker: Ranker = field(default_factory=TextRank)
    weight: float = 0.7
    text: TextPipeline = field(default_factory=content_words)

    name: ClassVar[str] = "mmr"

    def __post_init__(self) -> None:
        if not 0 <= self.weight <= 1:
            raise SummetryError(f"mmr: weight must be from 0 to 1, got {self.weight}")

    def learn(self, corpus: Corpus, leave_out: frozenset[str]) -> Summarizer:
        if not isinstance(self.ranker, Learning):
            return self
        return dataclasses.replace(self, ranker=self.ranker.learn(corpus, leave_out))

    def rank(self, source: Source, count: int) -> Ranking:
        ranking = self.ranker.rank(source, len(source))
        units, relevance = relevant(ranking)
        vectors = unit_rows(word_counts(source.tokens(self.text)))[units]
        order, values = _take(relevance, vectors, self.weight)
        taken = units[order]
        scores = np.full(len(source), math.nan)
        scores[taken] = values
        every = dict.fromkeys((*taken.tolist(), *ranking.order))
        return Ranking(tuple(every), tuple(scores.tolist()))


def relevant(ranking: Ranking) -> tuple[Ints, Floats]:
    """The units that have a relevance, in the order of the source, and each one's from 0 to 1."""
    order = np.asarray(ranking.order, np.int64)
    if ranking.scores is None:
        values = np.arange(len(order), 0, -1) / max(len(order), 1)
    else:
        values = np.asarray(ranking.scores, np.float64)[order]
    kept = ~np.isnan(values)
    order, values = order[kept], values[kept]
    by_place = np.argsort(order, kind="stable")
    return order[by_place], _from_zero_to_one(values[by_place])


def _from_zero_to_one(values: Floats) -> Floats:
    """``values`` moved so that the lowest is 0 and the highest 1; all 1 where they are equal."""
    if not len(values):
        return values
    low, high = values.min(), values.max()
    if high - low <= _EQUAL * max(abs(low), abs(high)):
        return np.ones(len(values))
    moved: Floats = (values - low) / (high - low)
    return moved
