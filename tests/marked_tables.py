"""Small score tables and judgments, written as numbers."""

import numpy as np

from summetry.errors import Place
from summetry.records import Column, CorpusBuilder, ScoreTable
from summetry.records.judgments import Judgment
from summetry.records.scores import Row
from summetry.records.topics import Topic

HERE = Place("here")


def scores_of(columns, protocol="no_models", roles=None):
    """A table of ``{metric: {(topic, author): score}}``; a metric's value is named ``value``."""
    cells = list(dict.fromkeys(cell for scores in columns.values() for cell in scores))
    rows = tuple(
        Row(protocol, t, author, (roles or {}).get(author, "candidate")) for t, author in cells
    )
    data = [[scores.get(cell, np.nan) for scores in columns.values()] for cell in cells]
    made = tuple(Column(metric, "value", f"{metric}|v:0") for metric in columns)
    return ScoreTable(rows, made, np.array(data, float).reshape(len(rows), len(made)))


def cells_of(table):
    """{(topic, system): value} of systems x topics; systems are s0, ... and topics t0, ..."""
    cells = np.ndenumerate(np.asarray(table, float))
    return {(f"t{j}", f"s{i}"): float(value) for (i, j), value in cells}


def grid_scores(tables, protocol="no_models"):
    """A table of ``{metric: systems x topics}``."""
    return scores_of({metric: cells_of(table) for metric, table in tables.items()}, protocol)


def judged_corpus(marks, scales=None, genres=None):
    """A corpus of ``(topic, author, judge, dimension, value)``; ``genres`` by topic."""
    builder = CorpusBuilder("made", scales=scales or {})
    for topic in dict.fromkeys([mark[0] for mark in marks]):
        genre = (genres or {}).get(topic, "")
        builder.add("topics", Topic(topic, genre=genre, text="A ferry sank."), HERE)
    for mark in marks:
        builder.add("judgments", Judgment(*mark), HERE)
    return builder.build()


def grid_marks(tables, dimension="quality"):
    """The judgments of ``{judge: systems x topics}``; NaN is no mark."""
    cells = ((judge, *item) for judge, table in tables.items() for item in cells_of(table).items())
    return [(*cell, judge, dimension, value) for judge, cell, value in cells if value == value]
