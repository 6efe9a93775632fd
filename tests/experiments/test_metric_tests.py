"""The simulation of tests of two metrics: what is drawn, and its table."""

import csv

import metric_tests
import numpy as np
import pytest
from metric_tests import Size


def variances(kind, level, size, metric):
    """Of what disturbs the points of a coefficient: by hand for each level."""
    system, topic, noise = (each[metric] ** 2 for each in metric_tests._sizes(kind, level, size))
    return {
        "system": system + noise / size.topics,
        "summary": system + noise,
        "global": system + topic + noise,
        "per_system": topic + noise,
    }[level]


@pytest.mark.parametrize("level", ["system", "summary", "global", "per_system"])
@pytest.mark.parametrize("kind", metric_tests.KINDS)
def test_only_the_metric_that_is_worse_is_disturbed_more(kind, level):
    for size in (Size(6, 9), Size(16, 100)):
        first, second = (variances(kind, level, size, metric) for metric in (0, 1))
        assert second == pytest.approx(first) if kind != "worse" else second > 2 * first


def test_errors_are_of_systems_and_topics_and_may_be_shared():
    """Of 400 x 400 cells means over topics leave the errors by system; variances by numpy."""
    size = Size(400, 400)

    def errors(kind):
        *metrics, _ = metric_tests.data_set(kind, "system", size, np.random.default_rng(1))
        first, second = (metric.mean(axis=1) for metric in metrics)
        people = metric_tests.data_set("none", "system", size, np.random.default_rng(1))[2]
        quality = people.mean(axis=1)
        return first - quality, second - quality

    alone, shared, none = map(errors, ("independent", "shared", "none"))
    assert np.std(alone) == pytest.approx(0.7, rel=0.1)
    assert abs(np.corrcoef(*alone)[0, 1]) < 0.15
    assert np.corrcoef(*shared)[0, 1] == pytest.approx(0.7, abs=0.1)
    assert np.std(none) < 0.1


def test_the_table_has_every_test_and_marks_the_default(tmp_path, capsys, monkeypatch):
    tested = {("system", "pearson"): ("cells", "williams"), ("global", "pearson"): ("jackknife",)}
    monkeypatch.setattr(metric_tests, "TESTED", tested)
    typed = ["--sizes", "4x3,5x4", "--sets", "4", "--draws", "19", "--out", str(tmp_path / "out")]
    assert metric_tests.main(typed) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "| level | coefficient | test | 4x3 | 5x4 | all kinds | worse |"
    assert [line.split(" | ")[2] for line in lines[2:5]] == [
        "cells",
        "**williams**",
        "**jackknife**",
    ]
    with (tmp_path / "out" / "shares.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 * 2 * len(metric_tests.KINDS)
    assert {float(row["share"]) for row in rows} <= {0, 0.25, 0.5, 0.75, 1}
    (first,) = (
        r for r in rows if (r["test"], r["size"], r["kind"]) == ("cells", "4x3", "independent")
    )
    assert lines[2].split(" | ")[3] == f"{float(first['share']):.2f}".removeprefix("0")
    with pytest.raises(SystemExit):
        metric_tests.main(["--sizes", "6"])
    assert "expected systems x topics, such as 6x9,10x30, got 6" in capsys.readouterr().err
