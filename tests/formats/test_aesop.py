"""Metric files of AESOP: a small sample, there and back, and what is refused."""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
from format_checks import xml_characters
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.errors import FormatError, SummetryError
from summetry.formats.aesop import write_aesop
from summetry.formats.scores import ScoreWriter, read_scores, write_scores
from summetry.records.scores import Column, Row, ScoreTable

SAMPLE = Path(__file__).parents[1] / "data" / "tac" / "aesop" / "7"
words = st.text(xml_characters, min_size=1, max_size=6).filter(lambda name: name.split() == [name])


def test_a_metric_file_is_a_score_table():
    table = read_scores(SAMPLE)
    assert table.columns == (Column("7", "value"),)
    assert table.rows[0] == Row("all_peers", "D9901-A", "A", "reference")
    assert table.rows[2] == Row("all_peers", "D9901-A", "1", "candidate")
    expected = [0.41, 0.39, 0.25, math.nan, 0.5, 0.44, 0.3, 0.0]
    np.testing.assert_array_equal(table.data[:, 0], expected)


def test_a_file_without_people_is_of_no_models_and_a_folder_is_many_metrics(tmp_path):
    (tmp_path / "rouge-2.recall.aesop").write_text("D1-A 1 0.5\nD1-A 2 .25\n\n")
    (tmp_path / "be").write_text("D1-A\t1\t1e-1\r\nD1-A\t2\t3\r\n")
    table = read_scores(tmp_path)
    assert {row.protocol for row in table.rows} == {"no_models"}
    assert table.columns == (Column("be", "value"), Column("rouge-2", "recall"))
    assert table.data.tolist() == [[0.1, 0.5], [3.0, 0.25]]


def test_a_folder_may_name_the_protocol(tmp_path):
    (tmp_path / "all_peers").mkdir()
    (tmp_path / "all_peers" / "7").write_text("D1-A 1 0.5\n")
    assert read_scores(tmp_path).rows == (Row("all_peers", "D1-A", "1", "candidate"),)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("D1-A 1 0.5\nD1-A 2\n", r"x.aesop:2: expected 3 columns: set, peer and score, found 2"),
        ("D1-A 1 high\n", r"x.aesop:1: expected a number as score, found 'high'"),
        ("D1-A 1 0.5\nD1-A 1 0.5\n", r"x.aesop:2: expected each score once, found x of Row"),
    ],
)
def test_a_broken_metric_file_is_named_with_its_line(tmp_path, content, message):
    (tmp_path / "x.aesop").write_text(content)
    with pytest.raises(FormatError, match=message):
        read_scores(tmp_path / "x.aesop")


@st.composite
def tables(draw):
    """Tables whose authors are named as at TAC."""
    topics = draw(st.lists(words, min_size=1, max_size=2, unique=True))
    systems = draw(st.lists(st.integers(0, 99), min_size=1, max_size=2, unique=True))
    rows = [Row("no_models", topic, str(n), "candidate") for topic in topics for n in systems]
    rows += [Row("all_peers", *row[1:]) for row in rows]
    rows += [Row("all_peers", topic, "A", "reference") for topic in topics]
    columns = [Column("rouge_n(n=2)", "recall"), Column("a/b.c", "value")]
    data = [[draw(st.floats()) for _ in columns] for _ in rows]
    return ScoreTable(tuple(rows), tuple(columns), np.array(data))


@settings(max_examples=50)
@given(tables())
def test_a_table_that_is_written_is_read_back_to_the_last_bit(tmp_path_factory, table):
    path = tmp_path_factory.mktemp("aesop")
    write_aesop(table, path)
    again = read_scores(path)
    assert set(again.columns) == set(table.columns)
    assert set(again.rows) == set(table.rows)
    order = [again.rows.index(row) for row in table.rows]
    for column in table.columns:
        np.testing.assert_array_equal(again.column(column.name)[order], table.column(column.name))


ROWS = (Row("no_models", "t1", "lead", "candidate"), Row("no_models", "t2", "lead", "candidate"))


@pytest.mark.parametrize("signature", ["", "m|v:1"])
def test_a_file_of_any_name_keeps_the_name_and_the_signature_of_its_metric(tmp_path, signature):
    table = ScoreTable(ROWS, (Column("m", "f", signature),), np.array([[1 / 3], [math.nan]]))
    path = tmp_path / "scores.aesop"
    write_scores(table, path)
    assert path.read_text() == "t1\tlead\t0.3333333333333333\nt2\tlead\tNaN\n"
    assert read_scores(path) == table
    assert read_scores(path).columns[0].signature == signature
    write_aesop(table, tmp_path / "folder")
    assert read_scores(tmp_path / "folder").columns == table.columns


def test_a_file_alone_is_named_by_its_own_name(tmp_path):
    table = ScoreTable(ROWS, (Column("m", "f", "m|v:1"),), np.array([[1 / 3], [math.nan]]))
    path = tmp_path / "m.f.aesop"
    write_scores(table, path)
    (tmp_path / "m.f.aesop.signatures.json").unlink()
    assert path.read_text() == "t1\tlead\t0.3333333333333333\nt2\tlead\tNaN\n"
    again = read_scores(path)
    assert again.columns == (Column("m", "f"),)
    assert again == dataclasses.replace(table, columns=again.columns)


def test_a_metric_file_refuses_what_it_cannot_hold(tmp_path):
    two = (Column("m", "f"), Column("m", "r"))
    with pytest.raises(SummetryError, match=r"holds 1 metric, got 2 \(m.f, m.r\); name one"):
        ScoreWriter(tmp_path / "x.aesop", two)
    for row, message in [
        (Row("p", "a topic", "1", "candidate"), "'a topic' cannot stand in a file"),
        (Row("p", "t", "", "candidate"), "'' cannot stand in a file"),
        (Row("p", "t", "anna", "reference"), "the reference 'anna' would be read as a candidate"),
        (Row("p", "t", "A", "candidate"), "the candidate 'A' would be read as a reference"),
    ]:
        with pytest.raises(SummetryError, match=message):
            write_scores(ScoreTable((row,), two[:1], np.zeros((1, 1))), tmp_path / "x.aesop")
    assert list(tmp_path.iterdir()) == []
