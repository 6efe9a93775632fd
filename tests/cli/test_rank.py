"""``summetry rank``: tables, JSON, queries, and mistakes; tests/tasks has the numbers."""

import json
import shlex
import shutil
from pathlib import Path

import pytest
from command_line import succeed

THESAURUS = Path(__file__).parents[1] / "data" / "harbour.jsonl"


@pytest.fixture
def labelled(here, three_topics):
    """Three topics of the demo corpus, of which two have labels, as ``c``, and a thesaurus."""
    shutil.copytree(three_topics, here / "c")
    shutil.copy(THESAURUS, here)
    scu = {"scus": [{"id": "a", "weight": 3}]}
    labels = [
        {"topic": "t01", "unit": 0, "summaries": ["1"], **scu},
        {"topic": "t01", "unit": 1, "summaries": ["2"]},
        {"topic": "t01", "unit": 4, "summaries": ["2"], **scu},
        {"topic": "t02", "unit": 2, "summaries": ["1"]},
        {"topic": "t02", "unit": 3, "summaries": ["1"], "scus": [{"id": "b"}]},
    ]
    (here / "c" / "labels.jsonl").write_text("\n".join(map(json.dumps, labels)))
    # The fourth sentence of the second topic, the positive one, has both words.
    (here / "q.csv").write_text("topic,query\nt01,The of and\nt02,unknown germs\nt77,x\n")
    return here


def rank(line):
    return succeed("rank", *shlex.split(line))


def test_tables(labelled, shows):
    """Without lengths there is no table of redundancy; queries let rankers work that need one."""
    shows(
        "rank c -s ordered -s semdist --thesaurus harbour.jsonl --draws 20",
        "rank c -s ordered -s length --length '40 words' --pool 1 --lengths '' --ties expected",
        "rank c --queries q.csv --lengths 30",
    )


def test_json_holds_all_of_it(labelled):
    """+, -, + and -, +: 5/6 and 1/2."""
    output = rank("c -s ordered -s length --json --seed 3 --pool 0 --lengths 30,60").json
    assert output["topics"] == ["t01", "t02"]
    assert (output["seed"], output["pool"], output["words"]) == (3, None, 100)
    first = output["rankers"][0]
    assert first["ranker"] == "ordered"
    assert first["by_topic"]["stable"] == pytest.approx([5 / 6, 1 / 2])
    assert first["average_precision"]["stable"] == pytest.approx(2 / 3)
    assert first["summaries"]["unique_score"] == 4 and first["summaries"]["negative"] == 2
    assert first["selected"] == [[0, 1, 4], [2, 3]]
    assert first["lower_bound"]["unlabelled"] > 0
    assert set(first["unique_share_by_length"]) == {"30", "60"}
    (pair,) = output["comparisons"]
    assert pair["permutation_test"]["is_exact"] and pair["t_test"]["df"] == 1
    output = rank("c -s tf_isf --queries q.csv --json").json
    assert output["queries"] == "q.csv"
    assert output["rankers"][0]["by_topic"]["stable"][1] == pytest.approx(1)


def test_mistakes(labelled, corpus, refuses):
    refuses("""
        rank c -s semdist
        rank c -s semdist --thesaurus no.txt
        rank c -s length --thesaurus x.txt
        rank c --queries no.csv
        rank c -s semdits
        rank c --lengths ten
        rank c --length '0 words'
        rank c --length 40
        rank c --draws 0
        rank c --ties best
        rank corpus -s lead
    """)
