"""Roget's book and heads of nine levels, as read from files; SemDist on an index of their paths."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.lexicons import word_paths
from summetry.lexicons.roget import Entry, entries_of, read_book, read_heads
from summetry.lexicons.word_paths import build_paths, load_paths, paths_of, thesaurus_folder
from summetry.text.pipeline import TextPipeline

DATA = Path(__file__).parents[1] / "data"
BOOK = DATA / "roget.txt"


@pytest.fixture(scope="module")
def heads():
    return {head.head: head for head in read_heads(BOOK)}


def groups(head):
    return [[list(group) for group in p.groups] for p in head.paragraphs]


def test_heads_have_paragraphs_and_groups_without_notes_and_references(heads):
    assert list(heads) == ["1", "2", "3", "3a", "4", "5", "6", "7"], "nothing behind the end"
    names = [head.name for head in heads.values()]
    assert names == ["Vessel", "Ship", "Barge", "Raft", "Skiff", "Coracle", "Pier", "Hill"]
    assert groups(heads["1"]) == [
        [["vessel", "craft", "bottom"], ["ship"], ["hulk", "tub"]],
        [["flotilla"], ["cousin-ship"]],
        [["sail", "put to sea"], ["float"]],
        [["drift", "wander"]],
        [["afloat!"]],
    ]
    assert [p.pos for p in heads["1"].paragraphs] == ["N", "N", "V", "V", "Adj"]
    # Notes that run over lines make no paragraph.
    ships, ferries = [["ship", "steamer"], ["liner"]], [["ferry", "ferryboat"]]
    assert groups(heads["2"])[:3] == [ships, ferries, [["all aboard"]]]


def test_headings_end_those_below_them(heads):
    subsections = {number: head.subsections for number, head in heads.items()}
    assert subsections["1"] == subsections["2"] == ("VESSELS, IN GENERAL",)
    assert subsections["3"] == subsections["3a"] == ("VESSELS, IN PARTICULAR", "Of the river")
    assert subsections["4"] == ("VESSELS, IN PARTICULAR", "Below", "Of wood", "SMALL")
    assert subsections["5"] == ("VESSELS, IN PARTICULAR", "Below", "Of skin")
    assert subsections["6"] == ()


def test_five_levels_are_above_the_parts_of_speech_and_eight_above_every_entry(heads):
    assert heads["4"].place() == ("I", "/I", "VESSELS, IN PARTICULAR", "Below/Of wood/SMALL", "4")
    # Sections of two divisions are two sections.
    assert heads["6"].place() == ("II", "I/I", "", "", "6")
    assert heads["7"].place() == ("II", "II/I", "", "", "7")
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


def test_heads_of_jsonl_and_of_a_file_whose_ending_is_in_capitals(tmp_path):
    loud = tmp_path / "ROGET.TXT"
    loud.write_bytes(BOOK.read_bytes())
    assert read_heads(loud) == read_heads(BOOK)
    read = read_heads(DATA / "harbour.jsonl")
    assert [head.name for head in read] == ["Ship", "Pier", "Weather"]
    assert read[2].place() == ("II", "/I", "", "", "3")


@pytest.mark.slow
def test_the_book_of_1911(real_data, monkeypatch):
    book = real_data("roget1911") / "pg10681.txt"
    heads = read_heads(book)
    assert len(heads) == 1044
    assert sum(1 for _ in entries_of(heads)) == pytest.approx(98_920, rel=0.005)
    # The book is long: it is read once.
    monkeypatch.setattr(word_paths, "read_heads", {book: heads}.get)
    known, words = load_paths(book), ["existence", "being", "reality", "nothingness"]
    rows, counts = known.senses_of(words)
    assert (counts > 0).all()
    near = dict(zip(words, known.near("existence", rows, counts).tolist(), strict=True))
    # One semicolon group, one part of speech, and one group of heads.
    assert near["being"] == 16 and near["reality"] == 12 and near["nothingness"] == 8


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


# --- SemDist on an index of paths, and the index on disk ---


WORDS = ["pier", "quay", "fog", "ice", "ferry"]

paths = st.lists(st.sampled_from("ab"), min_size=8, max_size=8)
thesauri = st.dictionaries(st.sampled_from(WORDS), st.lists(paths, min_size=1, max_size=3))


def semdist_oracle(word, other, thesaurus):
    """Twice the leading levels that the best pair of senses shares, one level at a time."""
    best = 0
    for one in thesaurus.get(word, []):
        for two in thesaurus.get(other, []):
            shared = 0
            while shared < 8 and one[shared] == two[shared]:
                shared += 1
            best = max(best, shared)
    return 2 * best


@given(thesauri)
def test_nearness_agrees_with_a_slow_plain_way_and_is_symmetric_even_and_at_most_16(thesaurus):
    index = paths_of(thesaurus)
    nearness = np.array([index.near(word, *index.senses_of(WORDS)) for word in WORDS])
    expected = [[semdist_oracle(word, other, thesaurus) for other in WORDS] for word in WORDS]
    assert nearness.tolist() == expected
    assert (nearness == nearness.T).all()
    assert set(nearness.flatten().tolist()) <= set(range(0, 17, 2))


def test_a_sense_that_is_listed_twice_counts_once_and_an_empty_index_knows_none():
    index = build_paths([Entry("pier", tuple("abcdefgh"))] * 2)
    assert index.senses_of(["pier"])[1].tolist() == [1]
    # The same level under other parents is not shared: "x" at level 2, below different classes.
    index = paths_of({"pier": ["axcdefgh"], "quay": ["bxcdefgh"]})
    assert index.near("pier", *index.senses_of(["quay"])).tolist() == [0]
    empty = build_paths([])
    assert empty.near("pier", *empty.senses_of(["pier"])).tolist() == [0]
    assert empty.senses_of([])[1].tolist() == []
    with pytest.raises(SummetryError, match="a path has 8 levels, got 3 for 'pier'"):
        paths_of({"pier": ["abc"]})


def test_words_in_the_forms_of_a_pipeline():
    thesaurus = {"Ferry": ["abcdefgh"], "ferries": ["bbcdefgh"], "The": ["cbcdefgh"]}
    known = paths_of(thesaurus | {"the ferry": ["dbcdefgh"], "mother-in-law": ["ebcdefgh"]})
    stemmed = known.in_forms(TextPipeline.from_spec("en(stop=true,stem=true)"), "en")
    assert "ferri" in stemmed.words and "the" not in stemmed.words
    assert stemmed.senses_of(["ferri"])[1].tolist() == [2]
    assert known.in_forms(TextPipeline.from_spec("auto"), "").senses_of(["ferry"])[1] == [1]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "harbour.jsonl"
    path.write_bytes((DATA / "harbour.jsonl").read_bytes())
    word_paths._load.cache_clear()
    return path


def kept_files():
    return sorted(thesaurus_folder().glob("*"))


def test_an_index_is_kept_and_found_again_also_in_the_forms_of_a_pipeline(file, monkeypatch):
    forms = (), (TextPipeline.from_spec("auto(stem=true)"), "en")
    before = [load_paths(file, *form) for form in forms]
    assert len(kept_files()) == 2
    word_paths._load.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(word_paths, "read_heads", None)  # Reading the file again would fail.
        again = [load_paths(file, *form) for form in forms]
    for first, second in zip(before, again, strict=True):
        assert second.words == first.words
        for part in ("offsets", "senses", "nodes"):
            assert (getattr(second, part) == getattr(first, part)).all()
    # A file that changed is read anew.
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:1]))
    assert len(load_paths(file)) < len(before[0])


@pytest.mark.parametrize("spoilt", [b"", b"no archive", None])
def test_a_broken_index_is_built_again(file, spoilt):
    index = load_paths(file)
    (kept,) = kept_files()
    whole = kept.read_bytes()
    kept.write_bytes(whole[: len(whole) // 2] if spoilt is None else spoilt)
    word_paths._load.cache_clear()
    assert load_paths(file).words == index.words
    assert kept.read_bytes() == whole


def test_a_cache_that_cannot_be_written_stops_nobody(file, monkeypatch, tmp_path):
    (tmp_path / "taken").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "taken"))
    assert "ferry" in load_paths(file).words
    (tmp_path / "name").mkdir()  # A file cannot take the place of a folder.
    before = sorted(tmp_path.iterdir())
    with pytest.raises(OSError):
        word_paths.write_whole(tmp_path / "name", b"content")
    assert sorted(tmp_path.iterdir()) == before
