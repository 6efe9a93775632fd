"""TextRank: sentences recommend the sentences that share words with them.

    w(Si, Sj) = |words of both| / (ln |Si| + ln |Sj|)

The numerator counts distinct words; |S| is the number of words of a sentence, repeats too. Two
sentences of one word each have ln 1 + ln 1 = 0 below the line and no link. The importance of a
sentence in this graph is its PageRank, or its authority by HITS. A sentence without words is
not in the graph: it has no score and stands last.

Of a long text the links are not held. What arrives at a sentence is added up word by word for all
sentences of one length at once, since their links to it differ by the words they share only.

Source: Mihalcea and Tarau (2004), section 4; Mihalcea (2004).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Floats, Ints
from summetry.arrays.walks import check_damping, hits, pagerank, pagerank_without_matrix
from summetry.errors import SummetryError
from summetry.summarizers._base import SUMMARIZERS, Ranking, Source, rank_by
from summetry.summarizers._vectors import (
    MOST_PAIRS,
    Matrix,
    content_words,
    only_defined,
    pairs_at_most,
    row_of,
    table_of,
    word_counts,
)
from summetry.text.pipeline import TextPipeline

Method = Literal["pagerank", "hits"]
# Shared words of two sentences, whose links take about 2 GB.
_MOST_FOR_HITS = 50_000_000
# Numbers held at once for words or sentences by lengths.
_CELLS = 4_000_000


def textrank(
    sentences: Sequence[Sequence[str]], method: Method = "pagerank", damping: float = 0.85
) -> list[float]:
    """The score of each sentence, given as a list of words.

    >>> [round(s, 4) for s in textrank([["fog", "pier"], ["fog", "ferry"], ["pier", "fog"]])]
    [0.3701, 0.2597, 0.3701]
    """
    found: list[float] = _scores(table_of(sentences), method, damping).tolist()
    return found


def overlaps(counts: Matrix, lengths: Ints) -> Matrix:
    """The weight of the link between each two sentences that share words; none to itself."""
    held = counts.sign()
    shared = (held @ held.T).tocsr()
    logs = np.log(lengths)
    rows, columns = row_of(shared), shared.indices
    below = logs[rows] + logs[columns]
    linked = (rows != columns) & (below > 0)
    shared.data = np.divide(shared.data, below, out=np.zeros(len(below)), where=linked)
    shared.eliminate_zeros()
    return shared


class OverlapSums:
    """What the links of :func:`overlaps` do, without any of them being held."""

    def __init__(self, counts: Matrix, lengths: Ints) -> None:
        self.held = counts.sign()
        self.words = self.held.T.tocsr()
        sizes, self.kind = np.unique(lengths, return_inverse=True)
        below = np.log(sizes)[:, None] + np.log(sizes)
        # What a shared word weighs between sentences of one length and of another.
        self.weights = np.divide(1.0, below, out=np.zeros(below.shape), where=below > 0)
        self.own = np.diff(self.held.indptr) * self.weights[self.kind, self.kind]
        # So many lengths at a time that what is held for each word and sentence stays small.
        self.width = max(1, _CELLS // max(*self.held.shape, 1))

    def leaving(self) -> Floats:
        """The sum of the weights of each sentence's links."""
        ones = np.ones(len(self.kind))
        distinct = np.diff(self.held.indptr)
        found = np.zeros(len(self.kind))
        for kinds, shared in self._shared(ones):
            # Whole numbers, so a sentence that shares words with itself only has exactly 0.
            itself = self.kind[:, None] == kinds
            found += ((shared - distinct[:, None] * itself) * self._weights_of(kinds)).sum(axis=1)
        return found

    def arriving(self, x: Floats) -> Floats:
        """The sum over all sentences i of x_i w_ij, for each sentence j."""
        found: Floats = -self.own * x
        for kinds, shared in self._shared(x):
            found += (shared * self._weights_of(kinds)).sum(axis=1)
        return found

    def _shared(self, x: Floats) -> Iterator[tuple[Ints, Floats]]:
        """Some lengths, and the sum of x over the sentences of each by words that are shared."""
        from scipy.sparse import csr_array

        size, lengths = len(self.kind), len(self.weights)
        by_length = csr_array((x, self.kind, np.arange(size + 1)), shape=(size, lengths))
        by_word = (self.words @ by_length).tocsc()
        for start in range(0, lengths, self.width):
            kinds = np.arange(start, min(start + self.width, lengths))
            yield kinds, self.held @ by_word[:, start : start + self.width].toarray()

    def _weights_of(self, kinds: Ints) -> Floats:
        found: Floats = self.weights[:, kinds][self.kind]
        return found


def _scores(table: TokenTable, method: Method, damping: float) -> Floats:
    defined = table.lengths > 0
    counts, lengths = word_counts(table)[defined], table.lengths[defined]
    pairs = pairs_at_most(counts)
    if method == "hits":
        if pairs > _MOST_FOR_HITS:
            raise SummetryError(
                f"textrank(method=hits) holds every link of a text, up to {_MOST_FOR_HITS:,} "
                f"shared words of two sentences, found {pairs:,}; method=pagerank takes any text"
            )
        scores = hits(overlaps(counts, lengths))
    elif pairs <= MOST_PAIRS:
        scores = pagerank(overlaps(counts, lengths), damping)
    else:
        sums = OverlapSums(counts, lengths)
        scores = pagerank_without_matrix(sums.leaving(), sums.arriving, damping)
    return only_defined(scores, defined)


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

    def rank(self, source: Source, wanted: int) -> Ranking:
        return rank_by(_scores(source.tokens(self.text), self.method, self.damping))
