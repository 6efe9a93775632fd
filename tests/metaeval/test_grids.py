"""Scores and marks side by side: every number in its cell, and nothing left out silently."""

import math

import numpy as np
import pytest

from summetry.errors import Place, SummetryError
from summetry.metaeval.grids import dimensions_of, grid_of, judgments_of, protocols_of
from summetry.records import Column, CorpusBuilder, ScoreTable
from summetry.records.judgments import Judgment
from summetry.records.scores import Row
from summetry.records.summaries import Summary
from summetry.records.topics import Topic

A, B = Column("unit_overlap", "value", "u"), Column("kl_divergence", "missed", "k")


def numbers(grid, column):
    """The systems and topics of one value."""
    return grid.values[grid.columns.index(column)]


def table_of(cells, columns=(A, B)):
    """{(protocol, topic, author, role): numbers}."""
    rows = tuple(Row(*key) for key in cells)
    return ScoreTable(rows, columns, np.array(list(cells.values()), dtype=float))


CELLS = {
    ("no_models", "t1", "lead", "candidate"): (0.1, 1.0),
    ("no_models", "t2", "lead", "candidate"): (0.2, math.inf),
    ("no_models", "t2", "best", "candidate"): (0.3, math.nan),
    ("all_peers", "t1", "m1", "reference"): (0.4, 2.0),
}


def test_every_number_is_in_its_cell_and_the_rest_is_missing():
    grid = grid_of(table_of(CELLS), "no_models")
    assert (grid.systems, grid.topics) == (("lead", "best"), ("t1", "t2"))
    assert grid.roles == ("candidate", "candidate")
    expected = [[0.1, 0.2], [math.nan, 0.3]]
    assert np.array_equal(numbers(grid, A), expected, equal_nan=True)


def test_infinite_scores_decide_every_mean_and_are_counted():
    grid = grid_of(table_of(CELLS), "no_models")
    (one, far), missing = numbers(grid, B)
    assert one == 1.0 and np.isnan(missing).all()
    # A mean with it is beyond that of any finite scores, and beyond where it is called infinite.
    assert (far - 1) / 2 > grid.infinite_from(B) > 1
    assert grid.infinite_from(A) == math.inf
    expected = [[1.0, math.nan], [math.nan, math.nan]]
    assert np.array_equal(grid.finite()[1], expected, equal_nan=True)
    assert np.array_equal(grid.finite()[0], numbers(grid, A), equal_nan=True)
    assert grid.only_columns([A]).far == {} and set(grid.only_columns([B]).far) == {B}
    (note,) = grid.notes
    assert note.startswith("kl_divergence.missed: 1 infinite score, far beyond all others: ")
    two = {**CELLS, ("no_models", "t1", "best", "candidate"): (0.5, -math.inf)}
    grid = grid_of(table_of(two), "no_models")
    assert "2 infinite scores" in grid.notes[0]
    assert numbers(grid, B)[1, 0] == -numbers(grid, B)[0, 1]


@pytest.mark.parametrize("others", [[0.0, 0.0], [-1e-9, 1e-9], [1e308, -1e308], [math.inf] * 2])
def test_what_stands_for_an_infinite_score_is_a_number_not_below_any_other(others):
    cells = {("no_models", f"t{i}", "lead", "candidate"): (0, n) for i, n in enumerate(others)}
    cells["no_models", "t9", "lead", "candidate"] = (0, math.inf)
    (values,) = numbers(grid_of(table_of(cells)), B)
    assert np.isfinite(values).all() and values[-1] == values.max() > 0


def test_columns_of_another_protocol_only_are_not_of_the_grid():
    jackknifed = Column("unit_overlap", "value", "another signature")
    cells = {
        ("no_models", "t1", "lead", "candidate"): (0.1, math.nan, math.nan),
        ("all_peers", "t1", "lead", "candidate"): (math.nan, 0.2, math.nan),
    }
    table = table_of(cells, (A, jackknifed, B))
    # One that has no number at all stays: it is undefined, not of another protocol.
    assert grid_of(table, "no_models").columns == (A, B)
    assert grid_of(table, "all_peers").columns == (jackknifed, B)
    assert protocols_of(table) == ["no_models", "all_peers"]


def test_parts_of_a_grid():
    grid = grid_of(table_of(CELLS), "no_models")
    assert numbers(grid.only_topics({"t2", "elsewhere"}), A).tolist() == [[0.2], [0.3]]
    best = grid.only_systems(["best"])
    assert (best.systems, best.roles, best.values.shape) == (("best",), ("candidate",), (2, 1, 2))
    assert grid.only_columns([B, A]).columns == (B, A)
    assert numbers(grid.only_columns([B]), B)[0, 0] == 1.0


def test_notes_are_of_the_columns_that_are_there():
    grid = grid_of(table_of(CELLS), "no_models")
    assert grid.only_columns([A]).notes == ()
    assert grid.only_columns([B]).notes == grid.only_columns([B, A]).notes == grid.notes
    assert len(grid.notes) == 1


@pytest.mark.parametrize(
    ("protocol", "exclude", "message"),
    [
        ("", (), "of the protocols no_models and all_peers; say which one is meant"),
        ("jackknife", (), "no score is of the protocol 'jackknife'"),
        ("no_models", ("laed",), "no system is named 'laed'.*lead"),
        ("no_models", ("lead", "best"), "without lead, best no scores are left"),
    ],
)
def test_what_makes_no_grid_is_told(protocol, exclude, message):
    with pytest.raises(SummetryError, match=message):
        grid_of(table_of(CELLS), protocol, exclude)


def test_no_scores_and_two_roles_are_told():
    with pytest.raises(SummetryError, match="expected scores, found none"):
        grid_of(ScoreTable((), (A,), np.zeros((0, 1))))
    cells = {
        ("p", "t1", "x", "candidate"): (1.0, 1.0),
        ("p", "t2", "x", "reference"): (1.0, 1.0),
    }
    with pytest.raises(
        SummetryError, match="'x' is a reference in topic 't2' and a candidate elsewhere"
    ):
        grid_of(table_of(cells))


def judged(marks, scales=None):
    builder = CorpusBuilder("made", scales=scales or {})
    here = Place("here")
    for topic in dict.fromkeys(mark[0] for mark in marks):
        builder.add("topics", Topic(topic, text="A ferry sank."), here)
    for topic, author in dict.fromkeys(mark[:2] for mark in marks):
        builder.add("summaries", Summary(topic, author, "candidate", text="x"), here)
    for mark in marks:
        builder.add("judgments", Judgment(*mark), here)
    return builder.build()


def test_marks_stand_judge_by_judge_and_letters_follow_the_scale():
    marks = [
        ("t1", "lead", "j2", "grammar", "A"),
        ("t1", "lead", "j1", "grammar", "C"),
        ("t2", "best", "j1", "grammar", "B"),
        ("t2", "best", "j1", "content", 7),
        ("t1", "elsewhere", "j3", "grammar", "A"),
    ]
    corpus = judged(marks, {"grammar": ("C", "B", "A")})
    assert dimensions_of(corpus) == ["grammar", "content"]
    marked = judgments_of(corpus, "grammar", grid_of(table_of(CELLS), "no_models"))
    assert marked.judges == ("j1", "j2")
    nan = math.nan
    expected = [[[1, nan], [nan, 2]], [[3, nan], [nan, nan]]]
    assert np.array_equal(marked.values, expected, equal_nan=True)
    assert np.array_equal(marked.means(), [[2, nan], [nan, 2]], equal_nan=True)
    with pytest.raises(SummetryError, match="no dimension of judgments is named 'grammer'"):
        judgments_of(corpus, "grammer", grid_of(table_of(CELLS), "no_models"))
