"""What people would say of every system, had they judged all topics: scores and a few judgments in,
estimates out (see ``stats.estimate``).

For each protocol and dimension the metrics that are named help together, in one regression. Beside
them stand some that know nothing, measured in the same way: the length of the summaries, their
overlap with the lead, random numbers and a constant. A metric that saves no more judgments than
these says nothing of people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from summetry.arguments import check_share, counter
from summetry.arrays.types import Floats
from summetry.errors import SummetryError, counted, first_names
from summetry.metaeval.columns import short_name
from summetry.metaeval.grids import Grid
from summetry.metaeval.nulls import A_CONSTANT, A_LENGTH, A_RANDOM
from summetry.metaeval.selection import LENGTHS, JudgedScores, with_people
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, ScoreTable
from summetry.stats.estimate import (
    FEWEST,
    Estimate,
    Mean,
    Population,
    check_estimate,
    estimate,
)
from summetry.stats.estimate.targets import PER_PROXY
from summetry.stats.power import POWER

# What helps where texts are scored and no metric is named.
DEFAULT = "rouge-1.recall"
# So many metrics of random numbers are drawn by default.
DRAWS = 20
# A second seed for random numbers in the place of a metric.
_NULLS = 1
# Judged topics that are farther than this from all topics were hardly drawn at random.
_FAR = 4.0


@dataclass(frozen=True)
class EstimateSettings:
    """How estimates are made; ``draws`` and ``seed`` are those of random numbers as a metric."""

    alpha: float = 0.05
    population: Population = "topics"
    detect: float | None = None
    power: float = POWER
    # The lowest and the highest possible judgment.
    scale: tuple[float, float] | None = None
    draws: int = DRAWS
    seed: int = 0

    def __post_init__(self) -> None:
        check_share("alpha", self.alpha)
        check_estimate(self.confidence, self.population, self.detect, self.power, self.scale)

    @property
    def confidence(self) -> float:
        return 1 - self.alpha


class Saved(NamedTuple):
    """The share of the judgments that a metric saves, for means and for differences."""

    name: str
    means: float
    differences: float
    # Whether it is one that knows nothing.
    is_null: bool


@dataclass(frozen=True, eq=False)
class EstimateTable:
    """The estimates of a dimension; rows of ``estimate`` count the systems of ``systems``."""

    protocol: str
    dimension: str
    systems: tuple[str, ...]
    topics: int
    judges: int
    proxies: tuple[Column, ...]
    estimate: Estimate
    # The metrics that help come first.
    saved: tuple[Saved, ...]
    notes: tuple[str, ...] = ()

    @property
    def proxy_names(self) -> tuple[str, ...]:
        return tuple(map(short_name, self.proxies))

    @property
    def used_names(self) -> tuple[str, ...]:
        """The metrics that have a weight in the row of any system."""
        weights = [mean.weights for mean in self.estimate.means if mean.is_estimated]
        used = [any(own[place] for own in weights) for place in range(len(self.proxies))]
        return tuple(name for name, is_used in zip(self.proxy_names, used, strict=True) if is_used)

    @property
    def judged_topics(self) -> int:
        """The most topics that any system was judged on."""
        return max(mean.judged for mean in self.estimate.means)

    def best_first(self) -> list[Mean]:
        """The systems by their rank, those without an estimate last."""
        ranks = {rank.system: rank.rank for rank in self.estimate.ranks}
        last = len(self.systems) + 1
        return sorted(self.estimate.means, key=lambda mean: ranks.get(mean.system, last))

    def note_on(self, mean: Mean) -> str:
        """What a reader should know of one system's row; empty where there is nothing."""
        if not mean.is_estimated:
            return f"fewer than {FEWEST} judged"
        words = []
        if not any(mean.weights):
            if mean.judged == mean.topics:
                words.append("all judged")
            elif mean.judged < PER_PROXY:
                words.append(f"judgments alone: fewer than {PER_PROXY}")
            else:
                words.append("judgments alone: no spread")
        if mean.thin:
            words.append("thin")
        return ", ".join(words)


def estimate_parts(
    parts: Sequence[JudgedScores],
    corpus: Corpus,
    settings: EstimateSettings,
    progress: Callable[[int, int], None] | None = None,
) -> list[EstimateTable]:
    """The estimates of each dimension; parts must have all topics, judged or not."""
    # The metrics, random numbers, a constant, and what is known of the texts.
    tick = counter(sum(settings.draws + 2 + len(part.nulls) for part in parts), progress)
    return [_table(part, corpus, settings, tick) for part in parts]


def with_lengths(
    table: ScoreTable, corpus: Corpus, metrics: Sequence[str], dimensions: Sequence[str]
) -> ScoreTable:
    """The columns that are named, all if none is, and those that say how long summaries are."""
    lengths = [column.name for column in table.columns if column.metric in LENGTHS]
    return with_people(table, corpus, [*metrics, *lengths] if metrics else (), dimensions)


def check_proxies(parts: Sequence[JudgedScores], is_named: bool) -> None:
    """Refuse to choose among several metrics: which one helps is said before anybody looks."""
    names = list(dict.fromkeys(column.name for part in parts for column in part.grid.columns))
    if not is_named and len(names) > 1:
        raise SummetryError(
            f"there are {len(names):,} metrics, {first_names(names)}: say which one helps, with "
            "-m NAME; to choose the best on the same judgments makes intervals too narrow"
        )


def _table(
    part: JudgedScores, corpus: Corpus, settings: EstimateSettings, tick: Callable[[], None]
) -> EstimateTable:
    y = part.marks.means()
    scale = settings.scale or _scale_of(corpus, part.dimension)
    _check_scale(part, scale)
    kept = _usable(part.grid, y)
    unused = [column for column in part.grid.columns if column not in kept]
    part = replace(part, grid=part.grid.only_columns(kept))
    f = part.grid.finite()

    def run(proxies: Floats, detect: float | None = None) -> Estimate:
        found = estimate(
            y, proxies, settings.confidence, settings.population, detect, settings.power, scale
        )
        tick()
        return found

    own = run(f, settings.detect)
    table = EstimateTable(
        part.protocol,
        part.dimension,
        part.grid.systems,
        len(part.grid.topics),
        len(part.marks.judges),
        part.grid.columns,
        own,
        (Saved(_together(part.grid.columns), own.saved_means, own.saved_differences, False),
         *_nulls(part, f, settings, run)),
    )  # fmt: skip
    return replace(table, notes=(*_notes_on_unused(table, unused), *_notes(table, part, f)))


def _usable(grid: Grid, y: Floats) -> list[Column]:
    """The metrics, in their order, for which one system at least has ten judged topics each.

    One that no system has judgments enough for is not asked for, so nothing is dropped where it has
    no value. If there is none, the first one stays: it says which summaries there are.
    """
    kept: list[Column] = []
    judged = ~np.isnan(y)
    for column, values in zip(grid.columns, grid.finite(), strict=True):
        both = judged & ~np.isnan(values)
        if both.sum(axis=-1).max(initial=0) >= PER_PROXY * (len(kept) + 1):
            kept.append(column)
            judged = both
    return kept or list(grid.columns[:1])


def _notes_on_unused(table: EstimateTable, unused: Sequence[Column]) -> Iterator[str]:
    if unused:
        names = ", ".join(map(short_name, unused))
        verb = "is" if len(unused) == 1 else "are"
        yield f"{names} {verb} not used: one metric per ten judged topics"
    used = table.used_names
    for name in table.proxy_names:
        if used and name not in used:
            yield f"{name} is not used: it is constant, or follows from the metrics before it"


def _together(columns: Sequence[Column]) -> str:
    return " + ".join(map(short_name, columns))


def _nulls(
    part: JudgedScores, f: Floats, settings: EstimateSettings, run: Callable[[Floats], Estimate]
) -> Iterator[Saved]:
    """The null judges (``nulls``), on the summaries that have the metrics."""
    there = ~np.isnan(f).any(axis=0)

    def only(values: Floats) -> Floats:
        return np.where(there, values, np.nan)[None]

    for name, null in part.nulls.items():
        try:
            found = run(only(null.values))
            yield Saved(name, found.saved_means, found.saved_differences, True)
        except SummetryError:
            # Too few of the judged summaries have a value.
            yield Saved(name, np.nan, np.nan, True)
    # Not the numbers that a user draws with the same seed: made-up scores may be these.
    drawn = np.random.default_rng([settings.seed, _NULLS])
    both = np.array([
        (found.saved_means, found.saved_differences)
        for found in (run(only(drawn.standard_normal(there.shape))) for _ in range(settings.draws))
    ])  # fmt: skip
    yield Saved(A_RANDOM, float(both[:, 0].mean()), float(both[:, 1].mean()), True)
    found = run(only(np.zeros(there.shape)))
    yield Saved(A_CONSTANT, found.saved_means, found.saved_differences, True)


def _notes(table: EstimateTable, part: JudgedScores, f: Floats) -> Iterator[str]:
    means, names = table.estimate.means, table.systems
    dropped = sum(mean.dropped for mean in means)
    if dropped:
        yield (
            f"{counted(dropped, 'judgment')} dropped: the summary has no value of "
            f"{_together(table.proxies)}"
        )
    infinite = int((np.isnan(f) & ~np.isnan(part.grid.values)).sum())
    if infinite:
        yield f"{counted(infinite, 'infinite value')} of a metric counted as missing"
    if A_LENGTH not in part.nulls:
        yield f"{A_LENGTH} is missing: there are no texts, and no score says how long they are"
    away = {
        names[mean.system]: max(map(abs, mean.distances), default=0.0)
        for mean in means
        if mean.is_estimated
    }
    far = [name for name, distance in away.items() if distance > _FAR]
    if far:
        yield (
            f"were the judged topics drawn at random? Their {_together(table.proxies)} is up to "
            f"{max(away.values()):.1f} standard errors from that of all topics: {', '.join(far)}"
        )


def _scale_of(corpus: Corpus, dimension: str) -> tuple[float, float] | None:
    """The scale of letters, if the corpus has one: they count from 1."""
    letters = corpus.scales.get(dimension, ())
    return (1.0, float(len(letters))) if len(letters) > 1 else None


def _check_scale(part: JudgedScores, scale: tuple[float, float] | None) -> None:
    """Refuse a mark outside the scale, and name the first one, by topics and then by systems."""
    if scale is None:
        return
    # Topics x systems x judges.
    marks = part.marks.values.transpose(2, 1, 0)
    outside = np.argwhere((marks < scale[0]) | (marks > scale[1]))
    if len(outside):
        topic, system, judge = outside[0]
        raise SummetryError(
            f"a judgment on {part.dimension} is {marks[topic, system, judge]:g} (topic "
            f"{part.grid.topics[topic]}, system {part.grid.systems[system]}), outside the scale "
            f"from {scale[0]:g} to {scale[1]:g}; give the scale that the judges had, or none"
        )
