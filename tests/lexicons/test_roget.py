"""Roget's book and heads of nine levels, as they are read from files."""

import re
from collections import Counter
from pathlib import Path

import pytest

from summetry.errors import SummetryError
from summetry.lexicons.roget import entries_of, read_book, read_heads

DATA = Path(__file__).parents[1] / "data"
BOOK = DATA / "roget.txt"


@pytest.fixture(scope="module")
def heads():
    return {head.head: head for head in read_heads(BOOK)}


def groups(head):
    return [[list(group) for group in p.groups] for p in head.paragraphs]


def test_every_head_is_found_and_nothing_behind_the_end(heads):
    assert list(heads) == ["1", "2", "3", "3a", "4", "5", "6", "7"]
    names = [head.name for head in heads.values()]
    assert names == ["Vessel", "Ship", "Barge", "Raft", "Skiff", "Coracle", "Pier", "Hill"]


def test_paragraphs_and_groups_without_notes_and_references(heads):
    assert groups(heads["1"]) == [
        [["vessel", "craft", "bottom"], ["ship"], ["hulk", "tub"]],
        [["flotilla"], ["cousin-ship"]],
        [["sail", "put to sea"], ["float"]],
        [["drift", "wander"]],
        [["afloat!"]],
    ]
    assert [p.pos for p in heads["1"].paragraphs] == ["N", "N", "V", "V", "Adj"]


def test_notes_that_run_over_lines_make_no_paragraph(heads):
    ships, ferries = [["ship", "steamer"], ["liner"]], [["ferry", "ferryboat"]]
    assert groups(heads["2"])[:3] == [ships, ferries, [["all aboard"]]]


def test_headings_end_those_below_them(heads):
    subsections = {number: head.subsections for number, head in heads.items()}
    assert subsections["1"] == subsections["2"] == ("VESSELS, IN GENERAL",)
    assert subsections["3"] == subsections["3a"] == ("VESSELS, IN PARTICULAR", "Of the river")
    assert subsections["4"] == ("VESSELS, IN PARTICULAR", "Below", "Of wood", "SMALL")
    assert subsections["5"] == ("VESSELS, IN PARTICULAR", "Below", "Of skin")
    assert subsections["6"] == ()


def test_the_five_levels_above_the_parts_of_speech(heads):
    assert heads["4"].place() == ("I", "/I", "VESSELS, IN PARTICULAR", "Below/Of wood/SMALL", "4")
    # Sections of two divisions are two sections.
    assert heads["6"].place() == ("II", "I/I", "", "", "6")
    assert heads["7"].place() == ("II", "II/I", "", "", "7")


def test_every_entry_has_eight_levels_above_it(heads):
    entries = list(entries_of(heads.values()))
    assert all(len(entry.path) == 8 for entry in entries)
    ferries = [entry.path for entry in entries if entry.word == "ferry"]
    assert ferries == [
        ("I", "/I", "VESSELS, IN GENERAL", "", "2", "N", "1", "0"),
        ("I", "/I", "VESSELS, IN PARTICULAR", "Of the river", "3", "N", "0", "0"),
    ]


TEXT = BOOK.read_text(encoding="utf-8")
FIRST, CLASS, REST = TEXT.partition("CLASS II\n")


@pytest.mark.parametrize("text", [
    TEXT.replace(" --", " —").replace("^", "†").replace("\n", "\r\n"),
    TEXT.replace("     ", "\t "),
    FIRST + re.sub(r"^(?=.)", "    ", CLASS + REST, flags=re.M),
], ids=["the signs of another edition", "tabs", "a part that is set in as a whole"])  # fmt: skip
def test_other_signs_and_blanks_make_no_difference(heads, text):
    assert {head.head: head for head in read_book(text)} == heads


def test_the_ending_may_be_in_capitals(tmp_path):
    loud = tmp_path / "ROGET.TXT"
    loud.write_bytes(BOOK.read_bytes())
    assert read_heads(loud) == read_heads(BOOK)


def test_heads_of_jsonl():
    read = read_heads(DATA / "harbour.jsonl")
    assert [head.name for head in read] == ["Ship", "Pier", "Weather"]
    assert read[2].place() == ("II", "/I", "", "", "3")


@pytest.mark.parametrize(("name", "content", "message"), [
    ("a.jsonl", b'{"class": "I"}\n', r"a.jsonl:1: expected a head: .*section"),
    ("a.jsonl", b"\n\nno\n", r"a.jsonl:3: expected a head: .*found 'no'"),
    ("a.jsonl", b"", "expected heads of a thesaurus such as .*found none"),
    ("a.txt", b"Call me Ishmael.\n", "expected heads of a thesaurus such as .*found none"),
    ("a.txt", b"CLASS I\n\n\xff", r"a.txt:3: expected UTF-8, found the byte 0xff"),
    ("a.dat", b"x", r"a.dat: expected a thesaurus that ends in .txt .* found .dat"),
])  # fmt: skip
def test_what_is_no_thesaurus_is_named(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SummetryError, match=message):
        read_heads(tmp_path / name)


def test_the_heads_of_the_book_of_1911(real_data):
    heads = read_heads(real_data("roget1911") / "pg10681.txt")
    assert len(heads) == 1044
    assert sum(1 for _ in entries_of(heads)) == pytest.approx(98_920, rel=0.005)


@pytest.mark.slow
def test_the_book_of_1911_as_another_program_reads_it(real_data):
    """It leaves out what follows a reference without a comma, cuts at initials of authors, and has
    a blank in words that were broken at their hyphen: together less than one entry of a hundred.
    """
    folder = real_data("roget1911")
    ours, theirs = (read_heads(folder / name) for name in ("pg10681.txt", "heads.jsonl"))
    assert [head.place() for head in ours] == [head.place() for head in theirs]
    mine, other = (Counter(entries_of(heads)) for heads in (ours, theirs))
    assert sum(other.values()) == 98_920
    assert len({entry.word.lower() for entry in mine}) == pytest.approx(59_470, rel=0.005)
    assert sum((mine - other).values()) + sum((other - mine).values()) < 0.02 * 98_920
    by_head = [Counter((e.word, e.path[4]) for e in c.elements()) for c in (mine, other)]
    assert sum((by_head[1] - by_head[0]).values()) < 0.003 * 98_920
