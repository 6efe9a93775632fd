"""LexRank: sentences are important that are similar to many important sentences.

    cos(x, y) = sum tf_wx tf_wy idf_w^2 / (sqrt(sum (tf_wx idf_w)^2) sqrt(sum (tf_wy idf_w)^2))

By default (continuous LexRank) two sentences are linked with their cosine as weight; with a
threshold they are linked, with weight 1, if their cosine is above it. In one article few cosines
are, and without links all sentences have the same score and stay in their order. As in the paper's
algorithm every sentence is linked with itself. The score is the PageRank of this graph. A sentence
whose words all have idf 0, or that has none, is not in the graph: it has no score and stands last.

Without a threshold no links are held: what arrives at each sentence follows from the vectors.

Source: Erkan and Radev (2004), sections 2 and 3, algorithms 2 and 3. Their d is 1 - damping.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from summetry.arrays.token_tables import TokenTable, table_of
from summetry.arrays.types import Floats
from summetry.arrays.walks import check_damping, pagerank, pagerank_without_matrix
from summetry.errors import SummetryError
from summetry.summarizers._vectors import (
    Matrix,
    WeighingWords,
    only_defined,
    scale_columns,
    sentence_idf,
    unit_rows,
    word_counts,
)
from summetry.summarizers.base import SUMMARIZERS, Source, check_size

_ROUNDING = 1e-12


def lexrank(
    sentences: Sequence[Sequence[str]], threshold: float | None = None, damping: float = 0.85
) -> list[float]:
    """The score of each sentence, given as a list of words, with the idf of these sentences.

    >>> [round(s, 4) for s in lexrank([["fog", "pier"], ["fog", "ferry"], ["pier", "ice"]])]
    [0.364, 0.318, 0.318]
    """
    table = table_of(sentences)
    return list(map(float, _scores(table, sentence_idf(table), threshold, damping)))


def _scores(table: TokenTable, idf: Floats, threshold: float | None, damping: float) -> Floats:
    vectors = scale_columns(word_counts(table), idf)
    defined = np.diff(vectors.indptr) > 0
    vectors = unit_rows(vectors[defined])
    if threshold is not None:
        scores = pagerank(_links_above(vectors, threshold), damping)
    else:
        words = vectors.T.tocsr()
        leaving = vectors @ (words @ np.ones(vectors.shape[0]))
        scores = pagerank_without_matrix(leaving, lambda x: vectors @ (words @ x), damping)
    return only_defined(scores, defined)


def _links_above(vectors: Matrix, threshold: float) -> Matrix:
    """A link of weight 1 where the cosine is above the threshold."""
    links = (vectors @ vectors.T).tocsr()
    # Both directions of a link are rounded on their own and must not part at the threshold.
    links.data = (links.data > threshold + _ROUNDING).astype(np.float64)
    links.eliminate_zeros()
    return links


@SUMMARIZERS.register
@dataclass(frozen=True)
class LexRank(WeighingWords):
    """PageRank on cosines of tf.idf vectors (Erkan and Radev, 2004)."""

    threshold: float | None = None
    damping: float = 0.85

    name: ClassVar[str] = "lexrank"

    def __post_init__(self) -> None:
        check_damping(self.damping)
        if self.threshold is not None and not 0 <= self.threshold < 1:
            raise SummetryError(
                f"lexrank: threshold must be at least 0 and below 1, or none for the continuous "
                f"form, got {self.threshold}"
            )

    def score(self, source: Source, table: TokenTable, idf: Floats) -> Floats:
        if self.threshold is not None:
            check_size(self, source, "lexrank without a threshold takes any text")
        return _scores(table, idf, self.threshold, self.damping)
