"""``summetry discriminate``: tables, NIST's layout, files, and mistakes."""

import csv
import json
import shlex

import numpy as np
import pytest
from command_line import assert_refused, run_command, succeed
from rankings import table_of

import summetry
from summetry.formats.scores import write_scores
from summetry.metaeval.discrimination import DiscriminateSettings, discriminate
from summetry.metaeval.grids import grid_of, judgments_of
from summetry.records.scores import ScoreTable

METRICS = ["cosine", "npower", "js_divergence"]
PROTOCOLS = ("no_models", "all_peers")
BOTH = "--protocol no_models --protocol all_peers"
NULL_JUDGES = ["(length alone)", "(lead overlap)", "(constant)"]
SMALL = "scores.csv --judgments marks.csv"


@pytest.fixture(scope="module")
def tables(demo):
    return {protocol: summetry.evaluate(demo, METRICS, protocol) for protocol in PROTOCOLS}


@pytest.fixture
def small(here):
    """Scores and marks of three systems on four topics, by hand: see the test of the counts."""
    scores = {"a": [0, 0, 0, 1], "b": [9, 9, 9, 8], "c": [20, 21, 22, 24]}
    marks = {"a": [5, 5, 6, 6], "b": [3, 3, 3, 3], "c": [5, 4, 6, 7]}
    write(here, scores, marks, "AABB")
    return here


def write(here, scores, marks, groups):
    """Scores and marks of systems, topic by topic."""
    write_scores(table_of(scores, "BE-HM.score"), here / "scores.csv")
    lines = ["topic,author,dimension,value,group"]
    for system, values in marks.items():
        lines += [f"t{topic},{system},quality,{value},{groups[topic]}"
                  for topic, value in enumerate(values)]  # fmt: skip
    (here / "marks.csv").write_text("\n".join(lines) + "\n")


def discriminated(line):
    return succeed("discriminate", *shlex.split(line))


def counts(row):
    return [row[name] for name in "abcde"]


def titles(done):
    return [line for line in done.lines if line.startswith("Do metrics")]


def test_the_counts_of_a_small_table_and_the_layout_of_nist(small, shows):
    """The constant sees no difference: of the pairs above people see two."""
    shows(f"""
    discriminate {SMALL} --test t
        Do metrics find the differences between systems that people find?
        dimension  metric       a  b  c  d  e  agree  rank  found  false
        quality    BE-HM.score  1  1  0  0  1      1     1  0.500  0.333
        quality    (constant)   0  0  2  1  0      1     -  0.000      -

        a both significant, same direction; b the metric only; c people only; d neither;
        e both, opposite directions
        paired t-tests, alpha for each pair; alpha 0.05; 3 pairs of systems
    discriminate {SMALL} --test t --exclude a
        ...
        paired t-tests, ...; 1 pair of systems
    discriminate {SMALL} --test t --nist
        BE-HM.score
        quality
        1 1 0
        0 0 0
        0 0 1
    """)
    done = discriminated(f"{SMALL} --test t,tukey")
    assert [title.rpartition("(")[2] for title in titles(done)] == ["t)", "tukey)"]


def test_several_tables_in_the_layout_of_nist_have_titles_and_are_written_as_printed(small):
    done = discriminated(f"{SMALL} --by group --nist -o out/nist.txt")
    assert [line for line in done.lines if "," in line] == ["group A, tukey", "group B, tukey"]
    assert done.lines.count("BE-HM.score") == 2
    assert (small / "out" / "nist.txt").read_text() == done.out
    # Other files have the counts in columns.
    discriminated(f"{SMALL} --by group --test t --nist -o out/nist.csv")
    assert (small / "out" / "nist.csv").read_text().startswith("dimension,metric,a,b,c,d,e,")


@pytest.mark.parametrize("test", ["tukey", "t", "permutation"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_json_has_the_counts_for_every_dimension(demo, demo_folder, tables, test, protocol):
    """Marks of one dimension are numbers, of the other letters."""
    asked = f"-m cosine -m npower -m js_divergence --test {test} --protocol {protocol} --json"
    output = discriminated(f"'{demo_folder}' {asked}").json
    settings = output["settings"]
    assert (settings["tests"], settings["alpha"], settings["seed"]) == ([test], 0.05, 0)
    grid = grid_of(tables[protocol])
    for dimension in ("responsiveness", "grammaticality"):
        rows = [r for r in output["discrimination"]["rows"] if r["dimension"] == dimension]
        lines = discriminate(grid, judgments_of(demo, dimension, grid), DiscriminateSettings(test))
        # Null judges come last, and have no rank.
        ranks = sorted(line.rank for line in lines)
        assert [row["rank"] for row in rows] == [*ranks, None, None, None]
        assert [row["metric"] for row in rows[-3:]] == NULL_JUDGES
        a, b, c, d, e = counts(rows[-1])
        assert (a, b, e) == (0, 0, 0)
        # What people see does not depend on the metric.
        assert c == sum(rows[0][name] for name in "ace") and d == rows[0]["b"] + rows[0]["d"]
        row_by_metric = {row["metric"]: row for row in rows}
        for line in lines:
            row = row_by_metric[line.column.name]
            assert counts(row) == list(line.counts[:5])
            assert row["agreements"] + row["disagreements"] + row["left_out"] == sum(line.counts)
    pairs = {"no_models": 6 * 5 // 2, "all_peers": 9 * 8 // 2}[protocol]
    assert f"{pairs} pairs of systems" in output["discrimination"]["notes"][1]


def test_a_file_of_both_protocols_makes_a_table_each(demo_folder, tables, here):
    rows = [row for protocol in PROTOCOLS for row in tables[protocol].rows]
    data = np.concatenate([tables[protocol].data for protocol in PROTOCOLS])
    columns = tables["no_models"].columns
    write_scores(ScoreTable(tuple(rows), columns, data), here / "both.csv")
    read = f"both.csv --judgments '{demo_folder}' --test t --dimension grammaticality --json"
    output = discriminated(read).json
    names = ["discrimination_no_models_t", "discrimination_all_peers_t"]
    assert [name for name in output if name.startswith("discrimination")] == names
    # Without -m a metric is taken by its main value.
    assert {row["metric"] for row in output[names[0]]["rows"]} == {*METRICS, *NULL_JUDGES}
    alone = discriminated(f"{read} --protocol all_peers").json["discrimination"]
    assert alone == output[names[1]]
    asked = f"-m npower.value,cosine,js_divergence {BOTH} --test t --dimension grammaticality"
    straight = discriminated(f"'{demo_folder}' {asked} --json").json
    for name in names:
        pairs = [{r["metric"]: r for r in made[name]["rows"]} for made in (straight, output)]
        assert pairs[0] == pairs[1]


def test_only_pairs_of_a_candidate_and_a_reference(demo_folder):
    options = f"{BOTH} --pairs candidate_reference --test t --json"
    output = discriminated(f"'{demo_folder}' -m cosine {options}").json
    peers, models = (output[f"discrimination_{protocol}_t"] for protocol in PROTOCOLS)
    assert sum(counts(models["rows"][0])) == 6 * 3
    assert "18 pairs of a candidate and a reference" in models["notes"][1]
    # Without models there are no such pairs, and all count.
    assert sum(counts(peers["rows"][0])) == 15
    assert "15 pairs of systems" in peers["notes"][1]


def test_by_group_and_without_a_system(demo, demo_folder, tables):
    options = "--by group --exclude echo --dimension responsiveness --json"
    output = discriminated(f"'{demo_folder}' -m cosine {options}").json
    grid = grid_of(tables["no_models"], exclude=["echo"])
    for group in "AB":
        part = grid.only_topics([t.id for t in demo.topics if t.group == group])
        part = part.only_columns(part.columns[:1])
        (line,) = discriminate(part, judgments_of(demo, "responsiveness", part))
        row, *nulls = output[f"discrimination_no_models_{group}_tukey"]["rows"]
        assert len(nulls) == 3
        assert counts(row) == list(line.counts[:5])
        assert sum(line.counts) == 5 * 4 // 2


def test_the_tables_are_written_in_every_way(demo_folder, here):
    for ending in ("csv", "json", "tex", "txt"):
        asked = f"-m npower,js_divergence --protocol no_models --test t -o out/d.{ending}"
        assert discriminated(f"'{demo_folder}' {asked}").lines[-1] == f"wrote out/d.{ending}"
    with (here / "out" / "d.csv").open(newline="") as file:
        agreements = [int(row["agreements"]) for row in csv.DictReader(file)]
    rows = json.loads((here / "out" / "d.json").read_text())["discrimination"]["rows"]
    assert agreements == [row["agreements"] for row in rows]
    latex = (here / "out" / "d.tex").read_text()
    assert "\\toprule" in latex and "js\\_divergence" in latex
    assert "npower.memog" in (here / "out" / "d.txt").read_text()
    # Both tables come where people marked models too.
    done = discriminated(f"'{demo_folder}' -m cosine --dimension grammaticality -o both.csv")
    title = "Do metrics find the differences between systems that people find?"
    assert titles(done) == [title, f"{title} (All Peers)"]
    paths = ["both.csv", "both-discrimination_all_peers_tukey.csv"]
    assert done.lines[-2:] == [f"wrote {path}" for path in paths]


def test_what_is_infinite_counts_and_what_is_missing_is_left_out(small):
    text = (small / "scores.csv").read_text().replace(",9.0\n", ",inf\n", 1)
    (small / "scores.csv").write_text(text)
    marks = (small / "marks.csv").read_text().replace("t3,c,quality,7,B\n", "")
    (small / "marks.csv").write_text(marks)
    done = discriminated(f"{SMALL} --test t")
    assert "without a score or a judgment: 1 summary per row" in done.lines
    assert any(line.startswith("BE-HM.score: 1 infinite score") for line in done.lines)


def test_permutation_tests_name_draws_and_seed(here):
    values = {"a": list(range(25)), "b": list(range(25, 50))}
    write(here, values, values, "A" * 30)
    line = f"{SMALL} --test permutation --seed 7 --draws"
    assert "30 permutations, seed 7" in discriminated(f"{line} 30").lines
    few = discriminated(f"{line} 10").lines
    assert " ".join(few[-2:]) == (
        "nothing can be significant here: the smallest p of 10 permutations is 0.091; "
        "more --draws can show more"
    )
    assert "10 permutations, seed 7" in few
    # Of 30 topics 20 differ: all signs of these are counted, and ten draws do not matter.
    values = {"a": [1.0] * 20 + [0.0] * 10, "b": [0.0] * 30}
    write(here, values, values, "A" * 30)
    lines = discriminated(f"{SMALL} --test permutation --draws 10").lines
    assert lines[2].split()[2] == "1" and "10 permutations, seed 0" in lines


def test_parts_of_like_names_are_all_there(small):
    """Blanks and signs that no file name can have must not make two parts one."""
    marks = (small / "marks.csv").read_text()
    read = f"{SMALL} --by group --test t"
    alike = marks.replace(",A\n", ",a b\n").replace(",B\n", ",a_b\n")
    (small / "marks.csv").write_text(alike)
    part = "discrimination_no_models_a_b_t"
    assert list(discriminated(f"{read} --json").json) == ["settings", part, f"{part}_2"]
    (small / "marks.csv").write_text(alike.replace("a_b", "a/b"))
    discriminated(f"{read} -o out.csv")
    assert sorted(path.name for path in small.glob("out*")) == [f"out-{part}.csv", "out.csv"]


def test_too_few_topics_or_systems_are_told(small):
    """The least p of 16 ways to set signs is 2/16."""
    message = "nothing can be significant here: the smallest p of 4 topics is 0.12; more topics"
    done = discriminated(f"{SMALL} --test permutation")
    assert f"{message} can show more" in done.words
    nothing = "no pair has a verdict: two systems with two topics in common are needed"
    assert nothing not in done.lines
    done = discriminated(f"{SMALL} --test permutation --alpha 0.2")
    assert "all permutations of the signs of 4 topics" in done.lines and message not in done.words
    assert nothing in discriminated(f"{SMALL} --exclude a --exclude b").lines


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("SMALL --test tuckey", "no test is named 'tuckey'. Did you mean 'tukey'?"),
        ("SMALL --test ,", "--test: expected names with commas between them, got ','"),
        ("SMALL --protocol models", "no protocol is named 'models'. Did you mean 'no_models'?"),
        ("SMALL --protocol all_peers", "no protocol of the scores is named 'all_peers'"),
        ("SMALL --alpha 1", "alpha must be between 0 and 1, such as 0.05, got 1.0"),
        ("SMALL --nist --json", "--nist does not go with --json"),
        ("SMALL --pairs candidate_reference", "--pairs candidate_reference needs scores and judg"),
        ("SMALL --by genre", "no topic of the scores has a genre"),
        ("SMALL --dimension qualty", "no dimension of judgments is named 'qualty'. Did you mean"),
        ("SMALL -m BE", "no metric among the scores is named 'BE'"),
        ("SMALL --exclude d", "no system is named 'd'"),
        ("SMALL -o d.xls", "d.xls: findings are written to files ending in .json"),
        ("SMALL --draws 0", "invalid value for '--draws'"),
        ("scores.csv", "a score table has no judgments; --judgments names a corpus or a table"),
    ],
)
def test_mistakes_are_told_in_one_line(small, typed, message):
    done = run_command("discriminate", *shlex.split(typed.replace("SMALL", SMALL)))
    assert_refused(done, 2, f"error: {message}")
