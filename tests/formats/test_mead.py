"""MEAD's files: a small sample, what comes back after writing, and what is refused."""

from pathlib import Path

import pytest
from format_checks import notes_on_writing, records, written_and_read, xml_characters
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry import load
from summetry.errors import FormatError, Place, SummetryError, SummetryWarning
from summetry.formats import FORMATS, recognise
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment, Utilities
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Document, Topic

SAMPLE = Path(__file__).parents[1] / "data" / "mead"
HELD = ("topics", "summaries", "extracts", "utilities")
HERE = Place("drawn")


def test_a_cluster_is_a_topic_with_its_documents_in_order(corpus):
    ferry, lake = corpus.topics
    assert (ferry.id, ferry.language) == ("ferry", "en")
    assert [document.id for document in ferry.documents] == ["F-2", "F-1"]
    assert ferry.units == (
        "Divers looked at the hull.",
        "They found a hole.",
        "Ferry hits pier",
        "A ferry struck the pier of Port Tarrow on Tuesday.",
        "Smith & Sons, the owners,\nsaid nobody was hurt.",
        "The café on the pier is closed.",
    )
    assert (lake.id, lake.language, lake.units) == ("L-1", "zh", ("湖水很冷。", "鱼在湖里。"))


def test_sentences_are_units_by_document_and_number(corpus):
    assert corpus.summaries == (
        Summary(
            "ferry",
            "MEADORIG",
            "candidate",
            units=(3, 4, 1),
            meta={"compression": "10", "run": "Mon Apr 23 18:54:01 2003"},
        ),
        Summary("ferry", "editor", "reference", units=(2,)),
        Summary("L-1", "lead", "candidate", units=(0,)),
    )
    assert corpus.extracts == (Extract("ferry", "ann", (0, 3), {"compression": "20"}),)


def test_judges_give_utilities(corpus):
    assert corpus.utilities == (
        Utilities("ferry", "ann", (3, 5, 6, 10, 8, 0)),
        Utilities("ferry", "bob", (4, 5, 2.5, 9, 7, 1)),
    )


def test_what_a_document_says_beside_its_sentences_is_kept(corpus):
    document = corpus.topics[0].documents[1]
    assert document.meta == {
        "docno": "4711",
        "corr_doc": "F-1.c",
        "headline": 1,
        "paragraphs": [1, 2, 2, 3],
    }


def test_a_sample_that_is_written_comes_back(corpus, tmp_path):
    again = written_and_read("mead", corpus, tmp_path / "mead")
    # A document that was alone is now in a cluster of its own; topics come in the order of folders.
    assert records(again, *HELD) == records(corpus, *HELD)
    assert recognise(tmp_path / "mead").name == "mead"
    text = (tmp_path / "mead" / "ferry" / "docsent" / "F-1.docsent").read_text(encoding="utf-8")
    assert '<DOCSENT DID="F-1" DOCNO="4711" CORR-DOC="F-1.c" LANG="ENG">' in text
    assert '<HEADLINE>\n<S PAR="1" RSNT="1" SNO="1">Ferry hits pier</S>\n</HEADLINE>' in text
    assert '<S PAR="2" RSNT="2" SNO="3">Smith &amp; Sons' in text


def test_a_document_that_is_all_headline_comes_back(tmp_path):
    document = Document("d", units=("Ferry hits pier", "Fog"), meta={"headline": 2})
    corpus = Corpus(topics=(Topic("t", documents=(document,)),))
    assert written_and_read("mead", corpus, tmp_path).topics == corpus.topics


names = st.text(xml_characters, max_size=6) | st.sampled_from(
    ["a/b", "..", ".x", "%", "a\tb\n", "é", 'say "hi" & <go>', "x'y"]
)
sentences = names.map(lambda text: text.strip(" \t\r\n")) | st.just("a\r\nb\rc")


@st.composite
def corpora(draw):
    """Corpora with all that these files hold."""
    builder = CorpusBuilder()
    for topic in draw(st.lists(names, unique=True, min_size=1, max_size=2)):
        language = draw(st.sampled_from(["", "en", "zh", "sv"]))
        ids = draw(st.lists(names, unique=True, min_size=1, max_size=2))
        documents = [Document(i, units=tuple(draw(st.lists(sentences, max_size=3)))) for i in ids]
        builder.add("topics", Topic(topic, language=language, documents=tuple(documents)), HERE)
        count = sum(len(document.units) for document in documents)
        units = st.lists(st.integers(0, count - 1), unique=True) if count else st.just([])
        for role in ("candidate", "reference"):
            author = draw(names)
            summary = Summary(topic, author, role, units=tuple(draw(units)))
            builder.add("summaries", summary, HERE)
        builder.add("extracts", Extract(topic, draw(names), tuple(draw(units))), HERE)
        if count:
            value = st.integers(0, 10) | st.floats(0, 1e9)
            values = draw(st.lists(value, min_size=count, max_size=count))
            builder.add("utilities", Utilities(topic, draw(names), tuple(values)), HERE)
    return builder.build()


@settings(max_examples=40)
@given(corpora())
def test_whatever_these_files_hold_comes_back(tmp_path_factory, drawn):
    again = written_and_read("mead", drawn, tmp_path_factory.mktemp("mead"))
    assert records(again, *HELD) == records(drawn, *HELD)


def test_a_folder_and_a_document_are_recognised(sample):
    path = sample()
    for one in (path, path / "ferry", path / "lake", path / "ferry" / "docsent" / "F-1.docsent"):
        assert recognise(one).name == "mead"
    assert not FORMATS.build("mead").recognise(path / "ferry" / "models")


def test_a_single_document_is_a_topic(sample):
    corpus = load(sample() / "lake" / "L-1.docsent")
    assert [topic.id for topic in corpus.topics] == ["L-1"]
    assert corpus.summaries == ()


@pytest.mark.parametrize("file", ["ferry.cluster", "ferry.sentjudge", "ferry.10.extract"])
def test_files_that_need_documents_ask_for_the_folder(sample, file):
    path = sample() / "ferry" / file
    assert recognise(path).name == "mead"
    with pytest.raises(FormatError, match=r"expected a folder or a DOCSENT, found [A-Z-]+; give"):
        load(path)


def test_an_extract_whose_qid_names_nothing_belongs_to_the_topic_of_its_documents(sample):
    path = sample("ferry/ferry.10.extract", 'QID="ferry"', 'QID="ferries"')
    assert load(path).summaries[0].topic == "ferry"


def write_document(folder, name, sentence):
    text = f'<DOCSENT DID="{name}"><BODY><TEXT><S SNO="1">{sentence}</S></TEXT></BODY></DOCSENT>'
    (folder / f"{name}.docsent").write_text(text)


def test_the_same_name_in_two_clusters_is_two_documents(tmp_path):
    for topic, sentence in (("a", "One."), ("b", "Two.")):
        folder = tmp_path / topic
        folder.mkdir()
        (folder / f"{topic}.cluster").write_text('<CLUSTER><D DID="d"/></CLUSTER>')
        write_document(folder, "d", sentence)
        extract = '<EXTRACT SYSTEM="x"><S ORDER="1" DID="d" SNO="1"/></EXTRACT>'
        (folder / "x.extract").write_text(extract)
    corpus = load(tmp_path)
    assert [corpus.text_of(summary) for summary in corpus.summaries] == ["One.", "Two."]


def test_a_document_in_two_clusters_leaves_it_to_the_others_which_is_meant(tmp_path):
    for name in "abc":
        write_document(tmp_path, name, f"In {name}.")
    for topic, names in (("first", "ab"), ("second", "bc")):
        listed = "".join(f'<D DID="{name}"/>' for name in names)
        (tmp_path / f"{topic}.cluster").write_text(f"<CLUSTER>{listed}</CLUSTER>")
    chosen = '<S ORDER="1" DID="b" SNO="1"/><S ORDER="2" DID="c" SNO="1"/>'
    (tmp_path / "x.extract").write_text(f'<EXTRACT SYSTEM="x">{chosen}</EXTRACT>')
    assert [(s.topic, s.units) for s in load(tmp_path).summaries] == [("second", (0, 1))]
    (tmp_path / "x.extract").write_text('<EXTRACT><S ORDER="1" DID="b" SNO="1"/></EXTRACT>')
    with pytest.raises(FormatError, match="found QID='' and documents of 2 topics"):
        load(tmp_path)


def test_judges_of_documents_without_a_cluster_judge_each_by_itself(tmp_path):
    for name in ("d", "e"):
        write_document(tmp_path, name, "A.")
    judged = '<S DID="{}" SNO="1"><JUDGE N="j" UTIL="{}"/></S>'
    lines = judged.format("e", 4) + judged.format("d", 3)
    (tmp_path / "all.sentjudge").write_text(f'<SENT-JUDGE QID="none">{lines}</SENT-JUDGE>')
    assert sorted(map(str, load(tmp_path).utilities)) == [
        str(Utilities("d", "j", (3,))),
        str(Utilities("e", "j", (4,))),
    ]


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("ferry/ferry.10.extract", 'SNO="3"', 'SNO="5"', r"10.extract:5: expected a sentence of "
         r"document 'F-1', which has 4, found SNO='5'"),
        ("ferry/ferry.10.extract", 'SNO="3"', 'SNO="x"', r":5: expected S with SNO of 1 or more, "
         r"found SNO='x'"),
        ("ferry/ferry.10.extract", 'SNO="3"', 'sno="3"', r"expected S with SNO=, found ORDER, "
         r"DID, sno; names of attributes are in large letters"),
        ("ferry/ferry.10.extract", 'SNO="3"', 'SNO="2"', r"expected each unit once, found unit 3"),
        ("ferry/ferry.10.extract", 'ORDER="3"', 'ORDER="1"', r":7: expected each ORDER once, "
         r"found ORDER='1' again"),
        ("ferry/ferry.10.extract", 'DID="F-2"', 'DID="F-3"', r":7: expected a document of topic "
         r"'ferry', found DID='F-3'; Did you mean 'F-[12]'"),
        ("ferry/models/editor.extract", "F-1", "L-1", r"extract:1: expected a QID that names a "
         r"topic, or documents of one, found QID='none' and documents of 0 topics"),
        ("ferry/ferry.cluster", "F-2", "F-3", r"cluster:5: expected a document that has a docsent "
         r"file, found 'F-3'; Did you mean 'F-[12]'"),
        ("ferry/ferry.cluster", "F-2", "F-1", r"cluster:4: expected each document once, found "
         r"'F-1' again"),
        ("ferry/docsent/F-2.docsent", "F-2", "F-1", r"F-2.docsent:2: expected one document 'F-1', "
         r"found a second one, the first is .*F-1.docsent:3"),
        ("ferry/docsent/F-2.docsent", "SNO='2'", "SNO='1'", r":6: expected S with SNO above 1, "
         r"found SNO='1'"),
        ("ferry/docsent/F-2.docsent", "a hole", "a <B>hole</B>", r":6: expected nothing but text "
         r"in S, found the element B; write its text only"),
        ("ferry/docsent/F-2.docsent", "DOCSENT", "DOCUMENT", r":2: expected the element DOCSENT, "
         r"found DOCUMENT"),
        ("ferry/docsent/F-2.docsent", "</TEXT>", "", r":8: expected well-formed XML"),
        ("ferry/ferry.sentjudge", "UTIL='10'", "UTIL='ten'", r":5: expected JUDGE with a number as "
         r"UTIL, found UTIL='ten'"),
        ("ferry/ferry.sentjudge", "UTIL='10'", "UTIL='-1'", r"expected utilities of 0 or more, "
         r"found -1 for unit 3"),
        ("ferry/ferry.sentjudge", "UTIL='10'", "UTIL='nan'", r"found UTIL='nan'"),
        ("ferry/ferry.sentjudge", "<JUDGE N='bob' UTIL='9'/>", "", r"expected a UTIL of judge "
         r"'bob' for every sentence of topic 'ferry', found none for SNO 2 of document 'F-1'"),
        ("ferry/ferry.sentjudge", "N='bob' UTIL='9'", "N='ann' UTIL='9'", r":5: expected one UTIL "
         r"of judge 'ann' for each sentence, found a second one"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(sample, file, old, new, message):
    with pytest.raises(FormatError, match=message):
        load(sample(file, old, new))


def test_entities_are_refused_and_nothing_outside_the_file_is_read(sample, tmp_path):
    (tmp_path / "secret").write_text("secret")
    old, new = "<DOCSENT DID='F-2'>", (
        f"<!DOCTYPE DOCSENT [<!ENTITY e SYSTEM '{tmp_path}/secret'>]><DOCSENT DID='F-2'>"
    )  # fmt: skip
    with pytest.raises(FormatError, match=r"found the entity 'e'; write the text itself"):
        load(sample("ferry/docsent/F-2.docsent", old, new))


def test_a_bad_file_can_be_skipped(sample):
    path = sample("ferry/ferry.10.extract", 'SNO="3"', 'SNO="9"')
    corpus = load(path, on_error="skip")
    assert [summary.author for summary in corpus.summaries] == ["editor", "lead"]
    assert len(corpus.problems) == 1


def test_what_cannot_be_held_is_named(tmp_path, demo):
    with pytest.warns(SummetryWarning, match="cannot hold .*324 judgments.*54 summaries without"):
        FORMATS.build("mead").write(demo, tmp_path / "out")
    document = Document("d", "2003-05-01", " A.", (" A.",), {"headline": 7, "docno": 3})
    topics = (Topic("t", title="T", documents=(document,)), Topic("bare"))
    corpus = Corpus(
        topics=topics,
        summaries=(Summary("t", "a", "candidate", units=(0,), meta={"run": 5}),),
        judgments=(Judgment("t", "a", "j", "d", 1),),
    )
    assert notes_on_writing("mead", corpus, tmp_path / "other") == [
        "the title of 1 topic, 1 judgment, 1 topic without documents, and what belongs there, "
        "1 running text of documents, 1 date of documents, 1 document with other meta, "
        "1 extract with other meta, 1 unit with blanks around"
    ]


def test_what_xml_cannot_hold_is_refused(tmp_path):
    write = FORMATS.build("mead").write
    control = Corpus(topics=(Topic("t", documents=(Document("d", units=("A\x00.",)),)),))
    with pytest.raises(SummetryError, match=r"'\\x00' in the text 'A\\x00.' cannot be written"):
        write(control, tmp_path / "a")
    name = Corpus(topics=(Topic("\ud800", documents=(Document("d"),)),))
    with pytest.raises(SummetryError, match=r"'\\ud800' cannot be written in XML; rename it"):
        write(name, tmp_path / "a")
    assert not (tmp_path / "a").exists()


def test_documents_of_one_name_are_not_told_apart(tmp_path):
    document = Document("d", units=("A.",))
    twice = Corpus(topics=(Topic("t", documents=(document, document)),))
    with pytest.raises(SummetryError, match="topic 't' has several documents 'd'"):
        FORMATS.build("mead").write(twice, tmp_path / "out")
    assert not (tmp_path / "out").exists()
