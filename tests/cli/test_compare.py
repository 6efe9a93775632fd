"""``summetry compare`` on score files, corpora and the outputs of systems."""

import json
import shutil

import pytest

from summetry.formats.scores import read_scores
from summetry.metaeval.comparisons import compare

REFERENCE = "a b c d e f g h i j"


@pytest.fixture
def score_file(here, scored, demo_folder):
    """The demo corpus as ``corpus``, and its scores by three metrics in ``scores.csv``."""
    shutil.copytree(demo_folder, here / "corpus")
    metrics = ["-m", "compression", "-m", "lcs", "-m", "js_divergence"]
    scored("score", "corpus", *metrics, "-o", "scores.csv")
    return here / "scores.csv"


@pytest.fixture
def outputs(here):
    """Two systems and references: ``worse`` has fewer of the ten words of each reference."""
    words = REFERENCE.split()
    rows = {"good": [], "worse": [], "refs": []}
    for topic in range(1, 9):
        name = f"t{topic}"
        rows["refs"].append({"id": name, "reference": REFERENCE})
        rows["good"].append({"id": name, "candidate": " ".join(words[: 9 - topic % 2])})
        rows["worse"].append({"id": name, "candidate": " ".join(words[: 8 - topic % 5])})
    for name, lines in rows.items():
        (here / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return here


FILES = ("good.jsonl", "worse.jsonl", "--references", "refs.jsonl")


def test_the_numbers_are_those_of_the_python_function(scored, score_file):
    done = scored("compare", score_file, "-m", "lcs", "--json", "--all-pairs")
    expected = compare(read_scores(score_file), "lcs")
    output = done.json
    for row, standing in zip(output["systems"]["rows"], expected.systems, strict=True):
        assert (row["system"], row["mean"], row["low"], row["letters"]) == (
            standing.system, standing.mean, standing.low, standing.letters,
        )  # fmt: skip
        assert (row["topics"], row["missing"], row["topics_needed"]) == (
            standing.topics, standing.missing, standing.needed,
        )  # fmt: skip
    assert [row["rank"] for row in output["systems"]["rows"]] == list(range(1, 7))
    assert output["systems"]["rows"][-1]["to_next"] is None
    for row, pair in zip(output["pairs"]["rows"], expected.pairs, strict=True):
        assert (row["first"], row["second"], row["p"], row["corrected_p"], row["won"]) == (
            pair.first, pair.second, pair.p, pair.corrected, pair.won,
        )  # fmt: skip
    assert [row["system"] for row in output["against"]["rows"]] == [p[0] for p in expected.against]
    assert [row["alpha"] for row in output["power"]["rows"]] == [0.05, 0.05 / 15]
    assert output["settings"] == {
        "protocol": "no_models", "topics": 9, "test": "permutation", "correction": "holm",
        "alpha": 0.05, "power": 0.8, "draws": 10000, "seed": 0,
        "values": [
            {
                "name": "lcs.f", "better": "higher", "baseline": "careful",
                "baseline_is_named": False, "signature": expected.column.signature,
            }
        ],
    }  # fmt: skip


def test_the_tables_for_people(scored, score_file):
    done = scored("compare", score_file, "-m", "lcs.f", "--test", "t", "--baseline", "lead")
    assert done.lines[0] == "Systems by lcs.f, best first (no_models, 9 topics)"
    assert done.lines[1].split()[:6] == ["#", "system", "role", "mean", "low", "high"]
    assert done.lines[2].split()[:3] == ["1", "careful", "candidate"]
    assert "Each system less lead, the baseline, by lcs.f" in done.lines
    assert any("corrected by Holm for 5 comparisons" in line for line in done.lines)
    assert any("corrected by Holm for all 15 pairs" in line for line in done.lines)
    assert any("10,000 bootstrap draws of topics, seed 0" in line for line in done.lines)
    assert "The smallest difference that is seen with probability 0.8" in done.lines
    assert done.lines[-1].startswith("lcs|")
    # A p that is too small for its digits is not shown as 0.
    (echo,) = [line.split() for line in done.lines if line.startswith("echo")]
    assert "<0.0001" in echo and echo[-1] == "worse"


def test_without_a_metric_the_first_with_a_direction_is_taken_and_told(scored, score_file):
    done = scored("compare", score_file)
    assert done.lines[0].startswith("Systems by lcs.f,")
    assert done.err == (
        "note: compared by lcs.f, the first value that says which direction is better; "
        "-m names another\n"
    )


def test_several_metrics_have_a_set_of_tables_each(scored, score_file):
    asked = ["-m", "js_divergence", "-m", "lcs.recall", "-m", "lcs.recall"]
    done = scored("compare", score_file, *asked, "--json")
    assert [value["name"] for value in done.json["settings"]["values"]] == [
        "js_divergence.value", "lcs.recall",
    ]  # fmt: skip
    assert {"systems", "against", "power", "systems_2", "against_2"} < done.json.keys()
    first = done.json["systems"]
    assert "lower is better" in first["title"]
    means = [row["mean"] for row in first["rows"]]
    assert means == sorted(means)


def test_a_value_without_a_direction_is_told(scored, score_file):
    done = scored("compare", score_file, "-m", "compression")
    assert done.lines[0] == "Systems by compression.value, highest first (no_models, 9 topics)"
    assert "compression.value does not say which direction is better" in done.lines
    assert any("the highest, by compression.value" in line for line in done.lines)


def test_a_corpus_is_scored_with_models_beside_peers(scored, score_file):
    done = scored("compare", "corpus", "-m", "lcs", "--protocol", "all_peers", "--exclude", "echo")
    assert done.lines[0] == "Systems by lcs.f, best first (all_peers, 9 topics)"
    roles = {line.split()[1]: line.split()[2] for line in done.lines[2:10]}
    assert roles["m1"] == "reference" and roles["lead"] == "candidate" and "echo" not in roles


def test_of_a_corpus_only_the_metric_that_ranks_is_computed(scored, score_file):
    """Half of the systems have no extracts, so that co-selection cannot rank them all."""
    done = scored("compare", "corpus")
    assert done.lines[0].startswith("Systems by cosine.value, best first (no_models, 9 topics)")
    assert done.err == (
        "note: compared by cosine.value, the first value that says which direction is better; "
        "-m names another\n"
    )
    lack = [x for name in ("careful", "echo", "hasty") for x in ("--exclude", name)]
    done = scored("compare", "corpus", *lack)
    assert done.lines[0].startswith("Systems by coselection.f, best first")


def test_a_table_is_a_corpus_whose_columns_may_be_named(scored, call, here):
    rows = ["doc,who,text,gold", "1,a,x y,x y", "1,b,x z,x y", "2,a,p q,p q", "2,b,p r,p q"]
    (here / "t.csv").write_text("\n".join(rows))
    named = "id=doc,system=who,candidate=text,reference=gold"
    done = scored("compare", "t.csv", "-m", "rouge-1", "--columns", named)
    assert [line.split()[:4] for line in done.lines[2:4]] == [
        ["1", "a", "candidate", "1.0000"],
        ["2", "b", "candidate", "0.5000"],
    ]
    done = call("compare", "t.csv", "--columns", "who=who")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "no column is called 'who'" in done.err


def test_a_file_of_aesop_is_compared(scored, here):
    """The model A is 0.05 above the peer 1 on each of eight topics."""
    lines = [f"D{n:02}-A  A  0.{n}5\nD{n:02}-A  1  0.{n}0\n" for n in range(1, 9)]
    (here / "7").write_text("".join(lines))
    done = scored("compare", "7")
    assert done.lines[0] == "Systems by 7.value, best first (all_peers, 8 topics)"
    assert done.lines[2].split()[:4] == ["1", "A", "reference", "0.5000"]
    assert done.lines[3].split()[:4] == ["2", "1", "candidate", "0.4500"]
    # Scores of other programs have no signature to end with.
    assert done.lines[-1].startswith("of a paired t-test")


def test_all_pairs_as_a_square(scored, score_file):
    done = scored("compare", score_file, "-m", "lcs", "--test", "t", "--all-pairs")
    start = done.lines.index("Corrected p of all pairs, lcs.f")
    assert done.lines[start + 1].split() == ["#", "system", *"123456"]
    square = [line.split()[2:] for line in done.lines[start + 2 : start + 8]]
    assert [square[i][i] for i in range(6)] == ["-"] * 6
    assert square == [list(column) for column in zip(*square, strict=True)]


def test_a_narrow_line_cuts_the_square_into_pieces():
    from summetry.reports.comparisons import matrix_sheets

    table = read_square(30)
    ranking = compare(table, draws=20)
    sheets = matrix_sheets(ranking, 80)
    shown = [h.name for sheet in sheets for h in sheet.headings if h.name.isdigit()]
    assert shown == [str(n) for n in range(1, 31)]
    assert all(len(sheet.rows) == 30 for sheet in sheets)
    assert len(sheets) == 4 and sheets[1].title.endswith("(continued)")


def read_square(systems):
    import numpy as np

    from summetry.records.scores import Column, Row, ScoreTable

    rows = tuple(
        Row("no_models", f"t{t}", f"s{s}", "candidate") for s in range(systems) for t in range(3)
    )
    data = np.random.default_rng(0).random((len(rows), 1))
    return ScoreTable(rows, (Column("x", "value"),), data)


@pytest.mark.parametrize("ending", ["json", "csv", "tex", "txt"])
def test_tables_are_written(scored, score_file, ending):
    done = scored("compare", score_file, "-m", "lcs", "-o", f"out.{ending}", "--all-pairs")
    assert f"wrote out.{ending}" in done.lines
    text = (score_file.parent / f"out.{ending}").read_text()
    assert "careful" in text
    if ending == "csv":
        assert text.startswith("rank,system,role,mean,low,high,topics,missing,letters,to_next,")
        names = [line.split()[-1] for line in done.lines if line.startswith("wrote")]
        assert names == ["out.csv", "out-against.csv", "out-power.csv", "out-pairs.csv"]


def test_two_outputs_are_compared_with_references(scored, outputs):
    done = scored("compare", *FILES, "-m", "rouge-1.recall")
    assert done.lines[0] == "Systems by rouge_n.recall, best first (no_models, 8 topics)"
    # 8 or 9 words of 10, as many of each.
    assert done.lines[2].split()[:4] == ["1", "good", "candidate", "0.8500"]
    # 7, 6, 5, 4, 8, 7, 6 and 5 words.
    assert done.lines[3].split()[:4] == ["2", "worse", "candidate", "0.6000"]
    (line,) = [line.split() for line in done.lines if line.startswith("worse")]
    # One topic is tied, seven are lost: two of 128 choices of signs, and half a topic of 8.
    assert line[1] == "-0.2500" and line[4] == "0.0156" and line[-3:] == ["0.06", "8", "worse"]


def test_without_a_metric_outputs_are_compared_by_the_first_that_fits(scored, outputs):
    done = scored("compare", *FILES)
    assert done.lines[0].startswith("Systems by cosine.value, best first")
    assert done.err.splitlines()[-1].startswith("note: compared by cosine.value, the first value")


def test_a_worse_system_fails_the_build(call, outputs):
    done = call("compare", *FILES, "-m", "rouge-1.recall", "--fail-if-worse")
    assert done.code == 1
    assert done.err.startswith(
        "worse is significantly worse than good by rouge_n.recall: difference -0.2500 ("
    )
    assert done.err.endswith("corrected p 0.016, 8 topics\n") and done.err.count("\n") == 1
    # The other way round nothing is worse than the baseline.
    swapped = ("worse.jsonl", "good.jsonl", "--references", "refs.jsonl")
    done = call("compare", *swapped, "-m", "rouge-1.recall", "--fail-if-worse")
    assert (done.code, done.err) == (0, "no system is significantly worse than worse\n")
    done = call(
        "compare", *swapped, "-m", "rouge-1.recall", "--fail-if-worse", "--baseline", "good",
        "--json",
    )  # fmt: skip
    assert done.code == 1 and done.json["settings"]["values"][0]["baseline"] == "good"


def test_a_worse_system_does_not_fail_where_nobody_asked(call, outputs):
    assert call("compare", *FILES, "-m", "rouge-1.recall").code == 0


def test_a_difference_that_may_be_chance_does_not_fail(call, outputs):
    done = call("compare", *FILES, "-m", "rouge-1.recall", "--fail-if-worse", "--alpha", "0.005")
    assert done.code == 0
    # A gate that cannot shut says so.
    assert "; nothing can be significant here: the smallest p of 8 topics is 0.0078" in done.err


def test_lower_is_better_for_the_build_too(call, here):
    texts = {"a": "x y z", "b": "x q r"}
    for name, text in texts.items():
        (here / f"{name}.txt").write_text(f"{text}\n" * 8)
    (here / "r.jsonl").write_text('{"source": "x y z"}\n' * 8)
    asked = ("--references", "r.jsonl", "-m", "js_divergence", "--fail-if-worse")
    assert call("compare", "a.txt", "b.txt", *asked).code == 1
    assert call("compare", "b.txt", "a.txt", *asked).code == 0


def test_identical_outputs_pass(call, outputs):
    shutil.copy("good.jsonl", "same.jsonl")
    files = ("good.jsonl", "same.jsonl", "--references", "refs.jsonl")
    done = call("compare", *files, "-m", "rouge-1", "--fail-if-worse")
    assert done.code == 0
    assert [line.split()[-3] for line in done.lines[2:4]] == ["a", "a"]
    (line,) = [line.split() for line in done.lines if line.startswith("same")]
    assert line[4:6] == ["1.0000", "1.0000"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-m", "compression", "--fail-if-worse"), "does not say which direction is better"),
        (("-m", "rouge-1", "--baseline", "god"), "no system is named 'god'. Did you mean 'good'?"),
        (("-m", "rouge-1", "--exclude", "goood"), "no author is named 'goood'. Did you mean 'good"),
        (("-m", "rouge-11"), "no metric is named 'rouge-11'. Did you mean"),
        (("-m", "pyramid"), "pyramid needs"),
        (("--format", "table"), "--format and --protocol do not go with files of outputs"),
        (("--columns", "who=x"), "--columns: no column is called 'who'"),
        (("--alpha", "2"), "alpha must be between 0 and 1, such as 0.05, got 2.0"),
        (
            ("-m", "rouge-1", "--exclude", "worse", "--fail-if-worse"),
            "--fail-if-worse needs a second system",
        ),
        (("-o", "out.doc"), "out.doc: findings are written to files ending in .json, .csv"),
        (("-o", "refs.jsonl"), "findings are written to files ending in"),
    ],
)
def test_mistakes_with_outputs_are_one_line(call, outputs, options, message):
    if "compression" in options:
        (outputs / "refs.jsonl").write_text(
            "".join(json.dumps({"id": f"t{n}", "source": REFERENCE}) + "\n" for n in range(1, 9))
        )
    done = call("compare", *FILES, *options)
    assert done.code == 2
    assert message in done.err and done.err.startswith("error: ") and done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--fail-if-worse",), "--fail-if-worse needs a system to compare with: --baseline AUTHOR"),
        (("scores.csv",), "scores.csv holds scores: one SCORES is compared, got 2"),
        (
            ("--columns", "candidate=x"),
            "--columns goes with a table of texts, and scores.csv holds scores",
        ),
        (("-m", "lsc"), "no metric among the scores is named 'lsc'. Did you mean 'lcs'?"),
        (("--protocol", "all_peers"), "no score is of the protocol 'all_peers'"),
        (("-o", "scores.csv"), "tables would be written over what is read; name another"),
        (("--draws", "0"), "invalid value for '--draws': expected 1 or more"),
        (("--draws", "1000000000000"), "draws must be 10,000,000 or fewer, got 1,000,000,000,000"),
    ],
)
def test_mistakes_with_scores_are_one_line(call, score_file, options, message):
    done = call("compare", "scores.csv", *options)
    assert done.code == 2
    assert message in done.err.splitlines()[-1] and "Traceback" not in done.err
    assert read_scores(score_file)


def test_a_file_that_is_not_there_is_named(call, outputs):
    done = call("compare", "god.jsonl", "worse.jsonl", "--references", "refs.jsonl")
    assert done.code == 2
    assert done.err == "error: god.jsonl: no such file or folder. Did you mean 'good.jsonl'?\n"


def test_one_output_and_one_topic(call, outputs):
    done = call("compare", "good.jsonl", "--references", "refs.jsonl", "-m", "rouge-1")
    assert done.code == 0
    assert "1 system with scores: there is nothing to compare" in done.lines
    for name in ("good", "worse", "refs"):
        path = outputs / f"{name}.jsonl"
        path.write_text(path.read_text().splitlines(keepends=True)[0])
    done = call("compare", *FILES, "-m", "rouge-1")
    assert done.code == 0
    assert "1 of 1 pairs have no p: fewer than two topics in common" in done.lines
    assert "undefined" in next(line for line in done.lines if line.startswith("worse"))
    done = call("compare", *FILES, "-m", "rouge-1", "--fail-if-worse")
    assert done.code == 2
    assert "worse and good cannot be tested: fewer than two topics in common" in done.err


def test_outputs_that_lack_a_topic_are_compared_on_the_others(call, outputs):
    path = outputs / "worse.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))
    done = call("compare", *FILES, "-m", "rouge-1")
    assert done.code == 2 and "no summary for 1 of 8 ('t1')" in done.err
    done = call("compare", *FILES, "-m", "rouge-1", "--on-error", "skip")
    assert done.code == 0
    assert done.err.startswith("skipped: worse.jsonl: expected the ids of refs.jsonl, found no ")
    assert any("1 of 1 pairs are compared on fewer than 8 topics" in line for line in done.lines)
    (line,) = [line.split() for line in done.lines if line.startswith("worse")]
    assert line[-2] == "7"


def test_a_column_that_was_guessed_is_told(scored, outputs):
    path = outputs / "good.jsonl"
    path.write_text(path.read_text().replace("candidate", "summary"))
    done = scored("compare", *FILES, "-m", "rouge-1")
    assert done.err == "note: good.jsonl: 'summary' is taken for the candidate\n"
