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
