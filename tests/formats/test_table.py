"""One table: what its columns mean, in four kinds of file, and in frames of other libraries."""

import csv
import json
import math
import re

import pandas
import polars
import pyarrow
import pytest
from format_checks import noted, notes_on_writing, refusal
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry import evaluate, load
from summetry.engine.tables import TablePlan
from summetry.errors import SummetryWarning
from summetry.formats import recognise
from summetry.formats.lines import stop
from summetry.formats.table import Table, read_rows
from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic, with_units

KINDS = ["jsonl", "csv", "tsv", "parquet"]


@pytest.fixture
def store(write):
    """Writes rows to a table of any kind, by means that are not ours."""

    def make(rows, kind="jsonl"):
        path = write(f"table.{kind}", rows if kind == "jsonl" else "")
        if kind == "parquet":
            pyarrow = pytest.importorskip("pyarrow")
            parquet = pytest.importorskip("pyarrow.parquet")
            parquet.write_table(pyarrow.Table.from_pylist(rows), path)
        elif kind != "jsonl":
            with path.open("w", encoding="utf-8", newline="") as file:
                dialect = "excel-tab" if kind == "tsv" else "excel"
                out = csv.writer(file, dialect, lineterminator="\n")
                out.writerow(rows[0])
                for row in rows:
                    cells = row.values()
                    out.writerow([json.dumps(c) if isinstance(c, list) else c for c in cells])
        return path

    return make


def rows_of(path, **columns):
    return list(read_rows(path, columns, stop))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_holds_the_same_rows_and_cells_of_a_megabyte(store, kind):
    row = {"id": "a", "system": "s", "candidate": "c", "references": ["r1", "r2"], "source": "S."}
    rows = [
        row,
        row | {"id": "b", "candidate": "", "references": ["é"], "source": "word " * 200_000},
    ]
    read = rows_of(store(rows, kind))
    cells = [(r.id, r.system, r.candidate, list(r.references), r.source) for r in read]
    assert cells == [tuple(row.values()) for row in rows]
    assert [r.place.line for r in read] == ([1, 2] if kind in ("jsonl", "parquet") else [2, 3])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("category", ["sea", "[1]", ("sea", "land"), ("one",), "", None, 7])
def test_the_category_of_a_topic_is_a_name_or_a_list_of_names_and_stays_it(store, kind, category):
    cell = [*category] if isinstance(category, tuple) else category
    rows = [{"id": "a", "system": s, "candidate": "c", "Category": cell} for s in ("s1", "s2")]
    path = store(rows, kind)
    corpus = load(path)
    expected = {None: "", 7: "7"}.get(category, category)
    assert corpus.topics == (Topic("a", category=expected),)
    assert all(summary.meta == {} for summary in corpus.summaries)
    Table().write(corpus, path)
    assert load(path) == corpus


ODD = 'He said "no",\n\nand\tleft.\n  \n'
NUMBERED = {"candidate": "x", "reference_10": "10", "reference_2": "2", "reference": "0"}
NUMBERED |= {"references": ["11", "12"], "reference 3": "3", "reference_4": None}
GUESSED = [
    {"id": "a", "reference": "r a", "bart": "b a", "t5": "t a"},
    {"id": "b", "reference": "r b", "bart": "b b", "t5": ""},
]
BY_COLUMN = {name: [row[name] for row in GUESSED] for name in GUESSED[0]}
MAPPED = [{"summary": "c", "gold": "g", "silver": "s", "bronze": "b", "text": "T"}]
NAMES = {"candidate": "summary", "reference": "gold+silver", "source": "text"}
BOTH = {"candidate": "bart+t5"}
REFERENCES = [{"text": ["The ferry sank.", "It rained."]}, {"text": "A ferry was lost."}]
SACREROUGE = [
    {"instance_id": topic, "summarizer_id": who, "summarizer_type": "peer",
     "summary": {"text": text}, "documents": [{"text": ["A ferry sank in fog."]}],
     "references": [{"summarizer_id": "A", **reference} for reference in REFERENCES]}
    for topic, who, text in [
        ("d1", "1", ["A ferry sank.", "Nobody died."]), ("d1", "2", "Fog."), ("d2", "1", [])]
]  # fmt: skip
# The ending of a file, what it holds, and how columns are mapped.
SMALL = {
    "a number as id": ("jsonl", [{"candidate": "x", "id": 7}], {}),
    "no id and no system": (
        "jsonl", [{"candidate": "x"}, {"candidate": "y", "id": None, "system": ""}], {}),
    "an empty id": ("jsonl", [{"candidate": "x", "id": ""}], {}),
    "no column of ids": ("jsonl", [{"candidate": "x"}], {}),
    "references in the order of their numbers": ("jsonl", [NUMBERED], {}),
    "a reference as candidate": (
        "jsonl", [{"reference_1": "one", "reference_2": "two"}], {"candidate": "reference_2"}),
    "a list of sentences is one text": (
        "jsonl", [{"candidate": ["One.", "Two."], "reference": ["A.", "B."]}], {}),
    "an object": ("json", '{"candidate": "a b", "reference": "c"}', {}),
    **{f"marks in {kind}": (kind, [{"candidate": ODD, "reference": ODD}], {})
       for kind in ("csv", "tsv")},
    "cells of a single column may be blank": ("csv", 'candidate\n""\n \nx\n', {}),
    "a byte order mark and CRLF": (
        "csv", b'\xef\xbb\xbfcandidate,id\r\n"two\r\nlines",1\r\n', {}),
    **{f"references in a cell: {cell}": ("csv", [{"candidate": "x", "references": cell}], {})
       for cell in ("one text", '["a", "b"]', "['it', \"it's\"]", " ['a']")},
    **{f"other names in {kind}": (kind, MAPPED, NAMES) for kind in KINDS},
    "semicolons": ("csv", 'id;candidate;reference\na;"one; two, three";four\n', {}),
    "a comma in the header is the separator": ("csv", "id,candidate,a;b\na,one,x\n", {}),
    "rows after line ends and blank lines": (
        "csv", '\nid,candidate\n\na,"x\n\ny"\n\nb,z\n', {}),
    **{f"a column for each system in {kind}": (kind, GUESSED, BOTH) for kind in KINDS},
    "systems that are guessed": ("jsonl", GUESSED, {}),
    "each text an object, as sacrerouge writes it": ("jsonl", SACREROUGE, {}),
    "a list of rows": ("json", json.dumps(GUESSED), BOTH),
    "a list of rows in many lines": ("json", json.dumps(GUESSED, indent=1), BOTH),
    "a list of rows in lines": ("json", "[" + ",\n".join(map(json.dumps, GUESSED)) + "]", BOTH),
    "lists by column": ("json", json.dumps(BY_COLUMN), BOTH),
    "lists by column in many lines": ("txt", json.dumps(BY_COLUMN, indent=2), BOTH),
    "lines of another ending": ("json", "".join(f"{json.dumps(r)}\n" for r in GUESSED), BOTH),
}  # fmt: skip


@pytest.mark.parametrize("case", SMALL)
def test_rows_of_small_tables(store, write, case, snapshot):
    kind, content, columns = SMALL[case]
    path = store(content, kind) if isinstance(content, list) else write(f"table.{kind}", content)
    assert noted(recognise, path)[0].name == "table" or columns == NAMES
    rows, lines = noted(rows_of, path, **columns)
    for row in rows:
        lines.append(f"{row.place}: {row.id}, {row.system}: {row.candidate!r}")
        lines += [f"  {what}" for what in (row.references, row.source, row.rest) if what]
    assert "\n".join(map(str, lines)) == snapshot


def test_a_mapping_that_does_not_fit_is_refused(store, refused):
    path = store([{"candidate": "c", "gold": "g"}])
    wrong = {"candidat": "summary"}, {"reference": "glod"}, {"source": "gold+x"}
    refused(lambda names: load(path, "table", columns=names), [*wrong, {"candidate": "summary"}])


def test_a_parquet_file_is_recognised_whatever_its_name_and_its_faults_are_named(store):
    path = store([{"candidate": "x"}, {"candidate": None}], "parquet")
    message = "row 2 of table.parquet: expected text in 'candidate', found null"
    assert refusal(load, path).startswith(message)
    content = path.read_bytes()
    for cut in (10, -10):
        path.write_bytes(content[:cut])
        message = refusal(load, path, "table")
        assert message.startswith("table.parquet: expected a Parquet file, found a broken one (")
        assert "\n" not in message
    path.write_bytes(content)
    assert recognise(path.rename(path.with_suffix(".txt"))).name == "table"


def test_categories_that_do_not_fit_are_refused(store, refused):
    def read(*cells):
        row = {"id": "a", "candidate": "c"}
        load(store([row | {"system": str(i), "category": c} for i, c in enumerate(cells)]))

    refused(read, [("sea", "land"), ([1], [1]), (["sea", "sea"],), (["sea", ""],)])


def test_bad_rows_are_left_out_and_listed_and_a_bad_header_stops_the_reading(write):
    rows = b"id,candidate,reference\n1,a,r\n2,b\n3,\xff,r\n1,again,r\n1,x,other\n4,d,r\n"
    corpus = load(write("t.csv", rows), on_error="skip")
    assert [s.topic for s in corpus.summaries if s.role == "candidate"] == ["1", "4"]
    assert [re.match(r"t\.csv:(\d+): ", p)[1] for p in corpus.problems] == ["3", "4", "5", "6"]
    message = refusal(load, write("t.csv", b"candidate,r\xe9\na,b\n"), on_error="skip")
    assert message.startswith("t.csv:1: expected UTF-8, found the byte 0xe9")


def test_a_file_that_is_not_there_is_answered_with_a_near_one(write):
    # A table of a header alone is an empty corpus.
    corpus, notes = noted(load, write("table.csv", "candidate,reference\n"))
    assert (corpus.summaries, notes) == ((), ["table.csv: the corpus has no topics"])
    message = "tabel.csv: no such file or folder. Did you mean 'table.csv'?"
    assert refusal(load, "tabel.csv") == message
    assert ": no such file or folder. There is no folder no ei" in refusal(load, "no/table.csv")


words = st.text(max_size=8) | st.sampled_from(
    ['a "b", c', "x\n\ny", "\r", "a\r\nb", "\u2028", "\t", "[1]", "", "null"]
)
TABLES = st.lists(
    st.tuples(words, st.lists(words, max_size=3), words, words), min_size=1, max_size=4
)


@pytest.mark.parametrize("kind", KINDS)
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


def test_the_text_of_an_extract_and_of_several_documents_is_written(write):
    documents = (Document("d1", units=("One.", "Two.")), Document("d2", units=("Six.",)))
    extract = Summary("t1", "lead", "candidate", units=(0,))
    summaries = extract, Summary("t1", "anna", "reference", text="m")
    corpus = Corpus(topics=(Topic("t1", documents=documents),), summaries=summaries)
    path = write("t.csv")
    assert len(notes_on_writing("table", corpus, path)) == 1
    (row,) = rows_of(path)
    assert (row.candidate, row.references, row.source) == ("One.", ("m",), "One.\nTwo.\n\nSix.")


def test_a_plan_over_a_table_gives_each_row_its_own_references_and_finds_rows_twice(store):
    row = {"id": "a", "source": "S"}
    rows = [row | {"system": s, "candidate": s, "reference": f"r{s}"} for s in "12"]
    items = list(TablePlan(store(rows), language="en").items())
    assert [item.row.author for item in items] == ["1", "2"]
    (comparison,) = items[1].comparisons
    assert [side.text for side in comparison.references] == ["r2"]
    assert (comparison.material.source, comparison.material.language) == ("S", "en")
    # Before anything is scored.
    assert refusal(getattr, TablePlan(store([*rows, rows[0]])), "facts") == (
        "table.jsonl:3: expected one row for id 'a' and system '1', found a second one, the first "
        "is table.jsonl:1; leave one of them out, or give it another id or system"
    )


def test_a_missing_summary_of_one_system_leaves_the_others(store):
    path, problems = store([{"reference": "r", "bart": "b b", "t5": None}]), []
    (row,) = read_rows(path, {"candidate": "bart+t5"}, problems.append)
    assert row.system == "bart"
    assert "expected text in 't5', found null" in str(problems[0])


@pytest.mark.parametrize(("rows", "count", "said"), [
    ([{"candidate": text, "reference": "a"} for text in ("a", None, "b", 3)], 2,
     r"left out 2 records; the first: .*:2: expected text in 'candidate', found null"),
    ([{"reference": "a b", "bart": "a b", "t5": "c"}], 1,
     r"'t5' is left aside, .*columns=.*bart\+t5"),
], ids=["records that are left out", "a column that is left aside"])  # fmt: skip
def test_what_is_not_read_is_said_at_the_line_of_the_caller(store, rows, count, said):
    with pytest.warns(SummetryWarning, match=said) as warned:
        table = evaluate(store(rows), "rouge1", on_error="skip")
    assert len(table.rows) == count
    assert {warning.filename for warning in warned} == {__file__}


def test_the_names_that_people_use_are_read_in_a_long_table(store):
    """What is decided by the first rows holds for all."""
    row = {"doc_id": "x", "model": "m", "article": "s", "highlights": "r", "summary": "c"}
    read, notes = noted(rows_of, store([row | {"doc_id": str(i)} for i in range(250)]))
    assert "'summary' is taken for the candidate, 'highlights'" in notes[0]
    cells = {(r.system, r.source, r.references, r.candidate) for r in read}
    assert cells == {("m", "s", ("r",), "c")}
    assert [r.id for r in read] == [str(number) for number in range(250)]


def test_a_table_without_headings_or_with_very_many_columns_gets_a_short_message(write):
    text = "\n".join([",".join(["A long summary of it all. " * 99] * 2)] * 2)
    for content in (text, text.replace(",", ",B")):
        message = refusal(load, write("t.csv", content))
        assert len(message) < 305
    assert "write the names of the columns above it, such as id,system,cand" in message
    text = "\n".join([",".join(f"c{i}" for i in range(99)), ",".join("9" * 99)])
    message = refusal(load, write("t.csv", text))
    assert re.search("found the columns c0, c1, .*, c19 and 79 more; name", message)


# --- frames of pandas and polars, Arrow tables and lists of dicts are read as files are ---


PAIRS = [
    {"id": "t1", "system": "a", "reference": "x y", "summary": "x y"},
    {"id": "t1", "system": "b", "reference": "x y", "summary": "x z"},
    {"id": "t2", "system": "a", "reference": "u v", "summary": "u v"},
    {"id": "t2", "system": "b", "reference": "u v", "summary": "w w"},
]
TAKEN = "the table: 'summary' is taken for the candidate"


class Dataset:
    """Rows as the package datasets has them: names of columns, and a list on request."""

    column_names = tuple(PAIRS[0])

    def __init__(self, rows):
        self.rows = rows

    def to_list(self):
        return self.rows


FRAMES = {
    "pandas": pandas.DataFrame,
    "pandas with an index": lambda rows: pandas.DataFrame(rows).set_index(["id", "system"]),
    "polars": polars.DataFrame,
    "arrow": pyarrow.Table.from_pylist,
    "dicts": list,
    "dataset": Dataset,
}
# Half of the words of "x z" are right, and none of "w w".
EXPECTED = {("t1", "a"): 1.0, ("t1", "b"): 0.5, ("t2", "a"): 1.0, ("t2", "b"): 0.0}


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_is_evaluated_as_a_file_of_its_rows_is_and_scored_row_by_row(kind):
    with pytest.warns(SummetryWarning, match=TAKEN):
        table = summetry.evaluate(FRAMES[kind](PAIRS), "rouge1.f")
    values = {(row.topic, row.author): f for row, (f,) in zip(table.rows, table.data, strict=True)}
    assert values == EXPECTED
    with pytest.warns(SummetryWarning, match=TAKEN):
        scores = summetry.score(FRAMES[kind](PAIRS), metrics="rouge1")
    assert scores["rouge1"].f.tolist() == list(EXPECTED.values())


def test_scores_of_a_frame_keep_its_index():
    frame = pandas.DataFrame({"candidate": ["a", "b"], "reference": ["a", "a"]}, index=["p", "q"])
    assert summetry.score(frame, metrics="lcs.f").to_pandas()["lcs.f"].to_dict() == {"p": 1, "q": 0}


def test_columns_of_a_frame_are_named(tmp_path):
    frame = pandas.DataFrame({"mine": ["a b"], "theirs": ["a c"], "gold": ["a b"]})
    columns = {"candidate": "theirs", "reference": "gold"}
    # A note would be a warning, and a warning fails a test.
    assert summetry.score(frame, metrics="rouge1", columns=columns)["rouge1"].f == [0.5]
    both = columns | {"candidate": "mine+theirs"}
    assert summetry.evaluate(frame, "rouge1.f", columns=both).data.T.tolist() == [[1, 0.5]]
    corpus = summetry.load(frame, columns=columns)
    assert [corpus.text_of(s) for s in corpus.summaries] == ["a b", "a c"]


def test_lists_of_references_and_missing_cells_are_understood():
    cells = {"references": [["a", "x"], None, pandas.NA], "source": ["a b", math.nan, pandas.NaT]}
    frame = pandas.DataFrame({"candidate": ["a", "b", "c"]} | cells)
    corpus = summetry.load(frame)
    texts = [(s.topic, corpus.text_of(s)) for s in corpus.summaries if s.role == "reference"]
    assert texts == [("1", "a"), ("1", "x")]
    assert [len(topic.documents) for topic in corpus.topics] == [1, 0, 0]
    arrays = pandas.DataFrame({"candidate": ["a"], "references": [frame.references[:1].to_numpy()]})
    arrays.at[0, "references"] = pandas.array(["a", "x"]).to_numpy()
    assert summetry.score(arrays, metrics="lcs.f")["lcs.f"] == [0.5]


TEXTS = pandas.DataFrame({"candidate": ["a", None], "reference": ["a", "b"]})
SEVERAL = pandas.DataFrame({"bart": ["a b"], "t5": ["a c"], "reference": ["a b"]})


MINE = TEXTS.rename(columns={"candidate": "mine"}).assign(mine=3)


@pytest.mark.filterwarnings("ignore:.*'bart' and 't5' are taken for the candidates of")
def test_what_cannot_be_read_or_does_not_go_with_a_frame_is_refused(refused):
    refused(lambda name, *given: getattr(summetry, name)(*given[:-1], **given[-1]), {
        "score a missing text": ("score", TEXTS, {}),
        "load without the candidate": ("load", TEXTS, {"columns": {"candidate": "x"}}),
        "score numbers": ("score", MINE, {}),
        "score without the source": ("score", TEXTS[:1], {"columns": {"source": "x"}}),
        "load columns twice": ("load", pandas.concat([TEXTS, TEXTS], axis=1), {}),
        "load a column": ("load", TEXTS.candidate, {}),
        "load as MEAD": ("load", TEXTS, "mead", {}),
        "score with references": ("score", SEVERAL, "rouge1", {}),
        "score two systems": ("score", SEVERAL, {}),
        "score lists by columns": ("score", ["a"], ["a"], {"columns": {"candidate": "bart"}}),
        "evaluate a corpus by columns": (
            "evaluate", summetry.load(SEVERAL, columns={"candidate": "t5"}),
            {"columns": {"id": "x"}}),
    })  # fmt: skip


def test_frames_of_scores_and_of_judgments_are_correlated():
    names = [(topic, system) for system in "abc" for topic in ("t1", "t2")]
    cells = {"id": [t for t, _ in names], "system": [s for _, s in names]}
    scores = pandas.DataFrame(cells | {"bertscore": [1, 2, 3, 4, 8, 6]})
    marks = pandas.DataFrame(cells | {"coherence": [1, 1, 2, 2, 5, None], "remark": list("uvwxyz")})
    with pytest.warns(SummetryWarning, match="the judgments: columns that are no judgments: 'rem"):
        correlations = summetry.correlate(scores, marks, tests=False)
    (pearson, *_) = correlations.tables[0].rows
    # The means of a, b and c, of which c has one judgment: 1.5, 3.5, 8 and 1, 2, 5.
    expected = pandas.Series([1.5, 3.5, 8]).corr(pandas.Series([1, 2, 5]))
    assert pearson.value == pytest.approx(expected, abs=1e-12)
    marks = marks.drop(columns="remark")
    again = summetry.correlate(polars.from_pandas(scores), marks[:5], tests=False)
    assert again.tables[0].rows[0].value == pearson.value
    message = refusal(summetry.correlate, scores.drop(columns="id"), marks)
    assert message.startswith("row 1 of the scores: expected a column 'id', found the columns sys")
    message = refusal(summetry.correlate, scores, marks.drop(columns="system"))
    assert message.startswith("row 1 of the judgments: expected the columns id, sys")
