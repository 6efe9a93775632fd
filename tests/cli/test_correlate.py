"""``summetry correlate``: the tables, files for programs and people, charts, and mistakes.

tests/metaeval has the numbers by hand, tests/reports the tables.
"""

import csv
import json
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest
from command_line import assert_refused, run_command, succeed

import summetry

SMALL = "scores.csv --judgments marks.csv"


@pytest.fixture
def small(here):
    """A score file of two metrics and a table of marks: four systems, two topics, two judges.

    The means of the marks on quality are 1 2 3 4, of ``good`` 10 20 30 40, of ``bad`` 2 1 4 3.
    """
    scores = ["protocol,topic,author,role,metric,part,score"]
    marks = ["topic,author,judge,dimension,value,genre"]
    for topic, genre, step in (("t1", "news", -0.5), ("t2", "tale", 0.5)):
        for author, mean, bad in zip("abcd", (1, 2, 3, 4), (2, 1, 4, 3), strict=True):
            start = f"no_models,{topic},{author},peer"
            scores += [f"{start},good,value,{10 * mean + step}", f"{start},bad,value,{bad + step}"]
            for judge in ("j1", "j2"):
                marks.append(f"{topic},{author},{judge},quality,{mean + step},{genre}")
                marks.append(f"{topic},{author},{judge},style,{5 - mean},{genre}")
    (here / "scores.csv").write_text("\n".join(scores))
    (here / "marks.csv").write_text("\n".join(marks))
    return here


def correlated(line, draws=20):
    return succeed("correlate", *shlex.split(line), "--draws", draws)


def rows_of_json(line, **options):
    return correlated(f"{line} --json", **options).json["correlations"]["rows"]


def starting(lines, words):
    return [line for line in lines if line.startswith(words)]


def written(done):
    return [line.removeprefix("wrote ") for line in starting(done.lines, "wrote ")]


def test_tables(small, shows):
    """t9 and the stranger have no score, which is told once for both dimensions."""
    names = [f"dimension_{k}_of_judges" for k in range(6)]
    rows = [f"{t},{s},{','.join(str(ord(s) * k % 7) for k in range(1, 7))}"
            for t in ("t1", "t2") for s in "abcd"]  # fmt: skip
    (small / "wide.csv").write_text("\n".join([",".join(["id", "system", *names]), *rows]))
    with (small / "marks.csv").open("a") as file:
        file.write("\nt1,stranger,j1,quality,3,news\nt1,stranger,j1,style,3,news")
        file.write("\nt9,a,j1,quality,3,mail")
    shows(
        f"correlate {SMALL} --draws 20",
        f"correlate {SMALL} --dimension quality --level system,global --accuracies --draws 20",
        f"correlate {SMALL} --level input --coefficients tau_b,tau_a --dimension style --by genre "
        "--draws 9 --over topics --alpha 0.1 --seed 1",
        f"correlate {SMALL} --exclude d -m bad --test systems --draws 20",
        "correlate scores.csv --judgments wide.csv --no-tests -m good",
        "correlate scores.csv --matrix --coefficients pearson",
    )
    for name, words in {
        "topics": "(whole topics swapped, Holm); generalises to other topics, not to other systems",
        "cells": "(single summaries swapped, Holm); says nothing of other systems or topics",
    }.items():
        assert words in correlated(f"{SMALL} --dimension quality --test {name}").words


def test_what_programs_get_is_complete(small):
    output = correlated(f"{SMALL} --level system,summary --seed 3 --json", draws=50).json
    assert output["settings"] == {
        "levels": ["system", "summary"], "coefficients": ["pearson", "spearman", "tau_b"],
        "over": "both", "draws": 50, "alpha": 0.05, "seed": 3,
        "tests": True, "test": "auto", "all_tests": False,
    }  # fmt: skip
    rows = output["correlations"]["rows"]
    # Two dimensions, two levels, two metrics, a judge and random numbers, three coefficients.
    assert len(rows) == 2 * 2 * 4 * 3
    first = {"dimension": "quality", "level": "system", "metric": "good", "rank": 1}
    first |= {"coefficient": "pearson", "p_best": None, "value": pytest.approx(1.0)}
    assert first.items() <= rows[0].items()
    # What intervals resample does not choose the test.
    rows = [rows_of_json(f"{SMALL} --over {over}")[3] for over in ("topics", "both")]
    assert [row["test"] for row in rows] == ["williams"] * 2
    assert rows[0]["p_best"] == rows[1]["p_best"] and rows[0]["low"] != rows[1]["low"]


def test_files_have_a_number_a_row_for_programs_and_the_tables_for_people(small):
    done = correlated(f"{SMALL} --accuracies -o out/found.csv")
    assert done.lines[-2:] == ["wrote out/found.csv", "wrote out/found-accuracies.csv"]
    rows = list(csv.DictReader((small / "out" / "found.csv").read_text().splitlines()))
    assert len(rows) == 2 * 4 * 3
    assert float(rows[3]["value"]) == pytest.approx(0.6) and rows[0]["p_best"] == ""
    for ending in ("json", "tex", "txt"):
        done = correlated(f"{SMALL} -o found.{ending}")
    rows = json.loads((small / "found.json").read_text())["correlations"]["rows"]
    assert [row["metric"] for row in rows[:4]] == ["good", "good", "good", "bad"]
    assert r"bad & 0.600 & 2 & 0.600 & 2 & 0.333 & 2 \\" in (small / "found.tex").read_text()
    assert " ".join((small / "found.txt").read_text().split()) in done.words
    correlated("scores.csv --matrix -o m.csv")
    rows = list(csv.DictReader((small / "m.csv").read_text().splitlines()))
    assert (len(rows), rows[1]["metric"], rows[1]["other"]) == (3 * 4, "good", "bad")


def test_a_corpus_has_tables_for_both_protocols_and_groups(corpus, here, shows):
    """Marks of models give tables with and without them, marks on peers alone give one."""
    one, both = "--dimension responsiveness", "--protocol all_peers --protocol no_models"
    shows(
        f"correlate corpus -m rouge-1,compression {one} {both} --by group --no-tests",
        f"correlate corpus -m js_divergence {one} {both} --draws 20",
    )
    marks = ["topic,author,dimension,value"]
    for k, author in enumerate(["lead", "random", "echo"]):
        marks += [f"t0{i},{author},responsiveness,{i + k}" for i in range(1, 4)]
    (here / "marks.csv").write_text("\n".join(marks))
    assert "All Peers" not in correlated("corpus -m lcs.f --judgments marks.csv").out
    assert "All Peers" not in correlated("corpus -m lcs.f --matrix").out


def test_a_folder_of_tac_is_a_corpus_and_scores():
    """With -m its summaries are scored; else its AESOP files meet its own judgments."""
    typed = shlex.quote(str(Path(__file__).parents[1] / "data" / "tac"))
    done = correlated(f"{typed} --dimension responsiveness -m lcs.f")
    assert done.lines[2].split()[0] == "lcs.f"
    assert "holds scores and a corpus" not in done.err
    done = correlated(f"{typed} --dimension responsiveness")
    assert done.lines[2].split()[0] == "7"
    assert "tac holds scores and a corpus: these are the scores; with -m it is" in done.err


@pytest.mark.usefixtures("drawn_once")
def test_bars_and_points_are_drawn(small):
    """A picture for each metric and dimension."""
    files = written(correlated(f"{SMALL} -m good --plot bars.svg --scatter points.svg"))
    assert files == ["bars.svg", "points-good-quality.svg", "points-good-style.svg"]
    picture = (small / "bars.svg").read_text("utf-8")
    for words in ("quality", "style", "good", "(a judge)", "95 % intervals over systems"):
        assert words in picture
    picture = (small / "points-good-quality.svg").read_text()
    assert '"good: 10; quality: 1"' in picture and ">a</text>" in picture


def test_points_of_people_and_systems_differ(corpus, here, no_chart_script):
    options = "-m lcs --dimension responsiveness --protocol all_peers"
    correlated(f"corpus {options} --scatter points.html")
    page = (here / "points.html").read_text()
    assert "Systems by metric and judgment" in page
    assert "people" in page and "careful" in page and "lines: 95 % intervals of means" in page
    assert "Pearson of null judges: (length alone) " in page and ", (lead overlap) " in page


@pytest.mark.usefixtures("drawn_once")
def test_parts_have_charts_of_their_own_whatever_signs_theirs_have(small):
    marks = (small / "marks.csv").read_text().replace(",news", ",a!").replace(",tale", ",a?")
    (small / "marks.csv").write_text(marks)
    files = written(correlated(f"{SMALL} -m good --by genre --plot bars.svg"))
    assert files == ["bars-a-system-level.svg", "bars-a-system-level_2.svg"]
    assert "a?" in (small / files[1]).read_text()


@pytest.mark.parametrize("package", ["altair", "vl_convert"])
def test_what_cannot_be_drawn_is_told_before_anything_is_scored(small, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr("summetry.cli._scored.ScoresOptions.read_or_score", None)
    done = run_command("correlate", *shlex.split(SMALL), "--plot", "bars.svg")
    assert_refused(done, 2, "vl-convert-python")
    missing = done.err.split("pip install ")[1]
    assert "vl-convert-python" in missing and "altair" in missing


def test_mistakes(small, corpus, refuses):
    for name in ("out.csv", "out.svg"):
        (small / name).mkdir()
    scores, marks = ((small / name).read_text() for name in ("scores.csv", "marks.csv"))
    rows = "".join(f"t{n},{system},{n}\n" for n in range(4) for system in "abc")
    for name, text in {
        "one.csv": "a,b\n", "two.csv": "a,b\nc,d\n", "style.csv": f"id,system,style\n{rows}",
        "far.csv": marks.replace("t1,", "x1,").replace("t2,", "x2,"),
        "again.csv": f"{scores}\n{scores.splitlines()[-1]}",
        "twice.csv": f"{marks}\n{marks.splitlines()[-1]}",
    }.items():  # fmt: skip
        (small / name).write_text(text)
    refuses(f"""
        correlate scores.csv
        correlate scores.csv --judgments mark.csv
        correlate scores.csv --judgments one.csv
        correlate scores.csv --judgments far.csv
        correlate scores.csv --judgments twice.csv
        correlate one.csv
        correlate two.csv
        correlate again.csv --judgments marks.csv
        correlate style.csv --judgments style.csv
        correlate {SMALL} --dimension qualty
        correlate {SMALL} -m god
        correlate {SMALL} --level sytem
        correlate {SMALL} --level segment
        correlate {SMALL} --coefficients kendall
        correlate {SMALL} --exclude e
        correlate {SMALL} --by group
        correlate {SMALL} --protocol all_peers
        correlate {SMALL} --alpha 5
        correlate nothing.csv --plot a.gif
        correlate {SMALL} --plot a.svg --scatter a.svg
        correlate {SMALL} --scatter a
        correlate nothing.csv -o a.doc
        correlate {SMALL} -o out.csv
        correlate {SMALL} -o marks.csv
        correlate {SMALL} --plot out.svg
        correlate {SMALL} --matrix --accuracies
        correlate {SMALL} --matrix --plot a.svg
        correlate {SMALL} --matrix --scatter a.svg
        correlate corpus -m lcs --protocol no_model
    """)


def test_values_are_shown_as_they_were_named_and_all_on_request(shows, corpus):
    one = "--no-tests --protocol no_models --dimension responsiveness"
    shows(
        "correlate corpus -m ROUGE-2.recall -m ROUGE-2 -m rouge-1.precision,rouge-1.recall " + one,
        f"correlate corpus -m coselection {one} --all-values",
    )


def test_no_tests_is_a_table_at_once(small, monkeypatch):
    for name in ("bootstrap_many", "pair_tester", "association"):
        monkeypatch.setattr(f"summetry.metaeval.certainty.{name}", None)
    assert {row["low"] for row in rows_of_json(f"{SMALL} --no-tests")} == {None}


# --- Values that stand for people, and dimensions among the metrics ------------------------------


def pearson_of(line):
    return {
        (row["dimension"], row["metric"]): pytest.approx(row["value"])
        for row in rows_of_json(f"{line} --no-tests")
        if row["coefficient"] == "pearson" and not row["metric"].startswith("(")
    }


def test_a_metric_can_stand_for_people_and_a_dimension_among_the_metrics(here):
    """Orders of three systems: one 1 2 3, two 3 1 2; coherence 1 3 2, fluency 2 1 3."""
    for name, lines in {
        "scores": ["id,system,one,two", "t1,a,1,3", "t1,b,2,1", "t1,c,3,2"],
        "judgments": ["id,system,coherence,fluency", "t1,a,1,2", "t1,b,3,1", "t1,c,2,3"],
    }.items():
        more = [line.replace("t1", "t2") for line in lines[1:]]
        (here / f"{name}.csv").write_text("\n".join([*lines, *more]))
    sides = "scores.csv --judgments judgments.csv"
    assert pearson_of("scores.csv --dimension one") == {("one", "two"): -0.5}
    assert pearson_of(f"{sides} -m coherence,two --dimension fluency --dimension one") == {
        ("fluency", "coherence"): -0.5, ("fluency", "two"): 0.5,
        ("one", "coherence"): 0.5, ("one", "two"): -0.5,
    }  # fmt: skip
    # No dimension is compared with itself.
    done = correlated(f"{sides} -m coherence --no-tests")
    assert "no metric is left beside coherence" in done.out


def test_pyramids_of_a_corpus_stand_for_people_in_three_commands(corpus):
    """As the values of the metric give it, which is computed though -m does not name it."""
    table = summetry.evaluate(summetry.load(corpus), ["pyramid.value", "rouge-2.recall"])
    authors = np.array([row.author for row in table.rows])
    means = np.array([np.nanmean(table.data[authors == who], axis=0) for who in table.authors()])
    asked = "corpus -m rouge-2.recall --dimension pyramid --protocol no_models"
    assert pearson_of(asked) == {("pyramid", "rouge-2.recall"): np.corrcoef(means.T)[0, 1]}
    output = succeed("discriminate", *shlex.split(asked), "--draws", 20, "--json").json
    assert "rouge-2.recall" in str(output) and "responsiveness" not in str(output)
    more = ("-m", "grammaticality", "--draws", 5, "--json")
    output = succeed("combine", *shlex.split(asked), *more).json
    assert output["settings"]["dimension"] == "pyramid" and "grammaticality" in str(output)
