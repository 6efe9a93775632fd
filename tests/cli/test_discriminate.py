"""``summetry discriminate``: tables, NIST's layout, files, and mistakes."""

import csv
import json
from itertools import combinations

import numpy as np
import pytest

import summetry
from summetry.formats.scores import write_scores
from summetry.metaeval.discrimination import DiscriminateSettings, discriminate
from summetry.metaeval.grids import grid_of, judgments_of
from summetry.records.scores import Column, Row, ScoreTable

METRICS = ["cosine", "npower", "js_divergence"]
BOTH = ("--protocol", "no_models", "--protocol", "all_peers")
ASKED = [part for name in METRICS for part in ("-m", name)]


@pytest.fixture(scope="module")
def tables(demo):
    return {p: summetry.evaluate(demo, METRICS, p) for p in ("no_models", "all_peers")}


@pytest.fixture
def small(here):
    """Scores and marks of three systems on four topics, by hand: see the test of the counts."""
    scores = {"a": [0, 0, 0, 1], "b": [9, 9, 9, 8], "c": [20, 21, 22, 24]}
    marks = {"a": [5, 5, 6, 6], "b": [3, 3, 3, 3], "c": [5, 4, 6, 7]}
    rows = [Row("no_models", f"t{t}", who, "candidate") for who in scores for t in range(4)]
    data = np.array([[v] for of in scores.values() for v in of], np.float64)
    write_scores(ScoreTable(tuple(rows), (Column("BE-HM", "score"),), data), here / "scores.csv")
    lines = ["topic,author,dimension,value,group"]
    lines += [f"t{t},{who},quality,{v},{'AABB'[t]}"
              for who, of in marks.items() for t, v in enumerate(of)]  # fmt: skip
    (here / "marks.csv").write_text("\n".join(lines) + "\n")
    return here


def test_the_counts_of_a_small_table(scored, small):
    done = scored("discriminate", "scores.csv", "--judgments", "marks.csv", "--test", "t")
    assert done.lines == [
        "Do metrics find the differences between systems that people find?",
        "dimension  metric       a  b  c  d  e  agree  rank  found  false",
        "quality    BE-HM.score  1  1  0  0  1      1     1  0.500  0.333",
        # The constant sees no difference: of the pairs above people see two.
        "quality    (constant)   0  0  2  1  0      1     -  0.000      -",
        "",
        "a both significant, same direction; b the metric only; c people only; d neither;",
        "e both, opposite directions",
        "paired t-tests, alpha for each pair; alpha 0.05; 3 pairs of systems",
    ]


def test_two_systems_are_one_pair(scored, small):
    asked = ("scores.csv", "--judgments", "marks.csv", "--test", "t", "--exclude", "a")
    assert scored("discriminate", *asked).lines[-1].endswith("; 1 pair of systems")


def test_the_layout_of_nist_is_plain(scored, small):
    done = scored("discriminate", "scores.csv", "--judgments", "marks.csv", "--test", "t", "--nist")
    assert done.out == "BE-HM.score\nquality\n1 1 0\n0 0 0\n0 0 1\n"


def test_several_tables_in_the_layout_of_nist_have_titles(scored, small):
    done = scored(
        "discriminate", "scores.csv", "--judgments", "marks.csv", "--by", "group", "--nist"
    )
    titles = [line for line in done.lines if "," in line]
    assert titles == ["group A, tukey", "group B, tukey"]
    assert done.lines.count("BE-HM.score") == 2


@pytest.mark.parametrize("test", ["tukey", "t", "permutation"])
@pytest.mark.parametrize("protocol", ["no_models", "all_peers"])
def test_json_has_the_counts_for_every_dimension(scored, demo, demo_folder, tables, test, protocol):
    """Marks of one dimension are numbers, of the other letters."""
    options = ("--test", test, "--protocol", protocol, "--json")
    output = scored("discriminate", demo_folder, *ASKED, *options).json
    settings = output["settings"]
    assert (settings["tests"], settings["alpha"], settings["seed"]) == ([test], 0.05, 0)
    grid = grid_of(tables[protocol])
    for dimension in ("responsiveness", "grammaticality"):
        rows = [r for r in output["discrimination"]["rows"] if r["dimension"] == dimension]
        lines = discriminate(grid, judgments_of(demo, dimension, grid), DiscriminateSettings(test))
        *ranks, length, lead, constant = (row["rank"] for row in rows)
        assert ranks == sorted(line.rank for line in lines)
        # Null judges come last, and have no rank.
        assert (length, lead, constant) == (None, None, None)
        assert [r["metric"] for r in rows[-3:]] == [
            "(length alone)",
            "(lead overlap)",
            "(constant)",
        ]
        a, b, c, d, e = (rows[-1][name] for name in "abcde")
        assert (a, b, e) == (0, 0, 0)
        # What people see does not depend on the metric.
        assert c == sum(rows[0][name] for name in "ace") and d == rows[0]["b"] + rows[0]["d"]
        by_name = {row["metric"]: row for row in rows}
        for line in lines:
            row = by_name[line.column.name]
            assert [row[name] for name in "abcde"] == list(line.counts[:5])
            assert row["agreements"] + row["disagreements"] + row["left_out"] == sum(line.counts)
    systems = {"no_models": 6, "all_peers": 9}[protocol]
    assert (
        f"{systems * (systems - 1) // 2} pairs of systems" in output["discrimination"]["notes"][1]
    )


def test_a_file_of_both_protocols_makes_a_table_each(scored, demo_folder, tables, here):
    joined = [tables[p] for p in ("no_models", "all_peers")]
    data = np.concatenate([table.data for table in joined])
    rows = joined[0].rows + joined[1].rows
    write_scores(ScoreTable(rows, joined[0].columns, data), here / "both.csv")
    read = ("discriminate", "both.csv", "--judgments", demo_folder, "--json")
    output = scored(*read).json
    names = ["discrimination_no_models_tukey", "discrimination_all_peers_tukey"]
    assert [name for name in output if name.startswith("discrimination")] == names
    # Without -m a metric is taken by its main value.
    assert {row["metric"] for row in output[names[0]]["rows"]} == {
        "cosine", "npower", "js_divergence", "(length alone)", "(lead overlap)", "(constant)",
    }  # fmt: skip
    alone = scored(*read, "--protocol", "all_peers").json["discrimination"]
    assert alone == output[names[1]]
    straight = scored(
        "discriminate", demo_folder, "-m", "npower.value", "-m", "cosine", "-m", "js_divergence",
        *BOTH, "--json",
    ).json  # fmt: skip
    for name in names:
        pairs = [{r["metric"]: r for r in made[name]["rows"]} for made in (straight, output)]
        assert pairs[0] == pairs[1]


def test_only_pairs_of_a_candidate_and_a_reference(scored, demo, demo_folder, tables):
    options = (*BOTH, "--pairs", "candidate_reference", "--json")
    output = scored("discriminate", demo_folder, "-m", "cosine", *options).json
    peers, all_of = (output[f"discrimination_{p}_tukey"] for p in ("no_models", "all_peers"))
    assert sum(all_of["rows"][0][name] for name in "abcde") == 6 * 3
    assert "18 pairs of a candidate and a reference" in all_of["notes"][1]
    # Without models there are no such pairs, and all count.
    assert sum(peers["rows"][0][name] for name in "abcde") == 15
    assert "15 pairs of systems" in peers["notes"][1]


def test_by_group_and_without_a_system(scored, demo, demo_folder, tables):
    options = ("--by", "group", "--exclude", "echo", "--dimension", "responsiveness", "--json")
    output = scored("discriminate", demo_folder, "-m", "cosine", *options).json
    whole = grid_of(tables["no_models"], exclude=["echo"])
    for group in "AB":
        part = whole.only_topics([t.id for t in demo.topics if t.group == group])
        part = part.only_columns(part.columns[:1])
        (line,) = discriminate(part, judgments_of(demo, "responsiveness", part))
        row, *nulls = output[f"discrimination_no_models_{group}_tukey"]["rows"]
        assert len(nulls) == 3
        assert [row[name] for name in "abcde"] == list(line.counts[:5])
        assert sum(line.counts) == len(list(combinations(range(5), 2)))


def test_the_tables_are_written_in_every_way(scored, demo_folder, here):
    for ending in ("csv", "json", "tex", "txt"):
        asked = (*ASKED, "--protocol", "no_models", "-o", f"out/d.{ending}")
        done = scored("discriminate", demo_folder, *asked)
        assert done.lines[-1] == f"wrote out/d.{ending}"
    with (here / "out" / "d.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    written = json.loads((here / "out" / "d.json").read_text())["discrimination"]["rows"]
    assert [int(row["agreements"]) for row in rows] == [row["agreements"] for row in written]
    latex = (here / "out" / "d.tex").read_text()
    assert "\\toprule" in latex and "js\\_divergence" in latex
    assert "npower.memog" in (here / "out" / "d.txt").read_text()


def test_both_tables_come_where_people_marked_models_too(scored, demo_folder, here):
    done = scored("discriminate", demo_folder, "-m", "cosine", "-o", "both.csv")
    assert [line for line in done.lines if line.startswith("Do metrics")] == [
        f"Do metrics find the differences between systems that people find?{which}"
        for which in ("", " (All Peers)")
    ]
    assert done.lines[-2:] == [
        "wrote both.csv",
        "wrote both-discrimination_all_peers_tukey.csv",
    ]


def test_what_is_infinite_counts_and_what_is_missing_is_left_out(scored, small):
    text = (small / "scores.csv").read_text().replace(",9.0\n", ",inf\n", 1)
    (small / "scores.csv").write_text(text)
    marks = (small / "marks.csv").read_text().replace("t3,c,quality,7,B\n", "")
    (small / "marks.csv").write_text(marks)
    done = scored("discriminate", "scores.csv", "--judgments", "marks.csv")
    assert "without a score or a judgment: 1 summary per row" in done.lines
    assert any(line.startswith("BE-HM.score: 1 infinite score") for line in done.lines)


def test_permutation_tests_name_draws_and_seed(scored, here):
    topics = [f"t{t}" for t in range(25)]
    rows = [Row("no_models", topic, who, "candidate") for who in "ab" for topic in topics]
    data = np.arange(50.0)[:, None]
    write_scores(ScoreTable(tuple(rows), (Column("BE-HM", "score"),), data), here / "scores.csv")
    marks = [f"{row.topic},{row.author},quality,{n}" for n, row in enumerate(rows)]
    (here / "marks.csv").write_text("\n".join(["topic,author,dimension,value", *marks]) + "\n")
    arguments = ("--judgments", "marks.csv", "--test", "permutation", "--seed", 7, "--draws")
    assert "30 permutations, seed 7" in scored("discriminate", "scores.csv", *arguments, 30).lines
    few = scored("discriminate", "scores.csv", *arguments, 10).lines
    assert " ".join(few[-2:]) == (
        "nothing can be significant here: the smallest p of 10 permutations is 0.091; "
        "more --draws can show more"
    )
    assert "10 permutations, seed 7" in few


def test_differences_that_were_found_are_not_said_to_be_impossible(scored, here):
    """Of 30 topics 20 differ: all signs of these are counted, and ten draws do not matter."""
    topics = [f"t{t}" for t in range(30)]
    rows = [Row("no_models", topic, who, "candidate") for who in "ab" for topic in topics]
    values = [1.0] * 20 + [0.0] * 40
    data = np.array(values)[:, None]
    write_scores(ScoreTable(tuple(rows), (Column("BE-HM", "score"),), data), here / "scores.csv")
    pairs = zip(rows, values, strict=True)
    marks = [f"{row.topic},{row.author},quality,{value}" for row, value in pairs]
    (here / "marks.csv").write_text("\n".join(["topic,author,dimension,value", *marks]) + "\n")
    read = ("discriminate", "scores.csv", "--judgments", "marks.csv", "--test", "permutation")
    lines = scored(*read, "--draws", 10).lines
    assert lines[2].split()[2] == "1" and "10 permutations, seed 0" in lines


def test_parts_of_like_names_are_all_there(scored, small):
    """Blanks and signs that no file name can have must not make two parts one."""
    given = (small / "marks.csv").read_text()
    read = ("discriminate", "scores.csv", "--judgments", "marks.csv", "--by", "group")
    marks = given.replace(",A\n", ",a b\n").replace(",B\n", ",a_b\n")
    (small / "marks.csv").write_text(marks)
    assert list(scored(*read, "--json").json) == [
        "settings",
        "discrimination_no_models_a_b_tukey",
        "discrimination_no_models_a_b_tukey_2",
    ]
    (small / "marks.csv").write_text(given.replace(",B\n", ",a/b\n"))
    scored(*read, "-o", "out.csv")
    assert sorted(path.name for path in small.glob("out*")) == [
        "out-discrimination_no_models_a_b_tukey.csv",
        "out.csv",
    ]


def test_too_few_topics_or_systems_are_told(scored, small):
    """The least p of 16 ways to set signs is 2/16."""
    read = ("discriminate", "scores.csv", "--judgments", "marks.csv")
    message = "nothing can be significant here: the smallest p of 4 topics is 0.12; more topics"
    found = scored(*read, "--test", "permutation")
    assert f"{message} can show more" in " ".join(found.lines)
    found = scored(*read, "--test", "permutation", "--alpha", 0.2)
    assert "all permutations of the signs of 4 topics" in found.lines and message not in found.out
    nothing = "no pair has a verdict: two systems with two topics in common are needed"
    assert nothing not in found.lines
    assert nothing in scored(*read, "--exclude", "a", "--exclude", "b").lines


def test_tables_of_several_tests_say_so_in_their_titles(scored, small):
    read = ("discriminate", "scores.csv", "--judgments", "marks.csv", "--test", "t,tukey")
    titles = [line for line in scored(*read).lines if line.startswith("Do metrics")]
    assert [title.rpartition("(")[2] for title in titles] == [
        "t)", "tukey)",
    ]  # fmt: skip


def test_the_layout_of_nist_is_written_to_a_text_as_it_is_printed(scored, small):
    read = ("discriminate", "scores.csv", "--judgments", "marks.csv", "--by", "group", "--nist")
    done = scored(*read, "-o", "out/nist.txt")
    assert (small / "out" / "nist.txt").read_text() == done.out
    # Other files have the counts in columns.
    scored(*read, "-o", "out/nist.csv")
    assert (small / "out" / "nist.csv").read_text().startswith("dimension,metric,a,b,c,d,e,")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--test", "tuckey"), "no test is named 'tuckey'. Did you mean 'tukey'?"),
        (("--test", ","), "--test: expected names with commas between them, got ','"),
        (("--protocol", "models"), "no protocol is named 'models'. Did you mean 'no_models'?"),
        (("--protocol", "all_peers"), "no protocol of the scores is named 'all_peers'"),
        (("--alpha", 1), "alpha must be between 0 and 1, such as 0.05, got 1.0"),
        (("--nist", "--json"), "--nist does not go with --json"),
        (
            ("--pairs", "candidate_reference"),
            "--pairs candidate_reference needs scores and judgments of",
        ),
        (("--by", "genre"), "no topic of the scores has a genre"),
        (("--dimension", "qualty"), "no dimension of judgments is named 'qualty'. Did you mean"),
        (("-m", "BE"), "no metric among the scores is named 'BE'"),
        (("--exclude", "d"), "no system is named 'd'"),
        (("-o", "d.xls"), "d.xls: findings are written to files ending in .json"),
        (("--draws", 0), "invalid value for '--draws'"),
    ],
)
def test_mistakes_are_told_in_one_line(call, small, arguments, message):
    done = call("discriminate", "scores.csv", "--judgments", "marks.csv", *arguments)
    assert done.code == 2
    assert done.err.startswith(f"error: {message}") and done.err.count("\n") == 1


def test_scores_without_judgments_are_told(call, small):
    done = call("discriminate", "scores.csv")
    assert done.code == 2
    assert "has no judgments; --judgments names a corpus or a table" in done.err
