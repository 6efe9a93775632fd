"""``summetry discriminate``: tables, NIST's layout, files, and mistakes."""

import csv
import shlex

import numpy as np
import pytest
from command_line import succeed
from rankings import table_of

import summetry
from summetry.formats.scores import write_scores
from summetry.metaeval.discrimination import DiscriminateSettings, discriminate
from summetry.metaeval.grids import grid_of, judgments_of
from summetry.records.scores import ScoreTable

METRICS = ["cosine", "js_divergence"]
PROTOCOLS = ("no_models", "all_peers")
BOTH = "--protocol no_models --protocol all_peers"
NULL_JUDGES = ["(length alone)", "(lead overlap)", "(constant)"]
SMALL = "scores.csv --judgments marks.csv"


@pytest.fixture
def small(here):
    """Scores and marks of three systems on four topics, as in tests/metaeval."""
    scores = {"a": [0, 0, 0, 1], "b": [9, 9, 9, 8], "c": [20, 21, 22, 24]}
    marks = {"a": [5, 5, 6, 6], "b": [3, 3, 3, 3], "c": [5, 4, 6, 7]}
    write_scores(table_of(scores, "BE-HM.score"), here / "scores.csv")
    lines = [f"t{topic},{system},quality,{value},{group}" for system, values in marks.items()
             for topic, (value, group) in enumerate(zip(values, "AABB", strict=True))]  # fmt: skip
    (here / "marks.csv").write_text("\n".join(["topic,author,dimension,value,group", *lines]))
    return here


def discriminated(line):
    return succeed("discriminate", *shlex.split(line))


def counts(row):
    return [row[name] for name in "abcde"]


def test_tables(small, shows):
    """One score is infinite and one mark missing; of 4 topics nothing is significant."""
    for name, old, new in (("scores", ",9.0\n", ",inf\n"), ("marks", "t3,c,quality,7,B", "")):
        text = (small / f"{name}.csv").read_text()
        (small / f"{name}-odd.csv").write_text(text.replace(old, new, 1))
    shows(
        f"discriminate {SMALL} --test t,tukey --exclude a",
        f"discriminate {SMALL} --test permutation --alpha 0.2 --draws 30 --seed 7",
        f"discriminate {SMALL} --test permutation",
        f"discriminate {SMALL} --exclude a --exclude b",
        "discriminate scores-odd.csv --judgments marks-odd.csv --test t",
        f"discriminate {SMALL} --by group --nist -o out/nist.txt",
        f"discriminate {SMALL} --by group --test t --nist -o out/nist.csv",
    )
    assert (small / "out" / "nist.txt").read_text().startswith("group A, tukey")
    assert (small / "out" / "nist.csv").read_text().startswith("dimension,metric,a,b,c,d,e,")


@pytest.mark.parametrize(("test", "protocol"), [("tukey", "no_models"), ("t", "all_peers")])
def test_json_has_the_counts_for_every_dimension(corpus, test, protocol):
    """Marks of one dimension are numbers, of the other letters."""
    asked = f"-m cosine -m js_divergence --test {test} --protocol {protocol} --json"
    output = discriminated(f"corpus {asked}").json
    settings = output["settings"]
    assert (settings["tests"], settings["alpha"], settings["seed"]) == ([test], 0.05, 0)
    demo = summetry.load(corpus)
    grid = grid_of(summetry.evaluate(demo, METRICS, protocol))
    for dimension in ("responsiveness", "grammaticality"):
        rows = [r for r in output["discrimination"]["rows"] if r["dimension"] == dimension]
        lines = discriminate(grid, judgments_of(demo, dimension, grid), DiscriminateSettings(test))
        assert [row["metric"] for row in rows[-3:]] == NULL_JUDGES
        row_by_metric = {row["metric"]: row for row in rows}
        for line in lines:
            row = row_by_metric[line.column.name]
            assert counts(row) == list(line.counts[:5])
            assert row["agreements"] + row["disagreements"] + row["left_out"] == sum(line.counts)
    pairs = {"no_models": 6 * 5 // 2, "all_peers": 9 * 8 // 2}[protocol]
    assert f"{pairs} pairs of systems" in output["discrimination"]["notes"][1]


def test_a_file_of_both_protocols_makes_a_table_each(corpus, here):
    demo = summetry.load(corpus)
    first, second = (summetry.evaluate(demo, ["cosine"], protocol) for protocol in PROTOCOLS)
    data = np.concatenate([first.data, second.data])
    write_scores(ScoreTable(first.rows + second.rows, first.columns, data), here / "both.csv")
    line = "--test t --dimension grammaticality --json"
    output = discriminated(f"both.csv --judgments corpus {line}").json
    names = ["discrimination_no_models_t", "discrimination_all_peers_t"]
    assert list(output) == ["settings", *names]
    alone = discriminated(f"both.csv --judgments corpus {line} --protocol all_peers").json
    assert alone["discrimination"] == output[names[1]]
    straight = discriminated(f"corpus -m cosine {BOTH} {line}").json
    assert [straight[name]["rows"][0] for name in names] == [output[n]["rows"][0] for n in names]


def test_tables_are_written_and_parts_of_like_names_are_all_there(small):
    """Blanks and signs that no file name can have must not make two parts one."""
    line = f"{SMALL} --test t"
    assert discriminated(f"{line} -o d.csv").lines[-1] == "wrote d.csv"
    with (small / "d.csv").open(newline="") as file:
        agreements = [int(row["agreements"]) for row in csv.DictReader(file)]
    rows = discriminated(f"{line} --json").json["discrimination"]["rows"]
    assert agreements == [row["agreements"] for row in rows]
    marks = (small / "marks.csv").read_text()
    part = "discrimination_no_models_a_b_t"
    (small / "marks.csv").write_text(marks.replace(",A", ",a b").replace(",B", ",a_b"))
    assert list(discriminated(f"{line} --by group --json").json)[1:] == [part, f"{part}_2"]
    (small / "marks.csv").write_text(marks.replace(",A", ",a b").replace(",B", ",a/b"))
    done = discriminated(f"{line} --by group -o out.csv")
    assert done.lines[-2:] == ["wrote out.csv", f"wrote out-{part}.csv"]


def test_mistakes(small, refuses):
    refuses(f"""
        discriminate {SMALL} --test tuckey
        discriminate {SMALL} --test ,
        discriminate {SMALL} --protocol models
        discriminate {SMALL} --alpha 1
        discriminate {SMALL} --nist --json
        discriminate {SMALL} --pairs candidate_reference
        discriminate {SMALL} --by genre
        discriminate {SMALL} --dimension qualty
        discriminate {SMALL} -m BE
        discriminate {SMALL} --exclude d
        discriminate {SMALL} -o marks.csv
        discriminate nothing.csv -o d.xls
        discriminate {SMALL} --draws 0
        discriminate scores.csv
    """)
