"""Sentences chosen by latent semantic analysis: A = U S V^T for terms by sentences.

    gong_liu           the k-th sentence has the largest entry in the k-th column of V
    steinberger_jezek  score_j = sqrt(sum over k <= r of v_jk^2 sigma_k^4)
    murray             each topic gives sentences in proportion to its singular value
    yeh                a map of sentences by the cosines of the columns of A' = U' S' V'^T, of
                       r dimensions, and a ranking of the nodes of that map

What the paper leaves open: entries of V count by their size, since vectors have no sign; a
sentence that is taken already gives way to the next; there are as many topics as the matrix has
rank. Murray's shares become whole numbers by largest remainder, or each is rounded up in turn
until the summary is full (``quota=ceil``); the sentences that are left follow by their score
as in steinberger_jezek. In Yeh's map a cosine below 0 is no link. Without an ``r``, all
dimensions count, and half as many as sentences for the map.

Source: Steinberger and Jezek (2009), section 4; Gong and Liu (2001); Murray et al. (2005);
Yeh et al. (2005).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from summetry.arrays.latent import Spaces
from summetry.arrays.svd import Spectrum, decompose, end_of_group, groups, rank
from summetry.arrays.types import Bools, Floats, Ints
from summetry.arrays.walks import check_damping, pagerank
from summetry.arrays.weighting import (
    AuAbsent,
    Entropy,
    Local,
    LogBase,
    Scope,
    Weighting,
    occurrences,
    weigh,
)
from summetry.errors import SummetryError
from summetry.summarizers.base import SUMMARIZERS, Ranking, Source, check_size, rank_by
from summetry.text.pipeline import LanguagePipeline, TextPipeline

Method: TypeAlias = Literal["steinberger_jezek", "gong_liu", "murray", "yeh"]
Quota: TypeAlias = Literal["largest_remainder", "ceil"]
MapRanking: TypeAlias = Literal["textrank", "degree", "bushiness"]
# Terms by sentences.
Matrix: TypeAlias = Sequence[Sequence[float]] | Floats

_BILLION = 10**9
# Numbers nearer than this are equal but for rounding; vectors of topics are of length 1.
_EQUAL = 1e-9
# An entry so small is only rounding, even added up over all topics.
_NOTHING = 1e-14


def gong_liu(matrix: Matrix, l: int) -> list[int]:  # noqa: E741
    """Up to ``l`` sentences, one for each topic; no more than the matrix has rank.

    >>> gong_liu([[2, 0, 0], [0, 3, 0], [0, 0, 1]], 2)
    [1, 0]
    """
    spectrum = decompose(_gram(matrix))
    return pick_by_topic(spectrum, [1] * len(spectrum.values))[:l]


def steinberger_jezek(matrix: Matrix, r: int | None = None, power: int = 2) -> list[float]:
    """The score of each sentence: its length in S^power V^T, of ``r`` dimensions or all.

    With power 1 and all dimensions that is just the length of its column.

    >>> steinberger_jezek([[2, 0, 0], [0, 3, 0], [0, 0, 1]])
    [4.0, 9.0, 1.0]
    """
    gram = _gram(matrix)
    if power == 2 and r is None:
        # The lengths of the rows of A^T A, without any decomposition.
        scores: Floats = np.sqrt((gram**2).sum(axis=1))
    else:
        scores = _combined_weights(decompose(gram), r, power)
    return list(map(float, scores))


class MurrayChoice(NamedTuple):
    """How many sentences each topic gives, and the sentences."""

    quota: list[int]
    selected: list[int]


def murray(matrix: Matrix, l: int, quota: Quota = "largest_remainder") -> MurrayChoice:  # noqa: E741
    """``l`` sentences, shared out among the topics in proportion to their singular values.

    >>> murray([[5, 0, 0], [0, 3, 0], [0, 0, 2]], 2)
    MurrayChoice(quota=[1, 1, 0], selected=[0, 1])
    """
    spectrum = decompose(_gram(matrix))
    sizes = np.sqrt(spectrum.values[: len(matrix)])
    sizes[rank(spectrum.values) :] = 0.0
    shares = topic_quota(sizes, l, quota)
    return MurrayChoice(shares, pick_by_topic(spectrum, shares))


def topic_quota(
    singular_values: Sequence[float] | Floats,
    l: int,  # noqa: E741
    quota: Quota,
) -> list[int]:
    """``l`` sentences shared out among topics; of equal claims the stronger topic's comes first.

    >>> topic_quota([5, 3, 2], 4, "largest_remainder"), topic_quota([5, 3, 2], 4, "ceil")
    ([2, 1, 1], [2, 2, 0])
    """
    values = np.array(singular_values, np.float64)
    total = float(values.sum())
    if not total:
        return [0] * len(values)
    # In whole billionths, so that what differs only by rounding is equal.
    claims = np.rint(values / total * l * _BILLION).astype(np.int64)
    if quota == "ceil":
        above = -(-claims // _BILLION)
        before = np.cumsum(above) - above
        shares = np.clip(l - before, 0, above)
    else:
        shares = claims // _BILLION
        order = np.argsort(shares * _BILLION - claims, kind="stable")
        shares[order[: l - int(shares.sum())]] += 1
    return list(map(int, shares))


def _gram(matrix: Matrix) -> Floats:
    dense = np.asarray(matrix, np.float64)
    return dense.T @ dense


def _combined_weights(spectrum: Spectrum, r: int | None, power: int = 2) -> Floats:
    """Steinberger and Jezek's scores from ``r`` dimensions or all."""
    values, vectors = spectrum
    kept = end_of_group(values, r) if r is not None else len(values)
    return np.sqrt(vectors[:, :kept] ** 2 @ values[:kept] ** power)


def pick_by_topic(spectrum: Spectrum, quota: Sequence[int]) -> list[int]:
    """``quota`` sentences for each topic, those with the largest entries of its right vector.

    A sentence that another topic has taken is passed over. Topics of equal singular values have
    no vectors of their own and are taken together: see :func:`_pick`.
    """
    free = np.ones(len(spectrum.vectors), dtype=np.bool_)
    picked: list[int] = []
    for group in groups(spectrum.values):
        number = min(sum(quota[group]), int(free.sum()))
        picked += _pick(spectrum.vectors[:, group], number, free)
    return picked


def _pick(vectors: Floats, number: int, free: Bools) -> list[int]:
    """``number`` sentences of a space, which are then no longer free.

    The first is the one with the largest projection on the space. Its direction is taken out of
    the space before the next is picked, so that all of the space is covered; when nothing is
    left of it, it starts again. With one dimension that is just the order of the entries.
    """
    picked: list[int] = []
    left, sizes = vectors.copy(), _sizes(vectors)
    for _ in range(number):
        if not (sizes[free] > 0).any():
            left, sizes = vectors.copy(), _sizes(vectors)
        best = int(np.argmax(np.where(free, sizes, -1.0)))
        free[best] = False
        picked.append(best)
        length = np.linalg.norm(left[best])
        if length > _EQUAL:
            direction = left[best] / length
            along = left @ direction
            # In a large space most sentences have nothing in this direction: they stay as they are.
            moved = np.flatnonzero(np.abs(along) > _NOTHING)
            left[moved] -= np.outer(along[moved], direction)
            sizes[moved] = _sizes(left[moved])
    return picked


def _sizes(vectors: Floats) -> Floats:
    """The length of each row, those that differ only by rounding made equal."""
    sizes: Floats = np.round(np.sqrt((vectors**2).sum(axis=1)) / _EQUAL)
    return sizes


class TextMap(NamedTuple):
    """Yeh's map: the matrix in ``r`` dimensions, cosines of its columns, and three rankings."""

    reduced: Floats
    similarity: Floats
    degree: Floats
    bushiness: Ints
    textrank: Floats
    r: int


def yeh(
    matrix: Matrix,
    r: int,
    threshold: float | Fraction = 0.3,
    damping: float = 0.85,
) -> TextMap:
    """The map of the sentences of a matrix, of which ``r`` dimensions are kept.

    >>> yeh([[2, 2, 0], [0, 1, 1], [0, 1, 2]], 3).bushiness.tolist()
    [1, 2, 1]
    """
    dense = np.asarray(matrix, np.float64)
    spectrum = decompose(dense.T @ dense)
    kept = min(end_of_group(spectrum.values, r), min(dense.shape))
    vectors = spectrum.vectors[:, :kept]
    similarity = similarities(spectrum, kept)
    links = links_of(similarity)
    return TextMap(
        dense @ vectors @ vectors.T,
        similarity,
        links.sum(axis=1),
        bushiness(links, float(threshold)),
        pagerank(links, damping),
        kept,
    )


def similarities(spectrum: Spectrum, kept: int) -> Floats:
    """Cosines of the columns of A', which are those of the rows of V S; 0 for a zero column."""
    # Beyond the rank there is nothing but rounding, whose roots could pass for small numbers.
    kept = min(kept, rank(spectrum.values))
    sentences = spectrum.vectors[:, :kept] * np.sqrt(spectrum.values[:kept])
    lengths = np.sqrt((sentences**2).sum(axis=1))
    there = lengths > _EQUAL * lengths.max(initial=0.0)
    below = np.where(there, lengths, 1.0)[:, None]
    units = np.where(there[:, None], sentences / below, 0.0)
    cosines: Floats = units @ units.T
    # What is nothing but rounding must not become a link.
    cosines[np.abs(cosines) < _EQUAL] = 0.0
    return cosines


def links_of(similarity: Floats) -> Floats:
    """The links that similarities make; none of a sentence to itself."""
    links = np.maximum(similarity, 0.0)
    np.fill_diagonal(links, 0.0)
    return links


def bushiness(links: Floats, threshold: float) -> Ints:
    """How many links of each sentence are above the threshold."""
    counts: Ints = (links > threshold + _EQUAL).sum(axis=1).astype(np.int64)
    return counts


@SUMMARIZERS.register
@dataclass(frozen=True)
class Lsa:
    """Sentences of the main topics (Steinberger and Jezek, section 4, and those it names)."""

    method: Method = "steinberger_jezek"
    r: int | float | None = None
    quota: Quota = "largest_remainder"
    ranking: MapRanking = "textrank"
    threshold: float = 0.3
    damping: float = 0.85
    local: Local = "BI"
    scope: Scope = "NW"
    au_absent: AuAbsent = "zero"
    en: Entropy = "standard"
    log: LogBase = "e"
    text: TextPipeline = field(default_factory=lambda: LanguagePipeline(stop=True))

    name: ClassVar[str] = "lsa"

    def __post_init__(self) -> None:
        problem = ""
        if self.r is not None and not (0 < self.r < 1 or (self.r >= 1 and self.r % 1 == 0)):
            dimensions = "a whole number of dimensions, or a share of the sentences between 0 and 1"
            problem = f"r must be {dimensions}, got {self.r}"
        elif self.r is not None and self.method in ("gong_liu", "murray"):
            others = "method=steinberger_jezek and method=yeh"
            problem = f"r is for {others}; {self.method} takes its topics one after the other"
        elif not 0 <= self.threshold < 1:
            problem = f"threshold must be at least 0 and below 1, got {self.threshold}"
        if problem:
            raise SummetryError(f"lsa: {problem}")
        check_damping(self.damping)

    def rank(self, source: Source, count: int) -> Ranking:
        # Only without any decomposition may a text be of any length.
        if self.method != "steinberger_jezek" or self.r is not None:
            check_size(self, source, "method=steinberger_jezek without r takes any text")
        table = source.tokens(self.text)
        weighting = Weighting(self.local, self.scope, self.au_absent, self.en, self.log)
        one_text = np.array([0, len(source)], np.int64)
        spaces = Spaces(weigh(occurrences(table, one_text), weighting))
        if self.method == "steinberger_jezek" and self.r is None:
            return rank_by(spaces.gram_lengths(0))
        if not len(source):
            return Ranking((), () if self.method == "steinberger_jezek" else None)
        spectrum = spaces.spectrum(0)
        if self.method == "steinberger_jezek":
            return rank_by(_combined_weights(spectrum, self._dimensions(len(source))))
        if self.method == "gong_liu":
            return Ranking(tuple(pick_by_topic(spectrum, [1] * len(source))))
        if self.method == "murray":
            topics = np.sqrt(spectrum.values[: rank(spectrum.values)])
            chosen = pick_by_topic(spectrum, topic_quota(topics, count, self.quota))
            rest = rank_by(_combined_weights(spectrum, None)).order
            return Ranking(tuple(dict.fromkeys((*chosen, *rest))))
        return rank_by(np.where(table.lengths > 0, self._map_scores(spectrum), np.nan))

    def _map_scores(self, spectrum: Spectrum) -> Floats | Ints:
        dimensions = self._dimensions(len(spectrum.vectors))
        links = links_of(similarities(spectrum, end_of_group(spectrum.values, dimensions)))
        if self.ranking == "textrank":
            return pagerank(links, self.damping)
        if self.ranking == "bushiness":
            return bushiness(links, self.threshold)
        degree: Floats = links.sum(axis=1)
        return degree

    def _dimensions(self, sentences: int) -> int:
        """``r`` as a number of dimensions, a share rounded half up and at least 1."""
        r = Fraction(1, 2) if self.r is None else Fraction(str(self.r))
        if r >= 1:
            return min(int(r), sentences)
        return max(int(r * sentences + Fraction(1, 2)), 1)
