"""Queries of topics from a table."""

import json

import pytest

from summetry.errors import FormatError, SummetryError
from summetry.formats.topic_queries import read_topic_queries, with_queries
from summetry.records.corpus import Corpus
from summetry.records.topics import Topic

CORPUS = Corpus("c", topics=(Topic("D1", title="Piers"), Topic("D2", query="old"), Topic("D3")))


@pytest.fixture
def table(tmp_path):
    def make(text, name="queries.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return make


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('topic,query\nD1,"Why, and how?"\n7, 渡轮在哪里 \n', "q.csv"),
        ("query\ttopic\tyear\nWhy, and how?\tD1\t2005\n渡轮在哪里\t7\t2005\n", "q.tsv"),
        (
            json.dumps({"topic": "D1", "query": "Why, and how?"})
            + "\n"
            + json.dumps({"topic": 7, "query": "渡轮在哪里"}),
            "q.jsonl",
        ),
    ],
    ids=["csv", "tsv", "jsonl"],
)
def test_a_table_of_any_kind_gives_the_query_of_each_topic(table, text, name):
    assert read_topic_queries(table(text, name)) == {"D1": "Why, and how?", "7": "渡轮在哪里"}


def test_given_queries_take_the_place_of_those_of_the_corpus(table):
    changed, notes = with_queries(CORPUS, table("topic,query\nD1,new\nD2,newer\n"))
    assert [(t.id, t.title, t.query) for t in changed.topics] == [
        ("D1", "Piers", "new"),
        ("D2", "", "newer"),
        ("D3", "", ""),
    ]
    assert notes == []
    assert CORPUS.topics[1].query == "old"


def test_queries_for_other_topics_are_told(table):
    path = table("topic,query\nD1,new\nD7,q\nD8,q\n")
    _, (note,) = with_queries(CORPUS, path)
    message = "2 of 3 queries are for topics that the corpus does not have, such as 'D7'"
    assert note == f"{path}: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topic,question\nD1,x\n", r"queries.csv:2: expected the columns topic and query, found n"),
        ("topic,query\nD1,x\nD1,y\n", r"csv:3: expected one query for each topic, found a second"),
        ("topic,query\nD1,  \n", r"csv:2: expected the query of topic 'D1', found '  '"),
        ("topic,query\nD1\n", r"csv:2: expected 2 cells in the row, found 1"),
        ('{"topic": "D1", "query": 3}\n', r"csv:1: expected the query of topic 'D1', found 3"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(table, text, message):
    with pytest.raises(FormatError, match=message):
        read_topic_queries(table(text))


def test_a_table_without_a_fitting_query_is_refused(table, tmp_path):
    with pytest.raises(SummetryError, match=r"expected a table of queries, found a folder"):
        read_topic_queries(tmp_path)
    with pytest.raises(SummetryError, match=r"expected a table of queries, found no such file"):
        read_topic_queries(tmp_path / "gone.csv")
    with pytest.raises(SummetryError, match=r"queries.csv: expected queries, found none"):
        read_topic_queries(table("topic,query\n"))
    with pytest.raises(SummetryError, match=r"found none of them, but 'D11'. Did you mean 'D1'"):
        with_queries(CORPUS, table("topic,query\nD11,x\n"))
