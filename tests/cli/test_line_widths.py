"""Whatever a command prints fits 80 columns, and no line ends with a blank.

The fixture ``shows`` checks it of all that it compares; these are calls with more columns.
"""

import shlex

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
    "", "--version", "task --help",
]  # fmt: skip


@pytest.mark.parametrize("typed", CALLS)
def test_every_line_fits_eighty_columns_and_ends_with_no_blank(typed, corpus, no_chart_script):
    done = succeed(*shlex.split(typed))
    lines = [*done.out.splitlines(), *done.folded_err.splitlines()]
    assert lines
    assert [line for line in lines if len(line) > 80 or line != line.rstrip()] == []
