"""``summetry score`` on a corpus: the table for people, the JSON and the files for programs."""

import math
import re
import shutil

import numpy as np
import pytest
from scipy import stats

import summetry
from summetry.formats.scores import read_scores
from summetry.metrics import METRICS

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
        assert system["intervals"]["lcs"]["f"][0] < system["means"]["lcs"]["f"]
        for metric, values in system["means"].items():
            for value, mean in values.items():
                expected, undefined = by_hand[system["system"], metric, value]
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
        return {system["system"]: system["role"] for system in done.json["systems"]}

    peers = dict.fromkeys(["lead", "random", "picker", "careful", "hasty", "echo"], "candidate")
    assert roles("no_models") == peers
    assert roles("all_peers") == peers | dict.fromkeys(["m1", "m2", "m3"], "reference")


def test_people_see_a_ranked_table_with_notes_and_a_legend(scored, demo, demo_folder):
    done = scored("score", demo_folder, "-m", "cosine", *ALL)
    heading = "6 systems, 9 topics, best first by cosine; ± is half of the 95 % t interval:"
    assert done.lines[0] == heading
    start = next(i for i, line in enumerate(done.lines) if line.startswith("system "))
    rows = {line.split()[0]: line.split() for line in done.lines[start + 1 : start + 7]}
    table = summetry.evaluate(demo, METRICS.names())
    means = table.means()
    places = {column.name: i for i, column in enumerate(table.columns)}
    cosine = means.means()[:, places["cosine"]]
    order = [means.systems()[i][1] for i in np.argsort(-cosine, kind="stable")]
    assert list(rows) == order
    for (_, author, _), mean in zip(means.systems(), cosine, strict=True):
        values = table.data[[row.author == author for row in table.rows], places["cosine"]]
        half = stats.t.ppf(0.975, 8) * stats.sem(values)
        assert rows[author][1:3] == [f"{mean:.4f}", f"±{half:.4f}"]
    assert "rouge_n Unicode words [rouge_n|text:auto,words,fold|refs:3,pool]" in done.words
    assert re.fullmatch(r"all +data:\S+", done.lines[-1])
    message = "no value for 27 of 54 summaries, which lack the units of the candidate"
    (note,) = [line for line in done.err.splitlines() if message in line]
    # Metrics that lack the same share a line.
    assert note.startswith("note: coselection, ") and "relative_utility" in note
    assert re.search(r"undefined and left out of the means: [^:]*coselection 27", done.words)


def test_without_metrics_rouge_is_taken_and_it_fits_a_small_terminal(scored, demo_folder):
    done = scored("score", demo_folder)
    assert done.lines[1].split() == ["rouge-1", "rouge-2", "rouge-l"]
    assert max(len(line) for line in done.lines[:10]) <= 80
    assert "(precision and recall: --prf)" in done.lines
    whole = scored("score", demo_folder, "--prf")
    assert whole.lines[2].split() == ["system", "recall", "precision", "f"]
    assert max(len(line) for line in whole.lines[:25]) <= 80


def test_with_all_every_metric_is_taken_that_the_data_can_feed(scored, demo, demo_folder):
    output = scored("score", demo_folder, "--all", "--json").json
    # A combination, indicators, and what needs an encoder are there only if somebody asks for them.
    rouge = {"rouge-1", "rouge-2", "rouge-l", "rouge-w", "rouge-s4", "rouge-su4"}
    others = {name for name in METRICS.names() if not name.startswith("rouge")}
    asked = {"combination", "length", "non_textual", "pronoun_starts", "redundancy"}
    asked |= {"repeated_ngrams", "greedy_match", "embedding_cosine"}
    assert set(output["signatures"]) == rouge | others - asked
    assert next(iter(output["signatures"])) == "coselection", "in the order of the taxonomy"


def test_a_value_that_was_named_is_shown_beside_the_headline(scored, demo_folder):
    done = scored("score", demo_folder, "-m", "rouge-2.recall", "-m", "rouge-2")
    assert done.lines[2].split() == ["system", "recall", "f"]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--rouge", "rouge-score"), "rouge_l(level=text,references=best,text=rouge_score)"),
        (("--rouge", "1.5.5", "--stem"), "rouge_l(text=rouge155(stem=true))"),
        (("--rouge", "unicode", "--stem"), "rouge_l(text=auto(stem=true))"),
        ((), "rouge_l"),
    ],
)
def test_one_option_sets_the_words_of_all_rouge_metrics(scored, demo_folder, options, text):
    call = ("score", demo_folder, "-m", "ROUGE-L,rouge1,lcs", "--json", *options)
    signatures = scored(*call).json["signatures"]
    assert list(signatures) == ["ROUGE-L", "rouge1", "lcs"]
    assert signatures["ROUGE-L"].split("|")[0] == text
    assert signatures["lcs"].split("|")[0] == "lcs"
    if options == ("--rouge", "1.5.5", "--stem"):
        assert signatures["rouge1"].split("|")[0] == "rouge_n(text=rouge155(stem=true))"


def test_the_language_is_guessed_and_said_where_stems_need_it(scored, here):
    (here / "t.csv").write_text(
        "candidate,reference\nThe cats were sitting on the mat and it was raining,a cat sat\n"
    )
    done = scored("score", "t.csv", "-m", "rouge-1(stem=true)", "--json")
    guess = "the language is guessed to be English; --language names another"
    assert done.err == f"note: rouge-1(stem=true): {guess}\n"
    signature = done.json["signatures"]["rouge-1(stem=true)"]
    assert signature.startswith("rouge_n(text=en(stem=true))|")


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_the_output_reads_back_as_what_evaluate_gives(scored, demo, demo_folder, here, ending):
    done = scored("score", demo_folder, *ALL, "-o", f"made/scores.{ending}")
    beside = "" if ending == "parquet" else f" and made/scores.{ending}.signatures.json"
    assert done.lines[-1] == f"wrote made/scores.{ending}{beside}"
    assert read_scores(here / "made" / f"scores.{ending}") == summetry.evaluate(
        demo, METRICS.names()
    )
    beside = [f"scores.{ending}.signatures.json"] if ending != "parquet" else []
    names = [path.name for path in (here / "made").iterdir()]
    assert sorted(names) == [f"scores.{ending}", *beside]


def test_long_scores_have_one_row_per_number(scored, demo_folder, here):
    scored("score", demo_folder, "-m", "rouge-1", "-o", "s.csv", "--long")
    lines = (here / "s.csv").read_text().splitlines()
    assert lines[0] == "id,system,metric,part,score"
    assert len(lines) == 1 + 54 * 3
    assert read_scores(here / "s.csv").columns[0].name == "rouge-1.recall"


def test_long_without_a_file_is_refused(call, demo_folder):
    done = call("score", demo_folder, "--long")
    assert (done.code, done.err) == (
        2, "error: --long says how -o writes scores; name a file with -o\n"
    )  # fmt: skip


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
    start = next(i for i, line in enumerate(done.lines) if line.startswith("system "))
    numbers = [float(line.split()[1]) for line in done.lines[start + 1 : start + 7]]
    assert numbers == sorted(numbers) and len(set(numbers)) == 6


def test_what_knows_no_better_leaves_the_systems_as_they_came(scored, demo_folder):
    done = scored("score", demo_folder, "-m", "compression")
    assert done.lines[0].startswith("6 systems, 9 topics, as they came; ")
    output = scored("score", demo_folder, "-m", "compression", "--json").json
    came = [system["system"] for system in output["systems"]]
    assert [line.split()[0] for line in done.lines[2:8]] == came


def test_the_ranking_does_not_depend_on_how_many_values_are_shown(scored, demo_folder):
    few = scored("score", demo_folder, "-m", "lcs").lines[0]
    many = scored("score", demo_folder, "-m", "lcs", *ALL).lines[0]
    assert few == many and "best first by lcs.f" in few


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
