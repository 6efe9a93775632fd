"""``summetry task``: the tables of each task, JSON, files, and mistakes."""

import json
import sys

import pytest
from labelled_collections import labelled_corpus

from summetry.formats.folder import Folder

FEW = ("--draws", "50")


@pytest.fixture
def corpus(here):
    """Twelve topics of three categories with titles, and the summaries of two systems."""
    Folder().write(labelled_corpus(), here / "corpus")
    return here / "corpus"


@pytest.fixture
def asked(tmp_path):
    """A corpus with one question and what two people answered."""
    records = {
        "topics": [{"id": "t", "text": "A ferry sank."}],
        "questions": [
            {"topic": "t", "id": "q", "question": "What sank?", "choices": ["a", "b"], "answer": 0}
        ],
        "answers": [
            {"topic": "t", "question": "q", "judge": "ann", "condition": "nothing", "choice": 1},
            {"topic": "t", "question": "q", "judge": "bob", "condition": "summary",
             "author": "lead", "choice": 0, "seconds": 12.5},
            {"topic": "t", "question": "q", "judge": "eve", "condition": "summary",
             "author": "lead", "choice": 1, "seconds": 7.5},
        ],
    }  # fmt: skip
    for kind, lines in records.items():
        (tmp_path / f"{kind}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    return tmp_path


def test_without_a_name_the_tasks_are_listed(scored):
    listed = scored("task").out.partition("Commands:\n")[2].splitlines()[:3]
    assert [line.split()[0] for line in listed] == ["categorization", "retrieval", "questions"]
    assert not [line for line in listed if line.endswith("...")]


def test_help_of_a_task_can_be_asked_for_in_both_ways(scored):
    assert scored("help", "task", "retrieval").out == scored("task", "retrieval", "-h").out


def test_a_task_that_is_nearly_right(call):
    done = call("task", "retreival")
    assert done.code == 2
    assert done.err == (
        "error: no task is named 'retreival'. Did you mean 'retrieval'? "
        "`summetry task --help` lists all.\n"
    )


def test_a_task_without_its_group_is_told_where_it_is(call):
    assert "tasks are typed as `summetry task NAME`" in call("questions", "x").err


def test_systems_stand_between_random_extracts_and_full_texts(scored, corpus):
    pytest.importorskip("sklearn")
    lines = scored("task", "categorization", corpus, *FEW).lines
    assert lines[0] == "Categories by a classifier: 12 topics, 3 categories"
    heading = "system F low high random full text kept low high"
    assert lines[1].split() == heading.split()
    assert lines[2].split()[:2] == ["source", "1.000"]
    first = lines[3].split()
    assert (first[0], first[1], first[5], first[6]) == ("first", "1.000", "1.000", "1.000")


def test_programs_get_every_number(scored, corpus):
    pytest.importorskip("sklearn")
    result = scored("task", "categorization", corpus, "--json", *FEW).json
    assert result["settings"]["folds"] == 10 and result["settings"]["draws"] == 50
    assert result["topics_by_category"] == {"money": 4, "sport": 4, "weather": 4}
    rows = {row["system"]: row for row in result["classifier"]["rows"]}
    assert rows["first"]["f"] == rows["first"]["upper"] == 1.0
    assert rows["source"]["kept"] is None
    categories = {(r["system"], r["category"]) for r in result["categories"]["rows"]}
    assert ("idle", "sport") in categories and len(categories) == 9
    assert {"documents_precision", "micro_f"} <= result["averages"]["rows"][0].keys()


def test_peoples_choices_stand_below(scored, corpus):
    pytest.importorskip("sklearn")
    head = json.loads((corpus / "corpus.json").read_text())
    scale = {"category": ["money", "sport", "weather", "none of the above"]}
    (corpus / "corpus.json").write_text(json.dumps(head | {"scales": scale}))
    judgment = {"topic": "generated0", "judge": "ann", "dimension": "category"}
    chosen = [("source", "sport"), ("first", "sport"), ("idle", "none of the above")]
    (corpus / "judgments.jsonl").write_text(
        "".join(json.dumps(judgment | {"author": a, "value": v}) + "\n" for a, v in chosen)
    )
    out = scored("task", "categorization", corpus, *FEW).out
    people = out.partition("Categories chosen by people: 1 topic, 2 categories\n")[2]
    rows = [line.split() for line in people.splitlines()[:4]]
    assert [row[:2] for row in rows] == [
        ["system", "F"], ["source", "1.000"], ["first", "1.000"], ["idle", "0.000"],
    ]  # fmt: skip


def test_a_training_corpus_is_named(scored, corpus, here):
    pytest.importorskip("sklearn")
    Folder().write(labelled_corpus(9, seed=5, name="other"), here / "train")
    done = scored("task", "categorization", corpus, "--train", here / "train", *FEW)
    assert "learnt from 9 topics of other" in done.words


def test_too_few_topics_are_one_line(call, here):
    Folder().write(labelled_corpus(3), here / "few")
    done = call("task", "categorization", here / "few")
    assert done.code == 2 and done.err.count("\n") == 1
    assert done.err == (
        "error: a classifier needs two categories or more with two topics each, found sport "
        "(1 topic), money (1 topic), weather (1 topic); add topics, or learn from others by "
        "--train CORPUS\n"
    )


def test_without_scikit_learn_one_line_says_what_to_install(call, corpus, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    done = call("task", "categorization", corpus)
    assert done.err == (
        "error: categorization needs the package scikit-learn, which is not installed: "
        "pip install scikit-learn\n"
    )


def test_systems_are_correlated_with_full_texts(scored, corpus):
    pytest.importorskip("bm25s")
    lines = scored("task", "retrieval", corpus, *FEW).lines
    title = "Relevance correlation: 12 topics, 12 queries (the titles of the topics)"
    assert lines[0] == title
    assert lines[1].split()[:5] == ["system", "queries", "Pearson", "low", "high"]
    assert [line.split()[0] for line in lines[2:4]] == ["first", "idle"]


def test_queries_and_qrels_come_from_files(scored, corpus, here):
    pytest.importorskip("bm25s")
    (here / "queries.csv").write_text("id,text\nk1,goal league\n")
    (here / "qrels.txt").write_text("k1 0 generated0 1\nk1 0 generated3 1\n")
    files = ("--queries", here / "queries.csv", "--qrels", here / "qrels.txt")
    result = scored("task", "retrieval", corpus, *files, "--json", *FEW).json
    assert (result["queries_run"], result["queries_judged"]) == (1, 1)
    assert result["queries_from"] == str(here / "queries.csv")
    (first, _) = result["loss"]["rows"]
    assert first["loss"] == pytest.approx(first["precision_full"] - first["precision"])
    assert [row["query"] for row in result["queries"]["rows"]] == ["k1", "k1"]


def test_tables_are_written_and_never_over_what_is_read(scored, call, corpus, here):
    pytest.importorskip("bm25s")
    scored("task", "retrieval", corpus, "-o", here / "out.csv", *FEW)
    assert (here / "out.csv").read_text().startswith("system,role,topics,queries,pearson,")
    assert (here / "out-queries.csv").exists()
    (here / "queries.csv").write_text("id,text\nk1,goal\n")
    path = here / "queries.csv"
    done = call("task", "retrieval", corpus, "--queries", path, "-o", path)
    assert done.code == 2 and path.read_text() == "id,text\nk1,goal\n"


def test_bad_files_are_one_line(call, corpus, here):
    (here / "qrels.txt").write_text("k1 t1 1\n")
    done = call("task", "retrieval", corpus, "--qrels", here / "qrels.txt")
    assert done.code == 2 and done.err.count("\n") == 1
    assert "qrels.txt:1: expected a query, an iteration, a topic and a relevance" in done.err


def test_without_bm25s_one_line_says_what_to_install(call, corpus, monkeypatch):
    monkeypatch.setitem(sys.modules, "bm25s", None)
    assert "retrieval needs the package bm25s" in call("task", "retrieval", corpus).err


def test_each_thing_that_was_read_has_a_row(scored, asked):
    lines = [line.split() for line in scored("task", "questions", asked, *FEW).lines]
    assert lines[1:4] == [
        ["condition", "system", "answers", "right", "seconds"],
        ["summary", "lead", "2", "0.500", "10.0"],
        ["nothing", "1", "0.000", "-"],
    ]


def test_what_n_counts_is_said_where_nothing_is_paired(scored, asked):
    done = scored("task", "questions", asked, *FEW)
    assert "paired by" not in done.words
    assert "n: questions or people that are in both, or all answers where nothing" in done.words


def test_programs_read_the_same(scored, asked):
    result = scored("task", "questions", asked, "--json", *FEW).json
    first, second = result["conditions"]["rows"]
    assert (first["condition"], first["right"], first["seconds"]) == ("summary", 0.5, 10.0)
    assert (second["condition"], second["right"], second["seconds"]) == ("nothing", 0.0, None)
    (pair,) = result["pairs"]["rows"]
    # One question in common is no pair of questions; 1 of 2 and 0 of 1 may be chance.
    assert (pair["first"], pair["paired"], pair["p"]) == ("summary lead", "", 1.0)


def test_a_corpus_without_answers_is_refused_in_one_line(call, asked):
    (asked / "answers.jsonl").unlink()
    done = call("task", "questions", asked)
    assert done.code == 2 and done.err.count("\n") == 1
    assert "no answers to questions whose right choice is known" in done.err
