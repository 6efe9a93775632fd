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

from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Floats, Ints
from summetry.arrays.walks import check_damping, hits, pagerank
from summetry.errors import SummetryError
from summetry.summarizers._base import SUMMARIZERS, Ranking, Source, rank_by
from summetry.summarizers._vectors import (
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
_MOST_PAIRS = 50_000_000


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


def _scores(table: TokenTable, method: Method, damping: float) -> Floats:
    defined = table.lengths > 0
    counts, lengths = word_counts(table)[defined], table.lengths[defined]
    pairs = pairs_at_most(counts)
    if pairs > _MOST_PAIRS:
        raise SummetryError(
            f"textrank holds every link of a text, up to {_MOST_PAIRS:,} shared words of two "
            f"sentences, found {pairs:,}; cut the text into parts"
        )
    links = overlaps(counts, lengths)
    scores = hits(links) if method == "hits" else pagerank(links, damping)
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
