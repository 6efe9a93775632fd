"""Tables as people have them, outputs in files of their own, a folder for each system."""

import csv
import json

import pytest

from summetry import evaluate
from summetry.errors import SummetryError, SummetryWarning
from summetry.records.corpus import Corpus

# Words that are shared with the reference: 2 of 3 and 1 of 3, then 1 of 2 and 2 of 2.
GOLD = ["one two three", "four five"]
BART = ["one two six", "four six"]
T5 = ["one six seven", "four five"]
SOURCE = ["one two three four", "four five six"]
# F is shared words divided by words, since both sides are of the same length.
MEANS = {"bart": (2 / 3 + 1 / 2) / 2, "t5": (1 / 3 + 1) / 2}


def lines(texts):
    return "".join(f"{text}\n" for text in texts)


def jsonl(rows):
    return lines(json.dumps(row) for row in rows)


@pytest.fixture
def files(here):
    """The same data in many shapes."""
    numbers = range(2)
    long = [
        {"id": n, "system": s, "source": SOURCE[n], "reference": GOLD[n], "summary": texts[n]}
        for s, texts in (("bart", BART), ("t5", T5))
        for n in numbers
    ]
    wide = [{"id": n, "reference": GOLD[n], "bart": BART[n], "t5": T5[n]} for n in numbers]
    (here / "long.jsonl").write_text(jsonl(long))
    (here / "long.json").write_text(json.dumps(long, indent=2))
    (here / "wide.json").write_text(json.dumps(wide))
    (here / "lists.json").write_text(json.dumps({"bart": BART, "t5": T5, "references": GOLD}))
    with (here / "wide.csv").open("w", newline="") as file:
        out = csv.DictWriter(file, wide[0], lineterminator="\n")
        out.writeheader()
        out.writerows(wide)
    for name, texts in (("bart", BART), ("t5", T5)):
        (here / f"{name}.hypo").write_text(lines(texts))
        rows = [{"id": n, "prediction": text, "gold": GOLD[n]} for n, text in enumerate(texts)]
        (here / f"{name}.jsonl").write_text(jsonl(rows))
    (here / "gold.target").write_text(lines(GOLD))
    refs = [{"id": n, "highlights": GOLD[n], "article": SOURCE[n]} for n in numbers]
    (here / "refs.jsonl").write_text(jsonl(refs))
    folders = {"articles": SOURCE, "gold": GOLD, "bart": BART, "t5": T5}
    for name, texts in folders.items():
        (here / "folder" / name).mkdir(parents=True)
        for number, text in enumerate(texts):
            (here / "folder" / name / f"d{number}.txt").write_text(text)
    return here


def means(path):
    """The mean of each system in a file of scores."""
    scores = {}
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            scores.setdefault(row["system"], []).append(float(row["rouge1.f"]))
    assert {len(values) for values in scores.values()} == {2}
    return {system: sum(values) / 2 for system, values in scores.items()}


@pytest.mark.parametrize(
    ("asked", "note"),
    [
        ("long.jsonl", "note: long.jsonl: 'summary' is taken for the candidate\n"),
        ("long.json", "note: long.json: 'summary' is taken for the candidate\n"),
        ("long.jsonl --columns summary=candidate", ""),
        ("wide.csv --columns candidate=bart+t5", ""),
        (
            "wide.json",
            "note: wide.json: 'bart' and 't5' are taken for the candidates of systems with these "
            "names\n",
        ),
        (
            "lists.json",
            "note: lists.json: 'bart' and 't5' are taken for the candidates of systems with these "
            "names\n",
        ),
        ("bart.hypo t5.hypo --references gold.target", ""),
        (
            "bart.jsonl t5.jsonl --references refs.jsonl",
            "note: bart.jsonl, t5.jsonl: 'prediction' is taken for the candidate\n"
            "note: refs.jsonl: 'highlights' is taken for the reference, 'article' for the source\n",
        ),
        (
            "bart.jsonl t5.jsonl",
            "note: bart.jsonl, t5.jsonl: 'prediction' is taken for the candidate, 'gold' for the "
            "reference\n",
        ),
        (
            "folder",
            "note: folder: 'articles' is taken for the sources, 'gold' for the references, "
            "'bart' and 't5' for the candidates of systems\n",
        ),
    ],
)
def test_every_shape_of_the_same_data_has_the_same_scores(scored, files, asked, note):
    done = scored("score", *asked.split(), "-m", "rouge1.f", "--no-cache", "-o", "scores.csv")
    assert means(files / "scores.csv") == pytest.approx(MEANS)
    assert done.err == note


def test_standard_input_may_be_any_of_the_tables(scored, files):
    stdin = (files / "long.json").read_bytes()
    done = scored("score", "-", "-m", "rouge1.f", "--no-cache", "-o", "scores.csv", stdin=stdin)
    assert means(files / "scores.csv") == pytest.approx(MEANS)
    assert done.err == "note: standard input: 'summary' is taken for the candidate\n"


def test_other_commands_choose_the_same_columns(scored, files):
    note = "long.jsonl: 'summary' is taken for the candidate"
    assert note in scored("compare", "long.jsonl", "-m", "rouge1").err
    assert note in scored("convert", "long.jsonl", "corpus").err
    first = (files / "long.jsonl").read_text().splitlines()[0]
    (files / "long.jsonl").write_text(first)
    assert note in scored("explain", "long.jsonl", "-m", "lcs").err


def test_an_output_is_explained_under_its_own_name(scored, files):
    (files / "refs.jsonl").write_text(jsonl([{"id": "first", "reference": GOLD[0]}]))
    (files / "bart.hypo").write_text(lines(BART[:1]))
    done = scored("explain", "bart.hypo", "--references", "refs.jsonl", "-m", "lcs")
    assert "first" in done.lines[0] and "bart" in done.lines[0]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("bart.hypo t5.hypo", "bart.hypo has no references for its summaries: name a file"),
        (
            "bart.hypo --reference gold.target",
            "if each line or row is a summary: summetry score bart.hypo --references gold.target",
        ),
        ("--candidate bart.hypo --references gold.target", "with --candidate say --reference"),
        ("bart.hypo --references gold.target --protocol all_peers", "do not go with files of outp"),
        ("bart.hypo --references bart.hyp", "such file or folder. Did you mean 'bart.hypo'?"),
        ("bart.hypo", "has no summaries to score; what would give some:"),
        ("long.jsonl --language englsh", "no language is named 'englsh'. Did you mean 'english'?"),
    ],
)
def test_a_mistake_with_outputs_is_one_line(call, files, asked, message):
    done = call("score", *asked.split(), "-m", "rouge1")
    assert done.code == 2
    (line,) = done.err.splitlines()
    assert message in line


def test_scores_are_not_written_over_outputs_or_references(call, files):
    for name in ("bart.jsonl", "refs.jsonl"):
        done = call("score", "bart.jsonl", "--references", "refs.jsonl", "-o", name)
        assert done.code == 2 and "written over what is read" in done.err


def test_a_language_may_be_named_in_english(scored, files):
    asked = ("score", "long.jsonl", "-m", "rouge-1(stem=true)", "--json", "--no-cache")
    named = scored(*asked, "--language", "English")
    assert named.out == scored(*asked, "--language", "en").out


def test_columns_can_be_named_from_python(files):
    table = evaluate("wide.csv", "rouge1.f", columns={"candidate": "bart+t5"})
    assert [(row.topic, row.author) for row in table.rows] == [
        ("0", "bart"), ("0", "t5"), ("1", "bart"), ("1", "t5"),
    ]  # fmt: skip
    assert table.data[:, 0].tolist() == pytest.approx([2 / 3, 1 / 3, 1 / 2, 1])
    with pytest.warns(SummetryWarning, match="'bart' and 't5' are taken for the candidates"):
        guessed = evaluate("wide.csv", "rouge1.f")
    assert guessed == table
    with pytest.raises(SummetryError, match="columns go with a table or its path"):
        evaluate(Corpus(), "rouge1.f", columns={"candidate": "bart"})
