"""``summetry correlate``: the tables, files for programs and people, charts, and mistakes."""

import csv
import json
import math
import sys
from pathlib import Path

import pytest

import summetry
from summetry.formats.scores import write_scores

METRICS = ("-m", "rouge-1", "-m", "js_divergence", "-m", "compression")


@pytest.fixture
def small(here):
    """A score file of two metrics and a table of marks: four systems, two topics, two judges.

    The means of the marks on quality are 1 2 3 4, of ``good`` 10 20 30 40, of ``bad`` 2 1 4 3.
    """
    means = {"a": 1, "b": 2, "c": 3, "d": 4}
    bad = {"a": 2, "b": 1, "c": 4, "d": 3}
    scores = ["protocol,topic,author,role,metric,part,score"]
    marks = ["topic,author,judge,dimension,value,genre"]
    for topic, genre, step in (("t1", "news", -0.5), ("t2", "tale", 0.5)):
        for author, mean in means.items():
            for metric, score in (("good", 10 * mean), ("bad", bad[author])):
                line = f"no_models,{topic},{author},peer,{metric},value,{score + step}"
                scores.append(line)
            for judge in ("j1", "j2"):
                marks.append(f"{topic},{author},{judge},quality,{mean + step},{genre}")
                marks.append(f"{topic},{author},{judge},style,{5 - mean},{genre}")
    (here / "scores.csv").write_text("\n".join(scores))
    (here / "marks.csv").write_text("\n".join(marks))
    return here


SMALL = ("correlate", "scores.csv", "--judgments", "marks.csv")


def test_the_tables_of_a_small_file(scored, small):
    """By hand: 2 1 4 3 against 1 2 3 4 has r = 3 / 5 and tau = 2 / 6; of style the signs turn.

    Four systems and two topics: 256 ways to swap the metrics, all of them counted.
    """
    done = scored(*SMALL, "--draws", 300)
    # By tables of t: of two degrees of freedom one in 20 is above 2.920, so r = 0.900; by the
    # normal distribution tau has the variance 2 * 13 / (9 * 12), so 1.645 * 0.4907 = 0.807.
    assert done.lines[:19] == [
        "Pearson with people's judgments, system level: 4 systems, 2 topics",
        "metric     quality   style",
        "good         1.000  -1.000",
        "bad          0.600  -0.600",
        "(a judge)    1.000   1.000",
        "(random)     0.900   0.900",
        "",
        "quality, system level: 4 systems, 2 topics, 2 judges",
        "metric     Pearson  rank  Spearman  rank  Kendall tau-b  rank",
        "good         1.000     1     1.000     1          1.000     1",
        "bad          0.600     2     0.600     2          0.333     2",
        "(a judge)    1.000     -     1.000     -          1.000     -",
        "(random)     0.900     -     0.900     -          0.807     -",
        "",
        "How sure: quality, system level, Pearson",
        "metric  Pearson     low   high      p  vs best  cluster",
        *done.lines[16:18],
        "",
    ]
    assert done.lines[16].startswith("good      1.000   1.000  1.000  0.083        -        1")
    assert done.lines[19] == "style, system level: 4 systems, 2 topics, 2 judges"
    assert done.lines[21:24] == [
        "bad         -0.600     1    -0.600     1         -0.333     1",
        "good        -1.000     2    -1.000     2         -1.000     2",
        "(a judge)    1.000     -     1.000     -          1.000     -",
    ]
    assert "(300 resamples, seed 0)" in done.words
    assert done.err == ""


def test_what_programs_get_is_complete(scored, small):
    output = scored(*SMALL, "--level", "system,summary", "--draws", 50, "--seed", 3, "--json").json
    assert output["settings"] == {
        "levels": ["system", "summary"],
        "coefficients": ["pearson", "spearman", "tau_b"],
        "over": "both",
        "draws": 50,
        "alpha": 0.05,
        "seed": 3,
        "tests": True,
        "test": "permutation",
        "all_tests": False,
    }
    rows = output["correlations"]["rows"]
    # Two dimensions, two levels, two metrics, a judge and random numbers, three coefficients.
    assert len(rows) == 2 * 2 * 4 * 3
    first = rows[0]
    assert (first["dimension"], first["level"], first["metric"], first["coefficient"]) == (
        "quality",
        "system",
        "good",
        "pearson",
    )
    assert first["value"] == pytest.approx(1.0) and first["p_best"] is None and first["rank"] == 1
    other = next(r for r in rows if r["metric"] == "bad" and r["coefficient"] == "tau_b")
    assert other["value"] == pytest.approx(1 / 3) and other["fisher_low"] is None
    assert other["p"] is None and other["low"] is None
    other = next(r for r in rows if r["metric"] == "bad" and r["coefficient"] == "pearson")
    assert 0 < other["p"] <= 1 and 0 < other["p_best"] <= other["p_best_corrected"] <= 1
    assert (other["systems"], other["topics"], other["missing"]) == (4, 2, 0)


def test_files_for_programs_have_a_number_a_row(scored, small):
    done = scored(*SMALL, "--draws", 20, "--accuracies", "-o", "out/found.csv")
    assert done.lines[-2:] == ["wrote out/found.csv", "wrote out/found-accuracies.csv"]
    with (small / "out" / "found.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 4 * 3
    assert float(rows[3]["value"]) == pytest.approx(0.6) and rows[0]["p_best"] == ""
    scored(*SMALL, "--draws", 20, "-o", "found.json")
    written = json.loads((small / "found.json").read_text())
    assert [row["metric"] for row in written["correlations"]["rows"][:4]] == [
        "good",
        "good",
        "good",
        "bad",
    ]


def test_files_for_people_have_the_tables(scored, small):
    scored(*SMALL, "--draws", 20, "-o", "found.tex")
    text = (small / "found.tex").read_text()
    assert text.count(r"\toprule") == 5
    assert r"bad & 0.600 & 2 & 0.600 & 2 & 0.333 & 2 \\" in text
    done = scored(*SMALL, "--draws", 20, "-o", "found.txt")
    assert " ".join((small / "found.txt").read_text().split()) in done.words


def test_levels_coefficients_dimensions_and_genres_that_are_asked_for(scored, small):
    options = ("--level", "summary", "--coefficients", "tau_b", "--dimension", "style")
    lines = scored(*SMALL, *options, "--by", "genre", "--draws", 20).lines
    assert [line for line in lines if line.startswith("style")] == [
        "style, news, summary level: 4 systems, 1 topic, 2 judges",
        "style, tale, summary level: 4 systems, 1 topic, 2 judges",
    ]
    assert lines[1].split() == ["metric", "Kendall", "tau-b", "rank"]


def test_a_system_and_a_metric_can_be_left_out(scored, small):
    lines = scored(*SMALL, "--exclude", "d", "-m", "bad", "--draws", 20).lines
    start = lines.index("quality, system level: 3 systems, 2 topics, 2 judges")
    # 2 1 4 against 1 2 3.
    assert lines[start + 2].startswith(
        "bad          0.655     1     0.500     1          0.333     1"
    )
    assert not [line for line in lines if line.startswith("good")]


def test_a_corpus_is_scored_and_both_protocols_have_tables(scored, demo_folder):
    options = ("--protocol", "all_peers", "--protocol", "no_models", "--by", "group")
    done = scored("correlate", demo_folder, *METRICS, *options, "--draws", 20)
    boards = [line for line in done.lines if "system level:" in line and "2 judges" in line]
    assert boards == [
        f"{dimension}, {group}{protocol}, system level: {systems} systems, {topics} topics, "
        "2 judges"
        for protocol, systems in ((", All Peers", 9), ("", 6))
        for group, topics in (("A", 5), ("B", 4))
        for dimension in ("responsiveness", "grammaticality")
    ]
    assert "js_divergence: lower is better, so a coefficient of -1 is the best" in done.lines
    assert "2 more values with --all-values" in done.lines
    # The line of the length has no rank.
    assert any(line.startswith("compression") and line.endswith("-") for line in done.lines)


def test_marks_of_models_give_tables_with_and_without_them(scored, demo_folder, here):
    """Scores of a corpus need no option for that; marks on peers alone give one table."""
    options = ("-m", "lcs.f", "--dimension", "responsiveness", "--draws", 20)
    lines = scored("correlate", demo_folder, *options).lines
    assert [line.split(":")[0] for line in lines if line.startswith("responsiveness")] == [
        "responsiveness, system level",
        "responsiveness, All Peers, system level",
    ]
    assert [line for line in lines if line.startswith("How sure")] == [
        "How sure: responsiveness, system level, Pearson",
        "How sure: responsiveness, All Peers, system level, Pearson",
    ]
    marks = ["topic,author,dimension,value"]
    for k, author in enumerate(["lead", "random", "echo"]):
        marks += [f"t0{i},{author},responsiveness,{i + k}" for i in range(1, 4)]
    (here / "marks.csv").write_text("\n".join(marks))
    lines = scored("correlate", demo_folder, *options, "--judgments", "marks.csv").lines
    assert not [line for line in lines if "All Peers" in line]
    lines = scored("correlate", demo_folder, "-m", "lcs.f", "--matrix").lines
    assert not [line for line in lines if "All Peers" in line]


def test_a_folder_of_tac_is_a_corpus_and_scores(call, here):
    """With -m its summaries are scored; else its AESOP files meet its own judgments."""
    folder = Path(__file__).parents[1] / "data" / "tac"
    options = ("--dimension", "responsiveness", "--draws", 20)
    done = call("correlate", folder, "-m", "lcs.f", *options)
    assert done.code == 0 and [line.split()[0] for line in done.lines[2:3]] == ["lcs.f"]
    assert "holds scores and a corpus" not in done.err
    done = call("correlate", folder, *options)
    assert done.code == 0 and [line.split()[0] for line in done.lines[2:3]] == ["7"]
    assert "tac holds scores and a corpus: these are the scores; with -m it is" in done.err


def test_all_values_on_request(scored, demo_folder):
    options = ("-m", "coselection", "--dimension", "responsiveness", "--draws", 20)
    short = scored("correlate", demo_folder, *options).lines
    assert [line.split()[0] for line in short[2:4]] == ["coselection.f", "(a"]
    whole = scored("correlate", demo_folder, *options, "--all-values").lines
    assert len({line.split()[0] for line in whole if line.startswith("coselection.")}) == 3


def test_correlations_of_a_corpus_are_those_of_its_score_file(scored, demo, demo_folder, here):
    """The demo prints the same coefficients from plain means."""
    from summetry.metaeval.correlations import correlate_with_judgments

    table = summetry.evaluate(demo, ["lcs.f", "cosine"])
    write_scores(table, here / "scores.csv")
    arguments = ("--draws", 20, "--json")
    chosen = ("-m", "lcs.f", "-m", "cosine", "--protocol", "no_models")
    scored_now = scored("correlate", demo_folder, *chosen, *arguments).json
    read = scored("correlate", "scores.csv", "--judgments", demo_folder, *arguments).json
    assert scored_now["correlations"]["rows"] == read["correlations"]["rows"]
    for line in correlate_with_judgments(table, demo):
        (row,) = [
            row
            for row in read["correlations"]["rows"]
            if (row["metric"], row["dimension"]) == (line.value, line.dimension)
            and row["coefficient"] == "tau_b"
        ]
        assert row["value"] == pytest.approx(line.kendall)


def test_the_matrix_needs_no_judgments(scored, small):
    """10 20 30 40 and 2 1 4 3: r = 0.6."""
    done = scored("correlate", "scores.csv", "--matrix", "--coefficients", "pearson")
    assert done.lines == [
        "Metrics with each other: Pearson, system level; 4 systems, 2 topics",
        "metric     1     2",
        "1 good  1.00  0.60",
        "2 bad   0.60  1.00",
    ]
    scored("correlate", "scores.csv", "--matrix", "-o", "m.csv")
    with (small / "m.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 * 4
    assert (rows[1]["metric"], rows[1]["other"]) == ("good", "bad")
    assert float(rows[1]["value"]) == pytest.approx(0.6)


def test_accuracies_stand_beside_their_chance(scored, small):
    """``good`` orders all pairs as people do; of six pairs ``bad`` turns two."""
    lines = scored(*SMALL, "--dimension", "quality", "--accuracies", "--draws", 20).lines
    start = lines.index("Pairs of systems: quality")
    assert lines[start + 1].split() == [
        "metric",
        "soft",
        "chance",
        "with",
        "ties",
        "chance",
        "epsilon",
    ]
    good, bad = (line.split() for line in lines[start + 2 : start + 4])
    assert good == ["good", "1.000", "0.625", "1.000", "0.500", "0.0000"]
    assert bad[3] == "0.667"
    # A constant ties all pairs; people tie none of them, and 1 - |p - 1/2| is 0.625 on average.
    constant = lines[start + 4].split()
    assert constant == ["(constant)", "0.625", "0.625", "0.000", "0.500", "0.0000"]


@pytest.mark.parametrize("ending", ["svg", "png", "html"])
def test_bars_are_drawn(scored, small, ending):
    done = scored(*SMALL, "--draws", 20, "--plot", f"bars.{ending}")
    assert done.lines[-1] == f"wrote bars.{ending}"
    content = (small / f"bars.{ending}").read_bytes()
    if ending != "png":
        for words in (b"quality", b"style", b"good", b"(a judge)", b"95 % intervals over systems"):
            assert words in content


def test_systems_are_drawn_as_points(scored, small):
    done = scored(*SMALL, "--draws", 20, "--scatter", "points.svg")
    files = [line.removeprefix("wrote ") for line in done.lines if line.startswith("wrote ")]
    # A picture for each metric and dimension, of which there are two each.
    assert len(files) == 4 and "points-good-quality.svg" in files
    drawn = (small / "points-good-quality.svg").read_text()
    for number, system in enumerate("abcd", start=1):
        assert f'"good: {10 * number}; quality: {number}"' in drawn
        assert f">{system}</text>" in drawn
        # The mean of two topics that are drawn is between that of either one twice.
        mean = f"good: {10 * number - 0.5:g}; quality: {number}; score high: {10 * number + 0.5:g}"
        assert f'"{mean}"' in drawn


def test_points_of_people_and_systems_differ(scored, demo_folder, here):
    options = ("-m", "lcs", "--dimension", "responsiveness", "--protocol", "all_peers")
    scored("correlate", demo_folder, *options, "--draws", 20, "--scatter", "points.html")
    page = (here / "points.html").read_text()
    assert "Systems by metric and judgment" in page
    assert "people" in page and "careful" in page and "lines: 95 % intervals of means" in page
    assert "Pearson of null judges: (length alone) " in page and ", (lead overlap) " in page


@pytest.mark.parametrize("package", ["altair", "vl_convert"])
def test_what_cannot_be_drawn_is_told_before_anything_is_scored(call, small, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr("summetry.cli._scored.ScoresOptions.read_or_score", None)
    done = call(*SMALL, "--plot", "bars.svg")
    assert done.code == 2
    assert "vl-convert-python" in done.err.split("pip install ")[1]
    assert "altair" in done.err.split("pip install ")[1]
    assert (done.out, done.err.count("\n")) == ("", 1)


def test_several_charts_have_names_of_their_own(scored, small):
    done = scored(*SMALL, "--draws", 20, "--by", "genre", "--plot", "bars.svg")
    assert done.lines[-2:] == [
        "wrote bars-news-system-level.svg",
        "wrote bars-tale-system-level.svg",
    ]


def test_charts_of_like_names_are_all_there(scored, small):
    marks = (small / "marks.csv").read_text()
    (small / "marks.csv").write_text(marks.replace(",news", ",a!").replace(",tale", ",a?"))
    done = scored(*SMALL, "--draws", 20, "--by", "genre", "--plot", "bars.svg")
    assert done.lines[-2:] == [
        "wrote bars-a-system-level.svg",
        "wrote bars-a-system-level_2.svg",
    ]
    assert "a?" in (small / "bars-a-system-level_2.svg").read_text()


def test_letters_follow_the_scale_of_the_corpus(scored, demo_folder, demo):
    """Marks E to A are 1 to 5, so that the coefficient is that of these numbers."""
    output = scored("correlate", demo_folder, "-m", "lcs.f", "--dimension", "grammaticality",
                   "--draws", 20, "--json").json  # fmt: skip
    marks, scores = {}, {}
    for judgment in demo.judgments:
        if judgment.dimension == "grammaticality":
            marks.setdefault(judgment.author, []).append("EDCBA".index(judgment.value) + 1)
    table = summetry.evaluate(demo, ["lcs.f"])
    for row, number in zip(table.rows, table.column("lcs.f"), strict=True):
        scores.setdefault(row.author, []).append(float(number))
    pairs = [
        (math.fsum(scores[name]) / len(scores[name]), math.fsum(marks[name]) / len(marks[name]))
        for name in scores
    ]
    from statistics import correlation

    expected = correlation(*zip(*pairs, strict=True))
    assert output["correlations"]["rows"][0]["value"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("scores.csv",), "a score table has no judgments; --judgments names a corpus or a table"),
        (("scores.csv", "--judgments", "mark.csv"), "mark.csv: no such file or folder. Did you"),
        ((*SMALL[1:], "--dimension", "qualty"), "no dimension of judgments is named 'qualty'. Did"),
        ((*SMALL[1:], "-m", "god"), "no metric among the scores is named 'god'. Did you mean 'goo"),
        ((*SMALL[1:], "--level", "sytem"), "no level is named 'sytem'. Did you mean 'system'?"),
        ((*SMALL[1:], "--level", ","), "--level: expected names with commas between them, got ','"),
        ((*SMALL[1:], "--coefficients", "kendall"), "no coefficient is named 'kendall'. Known: pe"),
        ((*SMALL[1:], "--exclude", "e"), "no system is named 'e'"),
        ((*SMALL[1:], "--by", "group"), "no topic of the scores has a group; the corpus says it"),
        ((*SMALL[1:], "--protocol", "peers"), "no protocol is named 'peers'"),
        ((*SMALL[1:], "--protocol", "all_peers"), "no protocol of the scores is named 'all_peers'"),
        ((*SMALL[1:], "--alpha", "5"), "alpha must be between 0 and 1, such as 0.05, got 5.0"),
        ((*SMALL[1:], "-o", "a.doc"), "a.doc: findings are written to files ending in .json, .csv"),
        ((*SMALL[1:], "--plot", "a.gif"), "a.gif: a chart is written as .svg, .png, .html, got '."),
        ((*SMALL[1:], "--plot", "a.svg", "--scatter", "a.svg"), "--plot and --scatter both name "),
        ((*SMALL[1:], "--scatter", "a"), "a: a chart is written as .svg, .png, .html, got ''"),
        ((*SMALL[1:], "-o", "out.csv"), "out.csv: expected a file to write to, found a folder"),
        ((*SMALL[1:], "--plot", "out.svg"), "out.svg: expected a file to write to, found a folder"),
        ((*SMALL[1:], "-o", "marks.csv"), "marks.csv: would be written over what is read"),
        ((*SMALL[1:], "-o", "scores.csv"), "scores.csv: would be written over what is read"),
        (("one.csv",), "one.csv: expected scores or summaries, found no rows"),
        (("two.csv",), "two.csv: expected scores (the columns id, system and one per value), or"),
        ((*SMALL[1:3], "one.csv"), "one.csv: expected judgments, found none; they are in a corpus"),
        ((*SMALL[1:], "--matrix", "--accuracies"), "--plot, --scatter and --accuracies do not go "),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line(call, small, arguments, words):
    for name in ("out.csv", "out.svg"):
        (small / name).mkdir()
    (small / "one.csv").write_text("a,b\n")
    (small / "two.csv").write_text("a,b\nc,d\n")
    done = call("correlate", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {words}") and done.err.count("\n") == 1


def test_duplicated_scores_and_marks_are_refused(call, small):
    for name, line in (("scores.csv", 18), ("marks.csv", 34)):
        text = (small / name).read_text()
        (small / name).write_text(f"{text}\n{text.splitlines()[-1]}")
        done = call(*SMALL)
        assert done.code == 2 and done.err.startswith(f"error: {name}:{line}: expected")
        (small / name).write_text(text)


def test_scores_and_marks_of_other_summaries_are_told(call, small):
    text = (small / "marks.csv").read_text().replace("t1,", "x1,").replace("t2,", "x2,")
    (small / "marks.csv").write_text(text)
    done = call(*SMALL)
    assert done.code == 2
    assert (
        "the scores are of topics such as 't1' and systems such as 'a', the judgments" in done.err
    )


def test_marks_without_scores_are_counted_and_named(scored, small):
    """Both dimensions have them, so that one line counts twice; models and who is left out do not.

    t9 and the stranger have no score.
    """
    text = (small / "marks.csv").read_text()
    more = [
        "t1,stranger,j1,quality,3,news",
        "t1,stranger,j1,style,3,news",
        "t9,a,j1,quality,3,mail",
    ]
    (small / "marks.csv").write_text("\n".join([text, *more]))
    lines = scored(*SMALL, "--draws", 20, "--exclude", "d").lines
    assert lines[-2:] == ["2 judgments have no score: the system stranger",
                          "1 judgment has no score: the topic t9"]  # fmt: skip
    lines = scored(*SMALL, "--draws", 20, "--dimension", "style").lines
    assert lines[-1] == "1 judgment has no score: the system stranger"


def test_job_five_of_the_first_five_minutes(scored, here):
    """Wide judgments beside scores of anybody; by numpy in each topic, and the mean of both."""
    import numpy as np

    scores = {"a": (0.1, 0.5), "b": (0.4, 0.2), "c": (0.3, 0.9)}
    judged = {"a": (1, 3), "b": (5, 2), "c": (3, 4)}
    lines = [f"{t},{s},{scores[s][t]}" for s in scores for t in (0, 1)]
    (here / "scores.csv").write_text("\n".join(["id,system,mine", *lines]))
    lines = [f"{t},{s},{judged[s][t]},{5 - t}" for s in judged for t in (0, 1)]
    (here / "marks.csv").write_text("\n".join(["id,system,coherence,fluency", *lines]))
    done = scored("correlate", "scores.csv", "--judgments", "marks.csv", "--level", "summary")
    each = [
        np.corrcoef([scores[s][t] for s in scores], [judged[s][t] for s in judged])[0, 1]
        for t in (0, 1)
    ]
    assert done.lines[:3] == [
        "Pearson with people's judgments, summary level: 3 systems, 2 topics",
        "metric    coherence  fluency",
        f"mine          {np.mean(each):.3f}        -",
    ]


def test_every_value_that_is_named_is_shown_as_it_was_typed(scored, demo_folder):
    named = ("-m", "ROUGE-2.recall", "-m", "ROUGE-2", "-m", "rouge-1.precision,rouge-1.recall")
    done = scored("correlate", demo_folder, *named, "--no-tests", "--protocol", "no_models")
    end = done.lines.index("")
    assert [line.split("  ")[0] for line in done.lines[2:end]] == [
        "ROUGE-2.recall", "ROUGE-2.f", "rouge-1.precision", "rouge-1.recall",
        "(a judge)", "(length alone)", "(lead overlap)", "(random)",
    ]  # fmt: skip


def test_no_tests_is_a_table_at_once(scored, small, monkeypatch):
    for name in ("bootstrap_many", "MetricTests", "association"):
        monkeypatch.setattr(f"summetry.metaeval.certainty.{name}", None)
    done = scored(*SMALL, "--no-tests")
    assert not [line for line in done.lines if line.startswith("How sure")]
    assert "cluster" not in done.out and "low, high" not in done.out
    assert "bad          0.600     2     0.600     2          0.333     2" in done.lines
    rows = scored(*SMALL, "--no-tests", "--json").json["correlations"]["rows"]
    assert {row["low"] for row in rows} == {None}


def test_many_dimensions_are_folded_into_eighty_columns(scored, small):
    names = [f"dimension_{k}_of_judges" for k in range(6)]
    rows = [f"{t},{s},{','.join(str(ord(s) * k % 7) for k in range(1, 7))}"
            for t in ("t1", "t2") for s in "abcd"]  # fmt: skip
    (small / "wide.csv").write_text("\n".join([",".join(["id", "system", *names]), *rows]))
    done = scored("correlate", "scores.csv", "--judgments", "wide.csv", "--no-tests")
    tops = [k for k, line in enumerate(done.lines) if line.startswith("Pearson with people's")]
    shown = [name for k in tops for name in done.lines[k + 1].split()[1:]]
    assert len(tops) == 2 and shown == names
    assert all(len(line) <= 80 for line in done.lines[: tops[-1] + 6])


def test_levels_by_other_names(scored, call, small):
    lines = scored(*SMALL, "--level", "input", "--no-tests").lines
    assert lines[0] == "Pearson with people's judgments, summary level: 4 systems, 2 topics"
    done = call(*SMALL, "--level", "segment")
    assert done.code == 2 and "say summary (within each topic, then averaged) or" in done.err


def test_no_default_heading_names_a_protocol(scored, small, demo_folder):
    commands = [
        (*SMALL, "--no-tests", "--accuracies"),
        ("correlate", "scores.csv", "--matrix"),
        ("discriminate", "scores.csv", "--judgments", "marks.csv"),
        ("combine", "scores.csv", "--judgments", "marks.csv", "-m", "good,bad",
         "--dimension", "style"),
    ]  # fmt: skip
    for command in commands:
        assert "no models" not in scored(*command).out.lower().replace("_", " ")
    done = scored("correlate", demo_folder, "-m", "lcs.f", "--no-tests", "--protocol", "all_peers")
    assert "All Peers" in done.lines[0]


def test_coefficients_are_spelt_as_papers_do(scored, small):
    done = scored(*SMALL, "--no-tests", "--coefficients", "tau_a,tau_b,spearman,pearson")
    assert done.lines[0].startswith("Kendall tau-a with people's judgments")
    # The longest headings take two lines where one does not fit.
    below = ["metric", "tau-a", "rank", "tau-b", "rank", "Spearman", "rank", "Pearson", "rank"]
    lines = [line.split() for line in done.lines]
    assert lines[lines.index(below) - 1] == ["Kendall", "Kendall"]


# --- Values that stand for people, and dimensions among the metrics ------------------------------


@pytest.fixture
def sides(here):
    """Three systems, two topics: two metrics and two dimensions, each with its own order.

    Means of the systems: one 1 2 3, two 3 1 2, coherence 1 3 2, fluency 2 1 3.
    """
    numbers = {
        "a": {"one": 1, "two": 3, "coherence": 1, "fluency": 2},
        "b": {"one": 2, "two": 1, "coherence": 3, "fluency": 1},
        "c": {"one": 3, "two": 2, "coherence": 2, "fluency": 3},
    }
    for name, columns in (("scores", ("one", "two")), ("judgments", ("coherence", "fluency"))):
        lines = [",".join(("id", "system", *columns))]
        for topic, step in (("t1", -0.5), ("t2", 0.5)):
            for system, own in numbers.items():
                cells = [str(own[column] + step) for column in columns]
                lines.append(",".join((topic, system, *cells)))
        (here / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return "scores.csv", "--judgments", "judgments.csv"


def pearson_of(done):
    rows = done.json["correlations"]["rows"]
    return {
        (row["dimension"], row["metric"]): row["value"]
        for row in rows
        if row["coefficient"] == "pearson" and not row["metric"].startswith("(")
    }


QUICK = ("--no-tests", "--json")


def test_a_metric_can_stand_for_people(scored, sides):
    """two (3 1 2) with one (1 2 3) is -0.5; what stands for people is no metric beside itself."""
    done = scored("correlate", *sides, "--dimension", "one", *QUICK)
    assert pearson_of(done) == pytest.approx({("one", "two"): -0.5})
    assert pearson_of(scored("correlate", "scores.csv", "--dimension", "one", *QUICK)) == {
        ("one", "two"): pytest.approx(-0.5)
    }
    lines = scored("correlate", "scores.csv", "--dimension", "one", "--no-tests").lines
    assert lines[0] == "one, system level: 3 systems, 2 topics"


def test_a_dimension_can_stand_among_the_metrics(scored, sides):
    """coherence (1 3 2) has 0.5 with one (1 2 3) and -0.5 with fluency (2 1 3)."""
    both = ("--dimension", "fluency", "--dimension", "one")
    done = scored("correlate", *sides, "-m", "coherence,two", *both, *QUICK)
    assert pearson_of(done) == pytest.approx(
        {
            ("fluency", "coherence"): -0.5,
            ("fluency", "two"): 0.5,
            ("one", "coherence"): 0.5,
            ("one", "two"): -0.5,
        }
    )


def test_a_dimension_is_not_compared_with_itself(scored, sides):
    done = scored("correlate", *sides, "-m", "coherence,one", *QUICK)
    assert set(pearson_of(done)) == {
        ("coherence", "one"), ("fluency", "coherence"), ("fluency", "one"),
    }  # fmt: skip
    done = scored("correlate", *sides, "-m", "coherence", "--no-tests")
    assert "no metric is left beside coherence" in done.out


def test_a_score_with_the_name_of_the_only_dimension_is_told_to_be_renamed(call, tmp_path):
    rows = "".join(f"t{n},{system},{n}\n" for n in range(4) for system in "abc")
    for name in ("scores.csv", "judgments.csv"):
        (tmp_path / name).write_text(f"id,system,style\n{rows}", encoding="utf-8")
    done = call("correlate", tmp_path / "scores.csv", "--judgments", tmp_path / "judgments.csv")
    assert done.code == 2
    assert done.err == (
        "error: no metric is left beside style: a score of the same name is taken for people's "
        "judgments; rename its column, for example to style-by-llm\n"
    )


def test_what_is_neither_a_dimension_nor_a_metric_is_named(call, sides):
    done = call("correlate", *sides, "--dimension", "cohrence")
    assert done.code == 2
    assert "no dimension of judgments is named 'cohrence'. Did you mean 'coherence'?" in done.err


def test_pyramids_of_a_corpus_stand_for_people_in_three_commands(scored, demo, demo_folder):
    """As the values of the metric give it, which is computed though -m does not name it."""
    import numpy as np

    import summetry

    table = summetry.evaluate(demo, ["pyramid.value", "rouge-2.recall"])
    systems = {author: [] for author in table.authors()}
    for row, numbers in zip(table.rows, table.data, strict=True):
        systems[row.author].append(numbers)
    means = np.array([np.nanmean(own, axis=0) for own in systems.values()])
    expected = np.corrcoef(means.T)[0, 1]
    asked = ("-m", "rouge-2.recall", "--dimension", "pyramid", "--protocol", "no_models")
    done = scored("correlate", demo_folder, *asked, *QUICK)
    assert pearson_of(done) == {("pyramid", "rouge-2.recall"): pytest.approx(expected)}
    rows = scored("discriminate", demo_folder, *asked, "--json").json
    assert "rouge-2.recall" in str(rows) and "responsiveness" not in str(rows)
    more = ("-m", "grammaticality", "--draws", 20, "--json")
    rows = scored("combine", demo_folder, *asked, *more).json
    assert rows["settings"]["dimension"] == "pyramid" and "grammaticality" in str(rows)
