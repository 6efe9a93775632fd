"""Pyramids from marks that share a label."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu
from summetry.records.summaries import Summary
from summetry.records.topics import Topic
from summetry.references.pyramids import Mark, build_pyramid, build_pyramids, with_marks

TEXTS = {"ann": "A ferry sank.", "bob": "It went down in fog.", "lead": "The ferry sank. Rain."}


def corpus(**changes):
    summaries = tuple(
        Summary("t", name, "candidate" if name == "lead" else "reference", text=text)
        for name, text in TEXTS.items()
    )
    topics = (Topic("s"), Topic("t"))
    return Corpus(**{"topics": topics, "summaries": summaries, **changes})


def test_marks_that_share_a_label_are_one_unit():
    marks = [
        Mark("t", "bob", "fog", "in fog", 13, 19),
        Mark("t", "ann", "It sank", "sank", 8, 12),
        Mark("t", "bob", " it  SANK", "went down", 3, 12),
    ]
    assert build_pyramid("t", marks, {"ann", "bob"}) == Pyramid(
        "t",
        (
            Scu("1", "It sank", 2, (
                Contributor("ann", "sank", 8, 12), Contributor("bob", "went down", 3, 12),
            )),
            Scu("2", "fog", 1, (Contributor("bob", "in fog", 13, 19),)),
        ),
    )  # fmt: skip


def test_a_summary_counts_once_however_often_it_says_a_thing():
    marks = [Mark("t", "ann", "a"), Mark("t", "ann", "a"), Mark("t", "bob", "b")]
    assert [(s.label, s.weight) for s in build_pyramid("t", marks, {"ann", "bob"}).scus] == [
        ("a", 1),
        ("b", 1),
    ]


def test_peers_express_units_of_the_pyramid_and_others():
    marks = [
        Mark("t", "ann", "a"),
        Mark("t", "lead", "new", "n"),
        Mark("t", "lead", "a", "x"),
        Mark("t", "echo", "NEW"),
        Mark("t", "echo", "newer"),
        Mark("t", "mute"),
    ]
    assert build_pyramid("t", marks, {"ann"}).peers == {
        "lead": (PeerScu("x1", "n"), PeerScu("1", "x")),
        "echo": (PeerScu("x1"), PeerScu("x2")),
        "mute": (),
    }


def test_no_marks_make_a_pyramid_of_nothing():
    assert build_pyramid("t", [], {"ann"}) == Pyramid("t", ())


marks = st.lists(st.tuples(st.sampled_from("abcp"), st.sampled_from("uvwxyz")), max_size=20)


@given(marks)
def test_weights_are_counts_and_fall(pairs):
    pyramid = build_pyramid("t", [Mark("t", *pair) for pair in pairs], set("abc"))
    people = {label: {a for a, b in pairs if b == label and a != "p"} for _, label in pairs}
    assert {s.label: s.weight for s in pyramid.scus} == {
        label: len(value) for label, value in people.items() if value
    }
    weights = [scu.weight for scu in pyramid.scus]
    assert weights == sorted(weights, reverse=True)
    assert len(pyramid.peers.get("p", ())) == sum(a == "p" for a, _ in pairs)


def test_places_are_looked_up_in_the_summaries():
    built = build_pyramids(
        corpus(), [Mark("t", "ann", "sank", "sank."), Mark("t", "bob", "sank", start=3, end=12)]
    )
    assert built.notes == ()
    (texts,) = built.corpus.pyramids
    assert texts.scus[0].contributors == (
        Contributor("ann", "sank.", 8, 13),
        Contributor("bob", "went down", 3, 12),
    )


def test_a_place_that_does_not_fit_is_told():
    marks = [Mark("t", "ann", "sank", "sank", 0, 4), Mark("t", "bob", "sank", "is gone", 0, 4)]
    built = build_pyramids(corpus(), marks)
    assert built.notes == (
        "topic t, ann: 'sank' is not at 0 to 4, it was looked up",
        "topic t, bob: 'is gone' is not in the summary; it counts, without a place",
    )
    assert built.pyramids[0].scus[0].contributors == (
        Contributor("ann", "sank", 8, 12),
        Contributor("bob", "is gone"),
    )


@pytest.mark.parametrize(("start", "end"), [(5, 2), (-1, 3), (0, 99), (3, None)])
def test_a_place_that_is_none_is_told(start, end):
    built = build_pyramids(corpus(), [Mark("t", "ann", "sank", start=start, end=end)])
    assert built.notes == (
        f"topic t, ann: nothing stands at {start} to {end} of the summary; it counts, without a "
        "place",
    )
    assert built.pyramids[0].scus[0].contributors == (Contributor("ann"),)


def test_other_topics_keep_their_pyramids():
    old = (Pyramid("s", (Scu("9"),)), Pyramid("t", (Scu("9"),)))
    built = build_pyramids(corpus(pyramids=old), [Mark("t", "ann", "sank")])
    assert [p.topic for p in built.corpus.pyramids] == ["s", "t"]
    assert built.corpus.pyramids[0] == old[0]
    assert built.pyramids == built.corpus.pyramids[1:]


def test_a_mark_by_nobody_is_an_error():
    with pytest.raises(SummetryError, match=r"found 'anne'\. Did you mean 'ann'\?"):
        build_pyramids(corpus(), [Mark("t", "anne", "sank")])
    with pytest.raises(SummetryError, match="no topic is named 'u'"):
        build_pyramids(corpus(), [Mark("u", "ann", "sank")])


def test_more_than_half_of_the_judges_decide_what_is_expressed():
    pyramid = Pyramid(
        "t", (Scu("1"), Scu("2"), Scu("3")), {"ann": (PeerScu("1"),), "old": (PeerScu("3"),)}
    )
    judged = with_marks(
        pyramid, {"ann": [{"2", "3", "x"}, {"2", "1"}, {"2", "1"}], "bob": [{"1"}, {"2"}]}
    )
    assert judged.scus == pyramid.scus
    assert judged.peers == {
        "ann": (PeerScu("1"), PeerScu("2")),
        "old": (PeerScu("3"),),
        "bob": (),
    }


def test_an_author_whom_nobody_judged_anew_stays_as_before():
    pyramid = Pyramid("t", (Scu("1"),), {"ann": (PeerScu("1", "text"),)})
    assert with_marks(pyramid, {}) == pyramid
