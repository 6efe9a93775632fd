"""``summetry audit``: tables, texts for other programs, what they give back, and mistakes."""

import csv
import json
from xml.etree import ElementTree

import pytest

import summetry

FEW = ("--perturbation", "shuffled", "--perturbation", "word_salad", "--draws", "200")


@pytest.fixture
def audited(scored, demo_folder):
    def run(*arguments):
        return scored("audit", demo_folder, *arguments)

    return run


def test_a_metric_of_single_words_cannot_see_order_and_one_of_pairs_can(audited):
    done = audited("-m", "rouge-1", "-m", "rouge-2", *FEW)
    # A shuffled text has the same words, and a salad too: every value ties.
    assert done.lines[:4] == [
        "How often does the worse text get the worse value?",
        "metric   shuffled  word salad",
        "rouge-1  0.50 ?    0.50 ?",
        done.lines[3],
    ]
    assert float(done.lines[3].split()[-1]) > 0.9
    assert "?: the interval contains 0.5, so it may be chance" in done.lines
    assert (
        "54 texts per perturbation; 95 % intervals, 200 resamples of 9 topics, seed 0" in done.lines
    )


def test_json_has_every_number(audited):
    done = audited("-m", "rouge-1", "-m", "cosine", *FEW, "--json")
    assert list(done.json) == ["data", "settings", "notes", "audit", "texts"]
    rows = done.json["audit"]["rows"]
    assert [(row["metric"], row["perturbation"]) for row in rows] == [
        ("rouge-1", "shuffled"), ("rouge-1", "word_salad"),
        ("cosine", "shuffled"), ("cosine", "word_salad"),
    ]  # fmt: skip
    for row in rows:
        assert (row["texts"], row["topics"], row["ties"], row["share"]) == (54, 9, 1.0, 0.5)
        assert (row["low"], row["high"], row["seen"], row["drop"]) == (0.5, 0.5, "no", 0.0)
    assert [row["left_out"] for row in done.json["texts"]["rows"]] == [0, 0]


def test_perturbations_are_named_with_commas_too(audited, call, demo_folder):
    with_commas = ("--perturbation", "shuffled, word_salad", "--draws", "200")
    both = [audited("-m", "rouge-1", *named, "--json").json for named in (FEW, with_commas)]
    assert both[0] == both[1]
    done = call("audit", demo_folder, "--perturbation", "shuffled,saled")
    assert done.code == 2 and "'saled'" in done.err
    # A comma alone names nothing, which is not the same as all.
    assert call("audit", demo_folder, "--perturbation", ",").code == 2


def test_files_have_both_views(audited, tmp_path):
    audited("-m", "rouge-2", *FEW, "-o", tmp_path / "a.md", "--plot", tmp_path / "a.svg")
    text = (tmp_path / "a.md").read_text()
    for title in ("How often does", "By how much is", "Texts"):
        assert f"### {title}" in text
    done = audited("-m", "rouge-2", *FEW, "-o", tmp_path / "a.csv")
    written = f"wrote {tmp_path}/a.csv wrote {tmp_path}/a-texts.csv"
    assert " ".join(done.out.split()).endswith(written)
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
    assert [row["perturbation"] for row in rows] == ["shuffled", "word_salad"]
    words = " ".join(ElementTree.parse(tmp_path / "a.svg").getroot().itertext())
    assert "word salad" in words and "rouge-2" in words


def test_drops_are_shown_instead_of_shares(audited):
    done = audited("-m", "rouge-2", *FEW, "--drops")
    salad = float(done.lines[2].split()[-1])
    assert done.lines[0] == "By how much is the value of the worse text worse?"
    (row,) = [r for r in audited("-m", "rouge-2", *FEW, "--json").json["audit"]["rows"]
              if r["perturbation"] == "word_salad"]  # fmt: skip
    assert salad == pytest.approx(row["drop"], abs=5e-4) and salad > 0


def test_without_a_metric_all_that_can_run_are_computed_but_the_slow_one(audited):
    done = audited(*FEW, "--limit", "2", "--json")
    metrics = {row["metric"] for row in done.json["audit"]["rows"]}
    assert {"rouge-1", "cosine", "memog", "js_divergence", "lsa_main_topic"} < metrics
    assert {"sum_accy", "repeated_ngrams"} < metrics and "hpg" not in metrics
    assert not {"coselection", "pyramid", "relative_utility"} & metrics
    assert "left out hpg, which is slow; -m hpg --limit 100 computes it" in done.err


def test_texts_are_written_for_other_programs_and_their_scores_read_back(audited, scored, tmp_path):
    texts, scores = tmp_path / "texts.jsonl", tmp_path / "scores.csv"
    done = audited("--write-texts", texts, "--limit", "20")
    assert done.lines[0] == "Texts" and " ".join(done.out.split()).endswith(f"wrote {texts}")
    rows = [json.loads(line) for line in texts.read_text().splitlines()]
    assert {"id", "system", "perturbation", "candidate", "references", "source"} == set(rows[0])
    scored("score", texts, "-m", "rouge-2.f", "-o", scores)
    same = ("--limit", "20", "--draws", "200", "--json")
    theirs = audited("--scores", scores, *same).json["audit"]["rows"]
    ours = audited("-m", "rouge-2.f", *same).json["audit"]["rows"]
    assert len(ours) == 14
    for own, other in zip(ours, theirs, strict=True):
        assert (own["share"], own["low"]) == (other["share"], other["low"])


def test_a_judge_is_audited_by_its_judgments(audited, tmp_path):
    """A judge who gives 5 to every text but 1 to a word salad sees that, and nothing else."""
    texts, judged = tmp_path / "texts.jsonl", tmp_path / "judged.csv"
    audited("--write-texts", texts, *FEW)
    lines = ["topic,author,judge,dimension,value"]
    for row in map(json.loads, texts.read_text().splitlines()):
        mark = 1 if row["perturbation"] == "word_salad" else 5
        lines.append(f"{row['id']},{row['system']},robot,fluency,{mark}")
    judged.write_text("\n".join(lines) + "\n")
    done = audited("--scores", judged, "-m", "rouge-1", *FEW)
    assert done.lines[1:4] == [
        "metric         shuffled  word salad",
        "rouge-1        0.50 ?    0.50 ?",
        "robot.fluency  0.50 ?    1.00",
    ]


def test_the_function_gives_what_the_command_prints(audited, demo):
    done = audited("-m", "rouge-2", *FEW)
    found = summetry.audit(demo, "rouge-2", perturbations=["shuffled", "word_salad"], draws=200)
    assert found.report() == "\n".join(done.lines)
    assert repr(found).splitlines()[:3] == done.lines[:3]
    frame = found.to_pandas()
    assert frame["perturbation"].tolist() == ["shuffled", "word_salad"]
    cell = found.cell(found.columns[0], found.perturbations[1])
    assert frame["share"][1] == cell.share.value
    table = summetry.evaluate(demo, "rouge-2")
    with pytest.raises(summetry.errors.SummetryError, match="give the same seed, limit and"):
        summetry.audit(demo, scores=table)


def test_mistakes_are_told_in_a_line(call, demo_folder, tmp_path):
    def error(*arguments):
        done = call("audit", demo_folder, *arguments)
        assert done.code == 2
        return done.err

    assert "no perturbation is named 'salad'" in error("--perturbation", "salad")
    assert "the texts are written to a file ending in .jsonl" in error("--write-texts", "t.csv")
    assert "a heat map is drawn as SVG or PNG" in error("--plot", "a.html")
    assert "no system is named 'led'. Did you mean 'lead'" in error("--exclude", "led")
    assert "needs the units of the candidate" in error("-m", "coselection", *FEW)
    assert "no such file" in error("--scores", tmp_path / "none.csv", *FEW)
    assert "findings are written to files ending in" in error("-o", "a.xlsx")
