"""TAC's files: a small sample, its parts alone, and what is refused."""

from pathlib import Path

import numpy as np
import pytest
from format_checks import assert_says, marks, noted, odd_sample, read_with_notes

import summetry
from summetry import load
from summetry.formats.duc.names import parse_name
from summetry.formats.tac.tables import judged_in
from summetry.records.summaries import Summary
from summetry.records.topics import Document

SAMPLE = Path(__file__).parents[1] / "data" / "tac"


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
    units = (
        "A ferry struck the pier of Port Tarrow in fog.",
        "Nobody was hurt.",
        "Smith & Sons, the owners, said the pier — built in 1911 — was old.",
    )
    text, meta = f"{units[0]} {units[1]}\n\n{units[2]}", {"title": "Ferry hits pier"}
    assert first == Document("PTN_ENG_20190501.0001", "2019-05-01", text, units, meta)
    hole = "Divers looked at the hull and found a hole."
    assert second.units == (hole, "The pier opens again in May.")


def test_people_wrote_references_and_numbers_are_candidates(corpus):
    by_key = {(s.topic, s.author): s for s in corpus.summaries}
    assert len(by_key) == 8
    assert by_key["D9901-A", "B"] == Summary(
        "D9901-A", "B", "reference", sentences=("The pier was damaged.", "The ferry hit it in fog.")
    )
    text = "A ferry struck the pier. The café was closed."
    assert by_key["D9901-A", "1"] == Summary("D9901-A", "1", "candidate", text=text)
    assert by_key["D9901-B", "2"] == Summary("D9901-B", "2", "candidate", text="")


def test_manual_scores_of_candidates_and_of_references(corpus):
    def marks_of(*key):
        return marks(j for j in corpus.judgments if (j.topic, j.author) == key)

    assert marks_of("D9901-A", "1") == (
        "C modified_pyramid 0.5, C scus 4, C repetitions 1, C modified_pyramid_jackknifed 0.475, "
        "D linguistic_quality 4, D responsiveness 3"
    )
    assert marks_of("D9901-A", "A") == (
        "C scus_jackknifed 7, C modified_pyramid_jackknifed 0.9, D linguistic_quality 5, "
        "D responsiveness 5"
    )
    # What is missing is absent, never 0.
    assert [text.split()[1] for text in marks_of("D9901-B", "B").split(", ")] == [
        "linguistic_quality", "responsiveness"
    ]  # fmt: skip


def test_what_is_odd_is_told_with_its_place_and_references_can_be_scored_like_candidates():
    sample, notes = read_with_notes(SAMPLE)
    assert notes == [
        "ROUGE/peers/D9901-A.M.100.C.1:1: the byte 0xe9 is not UTF-8; read as Windows-1252",
        "docs/D9901C/D9901C-A/PTN_ENG_20190501.0001:14: '&' stands for no character; kept as it is",
    ]
    table = summetry.evaluate(sample, ["unit_overlap"], protocol="all_peers")
    assert {row.author for row in table.rows} == {"1", "2", "A", "B"}
    assert not np.isnan(table.data[:, 0]).any()


@pytest.mark.parametrize(("name", "line", "expected"), [
    # The table of 2008 has one assessor for all.
    ("manual.peer", "D0801-A 3 0.25 2 0 G 0.2 3 1\n",
     "modified_pyramid 0.25, scus 2, repetitions 0, modified_pyramid_jackknifed 0.2, "
     "linguistic_quality 3, responsiveness 1"),
    # A number among the assessors is that of the SCUs of the references.
    ("manual.model", "D0801-A B 12 G 14.5 0.8 5 4\n",
     "scus_jackknifed 12, model_scus 14.5, modified_pyramid_jackknifed 0.8, "
     "linguistic_quality 5, responsiveness 4"),
])  # fmt: skip
def test_a_table_alone_is_a_corpus_of_judgments(write, name, line, expected):
    corpus = load(SAMPLE / "manual" / "manual.model.B")
    assert ([topic.id for topic in corpus.topics], len(corpus.judgments)) == (["D9901-B"], 6)
    judgments = load(write(name, line)).judgments
    assert marks(judgments).replace("G ", "") == expected


PEERS, MODELS = "manual/manual.peer.A", "manual/manual.model.A"


WRONG = [
    (PEERS, "\t4\t3\n", "\t4\n"),
    (PEERS, "\t4\t3\n", "\n"),
    (PEERS, "D9901-A\t2\t", "D9901-A\t"),
    (MODELS, "\t5\t5\n", "\n"),
    (MODELS, "0.900", "high"),
    (MODELS, "D9901-A\tB", "D9901-A\tA"),
    ("docs/D9901C/D9901C-B/PTN_ENG_20190503.0002", ' id="PTN_ENG_20190503.0002"', ""),
]  # fmt: skip


@odd_sample
def test_what_is_wrong_is_named_with_its_line(sample, refused):
    refused(lambda *change: load(sample(*change)), WRONG)


@odd_sample
def test_a_line_that_does_not_fit_can_be_skipped_and_another_text_of_a_summary_is_told(sample):
    path = sample("manual/manual.model.A", "0.900", "high")
    text = path / "manual" / "models" / "D9901-A.M.100.C.A"
    text.write_text(text.read_text().replace("Nobody", "Somebody"))
    corpus, notes = noted(load, path, on_error="skip")
    assert len(corpus.problems) == 1
    # Four candidates and four references, without two missing values and the line that was skipped.
    assert len(corpus.judgments) == 4 * 6 + 4 * 4 - 2 - 4
    (note,) = (note for note in notes if "another text" in note)
    assert_says(note, "another text than  ... ROUGE/models/D9901-A.M.100.C.A")
    assert corpus.summaries[0].sentences[1] == "Nobody was hurt."


def test_names_of_files_are_taken_apart():
    expected = {
        "D1001-A.M.100.A.1": ("D1001-A", "M", "100", "A", "1", ""),
        "D061.P.100.J.A.AP880101-0001.html": ("D061", "P", "100", "J", "A", "AP880101-0001"),
        "d061.M.200E.j.19": ("d061", "M", "200e", "J", "19", ""),
        # What is not known, what a file name cannot hold, an author who is called like an ending.
        "a%2Fb-A.M.-.-.TXT": ("a/b-A", "M", "", "", "TXT", ""),
    }
    others = ["D1001-A", "D1001-A.X.100.A.1", "notes.M.txt", "a.b.c.d.e", "D1.M.100.AB.1"]
    expected |= dict.fromkeys(others)
    assert {name: parse_name(name) for name in expected} == expected
    tables = ["manual.peer", "manual.model.B", "devtest.manual.peer.A", "manual.peers.txt"]
    assert [judged_in(name) for name in tables] == ["peer", "model", "peer", "peer"]
    assert judged_in("manual.peer.A.avg") is judged_in("manual") is None
