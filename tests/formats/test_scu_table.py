"""Content units as a table of 0 and 1: both shapes, weights, and mistakes."""

import json
import warnings

import pytest

import summetry
from summetry.errors import FormatError, SummetryError, SummetryWarning
from summetry.formats import load, recognise

WIDE = """\
id,unit,weight,bart,t5
t1,a ferry sank,3,1,1
t1,nobody was hurt,2,1,0
t1,it was Monday,1,0,1
t2,a bridge opened,2,1,0
t2,it cost a million,1,0,0
"""


@pytest.fixture
def table(tmp_path):
    def write(text, name="units.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write


def values(corpus, metric):
    table = summetry.evaluate(corpus, [metric])
    rows = [(row.topic, row.author) for row in table.rows]
    return dict(zip(rows, table.column(metric).tolist(), strict=True))


def test_the_scores_of_a_table_worked_by_hand(table):
    corpus = load(table(WIDE))
    # t5 says the units of weight 3 and 1; the best two weigh 3 + 2.
    assert values(corpus, "pyramid") == pytest.approx(
        {("t1", "bart"): 1, ("t1", "t5"): 4 / 5, ("t2", "bart"): 1, ("t2", "t5"): 0}
    )
    assert values(corpus, "scu_recall") == pytest.approx(
        {("t1", "bart"): 2 / 3, ("t1", "t5"): 2 / 3, ("t2", "bart"): 1 / 2, ("t2", "t5"): 0}
    )


def long(text):
    header, *rows = [line.split(",") for line in text.splitlines()]
    lines = ["topic,scu,weight,system,expressed"]
    for row in rows:
        lines += [
            ",".join([*row[:3], name, mark]) for name, mark in zip(header[3:], row[3:], strict=True)
        ]
    return "\n".join(lines)


def as_json(text):
    header, *rows = [line.split(",") for line in text.splitlines()]
    cells = [dict(zip(header, row, strict=True)) for row in rows]
    marked = [{k: int(v) if v.isdigit() else v for k, v in row.items()} for row in cells]
    return "\n".join(map(json.dumps, marked))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (long(WIDE), "long.csv"),
        (WIDE.replace(",", "\t"), "wide.tsv"),
        (as_json(WIDE), "wide.jsonl"),
        (WIDE.replace("id,unit,weight", "Topic,SCU,Weight"), "titles.csv"),
    ],
)
def test_other_shapes_of_the_same_table_are_the_same_corpus(table, text, name):
    path = table(text, name)
    assert recognise(path).name == "scu_table"
    assert load(path).pyramids == load(table(WIDE)).pyramids


def test_without_weights_every_unit_weighs_one_and_a_warning_says_so(table):
    path = table("unit,bart,t5\na,1,0\nb,1,1\n", "harbour.csv")
    with pytest.warns(SummetryWarning, match=r"harbour.csv: every content unit weighs 1; a column"):
        corpus = load(path)
    assert [topic.id for topic in corpus.topics] == ["harbour"]
    assert values(corpus, "scu_recall") == {("harbour", "bart"): 1, ("harbour", "t5"): 0.5}


def test_references_give_the_weights_and_the_size_of_the_modified_score(table):
    path = table("unit,ann,bob,bart\na,1,1,1\nb,1,0,1\nc,0,0,1\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corpus = load(path, columns={"reference": "ann+bob"})
    assert [(scu.id, scu.weight) for scu in corpus.pyramids[0].scus] == [("a", 2), ("b", 1)]
    assert [summary.author for summary in corpus.summaries] == ["bart"]
    # Three units, of which the pyramid has two, and no more than two: 3 / 3. A reference has
    # 3 / 2 units on average, which is two.
    assert values(corpus, "scu_precision") == pytest.approx({("units", "bart"): 2 / 3})
    assert list(values(corpus, "pyramid").values()) == [1]
    modified = summetry.evaluate(corpus, ["pyramid(score=modified)"])
    assert modified.column("pyramid(score=modified)").tolist() == [1]


def test_a_system_without_marks_was_not_judged(table):
    corpus = load(table("id,unit,weight,bart,t5\nt1,a,1,1,\nt2,b,1,0,0\n"))
    assert values(corpus, "scu_recall") == {
        ("t1", "bart"): 1,
        ("t2", "bart"): 0,
        ("t2", "t5"): 0,
    }


def test_labels_and_other_names_of_columns(table):
    path = table("story,nr,text,bart,worth\ns1,1,it sank,1,2\n")
    names = {"id": "story", "unit": "nr", "label": "text", "weight": "worth"}
    corpus = load(path, "scu_table", columns=names)
    (scu,) = corpus.pyramids[0].scus
    assert (corpus.pyramids[0].topic, scu.id, scu.label, scu.weight) == ("s1", "1", "it sank", 2)


@pytest.mark.parametrize("name", ["article", "article_id", "doc_id", "Topic_ID", "document"])
def test_the_topic_is_known_by_the_names_that_people_use(table, name):
    path = table(WIDE.replace("id,", f"{name},", 1), "named.csv")
    with pytest.warns(SummetryWarning, match=f"named.csv: '{name}' is taken for the topic"):
        pyramids = load(path).pyramids
    assert pyramids == load(table(WIDE)).pyramids
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load(path, columns={"id": name}).pyramids == pyramids


def test_two_columns_that_may_be_the_topic_are_a_doubt(table):
    path = table("doc_id,article,unit,weight,bart\nd,1,a,1,1\n")
    message = "one column for the id, found 'doc_id' and 'article'; say columns="
    with pytest.raises(SummetryError, match=message):
        load(path, "scu_table")


def test_a_table_of_summaries_is_none_of_units(table):
    assert recognise(table("id,unit,candidate\n1,a,It sank.\n")).name == "table"
    assert recognise(table("id,bart,t5\n1,0,1\n")).name == "table"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("unit,weight,bart\na,1,1\nb,1,2\n", r"units.csv:3: expected 0 or 1 for bart, found '2'"),
        (
            "sheet,unit,weight,bart\ns1,a,1,1\n",
            "0 or 1 for sheet, found 's1'; the column of the topic is looked for as id, topic, doc",
        ),
        ("unit,weight,bart\na,1,1\na,1,0\n", r":3: expected one row for unit 'a' of topic 'units'"),
        ("unit,weight,bart\na,much,1\n", r":2: expected a weight that is a number .*found 'much'"),
        ("unit,weight,bart\na,-1,1\n", r":2: expected a weight that is a number of 0 or more"),
        ("unit,weight,bart\n,1,1\n", r":2: expected a content unit with its topic, found ''"),
        (
            "unit,weight,bart\na,1,1\nb,1,\n",
            "expected 0 or 1 for each unit of bart, found no",
        ),
        ("unit,system,value\na,bart,1\na,bart,0\n", r":3: .* for system 'bart', found a second"),
        (
            "unit,weight,system,value\na,1,bart,1\na,2,t5,0\n",
            r":3: expected one weight for unit 'a' of topic 'units', found 1 and 2",
        ),
        ("unit,system,x,y\na,bart,1,0\n", "expected one more column beside unit and system"),
        ("unit,weight\na,1\n", "expected a column of 0 and 1 for each system, found none"),
        ("scus,weight,bart\na,1,1\n", r"expected a column unit \(or scu\), found only scus, wei"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(table, text, message):
    with pytest.raises(SummetryError, match=message):
        load(table(text), "scu_table")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"reference": "ann+bbo"},
            "columns names for reference, found no 'bbo'. Did",
        ),
        ({"candidate": "bob"}, "content units have the roles id, unit, .*, got 'candidate'"),
    ],
)
def test_columns_that_are_not_there_are_named(table, columns, message):
    with pytest.raises(SummetryError, match=message):
        load(table("unit,ann,bob,bart\na,1,1,1\n"), columns=columns)


def test_a_bad_row_can_be_skipped(table):
    corpus = load(table("unit,weight,bart\na,1,1\nb,x,1\n"), on_error="skip")
    assert len(corpus.problems) == 1 and "units.csv:3: expected a weight" in corpus.problems[0]
    assert [scu.id for scu in corpus.pyramids[0].scus] == ["a"]


def test_an_empty_table_is_refused(table):
    with pytest.raises(SummetryError, match="expected one row per content unit"):
        load(table("unit,weight,bart\n"), "scu_table")


LISTS = [
    {
        "id": "t1",
        "units": ["a ferry sank", "nobody was hurt"],
        "marks": {"bart": [1, 0], "t5": [1, 1]},
    },
    {"id": "t2", "units": ["a bridge opened"], "marks": {"bart": [0], "t5": [1]}},
]


def said(corpus):
    return {
        (pyramid.topic, who): [part.scu for part in parts]
        for pyramid in corpus.pyramids
        for who, parts in pyramid.peers.items()
    }


@pytest.mark.filterwarnings("ignore:.*every content unit weighs 1")
@pytest.mark.parametrize("whole", [True, False])
def test_lists_of_marks_by_topic(tmp_path, whole):
    path = tmp_path / "units.json"
    path.write_text(json.dumps(LISTS) if whole else "\n".join(map(json.dumps, LISTS)))
    corpus = load(path)
    assert said(corpus) == {
        ("t1", "bart"): ["1"],
        ("t1", "t5"): ["1", "2"],
        ("t2", "bart"): [],
        ("t2", "t5"): ["1"],
    }
    assert [scu.label for scu in corpus.pyramids[0].scus] == ["a ferry sank", "nobody was hurt"]


@pytest.mark.filterwarnings("ignore:.*every content unit weighs 1")
def test_lists_of_votes_by_summary_count_where_more_than_half_say_so(tmp_path):
    path = tmp_path / "units.jsonl"
    rows = [
        {"doc_id": 1, "model": "bart", "votes": [[1, 0, 1], [1, 1, 0], [0, 0, 0]]},
        {"doc_id": 1, "model": "t5", "votes": [[1, 0, 1], [0, 1, 1]]},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    assert said(load(path)) == {("1", "bart"): ["1"], ("1", "t5"): ["3"]}


@pytest.mark.filterwarnings("ignore:.*every content unit weighs 1")
def test_marks_beside_texts_are_read_when_they_are_named(tmp_path):
    path = tmp_path / "units.jsonl"
    row = {"id": "t", "system": "a", "candidate": "x", "first": [1, 0], "second": [[0, 1]]}
    path.write_text(json.dumps(row))
    assert recognise(path).name == "table"
    both = load(path, "scu_table", columns={"marks": "second"})
    assert said(both) == {("t", "a"): ["2"]}
    with pytest.raises(
        FormatError, match="one column of marks, found first and second; say format"
    ):
        load(path, "scu_table")
    with pytest.raises(
        FormatError, match=r"names for marks, found no 'secnd'. Did you mean 'second'"
    ):
        load(path, "scu_table", columns={"marks": "secnd"})


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        ({"bart": [1]}, "expected as many units as marks, 1, found 2"),
        ({"bart": 1, "t5": [1, 0]}, "expected a list of 0 and 1 for bart, or one list per worker"),
        ({"bart": [[1, 0], [1]]}, "all as long, found lists of different lengths"),
        ({"bart": [1, 2]}, "expected 0 or 1 for bart, found 2"),
    ],
)
def test_broken_lists_of_marks_are_named(tmp_path, marks, message):
    path = tmp_path / "units.jsonl"
    path.write_text(json.dumps({"id": "t", "units": ["x", "y"], "marks": marks}))
    with pytest.raises(SummetryError, match=rf"units.jsonl:1: .*{message}"):
        load(path, "scu_table")


def test_marks_need_the_name_of_a_system(tmp_path):
    path = tmp_path / "units.jsonl"
    path.write_text(json.dumps({"id": "t", "system": [], "marks": [1, 0]}))
    with pytest.raises(
        FormatError, match=r"jsonl:1: expected the name of a system beside the marks"
    ):
        load(path, "scu_table")


def test_units_without_marks_are_read_where_that_is_asked_for(table):
    path = table("id,unit,weight\nt,a ferry sank,2\nt,fog,1\n")
    (pyramid,) = load(path, "scu_table(marks=optional)").pyramids
    assert [(scu.id, scu.weight) for scu in pyramid.scus] == [("a ferry sank", 2), ("fog", 1)]
    assert pyramid.peers == {}
