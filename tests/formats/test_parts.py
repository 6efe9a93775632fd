"""Tables in parts: every row once, with its number and its place, however the table is cut."""

import csv
import gzip
import io
import json
import shutil

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import FormatError
from summetry.formats.cells import read_cells, rows_about, table_at
from summetry.formats.lines import stop
from summetry.formats.parts import Separated

CELLS = st.text(st.sampled_from('ab ,;"\n\r\té中'), max_size=6)
ROWS = st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=30)


def in_parts(path, size, places=True):
    """All rows with their numbers and lines, read part by part in another order."""
    table = table_at(path)
    found = []
    for part in reversed(list(table.parts(size))):
        blocks = list(table.blocks(part._replace(content=None), stop))
        found[:0] = [
            (block.first() + i, place.line if places else 0, row)
            for block in blocks
            for i, (place, row) in enumerate(zip(block.places, block.rows, strict=True))
        ]
    return found


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
def test_a_mark_within_a_cell_opens_nothing(tmp_path, small_parts, text):
    path = tmp_path / "t.csv"
    path.write_text(text)
    expected = list(csv.reader(io.StringIO(text, newline="")))[1:]
    assert [list(row.values()) for _, _, row in in_parts(path, 1)] == expected


def test_a_mark_that_never_closes_is_named(tmp_path, small_parts):
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,2\n3,"4\n' + "5,6\n" * 50)
    with pytest.raises(FormatError, match=r"t.csv:3: expected rows of cells, found a broken one"):
        in_parts(path, 2)


def test_a_row_that_is_longer_than_a_part_is_whole(tmp_path, small_parts):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1," + "x" * 500 + '\n2,"' + "y\n" * 200 + '"\n3,z\n')
    found = in_parts(path, 10)
    assert [len(row["b"]) for _, _, row in found] == [500, 400, 1]
    assert [line for _, line, _ in found] == [2, 3, 204]


def test_a_worker_reads_cells_as_long_as_a_book(tmp_path):
    """Python's own limit holds in a process that did not open the table itself."""
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,"' + "x, " * 100_000 + '"\n')
    table = table_at(path)
    (part,) = table.parts()
    before = csv.field_size_limit(2**17)
    try:
        (block,) = table.blocks(part, stop)
        assert len(block.rows[0]["b"]) == 300_000
    finally:
        csv.field_size_limit(before)


def test_a_file_that_shrinks_between_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a\n" + "1\n" * 100)
    table = Separated.at(path, ",")
    (part,) = table.parts()
    path.write_text("a\n1\n")
    with pytest.raises(FormatError, match="was it changed while it was read"):
        list(table.blocks(part._replace(content=None), stop))
    lines = tmp_path / "t.jsonl"
    lines.write_text('{"a": 1}\n' * 100)
    *_, last = (table := table_at(lines)).parts(10)
    lines.write_text('{"a": 1}\n')
    with pytest.raises(FormatError, match="was it changed while it was read"):
        table.numbered(last)


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
@pytest.mark.parametrize("packed", ["gz", "zst"])
def test_packed_tables_have_the_same_rows(tmp_path, monkeypatch, ending, packed):
    plain, path = tmp_path / f"t.{ending}", tmp_path / f"t.{ending}.{packed}"
    if ending == "jsonl":
        plain.write_text("".join(f'{{"id": {i}, "candidate": "c {i}"}}\n' for i in range(3000)))
    else:
        plain.write_text("id,candidate\n" + "".join(f'{i},"c, {i}"\n' for i in range(3000)))
    if packed == "gz":
        with gzip.open(path, "wb") as file, plain.open("rb") as content:
            shutil.copyfileobj(content, file)
    else:
        with pyarrow.CompressedOutputStream(path, "zstd") as file:
            file.write(plain.read_bytes())
    monkeypatch.setattr("summetry.formats.parts.PART_BYTES", 4000)
    expected = [(place.line, cells) for place, cells in read_cells(plain)]
    assert [(place.line, cells) for place, cells in read_cells(path)] == expected
    assert 1000 < rows_about(path) < 9000
    # Half of it is refused, whatever was read before.
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(FormatError, match=rf"t.{ending}.{packed}: expected a whole file that "):
        list(read_cells(path))
