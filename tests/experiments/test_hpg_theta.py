"""The experiment on HPG's theta: its parts by hand, the whole on made-up rows, and on REALSumm."""

import csv
import json
import re
from argparse import Namespace
from pathlib import Path

import hpg_theta
import numpy as np
import pytest

from summetry.metrics.graphs.hpg import hpg

PAGE = Path(__file__).parents[2] / "docs" / "metrics" / "hpg.md"
TEXTS = {
    "same": "the ferry hit a pier in fog and nobody was hurt",
    "near": "the ferry hit a pier in fog and somebody died",
    "far": "xx yy zz",
}


def rows_of(judge):
    """Two topics with the same texts; what people say is made of the value."""
    return [
        {
            "id": topic,
            "system": system,
            "summary": text,
            "references": [TEXTS["same"]],
            "judgments": {"quality": judge(hpg(text, TEXTS["same"], theta=0.5).value, topic)},
        }
        for topic in ("t1", "t2")
        for system, text in TEXTS.items()
    ]


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


def test_the_mean_over_references_is_taken():
    row = {"summary": "abcdefgh", "references": ["abcdefgh", "uvwxyz"]}
    found = hpg_theta.score_levels([row], 1)
    assert {name: values.tolist() for name, values in found.items()} == {
        "value": [0.5], **{f"level {level}": [0.5] for level in range(1, 6)},
    }  # fmt: skip


def test_judgments_that_follow_the_value_correlate_with_it_perfectly():
    options = Namespace(theta=[0.5, 1], resamples=20, seed=0)
    rising, falling = (
        list(hpg_theta.measure(rows_of(judge), options))
        for judge in (lambda value, _: 2 * value + 1, lambda value, _: -value)
    )
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


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "expected summaries, found none"),
        ([{"id": 1, "system": "a"}], ":1: expected the fields .*; there is no summary, references"),
    ],
)
def test_what_is_missing_is_told(rows, message, tmp_path, capsys):
    path = write(tmp_path / "rows.jsonl", rows)
    assert hpg_theta.main([str(path), "--out", str(tmp_path / "t.csv")]) == 2
    assert re.search(message, capsys.readouterr().err)


@pytest.mark.slow
def test_the_table_on_the_page_is_what_realsumm_gives(realsumm_rows):
    """The row of exact stars."""
    options = Namespace(theta=[1], resamples=1000, seed=0)
    (found,) = hpg_theta.measure(realsumm_rows, options)
    row = re.search(r"^\| 1 \| ([^\n]*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)[1]
    printed = [float(number) for number in re.findall(r"-?[0-9]+\.?[0-9]*", row.replace("−", "-"))]
    levels = [found[f"level {level}"] for level in range(2, 6)]
    names = ("r", "low", "high", "tau-b")
    numbers = [found[f"{level} {name}"] for level in ("system", "summary") for name in names]
    assert printed == pytest.approx([*np.round(levels), *np.round(numbers, 2)], abs=1e-9)
