"""TextRank: sentences recommend the sentences that share words with them.

    w(Si, Sj) = |words of both| / (ln |Si| + ln |Sj|)

The numerator counts distinct words; |S| is the number of words of a sentence, repeats too. Two
sentences of one word each have ln 1 + ln 1 = 0 below the line and no link. The importance of a
sentence in this graph is its PageRank, or its authority by HITS. A sentence without words is
not in the graph: it has no score and stands last.

Source: Mihalcea and Tarau (2004), section 4; Mihalcea (2004).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from summetry.arrays.token_tables import TokenTable, table_of
from summetry.arrays.types import Floats, Ints
from summetry.arrays.walks import check_damping, hits, pagerank_without_matrix
from summetry.summarizers._vectors import Matrix, only_defined, word_counts
from summetry.summarizers.base import (
    SUMMARIZERS,
    Ranking,
    Source,
    check_size,
    content_words,
    rank_by,
)
from summetry.text.pipeline import TextPipeline

Method = Literal["pagerank", "hits"]


def textrank(
    sentences: Sequence[Sequence[str]], method: Method = "pagerank", damping: float = 0.85
) -> list[float]:
    """The score of each sentence, given as a list of words.

    >>> [round(s, 4) for s in textrank([["fog", "pier"], ["fog", "ferry"], ["pier", "fog"]])]
    [0.3701, 0.2597, 0.3701]
    """
    return list(map(float, TextRank(method, damping).score(table_of(sentences))))


def overlaps(counts: Matrix, lengths: Ints) -> Matrix:
    """The weight of the link between each two sentences that share words; none to itself."""
    held = counts.sign()
    shared = (held @ held.T).tocsr()
    logs = np.log(lengths)
    rows = np.repeat(np.arange(len(lengths)), np.diff(shared.indptr))
    columns = shared.indices
    below = logs[rows] + logs[columns]
    linked = (rows != columns) & (below > 0)
    shared.data = np.divide(shared.data, below, out=np.zeros(len(below)), where=linked)
    shared.eliminate_zeros()
    return shared


def walk_by_length(counts: Matrix, lengths: Ints, damping: float) -> Floats:
    """PageRank on the links of :func:`overlaps`, none of which is held.

    Links to a sentence from sentences of one length differ only by the words they share, so what
    arrives at it is added up word by word for all sentences of one length at once.
    """
    held = counts.sign()
    words = held.T.tocsr()
    sizes, kind = np.unique(lengths, return_inverse=True)
    is_of_kind = (kind[:, None] == np.arange(len(sizes))).astype(np.float64)
    below = np.log(sizes)[:, None] + np.log(sizes)
    # What a shared word weighs between a sentence and one of each length.
    weights = np.divide(1.0, below, out=np.zeros(below.shape), where=below > 0)[kind]
    distinct = np.diff(held.indptr)[:, None] * is_of_kind

    def arriving(x: Floats) -> Floats:
        # For each sentence, x of the sentences of each length, once for every word they share.
        shared = held @ (words @ (is_of_kind * x[:, None])) - distinct * x[:, None]
        sums: Floats = (shared * weights).sum(axis=1)
        return sums

    # With ones the sums are whole numbers: a sentence that shares no word has exactly 0.
    return pagerank_without_matrix(arriving(np.ones(len(kind))), arriving, damping)


@SUMMARIZERS.register
@dataclass(frozen=True)
class TextRank:
    """PageRank or HITS on shared words (Mihalcea and Tarau, 2004)."""

    method: Method = "pagerank"
    damping: float = 0.85
    text: TextPipeline = field(default_factory=content_words)

    name: ClassVar[str] = "textrank"

    def __post_init__(self) -> None:
        check_damping(self.damping)

    def rank(self, source: Source, count: int) -> Ranking:
        if self.method == "hits":
            check_size(self, source, "method=pagerank takes any text")
        return rank_by(self.score(source.tokens(self.text)))

    def score(self, table: TokenTable) -> Floats:
        """The score of each row; NaN for those without words."""
        defined = table.lengths > 0
        counts, lengths = word_counts(table)[defined], table.lengths[defined]
        if self.method == "hits":
            return only_defined(hits(overlaps(counts, lengths)), defined)
        return only_defined(walk_by_length(counts, lengths, self.damping), defined)
