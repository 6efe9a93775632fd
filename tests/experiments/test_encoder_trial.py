"""The trial of encoders: the whole on made-up rows, and the rows of its tables that need none."""

import csv
import json
import re
from argparse import Namespace
from pathlib import Path

import encoder_trial
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "encoders.md"
TEXTS = {
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
        for topic, texts in TEXTS.items()
        for system, text in texts.items()
    ]  # fmt: skip


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


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


def test_a_folder_that_is_not_there_is_told(tmp_path, capsys):
    path = write(tmp_path / "rows.jsonl", made_up_rows())
    assert encoder_trial.main([str(path), "--path", str(tmp_path / "none")]) == 2
    assert "there is no folder" in capsys.readouterr().err
    empty = write(tmp_path / "empty.jsonl", [])
    assert encoder_trial.main([str(empty), "--path", "x"]) == 2
    assert "expected summaries, found none" in capsys.readouterr().err


PARTS = ("r", "low", "high", "tau-b")


@pytest.mark.parametrize(
    ("resamples", "parts"), [(2, ("r", "tau-b")), pytest.param(1000, PARTS, marks=pytest.mark.slow)]
)
def test_the_rows_of_rouge_on_the_page_are_what_realsumm_gives(realsumm_rows, resamples, parts):
    text = PAGE.read_text(encoding="utf-8").partition("REALSumm, content units:")[2]
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
