"""Trials of encoders, of HPG's theta and of content units: on made-up rows, and on their pages."""

import csv
import json
import re
from argparse import Namespace
from itertools import product
from pathlib import Path

import encoder_trial
import hpg_theta
import numpy as np
import pytest
import units

from summetry.metrics.graphs.hpg import hpg

DOCS = Path(__file__).parents[2] / "docs"
HPG = DOCS / "metrics" / "hpg.md"
TEXTS = {
    "same": "the ferry hit a pier in fog and nobody was hurt",
    "near": "the ferry hit a pier in fog and somebody died",
    "far": "xx yy zz",
}


def rows_of(judge):
    """Two topics with the same texts; what people say is made of the value."""
    reference = TEXTS["same"]
    return [
        {"id": topic, "system": system, "summary": text, "references": [reference],
         "judgments": {"quality": judge(hpg(text, reference, theta=0.5).value, topic)}}
        for topic in ("t1", "t2")
        for system, text in TEXTS.items()
    ]  # fmt: skip


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_levels_and_value_are_those_of_the_metric():
    rows = rows_of(lambda value, _: value)
    found = hpg_theta.score_levels(rows, 0.8)
    expected = [hpg(row["summary"], row["references"][0], theta=0.8) for row in rows]
    assert found["value"].tolist() == pytest.approx([each.value for each in expected])
    for level in range(1, 6):
        each = [one.levels[level - 1] for one in expected]
        assert found[f"level {level}"].tolist() == pytest.approx(each)
    # The mean over references is taken.
    row = {"summary": "abcdefgh", "references": ["abcdefgh", "uvwxyz"]}
    found = hpg_theta.score_levels([row], 1)
    assert {name: values.tolist() for name, values in found.items()} == {
        "value": [0.5], **{f"level {level}": [0.5] for level in range(1, 6)},
    }  # fmt: skip


def test_judgments_that_follow_the_value_correlate_with_it_perfectly():
    options = Namespace(theta=[0.5, 1], resamples=20, seed=0)
    judges = (lambda value, _: 2 * value + 1), (lambda value, _: -value)
    rising, falling = (list(hpg_theta.measure(rows_of(judge), options)) for judge in judges)
    assert [row["theta"] for row in rising] == [0.5, 1]
    for level in ("system", "summary"):
        assert rising[0][f"{level} r"] == pytest.approx(1)
        assert falling[0][f"{level} tau-b"] == pytest.approx(-1)
    # Of the three texts the first matches on all levels, the last on none.
    assert rising[1]["level 5"] == pytest.approx(100 / 3)
    assert rising[0]["level 2"] == pytest.approx(200 / 3)


def test_the_script_writes_and_prints_a_row_for_each_theta(tmp_path, capsys):
    path = write(tmp_path / "rows.jsonl", rows_of(lambda value, topic: value + len(topic)))
    out = tmp_path / "theta.csv"
    code = hpg_theta.main([str(path), "--out", str(out), "--resamples", "5", "--topics", "1"])
    assert code == 0
    with out.open(encoding="utf-8") as file:
        written = list(csv.DictReader(file))
    assert [float(row["theta"]) for row in written] == [1, 0.9, 0.8, 0.5, 0.3, 0.2]
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 1 + 6 + 1 and printed[-1] == f"written to {out}"


@pytest.mark.slow
def test_the_table_on_the_page_is_what_realsumm_gives(realsumm_rows):
    """The row of exact stars."""
    options = Namespace(theta=[1], resamples=1000, seed=0)
    (found,) = hpg_theta.measure(realsumm_rows, options)
    row = re.search(r"^\| 1 \| ([^\n]*) \|$", HPG.read_text("utf-8"), re.MULTILINE)[1]
    printed = [float(number) for number in re.findall(r"-?[0-9]+\.?[0-9]*", row.replace("−", "-"))]
    levels = [found[f"level {level}"] for level in range(2, 6)]
    names = ("r", "low", "high", "tau-b")
    numbers = [found[f"{level} {name}"] for level in ("system", "summary") for name in names]
    assert printed == pytest.approx([*np.round(levels), *np.round(numbers, 2)], abs=1e-9)


ENCODERS = DOCS / "encoders.md"
ORDERED = {
    "t1": {"same": "the ferry hit a pier", "near": "the ferry hit a quay",
           "far": "nobody was hurt"},
    "t2": {"same": "services resume here", "near": "services resume in fog", "far": "a boat"},
}  # fmt: skip
ORDER = {"same": 3, "near": 2, "far": 1}


def made_up_rows():
    """Two topics; the judgments have the order of the texts."""
    return [
        {"id": topic, "system": system, "summary": text, "references": [texts["same"]],
         "judgments": {"quality": ORDER[system]}}
        for topic, texts in ORDERED.items()
        for system, text in texts.items()
    ]  # fmt: skip


def test_the_script_writes_a_row_for_each_metric(tmp_path, static_vectors, capsys):
    path = write(tmp_path / "rows.jsonl", made_up_rows())
    out = tmp_path / "trial.csv"
    arguments = [str(path), "--path", str(static_vectors), "--out", str(out), "--resamples", "5"]
    assert encoder_trial.main(arguments) == 0
    with out.open(encoding="utf-8") as file:
        written = {row["metric"]: row for row in csv.DictReader(file)}
    assert list(written) == list(encoder_trial.METRICS)
    for name in ("ROUGE-1 F", "greedy_match recall", "greedy_match F", "greedy_match F, idf"):
        assert float(written[name]["system tau-b"]) == pytest.approx(1), name
    assert len(capsys.readouterr().out.splitlines()) == 2 + len(written) + 1


PARTS = ("r", "low", "high", "tau-b")


@pytest.mark.parametrize(
    ("resamples", "parts"), [(2, ("r", "tau-b")), pytest.param(1000, PARTS, marks=pytest.mark.slow)]
)
def test_the_rows_of_rouge_on_the_page_are_what_realsumm_gives(realsumm_rows, resamples, parts):
    text = ENCODERS.read_text(encoding="utf-8").partition("REALSumm, content units:")[2]
    metrics = {name: encoder_trial.METRICS[name] for name in ("ROUGE-1 F", "ROUGE-2 recall")}
    options = Namespace(resamples=resamples, seed=0)
    for found in encoder_trial.measure(realsumm_rows, metrics, options):
        row = re.search(rf"^\| {found['metric']} \| (.*) \|$", text, re.MULTILINE)[1]
        numbers = iter(re.findall(r"-?[0-9.]+", row))
        for level in ("system", "summary"):
            for part in PARTS:
                number = float(next(numbers))
                if part in parts:
                    expected = round(found[f"{level} {part}"], 3)
                    assert number == pytest.approx(expected, abs=1e-9), (level, part)
        assert next(numbers, None) is None


UNITS_PAGE = DOCS / "metrics" / "units.md"
UNITS = ["the ferry sank", "there was fog", "nobody was hurt"]
SUMMARIES = {
    "all": ["A ferry sank in fog .", "Nobody was hurt ."],
    "some": ["A ferry sank .", "There was a party ."],
    "none": ["A party ."],
}
SAID = {"all": [1, 1, 1], "some": [1, 0, 0], "none": [0, 0, 0]}
MARKS = {"all": 5.0, "some": 3.0, "none": 1.0}


@pytest.fixture
def data(tmp_path):
    """Four topics with the same texts, in which words and marks agree."""
    folder = tmp_path / "data"
    for name in ("realsumm", "summeval"):
        (folder / name).mkdir(parents=True)
    scus = [{"id": place, "text": text} for place, text in enumerate(UNITS)]
    source = "A ferry sank in fog. Nobody was hurt."
    reference = ["A ferry sank in fog , and nobody was hurt ."]
    write(folder / "realsumm/docs.jsonl", [{"doc_id": topic, "scus": scus} for topic in range(4)])
    write(folder / "summeval/docs.jsonl", [{"doc_id": n, "source": source} for n in range(4)])
    of_units, of_marks = [], []
    for topic, (system, sentences) in product(range(4), SUMMARIES.items()):
        head = {"doc_id": topic, "system": system}
        votes = {"scu_labels": SAID[system], "scu_votes": [SAID[system]] * 3}
        of_units.append(head | {"summary_sents": sentences, "reference_sents": reference} | votes)
        marks = {"expert_mean": {"consistency": MARKS[system]}}
        of_marks.append(head | {"summary": "\n".join(sentences)} | marks)
    write(folder / "realsumm/summaries.jsonl", of_units)
    write(folder / "summeval/summaries.jsonl", of_marks)
    return folder


def test_the_tables_are_written_to_the_page_and_to_files(data, tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{units.BEGIN}\nold figures\n{units.END}\nafter\n", encoding="utf-8")
    arguments = [str(data), "--page", str(page), "--out", str(tmp_path), "--folds", "2"]
    assert units.main([*arguments, "--resamples", "20"]) == 0
    assert f"wrote {page}" in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{units.BEGIN}\n") and text.endswith(f"{units.END}\nafter\n")
    assert "old figures" not in text and "whose own agreement is 1.000" in text
    rules, rows = (
        list(csv.DictReader((tmp_path / f"units-{name}.csv").read_text().splitlines()))
        for name in ("rules", "support")
    )
    assert len(rules) == len(units.RULES)
    assert float(rules[0]["kappa"]) == 1.0 and float(rules[0]["system r"]) == pytest.approx(1)

    # 0, 1/2 and all of the sentences are new, and people say 5, 3 and 1.
    assert {round(float(row["unsupported"]), 12) for row in rows} == {0.5}
    assert all(float(row["summary r"]) == pytest.approx(-1) for row in rows)


@pytest.mark.slow
def test_the_page_shows_what_the_script_gives_for_public_data(real_data):
    realsumm = units.Realsumm(real_data("realsumm"))
    options = units.parse([".", "--resamples", "1"])
    first = next(realsumm.rules(options))
    page = UNITS_PAGE.read_text("utf-8")
    shown = re.search(r"^\| overlap \| mean of both \|.*$", page, re.M)[0]
    cells = [cell.strip() for cell in shown.strip("|").split("|")]
    assert cells[3] == first["thresholds"] == "0.6"
    names = ("kappa", "by unit", "system r", "system tau-b", "summary r", "summary tau-b")
    written = [cells[4], *cells[7:]]
    assert written == [f"{first[name]:.3f}" for name in names]
    assert f"own agreement is {realsumm.people():.3f}" in page
