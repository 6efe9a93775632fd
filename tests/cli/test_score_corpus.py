"""``summetry score`` on a corpus: the table for people, the JSON and the files for programs."""

import math
import re
import shutil

import numpy as np
import pytest
from command_line import assert_refused, run_command, succeed
from scipy import stats

import summetry
from summetry.formats.scores import read_scores
from summetry.metrics import METRICS

ALL = [part for name in METRICS.names() for part in ("-m", name)]
PROTOCOLS = ("no_models", "all_peers")


@pytest.fixture(scope="module")
def three_topics(part_of_demo):
    """The first topics of the demo corpus, since all metrics take long."""
    return part_of_demo("t01", "t02", "t03")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder for what is computed: what the command and the function both ask for is so once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def tables(three_topics, finished):
    """What evaluate gives for all metrics, by protocol."""
    corpus, names = summetry.load(three_topics), METRICS.names()
    return {name: summetry.evaluate(corpus, names, name, cache=finished) for name in PROTOCOLS}


@pytest.fixture(scope="module")
def score_all(three_topics, finished):
    """``score`` with all metrics."""
    return lambda *options: succeed("score", three_topics, *options, *ALL, "--cache", finished)


def systems_by_hand(table):
    """Means and numbers of undefined values by system, added up one by one."""
    means = {}
    for author in dict.fromkeys(row.author for row in table.rows):
        lines = [i for i, row in enumerate(table.rows) if row.author == author]
        for j, column in enumerate(table.columns):
            defined = [table.data[i, j] for i in lines if not math.isnan(table.data[i, j])]
            mean = sum(defined) / len(defined) if defined else None
            means[author, column.metric, column.value] = (mean, len(lines) - len(defined))
    return means


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_json_holds_the_means_of_what_evaluate_gives(score_all, tables, protocol):
    output = score_all("--json", "--protocol", protocol).json
    table = tables[protocol]
    means = {}
    for system in output["systems"]:
        assert (system["protocol"], system["topics"]) == (protocol, 3)
        assert system["intervals"]["lcs"]["f"][0] < system["means"]["lcs"]["f"]
        for metric, values in system["means"].items():
            for value, mean in values.items():
                undefined = system["undefined"][metric][value]
                means[system["system"], metric, value] = (mean, undefined)
    # Summed in another order, so the last bits may differ.
    assert means == {
        key: (mean and pytest.approx(mean, rel=1e-14), undefined)
        for key, (mean, undefined) in systems_by_hand(table).items()
    }
    assert output["signatures"] == {column.metric: column.signature for column in table.columns}
    assert output["notes"] == list(table.notes)


def test_the_roles_of_the_protocols(demo_folder):
    peers = dict.fromkeys(["lead", "random", "picker", "careful", "hasty", "echo"], "candidate")
    people = dict.fromkeys(["m1", "m2", "m3"], "reference")
    for protocol, roles in (("no_models", peers), ("all_peers", peers | people)):
        done = succeed("score", demo_folder, "-m", "lcs", "--json", "--protocol", protocol)
        assert {system["system"]: system["role"] for system in done.json["systems"]} == roles


def test_people_see_a_ranked_table_with_notes_and_a_legend(three_topics, tables):
    names = "cosine,rouge_n,coselection,relative_utility"
    done = succeed("score", three_topics, "-m", names)
    heading = "6 systems, 3 topics, best first by cosine; ± is half of the 95 % t interval:"
    assert done.lines[0] == heading
    start = next(i for i, line in enumerate(done.lines) if line.startswith("system "))
    rows = {line.split()[0]: line.split() for line in done.lines[start + 1 : start + 7]}
    table = tables["no_models"]
    means = table.means()
    places = {column.name: i for i, column in enumerate(table.columns)}
    cosine = means.means()[:, places["cosine"]]
    order = [means.systems()[i][1] for i in np.argsort(-cosine, kind="stable")]
    assert list(rows) == order
    for (_, author, _), mean in zip(means.systems(), cosine, strict=True):
        values = table.data[[row.author == author for row in table.rows], places["cosine"]]
        half = stats.t.ppf(0.975, 2) * stats.sem(values)
        assert rows[author][1:3] == [f"{mean:.4f}", f"±{half:.4f}"]
    assert "rouge_n Unicode words [rouge_n|text:auto,words,fold|refs:3,pool]" in done.words
    assert re.fullmatch(r"all +data:\S+", done.lines[-1])
    message = "no value for 9 of 18 summaries, which lack the units of the candidate"
    (note,) = [line for line in done.err.splitlines() if message in line]
    # Metrics that lack the same share a line.
    assert note.startswith("note: coselection, ") and "relative_utility" in note
    assert re.search(r"undefined and left out of the means: [^:]*coselection 9\b", done.words)


def test_without_metrics_rouge_is_taken_and_it_fits_a_small_terminal(demo_folder):
    done = succeed("score", demo_folder)
    assert done.lines[1].split() == ["rouge-1", "rouge-2", "rouge-l"]
    assert max(len(line) for line in done.lines[:10]) <= 80
    assert "(precision and recall: --prf)" in done.lines
    whole = succeed("score", demo_folder, "--prf")
    assert whole.lines[2].split() == ["system", "recall", "precision", "f"]
    assert max(len(line) for line in whole.lines[:25]) <= 80
    # A value that was named is shown beside the headline.
    done = succeed("score", demo_folder, "-m", "rouge-2.recall", "-m", "rouge-2")
    assert done.lines[2].split() == ["system", "recall", "f"]


def test_with_all_every_metric_is_taken_that_the_data_can_feed(part_of_demo):
    output = succeed("score", part_of_demo("t01"), "--all", "--json").json
    # A combination, indicators, and what needs an encoder are there only if somebody asks for them.
    rouge = {"rouge-1", "rouge-2", "rouge-l", "rouge-w", "rouge-s4", "rouge-su4"}
    others = {name for name in METRICS.names() if not name.startswith("rouge")}
    asked = {"combination", "length", "non_textual", "pronoun_starts", "redundancy"}
    asked |= {"repeated_ngrams", "greedy_match", "embedding_cosine"}
    assert set(output["signatures"]) == rouge | others - asked
    assert next(iter(output["signatures"])) == "coselection", "in the order of the taxonomy"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--rouge", "rouge-score"), "rouge_l(level=text,references=best,text=rouge_score)"),
        (("--rouge", "1.5.5", "--stem"), "rouge_l(text=rouge155(stem=true))"),
        (("--rouge", "unicode", "--stem"), "rouge_l(text=auto(stem=true))"),
        ((), "rouge_l"),
    ],
)
def test_one_option_sets_the_words_of_all_rouge_metrics(demo_folder, options, text):
    done = succeed("score", demo_folder, "-m", "ROUGE-L,rouge1,lcs", "--json", *options)
    signatures = done.json["signatures"]
    assert list(signatures) == ["ROUGE-L", "rouge1", "lcs"]
    assert signatures["ROUGE-L"].split("|")[0] == text
    assert signatures["lcs"].split("|")[0] == "lcs"
    if options == ("--rouge", "1.5.5", "--stem"):
        assert signatures["rouge1"].split("|")[0] == "rouge_n(text=rouge155(stem=true))"


def test_the_language_is_guessed_and_said_where_stems_need_it(here):
    text = "The cats were sitting on the mat and it was raining"
    (here / "t.csv").write_text(f"candidate,reference\n{text},a cat sat\n")
    done = succeed("score", "t.csv", "-m", "rouge-1(stem=true)", "--json")
    guess = "the language is guessed to be English; --language names another"
    assert done.err == f"note: rouge-1(stem=true): {guess}\n"
    signature = done.json["signatures"]["rouge-1(stem=true)"]
    assert signature.startswith("rouge_n(text=en(stem=true))|")


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_the_output_reads_back_as_what_evaluate_gives(score_all, tables, here, ending):
    done = score_all("-o", f"made/scores.{ending}")
    beside = [] if ending == "parquet" else [f"scores.{ending}.signatures.json"]
    names = [f"scores.{ending}", *beside]
    assert done.lines[-1] == "wrote " + " and ".join(f"made/{name}" for name in names)
    assert read_scores(here / "made" / f"scores.{ending}") == tables["no_models"]
    assert sorted(path.name for path in (here / "made").iterdir()) == names


def test_long_scores_have_one_row_per_number_and_a_pick_gives_one_value(demo, demo_folder, here):
    done = succeed("score", demo_folder, "-m", "rouge-1", "-o", "s.csv", "--long", "--json")
    assert len(done.json["systems"]) == 6
    lines = (here / "s.csv").read_text().splitlines()
    assert lines[0] == "id,system,metric,part,score"
    assert len(lines) == 1 + 54 * 3
    assert read_scores(here / "s.csv").columns[0].name == "rouge-1.recall"
    refused = run_command("score", demo_folder, "--long")
    assert_refused(refused, 2, "error: --long says how -o writes scores; name a file with -o\n")
    done = succeed("score", demo_folder, "-m", "coselection.recall", "-o", "pick.csv")
    assert "best first by coselection.recall" in done.lines[0]
    table = read_scores(here / "pick.csv")
    assert [column.name for column in table.columns] == ["coselection.recall"]
    assert table == summetry.evaluate(demo, ["coselection.recall"])


def test_systems_are_ranked_by_the_direction_of_a_value_if_it_has_one(demo_folder):
    done = succeed("score", demo_folder, "-m", "retention.omission")
    start = next(i for i, line in enumerate(done.lines) if line.startswith("system "))
    numbers = [float(line.split()[1]) for line in done.lines[start + 1 : start + 7]]
    assert numbers == sorted(numbers) and len(set(numbers)) == 6, "less is better"
    done = succeed("score", demo_folder, "-m", "compression")
    assert done.lines[0].startswith("6 systems, 9 topics, as they came; ")
    output = succeed("score", demo_folder, "-m", "compression", "--json").json
    systems = [system["system"] for system in output["systems"]]
    assert [line.split()[0] for line in done.lines[2:8]] == systems


def test_the_ranking_does_not_depend_on_how_many_values_are_shown(three_topics):
    others = "lcs,rouge-1,rouge-2,rouge-l,cosine,unit_overlap,memog,compression,coselection"
    few, many = (succeed("score", three_topics, "-m", names) for names in ("lcs", others))
    assert "best first by lcs.f" in few.lines[0] and many.lines[0] == few.lines[0]


@pytest.mark.parametrize("odd", ["[/x]", "[bold]", ":smile:", "naïve 北京", "a" * 200])
def test_names_are_shown_as_they_are(here, odd):
    (here / "t.csv").write_text(f'system,candidate,reference\n"{odd}",a b,a c\n', "utf-8")
    done = succeed("score", "t.csv", "-m", "unit_overlap")
    assert odd in "".join(line.split("  ")[0] for line in done.lines)


def test_a_corpus_with_a_broken_record_stops_or_goes_on(demo_folder, here):
    shutil.copytree(demo_folder, here / "corpus")
    with (here / "corpus" / "summaries.jsonl").open("a") as file:
        file.write('{"topic": "t99", "author": "x", "role": "candidate", "text": "a"}\n')
    line = ("score", "corpus", "-m", "lcs", "--json")
    assert_refused(run_command(*line), 2, "error: corpus/summaries.jsonl:82: expected ")
    done = succeed(*line, "--on-error", "skip")
    assert done.err.startswith("skipped: corpus/summaries.jsonl:82: ")
    assert len(done.err.splitlines()) == 1
    whole = succeed("score", demo_folder, "-m", "lcs", "--json").json
    assert done.json["systems"] == whole["systems"]
