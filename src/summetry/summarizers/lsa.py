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

from summetry import spec
from summetry.arrays.latent import Spaces
from summetry.arrays.svd import MOST_SENTENCES, Spectrum, decompose, end_of_group, rank
from summetry.arrays.types import Floats
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
from summetry.summarizers._base import SUMMARIZERS, Ranking, Source, rank_by
from summetry.summarizers._text_map import bushiness, links_of, similarities
from summetry.summarizers._text_map import yeh as yeh
from summetry.summarizers._topics import pick_by_topic
from summetry.text.pipeline import LanguagePipeline, TextPipeline

Method: TypeAlias = Literal["steinberger_jezek", "gong_liu", "murray", "yeh"]
Quota: TypeAlias = Literal["largest_remainder", "ceil"]
MapRanking: TypeAlias = Literal["textrank", "degree", "bushiness"]
# Terms by sentences.
Matrix: TypeAlias = Sequence[Sequence[float]] | Floats

_BILLION = 10**9


def gong_liu(matrix: Matrix, l: int) -> list[int]:  # noqa: E741
    """Up to ``l`` sentences, one for each topic; no more than the matrix has rank.

    >>> gong_liu([[2, 0, 0], [0, 3, 0], [0, 0, 1]], 2)
    [1, 0]
    """
    return _one_a_topic(decompose(_gram(matrix)))[:l]


def steinberger_jezek(matrix: Matrix, r: int | None = None, power: int = 2) -> list[float]:
    """The score of each sentence: its length in S^power V^T, of ``r`` dimensions or all.

    With power 1 and all dimensions that is just the length of its column.

    >>> steinberger_jezek([[2, 0, 0], [0, 3, 0], [0, 0, 1]])
    [4.0, 9.0, 1.0]
    """
    gram = _gram(matrix)
    if power == 2 and r is None:
        # The lengths of the rows of A^T A, without any decomposition.
        found: Floats = np.sqrt((gram**2).sum(axis=1))
    else:
        found = _combined_weights(decompose(gram), r, power)
    return [float(score) for score in found]


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
    shares = topic_quota(sizes.tolist(), l, quota)
    return MurrayChoice(shares, pick_by_topic(spectrum, shares))


def topic_quota(singular_values: Sequence[float], l: int, quota: Quota) -> list[int]:  # noqa: E741
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
        found = np.clip(l - before, 0, above)
    else:
        found = claims // _BILLION
        order = np.argsort(found * _BILLION - claims, kind="stable")
        found[order[: l - int(found.sum())]] += 1
    shares: list[int] = found.tolist()
    return shares


def _gram(matrix: Matrix) -> Floats:
    dense = np.asarray(matrix, np.float64)
    found: Floats = dense.T @ dense
    return found


def _one_a_topic(spectrum: Spectrum) -> list[int]:
    return pick_by_topic(spectrum, [1] * len(spectrum.values))


def _combined_weights(spectrum: Spectrum, r: int | None, power: int = 2) -> Floats:
    """Steinberger and Jezek's scores from ``r`` dimensions or all."""
    values, vectors = spectrum
    kept = end_of_group(values, r) if r is not None else len(values)
    found: Floats = np.sqrt(vectors[:, :kept] ** 2 @ values[:kept] ** power)
    return found


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
        if self.r is not None and not (0 < self.r < 1 or (self.r >= 1 and self.r % 1 == 0)):
            raise SummetryError(
                f"lsa: r must be a whole number of dimensions, or a share of the sentences between "
                f"0 and 1, got {self.r}"
            )
        if self.r is not None and self.method in ("gong_liu", "murray"):
            raise SummetryError(
                f"lsa: r is for method=steinberger_jezek and method=yeh; {self.method} takes its "
                f"topics one after the other"
            )
        if not 0 <= self.threshold < 1:
            raise SummetryError(
                f"lsa: threshold must be at least 0 and below 1, got {self.threshold}"
            )
        check_damping(self.damping)

    def rank(self, source: Source, wanted: int) -> Ranking:
        self._check_size(source)
        table = source.tokens(self.text)
        weighting = Weighting(self.local, self.scope, self.au_absent, self.en, self.log)
        one_text = np.array([0, len(source)], np.int64)
        spaces = Spaces(weigh(occurrences(table, one_text), weighting))
        if self.method == "steinberger_jezek":
            return rank_by(self._combined(spaces))
        if not len(source):
            return Ranking(())
        if self.method == "gong_liu":
            return Ranking(tuple(_one_a_topic(spaces.spectrum(0))))
        if self.method == "murray":
            return Ranking(tuple(self._murray(spaces, wanted)))
        return rank_by(np.where(table.lengths > 0, self._mapped(spaces), np.nan))

    def _check_size(self, source: Source) -> None:
        """Only without any decomposition may a text be of any length."""
        takes_any = self.method == "steinberger_jezek" and self.r is None
        if not takes_any and len(source) > MOST_SENTENCES:
            raise SummetryError(
                f"{spec.show(self)} holds a number for every two sentences, up to "
                f"{MOST_SENTENCES:,} sentences, found {len(source):,}; "
                f"method=steinberger_jezek without r takes any text"
            )

    def _combined(self, spaces: Spaces) -> Floats:
        if self.r is None:
            return spaces.gram_lengths(0)
        return _combined_weights(spaces.spectrum(0), self._dimensions(spaces))

    def _murray(self, spaces: Spaces, wanted: int) -> list[int]:
        spectrum = spaces.spectrum(0)
        topics = np.sqrt(spectrum.values[: rank(spectrum.values)]).tolist()
        chosen = pick_by_topic(spectrum, topic_quota(topics, wanted, self.quota))
        rest = rank_by(_combined_weights(spectrum, None)).order
        taken = set(chosen)
        return chosen + [unit for unit in rest if unit not in taken]

    def _mapped(self, spaces: Spaces) -> Floats:
        spectrum = spaces.spectrum(0)
        kept = end_of_group(spectrum.values, self._dimensions(spaces))
        links = links_of(similarities(spectrum, kept))
        if self.ranking == "textrank":
            return pagerank(links, self.damping)
        if self.ranking == "bushiness":
            return bushiness(links, self.threshold).astype(np.float64)
        degree: Floats = links.sum(axis=1)
        return degree

    def _dimensions(self, spaces: Spaces) -> int:
        """``r`` as a number of dimensions, a share rounded half up and at least 1."""
        sentences = int(spaces.sentences[0])
        r = Fraction(1, 2) if self.r is None else Fraction(str(self.r))
        if r >= 1:
            return min(int(r), sentences)
        return max(int(r * sentences + Fraction(1, 2)), 1)
