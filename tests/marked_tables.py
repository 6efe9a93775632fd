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


def grid_scores(tables, protocol="no_models"):
    """A table of ``{metric: systems x topics}``; systems are s0, s1, ... and topics t0, t1, ..."""
    columns = {
        metric: {
            (f"t{j}", f"s{i}"): value
            for i, row in enumerate(np.asarray(table, float).tolist())
            for j, value in enumerate(row)
        }
        for metric, table in tables.items()
    }
    return scores_of(columns, protocol)


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
    return [
        (f"t{j}", f"s{i}", judge, dimension, value)
        for judge, table in tables.items()
        for i, row in enumerate(np.asarray(table, float).tolist())
        for j, value in enumerate(row)
        if value == value
    ]
