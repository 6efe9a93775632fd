"""How far two agree on which summary expresses which content unit, and where a rule should decide.

Whoever says 0 or 1 for units and summaries can be compared with people: a judge, a language model,
another group of people, or a rule on the words of both, such as the metric ``units``.

    kappa      Cohen's kappa over all marks
    by unit    the mean of kappa over the summaries of one unit, where it is defined
    system     correlation of the systems' mean scores; a score is the weight of the units that a
    summary    summary expresses, divided by that of all units; and the mean over the topics of the
               correlation of their summaries' scores

Intervals are percentiles of a bootstrap over topics. A rule gives each unit a number, and a
threshold decides: the one with the best kappa. It is judged on topics that it was not chosen by:
topics are dealt out to folds at random, and the summaries of each fold are decided by the threshold
that is best for the others. Of equally good thresholds the one nearest to the default is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from summetry.arrays.types import Bools, Floats, Ints
from summetry.errors import SummetryError, counted
from summetry.metrics.base import ratio
from summetry.metrics.pyramid.assignment import unit_text, unit_values
from summetry.metrics.pyramid.pyramid_metrics import judged_by_units
from summetry.metrics.pyramid.units import THRESHOLDS, Units
from summetry.records.batches import Batch, Comparison
from summetry.records.pyramids import Pyramid, Scu, said_by
from summetry.references.pyramids import same_label
from summetry.stats.levels import Level, correlate
from summetry.stats.resampling import percentiles, times_drawn
from summetry.stats.significance import DRAWS
from summetry.stats.weighted import Coefficient

# What is tried: 0.05, 0.1, ... 1.
CANDIDATES = tuple(step / 20 for step in range(1, 21))
CONFIDENCE = 0.95
# With fewer topics, each is a fold of its own.
FOLDS = 10


@dataclass(frozen=True)
class UnitMarks:
    """What people say of each unit and each summary of its topic, one entry for both."""

    topics: tuple[str, ...]
    systems: tuple[str, ...]
    # Numbers of these, and of the unit among all units of all topics.
    topic: Ints
    system: Ints
    unit: Ints
    weight: Floats
    people: Bools

    def __post_init__(self) -> None:
        if not len(self.people):
            raise SummetryError("no unit of a summary is marked by both")

    def scores(self, marks: Bools) -> Floats:
        """Systems x topics: the weight of what is expressed, divided by that of all units."""
        cell = self.system * len(self.topics) + self.topic
        size = len(self.systems) * len(self.topics)
        every, said = (
            np.bincount(cell, weights=self.weight * chosen, minlength=size)
            for chosen in (np.ones(len(marks)), marks)
        )
        return ratio(said, every).reshape(len(self.systems), len(self.topics))

    def counts(self, marks: Bools, groups: Ints, size: int) -> Floats:
        """For each group how often neither, only ``marks``, only people and both say yes."""
        cells = np.bincount(groups * 4 + 2 * self.people + marks, minlength=4 * size)
        return cells.reshape(size, 4).astype(np.float64)


@dataclass(frozen=True)
class MarksAgreement:
    """How far other marks agree with people's."""

    marks: int
    units: int
    summaries: int
    topics: int
    # The shares of all marks that are 1, and of those that are equal.
    people: float
    other: float
    equal: float
    kappa: float
    low: float
    high: float
    # The mean of kappa within units, and of how many it is.
    by_unit: float
    units_defined: int
    system_pearson: float
    system_tau_b: float
    summary_pearson: float
    summary_tau_b: float


@dataclass(frozen=True)
class Fitted:
    """A rule with the threshold that fits people's marks best, judged on unseen topics."""

    metric: str
    threshold: float
    # Those of the folds, in their order.
    folds: tuple[float, ...]
    # By threshold, on all marks.
    kappas: Mapping[float, float]
    unseen: MarksAgreement


def kappas(counts: Floats) -> Floats:
    """Cohen's kappa of counts in the last axis: neither, the one, the other, both; NaN without.

    >>> kappas(np.array([[20.0, 5, 10, 15]])).round(4).tolist()
    [0.4]
    """
    total = counts.sum(axis=-1)
    neither, one, two, both = np.moveaxis(counts, -1, 0)
    equal = (neither + both) * total
    chance = (one + both) * (two + both) + (neither + one) * (neither + two)
    return ratio(equal - chance, total * total - chance)


def agree(marks: UnitMarks, other: Bools, draws: int = DRAWS, seed: int = 0) -> MarksAgreement:
    """How far ``other``, one mark for each of people's, agrees with them."""
    topics = len(marks.topics)
    counts = marks.counts(other, marks.topic, topics)
    low = high = math.nan
    if draws and topics > 1:
        places = np.random.default_rng(seed).integers(0, topics, (draws, topics))
        drawn = kappas(times_drawn(places, topics).T @ counts)
        low, high, _ = percentiles(drawn, CONFIDENCE)
    units = int(marks.unit.max()) + 1
    each = kappas(marks.counts(other, marks.unit, units))
    defined = each[~np.isnan(each)]
    x, z = marks.scores(other), marks.scores(marks.people)
    levels: tuple[tuple[Level, Coefficient], ...] = (
        ("system", "pearson"), ("system", "tau_b"), ("summary", "pearson"), ("summary", "tau_b")
    )  # fmt: skip
    return MarksAgreement(
        len(other),
        units,
        int((~np.isnan(z)).sum()),
        topics,
        float(marks.people.mean()),
        float(other.mean()),
        float((marks.people == other).mean()),
        float(kappas(counts.sum(axis=0))),
        low,
        high,
        float(defined.mean()) if len(defined) else math.nan,
        len(defined),
        *(correlate(x, z, *level).value for level in levels),
    )


def fit(
    comparisons: Sequence[Comparison],
    metric: Units,
    name: str = "units",
    folds: int | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> Fitted:
    """The threshold at which ``metric`` agrees best with people's marks of these comparisons."""
    marks = marks_of(comparisons)
    values = values_of(comparisons, metric)
    return fit_values(marks, values, name, folds, draws, seed, THRESHOLDS[metric.by])


def fit_values(
    marks: UnitMarks,
    values: Floats,
    name: str,
    folds: int | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    near: float = 0.5,
) -> Fitted:
    """The same for any rule that has one number per mark; ``near`` is its default threshold."""
    topics = len(marks.topics)
    folds = min(FOLDS, topics) if folds is None else folds
    if not 2 <= folds <= topics:
        raise SummetryError(
            f"a threshold is judged on topics that it was not chosen by: 2 folds or more are "
            f"needed, and no more than topics with people's marks, got {counted(folds, 'fold')} "
            f"for {counted(topics, 'topic')}"
        )
    # Thresholds x topics x 4. What has no value is not expressed.
    counts = np.array([marks.counts(values >= t, marks.topic, topics) for t in CANDIDATES])
    every = kappas(counts.sum(axis=1))
    if np.isnan(every).all():
        raise SummetryError(
            "people's marks are all 0 or all 1: no threshold is better than another"
        )
    fold = np.empty(topics, dtype=np.int64)
    fold[np.random.default_rng(seed).permutation(topics)] = np.arange(topics) % folds
    chosen = [_best(kappas(counts[:, fold != one].sum(axis=1)), near) for one in range(folds)]
    unseen = values >= np.array(chosen)[fold[marks.topic]]
    return Fitted(
        name,
        _best(every, near),
        tuple(chosen),
        dict(zip(CANDIDATES, every.tolist(), strict=True)),
        agree(marks, unseen, draws, seed),
    )


def _best(values: Floats, near: float) -> float:
    """The threshold with the best kappa; of several the nearest to ``near``."""
    known = np.where(np.isnan(values), -math.inf, values)
    best = [CANDIDATES[place] for place in np.flatnonzero(known == known.max())]
    return min(best, key=lambda threshold: abs(threshold - near))


def marks_of(comparisons: Iterable[Comparison]) -> UnitMarks:
    """People's marks of the candidates of these comparisons, in the order of their units."""
    batch = Batch(list(comparisons))
    rows = []
    for comparison, judged in zip(batch.comparisons, judged_by_units(batch), strict=True):
        said = set(judged.ids)
        names = comparison.material.topic, comparison.candidate.author
        rows += [(*names, scu, scu.id in said) for scu in judged.pyramid.scus]
    return _marks(rows)


def values_of(comparisons: Iterable[Comparison], metric: Units) -> Floats:
    """The value of each unit for each of these comparisons, as :func:`marks_of` has them."""
    return unit_values(Batch(list(comparisons)), metric.by, metric.text).value


def is_marked(comparison: Comparison) -> bool:
    """Whether people said of a candidate which units it expresses."""
    author = comparison.candidate.author
    return any(said_by(one, author) is not None for one in comparison.material.pyramids)


@dataclass(frozen=True)
class Paired:
    """Marks of two for the same units and summaries, and what only one of them has."""

    marks: UnitMarks
    other: Bools
    notes: tuple[str, ...] = ()


def pair_marks(people: Iterable[Pyramid], others: Iterable[Pyramid]) -> Paired:
    """The marks that both have. A unit is the same by its name, or else by what it says."""
    of_others = {pyramid.topic: pyramid for pyramid in others}
    rows, other = [], []
    missing = {"topic": 0, "unit": 0, "summary": 0}
    for pyramid in people:
        if not pyramid.peers:
            continue
        if pyramid.topic not in of_others:
            missing["topic"] += 1
            continue
        theirs = of_others[pyramid.topic]
        same = [(scu, _same_unit(scu, theirs.scus)) for scu in pyramid.scus]
        missing["unit"] += sum(one is None for _, one in same)
        for author, said in pyramid.peers.items():
            if author not in theirs.peers:
                missing["summary"] += 1
                continue
            mine, own = ({part.scu for part in parts} for parts in (said, theirs.peers[author]))
            for scu, one in same:
                if one is not None:
                    rows.append((pyramid.topic, author, scu, scu.id in mine))
                    other.append(one.id in own)
    notes = [
        f"left out: {counted(count, what)} of people's marks that the others do not have"
        for what, count in missing.items()
        if count
    ]
    return Paired(_marks(rows), np.array(other, dtype=np.bool_), tuple(notes))


def _same_unit(scu: Scu, others: Sequence[Scu]) -> Scu | None:
    said = same_label(unit_text(scu))
    for other in others:
        if other.id == scu.id and (not (other.label and scu.label) or _says(other, said)):
            return other
    return next((other for other in others if _says(other, said)), None)


def _says(scu: Scu, said: str) -> bool:
    return same_label(unit_text(scu)) == said


def _marks(rows: Sequence[tuple[str, str, Scu, bool]]) -> UnitMarks:
    topics, systems, units = (
        {name: place for place, name in enumerate(dict.fromkeys(names))}
        for names in (
            [row[0] for row in rows],
            [row[1] for row in rows],
            [(row[0], row[2].id) for row in rows],
        )
    )
    return UnitMarks(
        tuple(map(str, topics)),
        tuple(map(str, systems)),
        np.array([topics[row[0]] for row in rows], dtype=np.int64),
        np.array([systems[row[1]] for row in rows], dtype=np.int64),
        np.array([units[row[0], row[2].id] for row in rows], dtype=np.int64),
        np.array([row[2].weight for row in rows], dtype=np.float64),
        np.array([row[3] for row in rows], dtype=np.bool_),
    )
