"""Scores in files: the same table comes back, and no file is ever there by half."""

import io
import json
import math
import subprocess
import sys
from dataclasses import replace

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.errors import FormatError, MissingPackageError, SummetryError, SummetryWarning
from summetry.formats import FORMATS, load
from summetry.formats.cells import write_separated
from summetry.formats.scores import ScoreWriter, is_scores, read_scores, write_scores
from summetry.records.corpus import Corpus
from summetry.records.scores import (
    ROW_NAMES,
    Column,
    Row,
    ScoreTable,
    plain_number,
    row_names,
)

ENDINGS = ["csv", "jsonl", "parquet"]
COLUMNS = (Column("m(n=2)", "f", "m(n=2)|v:1"), Column("m", "r", "m|v:1"))
ROWS = (Row("no_models", "t1", "lead", "candidate"), Row("no_models", "t2", "lead", "candidate"))
TABLE = ScoreTable(ROWS, COLUMNS, np.array([[0.1, math.nan], [1 / 3, -0.0]]))

words = st.text(max_size=6) | st.sampled_from(
    ["a,b", 'x(s="|")', "two\nlines", "\r", "'", "é\u2028"]
)
numbers = st.floats(allow_infinity=False)


# A metric is never named like a column that says whose score it is, nor is one there twice.
metrics = words.filter(lambda word: word not in ("", "id", "system", "topic", "author"))
columns = st.builds(Column, metrics.map(lambda word: f"m{word}"), st.just("f"), words)


@st.composite
def tables(draw):
    rows = draw(
        st.lists(st.builds(Row, words, words, words, words), min_size=1, max_size=4, unique=True)
    )
    named = draw(st.lists(columns, min_size=1, max_size=3, unique_by=lambda column: column.name))
    data = [[draw(numbers) for _ in named] for _ in rows]
    return ScoreTable(tuple(rows), tuple(named), np.array(data))


@pytest.mark.filterwarnings("ignore:.*an empty name is taken")
@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=40)
@given(table=tables())
def test_a_table_is_read_back_to_the_last_bit(tmp_path_factory, ending, long, table):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path_factory.mktemp("scores") / f"scores.{ending}"
    write_scores(table, path, long)
    assert read_scores(path) == table


def test_rows_that_do_not_say_whose_they_are_are_told(tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("id,system,m\nt,,1\nu,a,1\nv,,1\n,a,1\n")
    with pytest.warns(SummetryWarning) as told:
        table = read_scores(path)
    assert [row.author for row in table.rows] == ["", "a", "", "a"]
    assert [str(one.message) for one in told] == [
        f"{path}:2: this row and 1 other have no 'system', so an empty name is taken",
        f"{path}:5: this row has no 'id', so an empty name is taken",
    ]


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
    table = replace(TABLE, data=np.array([[0.5, 0.25], [0.125, 0.0]]))
    with ScoreWriter(tmp_path / "s.csv", COLUMNS) as writer:
        for _ in range(3):
            writer.add(table.rows, table.data)
    rows = ["t1,lead,0.5,0.25", "t2,lead,0.125,0.0"] * 3
    assert (tmp_path / "s.csv").read_text().splitlines()[1:] == rows


@pytest.mark.parametrize("ending", ENDINGS)
def test_signatures_may_come_when_all_rows_are_there(tmp_path, ending):
    path = tmp_path / f"s.{ending}"
    unsigned = [msgspec.structs.replace(column, signature="") for column in COLUMNS]
    with ScoreWriter(path, unsigned) as writer:
        writer.add(ROWS, TABLE.data)
        writer.sign(COLUMNS)
    assert read_scores(path) == TABLE


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_number_without_bound_is_read_back(tmp_path, ending):
    path = tmp_path / f"scores.{ending}"
    table = ScoreTable(ROWS, COLUMNS[:1], np.array([[math.inf], [-math.inf]]))
    write_scores(table, path)
    assert read_scores(path) == table
    assert is_scores(path)
    if ending != "parquet":
        assert path.read_text().splitlines()[-2:] == {
            "csv": ["t1,lead,inf", "t2,lead,-inf"],
            "jsonl": [f'{{"id":"{t}","system":"lead","m(n=2).f":"{n}"}}'
                      for t, n in (("t1", "inf"), ("t2", "-inf"))],
        }[ending]  # fmt: skip


@pytest.mark.parametrize("ending", ENDINGS)
def test_rows_may_come_in_chunks_and_chunks_may_be_empty(tmp_path, ending):
    whole, parts = tmp_path / f"whole.{ending}", tmp_path / f"new/folder/parts.{ending}"
    write_scores(TABLE, whole)
    with ScoreWriter(parts, COLUMNS) as writer:
        writer.add(ROWS[:1], TABLE.data[:1])
        writer.add((), TABLE.data[:0])
        writer.add(ROWS[1:], TABLE.data[1:])
    assert read_scores(parts) == read_scores(whole) == TABLE
    if ending != "parquet":
        assert parts.read_bytes() == whole.read_bytes()


def test_a_csv_file_has_one_row_per_summary(tmp_path):
    write_scores(TABLE, tmp_path / "s.csv")
    assert (tmp_path / "s.csv").read_text() == (
        "id,system,m(n=2).f,m.r\nt1,lead,0.1,\nt2,lead,0.3333333333333333,-0.0\n"
    )


def test_a_long_csv_file_has_one_row_per_number(tmp_path):
    write_scores(TABLE, tmp_path / "s.csv", long=True)
    assert (tmp_path / "s.csv").read_text() == (
        "id,system,metric,part,score\n"
        "t1,lead,m(n=2),f,0.1\n"
        "t1,lead,m,r,\n"
        "t2,lead,m(n=2),f,0.3333333333333333\n"
        "t2,lead,m,r,-0.0\n"
    )


def test_signatures_are_beside_a_file_of_text(tmp_path):
    write_scores(TABLE, tmp_path / "s.csv")
    assert json.loads((tmp_path / "s.csv.signatures.json").read_text()) == {
        "signatures": {"m(n=2).f": "m(n=2)|v:1", "m.r": "m|v:1"}
    }
    (tmp_path / "s.csv.signatures.json").unlink()
    assert [column.signature for column in read_scores(tmp_path / "s.csv").columns] == ["", ""]


def test_signatures_of_an_earlier_file_do_not_stay_beside_scores_without_any(tmp_path):
    write_scores(TABLE, tmp_path / "s.csv")
    columns = tuple(msgspec.structs.replace(column, signature="") for column in TABLE.columns)
    write_scores(replace(TABLE, columns=columns), tmp_path / "s.csv")
    assert {column.signature for column in read_scores(tmp_path / "s.csv").columns} == {""}


def test_signatures_never_overwrite_something_else(tmp_path):
    (tmp_path / "s.csv.signatures.json").write_text("[1]")
    with pytest.raises(SummetryError, match="signatures would be written over something else"):
        write_scores(TABLE, tmp_path / "s.csv")
    assert [file.name for file in tmp_path.iterdir()] == ["s.csv.signatures.json"]


def test_a_jsonl_file_has_one_object_per_summary(tmp_path):
    write_scores(TABLE, tmp_path / "s.jsonl")
    lines = (tmp_path / "s.jsonl").read_text().splitlines()
    assert json.loads(lines[0]) == {"id": "t1", "system": "lead", "m(n=2).f": 0.1, "m.r": None}
    write_scores(TABLE, tmp_path / "s.jsonl", long=True)
    lines = (tmp_path / "s.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == list(TABLE.records())


def test_a_parquet_file_has_a_null_for_undefined(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    write_scores(TABLE, tmp_path / "s.parquet")
    frame = parquet.read_table(tmp_path / "s.parquet")
    assert frame.column_names == ["id", "system", "m(n=2).f", "m.r"]
    assert frame["m.r"].null_count == 1


def test_parts_of_scores_are_few_row_groups_of_parquet(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("summetry.formats.scores._GROUP_ROWS", 5)
    path, column = tmp_path / "s.parquet", Column("m", "f", "m|v:1")
    with ScoreWriter(path, [column]) as writer:
        for part in range(4):
            rows = [Row("no_models", f"{part}{name}", "lead", "candidate") for name in "ab"]
            writer.add(rows, np.array([[part], [part + 0.5]]))
    file = parquet.ParquetFile(path)
    rows = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
    assert rows == [6, 2]
    assert file.read()["m.f"].to_pylist() == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ([Column("m", "f"), Column("m", "f", "s")], "'m.f' is there twice"),
        ([Column("id")], "'id' names whose score it is"),
    ],
)
def test_a_name_that_is_taken_is_refused(tmp_path, columns, reason):
    with pytest.raises(SummetryError, match=reason):
        ScoreWriter(tmp_path / "s.csv", columns)


@pytest.mark.parametrize(
    "content",
    [
        "topic,author,bertscore\nt,a,0.5\nu,a,\n",
        "id,system,bertscore\nt,a,0.5\nu,a,\n",
        "id,system,metric,score\nt,a,bertscore,0.5\nu,a,bertscore,\n",
        "doc_id,model,bertscore,split\nt,a,0.5,test\nu,a,,test\n",
        "Unnamed: 0,Doc ID,system_name,bertscore\n0,t,a,0.5\n1,u,a,\n",
        "article_id,model_id,metric_name,value,seed\nt,a,bertscore,0.5,1\nu,a,bertscore,,1\n",
    ],
)
@pytest.mark.filterwarnings("ignore::summetry.errors.SummetryWarning")
def test_scores_of_other_programs_are_read(tmp_path, content):
    path = tmp_path / "s.csv"
    path.write_text(content)
    assert is_scores(path)
    table = read_scores(path)
    assert table.columns == (Column("bertscore"),)
    assert table.rows[1] == Row("no_models", "u", "a", "candidate")
    assert np.array_equal(table.data, [[0.5], [math.nan]], equal_nan=True)


@pytest.mark.parametrize(
    "content",
    [
        "id,system,summary\nt,a,text\n",
        "id,rouge1.f\nt,1\n",
        "id,system\nt,a\n",
        "id,system,summary,bertscore\nt,a,text,0.5\n",
        "id,system,judge,coherence\nt,a,ann,4\n",
        "id,system,dimension,value\nt,a,fluency,4\n",
        "id,unit,system,value\nt,u1,a,1\n",
        "doc_id,guid,system,m\nt,1,a,0.5\n",
        "id,system,story so far,year\nt,a,once upon a time,1999\n",
    ],
)
def test_a_table_of_something_else_is_no_table_of_scores(tmp_path, content):
    path = tmp_path / "s.csv"
    path.write_text(content)
    assert not is_scores(path)


def test_what_is_taken_for_what_in_scores_of_others_is_said(tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("doc_id,model,bertscore,split\nt,a,0.5,test\n")
    words = (
        r"s.csv: 'doc_id' is taken for the id, 'model' for the system; not read as scores: split$"
    )
    with pytest.warns(SummetryWarning, match=words):
        read_scores(path)


def test_scores_beside_texts_can_be_named(tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("id,system,summary,bertscore,bleurt,year\nt,a,a text,0.5,0.25,1999\n")
    named = {"score": "bertscore+bleurt"}
    assert is_scores(path, named) and not is_scores(path)
    with pytest.warns(SummetryWarning, match=r"not read as scores: summary, year$"):
        table = read_scores(path, named)
    assert [column.name for column in table.columns] == ["bertscore", "bleurt"]
    assert table.data.tolist() == [[0.5, 0.25]]


def test_columns_of_scores_can_be_named(tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("doc,who,what,number\nt,a,bertscore,0.5\n")
    named = {"id": "doc", "who": "system", "metric": "what", "score": "number"}
    table = read_scores(path, named)
    assert is_scores(path, named) and not is_scores(path)
    assert (table.rows[0][1:3], table.columns[0].name) == (("t", "a"), "bertscore")
    assert table.data.tolist() == [[0.5]]


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
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == b"the old one"


class FullOnClosing(io.TextIOWrapper):
    def close(self):
        if not self.closed:
            super().close()
            raise OSError("disk full")


def test_an_error_on_closing_leaves_no_part_either(tmp_path, monkeypatch):
    def opened(path, *_, **__):
        return FullOnClosing(open(path, "wb"))  # noqa: PTH123

    monkeypatch.setattr("pathlib.Path.open", opened)
    with pytest.raises(OSError, match="disk full"), ScoreWriter(tmp_path / "s.csv", COLUMNS) as out:
        out.add(ROWS, TABLE.data)
    assert list(tmp_path.iterdir()) == []


def test_the_file_has_its_name_only_when_it_is_complete(tmp_path):
    path = tmp_path / "scores.csv"
    with ScoreWriter(path, COLUMNS) as writer:
        writer.add(ROWS, TABLE.data)
        assert not path.exists()
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "scores.csv", "scores.csv.signatures.json"
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["scores.xlsx", "scores", "scores.tsv"])
def test_another_ending_is_refused(tmp_path, name):
    with pytest.raises(SummetryError) as caught:
        write_scores(TABLE, tmp_path / name)
    assert str(caught.value) == (
        f"{tmp_path / name}: scores are written to files ending in .csv, .jsonl, .parquet, .aesop"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("topic,score\nt,1\n", ":2: expected a column 'system', found the columns topic, score; "
         "say --columns system=NAME"),
        ("doc_id,guid,system,m\nt,1,a,1\n", ":2: expected one column for the id, found 'doc_id' "
         "and 'guid'; say --columns id=doc_id"),
        ("id,system,m\nt,a,1\nu,a,high\n", ":3: expected a number as m, found 'high'"),
        ("id,system,m\nt,a,1\nt,a,1\n", ":3: expected each score once, found m of "
         "Row(protocol='no_models', topic='t', author='a', role='candidate') a second time"),
        ("id,system,m\nt,a,1,x\n", ":2: expected 3 cells in the row, found 4; put a "
         "cell with ',' in it in quotation marks"),
        ('{"id": "t", "system": "a", "m": []}\n', ":1: expected a number as m, found []"),
    ],
)  # fmt: skip
def test_a_broken_file_of_scores_is_named_with_its_line(tmp_path, content, message):
    path = tmp_path / "s.csv"
    path.write_text(content)
    with pytest.raises(FormatError) as caught:
        read_scores(path)
    assert str(caught.value) == f"{path}{message}"


def test_a_score_that_has_no_row_is_undefined(tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("id,system,metric,part,score\nt,a,m,f,0.5\nu,a,m,r,1\n")
    table = read_scores(path)
    assert np.array_equal(table.column("m.f"), [0.5, math.nan], equal_nan=True)
    assert np.array_equal(table.column("m.r"), [math.nan, 1.0], equal_nan=True)


@pytest.fixture
def no_packages(monkeypatch):
    """None of the optional packages can be imported."""
    for name in ("pyarrow", "pyarrow.parquet", "pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)


def test_without_pyarrow_parquet_is_neither_read_nor_written(tmp_path, no_packages):
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1 and so on")
    advice = r"needs the package pyarrow, which is not installed: pip install pyarrow$"
    with pytest.raises(MissingPackageError, match=f"^reading Parquet {advice}"):
        load(path)
    for write, content in ((write_scores, TABLE), (FORMATS.build("table").write, Corpus())):
        with pytest.raises(MissingPackageError, match=f"^writing Parquet {advice}"):
            write(content, tmp_path / "u.parquet")
    assert [file.name for file in tmp_path.iterdir()] == ["t.parquet"]


def test_the_program_runs_without_optional_packages(tmp_path):
    (tmp_path / "t.csv").write_text("candidate,reference\na b,b c\n")
    code = """
import sys
sys.modules["pyarrow"] = sys.modules["pandas"] = sys.modules["polars"] = None
from summetry.cli.main import main
main(["score", "t.csv", "-o", sys.argv[1], "-m", "unit_overlap", "--no-cache"])
"""
    for name, status in (("s.csv", 0), ("s.parquet", 2)):
        command = [sys.executable, "-c", code, name]
        assert subprocess.run(command, cwd=tmp_path, capture_output=True).returncode == status
    written = ["s.csv", "s.csv.signatures.json", "t.csv"]
    assert sorted(file.name for file in tmp_path.iterdir()) == written


def test_without_pandas_and_polars_a_frame_names_what_to_install(no_packages):
    for name in ("pandas", "polars"):
        message = f"^a {name} frame needs the package {name}, .* not installed: pip install {name}$"
        with pytest.raises(MissingPackageError, match=message):
            getattr(TABLE, f"to_{name}")()
