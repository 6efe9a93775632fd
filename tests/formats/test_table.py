"""One table: what its columns mean, in four kinds of file, and what is wrong with a row."""

import csv
import json
import re

import pytest
from format_checks import notes_on_writing
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry import evaluate, load
from summetry.engine.tables import TablePlan
from summetry.errors import FormatError, SummetryError, SummetryWarning
from summetry.formats import FORMATS, recognise
from summetry.formats.lines import stop
from summetry.formats.table import Table, read_rows
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic, with_units

KINDS = ["jsonl", "csv", "tsv", "parquet"]


@pytest.fixture
def store(tmp_path):
    """Writes rows to a table of any kind, by means that are not ours."""

    def make(rows, kind="jsonl", name="table"):
        path = tmp_path / f"{name}.{kind}"
        if kind == "jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        elif kind == "parquet":
            pyarrow = pytest.importorskip("pyarrow")
            parquet = pytest.importorskip("pyarrow.parquet")
            parquet.write_table(pyarrow.Table.from_pylist(rows), path)
        else:
            with path.open("w", encoding="utf-8", newline="") as file:
                out = csv.writer(
                    file, delimiter="\t" if kind == "tsv" else ",", lineterminator="\n"
                )
                out.writerow(rows[0])
                for row in rows:
                    cells = row.values()
                    out.writerow([json.dumps(c) if isinstance(c, list) else c for c in cells])
        return path

    return make


def rows_of(path, **columns):
    return list(read_rows(path, columns, stop))


def failure(path, **options):
    with pytest.raises(SummetryError) as caught:
        load(path, "table", **options)
    return str(caught.value).replace(str(path), "TABLE")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_holds_the_same_rows(store, kind):
    rows = [
        {"id": "a", "system": "s", "candidate": "c", "references": ["r1", "r2"], "source": "S. T."},
        {"id": "b", "system": "s", "candidate": "", "references": ["é"], "source": "x"},
    ]
    read = rows_of(store(rows, kind))
    assert [(r.id, r.system, r.candidate, r.references, r.source) for r in read] == [
        ("a", "s", "c", ("r1", "r2"), "S. T."),
        ("b", "s", "", ("é",), "x"),
    ]
    assert [r.place.line for r in read] == ([1, 2] if kind in ("jsonl", "parquet") else [2, 3])


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_becomes_topics_candidates_and_references(store, kind):
    rest = {"reference": "r", "source": "One. Two.", "more": "m"}
    rows = [{"id": "a", "system": system, "candidate": system, **rest} for system in ("s1", "s2")]
    corpus = load(store(rows, kind), language="en")
    assert corpus.name == "table"
    assert corpus.topics == (with_units(Topic("a", documents=(Document("a", text="One. Two."),))),)
    assert corpus.summaries == (
        Summary("a", "reference 1", "reference", text="r"),
        Summary("a", "s1", "candidate", text="s1", meta={"more": "m"}),
        Summary("a", "s2", "candidate", text="s2", meta={"more": "m"}),
    )


def test_rows_without_id_or_system_are_numbered_and_called_candidate(store):
    path = store([{"candidate": "x"}, {"candidate": "y", "id": None, "system": ""}])
    with pytest.warns(SummetryWarning) as said:
        rows = rows_of(path)
    assert [str(one.message).partition(": ")[2] for one in said] == [
        "this row and 1 other have no 'id', so 'row 1' is taken here",
        "this row and 1 other have no 'system', so 'candidate' is taken",
    ]
    assert [(row.id, row.system) for row in rows] == [
        ("row 1", "candidate"),
        ("row 2", "candidate"),
    ]
    with pytest.warns(SummetryWarning, match="this row has no 'id', so 'row 1' is taken$"):
        assert rows_of(store([{"candidate": "x", "id": ""}]))[0].id == "row 1"
    (row,) = rows_of(store([{"candidate": "x"}]))
    assert (row.id, row.system) == ("1", "candidate")
    assert rows[0].references == ()
    assert rows[0].source is None


def test_an_id_may_be_a_number(store):
    assert rows_of(store([{"candidate": "x", "id": 7}]))[0].id == "7"


def test_numbered_references_come_in_the_order_of_their_numbers(store):
    row = {"candidate": "x", "reference_10": "10", "reference_2": "2", "reference": "0"}
    row |= {"references": ["11", "12"], "reference 3": "3", "reference_4": None}
    (read,) = rows_of(store([row]))
    assert read.references == ("0", "2", "3", "10", "11", "12")
    assert read.rest == {}


def test_a_list_of_sentences_is_one_text(store):
    (row,) = rows_of(store([{"candidate": ["One.", "Two."], "reference": ["A.", "B."]}]))
    assert row.candidate == "One.\nTwo."
    assert row.references == ("A.\nB.",)


@pytest.mark.parametrize("kind", KINDS)
def test_other_names_are_mapped(store, kind):
    path = store([{"summary": "c", "gold": "g", "silver": "s", "bronze": "b", "text": "T"}], kind)
    columns = {"candidate": "summary", "reference": "gold+silver", "source": "text"}
    (row,) = rows_of(path, **columns)
    assert (row.candidate, row.references, row.source) == ("c", ("g", "s"), "T")
    assert row.rest == {"bronze": "b"}
    assert load(path, columns=columns, format="table").summaries[-1].meta == {"bronze": "b"}


def test_a_numbered_reference_can_be_the_candidate(store):
    rows = [{"reference_1": "one", "reference_2": "two"}]
    (row,) = rows_of(store(rows), candidate="reference_2")
    assert (row.candidate, row.references) == ("two", ("one",))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"candidat": "summary"},
         "columns: no column is called 'candidat'. Did you mean 'candidate'? "
         "Known: candidate, reference, references, source, system, id."),
        ({"reference": "glod"},
         "TABLE: columns names the column 'glod', which no row has. Did you mean 'gold'? "
         "Its columns: candidate, gold."),
        ({"source": "gold+x"}, "columns: source is one column, got 'gold+x'"),
        ({"candidate": "summary"},
         "TABLE:1: expected a column 'summary', found the columns candidate, gold; "
         "name it with columns={'candidate': 'NAME'}"),
    ],
)  # fmt: skip
def test_a_mapping_that_does_not_fit_is_refused(store, columns, message):
    assert failure(store([{"candidate": "c", "gold": "g"}]), columns=columns) == message


def test_embedded_newlines_quotes_and_blank_lines_in_csv_are_kept(store):
    odd = 'He said "no",\n\nand\tleft.\n  \n'
    for kind in ("csv", "tsv"):
        (row,) = rows_of(store([{"candidate": odd, "reference": odd}], kind))
        assert row.candidate == odd
        assert row.references == (odd,)


def test_a_row_after_embedded_newlines_and_blank_lines_has_its_own_line(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('\nid,candidate\n\na,"x\n\ny"\n\nb,z\n')
    assert [(row.id, row.place.line) for row in rows_of(path)] == [("a", 4), ("b", 8)]


def test_the_cells_of_a_single_column_may_be_blank(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('candidate\n""\n \nx\n')
    assert [row.candidate for row in rows_of(path)] == ["", " ", "x"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_cell_of_a_megabyte_is_read_whole(store, kind):
    huge = "word " * 200_000
    (row,) = rows_of(store([{"candidate": huge, "reference": "r"}], kind))
    assert row.candidate == huge


@pytest.mark.parametrize(
    ("kind", "content", "message"),
    [
        ("csv", "id,candidate\n1,a\n2\n", ":3: expected 2 cells in the row, found 1"),
        ("csv", "id,candidate\n1,a,b\n", ":2: expected 2 cells in the row, found 3; put a cell "
         "with ',' in it in quotation marks"),
        ("tsv", "id\tcandidate\n1\ta\tb\n", ":2: expected 2 cells in the row, found 3; put a "
         r"cell with '\t' in it in quotation marks"),
        ("csv", "id|candidate\n1|a, b\n", ":2: expected 1 cell in the row, found 2; cells seem to "
         "be separated by '|': put commas between them"),
        ("tsv", "id,candidate\n1,a\n", ":2: expected a column 'candidate', found one column "
         "'id,candidate'; its cells seem to be separated by commas: give the file the ending .csv"),
        ("csv", "date,gold,bart,t5\n2024-01-01,a,cat,dog\n", ":2: expected a column 'candidate', "
         "found the columns date, gold, bart, t5; name it with columns={'candidate': 'NAME'}; "
         "columns of single words are taken with columns={'candidate': 'bart+t5'}"),
        ("csv", "candidate,id,id\na,1,2\n", ":1: expected each column once, found 'id' more than "
         "once; rename one of them"),
        ("csv", 'id,candidate\n1,"a"b\n', ":2: expected rows of cells, found a broken one "
         "(',' expected after '\"'); double the quotation marks inside of a quoted cell, or take "
         "out the one that is never closed"),
        ("csv", 'id,candidate\n1,x\n2,"a\n3,b\n', ":3: expected rows of cells, found a broken one "
         "(unexpected end of data); double the quotation marks inside of a quoted cell, or take "
         "out the one that is never closed"),
        ("csv", "id,candidate\n1,a\rb\n", ":2: expected rows of cells, found a carriage return in "
         "a cell without quotation marks; put the cell in quotation marks, or take the carriage "
         "return out"),
        ("csv", b"id,candidate\n1,caf\xe9\n", ":2: expected UTF-8, found the byte 0xe9 at byte 6 "
         "of the line; save the file as UTF-8"),
        ("csv", "who,gold\na,b\n", ":2: expected a column 'candidate', found the columns "
         "who, gold; name it with columns={'candidate': 'NAME'}"),
        ("csv", "candidat,gold\na,b\n", ":2: expected a column 'candidate', found the columns "
         "candidat, gold; name it with columns={'candidate': 'NAME'}. Did you mean 'candidat'?"),
        ("jsonl", '{"id": "t1", "documents": []}\n', ":1: expected a column 'candidate', found the "
         "columns id, documents; this looks like a file of a corpus folder: give the folder "
         "instead"),
        ("jsonl", '{"candidate": null}\n', ":1: expected text in 'candidate', found null; "
         'write "" for an empty summary'),
        ("jsonl", '{"candidate": 5}\n', ":1: expected text in 'candidate', found the number 5"),
        ("jsonl", '{"candidate": "a", "reference": {"x": 1}}\n',
         """:1: expected text in 'reference', found "{'x': 1}\""""),
        ("jsonl", '{"candidate": "a", "references": {"x": "y"}}\n', ":1: expected a text or a list "
         "of texts in 'references', found \"{'x': 'y'}\""),
        ("jsonl", '{"candidate": "a", "references": [1]}\n', ":1: expected a text or a list "
         "of texts in 'references', found '[1]'"),
        ("csv", 'candidate,references\na,"[1, 2]"\n', ":2: expected a text or a list "
         "of texts in 'references', found '[1, 2]'"),
        ("csv", "candidate,references\na,[broken\n", ":2: expected a text or a list "
         "of texts in 'references', found '[broken'"),
        ("jsonl", '{"candidate": "a"}\n{"candidate": "b\n', ":2: expected one JSON object a line, "
         "found '{\"candidate\": \"b' (JSON is malformed: invalid character (byte 16))"),
        ("jsonl", '{"candidate": "a"}\n{"candid', ":2: expected a complete JSON object, found the "
         "end of the file in the middle of it; was the file cut off when it was written or "
         "copied?"),
        ("jsonl", '{"id": "a", "candidate": "x", "reference": "r", "system": "1"}\n'
         '{"id": "a", "candidate": "x", "reference": "q", "system": "2"}\n',
         ":2: expected the references and source of id 'a' at TABLE:1, found others; "
         "give it another id; `summetry score` on the table takes each row's own"),
        ("jsonl", '{"id": "a", "candidate": "x", "source": "s", "system": "1"}\n'
         '{"id": "a", "candidate": "x", "source": "t", "system": "2"}\n',
         ":2: expected the references and source of id 'a' at TABLE:1, found others; "
         "give it another id; `summetry score` on the table takes each row's own"),
        ("jsonl", '{"id": "a", "candidate": "x"}\n{"id": "a", "candidate": "y"}\n',
         ":2: expected one summary a candidate candidate, found a second one, the first is "
         "TABLE:1"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_row_is_named_with_its_line(tmp_path, kind, content, message):
    path = tmp_path / f"table.{kind}"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert failure(path) == f"TABLE{message}"


def test_a_null_candidate_of_a_parquet_file_is_named_with_its_row(store):
    path = store([{"candidate": "x"}, {"candidate": None}], "parquet")
    assert failure(path).startswith("row 2 of TABLE: expected text in 'candidate', found null")


@pytest.mark.parametrize("cut", [10, -10])
def test_a_parquet_file_that_was_cut_is_named(store, cut):
    path = store([{"candidate": "x"}], "parquet")
    path.write_bytes(path.read_bytes()[:cut])
    message = failure(path)
    assert message.startswith("TABLE: expected a Parquet file, found a broken one (")
    assert "\n" not in message


def test_bad_rows_are_left_out_and_listed(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"id,candidate,reference\n1,a,r\n2,b\n3,\xff,r\n1,again,r\n1,x,other\n4,d,r\n")
    corpus = load(path, on_error="skip")
    assert [s.topic for s in corpus.summaries if s.role == "candidate"] == ["1", "4"]
    places = [re.sub(r".*t\.csv:(\d+): .*", r"\1", problem) for problem in corpus.problems]
    assert places == ["3", "4", "5", "6"]


def test_a_header_that_is_not_utf8_stops_the_reading(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"candidate,r\xe9\na,b\n")
    with pytest.raises(FormatError, match=r"t\.csv:1: expected UTF-8, found the byte 0xe9"):
        load(path, on_error="skip")


def test_a_byte_order_mark_and_crlf_are_no_part_of_a_text(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b'\xef\xbb\xbfcandidate,id\r\n"two\r\nlines",1\r\n')
    (row,) = rows_of(path)
    assert (row.candidate, row.id) == ("two\nlines", "1")


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("rows.txt", '{"candidate": "x"}\n', "table"),
        ("rows", "id,candidate\n1,x\n", "table"),
        ("rows", '"Candidate"\tid\nx\t1\n', "table"),
        ("rows.csv", "summary,gold\na,b\n", "table"),
        ("rows.TSV", "summary\tgold\na\tb\n", "table"),
        ("text.txt", "A candidate, she said.\n", "plain"),
    ],
)
def test_a_table_is_recognised_by_what_it_holds(tmp_path, name, content, format):
    path = tmp_path / name
    path.write_text(content)
    assert recognise(path).name == format


def test_a_parquet_file_is_recognised_whatever_its_name(store):
    path = store([{"candidate": "x"}], "parquet")
    assert recognise(path.rename(path.with_suffix(".txt"))).name == "table"


def test_the_format_can_be_named_instead(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text('{"candidate": "x"}')
    assert recognise(path, "plain").name == "plain"
    assert load(path, format="plain").topics[0].documents[0].text == '{"candidate": "x"}'


def test_what_nobody_recognises_is_said(tmp_path):
    path = tmp_path / "x.bin"
    path.write_bytes(b"\x00\x01")
    with pytest.raises(SummetryError) as caught:
        load(path)
    assert str(caught.value) == (
        f"{path}: not recognised as any known format; `summetry formats` lists them, "
        "format=NAME names one (`--from NAME` in `convert`)"
    )


@pytest.mark.parametrize(
    "content, blanks",
    [(b"", ""), (b"\xef\xbb\xbf", ""), (b"\n\n \r\n", " but for blanks")],
)
@pytest.mark.parametrize("name", ["x.csv", "x.jsonl"])
def test_an_empty_file_is_said(name, content, blanks, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SummetryError, match=rf"{name}: the file is empty{blanks}$"):
        load(path)


def test_a_file_that_is_not_there_is_answered_with_a_near_one(tmp_path):
    (tmp_path / "table.csv").write_text("candidate\nx\n")
    with pytest.raises(SummetryError) as caught:
        load(tmp_path / "tabel.csv")
    near = str(tmp_path / "table.csv")
    message = f"{tmp_path}/tabel.csv: no such file or folder. Did you mean {near!r}?"
    assert str(caught.value) == message
    with pytest.raises(
        SummetryError, match=r"no such file or folder\. There is no folder .*/no ei"
    ):
        load(tmp_path / "no" / "table.csv")


def test_a_table_of_a_header_alone_is_an_empty_corpus(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("candidate,reference\n")
    with pytest.warns(SummetryWarning, match=r"x\.csv: the corpus has no topics$"):
        assert load(path).summaries == ()


def test_a_folder_is_no_table(tmp_path):
    with pytest.raises(SummetryError, match=r": expected a table, found a folder$"):
        load(tmp_path, "table")


words = st.text(max_size=8) | st.sampled_from(
    ['a "b", c', "x\n\ny", "\r", "a\r\nb", "\u2028", "\t", "[1]", "", "null"]
)
TABLES = st.lists(
    st.tuples(words, st.lists(words, max_size=3), words, words), min_size=1, max_size=4
)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(rows=TABLES)
def test_a_corpus_goes_through_a_table_and_back(tmp_path_factory, kind, rows):
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path_factory.mktemp("table") / f"table.{kind}"
    topics, summaries = [], []
    for number, (candidate, references, source, free) in enumerate(rows):
        name = f"t{number}"
        topics.append(with_units(Topic(name, documents=(Document(name, text=source),))))
        for place, text in enumerate(references, 1):
            summaries.append(Summary(name, f"reference {place}", "reference", text=text))
        summaries.append(Summary(name, "s", "candidate", text=candidate, meta={"free": free}))
    corpus = Corpus(name="table", topics=tuple(topics), summaries=tuple(summaries))
    Table().write(corpus, path)
    assert load(path, "table") == corpus


def test_what_a_table_cannot_hold_is_said_when_it_is_written(tmp_path):
    path = tmp_path / "t.csv"
    documents = (Document("d1", units=("One.", "Two.")), Document("d2", units=("Six.",)))
    corpus = Corpus(
        language="en",
        topics=(Topic("t1", title="T", documents=documents), Topic("t2")),
        summaries=(
            Summary("t1", "lead", "candidate", units=(0,)),
            Summary("t1", "anna", "reference", text="m"),
        ),
        judgments=(Judgment("t1", "lead", "j", "d", 1), Judgment("t1", "lead", "k", "d", 2)),
    )
    assert notes_on_writing("table", corpus, path) == [
        "the language of the corpus, the title of 1 topic, the units of 1 summary, 2 judgments, "
        "the documents of 1 topic one by one, the authors of 1 reference, "
        "1 topic without a candidate"
    ]
    (row,) = rows_of(path)
    assert (row.candidate, row.references, row.source) == ("One.", ("m",), "One.\nTwo.\n\nSix.")


def test_the_demo_corpus_becomes_a_table_with_a_row_per_candidate(demo, tmp_path):
    with pytest.warns(SummetryWarning, match=r"cannot hold .* 324 judgments, .*that was not writ"):
        FORMATS.build("table").write(demo, tmp_path / "demo.jsonl")
    candidates = [summary for summary in demo.summaries if summary.role == "candidate"]
    rows = rows_of(tmp_path / "demo.jsonl")
    assert [(r.id, r.system, r.candidate) for r in rows] == [
        (s.topic, s.author, demo.text_of(s)) for s in candidates
    ]


def test_a_row_that_is_there_twice_is_found_before_anything_is_scored(store):
    rows = [{"id": i, "system": "s", "candidate": "x", "reference": "r"} for i in (1, 2, 1)]
    path = store(rows)
    with pytest.raises(FormatError) as caught:
        _ = TablePlan(path).facts
    assert str(caught.value) == (
        f"{path}:3: expected one row for id '1' and system 's', found a second one, the first is "
        f"{path}:1; leave one of them out, or give it another id or system"
    )


def test_a_plan_over_a_table_gives_each_row_its_own_references(store):
    rows = [
        {"id": "a", "system": s, "candidate": s, "reference": f"r{s}", "source": "S"} for s in "12"
    ]
    items = list(TablePlan(store(rows), language="en").items())
    assert [item.row.author for item in items] == ["1", "2"]
    (comparison,) = items[1].comparisons
    assert [side.text for side in comparison.references] == ["r2"]
    assert (comparison.material.source, comparison.material.language) == ("S", "en")


ROWS = [
    {"id": "a", "reference": "r a", "bart": "b a", "t5": "t a"},
    {"id": "b", "reference": "r b", "bart": "b b", "t5": ""},
]
SYSTEMS = [("a", "bart", "b a"), ("a", "t5", "t a"), ("b", "bart", "b b"), ("b", "t5", "")]


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_for_each_system_gives_a_row_for_each(store, kind):
    read = rows_of(store(ROWS, kind), candidate="bart+t5")
    assert [(row.id, row.system, row.candidate) for row in read] == SYSTEMS
    assert {row.references for row in read if row.id == "b"} == {("r b",)}
    assert all(row.rest == {} for row in read)


def test_systems_are_guessed_and_said_where_the_rest_is_known(store):
    path = store(ROWS)
    said = r"table\.jsonl: 'bart' and 't5' are taken for the candidates of systems with these"
    with pytest.warns(SummetryWarning, match=said):
        read = rows_of(path)
    assert [(row.id, row.system, row.candidate) for row in read] == SYSTEMS
    with pytest.warns(SummetryWarning, match=said):
        corpus = load(path)
    authors = [s.author for s in corpus.summaries if s.role == "candidate"]
    assert authors == ["bart", "t5", "bart", "t5"]


def test_records_that_are_left_out_are_said_at_the_line_of_the_caller(store):
    path = store([{"candidate": text, "reference": "a"} for text in ("a", None, "b", 3)])
    said = r"left out 2 records; the first: .*:2: expected text in 'candidate', found null"
    with pytest.warns(SummetryWarning, match=said) as warned:
        assert len(evaluate(path, "rouge1", on_error="skip").rows) == 2
    assert {warning.filename for warning in warned} == {__file__}


def test_a_column_that_is_left_aside_is_said_at_the_line_of_the_caller(store):
    path = store([{"reference": "a b", "bart": "a b", "t5": "c"}])
    with pytest.warns(SummetryWarning, match=r"'t5' is left aside, .*columns=.*bart\+t5") as said:
        evaluate(path, "rouge1")
    assert {warning.filename for warning in said} == {__file__}


def test_a_missing_summary_of_one_system_leaves_the_others(store):
    path = store([{"reference": "r", "bart": "b b", "t5": None}])
    problems = []
    (row,) = read_rows(path, {"candidate": "bart+t5"}, problems.append)
    assert row.system == "bart"
    assert "expected text in 't5', found null" in str(problems[0])


COLUMNS = {name: [row[name] for row in ROWS] for name in ROWS[0]}


@pytest.mark.parametrize(
    ("name", "content", "place", "numbers"),
    [
        ("x.json", json.dumps(ROWS), "row {} of {}", [1, 1, 2, 2]),
        ("x.json", json.dumps(ROWS, indent=1), "{1}:{0}", [2, 2, 8, 8]),
        ("x.json", "[" + ",\n".join(map(json.dumps, ROWS)) + "]", "{1}:{0}", [1, 1, 2, 2]),
        ("x", json.dumps(ROWS), "row {} of {}", [1, 1, 2, 2]),
        ("x.json", json.dumps(COLUMNS), "row {} of {}", [1, 1, 2, 2]),
        ("x.json", json.dumps(COLUMNS, indent=2), "row {} of {}", [1, 1, 2, 2]),
        ("x.json", "".join(json.dumps(row) + "\n" for row in ROWS), "{1}:{0}", [1, 1, 2, 2]),
        ("x.txt", json.dumps(COLUMNS, indent=2), "row {} of {}", [1, 1, 2, 2]),
    ],
)
def test_json_may_be_a_list_of_rows_or_lists_by_column(tmp_path, name, content, place, numbers):
    path = tmp_path / name
    path.write_text(content)
    assert recognise(path).name == "table"
    read = rows_of(path, candidate="bart+t5")
    assert [(row.id, row.system, row.candidate) for row in read] == SYSTEMS
    assert [str(row.place) for row in read] == [place.format(n, path) for n in numbers]


def test_a_single_object_is_a_single_row(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"candidate": "a b", "reference": "c"}')
    assert [(row.candidate, row.references) for row in rows_of(path)] == [("a b", ("c",))]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"candidate": ["a", "b"], "reference": ["c"]}',
         ": expected a list of 2 cells in each column, as in 'candidate', found 1 in 'reference'"),
        ('{"candidate": ["a", "b"], "reference": "c"}', ": expected a list of 2 cells in each "
         "column, as in 'candidate', found no list in 'reference'"),
        ('[{"candidate": "a"},\n5]', ":2: expected an object with named cells, found 5"),
        ('[{"candidate": "a"},\n]', ":2: expected a list or an object in JSON, found malformed "
         "JSON: trailing comma in array (byte 1 of the line)"),
        ('[{"candidate": "a"},\n{"candidate"\n', ":2: expected a complete list or object in JSON, "
         "found the end of the file in the middle of it; was the file cut off?"),
        ('[{"candidate": "a"},\n{"candidate": "caf\xe9"}]'.encode("latin-1"), ":2: expected UTF-8, "
         "found the byte 0xe9 at byte 19 of the line; save the file as UTF-8"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_json_is_named(tmp_path, content, message):
    path = tmp_path / "x.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert failure(path) == f"TABLE{message}"


@pytest.mark.parametrize(
    ("cell", "references"),
    [
        ("one text", ("one text",)),
        ('["a", "b"]', ("a", "b")),
        ("['it', \"it's\"]", ("it", "it's")),
        (" ['a']", ("a",)),
    ],
)
def test_a_cell_of_references_is_a_list_or_one_text(store, cell, references):
    (row,) = rows_of(store([{"candidate": "x", "references": cell}], "csv"))
    assert row.references == references


def test_the_names_that_people_use_are_read_in_a_long_table(tmp_path):
    """What is decided by the first rows holds for all."""
    path = tmp_path / "t.jsonl"
    row = {"doc_id": "x", "model": "m", "article": "s", "highlights": "r", "summary": "c"}
    rows = [row | {"doc_id": str(number)} for number in range(250)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.warns(SummetryWarning, match="'summary' is taken for the candidate, 'highlights'"):
        read = rows_of(path)
    assert {(r.system, r.source, r.references, r.candidate) for r in read} == {
        ("m", "s", ("r",), "c")
    }
    assert [r.id for r in read] == [str(number) for number in range(250)]


def test_cells_may_be_separated_by_semicolons_as_spreadsheets_do(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('id;candidate;reference\na;"one; two, three";four\n')
    with pytest.warns(SummetryWarning, match=r"t\.csv: cells are taken to be separated by ';'"):
        (row,) = read_rows(path, {}, stop)
    assert (row.id, row.candidate, row.references) == ("a", "one; two, three", ("four",))
    # A comma in the header is the separator, whatever else is there.
    path.write_text("id,candidate,a;b\na,one,x\n")
    (row,) = read_rows(path, {}, stop)
    assert (row.candidate, row.rest) == ("one", {"a;b": "x"})


def test_a_table_without_headings_gets_one_short_line(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("\n".join([",".join(["A long summary of it all. " * 99] * 2)] * 2))
    for written in (path.read_text(), path.read_text().replace(",", ",B")):
        path.write_text(written)
        with pytest.raises(FormatError) as caught:
            load(path)
        assert len(str(caught.value)) < 300 + len(str(path))
    assert "write the names of the columns above it, such as id,system,cand" in str(caught.value)


def test_of_very_many_columns_a_message_names_some(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("\n".join([",".join(f"c{i}" for i in range(99)), ",".join("9" * 99)]))
    with pytest.raises(FormatError, match=r"found the columns c0, c1, .*, c19 and 79 more; name"):
        load(path)
