"""Score tables and means: absent is absent, and chunks change no bit."""

import itertools
import math
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from summetry.errors import SummetryError, UnknownNameError
from summetry.records.scores import FIELDS, Column, Row, ScoreTable, SystemMeans

COLUMNS = (Column("m(n=2)", "recall", "m(n=2)|v:1"), Column("m(n=2)", "f", "m(n=2)|v:1"))


def table(*numbers, columns=COLUMNS, notes=()):
    rows = tuple(Row("no_models", f"t{i}", "lead", "candidate") for i in range(len(numbers)))
    return ScoreTable(rows, columns, np.array(numbers, float).reshape(-1, len(columns)), notes)


def test_numbers_of_another_shape_are_refused():
    with pytest.raises(SummetryError) as caught:
        ScoreTable((), COLUMNS, np.zeros((1, 2)))
    assert str(caught.value) == (
        "a score table of 0 rows and 2 columns cannot hold numbers of shape (1, 2)"
    )


def test_a_column_is_found_by_metric_and_value():
    scores = table((0.1, 0.2), (0.3, math.nan))
    assert scores.column("m(n=2).recall").tolist() == [0.1, 0.3]
    assert math.isnan(scores.column("m(n=2).f")[1])
    assert len(scores) == 2


def test_an_unknown_column_is_answered_with_a_near_one():
    with pytest.raises(UnknownNameError) as caught:
        table((0, 0)).column("m(n=2).recal")
    assert str(caught.value) == (
        "no column of scores is named 'm(n=2).recal'. Did you mean 'm(n=2).recall'? "
        "Known: m(n=2).f, m(n=2).recall."
    )


def test_undefined_equals_undefined():
    assert table((0.5, math.nan)) == table((0.5, math.nan))
    assert table((0.5, math.nan)) != table((0.5, 0.0))
    assert table((0.5, 0.0)) != "a table"


@pytest.mark.parametrize(
    "other",
    [
        table((0.5, 1.0), (0.5, 1.0)),
        ScoreTable((Row("p", "t0", "lead", "candidate"),), COLUMNS, np.array([[0.5, 1.0]])),
        table((0.5, 1.0), columns=(COLUMNS[1], COLUMNS[0])),
        table((0.5, np.nextafter(1.0, 2.0))),
    ],
)
def test_another_row_column_or_bit_makes_another_table(other):
    assert table((0.5, 1.0)) != other


def test_notes_do_not_make_another_table():
    assert table((0.5, 1.0), notes=("one was left out",)) == table((0.5, 1.0))


def test_a_table_has_no_hash():
    with pytest.raises(TypeError, match="unhashable"):
        hash(table((0.5, 1.0)))


def test_authors_come_sorted_and_once():
    rows = tuple(Row("p", t, a, "candidate") for t in ("t1", "t2") for a in ("b", "a"))
    assert ScoreTable(rows, (), np.zeros((4, 0))).authors() == ["a", "b"]


def test_a_record_a_number_and_none_for_undefined():
    listed = list(table((0.5, math.nan)).records())
    assert listed[0] == {
        "protocol": "no_models",
        "topic": "t0",
        "author": "lead",
        "role": "candidate",
        "metric": "m(n=2)",
        "value": "recall",
        "score": 0.5,
        "signature": "m(n=2)|v:1",
    }
    assert listed[1]["score"] is None
    assert tuple(listed[0]) == FIELDS


def test_a_pandas_frame_has_a_row_a_number():
    pytest.importorskip("pandas")
    frame = table((0.5, math.nan), (1.0, 2.0)).to_pandas()
    assert tuple(frame.columns) == FIELDS
    assert frame["score"].isna().tolist() == [False, True, False, False]
    assert frame["topic"].tolist() == ["t0", "t0", "t1", "t1"]
    assert frame["value"].tolist() == ["recall", "f"] * 2


def test_a_polars_frame_has_a_row_a_number():
    pytest.importorskip("polars")
    frame = table((0.5, math.nan), (1.0, 2.0)).to_polars()
    assert tuple(frame.columns) == FIELDS
    assert frame["score"].to_list() == [0.5, None, 1.0, 2.0]
    assert frame.to_dicts() == list(table((0.5, math.nan), (1.0, 2.0)).records())


def test_an_empty_table_makes_empty_frames():
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    assert tuple(table().to_pandas().columns) == FIELDS
    assert table().to_polars().shape == (0, len(FIELDS))


floats = st.floats(-1e12, 1e12) | st.just(math.nan)
grids = hnp.arrays(float, st.tuples(st.integers(0, 25), st.just(2)), elements=floats)


@settings(max_examples=50)
@given(grids, st.lists(st.integers(0, 25)), st.randoms())
def test_means_do_not_depend_on_chunks(data, cuts, random):
    rows = [
        Row("p", str(i), random.choice("abc"), random.choice(["candidate", "reference"]))
        for i in range(len(data))
    ]
    whole, parts = SystemMeans(COLUMNS), SystemMeans(COLUMNS)
    whole.add(rows, data)
    edges = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    for start, end in itertools.pairwise(edges):
        parts.add(rows[start:end], data[start:end])
    assert parts.systems() == whole.systems()
    assert parts.means().tobytes() == whole.means().tobytes()
    assert parts.undefined().tolist() == whole.undefined().tolist()
    assert parts.topics().tolist() == whole.topics().tolist()


@settings(max_examples=50)
@given(grids)
def test_means_are_those_of_a_plain_loop(data):
    rows = [Row("p", str(i), "ab"[i % 2], "candidate") for i in range(len(data))]
    means = SystemMeans(COLUMNS)
    means.add(rows, data)
    for line, (_, author, _) in enumerate(means.systems()):
        for column in range(2):
            numbers = [
                data[i, column]
                for i, row in enumerate(rows)
                if row.author == author and not math.isnan(data[i, column])
            ]
            mean = means.means()[line, column]
            # Both add in the order of the rows, so they agree to the last bit.
            total = reduce(add, numbers, 0.0)
            assert mean == total / len(numbers) if numbers else math.isnan(mean)


def test_undefined_values_are_left_out_and_counted():
    means = SystemMeans(COLUMNS)
    scores = table((1, math.nan), (2, math.nan), (math.nan, math.nan))
    means.add(scores.rows, scores.data)
    assert means.systems() == [("no_models", "lead", "candidate")]
    assert means.means()[0, 0] == 1.5
    assert math.isnan(means.means()[0, 1])
    assert means.undefined().tolist() == [[1, 3]]
    assert means.topics().tolist() == [3]


def test_no_rows_make_no_systems():
    means = SystemMeans(COLUMNS)
    assert means.systems() == []
    assert means.means().shape == (0, 2)
