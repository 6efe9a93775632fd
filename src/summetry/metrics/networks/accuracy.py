"""Accuracy of extracts as sequences of units: ACCY, NrstACCY and n-gram precision.

    ACCY = (Len - (Sub + Ins + Del)) / Len * 100
    NrstACCY = ACCY by the most similar reference
    p_n = n-grams of the candidate that are in some reference / all n-grams of the candidate

Sub + Ins + Del is the smallest number of edits, each counting 1, and Len the length of the
reference: a candidate that is too long can fall below 0 per cent. Units are positions of the
source: the same words at another place are another unit. ``nrst_accy`` takes the reference with
the largest ACCY, or with ``criterion=distance`` the one with the fewest edits.

An empty candidate has 0 everywhere; one with fewer than n units has no p_n. Empty references are
left out; without any there is no value.

Source: Hori, Hirao and Isozaki (2004), sections 2.1 and 2.2, eq. 1-3.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeVar

import numpy as np

from summetry.arguments import check_whole
from summetry.arrays.ngrams import windows
from summetry.arrays.sequences import edit_distance, edit_distances
from summetry.arrays.token_tables import table_of
from summetry.arrays.types import Floats, Ints
from summetry.metrics.base import METRICS, Counts, Over, over_references
from summetry.metrics.explanations import Match, Part, left_out
from summetry.metrics.networks.closest import Criterion
from summetry.metrics.networks.sequences import (
    ACCURACY,
    Compared,
    Group,
    SequenceMetric,
    accuracy,
    by_references,
    values_by_group,
)
from summetry.records.batches import Batch, Comparison

Unit = TypeVar("Unit", bound=Hashable)


class Accuracy(NamedTuple):
    """Accuracy in per cent, the edits behind it, and the length of the reference."""

    value: float
    distance: int
    length: int


def accy(candidate: Sequence[Hashable], reference: Sequence[Hashable]) -> Accuracy:
    """ACCY of a sequence by one reference; NaN where that is empty.

    >>> accy([1, 2, 3, 4], [1, 3, 4, 5])
    Accuracy(value=50.0, distance=2, length=4)
    """
    distance, length = edit_distance(candidate, reference), len(reference)
    return Accuracy(float(accuracy(np.array(distance), np.array(length))), distance, length)


def nrst_accy(
    candidate: Sequence[Hashable],
    references: Sequence[Sequence[Hashable]],
    criterion: Criterion = "accuracy",
) -> Accuracy:
    """ACCY by the most similar reference, of equals the first; empty ones are left out.

    >>> nrst_accy([1, 2, 3, 4], [[4], [1, 2, 3, 4, 5, 6, 7, 8]]).value
    50.0
    >>> nrst_accy([1, 2, 3, 4], [[4], [1, 2, 3, 4, 5, 6, 7, 8]], "distance").value
    -200.0
    """
    each = [accy(candidate, reference) for reference in references if len(reference)]
    if not each:
        return Accuracy(math.nan, len(candidate), 0)
    if criterion == "accuracy":
        return max(each, key=lambda one: (one.value, -one.distance))
    return max(each, key=lambda one: (-one.distance, one.value))


def ngram_precision(
    candidate: Sequence[Unit], references: Sequence[Sequence[Unit]], n: int = 1
) -> float:
    """Eq. 2; 0 for an empty sequence, NaN for one with fewer than ``n`` units.

    >>> ngram_precision([2, 3, 6, 7], [[2, 3, 4], [1, 6, 7]], 2)
    0.6666666666666666
    """
    check_whole("ngram_precision: n", n, 1)
    return _precision(candidate, _known(references, n), n)


def _known(references: Iterable[Sequence[Unit]], n: int) -> set[tuple[Unit, ...]]:
    return {gram for reference in references for gram in windows(tuple(reference), n)}


def _precision(candidate: Sequence[Unit], known: set[tuple[Unit, ...]], n: int) -> float:
    if not len(candidate):
        return 0.0
    grams = windows(tuple(candidate), n)
    return sum(gram in known for gram in grams) / len(grams) if grams else math.nan


class _Pairs(NamedTuple):
    """Every candidate with each of its references: edits, ACCY, and the row of the candidate."""

    distances: Ints
    values: Floats
    owners: Ints


def _pairs(compared: Sequence[Compared]) -> _Pairs:
    sequences: list[tuple[int, ...]] = []
    left: list[int] = []
    right: list[int] = []
    owners: list[int] = []
    for references, rows, candidates in by_references(compared):
        people = range(len(sequences), len(sequences) + len(references.sequences))
        sequences += references.sequences
        for row, candidate in zip(rows, candidates, strict=True):
            left += [len(sequences)] * len(people)
            right += people
            owners += [row] * len(people)
            sequences.append(candidate)
    table = table_of(sequences)
    mine, theirs, owner = (np.array(column, dtype=np.int64) for column in (left, right, owners))
    distances = edit_distances(table, mine, theirs)
    return _Pairs(distances, accuracy(distances, table.lengths[theirs]), owner)


def _parts(comparison: Comparison, compared: Compared) -> list[Part]:
    """How a candidate compares with each reference, and the units that both have."""
    references, parts = compared.references, []
    for name, sequence in zip(references.names, references.sequences, strict=True):
        both = sorted(set(compared.positions) & set(sequence))
        one = accy(compared.positions, sequence)
        facts = {"matched": float(len(both)), "length": float(one.length)}
        facts |= {"distance": float(one.distance), **compared.facts()}
        matches = references.matches(comparison, both)
        only = dict.fromkeys(unit for unit in sequence if unit not in compared.positions)
        missed = references.matches(comparison, list(only))
        parts.append(Part(name, facts, {"value": ACCURACY}, matches, missed=missed))
    return parts


@METRICS.register
@dataclass(frozen=True)
class Accy(SequenceMetric):
    """Accuracy of the sequence of units against each reference (Hori et al., eq. 1)."""

    references: Over = "mean"

    name: ClassVar[str] = "accy"

    def count(self, batch: Batch) -> Counts:
        _, values, owners = _pairs(self.read(batch))
        return over_references(values, owners, len(batch), self.references)

    def parts(self, comparison: Comparison, compared: Compared) -> list[Part]:
        return _parts(comparison, compared)


@METRICS.register
@dataclass(frozen=True)
class NrstAccy(SequenceMetric):
    """Accuracy against the most similar reference (Hori et al., section 2.1)."""

    criterion: Criterion = "accuracy"

    name: ClassVar[str] = "nrst_accy"

    def count(self, batch: Batch) -> Counts:
        distances, values, owners = _pairs(self.read(batch))
        if self.criterion == "distance":
            fewest = np.full(len(batch), np.iinfo(np.int64).max)
            np.minimum.at(fewest, owners, distances)
            values, owners = (column[distances == fewest[owners]] for column in (values, owners))
        return over_references(values, owners, len(batch), "best")

    def parts(self, comparison: Comparison, compared: Compared) -> list[Part]:
        positions, sequences = compared.positions, compared.references.sequences
        each = [accy(positions, sequence) for sequence in sequences]
        nearest = each.index(nrst_accy(positions, sequences, self.criterion))
        return [_parts(comparison, compared)[nearest]]


@METRICS.register
@dataclass(frozen=True)
class NgramPrecision(SequenceMetric):
    """Share of the runs of n units that are in a reference (Hori et al., eq. 2-3)."""

    n: int = 1

    name: ClassVar[str] = "ngram_precision"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def __post_init__(self) -> None:
        check_whole("ngram_precision: n", self.n, 1)

    def count(self, batch: Batch) -> Counts:
        def precisions(group: Group) -> list[float]:
            known = _known(group.references.sequences, self.n)
            return [_precision(sequence, known, self.n) for sequence in group.sequences]

        return values_by_group(self.read(batch), precisions)

    def parts(self, comparison: Comparison, compared: Compared) -> list[Part]:
        references = compared.references
        known, grams = _known(references.sequences, self.n), windows(compared.positions, self.n)
        shared = [gram for gram in grams if gram in known]
        show = references.shown if self.n > 1 else lambda c, gram: references.label(c, gram[0])
        matches = tuple(
            Match(show(comparison, gram), also=references.places(comparison, gram))
            for gram in shared
        )
        facts = {"matched": float(len(shared)), "ngrams": float(len(grams))} | compared.facts()
        too_short = bool(compared.positions) and not grams
        formulas = {"value": "matched / ngrams if ngrams else 0"}
        formulas = left_out(self.values) if too_short else formulas
        return [Part(", ".join(references.names), facts, formulas, matches)]
