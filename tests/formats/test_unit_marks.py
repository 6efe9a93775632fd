"""Content units as marks of 0 and 1, one column per system."""

import pytest

from summetry import evaluate, load
from summetry.errors import FormatError, SummetryError
from summetry.formats import recognise
from summetry.records.pyramids import Contributor, PeerScu, Scu


@pytest.fixture
def table(tmp_path):
    def make(text, name="units.csv"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return make


MARKS = """topic,unit,weight,bart,t5,remark
t1,the ferry struck the pier,3,1,0,sure
t1,nobody was hurt,1,1,1,sure
t2,two boats sank,0.5,,1,?
"""


def test_units_become_a_pyramid_for_each_topic(table):
    path = table(MARKS)
    assert recognise(path).name == "unit_marks"
    corpus = load(path)
    first, second = corpus.pyramids
    assert first.scus == (
        Scu("1", "the ferry struck the pier", 3, meta={"remark": "sure"}),
        Scu("2", "nobody was hurt", 1, meta={"remark": "sure"}),
    )
    assert first.peers == {"bart": (PeerScu("1"), PeerScu("2")), "t5": (PeerScu("2"),)}
    assert second.peers == {"bart": (), "t5": (PeerScu("1"),)}
    assert second.scus[0].weight == 0.5
    assert [(s.topic, s.author, s.role) for s in corpus.summaries] == [
        (topic, system, "candidate") for topic in ("t1", "t2") for system in ("bart", "t5")
    ]


def test_the_pyramid_score_is_that_of_the_marks(table):
    """t5 has weight 1 where one unit can have 3, and the only unit of the second topic."""
    scores = evaluate(table(MARKS), ["pyramid", "scu_recall"])
    assert scores.data.tolist() == [[1.0, 1.0], [1 / 3, 0.5], [0.0, 0.0], [1.0, 1.0]]


def test_without_weights_the_references_that_have_a_unit_are_counted(table):
    corpus = load(table("unit,ref1,ref2,lead\nx,1,1,0\ny,0,1,1\n", "alone.csv"))
    (pyramid,) = corpus.pyramids
    assert pyramid.topic == "alone"
    assert [(scu.weight, scu.contributors) for scu in pyramid.scus] == [
        (2, (Contributor("ref1"), Contributor("ref2"))),
        (1, (Contributor("ref2"),)),
    ]
    assert pyramid.peers == {"lead": (PeerScu("2"),)}
    (pyramid,) = load(table("unit,lead\nx,1\ny,0\n")).pyramids
    assert [scu.weight for scu in pyramid.scus] == [1, 1]


def test_json_holds_marks_too(table):
    path = table('[{"unit": "x", "lead": true}, {"unit": "y", "lead": 0}]', "units.json")
    (pyramid,) = load(path).pyramids
    assert pyramid.peers == {"lead": (PeerScu("1"),)}


def test_what_is_no_table_of_marks_is_left_to_others(table):
    assert recognise(table("unit,candidate\nx,some words\n")).name == "table"
    with pytest.raises(SummetryError, match="expected a column 'unit' and columns of 0 and 1"):
        load(table("unit,lead\nx,maybe\n"), "unit_marks")
    with pytest.raises(FormatError, match=r"csv:2: expected a number as weight, found 'big'"):
        load(table("unit,weight,lead\nx,big,1\n"))
