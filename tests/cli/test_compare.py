"""``summetry compare`` on score files, corpora, judgments and the outputs of systems."""

import json
import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest
from command_line import assert_refused, run_command, succeed
from rankings import compare, table_of

from summetry.formats.scores import read_scores
from summetry.reports.comparisons import matrix_sheets
from summetry.reports.verdicts import verdicts

REFERENCE = "a b c d e f g h i j"
FILES = "good.jsonl worse.jsonl --references refs.jsonl"


@pytest.fixture(scope="module")
def scored_demo(tmp_path_factory, demo_folder):
    """The demo corpus as ``corpus``, and its scores by three metrics in ``scores.csv``."""
    folder = tmp_path_factory.mktemp("demo")
    (folder / "corpus").symlink_to(demo_folder)
    metrics = "compression,lcs,js_divergence"
    succeed("score", "corpus", "-m", metrics, "-o", "scores.csv", folder=folder)
    return folder


@pytest.fixture
def score_file(here, scored_demo):
    """A copy of what ``scored_demo`` has, in the current folder."""
    shutil.copytree(scored_demo, here, symlinks=True, dirs_exist_ok=True)
    return here / "scores.csv"


@pytest.fixture
def outputs(here):
    """Two systems and references: ``worse`` has fewer of the ten words of each reference."""
    words, topics = REFERENCE.split(), range(1, 9)
    for name, column, texts in (
        ("refs", "reference", [REFERENCE] * 8),
        ("good", "candidate", [" ".join(words[: 9 - n % 2]) for n in topics]),
        ("worse", "candidate", [" ".join(words[: 8 - n % 5]) for n in topics]),
    ):
        rows = [{"id": f"t{n}", column: text} for n, text in zip(topics, texts, strict=True)]
        write_records(here / f"{name}.jsonl", rows)
    return here


@pytest.fixture
def judged(here):
    """Two systems on six topics, two judges: x is a point better than y, on t1 half a point."""
    rows = []
    for topic in range(1, 7):
        for judge in "ab":
            worse = 3 if (topic, judge) == (1, "a") else 2
            rows += [f"t{topic},x,{judge},3,{topic % 3}", f"t{topic},y,{judge},{worse},{topic % 2}"]
    write_table("judgments.csv", "id,system,judge,grammaticality,coherence", rows)
    return here


def write_table(name, heading, rows):
    Path(name).write_text("\n".join([heading, *rows]))


def write_records(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def read_records(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def without_lines(path, count):
    """The first lines of a file are left out."""
    path.write_text("".join(path.read_text().splitlines(keepends=True)[count:]))


def with_references(here, **names):
    """Each output with the references in its own file, under another name, without systems."""
    references = read_records(here / "refs.jsonl")
    for name, new in names.items():
        pairs = zip(read_records(here / f"{name}.jsonl"), references, strict=True)
        write_records(here / f"{new}.jsonl", [output | reference for output, reference in pairs])


def compared(line):
    return succeed("compare", *shlex.split(line.replace("FILES", FILES)))


def gate(line):
    """A call that may fail a build: its exit code matters."""
    return run_command("compare", *shlex.split(line.replace("FILES", FILES)))


def claim(line):
    """A verdict without its interval, whose ends are drawn and lie around the difference."""
    by, low, high = re.search(r" by ([\d.]+) \(([\d.]+) to ([\d.]+), ", line).groups()
    assert 0 < float(low) <= float(by) <= float(high) < 2 * float(by)
    return line.replace(f"{low} to {high}, ", "")


def titles(done):
    return [line for line in done.lines if line.startswith("Systems by")]


def below(done, start):
    """The cells of the rows below a line that begins so."""
    first = next(i for i, line in enumerate(done.lines) if line.startswith(start))
    return [line.split() for line in done.lines[first + 1 :]]


def cells(rows, names):
    return [tuple(row[name] for name in names.split()) for row in rows]


def test_the_numbers_are_those_of_the_python_function(score_file):
    output = compared("scores.csv -m lcs --json --all-pairs").json
    expected = compare(read_scores(score_file), "lcs")
    systems = output["systems"]["rows"]
    assert cells(systems, "rank system mean low letters topics missing topics_needed") == [
        (rank, s.system, s.mean, s.low, s.letters, s.topics, s.missing, s.needed)
        for rank, s in enumerate(expected.systems, 1)
    ]
    assert len(systems) == 6 and systems[-1]["to_next"] is None
    assert cells(output["pairs"]["rows"], "first second p corrected_p won") == [
        (pair.first, pair.second, pair.p, pair.corrected, pair.won) for pair in expected.pairs
    ]
    assert [row["system"] for row in output["against"]["rows"]] == [p[0] for p in expected.against]
    assert [row["alpha"] for row in output["power"]["rows"]] == [0.05, 0.05 / 15]
    assert output["settings"] == {
        "protocol": "no_models", "topics": 9, "verdicts": verdicts(expected),
        "test": "permutation", "correction": "holm", "alpha": 0.05, "power": 0.8,
        "draws": 10000, "permutations": 10000, "seed": 0,
        "values": [{
            "name": "lcs.f", "better": "higher", "baseline": "careful",
            "baseline_is_named": False, "signature": expected.column.signature,
        }],
    }  # fmt: skip


def test_the_verdict_comes_first_and_the_small_print_last(score_file):
    done = compared("scores.csv -m lcs.f --test t --baseline lead")
    expected = compare(read_scores(score_file), "lcs", test="t", baseline="lead")
    lines = done.lines
    assert " ".join(lines[: lines.index("")]) == " ".join(verdicts(expected))
    assert lines[0].startswith("careful and picker do not differ significantly on lcs: careful is")
    # What is the same in every row is not shown: the role, the topics, how many are missing.
    heading, best = below(done, "Systems by lcs.f, best first (9 topics)")[:2]
    assert " ".join(heading) == "# system mean low high alike to next needed"
    assert best[:2] == ["1", "careful"]
    against = below(done, "Each system minus lead, the baseline, by lcs.f")
    assert " ".join(against[0]) == "system difference low high corrected p d_z won verdict"
    assert "For planning: the difference that the topics show in 80 % of cases" in lines
    small = lines.index("low, high: 95 % of 10,000 bootstrap resamples of topics, seed 0")
    assert not any(line.startswith(("Systems", "Each", "The smallest")) for line in lines[small:])
    for words in (
        "corrected by Holm for 5 comparisons",
        "corrected for all 15 pairs",
        "divided by the standard deviation of the differences",
    ):
        assert words in " ".join(lines[small:])
    assert lines[-1].startswith("lcs: ")
    assert max(map(len, lines)) <= 80
    # A p that is too small for its digits is not shown as 0.
    echo = next(row for row in against if row[:1] == ["echo"])
    assert "<0.0001" in echo and echo[-1] == "worse"


def test_a_file_of_scores_is_compared_by_its_first_three_metrics(here):
    rows = [f"{n},{who},1,2,3,{n}" for n in "123" for who in "xy"]
    write_table("s.csv", "id,system,b1,b2,b3,b4", rows)
    done = compared("s.csv")
    assert done.lines[:3] == [f"x and y have the same scores on b{n}, 3 topics" for n in (1, 2, 3)]
    note = "note: compared by b1, b2, b3; 1 more metric in the scores, -m names others\n"
    assert done.err == note
    assert "Systems by b3, best first (3 topics)" in done.lines
    done = compared("s.csv -m b4,b1")
    assert titles(done) == [f"Systems by b{n}, best first (3 topics)" for n in (4, 1)]
    assert done.err == ""
    # A note that is true of one metric names it.
    write_table("s.csv", "id,system,b1,b2", ["1,x,1,1", "2,x,2,2", "1,y,1,1", "2,y,,3"])
    notes = compared("s.csv").words.partition("Systems by b1, best first (2 topics)")[0]
    assert "b1: scores are missing: 1 of 1 pairs are compared on fewer than 2 topics" in notes
    assert "b2: nothing can be significant here: the smallest p of 2 topics is 0.5" in notes


def test_several_metrics_have_a_set_of_tables_each_and_their_own_directions(score_file):
    output = compared("scores.csv -m js_divergence -m lcs.recall -m lcs.recall --json").json
    names = [value["name"] for value in output["settings"]["values"]]
    assert names == ["js_divergence", "lcs.recall"]
    assert {"systems", "against", "power", "systems_2", "against_2"} < output.keys()
    assert "lower is better" in output["systems"]["title"]
    means = [row["mean"] for row in output["systems"]["rows"]]
    assert means == sorted(means)
    lines = compared("scores.csv -m compression").lines
    assert "Systems by compression, highest first (9 topics)" in lines
    assert "compression does not say which direction is better" in lines
    assert any("the highest, by compression" in line for line in lines)


def test_without_a_metric_a_corpus_and_outputs_are_compared_by_rouge(score_file, outputs):
    done = compared("corpus")
    assert titles(done) == [f"Systems by rouge-{n}.f, best first (9 topics)" for n in "12l"]
    assert done.err == ""
    # The legend names the words, and the level where there are two.
    assert done.lines[-3:] == [
        "rouge-1: Unicode words",
        "rouge-2: Unicode words",
        "rouge-l: Unicode words, sentence by sentence",
    ]
    verdict = [line.split(" by ")[0] for line in compared("FILES").lines[:3]]
    assert verdict == [f"good is better than worse on rouge-{which}" for which in "12l"]


def test_a_table_is_a_corpus_whose_columns_may_be_named(here):
    rows = ["1,a,x y,x y", "1,b,x z,x y", "2,a,p q,p q", "2,b,p r,p q"]
    write_table("t.csv", "doc,who,text,gold", rows)
    done = compared("t.csv -m rouge-1 --columns id=doc,system=who,candidate=text,reference=gold")
    rows = below(done, "Systems by rouge-1.f")
    assert [row[:3] for row in rows[1:3]] == [["1", "a", "1.0000"], ["2", "b", "0.5000"]]
    assert_refused(gate("t.csv --columns who=who"), 2, "no column is called 'who'")


def test_a_file_of_aesop_is_compared(here):
    """The model A is 0.05 above the peer 1 on each of eight topics: 2 of 256 choices of signs."""
    lines = [f"D{n:02}-A  A  0.{n}5\nD{n:02}-A  1  0.{n}0\n" for n in range(1, 9)]
    (here / "7").write_text("".join(lines))
    done = compared("7")
    assert done.lines[0] == "A is better than 1 on 7 by 0.050 (0.050 to 0.050, p = .008)"
    rows = below(done, "Systems by 7, best first (all_peers, 8 topics)")
    assert rows[1][:4] == ["1", "A", "reference", "0.5000"]
    assert rows[2][:4] == ["2", "1", "candidate", "0.4500"]
    # Metrics of other programs have no legend to end with.
    assert done.lines[-1].startswith("won: share of topics")


def test_all_pairs_as_a_square_that_a_narrow_line_cuts_into_pieces(score_file):
    done = compared("scores.csv -m lcs --test t --all-pairs")
    rows = below(done, "Corrected p of all pairs, lcs.f")
    assert rows[0] == ["#", "system", *"123456"]
    square = [row[2:] for row in rows[1:7]]
    assert [square[i][i] for i in range(6)] == ["-"] * 6
    assert square == [list(column) for column in zip(*square, strict=True)]
    random = np.random.default_rng(0)
    systems = table_of({f"s{s}": random.random(3) for s in range(30)})
    sheets = matrix_sheets(compare(systems, draws=20), 80)
    numbers = [h.name for sheet in sheets for h in sheet.headings if h.name.isdigit()]
    assert numbers == [str(n) for n in range(1, 31)]
    assert all(len(sheet.rows) == 30 for sheet in sheets)
    assert len(sheets) == 4 and sheets[1].title.endswith("(continued)")


def test_tables_are_written_and_not_over_what_is_read(score_file):
    line = "-m lcs --all-pairs --draws 20 -o"
    for ending in ("json", "tex", "txt", "csv"):
        done = compared(f"scores.csv {line} out.{ending}")
        assert f"wrote out.{ending}" in done.lines
        text = Path(f"out.{ending}").read_text()
        assert "careful" in text
    assert text.startswith("rank,system,role,mean,low,high,topics,missing,letters,to_next,")
    names = [line.split()[-1] for line in done.lines if line.startswith("wrote")]
    assert names == ["out.csv", "out-against.csv", "out-power.csv", "out-pairs.csv"]
    for name in names[1:]:
        shutil.copy(score_file, name)
        Path("out.csv").unlink()
        done = gate(f"{name} {line} out.csv")
        message = f"error: {name}: would be written over what is read; name another file"
        assert (done.code, done.err.splitlines()[-1]) == (2, message)
        assert Path(name).read_bytes() == score_file.read_bytes() and not Path("out.csv").exists()
        compared(f"scores.csv {line} out.csv")


def test_files_of_scores_are_joined(outputs):
    with_references(outputs, good="old", worse="new")
    for name in ("old", "new"):
        succeed("score", f"{name}.jsonl", "-m", "rouge-1", "-o", f"{name}.csv")
    done = compared("old.csv new.csv -m rouge-1.recall")
    assert claim(done.lines[0]) == "old is better than new on rouge-1.recall by 0.250 (p = .016)"
    assert done.err == ""
    # The same metric with other words is another one, and never mixed with the first.
    succeed("score", "new.jsonl", "-m", "rouge-1", "--rouge", "rouge-score", "-o", "other.csv")
    done = compared("old.csv other.csv -m rouge-1.recall")
    assert done.err.startswith("note: rouge-1 has 2 signatures: rouge-1 (old) is rouge_n|")
    for name in ("old", "other"):
        assert f"Systems by rouge-1 ({name}).recall, best first (8 topics)" in done.lines
    assert not any(" better than " in line for line in done.lines)


def test_files_of_scores_may_be_parts_of_the_topics_and_one_that_all_miss_is_counted(here):
    for part in (0, 1):
        rows = [f"{n},{who},{n if n < 7 else ''}" for n in range(4 * part, 4 * part + 4)
                for who in ("bart", "t5")]  # fmt: skip
        write_table(f"part{part}.csv", "id,system,x", rows)
    rows = below(compared("part0.csv part1.csv"), "Systems by x, best first (8 topics)")
    assert [row[5:7] for row in rows[1:3]] == [["7", "1"], ["7", "1"]]


def test_one_system_in_two_files_is_two(here):
    for name, gain in (("old", 0), ("new", 1)):
        write_table(f"{name}.csv", "id,system,x", [f"{n},bart,{n + gain}" for n in range(8)])
    done = gate("old.csv new.csv --fail-if-worse")
    verdict = "bart (new) is better than bart (old) on x by 1.000 (1.000 to 1.000, p = .008)"
    assert (done.code, done.lines[0]) == (0, verdict)
    assert done.err.splitlines() == [
        "note: bart has other scores in each file: shown as bart (old) and bart (new)",
        f"passed: {verdict}",
    ]
    assert gate("new.csv old.csv --fail-if-worse").code == 1


def test_files_of_two_protocols_are_compared_by_the_one_that_is_named(here):
    """The mean of b is that of 1 to 8, and 5 more where models are peers."""
    means = {"no_models": 4.5, "all_peers": 9.5}
    for gap, name in enumerate("ab", start=-1):
        rows = [f"{n},{name},{of},{n + mean + gap - 3.5}" for of, mean in means.items()
                for n in range(8)]  # fmt: skip
        write_table(f"{name}.csv", "id,system,protocol,x", rows)
    message = "the scores are of the protocols no_models and all_peers; --protocol says which\n"
    assert_refused(gate("a.csv b.csv"), 2, message)
    for protocol, mean in means.items():
        rows = below(compared(f"a.csv b.csv --protocol {protocol}"), "Systems by x")
        assert rows[1][:3] == ["1", "b", f"{mean:.4f}"]


def test_two_outputs_are_compared_with_references(outputs):
    done = compared("FILES -m rouge-1.recall")
    assert done.err == ""
    assert claim(done.lines[0]) == "good is better than worse on rouge-1.recall by 0.250 (p = .016)"
    rows = below(done, "Systems by rouge-1.recall, best first (8 topics)")
    # 8 or 9 words of 10, as many of each; 7, 6, 5, 4, 8, 7, 6 and 5 words.
    assert [row[:3] for row in rows[1:3]] == [["1", "good", "0.8500"], ["2", "worse", "0.6000"]]
    row = below(done, "Each system minus good, the best, by rouge-1.recall")[1]
    # One topic is tied, seven are lost: two of 128 choices of signs, and half a topic of 8.
    assert row[:2] == ["worse", "-0.2500"] and row[4] == "0.0156"
    assert row[-2:] == ["0.06", "worse"]
    assert "p: paired permutation test" in done.lines


def test_files_with_references_of_their_own_are_a_system_each(outputs):
    with_references(outputs, good="old", worse="new")
    done = gate("old.jsonl new.jsonl --fail-if-worse -m rouge-1.recall")
    assert done.code == 1
    assert done.err.startswith("failed: new is worse than old on rouge-1.recall by 0.250 (")
    done = gate("new.jsonl old.jsonl --fail-if-worse")
    assert done.code == 0
    assert [line.partition(" by ")[0] for line in done.err.splitlines()] == [
        f"passed: old is better than new on rouge-{which}" for which in "12l"
    ]
    text = (outputs / "new.jsonl").read_text()
    (outputs / "new.jsonl").write_text(text.replace("h i j", "h i k", 1))
    message = (
        "error: old and new have different references for 't1', so their scores cannot be "
        "compared; --references FILE names those for all\n"
    )
    assert_refused(gate("old.jsonl new.jsonl -m rouge-1"), 2, message)


def test_a_column_that_was_guessed_is_told(outputs):
    path = outputs / "good.jsonl"
    path.write_text(path.read_text().replace("candidate", "summary"))
    done = compared("FILES -m rouge-1")
    assert done.err == "note: good.jsonl: 'summary' is taken for the candidate\n"


def test_outputs_that_lack_a_topic_are_compared_on_the_others(outputs):
    without_lines(outputs / "worse.jsonl", 1)
    assert_refused(gate("FILES -m rouge-1"), 2, "no summary for 1 of 8 ('t1')")
    done = compared("FILES -m rouge-1 --on-error skip")
    assert done.err.startswith("skipped: worse.jsonl: expected the ids of refs.jsonl, found no ")
    assert any("1 of 1 pairs are compared on fewer than 8 topics" in line for line in done.lines)
    rows = below(done, "Systems by")
    assert rows[2][:2] == ["2", "worse"]
    # Both are shown with their topics, since these differ.
    assert [row[5:7] for row in rows[1:3]] == [["8", "0"], ["7", "1"]]


@pytest.mark.parametrize(
    ("first", "second", "missing", "topics"),
    [("old", "new", "no summary for 2 of 8", 8), ("new", "old", "2 that are not there", 6)],
)
def test_files_of_other_topics_are_refused_as_by_score(outputs, first, second, missing, topics):
    with_references(outputs, good="old", worse="new")
    without_lines(outputs / "new.jsonl", 2)
    line = f"{first}.jsonl {second}.jsonl -m rouge-1"
    start = f"{second}.jsonl: expected the ids of {first}.jsonl, found "
    message = f"error: {start}{missing} ('t1', 't2'); to go on without them: --on-error skip\n"
    assert_refused(gate(f"{line} --fail-if-worse"), 2, message)
    assert run_command("score", *shlex.split(line)).err == message
    done = compared(f"{line} --on-error skip")
    assert done.err.startswith(f"skipped: {start}")
    assert f"Systems by rouge-1.f, best first ({topics} topics)" in done.lines


def test_one_output_and_one_topic(outputs):
    done = gate("good.jsonl --references refs.jsonl -m rouge-1")
    assert_refused(done, 2, "error: compare needs two systems, found good; name a file of ")
    for name in ("good", "worse", "refs"):
        without_lines(outputs / f"{name}.jsonl", 7)
    lines = compared("FILES -m rouge-1").lines
    assert "undefined" in next(line for line in lines if line.startswith("worse"))
    done = gate("FILES -m rouge-1 --fail-if-worse")
    assert done.code == 2
    assert "worse and good cannot be tested on rouge-1: fewer than two topics" in done.err


def test_a_picture_of_the_systems_is_drawn(outputs, no_chart_script):
    for ending, start in {"svg": b"<svg", "html": b"<!doctype html"}.items():
        done = compared(f"FILES -m rouge-1 --draws 20 --plot systems.{ending}")
        assert done.lines[-1] == f"wrote systems.{ending}"
        assert (outputs / f"systems.{ending}").read_bytes().startswith(start)
    # One that cannot be drawn is refused before the work.
    done = gate("god.jsonl worse.jsonl --references refs.jsonl --plot systems.pdf")
    assert_refused(done, 2, "error: systems.pdf: a chart is written as .svg, .png, .html")


SWAPPED = "worse.jsonl good.jsonl --references refs.jsonl"
LOSS = "worse is worse than good on rouge-1.recall by 0.250 (p = .016)"


@pytest.mark.parametrize(
    ("typed", "code", "message"),
    [
        ("FILES --fail-if-worse", 1, f"failed: {LOSS}"),
        # The other way round nothing is worse than the baseline.
        (f"{SWAPPED} --fail-if-worse", 0,
         "passed: good is better than worse on rouge-1.recall by 0.250 (p = .016)"),
        (f"{SWAPPED} --fail-if-worse --baseline good", 1, f"failed: {LOSS}"),
        # The mean difference is 0.25, which is no more than 0.25.
        ("FILES --fail-if-worse 0.2", 1, f"failed: {LOSS}, more than 0.2"),
        ("FILES --fail-if-worse 0.25", 0,
         f"passed: {LOSS}; --fail-if-worse 0.25 tolerates it"),
        # A number that may be left out does not take the file behind it.
        ("--fail-if-worse FILES", 1, f"failed: {LOSS}"),
    ],
)  # fmt: skip
def test_a_worse_system_fails_the_build_that_asks_for_it(outputs, typed, code, message):
    done = gate(f"{typed} -m rouge-1.recall")
    assert (done.code, claim(done.err)) == (code, f"{message}\n")


def test_a_build_fails_on_any_metric_in_its_own_direction(here):
    """By precision both are perfect; by recall the new one has lost a word of three."""
    for name, text in {"refs": "x y z", "old": "x y z", "new": "x y", "far": "x q r"}.items():
        (here / f"{name}.txt").write_text(f"{text}\n" * 8)
    line = "old.txt new.txt --references refs.txt --fail-if-worse -m rouge-1.precision"
    assert gate(line).code == 0
    done = gate(f"{line} -m rouge-1.recall")
    assert done.code == 1
    assert done.err.startswith("failed: new is worse than old on rouge-1.recall by 0.333 (0.333")
    # Of a divergence lower is better.
    write_records(here / "r.jsonl", [{"source": "x y z"}] * 8)
    asked = "--references r.jsonl -m js_divergence --fail-if-worse"
    assert gate(f"old.txt far.txt {asked}").code == 1
    assert gate(f"far.txt old.txt {asked}").code == 0


def test_a_gate_that_cannot_shut_is_none(score_file, outputs):
    for typed, words in {
        "FILES -m rouge-1.recall --alpha 0.005":
            "nothing can be significant here: the smallest p of 8 topics is ",
        "scores.csv --baseline lead -m compression":
            "compression does not say which direction is better\n",
    }.items():  # fmt: skip
        done = gate(f"{typed} --fail-if-worse")
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert done.err.startswith(f"error: --fail-if-worse: {words}")


def test_a_difference_that_may_be_chance_does_not_fail_the_build(outputs):
    """Of 8 topics the signs of one are turned: the mean is 1/8 less, and p is 1."""
    good = read_records(outputs / "good.jsonl")
    good[0]["candidate"] = good[0]["candidate"].rpartition(" ")[0]
    write_records(outputs / "worse.jsonl", good)
    done = gate("FILES -m rouge-1.recall --fail-if-worse 0.005")
    words = "worse is 0.013 worse than good on rouge-1.recall, not significantly (p = 1)"
    assert (done.code, done.err) == (0, f"passed: {words}\n")
    # Nor does no difference.
    shutil.copy("good.jsonl", "same.jsonl")
    done = gate("good.jsonl same.jsonl --references refs.jsonl -m rouge-1 --fail-if-worse")
    words = "good and same have the same scores on rouge-1, 8 topics"
    assert (done.code, done.lines[0]) == (0, words)


@pytest.mark.parametrize("language", ["yaml", "sh"])
def test_the_snippets_for_a_build_are_ready_to_use(outputs, language):
    """The commands of the page, as they stand: the model that was released, then the new one."""
    page = Path(__file__).parents[2] / "docs" / "commands" / "compare.md"
    block = page.read_text().partition(f"```{language}\n")[2].partition("```")[0]
    words = shlex.split(block[block.index("summetry compare") :].partition("||")[0])
    assert words[:4] == ["summetry", "compare", "eval/released.jsonl", "new.jsonl"]
    (outputs / "eval").mkdir()
    with_references(outputs, good="eval/released", worse="new")
    done = run_command(*words[1:])
    assert done.code == 1 and done.err.startswith("failed: new is worse than released on rouge-2")
    with_references(outputs, worse="eval/released", good="new")
    assert run_command(*words[1:]).code == 0


def test_systems_are_ranked_and_tested_by_judgments(judged):
    """All six topics are for x: two of the 64 choices of signs are as far from 0."""
    done = compared("judgments.csv --dimension grammaticality --json")
    assert done.err == "note: grammaticality: the mean judgment of 2 judges\n"
    means = cells(done.json["systems"]["rows"], "system mean")
    assert means == [("x", 3), ("y", pytest.approx(2 + 0.5 / 6))]
    (pair,) = done.json["against"]["rows"]
    assert pair["p"] == pytest.approx(2 / 64) and pair["verdict"] == "worse"
    lines = compared("judgments.csv --dimension grammaticality").lines
    assert lines[0].startswith("x is better than y on grammaticality by 0.917")
    assert "Systems by grammaticality, best first (6 topics)" in lines
    asked = "judgments.csv --dimension coherence --dimension grammaticality --json"
    values = compared(asked).json["settings"]["values"]
    assert [value["name"] for value in values] == ["coherence", "grammaticality"]


def test_references_stand_beside_systems_on_request(score_file):
    done = compared("corpus -m lcs --protocol all_peers --exclude echo")
    rows = below(done, "Systems by lcs.f, best first (all_peers, 9 topics)")
    roles = {row[1]: row[2] for row in rows[1:9]}
    assert roles["m1"] == "reference" and roles["lead"] == "candidate" and "echo" not in roles
    # And so do those that were judged.
    done = compared("corpus --dimension grammaticality --json")
    assert "E to A as 1 to 5" in done.err
    assert "references were judged too (27 summaries); --protocol all_peers shows" in done.err
    assert {row["role"] for row in done.json["systems"]["rows"]} == {"candidate"}
    output = compared("corpus --dimension grammaticality --json --protocol all_peers").json
    assert {row["role"] for row in output["systems"]["rows"]} == {"candidate", "reference"}


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("FILES -m rouge-1 --baseline god", "no system is named 'god'. Did you mean 'good'?"),
        ("FILES -m rouge-1 --exclude goood", "no system is named 'goood'. Did you mean 'good"),
        ("FILES -m rouge-11", "no metric is named 'rouge-11'. Did you mean"),
        ("FILES -m pyramid", "pyramid needs"),
        ("FILES --format table", "--format and --protocol do not go with files of outputs"),
        ("FILES --columns who=x", "--columns: no column is called 'who'"),
        ("FILES --alpha 2", "alpha must be between 0 and 1, such as 0.05, got 2.0"),
        ("FILES -m rouge-1.recall --fail-if-worse -1", "'--fail-if-worse': expected 0 or more"),
        ("FILES --exclude worse --fail-if-worse", "compare needs two systems, found good"),
        ("FILES -o out.doc", "out.doc: findings are written to files ending in .json, .csv"),
        ("FILES -o refs.jsonl", "findings are written to files ending in"),
        ("god.jsonl worse.jsonl --references refs.jsonl",
         "god.jsonl: no such file or folder. Did you mean 'good.jsonl'?"),
        ("scores.csv --fail-if-worse", "needs a system to compare with: --baseline SYSTEM"),
        ("scores.csv scores.csv", "2 files would be the system 'scores'; rename the others"),
        ("scores.csv --columns candidate=x",
         "--columns: a table of scores has id, system, metric, score, got 'candidate'"),
        ("scores.csv -m lsc", "no metric among the scores is named 'lsc'. Did you mean 'lcs'?"),
        ("scores.csv -m rouge-2", "error: rouge-2 was not scored; score again with -m rouge-2; "
         "there are compression, js_divergence, lcs\n"),
        ("scores.csv --protocol all_peers", "no score is of the protocol 'all_peers'"),
        ("scores.csv -o scores.csv", "would be written over what is read; name another file"),
        ("scores.csv --draws 0", "invalid value for '--draws': expected 1 or more"),
        ("scores.csv --draws 1000000000000", "draws must be 10,000,000 or fewer, got 1,000,"),
        ("judgments.csv --dimension fluency", "no dimension of judgments is named 'fluency'"),
        ("judgments.csv --dimension coherence -m lcs", "--dimension compares by the judgments of"),
        ("judgments.csv judgments.csv --dimension coherence", "--dimension compares by the"),
        ("nothing.csv --dimension coherence", "nothing.csv: no such file"),
        ("comma.csv", "--columns score=NAME or candidate=NAME says which; in 'rouge1' decimal "
         "commas are not read: write 0.25 for 0,25\n"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_and_changes_nothing(score_file, outputs, judged, typed, words):
    Path("comma.csv").write_text('id,system,note,rouge1\nt1,a,"3,5",\nt1,b,so so,"0,25"\n')
    before = {path: path.read_bytes() for path in outputs.glob("*.*")}
    assert_refused(gate(typed), 2, words)
    assert {path: path.read_bytes() for path in outputs.glob("*.*")} == before
