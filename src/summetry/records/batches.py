"""Many comparisons at once, with columns that are built once and shared by all metrics."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence, Sized
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np

from summetry import spec
from summetry.arrays.ngrams import ngram_table
from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Ints
from summetry.records.judgments import Utilities
from summetry.records.pyramids import Pyramid
from summetry.records.summaries import Extract
from summetry.records.topics import UnitKind
from summetry.text.pipeline import TextPipeline

Built = TypeVar("Built")
# The sentences of a source: it counts as one.
WHOLE = ("",)


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
    """What all comparisons of a topic share. ``source`` is None where there is none.

    ``majority`` are the units on which most informants agree; the engine makes them for metrics
    that ask for them. ``models`` are the authors of all models; one that is not among the
    references of a comparison was left out of it.
    """

    topic: str
    language: str = ""
    source: str | None = None
    units: tuple[str, ...] = ()
    unit: UnitKind = "sentence"
    extracts: tuple[Extract, ...] = ()
    utilities: tuple[Utilities, ...] = ()
    pyramids: tuple[Pyramid, ...] = ()
    majority: tuple[int, ...] | None = None
    models: tuple[str, ...] = ()

    def without(self, person: str) -> Material:
        """The same without what ``person`` chose or valued: nobody is compared with themselves."""
        extracts = tuple([e for e in self.extracts if e.informant != person])
        utilities = tuple([u for u in self.utilities if u.judge != person])
        if (len(extracts), len(utilities)) == (len(self.extracts), len(self.utilities)):
            return self
        return msgspec.structs.replace(self, extracts=extracts, utilities=utilities)


class Comparison(Light, frozen=True, gc=False):
    """A candidate with all that a metric may ask of it."""

    material: Material
    candidate: Side
    references: tuple[Side, ...] = ()


class DistinctTexts:
    """The distinct texts of a batch, each with a row of its own in every table of tokens.

    The same text in another language or cut otherwise is another one.
    """

    def __init__(self) -> None:
        self.strings: list[str] = []
        self.languages: list[str] = []
        # Only of texts whose sentences are known.
        self.sentences: dict[int, tuple[str, ...]] = {}
        # Two ways in, because most texts have no known sentences and there may be many.
        self._plain: dict[str, dict[str, int]] = {}
        self._cut: dict[tuple[str, str, tuple[str, ...]], int] = {}

    def add_plain(self, texts: Sequence[str], language: str) -> Ints:
        """The rows of the first texts that come in, all without known sentences."""
        known = dict(zip(texts, range(len(texts)), strict=True))
        is_distinct = len(known) == len(texts)
        if not is_distinct:
            known = dict(zip(known, range(len(known)), strict=True))
        self._plain[language] = known
        self.strings += known
        self.languages += [language] * len(known)
        if is_distinct:
            return np.arange(len(texts), dtype=np.int64)
        return np.fromiter(map(known.__getitem__, texts), np.int64, len(texts))

    def add(self, text: str, language: str, sentences: tuple[str, ...] | None) -> int:
        """The row of a text in all tables."""
        row = len(self.strings)
        if sentences is None:
            known = self._plain.setdefault(language, {}).setdefault(text, row)
        else:
            known = self._cut.setdefault((text, language, sentences), row)
        if known == row:
            self.strings.append(text)
            self.languages.append(language)
            if sentences is not None:
                self.sentences[row] = (text,) if sentences is WHOLE else sentences
        return known

    def sentences_of(self, row: int, pipeline: TextPipeline) -> Sequence[str]:
        """The sentences of a text: those that are known, or those of the pipeline."""
        if row in self.sentences:
            return self.sentences[row]
        return pipeline.sentences(self.strings[row], self.languages[row])

    def encode(self, pipeline: TextPipeline) -> SentenceTable:
        """All texts as tokens, sentence by sentence."""
        if not self.sentences:
            return SentenceTable(*pipeline.encode_by_sentence(self.strings, self.languages))
        cut = [self.sentences_of(row, pipeline) for row in range(len(self.strings))]
        return SentenceTable(*pipeline.encode_sentences(cut, self.languages))


class SentenceTable(msgspec.Struct, frozen=True, dict=True):
    """Tokens by sentence: the sentences of text ``i`` are rows ``first[i]`` to ``first[i+1]``."""

    table: TokenTable
    first: Ints

    @cached_property
    def whole(self) -> TokenTable:
        """The same tokens by text."""
        return self.table.with_offsets(self.table.offsets[self.first])

    def rows_of(self, text: int) -> list[list[int]]:
        """The tokens of each sentence of a text."""
        return [self.table.row(row).tolist() for row in range(*self.first[text : text + 2])]

    def only(self, low: int, high: int) -> SentenceTable:
        """The texts from ``low`` to before ``high``, with their tokens alone."""
        first = self.first[low : high + 1]
        offsets = self.table.offsets[first[0] : first[-1] + 1]
        ids = self.table.ids[offsets[0] : offsets[-1]]
        table = TokenTable(ids, offsets - offsets[0], self.table.words)
        return SentenceTable(table, first - first[0])


class Batch:
    """Comparisons with their texts as token tables.

    Each distinct text is tokenised once for each pipeline, whichever metrics ask for it.
    Sources are left out unless ``sources`` says that some metric reads them; ``sentences`` says
    that some metric reads sentences, so that texts are tokenised sentence by sentence at once.
    """

    def __init__(
        self, comparisons: Sequence[Comparison], sources: bool = True, sentences: bool = False
    ) -> None:
        self._comparisons = tuple(comparisons)
        self._sources = sources
        self._by_sentence = sentences
        self._tables: dict[tuple[str, int], TokenTable] = {}
        self._derived: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self._comparisons)

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        return self._comparisons

    def tokens(self, pipeline: TextPipeline, n: int = 1) -> TokenTable:
        """All texts of the batch as tokens, or as n-grams of tokens."""
        key = (spec.show(pipeline), n)
        if key not in self._tables:
            if n > 1:
                self._tables[key] = ngram_table(self.tokens(pipeline), n)
            elif self._by_sentence and not pipeline.blanks_are_tokens:
                self._tables[key] = self.sentences(pipeline).whole
            else:
                texts = self._index.texts
                self._tables[key] = pipeline.encode(texts.strings, texts.languages)
        return self._tables[key]

    def sentences(self, pipeline: TextPipeline) -> SentenceTable:
        """All texts of the batch as tokens, sentence by sentence."""
        key = ("sentences", spec.show(pipeline))
        return self.derived(key, lambda: self._index.texts.encode(pipeline))

    @property
    def strings(self) -> list[str]:
        """Each text, in the order of the tables."""
        return self._index.texts.strings

    @property
    def languages(self) -> list[str]:
        """The language of each text, in the order of the tables."""
        return self._index.texts.languages

    def sentences_of_texts(self, pipeline: TextPipeline) -> list[Sequence[str]]:
        """The sentences of each text; a source counts as one, since no metric asks for its."""
        texts = self._index.texts
        return [texts.sentences_of(row, pipeline) for row in range(len(texts.strings))]

    def derived(self, key: Hashable, build: Callable[[], Built]) -> Built:
        """Whatever metrics make of the batch and share: built once under its key."""
        if key not in self._derived:
            self._derived[key] = build()
        built: Built = self._derived[key]
        return built

    @property
    def candidates(self) -> Ints:
        """Row of each comparison's candidate in the token tables."""
        return self._index.candidates

    @property
    def sources(self) -> Ints:
        """Row of each comparison's source, -1 where there is none or no metric reads it."""
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

    @cached_property
    def _index(self) -> _Index:
        texts = DistinctTexts()
        add = texts.add
        candidates, sources, references = [], [], []
        for comparison in self.comparisons:
            material, candidate = comparison.material, comparison.candidate
            language = material.language
            candidates.append(add(candidate.text, language, candidate.sentences))
            for side in comparison.references:
                references.append(add(side.text, language, side.sentences))
            if self._sources and material.source is not None:
                sources.append(add(material.source, language, WHOLE))
            else:
                sources.append(-1)
        rows = (np.array(part, dtype=np.int64) for part in (candidates, sources, references))
        return _Index(texts, *rows)


class TextBatch(Batch):
    """Plain texts given as columns, which is much quicker than a record for each of them.

    Records are made when a metric asks for them; ``names`` gives their topics and authors.
    """

    def __init__(
        self,
        columns: TextColumns,
        names: Callable[[], Iterable[tuple[str, str]]],
        sources: bool = True,
        sentences: bool = False,
    ) -> None:
        super().__init__((), sources, sentences)
        self._columns = columns
        self._names = names

    def __len__(self) -> int:
        return len(self._columns.candidates)

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        if not self._comparisons:
            candidates, references, sources, language = self._columns
            rows = zip(candidates, references, sources, self._names(), strict=True)
            self._comparisons = tuple(
                compare_texts(candidate, texts, source, language, *names)
                for candidate, texts, source, names in rows
            )
        return self._comparisons

    @cached_property
    def owners(self) -> Ints:
        counts = list(map(len, self._columns.references))
        return np.repeat(np.arange(len(counts), dtype=np.int64), counts)

    @cached_property
    def _index(self) -> _Index:
        candidates, references, sources, language = self._columns
        texts = DistinctTexts()
        rows = texts.add_plain([*candidates, *chain.from_iterable(references)], language)
        count = len(candidates)
        origins = np.full(count, -1, dtype=np.int64)
        if self._sources:
            for place, source in enumerate(sources):
                if source is not None:
                    origins[place] = texts.add(source, language, WHOLE)
        return _Index(texts, rows[:count], origins, rows[count:])


class Alone(Sequence[Sequence[str]]):
    """Texts, each a group of its own. A tuple for each would make work for Python's collector.

    >>> list(Alone(["a", "b"])), Alone(["a", "b"])[1]
    ([('a',), ('b',)], ('b',))
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[tuple[str]]:
        return zip(self._texts, strict=True)

    def __getitem__(self, place: Any) -> Any:
        found = self._texts[place]
        return Alone(found) if isinstance(place, slice) else (found,)


class TextColumns(NamedTuple):
    """Candidates, the references of each, the source of each, and their common language."""

    candidates: Sequence[str]
    references: Sequence[Sequence[str]]
    sources: Sequence[str | None]
    language: str = ""

    def lengths(self) -> Ints:
        """How many characters the texts of each row have."""
        lengths, references = _counts(self.candidates), self.references
        # The references of all behind one another, and the first of each.
        first = np.concatenate([[0], np.cumsum(_counts(references))])
        passed = np.concatenate([[0], np.cumsum(_counts(list(chain.from_iterable(references))))])
        lengths += np.diff(passed[first])
        if self.sources.count(None) < len(lengths):
            lengths += _counts([source or "" for source in self.sources])
        return lengths

    def only(self, rows: Sequence[int]) -> TextColumns:
        """The texts of these rows."""
        return TextColumns(
            [self.candidates[i] for i in rows],
            [self.references[i] for i in rows],
            [self.sources[i] for i in rows],
            self.language,
        )

    def part(self, rows: slice) -> TextColumns:
        candidates, references, sources, language = self
        return TextColumns(candidates[rows], references[rows], sources[rows], language)


def _counts(sized: Sequence[Sized]) -> Ints:
    return np.fromiter(map(len, sized), np.int64, len(sized))


def compare_texts(
    candidate: str,
    references: Sequence[str],
    source: str | None,
    language: str,
    topic: str = "1",
    author: str = "candidate",
) -> Comparison:
    """One candidate text with its references and source."""
    sides = tuple(Side(f"reference {i}", text) for i, text in enumerate(references, 1))
    return Comparison(Material(topic, language, source), Side(author, candidate), sides)


class _Index(NamedTuple):
    """The distinct texts of a batch, and which of them each comparison holds."""

    texts: DistinctTexts
    candidates: Ints
    sources: Ints
    references: Ints
