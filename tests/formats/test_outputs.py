"""Outputs of systems matched with references."""

import json
from pathlib import Path

import pytest

from summetry.errors import FormatError, SummetryError
from summetry.formats.outputs import OutputReader, system_names


@pytest.fixture
def write(tmp_path):
    """Write a file of rows (JSON Lines) or of text, and give its path."""

    def put(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(content, str):
            content = "".join(json.dumps(row) + "\n" for row in content)
        path.write_text(content, encoding="utf-8")
        return path

    return put


def read(outputs, references, columns=None, on_error="stop"):
    reader = OutputReader(columns or {}, on_error)
    return reader.read(outputs, references), reader


REFERENCES = [
    {"id": "t1", "reference": "r one"},
    {"id": "t2", "references": ["r two", "or else"], "source": "the source"},
]


def test_rows_are_matched_by_id_in_whatever_order(write):
    a = write("a.jsonl", [{"id": "t2", "candidate": "two"}, {"id": "t1", "candidate": "one"}])
    b = write("b.csv", "id,candidate\nt1,uno\nt2,due\n")
    outputs, reader = read([a, b], write("refs.jsonl", REFERENCES))
    assert [row[:4] for row in outputs] == [
        ("a", "t2", "two", ("r two", "or else")),
        ("a", "t1", "one", ("r one",)),
        ("b", "t1", "uno", ("r one",)),
        ("b", "t2", "due", ("r two", "or else")),
    ]
    assert [row.source for row in outputs] == ["the source", None, None, "the source"]
    assert not reader.notes and not reader.problems


def test_numbers_and_words_are_the_same_ids(write):
    a = write("a.jsonl", [{"id": 7, "candidate": "x"}])
    outputs, _ = read([a], write("r.csv", "id,reference\n7,y\n"))
    assert outputs[0][:4] == ("a", "7", "x", ("y",))


def test_rows_without_ids_are_matched_by_number(write):
    a = write("a.txt", "one\n\nthrée\n")
    outputs, _ = read([a], write("r.jsonl", [{"reference": word} for word in "xyz"]))
    # An empty line is a system that returned nothing.
    assert [(row.id, row.text, row.references) for row in outputs] == [
        ("1", "one", ("x",)),
        ("2", "", ("y",)),
        ("3", "thrée", ("z",)),
    ]


def test_a_text_file_is_never_taken_for_a_table(write):
    a = write("a.txt", '{"candidate": 1}\ncandidate\n')
    outputs, _ = read([a], write("r.txt", "x\ny\n"))
    assert [row.text for row in outputs] == ['{"candidate": 1}', "candidate"]


@pytest.mark.parametrize("name", ["summary", "prediction", "output", "text"])
def test_other_names_of_a_summary_are_understood_and_said(write, name):
    a = write("a.jsonl", [{"id": 1, name: "x"}, {"id": 2, name: "y"}])
    refs = write("r.jsonl", [{"id": 1, "target": "p"}, {"id": 2, "target": "q"}])
    outputs, reader = read([a], refs)
    assert [(row.text, row.references) for row in outputs] == [("x", ("p",)), ("y", ("q",))]
    assert reader.notes == [
        f"{a}: {name!r} is taken for the candidate",
        f"{refs}: 'target' is taken for the reference",
    ]


def test_two_names_that_could_be_meant_are_an_error(write):
    a = write("a.jsonl", [{"prediction": "x", "output": "y"}])
    refs = write("r.txt", "z\n")
    both = (
        r"a\.jsonl:1: expected one column for the candidate, found 'prediction' and 'output'; say "
    )
    with pytest.raises(FormatError, match=both + "--columns candidate=prediction, or"):
        read([a], refs)
    outputs, _ = read([a], refs, {"candidate": "output"})
    assert outputs[0].text == "y"
    with pytest.raises(FormatError, match=r"found the columns other; name it with --columns refe"):
        read([write("b.txt", "z\n")], write("r.jsonl", [{"other": "x"}]))


def test_columns_are_mapped_on_either_side(write):
    a = write("a.jsonl", [{"doc": "t1", "out": "x"}])
    refs = write("r.jsonl", [{"doc": "t1", "gold": "g", "silver": "s", "article": "long"}])
    columns = {"candidate": "out", "id": "doc", "reference": "gold+silver", "source": "article"}
    outputs, _ = read([a], refs, columns)
    assert outputs == [("a", "t1", "x", ("g", "s"), "long")]


def test_a_column_that_is_named_and_is_not_there_is_told(write):
    a, refs = write("a.jsonl", [{"candidate": "x"}]), write("r.jsonl", [{"reference": "y"}])
    for on_error in ("stop", "skip"):
        with pytest.raises(SummetryError, match=r"r\.jsonl.*which no row has\. Did you mean"):
            read([a], refs, {"reference": "referenc"}, on_error)
        error = r"a\.jsonl:1: expected a column 'candidat', found the columns candidate; name it "
        with pytest.raises(
            FormatError, match=rf"{error}.*candidate=NAME\. Did you mean 'candidate'"
        ):
            read([a], refs, {"candidate": "candidat"}, on_error)
    with pytest.raises(SummetryError, match="--columns names the column 'doc', which no row has"):
        read([a], refs, {"id": "doc"})
    with pytest.raises(SummetryError, match="no column is called 'idd'"):
        read([a], refs, {"idd": "doc"})
    with pytest.raises(SummetryError, match="each file is a system of its own"):
        read([a], refs, {"system": "who"})


def test_a_row_of_source_alone_is_enough(write):
    a = write("a.jsonl", [{"id": 1, "candidate": "x"}])
    outputs, _ = read([a], write("r.jsonl", [{"id": 1, "source": "long"}]))
    assert outputs == [("a", "1", "x", (), "long")]


def test_ids_without_a_partner_are_named_and_counted(write):
    a = write("a.jsonl", [{"id": n, "candidate": "x"} for n in (1, 8, 9)])
    refs = write("r.jsonl", [{"id": n, "reference": "y"} for n in range(1, 8)])
    message = (
        r"no summary for 6 of 7 \('2', '3', '4', '5', '6', \.\.\.\) "
        r"and 2 that are not there \('8', '9'\); to go on without them: --on-error skip"
    )
    with pytest.raises(SummetryError, match=message):
        read([a], refs)
    outputs, reader = read([a], refs, on_error="skip")
    assert [row.id for row in outputs] == ["1"]
    assert len(reader.problems) == 1 and "no summary for 6 of 7" in reader.problems[0]


def test_files_that_share_no_id_are_an_error_even_if_rows_are_skipped(write):
    a = write("a.jsonl", [{"id": "x1", "candidate": "x"}])
    with pytest.raises(SummetryError, match="such as '1', found none of them but 'x1'"):
        read([a], write("r.jsonl", [{"id": 1, "reference": "y"}]), on_error="skip")


def test_a_repeated_id_is_an_error_or_left_out(write):
    a = write("a.jsonl", [{"id": 1, "candidate": "x"}, {"id": 1, "candidate": "y"}])
    refs = write("r.jsonl", [{"id": 1, "reference": "z"}])
    error = r"a\.jsonl:2: expected one row for id '1', found a second one, the first is .*jsonl:1"
    with pytest.raises(FormatError, match=error):
        read([a], refs)
    outputs, reader = read([a], refs, on_error="skip")
    assert [row.text for row in outputs] == ["x"] and len(reader.problems) == 1
    twice = write("twice.jsonl", [{"id": 1, "reference": "z"}] * 2)
    with pytest.raises(FormatError, match=r"twice\.jsonl:2: expected one row for id '1'"):
        read([write("b.jsonl", [{"id": 1, "candidate": "x"}])], twice)


def test_files_of_different_length_without_ids_are_an_error(write):
    a, refs = write("a.txt", "x\ny\nz\n"), write("r.txt", "x\ny\n")
    for on_error in ("stop", "skip"):
        with pytest.raises(SummetryError, match=r"a\.txt has 3 rows and .*r\.txt has 2; rows"):
            read([a], refs, on_error=on_error)


def test_some_with_ids_and_some_without_are_an_error(write):
    with_id = write("a.jsonl", [{"id": 1, "candidate": "x"}])
    with pytest.raises(SummetryError, match=r"a\.jsonl has ids and .*r\.txt has none"):
        read([with_id], write("r.txt", "y\n"))
    with pytest.raises(SummetryError, match=r"a\.jsonl has ids and .*c\.jsonl has none"):
        read([with_id], write("c.jsonl", [{"reference": "y"}]))
    mixed = write("b.jsonl", [{"id": 1, "candidate": "x"}, {"candidate": "y"}])
    refs = write("r.jsonl", [{"id": 1, "reference": "z"}])
    with pytest.raises(FormatError, match=r"b\.jsonl:2: expected an id, as other rows have, found"):
        read([mixed], refs)


def test_a_skipped_row_does_not_shift_the_others(write):
    a = write("a.jsonl", '{"candidate": "one"}\n{broken\n{"candidate": null}\n{"candidate": "4"}\n')
    refs = write("r.txt", "a\nb\nc\nd\n")
    with pytest.raises(FormatError, match=r"a\.jsonl:2"):
        read([a], refs)
    outputs, reader = read([a], refs, on_error="skip")
    assert [(row.text, row.references) for row in outputs] == [("one", ("a",)), ("4", ("d",))]
    assert len(reader.problems) == 3
    assert "no summary for 2 of 4 ('2', '3')" in reader.problems[-1]
    last = write("b.jsonl", '{"candidate": "one"}\n{broken\n')
    outputs, _ = read([last], write("two.txt", "a\nb\n"), on_error="skip")
    assert [row.id for row in outputs] == ["1"]


def test_bytes_that_are_not_utf_8_are_named(write, tmp_path):
    bad = tmp_path / "a.txt"
    bad.write_bytes(b"one\n\xff\n")
    with pytest.raises(FormatError, match=r"a\.txt:2: expected UTF-8, found the byte 0xff"):
        read([bad], write("r.txt", "x\ny\n"))


def test_empty_and_strange_files_are_named(write, tmp_path):
    refs = write("r.txt", "x\n")
    with pytest.raises(SummetryError, match=r"a\.jsonl: the file is empty"):
        read([write("a.jsonl", "")], refs)
    with pytest.raises(SummetryError, match=r"b\.csv: expected rows, found none"):
        read([write("b.csv", "id,candidate\n")], refs)
    with pytest.raises(SummetryError, match=r"c\.bin: expected a table .*, found a zero byte"):
        read([write("c.bin", "wo\x00rds")], refs)
    with pytest.raises(SummetryError, match="expected a file, found a folder"):
        read([tmp_path], refs)
    with pytest.raises(SummetryError, match=r"none\.txt: no such file or folder"):
        read([tmp_path / "none.txt"], refs)


def test_systems_have_the_names_of_files():
    assert system_names([Path("x/a.b.jsonl"), Path("lead.txt")]) == ["a.b", "lead"]
    assert system_names([Path("x/a.txt"), Path("y/a.csv")]) == ["x/a", "y/a"]
    with pytest.raises(SummetryError, match="2 files would be the system 'x/a'"):
        system_names([Path("x/a.txt"), Path("x/a.csv")])


@pytest.mark.parametrize("name", ["a.hypo", "a.out", "a", "a.md"])
def test_a_text_file_of_any_ending_has_one_text_per_line(write, name):
    outputs, _ = read([write(name, "one, two\n[CLS] x\n")], write("r.target", "x\ny\n"))
    assert [(row.text, row.references) for row in outputs] == [
        ("one, two", ("x",)),
        ("[CLS] x", ("y",)),
    ]


def test_lines_of_text_have_the_ids_of_the_references_in_their_order(write):
    refs = write("r.jsonl", [{"id": "t9", "reference": "x"}, {"id": "t3", "reference": "y"}])
    a, b = write("a.hypo", "one\ntwo\n"), write("b.jsonl", [{"id": "t3", "candidate": "b3"}] * 1)
    outputs, reader = read([a], refs)
    assert [row[:4] for row in outputs] == [("a", "t9", "one", ("x",)), ("a", "t3", "two", ("y",))]
    assert reader.notes == [f"{a}: lines are matched with rows by their number"]
    outputs, _ = read([a, b], refs, on_error="skip")
    assert outputs[-1][:4] == ("b", "t3", "b3", ("y",))
    with pytest.raises(SummetryError, match=r"c\.hypo has 3 rows and .*r\.jsonl has 2"):
        read([write("c.hypo", "x\ny\nz\n")], refs)


def test_bare_json_lists_are_texts_and_lists_of_references(write):
    a = write("a.json", json.dumps(["one", "two"]))
    refs = write("r.json", json.dumps([["x", "y"], ["z"]]))
    outputs, reader = read([a], refs)
    assert [(row.id, row.text, row.references) for row in outputs] == [
        ("1", "one", ("x", "y")),
        ("2", "two", ("z",)),
    ]
    assert not reader.notes


def test_files_that_hold_their_references_need_no_other_file(write):
    rows = [{"id": n, "summary": f"s{n}", "gold": f"g{n}", "article": "long"} for n in (1, 2)]
    a, b = write("a.jsonl", rows), write("b.jsonl", rows[::-1])
    outputs, reader = read([a, b], None)
    assert outputs == [
        ("a", "1", "s1", ("g1",), "long"),
        ("a", "2", "s2", ("g2",), "long"),
        ("b", "2", "s2", ("g2",), "long"),
        ("b", "1", "s1", ("g1",), "long"),
    ]
    assert reader.notes == [
        f"{a}, {b}: 'summary' is taken for the candidate, 'gold' for the reference, "
        "'article' for the source"
    ]
    other = write("c.jsonl", [rows[0], rows[1] | {"gold": "another"}])
    error = r"c\.jsonl:2: expected the references and source of id '2' at .*jsonl:2, found others"
    with pytest.raises(FormatError, match=error):
        read([a, other], None)
    with pytest.raises(SummetryError, match=r"a\.txt has no references.*--references FILE"):
        read([write("a.txt", "x\n"), write("b.txt", "y\n")], None)


def test_several_columns_of_candidates_are_refused_in_a_file_of_one_system(write):
    with pytest.raises(SummetryError, match="candidate is one column of each file"):
        read([write("a.txt", "x\n")], write("r.txt", "y\n"), {"candidate": "bart+t5"})
