"""Similarity of the main topics of a summary and of its source, by latent semantic analysis.

The matrix A of weighted terms by sentences (see ``text.weighting``) is taken apart into
A = U S V^T; the columns of U are topics, the squares of the singular values their significance.

    lsa_main_topic:         cos = |sum_i ur_i us_i|      of the first columns of U
    lsa_term_significance:  the cosine of s_i = sqrt(sum over k <= r of u_ik^2 sigma_k^4)

with r = p % of the reference's sentences, where p is the share of words that the summary has of
the reference, at most 100 (see ``text.dimensions``). A term that one text lacks is 0 there;
vectors are not normalised again. An empty candidate, or one whose terms all weigh 0, has 0; such
a reference no value.

Where the paper is silent: the summary keeps the same r, at most as many as it has sentences;
words are running words, stop words included; a singular vector has no sign of its own, so the
absolute value counts. If the largest singular value is there several times there is no first
column; the value is then the cosine of the smallest angle between the spaces. If r falls among
equal singular values it moves to the last of them.

Source: Steinberger and Jezek (2009), section 5, eq. 9-13.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from summetry.arrays.types import Ints
from summetry.arrays.weighting import (
    BINARY,
    Weighting,
    occurrences,
    tokens_as_table,
    weighting_matrix,
)
from summetry.metrics.base import METRICS
from summetry.metrics.lsa.base import Lsa
from summetry.metrics.lsa.dimensions import Rounding, reduced
from summetry.metrics.lsa.pairs import (
    LsaPairs,
    Similar,
    lsa_texts,
    main_topic_cosines,
    pair_spaces,
    significance_cosines,
)
from summetry.records.batches import Batch
from summetry.text.pipeline import LanguagePipeline

SummaryR: TypeAlias = Literal["same", "percent", "all"]
Sentences: TypeAlias = Sequence[Sequence[str]]


class MainTopic(NamedTuple):
    """Eq. 9, the cosine of the smallest angle, and whether both have a first singular vector."""

    value: float
    max_cos: float
    unique: bool


def main_topic_similarity(
    summary: Sentences, reference: Sentences, weighting: Weighting = BINARY
) -> MainTopic:
    """How similar the main topics of two texts are, given as sentences of tokens.

    >>> round(main_topic_similarity([["fog", "pier"]], [["fog", "pier"], ["fog"]]).value, 4)
    0.9732
    """
    found = main_topic_cosines(_one_pair(summary, reference, weighting))
    value = float(found.values[0])
    # Without a value of its own, 0 stands for a summary of which nothing can be compared.
    compared = not math.isnan(value) and bool(_weighs(summary, weighting))
    return MainTopic(value, value if compared else math.nan, compared and not found.tied[0])


class TermSignificance(NamedTuple):
    """The similarity, and the dimensions that reference and summary were to keep."""

    value: float
    r: int | float
    r_summary: int | float


def term_significance_similarity(
    summary: Sentences,
    reference: Sentences,
    weighting: Weighting = BINARY,
    rounding: Rounding = "half_up",
    summary_r: SummaryR = "same",
) -> TermSignificance:
    """How similar the terms of the main topics weigh in two texts, given as sentences of tokens.

    All tokens that are given count as words for r.

    >>> term_significance_similarity([["fog", "pier"]], [["fog", "pier"], ["fog"]]).r
    1
    """
    pairs = _one_pair(summary, reference, weighting)
    sw, fw = (np.array([sum(map(len, text))], np.int64) for text in (summary, reference))
    theirs, mine = _ranks(pairs, sw, fw, rounding, summary_r)
    value = float(significance_cosines(pairs, mine, theirs).values[0])
    r = int(theirs[0]) if fw[0] else math.nan
    return TermSignificance(value, r, int(mine[0]) if fw[0] and sw[0] else math.nan)


def _one_pair(summary: Sentences, reference: Sentences, weighting: Weighting) -> LsaPairs:
    table = tokens_as_table([*reference, *summary])
    first = np.cumsum([0, len(reference), len(summary)], dtype=np.int64)
    texts = np.array([1], np.int64), np.array([0], np.int64)
    return pair_spaces(occurrences(table, first), *texts, weighting, "own")


def _weighs(sentences: Sentences, weighting: Weighting) -> bool:
    return bool(weighting_matrix(sentences, weighting).matrix.any())


def _ranks(
    pairs: LsaPairs, sw: Ints, fw: Ints, rounding: Rounding, summary_r: SummaryR
) -> tuple[Ints, Ints]:
    """The dimensions that each reference and each summary keeps."""
    sentences = pairs.mine.sentences[pairs.left_space]
    theirs = reduced(sw, fw, pairs.theirs.sentences[pairs.right_space], rounding)
    if summary_r == "all":
        return theirs, sentences
    if summary_r == "percent":
        return theirs, reduced(sw, fw, sentences, rounding)
    return theirs, np.minimum(theirs, sentences)


@METRICS.register
@dataclass(frozen=True)
class LsaMainTopic(Lsa):
    """Cosine of the first left singular vectors (Steinberger and Jezek, eq. 9)."""

    name: ClassVar[str] = "lsa_main_topic"
    tie: ClassVar[str] = (
        "equal largest singular values, so no single main topic; "
        "the nearest of the topics are compared"
    )

    def compare(self, batch: Batch, pairs: LsaPairs) -> Similar:
        return main_topic_cosines(pairs)

    def facts(self, batch: Batch, pairs: LsaPairs, similar: Similar) -> list[dict[str, float]]:
        # More than one where the largest singular value is there several times.
        return [
            {"main_topics_candidate": float(mine), "main_topics_reference": float(theirs)}
            for mine, theirs in zip(similar.mine, similar.theirs, strict=True)
        ]


@METRICS.register
@dataclass(frozen=True)
class LsaTermSignificance(Lsa):
    """Cosine of terms weighed by the main topics (Steinberger and Jezek, eq. 11-13)."""

    rounding: Rounding = "half_up"
    summary_r: SummaryR = "same"

    name: ClassVar[str] = "lsa_term_significance"
    tie: ClassVar[str] = "equal singular values where the dimensions are cut; all of them are kept"

    def compare(self, batch: Batch, pairs: LsaPairs) -> Similar:
        theirs, mine = _ranks(pairs, *self._words(batch), self.rounding, self.summary_r)
        return significance_cosines(pairs, mine, theirs)

    def facts(self, batch: Batch, pairs: LsaPairs, similar: Similar) -> list[dict[str, float]]:
        words = self._words(batch)
        asked = _ranks(pairs, *words, self.rounding, self.summary_r)
        columns = {
            "words_candidate": words[0],
            "words_reference": words[1],
            "sentences_candidate": pairs.mine.sentences[pairs.left_space],
            "sentences_reference": pairs.theirs.sentences[pairs.right_space],
            "r_candidate": asked[1],
            "r_reference": asked[0],
            "kept_candidate": similar.mine,
            "kept_reference": similar.theirs,
        }
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return [dict(zip(columns, map(float, row), strict=True)) for row in rows]

    def _words(self, batch: Batch) -> tuple[Ints, Ints]:
        """The running words, stop words included, of the two texts of each pair."""
        running = LanguagePipeline()
        if isinstance(self.text, LanguagePipeline):
            running = dataclasses.replace(running, tokens=self.text.tokens)
        lengths = batch.tokens(running).lengths
        owners = lsa_texts(batch, self.text, self.against).owners
        others = batch.references if self.against == "references" else batch.sources[owners]
        return lengths[batch.candidates[owners]], lengths[others]
