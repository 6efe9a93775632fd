"""Many comparisons at once, with columns that are built once and shared by all metrics."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np

from summetry import spec
from summetry.model.judgments import Utilities
from summetry.model.pyramids import Pyramid
from summetry.model.summaries import Extract
from summetry.model.topics import UnitKind
from summetry.text.ngrams import ngram_table
from summetry.text.pipeline import TextPipeline
from summetry.text.vocabulary import Ints, TokenTable

Built = TypeVar("Built")


class Light(msgspec.Struct, frozen=True, gc=False):
    """Records that are made by the hundred thousand: quick to make, left alone by the collector."""


class Side(Light, frozen=True, gc=False):
    """One summary in a comparison: its author, its text, and its units where it has them.

    ``sentences`` are the sentences of the text where they are known; otherwise the text
    pipeline of a metric that asks for sentences finds them.
    """

    author: str
    text: str
    units: tuple[int, ...] | None = None
    sentences: tuple[str, ...] | None = None


class Material(Light, frozen=True, gc=False):
    """What all comparisons of a topic share. ``source`` is None where there is none."""

    topic: str
    language: str = ""
    source: str | None = None
    units: tuple[str, ...] = ()
    unit: UnitKind = "sentence"
    extracts: tuple[Extract, ...] = ()
    utilities: tuple[Utilities, ...] = ()
    pyramid: Pyramid | None = None


class Comparison(Light, frozen=True, gc=False):
    """A candidate with all that a metric may ask of it."""

    material: Material
    candidate: Side
    references: tuple[Side, ...] = ()


@dataclass(frozen=True)
class SentenceTable:
    """Tokens by sentence: the sentences of text ``i`` are rows ``first[i]`` to ``first[i+1]``."""

    table: TokenTable
    first: Ints

    @cached_property
    def whole(self) -> TokenTable:
        """The same tokens by text."""
        offsets = self.table.offsets[self.first]
        ids = self.table.ids[offsets[0] : offsets[-1]]
        return TokenTable(ids, offsets - offsets[0], self.table.words)


class Batch:
    """Comparisons with their texts as token tables.

    Each distinct text is tokenised once for each pipeline, whichever metrics ask for it.
    Sources are left out unless ``sources`` says that some metric reads them; ``sentences`` says
    that some metric reads sentences, so that texts are tokenised sentence by sentence at once.
    """

    def __init__(
        self, comparisons: Sequence[Comparison], sources: bool = True, sentences: bool = False
    ) -> None:
        self.comparisons = tuple(comparisons)
        self._sources = sources
        self._by_sentence = sentences
        self._tables: dict[tuple[str, int], TokenTable] = {}
        self._derived: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self.comparisons)

    def tokens(self, pipeline: TextPipeline, n: int = 1) -> TokenTable:
        """All texts of the batch as tokens, or as n-grams of tokens."""
        key = (spec.show(pipeline), n)
        if key not in self._tables:
            if n > 1:
                self._tables[key] = ngram_table(self.tokens(pipeline), n)
            elif self._by_sentence:
                self._tables[key] = self.sentences(pipeline).whole
            else:
                texts = [text.text for text in self._texts]
                self._tables[key] = pipeline.encode(texts, self.languages)
        return self._tables[key]

    def sentences(self, pipeline: TextPipeline) -> SentenceTable:
        """All texts of the batch as tokens, sentence by sentence."""
        return self.derived(
            ("sentences", spec.show(pipeline)),
            lambda: encode_sentences(self.sentences_of_texts(pipeline), self.languages, pipeline),
        )

    @property
    def languages(self) -> list[str]:
        """The language of each text, in the order of the tables."""
        return [text.language for text in self._texts]

    def sentences_of_texts(self, pipeline: TextPipeline) -> list[Sequence[str]]:
        """The sentences of each text; a source counts as one, nobody asks for its sentences."""
        return [
            text.sentences
            if text.sentences is not None
            else [text.text]
            if text.is_source
            else pipeline.sentences(text.text, text.language)
            for text in self._texts
        ]

    def derived(self, key: Hashable, build: Callable[[], Built]) -> Built:
        """Whatever metrics make of the batch and share: built once under its key."""
        if key not in self._derived:
            self._derived[key] = build()
        found: Built = self._derived[key]
        return found

    @property
    def candidates(self) -> Ints:
        """Row of each comparison's candidate in the token tables."""
        return self._index.candidates

    @property
    def sources(self) -> Ints:
        """Row of each comparison's source, -1 where there is none or nobody asked for it."""
        return self._index.sources

    @property
    def references(self) -> Ints:
        """Row of each reference of each comparison, behind one another."""
        return self._index.references

    @cached_property
    def owners(self) -> Ints:
        """The comparison that each entry of ``references`` belongs to."""
        counts = [len(c.references) for c in self.comparisons]
        return np.repeat(np.arange(len(self), dtype=np.int64), counts)

    @property
    def _texts(self) -> dict[BatchText, int]:
        return self._index.texts

    @cached_property
    def _index(self) -> _Index:
        texts: dict[BatchText, int] = {}
        candidates, sources, references = [], [], []
        for comparison in self.comparisons:
            material, candidate = comparison.material, comparison.candidate
            language = material.language
            key = BatchText(candidate.text, language, candidate.sentences)
            candidates.append(texts.setdefault(key, len(texts)))
            for side in comparison.references:
                key = BatchText(side.text, language, side.sentences)
                references.append(texts.setdefault(key, len(texts)))
            if self._sources and material.source is not None:
                key = BatchText(material.source, language, None, True)
                sources.append(texts.setdefault(key, len(texts)))
            else:
                sources.append(-1)
        rows = (np.array(found, dtype=np.int64) for found in (candidates, sources, references))
        return _Index(texts, *rows)


class _Index(NamedTuple):
    """The distinct texts of a batch, and which of them each comparison holds."""

    texts: dict[BatchText, int]
    candidates: Ints
    sources: Ints
    references: Ints


class BatchText(NamedTuple):
    """A text as the tables of a batch know it."""

    text: str
    language: str
    sentences: tuple[str, ...] | None = None
    is_source: bool = False


def encode_sentences(
    sentences: Sequence[Sequence[str]], languages: Sequence[str], pipeline: TextPipeline
) -> SentenceTable:
    """The sentences of many texts as tokens."""
    counts = [len(text) for text in sentences]
    flat = [sentence for text in sentences for sentence in text]
    spoken = [code for code, count in zip(languages, counts, strict=True) for _ in range(count)]
    first = np.concatenate([[0], np.cumsum(np.array(counts, dtype=np.int64))]).astype(np.int64)
    return SentenceTable(pipeline.encode(flat, spoken), first)
