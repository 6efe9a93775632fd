"""Records: what each kind holds, frozen, with a meta that survives; who expresses what."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.records.base import Record
from summetry.records.corpus import KINDS, Corpus
from summetry.records.judgments import Answer, Judgment, Qrel, Query, Question, Utilities
from summetry.records.pyramids import (
    Contributor,
    Label,
    LabelScu,
    PeerScu,
    Pyramid,
    Scu,
    by_majority,
    contributing,
    said_by,
    without,
)
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
              unit="paragraph", documents=(Document("d1", "2003-05-01", "a b", ("a", "b")),))),
    "summaries": (b'{"topic":"t1","author":"lead","role":"candidate","text":"a","units":[0,3]}',
                  Summary("t1", "lead", "candidate", text="a", units=(0, 3))),
    "extracts": (b'{"topic":"t1","informant":"p7","units":[0,3,4]}',
                 Extract("t1", "p7", (0, 3, 4))),
    "judgments": (b'{"topic":"t1","author":"lead","judge":"j1","dimension":"clarity","value":4}',
                  Judgment("t1", "lead", "j1", "clarity", 4)),
    "utilities": (b'{"topic":"t1","judge":"j1","values":[5,4.5,0]}',
                  Utilities("t1", "j1", (5, 4.5, 0))),
    "pyramids": (
        b'{"topic":"t1","scus":[{"id":"11","label":"L","weight":4,"contributors":[{"author":"m1",'
        b'"text":"x","start":10,"end":32}]}],"peers":{"lead":[{"scu":"11","text":"y"}]}}',
        Pyramid("t1", (Scu("11", "L", 4, (Contributor("m1", "x", 10, 32),)),),
                {"lead": (PeerScu("11", "y"),)})),
    "labels": (b'{"topic":"t1","unit":7,"summaries":["14","44"],"scus":[{"id":"11","weight":4}]}',
               Label("t1", 7, ("14", "44"), (LabelScu("11", 4),))),
    "questions": (b'{"topic":"t1","id":"q1","question":"?","choices":["a","b"],"answer":0}',
                  Question("t1", "q1", "?", ("a", "b"), 0)),
    "answers": (b'{"topic":"t1","question":"q1","judge":"j1","condition":"summary","author":"lead",'
                b'"choice":1,"seconds":31}',
                Answer("t1", "q1", "j1", "summary", "lead", 1, 31)),
    "queries": (b'{"id":"k1","text":"words"}', Query("k1", "words")),
    "qrels": (b'{"query":"k1","topic":"t1","relevance":1}', Qrel("k1", "t1", 1)),
    "people": (b'{"id":"p7","group":"trained readers"}', Person("p7", "trained readers")),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_line_of_the_design_is_read_and_written_as_it_was_and_its_record_is_frozen(kind):
    assert list(LINES) == list(KINDS)
    line, record = LINES[kind]
    assert msgspec.json.decode(line, type=KINDS[kind]) == record
    assert msgspec.json.encode(record) == line
    assert issubclass(KINDS[kind], Record)
    assert getattr(Corpus(), kind) == ()
    with pytest.raises(AttributeError, match="immutable"):
        setattr(record, msgspec.structs.fields(record)[0].name, "other")


@pytest.mark.parametrize(("written", "names"), [
    ("", ()), ("sport", ("sport",)), (["sport"], ("sport",)),
    (["sport", "news"], ("sport", "news")),
])  # fmt: skip
def test_a_topic_has_one_category_or_a_list_of_them_and_each_is_written_as_it_was(written, names):
    line = msgspec.json.encode({"id": "t1", **({"category": written} if written else {})})
    topic = msgspec.json.decode(line, type=Topic)
    assert topic.categories == names and msgspec.json.encode(topic) == line


PARTS = [Document("d"), Scu("1"), Contributor("m"), PeerScu("1"), LabelScu("1")]


@pytest.mark.parametrize("record", [*(record for _, record in LINES.values()), *PARTS])
def test_meta_survives_and_is_not_written_where_there_is_none(record):
    noted = msgspec.structs.replace(record, meta=META)
    again = msgspec.json.decode(msgspec.json.encode(noted), type=type(record))
    assert (again, again.meta) == (noted, META)
    assert b"meta" not in msgspec.json.encode(record)


# --- a pyramid, and when contributors leave it ---


PYRAMID = Pyramid(
    "t",
    (
        Scu("1", "sank", 2, (Contributor("ann", "it sank"), Contributor("bob", "went down"))),
        Scu("2", "fog", 1, (Contributor("bob", "in fog"),)),
        Scu("3", "flat", 5),
    ),
    {"lead": (PeerScu("1"), PeerScu("x")), "hasty": ()},
)


def weights(pyramid):
    return {scu.id: scu.weight for scu in pyramid.scus}


@pytest.mark.parametrize(("author", "said"), [
    ("lead", (PeerScu("1"), PeerScu("x"))),  # a candidate: what the annotation says
    ("hasty", ()),
    ("bob", (PeerScu("1", "went down"), PeerScu("2", "in fog"))),  # a reference: its parts
    ("cyd", None),  # of somebody whom nobody looked at nothing is known
])  # fmt: skip
def test_who_expresses_what(author, said):
    assert said_by(PYRAMID, author) == said


def test_weights_fall_and_scus_go_as_contributors_leave():
    assert contributing(PYRAMID) == ("ann", "bob"), "in the order of their first part"
    assert weights(without(PYRAMID, ["bob"])) == {"1": 1, "3": 5}
    assert weights(without(PYRAMID, ["ann"])) == {"1": 1, "2": 1, "3": 5}
    nobody = without(PYRAMID, ["ann", "bob"])
    assert (weights(nobody), nobody.peers) == ({"3": 5}, PYRAMID.peers)
    assert without(PYRAMID, ["cyd"]) == without(PYRAMID, []) == PYRAMID


@pytest.mark.parametrize(("weight", "left"), [(6, 4), (1, pytest.approx(2 / 3)), (0, 0)])
def test_a_weight_that_is_no_count_falls_by_the_share_that_leaves(weight, left):
    people = tuple(Contributor(name) for name in ("a", "b", "c", "c"))
    (scu,) = without(Pyramid("t", (Scu("1", "", weight, people),)), ["a"]).scus
    assert scu.weight == left


@given(st.lists(st.lists(st.sampled_from("12x"), max_size=5), min_size=1, max_size=5))
def test_what_more_than_half_of_the_annotators_say_is_expressed(found):
    said = [tuple(map(PeerScu, ids)) for ids in found]
    marked = [
        Pyramid("t", (Scu("1"), Scu("2")), {"lead": of_one, str(i): of_one}, f"ann {i}")
        for i, of_one in enumerate(said)
    ]
    other = Pyramid("t", (Scu("1", weight=2), Scu("2")), {"lead": (PeerScu("2"),)}, "dan")
    merged, alone = by_majority([*marked, other])
    times = Counter(part.scu for part in merged.peers["lead"])
    for scu in "12x":
        votes = [sum(ids.count(scu) >= n for ids in found) for n in range(1, 6)]
        assert times[scu] == sum(2 * count > len(found) for count in votes)
    # Who was marked once expresses what that annotator says.
    for i in range(len(found)):
        assert sorted(part.scu for part in merged.peers[str(i)]) == sorted(found[i])
    assert alone == other
    assert merged.annotator == ("" if len(marked) > 1 else "ann 0")


@given(
    st.lists(st.sets(st.sampled_from("abcde"), min_size=1), max_size=6),
    st.sets(st.sampled_from("abcde")),
)
def test_it_is_the_pyramid_that_the_rest_would_have_made(groups, left):
    scus = [
        Scu(str(i), "", len(group), tuple(Contributor(name) for name in sorted(group)))
        for i, group in enumerate(groups)
    ]
    rest = {str(i): len(group - left) for i, group in enumerate(groups) if group - left}
    assert weights(without(Pyramid("t", tuple(scus)), left)) == rest
