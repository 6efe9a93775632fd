"""Systems compared by one value, for tests that look at one ranking."""

import numpy as np

import summetry
from summetry.records.scores import Column, Row, ScoreTable


def compare(scores, metric=(), **how):
    """The first ranking that ``summetry.compare`` gives."""
    return next(iter(summetry.compare(scores, metric, **how).values()))


def table_of(systems, column="theirs.value", roles=None, protocol="no_models"):
    """A score table from {system: scores by topic}; None is a summary that is not there."""
    metric, value = column.rsplit(".", 1)
    cells = [
        (Row(protocol, f"t{topic}", system, (roles or {}).get(system, "candidate")), score)
        for system, scores in systems.items()
        for topic, score in enumerate(scores)
        if score is not None
    ]
    data = np.array([[score] for _, score in cells], np.float64).reshape(-1, 1)
    signature = "" if metric == "theirs" else f"{metric}|v:0"
    return ScoreTable(tuple(row for row, _ in cells), (Column(metric, value, signature),), data)
