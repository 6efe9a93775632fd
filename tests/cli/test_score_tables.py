"""``summetry score`` on tables: files of every kind, standard input, broken rows."""

import csv
import gzip
import io
import json
import os
import subprocess
import sys

import pytest

ROWS = [
    {"gold": "b c d", "by": "x", "summary": "a b c", "nr": "1"},
    {"gold": "a b c", "by": "x", "summary": "a b c", "nr": "2"},
    {"gold": "a b c", "by": "y", "summary": "", "nr": "2"},
]
COLUMNS = "candidate=summary,reference=gold,system=by,id=nr"
# (2 of 4 + 3 of 3) / 2, and nothing of something.
MEANS = {"x": 0.75, "y": 0.0}


def separated(delimiter):
    file = io.StringIO()
    out = csv.DictWriter(file, list(ROWS[0]), delimiter=delimiter)
    out.writeheader()
    out.writerows(ROWS)
    return file.getvalue()


TABLES = {
    "t.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS),
    "t.csv": separated(","),
    "t.tsv": separated("\t"),
}
SCORE = ("-m", "unit_overlap", "--json", "--columns", COLUMNS)


def means(done):
    assert done.code == 0, done.err
    return {s["system"]: s["means"]["unit_overlap"]["value"] for s in done.json["systems"]}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_every_kind_is_scored(call, here, name):
    (here / name).write_text(TABLES[name])
    assert means(call("score", name, *SCORE)) == MEANS


@pytest.mark.parametrize("name", TABLES)
def test_a_table_may_come_from_standard_input(call, name):
    assert means(call("score", "-", *SCORE, stdin=TABLES[name].encode())) == MEANS


def test_a_long_table_may_come_from_standard_input(call):
    rows = "".join(f"a b {i},a b {i}\n" for i in range(9000))
    content = f"candidate,reference\n{rows}".encode()
    assert len(content) > 65536
    done = call("score", "-", "-m", "unit_overlap", "--json", stdin=content)
    assert means(done) == {"candidate": 1.0}
    assert done.json["systems"][0]["topics"] == 9000


def test_a_table_with_jackknifing_is_read_as_a_corpus(scored, here):
    (here / "t.jsonl").write_text('{"candidate": "a b", "references": ["a b", "c d"]}\n')
    done = scored("score", "t.jsonl", "-m", "unit_overlap", "--json", "--protocol", "all_peers")
    assert means(done) == {"candidate": 0.5, "reference 1": 0.0, "reference 2": 0.0}


BROKEN = '{"candidate": "a b", "reference": "a b"}\n{"candidate": "a \n{"candidate": "a"}\n'


def test_a_table_shows_what_one_reference_makes_equal_once(scored, here):
    (here / "t.jsonl").write_text(TABLES["t.jsonl"])
    asked = ("score", "t.jsonl", "--columns", COLUMNS, "-m", "memog", "-m", "npower")
    done = scored(*asked, "-o", "s.csv")
    assert "(3 more values: --prf shows all)" in done.lines and "memog" in done.lines[1]
    done = scored(*asked, "--prf")
    same = "with one reference the same as memog.vs: npower.autosummeng, npower.memog"
    assert same in done.lines
    # Of npower its own value alone is left; it may fold below.
    headings = [line.split() for line in done.lines if line.startswith("system")]
    shown = [name for line in headings for name in line if name not in ("system", "topics")]
    assert shown == ["vs", "nvs", "npower"]
    # Nothing is left out of a file.
    assert (here / "s.csv").read_text().splitlines()[0] == (
        "id,system,memog.vs,memog.nvs,npower,npower.autosummeng,npower.memog"
    )


def test_a_broken_row_stops_with_its_line_and_nothing_is_written(call, here):
    (here / "t.jsonl").write_text(BROKEN)
    done = call("score", "t.jsonl", "-m", "unit_overlap", "-o", "s.csv")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: t.jsonl:2: expected one JSON object a line, found ")
    assert len(done.err.splitlines()) == 1
    assert [path.name for path in here.iterdir()] == ["t.jsonl"]


def test_a_broken_row_can_be_skipped_and_is_listed(call, here):
    (here / "t.jsonl").write_text(BROKEN)
    done = call("score", "t.jsonl", "-m", "unit_overlap", "--json", "--on-error", "skip")
    assert means(done) == {"candidate": 1.0}
    skipped, note = done.err.splitlines()
    assert skipped.startswith("skipped: t.jsonl:2: ")
    lacking = "no value for 1 of 2 summaries, which lack references: candidate (3)"
    assert note == f"note: unit_overlap: {lacking}"


def test_rows_that_were_skipped_are_listed_even_if_none_is_left(call, here):
    (here / "t.jsonl").write_text('{"candidate": 1}\n')
    done = call("score", "t.jsonl", "--on-error", "skip")
    assert (done.code, done.out) == (2, "")
    skipped, error = done.err.splitlines()
    assert skipped.startswith("skipped: t.jsonl:1: expected text in 'candidate'")
    assert error.startswith("error: the table t.jsonl has no summaries to score; what would")


def test_of_very_many_rows_that_were_skipped_the_first_are_listed(call, here):
    good = '{"candidate": "a", "reference": "a"}\n'
    for bad, last in ((1100, "skipped: 1,080 more, 1,100 in all"),
                      (22, "skipped: 2 more, 22 in all"),
                      (21, "skipped: t.jsonl:21: ")):  # fmt: skip
        (here / "t.jsonl").write_text("{\n" * bad + good)
        done = call("score", "t.jsonl", "-m", "unit_overlap", "--json", "--on-error", "skip")
        assert means(done) == {"candidate": 1.0}
        lines = [line for line in done.err.splitlines() if line.startswith("skipped:")]
        assert len(lines) == 21 and lines[-1].startswith(last)


_PER_SYSTEM = b"id,bart,t5,reference\n" + 2 * b"a,a ship sank,a ship sails,a ship sank\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"id,candidate,reference\n", "has no summaries to score; what would give some: rows with"),
        (gzip.compress(b"candidate\na\n"), "found a file packed by gzip; give the name of the"),
        ("candidate\na\n".encode("utf-16"), "t.csv:1: expected UTF-8, found UTF-16; save the file"),
        (b"PK\x03\x04\xff", "found a zip file or a workbook; save each sheet as CSV, in UTF-8"),
        (b"id,system,candidate\na,s,x\na,s,y\n", "; leave one of them out, or give it another id"),
        (_PER_SYSTEM, "; give every row its own id"),
    ],
    ids=["header", "gzip", "UTF-16", "zip", "repeated", "per system"],
)
def test_a_table_that_is_none_says_what_it_is(call, here, content, message):
    (here / "t.csv").write_bytes(content)
    done = call("score", "t.csv", "-m", "rouge1")
    last = done.err.splitlines()[-1]
    assert done.code == 2 and message in last
    assert "system=NAME" not in last


@pytest.mark.parametrize("ending", ["csv", "jsonl", "json", "txt"])
def test_a_packed_file_is_known_as_candidates_and_as_references(call, here, ending):
    (here / "t.jsonl").write_text('{"id": "a", "candidate": "x", "reference": "y"}\n')
    (here / f"packed.{ending}").write_bytes(gzip.compress(b"x\n"))
    files = [f"packed.{ending}"], ["--references", f"packed.{ending}", "t.jsonl"]
    for arguments in files:
        done = call("score", *arguments, "-m", "rouge1")
        assert done.code == 2 and "found a file packed by gzip" in done.err.splitlines()[-1]


def test_a_library_that_cannot_be_loaded_is_no_fault_of_a_row(tmp_path):
    (tmp_path / "t.csv").write_text("candidate,reference\na,a\n")
    command = [sys.executable, "-m", "summetry", "score", "t.csv", "--on-error", "skip"]
    environment = os.environ | {"SUMMETRY_KERNEL": "python"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("error: SUMMETRY_KERNEL can be 'plain' or the path of a compiled")


def test_standard_input_is_named_in_messages(call):
    stopped = call("score", "-", "-m", "lcs", stdin=BROKEN.encode())
    assert stopped.code == 2
    assert stopped.err.startswith("error: standard input:2: expected one JSON object a line")
    done = call("score", "-", "-m", "lcs", "--on-error", "skip", stdin=BROKEN.encode())
    assert done.code == 0
    assert done.err.startswith("skipped: standard input:2: expected ")
    lacking = call("score", "-", "-m", "coselection", stdin=BROKEN[:41].encode())
    assert "which the table standard input does not have" in lacking.err


def test_a_wrong_metric_is_told_before_the_table_is_read(call, here):
    (here / "t.jsonl").write_text(BROKEN)
    assert "no metric is named 'lsc'" in call("score", "t.jsonl", "-m", "lsc").err


@pytest.mark.parametrize(
    ("systems", "hidden"), [(1200, "200 more systems"), (1001, "1 more system")]
)
def test_a_table_with_very_many_systems_shows_the_best(scored, here, systems, hidden):
    rows = [f"s{i},{'a b' if i == 700 else 'a'},a b\n" for i in range(systems)]
    (here / "t.csv").write_text("system,candidate,reference\n" + "".join(rows))
    done = scored("score", "t.csv", "-m", "unit_overlap")
    assert done.lines[2].split() == ["s700", "1.0000"]
    assert f"({hidden} in --json and in the file that --output names)" in done.lines
    assert sum(line.startswith("s") for line in done.lines) == 1001
    listed = scored("score", "t.csv", "-m", "unit_overlap", "--json").json["systems"]
    assert len(listed) == systems


def test_empty_summaries_are_noted_with_their_system_and_topic(here, scored):
    rows = [
        {
            "id": f"t{n}",
            "system": name,
            "candidate": "a" if name == "lead" else "",
            "reference": "a",
        }
        for n in range(1, 8)
        for name in ("lead", "mute")
    ]
    (here / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    note = (
        "note: 7 of 14 summaries are empty and count as the worst value: mute (t1), mute (t2), "
        "mute (t3), mute (t4), mute (t5) and 2 more\n"
    )
    assert note in scored("score", "t.jsonl", "-m", "rouge1").err
    assert note in scored("compare", "t.jsonl", "-m", "rouge1").err
