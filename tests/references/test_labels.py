"""Labelled sentences from peers and a pyramid."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Label, LabelScu, PeerScu, Pyramid, Scu
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic
from summetry.references.labels import Origin, find_units, label_units, sentence_of
from summetry.text.finding import LooseText

SOURCE = (
    "A ferry sank in the harbour of Port Tarrow on Monday.",
    "Nobody was hurt.",
    "The mayor is angry.",
    "Nobody was hurt!",
)


def corpus(*summaries, said, units=SOURCE, **topic):
    return Corpus(
        language="en",
        topics=(Topic("t", documents=(Document("d", units=units),), **topic),),
        summaries=summaries,
        pyramids=(Pyramid("t", (Scu("1", "it sank", 3), Scu("2", "no victims", 2)), said),),
    )


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (SOURCE[0], Origin((0,), "exact")),
        ("a FERRY sank, in the harbour of Port Tarrow on Monday", Origin((0,), "exact")),
        ("Nobody was hurt", Origin((1, 3), "exact")),
        # Cut off after a limit of words.
        ("A ferry sank in the harbour", Origin((0,), "near")),
        # Nine of ten and of eleven words.
        ("A boat sank in the harbour of Port Tarrow on Monday.", Origin((0,), "near")),
        ("The mayor sank.", Origin((), "missing")),
        ("A ferry", Origin((), "missing")),
        ("", Origin((), "missing")),
        ("…", Origin((), "missing")),
    ],
)
def test_where_a_sentence_comes_from(sentence, expected):
    assert find_units([sentence], SOURCE, "en") == [expected]


def test_how_near_is_near_can_be_said():
    changed = "A boat sank in the harbour of Port Tarrow on Monday."
    assert find_units([changed], SOURCE, "en", near=0.95)[0].how == "missing"


def test_of_equally_near_units_the_first_is_taken():
    source = ("Fog hid the pier today.", "Fog hid the pier yesterday.")
    assert find_units(["Fog hid the pier once."], source, "en", 0.7)[0] == Origin((0,), "near")


def test_scripts_without_blanks():
    source = ("渡轮在港口沉没。", "没有人受伤。")
    assert find_units(["没有人受伤"], source, "zh")[0] == Origin((1,), "exact")


def test_a_source_of_nothing():
    assert find_units(["A ferry sank."], (), "en") == [Origin((), "missing")]
    assert find_units([], SOURCE, "en") == []


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
    said = {
        "lead": (PeerScu("1", "A ferry sank"), PeerScu("2", "Nobody was hurt"), PeerScu("x", "A"))
    }
    labelling = label_units(corpus(lead, said=said))
    assert labelling.labels == (
        Label("t", 0, ("lead",), (LabelScu("1", 3, "it sank"),)),
        Label("t", 3, ("lead",), (LabelScu("2", 2, "no victims"),)),
    )
    assert (labelling.sentences["given"], labelling.rate, labelling.scus, labelling.unplaced) == (
        2,
        1,
        2,
        0,
    )


def test_sentences_are_found_and_give_their_units_the_scus():
    one = Summary("t", "one", "candidate", text="The mayor is angry. Nobody was hurt.")
    two = Summary("t", "two", "candidate", sentences=("Nobody was hurt", "All is lost"))
    said = {
        "one": (PeerScu("2", "Nobody was hurt"), PeerScu("2", "Nobody")),
        "two": (PeerScu("1", "All is lost"), PeerScu("1")),
    }
    labelling = label_units(corpus(one, two, said=said))
    both = (LabelScu("2", 2, "no victims"),)
    assert labelling.labels == (
        Label("t", 1, ("one", "two"), both),
        Label("t", 2, ("one",), ()),
        Label("t", 3, ("one", "two"), both),
    )
    assert labelling.sentences == {"given": 0, "exact": 3, "near": 0, "missing": 1}
    assert (labelling.rate, labelling.scus, labelling.unplaced) == (3 / 4, 4, 1)


def test_a_peer_that_nobody_annotated_labels_nothing():
    annotated = Summary("t", "one", "candidate", units=(1,))
    other = Summary("t", "two", "candidate", units=(2,))
    labelling = label_units(corpus(annotated, other, said={"one": ()}))
    assert labelling.labels == (Label("t", 1, ("one",), ()),)


def test_a_part_belongs_to_the_sentence_that_holds_most_of_it():
    text = LooseText("Matt sang. He left the old town.")
    spans = [(0, 10), (11, 32)]
    assert sentence_of("Matt...left the old town", text, spans) == 1
    assert sentence_of("sang.He", text, spans) == 0
    assert sentence_of("nowhere", text, spans) is sentence_of("", text, spans) is None


def test_what_cannot_be_labelled_is_told():
    said = {"lead": (PeerScu("1", "A"),)}
    bare = label_units(corpus(said=said, units=()))
    assert bare.notes == ("topic t: its units are nothing, expected sentences",)
    gone = label_units(corpus(said=said))
    assert gone.notes == ("topic t: 'lead' has no peer summary, only SCUs",)
    assert gone.labels == () and gone.rate != gone.rate


@pytest.mark.parametrize("near", [0, 1.5, float("nan")])
def test_nearness_is_a_share(near):
    with pytest.raises(SummetryError, match="near must be above 0 and at most 1"):
        label_units(corpus(said={}), near)


def test_the_extracts_of_the_demo_give_the_same_labels_as_texts(demo):
    """An extract as a text must be found again, sentence by sentence."""
    extractors = {s.author for s in demo.summaries if s.units is not None}
    pyramids = tuple(
        Pyramid(p.topic, p.scus, {a: said for a, said in p.peers.items() if a in extractors})
        for p in demo.pyramids
    )
    units = dataclasses.replace(demo, pyramids=pyramids)
    as_texts = tuple(
        Summary(s.topic, s.author, s.role, sentences=demo.sentences_of(s)) for s in demo.summaries
    )
    of_units = label_units(units)
    labelling = label_units(dataclasses.replace(units, summaries=as_texts))
    assert extractors == {"lead", "random", "picker"}
    assert of_units.sentences["given"] == labelling.sentences["exact"] == 124
    assert (of_units.rate, of_units.unplaced, labelling.rate) == (1, 0, 1)
    assert of_units.labels == labelling.labels and len(of_units.labels) > 50
