"""``summetry compare`` on score files, corpora, judgments and the outputs of systems."""

import json
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


@pytest.fixture
def scores(corpus):
    """The scores of ``corpus`` by three metrics, as ``scores.csv``."""
    succeed("score", "corpus", "-m", "compression,lcs,js_divergence", "-o", "scores.csv")
    return Path("scores.csv")


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
def judgments(here):
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


def head(done):
    """What is printed above the tables."""
    return done.lines[: done.lines.index("")]


def cells(rows, names):
    return [tuple(row[name] for name in names.split()) for row in rows]


def test_the_numbers_are_those_of_the_python_function(scores):
    output = compared("scores.csv -m lcs --json --all-pairs").json
    expected = compare(read_scores(scores), "lcs")
    systems = output["systems"]["rows"]
    assert cells(systems, "rank system mean low letters topics missing topics_needed") == [
        (rank, s.system, s.mean, s.low, s.letters, s.topics, s.missing, s.needed)
        for rank, s in enumerate(expected.systems, 1)
    ]
    assert cells(output["pairs"]["rows"], "first second p corrected_p won") == [
        (pair.first, pair.second, pair.p, pair.corrected, pair.won) for pair in expected.pairs
    ]
    assert [row["system"] for row in output["against"]["rows"]] == [p[0] for p in expected.against]
    assert [row["alpha"] for row in output["power"]["rows"]] == [0.05, 0.05 / 15]
    assert output["settings"] == {
        "protocol": "no_models", "topics": 3, "verdicts": verdicts(expected),
        "test": "permutation", "correction": "holm", "alpha": 0.05, "power": 0.8,
        "draws": 10000, "permutations": 10000, "seed": 0,
        "values": [{
            "name": "lcs.f", "better": "higher", "baseline": expected.systems[0].system,
            "baseline_is_named": False, "signature": expected.column.signature,
        }],
    }  # fmt: skip
    output = compared("scores.csv -m js_divergence -m lcs.recall,lcs.recall --json").json
    names = [value["name"] for value in output["settings"]["values"]]
    assert names == ["js_divergence", "lcs.recall"]
    assert {"systems", "against", "power", "systems_2", "against_2"} < output.keys()


def test_tables_of_scores(scores, shows):
    """Each metric has its direction, if it has one; of 3 topics only a t-test finds something."""
    shows(
        "compare scores.csv -m lcs.f --test t --baseline lead --draws 50 --seed 1",
        "compare scores.csv -m compression,js_divergence --test bootstrap --correction none "
        "--alpha 0.1 --all-pairs --draws 99 --exclude echo --exclude hasty --exclude picker",
        "compare corpus -m lcs --protocol all_peers --exclude echo --draws 20",
    )
    # Without metrics a corpus is compared by ROUGE, and outputs too.
    titles = [line for line in compared("corpus --draws 20").lines if "best first" in line]
    assert titles == [f"Systems by rouge-{n}.f, best first (3 topics)" for n in "12l"]


def test_tables_of_other_scores(here, shows):
    """The model A is 0.05 above the peer 1 on each of eight topics: 2 of 256 choices of signs."""
    rows = [f"{n},{who},1,2,3,{n}" for n in "123" for who in "xy"]
    write_table("four.csv", "id,system,b1,b2,b3,b4", rows)
    write_table("gaps.csv", "id,system,b1,b2", ["1,x,1,1", "2,x,2,2", "1,y,1,1", "2,y,,3"])
    lines = [f"D{n:02}-A  A  0.{n}5\nD{n:02}-A  1  0.{n}0\n" for n in range(1, 9)]
    Path("7").write_text("".join(lines))
    rows = ["1,a,x y,x y", "1,b,x z,x y", "2,a,p q,p q", "2,b,p r,p q"]
    write_table("t.csv", "doc,who,text,gold", rows)
    columns = "id=doc,system=who,candidate=text,reference=gold"
    shows(
        "compare four.csv --draws 20",
        "compare gaps.csv --draws 20",
        "compare 7 --draws 20",
        f"compare t.csv -m rouge-1 --columns {columns} --draws 20",
    )
    assert head(compared("four.csv -m b4,b1"))[0].startswith("x and y have the same scores on b4")


def test_all_pairs_of_many_systems_are_cut_into_pieces():
    random = np.random.default_rng(0)
    systems = table_of({f"s{s}": random.random(3) for s in range(30)})
    sheets = matrix_sheets(compare(systems, draws=20), 80)
    numbers = [h.name for sheet in sheets for h in sheet.headings if h.name.isdigit()]
    assert numbers == [str(n) for n in range(1, 31)]
    assert all(len(sheet.rows) == 30 for sheet in sheets)
    assert len(sheets) == 4 and sheets[1].title.endswith("(continued)")


def test_tables_are_written_and_not_over_what_is_read(scores):
    line = "-m lcs --all-pairs --draws 20 -o"
    for ending in ("json", "tex", "txt", "csv"):
        done = compared(f"scores.csv {line} out.{ending}")
        assert f"wrote out.{ending}" in done.lines
        assert "careful" in Path(f"out.{ending}").read_text()
    names = [line.split()[-1] for line in done.lines if line.startswith("wrote")]
    assert names == ["out.csv", "out-against.csv", "out-power.csv", "out-pairs.csv"]
    for name in names[1:]:
        shutil.copy(scores, name)
        Path("out.csv").unlink()
        done = gate(f"{name} {line} out.csv")
        message = f"error: {name}: would be written over what is read; name another file"
        assert (done.code, done.err.splitlines()[-1]) == (2, message)
        assert Path(name).read_bytes() == scores.read_bytes() and not Path("out.csv").exists()
        compared(f"scores.csv {line} out.csv")


def test_files_of_scores_are_joined(outputs):
    with_references(outputs, good="old", worse="new")
    for name in ("old", "new"):
        succeed("score", f"{name}.jsonl", "-m", "rouge-1", "-o", f"{name}.csv")
    done = compared("old.csv new.csv -m rouge-1.recall")
    assert done.err == "" and done.words.startswith("old is better than new on rouge-1.recall by 0")
    # The same metric with other words is another one, and never mixed with the first.
    succeed("score", "new.jsonl", "-m", "rouge-1", "--rouge", "rouge-score", "-o", "other.csv")
    done = compared("old.csv other.csv -m rouge-1.recall")
    assert done.err.startswith("note: rouge-1 has 2 signatures: rouge-1 (old) is rouge_n|")
    for name in ("old", "other"):
        assert f"Systems by rouge-1 ({name}).recall, best first (8 topics)" in done.lines
    assert not any(" better than " in line for line in done.lines)


def test_files_may_be_parts_of_the_topics_and_one_system_in_two_files_is_two(here):
    for part in (0, 1):
        rows = [f"{n},{who},{n if n < 7 else ''}" for n in range(4 * part, 4 * part + 4)
                for who in ("bart", "t5")]  # fmt: skip
        write_table(f"part{part}.csv", "id,system,x", rows)
    rows = compared("part0.csv part1.csv --json").json["systems"]["rows"]
    assert cells(rows, "topics missing") == [(7, 1)] * 2
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


def test_outputs_are_compared_with_references_in_a_file_or_of_their_own(outputs):
    rows = compared("FILES -m rouge-1.recall --json").json
    # 8 or 9 words of 10, as many of each; 7, 6, 5, 4, 8, 7, 6 and 5 words.
    assert cells(rows["systems"]["rows"], "system mean") == [
        ("good", pytest.approx(0.85)), ("worse", pytest.approx(0.6))
    ]  # fmt: skip
    # One topic is tied, seven are lost: two of 128 choices of signs.
    assert rows["against"]["rows"][0]["p"] == pytest.approx(2 / 128)
    with_references(outputs, good="old", worse="new")
    assert compared("old.jsonl new.jsonl -m rouge-1.recall --json").json["systems"]["rows"] == [
        row | {"system": {"good": "old", "worse": "new"}[row["system"]]}
        for row in rows["systems"]["rows"]
    ]
    text = (outputs / "new.jsonl").read_text()
    (outputs / "new.jsonl").write_text(text.replace("h i j", "h i k", 1))
    words = "old and new have different references for 't1', so their scores cannot be compared; "
    assert_refused(gate("old.jsonl new.jsonl -m rouge-1"), 2, f"{words}--references FILE names")
    # A column that was guessed is told.
    path = outputs / "good.jsonl"
    path.write_text(path.read_text().replace("candidate", "summary"))
    done = compared("FILES -m rouge-1")
    assert done.err == "note: good.jsonl: 'summary' is taken for the candidate\n"


def test_files_of_other_topics_are_refused_as_by_score(outputs):
    with_references(outputs, good="old", worse="new")
    without_lines(outputs / "new.jsonl", 2)
    line = "old.jsonl new.jsonl -m rouge-1"
    start = "new.jsonl: expected the ids of old.jsonl, found no summary for 2 of 8 ('t1', 't2')"
    message = f"error: {start}; to go on without them: --on-error skip\n"
    assert_refused(gate(f"{line} --fail-if-worse"), 2, message)
    assert run_command("score", *shlex.split(line)).err == message
    assert (
        "Systems by rouge-1.f, best first (8 topics)" in compared(f"{line} --on-error skip").lines
    )


def test_a_picture_of_the_systems_is_drawn(outputs, no_chart_script):
    done = compared("FILES -m rouge-1 --draws 20 --plot systems.html")
    assert done.lines[-1] == "wrote systems.html"
    assert (outputs / "systems.html").read_bytes().startswith(b"<!doctype html")


SAME = "good.jsonl same.jsonl --references refs.jsonl"
SWAPPED = "worse.jsonl good.jsonl --references refs.jsonl"
LOSS = "worse is worse than good on rouge-1.recall by 0.250 (0.150 to 0.350, p = .016)"


@pytest.mark.parametrize("typed, code, message", [
    ("FILES --fail-if-worse", 1, f"failed: {LOSS}"),
    # The other way round nothing is worse than the baseline.
    (f"{SWAPPED} --fail-if-worse", 0, "passed: good is better than worse on rouge-1.recall by"),
    (f"{SWAPPED} --fail-if-worse --baseline good", 1, f"failed: {LOSS}"),
    # The mean difference is 0.25, which is no more than 0.25.
    ("FILES --fail-if-worse 0.2", 1, f"failed: {LOSS}, more than 0.2\n"),
    ("FILES --fail-if-worse 0.25", 0, f"passed: {LOSS}; --fail-if-worse 0.25 tolerates it\n"),
    # A number that may be left out does not take the file behind it.
    ("--fail-if-worse FILES", 1, f"failed: {LOSS}"),
    # By precision both are perfect.
    ("FILES --fail-if-worse -m rouge-1.precision", 1, f"failed: {LOSS}"),
    # A gate that cannot shut is none.
    ("FILES --alpha 0.005 --fail-if-worse", 2, "error: --fail-if-worse: nothing can be signif"),
    (f"{SAME} --fail-if-worse", 0, "passed: same is as good as good"),
])  # fmt: skip
def test_a_worse_system_fails_the_build_that_asks_for_it(outputs, typed, code, message):
    shutil.copy("good.jsonl", "same.jsonl")
    done = gate(f"{typed} -m rouge-1.recall")
    assert done.code == code and message in done.err


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


def test_systems_are_ranked_and_tested_by_judgments(judgments, corpus, shows):
    """All six topics are for x: two of the 64 choices of signs are as far from 0."""
    shows("compare judgments.csv --dimension coherence --dimension grammaticality --draws 20")
    done = compared("judgments.csv --dimension grammaticality --json")
    means = cells(done.json["systems"]["rows"], "system mean")
    assert means == [("x", 3), ("y", pytest.approx(2 + 0.5 / 6))]
    (pair,) = done.json["against"]["rows"]
    assert pair["p"] == pytest.approx(2 / 64) and pair["verdict"] == "worse"
    # References that were judged stand beside systems on request.
    line = "corpus --dimension grammaticality --json"
    for options, roles in (("", {"candidate"}), ("--protocol all_peers", {"candidate", "refer"})):
        rows = compared(f"{line} {options}").json["systems"]["rows"]
        assert {row["role"].removesuffix("ence") for row in rows} == roles


def test_mistakes(scores, outputs, judgments, refuses):
    Path("odd.csv").write_text("id,system,candidate,Volltext\n1,a,x y,x y z\n1,b,z,x y z\n")
    Path("comma.csv").write_text('id,system,note,rouge1\nt1,a,"3,5",\nt1,b,so so,"0,25"\n')
    for name in ("good", "worse", "refs"):
        lines = Path(f"{name}.jsonl").read_text().splitlines(keepends=True)
        Path(f"{name}1.jsonl").write_text(lines[7])
    refuses(f"""
        compare good.jsonl --references refs.jsonl
        compare {FILES} -m rouge-1 --baseline god
        compare {FILES} -m rouge-11
        compare {FILES} -m pyramid
        compare {FILES} --format table
        compare {FILES} --columns who=x
        compare {FILES} --alpha 2
        compare {FILES} -m rouge-1.recall --fail-if-worse -1
        compare {FILES} --exclude worse --fail-if-worse
        compare {FILES} -o refs.jsonl
        compare {FILES} -o out.doc
        compare god.jsonl worse.jsonl --references refs.jsonl --plot out.pdf
        compare god.jsonl worse.jsonl --references refs.jsonl
        compare t.csv --columns who=who
        compare scores.csv --fail-if-worse
        compare scores.csv scores.csv
        compare scores.csv --columns candidate=x
        compare scores.csv -m lsc
        compare scores.csv -m rouge-2
        compare scores.csv --protocol all_peers
        compare scores.csv --protocol all_peers --protocol no_models
        compare scores.csv -o scores.csv
        compare scores.csv --draws 1000000000000
        compare judgments.csv --dimension fluency
        compare judgments.csv --dimension coherence -m lcs
        compare judgments.csv judgments.csv --dimension coherence
        compare nothing.csv --dimension coherence
        compare comma.csv
        compare odd.csv -m js_divergence
        compare good.jsonl -m rouge-1
        compare scores.csv odd.csv --columns reference=foo
    """)
    done = gate("good1.jsonl worse1.jsonl --references refs1.jsonl -m rouge-1 --fail-if-worse")
    assert done.code == 2 and "undefined" in done.out
    assert "worse1 and good1 cannot be tested on rouge-1: fewer than two topics" in done.err
