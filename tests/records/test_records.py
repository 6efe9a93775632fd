"""Records: what each kind holds, frozen, with a meta that survives."""

import dataclasses

import msgspec
import pytest

from summetry.records.base import Record
from summetry.records.corpus import KINDS, Corpus
from summetry.records.judgments import Answer, Judgment, Qrel, Query, Question, Utilities
from summetry.records.pyramids import Contributor, Label, LabelScu, PeerScu, Pyramid, Scu
from summetry.records.summaries import Extract, Person, Summary
from summetry.records.topics import Document, Topic

META = {"note": "é", "n": [1, 2.5, None, True], "deep": {"a": {}}}

# One line of every file, with every field of the design.
LINES = {
    "topics": (
        b'{"id":"t1","title":"T","query":"Q","genre":"news","category":"sport","group":"A",'
        b'"language":"sv","unit":"paragraph","documents":[{"id":"d1","date":"2003-05-01",'
        b'"text":"a b","units":["a","b"]}]}',
        Topic("t1", title="T", query="Q", genre="news", category="sport", group="A", language="sv",
              unit="paragraph", documents=(Document("d1", "2003-05-01", "a b", ("a", "b")),)),
    ),
    "summaries": (
        b'{"topic":"t1","author":"lead","role":"candidate","text":"a","units":[0,3]}',
        Summary("t1", "lead", "candidate", text="a", units=(0, 3)),
    ),
    "extracts": (
        b'{"topic":"t1","informant":"p7","units":[0,3,4]}', Extract("t1", "p7", (0, 3, 4)),
    ),
    "judgments": (
        b'{"topic":"t1","author":"lead","judge":"j1","dimension":"responsiveness","value":4}',
        Judgment("t1", "lead", "j1", "responsiveness", 4),
    ),
    "utilities": (
        b'{"topic":"t1","judge":"j1","values":[5,4.5,0]}', Utilities("t1", "j1", (5, 4.5, 0)),
    ),
    "pyramids": (
        b'{"topic":"t1","scus":[{"id":"11","label":"L","weight":4,"contributors":[{"author":"m1",'
        b'"text":"x","start":10,"end":32}]}],"peers":{"lead":[{"scu":"11","text":"y"}]}}',
        Pyramid("t1", (Scu("11", "L", 4, (Contributor("m1", "x", 10, 32),)),),
                {"lead": (PeerScu("11", "y"),)}),
    ),
    "labels": (
        b'{"topic":"t1","unit":7,"summaries":["14","44"],"scus":[{"id":"11","weight":4}]}',
        Label("t1", 7, ("14", "44"), (LabelScu("11", 4),)),
    ),
    "questions": (
        b'{"topic":"t1","id":"q1","question":"?","choices":["a","b"],"answer":0}',
        Question("t1", "q1", "?", ("a", "b"), 0),
    ),
    "answers": (
        b'{"topic":"t1","question":"q1","judge":"j1","condition":"summary","author":"lead",'
        b'"choice":1,"seconds":31}',
        Answer("t1", "q1", "j1", "summary", "lead", 1, 31),
    ),
    "queries": (b'{"id":"k1","text":"words"}', Query("k1", "words")),
    "qrels": (b'{"query":"k1","topic":"t1","relevance":1}', Qrel("k1", "t1", 1)),
    "people": (b'{"id":"p7","group":"trained readers"}', Person("p7", "trained readers")),
}  # fmt: skip


def test_there_is_a_line_here_for_every_kind():
    assert list(LINES) == list(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_line_of_the_design_is_read_and_written_as_it_was(kind):
    line, record = LINES[kind]
    assert msgspec.json.decode(line, type=KINDS[kind]) == record
    assert msgspec.json.encode(record) == line
    assert issubclass(KINDS[kind], Record)
    assert getattr(Corpus(), kind) == ()


PARTS = [Document("d"), Scu("1"), Contributor("m"), PeerScu("1"), LabelScu("1")]


@pytest.mark.parametrize("record", [*(record for _, record in LINES.values()), *PARTS])
def test_meta_survives_and_is_not_written_where_there_is_none(record):
    noted = msgspec.structs.replace(record, meta=META)
    again = msgspec.json.decode(msgspec.json.encode(noted), type=type(record))
    assert (again, again.meta) == (noted, META)
    assert b"meta" not in msgspec.json.encode(record)


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_is_frozen(kind):
    _, record = LINES[kind]
    field = msgspec.structs.fields(record)[0].name
    with pytest.raises(AttributeError, match="immutable"):
        setattr(record, field, "other")


def test_a_corpus_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Corpus().name = "other"


def test_a_summary_without_text_is_not_an_empty_text():
    summary = msgspec.json.decode(b'{"topic":"t","author":"a","role":"candidate"}', type=Summary)
    assert (summary.text, summary.sentences, summary.units) == (None, None, None)
