"""Accuracy of extracts as sequences of units: ACCY, NrstACCY and n-gram precision.

    ACCY = (Len - (Sub + Ins + Del)) / Len * 100
    NrstACCY = ACCY by the most similar manual summary
    p_n = n-grams of the candidate that are in some manual summary / all n-grams of the candidate

Sub + Ins + Del is the smallest number of edits, each counting 1, and Len the length of the
manual summary: a candidate that is too long can fall below 0 per cent. Units are positions of
the source: the same words at another place are another unit. ``nrst_accy`` takes the manual
summary with the largest ACCY, or with ``criterion=distance`` the one with the fewest edits.

An empty candidate has 0 everywhere; one with fewer than n units has no p_n. Empty manual
summaries are left out; without any there is no value.

Source: Hori, Hirao and Isozaki (2004), sections 2.1 and 2.2, eq. 1-3.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeVar

import numpy as np

from summetry.arrays.sequences import edit_distance, edit_distances
from summetry.arrays.token_tables import table_of
from summetry.arrays.types import Ints
from summetry.errors import SummetryError
from summetry.metrics.base import METRICS, Counts, Over, explained, over_references, ratio
from summetry.metrics.explanations import Explanation, Match, Part, left_out
from summetry.metrics.networks.base import VALUES, Compared, SequenceMetric, by_manual, one_value
from summetry.metrics.networks.search import Criterion
from summetry.records.batches import Batch, Comparison

Unit = TypeVar("Unit", bound=Hashable)


class Accuracy(NamedTuple):
    """Accuracy in per cent, the edits behind it, and the length of the manual summary."""

    value: float
    distance: int
    length: int


def accy(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> Accuracy:
    """ACCY of a sequence by one manual summary; NaN where that is empty.

    >>> accy([1, 2, 3, 4], [1, 3, 4, 5])
    Accuracy(value=50.0, distance=2, length=4)
    """
    distance, length = edit_distance(hypothesis, reference), len(reference)
    value = 100 * (length - distance) / length if length else math.nan
    return Accuracy(value, distance, length)


def nrst_accy(
    hypothesis: Sequence[Hashable],
    references: Sequence[Sequence[Hashable]],
    criterion: Criterion = "accuracy",
) -> Accuracy:
    """ACCY by the most similar manual summary; empty ones are left out.

    >>> nrst_accy([1, 2, 3, 4], [[4], [1, 2, 3, 4, 5, 6, 7, 8]]).value
    50.0
    >>> nrst_accy([1, 2, 3, 4], [[4], [1, 2, 3, 4, 5, 6, 7, 8]], "distance").value
    -200.0
    """
    found = [accy(hypothesis, reference) for reference in references if len(reference)]
    if not found:
        return Accuracy(math.nan, len(hypothesis), 0)
    return max(found, key=lambda one: _likeness(one, criterion))


def _likeness(one: Accuracy, criterion: Criterion) -> tuple[float, float]:
    return (one.value, -one.distance) if criterion == "accuracy" else (-one.distance, one.value)


def ngram_precision(
    hypothesis: Sequence[Unit], references: Sequence[Sequence[Unit]], n: int = 1
) -> float:
    """Eq. 2; 0 for an empty sequence, NaN for one with fewer than ``n`` units.

    >>> ngram_precision([2, 3, 6, 7], [[2, 3, 4], [1, 6, 7]], 2)
    0.6666666666666666
    """
    _check_n(n)
    return _precision(hypothesis, _known(references, n), n)


def _known(references: Iterable[Sequence[Unit]], n: int) -> set[tuple[Unit, ...]]:
    return {gram for reference in references for gram in _ngrams(reference, n)}


def _precision(hypothesis: Sequence[Unit], known: set[tuple[Unit, ...]], n: int) -> float:
    if not len(hypothesis):
        return 0.0
    grams = _ngrams(hypothesis, n)
    return sum(gram in known for gram in grams) / len(grams) if grams else math.nan


def _ngrams(sequence: Sequence[Unit], n: int) -> list[tuple[Unit, ...]]:
    return [tuple(sequence[i : i + n]) for i in range(len(sequence) - n + 1)]


def _check_n(n: int) -> None:
    if n < 1:
        raise SummetryError(f"ngram_precision: n must be 1 or more, got {n}")


class _Pairs(NamedTuple):
    """Every candidate with each of its manual summaries."""

    distances: Ints
    lengths: Ints
    owners: Ints


def _pairs(compared: Sequence[Compared]) -> _Pairs:
    sequences: list[tuple[int, ...]] = []
    left: list[int] = []
    right: list[int] = []
    owners: list[int] = []
    for manual, rows in by_manual(compared):
        first = len(sequences)
        sequences += manual.sequences
        people = range(first, len(sequences))
        for row in rows:
            left += [len(sequences)] * len(people)
            right += people
            owners += [row] * len(people)
            sequences.append(compared[row].positions)
    table = table_of(sequences)
    mine, theirs, owner = (np.array(column, dtype=np.int64) for column in (left, right, owners))
    return _Pairs(edit_distances(table, mine, theirs), table.lengths[theirs], owner)


@METRICS.register
@dataclass(frozen=True)
class Accy(SequenceMetric):
    """Accuracy of the sequence of units by each manual summary (Hori et al., eq. 1)."""

    references: Over = "mean"

    name: ClassVar[str] = "accy"

    def count(self, batch: Batch) -> Counts:
        found = _pairs(self.read(batch))
        values = ratio(100 * (found.lengths - found.distances), found.lengths)
        return over_references(values, found.owners, len(batch), self.references)

    def explain(self, comparison: Comparison) -> Explanation:
        found = self.read_one(comparison)
        parts = [
            _part(found, comparison, place, accy(found.positions, sequence))
            for place, sequence in enumerate(found.manual.sequences)
        ]
        return explained(self, comparison, parts or [found.undefined(VALUES)], self.references)


@METRICS.register
@dataclass(frozen=True)
class NrstAccy(SequenceMetric):
    """Accuracy by the most similar manual summary (Hori et al., section 2.1)."""

    criterion: Criterion = "accuracy"

    name: ClassVar[str] = "nrst_accy"

    def count(self, batch: Batch) -> Counts:
        compared = self.read(batch)
        found = _pairs(compared)
        values = ratio(100 * (found.lengths - found.distances), found.lengths)
        by_value = self.criterion == "accuracy"
        keys = (-found.distances, values) if by_value else (values, -found.distances)
        # The last of each candidate is the most similar one.
        order = np.lexsort((*keys, found.owners))
        owners = found.owners[order]
        last = np.append(owners[1:] != owners[:-1], True)[: len(owners)]
        nearest = np.full(len(compared), np.nan)
        nearest[owners[last]] = values[order[last]]
        return one_value(nearest)

    def explain(self, comparison: Comparison) -> Explanation:
        found = self.read_one(comparison)
        each = [accy(found.positions, sequence) for sequence in found.manual.sequences]
        likeness = [_likeness(one, self.criterion) for one in each]
        nearest = [likeness.index(max(likeness))] if each else []
        parts = [_part(found, comparison, place, each[place]) for place in nearest]
        return explained(self, comparison, parts or [found.undefined(VALUES)])


@METRICS.register
@dataclass(frozen=True)
class NgramPrecision(SequenceMetric):
    """Runs of n units that some manual summary has too (Hori et al., eq. 2-3)."""

    n: int = 1

    name: ClassVar[str] = "ngram_precision"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def __post_init__(self) -> None:
        _check_n(self.n)

    def count(self, batch: Batch) -> Counts:
        compared = self.read(batch)
        values = np.full(len(compared), np.nan)
        for manual, rows in by_manual(compared):
            known = _known(manual.sequences, self.n)
            for row in rows:
                values[row] = _precision(compared[row].positions, known, self.n)
        return one_value(values)

    def explain(self, comparison: Comparison) -> Explanation:
        found = self.read_one(comparison)
        manual = found.manual
        if not manual.sequences:
            return explained(self, comparison, [found.undefined(VALUES)])
        known, grams = _known(manual.sequences, self.n), _ngrams(found.positions, self.n)
        shared = [gram for gram in grams if gram in known]
        show = manual.shown if self.n > 1 else lambda c, gram: manual.label(c, gram[0])
        matches = tuple(Match(show(comparison, gram)) for gram in shared)
        facts = {"matched": float(len(shared)), "ngrams": float(len(grams))} | found.facts()
        too_short = bool(found.positions) and not grams
        formula = {"value": "matched / ngrams if ngrams else 0"}
        formula = left_out(VALUES) if too_short else formula
        part = Part(", ".join(manual.names), facts, formula, matches)
        return explained(self, comparison, [part])


def _part(found: Compared, comparison: Comparison, place: int, one: Accuracy) -> Part:
    """How a candidate compares with one manual summary, and the units that both have."""
    manual = found.manual
    both = sorted(set(found.positions) & set(manual.sequences[place]))
    facts = {"length": float(one.length), "distance": float(one.distance)} | found.facts()
    matches = tuple(Match(manual.label(comparison, unit)) for unit in both)
    formula = {"value": "100 * (length - distance) / length"}
    return Part(manual.names[place], {"matched": float(len(both))} | facts, formula, matches)
