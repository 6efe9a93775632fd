"""Sentences as sparse vectors of words, for the summarizers that weigh or compare them.

Rows are sentences, columns words. A word that N sentences or documents could hold, and n do,
has the inverse frequency ln(N / n).
"""

from __future__ import annotations

import abc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from summetry import spec
from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Floats, Ints
from summetry.errors import NeedsError, SummetryError
from summetry.records.corpus import Corpus
from summetry.summarizers._base import Ranking, Source, Summarizer, rank_by
from summetry.text.pipeline import LanguagePipeline, TextPipeline

# A sparse matrix of scipy, which has no types of its own.
Matrix: TypeAlias = Any

# Of a text with more pairs of sentences that share a word, not all pairs are held at once.
MOST_PAIRS = 4_000_000


def content_words() -> TextPipeline:
    """The text pipeline that ranking methods start from: no stop words, and stems."""
    return LanguagePipeline(stop=True, stem=True)


def table_of(sentences: Sequence[Sequence[str]]) -> TokenTable:
    """Sentences that are lists of words already."""
    words = tuple(sorted(set(chain.from_iterable(sentences))))
    number = {word: place for place, word in enumerate(words)}
    ids = np.array([number[word] for word in chain.from_iterable(sentences)], np.int64)
    lengths = [len(sentence) for sentence in sentences]
    return TokenTable(ids, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), words)


def word_counts(table: TokenTable) -> Matrix:
    """How often each sentence has each word."""
    from scipy.sparse import csr_array

    bags = table.bags
    parts = bags.counts.astype(np.float64), bags.ids, bags.offsets
    return csr_array(parts, shape=(len(table), len(table.words)))


def holders(table: TokenTable) -> Ints:
    """How many sentences have each word."""
    found: Ints = np.bincount(table.bags.ids, minlength=len(table.words)).astype(np.int64)
    return found


def inverse_frequency(number: int, holding: Ints) -> Floats:
    """ln(N / n) for each word; 0 for a word that nobody has."""
    found: Floats = np.log(max(number, 1) / np.where(holding > 0, holding, max(number, 1)))
    return found


def unit_rows(vectors: Matrix) -> Matrix:
    """Rows of length 1, so that products of rows are cosines; rows of zeros stay."""
    lengths = np.sqrt(np.asarray(vectors.power(2).sum(axis=1)).ravel())
    scale = np.divide(1.0, lengths, out=np.zeros(len(lengths)), where=lengths > 0)
    return scale_rows(vectors, scale)


def scale_rows(vectors: Matrix, factors: Floats) -> Matrix:
    scaled = vectors.copy()
    scaled.data *= np.repeat(factors, np.diff(scaled.indptr))
    return scaled


def scale_columns(vectors: Matrix, factors: Floats) -> Matrix:
    """Each word times its weight; words that weigh nothing leave the vectors."""
    scaled = vectors.copy()
    scaled.data *= factors[scaled.indices]
    scaled.eliminate_zeros()
    return scaled


def row_of(entries: Matrix) -> Ints:
    """The row of each stored entry of a matrix."""
    return np.repeat(np.arange(entries.shape[0], dtype=np.int64), np.diff(entries.indptr))


def pairs_at_most(vectors: Matrix) -> int:
    """How many pairs of rows share a column, a pair counted once for each column it shares."""
    return int((_holding(vectors) ** 2).sum())


def in_blocks(vectors: Matrix, most: int) -> Iterator[slice]:
    """Runs of rows that share columns with about ``most`` rows, each row counted as above."""
    work = np.bincount(
        row_of(vectors), _holding(vectors)[vectors.indices], minlength=vectors.shape[0]
    )
    borders = np.flatnonzero(np.diff(np.cumsum(work) // most)) + 1
    ends = [0, *borders.tolist(), vectors.shape[0]]
    return (slice(start, end) for start, end in pairwise(ends))


def _holding(vectors: Matrix) -> Ints:
    """How many rows have an entry in each column."""
    return np.bincount(vectors.indices, minlength=vectors.shape[1]).astype(np.int64)


def only_defined(scores: Floats, defined: Any) -> Floats:
    """``scores``, one for each unit that has one, as one for every unit: NaN for the others."""
    found = np.full(len(defined), np.nan)
    found[defined] = scores
    return found


@dataclass(frozen=True)
class DocumentFrequencies:
    """In how many of ``documents`` each word stands; ``number`` says where a word is."""

    documents: int
    holding: Ints
    number: Mapping[str, int]

    def idf(self, words: Sequence[str]) -> Floats:
        """ln((N + 1) / (n + 1)): as if one more document had every word, new ones too."""
        places = [self.number.get(word, -1) for word in words]
        # A word that no document has finds the 0 at the end.
        held = np.append(self.holding, 0)[places]
        found: Floats = np.log((self.documents + 1) / (held + 1))
        return found


def count_documents(
    corpus: Corpus, leave_out: frozenset[str], pipeline: TextPipeline
) -> DocumentFrequencies:
    """Document frequencies in the topics of ``corpus`` except those named."""
    read = _read_documents(_Same(corpus), pipeline)
    left = np.array([topic in leave_out for topic in read.topics], bool)
    places = np.flatnonzero(np.repeat(left, read.table.bags.lengths))
    holding = read.holding - np.bincount(read.table.bags.ids[places], minlength=len(read.holding))
    return DocumentFrequencies(len(left) - int(left.sum()), holding, read.number)


class _Read(NamedTuple):
    """The documents of a corpus: their words, the topic of each, and how many have each word."""

    table: TokenTable
    topics: list[str]
    holding: Ints
    number: dict[str, int]


class _Same(NamedTuple):
    """A corpus as a key: itself, not one with equal records."""

    corpus: Corpus

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.corpus is other.corpus

    def __hash__(self) -> int:
        return id(self.corpus)


@lru_cache(maxsize=1)
def _read_documents(same: _Same, pipeline: TextPipeline) -> _Read:
    """Kept, because each topic learns from the same corpus but for itself."""
    texts, languages, topics = [], [], []
    for topic in same.corpus.topics:
        for document in topic.documents:
            texts.append(" ".join(document.units))
            languages.append(same.corpus.language_of(topic))
            topics.append(topic.id)
    table = pipeline.encode(texts, languages)
    number = {word: place for place, word in enumerate(table.words)}
    return _Read(table, topics, holders(table), number)


@dataclass(frozen=True)
class WeighingWords(abc.ABC):
    """A summarizer that weighs words by how few sentences or documents have them."""

    idf: Literal["topic", "corpus"] = "topic"
    text: TextPipeline = field(default_factory=content_words)

    name: ClassVar[str]

    @abc.abstractmethod
    def score(self, source: Source, table: TokenTable, idf: Floats) -> Floats:
        """The score of each unit, given the weight of each word of ``table``."""

    def rank(self, source: Source, wanted: int) -> Ranking:
        if self.idf == "corpus":
            raise SummetryError(
                f"{spec.show(self)} counts words in a corpus and was given none: "
                f"summarize a corpus, or take idf=topic"
            )
        table = source.tokens(self.text)
        idf = inverse_frequency(len(table), holders(table))
        return rank_by(self.score(source, table, idf))

    def learn(self, corpus: Corpus, leave_out: frozenset[str]) -> Summarizer:
        if self.idf == "topic":
            return self
        found = count_documents(corpus, leave_out, self.text)
        if not found.documents:
            raise NeedsError(
                f"{spec.show(self)} counts words in other topics than the one that is summarized, "
                f"and there are none; give another corpus with --train, or take idf=topic"
            )
        return Learnt(self, found)


@dataclass(frozen=True)
class Learnt:
    """A summarizer with the weights of words that it took from a corpus."""

    summarizer: WeighingWords
    frequencies: DocumentFrequencies

    name: ClassVar[str] = "learnt"

    def rank(self, source: Source, wanted: int) -> Ranking:
        table = source.tokens(self.summarizer.text)
        idf = self.frequencies.idf(table.words)
        return rank_by(self.summarizer.score(source, table, idf))
