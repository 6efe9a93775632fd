"""Scores in files: the same table comes back, and no file is ever there by half."""

import dataclasses
import io
import json
import math
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from format_checks import assert_says, noted, refusal, xml_characters
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import MissingPackageError
from summetry.formats import FORMATS, load
from summetry.formats.aesop import write_aesop
from summetry.formats.cells import write_separated
from summetry.formats.scores import ScoreWriter, is_scores, read_scores, write_scores
from summetry.records.corpus import Corpus
from summetry.records.scores import ROW_NAMES, Column, Row, ScoreTable, plain_number, row_names

ENDINGS = ["csv", "jsonl", "parquet"]
COLUMNS = (Column("m(n=2)", "f", "m(n=2)|v:1"), Column("m", "r", "m|v:1"))
ROWS = (Row("no_models", "t1", "lead", "candidate"), Row("no_models", "t2", "lead", "candidate"))
TABLE = ScoreTable(ROWS, COLUMNS, np.array([[0.1, math.nan], [1 / 3, -0.0]]))
UNSIGNED = tuple(msgspec.structs.replace(column, signature="") for column in COLUMNS)


def files_in(folder):
    return sorted(file.name for file in folder.iterdir())


# --- there and back ---

words = st.text(max_size=6) | st.sampled_from(
    ["a,b", 'x(s="|")', "two\nlines", "\r", "'", "é\u2028"]
)
# A metric is never named like a column that says whose score it is, nor is one there twice.
metrics = words.filter(lambda word: word not in ("", "id", "system", "topic", "author"))
columns = st.builds(Column, metrics.map(lambda word: f"m{word}"), st.just("f"), words)


@st.composite
def tables(draw):
    row = st.builds(Row, words, words, words, words)
    rows = draw(st.lists(row, min_size=1, max_size=4, unique=True))
    named = draw(st.lists(columns, min_size=1, max_size=3, unique_by=lambda column: column.name))
    data = [[draw(st.floats()) for _ in named] for _ in rows]
    return ScoreTable(tuple(rows), tuple(named), np.array(data))


@pytest.mark.filterwarnings("ignore:.*an empty name is taken")
@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("ending", ENDINGS)
@given(table=tables())
def test_a_table_is_read_back_to_the_last_bit(tmp_path_factory, ending, long, table):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path_factory.mktemp("scores") / f"scores.{ending}"
    write_scores(table, path, long)
    assert read_scores(path) == table


def written_singly(table, ending):
    """The bytes of a table written row by row, each cell by the writer of its format."""
    names, file = row_names(table.rows), io.StringIO()
    head = [*names, *(column.name for column in table.columns)]
    rows = [
        [*(getattr(row, ROW_NAMES[name]) for name in names), *map(plain_number, numbers)]
        for row, numbers in zip(table.rows, table.data.tolist(), strict=True)
    ]
    if ending == "jsonl":
        lines = (msgspec.json.encode(dict(zip(head, row, strict=True))) for row in rows)
        return b"".join(line + b"\n" for line in lines)
    write_separated(file, [head, *rows])
    return file.getvalue().encode()


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
@given(table=tables(), numbers=st.lists(st.floats(), min_size=1, max_size=3))
def test_many_rows_at_once_have_the_bytes_of_single_ones(tmp_path_factory, ending, table, numbers):
    path = tmp_path_factory.mktemp("scores") / f"scores.{ending}"
    data = np.resize(numbers, table.data.shape)
    table = replace(table, data=np.where(np.arange(data.size).reshape(data.shape) % 2, 0.0, data))
    write_scores(table, path)
    assert path.read_bytes() == written_singly(table, ending)


def test_no_more_numbers_are_remembered_than_are_of_use(tmp_path, monkeypatch):
    monkeypatch.setattr("summetry.formats.scores._REMEMBERED", 2)
    with ScoreWriter(tmp_path / "s.csv", COLUMNS) as writer:
        for _ in range(3):
            writer.add(ROWS, np.array([[0.5, 0.25], [0.125, 0.0]]))
    rows = ["t1,lead,0.5,0.25", "t2,lead,0.125,0.0"] * 3
    assert (tmp_path / "s.csv").read_text().splitlines()[1:] == rows


@pytest.mark.parametrize("ending", ENDINGS)
def test_rows_may_come_in_chunks_and_signatures_when_all_are_there(tmp_path, ending):
    whole, parts = tmp_path / f"whole.{ending}", tmp_path / f"new/folder/parts.{ending}"
    write_scores(TABLE, whole)
    with ScoreWriter(parts, UNSIGNED) as writer:
        for start, end in ((0, 1), (1, 1), (1, 2)):  # A chunk may be empty.
            writer.add(ROWS[start:end], TABLE.data[start:end])
        assert not parts.exists(), "a file has its name only when it is complete"
        writer.sign(COLUMNS)
    assert read_scores(parts) == read_scores(whole) == TABLE
    if ending != "parquet":
        assert parts.read_bytes() == whole.read_bytes()
        assert files_in(parts.parent) == [parts.name, f"{parts.name}.signatures.json"]


# --- what stands in a file ---


@pytest.mark.parametrize(("is_long", "text"), [
    (False, "id,system,m(n=2).f,m.r\nt1,lead,0.1,\nt2,lead,0.3333333333333333,-0.0\n"),
    (True, "id,system,metric,part,score\nt1,lead,m(n=2),f,0.1\nt1,lead,m,r,\n"
     "t2,lead,m(n=2),f,0.3333333333333333\nt2,lead,m,r,-0.0\n"),
])  # fmt: skip
def test_a_file_of_text_has_one_line_per_summary_or_number(tmp_path, is_long, text):
    write_scores(TABLE, tmp_path / "s.csv", is_long)
    assert (tmp_path / "s.csv").read_text() == text
    write_scores(TABLE, tmp_path / "s.jsonl", is_long)
    written = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    if is_long:
        assert written == list(TABLE.records())
    else:
        assert written[0] == {"id": "t1", "system": "lead", "m(n=2).f": 0.1, "m.r": None}


def test_signatures_are_beside_a_file_of_text_and_never_overwrite_something_else(tmp_path):
    path, signatures = tmp_path / "s.csv", tmp_path / "s.csv.signatures.json"
    write_scores(TABLE, path)
    expected = {"signatures": {"m(n=2).f": "m(n=2)|v:1", "m.r": "m|v:1"}}
    assert json.loads(signatures.read_text()) == expected
    # Those of an earlier file do not stay beside scores without any.
    write_scores(replace(TABLE, columns=UNSIGNED), path)
    assert read_scores(path).columns == UNSIGNED
    write_scores(TABLE, path)
    signatures.unlink()
    assert read_scores(path).columns == UNSIGNED
    path.unlink()
    signatures.write_text("[1]")
    message = refusal(write_scores, TABLE, path)
    assert "signatures would be written over something else" in message
    assert files_in(tmp_path) == [signatures.name]


def test_a_parquet_file_has_few_row_groups_and_a_null_for_undefined(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    path, column = tmp_path / "s.parquet", Column("m", "f", "m|v:1")
    write_scores(TABLE, path)
    frame = parquet.read_table(path)
    assert frame.column_names == ["id", "system", "m(n=2).f", "m.r"]
    assert frame["m.r"].null_count == 1
    monkeypatch.setattr("summetry.formats.scores._GROUP_ROWS", 5)
    with ScoreWriter(path, [column]) as writer:
        for part in range(4):
            rows = [Row("no_models", f"{part}{name}", "lead", "candidate") for name in "ab"]
            writer.add(rows, np.array([[part], [part + 0.5]]))
    file = parquet.ParquetFile(path)
    rows = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
    assert rows == [6, 2]
    assert file.read()["m.f"].to_pylist() == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]


# --- scores of other programs ---


WIDE = "id,system,summary,bertscore,bleurt,year\nt,a,a text,0.5,0.25,1999\n"
OF_OTHERS = {
    "topic and author": ("topic,author,bertscore\nt,a,0.5\nu,a,\n", None),
    "our own names": ("id,system,bertscore\nt,a,0.5\nu,a,\n", None),
    "a row for each number": (
        "id,system,metric,score\nt,a,bertscore,0.5\nu,a,bertscore,\n", None),
    "a model": ("doc_id,model,bertscore,split\nt,a,0.5,test\nu,a,,test\n", None),
    "of pandas": ("Unnamed: 0,Doc ID,system_name,bertscore\n0,t,a,0.5\n1,u,a,\n", None),
    "a row for each number, in other names": (
        "article_id,model_id,metric_name,value,seed\nt,a,bertscore,0.5,1\nu,a,bertscore,,1\n",
        None),
    "columns by name": (WIDE, {"score": "bertscore+bleurt"}),
    "a row for each number, by name": (
        "doc,who,what,number\nt,a,bertscore,0.5\n",
        {"id": "doc", "who": "system", "metric": "what", "score": "number"}),
    "a number that is not there": (
        "id,system,metric,part,score\nt,a,m,f,0.5\nu,a,m,r,1\n", None),
    "rows without names": ("id,system,m\nt,,1\nu,a,1\nv,,1\n,a,1\n", None),
}  # fmt: skip


@pytest.mark.parametrize("case", OF_OTHERS)
def test_scores_of_other_programs_are_read(write, case, snapshot):
    content, columns = OF_OTHERS[case]
    path = write("s.csv", content)
    assert is_scores(path, columns)
    assert columns is None or not is_scores(path)
    table, lines = noted(read_scores, path, columns)
    names = [column.name for column in table.columns]
    for row, numbers in zip(table.rows, table.data.tolist(), strict=True):
        lines.append(f"{row.topic} {row.author}: {dict(zip(names, numbers, strict=True))}")
    assert "\n".join(lines) == snapshot


@pytest.mark.parametrize("content", [
    "id,system,summary\nt,a,text\n",
    "id,rouge1.f\nt,1\n",
    "id,system\nt,a\n",
    "id,system,summary,bertscore\nt,a,text,0.5\n",
    "id,system,judge,coherence\nt,a,ann,4\n",
    "id,system,dimension,value\nt,a,fluency,4\n",
    "id,unit,system,value\nt,u1,a,1\n",
    "doc_id,guid,system,m\nt,1,a,0.5\n",
    "id,system,story so far,year\nt,a,once upon a time,1999\n",
])  # fmt: skip
def test_a_table_of_something_else_is_no_table_of_scores(write, content):
    assert not is_scores(write("s.csv", content))


# --- a file is there as a whole or not at all ---


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_error_leaves_no_part_and_the_old_file_as_it_was(tmp_path, ending):
    path = tmp_path / f"scores.{ending}"
    path.write_bytes(b"the old one")
    with pytest.raises(RuntimeError, match="half way"), ScoreWriter(path, COLUMNS) as writer:
        writer.add(ROWS[:1], TABLE.data[:1])
        assert path.read_bytes() == b"the old one"
        parts = [file for file in tmp_path.iterdir() if file != path]
        assert parts and all(part.name.startswith(f".{path.name}.") for part in parts)
        raise RuntimeError("half way")
    assert files_in(tmp_path) == [path.name]
    assert path.read_bytes() == b"the old one"


def test_an_error_on_closing_leaves_no_part_either(tmp_path, monkeypatch):
    class FullOnClosing(io.TextIOWrapper):
        def close(self):
            if not self.closed:
                super().close()
                raise OSError("disk full")

    def opened(path, *_, **__):
        return FullOnClosing(open(path, "wb"))  # noqa: PTH123

    monkeypatch.setattr("pathlib.Path.open", opened)
    with pytest.raises(OSError, match="disk full"), ScoreWriter(tmp_path / "s.csv", COLUMNS) as out:
        out.add(ROWS, TABLE.data)
    assert files_in(tmp_path) == []


F, R = Column("m", "f"), Column("m", "r")


ENDINGS_OF_SCORES = "scores are written to files ending in .csv, .jsonl, .parquet, .aesop$"


@pytest.mark.parametrize(("name", "columns", "words"), [
    ("s.xlsx", [F], f"s.xlsx: {ENDINGS_OF_SCORES}"),
    ("s", [F], f"s: {ENDINGS_OF_SCORES}"),
    ("s.tsv", [F], f"s.tsv: {ENDINGS_OF_SCORES}"),
    ("s.csv", [F, Column("m", "f", "s")], "'m.f' is there twice"),
    ("s.csv", [Column("id")], "'id' names whose score it is"),
    ("x.aesop", [F, R], "holds 1 metric, got 2 (m.f, m.r); name one"),
])  # fmt: skip
def test_another_ending_and_columns_that_clash_are_refused(tmp_path, name, columns, words):
    assert_says(refusal(ScoreWriter, tmp_path / name, columns), words)
    assert files_in(tmp_path) == []


# --- without optional packages ---


@pytest.fixture
def no_packages(monkeypatch):
    """None of the optional packages can be imported."""
    for name in ("pyarrow", "pyarrow.parquet", "pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)


def test_without_optional_packages_it_is_said_what_to_install(write, no_packages):
    path = write("t.parquet", b"PAR1 and so on")
    advice = "needs the package {0}, which is not installed: pip install {0}$"
    with pytest.raises(MissingPackageError, match=f"^reading Parquet {advice.format('pyarrow')}"):
        load(path)
    writing = f"^writing Parquet {advice.format('pyarrow')}"
    for writer, content in ((write_scores, TABLE), (FORMATS.build("table").write, Corpus())):
        with pytest.raises(MissingPackageError, match=writing):
            writer(content, Path("u.parquet"))
    assert files_in(Path()) == ["t.parquet"]
    for name in ("pandas", "polars"):
        with pytest.raises(MissingPackageError, match=f"^a {name} frame {advice.format(name)}"):
            getattr(TABLE, f"to_{name}")()


# --- metric files of AESOP ---

SAMPLE = Path(__file__).parents[1] / "data" / "tac" / "aesop" / "7"


def test_a_metric_file_is_a_score_table_and_a_folder_may_name_the_protocol(write):
    table = read_scores(SAMPLE)
    assert table.columns == (Column("7", "value"),)
    assert table.rows[0] == Row("all_peers", "D9901-A", "A", "reference")
    assert table.rows[2] == Row("all_peers", "D9901-A", "1", "candidate")
    expected = [0.41, 0.39, 0.25, math.nan, 0.5, 0.44, 0.3, 0.0]
    np.testing.assert_array_equal(table.data[:, 0], expected)
    write("all_peers/7", "D1-A 1 0.5\n")
    assert read_scores(Path()).rows == (Row("all_peers", "D1-A", "1", "candidate"),)


def test_a_file_without_people_is_of_no_models_and_a_folder_is_many_metrics(write):
    write("rouge-2.recall.aesop", "D1-A 1 0.5\nD1-A 2 .25\n\n")
    write("be", "D1-A\t1\t1e-1\r\nD1-A\t2\t3\r\n")
    table = read_scores(Path())
    assert {row.protocol for row in table.rows} == {"no_models"}
    assert table.columns == (Column("be", "value"), Column("rouge-2", "recall"))
    assert table.data.tolist() == [[0.1, 0.5], [3.0, 0.25]]


one_word = st.text(xml_characters, min_size=1, max_size=6).filter(lambda w: w.split() == [w])


@st.composite
def tables_of_aesop(draw):
    """Tables whose authors are named as at TAC."""
    topics = draw(st.lists(one_word, min_size=1, max_size=2, unique=True))
    systems = draw(st.lists(st.integers(0, 99), min_size=1, max_size=2, unique=True))
    rows = [Row("no_models", topic, str(n), "candidate") for topic in topics for n in systems]
    rows += [Row("all_peers", *row[1:]) for row in rows]
    rows += [Row("all_peers", topic, "A", "reference") for topic in topics]
    columns = [Column("rouge_n(n=2)", "recall"), Column("a/b.c", "value")]
    data = [[draw(st.floats()) for _ in columns] for _ in rows]
    return ScoreTable(tuple(rows), tuple(columns), np.array(data))


@given(tables_of_aesop())
def test_metric_files_that_are_written_are_read_back_to_the_last_bit(tmp_path_factory, table):
    path = tmp_path_factory.mktemp("aesop")
    write_aesop(table, path)
    again = read_scores(path)
    assert set(again.columns) == set(table.columns)
    assert set(again.rows) == set(table.rows)
    order = [again.rows.index(row) for row in table.rows]
    for column in table.columns:
        np.testing.assert_array_equal(again.column(column.name)[order], table.column(column.name))


@pytest.mark.parametrize(
    ("name", "is_signed"), [("scores", False), ("scores", True), ("m.f", True)]
)
def test_a_metric_file_keeps_the_name_and_the_signature_of_its_metric(tmp_path, name, is_signed):
    column = Column("m", "f", "m|v:1" if is_signed else "")
    table = ScoreTable(ROWS, (column,), np.array([[1 / 3], [math.nan]]))
    path = tmp_path / f"{name}.aesop"
    write_scores(table, path)
    assert path.read_text() == "t1\tlead\t0.3333333333333333\nt2\tlead\tNaN\n"
    assert read_scores(path) == table
    assert read_scores(path).columns == table.columns
    if name == "m.f":  # By itself it is named by its own name.
        (tmp_path / "m.f.aesop.signatures.json").unlink()
        assert read_scores(path) == dataclasses.replace(table, columns=(F,))
    write_aesop(table, tmp_path / "folder")
    assert read_scores(tmp_path / "folder").columns == table.columns


@pytest.mark.parametrize(("topic", "author", "role", "words"), [
    ("a topic", "1", "candidate", "'a topic' cannot stand in a file"),
    ("t", "", "candidate", "'' cannot stand in a file"),
    ("t", "anna", "reference", "the reference 'anna' would be read as a candidate"),
    ("t", "A", "candidate", "the candidate 'A' would be read as a reference"),
])  # fmt: skip
def test_a_metric_file_refuses_what_it_cannot_hold(tmp_path, topic, author, role, words):
    table = ScoreTable((Row("p", topic, author, role),), (F,), np.zeros((1, 1)))
    assert words in refusal(write_scores, table, tmp_path / "x.aesop")
    assert files_in(tmp_path) == []
