"""Labelled sentences from peers and a pyramid, and pyramids from marks that share a label."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Contributor, Label, LabelScu, PeerScu, Pyramid, Scu
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic
from summetry.references.labels import Origin, find_units, label_units, sentence_of
from summetry.references.pyramids import Mark, build_pyramid, build_pyramids, with_one_pyramid
from summetry.text.finding import LooseText

SOURCE = ("A ferry sank in the harbour of Port Tarrow on Monday.", "Nobody was hurt.",
          "The mayor is angry.", "Nobody was hurt!")  # fmt: skip


def labelled(*summaries, said, units=SOURCE, **topic):
    topics = (Topic("t", documents=(Document("d", units=units),), **topic),)
    pyramids = (Pyramid("t", (Scu("1", "it sank", 3), Scu("2", "no victims", 2)), said),)
    return Corpus(language="en", topics=topics, summaries=summaries, pyramids=pyramids)


MISSING, BOAT = Origin((), "missing"), "A boat sank in the harbour of Port Tarrow on Monday."


@pytest.mark.parametrize(("sentences", "source", "options", "expected"), [
    ([SOURCE[0], "a FERRY sank, in the harbour of Port Tarrow on Monday", "Nobody was hurt"],
     SOURCE, {}, [*[Origin((0,), "exact")] * 2, Origin((1, 3), "exact")]),
    # Cut off after a limit of words; nine of ten and of eleven words.
    (["A ferry sank in the harbour", BOAT], SOURCE, {}, [Origin((0,), "near")] * 2),
    (["The mayor sank.", "A ferry", "", "…"], SOURCE, {}, [MISSING] * 4),
    # How near is near can be said.
    ([BOAT], SOURCE, {"near": 0.95}, [MISSING]),
    # Of equally near units the first is taken.
    (["Fog hid the pier once."], ("Fog hid the pier today.", "Fog hid the pier yesterday."),
     {"near": 0.7}, [Origin((0,), "near")]),
    # Scripts without blanks.
    (["没有人受伤"], ("渡轮在港口沉没。", "没有人受伤。"), {"language": "zh"},
     [Origin((1,), "exact")]),
    (["A ferry sank."], (), {}, [MISSING]),
    ([], SOURCE, {}, []),
])  # fmt: skip
def test_sentences_are_found_among_units(sentences, source, options, expected):
    assert find_units(sentences, source, **{"language": "en"} | options) == expected


words = st.lists(st.sampled_from("abcdef"), max_size=6).map(" ".join)


@given(st.lists(words, max_size=3), st.lists(words, max_size=4))
def test_units_are_found_as_by_comparing_word_by_word(sentences, units):
    """Against a slow reading of the definition."""

    def slow(sentence):
        mine = sentence.split()
        if not mine:
            return Origin((), "missing")
        theirs = [unit.split() for unit in units]
        same = tuple(i for i, other in enumerate(theirs) if other == mine)
        if same:
            return Origin(same, "exact")
        for i, other in enumerate(theirs):
            if len(mine) >= 5 and other[: len(mine)] == mine:
                return Origin((i,), "near")
        shares = []
        for other in theirs:
            rest, shared = list(other), 0
            for word in mine:
                if word in rest:
                    rest.remove(word)
                    shared += 1
            shares.append(2 * shared / (len(mine) + len(other)))
        best = max(shares, default=0)
        return Origin((shares.index(best),), "near") if best >= 0.8 else Origin((), "missing")

    assert find_units(sentences, units) == [slow(sentence) for sentence in sentences]


def test_units_that_a_peer_names_need_no_search():
    lead = Summary("t", "lead", "candidate", units=(0, 3))
    said = PeerScu("1", "A ferry sank"), PeerScu("2", "Nobody was hurt"), PeerScu("x", "A")
    labelling = label_units(labelled(lead, said={"lead": said}))
    assert labelling.labels == (
        Label("t", 0, ("lead",), (LabelScu("1", 3, "it sank"),)),
        Label("t", 3, ("lead",), (LabelScu("2", 2, "no victims"),)),
    )
    assert labelling.sentences["given"] == 2
    assert (labelling.rate, labelling.scus, labelling.unplaced) == (1, 2, 0)


def test_sentences_are_found_and_give_their_units_the_scus():
    one = Summary("t", "one", "candidate", text="The mayor is angry. Nobody was hurt.")
    two = Summary("t", "two", "candidate", sentences=("Nobody was hurt", "All is lost"))
    said = {
        "one": (PeerScu("2", "Nobody was hurt"), PeerScu("2", "Nobody")),
        "two": (PeerScu("1", "All is lost"), PeerScu("1")),
    }
    labelling = label_units(labelled(one, two, said=said))
    both = (LabelScu("2", 2, "no victims"),)
    assert labelling.labels == (Label("t", 1, ("one", "two"), both), Label("t", 2, ("one",), ()),
                                Label("t", 3, ("one", "two"), both))  # fmt: skip
    assert labelling.sentences == {"given": 0, "exact": 3, "near": 0, "missing": 1}
    assert (labelling.rate, labelling.scus, labelling.unplaced) == (3 / 4, 4, 1)


def test_a_part_belongs_to_the_sentence_that_holds_most_of_it():
    text = LooseText("Matt sang. He left the old town.")
    spans = [(0, 10), (11, 32)]
    assert sentence_of("Matt...left the old town", text, spans) == 1
    assert sentence_of("sang.He", text, spans) == 0
    assert sentence_of("nowhere", text, spans) is sentence_of("", text, spans) is None


def test_what_cannot_be_labelled_is_told():
    said = {"lead": (PeerScu("1", "A"),)}
    bare = label_units(labelled(said=said, units=()))
    assert bare.notes == ("topic t: its units are nothing, expected sentences",)
    gone = label_units(labelled(said=said))
    assert gone.notes == ("topic t: 'lead' has no peer summary, only SCUs",)
    assert gone.labels == () and gone.rate != gone.rate
    for near in (0, 1.5, float("nan")):
        with pytest.raises(SummetryError, match="near must be above 0 and at most 1"):
            label_units(labelled(said={}), near)
    # A peer that nobody annotated labels nothing.
    annotated = Summary("t", "one", "candidate", units=(1,))
    other = Summary("t", "two", "candidate", units=(2,))
    labelling = label_units(labelled(annotated, other, said={"one": ()}))
    assert labelling.labels == (Label("t", 1, ("one",), ()),)


# --- pyramids -------------------------------------------------------------------------------------

TEXTS = {"ann": "A ferry sank.", "bob": "It went down in fog.", "lead": "The ferry sank. Rain."}


def corpus(**changes):
    summaries = tuple(
        Summary("t", name, "candidate" if name == "lead" else "reference", text=text)
        for name, text in TEXTS.items()
    )
    topics = (Topic("s"), Topic("t"))
    return Corpus(**{"topics": topics, "summaries": summaries, **changes})


def test_marks_that_share_a_label_are_one_unit():
    of_ann, of_bob = ("ann", "sank", 8, 12), ("bob", "went down", 3, 12)
    fog = ("bob", "in fog", 13, 19)
    labels = {fog: "fog", of_ann: "It sank", of_bob: " it  SANK"}
    marks = [Mark("t", mark[0], label, *mark[1:]) for mark, label in labels.items()]
    sank = Scu("1", "It sank", 2, (Contributor(*of_ann), Contributor(*of_bob)))
    expected = Pyramid("t", (sank, Scu("2", "fog", 1, (Contributor(*fog),))))
    assert build_pyramid("t", marks, {"ann", "bob"}) == expected
    # A summary counts once, however often it says a thing.
    marks = [Mark("t", "ann", "a"), Mark("t", "ann", "a"), Mark("t", "bob", "b")]
    pyramid = build_pyramid("t", marks, {"ann", "bob"})
    assert [(scu.label, scu.weight) for scu in pyramid.scus] == [("a", 1), ("b", 1)]
    assert build_pyramid("t", [], {"ann"}) == Pyramid("t", ())


def test_peers_express_units_of_the_pyramid_and_others():
    said = [("ann", "a"), ("lead", "new", "n"), ("lead", "a", "x"), ("echo", "NEW")]
    marks = [Mark("t", *mark) for mark in (*said, ("echo", "newer"), ("mute",))]
    assert build_pyramid("t", marks, {"ann"}).peers == {
        "lead": (PeerScu("x1", "n"), PeerScu("1", "x")),
        "echo": (PeerScu("x1"), PeerScu("x2")),
        "mute": (),
    }


marks = st.lists(st.tuples(st.sampled_from("abcp"), st.sampled_from("uvwxyz")), max_size=20)


@given(marks)
def test_weights_are_counts_and_fall(pairs):
    pyramid = build_pyramid("t", [Mark("t", *pair) for pair in pairs], set("abc"))
    by_people = {(author, label) for author, label in pairs if author != "p"}
    assert {s.label: s.weight for s in pyramid.scus} == Counter(label for _, label in by_people)
    weights = [scu.weight for scu in pyramid.scus]
    assert weights == sorted(weights, reverse=True)
    assert len(pyramid.peers.get("p", ())) == sum(a == "p" for a, _ in pairs)


@pytest.mark.parametrize("marks", [
    [("ann", "sank", "sank."), ("bob", "sank", "", 3, 12)],
    [("ann", "sank", "sank", 0, 4), ("bob", "sank", "is gone", 0, 4)],
    *([("ann", "sank", "", *place)] for place in [(5, 2), (-1, 3), (0, 99), (3, None)]),
], ids=["looked up", "mended or told", "turned", "before", "behind", "half a place"])  # fmt: skip
def test_places_are_those_in_the_summaries(marks, snapshot):
    built = build_pyramids(corpus(), [Mark("t", *mark) for mark in marks])
    contributors = [
        f"{c.author}: {c.text}, {c.start} to {c.end}"
        for c in built.pyramids[0].scus[0].contributors
    ]
    assert "\n".join([*contributors, *built.notes]) == snapshot
    assert built.corpus.pyramids == built.pyramids


def test_other_topics_keep_their_pyramids():
    old = (Pyramid("s", (Scu("9"),)), Pyramid("t", (Scu("9"),)))
    built = build_pyramids(corpus(pyramids=old), [Mark("t", "ann", "sank")])
    assert [p.topic for p in built.corpus.pyramids] == ["s", "t"]
    assert built.corpus.pyramids[0] == old[0]
    assert built.pyramids == built.corpus.pyramids[1:]
    # A mark by nobody is an error.
    with pytest.raises(SummetryError, match=r"found 'anne'\. Did you mean 'ann'\?"):
        build_pyramids(corpus(), [Mark("t", "anne", "sank")])
    with pytest.raises(SummetryError, match="no topic is named 'u'"):
        build_pyramids(corpus(), [Mark("u", "ann", "sank")])


def test_each_annotator_has_a_pyramid_by_units_of_their_own_or_of_the_only_maker():
    def built(*rows):
        marks = [Mark("t", author, label, annotator=who) for who, author, label in rows]
        return build_pyramids(corpus(), marks).pyramids

    # Only kim made units; what both find outside them is the same unit.
    kim, lou = built(
        ("kim", "ann", "sank"), ("kim", "lead", "sank"), ("lou", "lead", "new"),
        ("kim", "lead", "NEW"),
    )  # fmt: skip
    assert (kim.annotator, lou.annotator, kim.scus) == ("kim", "lou", lou.scus)
    said = [[part.scu for part in one.peers["lead"]] for one in (kim, lou)]
    assert said == [["1", "x1"], ["x1"]]
    units = ("kim", "ann", "sank"), ("lou", "bob", "went down")
    assert [one.scus[0].label for one in built(*units)] == ["sank", "went down"]
    with pytest.raises(SummetryError, match="'max' marked candidates only, and kim and lou marked"):
        built(*units, ("max", "lead", "sank"))
    # One pyramid for each topic: by majority, or of one annotator.
    both = corpus(pyramids=(kim, lou))
    decided = with_one_pyramid(both)
    assert [part.scu for part in decided.pyramids[0].peers["lead"]] == ["x1"]
    assert decided.notes[0].startswith("1 topic with marks of several annotators")
    assert with_one_pyramid(both, "lou").pyramids == (lou,)
    with pytest.raises(SummetryError, match="different content units by 'kim' and 'lou': `summ"):
        with_one_pyramid(corpus(pyramids=built(*units)))
    with pytest.raises(SummetryError, match="no annotator is named 'ki'"):
        with_one_pyramid(both, "ki")
    assert with_one_pyramid(corpus(pyramids=(lou, Pyramid("s", ()))), "lou").notes == (
        "left out: the content units of 1 topic without marks of lou",
    )
