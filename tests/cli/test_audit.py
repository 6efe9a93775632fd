"""``summetry audit``: tables, texts for other programs, what they give back, and mistakes."""

import csv
import json
import shlex
from xml.etree import ElementTree

import pytest
from command_line import succeed

import summetry

FEW = "--perturbation shuffled --perturbation word_salad --draws 50"


def audited(options):
    return succeed("audit", "corpus", *shlex.split(options))


def test_tables(corpus, shows):
    """Words are the same in a shuffled text and in a salad, so by ROUGE-1 every value ties."""
    shows(
        f"audit corpus -m rouge-1 -m rouge-2 {FEW}",
        f"audit corpus -m rouge-2 --exclude echo --limit 9 --seed 1 --drops {FEW}",
        "audit corpus --write-texts texts.jsonl --perturbation cut",
    )


def test_json_and_files_have_every_number_and_commas_part_names(corpus, here):
    output = audited(f"-m rouge-1 -m rouge-2 {FEW} --json").json
    with_commas = "-m rouge-1,rouge-2 --perturbation 'shuffled, word_salad' --draws 50"
    assert audited(f"{with_commas} --json").json == output
    assert list(output) == ["data", "settings", "notes", "audit", "texts"]
    assert output["settings"] == {"draws": 50, "seed": 0}
    tie = {"texts": 18, "topics": 3, "ties": 1.0, "share": 0.5, "low": 0.5, "high": 0.5}
    assert (tie | {"seen": "no", "drop": 0.0}).items() <= output["audit"]["rows"][0].items()
    done = audited(f"{with_commas} -o a.csv --plot a.svg")
    assert done.lines[-3:] == ["wrote a.csv", "wrote a-texts.csv", "wrote a.svg"]
    shares = [
        float(row["share"]) for row in csv.DictReader(here.joinpath("a.csv").read_text().split())
    ]
    assert shares == [row["share"] for row in output["audit"]["rows"]]
    words = " ".join(ElementTree.parse("a.svg").getroot().itertext())
    assert "word salad" in words and "rouge-2" in words


def test_without_a_metric_all_that_can_run_are_computed_but_the_slow_one(part_of_demo):
    typed = f"'{part_of_demo('t01')}' {FEW} --limit 1 --json"
    done = succeed("audit", *shlex.split(typed))
    metrics = {row["metric"] for row in done.json["audit"]["rows"]}
    assert {"rouge-1", "memog", "lsa_main_topic", "sum_accy", "repeated_ngrams"} < metrics
    assert not {"hpg", "coselection", "pyramid", "relative_utility"} & metrics
    assert "left out hpg, which is slow; -m hpg --limit 100 computes it" in done.err


def test_texts_are_written_for_other_programs_and_their_scores_and_judgments_read(corpus, here):
    """A judge who gives 5 to every text but 1 to a word salad sees that, and nothing else."""
    audited(f"--write-texts texts.jsonl {FEW}")
    rows = [json.loads(line) for line in (here / "texts.jsonl").read_text().splitlines()]
    assert {"id", "system", "perturbation", "candidate", "references", "source"} == set(rows[0])
    succeed("score", "texts.jsonl", "-m", "rouge-2.f", "-o", "scores.csv")
    theirs, ours = (
        audited(f"{source} {FEW} --json").json["audit"]["rows"]
        for source in ("--scores scores.csv", "-m rouge-2.f")
    )
    assert [(r["share"], r["low"]) for r in theirs] == [(r["share"], r["low"]) for r in ours]
    marks = ["topic,author,judge,dimension,value"]
    for row in rows:
        mark = 1 if row["perturbation"] == "word_salad" else 5
        marks.append(f"{row['id']},{row['system']},robot,fluency,{mark}")
    (here / "judged.csv").write_text("\n".join(marks))
    assert audited(f"--scores judged.csv -m rouge-1 {FEW}").lines[2:4] == [
        "rouge-1        0.50 ?    0.50 ?",
        "robot.fluency  0.50 ?    1.00",
    ]


def test_the_function_gives_what_the_command_prints(corpus):
    lines = audited(f"-m rouge-2 {FEW}").lines
    settings = {"perturbations": ["shuffled", "word_salad"], "draws": 50}
    demo = summetry.load(corpus)
    result = summetry.audit(demo, "rouge-2", **settings)
    assert result.report() == "\n".join(lines)
    assert repr(result).splitlines()[:3] == lines[:3]
    frame = result.to_pandas()
    assert frame["perturbation"].tolist() == ["shuffled", "word_salad"]
    assert frame["share"][1] == result.cell(result.columns[0], result.perturbations[1]).share.value
    with pytest.raises(summetry.errors.SummetryError, match="give the same seed, limit and"):
        summetry.audit(demo, scores=summetry.evaluate(demo, "rouge-2"), draws=20)


def test_mistakes(corpus, refuses):
    """A comma alone names nothing, which is not the same as all."""
    refuses("""
        audit corpus --perturbation shuffled,saled
        audit corpus --perturbation ,
        audit nothing --write-texts t.csv
        audit nothing --plot a.html
        audit corpus --exclude led
        audit corpus -m coselection --draws 20
        audit corpus --scores none.csv
        audit nothing -o a.xlsx
    """)
