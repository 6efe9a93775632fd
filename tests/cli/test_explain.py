"""``summetry explain``: in words, as JSON, and what it says where there is nothing to explain."""

import contextlib
import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

import summetry
from summetry.metrics import METRICS

LEAD = ("--id", "t01", "--system", "lead")


@pytest.mark.parametrize("name", METRICS.names())
def test_the_values_are_those_of_score(scored, demo, demo_folder, name):
    table = summetry.evaluate(demo, [name])
    (row,) = [i for i, r in enumerate(table.rows) if (r.topic, r.author) == ("t01", "lead")]
    expected = {c.value: table.data[row, i] for i, c in enumerate(table.columns)}
    (output,) = scored("explain", demo_folder, "-m", name, *LEAD, "--json").json
    assert (output["metric"], output["topic"], output["system"]) == (name, "t01", "lead")
    assert output["values"] == pytest.approx(expected, rel=1e-14)
    shown = scored("explain", demo_folder, "-m", name, *LEAD).lines
    assert shown[0] == f"{name}  id t01  system lead"
    assert max(map(len, shown)) <= 80
    for value, number in expected.items():
        # What a formula comes to stands at the end of its line, or of one of those that follow.
        start = next(i for i, line in enumerate(shown) if line.split()[:2] == [value, "="])
        ends = [
            line.partition(", that of ")[0].split()[-1] for line in shown[start : start + 6] if line
        ]
        assert any(
            float(end) == pytest.approx(number, abs=5.1e-5) for end in ends if is_number(end)
        )


def is_number(text):
    return text.lstrip("-").replace(".", "", 1).isdigit()


ROWS = [
    {
        "id": 3,
        "system": "bart",
        "reference": "A ferry struck the old pier on Tuesday and the harbour was closed.",
        "candidate": "The ferry struck a pier. The harbour was closed.",
    },
    {"id": 3, "system": "t5", "reference": "Fog.", "candidate": "Rain."},
    {"id": 4, "system": "bart", "reference": "Fog.", "candidate": "Fog."},
]


@pytest.fixture
def long_jsonl(here):
    (here / "long.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return here


def test_the_call_that_people_type(scored, long_jsonl):
    """ROUGE-1 by hand: of 9 and 13 words the, the, ferry, struck, a, pier, harbour, was, closed."""
    done = scored("explain", "long.jsonl", "-m", "rouge1", "--id", "3", "--system", "bart")
    assert done.lines == [
        "rouge1  id 3  system bart",
        "rouge-score's words",
        "",
        "against reference 1",
        "matched     9  words that both have, each as often as in both",
        "reference  13  words of the reference",
        "candidate   9  words of the candidate",
        "recall    = matched / reference = 9 / 13 = 0.6923",
        "precision = matched / candidate = 9 / 9 = 1",
        "f         = 2 * precision * recall / (precision + recall)",
        "          = 2 * 1 * 0.6923 / (1 + 0.6923)",
        "          = 0.8182",
        "",
        "what matched is in [brackets]",
        "reference 1                              bart (candidate)",
        "[A ferry struck the] old [pier] on       [The ferry struck a pier. The harbour",
        "Tuesday and [the harbour was closed].    was closed].",
        "",
        "matched, strongest first: the (2), ferry, struck, a, pier, harbour, was, closed",
        "",
        "not matched, only in reference 1: old, on, tuesday, and",
    ]
    assert done.err == ""


def test_names_come_back_as_typed(scored, long_jsonl):
    call = ("explain", "long.jsonl", "-m", "ROUGE-1,rouge-2", "--id", "4")
    assert [line for line in scored(*call).lines if "  id 4" in line] == [
        "ROUGE-1  id 4  system bart", "rouge-2  id 4  system bart",
    ]  # fmt: skip
    first, second = scored(*call, "--json").json
    assert (first["metric"], first["spelling"]) == ("ROUGE-1", "rouge_n")
    assert (second["metric"], second["spelling"]) == ("rouge-2", "rouge_n(n=2)")


def test_an_id_is_enough_where_it_has_one_summary_and_a_system_where_it_has_one(call, long_jsonl):
    start = ("explain", "long.jsonl", "-m", "rouge1")
    assert call(*start, "--id", "4").lines[0] == "rouge1  id 4  system bart"
    assert call(*start, "--system", "t5").lines[0] == "rouge1  id 3  system t5"
    done = call(*start, "--id", "3")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "error: the table long.jsonl has 2 summaries of id 3: name one with --system (bart, t5)\n"
    )
    done = call(*start, "--system", "bart")
    assert "has 2 summaries of bart: name one with --id (3, 4)" in done.err


def test_only_what_there_are_several_of_is_asked_for(call, here):
    one = [{"id": 1, "system": s, "reference": "Fog.", "candidate": "Fog."} for s in ("a", "b")]
    (here / "one.jsonl").write_text("\n".join(map(json.dumps, one)))
    done = call("explain", "one.jsonl", "-m", "rouge1")
    assert done.err.endswith("has 2 summaries of id 1: name one with --system (a, b)\n")
    assert call("explain", "one.jsonl", "-m", "rouge1", "--system", "b").code == 0
    (here / "many.jsonl").write_text("\n".join(map(json.dumps, [one[0], one[0] | {"id": 2}])))
    done = call("explain", "many.jsonl", "-m", "rouge1")
    assert done.err.endswith("has 2 summaries of a: name one with --id (1, 2)\n")


@pytest.mark.parametrize(("old", "new"), [("--topic", "--id ID"), ("--author", "--system NAME")])
def test_options_by_other_names_are_answered_with_ours(call, long_jsonl, old, new):
    done = call("explain", "long.jsonl", "-m", "rouge1", old, "3")
    what = "system" if old == "--author" else "topic"
    assert (done.code, done.err) == (
        2,
        f"error: no such option: {old}; a {what} is named by {new}\n",
    )


def test_full_shows_all(scored, texts):
    many = " ".join(f"w{i}" for i in range(100))
    (texts / "a.txt").write_text(many)
    call = ("explain", "--candidate", "a.txt", "--reference", "a.txt", "-m", "rouge1")
    assert "and 40 more (--full shows all)" in " ".join(scored(*call).lines)
    assert "more" not in scored(*call, "--full").out


def test_a_terminal_gets_colours(long_jsonl):
    """The command on a terminal of 60 columns: green instead of brackets, texts in one column."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 60, 0, 0))
    command = [
        sys.executable,
        "-m",
        "summetry",
        "explain",
        "long.jsonl",
        "-m",
        "rouge1",
        "--id",
        "4",
    ]
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
    package = Path(summetry.__file__).parents[1]
    environment |= {"TERM": "xterm-256color", "PYTHONPATH": str(package)}
    subprocess.run(command, stdout=slave, stdin=slave, check=True, env=environment, timeout=120)
    os.close(slave)
    out = b""
    with contextlib.suppress(OSError):  # What Linux says at the end of a terminal.
        while piece := os.read(master, 65536):
            out += piece
    os.close(master)
    lines = out.decode().split("\r\n")
    assert "what matched is \x1b[1;32mgreen\x1b[0m" in lines
    assert lines.count("\x1b[1;32mFog\x1b[0m.") == 2


def test_a_pair_as_json_has_the_places_of_matches(scored, texts):
    call = ("explain", "--candidate", "a.txt", "--reference", "r1.txt", "--reference", "r2.txt")
    (output,) = scored(*call, "-m", "unit_overlap", "--json").json
    assert output["values"] == {"value": 0.375} and output["over"] == "mean"
    first, second = output["parts"]
    assert [m["what"] for m in first["matches"]] == ["b", "c"]
    assert second["matches"] == [
        {
            "what": "c",
            "weight": 1.0,
            "candidate": [[4, 5]],
            "reference": [[0, 1]],
            "texts": [],
            "also": [],
        }
    ]
    assert [(m["what"], m["reference"]) for m in second["missed"]] == [("e", [[2, 3]])]
    assert output["terms"]["matched"] == "different words that both have"


def test_each_of_several_references_is_explained(scored, demo_folder):
    lines = scored("explain", demo_folder, "-m", "cosine", *LEAD).lines
    assert lines[3] == "mean of m1, m2, m3"
    assert [line for line in lines if line.startswith("against ")] == [
        "against m1", "against m2", "against m3",
    ]  # fmt: skip
    headings = [line.split("  ")[0] for line in lines if line.endswith("lead (candidate)")]
    assert headings == ["m1 (reference)", "m2 (reference)", "m3 (reference)"]


def test_a_pair_from_standard_input(scored, texts):
    call = ("explain", "--candidate", "-", "--reference", "r1.txt", "-m", "lcs", "--json")
    (explained,) = scored(*call, stdin=b"b c d").json
    assert explained["values"]["f"] == 1.0


def test_undefined_is_null(scored, texts):
    (texts / "empty.txt").write_text("")
    call = ("explain", "--candidate", "a.txt", "--reference", "empty.txt", "-m", "unit_overlap")
    (output,) = scored(*call, "--json").json
    assert output["values"] == {"value": None}


def test_with_jackknifing_each_group_is_explained(scored, demo_folder):
    call = ("explain", demo_folder, "-m", "lcs", *LEAD, "--json", "--protocol", "all_peers")
    against = [[part["against"] for part in entry["parts"]] for entry in scored(*call).json]
    assert against == [["m2", "m3"], ["m1", "m3"], ["m1", "m2"]]


@pytest.mark.parametrize("protocol", ["no_models", "all_peers"])
def test_what_is_missing_is_noted_once(scored, demo_folder, protocol):
    call = ("explain", demo_folder, "-m", "coselection", "-m", "unit_overlap", "--id", "t01")
    done = scored(*call, "--system", "echo", "--json", "--protocol", protocol)
    assert {entry["metric"] for entry in done.json} == {"unit_overlap"}
    assert done.err == (
        "note: coselection has no value here: it needs the units of the candidate\n"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            (),
            "the corpus 'demo' has 54 summaries: name one with --id (t01, t02, t03, t04, t05 and ",
        ),
        (("--id", "t01"), "has 6 summaries of id t01: name one with --system (lead, random, "),
        (("--system", "lead"), "summaries of lead: name one with --id (t01, t02, "),
        (("--id", "t011", "--system", "lead"), "no id is named 't011'. Did you mean 't01'?"),
        (("--id", "t01", "--system", "led"), "of t01 is named 'led'. Did you mean 'lead'?"),
        (("--system", "led"), "no system is named 'led'. Did you mean 'lead'?"),
    ],
)
def test_which_summary_must_be_clear(call, demo_folder, options, message):
    done = call("explain", demo_folder, "-m", "lcs", *options)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--id", "2"), "no id is named '2'. Known: 1."),
        (("--system", "me"), "no system is named 'me'. Known: candidate."),
        (("--id", "1", "--system", "me"), "no system with a summary of 1 is named 'me'"),
    ],
)
def test_a_wrong_name_is_not_passed_over_where_there_is_one_summary(call, texts, options, message):
    done = call("explain", "--candidate", "a.txt", "--reference", "r1.txt", "-m", "lcs", *options)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    one = ("explain", "--candidate", "a.txt", "--reference", "r1.txt", "-m", "lcs")
    assert call(*one, "--id", "1", "--system", "candidate").code == 0


def test_a_language_that_nobody_names_is_guessed_as_in_score(scored, here):
    row = {"id": 1, "candidate": "The ferry and the pier.", "reference": "A ferry at the pier."}
    (here / "one.jsonl").write_text(json.dumps(row))
    done = scored("explain", "one.jsonl", "-m", "keywords(against=references)")
    assert "matched: ferry, pier" in done.lines
    assert "the language is guessed to be English; --language names another" in done.err


def test_topics_are_listed_by_how_far_two_systems_differ(scored, here):
    """Of two words the systems share none, one or two with the reference."""
    texts = {("1", "a"): "fog", ("1", "b"): "fog pier", ("2", "a"): "fog pier", ("2", "b"): "ice"}
    rows = [
        {"id": topic, "system": system, "candidate": text, "reference": "fog pier"}
        for (topic, system), text in texts.items()
    ]
    (here / "two.jsonl").write_text("\n".join(map(json.dumps, rows)))
    asked = ("explain", "two.jsonl", "-m", "rouge1.recall", "--differ", "a", "b")
    lines = [line.split() for line in scored(*asked).lines]
    assert lines == [
        ["rouge1.recall:", "a", "minus", "b"],
        ["id", "a", "b", "difference"],
        ["2", "1", "0", "+1.0000"],
        ["1", "0.5000", "1", "-0.5000"],
    ]
    (found,) = scored(*asked, "--json").json
    assert [row["difference"] for row in found["rows"]] == [1, -0.5]


def test_a_system_that_is_not_there_does_not_differ(call, here):
    row = {"id": 1, "system": "bart", "candidate": "Fog.", "reference": "Fog."}
    (here / "one.jsonl").write_text(json.dumps(row))
    done = call("explain", "one.jsonl", "-m", "rouge1", "--differ", "bart", "brat")
    assert done.code == 2
    assert "no system is named 'brat'. Did you mean 'bart'?" in done.err


def test_the_note_on_an_empty_summary_is_in_the_json(scored, here):
    (here / "empty.jsonl").write_text(json.dumps({"id": 1, "candidate": "", "reference": "Fog."}))
    (output,) = scored("explain", "empty.jsonl", "-m", "rouge1", "--json").json
    assert output["note"] == "the summary is empty, which counts as the worst value"
    assert output["values"] == {"recall": 0, "precision": 0, "f": 0}
