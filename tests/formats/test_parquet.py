"""Parquet files whose cells Python cannot hold, and columns that nobody asks for."""

import subprocess
import sys

import pytest

from summetry.cli.main import main
from summetry.engine.cache import ChunkStore
from summetry.engine.run import Run
from summetry.engine.tables import TablePlan
from summetry.errors import FormatError
from summetry.formats import load
from summetry.formats.cells import read_cells
from summetry.formats.outputs import OutputReader
from summetry.formats.parquet import ParquetTable
from summetry.formats.scores import read_scores

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

TEXTS = {"candidate": ["a b", "b c"], "reference": ["a", "b"]}
# Two cells each, the second of which cannot be read, and what is said of it.
UNREADABLE = {
    "text": (
        pyarrow.array([b"x", b"ab\xff"]).view(pyarrow.string()),
        r"UTF-8 in 'odd', found the byte 0xff at byte 3$",
    ),
    "date": (
        pyarrow.array([0, 10**8], pyarrow.int32()).view(pyarrow.date32()),
        r"a value of the type date32\[day\] in 'odd', found one that cannot be read \(",
    ),
    "time": (
        pyarrow.array([0, 2**62], pyarrow.int64()).view(pyarrow.timestamp("us")),
        r"a value of the type timestamp\[us\] in 'odd', found one that cannot be read \(",
    ),
}


def write(path, columns):
    parquet.write_table(pyarrow.table(columns), path)
    return path


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_cell_that_cannot_be_read_is_named_and_its_row_can_be_skipped(tmp_path, kind):
    cells, message = UNREADABLE[kind]
    path = write(tmp_path / "t.parquet", TEXTS | {"odd": cells})
    with pytest.raises(FormatError, match=rf"row 2 of .*t.parquet: expected {message}"):
        load(path)
    skipped = load(path, on_error="skip")
    assert len(skipped.problems) == 1
    assert [s.text for s in skipped.summaries if s.role == "candidate"] == ["a b"]


@pytest.mark.filterwarnings("ignore:.*no topics")
def test_an_unknown_time_zone_is_named(tmp_path):
    times = pyarrow.array([0, 1]).view(pyarrow.timestamp("us", tz="Mars/Phobos"))
    path = write(tmp_path / "t.parquet", TEXTS | {"odd": times})
    with pytest.raises(
        FormatError, match=r"row 1 of .*t.parquet: .*the time zone Mars/Phobos is not known"
    ):
        load(path)
    assert len(load(path, on_error="skip").problems) == 2


def test_nanoseconds_without_pandas_are_named(tmp_path):
    """With pandas they are read; without it Python has no such fine time."""
    path = write(tmp_path / "t.parquet", {"odd": pyarrow.array([1]).view(pyarrow.timestamp("ns"))})
    code = f"""
import sys
from pathlib import Path
class Without:
    def find_spec(self, name, *_):
        if name.partition(".")[0] == "pandas":
            raise ImportError(name)
sys.meta_path.insert(0, Without())
from summetry.formats.cells import read_cells
list(read_cells(Path({str(path)!r})))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    last = done.stderr.strip().splitlines()[-1]
    assert "t.parquet: expected a value of the type timestamp[ns] in 'odd', found one" in last


@pytest.mark.parametrize("kind", UNREADABLE)
def test_columns_that_nobody_asks_for_are_not_decoded(tmp_path, kind):
    path = write(tmp_path / "t.parquet", TEXTS | {"odd": UNREADABLE[kind][0]})
    plan = TablePlan(path)
    assert plan.facts.items == 2 and plan.problems == []
    read = OutputReader().read([path])
    assert [output.text for output in read] == ["a b", "b c"]


def test_scoring_a_table_reads_its_texts_only(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    asked = []
    whole = parquet.ParquetFile.iter_batches

    def seen(self, *args, columns=None, **named):
        asked.append(tuple(columns))
        return whole(self, *args, columns=columns, **named)

    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", seen)
    write(tmp_path / "t.parquet", TEXTS | {"vector": [[0.0] * 9] * 2})
    plan = TablePlan(tmp_path / "t.parquet")
    assert plan.facts.items == 2
    assert asked[-1] == ("candidate", "reference")


def test_a_column_that_is_there_twice_is_refused(tmp_path, monkeypatch, capsys):
    names = ["candidate", "reference", "reference"]
    table = pyarrow.Table.from_arrays([pyarrow.array(["x"])] * 3, names=names)
    parquet.write_table(table, tmp_path / "t.parquet")
    with pytest.raises(
        FormatError, match=r"t.parquet: expected each column once, found 'reference'"
    ):
        load(tmp_path / "t.parquet")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["score", "t.parquet"])
    assert capsys.readouterr().err.startswith("error: t.parquet: expected each column once")


def test_an_asked_column_is_still_reported(tmp_path):
    cells = pyarrow.array([b"x", b"\xff"]).view(pyarrow.string())
    path = write(tmp_path / "t.parquet", {"candidate": cells, "reference": ["a", "b"]})
    plan = TablePlan(path, on_error="skip")
    assert plan.facts.items == 1
    assert plan.problems == [
        f"row 2 of {path}: expected UTF-8 in 'candidate', found the byte 0xff at byte 1"
    ]


def test_rows_keep_their_numbers_behind_a_bad_one(tmp_path):
    cells = pyarrow.array([b"\xff", b"x"]).view(pyarrow.string())
    path = write(tmp_path / "t.parquet", {"a": cells})
    bad = []
    ((place, row),) = read_cells(path, bad.append)
    assert (place.line, row, bad[0].place.line) == (2, {"a": "x"}, 1)


def test_broken_signatures_in_the_metadata_are_named(tmp_path):
    table = pyarrow.table({"id": ["t"], "system": ["a"], "m": [1.0]})
    table = table.replace_schema_metadata({b"summetry.signatures": b"[1"})
    parquet.write_table(table, tmp_path / "s.parquet")
    with pytest.raises(FormatError, match=r"as signatures in the metadata, found something else"):
        read_scores(tmp_path / "s.parquet")


def test_a_long_file_is_decoded_once_also_where_parts_are_asked_for_twice(tmp_path, monkeypatch):
    """Keys of finished work are made from what is read; a run that goes on looks for them first."""
    from summetry.formats.parquet import _ParquetCursor

    path, store = tmp_path / "t.parquet", ChunkStore(tmp_path / "store")
    rows = [{"id": str(i), "candidate": f"a b {i}", "reference": "a b"} for i in range(9000)]
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    starts = []
    start = _ParquetCursor._start
    monkeypatch.setattr(_ParquetCursor, "_start", lambda self: (starts.append(1), start(self)))
    first = Run(TablePlan(path), ["rouge1"], chunk_items=2500, store=store).table()
    # One cursor sees the first rows with all their columns, one reads those that are needed.
    assert len(starts) == 2
    min(store.folder.iterdir()).unlink()
    again = Run(TablePlan(path), ["rouge1"], chunk_items=2500, store=store)
    assert again.table() == first and again.chunks_found == again.chunks_done - 1
    assert len(starts) == 4
    assert [row.topic for row in first.rows] == [row["id"] for row in rows]


def test_a_row_group_is_not_held_as_a_whole(tmp_path):
    rows, seen = 8192, []
    texts = [f"{number} " * 300 for number in range(rows)]
    table = pyarrow.table({"candidate": texts})
    path = tmp_path / "t.parquet"
    options = {"compression": "none", "use_dictionary": False}
    parquet.write_table(table, path, row_group_size=rows, **options)
    del table
    before = pyarrow.total_allocated_bytes()
    plan = ParquetTable(path)
    for part in plan.parts():
        for _ in plan.blocks(part, print):
            seen.append(pyarrow.total_allocated_bytes() - before)
    assert max(seen) < path.stat().st_size / 2
