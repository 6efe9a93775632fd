"""TAC's files: a small sample, what comes back after writing, and what is refused."""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
from format_checks import (
    odd_sample,
    records,
    told_on_reading,
    written_and_read,
    xml_characters,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st

import summetry
from summetry import load
from summetry.errors import FormatError, Place, SummetryError, SummetryWarning
from summetry.formats import FORMATS, recognise
from summetry.formats.duc.names import parse_name, spell_name
from summetry.formats.scores import ScoreWriter, read_scores, write_scores
from summetry.formats.tac.corpus import write_aesop
from summetry.formats.tac.tables import DIMENSIONS, table_role
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.scores import Column, Row, ScoreTable
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic

SAMPLE = Path(__file__).parents[1] / "data" / "tac"
HELD = ("topics", "summaries", "judgments")
HERE = Place("drawn")


def test_sets_are_topics_with_what_the_file_of_topics_says(corpus):
    first, second = corpus.topics
    assert [(t.id, t.group, t.title, t.category) for t in (first, second)] == [
        ("D9901-A", "A", "Ferry accident", "1"),
        ("D9901-B", "B", "Ferry accident", "1"),
    ]
    assert first.query == "What happened, and what was done about it?"
    assert first.meta == {"length": "100", "selector": "C"}


def test_documents_belong_to_their_sets(corpus):
    (first,), (second,) = (topic.documents for topic in corpus.topics)
    assert first == Document(
        "PTN_ENG_20190501.0001",
        "2019-05-01",
        "A ferry struck the pier of Port Tarrow in fog. Nobody was hurt.\n\n"
        "Smith & Sons, the owners, said the pier — built in 1911 — was old.",
        (
            "A ferry struck the pier of Port Tarrow in fog.",
            "Nobody was hurt.",
            "Smith & Sons, the owners, said the pier — built in 1911 — was old.",
        ),
        {"title": "Ferry hits pier"},
    )
    assert second.units == (
        "Divers looked at the hull and found a hole.",
        "The pier opens again in May.",
    )


def test_people_are_models_and_numbers_are_peers(corpus):
    found = {(s.topic, s.author): s for s in corpus.summaries}
    assert len(found) == 8
    assert found["D9901-A", "B"] == Summary(
        "D9901-A", "B", "reference", sentences=("The pier was damaged.", "The ferry hit it in fog.")
    )
    text = "A ferry struck the pier. The café was closed."
    assert found["D9901-A", "1"] == Summary("D9901-A", "1", "candidate", text=text)
    assert found["D9901-B", "2"] == Summary("D9901-B", "2", "candidate", text="")


def test_manual_scores_of_peers_and_of_models(corpus):
    said = {(j.topic, j.author, j.dimension): (j.judge, j.value) for j in corpus.judgments}
    assert {key[2]: value for key, value in said.items() if key[:2] == ("D9901-A", "1")} == {
        "modified_pyramid": ("C", 0.5),
        "scus": ("C", 4),
        "repetitions": ("C", 1),
        "modified_pyramid_jackknifed": ("C", 0.475),
        "linguistic_quality": ("D", 4),
        "responsiveness": ("D", 3),
    }
    assert {key[2]: value for key, value in said.items() if key[:2] == ("D9901-A", "A")} == {
        "scus_jackknifed": ("C", 7),
        "modified_pyramid_jackknifed": ("C", 0.9),
        "linguistic_quality": ("D", 5),
        "responsiveness": ("D", 5),
    }
    # What is missing is absent, never 0.
    assert [key[2] for key in said if key[:2] == ("D9901-B", "B")] == [
        "linguistic_quality",
        "responsiveness",
    ]


@odd_sample
def test_the_models_of_the_sample_can_be_scored_like_peers():
    table = summetry.evaluate(load(SAMPLE), ["unit_overlap"], protocol="all_peers")
    assert {row.author for row in table.rows} == {"1", "2", "A", "B"}
    assert not np.isnan(table.data[:, 0]).any()


def test_what_is_odd_is_told_with_its_place():
    assert told_on_reading(SAMPLE) == [
        "ROUGE/peers/D9901-A.M.100.C.1:1: the byte 0xe9 is not UTF-8; read as Windows-1252",
        "docs/D9901C/D9901C-A/PTN_ENG_20190501.0001:14: '&' stands for no character; kept as it is",
    ]


def test_the_sample_its_parts_and_a_table_are_recognised(sample):
    path = sample()
    for one in (path, path / "ROUGE", path / "ROUGE" / "peers", path / "manual"):
        assert recognise(one).name == "tac"
    assert recognise(path / "manual" / "manual.peer.A").name == "tac"
    assert not FORMATS.build("tac").recognise(path / "docs")


def test_a_table_alone_is_a_corpus_of_judgments():
    found = load(SAMPLE / "manual" / "manual.model.B")
    assert [topic.id for topic in found.topics] == ["D9901-B"]
    assert len(found.judgments) == 6


def test_the_table_of_2008_has_one_assessor_for_all(tmp_path):
    (tmp_path / "manual.peer").write_text("D0801-A 3 0.25 2 0 G 0.2 3 1\n")
    found = load(tmp_path / "manual.peer").judgments
    assert [(j.judge, j.dimension, j.value) for j in found] == [
        ("G", "modified_pyramid", 0.25),
        ("G", "scus", 2),
        ("G", "repetitions", 0),
        ("G", "modified_pyramid_jackknifed", 0.2),
        ("G", "linguistic_quality", 3),
        ("G", "responsiveness", 1),
    ]


def test_a_number_among_the_assessors_is_the_scus_of_the_models(tmp_path):
    (tmp_path / "manual.model").write_text("D0801-A B 12 G 14.5 0.8 5 4\n")
    found = load(tmp_path / "manual.model").judgments
    assert ("G", "model_scus", 14.5) in [(j.judge, j.dimension, j.value) for j in found]
    assert {j.judge for j in found} == {"G"}


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("manual/manual.peer.A", "\t4\t3\n", "\t4\n", r"manual.peer.A:1: expected a number as "
         r"modified_pyramid_jackknifed, found 'D'"),
        ("manual/manual.peer.A", "\t4\t3\n", "\n", r"manual.peer.A:1: expected 9 or 10 columns of "
         r"manual.peer, found 8"),
        ("manual/manual.peer.A", "D9901-A\t2\t", "D9901-A\t", r":2: expected a number as "
         r"repetitions, found 'C'"),
        ("manual/manual.model.A", "\t5\t5\n", "\n", r"manual.model.A:1: expected 7 or 8 columns of "
         r"manual.model, found 6"),
        ("manual/manual.model.A", "0.900", "high", r":1: expected a number as "
         r"modified_pyramid_jackknifed, found 'high'"),
        ("manual/manual.model.A", "D9901-A\tB", "D9901-A\tA", r":2: expected one judgment D9901-A "
         r"A C scus_jackknifed, found a second one, the first is .*manual.model.A:1"),
        ("docs/D9901C/D9901C-B/PTN_ENG_20190503.0002", ' id="PTN_ENG_20190503.0002"', "",
         r"0002:1: expected DOC with DOCNO or id=, found neither"),
    ],
)  # fmt: skip
@odd_sample
def test_what_is_wrong_is_named_with_its_line(sample, file, old, new, message):
    with pytest.raises(FormatError, match=message):
        load(sample(file, old, new))


@odd_sample
def test_a_line_that_does_not_fit_can_be_skipped(sample):
    found = load(sample("manual/manual.model.A", "0.900", "high"), on_error="skip")
    assert len(found.problems) == 1
    # Four peers and four models, without two missing values and the line that was skipped.
    assert len(found.judgments) == 4 * 6 + 4 * 4 - 2 - 4


@odd_sample
def test_another_text_of_the_same_summary_is_told(sample):
    path = sample("manual/models/D9901-A.M.100.C.A", "Nobody", "Somebody")
    with pytest.warns(SummetryWarning, match=r"another text than .*ROUGE/models/D9901-A.M.100.C.A"):
        found = load(path)
    assert found.summaries[0].sentences[1] == "Nobody was hurt."


def test_a_name_is_taken_apart():
    assert parse_name("D1001-A.M.100.A.1") == ("D1001-A", "M", "100", "A", "1", "")
    assert parse_name("D061.P.100.J.A.AP880101-0001.html") == (
        "D061", "P", "100", "J", "A", "AP880101-0001",
    )  # fmt: skip
    assert parse_name("d061.M.200E.j.19") == ("d061", "M", "200e", "J", "19", "")
    for other in ("D1001-A", "D1001-A.X.100.A.1", "notes.M.txt", "a.b.c.d.e", "D1.M.100.AB.1"):
        assert parse_name(other) is None


def test_tables_are_known_by_their_names():
    names = ["manual.peer", "manual.model.B", "devtest.manual.peer.A", "manual.peers.txt"]
    assert [table_role(name) for name in names] == [
        "candidate",
        "reference",
        "candidate",
        "candidate",
    ]
    assert table_role("manual.peer.A.avg") is None
    assert table_role("manual") is None


names = st.text(xml_characters, min_size=1, max_size=6) | st.sampled_from(
    ["a/b", "..", ".x", "%41", "é", "D1001-A", "T-B", "A", "7", "-A", "A--B"]
)


@given(names, names)
@example("D1", "TXT")
def test_a_name_that_is_spelt_is_taken_apart_again(topic, author):
    assert parse_name(spell_name(topic, "100", "", author)) == (topic, "M", "100", "", author, "")


words = names.filter(lambda name: name.split() == [name])
sentences = names.map(lambda text: " ".join(text.split())).filter(bool) | st.just('"<a> & b"')
values = st.integers(-9, 10) | st.floats(-1e9, 1e9)


@st.composite
def corpora(draw):
    """Corpora with all that these files hold."""
    builder = CorpusBuilder()
    for topic in draw(st.lists(words, unique=True, min_size=1, max_size=3)):
        found = parse_name(spell_name(topic, "", "", "x"))
        group = topic[-1] if found and topic[-2:-1] == "-" and topic[-1] in "AB" else ""
        ids = draw(st.lists(words, unique=True, max_size=2))
        documents = [
            Document(i, units=tuple(draw(st.lists(sentences, min_size=1, max_size=3))))
            for i in sorted(ids)
        ]
        builder.add(
            "topics",
            Topic(
                topic,
                title=draw(sentences | st.just("")),
                query=draw(sentences | st.just("")),
                category=draw(sentences | st.just("")),
                group=group,
                documents=tuple(documents),
            ),
            HERE,
        )
        authors = draw(st.lists(words, unique=True, min_size=2, max_size=2))
        for author, role in zip(authors, ("candidate", "reference"), strict=True):
            lines = draw(st.lists(sentences, max_size=3))
            summary = (
                Summary(topic, author, role, sentences=tuple(lines))
                if len(lines) > 1
                else Summary(topic, author, role, text="".join(lines))
            )
            builder.add("summaries", summary, HERE)
            for dimension in draw(st.sets(st.sampled_from(sum(DIMENSIONS[role], ())))):
                judge = "Q" if dimension in ("linguistic_quality", "responsiveness") else "P"
                judgment = Judgment(topic, author, judge, dimension, draw(values))
                builder.add("judgments", judgment, HERE)
    return builder.build()


@settings(max_examples=80)
@given(corpora())
def test_whatever_these_files_hold_comes_back(tmp_path_factory, drawn):
    again = written_and_read("tac", drawn, tmp_path_factory.mktemp("tac"))
    assert records(again, *HELD) == records(drawn, *HELD)


def test_the_sample_that_is_written_comes_back(corpus, tmp_path):
    with pytest.warns(SummetryWarning, match="cannot hold 2 running texts of documents, 1 doc"):
        FORMATS.build("tac").write(corpus, tmp_path / "tac")
    again = load(tmp_path / "tac")
    assert again.summaries == corpus.summaries
    assert set(map(repr, again.judgments)) == set(map(repr, corpus.judgments))
    for old, new in zip(corpus.topics, again.topics, strict=True):
        assert (new.id, new.group, new.title, new.query) == (
            old.id,
            old.group,
            old.title,
            old.query,
        )
        assert (new.units, new.meta, new.category) == (old.units, old.meta, old.category)
        assert [d.date for d in new.documents] == [d.date for d in old.documents]
    written = sorted(f.relative_to(tmp_path / "tac").as_posix() for f in tmp_path.rglob("*.C.*"))
    assert written[0] == "models/D9901-A.M.100.C.A"
    assert (tmp_path / "tac" / "docs" / "D9901C-A" / "PTN_ENG_20190501.0001").exists()


def test_what_cannot_be_held_is_named(tmp_path, demo):
    with pytest.warns(SummetryWarning) as told:
        FORMATS.build("tac").write(demo, tmp_path / "out")
    message = str(told[0].message)
    # A line has a place for one judge's responsiveness.
    judged = {(j.topic, j.author) for j in demo.judgments if j.dimension == "responsiveness"}
    lost = f"{len(demo.judgments) - len(judged)} judgments of other dimensions"
    for part in ("the language", "9 pyramids", lost, "9 groups that the name"):
        assert part in message
    assert recognise(tmp_path / "out").name == "tac"
    again = load(tmp_path / "out")
    assert len(again.summaries) == len(demo.summaries)


@pytest.mark.parametrize(
    "judgment",
    [
        Judgment("t", "1", "another", "scus", 3),
        Judgment("t", "1", "j", "scus", math.inf),
        Judgment("t", "1", "j", "scus", 10**18),
        Judgment("t", "1", "7", "responsiveness", 3),
        Judgment("t", "1", "two words", "responsiveness", 3),
        Judgment("t", "1", "j", "scus_jackknifed", 3),
    ],
)
def test_a_judgment_without_a_place_in_the_tables_is_named(tmp_path, judgment):
    first = Judgment("t", "1", "j", "modified_pyramid", 0.5)
    corpus = Corpus(topics=(Topic("t"),), judgments=(first, judgment))
    with pytest.warns(SummetryWarning, match="cannot hold 1 judgment of other dimensions"):
        FORMATS.build("tac").write(corpus, tmp_path / "out")
    assert load(tmp_path / "out").judgments == (first,)


def test_a_name_with_blanks_has_no_place_in_the_tables(tmp_path):
    judged = Corpus(
        topics=(Topic("t"),), judgments=(Judgment("t", "the lead", "j", "responsiveness", 3),)
    )
    with pytest.raises(SummetryError, match="'the lead' cannot stand in a table whose columns"):
        FORMATS.build("tac").write(judged, tmp_path / "a")
    assert not (tmp_path / "a").exists()


# Metric files of AESOP.


def test_a_metric_file_is_a_score_table():
    found = read_scores(SAMPLE / "aesop" / "7")
    assert found.columns == (Column("7", "value"),)
    assert found.rows[0] == Row("all_peers", "D9901-A", "A", "reference")
    assert found.rows[2] == Row("all_peers", "D9901-A", "1", "candidate")
    expected = [0.41, 0.39, 0.25, math.nan, 0.5, 0.44, 0.3, 0.0]
    np.testing.assert_array_equal(found.data[:, 0], expected)


def test_a_file_without_people_is_of_no_models_and_a_folder_is_many_metrics(tmp_path):
    (tmp_path / "rouge-2.recall.aesop").write_text("D1-A 1 0.5\nD1-A 2 .25\n\n")
    (tmp_path / "be").write_text("D1-A\t1\t1e-1\r\nD1-A\t2\t3\r\n")
    found = read_scores(tmp_path)
    assert {row.protocol for row in found.rows} == {"no_models"}
    assert found.columns == (Column("be", "value"), Column("rouge-2", "recall"))
    assert found.data.tolist() == [[0.1, 0.5], [3.0, 0.25]]


def test_a_folder_may_name_the_protocol(tmp_path):
    (tmp_path / "all_peers").mkdir()
    (tmp_path / "all_peers" / "7").write_text("D1-A 1 0.5\n")
    assert read_scores(tmp_path).rows == (Row("all_peers", "D1-A", "1", "candidate"),)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("D1-A 1 0.5\nD1-A 2\n", r"x.aesop:2: expected 3 columns: set, peer and score, found 2"),
        ("D1-A 1 high\n", r"x.aesop:1: expected a number as score, found 'high'"),
        ("D1-A 1 0.5\nD1-A 1 0.5\n", r"x.aesop:2: expected each score once, found x.value of Row"),
    ],
)
def test_a_broken_metric_file_is_named_with_its_line(tmp_path, content, message):
    (tmp_path / "x.aesop").write_text(content)
    with pytest.raises(FormatError, match=message):
        read_scores(tmp_path / "x.aesop")


@st.composite
def tables(draw):
    """Tables whose authors are named as at TAC."""
    topics = draw(st.lists(words, min_size=1, max_size=2, unique=True))
    peers = [
        str(n) for n in draw(st.lists(st.integers(0, 99), min_size=1, max_size=2, unique=True))
    ]
    rows = [Row("no_models", topic, peer, "candidate") for topic in topics for peer in peers]
    rows += [Row("all_peers", *row[1:]) for row in rows]
    rows += [Row("all_peers", topic, "A", "reference") for topic in topics]
    columns = [Column("rouge_n(n=2)", "recall"), Column("a/b.c", "value")]
    data = [[draw(st.floats()) for _ in columns] for _ in rows]
    return ScoreTable(tuple(rows), tuple(columns), np.array(data))


@settings(max_examples=50)
@given(tables())
def test_a_table_that_is_written_is_read_back_to_the_last_bit(tmp_path_factory, table):
    path = tmp_path_factory.mktemp("aesop")
    write_aesop(table, path)
    found = read_scores(path)
    assert set(found.columns) == set(table.columns)
    assert set(found.rows) == set(table.rows)
    order = [found.rows.index(row) for row in table.rows]
    for column in table.columns:
        np.testing.assert_array_equal(found.column(column.name)[order], table.column(column.name))


ROWS = (Row("no_models", "t1", "lead", "candidate"), Row("no_models", "t2", "lead", "candidate"))


def test_one_metric_is_written_line_by_line_and_its_signature_is_not(tmp_path):
    table = ScoreTable(ROWS, (Column("m", "f", "m|v:1"),), np.array([[1 / 3], [math.nan]]))
    path = tmp_path / "m.f.aesop"
    with pytest.warns(SummetryWarning, match="cannot hold signatures"):
        write_scores(table, path)
    assert path.read_text() == "t1\tlead\t0.3333333333333333\nt2\tlead\tNaN\n"
    again = read_scores(path)
    assert again.columns == (Column("m", "f"),)
    assert again == dataclasses.replace(table, columns=again.columns)


def test_a_metric_file_refuses_what_it_cannot_hold(tmp_path):
    two = (Column("m", "f"), Column("m", "r"))
    with pytest.raises(SummetryError, match=r"holds 1 metric, got 2 \(m.f, m.r\); name one"):
        ScoreWriter(tmp_path / "x.aesop", two)
    for row, message in [
        (Row("p", "a topic", "1", "candidate"), "'a topic' cannot stand in a file"),
        (Row("p", "t", "", "candidate"), "'' cannot stand in a file"),
        (Row("p", "t", "anna", "reference"), "the model 'anna' would be read as a peer"),
        (Row("p", "t", "A", "candidate"), "the peer 'A' would be read as a model"),
    ]:
        with pytest.raises(SummetryError, match=message):
            write_scores(ScoreTable((row,), two[:1], np.zeros((1, 1))), tmp_path / "x.aesop")
    assert list(tmp_path.iterdir()) == []
