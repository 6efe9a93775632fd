"""Whether pages are true: published results, what metrics see, and how far to trust them."""

import json
import re
from collections import defaultdict
from itertools import product
from pathlib import Path

import audit
import numpy as np
import pytest
import reproduce
import trust
from scipy.stats import kendalltau

import summetry

METRICS = ["rouge-1", "rouge-2", "memog", "js_divergence"]


def write_lines(path, rows):
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


@pytest.fixture
def data(tmp_path):
    """Both corpora in small: two articles, two systems."""
    source = "The ferry hit the pier at noon. Nineteen people were hurt. It will sail in 2015. Ok."
    references = ["A ferry hit a pier .", "Many were hurt ."]
    corpora = {"realsumm": ([1, 2], "reference_sents"), "summeval": (["a", "b"], "references")}
    for name, (ids, key) in corpora.items():
        rows = []
        for i, system in product(ids, "xy"):
            text = [f"{system} says that the ferry is late .", "It hit 3 piers in 2014 ."]
            summary = {"summary_sents": text, "summary": " ".join(text)}
            rows.append({"doc_id": i, "system": system} | summary)
        docs = [{"doc_id": i, "source": source, key: references} for i in ids]
        write_lines(tmp_path / name / "docs.jsonl", docs)
        write_lines(tmp_path / name / "summaries.jsonl", rows)
    return tmp_path


def test_the_whole_run_writes_numbers_and_pictures_and_fills_the_page(
    data, tmp_path, monkeypatch, capsys
):
    page = tmp_path / "page.md"
    names = ("realsumm", "summeval", "texts")
    markers = "\n\n".join(f"<!-- {n} -->\nold\n<!-- end of {n} -->\nAfter {n}." for n in names)
    page.write_text(f"# Title\n\n{markers}\n", encoding="utf-8")
    monkeypatch.setattr(audit, "PAGE", page)
    out = tmp_path / "out"
    options = ["--data", data, "--out", out, "--draws", "50", "--limit", "4", "--page"]
    assert audit.main([str(option) for option in options]) == 0, capsys.readouterr().err
    filled = page.read_text(encoding="utf-8")
    assert "old" not in filled and "After realsumm." in filled
    assert "| rouge-1 |" in filled and "| hpg |" in filled and "| `word_salad` |" in filled
    cells = json.loads((out / "summeval.json").read_text())["cells"]
    assert {cell["perturbation"] for cell in cells} >= {"number", "negation", "reference"}
    assert (out / "realsumm.svg").read_text().startswith("<svg")


def page_rows(name):
    """The shares of the page as it is printed, by metric and perturbation."""
    page = audit.PAGE.read_text(encoding="utf-8")
    table = page.split(f"<!-- {name} -->")[1].split(f"<!-- end of {name} -->")[0]
    rows = [re.split(r" *\| *", line)[1:-1] for line in table.strip().splitlines()]
    heads = [cell.replace(" ", "_") for cell in rows[0]]
    return {
        (row[0].replace("\\", ""), head): cell
        for row in rows[2:]
        for head, cell in zip(heads[1:], row[1:], strict=True)
    }


def test_the_page_has_every_perturbation_and_metric_that_can_run():
    names = {one.name for one in audit.PERTURBATIONS}
    more = {"hpg", "lsa_main_topic", "rouge-su4", "retention", "lcs"}
    for name in ("realsumm", "summeval"):
        metrics, perturbations = map(set, zip(*page_rows(name), strict=True))
        assert perturbations == names and {*METRICS, *more} <= metrics


@pytest.mark.parametrize(
    ("name", "metrics", "perturbations"),
    [
        ("summeval", ["rouge-1"], ["negation"]),
        *[pytest.param(name, METRICS, ["cut", "negation", "word_salad"], marks=pytest.mark.slow)
          for name in audit.READERS],
    ],
)  # fmt: skip
def test_the_table_on_the_page_is_what_the_corpora_give(real_data, name, metrics, perturbations):
    corpus = audit.READERS[name](real_data(name))
    found = summetry.audit(corpus, metrics, perturbations=perturbations, limit=audit.LIMIT)
    rows, printed = page_rows(name), found.report().splitlines()
    for metric in metrics:
        (line,) = [line for line in printed if line.startswith(f"{metric} ")]
        cells = re.findall(r"\d\.\d\d(?: [?!])?", line.removeprefix(metric))
        assert cells == [rows[metric, perturbation] for perturbation in perturbations], metric


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
    # A constant has no order.
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
        [json.loads(line) for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines()]
        for name in ("docs", "summaries")
    )
    references = {doc["doc_id"]: doc["references"] for doc in docs}
    texts = [row["summary"] for row in rows], [references[row["doc_id"]] for row in rows]
    scores = summetry.score(*texts, "rouge-2", language="en")["rouge-2"].f
    by_system, by_topic = defaultdict(list), defaultdict(list)
    for row, score in zip(rows, scores, strict=True):
        pair = score, row["expert_mean"]["relevance"]
        by_system[row["system"]].append(pair)
        by_topic[row["doc_id"]].append(pair)
    means = np.array([np.mean(pairs, axis=0) for pairs in by_system.values()])
    within = [kendalltau(*np.array(pairs).T).statistic for pairs in by_topic.values()]
    assert float(cells[1]) == pytest.approx(kendalltau(*means.T).statistic, abs=0.0051)
    assert float(cells[3]) == pytest.approx(np.nanmean(within), abs=0.0051)


PAGE = reproduce.PAGE.read_text(encoding="utf-8")


def same_as_page(result):
    whole = result.section in PAGE and result.line in PAGE
    assert whole, f"make the page again: {result.publication}, {result.what}"


@pytest.mark.parametrize("name", reproduce.EXAMPLES)
def test_a_worked_example_is_as_the_page_says(name):
    same_as_page(reproduce.EXAMPLES[name]())


# Both corpora have texts in one line, and ROUGE-L says so.
@pytest.mark.filterwarnings("ignore:.*one long line:summetry.errors.SummetryWarning")
@pytest.mark.slow
@pytest.mark.parametrize("corpus", reproduce.CORPORA)
def test_results_on_a_corpus_are_as_the_page_says(corpus, real_data):
    for result in reproduce.results_of(corpus, real_data(corpus)):
        same_as_page(result)


def test_the_page_has_nothing_but_these_results():
    results = sum(len(results) for _, results in reproduce.CORPORA.values())
    assert PAGE.count("\n### ") == len(reproduce.EXAMPLES) + results
    counted = re.search(r"(\d+) published tables and results from (\d+) publications", PAGE)
    # What only follows from other numbers of the same print is no result of ours.
    checks = [name for name, example in reproduce.EXAMPLES.items() if example().is_check_of_print]
    assert checks == ["hassel_1", "hassel_2", "hassel_3", "kennedy_percentages"]
    assert int(counted[1]) + len(checks) == len(reproduce.EXAMPLES) + results
    assert int(counted[1]) >= 15 and int(counted[2]) >= 6


def test_the_commands_of_the_page_read_the_tables(real_data, tmp_path, capsys):
    data = str(real_data("summeval").parent)
    assert reproduce.main(["--data", data, "--tables", str(tmp_path)]) == 0
    assert "realsumm-units.csv, realsumm.jsonl" in capsys.readouterr().out
    for name in set(re.findall(r"summetry (?:score|compare|agreement) (\S+)", PAGE)):
        assert name.startswith(("--", "CORPUS")) or (tmp_path / name).exists(), name
    units = reproduce.summetry.evaluate(tmp_path / "realsumm-units.csv", ["scu_recall"])
    assert units.data.shape == (2400, 1)
