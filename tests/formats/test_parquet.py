"""Parquet files whose cells Python cannot hold, and columns that nobody asks for."""

import subprocess
import sys
from pathlib import Path

import pytest
from command_line import assert_refused, run_command
from format_checks import assert_says, refusal

from summetry.engine.cache import ChunkStore
from summetry.engine.run import Run
from summetry.engine.tables import TablePlan
from summetry.formats import load
from summetry.formats.cells import read_cells
from summetry.formats.outputs import OutputReader
from summetry.formats.parquet import ParquetTable, _ParquetCursor
from summetry.formats.scores import read_scores

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

TEXTS = {"candidate": ["a b", "b c"], "reference": ["a", "b"]}
BYTES = pyarrow.array([b"x", b"ab\xff"]).view(pyarrow.string())
DAYS = pyarrow.array([0, 10**8], pyarrow.int32()).view(pyarrow.date32())
TIMES = pyarrow.array([0, 2**62], pyarrow.int64()).view(pyarrow.timestamp("us"))
# Two cells each, the second of which cannot be read, and what is said of it.
UNREADABLE = {
    "text": (BYTES, "UTF-8 in 'odd', found the byte 0xff at byte 3$"),
    "date": (DAYS, "a value of the type date32[day] in 'odd', found one that cannot be read ("),
    "time": (TIMES, "a value of the type timestamp[us] in 'odd', found one that cannot be read ("),
}


@pytest.fixture
def store(tmp_path, monkeypatch):
    """Writes a table of columns; the path as a user types it."""
    monkeypatch.chdir(tmp_path)

    def make(columns, **options):
        table = columns if isinstance(columns, pyarrow.Table) else pyarrow.table(columns)
        parquet.write_table(table, "t.parquet", **options)
        return Path("t.parquet")

    return make


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_cell_that_cannot_be_read_is_named_and_its_row_can_be_skipped(store, kind):
    cells, words = UNREADABLE[kind]
    path = store(TEXTS | {"odd": cells})
    assert_says(refusal(load, path), f"row 2 of t.parquet: expected {words}")
    skipped = load(path, on_error="skip")
    assert len(skipped.problems) == 1
    assert [s.text for s in skipped.summaries if s.role == "candidate"] == ["a b"]
    # Columns that nobody asks for are not decoded.
    plan = TablePlan(path)
    assert plan.facts.items == 2 and plan.problems == []
    assert [output.text for output in OutputReader().read([path])] == ["a b", "b c"]


@pytest.mark.filterwarnings("ignore:.*no topics")
def test_an_unknown_time_zone_is_named(store):
    times = pyarrow.array([0, 1]).view(pyarrow.timestamp("us", tz="Mars/Phobos"))
    path = store(TEXTS | {"odd": times})
    words = "row 1 of t.parquet:  ... the time zone Mars/Phobos is not known"
    assert_says(refusal(load, path), words)
    assert len(load(path, on_error="skip").problems) == 2


def test_nanoseconds_without_pandas_are_named(store):
    """With pandas they are read; without it Python has no such fine time."""
    path = store({"odd": pyarrow.array([1]).view(pyarrow.timestamp("ns"))})
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


def test_scoring_a_table_reads_its_texts_only(store, monkeypatch):
    asked = []
    iter_batches = parquet.ParquetFile.iter_batches

    def noting(self, *args, columns=None, **named):
        asked.append(tuple(columns))
        return iter_batches(self, *args, columns=columns, **named)

    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", noting)
    plan = TablePlan(store(TEXTS | {"vector": [[0.0] * 9] * 2}))
    assert plan.facts.items == 2
    assert asked[-1] == ("candidate", "reference")


def test_a_column_that_is_there_twice_is_refused(store):
    names = ["candidate", "reference", "reference"]
    path = store(pyarrow.Table.from_arrays([pyarrow.array(["x"])] * 3, names=names))
    message = "t.parquet: expected each column once, found 'reference'"
    assert message in refusal(load, path)
    done = run_command("score", path)
    assert_refused(done, 2, message)


def test_an_asked_column_is_still_reported(store):
    plan = TablePlan(store({"candidate": BYTES, "reference": ["a", "b"]}), on_error="skip")
    assert plan.facts.items == 1
    assert plan.problems == [
        "row 2 of t.parquet: expected UTF-8 in 'candidate', found the byte 0xff at byte 3"
    ]


def test_rows_keep_their_numbers_behind_a_bad_one(store):
    path = store({"a": pyarrow.array([b"\xff", b"x"]).view(pyarrow.string())})
    bad = []
    ((place, row),) = read_cells(path, bad.append)
    assert (place.line, row, bad[0].place.line) == (2, {"a": "x"}, 1)


def test_broken_signatures_in_the_metadata_are_named(store):
    table = pyarrow.table({"id": ["t"], "system": ["a"], "m": [1.0]})
    path = store(table.replace_schema_metadata({b"summetry.signatures": b"[1"}))
    assert "as signatures in the metadata, found something else" in refusal(read_scores, path)


def test_a_long_file_is_decoded_once_also_where_parts_are_asked_for_twice(
    store, monkeypatch, tmp_path
):
    """Keys of finished work are made from what is read; a run that goes on looks for them first."""
    rows = [{"id": str(i), "candidate": f"a b {i}", "reference": "a b"} for i in range(9000)]
    path, chunks = store(pyarrow.Table.from_pylist(rows)), ChunkStore(tmp_path / "store")
    starts = []
    start = _ParquetCursor._start
    monkeypatch.setattr(_ParquetCursor, "_start", lambda self: (starts.append(1), start(self)))
    first = Run(TablePlan(path), ["rouge1"], chunk_items=2500, store=chunks).table()
    # One cursor sees the first rows with all their columns, one reads those that are needed.
    assert len(starts) == 2
    min(chunks.folder.iterdir()).unlink()
    again = Run(TablePlan(path), ["rouge1"], chunk_items=2500, store=chunks)
    assert again.table() == first and again.chunks_found == again.chunks_done - 1
    assert len(starts) == 4
    assert [row.topic for row in first.rows] == [row["id"] for row in rows]


def test_a_row_group_is_not_held_as_a_whole(store):
    rows, allocated = 8192, []
    texts = [f"{number} " * 300 for number in range(rows)]
    path = store(
        {"candidate": texts}, row_group_size=rows, compression="none", use_dictionary=False
    )
    before = pyarrow.total_allocated_bytes()
    plan = ParquetTable(path)
    for part in plan.parts():
        for _ in plan.blocks(part, print):
            allocated.append(pyarrow.total_allocated_bytes() - before)
    assert max(allocated) < path.stat().st_size / 2
