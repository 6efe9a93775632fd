"""``summetry task``: the tables of each task, JSON, files, and mistakes."""

import json
import shlex
import sys

import pytest
from command_line import assert_refused, run_command, succeed
from labelled_collections import labelled_corpus

from summetry.formats.folder import Folder


def task(line):
    return succeed("task", *shlex.split(line), "--draws", 50)


@pytest.fixture(scope="module")
def sklearn():
    return pytest.importorskip("sklearn.svm")


@pytest.fixture
def corpus(here):
    """Twelve topics of three categories with titles, and the summaries of two systems."""
    Folder().write(labelled_corpus(), here / "corpus")
    return here / "corpus"


@pytest.fixture
def asked(here):
    """A corpus with one question and what three people answered."""
    question = {"topic": "t", "id": "q", "question": "What sank?", "choices": ["a", "b"]}
    answer = {"topic": "t", "question": "q", "condition": "summary", "author": "lead"}
    nothing = {"topic": "t", "question": "q", "condition": "nothing"}
    records = {
        "topics": [{"id": "t", "text": "A ferry sank."}],
        "questions": [question | {"answer": 0}],
        "answers": [nothing | {"judge": "ann", "choice": 1},
                    answer | {"judge": "bob", "choice": 0, "seconds": 12.5},
                    answer | {"judge": "eve", "choice": 1, "seconds": 7.5}],
    }  # fmt: skip
    for kind, lines in records.items():
        (here / f"{kind}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return here


def test_without_a_name_the_tasks_are_listed_and_each_has_help_within_its_group():
    lines = succeed("task").out.partition("Commands:\n")[2].splitlines()[:3]
    assert [line.split()[0] for line in lines] == ["categorization", "retrieval", "questions"]
    assert not [line for line in lines if line.endswith("...")]
    assert succeed("help", "task", "retrieval").out == succeed("task", "retrieval", "-h").out
    assert "tasks are typed as `summetry task NAME`" in run_command("questions", "x").err


def test_systems_stand_between_random_extracts_and_full_texts(sklearn, corpus, shows):
    """The first sentence of a text names its category, and idle ones say nothing."""
    shows("task categorization corpus --draws 50")
    result = task("categorization corpus --json").json
    assert result["settings"]["folds"] == 10 and result["settings"]["draws"] == 50
    rows = {row["system"]: row for row in result["classifier"]["rows"]}
    assert rows["first"]["f"] == rows["first"]["upper"] == 1.0
    assert rows["source"]["kept"] is None
    categories = {(r["system"], r["category"]) for r in result["categories"]["rows"]}
    assert ("idle", "sport") in categories and len(categories) == 9
    assert {"documents_precision", "micro_f"} <= result["averages"]["rows"][0].keys()


def test_peoples_choices_stand_below(sklearn, corpus, shows):
    head = json.loads((corpus / "corpus.json").read_text())
    scale = {"category": ["money", "sport", "weather", "none of the above"]}
    (corpus / "corpus.json").write_text(json.dumps(head | {"scales": scale}))
    judgment = {"topic": "generated0", "judge": "ann", "dimension": "category"}
    choices = [("source", "sport"), ("first", "sport"), ("idle", "none of the above")]
    (corpus / "judgments.jsonl").write_text(
        "".join(json.dumps(judgment | {"author": a, "value": v}) + "\n" for a, v in choices)
    )
    shows("task categorization corpus --lower idle --draws 50")


def test_a_training_corpus_is_named(sklearn, corpus, here):
    Folder().write(labelled_corpus(9, seed=5, name="other"), here / "train")
    words = task("categorization corpus --train train").words
    assert "learnt from 9 topics of other" in words


def test_mistakes(here, refuses):
    Folder().write(labelled_corpus(3), here / "few")
    (here / "qrels.txt").write_text("k1 t1 1\n")
    (here / "queries.csv").write_text("id,text\nk1,goal\n")
    refuses("""
        task retreival
        task categorization few
        task retrieval few --qrels qrels.txt
        task retrieval few --queries queries.csv -o queries.csv
        task questions few
    """)


@pytest.mark.parametrize(
    ("name", "module", "package"),
    [("categorization", "sklearn.svm", "scikit-learn"), ("retrieval", "bm25s", "bm25s")],
)
def test_one_line_says_what_to_install(corpus, monkeypatch, name, module, package):
    monkeypatch.setitem(sys.modules, module, None)
    message = f"error: {name} needs the package {package}, which is not installed: pip install "
    assert_refused(run_command("task", name, corpus), 2, f"{message}{package}\n")


def test_systems_are_correlated_with_full_texts(corpus, here, shows):
    pytest.importorskip("bm25s")
    shows("task retrieval corpus --draws 50 -o out.csv")
    assert (here / "out.csv").read_text().startswith("system,role,topics,queries,pearson,")
    assert (here / "out-queries.csv").exists()


def test_queries_and_qrels_come_from_files(corpus, here):
    pytest.importorskip("bm25s")
    (here / "queries.csv").write_text("id,text\nk1,goal league\n")
    (here / "qrels.txt").write_text("k1 0 generated0 1\nk1 0 generated3 1\n")
    result = task("retrieval corpus --queries queries.csv --qrels qrels.txt --json").json
    assert (result["queries_run"], result["queries_judged"]) == (1, 1)
    assert result["queries_from"] == "queries.csv"
    (first, _) = result["loss"]["rows"]
    assert first["loss"] == pytest.approx(first["precision_full"] - first["precision"])
    assert [row["query"] for row in result["queries"]["rows"]] == ["k1", "k1"]


def test_answers_have_a_row_for_each_thing_that_was_read(asked, shows):
    """Where nothing is paired it is said what n counts."""
    shows("task questions . --draws 50")
    result = task("questions . --json").json
    rows = [(r["condition"], r["right"], r["seconds"]) for r in result["conditions"]["rows"]]
    assert rows == [("summary", 0.5, 10.0), ("nothing", 0.0, None)]
    (pair,) = result["pairs"]["rows"]
    # One question in common is no pair of questions; 1 of 2 and 0 of 1 may be chance.
    assert (pair["first"], pair["paired"], pair["p"]) == ("summary lead", "", 1.0)
