"""Which column is meant, and outputs of systems matched with references."""

from pathlib import Path

import pytest
from format_checks import refusal

from summetry.errors import Place, SummetryError
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
    # Without a source either of two columns may be the id, unless the names tell; twice the same
    # pair, and none is.
    marks = [{n: row[n] for n in ("code", "bot", "CorefE")} for row in frank("code", "bot")]
    assert naming_advice(marks, "none") == "none"
    for topic, system in (("DocNo", "Engine"), ("Artikel_ID", "bot"), ("nr", "Model-Name")):
        named = [{system: row["bot"], topic: row["code"]} for row in marks]
        assert naming_advice(named) == f"--columns id={topic},system={system}"
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


def rows(*ids, column="candidate", text="x"):
    return [{"id": name, column: text} for name in ids]


BY_ID = [
    {"id": "t1", "reference": "r one"},
    {"id": "t2", "references": ["r two", "or else"], "source": "the source"},
]
TWO_IDS = "id,reference\nt1,r\nt2,s\n"
TEXT, REFERENCE = [{"candidate": "x"}], [{"reference": "y"}]
CANDIDATES = [{"prediction": "x", "output": "y"}]
OWN = [{"id": n, "summary": f"s{n}", "gold": f"g{n}", "article": "long"} for n in (1, 2)]
BROKEN = '{"candidate": "one"}\n{broken\n{"candidate": null}\n{"candidate": "4"}\n'
ORDERED = [{"id": "t9", "reference": "x"}, {"id": "t3", "reference": "y"}]
MAPPED = {"doc": "t1", "gold": "g", "silver": "s", "article": "long"}
# Files by their names, the one of references being called refs, and what columns are called.
OUTPUTS = {
    "by id in whatever order": ({
        "a.jsonl": [{"id": "t2", "candidate": "two"}, {"id": "t1", "candidate": "one"}],
        "b.csv": "id,candidate\nt1,uno\nt2,due\n", "refs.jsonl": BY_ID}, {}),
    "a number as id": ({"a.jsonl": rows(7), "refs.csv": "id,reference\n7,y\n"}, {}),
    "an empty line is a system that returned nothing": (
        {"a.txt": "one\n\nthrée\n", "refs.jsonl": [{"reference": word} for word in "xyz"]}, {}),
    "lines that look like a table": (
        {"a.txt": '{"candidate": 1}\ncandidate\n', "refs.txt": "x\ny\n"}, {}),
    **{f"lines of {name}": ({name: "one, two\n[CLS] x\n", "refs.target": "x\ny\n"}, {})
       for name in ("a.hypo", "a.out", "a", "a.md")},
    "lists": ({"a.json": '["one", "two"]', "refs.json": '[["x", "y"], ["z"]]'}, {}),
    "sources alone": ({"a.jsonl": rows(1), "refs.jsonl": [{"id": 1, "source": "long"}]}, {}),
    "several systems": (
        {"a.csv": "id,model,candidate\nt1,x,one\nt1,y,uno\nt2,x,two\nt2,y,due\n",
         "refs.csv": TWO_IDS}, {}),
    "several systems in another column": (
        {"a.csv": "id,who,candidate\nt2,y,due\nt1,x,one\nt2,x,two\nt1,y,uno\n",
         "refs.csv": TWO_IDS},
        {"system": "who"}),
    "a column for each system": (
        {"a.csv": "id,x,y\nt1,one,uno\nt2,two,due\n", "refs.csv": TWO_IDS},
        {"candidate": "x+y"}),
    "several systems without ids": (
        {"a.csv": "model,candidate\nx,one\nx,two\ny,uno\ny,due\n", "refs.txt": "r\ns\n"}, {}),
    "one name in two files": (
        {"a.csv": "system,candidate\nx,one\ny,two\n", "b.csv": "system,candidate\nx,uno\n",
         "refs.txt": "r\n"}, {}),
    "columns of either side": (
        {"a.jsonl": [{"doc": "t1", "out": "x"}], "refs.jsonl": [MAPPED]},
        {"candidate": "out", "id": "doc", "reference": "gold+silver", "source": "article"}),
    "one of two columns": (
        {"a.jsonl": CANDIDATES, "refs.txt": "z\n"}, {"candidate": "output"}),
    "two columns": ({"a.jsonl": CANDIDATES, "refs.jsonl": REFERENCE}, {}),
    "no reference": ({"a.jsonl": TEXT, "refs.jsonl": [{"other": "x"}]}, {}),
    **{f"{name}={column}": (
        {"a.jsonl": TEXT, "refs.jsonl": REFERENCE}, {name: column})
       for name, column in (("reference", "referenc"), ("candidate", "candidat"), ("id", "doc"),
                            ("idd", "doc"), ("system", "who"))},
    "rows without a partner": (
        {"a.jsonl": rows(1, 8, 9), "refs.jsonl": rows(*range(1, 8), column="reference")}, {}),
    "no common id": ({"a.jsonl": rows("x1"), "refs.jsonl": rows(1, column="reference")}, {}),
    "an id twice": ({"a.jsonl": rows(1, 1), "refs.jsonl": rows(1, column="reference")}, {}),
    "a reference twice": ({"a.jsonl": rows(1), "refs.jsonl": rows(1, 1, column="reference")}, {}),
    "more lines": ({"a.txt": "x\ny\nz\n", "refs.txt": "x\ny\n"}, {}),
    "ids and lines": ({"a.jsonl": rows(1), "refs.txt": "y\n"}, {}),
    "ids and none": ({"a.jsonl": rows(1), "refs.jsonl": REFERENCE}, {}),
    "a row without an id": (
        {"a.jsonl": rows(1) + TEXT, "refs.jsonl": rows(1, column="reference")}, {}),
    "a broken row does not shift the others": ({"a.jsonl": BROKEN, "refs.txt": "a\nb\nc\nd\n"}, {}),
    "the last row is broken": (
        {"a.jsonl": '{"candidate": "one"}\n{broken\n', "refs.txt": "a\nb\n"}, {}),
    "lines have the ids of the references": (
        {"a.hypo": "one\ntwo\n", "b.jsonl": rows("t3", text="b3"), "refs.jsonl": ORDERED}, {}),
    "more lines than references with ids": (
        {"c.hypo": "x\ny\nz\n", "refs.jsonl": ORDERED}, {}),
    "files that hold their references": ({"a.jsonl": OWN, "b.jsonl": OWN[::-1]}, {}),
    "other references in a file": (
        {"a.jsonl": OWN, "c.jsonl": [OWN[0], OWN[1] | {"gold": "another"}]}, {}),
    "no references at all": ({"a.txt": "x\n", "b.txt": "y\n"}, {}),
}  # fmt: skip


@pytest.mark.parametrize("case", OUTPUTS)
def test_outputs_are_matched_with_references(write, case, snapshot):
    """Each with what is said where bad rows stop the reading, and where they are left out."""
    files, columns = OUTPUTS[case]
    paths = [write(name, content) for name, content in files.items()]
    references = next((path for path in paths if path.stem == "refs"), None)
    outcomes = []
    for on_error in ("stop", "skip"):
        reader = OutputReader(columns, on_error)
        try:
            outputs = reader.read([path for path in paths if path != references], references)
        except SummetryError as error:
            outcomes.append(f"refused: {error}")
        else:
            lines = [f"{o.system} {o.id}: {o.text} | {o.references} {o.source}" for o in outputs]
            outcomes.append("\n".join([*lines, *reader.notes, *reader.problems]))
    stopped, skipped = outcomes
    alike = "\n(alike where rows may be left out)"
    assert stopped + (alike if skipped == stopped else f"\n\n{skipped}") == snapshot


def test_systems_have_the_names_of_files():
    assert system_names([Path("x/a.b.jsonl"), Path("lead.txt")]) == ["a.b", "lead"]
    assert system_names([Path("x/a.txt"), Path("y/a.csv")]) == ["x/a", "y/a"]
    message = refusal(system_names, [Path("x/a.txt"), Path("x/a.csv")])
    assert "2 files would be the system 'x/a'" in message
