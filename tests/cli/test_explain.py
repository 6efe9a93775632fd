"""``summetry explain``: in words, as JSON, and what it says where there is nothing to explain."""

import contextlib
import fcntl
import json
import os
import pty
import shlex
import struct
import subprocess
import sys
import termios
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import assert_refused, run_command, succeed

import summetry
from summetry.metrics import METRICS

LEAD = "--id t01 --system lead"
PAIR = "--candidate a.txt --reference"
ROWS = [
    (3, "bart", "The ferry struck a pier. The harbour was closed.",
     "A ferry struck the old pier on Tuesday and the harbour was closed."),
    (3, "t5", "Rain.", "Fog."),
    (4, "bart", "Fog.", "Fog."),
]  # fmt: skip


@pytest.fixture
def long_jsonl(here):
    return write(here / "long.jsonl", ROWS)


def write(path, rows):
    """A table of ids, systems, candidates and references."""
    records = [
        dict(zip(("id", "system", "candidate", "reference"), row, strict=True)) for row in rows
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def explained(line):
    return succeed("explain", *shlex.split(line))


@pytest.fixture(scope="module")
def demo_part(part_of_demo):
    return part_of_demo("t01", "t02")


@pytest.fixture(scope="module")
def corpus(demo_part):
    """What the values of one system need, and no more."""
    corpus = summetry.load(demo_part)
    authors = {"lead", "m1", "m2", "m3"}
    return replace(corpus, summaries=tuple(s for s in corpus.summaries if s.author in authors))


@pytest.mark.parametrize("name", METRICS.names())
def test_the_values_are_those_of_score(corpus, demo_part, name):
    table = summetry.evaluate(corpus, [name])
    (row,) = [i for i, r in enumerate(table.rows) if (r.topic, r.author) == ("t01", "lead")]
    expected = {c.value: table.data[row, i] for i, c in enumerate(table.columns)}
    (output,) = explained(f"{demo_part} -m {name} {LEAD} --json").json
    assert (output["metric"], output["topic"], output["system"]) == (name, "t01", "lead")
    assert output["values"] == pytest.approx(expected, rel=1e-14)
    lines = explained(f"{demo_part} -m {name} {LEAD}").lines
    assert lines[0] == f"{name}  id t01  system lead"
    assert max(map(len, lines)) <= 80
    for value, number in expected.items():
        # What a formula comes to stands at the end of its line, or of one of those that follow.
        start = next(i for i, line in enumerate(lines) if line.split()[:2] == [value, "="])
        ends = [line.partition(", that of ")[0].split()[-1] for line in lines[start:][:6] if line]
        numbers = [float(end) for end in ends if is_number(end)]
        assert any(end == pytest.approx(number, abs=5.1e-5) for end in numbers)


def is_number(text):
    return text.lstrip("-").replace(".", "", 1).isdigit()


def test_the_call_that_people_type(long_jsonl, shows):
    """ROUGE-1 by hand: of 9 and 13 words the, the, ferry, struck, a, pier, harbour, was, closed."""
    shows("""
    explain long.jsonl -m rouge1 --id 3 --system bart
        rouge1  id 3  system bart
        rouge-score's words

        against reference 1
        matched     9  words that both have, each as often as in both
        reference  13  words of the reference
        candidate   9  words of the candidate
        recall    = matched / reference = 9 / 13 = 0.6923
        precision = matched / candidate = 9 / 9 = 1
        f         = 2 * precision * recall / (precision + recall)
                  = 2 * 1 * 0.6923 / (1 + 0.6923)
                  = 0.8182

        what matched is in [brackets]
        reference 1                              bart (candidate)
        [A ferry struck the] old [pier] on       [The ferry struck a pier. The harbour
        Tuesday and [the harbour was closed].    was closed].

        matched, strongest first: the (2), ferry, struck, a, pier, harbour, was, closed

        not matched, only in reference 1: old, on, tuesday, and
    """)


def test_names_come_back_as_typed(long_jsonl):
    typed = "long.jsonl -m ROUGE-1,rouge-2 --id 4"
    assert [line for line in explained(typed).lines if "  id 4" in line] == [
        "ROUGE-1  id 4  system bart",
        "rouge-2  id 4  system bart",
    ]
    names = [(entry["metric"], entry["spelling"]) for entry in explained(f"{typed} --json").json]
    assert names == [("ROUGE-1", "rouge_n"), ("rouge-2", "rouge_n(n=2)")]


def test_an_id_is_enough_where_it_has_one_summary_and_a_system_where_it_has_one(long_jsonl):
    for options, start in (("--id 4", "id 4  system bart"), ("--system t5", "id 3  system t5")):
        assert explained(f"long.jsonl -m rouge1 {options}").lines[0] == f"rouge1  {start}"
    write(long_jsonl.with_name("one.jsonl"), [(1, name, "Fog.", "Fog.") for name in "ab"])
    explained("one.jsonl -m rouge1 --system b")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("LONG --id 3", "long.jsonl has 2 summaries of id 3: name one with --system (bart, t5)"),
        ("LONG --system bart", "table long.jsonl has 2 summaries of bart: name one with --id (3"),
        ("LONG --topic 3", "no such option: --topic; a topic is named by --id ID"),
        ("LONG --author 3", "no such option: --author; a system is named by --system NAME"),
        ("LONG --differ bart brat", "no system is named 'brat'. Did you mean 'bart'?"),
        # Only what there are several of is asked for.
        ("systems.jsonl -m rouge1",
         "systems.jsonl has 2 summaries of id 1: name one with --system (a, b)\n"),
        ("ids.jsonl -m rouge1",
         "table ids.jsonl has 2 summaries of a: name one with --id (1, 2)\n"),
        ("DEMO", "'demo' has 54 summaries: name one with --id (t01, t02, t03, t04, t05 and "),
        ("DEMO --id t01", "has 6 summaries of id t01: name one with --system (lead, random, "),
        ("DEMO --system lead", "has 9 summaries of lead: name one with --id (t01, t02, "),
        ("DEMO --id t011 --system lead", "no id is named 't011'. Did you mean 't01'?"),
        ("DEMO --id t01 --system led", "with a summary of t01 is named 'led'. Did you mean 'lead'"),
        ("DEMO --system led", "no system is named 'led'. Did you mean 'lead'?"),
        # A wrong name is not passed over where there is one summary.
        ("TEXTS --id 2", "no id is named '2'. Known: 1."),
        ("TEXTS --system me", "no system is named 'me'. Known: candidate."),
        ("TEXTS --id 1 --system me", "no system with a summary of 1 is named 'me'"),
    ],
)  # fmt: skip
def test_which_summary_must_be_clear(long_jsonl, texts, demo_folder, typed, message):
    (texts / "demo").symlink_to(demo_folder)
    write(texts / "systems.jsonl", [(1, "a", "Fog.", "Fog."), (1, "b", "Fog.", "Fog.")])
    write(texts / "ids.jsonl", [(1, "a", "Fog.", "Fog."), (2, "a", "Fog.", "Fog.")])
    typed = typed.replace("LONG", "long.jsonl -m rouge1").replace("DEMO", "demo -m lcs")
    done = run_command("explain", *shlex.split(typed.replace("TEXTS", f"{PAIR} r1.txt -m lcs")))
    assert_refused(done, 2, message)


def test_full_shows_all(texts):
    (texts / "a.txt").write_text(" ".join(f"w{i}" for i in range(100)))
    assert "and 40 more (--full shows all)" in explained(f"{PAIR} a.txt -m rouge1").words
    assert "more" not in explained(f"{PAIR} a.txt -m rouge1 --full").out


def test_a_terminal_gets_colours(long_jsonl):
    """The command on a terminal of 60 columns: green instead of brackets, texts in one column."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 60, 0, 0))
    typed = "-m summetry explain long.jsonl -m rouge1 --id 4"
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
    package = Path(summetry.__file__).parents[1]
    environment |= {"TERM": "xterm-256color", "PYTHONPATH": str(package)}
    streams = {"stdout": slave, "stdin": slave}
    command = [sys.executable, *typed.split()]
    subprocess.run(command, **streams, check=True, env=environment, timeout=120)
    os.close(slave)
    out = b""
    with contextlib.suppress(OSError):  # What Linux says at the end of a terminal.
        while piece := os.read(master, 65536):
            out += piece
    os.close(master)
    lines = out.decode().split("\r\n")
    assert "what matched is \x1b[1;32mgreen\x1b[0m" in lines
    assert lines.count("\x1b[1;32mFog\x1b[0m.") == 2


def test_a_pair_as_json_has_the_places_of_matches(texts):
    (output,) = explained(f"{PAIR} r1.txt --reference r2.txt -m unit_overlap --json").json
    assert output["values"] == {"value": 0.375} and output["over"] == "mean"
    first, second = output["parts"]
    assert [m["what"] for m in first["matches"]] == ["b", "c"]
    assert second["matches"] == [
        {"what": "c", "weight": 1.0, "candidate": [[4, 5]], "reference": [[0, 1]],
         "texts": [], "also": []}
    ]  # fmt: skip
    assert [(m["what"], m["reference"]) for m in second["missed"]] == [("e", [[2, 3]])]
    assert output["terms"]["matched"] == "different words that both have"


def test_each_of_several_references_is_explained(demo_folder):
    lines = explained(f"'{demo_folder}' -m cosine {LEAD}").lines
    assert lines[3] == "mean of m1, m2, m3"
    references = [line for line in lines if line.startswith("against ")]
    assert references == [f"against m{n}" for n in (1, 2, 3)]
    headings = [line.split("  ")[0] for line in lines if line.endswith("lead (candidate)")]
    assert headings == [f"m{n} (reference)" for n in (1, 2, 3)]


def test_a_pair_from_standard_input_and_an_empty_one_whose_value_is_null(texts):
    call = ("explain", "--candidate", "-", "--reference", "r1.txt", "-m", "lcs", "--json")
    (output,) = succeed(*call, stdin=b"b c d").json
    assert output["values"]["f"] == 1.0
    explained(f"{PAIR} r1.txt -m lcs --id 1 --system candidate")
    (texts / "empty.txt").write_text("")
    (output,) = explained(f"{PAIR} empty.txt -m unit_overlap --json").json
    assert output["values"] == {"value": None}


def test_with_jackknifing_each_group_is_explained(demo_folder):
    output = explained(f"'{demo_folder}' -m lcs {LEAD} --json --protocol all_peers").json
    against = [[part["against"] for part in entry["parts"]] for entry in output]
    assert against == [["m2", "m3"], ["m1", "m3"], ["m1", "m2"]]


@pytest.mark.parametrize("protocol", ["no_models", "all_peers"])
def test_what_is_missing_is_noted_once(demo_folder, protocol):
    typed = f"'{demo_folder}' -m coselection -m unit_overlap --id t01 --system echo"
    done = explained(f"{typed} --json --protocol {protocol}")
    assert {entry["metric"] for entry in done.json} == {"unit_overlap"}
    note = "note: coselection has no value here: it needs the units of the candidate\n"
    assert done.err == note


def test_a_language_that_nobody_names_is_guessed_as_in_score(here):
    write(here / "one.jsonl", [(1, "a", "The ferry and the pier.", "A ferry at the pier.")])
    done = explained("one.jsonl -m 'keywords(against=references)'")
    assert "matched: ferry, pier" in done.lines
    assert "the language is guessed to be English; --language names another" in done.err


def test_topics_are_listed_by_how_far_two_systems_differ(here):
    """Of two words the systems share none, one or two with the reference."""
    texts = {(1, "a"): "fog", (1, "b"): "fog pier", (2, "a"): "fog pier", (2, "b"): "ice"}
    write(here / "two.jsonl", [(*who, text, "fog pier") for who, text in texts.items()])
    asked = "two.jsonl -m rouge1.recall --differ a b"
    assert [" ".join(line.split()) for line in explained(asked).lines] == [
        "rouge1.recall: a minus b", "id a b difference", "2 1 0 +1.0000", "1 0.5000 1 -0.5000"
    ]  # fmt: skip
    (output,) = explained(f"{asked} --json").json
    assert [row["difference"] for row in output["rows"]] == [1, -0.5]


def test_the_note_on_an_empty_summary_is_in_the_json(here):
    write(here / "empty.jsonl", [(1, "a", "", "Fog.")])
    (output,) = explained("empty.jsonl -m rouge1 --json").json
    assert output["note"] == "the summary is empty, which counts as the worst value"
    assert output["values"] == {"recall": 0, "precision": 0, "f": 0}
