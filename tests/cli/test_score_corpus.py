"""``summetry score`` on a corpus: the table for people, the JSON and the files for programs."""

import math
import shutil

import numpy as np
import pytest

import summetry
from summetry.formats.scores import read_scores
from summetry.metrics import METRICS
from summetry.records.scores import SystemMeans

ALL = [part for name in METRICS.names() for part in ("-m", name)]


def systems_by_hand(table):
    """Means and numbers of undefined values by system, added up one by one."""
    found = {}
    for author in dict.fromkeys(row.author for row in table.rows):
        lines = [i for i, row in enumerate(table.rows) if row.author == author]
        for place, column in enumerate(table.columns):
            numbers = [table.data[i, place] for i in lines]
            defined = [number for number in numbers if not math.isnan(number)]
            mean = sum(defined) / len(defined) if defined else None
            found[author, column.metric, column.value] = (mean, len(numbers) - len(defined))
    return found


@pytest.mark.parametrize("protocol", ["no_models", "all_peers"])
def test_the_json_holds_the_means_of_what_evaluate_gives(scored, demo, demo_folder, protocol):
    output = scored("score", demo_folder, *ALL, "--json", "--protocol", protocol).json
    table = summetry.evaluate(demo, METRICS.names(), protocol)
    by_hand = systems_by_hand(table)
    seen = 0
    for system in output["systems"]:
        assert (system["protocol"], system["topics"]) == (protocol, 9)
        for metric, values in system["means"].items():
            for value, mean in values.items():
                expected, undefined = by_hand[system["author"], metric, value]
                # Summed in another order, so the last bits may differ.
                assert mean == (expected and pytest.approx(expected, rel=1e-14))
                assert system["undefined"][metric][value] == undefined
                seen += 1
    assert seen == len(by_hand)
    assert output["signatures"] == {column.metric: column.signature for column in table.columns}
    assert output["notes"] == list(table.notes)


def test_the_roles_of_the_protocols(scored, demo_folder):
    def roles(protocol):
        done = scored("score", demo_folder, "-m", "lcs", "--json", "--protocol", protocol)
        return {system["author"]: system["role"] for system in done.json["systems"]}

    peers = dict.fromkeys(["lead", "random", "picker", "careful", "hasty", "echo"], "candidate")
    assert roles("no_models") == peers
    assert roles("all_peers") == peers | dict.fromkeys(["m1", "m2", "m3"], "reference")


def test_people_see_a_ranked_table_with_notes_and_signatures(scored, demo, demo_folder):
    done = scored("score", demo_folder, "-m", "cosine", *ALL)
    assert done.lines[0] == "Systems, best first by cosine.value:"
    start = next(i for i, line in enumerate(done.lines) if line.startswith("system "))
    rows = {line.split()[0]: line.split() for line in done.lines[start + 1 : start + 7]}
    table = summetry.evaluate(demo, METRICS.names())
    means = SystemMeans(table.columns)
    means.add(table.rows, table.data)
    places = {column.name: i for i, column in enumerate(table.columns)}
    cosine = means.means()[:, places["cosine.value"]]
    order = [means.systems()[i][1] for i in np.argsort(-cosine, kind="stable")]
    assert list(rows) == order
    column = done.lines[start].split().index("cosine")
    for (_, author, _), mean in zip(means.systems(), cosine, strict=True):
        assert rows[author][column] == f"{mean:.4f}"
        assert rows[author][-1] == "9"
    for spelling in {c.signature for c in table.columns}:
        assert spelling in done.lines
    message = "no value for 27 of 54 summaries, which lack the units of the candidate"
    (note,) = [line for line in done.err.splitlines() if message in line]
    # Metrics that lack the same share a line.
    assert note.startswith("note: coselection, ") and "relative_utility" in note
    assert any("coselection.f 27" in line for line in done.lines if line.startswith("undefined"))


def test_without_metrics_all_are_taken_that_the_data_can_feed(scored, demo, demo_folder):
    output = scored("score", demo_folder, "--json").json
    # A combination of metrics is there only if somebody asks for it.
    assert sorted(output["signatures"]) == [n for n in METRICS.names() if n != "combination"]
    assert next(iter(output["signatures"])) == "coselection", "in the order of the taxonomy"


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_the_output_reads_back_as_what_evaluate_gives(scored, demo, demo_folder, here, ending):
    done = scored("score", demo_folder, *ALL, "-o", f"made/scores.{ending}")
    assert done.lines[-1] == f"wrote made/scores.{ending}"
    assert read_scores(here / "made" / f"scores.{ending}") == summetry.evaluate(
        demo, METRICS.names()
    )
    assert [path.name for path in (here / "made").iterdir()] == [f"scores.{ending}"]


def test_json_and_output_go_together(scored, demo_folder, here):
    done = scored("score", demo_folder, "-m", "lcs", "--json", "-o", "s.csv")
    assert done.json["systems"] and (here / "s.csv").exists()


def test_a_pick_gives_one_value(scored, demo, demo_folder, here):
    done = scored("score", demo_folder, "-m", "coselection.recall", "-o", "s.csv")
    assert "best first by coselection.recall" in done.lines[0]
    table = read_scores(here / "s.csv")
    assert [column.name for column in table.columns] == ["coselection.recall"]
    assert table == summetry.evaluate(demo, ["coselection.recall"])


def test_a_value_where_less_is_better_is_ranked_from_below(scored, demo_folder):
    done = scored("score", demo_folder, "-m", "retention.omission")
    numbers = [float(line.split()[2]) for line in done.lines[3:9]]
    assert numbers == sorted(numbers) and len(set(numbers)) == 6


def test_what_knows_no_better_leaves_the_systems_as_they_came(scored, demo_folder):
    done = scored("score", demo_folder, "-m", "compression")
    assert done.lines[0] == "Systems, as they came:"
    output = scored("score", demo_folder, "-m", "compression", "--json").json
    came = [system["author"] for system in output["systems"]]
    assert [line.split()[0] for line in done.lines[2:8]] == came


def test_the_ranking_does_not_depend_on_how_many_values_are_shown(scored, demo_folder):
    few = scored("score", demo_folder, "-m", "lcs").lines[0]
    many = scored("score", demo_folder, "-m", "lcs", *ALL).lines[0]
    assert few == many == "Systems, best first by lcs.f:"


@pytest.mark.parametrize("odd", ["[/x]", "[bold]", ":smile:", "naïve 北京", "a" * 200])
def test_names_are_shown_as_they_are(scored, here, odd):
    (here / "t.csv").write_text(f'system,candidate,reference\n"{odd}",a b,a c\n', "utf-8")
    done = scored("score", "t.csv", "-m", "unit_overlap")
    assert odd in "".join(line.split("  ")[0] for line in done.lines)


def test_a_corpus_with_a_broken_record_stops_or_goes_on(call, scored, demo_folder, here):
    shutil.copytree(demo_folder, here / "corpus")
    with (here / "corpus" / "summaries.jsonl").open("a") as file:
        file.write('{"topic": "t99", "author": "x", "role": "candidate", "text": "a"}\n')
    stopped = call("score", "corpus", "-m", "lcs")
    assert stopped.code == 2 and stopped.out == ""
    assert stopped.err.startswith("error: corpus/summaries.jsonl:82: expected ")
    done = scored("score", "corpus", "-m", "lcs", "--on-error", "skip")
    assert done.err.startswith("skipped: corpus/summaries.jsonl:82: ")
    assert len(done.err.splitlines()) == 1
    whole = scored("score", demo_folder, "-m", "lcs", "--json").json
    rest = scored("score", "corpus", "-m", "lcs", "--json", "--on-error", "skip").json
    assert rest["systems"] == whole["systems"]
