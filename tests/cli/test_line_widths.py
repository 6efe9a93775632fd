"""Whatever a command prints fits 80 columns, and no line ends with a blank.

The fixture ``shows`` checks it of all that it compares; these are calls with more columns.
"""

import json
import shlex
import shutil

import pytest
from command_line import succeed

FEW = "--draws 20"
CALLS = [
    "score corpus -m npower,memog,coselection,relative_utility,normalised_relative_utility --prf",
    "score corpus -m rouge1,rouge2,rougeL,rougeLsum --stem --prf",
    "score corpus -m 'rouge-w(weight=1.2)' -m rouge-su4 -m rouge155-2 -m 'rouge-1(stem=true)'",
    "score corpus -m lsa_main_topic -m lsa_term_significance -m keywords -m js_divergence",
    "score corpus -m 'cosine(against=source,text=auto(stem=true,stop=true))' -m unit_overlap,lcs",
    "score corpus -m pyramid,scu_recall,scu_precision,compression,retention --protocol all_peers",
    "score corpus -m rouge-2 -o scores.csv --plot systems.html",
    "score outputs.jsonl --references references.jsonl",
    f"compare corpus -m rouge-2,memog,js_divergence --correction none --test t {FEW}",
    f"compare corpus -m rouge-2 --protocol all_peers --test wilcoxon --all-pairs {FEW}",
    f"compare corpus -m rouge-2 --baseline picker --test t --fail-if-worse 0.9 -o a.csv {FEW}",
    f"correlate corpus -m rouge-1,memog --level system,summary,global,per_system {FEW}",
    f"correlate corpus -m rouge-1,memog --level summary --accuracies --all-values {FEW}",
    "correlate corpus -m rouge-1,rouge-2,memog,lcs,keywords --matrix --all-values",
    f"audit corpus -m rouge-1,memog,lsa_term_significance --limit 2 {FEW}",
    "explain corpus --id t01 --system picker",
    "explain corpus --id t01 --system lead -m memog,hpg,coselection,sum_accy,lsa_main_topic",
    "network corpus --id t02 --level words",
    "judge corpus -r duc --mode pairs --model some/long-name-of-a-model --dry-run",
    "pyramid labels corpus", "pyramid labels corpus --near 0.5 -o labelled",
    "summarize corpus -s textrank -s 'lexrank(threshold=0.2)' --length 2 -o summaries",
    f"discriminate corpus -m rouge-1,rouge-2.recall,memog --dimension grammaticality {FEW}",
    "discriminate corpus -m rouge-1,memog --test t --nist",
    "estimate corpus -m rouge-1,rouge-2,memog --population these",
    pytest.param("task categorization demo --draws 5", marks=pytest.mark.slow),
    pytest.param(f"task retrieval corpus --qrels qrels.txt {FEW}", marks=pytest.mark.slow),
    f"task questions corpus {FEW}",
    pytest.param("demo -o tour", marks=pytest.mark.slow),
    "", "--version", "task --help",
]  # fmt: skip
SENTENCES = (
    "The ferry from the mainland hit the old stone pier of the harbour on Monday morning.",
    "Nobody was hurt, and the captain said that strong winds had pushed the ship off its course.",
    "The pier of the harbour will stay closed until engineers have looked at its foundations.",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, demo_folder, three_topics):
    """The demo corpus, three topics of it with answers to questions, and outputs."""
    here = tmp_path_factory.mktemp("widths")
    (here / "demo").symlink_to(demo_folder)
    shutil.copytree(three_topics, here / "corpus")
    question = {"topic": "t01", "question": "What?", "choices": ["a", "b"], "answer": 0}
    write_lines(here / "corpus" / "questions.jsonl", [question | {"id": name} for name in "pqr"])
    answer = {"topic": "t01", "judge": "ann", "choice": 0, "seconds": 90}
    after = [{"condition": "source"}, {"condition": "summary", "author": "careful"}]
    answers = [answer | {"question": name} | read for name in "pqr" for read in after]
    write_lines(here / "corpus" / "answers.jsonl", answers)
    (here / "qrels.txt").write_text("t01 0 t01 1\n")
    rows = [{"id": str(i), "summary": text} for i, text in enumerate(SENTENCES)]
    write_lines(here / "outputs.jsonl", rows)
    write_lines(here / "references.jsonl", [row | {"summary": SENTENCES[0]} for row in rows])
    return here


def write_lines(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


@pytest.mark.parametrize("typed", CALLS)
def test_every_line_fits_eighty_columns_and_ends_with_no_blank(typed, folder, no_chart_script):
    done = succeed(*shlex.split(typed), folder=folder)
    lines = [*done.out.splitlines(), *done.folded_err.splitlines()]
    assert lines
    assert [line for line in lines if len(line) > 80 or line != line.rstrip()] == []
