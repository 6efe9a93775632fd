"""Which column is meant, and outputs of systems matched with references."""

from pathlib import Path

import pytest
from format_checks import assert_says, refusal

from summetry.errors import Place
from summetry.formats.columns import (
    OTHER_NAMES,
    OUTPUT_ROLES,
    REFERENCE_ROLES,
    ROLES,
    asked_columns,
    choose_columns,
    naming_advice,
)
from summetry.formats.outputs import OutputReader, system_names


def choose(names, wanted=ROLES, **asked):
    """The columns of a table of sentences."""
    row = {name: f"a text of {name}" for name in names.split()}
    return choose_columns([row], asked, Place("t.csv", 2), wanted)


@pytest.mark.parametrize(
    ("role", "name"), [(r, n) for r, names in OTHER_NAMES.items() for n in names]
)
def test_every_other_name_of_a_role_is_taken_for_it_and_said(role, name):
    rest = "summary" if role != "candidate" else "reference"
    for spelling in (name, name.upper(), name.replace("_", "-").title()):
        chosen = choose(f"{rest} {spelling}")
        found = getattr(chosen, role)
        assert spelling in ((found,) if isinstance(found, str) else found)
        assert f"{spelling!r} " in chosen.taken and f"for the {role}" in chosen.taken


@pytest.mark.parametrize(("names", "wanted", "asked", "chosen"), [
    ("id system source reference summary", ROLES, {}, "summary reference source"),
    ("article highlights prediction", ROLES, {}, "prediction highlights article"),
    ("article summary prediction", ROLES, {}, "prediction summary article"),
    ("candidate summary", ROLES, {}, "candidate summary source"),
    ("candidate summary reference", ROLES, {}, "candidate reference source"),
    ("text summary", ROLES, {}, "summary reference text"),
    ("text summary gold", ROLES, {}, "summary gold text"),
    ("text article gold output", ROLES, {}, "output gold article"),
    ("text gold", ROLES, {}, "text gold source"),
    ("summary gold remark", ROLES, {}, "summary gold source"),
    # In a file of references a summary is one.
    ("id document summary", REFERENCE_ROLES, {}, "candidate summary document"),
    ("text summary", REFERENCE_ROLES, {}, "candidate summary text"),
    ("text", REFERENCE_ROLES, {}, "candidate text source"),
    # What the user says comes first.
    ("summary prediction gold", ROLES, {"candidate": "summary", "reference": "gold+prediction"},
     "summary gold+prediction source"),
    ("article summary bart t5", ROLES, {"reference": "summary"}, "bart+t5 summary article"),
])  # fmt: skip
def test_what_a_name_means_depends_on_the_others(names, wanted, asked, chosen):
    columns = choose(names, wanted, **asked)
    roles = "+".join(columns.candidate), "+".join(columns.reference), columns.source
    assert " ".join(roles) == chosen
    assert columns.is_per_system is ("bart" in chosen)


def test_our_own_names_need_no_note_in_any_case_and_others_get_one():
    chosen = choose("ID System Candidate references SOURCE")
    assert (chosen.candidate, chosen.id, chosen.source) == (("Candidate",), "ID", "SOURCE")
    assert not chosen.taken
    chosen = choose("text summary gold", OUTPUT_ROLES)
    assert chosen.candidate == ("summary",) and chosen.taken.count("taken") == 1
    chosen = choose("gold bart t5 other", candidate="bart+t5")
    assert chosen.is_per_system and chosen.taken == "'gold' is taken for the reference"


AMBIGUOUS = [
    "prediction output gold",
    "summary gold target",
    "summary gold article document",
    "article summary bart t5",
    "id summary ticket",
    "id bart t5",
    "topic author role text",
]  # fmt: skip


def test_where_two_readings_make_sense_the_error_says_both(refused):
    refused(choose, AMBIGUOUS)


def test_columns_of_numbers_names_and_links_are_no_systems():
    row = {"reference": "a b", "bart": "a b", "n": 3, "year": "1999", "at": "http://x.org", "e": ""}
    chosen = choose_columns([row], {}, Place("t.csv", 2))
    assert chosen.candidate == ("bart",)
    odd = {"at": "2024-02-01 10:00", "day": "Jan 3, 2024", "cost": "12 EUR", "sum": "3.5 €"}
    odd |= {"part": "4 of 5", "list": "[1, 2, 3]", "doc": "doc 0"}
    assert choose_columns([row | odd], {}, Place("t.csv", 2)) == chosen
    chinese = {"reference": "a b", "bart": "渡轮撞上了码头"}
    assert choose_columns([chinese], {}, Place("t.csv", 2)).candidate == ("bart",)


def frank(key, system, drop=()):
    """Rows with the columns of FRANK's files, under other names of the id and of the system."""
    return [
        {key: f"{7 * i}ab{i}", system: who, "article": f"A ferry {i} sank in fog.",
         "summary": f"{who} {i} says", "reference": f"It {i} sank.", "split": "test", "CorefE": i}
        for i in range(3) for who in ("bart", "pgn", "bus", "t5")
    ]  # fmt: skip


FRANK = frank("code", "model_name")


def test_the_advice_names_the_columns_that_help_or_none():
    # A hash is an id where nothing else is; FRANK's files are read as they are.
    rows = frank("hash", "model_name")
    chosen = choose_columns(rows, {}, Place("t.csv", 2))
    assert (chosen.id, chosen.system, chosen.reference) == ("hash", "model_name", ("reference",))
    assert naming_advice(rows, "none") == "none"
    assert choose_columns([{"hash": "1", "doc_id": "2", "summary": "x y"}], {}, Place("t")).id == (
        "doc_id"
    )
    # Others are named by what their cells say.
    for system in ("model_name", "bot"):
        rows = frank("code", system)
        assert naming_advice(rows) == f"--columns id=code,system={system}"
    # Without a source either of two columns may be the id; twice the same pair, and none is.
    marks = [{n: row[n] for n in ("code", "bot", "CorefE")} for row in frank("code", "bot")]
    assert naming_advice(marks, "none") == "none"
    assert naming_advice(frank("code", "model_name") * 2, "none") == "none"


SINGLE = {"reference": "a b", "bart": "a b", "t5": "c", "year": "1999", "at": "http://x.org"}
MORE = {"p": "1e-05", "q": "nan", "day": "2026-11-19", "sha": "3f2a", "key": "doc_1", "ok": "no"}


@pytest.mark.parametrize("row", [
    {name: f"a text of {name}" for name in ("id", "reference", "bart", "t5", "title")},
    {name: f"a text of {name}" for name in ("text", "gold", "bart")},
    SINGLE, SINGLE | {"led": "d"}, SINGLE | MORE, FRANK[0],
], ids=["systems", "a system", "a single word", "two of them", "no words", "an id"])  # fmt: skip
def test_what_is_taken_for_what_and_left_aside_is_said(row, snapshot):
    """Columns of single words are no systems."""
    rows = FRANK if row is FRANK[0] else [row]
    assert choose_columns(rows, {}, Place("t.csv", 2)).taken == snapshot


def test_a_role_and_its_column_may_be_swapped():
    swapped = {"candidate": "summary", "reference": "gold"}
    assert asked_columns({"summary": "candidate", "reference": "gold"}) == swapped
    assert asked_columns({"bart": "candidate", "t5": "candidate"}) == {"candidate": "bart+t5"}
    # Both sides are names of roles: as it is written.
    assert asked_columns({"candidate": "reference"}) == {"candidate": "reference"}


def test_what_cannot_be_meant_is_refused(refused):
    refused(lambda columns: choose("gold bart", **asked_columns(columns)), [
        {"cand": "x"}, {"id": "a+b"}, {"candidate": "a+b", "system": "s"}, {"candidate": "bert"},
    ])  # fmt: skip


def test_a_topic_that_many_rows_share_is_no_id():
    rows = [{"candidate": f"text {n}", "topic": "sports", "model": "m"} for n in range(2)]
    chosen = choose_columns(rows, {}, Place("t.csv", 2))
    taken = "'model' is taken for the system; 'topic' is not taken for the id, since it repeats"
    assert (chosen.id, chosen.taken) == ("id", taken)
    rows[1]["model"] = "other"
    assert choose_columns(rows, {}, Place("t.csv", 2)).id == "topic"


def test_a_column_that_is_named_alone_names_the_system():
    assert choose("id gold bart", candidate="bart").is_per_system
    # Not where its name says what it is, or where another column names systems.
    for names in ("id gold summary", "id gold bart system", "id gold bart model"):
        assert not choose(names, candidate=names.split()[2]).is_per_system


# --- outputs of systems matched with references ---


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
    assert outputs == [
        ("a", "t2", "two", ("r two", "or else"), "the source"),
        ("a", "t1", "one", ("r one",), None),
        ("b", "t1", "uno", ("r one",), None),
        ("b", "t2", "due", ("r two", "or else"), "the source"),
    ]
    assert not reader.notes and not reader.problems


@pytest.mark.parametrize(("name", "content", "references", "expected"), [
    ("a.jsonl", [{"id": 7, "candidate": "x"}], ("r.csv", "id,reference\n7,y\n"),
     [("7", "x", ("y",))]),
    # An empty line is a system that returned nothing.
    ("a.txt", "one\n\nthrée\n", ("r.jsonl", [{"reference": word} for word in "xyz"]),
     [("1", "one", ("x",)), ("2", "", ("y",)), ("3", "thrée", ("z",))]),
    ("a.txt", '{"candidate": 1}\ncandidate\n', ("r.txt", "x\ny\n"),
     [("1", '{"candidate": 1}', ("x",)), ("2", "candidate", ("y",))]),
    *((name, "one, two\n[CLS] x\n", ("r.target", "x\ny\n"),
       [("1", "one, two", ("x",)), ("2", "[CLS] x", ("y",))])
      for name in ("a.hypo", "a.out", "a", "a.md")),
    ("a.json", '["one", "two"]', ("r.json", '[["x", "y"], ["z"]]'),
     [("1", "one", ("x", "y")), ("2", "two", ("z",))]),
    ("a.jsonl", [{"id": 1, "candidate": "x"}], ("r.jsonl", [{"id": 1, "source": "long"}]),
     [("1", "x", ())]),
])  # fmt: skip
def test_rows_and_lines_are_matched_by_id_or_number(write, name, content, references, expected):
    outputs, reader = read([write(name, content)], write(*references))
    assert [(row.id, row.text, row.references) for row in outputs] == expected
    assert not reader.notes


@pytest.mark.parametrize(("rows", "columns"), [
    ("id,model,candidate\nt1,x,one\nt1,y,uno\nt2,x,two\nt2,y,due\n", {}),
    ("id,who,candidate\nt2,y,due\nt1,x,one\nt2,x,two\nt1,y,uno\n", {"system": "who"}),
    ("id,x,y\nt1,one,uno\nt2,two,due\n", {"candidate": "x+y"}),
    # Without ids, rows have their number among those of their system.
    ("model,candidate\nx,one\nx,two\ny,uno\ny,due\n", {}),
])  # fmt: skip
def test_a_file_may_hold_several_systems(write, rows, columns):
    references = "id,reference\nt1,r\nt2,s\n" if rows.startswith("id") else "reference\nr\ns\n"
    outputs, _ = read([write("a.csv", rows)], write("refs.csv", references), columns)
    assert sorted((o.system, o.text, *o.references) for o in outputs) == [
        ("x", "one", "r"), ("x", "two", "s"), ("y", "due", "s"), ("y", "uno", "r"),
    ]  # fmt: skip


def test_one_name_in_two_files_is_two_systems(write):
    a = write("a.csv", "system,candidate\nx,one\ny,two\n")
    files = [a, write("b.csv", "system,candidate\nx,uno\n")]
    outputs, _ = read(files, write("refs.txt", "r\n"))
    assert [(o.system, o.text) for o in outputs] == [
        ("x (a)", "one"),
        ("y", "two"),
        ("x (b)", "uno"),
    ]


def test_columns_are_mapped_on_either_side(write):
    a = write("a.jsonl", [{"doc": "t1", "out": "x"}])
    refs = write("r.jsonl", [{"doc": "t1", "gold": "g", "silver": "s", "article": "long"}])
    columns = {"candidate": "out", "id": "doc", "reference": "gold+silver", "source": "article"}
    assert read([a], refs, columns)[0] == [("a", "t1", "x", ("g", "s"), "long")]
    a, refs = write("a.jsonl", [{"prediction": "x", "output": "y"}]), write("r.txt", "z\n")
    assert read([a], refs, {"candidate": "output"})[0][0].text == "y"


TWO = [{"prediction": "x", "output": "y"}]
TEXT, REFERENCE = [{"candidate": "x"}], [{"reference": "y"}]
WRONG = [{"reference": "referenc"}, {"candidate": "candidat"}, {"id": "doc"}, {"idd": "doc"}]


def test_unclear_columns_are_refused_also_where_rows_may_be_skipped(write, refused):
    def choose(output, references, columns):
        files = [write("a.jsonl", output)], write("r.jsonl", references)
        message = refusal(read, *files, columns, "stop")
        assert refusal(read, *files, columns, "skip") == message
        read(*files, columns)

    given = ((TEXT, REFERENCE, columns) for columns in (*WRONG, {"system": "who"}))
    refused(choose, [(TWO, REFERENCE, {}), (TEXT, [{"other": "x"}], {}), *given])


def rows(*ids, column="candidate", text="x"):
    return [{"id": name, column: text} for name in ids]


@pytest.mark.parametrize(("output", "references", "words", "rest"), [
    (rows(1, 8, 9), rows(*range(1, 8), column="reference"),
     "no summary for 6 of 7 ('2', '3', '4', '5', '6', ...) and 2 that are not there "
     "('8', '9'); to go on without them: --on-error skip", ["1"]),
    (rows("x1"), rows(1, column="reference"),
     "such as '1', found none of them but 'x1'", None),
    (rows(1, 1), rows(1, column="reference"), "a.jsonl:2: expected one row for id '1', found a "
     "second one, the first is a.jsonl:1", ["1"]),
    (rows(1), rows(1, 1, column="reference"), "r.jsonl:2: expected one row for id '1'", ["1"]),
    ("x\ny\nz\n", "x\ny\n", "a.txt has 3 rows and r.txt has 2; rows", None),
    (rows(1), "y\n", "a.jsonl has ids and r.txt has none", None),
    (rows(1), REFERENCE, "a.jsonl has ids and r.jsonl has none", None),
    (rows(1) + TEXT, rows(1, column="reference"),
     "a.jsonl:2: expected an id, as other rows have, found", None),
])  # fmt: skip
def test_rows_without_a_partner_are_refused_or_left_out(write, output, references, words, rest):
    files = [
        write(f"{name}.txt" if isinstance(content, str) else f"{name}.jsonl", content)
        for name, content in (("a", output), ("r", references))
    ]
    assert words in refusal(read, files[:1], files[1])
    if rest is None:
        assert words in refusal(read, files[:1], files[1], on_error="skip")
    else:
        outputs, reader = read(files[:1], files[1], on_error="skip")
        assert [row.id for row in outputs] == rest
        assert len(reader.problems) == 1 and words.partition(";")[0] in reader.problems[0]


def test_a_skipped_row_does_not_shift_the_others(write):
    a = write("a.jsonl", '{"candidate": "one"}\n{broken\n{"candidate": null}\n{"candidate": "4"}\n')
    refs = write("r.txt", "a\nb\nc\nd\n")
    assert "a.jsonl:2" in refusal(read, [a], refs)
    outputs, reader = read([a], refs, on_error="skip")
    assert [(row.text, row.references) for row in outputs] == [("one", ("a",)), ("4", ("d",))]
    assert len(reader.problems) == 3
    assert "no summary for 2 of 4 ('2', '3')" in reader.problems[-1]
    last = write("b.jsonl", '{"candidate": "one"}\n{broken\n')
    outputs, _ = read([last], write("two.txt", "a\nb\n"), on_error="skip")
    assert [row.id for row in outputs] == ["1"]


def test_systems_have_the_names_of_files():
    assert system_names([Path("x/a.b.jsonl"), Path("lead.txt")]) == ["a.b", "lead"]
    assert system_names([Path("x/a.txt"), Path("y/a.csv")]) == ["x/a", "y/a"]
    message = refusal(system_names, [Path("x/a.txt"), Path("x/a.csv")])
    assert "2 files would be the system 'x/a'" in message


def test_lines_of_text_have_the_ids_of_the_references_in_their_order(write):
    refs = write("r.jsonl", [{"id": "t9", "reference": "x"}, {"id": "t3", "reference": "y"}])
    a, b = write("a.hypo", "one\ntwo\n"), write("b.jsonl", rows("t3", text="b3"))
    outputs, reader = read([a], refs)
    assert [row[:4] for row in outputs] == [("a", "t9", "one", ("x",)), ("a", "t3", "two", ("y",))]
    assert reader.notes == ["a.hypo: lines are matched with rows by their number"]
    outputs, _ = read([a, b], refs, on_error="skip")
    assert outputs[-1][:4] == ("b", "t3", "b3", ("y",))
    message = refusal(read, [write("c.hypo", "x\ny\nz\n")], refs)
    assert "c.hypo has 3 rows and r.jsonl has 2" in message


def test_files_that_hold_their_references_need_no_other_file(write):
    own = [{"id": n, "summary": f"s{n}", "gold": f"g{n}", "article": "long"} for n in (1, 2)]
    a, b = write("a.jsonl", own), write("b.jsonl", own[::-1])
    outputs, reader = read([a, b], None)
    assert outputs == [
        (system, str(n), f"s{n}", (f"g{n}",), "long")
        for system, n in (("a", 1), ("a", 2), ("b", 2), ("b", 1))
    ]
    assert reader.notes == [
        "a.jsonl, b.jsonl: 'summary' is taken for the candidate, 'gold' for the reference, "
        "'article' for the source"
    ]
    other = write("c.jsonl", [own[0], own[1] | {"gold": "another"}])
    words = "c.jsonl:2: expected the references and source of id '2' at a.jsonl:2, found others"
    assert words in refusal(read, [a, other], None)
    message = refusal(read, [write("a.txt", "x\n"), write("b.txt", "y\n")], None)
    assert_says(message, "a.txt has no references ... --references FILE")
