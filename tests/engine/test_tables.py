"""Plans over a table: rows that repeat or lack names, parts, and one fingerprint of data."""

import json
import random
from dataclasses import replace
from unittest import mock

import msgspec
import numpy as np
import pytest
from command_line import assert_refused, run_command, succeed
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry.engine.cache import ChunkStore
from summetry.engine.pairs import PairPlan
from summetry.engine.plan import CorpusPlan, Names
from summetry.engine.run import Run
from summetry.engine.tables import Seen, TablePlan
from summetry.errors import FormatError, SummetryError, SummetryWarning
from summetry.formats.cells import table_at
from summetry.formats.folder import Folder
from summetry.formats.table import Layout, read_part, read_rows, rows_of
from summetry.records.batches import TextColumns
from summetry.records.summaries import Summary
from summetry.signature import Signature

ROWS = [("a", "x"), ("b", "x"), ("a", "x"), ("a", "y"), ("a", "x")]


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def table(tmp_path):
    texts = [{"candidate": f"text {n}", "reference": "text"} for n in range(len(ROWS))]
    rows = [{"id": i, "system": s} | text for (i, s), text in zip(ROWS, texts, strict=True)]
    return write(tmp_path / "t.jsonl", rows)


TWICE = r"t.jsonl:3: expected one row for id 'a' and system 'x'"
# Rows repeat for want of a column of systems, and the column is named.
NO_COLUMN = "the column 'sys', which no row has"


def test_a_second_row_of_one_summary_is_named_with_the_first(table):
    with pytest.raises(FormatError, match=TWICE):
        TablePlan(table).facts  # noqa: B018
    for way in ("stop", "skip"):
        with pytest.raises(SummetryError, match=NO_COLUMN):
            TablePlan(table, {"system": "sys"}, on_error=way).facts  # noqa: B018


def test_with_skip_the_first_row_stands_and_the_others_are_listed(table):
    plan = TablePlan(table, on_error="skip")
    scores = summetry.evaluate(plan, ["unit_overlap"], on_error="skip")
    assert [(row.topic, row.author) for row in scores.rows] == [("a", "x"), ("b", "x"), ("a", "y")]
    assert plan.facts.items == 3
    # Items can be taken before the facts.
    assert len(list(TablePlan(table, on_error="skip").items())) == 3


@pytest.mark.parametrize(("ids", "note"), [
    (["a", "", "c"], r"t.csv:3: this row has no 'id', so 'row 2' is taken$"),
    (["2", "", ""], r"t.csv:3: this row and 1 other have no 'id', so 'row 2' is taken here$"),
])  # fmt: skip
def test_rows_without_an_id_among_others_are_named(tmp_path, ids, note):
    path = tmp_path / "t.csv"
    path.write_text("id,candidate,reference\n" + "".join(f"{i},one,two\n" for i in ids))
    wanted = [i or f"row {number}" for number, i in enumerate(ids, 1)]
    with pytest.warns(SummetryWarning, match=note):
        assert [row.topic for row in summetry.evaluate(path, "rouge1").rows] == wanted
    with pytest.warns(SummetryWarning, match=note):
        assert [topic.id for topic in summetry.load(path).topics] == wanted


def test_rows_without_a_system_among_others_are_named_once_kept_or_not(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,system,candidate,reference\na,s,one,two\na,,one,two\n")
    for _ in range(2):
        with pytest.warns(SummetryWarning, match=r"t\.csv:3: this row has no 'system', so 'cand"):
            table = summetry.evaluate(path, "rouge1", cache=tmp_path / "kept")
        assert [row.author for row in table.rows] == ["s", "candidate"]
    # A table without ids has numbers and no note.
    path = tmp_path / "t.csv"
    path.write_text("candidate,reference\none,two\ntwo,two\n")
    assert [row.topic for row in summetry.evaluate(path, "rouge1").rows] == ["1", "2"]


@pytest.mark.filterwarnings("always")
def test_rows_without_an_id_are_named_once_without_reading_all_again(tmp_path, monkeypatch):
    monkeypatch.setattr("summetry.formats.parts.PART_BYTES", 200)
    # Of the rows without an id one cannot be read, and others repeat.
    ids = ["a", *["b"] * 2, *[f"c{n}" for n in range(30)], "", "", *["d"] * 9, ""]
    rows = [{"id": i, "candidate": "x", "reference": "y"} for i in ids]
    rows[33]["candidate"] = 3
    path = write(tmp_path / "t.jsonl", rows)
    counted = mock.Mock(wraps=rows_of)
    plan = TablePlan(path, on_error="skip")
    with pytest.warns(SummetryWarning) as caught:
        topics = [row.topic for row in Run(plan, ["rouge1"]).table().rows]
        monkeypatch.setattr("summetry.engine.tables.rows_of", counted)
        monkeypatch.setattr(TablePlan, "_report_repeated", lambda *arguments: None)
        assert TablePlan(path, on_error="skip").facts == plan.facts
    assert [topic for topic in topics if topic.startswith("row")] == ["row 35", "row 45"]
    note = f"{path}:35: this row and 1 other have no 'id', so 'row 35' is taken here"
    assert [str(warning.message) for warning in caught] == [note, note]
    # Where the first such row is, is looked for in its own part alone.
    assert counted.call_count == 1


def test_a_table_is_read_once_to_be_scored(table, monkeypatch):
    counted = mock.Mock(wraps=read_part)
    monkeypatch.setattr("summetry.engine.tables.read_part", counted)
    plan = TablePlan(table, on_error="skip")
    scores = Run(plan, ["rouge1"]).table()
    # One part, and again without the rows that repeat another.
    assert counted.call_count == 2
    # What was gathered on the way is what a reading for its own sake gives.
    alone = TablePlan(table, on_error="skip")
    assert (plan.facts, plan.fingerprint) == (alone.facts, alone.fingerprint)
    assert f"|refs:1,best|data:{alone.fingerprint}|" in scores.columns[0].signature


def test_rows_that_repeat_are_found_across_chunks_and_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr("summetry.formats.parts.PART_BYTES", 400)
    path = tmp_path / "t.jsonl"
    ids = [*range(40), 3, *range(40, 80), 70, 3]
    path.write_text("".join(f'{{"id": {i}, "candidate": "a", "reference": "a"}}\n' for i in ids))
    plan = TablePlan(path, on_error="skip")
    sizes = [len(chunk) for chunk in plan.chunks(7)]
    # About seven each: the ends of parts are found by bytes.
    assert max(sizes) <= 8 and sum(sizes) == 80 and len(sizes) < 20
    assert plan.problems == [
        f"{path}:{line}: expected one row for id '{i}' and system 'candidate', found a second one, "
        f"the first is {path}:{first}; give every row its own id, or name the column of systems "
        f"with --columns system=NAME"
        for line, i, first in ((41, 3, 4), (82, 70, 72), (83, 3, 4))
    ]


names_of_rows = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 20)), max_size=40)


@given(st.lists(names_of_rows, max_size=12))
def test_what_was_seen_before_is_known(parts):
    """Topics that up to 21 systems have, in any order: a number for every four of them."""
    seen, before = Seen(), set()
    for part in parts:
        expected = []
        for name in part:
            expected.append(name in before)
            before.add(name)
        names = Names.of([(str(topic), f"s{system}") for topic, system in part])
        assert seen.again(names).tolist() == expected


@given(st.lists(st.lists(st.sampled_from([n * 2**60 + d for n in range(16) for d in (0, 16)]))))
def test_numbers_from_all_over_are_known_too(parts):
    """At the ends of the shares that numbers are kept in, and beside them; the last four bits of a
    number tell which systems have it."""
    seen, before = Seen(), []
    for part in parts:
        expected = [number in [*before, *part[:i]] for i, number in enumerate(part)]
        before += part
        topics, places = np.array(part, np.uint64), np.zeros(len(part), np.uint32)
        names = Names(topics.tobytes(), places.tobytes(), ("s",) if part else ())
        assert seen.again(names).tolist() == expected


def test_long_texts_make_smaller_chunks(table, monkeypatch):
    line = len(table.read_bytes()) // len(ROWS)
    monkeypatch.setattr("summetry.formats.parts.PART_BYTES", 2 * line)
    # Of the rows 1 and 2, 3 and 4, 5 the third and the fifth repeat the first.
    assert [len(chunk) for chunk in TablePlan(table, on_error="skip").chunks()] == [2, 1, 0]


def test_what_no_row_has_is_found_at_the_end_and_nothing_is_written(tmp_path):
    (tmp_path / "t.csv").write_text("candidate,reference\na b,a\nb c,b\n")
    command = ["score", "t.csv", "-m", "retention", "-o", "s.csv", "--no-cache"]
    words = "needs the source, which the table t.csv does not have"
    assert_refused(run_command(*command, folder=tmp_path), 2, words)
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


def lines_of(count, **changed):
    rows = [{"id": i, "candidate": f"a b {i}", "reference": "a b"} for i in range(count)]
    return [changed.get(f"row{i}") or json.dumps(row) for i, row in enumerate(rows)]


def test_a_part_of_blank_or_broken_lines_is_nothing(tmp_path):
    path = tmp_path / "t.jsonl"
    blank, broken = ["  " * 20] * 30, ["{"] * 30
    path.write_text("\n".join([*lines_of(20), *blank, *broken, *lines_of(40)[20:]]) + "\n")
    plan = TablePlan(path, on_error="skip")
    table = Run(plan, ["rouge1"], chunk_items=3, on_error="skip").table()
    assert [row.topic for row in table.rows] == [str(i) for i in range(40)]
    assert [problem.split(":")[1] for problem in plan.problems] == [str(i) for i in range(51, 81)]


@pytest.mark.parametrize(("ending", "workers"), [("jsonl", 1), ("csv", 2)])
def test_rows_without_ids_have_their_numbers_in_every_part(tmp_path, ending, workers):
    path = tmp_path / f"t.{ending}"
    lines = [f'{{"candidate": "a b {i}", "reference": "a b"}}\n\n' for i in range(300)]
    if ending == "csv":
        lines = ["candidate,reference\n", *[f'"a\nb {i}",a b\n' for i in range(300)]]
    path.write_text("".join(lines).removesuffix("\n\n"))
    run = Run(TablePlan(path), ["rouge1"], workers=workers, chunk_items=7)
    assert [row.topic for row in run.table().rows] == [str(i) for i in range(1, 301)]


@pytest.mark.filterwarnings("ignore:.* this row has no 'id'")
def test_what_depends_on_the_rows_before_is_not_kept(tmp_path):
    """A row whose id is its number, and one that is wrong at a line."""
    path, store = tmp_path / "t.jsonl", ChunkStore(tmp_path / "store")
    without_id = '{"id": null, "candidate": "c", "reference": "c"}'
    for lines in (lines_of(40, row30=without_id, row20="{"), ["", *lines_of(40, row30=without_id)]):
        path.write_text("\n".join(lines) + "\n")
        runs = []
        for kept in (store, None):
            plan = TablePlan(path, on_error="skip")
            run = Run(plan, ["rouge1"], chunk_items=5, store=kept, on_error="skip")
            runs.append((run.table(), plan.problems))
        assert runs[0] == runs[1]
    # All other parts are kept, though the ids are numbers.
    assert len(list(store.folder.iterdir())) > 4


CELLS = st.sampled_from(["a b", "", None, ["One.", "Two."], [], 7, 1.5, True, ["x", 1], {"y": 2}])
COLUMNS = "id system candidate reference reference_2 reference10 references source"
COLUMNS = st.sampled_from(COLUMNS.split())


@pytest.mark.filterwarnings("ignore:.* no '(id|system)', so")
@given(st.lists(st.dictionaries(COLUMNS, CELLS), max_size=6), st.booleans())
def test_texts_in_columns_are_those_that_are_read_row_by_row(tmp_path_factory, rows, per_system):
    """The same texts and the same reports in the same order, whatever the cells hold."""
    first = {"id": "first", "candidate": "a", "reference": "b", "reference_3": None}
    path = write(tmp_path_factory.mktemp("table") / "t.jsonl", [first, *rows])
    columns = {"candidate": "candidate+reference_3"} if per_system else {}
    singly, at_once = [], []
    by_row = [
        ((row.id, row.system), row.candidate, row.references, row.source)
        for row in read_rows(path, columns, lambda error: singly.append(str(error)))
    ]
    opened, layout = table_at(path), Layout.of(path, columns)
    by_column = []
    for part in opened.parts():
        report = lambda error: at_once.append(str(error))  # noqa: E731
        names, texts = read_part(opened, part, layout.columns, report)[0]
        references = map(tuple, texts.references)
        by_column += zip(names, texts.candidates, references, texts.sources, strict=True)
    assert by_column == by_row
    assert at_once == singly


SOURCES = ["The cat sat on the mat.\n\nIt  slept there. All day.", "Dogs bark. At night, too."]
REFERENCES = [["A cat slept.", "The cat\nsat."], ["Dogs bark at night."]]
OUTPUTS = {"old": ["The cat sat.", "Dogs bark."], "new": [" It slept.\n", ""]}


@pytest.fixture(scope="module")
def two_systems(tmp_path_factory):
    """Two systems on two topics, as one table."""
    rows = [
        {"id": f"t{i}", "system": name, "candidate": text, "references": REFERENCES[i],
         "source": SOURCES[i]}
        for name, texts in OUTPUTS.items()
        for i, text in enumerate(texts)
    ]  # fmt: skip
    return write(tmp_path_factory.mktemp("table") / "table.jsonl", rows)


def columns(order=(0, 1, 2, 3), language=""):
    texts = [text for texts in OUTPUTS.values() for text in texts]
    rows = [(texts[i], REFERENCES[i % 2], SOURCES[i % 2]) for i in order]
    return TextColumns(*map(list, zip(*rows, strict=True)), language)


def of_columns(**settings):
    return PairPlan(columns(**settings)).fingerprint


def data_of(signature):
    return Signature.parse(signature).data


def printed(*arguments):
    return succeed(*arguments, "-m", "lcs", "--json").json


# Ways to the data, each with where its fingerprint is.
WAYS = {
    "score": lambda table: data_of(printed("score", table, "--no-cache")["signatures"]["lcs"]),
    "evaluate(load(...))": lambda table: evaluated(summetry.load(table)),
    "all_peers": lambda table: CorpusPlan(summetry.load(table), "all_peers").fingerprint,
    "folder": lambda table: of_folder(table),
    "TablePlan": lambda table: TablePlan(table).fingerprint,
}


def evaluated(corpus):
    return data_of(summetry.evaluate(corpus, ["lcs"]).columns[0].signature)


def of_folder(table):
    Folder().write(summetry.load(table), table.parent / "folder")
    return CorpusPlan(summetry.load(table.parent / "folder")).fingerprint


@pytest.mark.parametrize("way", WAYS)
def test_a_table_has_one_fingerprint_however_it_is_read(two_systems, way):
    assert WAYS[way](two_systems) == of_columns()


def test_neither_order_nor_parts_nor_the_order_of_references_matter(two_systems, tmp_path):
    order = random.Random(1).sample(range(4), 4)
    assert order != [0, 1, 2, 3]
    assert of_columns(order=order) == of_columns()
    lines = two_systems.read_text().splitlines(keepends=True)
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_text("".join(lines[::-1]))
    assert TablePlan(mixed).fingerprint == of_columns()
    turned = columns()._replace(references=[texts[::-1] for texts in columns().references])
    assert PairPlan(turned).fingerprint == of_columns()
    sizes = {Run(PairPlan(columns()), ["lcs"], chunk_items=n).columns for n in (1, 3, 100)}
    assert len(sizes) == 1


def test_one_character_changes_it():
    whole = columns()
    first = [
        *[("candidates", text) for text in ("The cat sat!", "The cat  sat.")],
        ("references", ["A cat slept", "The cat\nsat."]),
        ("references", ["A cat slept.The cat\nsat."]),
        ("references", ["A cat slept."]),
        *[("sources", text) for text in ("The cat sat on the mat.", "", None)],
    ]
    changed = [whole._replace(**{kind: [x, *getattr(whole, kind)[1:]]}) for kind, x in first]
    changed.append(whole._replace(language="en"))
    fingerprints = {PairPlan(texts).fingerprint for texts in (whole, *changed)}
    assert len(fingerprints) == 1 + len(changed)
    assert all(len(f) == 10 and set(f) <= set("0123456789abcdef") for f in fingerprints)
    # What is empty is not taken for what is not there.
    plans = [TextColumns([""], [["x"]], [None]), TextColumns(["x"], [[]], [""])]
    assert len({PairPlan(columns).fingerprint for columns in plans}) == 2
    # A summary that is there twice counts twice.
    assert of_columns(order=(0, 1)) != of_columns(order=(0, 1, 1)) != of_columns(order=(0, 0, 1))


def test_it_is_the_same_on_every_machine_and_in_a_file(tmp_path):
    # Reckoned with libxxhash alone, XXH3_64bits_withSeed: "0 False " for no language and no source,
    # "" for no content units, "a", "b", each with the number of the one before; the last digits.
    assert PairPlan(TextColumns(["a"], [["b"]], [None])).fingerprint == "f440672e34"
    # A text in a file has the fingerprint of the text.
    for name, text in (("a", "The cat sat."), ("r", "A cat.")):
        (tmp_path / f"{name}.txt").write_text(text)
    files = ["--candidate", tmp_path / "a.txt", "--reference", tmp_path / "r.txt"]
    expected = PairPlan(TextColumns(["The cat sat."], [["A cat."]], [None])).fingerprint
    assert data_of(printed("score", *files)["lcs"]["signature"]) == expected


def changed_first(demo, kind, **fields):
    """The corpus with other fields of its first record of a kind."""
    first, *rest = getattr(demo, kind)
    return {kind: (msgspec.structs.replace(first, **fields), *rest)}


def as_text(demo):
    """The first candidate that is an extract, as its text."""
    i = next(i for i, s in enumerate(demo.summaries) if s.units and s.role == "candidate")
    chosen = demo.summaries[i]
    text = Summary(chosen.topic, chosen.author, chosen.role, text=demo.text_of(chosen))
    return {"summaries": (*demo.summaries[:i], text, *demo.summaries[i + 1 :])}


def other_scu(demo):
    scus = demo.pyramids[0].scus
    scu = msgspec.structs.replace(scus[0], label="something else")
    return changed_first(demo, "pyramids", scus=(scu, *scus[1:]))


CHANGES = {
    "a unit less": lambda d: changed_first(d, "extracts", units=d.extracts[0].units[1:]),
    "an extract less": lambda d: {"extracts": d.extracts[1:]},
    "utilities less": lambda d: {"utilities": d.utilities[1:]},
    "another utility": lambda d: changed_first(
        d, "utilities", values=(7, *d.utilities[0].values[1:])
    ),
    "another content unit": other_scu,
    "a text for an extract": as_text,
}


def turned(demo):
    scus = [msgspec.structs.replace(p, scus=p.scus[::-1]) for p in demo.pyramids]
    return {kind: getattr(demo, kind)[::-1] for kind in ("extracts", "utilities")} | {
        "pyramids": tuple(scus)
    }


# Names of people, the order of what they said, judgments and notes are no part of the data.
OTHERS = {
    "the order": turned,
    "a name": lambda d: changed_first(d, "extracts", informant="somebody else"),
    "judgments": lambda d: {"judgments": ()},
    "notes": lambda d: {"name": "x", "meta": {"a": 1}},
}


@pytest.mark.parametrize("change", CHANGES | OTHERS)
def test_what_people_said_of_units_is_part_of_it_and_who_they_are_is_not(demo, change):
    corpus = replace(demo, **(CHANGES | OTHERS)[change](demo))
    is_same = CorpusPlan(corpus).fingerprint == CorpusPlan(demo).fingerprint
    assert is_same == (change in OTHERS)


def test_both_protocols_see_the_same_data(demo):
    models = tuple(s for s in demo.summaries if s.role == "reference")
    corpora = demo, replace(demo, summaries=models), replace(demo, summaries=models[1:])
    whole, all_models, fewer = (CorpusPlan(c, "all_peers").fingerprint for c in corpora)
    assert whole == CorpusPlan(demo).fingerprint and all_models != fewer


@pytest.mark.parametrize(("metric", "role"), [("compression", "source"), ("rouge1", "reference")])
def test_a_column_that_nothing_uses_is_named_where_one_is_missing(tmp_path, metric, role):
    (tmp_path / "t.csv").write_text("id,system,candidate,ticket\n1,a,x y,The disk is full.\n")
    done = run_command("score", "t.csv", "-m", metric, folder=tmp_path)
    assert_refused(done, 2, f"what would give it: --columns {role}=ticket, if that is what this")
