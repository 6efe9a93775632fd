"""``summetry audit``: tables, texts for other programs, what they give back, and mistakes."""

import csv
import json
import shlex
from xml.etree import ElementTree

import pytest
from command_line import assert_refused, run_command, succeed

import summetry

FEW = ("--perturbation", "shuffled", "--perturbation", "word_salad", "--draws", "200")


@pytest.fixture
def audited(demo_folder):
    return lambda *arguments: succeed("audit", demo_folder, *arguments)


def test_a_metric_of_single_words_cannot_see_order_and_one_of_pairs_can(audited):
    done = audited("-m", "rouge-1", "-m", "rouge-2", *FEW)
    # A shuffled text has the same words, and a salad too: every value ties.
    assert done.lines[:3] == [
        "How often does the worse text get the worse value?",
        "metric   shuffled  word salad",
        "rouge-1  0.50 ?    0.50 ?",
    ]
    assert done.lines[3].startswith("rouge-2") and float(done.lines[3].split()[-1]) > 0.9
    assert "?: the interval contains 0.5, so it may be chance" in done.lines
    size = "54 texts per perturbation; 95 % intervals, 200 resamples of 9 topics, seed 0"
    assert size in done.lines


def test_json_has_every_number_whether_names_have_commas_or_options_between_them(audited):
    output = audited("-m", "rouge-1", "-m", "cosine", *FEW, "--json").json
    with_commas = ("--perturbation", "shuffled, word_salad", "--draws", "200", "--json")
    assert audited("-m", "rouge-1,cosine", *with_commas).json == output
    assert list(output) == ["data", "settings", "notes", "audit", "texts"]
    tie = {"texts": 54, "topics": 9, "ties": 1.0, "share": 0.5, "low": 0.5, "high": 0.5}
    rows = output["audit"]["rows"]
    assert [(row["metric"], row["perturbation"]) for row in rows] == [
        (metric, name) for metric in ("rouge-1", "cosine") for name in ("shuffled", "word_salad")
    ]
    assert all((tie | {"seen": "no", "drop": 0.0}).items() <= row.items() for row in rows)
    assert [row["left_out"] for row in output["texts"]["rows"]] == [0, 0]


def test_files_have_both_views(audited, tmp_path):
    audited("-m", "rouge-2", *FEW, "-o", tmp_path / "a.md", "--plot", tmp_path / "a.svg")
    text = (tmp_path / "a.md").read_text()
    for title in ("How often does", "By how much is", "Texts"):
        assert f"### {title}" in text
    done = audited("-m", "rouge-2", *FEW, "-o", tmp_path / "a.csv")
    assert done.words.endswith(f"wrote {tmp_path}/a.csv wrote {tmp_path}/a-texts.csv")
    rows = csv.DictReader((tmp_path / "a.csv").read_text().splitlines())
    assert [row["perturbation"] for row in rows] == ["shuffled", "word_salad"]
    words = " ".join(ElementTree.parse(tmp_path / "a.svg").getroot().itertext())
    assert "word salad" in words and "rouge-2" in words


def test_drops_are_shown_instead_of_shares(audited):
    lines = audited("-m", "rouge-2", *FEW, "--drops").lines
    assert lines[0] == "By how much is the value of the worse text worse?"
    rows = audited("-m", "rouge-2", *FEW, "--json").json["audit"]["rows"]
    drops = {row["perturbation"]: row["drop"] for row in rows}
    salad = float(lines[2].split()[-1])
    assert salad == pytest.approx(drops["word_salad"], abs=5e-4) and salad > 0


def test_without_a_metric_all_that_can_run_are_computed_but_the_slow_one(audited):
    done = audited(*FEW, "--limit", "2", "--json")
    metrics = {row["metric"] for row in done.json["audit"]["rows"]}
    assert {"rouge-1", "cosine", "memog", "js_divergence", "lsa_main_topic"} < metrics
    assert {"sum_accy", "repeated_ngrams"} < metrics and "hpg" not in metrics
    assert not {"coselection", "pyramid", "relative_utility"} & metrics
    assert "left out hpg, which is slow; -m hpg --limit 100 computes it" in done.err


def test_texts_are_written_for_other_programs_and_their_scores_read_back(audited, tmp_path):
    texts, scores = tmp_path / "texts.jsonl", tmp_path / "scores.csv"
    done = audited("--write-texts", texts, "--limit", "20")
    assert done.lines[0] == "Texts" and done.words.endswith(f"wrote {texts}")
    rows = [json.loads(line) for line in texts.read_text().splitlines()]
    assert {"id", "system", "perturbation", "candidate", "references", "source"} == set(rows[0])
    succeed("score", texts, "-m", "rouge-2.f", "-o", scores)
    same = ("--limit", "20", "--draws", "200", "--json")
    theirs, ours = (
        [(row["share"], row["low"]) for row in audited(*source, *same).json["audit"]["rows"]]
        for source in (("--scores", scores), ("-m", "rouge-2.f"))
    )
    assert len(ours) == 14 and theirs == ours


def test_a_judge_is_audited_by_its_judgments(audited, tmp_path):
    """A judge who gives 5 to every text but 1 to a word salad sees that, and nothing else."""
    texts, judged = tmp_path / "texts.jsonl", tmp_path / "judged.csv"
    audited("--write-texts", texts, *FEW)
    lines = ["topic,author,judge,dimension,value"]
    for row in map(json.loads, texts.read_text().splitlines()):
        mark = 1 if row["perturbation"] == "word_salad" else 5
        lines.append(f"{row['id']},{row['system']},robot,fluency,{mark}")
    judged.write_text("\n".join(lines) + "\n")
    assert audited("--scores", judged, "-m", "rouge-1", *FEW).lines[1:4] == [
        "metric         shuffled  word salad",
        "rouge-1        0.50 ?    0.50 ?",
        "robot.fluency  0.50 ?    1.00",
    ]


def test_the_function_gives_what_the_command_prints(audited, demo):
    lines = audited("-m", "rouge-2", *FEW).lines
    result = summetry.audit(demo, "rouge-2", perturbations=["shuffled", "word_salad"], draws=200)
    assert result.report() == "\n".join(lines)
    assert repr(result).splitlines()[:3] == lines[:3]
    frame = result.to_pandas()
    assert frame["perturbation"].tolist() == ["shuffled", "word_salad"]
    cell = result.cell(result.columns[0], result.perturbations[1])
    assert frame["share"][1] == cell.share.value
    table = summetry.evaluate(demo, "rouge-2")
    with pytest.raises(summetry.errors.SummetryError, match="give the same seed, limit and"):
        summetry.audit(demo, scores=table, draws=20)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--perturbation salad", "no perturbation is named 'salad'"),
        ("--perturbation shuffled,saled", "'saled'"),
        # A comma alone names nothing, which is not the same as all.
        ("--perturbation ,", "no perturbation is named ','. Known: cut, instruction, lead"),
        ("--write-texts t.csv", "the texts are written to a file ending in .jsonl"),
        ("--plot a.html", "a heat map is drawn as SVG or PNG"),
        ("--exclude led", "no system is named 'led'. Did you mean 'lead'"),
        ("-m coselection --draws 200", "needs the units of the candidate"),
        ("--scores none.csv", "none.csv: no such file"),
        ("-o a.xlsx", "findings are written to files ending in"),
    ],
)
def test_mistakes_are_told_in_a_line(here, demo_folder, options, message):
    assert_refused(run_command("audit", demo_folder, *shlex.split(options)), 2, message)
