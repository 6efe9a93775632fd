"""What part of the scores is looked at, beside the judgments on one dimension.

Metrics are compared with people for each protocol, for each genre or group of topics where these
are asked for, and for each dimension, on the systems and topics that have scores and judgments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from summetry.arrays.types import Floats
from summetry.errors import SummetryError, UnknownNameError
from summetry.metaeval.columns import shown_places, sign_of
from summetry.metaeval.grids import (
    Grid,
    GridJudgments,
    check_dimensions,
    dimensions_of,
    grid_of,
    judgments_of,
    protocols_of,
)
from summetry.records.corpus import Corpus
from summetry.records.scores import ScoreTable
from summetry.text.tokens import find_words

By = Literal["genre", "group"]

# Scores that say how long a summary is.
LENGTHS = ("compression", "length", "words")
# How many names a note or a message lists.
MOST_NAMES = 5


class Lengths(NamedTuple):
    """The lengths of all summaries of a grid, and what they count."""

    what: str
    values: Floats


@dataclass(frozen=True, eq=False)
class JudgedScores:
    """The scores of a protocol and part, and the judgments on a dimension of these summaries."""

    # The genre or group; empty for all topics.
    part: str
    grid: Grid
    marks: GridJudgments
    notes: tuple[str, ...] = ()
    # How long the summaries are, systems x topics, and what was counted; None where nobody knows.
    lengths: Lengths | None = None

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
        if self.by is not None and self.by not in get_args(By):
            raise UnknownNameError("way to part topics", self.by, get_args(By))


def grids(tables: Sequence[ScoreTable], selection: Selection) -> list[Grid]:
    """A grid for each protocol of the tables."""
    known = list(dict.fromkeys(name for table in tables for name in protocols_of(table)))
    for name in selection.protocols:
        if name not in known:
            raise UnknownNameError("protocol of the scores", name, known)
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
    tables: Sequence[ScoreTable], corpus: Corpus, selection: Selection
) -> tuple[list[JudgedScores], list[str]]:
    """Protocol by protocol, part by part, dimension by dimension; and what was left out."""
    check_dimensions(corpus, selection.dimensions)
    everything = replace(selection, all_values=True)
    parts, notes = [], []
    words = _words(corpus)
    for grid, whole in zip(grids(tables, selection), grids(tables, everything), strict=True):
        for name, part in parts_of(grid, corpus, selection.by).items():
            for dimension in selection.dimensions or dimensions_of(corpus):
                judged = _judged(name, part, corpus, dimension)
                if judged is None:
                    where = f" of {name}" if name else ""
                    scored = f"a score ({part.protocol}) and a judgment on {dimension}"
                    notes.append(f"no summary{where} has {scored}")
                else:
                    parts.append(replace(judged, lengths=_lengths(judged.grid, whole, words)))
    if not parts:
        raise SummetryError(_nothing_shared(tables, corpus))
    return parts, [*notes, *_unscored(tables, corpus, selection)]


def _judged(part: str, grid: Grid, corpus: Corpus, dimension: str) -> JudgedScores | None:
    """The part of a grid that has marks; None where there is none."""
    marks = ~np.isnan(judgments_of(corpus, dimension, grid).means())
    scored = ~np.isnan(grid.values).all(axis=0)
    # Where nothing is defined, what is marked stays, so that the table can say so.
    both = np.asarray(marks & scored if (marks & scored).any() else marks)
    if not both.any():
        return None
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
    return JudgedScores(part, own, judgments_of(corpus, dimension, own), tuple(notes))


def _words(corpus: Corpus) -> dict[tuple[str, str], int]:
    """The number of words of each text that is scored, by topic and author."""
    return {
        (summary.topic, summary.author): len(find_words(text))
        for summary in corpus.summaries
        if (text := corpus.text_of(summary))
    }


def _lengths(grid: Grid, whole: Grid, words: Mapping[tuple[str, str], int]) -> Lengths | None:
    """The lengths of the summaries of a grid: of their texts, or else as a score says them."""
    counts = [[words.get((topic, system)) for topic in grid.topics] for system in grid.systems]
    numbers = np.array(counts, np.float64)
    if not np.isnan(numbers).all():
        return Lengths("number of words", numbers)
    column = next((column for column in whole.columns if column.metric in LENGTHS), None)
    if column is None:
        return None
    own = whole.only_columns([column]).only_systems(grid.systems).only_topics(grid.topics)
    return Lengths(column.name, own.values[0])


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
            yield f"{count} {has} no score: {_some(noun, list(gone))}"


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
    """The first names of a list, and how many more there are."""
    if len(names) == 1:
        return f"the {noun} {names[0]}"
    rest = len(names) - MOST_NAMES
    return (
        f"the {noun}s " + ", ".join(names[:MOST_NAMES]) + (f" and {rest} more" if rest > 0 else "")
    )
