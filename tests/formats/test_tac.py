"""TAC's files: a small sample, its parts alone, and what is refused."""

from pathlib import Path

import pytest
from format_checks import assert_says, marks, noted, odd_sample

from summetry import load
from summetry.formats.duc.names import parse_name
from summetry.formats.tac.tables import judged_in

SAMPLE = Path(__file__).parents[1] / "data" / "tac"


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
