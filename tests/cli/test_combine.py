"""``summetry combine``: weights, what they are worth, the spelling, and mistakes."""

import csv
import json
import shlex

import numpy as np
import pytest
from command_line import succeed

import summetry
from summetry.formats.scores import read_scores, write_scores
from summetry.metaeval.combination import combine_columns
from summetry.metaeval.cross_validation import CombineSettings
from summetry.metaeval.grids import grid_of, judgments_of
from summetry.records.scores import Column, Row, ScoreTable

BOTH = "scores.csv --judgments marks.csv -m cosine -m BE-HM"


@pytest.fixture
def small(here):
    """Four systems on two topics; the marks are 10 + 2 x + 3 y, as in tests/metaeval."""
    x, y = [1, 1, 0, 0, 2, 2, 0, 2], [0, 0, 2, 0, 2, 2, 1, 1]
    rows = [Row("no_models", f"t{t}", who, "candidate") for who in "abcd" for t in range(2)]
    data = np.array([x, y], np.float64).T
    columns = (Column("cosine", "value"), Column("BE-HM", "score"))
    write_scores(ScoreTable(tuple(rows), columns, data), here / "scores.csv")
    for name, numbers in (("marks", 10 + 2 * data[:, 0] + 3 * data[:, 1]), ("other", -data[:, 0])):
        lines = [f"{row.topic},{row.author},quality,{number}"
                 for row, number in zip(rows, numbers, strict=True)]  # fmt: skip
        (here / f"{name}.csv").write_text("\n".join(["topic,author,dimension,value", *lines]))
    return here


def combined(line):
    return succeed("combine", *shlex.split(line))


def weights(done):
    return {row["metric"]: row["weight"] for row in done.json["weights"]["rows"]}


def test_tables_of_what_follows_the_judgments_gains_nothing_or_does_not_follow(small, shows):
    """A metric of another program cannot be scored here, so the sum cannot be spelt."""
    text = (small / "scores.csv").read_text()
    (small / "gaps.csv").write_text(text.replace("t0,a,1.0", "t0,a,inf"))
    shows(
        f"combine {BOTH} --draws 20 -o out/c.csv",
        f"combine {BOTH} --level summary --coefficient tau_b --folds 2 --seed 1 --draws 5",
        "combine scores.csv --judgments marks.csv -m cosine --draws 5",
        "combine scores.csv --judgments other.csv -m cosine --draws 5",
        "combine gaps.csv --judgments marks.csv -m cosine --draws 5",
        f"combine {BOTH} --exclude d --draws 5",
    )
    with (small / "out" / "c.csv").open(newline="") as file:
        assert [float(row["weight"]) for row in csv.DictReader(file)] == [2, 3]
    assert combined(f"{BOTH} --draws 5 --json -o c.json").json["spelling"] is None
    output = json.loads((small / "c.json").read_text())
    assert list(output) == ["settings", "spelling", "weights", "gain"]


@pytest.mark.parametrize("level", ["system", "summary"])
def test_json_has_what_the_functions_give(corpus, level):
    """Grammaticality is marked with letters; a metric without a pick is its main value."""
    line = f"corpus --dimension grammaticality --level {level} --draws 9 --coefficient tau_b --json"
    output = combined(f"{line} -m lcs,js_divergence,lcs.f").json
    demo = summetry.load(corpus)
    grid = grid_of(summetry.evaluate(demo, ["lcs.f", "js_divergence"]))
    marks = judgments_of(demo, "grammaticality", grid)
    expected = combine_columns(grid, marks, CombineSettings(level, "tau_b", draws=9))
    rows = output["weights"]["rows"]
    assert [row["metric"] for row in rows] == ["lcs.f", "js_divergence"]
    assert [row["weight"] for row in rows] == expected.fit.raw.tolist()
    gains = (expected.gain, expected.hindsight)
    for row, gain in zip(output["gain"]["rows"], gains, strict=True):
        assert (row["single"], row["combination"], row["p"]) == pytest.approx(tuple(gain))
    assert output["settings"] == {
        "dimension": "grammaticality", "protocol": "no_models", "level": level,
        "coefficient": "tau_b", "folds": 5, "draws": 9, "seed": 0,
    }  # fmt: skip


@pytest.mark.parametrize(("protocol", "summaries"), [("no_models", 18), ("all_peers", 27)])
def test_the_spelling_is_a_metric_for_score(corpus, here, protocol, summaries):
    options = f"--dimension grammaticality --protocol {protocol} --json --draws 2"
    spelt = combined(f"corpus {options} -m npower,lcs").json["spelling"]
    succeed("score", "corpus", "-m", spelt, "--protocol", protocol, "-o", "sum.csv")
    table = read_scores(here / "sum.csv")
    assert [column.metric for column in table.columns] == [spelt] and len(table) == summaries
    # Fitted to the marks, it is on their scale: letters are 1 to 5.
    assert 1 < np.nanmean(table.data) < 5
    # And it can be combined again, from the file too.
    again = combined(f"sum.csv --judgments corpus {options} -m {shlex.quote(spelt)}")
    assert list(weights(again).values()) == [pytest.approx(1, abs=0.01)]


def test_mistakes(small, corpus, refuses):
    protocols = ("no_models", "all_peers")
    rows = "".join(f"{p},t{t},{s},{t}\n" for p in protocols for t in "01" for s in "abcd")
    (small / "both.csv").write_text(f"protocol,id,system,x\n{rows}")
    refuses(f"""
        combine {BOTH} --folds 1
        combine {BOTH} --draws 0
        combine {BOTH} --level global
        combine {BOTH} --coefficient kendall
        combine {BOTH} --exclude a --exclude b
        combine {BOTH} -o marks.csv
        combine nothing.csv -m cosine -o c.doc
        combine scores.csv --judgments marks.csv
        combine scores.csv --judgments marks.csv -m rouge
        combine corpus -m cosine
        combine corpus -m lcs --dimension grammaticality --dimension responsiveness
        combine corpus -m lcs --protocol no_models --protocol all_peers
        combine both.csv --judgments marks.csv -m x
    """)
