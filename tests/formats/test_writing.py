"""What formats cannot hold: told or refused when it is written, never changed silently."""

import pytest
from format_checks import assert_says, notes_on_writing, refusal, written_and_read

from summetry import load
from summetry.errors import SummetryError
from summetry.formats import FORMATS
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.pyramids import Contributor, Label, LabelScu, Pyramid, Scu
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Document, Topic, with_units

WRITTEN = {"ducview", "folder", "mead", "plain", "rouge_xml", "scu_xml", "table"}


def writer(name):
    return FORMATS.build(name).write


def test_every_format_that_is_written_is_tried_and_the_rest_name_them(tmp_path):
    written = {name for name in FORMATS.names() if FORMATS.build(name).can_write}
    assert written == WRITTEN
    for name in ("duc", "markdown", "tac"):
        message = f"the format '{name}' can be read but not written; these can: "
        assert refusal(writer(name), Corpus(), tmp_path / "out") == (
            message + ", ".join(sorted(written))
        )
        assert not (tmp_path / "out").exists()


@pytest.mark.filterwarnings("ignore::summetry.errors.SummetryWarning")
@pytest.mark.parametrize("name", sorted(WRITTEN - {"scu_xml"}))
def test_summaries_of_the_demo_corpus_stay_whatever_else_is_lost(demo, tmp_path, name):
    path = tmp_path / ("out.jsonl" if name == "table" else "out")
    corpora = demo, written_and_read(name, demo, path)
    before, after = (
        {
            (s.topic, s.author): corpus.text_of(s).split()
            for s in corpus.summaries
            if s.role == "candidate"
        }
        for corpus in corpora
    )
    # MEAD holds extracts alone.
    assert after.items() <= before.items() and len(after) == (27 if name == "mead" else 54)


# --- what a format has no place for ---


def corpus_of(*summaries, **fields):
    topic = with_units(Topic("t", **{"documents": (Document("t", text="One. Two."),)} | fields))
    return Corpus(topics=(topic,), summaries=summaries)


def candidate(text="One.", author="lead", **more):
    return Summary("t", author, "candidate", text=text, **more)


def extract(units=(0,), **more):
    return Summary("t", "lead", "candidate", units=units, **more)


def units(*units, **more):
    return Document("d", units=units, **more)


CROWDED = Corpus(
    language="en",
    topics=(
        Topic("t", title="T", query="Q", documents=(units("One.", "Two."), Document("e"))),
        Topic("bare"),
    ),
    summaries=(extract(), Summary("t", "anna", "reference", text="m")),
    extracts=(Extract("t", "p", (0,)),),
    judgments=(Judgment("t", "lead", "j", "d", 1), Judgment("t", "lead", "k", "d", 2)),
)
GONE = Scu("1", "sank", 3, (Contributor("m", "sank"), Contributor("gone")))
PYRAMID = Corpus(
    topics=(Topic("t"), Topic("bare")),
    summaries=(Summary("t", "m", "reference", text="It sank."), candidate("", "p")),
    pyramids=(Pyramid("t", (GONE,)),),
)
OTHER_META = Document("d", "2003-05-01", " A.", (" A.",), {"headline": 7, "docno": 3})
MEAD = Corpus(
    topics=(Topic("t", title="T", documents=(OTHER_META,)), Topic("bare")),
    summaries=(extract(meta={"run": 5}),),
    judgments=(Judgment("t", "a", "j", "d", 1),),
)
ROUGE = Corpus(
    topics=(Topic("t", title="T"), Topic("bare")),
    summaries=(Summary("t", "a", "candidate", sentences=("a < b\nc", "")),),
    extracts=(Extract("t", "p", ()),),
)
DATED = units("One.", date="2003-05-01", meta={"n": 1})
MARKED = Corpus(
    topics=(Topic("a", documents=(DATED, Document("e"))), Topic("b")),
    labels=(Label("a", 0, (), (LabelScu("1", meta={"n": 1}),)),),
)
# Two documents of one name, and a unit with a line break.
TWICE = corpus_of(documents=(units("a\n\nb"), units("c")))
CUT_OTHERWISE = corpus_of(candidate(), documents=(Document("t", units=("One. Two.", "Three.")),))
NUMBERED = corpus_of(candidate(meta={"run": 1}))
SEE = '<html>\n<a name="1">[1]</a> <a href="#1" id=1>One ferry.</a>\n</html>\n'


TOLD = {
    "a crowded corpus": (CROWDED, "table", "t.csv"),
    "a crowded corpus as texts": (CROWDED, "plain", "out"),
    "units that rules would not cut": (CUT_OTHERWISE, "table", "t.jsonl"),
    "units that rules would not cut, as texts": (CUT_OTHERWISE, "plain", "out"),
    "an empty extract": (corpus_of(extract(())), "table", "t.jsonl"),
    "an empty extract as a text": (corpus_of(extract(())), "plain", "out"),
    "nothing of a candidate": (corpus_of(candidate()), "table", "t.jsonl"),
    "nothing of a candidate's text": (corpus_of(candidate()), "plain", "out"),
    "nothing of a number beside a summary": (NUMBERED, "table", "t.jsonl"),
    "a number beside a summary in cells": (NUMBERED, "table", "t.csv"),
    "a number beside a text": (NUMBERED, "plain", "out"),
    "CRLF": (corpus_of(candidate("a\r\nb")), "plain", "out"),
    "a byte order mark": (corpus_of(candidate("\ufeffa")), "plain", "out"),
    "a text in SEE": (corpus_of(candidate(SEE)), "plain", "out"),
    "a pyramid": (PYRAMID, "ducview", "out"),
    "what MEAD has no place for": (MEAD, "mead", "out"),
    "what ROUGE has no place for": (ROUGE, "rouge_xml(texts=SEE)", "out"),
    "dates and meta": (MARKED, "scu_xml", "out"),
    "blanks, and documents of one name": (TWICE, "scu_xml", "out"),
}


def test_what_a_format_cannot_hold_is_told_when_it_is_written(tmp_path, snapshot):
    lines = []
    for case, (corpus, name, path) in TOLD.items():
        notes = notes_on_writing(name, corpus, tmp_path / case / path)
        lines += [f"{case}: {name}", *(f"  {note}" for note in notes)]
    assert "\n".join(lines) == snapshot


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet"])
def test_a_table_keeps_columns_that_the_first_row_lacks(tmp_path, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"t.{ending}"
    second = with_units(Topic("u", documents=(Document("u", text="Three."),)))
    more = Summary("u", "lead", "candidate", text="Three.", meta={"run": "a"})
    corpus = Corpus(topics=(Topic("t"), second), summaries=(candidate(), more))
    assert notes_on_writing("table", corpus, path) == []
    again = load(path, "table")
    assert again.topic("u") == second
    assert [summary.text for summary in again.summaries] == ["One.", "Three."]
    assert again.summaries[1].meta == {"run": "a"}


@pytest.mark.parametrize(
    "name", ["candidate", "reference", "references", "source", "reference_1", "Category"]
)
def test_meta_named_like_another_column_is_not_read_as_one(tmp_path, name):
    corpus = corpus_of(candidate(meta={name: "x", "run": "a"}))
    notes = notes_on_writing("table", corpus, tmp_path / "t.jsonl")
    assert notes == ["1 summary with meta that is named like another column"]
    (summary,) = load(tmp_path / "t.jsonl", "table").summaries
    assert (summary.role, summary.text, summary.meta) == ("candidate", "One.", {"run": "a"})


# --- what is refused, before anything is written ---

LONG = with_units(Topic("n" * 300, documents=(Document("d", text="One. Two."),)))
TOO_LONG = Corpus(topics=(*corpus_of().topics, LONG))
KINDS = corpus_of(candidate("", "a", meta={"run": 1}), candidate("", "b", meta={"run": "x"}))
NUL = Corpus(topics=(Topic("t", documents=(units("A.\x00"),)),))
HALF = Corpus(topics=(Topic("\ud800", documents=(Document("d"),)),))
NUL_NAME = Corpus(topics=(Topic("\x00"),), summaries=(Summary("\x00", "a", "candidate", text=""),))
COMMA = Corpus(topics=corpus_of().topics, labels=(Label("t", 0, ("a,b",)),))
TWO = Corpus(topics=tuple(Topic(name, documents=(units("One."),)) for name in "ab"))
BARE = Corpus(topics=(Topic("t"),))


def test_what_a_format_refuses_leaves_nothing_behind(tmp_path, refused):
    def write(name, path, corpus):
        with pytest.raises(SummetryError):
            writer(name)(corpus, tmp_path / path)
        assert list(tmp_path.iterdir()) == []
        writer(name)(corpus, tmp_path / path)

    cases = {
        f"{name}: {what}": (name, "out", corpus)
        for what, corpus, names in (
            ("nothing", Corpus(), "rouge_xml plain ducview mead scu_xml"),
            ("a topic without a text", BARE, "rouge_xml plain ducview mead scu_xml"),
            ("a name of 300 letters", TOO_LONG, "mead plain scu_xml"),
        )
        for name in names.split()
    }
    refused(write, cases | {
        "table: an empty name": ("table", "t.csv", corpus_of(candidate(author=""))),
        "plain: a zero byte": ("plain", "out", corpus_of(candidate("a\x00b"))),
        "mead: a zero byte": ("mead", "out", NUL),
        "mead: half a character": ("mead", "out", HALF),
        "mead: two documents of one name": ("mead", "out", TWICE),
        "rouge_xml: a zero byte in a name": ("rouge_xml", "out", NUL_NAME),
        "scu_xml: a comma in a name": ("scu_xml", "out", COMMA),
        "scu_xml: two topics in a file": ("scu_xml", "out.xml", TWO),
    })  # fmt: skip
    message = refusal(writer("table"), KINDS, tmp_path / "t.parquet")
    assert_says(message, "holds values of one kind ... write a .jsonl instead")


def test_a_name_of_exactly_the_longest_length_is_written(tmp_path):
    longest = "n" * (250 - len(".txt"))
    topic = with_units(Topic(longest, documents=(Document(longest, text="One."),)))
    writer("plain")(Corpus(topics=(topic,)), tmp_path / "out")
    assert [file.stem for file in tmp_path.rglob("*.txt")] == [longest]


@pytest.mark.parametrize("name", ["", ".hidden", "a/b", "a\\b", "a\x00b"])
def test_a_name_that_is_no_file_name_is_refused_and_one_of_a_text_file_is_not(tmp_path, name):
    message = f"{name!r} cannot be part of a file name; rename it, or use another format"
    for topic, author in ((name, "a"), ("t", name)):
        summaries = (Summary(topic, author, "candidate", text="x"),)
        corpus = Corpus(topics=(Topic(topic),), summaries=summaries)
        assert refusal(writer("plain"), corpus, tmp_path) == message
    corpus = corpus_of(candidate(author="lead.txt"))
    assert notes_on_writing("plain", corpus, tmp_path / "out") == []
    assert load(tmp_path / "out", "plain").summaries == corpus.summaries


# --- where something is already ---


@pytest.mark.filterwarnings("ignore:.*cannot hold")
@pytest.mark.parametrize(
    ("name", "file"),
    [("ducview", "old.p.pan"), ("mead", "old.docsent"), ("plain", "peers/old/t01.txt"),
     ("scu_xml", "old.xml")],
)  # fmt: skip
def test_a_folder_may_hold_the_same_corpus_and_no_other(tmp_path, name, file):
    topic = Topic("t", documents=(Document("t", units=("One.",)),))
    corpus = Corpus(topics=(topic,), pyramids=(Pyramid("t", ()),))
    for _ in range(2):
        writer(name)(corpus, tmp_path)
    old = tmp_path / file
    old.parent.mkdir(parents=True, exist_ok=True)
    old.write_text("left over")
    before = sorted(tmp_path.rglob("*"))
    message = f"holds {file}, which may be read as part of the corpus; write to a folder"
    assert message in refusal(writer(name), corpus, tmp_path)
    assert (sorted(tmp_path.rglob("*")), old.read_text()) == (before, "left over")


@pytest.mark.parametrize(
    ("name", "ending"),
    [("ducview", ".pyr"), ("folder", ""), ("mead", ".extract"), ("plain", ""),
     ("rouge_xml", ".xml")],
)  # fmt: skip
def test_a_file_is_no_place_to_write_to(tmp_path, name, ending):
    path = tmp_path / f"file{ending}"
    # A name that files of the format have is refused even where there is none yet.
    for content in ("", "x") if ending else ("x",):
        if content:
            path.write_text(content)
        assert "expected a folder to write to, " in refusal(writer(name), Corpus(), path)
    assert path.read_text() == "x"


def test_a_corpus_that_cannot_be_written_leaves_the_earlier_one(tmp_path):
    write = writer("folder")
    write(corpus_of(candidate()), tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(TypeError):
        write(corpus_of(candidate(meta={"no": object()})), tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_full_disk_names_the_file(tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with pytest.raises(OSError, match="No space left") as caught:
        writer("plain")(corpus_of(candidate()), tmp_path / "out")
    assert caught.value.filename == str(tmp_path / "out" / "sources" / "t.txt")
    assert not list(tmp_path.rglob("*.part"))
