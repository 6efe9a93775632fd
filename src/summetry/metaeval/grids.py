"""Scores and marks side by side: tables of systems and topics that share their cells.

Statistics need one row per system and one column per topic; score tables and judgments are lists.
A grid holds all values of one protocol in that shape, NaN where there is none.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from summetry.arrays.types import Bools, Floats
from summetry.errors import SummetryError, counted, must_be_known
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, Row, ScoreTable
from summetry.stats.concordance import divided


@dataclass(frozen=True, eq=False)
class Grid:
    """``values[i, j, k]`` is value ``columns[i]`` of system ``systems[j]`` on ``topics[k]``."""

    protocol: str
    systems: tuple[str, ...]
    roles: tuple[str, ...]
    topics: tuple[str, ...]
    columns: tuple[Column, ...]
    values: Floats
    # What the reader should know of the numbers, in words; each begins with its column's name.
    notes: tuple[str, ...] = ()
    # What stands for an infinite score in a column that has such.
    far: Mapping[Column, float] = field(default_factory=dict)

    def finite(self) -> Floats:
        """The values with NaN in the place of infinite ones."""
        far = np.array([self.far.get(column, np.inf) for column in self.columns])
        return np.where(np.abs(self.values) >= far[:, None, None], np.nan, self.values)

    def infinite_from(self, column: Column) -> float:
        """From here on a mean, or a difference of means, is infinite; inf where none is."""
        return self.far.get(column, np.inf) / (2 * max(len(self.topics), 1))

    def only_topics(self, topics: Collection[str]) -> Grid:
        """The grid of those of its topics that are among ``topics``."""
        kept = [place for place, topic in enumerate(self.topics) if topic in topics]
        names = tuple(self.topics[place] for place in kept)
        return replace(self, topics=names, values=self.values[:, :, kept])

    def only_systems(self, systems: Collection[str]) -> Grid:
        """The grid of those of its systems that are among ``systems``."""
        kept = [place for place, system in enumerate(self.systems) if system in systems]
        names, roles = (tuple(of[place] for place in kept) for of in (self.systems, self.roles))
        return replace(self, systems=names, roles=roles, values=self.values[:, kept])

    def only_columns(self, columns: Sequence[Column]) -> Grid:
        """The grid of ``columns``, in their order."""
        kept = [self.columns.index(column) for column in columns]
        starts = tuple(f"{column.name}: " for column in columns)
        notes = tuple(note for note in self.notes if note.startswith(starts))
        far = {column: self.far[column] for column in columns if column in self.far}
        return replace(self, columns=tuple(columns), values=self.values[kept], notes=notes, far=far)


@dataclass(frozen=True, eq=False)
class GridJudgments:
    """``values[i, j, k]`` is what ``judges[i]`` gave system j of a grid on its topic k."""

    dimension: str
    judges: tuple[str, ...]
    values: Floats

    def only(self, systems: Bools, topics: Bools) -> GridJudgments:
        """The marks of some systems and topics, without judges who gave none of them."""
        values = self.values[:, systems][:, :, topics]
        if not self.judges:
            return replace(self, values=values)
        gave: Bools = np.asarray(~np.isnan(values).all(axis=(1, 2)))
        judges = tuple(name for name, kept in zip(self.judges, gave, strict=True) if kept)
        return replace(self, judges=judges, values=values[gave])

    def means(self) -> Floats:
        """Systems and topics: the mean over the judges who marked the summary."""
        marked = ~np.isnan(self.values)
        return divided(np.where(marked, self.values, 0.0).sum(axis=0), marked.sum(axis=0))


def protocols_of(table: ScoreTable) -> list[str]:
    """The protocols of a table, as they came."""
    return list(dict.fromkeys(row.protocol for row in table.rows))


def grid_of(table: ScoreTable, protocol: str = "", exclude: Collection[str] = ()) -> Grid:
    """The scores of a protocol (of the only one, where none is named) without some authors.

    For an infinite score, such as a divergence from an empty summary, there stands a number so far
    beyond all others that it decides every mean, and a note counts such scores. A column that has
    numbers under another protocol only (its signature says so) is not of the grid.
    """
    protocol = protocol or _only_protocol(table)
    known = table.authors()
    for author in exclude:
        must_be_known("system", author, known)
    places = [
        place
        for place, row in enumerate(table.rows)
        if row.protocol == protocol and row.author not in exclude
    ]
    if not places:
        raise SummetryError(_nothing(table, protocol, exclude))
    columns = _columns_of(table, places)
    rows = [table.rows[place] for place in places]
    _check_once(rows)
    roles = _roles(rows)
    systems = {author: number for number, author in enumerate(roles)}
    topics = {topic: number for number, topic in enumerate(dict.fromkeys(r.topic for r in rows))}
    values = np.full((len(columns), len(systems), len(topics)), np.nan)
    at = ([systems[row.author] for row in rows], [topics[row.topic] for row in rows])
    values[:, at[0], at[1]] = table.data[np.ix_(places, columns)].T
    kept = tuple(table.columns[place] for place in columns)
    counts = np.isinf(values).sum(axis=(1, 2)).tolist()
    far = {c: _far(values[k]) for k, (c, n) in enumerate(zip(kept, counts, strict=True)) if n}
    for place, column in enumerate(kept):
        most = far.get(column, np.inf)
        values[place] = np.clip(values[place], -most, most)
    notes = tuple(
        f"{column.name}: {counted(count, 'infinite score')}, far beyond all others: a mean with "
        "one is infinite and ranks so, and Pearson follows it alone"
        for column, count in zip(kept, counts, strict=True)
        if count
    )
    names = tuple(systems), tuple(roles.values()), tuple(topics)
    return Grid(protocol, *names, kept, values, notes, far)


def _far(numbers: Floats) -> float:
    """So large that one such score decides a mean, whatever the others are.

    Not larger, since differences of the others below 1e-12 of it are taken for rounding.
    """
    largest = float(np.abs(numbers[np.isfinite(numbers)]).max(initial=0.0)) or 1.0
    return min(1000.0 * int(numbers.shape[1]) * largest, sys.float_info.max)


def dimensions_of(corpus: Corpus) -> list[str]:
    """The dimensions that judges marked, as they came."""
    return list(dict.fromkeys(judgment.dimension for judgment in corpus.judgments))


def check_dimensions(corpus: Corpus, names: Collection[str]) -> None:
    """Refuse a dimension that no judgment is on."""
    known = dimensions_of(corpus)
    for name in names:
        must_be_known("dimension of judgments", name, known)


def judgments_of(corpus: Corpus, dimension: str, grid: Grid) -> GridJudgments:
    """The marks of a dimension for the systems and topics of a grid, judge by judge.

    Of a summary that a judge compared with several references, the mean over these.
    """
    check_dimensions(corpus, [dimension])
    systems = {system: number for number, system in enumerate(grid.systems)}
    topics = {topic: number for number, topic in enumerate(grid.topics)}
    judgments = [
        judgment
        for judgment in corpus.judgments
        if judgment.dimension == dimension
        and judgment.author in systems
        and judgment.topic in topics
    ]
    judges = {judge: number for number, judge in enumerate(sorted({j.judge for j in judgments}))}
    sums, counts = np.zeros((2, len(judges), len(systems), len(topics)))
    for judgment in judgments:
        place = judges[judgment.judge], systems[judgment.author], topics[judgment.topic]
        sums[place] += corpus.mark(judgment)
        counts[place] += 1
    return GridJudgments(dimension, tuple(judges), divided(sums, counts))


def _columns_of(table: ScoreTable, rows: Sequence[int]) -> list[int]:
    """The columns that have a number in these rows, or in none."""
    here = ~np.isnan(table.data[rows]).all(axis=0)
    anywhere = ~np.isnan(table.data).all(axis=0)
    return np.flatnonzero(here | ~anywhere).tolist()


def _only_protocol(table: ScoreTable) -> str:
    protocols = protocols_of(table)
    if len(protocols) > 1:
        raise SummetryError(
            f"the scores are of the protocols {' and '.join(protocols)}; say which one is meant"
        )
    return protocols[0] if protocols else ""


def _nothing(table: ScoreTable, protocol: str, exclude: Collection[str]) -> str:
    if not table.rows:
        return "expected scores, found none"
    if protocol not in protocols_of(table):
        known = ", ".join(protocols_of(table))
        return f"no score is of the protocol {protocol!r}; they are of {known}"
    return f"without {', '.join(exclude)} no scores are left"


def _check_once(rows: Sequence[Row]) -> None:
    """Refuse two rows for one summary: which of them is meant cannot be known."""
    seen: set[Row] = set()
    for row in rows:
        if row in seen:
            raise SummetryError(
                f"the system {row.author!r} has two rows of scores for the topic {row.topic!r} "
                f"({row.protocol}), expected one"
            )
        seen.add(row)


def _roles(rows: Sequence[tuple[str, str, str, str]]) -> dict[str, str]:
    """Each author's role, in the order of the rows."""
    roles: dict[str, str] = {}
    for _, topic, author, role in rows:
        if roles.setdefault(author, role) != role:
            raise SummetryError(
                f"{author!r} is a {role} in topic {topic!r} and a {roles[author]} elsewhere; "
                "an author must have one role, give one of them another name"
            )
    return roles
