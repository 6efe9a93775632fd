"""Scores beside marks: columns by any of their names, every number in its cell, part by part."""

import dataclasses
import itertools
import math

import numpy as np
import pytest
from marked_tables import grid_marks, grid_scores, judged_corpus, scores_of

import summetry
from summetry.errors import SummetryError
from summetry.metaeval import columns as by_name
from summetry.metaeval import grids as grids_of
from summetry.metaeval.columns import pick_columns
from summetry.metaeval.grids import Grid, GridJudgments, grid_of, judgments_of
from summetry.metaeval.selection import JudgedScores, Selection, grids, judged_parts, parts_of
from summetry.metaeval.system_points import system_points
from summetry.records import Column, ScoreTable
from summetry.records.scores import Row

NAN, INF = math.nan, math.inf

# --- Columns by spelling, alias, value, or a name that only the scores know ----------------------

NAMES = [
    ("rouge_n(n=2)", "recall"), ("rouge_n(n=2)", "precision"), ("rouge_n(n=2)", "f"),
    ("js_divergence", "value"), ("ROUGE-BE v2", "value"),
]  # fmt: skip
COLUMNS = tuple(Column(*name) for name in NAMES)
TABLE = ScoreTable((Row("p", "t", "a", "candidate"),), COLUMNS, np.arange(5.0)[None, :])


@pytest.mark.parametrize(("names", "places"), [
    (["rouge-2"], [0, 1, 2]),
    (["rouge_n(n=2).f"], [2]),
    (["rouge-2.recall"], [0]),
    (["js_divergence", "rouge_n( n = 2 ).recall"], [3, 0]),
    (["ROUGE-BE v2"], [4]),
    (["rouge-be v2", "ROUGE-BE v2"], [4]),
    (["rouge-2.f,js_divergence"], [2, 3]),
    (["js_divergence,rouge-2.f"], [3, 2]),
])  # fmt: skip
def test_columns_are_found_by_any_of_their_names(names, places):
    columns = pick_columns(TABLE, names)
    assert columns.columns == tuple(COLUMNS[i] for i in places)
    assert columns.data.tolist() == [[float(i) for i in places]]


def test_columns_that_were_joined_and_what_stands_for_a_metric():
    joined = (Column("mine (old)", "f"), Column("mine (new)", "f"), Column("mine (new)", "recall"))
    table = ScoreTable(TABLE.rows, joined, np.zeros((1, 3)))
    assert pick_columns(table, ["mine.f"]).columns == joined[:2]
    assert pick_columns(table, ["mine (new)"]).columns == joined[1:]
    # Which numbers are better, and what stands for a metric.
    directions = [by_name.better_of(column) for column in COLUMNS]
    assert directions == ["higher"] * 3 + ["lower", "higher"]
    # Without the headline the first value stands for the metric.
    assert by_name.headlines(COLUMNS) == [2, 3, 4] and by_name.headlines(COLUMNS[:2]) == [0]


@pytest.mark.parametrize("name", ["rouge-2.value", "nothing", "rouge_n(", "ROUGE-BE"])
def test_a_name_that_is_not_there_is_told_with_those_that_are(name):
    with pytest.raises(SummetryError, match="metric among the scores") as refused:
        pick_columns(TABLE, [name])
    assert "js_divergence" in str(refused.value) or "rouge" in str(refused.value).lower()


@pytest.mark.parametrize("name", ["rouge-1", "rouge-l.recall", "lcs(stem=true)"])
def test_a_metric_that_was_not_scored_can_be(name):
    with pytest.raises(SummetryError) as refused:
        pick_columns(TABLE, [name])
    names = "there are ROUGE-BE v2, js_divergence, rouge_n(n=2)"
    assert str(refused.value) == f"{name} was not scored; score again with -m {name}; {names}"


@pytest.mark.parametrize(("names", "places"), [
    ([], [2, 3, 4]),
    (["rouge-2"], [2]),
    (["rouge-2.recall", "rouge-2"], [0, 2]),
    (["rouge-2", "js_divergence", "rouge-2.precision,rouge-2.recall"], [2, 1, 0, 3]),
    (["rouge-2.recall", "rouge-2.recall"], [0]),
])  # fmt: skip
def test_every_value_that_is_named_is_shown_beside_those_of_its_metric(names, places):
    assert by_name.shown_places(COLUMNS, names) == places


@pytest.mark.parametrize(("metric", "dimension", "is_made"), [
    ("scu_recall", "pyramid", True), ("scu_precision", "modified_pyramid", True),
    ("pyramid", "scus", True), ("scu_recall", "responsiveness", False),
    ("rouge-2", "pyramid", False), ("of another program", "pyramid", False),
])  # fmt: skip
def test_what_the_judges_of_a_dimension_made_is_known(metric, dimension, is_made):
    assert by_name.is_made_of_judgments(Column(metric), dimension) is is_made


# --- Grids of systems and topics -----------------------------------------------------------------

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
    ("no_models", "t2", "lead", "candidate"): (0.2, INF),
    ("no_models", "t2", "best", "candidate"): (0.3, NAN),
    ("all_peers", "t1", "m1", "reference"): (0.4, 2.0),
}


@pytest.fixture
def grid():
    return grid_of(table_of(CELLS), "no_models")


def test_every_number_is_in_its_cell_and_the_rest_is_missing(grid):
    assert (grid.systems, grid.topics) == (("lead", "best"), ("t1", "t2"))
    assert grid.roles == ("candidate", "candidate")
    np.testing.assert_array_equal(numbers(grid, A), [[0.1, 0.2], [NAN, 0.3]])
    # Parts of it.
    assert numbers(grid.only_topics({"t2", "elsewhere"}), A).tolist() == [[0.2], [0.3]]
    best = grid.only_systems(["best"])
    assert (best.systems, best.roles, best.values.shape) == (("best",), ("candidate",), (2, 1, 2))
    assert grid.only_columns([B, A]).columns == (B, A)
    assert numbers(grid.only_columns([B]), B)[0, 0] == 1.0
    # Infinite scores decide every mean, and are counted.
    (one, far), missing = numbers(grid, B)
    assert one == 1.0 and np.isnan(missing).all()
    # A mean with it is beyond that of any finite scores, and beyond where it is called infinite.
    assert (far - 1) / 2 > grid.infinite_from(B) > 1
    assert grid.infinite_from(A) == INF
    np.testing.assert_array_equal(grid.finite()[1], [[1.0, NAN], [NAN, NAN]])
    np.testing.assert_array_equal(grid.finite()[0], numbers(grid, A))
    assert grid.only_columns([A]).far == {} and set(grid.only_columns([B]).far) == {B}
    # Notes are of the columns that are there.
    (note,) = grid.notes
    assert note.startswith("kl_divergence.missed: 1 infinite score, far beyond all others: ")
    assert grid.only_columns([A]).notes == ()
    assert grid.only_columns([B]).notes == grid.only_columns([B, A]).notes == grid.notes
    two = {**CELLS, ("no_models", "t1", "best", "candidate"): (0.5, -INF)}
    grid = grid_of(table_of(two), "no_models")
    assert "2 infinite scores" in grid.notes[0]
    assert numbers(grid, B)[1, 0] == -numbers(grid, B)[0, 1]


@pytest.mark.parametrize("others", [[0.0, 0.0], [-1e-9, 1e-9], [1e308, -1e308], [INF] * 2])
def test_what_stands_for_an_infinite_score_is_a_number_not_below_any_other(others):
    scores = enumerate([*others, INF])
    cells = {("no_models", f"t{i}", "lead", "candidate"): (0, score) for i, score in scores}
    (values,) = numbers(grid_of(table_of(cells)), B)
    assert np.isfinite(values).all() and values[-1] == values.max() > 0


def test_columns_of_another_protocol_only_are_not_of_the_grid():
    jackknifed = Column("unit_overlap", "value", "another signature")
    cells = {
        ("no_models", "t1", "lead", "candidate"): (0.1, NAN, NAN),
        ("all_peers", "t1", "lead", "candidate"): (NAN, 0.2, NAN),
    }
    table = table_of(cells, (A, jackknifed, B))
    # One that has no number at all stays: it is undefined, not of another protocol.
    assert grid_of(table, "no_models").columns == (A, B)
    assert grid_of(table, "all_peers").columns == (jackknifed, B)
    assert grids_of.protocols_of(table) == ["no_models", "all_peers"]


X_IN_TWO_ROLES = {
    ("p", "t1", "x", "candidate"): (1.0, 1.0), ("p", "t2", "x", "reference"): (1.0, 1.0),
}  # fmt: skip


@pytest.mark.parametrize(("table", "protocol", "exclude", "message"), [
    (table_of(CELLS), "", (), "of the protocols no_models and all_peers; say which one is mea"),
    (table_of(CELLS), "jackknife", (), "no score is of the protocol 'jackknife'"),
    (table_of(CELLS), "no_models", ("laed",), "no system is named 'laed'.*lead"),
    (table_of(CELLS), "no_models", ("lead", "best"), "without lead, best no scores are left"),
    (ScoreTable((), (A,), np.zeros((0, 1))), "", (), "expected scores, found none"),
    (table_of(X_IN_TWO_ROLES), "", (),
     "'x' is a reference in topic 't2' and a candidate elsewhere"),
])  # fmt: skip
def test_what_makes_no_grid_is_told(table, protocol, exclude, message):
    with pytest.raises(SummetryError, match=message):
        grid_of(table, protocol, exclude)


def test_marks_stand_judge_by_judge_and_letters_follow_the_scale(grid):
    marks = [
        ("t1", "lead", "j2", "grammar", "A"), ("t1", "lead", "j1", "grammar", "C"),
        ("t2", "best", "j1", "grammar", "C", "r1"), ("t2", "best", "j1", "grammar", "A", "r2"),
        ("t2", "best", "j1", "content", 7),
        ("t1", "elsewhere", "j3", "grammar", "A"),
    ]  # fmt: skip
    corpus = judged_corpus(marks, {"grammar": ("C", "B", "A")})
    assert grids_of.dimensions_of(corpus) == ["grammar", "content"]
    marked = judgments_of(corpus, "grammar", grid)
    assert marked.judges == ("j1", "j2")
    np.testing.assert_array_equal(marked.values, [[[1, NAN], [NAN, 2]], [[3, NAN], [NAN, NAN]]])
    np.testing.assert_array_equal(marked.means(), [[2, NAN], [NAN, 2]])
    with pytest.raises(SummetryError, match="no dimension of judgments is named 'grammer'"):
        judgments_of(corpus, "grammer", grid)


# --- Parts: what is compared, and what is left out -----------------------------------------------

SCORES = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
MARKS = [[1, 2], [3, 4], [5, 6]]
BOTH_PROTOCOLS = [grid_scores({"m": SCORES}, protocol) for protocol in ("no_models", "all_peers")]


def test_protocols_parts_and_dimensions_and_what_is_left_out():
    marks = [*grid_marks({"j": MARKS}, "quality"), *grid_marks({"j": MARKS}, "style")]
    corpus = judged_corpus(marks, genres={"t0": "news", "t1": "tale"})
    parts, notes = judged_parts(BOTH_PROTOCOLS, corpus, Selection(by="genre"))
    assert notes == []
    assert [(part.protocol, part.part, part.dimension) for part in parts] == list(
        itertools.product(("no_models", "all_peers"), ("news", "tale"), ("quality", "style"))
    )
    assert parts[2].grid.topics == ("t1",)
    assert parts[2].grid.values.tolist() == [[[0.2], [0.4], [0.6]]]
    assert parts[2].marks.values.tolist() == [[[2], [4], [6]]]
    selection = Selection(("all_peers",), ("style",), exclude=("s1",))
    (part,), _ = judged_parts(BOTH_PROTOCOLS, corpus, selection)
    assert (part.protocol, part.dimension) == ("all_peers", "style")
    assert part.grid.systems == ("s0", "s2")
    # What has no marks is left out, and that is told.
    marks = grid_marks({"j": [[1, NAN, 3], [NAN, NAN, NAN], [5, NAN, 6]]})
    table = grid_scores({"m": np.ones((3, 3))})
    (part,), _ = judged_parts([table], judged_corpus(marks), Selection())
    assert (part.grid.systems, part.grid.topics) == (("s0", "s2"), ("t0", "t2"))
    assert part.marks.values.tolist() == [[[1, 3], [5, 6]]]
    left_out = "left out, without a summary that has a score and a judgment on quality: the "
    assert part.notes == (f"{left_out}system s1", f"{left_out}topic t1")
    # Topics without a genre, and dimensions that a part lacks.
    corpus = judged_corpus(grid_marks({"j": MARKS}), genres={"t0": "news"})
    (grid,) = grids([grid_scores({"m": SCORES})], Selection())
    parts = {name: part.topics for name, part in parts_of(grid, corpus, "genre").items()}
    assert parts == {"news": ("t0",), "(no genre)": ("t1",)}
    marks = [*grid_marks({"j": MARKS}), *grid_marks({"j": [[1, NAN], [2, NAN]]}, "style")]
    corpus = judged_corpus(marks, genres={"t0": "news", "t1": "tale"})
    parts, notes = judged_parts([grid_scores({"m": SCORES})], corpus, Selection(by="genre"))
    assert [(part.part, part.dimension) for part in parts] == [
        ("news", "quality"), ("news", "style"), ("tale", "quality"),
    ]  # fmt: skip
    assert notes == ["no summary of tale has a score (no_models) and a judgment on style"]


def test_the_sign_of_a_divergence_is_turned_and_a_metric_shows_its_headline(demo):
    """Of an unknown metric higher is better, of a length neither is."""
    table = grid_scores({"js_divergence": SCORES, "theirs": SCORES, "compression": SCORES})
    (part,), _ = judged_parts([table], judged_corpus(grid_marks({"j": MARKS})), Selection())
    first, second, third = part.oriented()
    assert (-first).tolist() == second.tolist() == third.tolist() == SCORES
    # All values are shown on request.
    table = summetry.evaluate(demo, ["coselection", "lcs.recall"])
    (short,) = grids([table], Selection())
    assert [column.name for column in short.columns] == ["coselection.f", "lcs.recall"]
    (whole,) = grids([table], Selection(all_values=True))
    assert whole.columns == table.columns


@pytest.mark.parametrize(("columns", "how", "words"), [
    ("m", {"dimensions": ("qality",)}, "no dimension of judgments is named 'qality'."),
    ("m", {"protocols": ("all_peers",)}, "no protocol of the scores is named 'all_peers'"),
    ("m", {"by": "group"}, "no topic of the scores has a group; the corpus says it"),
    ("m", {"by": "length"}, "no way to part topics is named 'length'"),
    ("x", {}, "scores are of topics such as 'x' and systems such as 'y', the j"),
    ("", {}, "expected scores, found none"),
])  # fmt: skip
def test_what_cannot_be_selected_is_refused(columns, how, words):
    tables = {"m": grid_scores({"m": SCORES}), "x": scores_of({"m": {("x", "y"): 1.0}})}
    scores = tables.get(columns, scores_of({}))
    with pytest.raises(SummetryError) as refused:
        judged_parts([scores], judged_corpus(grid_marks({"j": MARKS})), Selection(**how))
    assert words in str(refused.value)


# --- Systems by the mean of their scores and of their marks --------------------------------------


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
    rows = [(p.system, p.role, p.score.value, p.mark.value, p.summaries) for p in points]
    assert rows == [("s0", "reference", 3.5, 2, 2), ("s1", "candidate", 2, 3, 2)]
    assert system_points(judged([[1, NAN]], [[NAN, 2]]), 0) == []
    # A single summary has no interval.
    (point,) = system_points(judged([[1, 2]], [[3, NAN]]), 0)
    assert point.score.value == 1 and math.isnan(point.score.low) and math.isnan(point.mark.high)
    # One way of 27 to draw three topics is more than 2.5 %, so the ends are the extremes.
    (point,) = system_points(judged([[1, 2, 6]], [[4, 4, 1]]), 0, draws=5_000)
    assert (point.score.low, point.score.high, point.mark.low, point.mark.high) == (1, 6, 1, 4)
    # A mean with an infinite score is infinite.
    both = judged([[1, 1e6, 3], [1, 2, 3]], [[1, 2, 3], [1, 2, 3]])
    grid = dataclasses.replace(both.grid, far={both.grid.columns[0]: 1e6})
    first, second = system_points(dataclasses.replace(both, grid=grid), 0, draws=100)
    assert first.score.value == first.score.high == INF and first.score.low < 4
    assert second.score.value == 2 == first.mark.value
