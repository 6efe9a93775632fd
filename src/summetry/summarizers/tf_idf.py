"""Sums of tf.idf weights: sentences with many words that few sentences have.

    score(S) = sum of tf_w idf_w over the distinct words w of S

``tf=sentence`` counts how often the sentence has the word, ``tf=topic`` how often the topic has
it. ``normalise=length`` divides by the number of words of the sentence; a sentence without words
has no score then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from summetry.arrays.token_tables import TokenTable, table_of
from summetry.arrays.types import Floats
from summetry.stats.concordance import divided
from summetry.summarizers._vectors import WeighingWords, scale_columns, sentence_idf, word_counts
from summetry.summarizers.base import SUMMARIZERS, Source

Frequency = Literal["sentence", "topic"]
Normalise = Literal["length"] | None


def tf_idf(
    sentences: Sequence[Sequence[str]], tf: Frequency = "sentence", normalise: Normalise = None
) -> list[float]:
    """The score of each sentence, given as a list of words, with the idf of these sentences.

    >>> [round(s, 4) for s in tf_idf([["fog", "fog"], ["fog", "ferry"], []])]
    [0.8109, 1.5041, 0.0]
    """
    table = table_of(sentences)
    return list(map(float, _scores(table, sentence_idf(table), tf, normalise)))


def _scores(table: TokenTable, idf: Floats, tf: Frequency, normalise: Normalise) -> Floats:
    counts = word_counts(table)
    if tf == "topic":
        total = np.asarray(counts.sum(axis=0)).ravel()
        counts.data = total[counts.indices]
    sums: Floats = np.asarray(scale_columns(counts, idf).sum(axis=1)).ravel()
    if normalise is None:
        return sums
    return divided(sums, table.lengths)


@SUMMARIZERS.register
@dataclass(frozen=True)
class TfIdf(WeighingWords):
    """The sum of the tf.idf weights of a sentence's words."""

    tf: Frequency = "sentence"
    normalise: Normalise = None

    name: ClassVar[str] = "tf_idf"

    def score(self, source: Source, table: TokenTable, idf: Floats) -> Floats:
        return _scores(table, idf, self.tf, self.normalise)
