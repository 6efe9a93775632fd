"""Systems by the mean of their scores and of their marks, on the summaries that have both."""

import dataclasses
import itertools
import math

import numpy as np
import pytest

from summetry.metaeval.grids import Grid, GridJudgments
from summetry.metaeval.selection import JudgedScores
from summetry.metaeval.system_points import system_points
from summetry.records.scores import Column

NAN = math.nan


def judged(scores, marks):
    values = np.array([scores], float)
    systems = tuple(f"s{n}" for n in range(len(scores)))
    topics = tuple(f"t{n}" for n in range(len(scores[0])))
    roles = ("reference", *["candidate"] * (len(scores) - 1))
    grid = Grid("no_models", systems, roles, topics, (Column("lcs", "f"),), values)
    return JudgedScores("", grid, GridJudgments("taste", ("j",), np.array([marks], float)))


def test_means_are_of_summaries_that_have_both():
    points = system_points(
        judged([[1, 2, 6], [0, NAN, 4], [NAN, 1, NAN]], [[1, NAN, 3], [2, 9, 4], [5, NAN, 5]]), 0
    )
    assert [(p.system, p.role, p.score.value, p.mark.value, p.summaries) for p in points] == [
        ("s0", "reference", 3.5, 2, 2),
        ("s1", "candidate", 2, 3, 2),
    ]


def test_intervals_are_percentiles_of_means_of_drawn_topics():
    """Of all 27 ways to draw three topics out of three, against 20,000 that are drawn."""
    (points,) = system_points(judged([[1, 2, 6]], [[4, 4, 1]]), 0, draws=20_000)
    for mean, numbers in ((points.score, (1, 2, 6)), (points.mark, (4, 4, 1))):
        ways = sorted(np.mean(way) for way in itertools.product(numbers, repeat=3))
        # 1 of 27 is more than 2.5 %, so the ends are the extremes.
        assert mean.low == pytest.approx(ways[0]) and mean.high == pytest.approx(ways[-1])


def test_a_single_summary_has_no_interval():
    (points,) = system_points(judged([[1, 2]], [[3, NAN]]), 0)
    assert points.score.value == 1 and math.isnan(points.score.low) and math.isnan(points.mark.high)


def test_a_mean_with_an_infinite_score_is_infinite():
    both = judged([[1, 1e6, 3], [1, 2, 3]], [[1, 2, 3], [1, 2, 3]])
    grid = dataclasses.replace(both.grid, far={both.grid.columns[0]: 1e6})
    first, second = system_points(dataclasses.replace(both, grid=grid), 0, draws=100)
    assert first.score.value == first.score.high == math.inf and first.score.low < 4
    assert second.score.value == 2 == first.mark.value


def test_nobody_has_both():
    assert system_points(judged([[1, NAN]], [[NAN, 2]]), 0) == []
