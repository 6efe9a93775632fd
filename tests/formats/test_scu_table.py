"""Content units as a table of 0 and 1: both shapes, weights, and mistakes."""

import json

import pytest
from format_checks import assert_says, noted, refusal

import summetry
from summetry.formats import load, recognise

WIDE = """\
id,unit,weight,bart,t5
t1,a ferry sank,3,1,1
t1,nobody was hurt,2,1,0
t1,it was Monday,1,0,1
t2,a bridge opened,2,1,0
t2,it cost a million,1,0,0
"""
NO_WEIGHTS = pytest.mark.filterwarnings("ignore:.*every content unit weighs 1")


def values(corpus, metric):
    table = summetry.evaluate(corpus, [metric])
    rows = [(row.topic, row.author) for row in table.rows]
    return dict(zip(rows, table.column(metric).tolist(), strict=True))


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


def test_without_weights_every_unit_weighs_one_and_a_warning_says_so(write):
    corpus, (note,) = noted(load, write("harbour.csv", "unit,bart,t5\na,1,0\nb,1,1\n"))
    assert note.startswith("harbour.csv: every content unit weighs 1; a column")
    assert [topic.id for topic in corpus.topics] == ["harbour"]
    assert values(corpus, "scu_recall") == {("harbour", "bart"): 1, ("harbour", "t5"): 0.5}


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


def test_a_system_without_marks_was_not_judged_and_a_bad_row_can_be_skipped(write):
    corpus = load(write("units.csv", "id,unit,weight,bart,t5\nt1,a,1,1,\nt2,b,1,0,0\n"))
    expected = {("t1", "bart"): 1, ("t2", "bart"): 0, ("t2", "t5"): 0}
    assert values(corpus, "scu_recall") == expected
    corpus = load(write("units.csv", "unit,weight,bart\na,1,1\nb,x,1\n"), on_error="skip")
    assert len(corpus.problems) == 1 and "units.csv:3: expected a weight" in corpus.problems[0]
    assert [scu.id for scu in corpus.pyramids[0].scus] == ["a"]


def test_labels_other_names_of_columns_and_units_without_marks_where_they_are_asked_for(write):
    path = write("units.csv", "story,nr,text,bart,worth\ns1,1,it sank,1,2\n")
    names = {"id": "story", "unit": "nr", "label": "text", "weight": "worth"}
    (pyramid,) = load(path, "scu_table", columns=names).pyramids
    (scu,) = pyramid.scus
    assert (pyramid.topic, scu.id, scu.label, scu.weight) == ("s1", "1", "it sank", 2)
    path = write("units.csv", "id,unit,weight\nt,a ferry sank,2\nt,fog,1\n")
    (pyramid,) = load(path, "scu_table(marks=optional)").pyramids
    assert [(scu.id, scu.weight) for scu in pyramid.scus] == [("a ferry sank", 2), ("fog", 1)]
    assert pyramid.peers == {}


@pytest.mark.parametrize("name", ["article", "article_id", "doc_id", "Topic_ID", "document"])
def test_the_topic_is_known_by_the_names_that_people_use(write, name):
    path = write("named.csv", WIDE.replace("id,", f"{name},", 1))
    corpus, (note,) = noted(load, path)
    assert note.startswith(f"named.csv: '{name}' is taken for the topic")
    assert corpus.pyramids == load(write("units.csv", WIDE)).pyramids
    corpus, notes = noted(load, path, columns={"id": name})
    assert (corpus.pyramids, notes) == (load(write("units.csv", WIDE)).pyramids, [])


def expressed(corpus):
    return {
        f"{pyramid.topic} {author}": [part.scu for part in parts]
        for pyramid in corpus.pyramids
        for author, parts in pyramid.peers.items()
    }


LISTS = [
    {"id": "t1", "units": ["a ferry sank", "nobody was hurt"],
     "marks": {"bart": [1, 0], "t5": [1, 1]}},
    {"id": "t2", "units": ["a bridge opened"], "marks": {"bart": [0], "t5": [1]}},
]  # fmt: skip
MARKS_OF_A = [{"id": "t", "system": "a", "first": [1, 0], "second": [[0, 1]]}]


@NO_WEIGHTS
@pytest.mark.parametrize("content", [json.dumps(LISTS), LISTS], ids=["a list", "lines"])
def test_lists_of_marks_by_topic(write, content):
    corpus = load(write("units.json", content))
    expected = {"t1 bart": ["1"], "t1 t5": ["1", "2"], "t2 bart": [], "t2 t5": ["1"]}
    assert expressed(corpus) == expected
    assert [scu.label for scu in corpus.pyramids[0].scus] == ["a ferry sank", "nobody was hurt"]


@NO_WEIGHTS
def test_lists_of_marks_by_summary(write):
    # Votes count where more than half say so.
    rows = [
        {"doc_id": 1, "model": "bart", "votes": [[1, 0, 1], [1, 1, 0], [0, 0, 0]]},
        {"doc_id": 1, "model": "t5", "votes": [[1, 0, 1], [0, 1, 1]]},
    ]
    assert expressed(load(write("u.jsonl", rows))) == {"1 bart": ["1"], "1 t5": ["3"]}
    # Marks beside texts are read when they are named.
    path = write("units.jsonl", [MARKS_OF_A[0] | {"candidate": "x"}])
    assert recognise(path).name == "table"
    both = load(path, "scu_table", columns={"marks": "second"})
    assert expressed(both) == {"t a": ["2"]}


@pytest.mark.parametrize(("content", "columns", "words"), [
    ("unit,ann,bob,bart\na,1,1,1\n", {"reference": "ann+bbo"},
     "columns names for reference, found no 'bbo'. Did"),
    ("unit,ann,bob,bart\na,1,1,1\n", {"candidate": "bob"},
     "content units have the roles id, unit,  ... , got 'candidate'"),
    (MARKS_OF_A, {"marks": "secnd"}, "names for marks, found no 'secnd'. Did you mean 'second'"),
])  # fmt: skip
def test_columns_that_are_not_there_are_named(write, content, columns, words):
    path = write("u.csv" if isinstance(content, str) else "u.jsonl", content)
    assert_says(refusal(load, path, "scu_table", columns=columns), words)
