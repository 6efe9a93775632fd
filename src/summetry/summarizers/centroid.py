"""Centroid: sentences with the words that stand out in the whole topic (MEAD).

The centroid holds for each word how often a document of the topic has it on average, times its
idf; words below ``threshold`` are not in it. For sentence i of a document with n sentences:

    C_i    the centroid values of its words, repeats too, added up
    P_i    (n - i + 1) / n times the largest C of the document
    F_i    the words that it shares with the document's first sentence: sum of products of counts
    score  centroid * C_i + position * P_i + first * F_i, but 0 for fewer than ``length`` words

Source: Radev, Jing, Styś and Tam (2004), section 3. The weights are those of the program MEAD:
Centroid 1, Position 1, Length 9. Ours: idf of sentences of the topic, and no threshold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from summetry.arrays.token_tables import TokenTable, table_of
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError
from summetry.summarizers._vectors import Matrix, WeighingWords, sentence_idf, word_counts
from summetry.summarizers.base import SUMMARIZERS, Source, check_weights


def centroid(documents: Sequence[Sequence[Sequence[str]]], threshold: float = 0.0) -> list[float]:
    """C of each sentence; a document is a list of sentences, a sentence a list of words.

    >>> [round(c, 4) for c in centroid([[["fog", "fog"], ["ferry"]]])]
    [2.7726, 0.6931]
    """
    table = table_of([sentence for document in documents for sentence in document])
    counts, idf = word_counts(table), sentence_idf(table)
    return list(map(float, counts @ _centroid(counts, len(documents), idf, threshold)))


def _centroid(counts: Matrix, documents: int, idf: Floats, threshold: float) -> Floats:
    values = np.asarray(counts.sum(axis=0)).ravel() / max(documents, 1) * idf
    return np.where(values >= threshold, values, 0.0)


@SUMMARIZERS.register
@dataclass(frozen=True)
class Centroid(WeighingWords):
    """Centroid, position and length as in MEAD (Radev et al., 2004)."""

    centroid: float = 1.0
    position: float = 1.0
    first: float = 0.0
    length: int = 9
    threshold: float = 0.0

    name: ClassVar[str] = "centroid"

    def __post_init__(self) -> None:
        if self.length < 0:
            raise SummetryError(f"centroid: length must be 0 or more words, got {self.length}")
        check_weights(self, "centroid", "position", "first", "threshold")

    def score(self, source: Source, table: TokenTable, idf: Floats) -> Floats:
        counts = word_counts(table)
        documents = len(source.topic.documents)
        values = counts @ _centroid(counts, documents, idf, self.threshold)
        scores: Floats = self.centroid * values
        scores += self.position * _by_place(values, source.documents, source.places)
        if self.first:
            scores += self.first * _shared_with_first(counts, source.places)
        scores[source.words < self.length] = 0.0
        return scores


def _by_place(values: Floats, documents: Ints, places: Ints) -> Floats:
    """P: from the largest value of the document down to nearly nothing, in equal steps."""
    largest = np.zeros(documents.max(initial=-1) + 1)
    np.maximum.at(largest, documents, values)
    sizes = np.bincount(documents)[documents]
    return (sizes - places) / sizes * largest[documents]


def _shared_with_first(counts: Matrix, places: Ints) -> Floats:
    first = counts[np.flatnonzero(places == 0)]
    # Documents without units have no first sentence: number those that have one.
    number = np.cumsum(places == 0) - 1
    return np.asarray(counts.multiply(first[number]).sum(axis=1)).ravel()
