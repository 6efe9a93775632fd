"""Source sentences labelled with SCUs: the paper's figure, broken files, and there and back."""

import pytest
from format_checks import notes_on_writing, read_with_notes, refusal
from hypothesis import given
from hypothesis import strategies as st

from summetry.formats import FORMATS, load, recognise
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Label, LabelScu
from summetry.records.topics import Document, Topic

# The figure's three kinds of sentences, in words of our own.
FIGURE = """<line>The ferry that everybody wrote about
left on Monday.<annotation scu-count="2"
sum-count="1" sums="0"><scu uid="11" label="the ferry left" weight="4"/><scu uid="12"
label="it was a Monday" weight="3"/></annotation></line>
<line>It must earn money soon.<annotation scu-count="0" sum-count="3" sums="14,44,57"/></line>
<line>"All went well," said the captain.</line>
"""
WHOLE = f'<collection name="D1"><document name="d1">\n{FIGURE}</document></collection>'
SCUS = LabelScu("11", 4, "the ferry left"), LabelScu("12", 3, "it was a Monday")
LABELS = (Label("D1", 0, ("0",), SCUS), Label("D1", 1, ("14", "44", "57"), ()))


@pytest.fixture
def written(write):
    return lambda text, name="D1.xml": write(f"marked/{name}", text)


@pytest.mark.parametrize(("text", "document"), [
    (FIGURE, "D1"),
    (WHOLE, "d1"),
    (f"<x>{FIGURE}</x>", "D1"),
    (f'<?xml version="1.0"?>\n{FIGURE}', "D1"),
], ids=["the lines alone", "with a root", "with any root", "declared"])  # fmt: skip
def test_the_three_kinds_of_sentences(written, text, document):
    corpus = load(written(text))
    (topic,) = corpus.topics
    assert [d.id for d in topic.documents] == [document]
    assert topic.units == (
        "The ferry that everybody wrote about left on Monday.",
        "It must earn money soon.",
        '"All went well," said the captain.',
    )
    assert corpus.labels == LABELS


def test_units_are_numbered_through_all_documents_and_a_folder_has_a_topic_a_file(written):
    text = (
        '<collection name="s"><document name="a"><line>One.</line><line> </line></document>'
        '<document name="b"><line>Two.<annotation scu-count="0" sum-count="1" sums="7"/></line>'
        "</document></collection>"
    )
    path = written(text)
    corpus = load(path)
    documents = Document("a", units=("One.",)), Document("b", units=("Two.",))
    assert corpus.topics[0].documents == documents
    assert corpus.labels == (Label("s", 1, ("7",)),)
    written(FIGURE)
    written(FIGURE, "D2.xml")
    assert recognise(path.parent).name == "scu_xml"
    assert [topic.id for topic in load(path.parent).topics] == ["D1", "D2"]


@pytest.mark.parametrize(("old", "new", "note"), [
    ('scu-count="2"', 'scu-count="3"',
     'D1.xml:2: scu-count="3", but there are 2 scu elements; these were taken'),
    ('sum-count="3"', 'sum-count="1"',
     'D1.xml:5: sum-count="1", but there are 3 summaries in sums; these were taken'),
])  # fmt: skip
def test_counts_that_are_wrong_are_told(written, old, new, note):
    corpus, notes = read_with_notes(written(FIGURE.replace(old, new)))
    assert notes == [note]
    assert corpus.labels == LABELS


def test_two_weights_of_one_scu_and_a_character_that_should_be_an_entity_are_told_and_kept(written):
    corpus, notes = read_with_notes(written(FIGURE.replace('uid="12"', 'uid="11"')))
    assert notes == ["D1.xml:3: SCU '11' has the weight 3 here and 4 before"]
    assert [scu.weight for scu in corpus.labels[0].scus] == [4, 3]
    corpus, (note,) = read_with_notes(written(FIGURE.replace("money soon", "money & fame soon")))
    assert note.startswith("D1.xml:5: '& fame soon.")
    assert corpus.topics[0].units[1] == "It must earn money & fame soon."


LINE = '<line>x<annotation scu-count="0" sum-count="0" sums=""/></line>'
A, B = (f'<document name="{name}">{LINE}</document>' for name in "ab")


@pytest.mark.parametrize(("text", "words"), [
    (FIGURE.replace('uid="11" ', ""), "D1.xml:3: expected an scu with uid=, found none"),
    (FIGURE.replace('weight="4"', 'weight="-4"'),
     "D1.xml:3: expected a weight of 0 or more, found weight='-4'"),
    (FIGURE.replace('weight="4"', ""),
     "D1.xml:3: expected a weight of 0 or more, found weight=''"),
    (FIGURE.replace("</annotation></line>", "</line>"),
     "D1.xml:4: expected well-formed XML, found mismatched"),
    (f'<!DOCTYPE x [<!ENTITY e "text">]>\n<x>{FIGURE}</x>',
     "expected XML without entities of its own"),
    (f"<collection>{A}{B}{A}</collection>", "expected the lines of a document together"),
    ("<collection/>", "expected line elements, found none"),
])  # fmt: skip
def test_what_cannot_be_read_is_an_error_with_its_line(written, text, words):
    assert words in refusal(load, written(text), "scu_xml")


def test_bad_files_can_be_skipped(written):
    written("<x><line>", "D2.xml")
    corpus = load(written(FIGURE).parent, on_error="skip")
    assert [topic.id for topic in corpus.topics] == ["D1"]
    assert "D2.xml:1: expected well-formed XML" in corpus.problems[0]


# There and back

names = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters=","), min_size=1, max_size=6
)
units = st.lists(
    st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), min_size=1, max_size=12)
    .map(lambda text: " ".join(text.split()))
    .filter(bool),
    min_size=1,
    max_size=3,
)
scus = st.tuples(names, st.integers(0, 9) | st.floats(0, 9, allow_subnormal=False), names)


@st.composite
def corpora(draw):
    topics, labels = [], []
    for topic in draw(st.lists(names, min_size=1, max_size=2, unique=True)):
        ids = draw(st.lists(names, min_size=1, max_size=2, unique=True))
        documents = tuple(Document(name, units=tuple(draw(units))) for name in ids)
        topics.append(Topic(topic, documents=documents))
        for unit in range(len(topics[-1].units)):
            if draw(st.booleans()):
                used = tuple(draw(st.lists(names, max_size=3, unique=True)))
                carried = draw(st.lists(scus, max_size=2, unique_by=lambda scu: scu[0]))
                weights = {name: len(name) for name, _, _ in carried}
                listed = tuple(LabelScu(name, weights[name], label) for name, _, label in carried)
                labels.append(Label(topic, unit, used, listed))
    return Corpus(topics=tuple(sorted(topics, key=lambda t: t.id)), labels=tuple(labels))


@given(corpora())
def test_a_random_corpus_comes_back(tmp_path_factory, corpus):
    folder = tmp_path_factory.mktemp("scu_xml") / "files"
    FORMATS.build("scu_xml").write(corpus, folder)
    again = load(folder, format="scu_xml")
    assert sorted(again.topics, key=lambda t: t.id) == list(corpus.topics)
    assert {(x.topic, x.unit): x for x in again.labels} == {
        (x.topic, x.unit): x for x in corpus.labels
    }


@pytest.mark.parametrize("weight", ["4", "0.0000001"])
def test_what_was_read_is_written_the_same(tmp_path, written, weight):
    first = load(written(WHOLE.replace('weight="4"', f'weight="{weight}"')))
    assert first.labels[0].scus[0].weight == float(weight)
    FORMATS.build("scu_xml").write(first, tmp_path / "again" / "D1.xml")
    assert load(tmp_path / "again" / "D1.xml") == first


def test_what_is_written_can_be_read_where_a_topic_has_no_sentences(tmp_path):
    topics = (Topic("a", documents=(Document("d", units=("One.",)), Document("e"))), Topic("b"))
    corpus = Corpus(topics=topics, labels=(Label("a", 0, (), (LabelScu("1"),)),))
    assert len(notes_on_writing("scu_xml", corpus, tmp_path / "out")) == 1
    (topic,) = load(tmp_path / "out").topics
    assert topic.units == ("One.",)
