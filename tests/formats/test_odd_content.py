"""Names and texts that files cannot hold as they are: refused or told, never changed silently."""

import pytest
from format_checks import notes_on_writing

from summetry import load
from summetry.errors import SummetryError
from summetry.formats import FORMATS
from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic, with_units

LONG = "n" * 300


def corpus_of(*summaries, **fields):
    topic = with_units(Topic("t", **{"documents": (Document("t", text="One. Two."),)} | fields))
    return Corpus(topics=(topic,), summaries=summaries)


CANDIDATE = Summary("t", "lead", "candidate", text="One.")


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet"])
def test_a_table_keeps_columns_that_the_first_row_lacks(tmp_path, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"t.{ending}"
    second = with_units(Topic("u", documents=(Document("u", text="Three."),)))
    more = Summary("u", "lead", "candidate", text="Three.", meta={"run": "a"})
    corpus = Corpus(topics=(Topic("t"), second), summaries=(CANDIDATE, more))
    assert notes_on_writing("table", corpus, path) == []
    again = load(path, "table")
    assert again.topic("u") == second
    assert [summary.text for summary in again.summaries] == ["One.", "Three."]
    assert again.summaries[1].meta == {"run": "a"}


@pytest.mark.parametrize("name", ["candidate", "reference", "references", "source", "reference_1"])
def test_meta_named_like_a_column_of_texts_is_not_read_as_one(tmp_path, name):
    peer = Summary("t", "lead", "candidate", text="One.", meta={name: "x", "run": "a"})
    notes = notes_on_writing("table", corpus_of(peer), tmp_path / "t.jsonl")
    assert notes == ["1 summary with meta that is named like a column of texts"]
    corpus = load(tmp_path / "t.jsonl", "table")
    assert [(s.role, s.text, s.meta) for s in corpus.summaries] == [
        ("candidate", "One.", {"run": "a"})
    ]


def test_meta_that_is_no_text_is_told_where_all_cells_are(tmp_path):
    corpus = corpus_of(Summary("t", "lead", "candidate", text="One.", meta={"run": 1}))
    assert notes_on_writing("table", corpus, tmp_path / "t.jsonl") == []
    assert notes_on_writing("table", corpus, tmp_path / "t.csv") == [
        "that meta of 1 summary is no text"
    ]
    assert load(tmp_path / "t.jsonl", "table").summaries[0].meta == {"run": 1}


def test_values_of_several_kinds_do_not_fit_a_column_of_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    other = Summary("t", "b", "candidate", text="", meta={"run": "x"})
    corpus = corpus_of(Summary("t", "a", "candidate", text="", meta={"run": 1}), other)
    with pytest.raises(
        SummetryError, match=r"holds values of one kind .*; write a \.jsonl instead"
    ):
        FORMATS.build("table").write(corpus, tmp_path / "t.parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_table_would_give_an_empty_name_another(tmp_path):
    nobody = corpus_of(Summary("t", "", "candidate", text="One."))
    with pytest.raises(
        SummetryError, match="a table holds no empty names, found topic 't' and auth"
    ):
        FORMATS.build("table").write(nobody, tmp_path / "t.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["table", "plain"])
def test_units_that_a_text_is_not_cut_into_are_told(tmp_path, name):
    path = tmp_path / ("t.jsonl" if name == "table" else "out")
    odd = corpus_of(CANDIDATE, documents=(Document("t", units=("One. Two.", "Three.")),))
    assert notes_on_writing(name, odd, path) == ["where the units of 1 topic end"]
    assert notes_on_writing(name, corpus_of(CANDIDATE), path) == []


@pytest.mark.parametrize("name", ["table", "plain"])
def test_an_empty_extract_is_not_an_empty_text(tmp_path, name):
    path = tmp_path / ("t.jsonl" if name == "table" else "out")
    (note,) = notes_on_writing(name, corpus_of(Summary("t", "lead", "candidate", units=())), path)
    assert "the units of 1 summary" in note


@pytest.mark.parametrize("text", ["a\r\nb", "\ufeffa"])
def test_what_a_text_file_does_not_give_back_is_told(tmp_path, text):
    corpus = corpus_of(Summary("t", "lead", "candidate", text=text))
    notes = notes_on_writing("plain", corpus, tmp_path / "out")
    assert notes == ["1 text with CRLF in it or a byte order mark before it"]


def test_a_zero_byte_is_not_written_to_a_text_file(tmp_path):
    corpus = corpus_of(Summary("t", "lead", "candidate", text="a\x00b"))
    with pytest.raises(
        SummetryError, match=r"^candidates/lead/t\.txt: a text file holds no zero byte"
    ):
        FORMATS.build("plain").write(corpus, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_author_may_be_named_like_a_text_file(tmp_path):
    corpus = corpus_of(Summary("t", "lead.txt", "candidate", text="One."))
    assert notes_on_writing("plain", corpus, tmp_path / "out") == []
    assert load(tmp_path / "out", "plain").summaries == corpus.summaries


@pytest.mark.parametrize("name", ["mead", "plain", "scu_xml"])
def test_a_name_too_long_for_a_file_is_refused_before_anything_is_written(tmp_path, name):
    long = with_units(Topic(LONG, documents=(Document(LONG, text="One. Two."),)))
    corpus = Corpus(topics=(*corpus_of().topics, long))
    with pytest.raises(
        SummetryError, match="too long for the name of a file: expected at most 250"
    ):
        FORMATS.build(name).write(corpus, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_corpus_that_cannot_be_written_leaves_the_earlier_one(tmp_path):
    folder = FORMATS.build("folder")
    folder.write(corpus_of(CANDIDATE), tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    broken = corpus_of(Summary("t", "lead", "candidate", text="x", meta={"no": object()}))
    with pytest.raises(TypeError):
        folder.write(broken, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_labelled_sentences_lose_no_blanks_and_no_documents_silently(tmp_path):
    twice = (Document("d", units=("a\n\nb",)), Document("d", units=("c",)))
    (note,) = notes_on_writing("scu_xml", corpus_of(documents=twice), tmp_path / "out")
    assert note == (
        "1 unit with other blanks than one between words, "
        "1 document apart from one of the same name"
    )


def test_a_full_disk_names_the_file(tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with pytest.raises(OSError, match="No space left") as caught:
        FORMATS.build("plain").write(corpus_of(CANDIDATE), tmp_path / "out")
    assert caught.value.filename == str(tmp_path / "out" / "sources" / "t.txt")
    assert not list(tmp_path.rglob("*.part"))
