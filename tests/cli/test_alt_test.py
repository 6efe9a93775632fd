"""``summetry alt-test``: what it prints and writes, and what it says of bad input."""

import csv
import json

import pytest

PEOPLE = ("ann", "bob", "eve")
# All judges but one more are annotators.
OF_PEOPLE = [word for name in PEOPLE for word in ("--annotator", name)]


def test_a_judge_stands_beside_null_judges(scored, judged):
    """The middle mark is as near to any two annotators as the third, or nearer.

    A 3 is as near only where that is the mark, on 12 of 36 summaries. The most frequent marks are
    1, 3, 4 and 5, of which the lowest is the constant: it is as near on 12 summaries, too.
    """
    done = scored("alt-test", "judgments.csv", "--judge", "llm", "--judge", "lazy")
    title = "in place of an annotator, quality: 3 annotators, 36 instances, 12 topics"
    assert done.lines[0] == f"llm {title}"
    rows = {line.split("  ")[0]: line.split()[-4:] for line in done.lines[2:5]}
    assert list(rows) == ["llm", "(constant)", "(random)"]
    assert rows["llm"] == ["1.000", "1.000", "-", "-"]
    assert rows["(constant)"][:3] == ["0.000", "0.333", "0.667"]
    tested = "llm passes against the null judges that could be tested, (constant) and (random)"
    assert f"{tested}: it wins against 3 of 3 annotators (winning rate 1.00);" in done.words
    assert "(length alone) and (lead overlap) need the texts: name the corpus" in done.words
    assert "better than all null judges" not in done.words
    start = done.lines.index(f"lazy {title}")
    lazy, constant = (line.split() for line in done.lines[start + 2 : start + 4])
    assert lazy == ["lazy", "0.000", "0.333", "-", "-"]
    assert constant[:4] == ["(constant)", "0.000", "0.333", "0.000"]
    assert "no verdict: lazy was not found to be better than (constant)" in done.words
    assert "not tested, as the texts of all summaries are needed" in done.words


def test_programs_get_all_numbers(scored, judged):
    answer = scored("alt-test", "judgments.csv", "--judge", "llm", *OF_PEOPLE, "--json").json
    assert answer["settings"] == {"alignment": "rmse", "epsilon": 0.2, "alpha": 0.05, "seed": 0}
    first, *nulls = answer["judges"]["rows"]
    assert (first["tested"], first["winning_rate"]) == ("llm", 1.0)
    assert first["verdict"] == "passes in part"
    assert first["not_tested"] == "(length alone), (lead overlap)"
    assert (first["annotators"], first["instances"], first["topics"]) == (3, 36, 12)
    assert [row["tested"] for row in nulls] == ["(constant)", "(random)"]
    people = answer["annotators"]["rows"]
    assert [row["annotator"] for row in people] == list(PEOPLE)
    assert {row["wins"] for row in people} == {"yes"} and {row["instances"] for row in people} == {
        36
    }
    # Each annotator is off on a third of the summaries, where the judge is nearer.
    assert [row["annotator_advantage"] for row in people] == pytest.approx([2 / 3] * 3)


def test_tables_are_written(scored, judged):
    command = ("alt-test", "judgments.csv", "--judge", "llm", *OF_PEOPLE, "-o")
    done = scored(*command, "found.csv")
    paths = [line.removeprefix("wrote ") for line in done.lines if line.startswith("wrote ")]
    assert len(paths) == 2
    with (judged / paths[0]).open() as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["tested"] == "llm" and float(rows[0]["advantage"]) == 1.0
    with (judged / paths[1]).open() as file:
        assert [row["annotator"] for row in csv.DictReader(file)] == list(PEOPLE)
    scored(*command, "found.json")
    assert json.loads((judged / "found.json").read_text())["judges"]["rows"][0]["judge"] == "llm"


def test_a_file_of_judgments_is_a_judge(scored, judged):
    lines = (judged / "judgments.csv").read_text().splitlines()
    people = [line for line in lines if ",llm," not in line and ",lazy," not in line]
    (judged / "people.csv").write_text("\n".join(people))
    own = [line.replace(",llm,", ",") for line in lines if ",llm," in line]
    (judged / "gpt.csv").write_text("\n".join(["id,system,quality", *own]))
    done = scored("alt-test", "people.csv", "--judge", "gpt.csv", "--alignment", "accuracy")
    assert "gpt passes against the null judges that could be tested" in done.words


def test_a_corpus_gives_the_texts_that_null_judges_read(scored, here, demo, demo_folder):
    summaries = dict.fromkeys((one.topic, one.author) for one in demo.judgments)
    rows = ["id,system,judge,quality"]
    for place, (topic, system) in enumerate(summaries):
        rows += [f"{topic},{system},j{k},{1 + (place + k // 3) % 5}" for k in range(4)]
    (here / "marks.csv").write_text("\n".join(rows))
    done = scored("alt-test", demo_folder, "--judgments", "marks.csv", "--judge", "j3", "--json")
    tested = [row["tested"] for row in done.json["judges"]["rows"]]
    assert tested == ["j3", "(constant)", "(length alone)", "(lead overlap)", "(random)"]
    assert done.json["judges"]["notes"] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "--judge says who is tested: a file of judgments, or one of ann, bob, eve, llm, lazy"),
        (("--judge", "gpt"), "no judge or file of judgments is named 'gpt'"),
        (("--judge", "rouge-2"), "rouge-2 is a metric, whose values are not marks of the judges'"),
        (
            ("--judge", "llm", "--annotator", "ann", "--annotator", "bob"),
            "the alternative-annotator test needs 3 annotators or more beside the judge, got 2",
        ),
        (("--judge", "llm", "--epsilon", "1.5"), "epsilon must be 0 or more and below 1"),
        (("--judge", "llm", "--dimension", "style"), "no dimension of judgments is named 'style'"),
        (("--judge", "llm", "-o", "judgments.csv"), "judgments.csv"),
        (("--judge", "llm", "-o", "found.pdf"), "found.pdf"),
    ],
)
def test_mistakes_are_answered_in_one_line(call, judged, words, message):
    done = call("alt-test", "judgments.csv", *words)
    assert done.code == 2 and done.out == ""
    assert message in done.err


def test_too_few_instances_are_refused(call, judged):
    lines = (judged / "judgments.csv").read_text().splitlines()[: 1 + 5 * 29]
    (judged / "few.csv").write_text("\n".join(lines))
    done = call("alt-test", "few.csv", "--judge", "llm")
    assert done.code == 2
    assert "30 instances or more" in done.err and "the most is 29" in done.err
