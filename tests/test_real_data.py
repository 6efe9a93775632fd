"""The spine on real data, with figures that others worked out from the same data."""

import json
import re
from itertools import combinations

import numpy as np
import pytest

import summetry
from summetry.metrics.unit_overlap import unit_overlap
from summetry.records.corpus import Corpus
from summetry.records.summaries import Extract
from summetry.records.topics import Document, Topic


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def by_id(records):
    return {record["doc_id"]: record for record in records}


@pytest.fixture(scope="module")
def threads(real_data):
    """E-mail threads with three annotators' extracts, as topics with informants."""
    topics, extracts = [], []
    for thread in lines(real_data("bc3") / "threads.jsonl"):
        name, ids = str(thread["thread_id"]), [s["id"] for s in thread["sentences"]]
        units = tuple(sentence["text"] for sentence in thread["sentences"])
        topics.append(Topic(name, documents=(Document(name, units=units),)))
        for number, annotation in enumerate(thread["annotations"]):
            chosen = tuple(sorted(ids.index(unit) for unit in annotation["extract"]))
            extracts.append(Extract(name, f"a{number}", chosen))
    return Corpus(name="bc3", language="en", topics=tuple(topics), extracts=tuple(extracts))


def test_the_annotators_overlap_as_published(threads):
    """Mean pairwise Jaccard .430, extracts of 17.9 % of the sentences."""
    overlaps, shares = [], []
    for topic in threads.topics:
        chosen = [extract.units for extract in threads.of_topic("extracts", topic.id)]
        overlaps.append(np.mean([unit_overlap(a, b) for a, b in combinations(chosen, 2)]))
        shares += [len(units) / len(topic.units) for units in chosen]
    assert np.mean(overlaps) == pytest.approx(0.430, abs=0.0005)
    assert np.mean(shares) == pytest.approx(0.179, abs=0.0005)


def test_rouge_equals_what_was_published_for_realsumm(real_data):
    """ROUGE-1 F from the original script with stemming, each system against its own reference."""
    spelling = "rouge_n(text=rouge155(stem=true)).f"
    agrees = {}
    rows = lines(real_data("realsumm") / "summaries.jsonl")
    candidates = ["\n".join(row["summary_sents"]) for row in rows]
    references = [["\n".join(row["reference_sents"])] for row in rows]
    found = summetry.score(candidates, references, metrics=[spelling])[spelling]
    for row, value in zip(rows, found.tolist(), strict=True):
        if row["published_metrics"]:
            key = (row["system"].partition(":")[0], row["doc_id"])
            same = abs(row["published_metrics"]["rouge_1_f_score"] - value) < 2e-5
            agrees[key] = agrees.get(key, True) and same
    equal = {kind: sum(v for (k, _), v in agrees.items() if k == kind) for kind in ("abs", "ext")}
    assert equal["abs"] >= 75 and equal["ext"] >= 79, equal


@pytest.mark.filterwarnings("ignore:.*every content unit weighs 1")
def test_realsumm_has_the_published_recall(real_data):
    """Lite-Pyramid recall is the share of units that more than half of the workers see."""
    path = real_data("realsumm") / "summaries.jsonl"
    rows = lines(path)
    corpus = summetry.load(path, "scu_table", columns={"marks": "scu_votes"})
    scores = summetry.evaluate(corpus, ["scu_recall"])
    assert len(scores) == len(rows) == 2500
    recall = {
        (row.topic, re.sub("[:/]", "_", row.author)): value
        for row, value in zip(scores.rows, scores.data[:, 0], strict=True)
    }
    for row in rows:
        published = row["litepyramid_recall_from_votes"]
        # It was published with six digits.
        value = recall[str(row["doc_id"]), re.sub("[:/]", "_", row["system"])]
        assert value == pytest.approx(published, abs=5e-7)


def test_summeval_as_published_has_the_means_of_the_experts(real_data, tmp_path):
    """The published shape, put together from its parts, for the systems whose records are whole."""
    docs = by_id(lines(real_data("summeval") / "docs.jsonl"))
    rows = [row for row in lines(real_data("summeval") / "summaries.jsonl") if row["expert"]]
    published = [
        {
            "id": row["doc_id"], "model_id": row["system"], "decoded": row["summary"],
            "references": docs[row["doc_id"]]["references"], "text": docs[row["doc_id"]]["source"],
            "expert_annotations": row["expert"], "turker_annotations": row["turker"],
        }
        for row in rows
    ]  # fmt: skip
    path = tmp_path / "model_annotations.aligned.paired.jsonl"
    path.write_text("\n".join(map(json.dumps, published)), encoding="utf-8")
    corpus = summetry.load(path)
    assert len(corpus.topics) == 100 and len(rows) == 1200
    assert sum(summary.role == "reference" for summary in corpus.summaries) == 1100
    marks = {}
    for j in corpus.judgments:
        marks.setdefault((j.topic, j.author, j.dimension), []).append(j.value)
    for row in rows:
        for dimension, mean in row["expert_mean"].items():
            given = marks[row["doc_id"], row["system"], dimension]
            assert len(given) == 3 and np.mean(given) == pytest.approx(mean, abs=5e-7)
            assert len(marks[row["doc_id"], row["system"], f"turker_{dimension}"]) == 5
