"""Text files in folders: both layouts, and names and bytes that do not fit."""

import os
import sys
from pathlib import Path

import pytest
from format_checks import notes_on_writing
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry import load
from summetry.errors import FormatError, SummetryError, SummetryWarning
from summetry.formats import recognise
from summetry.formats.plain import FOLDERS, Plain, read_directories
from summetry.formats.texts import read_text
from summetry.records.corpus import Corpus
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Document, Topic, with_units


@pytest.fixture
def texts(tmp_path):
    """Writes files by name; the folder they are in."""

    def make(files):
        for name, content in files.items():
            path = tmp_path / "corpus" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path / "corpus"

    return make


BY_NAME = {
    "sources/t1.txt": "One. Two.",
    "models/t1.anna.txt": "m",
    "peers/t1.lead.txt": "p",
    "peers/t1.x.lead.txt": "q",
}
BY_AUTHOR = {
    "sources/t1.txt": "One. Two.",
    "models/anna/t1.txt": "m",
    "peers/lead/t1.txt": "p",
    "peers/lead/t1.x.txt": "q",
}


@pytest.mark.parametrize("files", [BY_NAME, BY_AUTHOR])
def test_both_layouts_are_read_alike(texts, files):
    path = texts(files)
    assert recognise(path).name == "plain"
    corpus = load(path, language="en")
    topic = with_units(Topic("t1", documents=(Document("t1", text="One. Two."),)), "en")
    assert corpus.topics == (topic, Topic("t1.x"))
    assert corpus.summaries == (
        Summary("t1", "anna", "reference", text="m"),
        Summary("t1", "lead", "candidate", text="p"),
        Summary("t1.x", "lead", "candidate", text="q"),
    )


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_name_of_a_folder_is_understood(texts, folder):
    source = {"sources/t.txt": "x"} if FOLDERS[folder] == "extract" else {}
    corpus = load(texts({f"{folder}/t.a.txt": "x", **source}))
    if FOLDERS[folder] == "extract":
        assert corpus.extracts == (Extract("t", "a", (0,)),)
    elif FOLDERS[folder] == "source":
        assert corpus.topics[0].units == ("x",)
    else:
        assert corpus.summaries == (Summary("t", "a", FOLDERS[folder], text="x"),)


def test_hidden_files_and_other_endings_are_left_out(texts):
    path = texts(
        {"peers/t.a.txt": "x", "peers/.hid.a.txt": "x", "peers/.b/t.txt": "", "peers/n.md": ""}
    )
    assert len(load(path).summaries) == 1


def test_a_single_file_is_a_topic(texts):
    path = texts({"story.txt": "One came. Two left."}) / "story.txt"
    corpus = load(path, language="en")
    assert corpus.name == "story"
    assert corpus.topics[0].units == ("One came.", "Two left.")
    assert corpus.summaries == ()


def test_a_byte_order_mark_and_crlf_are_not_part_of_a_text(texts):
    path = texts({"a.txt": b"\xef\xbb\xbfOne\r\ntwo\r\n"}) / "a.txt"
    assert read_text(path) == "One\ntwo\n"


def test_broken_utf8_is_named_with_its_line(texts):
    path = texts({"peers/t.a.txt": b"one\ntwo \xe9 three\n"})
    with pytest.raises(FormatError) as caught:
        load(path)
    assert str(caught.value) == (
        f"{path}/peers/t.a.txt:2: expected UTF-8, found the byte 0xe9; save the file as UTF-8"
    )


@pytest.mark.parametrize("name", ["peers/lead.txt", "peers/a/b/t.txt"])
def test_a_summary_without_an_author_is_named(texts, name):
    path = texts({name: "x"})
    with pytest.raises(FormatError) as caught:
        load(path)
    assert str(caught.value) == (
        f"{path}/{name}: expected TOPIC.AUTHOR.txt, or TOPIC.txt in a folder AUTHOR, "
        f"found {name.rpartition('/')[2]}"
    )


def test_one_summary_in_both_layouts_is_a_summary_twice(texts):
    path = texts({"peers/t.a.txt": "x", "peers/a/t.txt": "y"})
    with pytest.raises(
        FormatError, match=r"t\.a\.txt: expected one summary t a candidate, found a"
    ):
        load(path)


def test_two_sources_of_one_name_are_refused(texts):
    path = texts({"sources/a/t.txt": "x", "sources/b/t.txt": "y"})
    with pytest.raises(FormatError) as caught:
        load(path)
    assert str(caught.value) == (
        f"{path}/sources/b/t.txt: expected one topic t, found a second one, "
        f"the first is {path}/sources/a/t.txt"
    )


def test_bad_files_are_left_out_with_what_belongs_to_them(texts):
    path = texts(
        {
            "sources/good.txt": "x",
            "sources/bad.txt": b"\xff",
            "peers/good.a.txt": "x",
            "peers/bad.a.txt": "x",
            "peers/good.b.txt": b"\xff",
            "peers/nobody.txt": "x",
        }
    )
    corpus = load(path, on_error="skip")
    assert [topic.id for topic in corpus.topics] == ["good"]
    assert corpus.summaries == (Summary("good", "a", "candidate", text="x"),)
    assert [problem.removeprefix(f"{path}/").split(":")[0] for problem in corpus.problems] == [
        "sources/bad.txt",
        "peers/good.b.txt",
        "peers/nobody.txt",
        "peers/bad.a.txt",
    ]


def test_folders_are_matched_by_file_name(texts):
    path = texts(
        {
            "sys/t1.txt": "p1",
            "sys/t2.txt": "p2",
            "r1/t1.txt": "m",
            "r2/t1.txt": "n",
            "src/t2.txt": "S",
        }
    )
    corpus = read_directories(path / "sys", [path / "r1", path / "r2"], path / "src")
    assert corpus.name == "sys"
    assert [topic.units for topic in corpus.topics] == [(), ("S",)]
    assert corpus.summaries == (
        Summary("t1", "sys", "candidate", text="p1"),
        Summary("t2", "sys", "candidate", text="p2"),
        Summary("t1", str(path / "r1"), "reference", text="m"),
        Summary("t1", str(path / "r2"), "reference", text="n"),
    )


def test_a_folder_without_candidates_is_refused(texts):
    path = texts({"sys/readme.md": ""})
    with pytest.raises(SummetryError, match=r"sys: expected text files \(\*\.txt\), found none$"):
        read_directories(path / "sys", [], None)


def test_a_reference_without_a_candidate_is_refused(texts):
    path = texts({"sys/topic1.txt": "", "ref/topic2.txt": ""})
    with pytest.raises(FormatError) as caught:
        read_directories(path / "sys", [path / "ref"], None)
    assert str(caught.value) == (
        f"{path}/ref/topic2.txt: expected a candidate of this name in {path}/sys, found none; "
        "Did you mean 'topic1.txt'?"
    )


@pytest.mark.parametrize("name", ["", ".hidden", "a/b", "a\\b", "a\x00b"])
def test_a_name_that_is_no_file_name_is_refused(tmp_path, name):
    message = f"{name!r} cannot be part of a file name; rename it, or use another format"
    for topic, author in ((name, "a"), ("t", name)):
        corpus = Corpus(
            topics=(Topic(topic),), summaries=(Summary(topic, author, "candidate", text="x"),)
        )
        with pytest.raises(SummetryError) as caught:
            Plain().write(corpus, tmp_path)
        assert str(caught.value) == message


# A byte order mark and CRLF are not part of a text, see above; a zero byte is refused.
letters = st.characters(codec="utf-8", exclude_characters="\0")
contents = st.text(letters, max_size=20).filter(
    lambda text: "\r\n" not in text and not text.startswith("\ufeff")
)


@settings(max_examples=50)
@given(st.lists(st.tuples(contents, contents, contents), min_size=1, max_size=3))
def test_a_corpus_goes_through_text_files_and_back(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("plain") / "corpus"
    topics, candidates, references = [], [], []
    for number, (source, candidate, reference) in enumerate(rows):
        name = f"t.{number}"
        topics.append(with_units(Topic(name, documents=(Document(name, text=source),))))
        references.append(Summary(name, "m. 1", "reference", text=reference))
        candidates.append(Summary(name, "lead.er", "candidate", text=candidate))
    corpus = Corpus(name="corpus", topics=tuple(topics), summaries=(*references, *candidates))
    Plain().write(corpus, path)
    assert {folder.name for folder in path.iterdir()} == {"sources", "references", "candidates"}
    assert load(path) == corpus


def test_what_text_files_cannot_hold_is_said_when_they_are_written(tmp_path):
    corpus = Corpus(
        topics=(Topic("t", query="Q", documents=(Document("d", units=("A.",)),)), Topic("u")),
        summaries=(Summary("t", "a", "candidate", text="x", meta={"n": 1}),),
        extracts=(Extract("t", "p", (0,)),),
    )
    assert notes_on_writing("plain", corpus, tmp_path) == [
        "the query of 1 topic, the meta of 1 summary, 1 extract, the documents of 1 topic one by "
        "one, 1 topic without text or summaries"
    ]
    assert (tmp_path / "sources" / "t.txt").read_text() == "A."


SIDE_BY_SIDE = {
    "articles/d.1.txt": "One. Two.",
    "gold/d.1.txt": "g",
    "bart/d.1.txt": "b",
    "t5/d.1.txt": "t",
}


def test_a_folder_for_each_system_is_recognised_and_said(texts):
    path = texts(SIDE_BY_SIDE)
    assert recognise(path).name == "plain"
    with pytest.warns(SummetryWarning) as notes:
        corpus = load(path)
    assert [str(note.message) for note in notes] == [
        f"{path}: 'articles' is taken for the sources, 'gold' for the references, "
        "'bart' and 't5' for the candidates of systems"
    ]
    assert [topic.id for topic in corpus.topics] == ["d.1"]
    assert corpus.summaries == (
        Summary("d.1", "gold", "reference", text="g"),
        Summary("d.1", "bart", "candidate", text="b"),
        Summary("d.1", "t5", "candidate", text="t"),
    )


def test_systems_may_stand_beside_references_by_several_people(texts):
    path = texts({"references/t.ann.txt": "a", "references/t.bo.txt": "b", "lead/t.txt": "c"})
    with pytest.warns(SummetryWarning, match="'lead' is taken for the candidates of systems"):
        corpus = load(path)
    assert [(s.topic, s.author, s.role) for s in corpus.summaries] == [
        ("t", "ann", "reference"),
        ("t", "bo", "reference"),
        ("t", "lead", "candidate"),
    ]


@pytest.mark.parametrize("folder", ["refs", "gold", "targets"])
def test_other_names_of_references_are_read_beside_candidates(texts, folder):
    path = texts({f"{folder}/t.txt": "r", "candidates/lead/t.txt": "c"})
    with pytest.warns(SummetryWarning, match=f"'{folder}' is taken for the references"):
        corpus = load(path)
    assert corpus.summaries == (
        Summary("t", "lead", "candidate", text="c"),
        Summary("t", folder, "reference", text="r"),
    )


def test_a_folder_that_is_not_read_is_named(texts):
    path = texts({"references/t.txt": "r", "candidates/lead/t.txt": "c", "old/t.txt": "x"})
    with pytest.warns(SummetryWarning, match=r"'old' is not read: expected sources, references"):
        assert len(load(path).summaries) == 2
    path = texts({"other/u.txt": "x", "odd/v.txt": "x"})
    with pytest.warns(SummetryWarning, match=r"'odd', 'old' and 'other' are not read"):
        load(path)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes on Linux")
def test_a_file_whose_name_is_no_text_is_refused(texts):
    path = texts({"references/t.ann.txt": "r", "candidates/t.lead.txt": "c"})
    odd = os.fsencode(path / "candidates") + b"/\xfft.lead.txt"
    Path(os.fsdecode(odd)).write_text("c")
    with pytest.raises(FormatError, match=r"expected a name in UTF-8, found '.udcfft'; rename it"):
        load(path)
    assert [topic.id for topic in load(path, on_error="skip").topics] == ["t"]


def test_a_single_reference_needs_no_author(texts):
    path = texts({"sources/t.1.txt": "s", "references/t.1.txt": "r", "candidates/t.1.txt": "c"})
    assert load(path).summaries == (
        Summary("t.1", "reference", "reference", text="r"),
        Summary("t.1", "candidate", "candidate", text="c"),
    )


def test_folders_that_share_no_name_are_answered_with_a_layout(texts):
    path = texts({"gold/a.txt": "g", "bart/b.txt": "b"})
    with pytest.raises(SummetryError) as caught:
        load(path)
    assert str(caught.value) == (
        f"{path}: not recognised as any known format; text files go into sources/, references/ "
        "and a folder for each system, one file per topic, with the same name in all: "
        "sources/t1.txt references/t1.txt bart/t1.txt"
    )


SOURCE = "The ferry sank. Nobody was hurt, they said. It was Monday. No."


@pytest.fixture
def chosen(tmp_path):
    """A source, and a function that adds an extract of it and gives the units found in it."""
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "t1.txt").write_text(SOURCE)

    def units(text, name="ann/t1.txt"):
        file = tmp_path / "extracts" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        (extract,) = load(tmp_path).extracts
        assert (extract.topic, extract.informant) == ("t1", "ann")
        return extract.units

    return units


@pytest.mark.parametrize("name", ["ann/t1.txt", "t1.ann.txt"])
def test_extracts_as_text_become_units_of_the_source(chosen, name):
    assert chosen("The  ferry\nsank! it was MONDAY", name) == (0, 2)


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("Nobody was hurt they said", (1,)),
        ("Nobody was hurt", (1,)),  # Three of five words of the sentence.
        ("Nobody was hurt, he said.", (1,)),  # 2 * 4 / (5 + 5) of the words.
        ("No.\nNobody was hurt, they said.The ferry sank.", (0, 1, 3)),
        ("", ()),
    ],
)
def test_an_extract_may_differ_in_marks_and_be_cut(chosen, text, units):
    assert chosen(text) == units


@pytest.mark.parametrize("text", ["They said.", "A storm came.", "Nobody drowned, so it was said."])
def test_sentences_of_extracts_that_are_not_in_the_source_are_named(chosen, text):
    words = "2 sentences of extracts not found in the source: '" + text.rstrip(".")
    with pytest.warns(SummetryWarning, match=f"1 of {words}"):
        assert chosen(f"It was Monday. {text}") == (2,)


def test_a_sentence_counts_once_for_each_time_it_is_there(tmp_path):
    for name, text in (("sources", "Yes. So it is. Yes."), ("extracts", "So it is. Yes.")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t1.txt").write_text(text)
    (extract,) = load(tmp_path).extracts
    assert extract.units == (0, 1)


def test_an_extract_without_a_source_is_refused(tmp_path):
    (tmp_path / "extracts" / "ann").mkdir(parents=True)
    (tmp_path / "extracts" / "ann" / "t1.txt").write_text("One.")
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "t2.txt").write_text("One.")
    with pytest.raises(FormatError, match=r"t1.txt: expected a source of topic 't1', found none"):
        load(tmp_path)
    assert load(tmp_path, on_error="skip").extracts == ()


SEE = '<html>\n<a name="1">[1]</a> <a href="#1" id=1>One ferry.</a>\n' + (
    '<a name="2">[2]</a> <a href="#2" id=2>Two.</a>\n</html>\n'
)


def test_files_in_see_are_read_by_their_sentences(tmp_path):
    for folder, name in (("models/anna", "t1.html"), ("systems/lead", "t1.txt")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / name).write_text(SEE if "html" in name else "One ferry. Two.")
    (tmp_path / "models" / "anna" / "about.html").write_text("<html><p>Not a summary.</p></html>")
    with pytest.warns(SummetryWarning, match=r"1 file is in SEE or ISI: the marked sentences were"):
        corpus = load(tmp_path)
    by_author = {summary.author: summary for summary in corpus.summaries}
    assert by_author["anna"].sentences == ("One ferry.", "Two.")
    assert by_author["lead"].text == "One ferry. Two." and len(by_author) == 2
    with pytest.warns(SummetryWarning, match="1 file is in SEE"):
        given = read_directories(
            tmp_path / "systems" / "lead", [tmp_path / "models" / "anna"], None
        )
    assert [summary.sentences for summary in given.summaries] == [None, ("One ferry.", "Two.")]


def test_a_text_that_looks_like_see_is_named_when_it_is_written(tmp_path):
    corpus = Corpus(topics=(Topic("t"),), summaries=(Summary("t", "a", "candidate", text=SEE),))
    with pytest.warns(SummetryWarning, match="cannot hold 1 text that would be read as SEE or ISI"):
        Plain().write(corpus, tmp_path / "out")
