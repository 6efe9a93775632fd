"""``summetry score`` on tables and outputs: every shape, standard input, broken rows."""

import csv
import io
import json
import os
import shlex
import subprocess
import sys

import pytest
from command_line import assert_refused, run_command, succeed

from summetry import evaluate
from summetry.errors import SummetryError, SummetryWarning
from summetry.records.corpus import Corpus


def typed(line, **options):
    return run_command(*shlex.split(line), **options)


def lines(texts):
    return "".join(f"{text}\n" for text in texts)


def jsonl(rows):
    return lines(json.dumps(row) for row in rows)


def separated(rows):
    file = io.StringIO()
    out = csv.DictWriter(file, rows[0], lineterminator="\n")
    out.writeheader()
    out.writerows(rows)
    return file.getvalue()


# --- one table --------------------------------------------------------------------------------

ROWS = [
    {"gold": "b c d", "by": "x", "summary": "a b c", "nr": "1"},
    {"gold": "a b c", "by": "x", "summary": "a b c", "nr": "2"},
    {"gold": "a b c", "by": "y", "summary": "", "nr": "2"},
]
# (2 of 4 + 3 of 3) / 2, and nothing of something.
MEANS = {"x": 0.75, "y": 0.0}
TABLES = {"t.jsonl": jsonl(ROWS), "t.csv": separated(ROWS)}
OVERLAP = "-m unit_overlap --json"
COLUMNS = "--columns candidate=summary,reference=gold,system=by,id=nr"
BROKEN = '{"candidate": "a b", "reference": "a b"}\n{"candidate": "a \n{"candidate": "a"}\n'


def overlaps(done):
    assert done.code == 0, done.err
    return {s["system"]: s["means"]["unit_overlap"]["value"] for s in done.json["systems"]}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_scored_from_a_file_or_standard_input(here, name):
    (here / name).write_text(TABLES[name])
    assert overlaps(typed(f"score {name} {OVERLAP} {COLUMNS}")) == MEANS
    done = typed(f"score - {OVERLAP} {COLUMNS}", stdin=TABLES[name].encode())
    assert overlaps(done) == MEANS


def test_a_long_table_may_come_from_standard_input_and_one_with_jackknifing():
    rows = "".join(f"a b {i},a b {i}\n" for i in range(6000))
    content = f"candidate,reference\n{rows}".encode()
    assert len(content) > 65536
    done = typed(f"score - {OVERLAP}", stdin=content)
    assert overlaps(done) == {"candidate": 1.0}
    assert done.json["systems"][0]["topics"] == 6000
    jackknifed = b'{"candidate": "a b", "references": ["a b", "c d"]}\n'
    done = typed(f"score - {OVERLAP} --protocol all_peers", stdin=jackknifed)
    assert overlaps(done) == {"candidate": 0.5, "reference 1": 0.0, "reference 2": 0.0}


def test_tables_with_one_reference_empty_summaries_and_broken_rows(here, shows):
    """What one reference makes equal is shown once."""
    (here / "t.jsonl").write_text(TABLES["t.jsonl"])
    (here / "broken.jsonl").write_text(BROKEN)
    rows = [
        {"id": f"t{n}", "system": name, "candidate": "a" * (name == "lead"), "reference": "a"}
        for n in range(1, 8)
        for name in ("lead", "mute")
    ]
    (here / "mute.jsonl").write_text(jsonl(rows))
    shows(
        f"score t.jsonl {COLUMNS} -m memog -m npower -o s.csv",
        f"score t.jsonl {COLUMNS} -m memog -m npower --prf",
        "score broken.jsonl -m unit_overlap --on-error skip",
        "score mute.jsonl -m rouge1",
    )


def test_a_broken_row_stops_with_its_line(here):
    (here / "t.jsonl").write_text(BROKEN)
    refused = typed("score t.jsonl -m unit_overlap -o s.csv")
    assert_refused(refused, 2, "error: t.jsonl:2: expected one JSON object a line, found ")
    assert [path.name for path in here.iterdir()] == ["t.jsonl"]
    # A wrong metric is told before the table is read.
    assert "no metric is named 'lsc'" in typed("score t.jsonl -m lsc").err
    # Also if no row is left.
    (here / "t.jsonl").write_text('{"candidate": 1}\n')
    done = typed("score t.jsonl --on-error skip")
    assert (done.code, done.out) == (2, "")
    skipped, error = done.err.splitlines()
    assert skipped.startswith("skipped: t.jsonl:1: expected text in 'candidate'")
    assert error.startswith("error: the table t.jsonl has no summaries to score; what would")


@pytest.mark.parametrize(("bad", "last"), [(22, "2 more, 22 in all"), (21, "t.jsonl:21: ")])
def test_of_very_many_rows_that_were_skipped_the_first_are_listed(here, bad, last):
    (here / "t.jsonl").write_text("{\n" * bad + '{"candidate": "a", "reference": "a"}\n')
    done = typed(f"score t.jsonl {OVERLAP} --on-error skip")
    skipped = [line for line in done.err.splitlines() if line.startswith("skipped:")]
    assert len(skipped) == 21 and skipped[-1].startswith(f"skipped: {last}")


def test_a_library_that_cannot_be_loaded_is_no_fault_of_a_row(tmp_path):
    (tmp_path / "t.csv").write_text("candidate,reference\na,a\n")
    command = [sys.executable, "-m", "summetry", "score", "t.csv", "--on-error", "skip"]
    environment = os.environ | {"SUMMETRY_KERNEL": "python"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("error: SUMMETRY_KERNEL can be 'plain' or the path of a compiled")


def test_a_table_with_very_many_systems_shows_the_best(here):
    rows = [f"s{i},{'a b' if i == 700 else 'a'},a b\n" for i in range(1001)]
    (here / "t.csv").write_text("system,candidate,reference\n" + "".join(rows))
    done = typed("score t.csv -m unit_overlap")
    assert done.lines[2].split() == ["s700", "1.0000"]
    assert "(1 more system in --json and in the file that --output names)" in done.lines
    assert sum(line.startswith("s") for line in done.lines) == 1001
    assert len(overlaps(typed(f"score t.csv {OVERLAP}"))) == 1001


# --- tables as people have them, outputs in files of their own, a folder for each system ------

# Words that are shared with the reference: 2 of 3 and 1 of 3, then 1 of 2 and 2 of 2.
GOLD = ["one two three", "four five"]
SOURCE = ["one two three four", "four five six"]
OUTPUTS = {"bart": ["one two six", "four six"], "t5": ["one six seven", "four five"]}
# F is shared words divided by words, since both sides are of the same length.
F = {"bart": (2 / 3 + 1 / 2) / 2, "t5": (1 / 3 + 1) / 2}


@pytest.fixture
def files(here):
    """The same data in many shapes."""
    long = [
        {"id": n, "system": s, "source": SOURCE[n], "reference": GOLD[n], "summary": texts[n]}
        for s, texts in OUTPUTS.items()
        for n in range(2)
    ]
    texts = {"reference": GOLD, **OUTPUTS}
    wide = [{"id": n, **{name: column[n] for name, column in texts.items()}} for n in range(2)]
    references = [{"id": n, "highlights": GOLD[n], "article": SOURCE[n]} for n in range(2)]
    content = {
        "long.jsonl": jsonl(long),
        "long.json": json.dumps(long, indent=2),
        "wide.json": json.dumps(wide),
        "wide.csv": separated(wide),
        "lists.json": json.dumps({**OUTPUTS, "references": GOLD}),
        "gold.target": lines(GOLD),
        "refs.jsonl": jsonl(references),
    }
    for name, texts in OUTPUTS.items():
        rows = [{"id": n, "prediction": text, "gold": GOLD[n]} for n, text in enumerate(texts)]
        content |= {f"{name}.hypo": lines(texts), f"{name}.jsonl": jsonl(rows)}
    for name, texts in {"articles": SOURCE, "gold": GOLD, **OUTPUTS}.items():
        (here / "folder" / name).mkdir(parents=True)
        content |= {f"folder/{name}/d{n}.txt": text for n, text in enumerate(texts)}
    for name, text in content.items():
        (here / name).write_text(text)
    return here


def means(path):
    """The mean of each system in a file of scores."""
    scores = {}
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            scores.setdefault(row["system"], []).append(float(row["rouge1.f"]))
    assert {len(values) for values in scores.values()} == {2}
    return {system: sum(values) / 2 for system, values in scores.items()}


SHAPES = [
    ("long.jsonl", "long.jsonl: 'summary' is taken for the candidate"),
    ("-", "standard input: 'summary' is taken for the candidate"),
    ("long.jsonl --columns summary=candidate", ""),
    ("wide.csv --columns candidate=bart+t5", ""),
    ("wide.json",
     "wide.json: 'bart' and 't5' are taken for the candidates of systems with these names"),
    ("lists.json",
     "lists.json: 'bart' and 't5' are taken for the candidates of systems with these names"),
    ("bart.hypo t5.hypo --references gold.target", ""),
    ("bart.jsonl t5.jsonl --references refs.jsonl",
     "bart.jsonl, t5.jsonl: 'prediction' is taken for the candidate\n"
     "note: refs.jsonl: 'highlights' is taken for the reference, 'article' for the source"),
    ("bart.jsonl t5.jsonl",
     "bart.jsonl, t5.jsonl: 'prediction' is taken for the candidate, 'gold' for the reference"),
    ("folder",
     "folder: 'articles' is taken for the sources, 'gold' for the references, "
     "'bart' and 't5' for the candidates of systems"),
]  # fmt: skip


@pytest.mark.parametrize(("inputs", "note"), SHAPES)
def test_every_shape_of_the_same_data_has_the_same_scores(files, inputs, note):
    stdin = (files / "long.json").read_bytes()
    done = typed(f"score {inputs} -m rouge1.f --no-cache -o scores.csv", stdin=stdin)
    assert means(files / "scores.csv") == pytest.approx(F)
    assert done.err == (note and f"note: {note}\n")


def test_an_output_is_explained_under_its_own_name_and_a_language_named_in_english(files):
    (files / "refs.jsonl").write_text(jsonl([{"id": "first", "reference": GOLD[0]}]))
    (files / "bart.hypo").write_text(lines(OUTPUTS["bart"][:1]))
    done = succeed("explain", "bart.hypo", "--references", "refs.jsonl", "-m", "lcs")
    assert "first" in done.lines[0] and "bart" in done.lines[0]
    line = "score long.jsonl -m rouge-1(stem=true) --json --no-cache --language"
    assert typed(f"{line} English") == typed(f"{line} en")
    assert typed(f"{line} en").code == 0


def test_mistakes(files, refuses):
    refuses("""
        score bart.hypo t5.hypo
        score bart.hypo --reference gold.target
        score --candidate bart.hypo --references gold.target
        score bart.hypo --references gold.target --protocol all_peers
        score bart.hypo --references bart.hyp
        score bart.hypo
        score wide.csv --language englsh --columns candidate=bart+t5
        score bart.jsonl --references refs.jsonl -o bart.jsonl
        score bart.jsonl --references refs.jsonl -o refs.jsonl
        score folder -m rouge1 --columns candidate=x
    """)


def test_columns_can_be_named_from_python(files):
    table = evaluate("wide.csv", "rouge1.f", columns={"candidate": "bart+t5"})
    rows = [("0", "bart"), ("0", "t5"), ("1", "bart"), ("1", "t5")]
    assert [(row.topic, row.author) for row in table.rows] == rows
    assert table.data[:, 0].tolist() == pytest.approx([2 / 3, 1 / 3, 1 / 2, 1])
    with pytest.warns(SummetryWarning, match="'bart' and 't5' are taken for the candidates"):
        guessed = evaluate("wide.csv", "rouge1.f")
    assert guessed == table
    with pytest.raises(SummetryError, match="columns go with a table or its path"):
        evaluate(Corpus(), "rouge1.f", columns={"candidate": "bart"})
