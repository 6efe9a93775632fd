"""Scores in files: the same table comes back, and no file is ever there by half."""

import io
import json
import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.errors import FormatError, MissingPackageError, SummetryError
from summetry.formats import FORMATS, load
from summetry.formats.scores import ScoreWriter, read_scores, write_scores
from summetry.records.corpus import Corpus
from summetry.records.scores import FIELDS, Column, Row, ScoreTable

ENDINGS = ["csv", "jsonl", "parquet"]
COLUMNS = (Column("m(n=2)", "f", "m(n=2)|v:1"), Column("m", "r", "m|v:1"))
ROWS = (Row("no_models", "t1", "lead", "candidate"), Row("no_models", "t2", "lead", "candidate"))
TABLE = ScoreTable(ROWS, COLUMNS, np.array([[0.1, math.nan], [1 / 3, -0.0]]))

words = st.text(max_size=6) | st.sampled_from(
    ["a,b", 'x(s="|")', "two\nlines", "\r", "'", "é\u2028"]
)
numbers = st.floats(allow_infinity=False)


@st.composite
def tables(draw):
    rows = draw(
        st.lists(st.builds(Row, words, words, words, words), min_size=1, max_size=4, unique=True)
    )
    columns = draw(
        st.lists(st.builds(Column, words, words, words), min_size=1, max_size=3, unique=True)
    )
    data = [[draw(numbers) for _ in columns] for _ in rows]
    return ScoreTable(tuple(rows), tuple(columns), np.array(data))


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=40)
@given(table=tables())
def test_a_table_is_read_back_to_the_last_bit(tmp_path_factory, ending, table):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path_factory.mktemp("scores") / f"scores.{ending}"
    write_scores(table, path)
    assert read_scores(path) == table


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


def test_a_csv_file_reads_like_this(tmp_path):
    write_scores(TABLE, tmp_path / "s.csv")
    assert (tmp_path / "s.csv").read_text() == (
        "protocol,topic,author,role,metric,value,score,signature\n"
        "no_models,t1,lead,candidate,m(n=2),f,0.1,m(n=2)|v:1\n"
        "no_models,t1,lead,candidate,m,r,,m|v:1\n"
        "no_models,t2,lead,candidate,m(n=2),f,0.3333333333333333,m(n=2)|v:1\n"
        "no_models,t2,lead,candidate,m,r,-0.0,m|v:1\n"
    )


def test_a_jsonl_file_holds_the_records_of_the_table(tmp_path):
    write_scores(TABLE, tmp_path / "s.jsonl")
    lines = (tmp_path / "s.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == list(TABLE.records())


def test_a_parquet_file_has_a_null_for_undefined(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    write_scores(TABLE, tmp_path / "s.parquet")
    table = parquet.read_table(tmp_path / "s.parquet")
    assert tuple(table.column_names) == FIELDS
    assert table["score"].null_count == 1


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_error_leaves_no_part_and_the_old_file_as_it_was(tmp_path, ending):
    path = tmp_path / f"scores.{ending}"
    path.write_bytes(b"the old one")
    with pytest.raises(RuntimeError, match="half way"), ScoreWriter(path, COLUMNS) as writer:
        writer.add(ROWS[:1], TABLE.data[:1])
        assert path.read_bytes() == b"the old one"
        (part,) = (file for file in tmp_path.iterdir() if file != path)
        assert part.name.startswith(f".{path.name}.")
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
    assert [file.name for file in tmp_path.iterdir()] == ["scores.csv"]


@pytest.mark.parametrize("name", ["scores.xlsx", "scores", "scores.tsv"])
def test_another_ending_is_refused(tmp_path, name):
    with pytest.raises(SummetryError) as caught:
        write_scores(TABLE, tmp_path / name)
    assert str(caught.value) == (
        f"{tmp_path / name}: scores are written to files ending in .csv, .jsonl, .parquet, .aesop"
    )
    assert list(tmp_path.iterdir()) == []


HEADER = ",".join(FIELDS)
LINE = "p,t,a,candidate,m,f,0.5,s"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "topic,author\nt,a\n",
            f":2: expected the columns {', '.join(FIELDS)}, found no 'protocol'",
        ),
        (f"{HEADER}\n{LINE}\np,t,a,candidate,m,r,high,s\n", ":3: expected a number as score, "
         "found 'high'"),
        (f"{HEADER}\n{LINE}\n{LINE}\n", ":3: expected each score once, found m.f of "
         "Row(protocol='p', topic='t', author='a', role='candidate') a second time"),
        (f"{HEADER}\n{LINE},x\n", ":2: expected 8 cells in the row, found 9"),
        (json.dumps({name: [] for name in FIELDS}) + "\n",
         ":1: expected a number as score, found []"),
    ],
)  # fmt: skip
def test_a_broken_file_of_scores_is_named_with_its_line(tmp_path, content, message):
    path = tmp_path / "s.csv"
    path.write_text(content)
    with pytest.raises(FormatError) as caught:
        read_scores(path)
    assert str(caught.value) == f"{path}{message}"


def test_a_score_that_has_no_line_is_undefined(tmp_path):
    path = tmp_path / "s.csv"
    path.write_text(f"{HEADER}\np,t,a,candidate,m,f,0.5,s\np,u,a,candidate,m,r,1,s\n")
    table = read_scores(path)
    assert table.column("m.f").tolist()[0] == 0.5
    assert math.isnan(table.column("m.f")[1])
    assert math.isnan(table.column("m.r")[0])


@pytest.fixture
def no_packages(monkeypatch):
    """None of the optional packages can be imported."""
    for name in ("pyarrow", "pyarrow.parquet", "pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)


def test_without_pyarrow_parquet_is_neither_read_nor_written(tmp_path, no_packages):
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1 and so on")
    advice = r"needs the package pyarrow, which is not installed: pip install 'summetry\[table\]'$"
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
    assert sorted(file.name for file in tmp_path.iterdir()) == ["s.csv", "t.csv"]


def test_without_pandas_and_polars_a_frame_names_what_to_install(no_packages):
    for name in ("pandas", "polars"):
        message = f"^a {name} frame needs the package {name}, .* not installed: pip install {name}$"
        with pytest.raises(MissingPackageError, match=message):
            getattr(TABLE, f"to_{name}")()
