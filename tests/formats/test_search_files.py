"""Queries and qrels from files."""

import pytest

from summetry.errors import SummetryError
from summetry.formats.search_files import read_qrels, read_queries
from summetry.records.judgments import Qrel, Query


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.csv", "id,text\nk1,ferries in fog\nk2, rain \n"),
        ("q.tsv", "id\ttext\nk1\tferries in fog\nk2\train\n"),
        ("q.jsonl", '{"id": "k1", "text": "ferries in fog"}\n{"id": "k2", "text": "rain"}\n'),
    ],
)
def test_queries_are_read_from_any_table(tmp_path, name, text):
    queries = read_queries(written(tmp_path, name, text))
    assert queries == [Query("k1", "ferries in fog"), Query("k2", "rain")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("qrels.txt", "k1 0 t1 1\nk1 Q0 t2 0\n\nk2\t0\tt1\t2.5\n"),
        ("qrels", "k1 0 t1 1\r\nk1 0 t2 0\r\nk2 0 t1 2.5\r\n"),
        ("q.csv", "query,topic,relevance\nk1,t1,1\nk1,t2,0\nk2,t1,2.5\n"),
        ("q.jsonl", '{"query":"k1","topic":"t1","relevance":1}\n'
         '{"query":"k1","topic":"t2","relevance":0}\n{"query":"k2","topic":"t1","relevance":2.5}\n'),
    ],
)  # fmt: skip
def test_qrels_are_read_as_trec_has_them_and_as_a_table(tmp_path, name, text):
    qrels = read_qrels(written(tmp_path, name, text))
    assert qrels == [Qrel("k1", "t1", 1), Qrel("k1", "t2", 0), Qrel("k2", "t1", 2.5)]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "q.csv",
            "id,query\nk1,rain\n",
            r"q.csv:2: expected the columns id and text, found no 'text'",
        ),
        ("q.csv", "id,text\nk1,\n", "expected the text of query 'k1', found ''"),
        (
            "q.csv",
            "id,text\nk1,a\nk1,b\n",
            "q.csv:3: expected each query once, found a second 'k1'",
        ),
        ("q.csv", "id,text\n", "expected queries, found none"),
    ],
)
def test_queries_that_cannot_be_read(tmp_path, name, text, message):
    with pytest.raises(SummetryError, match=message):
        read_queries(written(tmp_path, name, text))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("q.txt", "k1 0 t1\n",
         "q.txt:1: expected a query, an iteration, a topic and a relevance, found 3 words"),
        ("q.txt", "k1 0 t1 yes\n", "q.txt:1: expected a number as relevance, found 'yes'"),
        ("q.txt", "k1 0 t1 nan\n", "q.txt:1: expected a number as relevance, found 'nan'"),
        ("q.txt", "k1 0 t1 1\nk1 1 t1 0\n", "q.txt:2: expected each query and topic once"),
        ("q.txt", "", "expected qrels, found none"),
        ("q.csv", "query,relevance\nk,1\n", "query, topic and relevance, found no 'topic'"),
    ],
)  # fmt: skip
def test_qrels_that_cannot_be_read(tmp_path, name, text, message):
    with pytest.raises(SummetryError, match=message):
        read_qrels(written(tmp_path, name, text))


@pytest.mark.parametrize("read", [read_queries, read_qrels])
def test_a_file_that_is_not_there(tmp_path, read):
    with pytest.raises(SummetryError, match=r"none.csv: expected .*, found no such file"):
        read(tmp_path / "none.csv")
    with pytest.raises(SummetryError, match="found a folder"):
        read(tmp_path)
