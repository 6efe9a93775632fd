"""Tables in parts: every row once, with its number and its place; and Parquet files."""

import csv
import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import pyarrow
import pytest
from command_line import assert_refused, run_command
from format_checks import assert_says, refusal
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from summetry.engine.cache import ChunkStore
from summetry.engine.run import Run
from summetry.engine.tables import TablePlan
from summetry.formats import load
from summetry.formats.cells import read_cells, rows_about, table_at
from summetry.formats.lines import stop
from summetry.formats.outputs import OutputReader
from summetry.formats.parquet import ParquetTable, _ParquetCursor
from summetry.formats.parts import Separated
from summetry.formats.scores import read_scores

CELLS = st.text(st.sampled_from('ab ,;"\n\r\té中'), max_size=6)
ROWS = st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=30)


def in_parts(path, size):
    """All rows with their numbers and lines, read part by part in another order."""
    table = table_at(path)
    rows = []
    for part in reversed(list(table.parts(size))):
        blocks = list(table.blocks(part._replace(content=None), stop))
        rows[:0] = [
            (block.first() + i, place.line, row)
            for block in blocks
            for i, (place, row) in enumerate(zip(block.places, block.rows, strict=True))
        ]
    return rows


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr("summetry.formats.parts.PART_BYTES", 40)


@given(rows=ROWS, size=st.integers(1, 9), line_end=st.sampled_from(["\n", "\r\n"]))
def test_parts_of_csv_have_the_rows_of_the_whole(tmp_path_factory, rows, size, line_end):
    path = tmp_path_factory.mktemp("table") / "t.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator=line_end, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerows([("x", "y", "z"), *rows])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("summetry.formats.parts.PART_BYTES", 40)
        found = in_parts(path, size)
    plain = [[c.replace("\r\n", "\n") if line_end == "\r\n" else c for c in row] for row in rows]
    assert [number for number, _, _ in found] == list(range(1, len(rows) + 1))
    assert [list(row.values()) for _, _, row in found] == plain
    # A row begins behind the line ends of all before it, each of which is one byte.
    cells = [[c.encode().count(b"\n") for c in row] for row in rows]
    lines = [2 + i + sum(map(sum, cells[:i])) for i in range(len(rows))]
    assert [line for _, line, _ in found] == lines


@given(rows=st.lists(st.sampled_from(['{"a": 1}', '{"a": "é"}', "", "  "]), max_size=30),
       size=st.integers(1, 9), mark=st.booleans(), ended=st.booleans())  # fmt: skip
def test_parts_of_jsonl_have_the_rows_of_the_whole(tmp_path_factory, rows, size, mark, ended):
    path = tmp_path_factory.mktemp("table") / "t.jsonl"
    rows = ['{"a": 0}', *rows]
    text = "\n".join(rows) + ("\n" if ended else "")
    path.write_bytes((b"\xef\xbb\xbf" if mark else b"") + text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("summetry.formats.parts.PART_BYTES", 40)
        found = in_parts(path, size)
    there = [(line, row) for line, row in enumerate(rows, 1) if row.strip()]
    expected = [(i, line, json.loads(row)) for i, (line, row) in enumerate(there, 1)]
    assert found == expected


@pytest.mark.parametrize("text", ['a,b\n5" pipe,x\n"6\n7",y\n8,z\n', 'a,b\n1, "x\n2,y"z\n3,w\n'])
def test_a_mark_within_a_cell_opens_nothing(write, small_parts, text):
    expected = list(csv.reader(io.StringIO(text, newline="")))[1:]
    rows = in_parts(write("t.csv", text), 1)
    assert [list(row.values()) for _, _, row in rows] == expected


def test_a_row_longer_than_a_part_and_a_mark_that_never_closes(write, small_parts):
    text = "a,b\n1," + "x" * 500 + '\n2,"' + "y\n" * 200 + '"\n3,z\n'
    rows = in_parts(write("t.csv", text), 10)
    assert [(line, len(row["b"])) for _, line, row in rows] == [(2, 500), (3, 400), (204, 1)]
    path = write("t.csv", 'a,b\n1,2\n3,"4\n' + "5,6\n" * 50)
    message = "t.csv:3: expected rows of cells, found a broken one"
    assert refusal(in_parts, path, 2).startswith(message)


def test_a_worker_reads_cells_as_long_as_a_book(write):
    """Python's own limit holds in a process that did not open the table itself."""
    table = table_at(write("t.csv", 'a,b\n1,"' + "x, " * 100_000 + '"\n'))
    (part,) = table.parts()
    before = csv.field_size_limit(2**17)
    try:
        (block,) = table.blocks(part, stop)
        assert len(block.rows[0]["b"]) == 300_000
    finally:
        csv.field_size_limit(before)


def test_a_file_that_shrinks_between_is_refused(write):
    table = Separated.at(write("t.csv", "a\n" + "1\n" * 100), ",")
    (part,) = table.parts()
    write("t.csv", "a\n1\n")
    message = refusal(lambda: list(table.blocks(part._replace(content=None), stop)))
    assert "was it changed while it was read" in message
    *_, last = (table := table_at(write("t.jsonl", '{"a": 1}\n' * 100))).parts(10)
    write("t.jsonl", '{"a": 1}\n')
    assert "was it changed while it was read" in refusal(table.numbered, last)


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
@pytest.mark.parametrize("packed", ["gz", "zst"])
def test_packed_tables_have_the_same_rows(write, monkeypatch, ending, packed):
    if ending == "jsonl":
        plain = write("t.jsonl", [{"id": i, "candidate": f"c {i}"} for i in range(3000)])
    else:
        plain = write("t.csv", "id,candidate\n" + "".join(f'{i},"c, {i}"\n' for i in range(3000)))
    content = plain.read_bytes()
    if packed == "gz":
        path = write(f"{plain}.gz", gzip.compress(content))
    else:
        path = write(f"{plain}.zst", pyarrow.compress(content, "zstd", asbytes=True))
    monkeypatch.setattr("summetry.formats.parts.PART_BYTES", 4000)
    expected = [(place.line, cells) for place, cells in read_cells(plain)]
    assert [(place.line, cells) for place, cells in read_cells(path)] == expected
    assert 1000 < rows_about(path) < 9000
    # Half of it is refused, whatever was read before.
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    message = f"t.{ending}.{packed}: expected a whole file that "
    assert message in refusal(lambda: list(read_cells(path)))


# --- Parquet files whose cells Python cannot hold, and columns that nobody asks for ---


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


def test_a_column_that_is_there_twice_is_refused_and_broken_signatures_are_named(store):
    names = ["candidate", "reference", "reference"]
    path = store(pyarrow.Table.from_arrays([pyarrow.array(["x"])] * 3, names=names))
    message = "t.parquet: expected each column once, found 'reference'"
    assert message in refusal(load, path)
    assert_refused(run_command("score", path), 2, message)
    table = pyarrow.table({"id": ["t"], "system": ["a"], "m": [1.0]})
    path = store(table.replace_schema_metadata({b"summetry.signatures": b"[1"}))
    assert "as signatures in the metadata, found something else" in refusal(read_scores, path)


def test_a_column_that_is_asked_for_is_still_reported_and_rows_keep_their_numbers(store):
    plan = TablePlan(store({"candidate": BYTES, "reference": ["a", "b"]}), on_error="skip")
    assert plan.facts.items == 1
    message = "row 2 of t.parquet: expected UTF-8 in 'candidate', found the byte 0xff at byte 3"
    assert plan.problems == [message]
    path, bad = store({"a": pyarrow.array([b"\xff", b"x"]).view(pyarrow.string())}), []
    ((place, row),) = read_cells(path, bad.append)
    assert (place.line, row, bad[0].place.line) == (2, {"a": "x"}, 1)


def test_a_long_file_is_decoded_once_where_parts_come_twice(store, monkeypatch, tmp_path):
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
