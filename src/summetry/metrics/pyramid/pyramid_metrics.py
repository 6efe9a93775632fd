"""Pyramids: how much of what people said, weighted by how many said it, a summary says.

    original = D / Max(X)        modified = D / Max(Xa)

D is the weight of the distinct content units (SCUs) of the pyramid that the summary expresses, X
how many distinct units it expresses in all, those outside the pyramid among them, Xa the mean
number of SCUs of a reference (the sum of all weights divided by the number of references), and
Max(x) the weight of the x heaviest SCUs. The modified score exceeds 1 for a summary with more SCUs
than a reference.

    recall = SCUs of the pyramid that are expressed / all SCUs of the pyramid
    precision = SCUs of the pyramid that are expressed / X

A reference that is left out of a comparison (jackknifing) takes its weights along, and SCUs that
only it contributed to leave the pyramid. A pyramid without SCUs leaves all undefined.

Where several annotators marked a candidate, ``marks`` says whose marks count:

``majority``  it expresses an SCU if more than half of those say so who marked it by the same SCUs;
              by different pyramids it has one value each, and the mean counts
``mean``      the mean of the values that the marks of each annotator give
NAME          the marks of this annotator

Source: the idea in Steinberger and Jezek (2009), 3.3.5, and Kennedy and Szpakowicz (2010), 1.1,
neither of which prints a formula; the formulas are those of Nenkova and Passonneau's method.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import accumulate
from typing import ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from summetry.errors import SummetryError
from summetry.metrics.base import METRICS, Counts, MeanMetric, Needs, explained, over_references
from summetry.metrics.explanations import Explanation, Match, Part, left_out
from summetry.metrics.formulas import FormulaMetric
from summetry.records.batches import Batch, Comparison
from summetry.records.pyramids import (
    RULES,
    PeerScu,
    Pyramid,
    Scu,
    by_majority,
    contributing,
    said_by,
    without,
)
from summetry.text.tokens import Span

Rounding = Literal["half_up", "floor", "fractional"]


@dataclass(frozen=True)
class Weights:
    """The weights of a pyramid by the ids of its SCUs, and how many references it was made of.

    Sums are exact; a score is rounded once, when it becomes a number with a point.
    """

    by_id: Mapping[str, float]
    references: int = 0

    def __post_init__(self) -> None:
        wrong = [name for name, weight in self.by_id.items() if not 0 <= weight < math.inf]
        if wrong:
            first = f"{self.by_id[wrong[0]]} for the SCU {wrong[0]!r}"
            raise SummetryError(f"weights must be 0 or more and finite, got {first}")

    @property
    def total(self) -> Fraction:
        return self._sums[-1]

    @property
    def mean_size(self) -> Fraction:
        """Xa: how many SCUs a reference has, on average; 0 where references are not known."""
        return self.total / self.references if self.references else Fraction(0)

    def largest(self, size: int | Fraction) -> Fraction:
        """Max(x): the weight of the heaviest ``size`` SCUs, of a part of the last one too.

        >>> Weights({"a": 4, "b": 3, "c": 2}).largest(Fraction(5, 2))
        Fraction(8, 1)
        """
        whole = min(int(size), len(self.by_id))
        rest = size - whole if whole < len(self.by_id) else 0
        below, above = self._sums[whole], self._sums[min(whole + 1, len(self.by_id))]
        return below + rest * (above - below)

    def of(self, scus: Iterable[str]) -> Fraction:
        """The weight of these SCUs, each as often as it is there; 0 for one not in the pyramid."""
        return Fraction(sum(self._exact.get(scu, 0) for scu in scus))

    @cached_property
    def _exact(self) -> dict[str, int | Fraction]:
        # Whole numbers stay what they are, since fractions take ten times as long to add.
        return {n: w if isinstance(w, int) else Fraction(w) for n, w in self.by_id.items()}

    @cached_property
    def _sums(self) -> list[Fraction]:
        heaviest = sorted(self._exact.values(), reverse=True)
        return [Fraction(total) for total in accumulate(heaviest, initial=0)]


class PyramidScores(NamedTuple):
    """Both scores with all that they are made of."""

    weight: float
    weight_with_repeats: float
    size: int
    best: float
    original: float
    mean_size: float
    rounded_size: int
    best_of_rounded: float
    modified: float
    modified_fractional: float


def pyramid_scores(
    weights: Mapping[str, float], references: int, candidate: Sequence[str]
) -> PyramidScores:
    """The scores of a candidate given by its SCUs, ids outside the pyramid among them.

    ``references`` is how many references the pyramid was made of.

    >>> pyramid_scores({"a": 4, "b": 3, "c": 1}, 4, ["a", "c", "x"]).original
    0.625
    """
    known, distinct = Weights(weights, references), list(dict.fromkeys(candidate))
    rounded = round_size(known.mean_size, "half_up")
    sizes = len(distinct), rounded, known.mean_size
    original, modified, fractional = (best_share(known, distinct, size) for size in sizes)
    return PyramidScores(
        float(known.of(distinct)),
        float(known.of(candidate)),
        len(distinct),
        float(known.largest(len(distinct))),
        original,
        float(known.mean_size),
        int(rounded),
        float(known.largest(rounded)),
        modified,
        fractional,
    )


def round_size(size: Fraction, rounding: Rounding) -> Fraction:
    """Xa as a number of SCUs.

    >>> round_size(Fraction(5, 2), "half_up"), round_size(Fraction(5, 2), "floor")
    (Fraction(3, 1), Fraction(2, 1))
    """
    if rounding == "fractional":
        return size
    return Fraction(math.floor(size + Fraction(1, 2) if rounding == "half_up" else size))


def scu_recall(
    weights: Mapping[str, float], candidate: Iterable[str], weighted: bool = False
) -> float:
    """The share of the pyramid's SCUs, or of their weight, that a candidate expresses.

    >>> scu_recall({"a": 3, "b": 1}, ["a", "x"]), scu_recall({"a": 3, "b": 1}, ["a"], True)
    (0.5, 0.75)
    """
    known = Weights(weights if weighted else dict.fromkeys(weights, 1))
    return float(known.of(set(candidate)) / known.total) if known.total else math.nan


def scu_precision(weights: Mapping[str, float], candidate: Iterable[str]) -> float:
    """The share of a candidate's distinct units that are in the pyramid; 0 without any.

    >>> scu_precision({"a": 3, "b": 1}, ["a", "x", "x"])
    0.5
    """
    distinct = set(candidate)
    if not weights:
        return math.nan
    return len(distinct & weights.keys()) / len(distinct) if distinct else 0.0


def best_share(weights: Weights, distinct: Sequence[str], size: int | Fraction) -> float:
    """D divided by Max(size), 0 for a candidate without a single unit."""
    if not weights.total:
        return math.nan
    best = weights.largest(size)
    if not best:
        return math.nan if distinct or isinstance(size, Fraction) else 0.0
    return float(weights.of(distinct) / best)


@dataclass(frozen=True)
class Judged:
    """What a comparison comes to by a pyramid: without those who left, and what is said of it."""

    pyramid: Pyramid
    weights: Weights
    # None where nobody marked the candidate.
    marks: tuple[PeerScu, ...] | None
    # Whether there are contributors and references, and no author is both.
    by_strangers: bool

    @property
    def said(self) -> tuple[PeerScu, ...]:
        return self.marks or ()

    @property
    def ids(self) -> list[str]:
        """The SCUs that the candidate expresses, as often as it does."""
        return [part.scu for part in self.said]

    @property
    def distinct(self) -> list[str]:
        return list(dict.fromkeys(self.ids))


@dataclass(frozen=True)
class _OnPyramids(FormulaMetric, MeanMetric):
    """What the measures on pyramids share: one value per comparison and pyramid, or none.

    The formulas are for explanations; the values themselves are fractions, rounded once.
    """

    marks: str = "majority"

    family: ClassVar[str] = "content"
    needs: ClassVar[Needs] = Needs.PYRAMID
    # The number depends on which references are left out, though none of them is read.
    leaves_out_contributors: ClassVar[bool] = True

    @abstractmethod
    def value(self, judged: Judged) -> float: ...

    @abstractmethod
    def facts(self, judged: Judged) -> dict[str, float]:
        """What the formula names, besides ``matched``."""

    @property
    def terms(self) -> dict[str, str]:
        weight = "weight of the SCUs" if self.is_weighted else "SCUs"
        return {
            "matched": f"{weight} that the candidate expresses",
            "all": f"{weight} in the pyramid",
            "best": "weight of the best SCUs, as many as size says",
            "size": "SCUs that are counted on: of the candidate, or of a mean reference",
        }

    @property
    @abstractmethod
    def is_weighted(self) -> bool:
        """Whether an SCU counts its weight and not 1."""

    @property
    def annotator(self) -> str:
        return "" if self.marks in RULES else self.marks

    def count(self, batch: Batch) -> Counts:
        by_comparison = judged_by_pyramids(batch, self.marks)
        values = [self.value(judged) for of_one in by_comparison for judged in of_one]
        owners = np.repeat(np.arange(len(batch)), [len(of_one) for of_one in by_comparison])
        return over_references(np.array(values, np.float64), owners, len(batch), "mean")

    def notes(self, batch: Batch) -> dict[str, int]:
        by_comparison = judged_by_pyramids(batch, self.marks)
        counts = {_STRANGERS: sum(any(j.by_strangers for j in of_one) for of_one in by_comparison)}
        if self.marks == "majority":
            marked = [_annotators(comparison) for comparison in batch.comparisons]
            pyramids = [len(of_one) for of_one in by_comparison]
            pairs = list(zip(marked, pyramids, strict=True))
            counts[_BY_MAJORITY] = sum(people > several for people, several in pairs)
            counts[_PYRAMIDS_DIFFER] = sum(several > 1 for several in pyramids)
        return {words: count for words, count in counts.items() if count}

    def explain(self, comparison: Comparison) -> Explanation:
        (by_pyramids,) = judged_by_pyramids(Batch([comparison]), self.marks)
        parts = [self._part(comparison, judged) for judged in by_pyramids]
        return explained(self, comparison, parts)

    def _part(self, comparison: Comparison, judged: Judged) -> Part:
        matches = tuple(_matches(judged, comparison, self.is_weighted))
        missed = tuple(_missed(judged, comparison))
        facts = {"matched": math.fsum(match.weight for match in matches)} | self.facts(judged)
        undefined = math.isnan(self.value(judged))
        formulas = left_out(self.values) if undefined else dict(self.formulas)
        count, annotator = judged.weights.references, judged.pyramid.annotator
        whose = f"the pyramid of {count} references" if count else "the pyramid"
        whose += f", marked by {annotator}" if annotator else ""
        return Part(whose, facts, formulas, matches, missed=missed)


@METRICS.register
@dataclass(frozen=True)
class PyramidScore(_OnPyramids):
    """Weight of the expressed SCUs divided by the best weight of as many (Pyramid method)."""

    # With an underscore, because score is also what every metric does.
    score_: Literal["original", "modified"] = "original"
    rounding: Rounding = "half_up"
    repeats: bool = False

    name: ClassVar[str] = "pyramid"
    formulas: ClassVar[dict[str, str]] = {"value": "matched / best if best else 0"}
    is_weighted: ClassVar[bool] = True

    @property
    def bounds(self) -> tuple[float, float]:
        return 0.0, 1.0 if self.score_ == "original" else math.inf

    def notes(self, batch: Batch) -> dict[str, int]:
        weights = [
            {scu.weight for scu in pyramid.scus}
            for comparison in batch.comparisons
            for pyramid in comparison.material.pyramids[:1]
            if len(pyramid.scus) > 1
        ]
        flat = sum(len(of_one) == 1 for of_one in weights)
        return super().notes(batch) | ({_FLAT: flat} if flat else {})

    def value(self, judged: Judged) -> float:
        return best_share(judged.weights, judged.distinct, self._size(judged))

    def facts(self, judged: Judged) -> dict[str, float]:
        size = self._size(judged)
        return {"size": float(size), "best": float(judged.weights.largest(size))}

    def _size(self, judged: Judged) -> int | Fraction:
        """How many SCUs the best summary has: as many as the candidate, or as a reference."""
        if self.score_ == "modified":
            return round_size(judged.weights.mean_size, self.rounding)
        return len(judged.ids if self.repeats else judged.distinct)


@METRICS.register
@dataclass(frozen=True)
class ScuRecall(_OnPyramids):
    """Expressed SCUs divided by all SCUs of the pyramid."""

    weights: Literal["flat", "pyramid"] = "flat"

    name: ClassVar[str] = "scu_recall"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formulas: ClassVar[dict[str, str]] = {"value": "matched / all"}

    @property
    def is_weighted(self) -> bool:
        return self.weights == "pyramid"

    def value(self, judged: Judged) -> float:
        return scu_recall(judged.weights.by_id, judged.ids, self.is_weighted)

    def facts(self, judged: Judged) -> dict[str, float]:
        known = judged.weights
        return {"all": float(known.total if self.is_weighted else len(known.by_id))}


@METRICS.register
@dataclass(frozen=True)
class ScuPrecision(_OnPyramids):
    """Expressed SCUs of the pyramid divided by all content units of the candidate."""

    name: ClassVar[str] = "scu_precision"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    formulas: ClassVar[dict[str, str]] = {"value": "matched / size if size else 0"}
    is_weighted: ClassVar[bool] = False

    def value(self, judged: Judged) -> float:
        return scu_precision(judged.weights.by_id, judged.ids)

    def facts(self, judged: Judged) -> dict[str, float]:
        return {"size": float(len(judged.distinct))}


_STRANGERS = (
    "the contributors of the pyramid are not among the references, so that none of them is left "
    "out with a reference"
)
_FLAT = (
    "all weights of the pyramid are equal, so that units say nothing about importance; the "
    "published value of such pyramids is scu_recall"
)
_BY_MAJORITY = (
    "several annotators marked the same summary: it expresses a unit if more than half of them say "
    "so (marks=mean and marks=NAME count their marks otherwise)"
)
_PYRAMIDS_DIFFER = (
    "annotators made different pyramids of the same topic: the value is the mean over these "
    "(marks=NAME takes the pyramid of one)"
)
Choose: TypeAlias = Callable[[tuple[Pyramid, ...]], tuple[Pyramid, ...]]


def judged_by_pyramids(batch: Batch, marks: str = "majority") -> list[tuple[Judged, ...]]:
    """What each comparison comes to by each pyramid that it was marked by.

    It is worked out once for all measures on pyramids whose ``marks`` are the same.
    """

    def judge() -> list[tuple[Judged, ...]]:
        chosen = _Pyramids(partial(_whose, marks))
        return [
            tuple(judged for judged in chosen.judge(one) if judged.marks is not None)
            for one in batch.comparisons
        ]

    return batch.derived(("judged by pyramids", marks), judge)


def judged_by_units(batch: Batch) -> list[Judged]:
    """What each comparison comes to by all SCUs of its topic, whoever made them."""

    def judge() -> list[Judged]:
        together = _Pyramids(_together)
        return [judged for one in batch.comparisons for judged in together.judge(one)]

    return batch.derived("judged by units", judge)


def _whose(marks: str, pyramids: tuple[Pyramid, ...]) -> tuple[Pyramid, ...]:
    if marks == "majority":
        return by_majority(pyramids)
    return tuple(one for one in pyramids if marks in ("mean", one.annotator))


def _together(pyramids: tuple[Pyramid, ...]) -> tuple[Pyramid, ...]:
    different = by_majority(pyramids)
    if len(different) == 1:
        return different
    return (Pyramid("", tuple(scu for pyramid in different for scu in pyramid.scus)),)


def _annotators(comparison: Comparison) -> int:
    """How many annotators marked a candidate."""
    return sum(comparison.candidate.author in one.peers for one in comparison.material.pyramids)


class _Pyramids:
    """The pyramids that are chosen for the comparisons of a batch, each made smaller once."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose
        self._chosen: dict[int, tuple[Pyramid, ...]] = {}
        self._people: dict[int, frozenset[str]] = {}
        self._smaller: dict[tuple[int, frozenset[str], int], tuple[Pyramid, Weights]] = {}

    def judge(self, comparison: Comparison) -> Iterator[Judged]:
        pyramids = comparison.material.pyramids
        if id(pyramids) not in self._chosen:
            self._chosen[id(pyramids)] = self._choose(pyramids)
        for whole in self._chosen[id(pyramids)]:
            yield self._judge(whole, comparison)

    def _judge(self, whole: Pyramid, comparison: Comparison) -> Judged:
        material, author = comparison.material, comparison.candidate.author
        if id(whole) not in self._people:
            self._people[id(whole)] = frozenset(contributing(whole))
        contributors = self._people[id(whole)]
        present = {side.author for side in comparison.references}
        # Whoever is not among the references has left, and so has the candidate itself.
        left = contributors & ({*material.models, author} - present)
        known = {*material.models, *present}
        strange = bool(contributors and known) and not contributors & known
        # Contributors under other names than the references' are the references, not more of them;
        # a reference that contributes to nothing counts as well.
        count = len(contributors - left if strange else (contributors - left) | present)
        key = (id(whole), left, count)
        if key not in self._smaller:
            pyramid = without(whole, left)
            weights = Weights({scu.id: scu.weight for scu in pyramid.scus}, count)
            self._smaller[key] = pyramid, weights
        return Judged(*self._smaller[key], said_by(whole, author), strange)


def _matches(judged: Judged, comparison: Comparison, is_weighted: bool) -> Iterator[Match]:
    """The SCUs found, then the units outside the pyramid, which weigh nothing."""
    texts: dict[str, list[str]] = {}
    for part in judged.said:
        texts.setdefault(part.scu, []).append(part.text)
    for scu in judged.pyramid.scus:
        if scu.id in texts:
            spans = tuple(dict.fromkeys(_places(texts[scu.id], comparison.candidate.text)))
            weight = float(scu.weight if is_weighted else 1)
            also = contributed(scu, comparison)
            yield Match(f"SCU {scu.id}: {scu.label}", weight, spans, also=also)
    inside = {scu.id for scu in judged.pyramid.scus}
    for name in judged.distinct:
        if name not in inside:
            yield Match(f"not in the pyramid: {name}: {texts[name][0]}", 0.0)


def _missed(judged: Judged, comparison: Comparison) -> Iterator[Match]:
    """The SCUs that the candidate does not express, each with its weight."""
    said = set(judged.ids)
    for scu in judged.pyramid.scus:
        if scu.id not in said:
            also = contributed(scu, comparison)
            yield Match(f"SCU {scu.id}: {scu.label}", float(scu.weight), also=also)


def contributed(scu: Scu, comparison: Comparison) -> tuple[tuple[str, Span], ...]:
    """Where the references express an SCU."""
    texts = {side.author: side.text for side in comparison.references}
    places: list[tuple[str, Span]] = []
    for part in scu.contributors:
        text = texts.get(part.author, "")
        spans = list(_places([part.text], text))
        start, end = part.start, part.end
        if start is not None and end is not None and part.text and text[start:end] == part.text:
            spans = [(start, end)]
        places += [(part.author, span) for span in spans]
    return tuple(dict.fromkeys(places))


def _places(parts: Iterable[str], text: str) -> Iterator[Span]:
    """Where the parts stand in a text; dots stand for what is left out between two pieces."""
    for piece in (piece.strip() for part in parts for piece in part.split("...")):
        at = text.find(piece) if piece else -1
        if at >= 0:
            yield at, at + len(piece)
