"""Content units: as a table of 0 and 1, and as labels of source sentences in XML."""

import json

import pytest
from format_checks import (
    noted,
    notes_on_writing,
    read_with_notes,
    values,
    written_and_read,
)
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry.formats import load, recognise
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Label, LabelScu
from summetry.records.topics import Document, Topic

# --- a table of 0 and 1: both shapes, weights, and mistakes ---


WIDE = """\
id,unit,weight,bart,t5
t1,a ferry sank,3,1,1
t1,nobody was hurt,2,1,0
t1,it was Monday,1,0,1
t2,a bridge opened,2,1,0
t2,it cost a million,1,0,0
"""


def test_the_scores_of_a_table_worked_by_hand(write):
    corpus = load(write("units.csv", WIDE))
    pairs = [("t1", "bart"), ("t1", "t5"), ("t2", "bart"), ("t2", "t5")]
    # t5 says the units of weight 3 and 1; the best two weigh 3 + 2.
    for metric, shares in (("pyramid", [1, 4 / 5, 1, 0]), ("scu_recall", [2 / 3, 2 / 3, 1 / 2, 0])):
        assert values(corpus, metric) == pytest.approx(dict(zip(pairs, shares, strict=True)))


HEADER, *MARKS = [line.split(",") for line in WIDE.splitlines()]
LONG = "topic,scu,weight,system,expressed\n" + "\n".join(
    ",".join([*row[:3], name, mark])
    for row in MARKS
    for name, mark in zip(HEADER[3:], row[3:], strict=True)
)
OBJECTS = [
    {name: int(cell) if cell.isdigit() else cell for name, cell in zip(HEADER, row, strict=True)}
    for row in MARKS
]


@pytest.mark.parametrize(("content", "name"), [
    (LONG, "long.csv"),
    (WIDE.replace(",", "\t"), "wide.tsv"),
    (OBJECTS, "wide.jsonl"),
    (WIDE.replace("id,unit,weight", "Topic,SCU,Weight"), "titles.csv"),
])  # fmt: skip
def test_other_shapes_of_the_same_table_are_the_same_corpus(write, content, name):
    path = write(name, content)
    assert recognise(path).name == "scu_table"
    assert load(path).pyramids == load(write("units.csv", WIDE)).pyramids


def test_references_give_the_weights_and_the_size_of_the_modified_score(write):
    path = write("units.csv", "unit,ann,bob,bart\na,1,1,1\nb,1,0,1\nc,0,0,1\n")
    corpus, notes = noted(load, path, columns={"reference": "ann+bob"})
    assert notes == []
    assert [(scu.id, scu.weight) for scu in corpus.pyramids[0].scus] == [("a", 2), ("b", 1)]
    assert [summary.author for summary in corpus.summaries] == ["bart"]
    # Three units, of which the pyramid has two, and no more than two: 3 / 3. A reference has
    # 3 / 2 units on average, which is two.
    assert values(corpus, "scu_precision") == pytest.approx({("units", "bart"): 2 / 3})
    assert values(corpus, "pyramid") == {("units", "bart"): 1}
    modified = summetry.evaluate(corpus, ["pyramid(score=modified)"])
    assert modified.column("pyramid(score=modified)").tolist() == [1]


MARKS_OF_A = [{"id": "t", "system": "a", "first": [1, 0], "second": [[0, 1]]}]
LISTS = [
    {"id": "t1", "units": ["a ferry sank", "nobody was hurt"],
     "marks": {"bart": [1, 0], "t5": [1, 1]}},
    {"id": "t2", "units": ["a bridge opened"], "marks": {"bart": [0], "t5": [1]}},
]  # fmt: skip
VOTES = [
    {"doc_id": 1, "model": "bart", "votes": [[1, 0, 1], [1, 1, 0], [0, 0, 0]]},
    {"doc_id": 1, "model": "t5", "votes": [[1, 0, 1], [0, 1, 1]]},
]
# A file, and how it is read.
SHAPES = {
    "every unit weighs one": ("harbour.csv", "unit,bart,t5\na,1,0\nb,1,1\n", {}),
    "a system without marks was not judged": (
        "units.csv", "id,unit,weight,bart,t5\nt1,a,1,1,\nt2,b,1,0,0\n", {}),
    "a bad row": ("units.csv", "unit,weight,bart\na,1,1\nb,x,1\n", {"on_error": "skip"}),
    "other names of columns": (
        "units.csv", "story,nr,text,bart,worth\ns1,1,it sank,1,2\n",
        {"format": "scu_table",
         "columns": {"id": "story", "unit": "nr", "label": "text", "weight": "worth"}}),
    "units without marks": (
        "units.csv", "id,unit,weight\nt,a ferry sank,2\nt,fog,1\n",
        {"format": "scu_table(marks=optional)"}),
    # What a unit says is the same for all who mark it.
    "annotators": (
        "t.csv", "unit,label,annotator,bart,t5\na,sank,ann,1,0\nb,,ann,0,0\na,,bob,1,\n"
        "b,,bob,1,\n", {}),
    "annotators in a long table": (
        "t.csv", "unit,label,worker,system,said\na,sank,ann,bart,1\nb,,ann,bart,0\n"
        "a,,bob,bart,1\nb,,bob,bart,1\na,,ann,t5,0\nb,,ann,t5,0\n", {}),
    "lists of marks by topic": ("units.json", json.dumps(LISTS), {}),
    "lines of lists by topic": ("units.json", LISTS, {}),
    "lists of marks by summary, each of several of an annotator": ("u.jsonl", VOTES, {}),
    "marks beside texts": (
        "units.jsonl", [MARKS_OF_A[0] | {"candidate": "x"}],
        {"format": "scu_table", "columns": {"marks": "second"}}),
}  # fmt: skip


@pytest.mark.parametrize("case", SHAPES)
def test_who_expresses_which_units_of_which_weight(write, case, snapshot):
    name, content, how = SHAPES[case]
    corpus, lines = noted(load, write(name, content), **how)
    lines += corpus.problems
    for one in corpus.pyramids:
        lines.append(f"{one.topic} {one.annotator}".strip())
        lines += [f"  {scu.id} {scu.label}: {scu.weight}" for scu in one.scus]
        lines += [f"  {who}: {[part.scu for part in said]}" for who, said in one.peers.items()]
    assert "\n".join(lines) == snapshot


@pytest.mark.parametrize("name", ["article", "article_id", "doc_id", "Topic_ID", "document"])
def test_the_topic_is_known_by_the_names_that_people_use(write, name):
    path = write("named.csv", WIDE.replace("id,", f"{name},", 1))
    corpus, (note,) = noted(load, path)
    assert note.startswith(f"named.csv: '{name}' is taken for the topic")
    assert corpus.pyramids == load(write("units.csv", WIDE)).pyramids
    assert noted(load, path, columns={"id": name})[1] == []


def test_columns_that_are_not_there_are_named(write, refused):
    refused(lambda *file: load(write(*file[:2]), "scu_table", columns=file[2]), [
        ("u.csv", "unit,ann,bob,bart\na,1,1,1\n", {"reference": "ann+bbo"}),
        ("u.csv", "unit,ann,bob,bart\na,1,1,1\n", {"candidate": "bob"}),
        ("u.jsonl", MARKS_OF_A, {"marks": "secnd"}),
    ])  # fmt: skip


# --- source sentences labelled with SCUs: the paper's figure, broken files, and there and back ---


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


def test_units_are_numbered_through_all_documents(written):
    corpus = load(written(
        '<collection name="s"><document name="a"><line>One.</line><line> </line></document>'
        '<document name="b"><line>Two.<annotation scu-count="0" sum-count="1" sums="7"/></line>'
        "</document></collection>"
    ))  # fmt: skip
    documents = Document("a", units=("One.",)), Document("b", units=("Two.",))
    assert corpus.topics[0].documents == documents
    assert corpus.labels == (Label("s", 1, ("7",)),)


def test_a_folder_has_a_topic_a_file_and_bad_files_can_be_skipped(written):
    folder = written(FIGURE).parent
    written(FIGURE, "D2.xml")
    assert recognise(folder).name == "scu_xml"
    assert [topic.id for topic in load(folder).topics] == ["D1", "D2"]
    written("<x><line>", "D2.xml")
    corpus = load(folder, on_error="skip")
    assert [topic.id for topic in corpus.topics] == ["D1"]
    assert "D2.xml:1: expected well-formed XML" in corpus.problems[0]


def test_counts_that_are_wrong_are_told(written):
    text = FIGURE.replace('scu-count="2"', 'scu-count="3"')
    corpus, notes = read_with_notes(written(text.replace('sum-count="3"', 'sum-count="1"')))
    assert corpus.labels == LABELS
    assert notes == [
        'D1.xml:2: scu-count="3", but there are 2 scu elements; these were taken',
        'D1.xml:5: sum-count="1", but there are 3 summaries in sums; these were taken',
    ]


def test_two_weights_of_one_scu_and_a_character_that_should_be_an_entity_are_told_and_kept(written):
    corpus, notes = read_with_notes(written(FIGURE.replace('uid="12"', 'uid="11"')))
    assert notes == ["D1.xml:3: SCU '11' has the weight 3 here and 4 before"]
    assert [scu.weight for scu in corpus.labels[0].scus] == [4, 3]
    corpus, (note,) = read_with_notes(written(FIGURE.replace("money soon", "money & fame soon")))
    assert note.startswith("D1.xml:5: '& fame soon.")
    assert corpus.topics[0].units[1] == "It must earn money & fame soon."


LINE = '<line>x<annotation scu-count="0" sum-count="0" sums=""/></line>'
A, B = (f'<document name="{name}">{LINE}</document>' for name in "ab")


def test_what_cannot_be_read_is_an_error_with_its_line(written, refused):
    refused(lambda old, new: load(written(FIGURE.replace(old, new)), "scu_xml"), [
        ('uid="11" ', ""),
        ('weight="4"', 'weight="-4"'),
        ('weight="4"', ""),
        ("</annotation></line>", "</line>"),
        (FIGURE, '<!DOCTYPE x [<!ENTITY e "text">]>\n<x/>'),
        (FIGURE, f"<collection>{A}{B}{A}</collection>"),
        (FIGURE, "<collection/>"),
    ])  # fmt: skip


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
    again = written_and_read("scu_xml", corpus, tmp_path_factory.mktemp("scu_xml") / "files")
    assert sorted(again.topics, key=lambda t: t.id) == list(corpus.topics)
    labels, expected = ({(x.topic, x.unit): x for x in c.labels} for c in (again, corpus))
    assert labels == expected


@pytest.mark.parametrize("weight", ["4", "0.0000001"])
def test_what_was_read_is_written_the_same(tmp_path, written, weight):
    first = load(written(WHOLE.replace('weight="4"', f'weight="{weight}"')))
    assert first.labels[0].scus[0].weight == float(weight)
    assert written_and_read("scu_xml", first, tmp_path / "again" / "D1.xml") == first


def test_what_is_written_can_be_read_where_a_topic_has_no_sentences(tmp_path):
    topics = (Topic("a", documents=(Document("d", units=("One.",)), Document("e"))), Topic("b"))
    corpus = Corpus(topics=topics, labels=(Label("a", 0, (), (LabelScu("1"),)),))
    assert len(notes_on_writing("scu_xml", corpus, tmp_path / "out")) == 1
    (topic,) = load(tmp_path / "out").topics
    assert topic.units == ("One.",)
