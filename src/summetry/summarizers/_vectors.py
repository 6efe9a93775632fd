"""Sentences as sparse vectors of words, for the summarizers that weigh or compare them.

Rows are sentences, columns words. A word that N sentences or documents could hold, and n do,
has the inverse frequency ln(N / n).
"""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from summetry import spec
from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Bools, Floats, Ints
from summetry.errors import NeedsError, SummetryError
from summetry.records.corpus import Corpus
from summetry.summarizers.base import (
    Ranking,
    SameCorpus,
    Source,
    Summarizer,
    content_words,
    rank_by,
)
from summetry.text.pipeline import TextPipeline

# A sparse matrix of scipy, which has no types of its own.
Matrix: TypeAlias = Any


def word_counts(table: TokenTable) -> Matrix:
    """How often each sentence has each word."""
    from scipy.sparse import csr_array

    bags = table.bags
    parts = bags.counts.astype(np.float64), bags.ids, bags.offsets
    return csr_array(parts, shape=(len(table), len(table.words)))


def holders(table: TokenTable) -> Ints:
    """How many sentences have each word."""
    return np.bincount(table.bags.ids, minlength=len(table.words)).astype(np.int64)


def inverse_frequency(number: int, holding: Ints) -> Floats:
    """ln(N / n) for each word; 0 for a word that no sentence has."""
    return np.log(max(number, 1) / np.where(holding > 0, holding, max(number, 1)))


def sentence_idf(table: TokenTable) -> Floats:
    """The inverse frequency of each word among the sentences of a table."""
    return inverse_frequency(len(table), holders(table))


def unit_rows(vectors: Matrix) -> Matrix:
    """Rows of length 1, so that products of rows are cosines; rows of zeros stay."""
    lengths = np.sqrt(np.asarray(vectors.power(2).sum(axis=1)).ravel())
    scale = np.divide(1.0, lengths, out=np.zeros(len(lengths)), where=lengths > 0)
    scaled = vectors.copy()
    scaled.data *= np.repeat(scale, np.diff(scaled.indptr))
    return scaled


def scale_columns(vectors: Matrix, factors: Floats) -> Matrix:
    """Each word times its weight; words that weigh nothing leave the vectors."""
    scaled = vectors.copy()
    scaled.data *= factors[scaled.indices]
    scaled.eliminate_zeros()
    return scaled


def only_defined(scores: Floats, defined: Bools) -> Floats:
    """``scores``, one for each unit that has one, as one for every unit: NaN for the others."""
    spread = np.full(len(defined), np.nan)
    spread[defined] = scores
    return spread


@dataclass(frozen=True)
class DocumentFrequencies:
    """How many of ``documents`` hold each word; ``number`` is the place of each in ``holding``."""

    documents: int
    holding: Ints
    number: Mapping[str, int]

    def idf(self, words: Sequence[str]) -> Floats:
        """ln((N + 1) / (n + 1)): as if one more document had every word, new ones too."""
        places = [self.number.get(word, -1) for word in words]
        # The place -1 of a new word is that of the 0 at the end.
        held = np.append(self.holding, 0)[places]
        return np.log((self.documents + 1) / (held + 1))


def count_documents(
    corpus: Corpus, leave_out: frozenset[str], pipeline: TextPipeline
) -> DocumentFrequencies:
    """Document frequencies in the topics of ``corpus`` except those named."""
    documents = _read_documents(SameCorpus(corpus), pipeline)
    bags, every = documents.table.bags, documents.holding
    is_out = np.array([topic in leave_out for topic in documents.topics], bool)
    places = np.flatnonzero(np.repeat(is_out, bags.lengths))
    holding = every - np.bincount(bags.ids[places], minlength=len(every))
    return DocumentFrequencies(len(is_out) - int(is_out.sum()), holding, documents.number)


class _Documents(NamedTuple):
    """The documents of a corpus: their words, the topic of each, and how many have each word."""

    table: TokenTable
    topics: list[str]
    holding: Ints
    number: dict[str, int]


@lru_cache(maxsize=1)
def _read_documents(same: SameCorpus, pipeline: TextPipeline) -> _Documents:
    """Kept, because each topic learns from the same corpus but for itself."""
    texts, languages, topics = [], [], []
    for topic in same.corpus.topics:
        for document in topic.documents:
            texts.append(" ".join(document.units))
            languages.append(same.corpus.language_of(topic))
            topics.append(topic.id)
    table = pipeline.encode(texts, languages)
    number = {word: place for place, word in enumerate(table.words)}
    return _Documents(table, topics, holders(table), number)


@dataclass(frozen=True)
class WeighingWords(abc.ABC):
    """A summarizer that weighs words by how few sentences or documents have them."""

    idf: Literal["topic", "corpus"] = "topic"
    text: TextPipeline = field(default_factory=content_words)

    name: ClassVar[str]

    @abc.abstractmethod
    def score(self, source: Source, table: TokenTable, idf: Floats) -> Floats:
        """The score of each unit, given the weight of each word of ``table``."""

    def rank(self, source: Source, count: int) -> Ranking:
        if self.idf == "corpus":
            raise SummetryError(
                f"{spec.show(self)} counts words in a corpus and was given none: "
                f"summarize a corpus, or take idf=topic"
            )
        table = source.tokens(self.text)
        return rank_by(self.score(source, table, sentence_idf(table)))

    def learn(self, corpus: Corpus, leave_out: frozenset[str]) -> Summarizer:
        if self.idf == "topic":
            return self
        frequencies = count_documents(corpus, leave_out, self.text)
        if not frequencies.documents:
            raise NeedsError(
                f"{spec.show(self)} counts words in other topics than the one that is summarized, "
                f"and there are none; give another corpus with --train, or take idf=topic"
            )
        return Learned(self, frequencies)


@dataclass(frozen=True)
class Learned:
    """A summarizer with the weights of words that it took from a corpus."""

    summarizer: WeighingWords
    frequencies: DocumentFrequencies

    name: ClassVar[str] = "learned"

    def rank(self, source: Source, count: int) -> Ranking:
        table = source.tokens(self.summarizer.text)
        idf = self.frequencies.idf(table.words)
        return rank_by(self.summarizer.score(source, table, idf))
