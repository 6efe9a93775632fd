"""What every summarizer offers: an order of a topic's units, best first.

A summarizer ranks; it does not know how long the summary will be. Filling a length from the
ranking is the same for all of them (``run``). A :class:`Source` is a topic as summarizers see
it: whatever several of them need is computed once and shared.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np

from summetry import spec
from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Bools, Floats, Ints
from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic
from summetry.registry import Registry
from summetry.text.finding import spans_in_order
from summetry.text.pipeline import LanguagePipeline, TextPipeline
from summetry.text.sentences import split_paragraphs

# Neighbouring scores that differ less, relative to the largest, are equal: identical sentences
# must tie.
_EQUAL = 1e-9
_LARGEST_WEIGHT = 1e100
# Methods that hold a number for every two sentences take about 1 GB for so many.
MOST_SENTENCES = 8_000


class Source:
    """A topic with its units, in its own language or that of its corpus."""

    def __init__(self, topic: Topic, language: str = "") -> None:
        self.topic = topic
        self.language = topic.language or language
        self.units = topic.units
        self._tables: dict[tuple[TextPipeline, tuple[str, ...]], TokenTable] = {}

    def __len__(self) -> int:
        return len(self.units)

    def tokens(self, pipeline: TextPipeline, *others: str) -> TokenTable:
        """One row of tokens per unit, then one for each of ``others`` (a query, a title)."""
        key = pipeline, others
        if key not in self._tables:
            texts = [*self.units, *others]
            self._tables[key] = pipeline.encode(texts, [self.language] * len(texts))
        return self._tables[key]

    @cached_property
    def words(self) -> Ints:
        """The number of running words of each unit, stop words included."""
        return self.tokens(LanguagePipeline()).lengths

    @cached_property
    def documents(self) -> Ints:
        """The number of the document that each unit belongs to."""
        counts = [len(document.units) for document in self.topic.documents]
        return np.repeat(np.arange(len(counts), dtype=np.int64), counts)

    @cached_property
    def places(self) -> Ints:
        """The place of each unit in its document, from 0."""
        starts = np.searchsorted(self.documents, self.documents)
        return np.arange(len(self), dtype=np.int64) - starts

    @cached_property
    def paragraphs(self) -> Ints:
        """The number of the paragraph that each unit belongs to, counted through all documents.

        Blank lines in the text of a document separate its paragraphs. A document that has units
        but no text, or whose text does not hold its units one after the other, is one paragraph.
        """
        if self.topic.unit == "paragraph":
            return np.arange(len(self), dtype=np.int64)
        by_document = [_paragraph_starts(document) for document in self.topic.documents]
        starts = np.concatenate([np.zeros(0, np.bool_), *by_document])
        return np.cumsum(starts, dtype=np.int64) - 1


def _paragraph_starts(document: Document) -> Bools:
    """Which units begin in another paragraph than the unit before them; the first one does."""
    starts = [span[0] for span in spans_in_order(document.text, document.units) if span]
    places = starts if len(starts) == len(document.units) else [0] * len(document.units)
    paragraphs = np.array([start for start, _ in split_paragraphs(document.text)], np.int64)
    return borders(np.searchsorted(paragraphs, np.array(places, np.int64), side="right")).begins


class Borders(NamedTuple):
    """Which units are the first and the last of something."""

    begins: Bools
    ends: Bools


def borders(groups: Ints) -> Borders:
    """The first and last unit of each run of equal numbers.

    >>> borders(np.array([0, 0, 0, 1])).ends.tolist()
    [False, False, True, True]
    """
    change = groups[1:] != groups[:-1]
    edge = np.ones(min(len(groups), 1), np.bool_)
    return Borders(np.concatenate([edge, change]), np.concatenate([change, edge]))


@dataclass(frozen=True)
class Ranking:
    """Units in the order in which they are taken, and the score of every unit if there are any.

    Units that a method never takes are not in ``order``. A score that is not defined is NaN,
    and its unit stands last.
    """

    order: tuple[int, ...]
    scores: tuple[float, ...] | None = None


def rank_by(scores: Sequence[float] | Floats | Ints) -> Ranking:
    """Highest score first, equal scores in the order of the source, undefined ones last.

    >>> rank_by([0.2, float("nan"), 0.5, 0.2]).order
    (2, 0, 3, 1)
    """
    values = np.asarray(scores, np.float64)
    order = np.argsort(-equalised(values), kind="stable")
    return Ranking(tuple(order.tolist()), tuple(values.tolist()))


def equalised(scores: Floats) -> Floats:
    """Levels for sorting: scores that differ only by rounding are on the same level.

    >>> equalised(np.array([0.5, 0.1 + 0.2, 0.3])).tolist()
    [1.0, 0.0, 0.0]
    """
    order = np.argsort(scores, kind="stable")
    # Undefined scores come last and stay undefined.
    order = order[~np.isnan(scores[order])]
    ascending = scores[order]
    apart = np.diff(ascending) > _EQUAL * np.abs(ascending).max(initial=0.0)
    levels = np.full(len(scores), np.nan)
    levels[order] = np.concatenate([[0], np.cumsum(apart)])[: len(order)]
    return levels


def is_flat(ranking: Ranking) -> bool:
    """Whether all scores are equal, or all undefined, so that units stay in their order.

    >>> is_flat(rank_by([0.5, 0.5])), is_flat(rank_by([0.5, float("nan")]))
    (True, False)
    """
    if ranking.scores is None or len(ranking.scores) < 2:
        return False
    levels = equalised(np.asarray(ranking.scores, np.float64))
    return len(np.unique(levels)) == 1 and ranking.order == tuple(range(len(levels)))


def content_words() -> TextPipeline:
    """The text pipeline that most methods start from: no stop words, and stems."""
    return LanguagePipeline(stop=True, stem=True)


class Summarizer(Protocol):
    """A frozen dataclass: its fields are its options, its spelling comes from them."""

    name: ClassVar[str]

    @abstractmethod
    def rank(self, source: Source, count: int) -> Ranking:
        """The order in which the units of ``source`` are taken.

        ``count`` is about how many units will be taken, for methods that share them out
        among topics; the others need not look at it.
        """
        ...


def check_weights(summarizer: Summarizer, *weights: str) -> None:
    """Refuse a weight that would make sums infinite or undefined."""
    for weight in weights:
        # The comparison is false for NaN too.
        if not abs(getattr(summarizer, weight)) <= _LARGEST_WEIGHT:
            raise SummetryError(
                f"{summarizer.name}: {weight} must be a number from -{_LARGEST_WEIGHT:g} to "
                f"{_LARGEST_WEIGHT:g}, got {getattr(summarizer, weight):g}"
            )


def check_size(summarizer: Summarizer, source: Source, advice: str) -> None:
    """Refuse a text for which a number for every two sentences cannot be held."""
    if len(source) > MOST_SENTENCES:
        raise SummetryError(
            f"{spec.show(summarizer)} holds a number for every two sentences, up to "
            f"{MOST_SENTENCES:,} sentences, found {len(source):,}; {advice}"
        )


@runtime_checkable
class Learning(Protocol):
    """A summarizer that takes something from a corpus first: frequencies, a trained model."""

    def learn(self, corpus: Corpus, leave_out: frozenset[str]) -> Summarizer:
        """A summarizer that has seen the topics of ``corpus`` except those named."""
        ...


class SameCorpus(NamedTuple):
    """A corpus as a key for what is kept of it: itself, not one with equal records."""

    corpus: Corpus

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameCorpus) and self.corpus is other.corpus

    def __hash__(self) -> int:
        return id(self.corpus)


def learns(summarizer: Summarizer, learn: Callable[[Learning], Summarizer]) -> bool:
    """Whether learning makes another summarizer of this one; MMR may rank by one that does not."""
    if not isinstance(summarizer, Learning):
        return False
    try:
        return learn(summarizer) != summarizer
    except SummetryError:
        return True  # It tries to learn; what it lacks is reported when it ranks.


SUMMARIZERS: Registry[Summarizer] = Registry("summarizer", "summetry.summarizers", Summarizer)
