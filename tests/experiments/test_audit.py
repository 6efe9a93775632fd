"""The page on what measures can see: its corpora, its tables, and whether they are true."""

import json
import re

import audit
import pytest

import summetry
from summetry.errors import SummetryError

METRICS = ["rouge-1", "rouge-2", "memog", "js_divergence"]


def write_lines(path, rows):
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


@pytest.fixture
def data(tmp_path):
    """Both corpora in small: two articles, two systems."""
    source = "The ferry hit the pier at noon. Nineteen people were hurt. It will sail in 2015. Ok."
    for name in ("realsumm", "summeval"):
        is_real = name == "realsumm"
        ids = [1, 2] if is_real else ["a", "b"]
        docs = [{"doc_id": i, "source": source} for i in ids]
        for doc in docs:
            key = "reference_sents" if is_real else "references"
            doc[key] = ["A ferry hit a pier .", "Many were hurt ."]
        rows = [{"doc_id": i, "system": s} for i in ids for s in ("x", "y")]
        for row in rows:
            text = [f"{row['system']} says that the ferry is late .", "It hit 3 piers in 2014 ."]
            row |= {"summary_sents": text} if is_real else {"summary": " ".join(text)}
        write_lines(tmp_path / name / "docs.jsonl", docs)
        write_lines(tmp_path / name / "summaries.jsonl", rows)
    return tmp_path


def test_the_corpora_have_their_summaries_references_and_sources(data):
    real = audit.read_realsumm(data / "realsumm")
    assert [topic.id for topic in real.topics] == ["1", "2"]
    assert len(real.topics[0].units) == 4 and real.language == "en"
    by_role = {s.role: real.text_of(s) for s in real.summaries}
    assert by_role["candidate"].count("\n") == by_role["reference"].count("\n") == 1
    several = audit.read_summeval(data / "summeval")
    assert sum(s.role == "reference" for s in several.summaries) == 4
    with pytest.raises(SummetryError, match="expected a file of the corpus, found none; --data"):
        audit.read_summeval(data / "nothing")


def test_the_whole_run_writes_numbers_and_pictures_and_fills_the_page(
    data, tmp_path, monkeypatch, capsys
):
    page = tmp_path / "page.md"
    names = ("realsumm", "summeval", "texts")
    markers = "\n\n".join(f"<!-- {n} -->\nold\n<!-- end of {n} -->\nAfter {n}." for n in names)
    page.write_text(f"# Title\n\n{markers}\n", encoding="utf-8")
    monkeypatch.setattr(audit, "PAGE", page)
    out = tmp_path / "out"
    options = ["--data", data, "--out", out, "--draws", "50", "--limit", "4", "--page"]
    assert audit.main([str(option) for option in options]) == 0, capsys.readouterr().err
    filled = page.read_text(encoding="utf-8")
    assert "old" not in filled and "After realsumm." in filled
    assert "| rouge-1 |" in filled and "| hpg |" in filled and "| `word_salad` |" in filled
    cells = json.loads((out / "summeval.json").read_text())["cells"]
    assert {cell["perturbation"] for cell in cells} >= {"number", "negation", "reference"}
    assert (out / "realsumm.svg").read_text().startswith("<svg")


def test_a_page_without_markers_is_refused():
    with pytest.raises(SummetryError, match="expected the markers <!-- texts --> and <!-- end of"):
        audit.filled("# Title", {"texts": "x"})


def page_rows(name):
    """The shares of the page as it is printed, by metric and perturbation."""
    page = audit.PAGE.read_text(encoding="utf-8")
    table = page.split(f"<!-- {name} -->")[1].split(f"<!-- end of {name} -->")[0]
    rows = [re.split(r" *\| *", line)[1:-1] for line in table.strip().splitlines()]
    heads = [cell.replace(" ", "_") for cell in rows[0]]
    return {
        (row[0].replace("\\", ""), head): cell
        for row in rows[2:]
        for head, cell in zip(heads[1:], row[1:], strict=True)
    }


def test_the_page_has_every_perturbation_and_metric_that_can_run():
    for name in ("realsumm", "summeval"):
        rows = page_rows(name)
        known = {one.name for one in audit.PERTURBATIONS}
        assert {perturbation for _, perturbation in rows} == known
        assert {*METRICS, "hpg", "lsa_main_topic", "rouge-su4", "retention", "lcs"} <= {
            metric for metric, _ in rows
        }


@pytest.mark.parametrize(
    ("name", "metrics", "perturbations"),
    [
        ("summeval", ["rouge-1"], ["negation"]),
        *[pytest.param(name, METRICS, ["cut", "negation", "word_salad"], marks=pytest.mark.slow)
          for name in audit.READERS],
    ],
)  # fmt: skip
def test_the_table_on_the_page_is_what_the_corpora_give(real_data, name, metrics, perturbations):
    corpus = audit.READERS[name](real_data(name))
    found = summetry.audit(corpus, metrics, perturbations=perturbations, limit=audit.LIMIT)
    rows, printed = page_rows(name), found.report().splitlines()
    for metric in metrics:
        (line,) = [line for line in printed if line.startswith(f"{metric} ")]
        cells = re.findall(r"\d\.\d\d(?: [?!])?", line.removeprefix(metric))
        assert cells == [rows[metric, perturbation] for perturbation in perturbations], metric
