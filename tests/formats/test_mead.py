"""MEAD's files: a small sample, what comes back after writing, and what is refused."""

from pathlib import Path

import pytest
from format_checks import assert_says, records, refusal, written_and_read, xml_characters
from hypothesis import given
from hypothesis import strategies as st

from summetry import load
from summetry.errors import Place
from summetry.formats import recognise
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.judgments import Utilities
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Document, Topic

SAMPLE = Path(__file__).parents[1] / "data" / "mead"
HELD = ("topics", "summaries", "extracts", "utilities")
HERE = Place("drawn")


def test_a_sample_and_a_document_that_is_all_headline_come_back(corpus, tmp_path):
    again = written_and_read("mead", corpus, tmp_path / "mead")
    # A document that was alone is now in a cluster of its own; topics come in the order of folders.
    assert records(again, *HELD) == records(corpus, *HELD)
    assert recognise(tmp_path / "mead").name == "mead"
    text = (tmp_path / "mead" / "ferry" / "docsent" / "F-1.docsent").read_text(encoding="utf-8")
    assert '<DOCSENT DID="F-1" DOCNO="4711" CORR-DOC="F-1.c" LANG="ENG">' in text
    assert '<HEADLINE>\n<S PAR="1" RSNT="1" SNO="1">Ferry hits pier</S>\n</HEADLINE>' in text
    assert '<S PAR="2" RSNT="2" SNO="3">Smith &amp; Sons' in text
    document = Document("d", units=("Ferry hits pier", "Fog"), meta={"headline": 2})
    corpus = Corpus(topics=(Topic("t", documents=(document,)),))
    assert written_and_read("mead", corpus, tmp_path / "headline").topics == corpus.topics


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


@given(corpora())
def test_whatever_these_files_hold_comes_back(tmp_path_factory, drawn):
    again = written_and_read("mead", drawn, tmp_path_factory.mktemp("mead"))
    assert records(again, *HELD) == records(drawn, *HELD)


def test_a_single_document_is_a_topic_and_other_files_ask_for_the_folder(sample):
    path = sample("ferry/ferry.10.extract", 'QID="ferry"', 'QID="ferries"')
    corpus = load(path / "lake" / "L-1.docsent")
    assert ([topic.id for topic in corpus.topics], corpus.summaries) == (["L-1"], ())
    for file in ("ferry.cluster", "ferry.sentjudge", "ferry.10.extract"):
        message = refusal(load, path / "ferry" / file)
        assert_says(message, "expected a folder or a DOCSENT, found ... ; give")
    # An extract whose QID names nothing belongs to the topic of its documents.
    assert load(path).summaries[0].topic == "ferry"


@pytest.fixture
def cluster(write):
    """Writes a cluster and its documents of one sentence each, those given, to a folder."""

    def make(folder, name, **sentences):
        for document, sentence in sentences.items():
            text = f'<BODY><TEXT><S SNO="1">{sentence}</S></TEXT></BODY>'
            write(f"{folder}/{document}.docsent", f'<DOCSENT DID="{document}">{text}</DOCSENT>')
        listed = "".join(f'<D DID="{document}"/>' for document in sentences)
        if name:
            write(f"{folder}/{name}.cluster", f"<CLUSTER>{listed}</CLUSTER>")

    return make


def extract_of(*documents):
    lines = (f'<S ORDER="{n}" DID="{name}" SNO="1"/>' for n, name in enumerate(documents, 1))
    return f'<EXTRACT SYSTEM="x">{"".join(lines)}</EXTRACT>'


def test_a_name_or_a_document_in_two_clusters(write, cluster):
    """One name in two folders is two documents; of one document the others say what is meant."""
    for topic, sentence in (("a", "One."), ("b", "Two.")):
        cluster(f"twice/{topic}", topic, d=sentence)
        write(f"twice/{topic}/x.extract", extract_of("d"))
    corpus = load("twice")
    assert [corpus.text_of(summary) for summary in corpus.summaries] == ["One.", "Two."]
    cluster("mead", "first", a="In a.", b="In b.")
    cluster("mead", "second", b="In b.", c="In c.")
    write("mead/x.extract", extract_of("b", "c"))
    assert [(s.topic, s.units) for s in load("mead").summaries] == [("second", (0, 1))]
    write("mead/x.extract", extract_of("b").replace(' SYSTEM="x"', ""))
    assert "found QID='' and documents of 2 topics" in refusal(load, "mead")


def test_judges_of_documents_without_a_cluster_judge_each_by_itself(write, cluster):
    cluster("mead", "", d="A.", e="A.")
    judged = '<S DID="{}" SNO="1"><JUDGE N="j" UTIL="{}"/></S>'
    lines = judged.format("e", 4) + judged.format("d", 3)
    write("mead/all.sentjudge", f'<SENT-JUDGE QID="none">{lines}</SENT-JUDGE>')
    expected = [Utilities("d", "j", (3,)), Utilities("e", "j", (4,))]
    assert sorted(load("mead").utilities, key=str) == expected


EXTRACT, CLUSTER, F2 = "ferry/ferry.10.extract", "ferry/ferry.cluster", "ferry/docsent/F-2.docsent"
JUDGED, BOB = "ferry/ferry.sentjudge", "<JUDGE N='bob' UTIL='9'/>"


WRONG = [
    (EXTRACT, 'SNO="3"', 'SNO="5"'),
    (EXTRACT, 'SNO="3"', 'SNO="x"'),
    (EXTRACT, 'SNO="3"', 'sno="3"'),
    (EXTRACT, 'SNO="3"', 'SNO="2"'),
    (EXTRACT, 'ORDER="3"', 'ORDER="1"'),
    (EXTRACT, 'DID="F-2"', 'DID="F-3"'),
    ("ferry/models/editor.extract", "F-1", "L-1"),
    (CLUSTER, "F-2", "F-3"),
    (CLUSTER, "F-2", "F-1"),
    (F2, "F-2", "F-1"),
    (F2, "SNO='2'", "SNO='1'"),
    (F2, "a hole", "a <B>hole</B>"),
    (F2, "DOCSENT", "DOCUMENT"),
    (F2, "</TEXT>", ""),
    (JUDGED, "UTIL='10'", "UTIL='ten'"),
    (JUDGED, "UTIL='10'", "UTIL='-1'"),
    (JUDGED, "UTIL='10'", "UTIL='nan'"),
    (JUDGED, BOB, ""),
    (JUDGED, BOB, BOB.replace("bob", "ann")),
]  # fmt: skip


def test_what_is_wrong_is_named_with_its_line(sample, refused):
    refused(lambda *change: load(sample(*change)), WRONG)


def test_entities_are_refused_and_nothing_outside_the_file_is_read(sample, tmp_path):
    (tmp_path / "secret").write_text("secret")
    old = "<DOCSENT DID='F-2'>"
    declared = f"<!DOCTYPE DOCSENT [<!ENTITY e SYSTEM '{tmp_path}/secret'>]>{old}"
    message = refusal(load, sample("ferry/docsent/F-2.docsent", old, declared))
    assert "found the entity 'e'; write the text itself" in message


def test_a_bad_file_can_be_skipped(sample):
    corpus = load(sample(EXTRACT, 'SNO="3"', 'SNO="9"'), on_error="skip")
    assert [summary.author for summary in corpus.summaries] == ["editor", "lead"]
    assert len(corpus.problems) == 1
