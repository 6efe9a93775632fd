"""``summetry correlate``: the tables, files for programs and people, charts, and mistakes."""

import csv
import json
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest
from command_line import assert_refused, run_command, succeed

import summetry
from summetry.formats.scores import write_scores
from summetry.metaeval.correlations import correlate_with_judgments

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


@pytest.fixture
def sides(here):
    """Three systems, two topics: two metrics and two dimensions, each with its own order.

    Means of the systems: one 1 2 3, two 3 1 2, coherence 1 3 2, fluency 2 1 3.
    """
    numbers = {
        "scores": {"one": (1, 2, 3), "two": (3, 1, 2)},
        "judgments": {"coherence": (1, 3, 2), "fluency": (2, 1, 3)},
    }
    for name, columns in numbers.items():
        lines = [f"id,system,{','.join(columns)}"]
        for topic, step in (("t1", -0.5), ("t2", 0.5)):
            for system, cells in zip("abc", zip(*columns.values(), strict=True), strict=True):
                lines.append(f"{topic},{system},{','.join(str(cell + step) for cell in cells)}")
        (here / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return "scores.csv --judgments judgments.csv"


def correlated(line, draws=20):
    return succeed("correlate", *shlex.split(line), "--draws", draws)


def rows_of_json(line, **options):
    return correlated(f"{line} --json", **options).json["correlations"]["rows"]


def starting(lines, words):
    return [line for line in lines if line.startswith(words)]


def written(done):
    return [line.removeprefix("wrote ") for line in starting(done.lines, "wrote ")]


def rows_of(path):
    with path.open() as file:
        return list(csv.DictReader(file))


def test_the_tables_of_a_small_file(small, shows):
    """By hand: 2 1 4 3 against 1 2 3 4 has r = 3 / 5 and tau = 2 / 6; of style the signs turn.

    Four systems and two topics: 256 ways to swap the metrics, all of them counted. By tables of
    t: of two degrees of freedom one in 20 is above 2.920, so r = 0.900; by the normal distribution
    tau has the variance 2 * 13 / (9 * 12), so 1.645 * 0.4907 = 0.807.
    """
    shows(f"""
    correlate {SMALL} --draws 300
        Pearson with people's judgments, system level: 4 systems, 2 topics
        metric     quality   style
        good         1.000  -1.000
        bad          0.600  -0.600
        (a judge)    1.000   1.000
        (random)     0.900   0.900

        quality, system level: 4 systems, 2 topics, 2 judges
        metric     Pearson  rank  Spearman  rank  Kendall tau-b  rank
        good         1.000     1     1.000     1          1.000     1
        bad          0.600     2     0.600     2          0.333     2
        (a judge)    1.000     -     1.000     -          1.000     -
        (random)     0.900     -     0.900     -          0.807     -

        How sure: quality, system level, Pearson
        metric  Pearson     low   high      p  vs best  cluster
        good      1.000   1.000  1.000  0.083        -        1...
        bad       0.600 ...

        style, system level: 4 systems, 2 topics, 2 judges
        metric ...
        bad         -0.600     1    -0.600     1         -0.333     1
        good        -1.000     2    -1.000     2         -1.000     2
        (a judge)    1.000     -     1.000     -          1.000     -
        ...
        low, high: 95% interval of Pearson over systems and topics (300 resamples, seed
        0)
        ...
    """)
    assert correlated(SMALL).err == ""


def test_the_legend_names_what_was_exchanged_and_what_that_says_of_other_data(small):
    def legends(options):
        words = correlated(f"{SMALL} --dimension quality {options}").words
        return words[words.index("vs best") : words.index("cluster: metrics")].strip()

    first = "vs best, system level: corrected p of the difference from the best metric (Williams' "
    first += "test, Holm); generalises to other systems vs best, global level: corrected p of the "
    first += "difference from the best metric (jackknife of systems and topics, Holm); generalises "
    both = legends("--level system,global")
    assert both[both.index("vs best, system") :] == f"{first}to other systems and topics"
    for name, words in {
        "systems": "(whole systems swapped, Holm); generalises to other systems",
        "topics": "(whole topics swapped, Holm); generalises to other topics, not to other systems",
        "cells": "(single summaries swapped, Holm); says nothing of other systems or topics",
    }.items():
        assert legends(f"--test {name}").endswith(words)
    # What intervals resample does not choose the test.
    rows = [rows_of_json(f"{SMALL} --over {over}")[3] for over in ("topics", "both")]
    assert [row["test"] for row in rows] == ["williams"] * 2
    assert rows[0]["p_best"] == rows[1]["p_best"] and rows[0]["low"] != rows[1]["low"]


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
    bad = {row["coefficient"]: row for row in reversed(rows) if row["metric"] == "bad"}
    tau, pearson = bad["tau_b"], bad["pearson"]
    assert tau["value"] == pytest.approx(1 / 3)
    assert (tau["fisher_low"], tau["p"], tau["low"]) == (None, None, None)
    assert 0 < pearson["p"] <= 1 and 0 < pearson["p_best"] <= pearson["p_best_corrected"] <= 1
    assert (pearson["systems"], pearson["topics"], pearson["missing"]) == (4, 2, 0)


def test_files_have_a_number_a_row_for_programs_and_the_tables_for_people(small):
    done = correlated(f"{SMALL} --accuracies -o out/found.csv")
    assert done.lines[-2:] == ["wrote out/found.csv", "wrote out/found-accuracies.csv"]
    rows = rows_of(small / "out" / "found.csv")
    assert len(rows) == 2 * 4 * 3
    assert float(rows[3]["value"]) == pytest.approx(0.6) and rows[0]["p_best"] == ""
    for ending in ("json", "tex", "txt"):
        done = correlated(f"{SMALL} -o found.{ending}")
    rows = json.loads((small / "found.json").read_text())["correlations"]["rows"]
    assert [row["metric"] for row in rows[:4]] == ["good", "good", "good", "bad"]
    latex = (small / "found.tex").read_text()
    assert latex.count(r"\toprule") == 5
    assert r"bad & 0.600 & 2 & 0.600 & 2 & 0.333 & 2 \\" in latex
    assert " ".join((small / "found.txt").read_text().split()) in done.words


def test_what_is_correlated_is_chosen_by_options(small, shows):
    """Without d the metric ``bad`` has 2 1 4 against 1 2 3."""
    shows(f"""
    correlate {SMALL} --level summary --coefficients tau_b --dimension style --by genre --draws 20
        style, news, summary level: 4 systems, 1 topic, 2 judges
        metric     Kendall tau-b  rank
        ...
        style, tale, summary level: 4 systems, 1 topic, 2 judges
        ...
    correlate {SMALL} --exclude d -m bad --draws 20
        ...
        quality, system level: 3 systems, 2 topics, 2 judges
        metric ...
        bad          0.655     1     0.500     1          0.333     1
        ...
    correlate {SMALL} --level input --no-tests
        Pearson with people's judgments, summary level: 4 systems, 2 topics
        ...
    correlate {SMALL} --no-tests --coefficients tau_a,tau_b,spearman,pearson
        Kendall tau-a with people's judgments...
        ...
                   Kendall        Kendall
        metric       tau-a  rank    tau-b  rank  Spearman  rank  Pearson  rank
        ...
    """)
    assert not starting(correlated(f"{SMALL} --exclude d -m bad").lines, "good")


def test_a_corpus_is_scored_and_both_protocols_have_tables(demo_folder):
    options = "--protocol all_peers --protocol no_models --by group"
    done = correlated(f"'{demo_folder}' -m rouge-1,js_divergence,compression {options}")
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
    assert any(line.endswith("-") for line in starting(done.lines, "compression"))


def test_marks_of_models_give_tables_with_and_without_them(demo_folder, here):
    """Scores of a corpus need no option for that; marks on peers alone give one table."""
    typed = f"'{demo_folder}' -m lcs.f --dimension responsiveness"
    lines = correlated(typed).lines
    assert [line.split(":")[0] for line in starting(lines, "responsiveness")] == [
        "responsiveness, system level",
        "responsiveness, All Peers, system level",
    ]
    assert starting(lines, "How sure") == [
        f"How sure: responsiveness,{protocol} system level, Pearson"
        for protocol in ("", " All Peers,")
    ]
    marks = ["topic,author,dimension,value"]
    for k, author in enumerate(["lead", "random", "echo"]):
        marks += [f"t0{i},{author},responsiveness,{i + k}" for i in range(1, 4)]
    (here / "marks.csv").write_text("\n".join(marks))
    assert "All Peers" not in correlated(f"{typed} --judgments marks.csv").out
    assert "All Peers" not in correlated(f"'{demo_folder}' -m lcs.f --matrix").out


def test_a_folder_of_tac_is_a_corpus_and_scores():
    """With -m its summaries are scored; else its AESOP files meet its own judgments."""
    typed = shlex.quote(str(Path(__file__).parents[1] / "data" / "tac"))
    done = correlated(f"{typed} --dimension responsiveness -m lcs.f")
    assert done.lines[2].split()[0] == "lcs.f"
    assert "holds scores and a corpus" not in done.err
    done = correlated(f"{typed} --dimension responsiveness")
    assert done.lines[2].split()[0] == "7"
    assert "tac holds scores and a corpus: these are the scores; with -m it is" in done.err


def test_correlations_of_a_corpus_are_those_of_its_score_file(demo, demo_folder, here):
    """The demo, marked by numbers and by letters, has the same coefficients from plain means."""
    table = summetry.evaluate(demo, ["lcs.f", "cosine"])
    write_scores(table, here / "scores.csv")
    rows = rows_of_json(f"scores.csv --judgments '{demo_folder}'")
    assert rows_of_json(f"'{demo_folder}' -m lcs.f -m cosine --protocol no_models") == rows
    tau = {(r["metric"], r["dimension"]): r["value"] for r in rows if r["coefficient"] == "tau_b"}
    for line in correlate_with_judgments(table, demo):
        assert tau[line.value, line.dimension] == pytest.approx(line.kendall)


def test_the_matrix_needs_no_judgments(small):
    """10 20 30 40 and 2 1 4 3: r = 0.6."""
    assert correlated("scores.csv --matrix --coefficients pearson").lines == [
        "Metrics with each other: Pearson, system level; 4 systems, 2 topics",
        "metric     1     2",
        "1 good  1.00  0.60",
        "2 bad   0.60  1.00",
    ]
    correlated("scores.csv --matrix -o m.csv")
    rows = rows_of(small / "m.csv")
    assert len(rows) == 3 * 4
    assert (rows[1]["metric"], rows[1]["other"]) == ("good", "bad")
    assert float(rows[1]["value"]) == pytest.approx(0.6)


def test_accuracies_stand_beside_their_chance(small, shows):
    """``good`` orders all pairs as people do; of six pairs ``bad`` turns two.

    A constant ties all pairs; people tie none of them, and 1 - |p - 1/2| is 0.625 on average.
    """
    shows(f"""
    correlate {SMALL} --dimension quality --accuracies --draws 20
        ...
        Pairs of systems: quality
        metric       soft  chance  with ties  chance  epsilon
        good        1.000   0.625      1.000   0.500   0.0000
        bad         ...      0.667 ...
        (constant)  0.625   0.625      0.000   0.500   0.0000
        ...
    """)


@pytest.fixture(scope="module")
def drawn_once():
    """The library of charts takes seconds to load."""
    altair = pytest.importorskip("altair")
    pytest.importorskip("vl_convert").vegalite_to_svg(altair.Chart().mark_point().to_dict())


@pytest.mark.usefixtures("drawn_once")
def test_bars_and_points_are_drawn(small):
    files = written(correlated(f"{SMALL} --plot bars.svg --scatter points.svg"))
    picture = (small / "bars.svg").read_text("utf-8")
    for words in ("quality", "style", "good", "(a judge)", "95 % intervals over systems"):
        assert words in picture
    # A picture for each metric and dimension, of which there are two each.
    assert len(files) == 5 and {"bars.svg", "points-good-quality.svg"} < set(files)
    picture = (small / "points-good-quality.svg").read_text()
    for number, system in enumerate("abcd", start=1):
        assert f'"good: {10 * number}; quality: {number}"' in picture
        assert f">{system}</text>" in picture
        # The mean of two topics that are drawn is between that of either one twice.
        mean = f"good: {10 * number - 0.5:g}; quality: {number}; score high: {10 * number + 0.5:g}"
        assert f'"{mean}"' in picture


def test_points_of_people_and_systems_differ(demo_folder, here, no_chart_script):
    options = "-m lcs --dimension responsiveness --protocol all_peers"
    correlated(f"'{demo_folder}' {options} --scatter points.html")
    page = (here / "points.html").read_text()
    assert "Systems by metric and judgment" in page
    assert "people" in page and "careful" in page and "lines: 95 % intervals of means" in page
    assert "Pearson of null judges: (length alone) " in page and ", (lead overlap) " in page


@pytest.mark.parametrize("package", ["altair", "vl_convert"])
def test_what_cannot_be_drawn_is_told_before_anything_is_scored(small, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr("summetry.cli._scored.ScoresOptions.read_or_score", None)
    done = run_command("correlate", *shlex.split(SMALL), "--plot", "bars.svg")
    assert_refused(done, 2, "vl-convert-python")
    missing = done.err.split("pip install ")[1]
    assert "vl-convert-python" in missing and "altair" in missing


@pytest.mark.parametrize(
    ("genres", "names"),
    [
        (("news", "tale"), ["bars-news-system-level.svg", "bars-tale-system-level.svg"]),
        (("a!", "a?"), ["bars-a-system-level.svg", "bars-a-system-level_2.svg"]),
    ],
)
def test_several_charts_have_names_of_their_own(small, genres, names):
    marks = (small / "marks.csv").read_text()
    text = marks.replace(",news", f",{genres[0]}").replace(",tale", f",{genres[1]}")
    (small / "marks.csv").write_text(text)
    assert written(correlated(f"{SMALL} --by genre --plot bars.svg")) == names
    assert genres[1] in (small / names[1]).read_text()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("scores.csv", "a score table has no judgments; --judgments names a corpus or a table"),
        ("scores.csv --judgments mark.csv", "mark.csv: no such file or folder. Did you"),
        ("SMALL --dimension qualty", "no dimension of judgments is named 'qualty'. Did you"),
        ("SMALL -m god", "no metric among the scores is named 'god'. Did you mean 'goo"),
        ("SMALL --level sytem", "no level is named 'sytem'. Did you mean 'system'?"),
        ("SMALL --level segment", "the level 'segment' may mean two: say summary (within each "
         "topic, then averaged) or global"),
        ("SMALL --level ,", "--level: expected names with commas between them, got ','"),
        ("SMALL --coefficients kendall", "no coefficient is named 'kendall'. Known: pe"),
        ("SMALL --exclude e", "no system is named 'e'"),
        ("SMALL --by group", "no topic of the scores has a group; the corpus says it"),
        ("SMALL --protocol peers", "no protocol is named 'peers'"),
        ("SMALL --protocol all_peers", "no protocol of the scores is named 'all_peers'"),
        ("SMALL --alpha 5", "alpha must be between 0 and 1, such as 0.05, got 5.0"),
        ("SMALL -o a.doc", "a.doc: findings are written to files ending in .json, .csv"),
        ("SMALL --plot a.gif", "a.gif: a chart is written as .svg, .png, .html, got '."),
        ("SMALL --plot a.svg --scatter a.svg", "--plot and --scatter both name "),
        ("SMALL --scatter a", "a: a chart is written as .svg, .png, .html, got ''"),
        ("SMALL -o out.csv", "out.csv: expected a file to write to, found a folder"),
        ("SMALL --plot out.svg", "out.svg: expected a file to write to, found a folder"),
        ("SMALL -o marks.csv", "marks.csv: would be written over what is read"),
        ("SMALL -o scores.csv", "scores.csv: would be written over what is read"),
        ("one.csv", "one.csv: expected scores or summaries, found no rows"),
        ("two.csv", "two.csv: expected scores (the columns id, system and one per value), or"),
        ("scores.csv --judgments one.csv", "one.csv: expected judgments, found none; they are"),
        ("SMALL --matrix --accuracies", "--plot, --scatter and --accuracies do not go "),
        ("scores.csv --judgments far.csv",
         "no summary has both a score and a judgment: the scores are of topics such as 't1' and "
         "systems such as 'a', the judgments"),
        ("again.csv --judgments marks.csv", "again.csv:18: expect"),
        ("scores.csv --judgments twice.csv", "twice.csv:34: expect"),
        ("style.csv --judgments style.csv",
         "no metric is left beside style: a score of the same name is taken for people's "
         "judgments; rename its column, for example to style-by-llm\n"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line(small, typed, words):
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
    done = run_command("correlate", *shlex.split(typed.replace("SMALL", SMALL)))
    assert_refused(done, 2, f"error: {words}")


def test_marks_without_scores_are_counted_and_named(small):
    """Both dimensions have them, so that one line counts twice; models and who is left out do not.

    t9 and the stranger have no score.
    """
    with (small / "marks.csv").open("a") as file:
        file.write("\nt1,stranger,j1,quality,3,news\nt1,stranger,j1,style,3,news")
        file.write("\nt9,a,j1,quality,3,mail")
    assert correlated(f"{SMALL} --exclude d").lines[-2:] == [
        "2 judgments have no score: the system stranger",
        "1 judgment has no score: the topic t9",
    ]
    lines = correlated(f"{SMALL} --dimension style").lines
    assert lines[-1] == "1 judgment has no score: the system stranger"


def test_job_five_of_the_first_five_minutes(here):
    """Wide judgments beside scores of anybody; by numpy in each topic, and the mean of both."""
    scores, judged = ((0.1, 0.4, 0.3), (0.5, 0.2, 0.9)), ((1, 5, 3), (3, 2, 4))
    r = np.mean([np.corrcoef(*pair)[0, 1] for pair in zip(scores, judged, strict=True)])
    mine, marks = ["id,system,mine"], ["id,system,coherence,fluency"]
    for topic in (0, 1):
        for place, system in enumerate("abc"):
            mine.append(f"{topic},{system},{scores[topic][place]}")
            marks.append(f"{topic},{system},{judged[topic][place]},{5 - topic}")
    (here / "scores.csv").write_text("\n".join(mine))
    (here / "marks.csv").write_text("\n".join(marks))
    assert correlated(f"{SMALL} --level summary").lines[:3] == [
        "Pearson with people's judgments, summary level: 3 systems, 2 topics",
        "metric    coherence  fluency",
        f"mine          {r:.3f}        -",
    ]


def test_values_are_shown_as_they_were_named_and_all_on_request(demo_folder):
    named = "-m ROUGE-2.recall -m ROUGE-2 -m rouge-1.precision,rouge-1.recall"
    lines = correlated(f"'{demo_folder}' {named} --no-tests --protocol no_models").lines
    assert [line.split("  ")[0] for line in lines[2 : lines.index("")]] == [
        "ROUGE-2.recall", "ROUGE-2.f", "rouge-1.precision", "rouge-1.recall",
        "(a judge)", "(length alone)", "(lead overlap)", "(random)",
    ]  # fmt: skip
    typed = f"'{demo_folder}' -m coselection --dimension responsiveness"
    assert [line.split()[0] for line in correlated(typed).lines[2:4]] == ["coselection.f", "(a"]
    lines = correlated(f"{typed} --all-values").lines
    assert len({line.split()[0] for line in starting(lines, "coselection.")}) == 3


def test_no_tests_is_a_table_at_once(small, monkeypatch):
    for name in ("bootstrap_many", "pair_tester", "association"):
        monkeypatch.setattr(f"summetry.metaeval.certainty.{name}", None)
    done = correlated(f"{SMALL} --no-tests")
    for words in ("\nHow sure", "cluster", "low, high"):
        assert words not in done.out
    assert "bad          0.600     2     0.600     2          0.333     2" in done.lines
    assert {row["low"] for row in rows_of_json(f"{SMALL} --no-tests")} == {None}


def test_many_dimensions_are_folded_into_eighty_columns(small):
    names = [f"dimension_{k}_of_judges" for k in range(6)]
    rows = [f"{t},{s},{','.join(str(ord(s) * k % 7) for k in range(1, 7))}"
            for t in ("t1", "t2") for s in "abcd"]  # fmt: skip
    (small / "wide.csv").write_text("\n".join([",".join(["id", "system", *names]), *rows]))
    lines = correlated("scores.csv --judgments wide.csv --no-tests").lines
    tops = [k for k, line in enumerate(lines) if line.startswith("Pearson with people's")]
    assert len(tops) == 2 and [name for k in tops for name in lines[k + 1].split()[1:]] == names
    assert all(len(line) <= 80 for line in lines[: tops[-1] + 6])


def test_no_default_heading_names_a_protocol(small, demo_folder):
    for typed in (
        f"correlate {SMALL} --no-tests --accuracies",
        "correlate scores.csv --matrix",
        f"discriminate {SMALL} --test t",
        f"combine {SMALL} -m good,bad --dimension style --draws 20",
    ):
        assert "no models" not in succeed(*shlex.split(typed)).out.lower().replace("_", " ")
    done = correlated(f"'{demo_folder}' -m lcs.f --no-tests --protocol all_peers")
    assert "All Peers" in done.lines[0]


# --- Values that stand for people, and dimensions among the metrics ------------------------------


def pearson_of(line):
    return {
        (row["dimension"], row["metric"]): pytest.approx(row["value"])
        for row in rows_of_json(f"{line} --no-tests")
        if row["coefficient"] == "pearson" and not row["metric"].startswith("(")
    }


def test_a_metric_can_stand_for_people_and_a_dimension_among_the_metrics(sides):
    """two (3 1 2) with one (1 2 3) is -0.5; what stands for people is no metric beside itself.

    coherence (1 3 2) has 0.5 with one (1 2 3) and -0.5 with fluency (2 1 3).
    """
    assert pearson_of(f"{sides} --dimension one") == {("one", "two"): -0.5}
    assert pearson_of("scores.csv --dimension one") == {("one", "two"): -0.5}
    lines = correlated("scores.csv --dimension one --no-tests").lines
    assert lines[0] == "one, system level: 3 systems, 2 topics"
    assert pearson_of(f"{sides} -m coherence,two --dimension fluency --dimension one") == {
        ("fluency", "coherence"): -0.5, ("fluency", "two"): 0.5,
        ("one", "coherence"): 0.5, ("one", "two"): -0.5,
    }  # fmt: skip
    # No dimension is compared with itself.
    assert pearson_of(f"{sides} -m coherence,one").keys() == {
        ("coherence", "one"), ("fluency", "coherence"), ("fluency", "one"),
    }  # fmt: skip
    done = correlated(f"{sides} -m coherence --no-tests")
    assert "no metric is left beside coherence" in done.out


def test_pyramids_of_a_corpus_stand_for_people_in_three_commands(demo, demo_folder):
    """As the values of the metric give it, which is computed though -m does not name it."""
    table = summetry.evaluate(demo, ["pyramid.value", "rouge-2.recall"])
    systems = {author: [] for author in table.authors()}
    for row, numbers in zip(table.rows, table.data, strict=True):
        systems[row.author].append(numbers)
    means = np.array([np.nanmean(own, axis=0) for own in systems.values()])
    asked = f"'{demo_folder}' -m rouge-2.recall --dimension pyramid --protocol no_models"
    assert pearson_of(asked) == {("pyramid", "rouge-2.recall"): np.corrcoef(means.T)[0, 1]}
    output = succeed("discriminate", *shlex.split(asked), "--draws", 20, "--json").json
    assert "rouge-2.recall" in str(output) and "responsiveness" not in str(output)
    more = ("-m", "grammaticality", "--draws", 20, "--json")
    output = succeed("combine", *shlex.split(asked), *more).json
    assert output["settings"]["dimension"] == "pyramid" and "grammaticality" in str(output)
