"""How far annotators agree who marked the same candidates by the same content units.

A mark says that a candidate expresses a unit, or not. Fleiss' kappa, Cohen's (the mean over pairs
of annotators, each weighted by the marks that both made) and Krippendorff's alpha for names are
over all marks of candidates that two annotators or more marked by the same units. Of pairs the
share of equal marks and Cohen's kappa, and how far their scores go together: the values that a
metric has by the marks of each, on summaries that both marked, also by different units.

    system     correlation of the systems' mean scores
    summary    mean over the topics of the correlation of their summaries' scores
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from summetry.arrays.types import Floats
from summetry.errors import SummetryError
from summetry.metrics.base import Metric
from summetry.records.batches import Batch, Comparison
from summetry.records.pyramids import RULES, by_units
from summetry.stats.levels import correlate
from summetry.stats.ratings import RatingsAgreement, ratings_agreement
from summetry.stats.significance import DRAWS

# What an annotator without a name is called.
UNNAMED = "(unnamed)"


@dataclass(frozen=True)
class AnnotatorPair:
    """How far two annotators agree; NaN where they have nothing in common."""

    first: str
    second: str
    # Marks of the same units of the same candidates.
    marks: int
    equal: float
    kappa: float
    # Candidates that both have a score of.
    summaries: int
    system_pearson: float
    system_tau_b: float
    summary_pearson: float
    summary_tau_b: float


@dataclass(frozen=True)
class AnnotatorsAgreement:
    """How far all annotators agree, how far two do, and the scores by the marks of each."""

    metric: str
    # Over candidates that two annotators or more marked by the same units.
    annotators: int
    summaries: int
    marks: int
    # The share of marks that say yes.
    yes: float
    coefficients: RatingsAgreement
    pairs: tuple[AnnotatorPair, ...]
    # By system: the mean score by annotator, and by each rule.
    scores: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class _Marks:
    """One row per annotator and one column per unit of a candidate; NaN where it was not marked."""

    ratings: Floats
    # Of each column: its topic and its candidate.
    topics: tuple[str, ...]
    authors: tuple[str, ...]


def annotators_agreement(
    comparisons: Sequence[Comparison],
    metric: Metric,
    name: str,
    draws: int = DRAWS,
    seed: int = 0,
) -> AnnotatorsAgreement:
    """How far those agree who marked the candidates of these comparisons.

    ``metric`` is one on pyramids. For the intervals ``draws`` resamples of topics are drawn.
    """
    materials = {id(one.material.pyramids): one.material.pyramids for one in comparisons}
    names = list(dict.fromkeys(p.annotator for of_one in materials.values() for p in of_one))
    if len(names) < 2:
        whose = f"one, {names[0]!r}" if names and names[0] else "one without a name"
        raise SummetryError(
            f"expected marks of two annotators or more, found {whose if names else 'none'}; "
            f'"annotator" in pyramids.jsonl, or a column of a table of units, says who marked'
        )
    marks = _marks(comparisons, names)
    cells = _Cells(comparisons)
    scores = {who: cells.grid(comparisons, replace(metric, marks=who)) for who in names}  # type: ignore[type-var]
    rules = {rule: cells.grid(comparisons, replace(metric, marks=rule)) for rule in RULES}  # type: ignore[type-var]
    by_several = (~np.isnan(marks.ratings)).sum(axis=0) > 1
    known = marks.ratings[:, by_several]
    given = known[~np.isnan(known)]
    clusters = np.unique(np.array(marks.topics), return_inverse=True)[1]
    summaries = set(
        zip(np.array(marks.topics)[by_several], np.array(marks.authors)[by_several], strict=True)
    )
    pairs = [
        _pair(marks.ratings[i], marks.ratings[k], scores[a], scores[b], a, b)
        for (i, a), (k, b) in combinations(enumerate(names), 2)
    ]
    return AnnotatorsAgreement(
        name,
        int((~np.isnan(known)).any(axis=1).sum()),
        len(summaries),
        len(given),
        float(given.mean()) if len(given) else np.nan,
        ratings_agreement(marks.ratings, clusters, draws, seed),
        tuple(pair for pair in pairs if pair.marks or pair.summaries),
        {
            system: {who or UNNAMED: _mean(grid[i]) for who, grid in (scores | rules).items()}
            for i, system in enumerate(cells.systems)
        },
    )


def _marks(comparisons: Sequence[Comparison], names: Sequence[str]) -> _Marks:
    row = {name: i for i, name in enumerate(names)}
    columns: list[tuple[str, str, Floats]] = []
    for comparison in comparisons:
        author = comparison.candidate.author
        for group in by_units(comparison.material.pyramids):
            said = {
                row[one.annotator]: {part.scu for part in one.peers[author]}
                for one in group
                if author in one.peers
            }
            for scu in group[0].scus if said else ():
                column = np.full(len(names), np.nan)
                column[list(said)] = [scu.id in scus for scus in said.values()]
                columns.append((comparison.material.topic, author, column))
    ratings = np.array([column for *_, column in columns]).reshape(-1, len(names)).T
    return _Marks(ratings, tuple(c[0] for c in columns), tuple(c[1] for c in columns))


class _Cells:
    """Where the value of each comparison is in a table of systems and topics."""

    def __init__(self, comparisons: Sequence[Comparison]) -> None:
        authors = [one.candidate.author for one in comparisons]
        topics = [one.material.topic for one in comparisons]
        self.systems, self.topics = dict.fromkeys(authors), dict.fromkeys(topics)
        rows, columns = (
            {name: i for i, name in enumerate(names)} for names in (self.systems, self.topics)
        )
        self.at = [rows[author] for author in authors], [columns[topic] for topic in topics]

    def grid(self, comparisons: Sequence[Comparison], metric: Metric) -> Floats:
        """The headline value of a metric: systems x topics."""
        values = metric.score(metric.count(Batch(list(comparisons))))[metric.headline]
        grid = np.full((len(self.systems), len(self.topics)), np.nan)
        grid[self.at] = values
        return grid


def _pair(x: Floats, y: Floats, a: Floats, b: Floats, first: str, second: str) -> AnnotatorPair:
    both = ~np.isnan(x + y)
    ratings = ratings_agreement(np.array([x[both], y[both]]), np.zeros(both.sum(), int), 0)
    shared = ~np.isnan(a + b)
    a, b = np.where(shared, a, np.nan), np.where(shared, b, np.nan)
    return AnnotatorPair(
        first or UNNAMED,
        second or UNNAMED,
        int(both.sum()),
        ratings.agreement,
        ratings.weighted.value,
        int(shared.sum()),
        correlate(a, b, "system", "pearson").value,
        correlate(a, b, "system", "tau_b").value,
        correlate(a, b, "summary", "pearson").value,
        correlate(a, b, "summary", "tau_b").value,
    )


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else np.nan
