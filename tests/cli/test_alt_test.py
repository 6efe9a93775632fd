"""``summetry alt-test``: what it prints and writes, and what it says of bad input."""

import csv
import json
import shlex

import pytest
from command_line import assert_refused, run_command, succeed

PEOPLE = ["ann", "bob", "eve"]
# All judges but one more are annotators.
LLM = "judgments.csv --judge llm --annotator ann --annotator bob --annotator eve"


def alt_test(line):
    return succeed("alt-test", *shlex.split(line))


def test_a_judge_stands_beside_null_judges(judged):
    """The middle mark is as near to any two annotators as the third, or nearer.

    A 3 is as near only where that is the mark, on 12 of 36 summaries. The most frequent marks are
    1, 3, 4 and 5, of which the lowest is the constant: it is as near on 12 summaries, too.
    """
    done = alt_test("judgments.csv --judge llm --judge lazy")
    title = "in place of an annotator, quality: 3 annotators, 36 instances, 12 topics"
    assert done.lines[0] == f"llm {title}"
    rows = {line.split("  ")[0]: line.split()[-4:] for line in done.lines[2:5]}
    assert list(rows) == ["llm", "(constant)", "(random)"]
    assert rows["llm"] == ["1.000", "1.000", "-", "-"]
    assert rows["(constant)"][:3] == ["0.000", "0.333", "0.667"]
    start = done.lines.index(f"lazy {title}")
    lazy, constant = (line.split() for line in done.lines[start + 2 : start + 4])
    assert lazy == ["lazy", "0.000", "0.333", "-", "-"]
    assert constant[:4] == ["(constant)", "0.000", "0.333", "0.000"]
    for words in (
        "llm passes against the null judges that could be tested, (constant) and (random): "
        "it wins against 3 of 3 annotators (winning rate 1.00);",
        "(length alone) and (lead overlap) need the texts: name the corpus",
        "no verdict: lazy was not found to be better than (constant)",
        "not tested, as the texts of all summaries are needed",
    ):
        assert words in done.words
    assert "better than all null judges" not in done.words


def test_programs_get_all_numbers(judged):
    answer = alt_test(f"{LLM} --json").json
    assert answer["settings"] == {"alignment": "rmse", "epsilon": 0.2, "alpha": 0.05, "seed": 0}
    first, *nulls = answer["judges"]["rows"]
    assert {
        "tested": "llm", "winning_rate": 1.0, "verdict": "passes in part",
        "not_tested": "(length alone), (lead overlap)",
        "annotators": 3, "instances": 36, "topics": 12,
    }.items() <= first.items()  # fmt: skip
    assert [row["tested"] for row in nulls] == ["(constant)", "(random)"]
    # Each annotator is off on a third of the summaries, where the judge is nearer.
    names = ("annotator", "wins", "instances", "annotator_advantage")
    assert [tuple(row[name] for name in names) for row in answer["annotators"]["rows"]] == [
        (name, "yes", 36, pytest.approx(2 / 3)) for name in PEOPLE
    ]


def test_tables_are_written(judged):
    done = alt_test(f"{LLM} -o found.csv")
    paths = [line.removeprefix("wrote ") for line in done.lines if line.startswith("wrote ")]
    judges, annotators = (
        list(csv.DictReader((judged / path).read_text().splitlines())) for path in paths
    )
    assert judges[0]["tested"] == "llm" and float(judges[0]["advantage"]) == 1.0
    assert [row["annotator"] for row in annotators] == PEOPLE
    alt_test(f"{LLM} -o found.json")
    assert json.loads((judged / "found.json").read_text())["judges"]["rows"][0]["judge"] == "llm"


def test_a_file_of_judgments_is_a_judge(judged):
    lines = (judged / "judgments.csv").read_text().splitlines()
    people = [line for line in lines if ",llm," not in line and ",lazy," not in line]
    own = [line.replace(",llm,", ",") for line in lines if ",llm," in line]
    for name, rows in {"people": people, "gpt": ["id,system,quality", *own]}.items():
        (judged / f"{name}.csv").write_text("\n".join(rows))
    done = alt_test("people.csv --judge gpt.csv --alignment accuracy")
    assert "gpt passes against the null judges that could be tested" in done.words


def test_a_corpus_gives_the_texts_that_null_judges_read(here, demo, demo_folder):
    summaries = dict.fromkeys((judgment.topic, judgment.author) for judgment in demo.judgments)
    rows = ["id,system,judge,quality"]
    for i, (topic, system) in enumerate(summaries):
        rows += [f"{topic},{system},j{k},{1 + (i + k // 3) % 5}" for k in range(4)]
    (here / "marks.csv").write_text("\n".join(rows))
    judges = alt_test(f"'{demo_folder}' --judgments marks.csv --judge j3 --json").json["judges"]
    tested = [row["tested"] for row in judges["rows"]]
    assert tested == ["j3", "(constant)", "(length alone)", "(lead overlap)", "(random)"]
    assert judges["notes"] == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "--judge says who is tested: a file of judgments, or one of ann, bob, eve, llm, lazy"),
        ("--judge gpt", "no judge or file of judgments is named 'gpt'"),
        ("--judge rouge-2", "rouge-2 is a metric, whose values are not marks of the judges'"),
        ("--judge llm --annotator ann --annotator bob",
         "the alternative-annotator test needs 3 annotators or more beside the judge, got 2"),
        ("--judge llm --epsilon 1.5", "epsilon must be 0 or more and below 1"),
        ("--judge llm --dimension style", "no dimension of judgments is named 'style'"),
        ("--judge llm -o judgments.csv", "judgments.csv: would be written over what is read"),
        ("--judge llm -o found.pdf", "found.pdf: findings are written to files ending in"),
    ],
)  # fmt: skip
def test_mistakes_are_answered_in_one_line(judged, options, message):
    assert_refused(run_command("alt-test", "judgments.csv", *shlex.split(options)), 2, message)


def test_too_few_instances_are_refused(judged):
    lines = (judged / "judgments.csv").read_text().splitlines()[: 1 + 5 * 29]
    (judged / "few.csv").write_text("\n".join(lines))
    done = run_command("alt-test", "few.csv", "--judge", "llm")
    assert_refused(done, 2, "30 instances or more")
    assert "the most is 29" in done.err
