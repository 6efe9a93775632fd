"""The experiment on content units: on made-up data, and what the page says of REALSumm."""

import csv
import json
import re
from pathlib import Path

import pytest
import units

PAGE = Path(__file__).parents[2] / "docs" / "metrics" / "units.md"
UNITS = ["the ferry sank", "there was fog", "nobody was hurt"]
TEXTS = {
    "all": ["A ferry sank in fog .", "Nobody was hurt ."],
    "some": ["A ferry sank .", "There was a party ."],
    "none": ["A party ."],
}
SAID = {"all": [1, 1, 1], "some": [1, 0, 0], "none": [0, 0, 0]}


@pytest.fixture
def data(tmp_path):
    """Four topics with the same texts, in which words and marks agree."""

    def write(name, rows):
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    topics = range(4)
    scus = [{"id": place, "text": text} for place, text in enumerate(UNITS)]
    write("realsumm/docs.jsonl", [{"doc_id": topic, "scus": scus} for topic in topics])
    reference = ["A ferry sank in fog , and nobody was hurt ."]
    write(
        "realsumm/summaries.jsonl",
        [
            {"doc_id": topic, "system": system, "summary_sents": sentences,
             "reference_sents": reference, "scu_labels": SAID[system],
             "scu_votes": [SAID[system]] * 3}
            for topic in topics
            for system, sentences in TEXTS.items()
        ],
    )  # fmt: skip
    source = "A ferry sank in fog. Nobody was hurt."
    write("summeval/docs.jsonl", [{"doc_id": topic, "source": source} for topic in topics])
    marks = {"all": 5.0, "some": 3.0, "none": 1.0}
    write(
        "summeval/summaries.jsonl",
        [
            {
                "doc_id": topic,
                "system": system,
                "summary": "\n".join(sentences),
                "expert_mean": {"consistency": marks[system]},
            }
            for topic in topics
            for system, sentences in TEXTS.items()
        ],
    )
    return tmp_path / "data"


def test_the_tables_are_written_to_the_page_and_to_files(data, tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{units.BEGIN}\nold figures\n{units.END}\nafter\n", encoding="utf-8")
    arguments = [str(data), "--page", str(page), "--out", str(tmp_path), "--folds", "2"]
    assert units.main([*arguments, "--resamples", "20"]) == 0
    assert f"wrote {page}" in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{units.BEGIN}\n") and text.endswith(f"{units.END}\nafter\n")
    assert "old figures" not in text and "whose own agreement is 1.000" in text
    with (tmp_path / "units-rules.csv").open() as file:
        rules = list(csv.DictReader(file))
    assert len(rules) == len(units.RULES)
    assert float(rules[0]["kappa"]) == 1.0 and float(rules[0]["system r"]) == pytest.approx(1)
    with (tmp_path / "units-support.csv").open() as file:
        rows = list(csv.DictReader(file))
    # 0, 1/2 and all of the sentences are new, and people say 5, 3 and 1.
    assert {round(float(row["unsupported"]), 12) for row in rows} == {0.5}
    assert all(float(row["summary r"]) == pytest.approx(-1) for row in rows)


def test_a_page_without_the_marks_is_refused(data, tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text("nothing\n", encoding="utf-8")
    arguments = [str(data), "--page", str(page), "--folds", "2", "--resamples", "5"]
    assert units.main(arguments) == 2
    assert "expected a page with the lines <!-- made by" in capsys.readouterr().err
    assert page.read_text(encoding="utf-8") == "nothing\n"


@pytest.mark.slow
def test_the_page_shows_what_the_script_gives_for_public_data(real_data):
    realsumm = units.Realsumm(real_data("realsumm"))
    options = units.parse([".", "--resamples", "1"])
    first = next(realsumm.rules(options))
    shown = re.search(r"^\| overlap \| mean of both \|.*$", PAGE.read_text("utf-8"), re.M)[0]
    cells = [cell.strip() for cell in shown.strip("|").split("|")]
    assert cells[3] == first["thresholds"] == "0.6"
    names = ("kappa", "by unit", "system r", "system tau-b", "summary r", "summary tau-b")
    written = [cells[4], *cells[7:]]
    assert written == [f"{first[name]:.3f}" for name in names]
    assert f"own agreement is {realsumm.people():.3f}" in PAGE.read_text("utf-8")
