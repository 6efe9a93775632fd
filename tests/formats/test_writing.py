"""What formats cannot hold: told or refused when it is written, never changed silently."""

import dataclasses
import warnings

import numpy as np
import pytest
from format_checks import assert_says, notes_on_writing, refusal

import summetry
from summetry import load
from summetry.formats import FORMATS
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.pyramids import Contributor, Label, LabelScu, Pyramid, Scu
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Document, Topic, with_units
from summetry.references.labels import label_units
from summetry.tasks.ranking import RankingRun

WORDS = ["unit_overlap", "lcs.f", "rouge-2.f"]
# The metrics that a format keeps.
KEPT = {
    "ducview": ["pyramid", "pyramid(score=modified)", "scu_recall", "scu_precision", *WORDS],
    "folder": ["pyramid", "coselection", "relative_utility", "rouge-l.f", "compression", *WORDS],
    "mead": ["coselection", "relative_utility", "normalised_relative_utility"],
    "plain": WORDS,
    "rouge_xml": ["rouge-l.f", *WORDS],
    "table": WORDS,
}
# The demo's references are texts, which MEAD has no place for, and a table has no names for them.
WITHOUT_REFERENCES = {"mead", "table"}


def writer(name):
    return FORMATS.build(name).write


def test_every_format_that_is_written_is_tried_and_the_rest_name_them(tmp_path):
    written = {name for name in FORMATS.names() if FORMATS.build(name).can_write}
    # SCU XML holds no summaries; it has a test of its own below.
    assert KEPT.keys() | {"scu_xml"} == written
    for name in ("duc", "markdown", "tac"):
        message = f"the format '{name}' can be read but not written; these can: "
        assert refusal(writer(name), Corpus(), tmp_path / "out") == (
            message + ", ".join(sorted(written))
        )
        assert not (tmp_path / "out").exists()


# --- scores after writing and reading ---


def back(corpus, name, folder):
    path = folder / ("out.jsonl" if name == "table" else "out")
    with warnings.catch_warnings():
        # What else is lost is told, see below.
        warnings.simplefilter("ignore")
        writer(name)(corpus, path)
        return load(path, name, language="en")


def scores(corpus, metrics, protocol):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = summetry.evaluate(corpus, metrics, protocol)
    return dict(zip(table.rows, table.data, strict=True))


@pytest.mark.parametrize("name", KEPT)
def test_scores_stay(demo, tmp_path, name):
    again = back(demo, name, tmp_path)
    for protocol in ("no_models",) if name in WITHOUT_REFERENCES else ("no_models", "all_peers"):
        before, after = (scores(c, KEPT[name], protocol) for c in (demo, again))
        for row, numbers in after.items():
            np.testing.assert_array_equal(numbers, before[row], err_msg=str(row))
        # Only what has no value anyway may be gone.
        gone = [numbers for row, numbers in before.items() if row not in after]
        assert name == "mead" or not gone
        assert after and np.isnan(gone).all()


def test_rankers_stay_where_labels_were_written_as_xml(demo, tmp_path):
    labelled = dataclasses.replace(demo, labels=label_units(demo).labels)
    again = back(labelled, "scu_xml", tmp_path)
    before, after = (RankingRun(c, ["length", "ordered"]).evaluate() for c in (labelled, again))
    assert before.rankers == after.rankers
    assert before.by_chance == after.by_chance


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
NUMBERED, NUMBER = corpus_of(candidate(meta={"run": 1})), "that meta of 1 summary is no text"
MARKED_TEXT = "1 text with CRLF in it or a byte order mark before it"
SEE = '<html>\n<a name="1">[1]</a> <a href="#1" id=1>One ferry.</a>\n</html>\n'


@pytest.mark.parametrize(("name", "path", "corpus", "notes"), [
    ("table", "t.csv", CROWDED,
     ["the language of the corpus, the query of 1 topic, the title of 1 topic, the units of 1 "
      "summary, 1 extract, 2 judgments, the documents of 1 topic one by one, the authors of 1 "
      "reference, 1 topic without a candidate"]),
    ("table", "t.jsonl", CUT_OTHERWISE, ["where the units of 1 topic end"]),
    ("table", "t.jsonl", corpus_of(extract(())), ["the units of 1 summary"]),
    ("plain", "out", corpus_of(extract(())), ["the units of 1 summary"]),
    ("table", "t.jsonl", corpus_of(candidate()), []),
    ("table", "t.jsonl", NUMBERED, []),
    ("table", "t.csv", NUMBERED, [NUMBER]),
    ("plain", "out", CROWDED, [
      "the language of the corpus, the query of 1 topic, the title of 1 topic, the units of 1 "
      "summary, 1 extract, 2 judgments, the documents of 1 topic one by one, 1 topic without "
      "text or summaries"]),
    ("plain", "out", CUT_OTHERWISE, ["where the units of 1 topic end"]),
    ("plain", "out", corpus_of(candidate()), []),
    ("plain", "out", corpus_of(candidate(meta={"n": 1})), ["the meta of 1 summary"]),
    ("plain", "out", corpus_of(candidate("a\r\nb")), [MARKED_TEXT]),
    ("plain", "out", corpus_of(candidate("\ufeffa")), [MARKED_TEXT]),
    ("plain", "out", corpus_of(candidate(SEE)), ["1 text that would be read as SEE or ISI"]),
    ("ducview", "out", PYRAMID,
     ["1 topic without a pyramid, 1 candidate without SCUs, 1 contributor without a summary, "
      "1 weight other than the number of contributing references"]),
    ("mead", "out", MEAD,
     ["the title of 1 topic, 1 judgment, 1 topic without documents, and what belongs there, "
      "1 running text of documents, 1 date of documents, 1 document with other meta, "
      "1 extract with other meta, 1 unit with blanks around"]),
    ("rouge_xml(texts=SEE)", "out", ROUGE,
     ["the title of 1 topic, 1 extract, 1 topic without summaries, the line breaks or '<' and "
      "empty sentences of 1 summary"]),
    ("scu_xml", "out", MARKED,
     ["1 topic without sentences, 1 document without sentences, 1 date of documents, "
      "1 document with meta, 1 SCU with meta"]),
    ("scu_xml", "out", TWICE,
     ["1 unit with other blanks than one between words, 1 document apart from one of the same "
      "name"]),
])  # fmt: skip
def test_what_a_format_cannot_hold_is_told_when_it_is_written(tmp_path, name, path, corpus, notes):
    assert notes_on_writing(name, corpus, tmp_path / path) == notes


@pytest.mark.parametrize(("name", "words"), [
    ("ducview", "the documents of 9 topics"),
    ("mead", "324 judgments ... 54 summaries without"),
    ("scu_xml", "81 summaries ... 9 pyramids"),
])  # fmt: skip
def test_what_the_demo_corpus_loses_is_told(demo, tmp_path, name, words):
    (note,) = notes_on_writing(name, demo, tmp_path / "out")
    assert_says(note, words)


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
LONG_WORDS = "too long for the name of a file: expected at most 250"
KINDS = corpus_of(candidate("", "a", meta={"run": 1}), candidate("", "b", meta={"run": "x"}))
NUL = Corpus(topics=(Topic("t", documents=(units("A.\x00"),)),))
HALF = Corpus(topics=(Topic("\ud800", documents=(Document("d"),)),))
NUL_NAME = Corpus(topics=(Topic("\x00"),), summaries=(Summary("\x00", "a", "candidate", text=""),))
COMMA = Corpus(topics=corpus_of().topics, labels=(Label("t", 0, ("a,b",)),))
TWO = Corpus(topics=tuple(Topic(name, documents=(units("One."),)) for name in "ab"))
BARE = Corpus(topics=(Topic("t"),))
NO_PLACE = "nothing of this corpus has a place in this"


@pytest.mark.parametrize(("name", "path", "corpus", "words"), [
    *((name, "out", corpus, NO_PLACE) for corpus in (Corpus(), BARE)
      for name in ("rouge_xml", "plain", "ducview", "mead", "scu_xml")),
    *((name, "out", TOO_LONG, LONG_WORDS) for name in ("mead", "plain", "scu_xml")),
    ("table", "t.parquet", KINDS, "holds values of one kind ... write a .jsonl instead"),
    ("table", "t.csv", corpus_of(candidate(author="")),
     "a table holds no empty names, found topic 't' and auth"),
    ("plain", "out", corpus_of(candidate("a\x00b")),
     "candidates/lead/t.txt: a text file holds no zero byte"),
    ("mead", "out", NUL, r"'\x00' in the text 'A.\x00' cannot be written"),
    ("mead", "out", HALF, r"'\ud800' cannot be written in XML; rename it"),
    ("mead", "out", TWICE, "topic 't' has several documents 'd'"),
    ("rouge_xml", "out", NUL_NAME, r"'\x00' cannot be written in XML; rename it"),
    ("scu_xml", "out", COMMA, "the author 'a,b' cannot be listed in sums"),
    ("scu_xml", "out.xml", TWO,
     "a file holds 1 topic, the corpus has 2 with sentences; give a folder"),
])  # fmt: skip
def test_what_a_format_refuses_leaves_nothing_behind(tmp_path, name, path, corpus, words):
    assert_says(refusal(writer(name), corpus, tmp_path / path), words)
    assert list(tmp_path.iterdir()) == []


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
