"""Lengths of topics from a table."""

import pytest

from summetry.errors import FormatError, SummetryError
from summetry.formats.topic_lengths import read_length, read_topic_lengths
from summetry.records.lengths import Length


@pytest.fixture
def table(tmp_path):
    def make(text, name="lengths.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return make


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("topic,length\nt1,37%\nt2,100 words\n3,4\n", "l.csv"),
        ("length\tid\tyear\n37%\tt1\t2005\n100 words\tt2\t2005\n4\t3\t2005\n", "l.tsv"),
        (
            '{"id": "t1", "length": "37%"}\n{"id": "t2", "length": "100 words"}\n'
            '{"id": 3, "length": 4}\n',
            "l.jsonl",
        ),
    ],
    ids=["csv", "tsv", "jsonl"],
)
def test_a_table_of_any_kind_gives_the_length_of_each_topic(table, text, name):
    lengths = read_length(str(table(text, name)))
    assert lengths.of_topic("t1") == Length("percent", 37)
    assert lengths.of_topic("t2") == Length("words", 100)
    assert lengths.of_topic("3") == Length("units", 4)


def test_a_spelling_is_no_table():
    assert read_length("12.5%") == Length("percent", "12.5")
    assert read_length("mean") == Length("mean")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topic,words\nt1,3\n", "expected the columns topic and length, found no 'length'"),
        ("text,length\nt1,3\n", "expected the columns topic and length, found no 'topic'"),
        ("topic,length\nt1,3\nt1,4\n", "one length for each topic, found a second one for 't1'"),
        ("topic,length\nt1,0.37\n", "expected a length as 30%, 100 words or 3, found '0.37'"),
    ],
)
def test_what_is_no_table_of_lengths_is_named(table, text, message):
    with pytest.raises(FormatError, match=message):
        read_topic_lengths(table(text))


def test_a_table_without_rows_is_named(table, tmp_path):
    with pytest.raises(SummetryError, match="expected lengths, found none"):
        read_topic_lengths(table("topic,length\n"))
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(SummetryError, match="expected a table of lengths, found a folder"):
        read_length(str(tmp_path / "folder.csv"))
