"""``summetry rank``."""

import json
import shlex
import shutil
from pathlib import Path

import pytest
from command_line import run_command, succeed

THESAURUS = Path(__file__).parents[1] / "data" / "harbour.jsonl"


@pytest.fixture
def corpus(here, demo_folder):
    """The demo corpus with labels for its first two topics."""
    shutil.copytree(demo_folder, here / "c")
    scu = {"scus": [{"id": "a", "weight": 3}]}
    labels = [
        {"topic": "t01", "unit": 0, "summaries": ["1"], **scu},
        {"topic": "t01", "unit": 1, "summaries": ["2"]},
        {"topic": "t01", "unit": 4, "summaries": ["2"], **scu},
        {"topic": "t02", "unit": 2, "summaries": ["1"]},
        {"topic": "t02", "unit": 3, "summaries": ["1"], "scus": [{"id": "b"}]},
    ]
    (here / "c" / "labels.jsonl").write_text("\n".join(map(json.dumps, labels)))
    return here / "c"


def rank(line):
    return succeed("rank", *shlex.split(line))


def test_both_tables_the_tests_and_the_redundancy_are_printed(corpus):
    done = rank(f"c -s ordered -s semdist --thesaurus '{THESAURUS}' --draws 100")
    lines = [" ".join(line.split()) for line in done.lines]
    assert lines[0].startswith("2 topics, 5 of ") and lines[0].endswith("labelled, 3 positive")
    # +, -, + and -, +: (1 + 2/3) / 2 and 1/2.
    assert "ordered 0.6667 0.6667" in lines
    # Of the orders of + + - and of + -, on average.
    mean = f"{(29 / 36 + 3 / 4) / 2:.4f}"
    assert f"(any order, on average) {mean} {mean}" in lines
    assert any(line.startswith("ordered semdist ") for line in lines)
    assert "ordered 7 4 3 2 66.7% 3 2" in lines
    assert "ranker 100 words 250 words 500 words 1,000 words" in lines
    assert done.err == "note: 7 of 9 topics have no labels\n"


def test_json_holds_all_of_it(corpus):
    output = rank("c -s ordered -s length --json --seed 3").json
    assert output["topics"] == ["t01", "t02"] and output["seed"] == 3
    first = output["rankers"][0]
    assert first["ranker"] == "ordered"
    assert first["by_topic"]["stable"] == pytest.approx([5 / 6, 1 / 2])
    assert first["average_precision"]["stable"] == pytest.approx(2 / 3)
    assert first["summaries"]["unique_score"] == 4 and first["summaries"]["negative"] == 2
    assert first["selected"] == [[0, 1, 4], [2, 3]]
    assert first["lower_bound"]["unlabelled"] > 0
    assert set(first["unique_share_by_length"]) == {"100", "250", "500", "1000"}
    (pair,) = output["comparisons"]
    assert pair["permutation_test"]["is_exact"] and pair["t_test"]["df"] == 1


def test_lengths_pool_and_words(corpus):
    output = rank("c -s ordered --length '40 words' --pool 1 --lengths 30,60 --json").json
    assert output["pool"] == 1 and output["words"] == 40
    assert all(len(selected) <= 1 for selected in output["rankers"][0]["selected"])
    assert set(output["rankers"][0]["unique_share_by_length"]) == {"30", "60"}
    assert rank("c -s ordered --pool 0 --json").json["pool"] is None
    # Without lengths there is no table of redundancy.
    assert "Unique SCUs of all" not in rank("c -s ordered --lengths ''").out


def test_the_rankers_of_the_paper_that_can_work_are_taken(corpus):
    done = rank("c --json")
    names = [scores["ranker"] for scores in done.json["rankers"]]
    assert names == ["simple_match", "tf_isf", "length", "random", "ordered"]
    assert "note: semdist is left out: topic 't01': semdist needs Roget's Thesaurus" in done.err


def test_queries_from_a_table_make_rankers_work_that_need_one(corpus, here):
    succeed("convert", "c", "xml", "--to", "scu_xml")
    # The fourth sentence of the second topic, the positive one, has both words.
    (here / "q.csv").write_text("topic,query\nt01,The of and\nt02,unknown germs\nt77,x\n")
    line = "xml -s tf_isf --language en"
    assert "neither a query nor a title" in run_command("rank", *shlex.split(line)).err
    output = rank(f"{line} --queries q.csv --json").json
    assert output["queries"] == "q.csv"
    assert output["notes"] == [
        "q.csv: 1 of 3 queries are for topics that the corpus does not have, such as 't77'",
        "7 of 9 topics have no labels",
        "tf_isf: all scores are equal or undefined for 1 of 2 topics (t01), so units stay in "
        "their order",
    ]
    assert output["rankers"][0]["by_topic"]["stable"] == pytest.approx([5 / 6, 1])


MISTAKES = [
    ("-s semdist", "semdist, topic 't01': semdist needs Roget's Thesaurus: `summetry d"),
    ("-s semdist --thesaurus no.txt", "there is no thesaurus file 'no.txt'"),
    ("-s length --thesaurus x.txt", "no ranker uses the thesaurus 'x.txt': semdi"),
    ("--queries no.csv", "no.csv: expected a table of queries, found no such file"),
    ("-s semdits", "no summarizer is named 'semdits'. Did you mean 'semdist'?"),
    ("--lengths ten", "--lengths: write numbers as in 100,250, got 'ten'"),
    ("--length '0 words'", "a length must be above 0, got 0 words"),
    ("--length 40", "--length: write a number of words as '100 words', got '40'"),
    ("--draws 0", "invalid value for '--draws': expected 1 or more"),
    ("--ties best", "is not one of"),
]


@pytest.mark.parametrize(("options", "message"), MISTAKES)
def test_mistakes_are_one_line(corpus, options, message):
    done = run_command("rank", "c", *shlex.split(options))
    assert done.code == 2 and message in done.err
    assert done.err.count("error: ") == 1


def test_a_corpus_without_labels_says_what_would_give_them(demo_folder):
    assert not (demo_folder / "labels.jsonl").exists()
    done = run_command("rank", demo_folder, "-s", "lead")
    assert done.code == 2
    assert "labels.jsonl would give them, and `summetry pyramid labels`" in done.err
