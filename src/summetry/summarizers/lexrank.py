"""LexRank: sentences are important that are similar to many important sentences.

    cos(x, y) = sum tf_wx tf_wy idf_w^2 / (sqrt(sum (tf_wx idf_w)^2) sqrt(sum (tf_wy idf_w)^2))

With a threshold, two sentences are linked, with weight 1, if their cosine is above it; without
one (continuous LexRank) the cosine is the weight. As in the paper's algorithm every sentence is
linked with itself. The score is the PageRank of this graph. A sentence whose words all have idf 0,
or that has none, is not in the graph: it has no score and stands last.

Source: Erkan and Radev (2004), sections 2 and 3, algorithms 2 and 3. Their d is 1 - damping.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from summetry.errors import SummetryError
from summetry.summarizers._base import SUMMARIZERS, Floats, Source
from summetry.summarizers._vectors import (
    WeighingWords,
    holders,
    inverse_frequency,
    only_defined,
    scale_columns,
    table_of,
    unit_rows,
    word_counts,
)
from summetry.text.vocabulary import TokenTable
from summetry.text.walks import check_damping, pagerank

_ROUNDING = 1e-12


def lexrank(
    sentences: Sequence[Sequence[str]], threshold: float | None = 0.1, damping: float = 0.85
) -> list[float]:
    """The score of each sentence, given as a list of words, with the idf of these sentences.

    >>> [round(s, 4) for s in lexrank([["fog", "pier"], ["fog", "ferry"], ["pier", "ice"]])]
    [0.4161, 0.292, 0.292]
    """
    table = table_of(sentences)
    idf = inverse_frequency(len(table), holders(table))
    found: list[float] = _scores(table, idf, threshold, damping).tolist()
    return found


def _scores(table: TokenTable, idf: Floats, threshold: float | None, damping: float) -> Floats:
    vectors = scale_columns(word_counts(table), idf)
    defined = np.diff(vectors.indptr) > 0
    vectors = unit_rows(vectors[defined])
    links = (vectors @ vectors.T).tocsr()
    if threshold is not None:
        # Both directions of a link are rounded on their own and must not part at the threshold.
        links.data = (links.data > threshold + _ROUNDING).astype(np.float64)
        links.eliminate_zeros()
    return only_defined(pagerank(links, damping), defined)


@SUMMARIZERS.register
@dataclass(frozen=True)
class LexRank(WeighingWords):
    """PageRank on cosines of tf.idf vectors (Erkan and Radev, 2004)."""

    threshold: float | None = 0.1
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
        return _scores(table, idf, self.threshold, self.damping)
