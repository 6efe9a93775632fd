"""What the measures on sequences of units share: settings, and the sequences of a batch.

A candidate is the sequence of its units. One that has only a text is compared word by word: its
words are aligned to those of the source, and a word without a place is one that no reference can
have. Where others are compared by sentences that is another scale, which a note says; with
``level=words`` all units are taken as their words, and all candidates are on one scale.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from summetry import spec
from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError
from summetry.metrics.base import Counts, MeanMetric, Needs, explained, one_value, ratio
from summetry.metrics.explanations import Explanation, Match, Part, Votes, left_out
from summetry.metrics.networks.alignment import leftmost_alignment
from summetry.metrics.networks.network import Network, merge
from summetry.metrics.source_units import (
    unit_places,
    unit_spans,
    unit_text,
    votes_of,
    votes_of_informants,
)
from summetry.records.batches import Batch, Comparison, Material
from summetry.text.pipeline import LanguagePipeline, TextPipeline
from summetry.text.tokens import Span

Against: TypeAlias = Literal["extracts", "references"]
Level: TypeAlias = Literal["units", "words"]
Units = tuple[int, ...]
# A text of which less was found in the source is no extract of it.
FEW = 0.9
ALIGNED = "no units, so the words of the text were aligned to the source"
# Eq. 1 as explanations show it.
ACCURACY = "100 * (length - distance) / length"


def accuracy(distances: Ints, lengths: Ints) -> Floats:
    """Eq. 1 in per cent, NaN for a reference without units."""
    return ratio(100 * (lengths - distances), lengths)


@dataclass(frozen=True)
class ReferenceUnits:
    """The references that some candidates meet, extracts or others: who made each, and its units.

    ``empty`` counts those without units, which are left out.
    """

    names: tuple[str, ...]
    sequences: tuple[Units, ...]
    empty: int = 0
    # The words of the source where positions are words, else None.
    words: tuple[str, ...] | None = None
    # What made words of the source.
    text: TextPipeline | None = None
    # What to say where there is nothing to compare with.
    missing: str = "no reference with units"

    @cached_property
    def network(self) -> Network:
        return merge(self.sequences)

    def label(self, comparison: Comparison, position: int) -> str:
        """A unit as an explanation names it."""
        if self.words is None:
            return unit_text(comparison, position)
        return f"word {position}: {self.words[position]}"

    def matches(self, comparison: Comparison, positions: Sequence[int]) -> tuple[Match, ...]:
        """Units as an explanation names them, each with its place in the source."""
        places = self._placed(comparison)
        return tuple(
            Match(self.label(comparison, position), also=places.get(position, ()))
            for position in positions
        )

    def places(self, comparison: Comparison, path: Iterable[int]) -> tuple[tuple[str, Span], ...]:
        """Where a path goes along in the source."""
        places = self._placed(comparison)
        return tuple(place for position in path for place in places.get(position, ()))

    def _placed(self, comparison: Comparison) -> dict[int, tuple[tuple[str, Span], ...]]:
        material = comparison.material
        if self.words is None or self.text is None:
            units = range(len(material.units))
            return {unit: unit_places(comparison, [unit]) for unit in units}
        spans = [
            (first + start, first + end)
            for unit, (first, _) in zip(material.units, unit_spans(material), strict=False)
            for _, (start, end) in self.text.locate(unit, material.language)
        ]
        if len(spans) != len(self.words):
            return {}
        return {place: (("source", span),) for place, span in enumerate(spans)}

    def shown(self, comparison: Comparison, path: Iterable[int]) -> str:
        """A path in one line: words as such, larger units by their numbers."""
        material, words = comparison.material, self.words
        if words is None and material.unit == "word":
            words = material.units
        return " ".join(words[i] if words and i < len(words) else str(i) for i in path)


# What a text meets where nothing is known of the source.
NO_SOURCE = ReferenceUnits((), (), missing="units, or a source to which its text could be aligned")


class Compared(NamedTuple):
    """A candidate's positions, a negative one for each word without a place in the source.

    ``aligned`` is the share of its words that have one, NaN where it has units. ``odd`` says
    that it is compared by words where candidates with units are compared by larger units.
    """

    positions: Units
    references: ReferenceUnits
    aligned: float = math.nan
    odd: bool = False

    def facts(self) -> dict[str, float]:
        """What an explanation says of the candidate alone."""
        aligned = {} if math.isnan(self.aligned) else {"aligned": self.aligned}
        return {"candidate": float(len(self.positions)), **aligned}


@dataclass(frozen=True)
class SequenceMetric(MeanMetric):
    """Settings of a measure on sequences of units, and what all of them do."""

    against: Against = "extracts"
    order: Literal["source", "given"] = "source"
    level: Level = "units"
    text: TextPipeline = field(default_factory=LanguagePipeline)

    family: ClassVar[str] = "networks"
    values: ClassVar[tuple[str, ...]] = ("value",)
    # An insertion too many, and another: accuracy has no lowest value.
    bounds: ClassVar[tuple[float, float]] = (-math.inf, 100.0)

    @property
    def needs(self) -> Needs:
        units = Needs.EXTRACTS if self.against == "extracts" else Needs.REFERENCE_UNITS
        return units | (Needs.SOURCE if self.level == "words" else Needs.NOTHING)

    @property
    def terms(self) -> dict[str, str]:
        units = "words" if self.level == "words" else "units"
        return {
            "matched": f"{units} that both have",
            "candidate": f"{units} of the candidate",
            "aligned": "share of the candidate's words that the source has, in order",
            "length": f"{units} of what it is compared with",
            "distance": "insertions, deletions and substitutions between both",
            "ngrams": f"runs of {units} in the candidate",
            "reliability": "how many people took the arcs of the target, on average",
            "best": "the same for the most reliable path",
            "boundaries": "1 if the arcs at both ends are counted",
        }

    def read(self, batch: Batch) -> list[Compared]:
        """The sequences of a batch, found once for all metrics with the same settings."""
        key = "sequences", self.against, self.order, self.level, spec.show(self.text)
        return batch.derived(key, lambda: _Reader(self).read(batch))

    def read_one(self, comparison: Comparison) -> Compared:
        return self.read(Batch([comparison]))[0]

    @abstractmethod
    def parts(self, comparison: Comparison, compared: Compared) -> list[Part]:
        """The explanation of a comparison that has references with units."""

    def votes(self, comparison: Comparison) -> Votes | None:
        if self.against == "extracts":
            return votes_of_informants(comparison)
        sides = comparison.references
        choices = [(side.author, side.units) for side in sides if side.units is not None]
        return votes_of(comparison, choices, "reference")

    def explain(self, comparison: Comparison) -> Explanation:
        compared = self.read_one(comparison)
        if compared.references.sequences:
            parts = self.parts(comparison, compared)
        else:
            parts = [Part(compared.references.missing, {}, left_out(self.values))]
        return explained(self, comparison, parts, self.reference_policy or "mean")

    def notes(self, batch: Batch) -> dict[str, int]:
        """For how many comparisons words were aligned, with what success, and what was empty."""
        every = self.read(batch)
        compared = [one for one in every if one.references.sequences]
        aligned = [one for one in compared if not math.isnan(one.aligned)]
        counts = {
            "no units, and no source to align the text to": sum(
                one.references is NO_SOURCE for one in every
            ),
            ALIGNED: sum(not one.odd for one in aligned),
            f"{ALIGNED}; these values are by words, those of extracts by larger units, "
            "level=words compares all by words": sum(one.odd for one in compared),
            f"less than {FEW:.0%} of the words were found in the source": sum(
                one.aligned < FEW for one in aligned
            ),
            "references without units were left out": sum(
                one.references.empty > 0 for one in compared
            ),
        }
        return {what: count for what, count in counts.items() if count}


class Group(NamedTuple):
    """The candidates that meet the same references: their rows in the batch, their positions."""

    references: ReferenceUnits
    rows: list[int]
    sequences: list[Units]


def by_references(compared: Sequence[Compared]) -> list[Group]:
    """The candidates of a batch by the references that they meet; those without any left out."""
    groups: dict[int, Group] = {}
    for row, (positions, references, *_) in enumerate(compared):
        if references.sequences:
            group = groups.setdefault(id(references), Group(references, [], []))
            group.rows.append(row)
            group.sequences.append(positions)
    return list(groups.values())


def values_by_group(
    compared: Sequence[Compared], measure: Callable[[Group], Sequence[float] | Floats]
) -> Counts:
    """The value of each candidate, ``measure`` giving those of a group; NaN without references."""
    values = np.full(len(compared), np.nan)
    for group in by_references(compared):
        values[group.rows] = measure(group)
    return one_value(values)


class _Reader:
    """Reads the comparisons of one batch; what they share is read once."""

    def __init__(self, metric: SequenceMetric) -> None:
        self.metric = metric
        self._sources: dict[int, _SourceWords] = {}
        self._references: dict[Hashable, ReferenceUnits] = {}

    def read(self, batch: Batch) -> list[Compared]:
        written = [c for c in batch.comparisons if c.candidate.units is None]
        languages = [comparison.material.language for comparison in written]
        words = self.metric.text.encode([c.candidate.text for c in written], languages)
        rows = iter(range(len(written)))
        return [
            self._aligned(comparison, words.text(next(rows)))
            if comparison.candidate.units is None
            else self._extracted(comparison, comparison.candidate.units)
            for comparison in batch.comparisons
        ]

    def _extracted(self, comparison: Comparison, units: Units) -> Compared:
        by_words, author = self.metric.level == "words", comparison.candidate.author
        sort = self.metric.order == "source"
        positions = self._positions(comparison.material, units, author, by_words, sort)
        return Compared(positions, self._references_of(comparison, by_words))

    def _aligned(self, comparison: Comparison, words: list[str]) -> Compared:
        if not comparison.material.units:
            return Compared((), NO_SOURCE)
        references = self._references_of(comparison, by_words=True)
        places = leftmost_alignment(references.words or (), words)
        foreign = iter(range(-1, -len(words) - 1, -1))
        positions = tuple(next(foreign) if place is None else place for place in places)
        share = sum(place >= 0 for place in positions) / len(words) if words else math.nan
        odd = self.metric.level == "units" and comparison.material.unit != "word"
        return Compared(positions, references, share, odd)

    def _references_of(self, comparison: Comparison, by_words: bool) -> ReferenceUnits:
        material = comparison.material
        sides = comparison.references if self.metric.against == "references" else ()
        own = tuple((side.author, side.units) for side in sides if side.units is not None)
        # Comparisons of one topic share their material, so the number of the object will do.
        key = id(material), by_words, own
        if key not in self._references:
            extracts = tuple((extract.informant, extract.units) for extract in material.extracts)
            people = own if self.metric.against == "references" else extracts
            sequences = [
                (name, self._positions(material, units, name, by_words)) for name, units in people
            ]
            kept = [(name, sequence) for name, sequence in sequences if sequence]
            self._references[key] = ReferenceUnits(
                tuple(name for name, _ in kept),
                tuple(sequence for _, sequence in kept),
                len(sequences) - len(kept),
                self._source(material).words if by_words else None,
                self.metric.text if by_words else None,
            )
        return self._references[key]

    def _positions(
        self, material: Material, units: Units, author: str, by_words: bool, sort: bool = True
    ) -> Units:
        """The units themselves or their words; named twice, a unit counts once."""
        # Where nothing is known of the source, any number may be a unit of it.
        count = len(material.units)
        wrong = [unit for unit in units if unit < 0 or (count and unit >= count)]
        if wrong:
            expected = f"units from 0 to {count - 1}" if count else "units of 0 or more"
            raise SummetryError(
                f"{self.metric.name}: expected {expected} for topic {material.topic!r}, "
                f"found unit {wrong[0]} of {author!r}; units are counted from 0"
            )
        distinct = tuple(sorted(set(units)) if sort else dict.fromkeys(units))
        return self._source(material).words_of(distinct) if by_words else distinct

    def _source(self, material: Material) -> _SourceWords:
        if id(material) not in self._sources:
            languages = [material.language] * len(material.units)
            table = self.metric.text.encode(material.units, languages)
            self._sources[id(material)] = _SourceWords(table)
        return self._sources[id(material)]


class _SourceWords:
    """The words of a source, unit behind unit."""

    def __init__(self, table: TokenTable) -> None:
        self.words = tuple(table.words[i] for i in table.ids.tolist())
        self._offsets = table.offsets.tolist()

    def words_of(self, units: Units) -> Units:
        first = self._offsets
        # Units were checked against the source, unless nothing is known of it.
        known = [unit for unit in units if unit + 1 < len(first)]
        return tuple(place for unit in known for place in range(first[unit], first[unit + 1]))
