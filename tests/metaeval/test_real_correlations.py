"""Metrics against people on REALSumm and SummEval: values that others worked out."""

import json

import numpy as np
import pytest

import summetry
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.scores import Column, Row, ScoreTable

DIMENSIONS = ("coherence", "consistency", "fluency", "relevance")


def records(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def table_of(columns, rows, numbers):
    made = tuple(Column(metric, "value") for metric in columns)
    return ScoreTable(tuple(rows), made, np.array(numbers, float))


def row_of(record):
    return Row("no_models", str(record["doc_id"]), record["system"], "candidate")


def marked(judgments):
    """A corpus of (record, judge, dimension, value)."""
    rows = ((row_of(record), *rest) for record, *rest in judgments)
    return Corpus(judgments=tuple(Judgment(row.topic, row.author, *rest) for row, *rest in rows))


@pytest.fixture(scope="module")
def realsumm(real_data):
    """24 systems: abs:bart has no published scores, since they were those of another system."""
    summaries = records(real_data("realsumm") / "summaries.jsonl")
    return [record for record in summaries if record["system"] != "abs:bart"]


@pytest.fixture(scope="module")
def pyramid(realsumm):
    """LitePyramid as judgments."""
    key = "litepyramid_recall_published"
    return marked((record, "workers", "litepyramid", record[key]) for record in realsumm)


def values_of(correlations, metric, level="system"):
    (table,) = [table for table in correlations.tables if table.level == level]
    return {line.coefficient: line.value for line in table.rows if line.column.metric == metric}


def test_published_scores_of_realsumm(realsumm, pyramid):
    """What README.md of the data says: all to three digits."""
    names = list(realsumm[0]["published_metrics"])
    numbers = [[record["published_metrics"][name] for name in names] for record in realsumm]
    table = table_of(names, [row_of(record) for record in realsumm], numbers)
    correlations = summetry.correlate(table, pyramid, draws=20)
    assert (correlations.tables[0].systems, correlations.tables[0].topics) == (24, 100)
    pearson = {"rouge_2_recall": 0.962, "rouge_1_recall": 0.909, "rouge_l_recall": 0.863}
    pearson |= {"rouge_2_f_score": 0.619, "bert_recall_score": 0.758}
    kendall = {"rouge_2_recall": 0.848, "rouge_1_recall": 0.754, "rouge_l_recall": 0.739}
    for name, expected in (("pearson", pearson), ("tau_b", kendall)):
        values = {metric: values_of(correlations, metric)[name] for metric in expected}
        assert values == pytest.approx(expected, abs=0.0005), name
    best = correlations.tables[0].of("pearson")[0]
    assert best.column.metric == "rouge_2_recall" and best.rank == 1
    assert {line.missing for line in correlations.tables[0].rows} == {0}
    expected = {"rouge_1_recall": 0.523, "rouge_2_recall": 0.449}
    options = {"levels": ["summary"], "coefficients": ["pearson"], "draws": 20}
    correlations = summetry.correlate(table, pyramid, metrics=list(expected), **options)
    for metric, value in expected.items():
        pearson = values_of(correlations, metric, "summary")["pearson"]
        assert pearson == pytest.approx(value, abs=0.0005)


def test_our_own_rouge_2_recall_on_realsumm(realsumm, pyramid):
    """Each system against its own reference text, stemmed, as in the original script."""
    spelling = "rouge_n(n=2,text=rouge155(stem=true)).recall"
    candidates = ["\n".join(record["summary_sents"]) for record in realsumm]
    references = [["\n".join(record["reference_sents"])] for record in realsumm]
    scores = summetry.score(candidates, references, metrics=[spelling])[spelling]
    table = table_of(["ours"], [row_of(r) for r in realsumm], scores[:, None])
    values = values_of(summetry.correlate(table, pyramid, draws=20), "ours")
    assert values["pearson"] == pytest.approx(0.962, abs=0.01)
    assert values["tau_b"] == pytest.approx(0.848, abs=0.01)


@pytest.fixture(scope="module")
def summeval(real_data):
    folder = real_data("summeval")
    references = {r["doc_id"]: r["references"] for r in records(folder / "docs.jsonl")}
    return references, records(folder / "summaries.jsonl")


def test_four_dimensions_of_summeval_in_one_table(summeval):
    """16 systems; ROUGE-1 F of another program, mean of 11 references: Kendall .35 .55 .52 .58."""
    documents, summaries = summeval
    metrics = ["rouge_n(references=mean,text=rouge_score(stem=true))", "unit_overlap", "lcs.f"]
    candidates = [record["summary"] for record in summaries]
    references = [documents[record["doc_id"]] for record in summaries]
    scores = summetry.score(candidates, references, metrics=metrics, language="en")
    parts = scores[metrics[0]]["f"], scores["unit_overlap"]["value"], scores["lcs.f"]
    numbers = np.stack(parts, axis=1)
    table = table_of(["rouge_1", "unit_overlap", "lcs"], map(row_of, summaries), numbers)
    marks = ((r, name, r["expert_mean"][name]) for r in summaries for name in DIMENSIONS)
    corpus = marked((r, "experts", name, mark) for r, name, mark in marks)
    correlations = summetry.correlate(table, corpus, draws=5)
    assert [table.dimension for table in correlations.tables] == list(DIMENSIONS)
    assert {(table.systems, table.topics) for table in correlations.tables} == {(16, 100)}
    each = [table.of("tau_b") for table in correlations.tables]
    kendall = [row.value for rows in each for row in rows if row.column.metric == "rouge_1"]
    assert kendall == pytest.approx([0.35, 0.55, 0.52, 0.58], abs=0.005)


def test_the_experts_of_summeval_follow_each_other(summeval):
    """12 systems with the marks of three experts: the ceiling, by loops over plain arrays."""
    judged = [record for record in summeval[1] if record["expert"]]
    marks = ((r, k, expert) for r in judged for k, expert in enumerate(r["expert"]))
    corpus = marked((r, f"e{k}", name, e[name]) for r, k, e in marks for name in DIMENSIONS)
    lengths = [[float(len(record["summary"]))] for record in judged]
    table = table_of(["letters"], map(row_of, judged), lengths)
    correlations = summetry.correlate(table, corpus, draws=5)
    for table in correlations.tables:
        each = []
        for out in range(3):
            means = {}
            for record in judged:
                marks = [expert[table.dimension] for expert in record["expert"]]
                rest = marks[:out] + marks[out + 1 :]
                means.setdefault(record["system"], []).append((marks[out], sum(rest) / 2))
            own, others = zip(*(np.mean(pairs, axis=0) for pairs in means.values()), strict=True)
            each.append(np.corrcoef(own, others)[0, 1])
        assert table.ceilings["pearson"].value == pytest.approx(np.mean(each))
        # People who were trained for it agree on which systems are better.
        assert table.ceilings["pearson"].value > 0.9
        assert (table.systems, table.judges) == (12, 3)
