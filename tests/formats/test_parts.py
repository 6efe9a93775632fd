"""Tables in parts: every row once, with its number and its place, however the table is cut."""

import csv
import gzip
import io
import json

import pyarrow
import pytest
from format_checks import refusal
from hypothesis import given
from hypothesis import strategies as st

from summetry.formats.cells import read_cells, rows_about, table_at
from summetry.formats.lines import stop
from summetry.formats.parts import Separated

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
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator=line_end, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerows([("x", "y", "z"), *rows])
    path.write_bytes(written.getvalue().encode())
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


def test_a_mark_that_never_closes_is_named(write, small_parts):
    path = write("t.csv", 'a,b\n1,2\n3,"4\n' + "5,6\n" * 50)
    message = "t.csv:3: expected rows of cells, found a broken one"
    assert refusal(in_parts, path, 2).startswith(message)


def test_a_row_that_is_longer_than_a_part_is_whole(write, small_parts):
    text = "a,b\n1," + "x" * 500 + '\n2,"' + "y\n" * 200 + '"\n3,z\n'
    rows = in_parts(write("t.csv", text), 10)
    assert [(line, len(row["b"])) for _, line, row in rows] == [(2, 500), (3, 400), (204, 1)]


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
