"""What part of the scores is looked at, beside the judgments on one dimension.

Metrics are compared with people for each protocol, for each genre or group of topics where these
are asked for, and for each dimension, on the systems and topics that have scores and judgments.

Any value of a metric can stand for people (``--dimension pyramid``), and any dimension can stand
among the metrics (``-m responsiveness``). A name of both is a dimension where people are meant, and
a metric where metrics are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import get_args

import numpy as np

from summetry.arrays.types import Floats
from summetry.errors import SummetryError, first_names, must_be_known
from summetry.metaeval.columns import (
    column_meant,
    has_column,
    pick_columns,
    shown_places,
    sign_of,
    split_names,
)
from summetry.metaeval.grids import (
    Grid,
    GridJudgments,
    check_dimensions,
    dimensions_of,
    grid_of,
    judgments_of,
    protocols_of,
)
from summetry.metaeval.nulls import A_CONSTANT, A_LENGTH, NullValues, TextNulls, text_nulls
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, Row, ScoreTable
from summetry.records.topics import By

# Scores that say how long a summary is.
LENGTHS = ("compression", "length", "words")


@dataclass(frozen=True, eq=False)
class JudgedScores:
    """The scores of a protocol and part, and the judgments on a dimension of these summaries."""

    # The genre or group; empty for all topics.
    part: str
    grid: Grid
    marks: GridJudgments
    notes: tuple[str, ...] = ()
    # What the null judges of texts say of the summaries, by name: those that can be known.
    nulls: Mapping[str, NullValues] = field(default_factory=dict)

    @property
    def protocol(self) -> str:
        return self.grid.protocol

    @property
    def dimension(self) -> str:
        return self.marks.dimension

    def oriented(self) -> list[Floats]:
        """The table of each column, with its sign reversed where lower numbers are better."""
        pairs = zip(self.grid.columns, self.grid.values, strict=True)
        return [sign_of(column) * table for column, table in pairs]

    def null_tables(self) -> list[tuple[Column, Floats]]:
        """Null judges as columns with their tables: those of texts, and a constant.

        Length and lead overlap are taken in the direction in which the means of systems follow
        people.
        """
        # Options of commands that need no statistics are declared with this module.
        from summetry.stats.levels import correlate

        people, tables = self.marks.means(), []
        for name, null in self.nulls.items():
            is_reversed = correlate(null.values, people, "system", "pearson").value < 0
            tables.append((Column(name), -null.values if is_reversed else null.values))
        return [*tables, (Column(A_CONSTANT), np.where(np.isnan(people), np.nan, 0.0))]


@dataclass(frozen=True)
class Selection:
    """What is looked at: protocols and dimensions (by default all), without some authors."""

    protocols: Sequence[str] = ()
    dimensions: Sequence[str] = ()
    by: By | None = None
    exclude: Collection[str] = ()
    # All values of a metric, or its headline only.
    all_values: bool = False
    # The metrics and values that are shown where not all are.
    metrics: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.by is not None:
            must_be_known("way to part topics", self.by, get_args(By))


def with_people(
    table: ScoreTable, corpus: Corpus | None, metrics: Sequence[str], dimensions: Sequence[str]
) -> ScoreTable:
    """The columns that are named (all, if none is): dimensions as metrics, metrics as dimensions.

    A dimension that is named as a metric becomes a column, the mean over judges.
    """
    named, known = split_names(metrics), dimensions_of(corpus) if corpus else []
    added = [name for name in named if name in known and not has_column(table.columns, name)]
    if added:
        assert corpus is not None
        table = _with_dimensions(table, corpus, added)
    if not named:
        return table
    people = [n for n in dimensions if n not in known and has_column(table.columns, n)]
    return pick_columns(table, [*named, *people])


def _with_dimensions(table: ScoreTable, corpus: Corpus, dimensions: Sequence[str]) -> ScoreTable:
    marks: dict[tuple[str, str, str], dict[str, list[float]]] = {}
    for judgment in corpus.judgments:
        by_judge = marks.setdefault((judgment.dimension, judgment.topic, judgment.author), {})
        by_judge.setdefault(judgment.judge, []).append(corpus.mark(judgment))
    # Over the references that a judge compared a summary with, and then over the judges.
    means = {key: fmean(map(fmean, by_judge.values())) for key, by_judge in marks.items()}
    numbers = [
        [means.get((name, row.topic, row.author), math.nan) for name in dimensions]
        for row in table.rows
    ]
    columns = (*table.columns, *(Column(name) for name in dimensions))
    data = np.concatenate([table.data, np.array(numbers).reshape(-1, len(dimensions))], axis=1)
    return replace(table, columns=columns, data=data)


def judged_rows(corpus: Corpus) -> ScoreTable:
    """A table of all judged summaries without any column, for dimensions to be put into."""
    written = {(s.topic, s.author) for s in corpus.summaries if s.role == "reference"}
    pairs = dict.fromkeys((mark.topic, mark.author) for mark in corpus.judgments)
    rows = tuple(Row("no_models", *pair, "candidate") for pair in pairs if pair not in written)
    return ScoreTable(rows, (), np.zeros((len(rows), 0)))


def grids(tables: Sequence[ScoreTable], selection: Selection) -> list[Grid]:
    """A grid for each protocol of the tables."""
    known = list(dict.fromkeys(name for table in tables for name in protocols_of(table)))
    for name in selection.protocols:
        must_be_known("protocol of the scores", name, known)
    selected = [
        grid_of(table, protocol, selection.exclude)
        for protocol in selection.protocols or known
        for table in tables
        if protocol in protocols_of(table)
    ]
    if not selected:
        raise SummetryError("expected scores, found none")
    if selection.all_values:
        return selected
    return [
        grid.only_columns([grid.columns[i] for i in shown_places(grid.columns, selection.metrics)])
        for grid in selected
    ]


def parts_of(grid: Grid, corpus: Corpus | None, by: By | None) -> dict[str, Grid]:
    """The grid, or one for each genre or group as they come; topics without one are a part."""
    if by is None:
        return {"": grid}
    kinds = {topic.id: str(getattr(topic, by)) for topic in corpus.topics} if corpus else {}
    topics_of: dict[str, list[str]] = {}
    for topic in grid.topics:
        topics_of.setdefault(kinds.get(topic, ""), []).append(topic)
    if not any(topics_of):
        raise SummetryError(
            f"no topic of the scores has a {by}; the corpus says it, or a column {by!r} of the "
            f"table of judgments"
        )
    return {name or f"(no {by})": grid.only_topics(topics) for name, topics in topics_of.items()}


def judged_parts(
    tables: Sequence[ScoreTable],
    corpus: Corpus,
    selection: Selection,
    keep_unjudged: bool = False,
) -> tuple[list[JudgedScores], list[str]]:
    """Protocol by protocol, part by part, dimension by dimension; and what was left out.

    Systems and topics that nobody judged are left out, unless ``keep_unjudged``.
    """
    _check_people(tables, corpus, selection.dimensions)
    dimensions = selection.dimensions or dimensions_of(corpus)
    everything = replace(selection, all_values=True)
    parts, notes, lonely = [], [], list[str]()
    texts = text_nulls(corpus)
    for grid, whole in zip(grids(tables, selection), grids(tables, everything), strict=True):
        people = _people_columns(whole, corpus, dimensions)
        places = shown_places(whole.columns, selection.metrics) if selection.metrics else []
        named = {whole.columns[k] for k in places}
        for name, part in parts_of(grid, corpus, selection.by).items():
            for dimension in dimensions:
                # What stands for people is no metric beside itself, nor one that nobody named.
                gone = {*people.values()} - named | {people.get(dimension), Column(dimension)}
                kept = [column for column in part.columns if column not in gone]
                if not kept:
                    lonely.append(dimension)
                    notes.append(f"no metric is left beside {dimension}")
                    continue
                own = part.only_columns(kept)
                marks = _marks(corpus, dimension, own, whole, people.get(dimension))
                judged = _judged(name, own, marks, keep_unjudged)
                if judged is None:
                    where = f" of {name}" if name else ""
                    scored = f"a score ({part.protocol}) and a judgment on {dimension}"
                    notes.append(f"no summary{where} has {scored}")
                else:
                    parts.append(replace(judged, nulls=_nulls(judged.grid, whole, texts)))
    if not parts and lonely:
        raise SummetryError(
            f"no metric is left beside {lonely[0]}: a score of the same name is taken for people's "
            f"judgments; rename its column, for example to {lonely[0]}-by-llm"
        )
    if not parts:
        raise SummetryError(_nothing_shared(tables, corpus))
    return parts, [*notes, *_unscored(tables, corpus, selection)]


def _check_people(tables: Sequence[ScoreTable], corpus: Corpus, names: Sequence[str]) -> None:
    """Refuse a name that is neither a dimension nor a value of the scores."""
    columns = [column for table in tables for column in table.columns]
    check_dimensions(corpus, [name for name in names if not has_column(columns, name)])


def _people_columns(whole: Grid, corpus: Corpus, dimensions: Sequence[str]) -> dict[str, Column]:
    """The values that stand for people, by the name that they were asked for."""
    known = dimensions_of(corpus)
    return {
        name: column_meant(whole.columns, name)
        for name in dimensions
        if name not in known and has_column(whole.columns, name)
    }


def _marks(
    corpus: Corpus, dimension: str, grid: Grid, whole: Grid, column: Column | None
) -> GridJudgments:
    """The judgments on a dimension, or the value that stands for them; higher is better."""
    if column is None:
        if dimension in dimensions_of(corpus):
            return judgments_of(corpus, dimension, grid)
        return GridJudgments(
            dimension, (), np.full((1, len(grid.systems), len(grid.topics)), np.nan)
        )
    own = whole.only_columns([column]).only_systems(grid.systems).only_topics(grid.topics)
    return GridJudgments(dimension, (), sign_of(column) * own.values)


def _judged(
    part: str, grid: Grid, people: GridJudgments, keep_unjudged: bool
) -> JudgedScores | None:
    """The part of a grid that has marks, or all of it; None where there is no mark."""
    dimension, marks = people.dimension, ~np.isnan(people.means())
    scored = ~np.isnan(grid.values).all(axis=0)
    # Where nothing is defined, what is marked stays, so that the table can say so.
    both = np.asarray(marks & scored if (marks & scored).any() else marks)
    if not both.any():
        return None
    if keep_unjudged:
        return JudgedScores(part, grid, people)
    systems = [grid.systems[place] for place in np.flatnonzero(both.any(axis=1))]
    topics = [grid.topics[place] for place in np.flatnonzero(both.any(axis=0))]
    notes = [
        f"left out, without a summary that has a score and a judgment on {dimension}: "
        f"{_some(noun, left)}"
        for noun, all_of, kept in (
            ("system", grid.systems, systems),
            ("topic", grid.topics, topics),
        )
        if (left := [name for name in all_of if name not in set(kept)])
    ]
    own = grid.only_systems(systems).only_topics(topics)
    kept = np.asarray(both.any(axis=1)), np.asarray(both.any(axis=0))
    return JudgedScores(part, own, people.only(*kept), tuple(notes))


def _nulls(grid: Grid, whole: Grid, texts: TextNulls) -> dict[str, NullValues]:
    """The null judges of a grid: of the texts; length may be a score that says it instead."""
    nulls = texts.on_grid(grid.systems, grid.topics)
    column = next((column for column in whole.columns if column.metric in LENGTHS), None)
    if A_LENGTH in nulls or column is None:
        return nulls
    own = whole.only_columns([column]).only_systems(grid.systems).only_topics(grid.topics)
    return {A_LENGTH: NullValues(column.name, own.values[0]), **nulls}


def _unscored(tables: Sequence[ScoreTable], corpus: Corpus, selection: Selection) -> Iterator[str]:
    """Systems and topics with judgments and no scores: perhaps they have other names there.

    Authors of references are not named, since scores without them are one of the protocols.
    """
    dimensions = selection.dimensions or dimensions_of(corpus)
    marks = [mark for mark in corpus.judgments if mark.dimension in dimensions]
    rows = [row for table in tables for row in table.rows]
    authors, topics = {row.author for row in rows}, {row.topic for row in rows}
    authors |= {s.author for s in corpus.summaries if s.role == "reference"} | set(
        selection.exclude
    )
    for noun, gone in (
        ("system", Counter(mark.author for mark in marks if mark.author not in authors)),
        ("topic", Counter(mark.topic for mark in marks if mark.topic not in topics)),
    ):
        if gone:
            count = sum(gone.values())
            has = "judgment has" if count == 1 else "judgments have"
            yield f"{count:,} {has} no score: {_some(noun, list(gone))}"


def _nothing_shared(tables: Sequence[ScoreTable], corpus: Corpus) -> str:
    scored = list(dict.fromkeys((row.topic, row.author) for table in tables for row in table.rows))
    marked = list(dict.fromkeys((mark.topic, mark.author) for mark in corpus.judgments))
    return (
        f"no summary has both a score and a judgment: the scores are of {_named(scored)}, the "
        f"judgments of {_named(marked)}; topics and systems must have the same names in both"
    )


def _named(pairs: Sequence[tuple[str, str]]) -> str:
    topics, authors = (list(dict.fromkeys(names)) for names in zip(*pairs, strict=True))
    return f"topics such as {topics[0]!r} and systems such as {authors[0]!r}"


def _some(noun: str, names: Sequence[str]) -> str:
    """``the system a``, or ``the systems a, b and 3 more``."""
    return f"the {noun}{'s' * (len(names) > 1)} {first_names(names)}"
