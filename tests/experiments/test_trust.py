"""The page on trust: its numbers against slow ones, and whether the page is true."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import trust
from scipy.stats import kendalltau

import summetry

DATA = Path(__file__).parents[3] / "shared" / "data"


def test_drawn_coefficients_are_those_of_the_drawn_means():
    drawn = np.random.default_rng(1)
    table, people = drawn.random((6, 9)), drawn.integers(1, 6, (6, 9)).astype(float)
    table[2, 3] = np.nan
    counts = drawn.multinomial(9, np.full(9, 1 / 9), size=20)
    found = trust._drawn_taus(table, people, counts)
    for tau, count in zip(found, counts, strict=True):
        topics = np.repeat(np.arange(9), count)
        means = np.nanmean(table[:, topics], axis=1), people[:, topics].mean(axis=1)
        assert tau == pytest.approx(kendalltau(*means).statistic, abs=1e-12)


def test_a_constant_has_no_order():
    people = np.random.default_rng(2).random((4, 5))
    counts = np.ones((3, 5), int)
    assert trust._drawn_taus(np.ones((4, 5)), people, counts).tolist() == [0, 0, 0]


def test_one_is_above_another_if_nearly_all_draws_say_so():
    counts = np.random.default_rng(3).multinomial(40, np.full(40, 1 / 40), size=500)
    low, noise = np.zeros(40), np.random.default_rng(4).normal(0, 1, 40)
    assert trust._is_above(low + 0.5, low, counts)
    assert not trust._is_above(low, low, counts)
    assert not trust._is_above(low, low + 0.5, counts)
    assert not trust._is_above(noise - noise.mean() + 0.1, low, counts)
    gone = np.where(np.arange(40) < 35, np.nan, 1.0)
    assert trust._is_above(gone, low, counts)


def test_rows_are_best_first_and_null_judges_last():
    rows = [
        trust.Trust("(random)", 0.3, np.nan, np.nan, 0.04, -2.4, -1.6),
        trust.Trust("weak_one", 0.1, -0.1, 0.3, 0.05, 0.4, -0.4, ("(length alone)", "(random)")),
        trust.Trust("strong", 0.7, 0.5, 0.9, 0.4, 30.2, 18.6),
        trust.Trust("(constant)", np.nan, 0.0, 0.0, np.nan, 0.0, 0.0),
    ]
    assert trust.dimension_table(rows).splitlines()[2:] == [
        "| strong | 0.70 | 0.50 to 0.90 | 0.40 | 30 | 19 |  |",
        "| weak\\_one | 0.10 | -0.10 to 0.30 | 0.05 | 0 | 0 | length, random |",
        "| (random) | 0.30 |  | 0.04 | -2 | -2 |  |",
        "| (constant) |  |  |  | 0 | 0 |  |",
    ]


def test_what_cannot_be_seen_is_listed_and_what_is_preferred_is_marked():
    candidate = "The ferry hit the pier. Nobody was hurt. It sails again in May."
    rows = [
        {"id": str(n), "system": "x", "candidate": f"{candidate} Number {n} was late.",
         "reference": f"A ferry hit a pier and number {n} was late. It sails in May.",
         "source": f"{candidate} Fog was thick over {n} ports. The captain slept."}
        for n in range(12)
    ]  # fmt: skip
    audit = summetry.audit(summetry.load(rows), ["rouge-1.f", "rouge-1.recall"], draws=200)
    spots = trust.blind_spots(audit)
    assert set(spots) == {"rouge-1", "rouge-1.recall"}
    assert {"shuffled", "word salad"} <= set(spots["rouge-1"])
    assert not {"lead", "reference", "other topic"} & {one.strip("!") for one in spots["rouge-1"]}
    table = trust.blind_table({"realsumm": spots, "summeval": {**spots, "rouge-1": []}})
    assert table.splitlines()[0] == "| metric | REALSumm | SummEval |"
    assert re.search(r"\| rouge-1 \| .*word salad.* \| sees all \|", table)


@pytest.mark.skipif(not DATA.is_dir(), reason="the public corpora are not here")
def test_the_page_has_the_coefficients_that_scipy_finds():
    page = trust.PAGE.read_text(encoding="utf-8")
    part = page.split("<!-- summeval relevance -->")[1].split("<!-- end")[0]
    (cells,) = (row.split(" | ") for row in part.splitlines() if row.startswith("| rouge-2 |"))
    folder = DATA / "summeval"
    docs, rows = (
        [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]
        for name in ("docs.jsonl", "summaries.jsonl")
    )
    references = {doc["doc_id"]: doc["references"] for doc in docs}
    scores = summetry.score([row["summary"] for row in rows],
                            [references[row["doc_id"]] for row in rows], "rouge-2",
                            language="en")["rouge-2"].f  # fmt: skip
    marks = [row["expert_mean"]["relevance"] for row in rows]
    by_system, by_topic = {}, {}
    for row, score, mark in zip(rows, scores, marks, strict=True):
        by_system.setdefault(row["system"], []).append((score, mark))
        by_topic.setdefault(row["doc_id"], []).append((score, mark))
    means = np.array([np.mean(pairs, axis=0) for pairs in by_system.values()])
    within = [kendalltau(*np.array(pairs).T).statistic for pairs in by_topic.values()]
    assert float(cells[1]) == pytest.approx(kendalltau(*means.T).statistic, abs=0.0051)
    assert float(cells[3]) == pytest.approx(np.nanmean(within), abs=0.0051)
