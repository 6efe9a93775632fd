"""Audits: shares, ties, drops and intervals by hand and by a slow count; scores of others."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry.audits.perturbations import PERTURBATIONS
from summetry.audits.perturbed import AuditTexts, Made, Pair, perturb, perturbations_named
from summetry.errors import SummetryError
from summetry.formats.scores import write_scores
from summetry.metaeval.audited_scores import judged_table, scored_table
from summetry.metaeval.audits import audit_scores
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.scores import Column, Row, ScoreTable

NAN, INF = math.nan, math.inf
BY_NAME = {one.name: one for one in PERTURBATIONS}
UP, DOWN = Column("up"), Column("js_divergence", signature="js_divergence|v:0")
NEITHER = Column("compression", signature="compression|v:0")


def audited(values, perturbation="cut", columns=(UP,), draws=200):
    """An audit of summaries: of each topic pairs of a value before and after, for each column."""
    rows, data, pairs = [], [], []
    for topic, of_topic in values.items():
        for number, (before, after) in enumerate(of_topic):
            pair = Pair(topic, f"s{number}", perturbation)
            pairs.append(pair)
            for author, value in ((pair.system, before), (pair.perturbed, after)):
                rows.append(Row("no_models", topic, author, "candidate"))
                data.append([value] * len(columns))
    table = ScoreTable(tuple(rows), tuple(columns), np.array(data, np.float64))
    made = Made(BY_NAME[perturbation], len(pairs), 0, 100.0)
    return audit_scores(AuditTexts(Corpus(), tuple(pairs), (made,)), [table], draws)


def test_shares_and_drops_by_hand():
    # Worse, tie, better; worse: (2 + 1/2) / 4 = 0.625; drops 0.2, 0, -0.1, 0.3.
    values = {"t1": [(0.5, 0.3), (0.5, 0.5)], "t2": [(0.5, 0.6), (0.5, 0.2)]}
    (cell,) = audited(values).cells
    assert (cell.share.value, cell.ties, cell.texts, cell.topics) == (0.625, 0.25, 4, 2)
    assert cell.drop.value == pytest.approx(0.1, abs=1e-15)
    # Both topics twice, or each once: 0.75, 0.5 and 0.625.
    assert (cell.share.low, cell.share.high) == (0.5, 0.75)
    assert cell.is_seen is False
    # Of a value of which lower is better the higher one is the worse.
    values = {"t1": [(0.5, 0.9)], "t2": [(0.5, 0.7)]}
    up, down = audited(values, columns=(UP, DOWN)).cells
    assert (up.share.value, down.share.value) == (0.0, 1.0)
    assert up.drop.value == pytest.approx(-0.3) and down.drop.value == pytest.approx(0.3)
    assert (up.is_seen, down.is_seen) == (False, True)


@pytest.mark.parametrize(("values", "perturbation", "drop", "is_seen"), [
    # A reference should have the better value.
    ({"t1": [(0.5, 1.0)], "t2": [(0.4, 1.0)]}, "reference", 0.55, True),
    # Of the lead nothing is expected.
    ({"t1": [(0.5, 0.1)], "t2": [(0.4, 0.1)]}, "lead", 0.35, None),
    # One topic has no interval, and no verdict.
    ({"t1": [(0.5, 0.4), (0.5, 0.3)]}, "cut", 0.15, None),
])  # fmt: skip
def test_what_is_expected_of_a_perturbation(values, perturbation, drop, is_seen):
    (cell,) = audited(values, perturbation).cells
    assert (cell.share.value, cell.is_seen) == (1.0, is_seen)
    assert cell.drop.value == pytest.approx(drop)
    assert math.isnan(cell.share.low) == (len(values) == 1)


def test_values_that_differ_by_rounding_tie_and_missing_or_infinite_ones_have_no_drop():
    (cell,) = audited({"t1": [(0.1 + 0.2, 0.3)], "t2": [(1e15, 1e15 + 0.125)]}).cells
    assert (cell.share.value, cell.ties, cell.drop.value) == (0.5, 1.0, 0.0)
    (cell,) = audited({"t1": [(0.3, 0.3 - 1e-6)], "t2": [(1e-9, 0.0)]}).cells
    assert (cell.share.value, cell.ties) == (1.0, 0.0)
    # Pairs without a value are left out, and infinite ones have no drop.
    (cell,) = audited({"t1": [(0.5, NAN), (0.5, 0.4)], "t2": [(NAN, 0.1)]}).cells
    assert (cell.texts, cell.topics, cell.share.value) == (1, 1, 1.0)
    (cell,) = audited({"t1": [(INF, 0.5), (INF, INF)], "t2": [(0.5, -INF), (0.5, 0.25)]}).cells
    assert (cell.share.value, cell.ties) == (0.875, 0.25)
    # Of the tie, 0, and of the last pair.
    assert cell.drop.value == pytest.approx(0.125)


def test_what_has_no_direction_and_pairs_that_were_not_scored_are_left_out():
    audit = audited({"t1": [(0.5, 0.4)], "t2": [(0.5, 0.3)]}, columns=(NEITHER, UP))
    assert audit.columns == [UP]
    assert audit.notes == ("left out, since no direction is better: compression",)
    # Nor do pairs that were not scored count.
    pairs = (Pair("t1", "a", "cut"), Pair("t1", "b", "cut"))
    rows = tuple(Row("no_models", "t1", name, "candidate") for name in ("a", "a~cut", "b"))
    table = ScoreTable(rows, (UP,), np.array([[0.5], [0.4], [0.6]]))
    made = (Made(BY_NAME["cut"], 2, 0, 50.0), Made(BY_NAME["lead"], 0, 2, NAN))
    audit = audit_scores(AuditTexts(Corpus(), pairs, made), [table])
    assert [cell.texts for cell in audit.cells] == [1]
    assert audit.perturbations == [BY_NAME["cut"]]


VALUES = st.sampled_from([0.0, 0.25, 0.5, 1.0, NAN])
PAIRS = st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=4)
TABLES = st.lists(PAIRS, min_size=2, max_size=5)


@given(TABLES)
def test_the_share_is_that_of_a_slow_count(topics):
    (cell,) = audited({f"t{k}": pairs for k, pairs in enumerate(topics)}).cells
    drops = [a - b for pairs in topics for a, b in pairs if not math.isnan(a + b)]
    assert cell.texts == len(drops)
    if not drops:
        assert math.isnan(cell.share.value)
        return
    points = [1.0 if drop > 0 else 0.5 if drop == 0 else 0.0 for drop in drops]
    numbers = cell.share.value, cell.ties, cell.drop.value
    expected = sum(points), drops.count(0), sum(drops)
    assert numbers == pytest.approx([total / len(drops) for total in expected], abs=1e-12)


def test_the_interval_is_that_of_topics_drawn_one_by_one():
    """Summaries of a topic are drawn together; percentiles of as many draws of a plain loop."""
    rng = np.random.default_rng(5)
    sizes = rng.integers(1, 6, 20)
    values = [rng.normal(0.4, 0.05, size) + rng.normal(0, 0.2) for size in sizes]
    topics = [[(0.5, float(value)) for value in of_topic] for of_topic in values]
    (cell,) = audited({f"t{k}": pairs for k, pairs in enumerate(topics)}, draws=4000).cells
    points = [np.array([(b < a) + (a == b) / 2 for a, b in pairs]) for pairs in topics]
    draws = rng.integers(0, 20, (2000, 20))
    shares = [np.concatenate([points[k] for k in drawn]).mean() for drawn in draws]
    low, high = np.percentile(shares, [2.5, 97.5])
    # The ends of 2,000 draws spread by about 0.006 here: the density at the ends is about 0.6.
    assert (cell.share.low, cell.share.high) == pytest.approx((low, high), abs=0.025)
    # Were summaries drawn by themselves, the interval would be clearly narrower.
    pooled = np.concatenate(points)
    alone = pooled[rng.integers(0, len(pooled), (1000, len(pooled)))].mean(axis=1)
    assert np.ptp(np.percentile(alone, [2.5, 97.5])) < 0.8 * (cell.share.high - cell.share.low)


# --- Scores and judgments of others for the texts of an audit -------------------------------------


@pytest.fixture(scope="module")
def texts(demo):
    return perturb(demo, perturbations_named(["shuffled", "cut"]), limit=5)


COLUMNS = [Column(judge, name) for judge in ("qwen", "llama") for name in ("style", "relevance")]


def judged(texts, value):
    """A line for every text, judge and dimension, as judges write them."""
    return [
        {"topic": row["id"], "author": row["system"], "judge": column.metric,
         "dimension": column.value, "value": value(row)}
        for row in texts.rows()
        for column in COLUMNS
    ]  # fmt: skip


def write_lines(path, lines):
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def test_scores_in_a_file_have_a_column_per_metric_and_judgments_a_mean(texts, tmp_path):
    table = summetry.evaluate(texts.corpus, ["rouge-1", "cosine"])
    write_scores(table, tmp_path / "scores.csv")
    read, notes = scored_table(tmp_path / "scores.csv", texts)
    assert [(c.metric, c.value) for c in read.columns] == [("rouge-1", "f"), ("cosine", "value")]
    assert notes == [] and len(read) == len(table)
    # Repeated judgments are averaged.
    marks = [("a", "j1", 2), ("a", "j1", 5), ("a", "j2", 1), ("b", "j2", 3)]
    judgments = tuple(Judgment("t", author, judge, "fluency", v) for author, judge, v in marks)
    table = judged_table(Corpus(judgments=judgments))
    assert table.columns == (Column("j1", "fluency"), Column("j2", "fluency"))
    assert [row.author for row in table.rows] == ["a", "b"]
    np.testing.assert_array_equal(table.data, [[3.5, 1.0], [np.nan, 3.0]])


def test_judgments_have_a_column_per_judge_and_dimension(texts, tmp_path):
    path = tmp_path / "judgments.jsonl"
    write_lines(path, judged(texts, lambda row: 1 if row["perturbation"] == "shuffled" else 4))
    read, notes = scored_table(path, texts)
    assert notes == []
    assert set(read.columns) == set(COLUMNS)
    values = {}
    for row, data in zip(read.rows, read.data, strict=True):
        values.setdefault(row.author.partition("~")[2], set()).update(data.tolist())
    assert values == {"": {4.0}, "shuffled": {1.0}, "cut": {4.0}}


def test_what_is_missing_and_what_is_more_is_said(texts, tmp_path, demo):
    lines = [line for line in judged(texts, lambda row: 3) if "~cut" not in line["author"]]
    path = tmp_path / "judged.jsonl"
    write_lines(path, [*lines, lines[0] | {"author": "gpt"}])
    _, notes = scored_table(path, texts)
    pairs, rest = "no scores for 5 of 10 pairs", "scores of 1 other text, which are not used"
    assert notes == [f"{path} has {pairs}", f"{path} has {rest}"]
    # Scores of other texts are refused.
    table = summetry.evaluate(demo, ["rouge-1"])
    message = r"the table: expected scores of \w+ and \w+~shuffled on the topic t0\d, and so on, "
    message += "found careful on t01; score the texts that `summetry audit --write-texts` writes"
    with pytest.raises(SummetryError, match=message):
        scored_table(table, texts)
    with pytest.raises(SummetryError, match=r"none\.csv: no such file or folder"):
        scored_table(tmp_path / "none.csv", texts)
