"""Pyramids and annotated candidates of DUCView: sound files, broken ones, and there and back."""

import dataclasses
import re
from pathlib import Path

import msgspec
import pytest
from format_checks import (
    assert_says,
    expressed,
    noted,
    notes_on_writing,
    read_with_notes,
    refusal,
    written_and_read,
)
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry.formats import FORMATS, load
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu
from summetry.records.summaries import Summary
from summetry.records.topics import Topic

DATA = Path(__file__).parents[1] / "data" / "ducview"
PYRAMID = """<?xml version="1.0"?>
<pyramid>
<startDocumentRegEx><![CDATA[-+\\n[^\\n]*\\n-+\\n]]></startDocumentRegEx>
<text>
<line>---</line><line>ann</line><line>---</line>
<line>A ferry sank.</line>
<line>---</line><line>bob</line><line>---</line>
<line>It went down in fog.</line>
</text>
<scu uid="1" label="it sank">
<contributor label="A ferry sank"><part label="A ferry sank" start="12" end="24"/></contributor>
<contributor label="It went down"><part label="It went down" start="38" end="50"/></contributor>
</scu>
<scu uid="2" label="fog">
<contributor label="in fog"><part label="in fog" start="51" end="57"/></contributor>
</scu>
</pyramid>
"""
PEER = """<annotation>
<text><line>The ferry sank.</line><line>Rain fell.</line></text>
<peerscu uid="1" label="(2) it sank">
<contributor label="The ferry sank"><part label="The ferry sank" start="0" end="14"/></contributor>
</peerscu>
<peerscu uid="2" label="(1) fog">
</peerscu>
<peerscu uid="0" label="All non-matching SCUs go here">
<contributor label="Rain fell"><part label="Rain fell" start="16" end="25"/></contributor>
</peerscu>
</annotation>
"""


@pytest.fixture
def written(write):
    """Writes a file, with some of its text replaced; its path."""

    def make(name="t1.pyr", text=PYRAMID, changes=()):
        for old, new in dict(changes).items():
            assert old in text
            text = text.replace(old, new)
        return write(name, text)

    return make


def peer_file(peer=PEER, pyramid=PYRAMID):
    head, inside = pyramid.split("\n", 1)
    return f"{head}\n<peerAnnotation>\n{inside}{peer}</peerAnnotation>\n"


def weights(corpus):
    return {scu.id: scu.weight for scu in corpus.pyramids[0].scus}


def texts_of(corpus):
    return [f"{s.author} {s.role}: {s.text}" for s in corpus.summaries]


BOTH = {"1": 2, "2": 1}
REFERENCES = ["ann reference: A ferry sank.", "bob reference: It went down in fog."]


def test_a_pyramid_has_references_and_scus_and_a_candidate_its_text_and_its_scus(written):
    corpus = load(written())
    assert texts_of(corpus) == REFERENCES
    sank = Contributor("ann", "A ferry sank", 0, 12), Contributor("bob", "It went down", 0, 12)
    fog = Scu("2", "fog", 1, (Contributor("bob", "in fog", 13, 19),))
    assert corpus.pyramids == (Pyramid("t1", (Scu("1", "it sank", 2, sank), fog)),)
    corpus = load(written("t1.lead.pan", peer_file()))
    assert "lead candidate: The ferry sank.\nRain fell." in texts_of(corpus)
    said = [(part.scu, part.text) for part in corpus.pyramids[0].peers["lead"]]
    assert said == [("1", "The ferry sank"), ("0.1", "Rain fell")]


def test_a_pyramid_of_duc_has_the_scores_worked_by_hand():
    # SCUs 9 and 12 weigh 3, two units are outside: the best four are all, 7. A mean of 7/3 SCUs.
    corpus, _ = read_with_notes(DATA)
    scores = summetry.evaluate(corpus, ["pyramid", "pyramid(score=modified)", "scu_recall"])
    assert scores.data.tolist() == [[3 / 7, 3 / 4, 2 / 4]]


def test_a_folder_of_candidates_alone_has_the_pyramid_they_hold_and_comes_back(tmp_path, written):
    written("t1.lead.pan", peer_file())
    written("t1.random.pan", peer_file())
    corpus = load(tmp_path)
    assert weights(corpus) == BOTH
    assert list(corpus.pyramids[0].peers) == ["lead", "random"]
    again = written_and_read("ducview", corpus, tmp_path / "again")
    assert dataclasses.replace(again, name=corpus.name) == corpus


# Broken files

HEADERS = "-+\\n[^\\n]*\\n-+\\n"
LAST = "</contributor>\n</scu>\n</pyramid>"


NO_XML = "in fog & rain < 1 &eacute;&nbsp;&foo; caf&#233;."
SECOND = '</contributor><contributor label="down"><part label="down" start="46" end="50"/>'
NAMES = {
    "<line>---</line><line>ann</line><line>---</line>": "<line>D0701.M.250.A.A</line>",
    "<line>---</line><line>bob</line><line>---</line>": "<line> D0701.M.250.A.B</line>",
    HEADERS: "-+\\n[^\\n]*\\n-+",
}
# What is replaced in a pyramid, and the encoding in which it is written.
ODD = {
    "bare marks and entities": ({"in fog.": NO_XML}, "utf-8"),
    "old Windows": ({"A ferry": "A f\xe9rry"}, "cp1252"),
    "a declared encoding": (
        {"A ferry": "A f\xe9rry", '"1.0"': '"1.0" encoding="ISO-8859-1"'}, "latin-1"),
    "a control character": ({"sank.<": "sank\x1a<"}, "utf-8"),
    "an offset that does not fit is looked up": (
        {'"in fog" start="51" end="57"': '"in fog" start="48" end="54"'}, "utf-8"),
    "of several places the nearest is taken": (
        {"It went down in fog.": "In fog, in all the fog.",
         'label="It went down" start="38" end="50"': 'label="In fog" start="38" end="44"',
         'label="in fog" start="51" end="57"': 'label="fog" start="55" end="61"'}, "utf-8"),
    "what is nowhere is of the author at its offset": (
        {'part label="in fog"': 'part label="in mist"'}, "utf-8"),
    "a contributor in two summaries is of the one with its longest part": (
        {LAST: f'<part label="ferry" start="14" end="19"/>{LAST}'}, "utf-8"),
    "a part ends with its own summary": (
        {'label="A ferry sank" start="12" end="24"/>':
         'label="sank. --- bob --- It went" start="20" end="45"/>'}, "utf-8"),
    "a part may begin with the blanks before its summary": (
        {"<line>A ferry sank.</line>": "<line></line><line>A ferry sank.</line>",
         'start="12" end="24"': 'start="12" end="25"', 'start="38" end="50"': 'start="39" end="51"',
         'start="51" end="57"': 'start="52" end="58"'}, "utf-8"),
    "a contributor in no summary": (
        {'part label="in fog" start="51" end="57"': 'part label="mist" start="x"'}, "utf-8"),
    "two contributors of one summary": ({LAST: SECOND + LAST}, "utf-8"),
    "nobody is the author where no headers are": (
        {"<line>---</line>": "<line>===</line>"}, "utf-8"),
    "one name twice": ({"bob": "ann"}, "utf-8"),
    "no pattern of headers": (
        {f"<startDocumentRegEx><![CDATA[{HEADERS}]]></startDocumentRegEx>\n": ""}, "utf-8"),
    "an empty pattern": ({f"<![CDATA[{HEADERS}]]>": ""}, "utf-8"),
    "names of DUC alone on a line": (NAMES, "utf-8"),
}  # fmt: skip


@pytest.mark.parametrize("case", ODD)
def test_an_odd_pyramid_is_read_with_a_note(write, case, snapshot):
    changes, encoding = ODD[case]
    text = PYRAMID
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    corpus, lines = read_with_notes(write("t1.pyr", text.encode(encoding)))
    lines += texts_of(corpus)
    for scu in corpus.pyramids[0].scus:
        lines.append(f"SCU {scu.id}: {scu.label}, {scu.weight} {scu.meta or ''}")
        lines += [f"  {c.author}: {c.text}, {c.start} to {c.end}" for c in scu.contributors]
    assert "\n".join(lines) == snapshot


@pytest.mark.parametrize(
    "pattern", ["(-+)+\\n", "[", "(?:-*)", "\\n?", "[^x]*[^y]*[^z]*q", ".*.*.*q"]
)
def test_another_pattern_is_named_and_not_run(written, pattern, monkeypatch):
    compiled = []
    compile_pattern = re.compile
    monkeypatch.setattr(re, "compile", lambda *a: compiled.append(a[0]) or compile_pattern(*a))
    corpus, (note,) = read_with_notes(written(changes={HEADERS: pattern}))
    assert pattern not in compiled
    assert note.startswith(f"t1.pyr:2: the header pattern {pattern!r} is not one of dashes, a name")
    assert [s.author for s in corpus.summaries] == ["ann", "bob"]


@pytest.mark.parametrize(("pattern", "dashes", "authors"), [
    ("-{5}\\n[^\\n]*\\n-{5}\\n", "-----", ["ann", "bob"]),
    ("-{5}\\n[^\\n]*\\n-{5}\\n", "----", []),
    ("-{4,}\\n[^\\n]*\\n-{4,}\\n", "-----", ["ann", "bob"]),
    ("-{4,}\\n[^\\n]*\\n-{4,}\\n", "---", []),
    ("[-]*\\n D[0-9]*-[A-Z]\\.M\\.100\\.[A-Z]\\.[A-Z]\\n[-]*\\n", "--", ["ann", "bob"]),
    ("-+\\n.*\\n-+", "-", ["ann", "bob"]),
])  # fmt: skip
def test_a_pattern_says_how_many_dashes_a_header_has(written, pattern, dashes, authors):
    changes = {HEADERS: pattern, "<line>---</line>": f"<line>{dashes}</line>"}
    corpus, _ = read_with_notes(written(changes=changes))
    assert [s.author for s in corpus.summaries] == authors


def test_an_scu_that_the_pyramid_lacks_and_another_pyramid_are_told(tmp_path, written):
    path = written("t1.lead.pan", peer_file(PEER.replace('uid="0"', 'uid="77"')))
    corpus, (note,) = read_with_notes(path)
    assert note.startswith("t1.lead.pan:26: the pyramid has no SCU '77'")
    assert [part.scu for part in corpus.pyramids[0].peers["lead"]] == ["1", "77"]
    written()
    written("t1.lead.pan", peer_file(pyramid=PYRAMID.replace('uid="2"', 'uid="3"')))
    corpus, (note,) = noted(load, tmp_path)
    assert_says(note, "t1.lead.pan:2: its pyramid is not that of  ... t1.pyr")
    assert weights(corpus) == BOTH


def test_folders_with_files_of_the_same_name_are_annotators(written):
    written("pyramids/t1.pyr")
    for name, changes in (("ann", {}), ("bob b", {'uid="1" label="(2)': 'uid="2" label="(2)'})):
        written(f"{name}/t1.lead.pan", peer_file(PEER), changes)
    path = written("ann/t1.echo.pan", peer_file()).parents[1]
    corpus, notes = noted(load, path)
    assert (expressed(corpus), notes) == ({
        "t1 ann echo": ["1", "0.1"], "t1 ann lead": ["1", "0.1"], "t1 bob b lead": ["2", "0.1"],
    }, [])  # fmt: skip
    assert [one.scus for one in corpus.pyramids] == [corpus.pyramids[0].scus] * 2
    assert len(corpus.summaries) == 4
    # Another text of a summary is told.
    written("bob b/t1.lead.pan", peer_file(), {"The ferry sank.<": "The ferry was sunk.<"})
    assert_says(
        noted(load, path)[1][-1],
        "another text of the candidate of 'lead' than in  ... ann/t1.lead.pan",
    )
    # Without the shared one, everybody's file has a pyramid of its own.
    (path / "pyramids" / "t1.pyr").unlink()
    written("bob b/t1.lead.pan", peer_file(), {"it sank": "it went down"})
    labels = {one.annotator: one.scus[0].label for one in load(path).pyramids}
    assert labels == {"ann": "it sank", "bob b": "it went down"}


ENTITY = "<!DOCTYPE pyramid [<!ENTITY e {}>]>\n<pyramid>"


UNREADABLE = [
    {'uid="2"': 'uid="1"'},
    {'uid="2" ': ""},
    {"</scu>\n</pyramid>": "</pyramid>"},
    {"<pyramid>": ENTITY.format('"text"'), "A ferry sank.<": "&e;<"},
    {"<pyramid>": ENTITY.format('SYSTEM "file:///etc/hostname"'), "A ferry sank.<": "&e;<"},
]  # fmt: skip


def test_what_cannot_be_read_is_an_error_with_its_line(written, refused):
    refused(lambda changes: load(written(changes=changes)), UNREADABLE)


def test_a_peer_annotation_needs_its_parts_and_bad_files_can_be_skipped(tmp_path, write, written):
    message = refusal(load, write("t1.pan", "<peerAnnotation></peerAnnotation>"), "ducview")
    assert message.startswith("t1.pan:1: expected one pyramid in peerAnnotation, found 0")
    written()
    written("t2.pyr", "<pyramid>\n<scu>")
    corpus = load(tmp_path, on_error="skip")
    assert [topic.id for topic in corpus.topics] == ["t1"]
    pyramid, peer = corpus.problems
    assert peer.endswith(message) and "t2.pyr:2: expected well-formed XML" in pyramid


# There and back


names = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=6).filter(
    lambda name: name.strip("-=_*# .")
)
texts = st.text(
    st.characters(exclude_categories=["C", "Zl", "Zp"]) | st.sampled_from("\n-&<\"'"), max_size=30
).map(str.strip)


@st.composite
def corpora(draw):
    topic = draw(names)
    authors = draw(st.lists(names, min_size=2, max_size=4, unique=True))
    *people, system = authors
    words = {author: draw(texts) for author in authors}
    scus = []
    for number in range(1, draw(st.integers(1, 3)) + 1):
        contributing = draw(st.lists(st.sampled_from(people), min_size=1, unique=True))
        parts = [_part(draw, author, words[author]) for author in contributing]
        scus.append(Scu(str(number), draw(texts), len(contributing), tuple(parts)))
    known = [scu.id for scu in scus]
    # One who is alone needs no name.
    annotators = draw(st.lists(names, min_size=2, max_size=2, unique=True) | st.just([""]))
    said = {
        who: tuple(
            PeerScu(draw(st.sampled_from([*known, f"x{number}"])), words[system][:5])
            for number in range(draw(st.integers(0, 2)))
        )
        for who in annotators
    }
    roles = dict.fromkeys(people, "reference") | {system: "candidate"}
    return Corpus(
        topics=(Topic(topic),),
        summaries=tuple(Summary(topic, a, roles[a], text=words[a]) for a in authors),
        pyramids=tuple(Pyramid(topic, tuple(scus), {system: said[w]}, w) for w in annotators),
    )


def _part(draw, author, text):
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, len(text)))
    if not text[start:end].strip():
        return Contributor(author, draw(st.sampled_from(["", "not in the text"])))
    return Contributor(author, text[start:end], start, end)


@given(corpora())
def test_a_random_pyramid_comes_back(tmp_path_factory, corpus):
    folder = tmp_path_factory.mktemp("ducview") / "files"
    # A text that is not in a summary has no place, and the writer says so to the reader.
    again, notes = noted(written_and_read, "ducview", corpus, folder)
    assert notes == []
    assert again.topics == corpus.topics
    assert sorted(texts_of(again)) == sorted(texts_of(corpus))
    read_again = {one.annotator: one for one in again.pyramids}
    assert read_again.keys() == {one.annotator for one in corpus.pyramids}
    for first in corpus.pyramids:
        second = read_again[first.annotator]
        assert second.scus == first.scus
        inside = {scu.id for scu in first.scus}
        for author, said in first.peers.items():
            kept = [part.scu if part.scu in inside else "0" for part in said]
            read = [part.scu.partition(".")[0] for part in second.peers[author]]
            assert sorted(read) == sorted(kept)


def _rain(*said, scu="1"):
    """A reference that says one thing, and a candidate, with what it says."""
    sank = Scu(scu, "it sank", 1, (Contributor("m", "It sank", 0, 7),))
    return Corpus(
        topics=(Topic("t"),),
        summaries=(
            Summary("t", "m", "reference", text="It sank."),
            Summary("t", "p", "candidate", text="Rain fell. It fell. Fog lay."),
        ),
        pyramids=(Pyramid("t", (sank,), {"p": said}),),
    )


def test_a_unit_outside_the_pyramid_that_is_said_twice_stays_one(tmp_path):
    rain = PeerScu("x", "Rain fell"), PeerScu("y", "Fog lay"), PeerScu("x", "It fell")
    corpus = _rain(PeerScu("1"), *rain)
    notes = notes_on_writing("ducview", corpus, tmp_path / "out")
    assert notes == ["1 repetition of units outside the pyramid"]
    again = load(tmp_path / "out")
    said = [(part.scu, part.text) for part in again.pyramids[0].peers["p"]]
    assert [scu for scu, _ in said] == ["1", "0.1", "0.2"] and said[1][1] == "Rain fell...It fell"
    for scored in (corpus, again):
        table = summetry.evaluate(scored, ["scu_precision", "pyramid"])
        assert table.data.tolist() == [[1 / 3, 1.0]]


def test_who_was_annotated_without_a_summary_does_not_become_a_candidate(tmp_path):
    corpus = _rain()
    pyramid = msgspec.structs.replace(corpus.pyramids[0], peers={"gone": (PeerScu("1"),)})
    corpus = dataclasses.replace(corpus, pyramids=(pyramid,))
    (note,) = notes_on_writing("ducview", corpus, tmp_path / "out")
    assert "1 annotation of an author without a candidate" in note
    assert [s.author for s in load(tmp_path / "out").summaries] == ["m"]


def _nobody(topic="t", author="p", role="candidate"):
    summaries = (Summary(topic, author, role, text="It sank."),)
    pyramid = Pyramid(topic, (), {author: ()} if role == "candidate" else {})
    return Corpus(topics=(Topic(topic),), summaries=summaries, pyramids=(pyramid,))


HEADS = ["", "--", "a\nb", "a\u2028b", " a", "a ", "#", "D0701.M.100.A.B"]


@pytest.mark.parametrize(("corpus", "words"), [
    (_rain(PeerScu("x", "Rain"), scu="0"),
     "topic 't': the SCU '0' cannot be written, since DUCV"),
    (_nobody(topic=""), "is named by its topic, found an empty"),
    (_nobody(author=""), "is named by its author, found an empty"),
    *((_nobody(author=name, role="reference"), "cannot head a summary") for name in HEADS),
])  # fmt: skip
def test_what_a_file_cannot_name_is_refused(tmp_path, corpus, words):
    assert words in refusal(FORMATS.build("ducview").write, corpus, tmp_path / "out")
    assert not (tmp_path / "out").exists()
