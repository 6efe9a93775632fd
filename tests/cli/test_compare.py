"""``summetry compare`` on score files, corpora and the outputs of systems."""

import json
import shlex
import shutil
from pathlib import Path

import pytest
from rankings import compare

from summetry.formats.scores import read_scores
from summetry.reports.verdicts import verdicts

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
        "protocol": "no_models", "topics": 9, "verdicts": verdicts(expected),
        "test": "permutation", "correction": "holm", "alpha": 0.05, "power": 0.8,
        "draws": 10000, "permutations": 10000, "seed": 0,
        "values": [
            {
                "name": "lcs.f", "better": "higher", "baseline": "careful",
                "baseline_is_named": False, "signature": expected.column.signature,
            }
        ],
    }  # fmt: skip


def below(done, start):
    """The cells of the row that begins with a word, in the table below a line that begins so."""
    first = next(i for i, line in enumerate(done.lines) if line.startswith(start))
    return [line.split() for line in done.lines[first + 1 :]]


def test_the_verdict_comes_first_and_the_small_print_last(scored, score_file):
    done = scored("compare", score_file, "-m", "lcs.f", "--test", "t", "--baseline", "lead")
    expected = compare(read_scores(score_file), "lcs", test="t", baseline="lead")
    assert " ".join(done.lines[: done.lines.index("")]) == " ".join(verdicts(expected))
    assert done.lines[0].startswith(
        "careful and picker do not differ significantly on lcs: careful is"
    )
    title = done.lines.index("Systems by lcs.f, best first (9 topics)")
    # What is the same in every row is not shown: the role, the topics, how many are missing.
    assert done.lines[title + 1].split() == [
        "#", "system", "mean", "low", "high", "alike", "to", "next", "needed",
    ]  # fmt: skip
    assert done.lines[title + 2].split()[:2] == ["1", "careful"]
    title = done.lines.index("Each system minus lead, the baseline, by lcs.f")
    assert done.lines[title + 1].split() == [
        "system", "difference", "low", "high", "corrected", "p", "d_z", "won", "verdict",
    ]  # fmt: skip
    assert "For planning: the difference that the topics show in 80 % of cases" in done.lines
    small = done.lines.index("low, high: 95 % of 10,000 bootstrap resamples of topics, seed 0")
    assert not any(
        line.startswith(("Systems", "Each", "The smallest")) for line in done.lines[small:]
    )
    print_ = " ".join(done.lines[small:])
    assert "corrected by Holm for 5 comparisons" in print_
    assert "corrected for all 15 pairs" in print_
    assert "divided by the standard deviation of the differences" in print_
    assert done.lines[-1].startswith("lcs: ")
    assert max(map(len, done.lines)) <= 80
    # A p that is too small for its digits is not shown as 0.
    echo = next(row for row in below(done, "Each system minus") if row[:1] == ["echo"])
    assert "<0.0001" in echo and echo[-1] == "worse"


def test_a_verdict_of_two_systems_and_of_more(scored, here):
    """Differences of 0.1 on 7 topics of 8 and 0 on one: two of 128 choices of signs are as far."""
    rows = ["id,system,x"]
    for topic in range(8):
        gap = 0.1 if topic else 0.0
        rows += [f"{topic},a,{0.5 + gap}", f"{topic},b,0.5", f"{topic},c,{0.5 + 0.1 * gap}"]
    (here / "three.csv").write_text("\n".join(rows))
    (here / "two.csv").write_text("\n".join(row for row in rows if ",c," not in row))
    done = scored("compare", "two.csv")
    assert done.lines[0].startswith("a is better than b on x by 0.087 (0.0")
    assert done.lines[0].endswith(", p = .016)")
    assert "p: paired permutation test" in done.lines
    done = scored("compare", "three.csv", "--baseline", "b")
    # All three pairs have the same p, and the two with the baseline are corrected for two.
    assert done.lines[0].startswith("a is better than c on x by 0.079 (0.0")
    assert done.lines[0].endswith(", corrected p = .047)")
    assert done.lines[1].startswith("a is better than b on x by 0.087 (0.0")
    assert done.lines[1].endswith(", corrected p = .031)")


def test_a_file_of_scores_is_compared_by_its_first_three_metrics(scored, here):
    rows = ["id,system,b1,b2,b3,b4"] + [f"{n},{who},1,2,3,{n}" for n in "123" for who in "xy"]
    (here / "s.csv").write_text("\n".join(rows))
    done = scored("compare", "s.csv")
    assert done.lines[:3] == [f"x and y have the same scores on b{n}, 3 topics" for n in (1, 2, 3)]
    assert (
        done.err == "note: compared by b1, b2, b3; 1 more metric in the scores, -m names others\n"
    )
    assert "Systems by b3, best first (3 topics)" in done.lines
    done = scored("compare", "s.csv", "-m", "b4,b1")
    assert [line for line in done.lines if line.startswith("Systems")] == [
        "Systems by b4, best first (3 topics)", "Systems by b1, best first (3 topics)",
    ]  # fmt: skip
    assert done.err == ""


def test_a_note_that_is_true_of_one_metric_names_it(scored, here):
    rows = ["id,system,b1,b2", "1,x,1,1", "2,x,2,2", "1,y,1,1", "2,y,,3"]
    (here / "s.csv").write_text("\n".join(rows))
    done = scored("compare", "s.csv")
    notes = " ".join(done.lines[: done.lines.index("Systems by b1, best first (2 topics)")])
    assert "b1: scores are missing: 1 of 1 pairs are compared on fewer than 2 topics" in notes
    assert "b2: nothing can be significant here: the smallest p of 2 topics is 0.5" in notes


def test_several_metrics_have_a_set_of_tables_each(scored, score_file):
    asked = ["-m", "js_divergence", "-m", "lcs.recall", "-m", "lcs.recall"]
    done = scored("compare", score_file, *asked, "--json")
    assert [value["name"] for value in done.json["settings"]["values"]] == [
        "js_divergence", "lcs.recall",
    ]  # fmt: skip
    assert {"systems", "against", "power", "systems_2", "against_2"} < done.json.keys()
    first = done.json["systems"]
    assert "lower is better" in first["title"]
    means = [row["mean"] for row in first["rows"]]
    assert means == sorted(means)


def test_a_value_without_a_direction_is_told(scored, score_file):
    done = scored("compare", score_file, "-m", "compression")
    assert "Systems by compression, highest first (9 topics)" in done.lines
    assert "compression does not say which direction is better" in done.lines
    assert any("the highest, by compression" in line for line in done.lines)


def test_a_corpus_is_scored_with_models_beside_peers(scored, score_file):
    done = scored("compare", "corpus", "-m", "lcs", "--protocol", "all_peers", "--exclude", "echo")
    rows = below(done, "Systems by lcs.f, best first (all_peers, 9 topics)")
    roles = {row[1]: row[2] for row in rows[1:9]}
    assert roles["m1"] == "reference" and roles["lead"] == "candidate" and "echo" not in roles


def test_without_a_metric_a_corpus_is_compared_by_rouge(scored, score_file):
    done = scored("compare", "corpus")
    assert [line for line in done.lines if line.startswith("Systems")] == [
        f"Systems by rouge-{which}.f, best first (9 topics)" for which in "12l"
    ]
    assert done.err == ""
    # The legend names the words, and the level where there are two.
    assert done.lines[-3:] == [
        "rouge-1: Unicode words",
        "rouge-2: Unicode words",
        "rouge-l: Unicode words, sentence by sentence",
    ]


def test_a_table_is_a_corpus_whose_columns_may_be_named(scored, call, here):
    rows = ["doc,who,text,gold", "1,a,x y,x y", "1,b,x z,x y", "2,a,p q,p q", "2,b,p r,p q"]
    (here / "t.csv").write_text("\n".join(rows))
    named = "id=doc,system=who,candidate=text,reference=gold"
    done = scored("compare", "t.csv", "-m", "rouge-1", "--columns", named)
    rows = below(done, "Systems by rouge-1.f")
    assert [row[:3] for row in rows[1:3]] == [["1", "a", "1.0000"], ["2", "b", "0.5000"]]
    done = call("compare", "t.csv", "--columns", "who=who")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "no column is called 'who'" in done.err


def test_a_file_of_aesop_is_compared(scored, here):
    """The model A is 0.05 above the peer 1 on each of eight topics."""
    lines = [f"D{n:02}-A  A  0.{n}5\nD{n:02}-A  1  0.{n}0\n" for n in range(1, 9)]
    (here / "7").write_text("".join(lines))
    done = scored("compare", "7")
    # Both are 2 of 256 choices of signs.
    assert done.lines[0] == "A is better than 1 on 7 by 0.050 (0.050 to 0.050, p = .008)"
    rows = below(done, "Systems by 7, best first (all_peers, 8 topics)")
    assert rows[1][:4] == ["1", "A", "reference", "0.5000"]
    assert rows[2][:4] == ["2", "1", "candidate", "0.4500"]
    # Metrics of other programs have no legend to end with.
    assert done.lines[-1].startswith("won: share of topics")


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
    assert done.lines[0].startswith("good is better than worse on rouge-1.recall by 0.250 (0.1")
    assert done.lines[0].endswith(", p = .016)")
    rows = below(done, "Systems by rouge-1.recall, best first (8 topics)")
    # 8 or 9 words of 10, as many of each.
    assert rows[1][:3] == ["1", "good", "0.8500"]
    # 7, 6, 5, 4, 8, 7, 6 and 5 words.
    assert rows[2][:3] == ["2", "worse", "0.6000"]
    line = below(done, "Each system minus good, the best, by rouge-1.recall")[1]
    # One topic is tied, seven are lost: two of 128 choices of signs, and half a topic of 8.
    assert line[:2] == ["worse", "-0.2500"] and line[4] == "0.0156"
    assert line[-2:] == ["0.06", "worse"]


def test_without_a_metric_outputs_are_compared_by_rouge(scored, outputs):
    done = scored("compare", *FILES)
    assert [line.split(" by ")[0] for line in done.lines[:3]] == [
        f"good is better than worse on rouge-{which}" for which in "12l"
    ]


def test_a_worse_system_fails_the_build(call, outputs):
    done = call("compare", *FILES, "-m", "rouge-1.recall", "--fail-if-worse")
    assert done.code == 1
    assert done.err.startswith("failed: worse is worse than good on rouge-1.recall by 0.250 (0.1")
    assert done.err.endswith(", p = .016)\n") and done.err.count("\n") == 1
    # The other way round nothing is worse than the baseline.
    swapped = ("worse.jsonl", "good.jsonl", "--references", "refs.jsonl")
    done = call("compare", *swapped, "-m", "rouge-1.recall", "--fail-if-worse")
    assert done.code == 0
    assert done.err.startswith("passed: good is better than worse on rouge-1.recall by 0.250 (0.15")
    done = call(
        "compare", *swapped, "-m", "rouge-1.recall", "--fail-if-worse", "--baseline", "good",
        "--json",
    )  # fmt: skip
    assert done.code == 1 and done.json["settings"]["values"][0]["baseline"] == "good"


def test_a_build_may_tolerate_some_loss(call, outputs):
    """The mean difference is 0.25, and with --fail-if-worse 0.25 it is no more than that."""
    asked = ("-m", "rouge-1.recall", "--fail-if-worse")
    done = call("compare", *FILES, *asked, "0.2")
    assert done.code == 1 and done.err.endswith("p = .016), more than 0.2\n")
    done = call("compare", *FILES, *asked, "0.25")
    (passed,) = done.err.splitlines()
    assert done.code == 0
    assert passed.startswith("passed: worse is worse than good on rouge-1.recall by 0.250 (")
    assert passed.endswith("p = .016); --fail-if-worse 0.25 tolerates it")
    # A number that may be left out does not take the file behind it.
    done = call("compare", "--fail-if-worse", *FILES, "-m", "rouge-1.recall")
    assert done.code == 1 and done.err.startswith("failed: worse is worse than good")
    done = call("compare", *FILES, *asked, "-1")
    assert done.code == 2 and "'--fail-if-worse': expected 0 or more" in done.err


def test_a_build_fails_on_any_metric(call, here):
    """By precision both are perfect; by recall the new one has lost a word of three."""
    (here / "refs.txt").write_text("x y z\n" * 8)
    (here / "old.txt").write_text("x y z\n" * 8)
    (here / "new.txt").write_text("x y\n" * 8)
    files = ("old.txt", "new.txt", "--references", "refs.txt", "--fail-if-worse")
    assert call("compare", *files, "-m", "rouge-1.precision").code == 0
    done = call("compare", *files, "-m", "rouge-1.precision", "-m", "rouge-1.recall")
    assert done.code == 1
    assert done.err.startswith("failed: new is worse than old on rouge-1.recall by 0.333 (0.333")


def with_references(here, **names):
    """Each output with the references in its own file, under another name, without systems."""
    references = [json.loads(line) for line in (here / "refs.jsonl").read_text().splitlines()]
    for name, new in names.items():
        rows = [json.loads(line) for line in (here / f"{name}.jsonl").read_text().splitlines()]
        both = zip(rows, references, strict=True)
        (here / f"{new}.jsonl").write_text("".join(json.dumps(a | b) + "\n" for a, b in both))


def test_files_with_references_of_their_own_are_a_system_each(call, outputs):
    with_references(outputs, good="old", worse="new")
    done = call("compare", "old.jsonl", "new.jsonl", "--fail-if-worse", "-m", "rouge-1.recall")
    assert done.code == 1
    assert done.err.startswith("failed: new is worse than old on rouge-1.recall by 0.250 (")
    done = call("compare", "new.jsonl", "old.jsonl", "--fail-if-worse")
    assert done.code == 0
    passed = [line.partition(" by ")[0] for line in done.err.splitlines()]
    assert passed == [
        f"passed: old is better than new on {metric}"
        for metric in ("rouge-1", "rouge-2", "rouge-l")
    ]
    text = (outputs / "new.jsonl").read_text()
    (outputs / "new.jsonl").write_text(text.replace("h i j", "h i k", 1))
    done = call("compare", "old.jsonl", "new.jsonl", "-m", "rouge-1")
    assert done.code == 2
    assert done.err == (
        "error: old and new have different references for 't1', so their scores cannot be "
        "compared; --references FILE names those for all\n"
    )


@pytest.mark.parametrize("language", ["yaml", "sh"])
def test_the_snippets_for_a_build_are_ready_to_use(call, outputs, language):
    """The commands of the page, as they stand: the model that was released, then the new one."""
    page = Path(__file__).parents[2] / "docs" / "commands" / "compare.md"
    block = page.read_text().partition(f"```{language}\n")[2].partition("```")[0]
    words = shlex.split(block[block.index("summetry compare") :].partition("||")[0])
    assert words[:4] == ["summetry", "compare", "eval/released.jsonl", "new.jsonl"]
    (outputs / "eval").mkdir()
    with_references(outputs, good="eval/released", worse="new")
    done = call(*words[1:])
    assert done.code == 1 and done.err.startswith("failed: new is worse than released on rouge-2")
    with_references(outputs, worse="eval/released", good="new")
    assert call(*words[1:]).code == 0


def test_files_of_scores_are_joined(scored, outputs):
    with_references(outputs, good="old", worse="new")
    for name in ("old", "new"):
        scored("score", f"{name}.jsonl", "-m", "rouge-1", "-o", f"{name}.csv")
    done = scored("compare", "old.csv", "new.csv", "-m", "rouge-1.recall")
    assert done.lines[0].startswith("old is better than new on rouge-1.recall by 0.250 (")
    assert done.err == ""
    # The same metric with other words is another one, and never mixed with the first.
    scored("score", "new.jsonl", "-m", "rouge-1", "--rouge", "rouge-score", "-o", "other.csv")
    done = scored("compare", "old.csv", "other.csv", "-m", "rouge-1.recall")
    assert done.err.startswith("note: rouge-1 has 2 signatures: rouge-1 (old) is rouge_n|")
    assert "Systems by rouge-1 (old).recall, best first (8 topics)" in done.lines
    assert "Systems by rouge-1 (other).recall, best first (8 topics)" in done.lines
    assert not any(" better than " in line for line in done.lines)


def test_one_system_in_two_files_is_two(call, here):
    for name, gain in (("old", 0), ("new", 1)):
        rows = [f"{n},bart,{n + gain}" for n in range(8)]
        (here / f"{name}.csv").write_text("\n".join(["id,system,x", *rows]))
    done = call("compare", "old.csv", "new.csv", "--fail-if-worse")
    assert done.code == 0
    assert done.lines[0] == (
        "bart (new) is better than bart (old) on x by 1.000 (1.000 to 1.000, p = .008)"
    )
    assert done.err.splitlines() == [
        "note: bart has other scores in each file: shown as bart (old) and bart (new)",
        "passed: bart (new) is better than bart (old) on x by 1.000 (1.000 to 1.000, p = .008)",
    ]
    assert call("compare", "new.csv", "old.csv", "--fail-if-worse").code == 1


def test_a_metric_that_was_not_scored_is_named_with_what_to_do(call, score_file):
    done = call("compare", score_file, "-m", "rouge-2")
    assert (done.code, done.err) == (
        2,
        "error: rouge-2 was not scored; score again with -m rouge-2; there are compression, "
        "js_divergence, lcs\n",
    )


@pytest.mark.parametrize("ending", ["png", "svg", "html"])
def test_a_picture_of_the_systems_is_drawn(scored, outputs, ending):
    pytest.importorskip("vl_convert")
    done = scored("compare", *FILES, "--plot", f"systems.{ending}")
    assert done.lines[-1] == f"wrote systems.{ending}"
    start = {"png": b"\x89PNG", "svg": b"<svg", "html": b"<!doctype html"}[ending]
    assert (outputs / f"systems.{ending}").read_bytes().startswith(start)


def test_a_picture_that_cannot_be_drawn_is_refused_before_the_work(call, outputs):
    pytest.importorskip("vl_convert")
    done = call("compare", "god.jsonl", *FILES[1:], "--plot", "systems.pdf")
    assert done.code == 2
    assert done.err.startswith("error: systems.pdf: a chart is written as .svg, .png, .html")


def test_a_worse_system_does_not_fail_where_nobody_asked(call, outputs):
    assert call("compare", *FILES, "-m", "rouge-1.recall").code == 0


def test_a_difference_that_may_be_chance_does_not_fail(call, outputs):
    done = call("compare", *FILES, "-m", "rouge-1.recall", "--fail-if-worse", "--alpha", "0.005")
    # A gate that cannot shut is none.
    assert done.code == 2
    assert done.err.startswith(
        "error: --fail-if-worse: nothing can be significant here: the smallest p of 8 topics is "
    )
    # Of 8 topics the signs of one are turned: the mean is 1/8 less, and p is 1.
    rows = [json.loads(line) for line in Path("good.jsonl").read_text().splitlines()]
    words = rows[0]["candidate"].split()
    rows[0]["candidate"] = " ".join(words[:-1])
    Path("worse.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = call("compare", *FILES, "-m", "rouge-1.recall", "--fail-if-worse", "0.005")
    assert (done.code, done.err) == (
        0,
        "passed: worse is 0.013 worse than good on rouge-1.recall, not significantly (p = 1)\n",
    )


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
    assert done.lines[0] == "good and same have the same scores on rouge-1, 8 topics"
    assert [row[5] for row in below(done, "Systems by")[1:3]] == ["a", "a"]
    assert below(done, "Each system minus")[1][4] == "1.0000"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-m", "compression", "--fail-if-worse"), "does not say which direction is better"),
        (("-m", "rouge-1", "--baseline", "god"), "no system is named 'god'. Did you mean 'good'?"),
        (("-m", "rouge-1", "--exclude", "goood"), "no system is named 'goood'. Did you mean 'good"),
        (("-m", "rouge-11"), "no metric is named 'rouge-11'. Did you mean"),
        (("-m", "pyramid"), "pyramid needs"),
        (("--format", "table"), "--format and --protocol do not go with files of outputs"),
        (("--columns", "who=x"), "--columns: no column is called 'who'"),
        (("--alpha", "2"), "alpha must be between 0 and 1, such as 0.05, got 2.0"),
        (
            ("-m", "rouge-1", "--exclude", "worse", "--fail-if-worse"),
            "compare needs two systems, found good",
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
        (("--fail-if-worse",), "--fail-if-worse needs a system to compare with: --baseline SYSTEM"),
        (("scores.csv",), "2 files would be the system 'scores'; rename the others"),
        (
            ("--columns", "candidate=x"),
            "--columns: a table of scores has id, system, metric, score, got 'candidate'",
        ),
        (("-m", "lsc"), "no metric among the scores is named 'lsc'. Did you mean 'lcs'?"),
        (("--protocol", "all_peers"), "no score is of the protocol 'all_peers'"),
        (("-o", "scores.csv"), "would be written over what is read; name another file"),
        (("--draws", "0"), "invalid value for '--draws': expected 1 or more"),
        (("--draws", "1000000000000"), "draws must be 10,000,000 or fewer, got 1,000,000,000,000"),
    ],
)
def test_mistakes_with_scores_are_one_line(call, score_file, options, message):
    done = call("compare", "scores.csv", *options)
    assert done.code == 2
    assert message in done.err.splitlines()[-1] and "Traceback" not in done.err
    assert read_scores(score_file)


def test_a_side_table_is_not_written_over_what_is_read(call, scored, score_file):
    plain = ("compare", "scores.csv", "-m", "lcs", "--draws", 20, "-o", "out.csv")
    scored(*plain)
    beside = list(score_file.parent.glob("out-*.csv"))
    assert beside
    for path in beside:
        shutil.copy(score_file, path)
        (score_file.parent / "out.csv").unlink()
        before = path.read_bytes()
        done = call("compare", path.name, *plain[2:])
        assert done.code == 2
        expected = f"error: {path.name}: would be written over what is read; name another file"
        assert done.err.splitlines()[-1] == expected
        assert path.read_bytes() == before and not (score_file.parent / "out.csv").exists()
        scored(*plain)


def test_a_chart_is_not_written_over_what_is_read(call, here):
    text = "The ferry sank in the harbour."
    (here / "page.html").write_text(text)
    done = call("score", "--candidate", "page.html", "--reference", "page.html",
                "--plot", "page.html")  # fmt: skip
    assert (done.code, done.out) == (2, "")
    assert done.err == "error: page.html: would be written over what is read; name another file\n"
    assert (here / "page.html").read_text() == text


def test_decimal_commas_are_named_as_the_reason(call, here):
    (here / "comma.csv").write_text('id,system,note,rouge1\nt1,a,"3,5",\nt1,b,so so,"0,25"\n')
    done = call("compare", "comma.csv")
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith(
        "--columns score=NAME or candidate=NAME says which; in 'rouge1' decimal commas are not "
        "read: write 0.25 for 0,25\n"
    )


def test_a_file_that_is_not_there_is_named(call, outputs):
    done = call("compare", "god.jsonl", "worse.jsonl", "--references", "refs.jsonl")
    assert done.code == 2
    assert done.err == "error: god.jsonl: no such file or folder. Did you mean 'good.jsonl'?\n"


def test_one_output_and_one_topic(call, outputs):
    done = call("compare", "good.jsonl", "--references", "refs.jsonl", "-m", "rouge-1")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: compare needs two systems, found good; name a file of ")
    for name in ("good", "worse", "refs"):
        path = outputs / f"{name}.jsonl"
        path.write_text(path.read_text().splitlines(keepends=True)[0])
    done = call("compare", *FILES, "-m", "rouge-1")
    assert done.code == 0
    assert "1 of 1 pairs have no p: fewer than two topics in common" in done.lines
    assert "undefined" in next(line for line in done.lines if line.startswith("worse"))
    done = call("compare", *FILES, "-m", "rouge-1", "--fail-if-worse")
    assert done.code == 2
    assert "worse and good cannot be tested on rouge-1: fewer than two topics" in done.err


def test_outputs_that_lack_a_topic_are_compared_on_the_others(call, outputs):
    path = outputs / "worse.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))
    done = call("compare", *FILES, "-m", "rouge-1")
    assert done.code == 2 and "no summary for 1 of 8 ('t1')" in done.err
    done = call("compare", *FILES, "-m", "rouge-1", "--on-error", "skip")
    assert done.code == 0
    assert done.err.startswith("skipped: worse.jsonl: expected the ids of refs.jsonl, found no ")
    assert any("1 of 1 pairs are compared on fewer than 8 topics" in line for line in done.lines)
    assert below(done, "Systems by")[2][:2] == ["2", "worse"]
    # Both are shown with their topics, since these differ.
    assert [row[5:7] for row in below(done, "Systems by")[1:3]] == [["8", "0"], ["7", "1"]]


@pytest.mark.parametrize("first", ["old", "new"])
def test_files_of_other_topics_are_refused_as_by_score(call, outputs, first):
    with_references(outputs, good="old", worse="new")
    path = outputs / "new.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[2:]))
    files = ("old.jsonl", "new.jsonl") if first == "old" else ("new.jsonl", "old.jsonl")
    done = call("compare", *files, "-m", "rouge-1", "--fail-if-worse")
    assert (done.code, done.out) == (2, "")
    missing = "no summary for 2 of 8" if first == "old" else "2 that are not there"
    assert done.err == (
        f"error: {files[1]}: expected the ids of {files[0]}, found {missing} ('t1', 't2'); "
        "to go on without them: --on-error skip\n"
    )
    assert call("score", *files, "-m", "rouge-1").err == done.err
    done = call("compare", *files, "-m", "rouge-1", "--on-error", "skip")
    assert done.code == 0
    assert done.err.startswith(f"skipped: {files[1]}: expected the ids of {files[0]}, found ")
    topics = 8 if first == "old" else 6
    assert f"Systems by rouge-1.f, best first ({topics} topics)" in done.lines


def test_files_of_scores_may_be_parts_of_the_topics(scored, here):
    for part in (0, 1):
        rows = [f"{n + 4 * part},{who},{n}" for n in range(4) for who in ("bart", "t5")]
        (here / f"part{part}.csv").write_text("\n".join(["id,system,x", *rows]))
    done = scored("compare", "part0.csv", "part1.csv")
    assert "Systems by x, best first (8 topics)" in done.lines


def test_a_topic_that_all_systems_miss_is_counted(scored, here):
    rows = ["id,system,x"] + [f"{n},{who},{n if n < 3 else ''}" for n in range(4) for who in "ab"]
    (here / "s.csv").write_text("\n".join(rows))
    done = scored("compare", "s.csv")
    assert "Systems by x, best first (4 topics)" in done.lines
    assert [row[5:7] for row in below(done, "Systems by")[1:3]] == [["3", "1"], ["3", "1"]]


def test_a_column_that_was_guessed_is_told(scored, outputs):
    path = outputs / "good.jsonl"
    path.write_text(path.read_text().replace("candidate", "summary"))
    done = scored("compare", *FILES, "-m", "rouge-1")
    assert done.err == "note: good.jsonl: 'summary' is taken for the candidate\n"


@pytest.fixture
def judged(here):
    """Two systems on six topics, two judges: x is a point better than y, on t1 half a point."""
    rows = ["id,system,judge,grammaticality,coherence"]
    for topic in range(1, 7):
        for judge in "ab":
            worse = 3 if (topic, judge) == (1, "a") else 2
            rows += [f"t{topic},x,{judge},3,{topic % 3}", f"t{topic},y,{judge},{worse},{topic % 2}"]
    (here / "judgments.csv").write_text("\n".join(rows))
    return here


def test_systems_are_ranked_and_tested_by_judgments(scored, judged):
    done = scored("compare", "judgments.csv", "--dimension", "grammaticality", "--json")
    assert done.err == "note: grammaticality: the mean judgment of 2 judges\n"
    systems = done.json["systems"]["rows"]
    assert [(row["system"], row["mean"]) for row in systems] == [
        ("x", 3),
        ("y", pytest.approx(2 + 0.5 / 6)),
    ]
    # All six topics are for x: two of the 64 choices of signs are as far from 0.
    (pair,) = done.json["against"]["rows"]
    assert pair["p"] == pytest.approx(2 / 64) and pair["verdict"] == "worse"
    lines = scored("compare", "judgments.csv", "--dimension", "grammaticality").lines
    assert lines[0].startswith("x is better than y on grammaticality by 0.917")
    assert "Systems by grammaticality, best first (6 topics)" in lines


def test_several_dimensions_are_compared_one_after_the_other(scored, judged):
    asked = ("--dimension", "coherence", "--dimension", "grammaticality")
    output = scored("compare", "judgments.csv", *asked, "--json").json
    names = [value["name"] for value in output["settings"]["values"]]
    assert names == ["coherence", "grammaticality"]


def test_judged_references_are_compared_on_request(scored, score_file):
    asked = ("compare", "corpus", "--dimension", "grammaticality", "--json")
    done = scored(*asked)
    assert "E to A as 1 to 5" in done.err
    assert "references were judged too (27 summaries); --protocol all_peers shows" in done.err
    assert {row["role"] for row in done.json["systems"]["rows"]} == {"candidate"}
    both = scored(*asked, "--protocol", "all_peers").json
    assert {row["role"] for row in both["systems"]["rows"]} == {"candidate", "reference"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("judgments.csv --dimension fluency", "no dimension of judgments is named 'fluency'"),
        ("judgments.csv --dimension coherence -m lcs", "--dimension compares by the judgments of"),
        ("judgments.csv judgments.csv --dimension coherence", "--dimension compares by the"),
        ("nothing.csv --dimension coherence", "nothing.csv: no such file"),
    ],
)
def test_mistakes_with_dimensions_are_named(call, judged, line, message):
    done = call("compare", *shlex.split(line))
    assert done.code == 2 and message in done.err and done.err.count("\n") == 1


def test_files_of_two_protocols_are_compared_by_the_one_that_is_named(call, here):
    for name, gain in (("a", 0), ("b", 1)):
        rows = [
            f"{n},{name},{protocol},{n + gain + shift}"
            for protocol, shift in (("no_models", 0), ("all_peers", 5))
            for n in range(8)
        ]
        (here / f"{name}.csv").write_text("\n".join(["id,system,protocol,x", *rows]))
    done = call("compare", "a.csv", "b.csv")
    assert done.code == 2
    assert done.err == (
        "error: the scores are of the protocols no_models and all_peers; --protocol says which\n"
    )
    for protocol, mean in (("no_models", 4.5), ("all_peers", 9.5)):
        done = call("compare", "a.csv", "b.csv", "--protocol", protocol)
        assert done.code == 0
        # The mean of b is that of 1 to 8, and 5 more.
        assert any(line.split()[:3] == ["1", "b", f"{mean:.4f}"] for line in done.lines)
