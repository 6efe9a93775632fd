"""Pyramids: how much of what people said, weighted by how many said it, a summary says.

    original = D / Max(X)        modified = D / Max(Xa)

D is the weight of the distinct content units (SCUs) of the pyramid that the summary expresses, X
how many distinct units it expresses in all, those outside the pyramid among them, Xa the mean
number of SCUs of a model (the sum of all weights by the number of models), and Max(x) the weight
of the x heaviest SCUs. The modified score exceeds 1 for a summary with more SCUs than a model.

    recall = SCUs of the pyramid that are expressed / all SCUs of the pyramid
    precision = SCUs of the pyramid that are expressed / X

A model that is not among the references has left (jackknifing): weights fall with it, and SCUs
that only it contributed to leave the pyramid. A pyramid without SCUs leaves all undefined.

Source: the idea in Steinberger and Jezek (2009), 3.3.5, and Kennedy and Szpakowicz (2010), 1.1,
neither of which prints a formula; the formulas are those of Nenkova and Passonneau's method.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from summetry.metrics.base import METRICS, Better, Counts, Metric, Needs, Scores, explained, means
from summetry.metrics.explanations import Explanation, Match, Part, left_out
from summetry.metrics.pyramid.weights import (
    PyramidScores,
    Rounding,
    Weights,
    best_share,
    pyramid_scores,
    round_size,
    scu_precision,
    scu_recall,
)
from summetry.records.batches import Batch, Comparison
from summetry.records.pyramids import PeerScu, Pyramid, contributing, said_by, without
from summetry.text.tokens import Span

__all__ = ["PyramidScore", "PyramidScores", "ScuPrecision", "ScuRecall", "Weights"]
__all__ += ["pyramid_scores", "scu_precision", "scu_recall"]


@dataclass(frozen=True)
class Judged:
    """What a comparison comes to: the pyramid without those who left, and what is said of it."""

    pyramid: Pyramid
    weights: Weights
    said: tuple[PeerScu, ...]
    # Whether there are contributors and models, and nobody is both.
    by_strangers: bool

    @property
    def ids(self) -> list[str]:
        """The SCUs that the candidate expresses, as often as it does."""
        return [part.scu for part in self.said]

    @property
    def distinct(self) -> list[str]:
        return list(dict.fromkeys(self.ids))


class _OnPyramids(Metric):
    """What the measures on pyramids share: one value a comparison, or none."""

    name: ClassVar[str]
    family: ClassVar[str] = "content"
    values: ClassVar[tuple[str, ...]] = ("value",)
    headline: ClassVar[str] = "value"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    better: ClassVar[Better] = dict.fromkeys(values, "higher")
    needs: ClassVar[Needs] = Needs.PYRAMID
    # The number depends on which models are among the references, though none of them is read.
    leaves_out_contributors: ClassVar[bool] = True

    @abstractmethod
    def value(self, judged: Judged) -> float: ...

    @abstractmethod
    def facts(self, judged: Judged) -> dict[str, float]:
        """What the formula names, besides ``matched``."""

    @abstractmethod
    def formula(self, judged: Judged) -> str: ...

    @property
    def weighs(self) -> bool:
        """Whether an SCU counts its weight and not 1."""
        return True

    def count(self, batch: Batch) -> Counts:
        found = np.array([self.value(judged) for judged in _judged(batch)], dtype=np.float64)
        defined = ~np.isnan(found)
        return np.column_stack([np.where(defined, found, 0.0), defined])

    def score(self, counts: Counts) -> Scores:
        return means(counts, self.values)

    def notes(self, batch: Batch) -> dict[str, int]:
        strange = sum(judged.by_strangers for judged in _judged(batch))
        return {_STRANGERS: strange} if strange else {}

    def explain(self, comparison: Comparison) -> Explanation:
        (judged,) = _judged(Batch([comparison]))
        matches = tuple(_matches(judged, comparison.candidate.text, self.weighs))
        facts = {"matched": math.fsum(match.weight for match in matches)} | self.facts(judged)
        undefined = math.isnan(self.value(judged))
        formulas = left_out(self.values) if undefined else {"value": self.formula(judged)}
        models = judged.weights.models
        whose = f"the pyramid of {models} models" if models else "the pyramid"
        return explained(self, comparison, [Part(whose, facts, formulas, matches)])


@METRICS.register
@dataclass(frozen=True)
class PyramidScore(_OnPyramids):
    """Weight of the expressed SCUs by that of the best summary of as many (Pyramid method)."""

    # With an underscore, because score is also what every metric does.
    score_: Literal["original", "modified"] = "original"
    rounding: Rounding = "half_up"
    repeats: bool = False

    name: ClassVar[str] = "pyramid"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)

    def value(self, judged: Judged) -> float:
        return best_share(judged.weights, judged.distinct, self._size(judged))

    def facts(self, judged: Judged) -> dict[str, float]:
        size = self._size(judged)
        return {"size": float(size), "best": float(judged.weights.largest(size))}

    def formula(self, judged: Judged) -> str:
        return "matched / best if best else 0"

    def _size(self, judged: Judged) -> int | Fraction:
        """How many SCUs the best summary has: as many as the candidate, or as a model."""
        if self.score_ == "modified":
            return round_size(judged.weights.mean_size, self.rounding)
        return len(judged.ids if self.repeats else judged.distinct)


@METRICS.register
@dataclass(frozen=True)
class ScuRecall(_OnPyramids):
    """Expressed SCUs by all SCUs of the pyramid."""

    weights: Literal["flat", "pyramid"] = "flat"

    name: ClassVar[str] = "scu_recall"

    @property
    def weighs(self) -> bool:
        return self.weights == "pyramid"

    def value(self, judged: Judged) -> float:
        return scu_recall(judged.weights.by_id, judged.ids, self.weighs)

    def facts(self, judged: Judged) -> dict[str, float]:
        known = judged.weights
        return {"all": float(known.total if self.weighs else len(known.by_id))}

    def formula(self, judged: Judged) -> str:
        return "matched / all"


@METRICS.register
@dataclass(frozen=True)
class ScuPrecision(_OnPyramids):
    """Expressed SCUs of the pyramid by all content units of the candidate."""

    name: ClassVar[str] = "scu_precision"

    @property
    def weighs(self) -> bool:
        return False

    def value(self, judged: Judged) -> float:
        return scu_precision(judged.weights.by_id, judged.ids)

    def facts(self, judged: Judged) -> dict[str, float]:
        return {"size": float(len(judged.distinct))}

    def formula(self, judged: Judged) -> str:
        return "matched / size if size else 0"


_STRANGERS = (
    "the contributors of the pyramid are not among the models, so that none of them is left out "
    "with a model"
)
_NO_PYRAMID = Pyramid("", ())


def _judged(batch: Batch) -> list[Judged]:
    """What all comparisons come to, worked out once for all measures on pyramids."""
    return batch.derived("judged by pyramids", lambda: list(_judge(batch.comparisons)))


def _judge(comparisons: Iterable[Comparison]) -> Iterator[Judged]:
    people: dict[int, frozenset[str]] = {}
    # A pyramid is made smaller once for all whom the same models judge.
    made: dict[tuple[int, frozenset[str], int], tuple[Pyramid, Weights]] = {}
    for comparison in comparisons:
        material, author = comparison.material, comparison.candidate.author
        whole = material.pyramid or _NO_PYRAMID
        if id(whole) not in people:
            people[id(whole)] = frozenset(contributing(whole))
        contributors = people[id(whole)]
        present = {side.author for side in comparison.references}
        # A model that is not among the references has left, and so has the candidate itself.
        left = contributors & ({*material.models, author} - present)
        known = {*material.models, *present}
        strange = bool(contributors and known) and not contributors & known
        # Contributors under other names than the models' are the models, not more of them; a model
        # that contributes to nothing counts as well.
        models = len(contributors - left if strange else (contributors - left) | present)
        key = (id(whole), left, models)
        if key not in made:
            pyramid = without(whole, left)
            made[key] = pyramid, Weights({scu.id: scu.weight for scu in pyramid.scus}, models)
        yield Judged(*made[key], said_by(whole, author) or (), strange)


def _matches(judged: Judged, text: str, weighs: bool) -> Iterator[Match]:
    """The SCUs found, then those missed and the units outside the pyramid, which weigh nothing."""
    texts: dict[str, list[str]] = {}
    for part in judged.said:
        texts.setdefault(part.scu, []).append(part.text)
    for scu in judged.pyramid.scus:
        if scu.id in texts:
            spans = tuple(dict.fromkeys(_places(texts[scu.id], text)))
            yield Match(f"SCU {scu.id}: {scu.label}", float(scu.weight if weighs else 1), spans)
    for scu in judged.pyramid.scus:
        if scu.id not in texts:
            yield Match(f"missed, weight {scu.weight:g}: SCU {scu.id}: {scu.label}", 0.0)
    inside = {scu.id for scu in judged.pyramid.scus}
    for name in judged.distinct:
        if name not in inside:
            yield Match(f"not in the pyramid: {name}: {texts[name][0]}", 0.0)


def _places(parts: Iterable[str], text: str) -> Iterator[Span]:
    """Where the parts stand in a text; dots stand for what is left out between two pieces."""
    for piece in (piece.strip() for part in parts for piece in part.split("...")):
        at = text.find(piece) if piece else -1
        if at >= 0:
            yield at, at + len(piece)
