"""``summetry combine``: weights, what they are worth, the spelling, and mistakes."""

import csv
import json
import shlex

import numpy as np
import pytest
from command_line import assert_refused, run_command, succeed

import summetry
from summetry.formats.scores import read_scores, write_scores
from summetry.metaeval.combination import combine_columns
from summetry.metaeval.cross_validation import CombineSettings
from summetry.metaeval.grids import grid_of, judgments_of
from summetry.records.scores import Column, Row, ScoreTable

ASKED = ("-m", "npower.value", "-m", "js_divergence", "-m", "lcs.f")
SMALL = ("combine", "scores.csv", "--judgments", "marks.csv")
ONE = (*SMALL, "-m", "cosine")
BOTH = (*ONE, "-m", "BE-HM")


@pytest.fixture
def small(here):
    """Four systems on two topics; the marks are 10 + 2 x + 3 y, as in tests/metaeval."""
    x, y = [1, 1, 0, 0, 2, 2, 0, 2], [0, 0, 2, 0, 2, 2, 1, 1]
    rows = [Row("no_models", f"t{t}", who, "candidate") for who in "abcd" for t in range(2)]
    data = np.array([x, y], np.float64).T
    columns = (Column("cosine", "value"), Column("BE-HM", "score"))
    write_scores(ScoreTable(tuple(rows), columns, data), here / "scores.csv")
    marks = [f"{row.topic},{row.author},quality,{10 + 2 * a + 3 * b}"
             for row, a, b in zip(rows, x, y, strict=True)]  # fmt: skip
    (here / "marks.csv").write_text("\n".join(["topic,author,dimension,value", *marks]) + "\n")
    return here


def weights(done):
    return {row["metric"]: row["weight"] for row in done.json["weights"]["rows"]}


def test_the_weights_of_a_small_table(small, shows):
    """All ways to exchange four systems are 24; of these some give the marks back exactly.

    A metric of another program cannot be scored here, so the sum cannot be spelt.
    """
    shows(f"""
    {" ".join(BOTH)}
        ...
        cosine       ...  2.000000 ...
        BE-HM.score  ...  3.000000 ...

        constant 10
        not a metric that `summetry score` knows: ...
        ...
        4 systems, 2 topics, 8 summaries
        ...
        each system is a fold, 2 folds of topics
        ... (all 24
        ways)
    """)


def test_one_metric_gains_nothing(small):
    chosen, hindsight = succeed(*ONE, "--json").json["gain"]["rows"]
    assert (chosen["gain"], chosen["p"]) == (0, 1)
    # In hindsight it is better than in folds in which it does not follow the marks.
    assert hindsight["gain"] < 0 and hindsight["p"] > 0.5
    # And where it does not follow them at all, there is no combination.
    marks = [f"t{t},{who},quality,{-x}\n" for who, x in zip("abcd", (1, 0, 2, 1), strict=True)
             for t in range(2)]  # fmt: skip
    (small / "marks.csv").write_text("topic,author,dimension,value\n" + "".join(marks))
    lines = succeed(*ONE).lines
    assert "all weights are 0: no metric follows the judgments, so nothing is combined" in lines
    assert "no p: no metric follows the judgments: all weights are 0" in lines
    assert succeed(*ONE, "--json").json["spelling"] is None


@pytest.mark.parametrize("level", ["system", "summary"])
@pytest.mark.parametrize("dimension", ["responsiveness", "grammaticality"])
def test_json_has_what_the_functions_give(demo, demo_folder, level, dimension):
    """Grammaticality is marked with letters."""
    options = ("--dimension", dimension, "--level", level, "--draws", 50, "--json")
    output = succeed("combine", demo_folder, *ASKED, *options, "--coefficient", "tau_b").json
    grid = grid_of(summetry.evaluate(demo, ["npower.value", "js_divergence", "lcs.f"]))
    marks = judgments_of(demo, dimension, grid)
    expected = combine_columns(grid, marks, CombineSettings(level, "tau_b", draws=50))
    rows = output["weights"]["rows"]
    assert [row["weight"] for row in rows] == expected.fit.raw.tolist()
    assert [row["alone"] for row in rows] == pytest.approx(expected.singles)
    gains = (expected.gain, expected.hindsight)
    for row, gain in zip(output["gain"]["rows"], gains, strict=True):
        assert (row["single"], row["combination"], row["p"]) == pytest.approx(tuple(gain))
        assert row["gain"] == pytest.approx(gain.value)
    settings = output["settings"]
    assert (settings["dimension"], settings["level"], settings["draws"]) == (dimension, level, 50)
    assert (settings["seed"], settings["protocol"]) == (0, "no_models")
    assert output["spelling"].startswith("combination(of=[")


@pytest.mark.parametrize(("protocol", "summaries"), [("no_models", 54), ("all_peers", 81)])
def test_the_spelling_is_a_metric_for_score(demo_folder, here, protocol, summaries):
    options = ("--dimension", "grammaticality", "--protocol", protocol, "--json", "--draws", 5)
    spelt = succeed("combine", demo_folder, *ASKED, *options).json["spelling"]
    succeed("score", demo_folder, "-m", spelt, "--protocol", protocol, "-o", "sum.csv")
    table = read_scores(here / "sum.csv")
    assert [column.metric for column in table.columns] == [spelt]
    assert len(table) == summaries
    # Fitted to the marks, it is on their scale: letters are 1 to 5.
    assert 1 < np.nanmean(table.data) < 5
    # And it can be combined again, from the file too.
    again = succeed("combine", "sum.csv", "--judgments", demo_folder, "-m", spelt, *options)
    assert list(weights(again).values()) == [pytest.approx(1, abs=0.01)]
    assert again.json["gain"]["rows"][0]["p"] == 1


def test_a_metric_without_a_pick_is_its_main_value(demo_folder):
    for metrics, values in (
        ("lcs,npower", ["lcs.f", "npower"]),
        ("lcs.recall,lcs.precision,lcs.recall", ["lcs.recall", "lcs.precision"]),
    ):
        asked = ("--dimension", "grammaticality", "--json", "--draws", 5, "-m", metrics)
        assert list(weights(succeed("combine", demo_folder, *asked))) == values


def test_what_is_missing_or_infinite_is_counted(demo, demo_folder, here):
    table = summetry.evaluate(demo, ["cosine", "lcs.f"])
    data = table.data.copy()
    data[0, 0], data[7, 1], data[9] = np.inf, np.nan, np.nan
    write_scores(ScoreTable(table.rows, table.columns, data), here / "scores.csv")
    options = ("--judgments", demo_folder, "--dimension", "responsiveness", "--draws", 5)
    done = succeed("combine", "scores.csv", "-m", "cosine", "-m", "lcs.f", *options)
    left_out = "6 systems, 9 topics, 51 summaries; 3 without all values and a judgment are left out"
    assert left_out in done.words
    assert "cosine: infinite scores are left out" in done.lines


def test_the_tables_are_written_in_every_way(small):
    lines = succeed(*BOTH, "-o", "out/c.csv").lines
    assert lines[-2:] == ["wrote out/c.csv", "wrote out/c-gain.csv"]
    with (small / "out" / "c.csv").open(newline="") as file:
        assert [float(row["weight"]) for row in csv.DictReader(file)] == [2, 3]
    for ending in ("json", "tex", "txt"):
        succeed(*BOTH, "-o", f"out/c.{ending}")
    output = json.loads((small / "out" / "c.json").read_text())
    assert list(output) == ["settings", "spelling", "weights", "gain"]
    assert "\\bottomrule" in (small / "out" / "c.tex").read_text()
    assert "constant 10" in (small / "out" / "c.txt").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--folds 1", "cross-validation needs 2 folds or more, got 1"),
        ("--draws 0", "invalid value for '--draws': expected 1 or more"),
        ("--level global", "no level of a combination is named 'global'"),
        ("--coefficient kendall", "invalid value for '--coefficient'"),
        ("--dimension x", "no dimension of judgments is named 'x'"),
        ("--protocol all_peers", "no protocol of the scores is named 'all_peers'"),
        ("-m rouge", "no metric among the scores is named 'rouge'"),
        ("--exclude a --exclude b", "a combination is judged on systems and topics"),
        ("-o c.doc", "c.doc: findings are written to files ending in"),
    ],
)
def test_mistakes_are_told_in_one_line(small, options, message):
    assert_refused(run_command(*BOTH, *shlex.split(options)), 2, f"error: {message}")


def test_what_must_be_named_is_told(demo, demo_folder, here, small):
    message = "error: name the metrics to combine: -m METRIC -m METRIC\n"
    assert_refused(run_command(*SMALL), 2, message)
    message = "error: the judgments are of responsiveness, grammaticality; --dimension says which\n"
    assert_refused(run_command("combine", demo_folder, "-m", "cosine"), 2, message)
    tables = [summetry.evaluate(demo, ["cosine"], p) for p in ("no_models", "all_peers")]
    data = np.concatenate([table.data for table in tables])
    both = ScoreTable(tables[0].rows + tables[1].rows, (Column("cosine", "value"),), data)
    write_scores(both, here / "both.csv")
    asked = ("--judgments", demo_folder, "-m", "cosine", "--dimension", "responsiveness")
    words = "of the protocols no_models and all_peers; --protocol says which"
    assert_refused(run_command("combine", "both.csv", *asked), 2, words)
