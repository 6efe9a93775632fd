"""``summetry alt-test``: what it prints and writes, and what it says of bad input."""

import csv
import json
import shlex

from command_line import succeed


def alt_test(line):
    return succeed("alt-test", *shlex.split(line))


def test_tables_and_verdicts(judged, shows):
    """tests/metaeval/test_alt_test.py has the numbers by hand; ``lazy`` gives a 3 to all."""
    lines = (judged / "judgments.csv").read_text().splitlines()
    people = [line for line in lines if ",llm," not in line and ",lazy," not in line]
    own = [line.replace(",llm,", ",") for line in lines if ",llm," in line]
    for name, rows in {"people": people, "gpt": ["id,system,quality", *own]}.items():
        (judged / f"{name}.csv").write_text("\n".join(rows))
    shows(
        "alt-test judgments.csv --judge llm --judge lazy",
        "alt-test judgments.csv --judge llm --annotator ann --annotator bob --annotator eve "
        "--epsilon .1 --alpha .01 --seed 1 -o found.csv",
        "alt-test people.csv --judge gpt.csv --alignment accuracy --dimension quality",
    )


def test_programs_get_all_numbers_in_files_too(judged):
    people = ["ann", "bob", "eve"]
    line = f"judgments.csv --judge llm {' '.join(f'--annotator {name}' for name in people)}"
    answer = alt_test(f"{line} --json -o found.json").json
    assert answer == json.loads((judged / "found.json").read_text())
    assert answer["settings"] == {"alignment": "rmse", "epsilon": 0.2, "alpha": 0.05, "seed": 0}
    alt_test(f"{line} -o found.csv")
    for name, first in (("found", "llm"), ("found-annotators", "llm")):
        rows = list(csv.DictReader((judged / f"{name}.csv").read_text().splitlines()))
        assert rows[0]["judge"] == first
    assert [row["annotator"] for row in rows] == people


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


def test_mistakes(judged, refuses):
    lines = (judged / "judgments.csv").read_text().splitlines()[: 1 + 5 * 29]
    (judged / "few.csv").write_text("\n".join(lines))
    (judged / "words.csv").write_text("id,system,judge,dimension,value\n1,a,llm,fact,bad\n")
    refuses("""
        alt-test judgments.csv
        alt-test judgments.csv --judge gpt
        alt-test judgments.csv --judge llm --annotator ann --annotator bob
        alt-test judgments.csv --judge llm --dimension style
        alt-test judgments.csv --judge llm -o judgments.csv
        alt-test nothing.csv --judge llm -o found.pdf
        alt-test few.csv --judge llm
        alt-test words.csv --judge llm
    """)
