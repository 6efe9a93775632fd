"""Scores and judgments of others for the texts of an audit."""

import json

import numpy as np
import pytest

import summetry
from summetry.audits.perturbed import perturb, perturbations_named
from summetry.errors import SummetryError
from summetry.formats.scores import write_scores
from summetry.metaeval.audited_scores import judged_table, scored_table
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.scores import Column


@pytest.fixture(scope="module")
def texts(demo):
    return perturb(demo, perturbations_named(["shuffled", "cut"]), limit=5)


def judged(texts, value):
    """A line for every text, judge and dimension, as judges write them."""
    return [
        {
            "topic": row["id"],
            "author": row["system"],
            "judge": judge,
            "dimension": dimension,
            "value": value(row),
        }
        for row in texts.rows()
        for judge in ("qwen", "llama-3.1")
        for dimension in ("coherence", "relevance")
    ]


def write_lines(path, lines):
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def test_scores_in_a_file_have_a_column_per_metric(texts, tmp_path):
    table = summetry.evaluate(texts.corpus, ["rouge-1", "cosine"])
    write_scores(table, tmp_path / "scores.csv")
    read, notes = scored_table(tmp_path / "scores.csv", texts)
    assert [(c.metric, c.value) for c in read.columns] == [("rouge-1", "f"), ("cosine", "value")]
    assert notes == [] and len(read) == len(table)


@pytest.mark.parametrize("name", ["judgments.jsonl", "judgments.csv"])
def test_judgments_have_a_column_per_judge_and_dimension(texts, tmp_path, name):
    path = tmp_path / name
    lines = judged(texts, lambda row: 1 if row["perturbation"] == "shuffled" else 4)
    if name.endswith("jsonl"):
        write_lines(path, lines)
    else:
        rows = [",".join(map(str, line.values())) for line in lines]
        path.write_text("\n".join([",".join(lines[0]), *rows]) + "\n", encoding="utf-8")
    read, notes = scored_table(path, texts)
    assert notes == []
    assert set(read.columns) == {
        Column(judge, dimension)
        for judge in ("qwen", "llama-3.1")
        for dimension in ("coherence", "relevance")
    }
    values = {}
    for row, data in zip(read.rows, read.data, strict=True):
        values.setdefault(row.author.partition("~")[2], set()).update(data.tolist())
    assert values == {"": {4.0}, "shuffled": {1.0}, "cut": {4.0}}


def test_repeated_judgments_are_averaged():
    given = [("a", "j1", 2), ("a", "j1", 5), ("a", "j2", 1), ("b", "j2", 3)]
    judgments = tuple(Judgment("t", author, judge, "fluency", v) for author, judge, v in given)
    table = judged_table(Corpus(judgments=judgments))
    assert table.columns == (Column("j1", "fluency"), Column("j2", "fluency"))
    assert [row.author for row in table.rows] == ["a", "b"]
    np.testing.assert_array_equal(table.data, [[3.5, 1.0], [np.nan, 3.0]])


def test_what_is_missing_and_what_is_more_is_said(texts, tmp_path):
    lines = [line for line in judged(texts, lambda row: 3) if "~cut" not in line["author"]]
    path = tmp_path / "judged.jsonl"
    write_lines(path, [*lines, lines[0] | {"author": "gpt"}])
    _, notes = scored_table(path, texts)
    assert notes == [
        f"{path} has no scores for 5 of 10 pairs",
        f"{path} has scores of 1 other text, which are not used",
    ]


def test_scores_of_other_texts_are_refused(demo, texts, tmp_path):
    table = summetry.evaluate(demo, ["rouge-1"])
    found = r"the table: expected scores of \w+ and \w+~shuffled on the topic t0\d, and so on, "
    found += "found careful on t01; score the texts that `summetry audit --write-texts` writes"
    with pytest.raises(SummetryError, match=found):
        scored_table(table, texts)
    with pytest.raises(SummetryError, match=r"none\.csv: no such file or folder"):
        scored_table(tmp_path / "none.csv", texts)
