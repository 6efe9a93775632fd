"""Many comparisons at once, with columns that are built once and shared by all metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from summetry import spec
from summetry.model.judgments import Utilities
from summetry.model.pyramids import Pyramid
from summetry.model.summaries import Extract
from summetry.model.topics import UnitKind
from summetry.text.ngrams import ngram_table
from summetry.text.pipeline import TextPipeline
from summetry.text.vocabulary import Ints, TokenTable


@dataclass(frozen=True, slots=True)
class Side:
    """One summary in a comparison: its author, its text, and its units where it has them."""

    author: str
    text: str
    units: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Material:
    """What all comparisons of a topic share. ``source`` is None where there is none."""

    topic: str
    language: str = ""
    source: str | None = None
    units: tuple[str, ...] = ()
    unit: UnitKind = "sentence"
    extracts: tuple[Extract, ...] = ()
    utilities: tuple[Utilities, ...] = ()
    pyramid: Pyramid | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A candidate with all that a metric may ask of it."""

    material: Material
    candidate: Side
    references: tuple[Side, ...] = ()


class Batch:
    """Comparisons with their texts as token tables.

    Each distinct text is tokenised once for each pipeline, whichever metrics ask for it.
    Sources are left out unless ``sources`` says that some metric reads them.
    """

    def __init__(self, comparisons: Sequence[Comparison], sources: bool = True) -> None:
        self.comparisons = tuple(comparisons)
        self._sources = sources
        self._tables: dict[tuple[str, int], TokenTable] = {}

    def __len__(self) -> int:
        return len(self.comparisons)

    def tokens(self, pipeline: TextPipeline, n: int = 1) -> TokenTable:
        """All texts of the batch as tokens, or as n-grams of tokens."""
        key = (spec.show(pipeline), n)
        if key not in self._tables:
            if n > 1:
                self._tables[key] = ngram_table(self.tokens(pipeline), n)
            else:
                texts = [text for text, _ in self._texts]
                languages = [language for _, language in self._texts]
                self._tables[key] = pipeline.encode(texts, languages)
        return self._tables[key]

    @cached_property
    def candidates(self) -> Ints:
        """Row of each comparison's candidate in the token tables."""
        return self._rows([(c.candidate.text, c.material.language) for c in self.comparisons])

    @cached_property
    def sources(self) -> Ints:
        """Row of each comparison's source, -1 where there is none."""
        wanted = [(c.material.source, c.material.language) for c in self.comparisons]
        return np.array([self._texts.get(key, -1) for key in wanted], dtype=np.int64)  # type: ignore[arg-type]

    @cached_property
    def references(self) -> Ints:
        """Row of each reference of each comparison, behind one another."""
        return self._rows(
            [(r.text, c.material.language) for c in self.comparisons for r in c.references]
        )

    @cached_property
    def owners(self) -> Ints:
        """The comparison that each entry of ``references`` belongs to."""
        counts = [len(c.references) for c in self.comparisons]
        return np.repeat(np.arange(len(self), dtype=np.int64), counts)

    @cached_property
    def _texts(self) -> dict[tuple[str, str], int]:
        found: dict[tuple[str, str], int] = {}
        for comparison in self.comparisons:
            material = comparison.material
            for side in (comparison.candidate, *comparison.references):
                found.setdefault((side.text, material.language), len(found))
            if self._sources and material.source is not None:
                found.setdefault((material.source, material.language), len(found))
        return found

    def _rows(self, keys: list[tuple[str, str]]) -> Ints:
        return np.array([self._texts[key] for key in keys], dtype=np.int64)
