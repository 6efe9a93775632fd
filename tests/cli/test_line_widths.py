"""Whatever a command prints fits 80 columns, and no line ends with a blank."""

import json
import shlex
import shutil
from pathlib import Path

import pytest
from command_line import succeed
from typed_commands import all_commands

COMMANDS = ["task", *all_commands()]
# The path of the clone may have a blank.
THESAURUS = shlex.quote(str(Path(__file__).parents[1] / "data" / "harbour.jsonl"))
# Few draws are enough to see how long the lines are.
FEW = "--draws 200"
CALLS = [
    "score corpus", "score corpus --prf", "score part --all --prf",
    "score corpus -m rougeL -m memog",
    "score corpus -m rouge1,rouge2,rougeL,rougeLsum --stem --prf",
    "score corpus -m 'rouge-w(weight=1.2)' -m rouge-su4 -m rouge155-2 -m 'rouge-1(stem=true)'",
    "score part -m autosummeng,memog,npower,hpg --prf",
    "score corpus -m lsa_main_topic -m lsa_term_significance -m keywords -m js_divergence",
    "score corpus -m 'cosine(against=source,text=auto(stem=true,stop=true))' -m unit_overlap,lcs",
    "score corpus -m coselection,relative_utility,normalised_relative_utility --prf",
    "score corpus -m accy,nrst_accy,ngram_precision,sum_accy,wsum_accy",
    "score corpus -m pyramid,scu_recall,scu_precision,compression,retention --protocol all_peers",
    "score corpus -m rouge-2 -o scores.csv --plot systems.svg",
    "score --candidate a.txt --reference r1.txt --reference r2.txt",
    "score --candidate a.txt --reference r1.txt -m rouge1,rougeL,memog,npower,lcs --source s.txt",
    "score outputs.jsonl --references references.jsonl",
    f"compare corpus {FEW}", f"compare corpus -m rouge-1 --baseline lead --all-pairs {FEW}",
    f"compare corpus -m rouge-2,memog,js_divergence --correction none --test t {FEW}",
    f"compare corpus -m rouge-2 --protocol all_peers --test wilcoxon --all-pairs {FEW}",
    f"compare corpus -m rouge-2 --baseline picker --fail-if-worse 0.9 -o tests.csv {FEW}",
    f"compare corpus --dimension responsiveness {FEW}",
    f"correlate corpus -m rouge-1,rouge-2,rougeL,memog {FEW}",
    f"correlate corpus -m rouge-1,memog --level system,summary,global,per_system {FEW}",
    f"correlate corpus -m rouge-1,memog --level summary --accuracies --all-values {FEW}",
    "correlate corpus -m rouge-1,rouge-2,memog,lcs,keywords --matrix --all-values",
    f"correlate corpus -m rouge-1 --protocol all_peers --dimension responsiveness {FEW}",
    f"audit corpus -m rouge-1,memog,lsa_term_significance --limit 4 {FEW}",
    f"audit corpus -m rouge-2 --limit 4 --drops {FEW}",
    "audit corpus --limit 4 --write-texts texts.jsonl",
    "explain corpus --id t01 --system picker",
    "explain corpus --id t01 --system picker -m rougeL -m 'rouge-2(stem=true)' --full",
    "explain corpus --id t01 --system lead -m memog,hpg,cosine",
    "explain corpus --id t01 --system lead -m coselection,pyramid,sum_accy,lsa_main_topic",
    "agreement corpus", "agreement corpus --length '30%' --curve",
    "agreement corpus --table -s textrank -s lead",
    "agreement corpus --table --system picker --own-vote --value recall",
    "agreement corpus --dimension all --draws 50",
    "reference corpus --length '30%'", "reference corpus --length mean --ties position --validate",
    "reference corpus --length '30%' --ties inclusion -o references",
    "network corpus --id t01 --system lead", "network corpus --id t02 --level words",
    "network corpus --id t03 --criterion accuracy --boundaries -o network.svg",
    "judge corpus -r duc --mode pairs --model m --dry-run --price 1 2",
    "judge corpus -r summeval -r coverage --model m --trials 3 --dry-run",
    "judge corpus -r duc --mode pairs --model some/long-name-of-a-model --dry-run",
    "pyramid labels corpus", "pyramid labels corpus --near 0.5 -o labelled",
    f"rank labelled-corpus -s ordered -s 'semdist(normalise=length)' --thesaurus {THESAURUS}",
    "summarize corpus -s textrank -s 'lexrank(threshold=0.2)' --length 2 -o summaries",
    f"discriminate corpus -m rouge-1,rouge-2.recall,memog --dimension grammaticality {FEW}",
    f"discriminate corpus -m rouge-1 --test tukey,t,permutation --protocol all_peers {FEW}",
    "discriminate corpus -m rouge-1,memog --test t --nist",
    "estimate corpus -m rouge-1.recall --detect 0.5",
    "estimate corpus -m rouge-1,rouge-2,memog --population these",
    f"combine corpus -m rouge-1,rouge-2,memog --dimension responsiveness {FEW}",
    "task categorization corpus --draws 20", f"task retrieval corpus --qrels qrels.txt {FEW}",
    f"task questions corpus {FEW}",
    "graph a.txt", "graph a.txt r1.txt --level 2",
    "graph a.txt r1.txt r2.txt --merge update --text auto -n 1",
    "convert corpus corpus-as-a-table.jsonl",
    "metrics", "metrics rouge1", "metrics 'cosine(against=source,text=auto(stem=true))'",
    "metrics hpg", "formats", "summarizers",
    pytest.param("demo -o tour", marks=pytest.mark.slow),
    "", "--version",
    *(f"{name} --help" for name in COMMANDS),
]  # fmt: skip
SENTENCES = (
    "The ferry from the mainland hit the old stone pier of the harbour on Monday morning.",
    "Nobody was hurt, and the captain said that strong winds had pushed the ship off its course.",
    "The pier of the harbour will stay closed until engineers have looked at its foundations.",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, demo_folder, part_of_demo):
    """The demo corpus, one topic of it, the same with labels, outputs, and four texts."""
    here = tmp_path_factory.mktemp("widths")
    (here / "part").symlink_to(part_of_demo("t01"))
    shutil.copytree(demo_folder, here / "corpus")
    question = {"topic": "t01", "question": "What?", "choices": ["a", "b"], "answer": 0}
    write_lines(here / "corpus" / "questions.jsonl", [question | {"id": name} for name in "pqr"])
    answer = {"topic": "t01", "judge": "ann", "choice": 0, "seconds": 90}
    after = [{"condition": "source"}, {"condition": "summary", "author": "careful"}]
    answers = [answer | {"question": name} | read for name in "pqr" for read in after]
    write_lines(here / "corpus" / "answers.jsonl", answers)
    (here / "qrels.txt").write_text("t01 0 t01 1\n")
    label = {"topic": "t01", "summaries": ["1"], "scus": [{"id": "a", "weight": 3}]}
    labels = [label | {"unit": unit} for unit in range(3)]
    labels += [{"topic": "t02", "summaries": ["2"], "unit": unit} for unit in range(3)]
    labels += [label | {"topic": "t02", "unit": 4}]
    shutil.copytree(demo_folder, here / "labelled-corpus")
    write_lines(here / "labelled-corpus" / "labels.jsonl", labels)
    rows = [{"id": str(place), "summary": text} for place, text in enumerate(SENTENCES)]
    write_lines(here / "outputs.jsonl", rows)
    write_lines(here / "references.jsonl", [row | {"summary": SENTENCES[0]} for row in rows])
    for name, parts in {"a": [0, 1], "r1": [0, 2], "r2": [1], "s": [0, 1, 2]}.items():
        (here / f"{name}.txt").write_text("\n".join(SENTENCES[part] for part in parts))
    return here


def write_lines(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


@pytest.mark.parametrize("typed", CALLS)
def test_every_line_fits_eighty_columns_and_ends_with_no_blank(typed, folder, monkeypatch):
    # The help asks for the width of the terminal, which others of these calls do not have.
    monkeypatch.setenv("COLUMNS", "80")
    done = succeed(*shlex.split(typed), folder=folder)
    lines = [*done.out.splitlines(), *done.folded_err.splitlines()]
    assert lines
    assert [line for line in lines if len(line) > 80 or line != line.rstrip()] == []
