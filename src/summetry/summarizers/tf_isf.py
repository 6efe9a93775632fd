"""tf.isf: sentences that are similar to the query of the topic.

The score is the cosine of two vectors, of the sentence and of the query, with the weights
tf * isf. The query counts as one sentence. The paper does not print isf; for a word that n of
N sentences have:

    with_query     ln(N / n), the query counted in N and n
    without_query  ln(N / n) without it; words that only the query has weigh 0
    plus_one       ln(N / n) + 1, the query counted in N and n

The cosine with a vector of zeros is undefined, and such sentences stand last.

Source: Kennedy and Szpakowicz (2010), section 2.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from summetry.arrays.token_tables import TokenTable, table_of
from summetry.arrays.types import Floats
from summetry.stats.concordance import divided
from summetry.summarizers._query import query_of
from summetry.summarizers._vectors import holders, inverse_frequency, scale_columns, word_counts
from summetry.summarizers.base import SUMMARIZERS, Ranking, Source, content_words, rank_by
from summetry.text.pipeline import TextPipeline

Isf = Literal["with_query", "without_query", "plus_one"]


def tf_isf(
    sentences: Sequence[Sequence[str]], query: Sequence[str], isf: Isf = "with_query"
) -> list[float]:
    """The cosine of each sentence with the query, both given as lists of words.

    >>> tf_isf([["fog", "pier"], ["ferry"], []], ["fog", "pier"])
    [1.0, 0.0, nan]
    """
    return list(map(float, TfIsf(isf).score(table_of([*sentences, query]))))


def _weights(table: TokenTable, isf: Isf) -> Floats:
    number, holding = len(table), holders(table)
    if isf == "without_query":
        number -= 1
        holding[np.unique(table.row(number))] -= 1
    weights = inverse_frequency(number, holding)
    return weights + 1 if isf == "plus_one" else weights


@SUMMARIZERS.register
@dataclass(frozen=True)
class TfIsf:
    """Cosine with the query, or with the title where there is no query (tf.isf weights)."""

    isf: Isf = "with_query"
    text: TextPipeline = field(default_factory=content_words)

    name: ClassVar[str] = "tf_isf"

    def rank(self, source: Source, count: int) -> Ranking:
        table = source.tokens(self.text, query_of(source.topic, self.name))
        return rank_by(self.score(table))

    def score(self, table: TokenTable) -> Floats:
        """One score for each row of ``table`` but the last, which is the query."""
        vectors = scale_columns(word_counts(table), _weights(table, self.isf))
        squares = np.asarray(vectors.power(2).sum(axis=1)).ravel()
        products: Floats = vectors[:-1] @ vectors[-1:].toarray().ravel()
        # One root of the product, so that a sentence that is the query has exactly 1.
        return divided(products, np.sqrt(squares[:-1] * squares[-1]))
