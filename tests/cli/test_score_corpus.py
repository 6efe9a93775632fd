"""``summetry score`` on a corpus: the table for people, the JSON and the files for programs."""

import shutil

import numpy as np
import pytest
from command_line import assert_refused, run_command, succeed

import summetry
from summetry.formats.scores import read_scores
from summetry.metrics import METRICS

SOME = ["lcs", "cosine", "coselection"]
PROTOCOLS = ("no_models", "all_peers")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_json_holds_the_means_of_what_evaluate_gives(corpus, protocol):
    done = succeed("score", "corpus", "-m", ",".join(SOME), "--json", "--protocol", protocol)
    table = summetry.evaluate(summetry.load(corpus), SOME, protocol)
    means, roles = {}, {}
    for system in done.json["systems"]:
        assert (system["protocol"], system["topics"]) == (protocol, 3)
        assert system["intervals"]["lcs"]["f"][0] < system["means"]["lcs"]["f"]
        roles[system["system"]] = system["role"]
        for metric, values in system["means"].items():
            for value, mean in values.items():
                undefined = system["undefined"][metric][value]
                means[system["system"], metric, value] = (mean, undefined)
    for author in table.authors():
        own = table.data[[row.author == author for row in table.rows]]
        for j, column in enumerate(table.columns):
            defined = own[:, j][~np.isnan(own[:, j])]
            mean, undefined = means[author, column.metric, column.value]
            # Summed in another order, so the last bits may differ.
            assert mean == (pytest.approx(defined.mean(), rel=1e-14) if len(defined) else None)
            assert undefined == len(own) - len(defined)
    assert roles == {row.author: row.role for row in table.rows}
    assert done.json["signatures"] == {c.metric: c.signature for c in table.columns}
    assert done.json["notes"] == list(table.notes)
    assert list(done.json["signatures"]) == SOME


def test_tables(corpus, here, shows):
    """Systems are ranked by the direction of a value if it has one, however many are shown.

    Metrics that lack the same share a line; a language that stems need is guessed and said.
    """
    text = "The cats were sitting on the mat and it was raining"
    (here / "t.csv").write_text(f"candidate,reference\n{text},a cat sat\n")
    shows(
        "score corpus",
        "score corpus --prf -m rouge-1 -m js_divergence",
        "score corpus -m lcs,cosine,coselection,relative_utility,memog,compression,rouge-2",
        "score corpus -m rouge-2.recall -m rouge-2 --protocol all_peers",
        "score corpus -m retention.omission -o pick.csv",
        "score corpus -m compression",
        "score t.csv -m rouge-1(stem=true) --stem --rouge unicode",
    )


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
def test_one_option_sets_the_words_of_all_rouge_metrics(corpus, options, text):
    done = succeed("score", "corpus", "-m", "ROUGE-L,rouge1,lcs", "--json", *options)
    signatures = done.json["signatures"]
    assert list(signatures) == ["ROUGE-L", "rouge1", "lcs"]
    assert signatures["ROUGE-L"].split("|")[0] == text
    assert signatures["lcs"].split("|")[0] == "lcs"
    if options == ("--rouge", "1.5.5", "--stem"):
        assert signatures["rouge1"].split("|")[0] == "rouge_n(text=rouge155(stem=true))"


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_output_reads_back_as_what_evaluate_gives(corpus, here, ending):
    line = ("score", "corpus", "-m", ",".join(SOME), "-o", f"made/scores.{ending}")
    done = succeed(*line)
    names = [f"scores.{ending}", *(["scores.csv.signatures.json"] if ending == "csv" else [])]
    assert done.words.endswith("wrote " + " and ".join(f"made/{name}" for name in names))
    table = summetry.evaluate(summetry.load(corpus), SOME)
    assert read_scores(here / "made" / f"scores.{ending}") == table
    assert sorted(path.name for path in (here / "made").iterdir()) == names
    if ending == "csv":
        assert len(succeed(*line, "--long", "--json").json["systems"]) == 6
        lines = (here / "made" / "scores.csv").read_text().splitlines()
        assert lines[0] == "id,system,metric,part,score"
        assert len(lines) == 1 + table.data.size
        refused = run_command("score", corpus, "--long")
        assert_refused(refused, 2, "error: --long says how -o writes scores; name a file with -o\n")


@pytest.mark.parametrize("odd", ["[/x]", "[bold]", ":smile:", "naïve 北京", "a" * 200])
def test_names_are_shown_as_they_are(here, odd):
    (here / "t.csv").write_text(f'system,candidate,reference\n"{odd}",a b,a c\n', "utf-8")
    done = succeed("score", "t.csv", "-m", "unit_overlap")
    assert odd in "".join(line.split("  ")[0] for line in done.lines)


def test_a_corpus_with_a_broken_record_stops_or_goes_on(three_topics, here):
    shutil.copytree(three_topics, here / "corpus")
    line = ("score", "corpus", "-m", "lcs", "--json")
    whole = succeed(*line).json
    with (here / "corpus" / "summaries.jsonl").open("a") as file:
        file.write('{"topic": "t99", "author": "x", "role": "candidate", "text": "a"}\n')
    assert_refused(run_command(*line), 2, "error: corpus/summaries.jsonl:28: expected ")
    done = succeed(*line, "--on-error", "skip")
    assert done.err.startswith("skipped: corpus/summaries.jsonl:28: ")
    assert len(done.err.splitlines()) == 1
    assert done.json["systems"] == whole["systems"]
