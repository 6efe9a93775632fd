"""Tables for people: how systems are ranked, what is shown, how it fits a line."""

import io
import math

import numpy as np
import pytest
from rich.console import Console

from summetry.records import Column
from summetry.records.scores import Row, SystemMeans
from summetry.reports import tables
from summetry.reports.tables import as_text, console, print_systems, system_table, wrapped

OVERLAP = Column("unit_overlap", "value")
OMISSION = Column("retention", "omission")
COMPRESSION = Column("compression", "value")
LCS = [Column("lcs", value) for value in ("length", "recall", "precision", "f")]
COSELECTION = [Column("coselection", value) for value in ("precision", "recall", "f")]
NAN = math.nan


def means_of(columns, systems):
    """Means of one topic: {author: numbers}."""
    means = SystemMeans(columns)
    rows = [Row("no_models", "t", author, "candidate") for author in systems]
    means.add(rows, np.array(list(systems.values()), dtype=float).reshape(len(rows), -1))
    return means


def rendered(what, width=100):
    out = Console(file=io.StringIO(), width=width, highlight=False, markup=False, emoji=False)
    what(out) if callable(what) else out.print(what)
    return [line.rstrip() for line in out.file.getvalue().splitlines()]


FIRST = "best first by unit_overlap"
OMITTED = "best first by retention.omission"
RANKINGS = [
    # The highest first, or the lowest where less is better.
    ([OVERLAP], {"a": [0.1], "b": [0.9], "c": [0.5]}, "bca", FIRST),
    ([OMISSION], {"a": [0.5], "b": [0.9], "c": [0.1]}, "cab", OMITTED),
    # Without a value, and in a tie, systems stay as they came.
    ([OVERLAP], {"a": [NAN], "b": [0.1], "c": [NAN], "d": [0.9]}, "dbac", FIRST),
    ([OMISSION], {"a": [NAN], "b": [0.1], "c": [NAN], "d": [0.9]}, "bdac", OMITTED),
    ([OVERLAP], {system: [0.5] for system in "dacb"}, "dacb", FIRST),
    ([OMISSION], {system: [0.5] for system in "dacb"}, "dacb", OMITTED),
    # A value without a direction ranks nothing.
    ([COMPRESSION], {"b": [0.2], "a": [0.9]}, "ba", "as they came"),
    ([COMPRESSION, OVERLAP], {"b": [0.2, 0.3], "a": [0.1, 0.9]}, "ab", FIRST),
    # The first value that all systems have, if there is one.
    ([OVERLAP, OMISSION], {"a": [NAN, 0.9], "b": [0.1, 0.2], "c": [0.2, 0.3]}, "bca", OMITTED),
    ([OVERLAP, OMISSION], {"a": [NAN, 0.9], "b": [0.1, NAN], "c": [0.2, 0.3]}, "cba", FIRST),
    # The headline of a metric with many values, of those that were picked.
    (LCS, {"a": [9, 0.1, 0.1, 0.1], "b": [1, 0.2, 0.2, 0.2]}, "ba", "best first by lcs.f"),
    (LCS[1:3], {"a": [0.1, 0.9], "b": [0.2, 0.8]}, "ba", "best first by lcs.recall"),
]  # fmt: skip


@pytest.mark.parametrize(("columns", "systems", "order", "words"), RANKINGS)
def test_systems_are_ranked_best_first_by_one_value(columns, systems, order, words):
    means = means_of(columns, systems)
    assert "".join(means.systems()[line][1] for line in tables.ranking(means)) == order
    assert tables.ranked_by(means) == words


def test_a_table_without_a_system_is_its_heading():
    means = SystemMeans([OVERLAP])
    assert rendered(system_table(means, [0])) == ["system  unit_overlap"]
    assert rendered(lambda out: print_systems(out, means, [0]))[1].startswith("system")


def test_a_table_in_full(snapshot):
    means = means_of([OVERLAP, *COSELECTION], {"a": [0.25, 1, 0.5, NAN], "b": [0.5, NAN, 0, 0.1]})
    assert "\n".join(rendered(system_table(means, range(4)))) == snapshot


def test_roles_and_numbers_of_topics_are_shown_where_they_differ(snapshot):
    """Half of the interval of 0.25 and 0.75 is 12.7 / 4, and no overlap is below 0 or above 1."""
    means = SystemMeans([OVERLAP])
    rows = [("t1", "ann", "reference"), ("t1", "lead", "candidate"), ("t2", "lead", "candidate")]
    means.add([Row("all_peers", *row) for row in rows], np.array([[1.0], [0.25], [0.75]]))
    assert "\n".join(rendered(lambda out: print_systems(out, means, [0]))) == snapshot


TWO_TOPICS = [Row("no_models", topic, "a", "candidate") for topic in "xy"]


@pytest.fixture
def wide():
    """Means of 0 and 0.5, and of 10 and 10.2: t of one degree of freedom is 12.706."""
    means = SystemMeans([OVERLAP, LCS[0]])
    means.add(TWO_TOPICS, np.array([[0.0, 10.0], [0.5, 10.2]]))
    return means


def test_an_interval_does_not_leave_the_values_and_a_topic_without_one_is_not_counted(wide):
    low, high = wide.intervals()
    assert low[0, 0] == pytest.approx(0.25 - 12.7062 * 0.25, abs=1e-3) and high[0, 0] > 3
    line = rendered(system_table(wide, [0, 1]))[-1]
    assert line.split() == ["a", "0.2500", "(0.0000", "to", "1.0000)", "10.1000", "±1.2706"]
    (system,) = tables.systems_as_json(wide, [])["systems"]
    assert system["intervals"]["unit_overlap"]["value"] == (0.0, 1.0)
    means = SystemMeans([OVERLAP])
    means.add(TWO_TOPICS, np.array([[0.5], [NAN]]))
    assert rendered(lambda out: print_systems(out, means, [0]))[0] == "1 system, 1 topic:"


@pytest.mark.parametrize(("columns", "how", "half", "brackets"), [
    ([0, 1], {}, True, True), ([0], {}, False, True), ([1], {}, True, False),
    ([0, 1], {"intervals": False}, False, False),
])  # fmt: skip
def test_a_kind_of_interval_is_explained_only_where_it_is_shown(wide, columns, how, half, brackets):
    lines = rendered(lambda out: print_systems(out, wide, columns, **how))
    assert ("± is half" in lines[0]) == half
    assert lines[-1].startswith("in brackets: ") == brackets


def test_what_all_signatures_share_is_said_once_and_the_best_is_bold():
    signature = "rouge_n|text:auto|refs:1,pool|data:5|v:1"
    columns = [Column("rouge-1", value, signature) for value in ("f", "recall")]
    columns.append(Column("lcs", "f", "lcs|text:auto|refs:1,mean|data:5|v:1"))
    assert tables.legend(columns, {"rouge-1": "Unicode words"}) == [
        ["rouge-1", "Unicode words [rouge_n|refs:1,pool]"], ["lcs", "[lcs|refs:1,mean]"],
        ["all", "text:auto|data:5|v:1"],
    ]  # fmt: skip
    columns = [OVERLAP, OMISSION, COMPRESSION]
    systems = {"a": [0.9, 0.9, 0.9], "b": [0.5, 0.1, 0.1], "c": [0.9, NAN, 0.5]}
    table = system_table(means_of(columns, systems), range(3))
    assert list(table.columns[0].cells) == ["a", "c", "b"]
    best = [[True, True, False], [False, False, True], [False, False, False]]
    columns = table.columns[1:]
    assert [[bool(cell.style) for cell in column.cells] for column in columns] == best


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_what_does_not_fit_stands_in_a_further_table(width):
    columns = [OVERLAP, OMISSION, COMPRESSION, *LCS]
    places = range(len(columns))
    means = means_of(columns, {"careful": range(7), "picker": [n / 7 for n in range(7)]})
    pieces = list(tables.system_tables(means, places, width))
    lines = [line for piece in pieces for line in rendered(piece, width)]
    assert max(map(len, lines)) <= width
    assert not any("…" in line for line in lines)
    natural = max(map(len, rendered(system_table(means, places), 500)))
    assert (len(pieces) == 1) == (width >= natural)
    assert len(list(tables.system_tables(means, places, natural))) == 1
    assert len(list(tables.system_tables(means, places, natural - 1))) == 2
    headings = [str(column.header) for piece in pieces for column in piece.columns[1:]]
    assert headings == [str(column.header) for column in system_table(means, places).columns[1:]]
    for value in ("6.0000", "0.8571"):
        assert sum(value in line for line in lines) == 1


def test_a_name_that_is_longer_than_the_line_is_not_folded_and_values_stay_together():
    means = means_of([*COSELECTION, *LCS], {"lead": range(7)})
    pieces = list(tables.system_tables(means, range(7), 60))
    metrics = [{str(c.header).split("\n")[0] for c in piece.columns[1:]} for piece in pieces]
    assert metrics == [{"coselection"}, {"lcs"}]
    name = "a-system-with-a-name-that-is-longer-than-any-line-should-be"
    means = means_of([OVERLAP], {name: [0.125]})
    lines = as_text(lambda out: print_systems(out, means, [0]), 50).splitlines()
    assert lines[-1].split() == [name, "0.1250"]


def test_columns_that_do_not_fit_stand_in_a_further_table_and_cells_are_folded(snapshot):
    table = tables.empty_table(["system"], ["shared words", "recall", "precision"])
    table.add_row("a-long-name", "12", "0.1 to 0.2", "0.5")
    assert as_text(lambda out: out.print(table), 24) == snapshot(name="further tables")
    # An interval stays beside its value.
    table = tables.empty_table(["system"], ["f", "difference", "low", "high"])
    table.add_row("picker", "0.1", "0.025", "0.01", "0.04")
    assert as_text(lambda out: out.print(table), 32).splitlines() == [
        "system    f", "picker  0.1", "",
        "system  difference   low  high", "picker       0.025  0.01  0.04",
    ]  # fmt: skip
    # Cells are folded at blanks, and Chinese anywhere.
    table = tables.plain_table(["name", "what it is"], [["rouge-1", "words that both have"]])
    table.add_row("x", "渡轮撞上了旧石码头并关闭")
    assert as_text(lambda out: out.print(table), 20) == snapshot(name="folded cells")


@pytest.mark.parametrize("width", [20, 40, 80])
def test_a_text_is_folded_at_blanks_only(width):
    path = "/a/very/long/path/to/some/file-with-hyphens.jsonl"
    text = f"note: {path} was read, and a p of p <= 0.05 stays with its number"
    lines = wrapped(text, width, "  ").split("\n")
    assert " ".join(line.strip() for line in lines) == text
    assert all(len(line) <= width or path in line for line in lines)
    assert all(line.startswith("  ") for line in lines[1:])
    assert any("p <= 0.05" in line for line in lines)


def test_texts_are_wrapped_between_parts_of_a_signature_and_their_lines_keep_first_blanks():
    signature = "rouge_l(level=text)|text:rouge_score|refs:3,best"
    assert wrapped(f"F of words {signature}", 50) == f"F of words\n{signature}"
    assert wrapped(signature, 40) == "rouge_l(level=text)|text:rouge_score|\nrefs:3,best"
    assert wrapped("\nTitle:\n  one two", 6, "    ") == "\nTitle:\n  one\n    two"


def test_numbers_and_words_for_people_in_lines_of_eighty_columns(monkeypatch, capsys):
    numbers = [tables.number(*one) for one in ((0.5,), (0.5, 2), (NAN,))]
    assert numbers == ["0.5000", "0.50", "-"]
    monkeypatch.setenv("COLUMNS", "200")
    assert console().width == tables.line_width() == tables.line_width(error=True) == 80
    assert console(40).width == 40
    console().print(tables.plain_table(["[b]x[/b]"], [["[/red] :smile:"]]))
    assert capsys.readouterr().out.split("\n")[:2] == ["[b]x[/b]", "[/red] :smile:"]
    tables.print_rows(console(40), ["from", "to"], [("漢字", "b" * 50), ("[b]", "x")])
    # A Han character is two wide.
    assert capsys.readouterr().out == f"from  to\n漢字  {'b' * 50}\n[b]   x\n"
