"""``summetry explain``: in words, as JSON, and what it says where there is nothing to explain.

tests/metrics has what is explained of each metric, tests/reports how it is shown.
"""

import json
import shlex

import pytest
from command_line import succeed

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


def test_what_is_shown_of_tables_texts_and_corpora(long_jsonl, texts, corpus, shows):
    """An id is enough where it has one summary; names come back as typed, notes but once."""
    (texts / "w.txt").write_text(" ".join(f"w{i}" for i in range(100)))
    empty = [(1, "a", "", "Fog.")]
    write(texts / "empty.jsonl", empty)
    write(texts / "one.jsonl", [(1, "a", "The ferry and the pier.", "A ferry at the pier.")])
    # Of two words the systems share none, one or two with the reference.
    two = {(1, "a"): "fog", (1, "b"): "fog pier", (2, "a"): "fog pier", (2, "b"): "ice"}
    write(texts / "two.jsonl", [(*who, text, "fog pier") for who, text in two.items()])
    shows(
        "explain long.jsonl -m rouge1 --id 3 --system bart",
        "explain long.jsonl -m ROUGE-1,rouge-2 --id 4",
        "explain long.jsonl -m lcs --system t5",
        f"explain {PAIR} r1.txt --reference r2.txt -m unit_overlap --source s.txt",
        f"explain corpus -m pyramid {LEAD}",
        "explain corpus -m coselection -m unit_overlap --id t01 --system echo",
        f"explain {PAIR} w.txt -m rouge1",
        f"explain {PAIR} w.txt -m rouge1 --full",
        "explain empty.jsonl -m rouge1",
        "explain one.jsonl -m 'keywords(against=references)'",
        "explain two.jsonl -m rouge1.recall,lcs --differ a b",
    )


def test_a_terminal_gets_colours(long_jsonl, monkeypatch):
    """Green instead of brackets, texts in one column."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": "60"}.items():
        monkeypatch.setenv(name, value)
    lines = explained("long.jsonl -m rouge1 --id 4").lines
    assert "what matched is \x1b[1;32mgreen\x1b[0m" in lines
    assert lines.count("\x1b[1;32mFog\x1b[0m.") == 2


def test_json_has_the_places_of_matches_and_null_for_what_is_undefined(texts):
    (output,) = explained(f"{PAIR} r1.txt --reference r2.txt -m unit_overlap --json").json
    assert (output["metric"], output["spelling"]) == ("unit_overlap", "unit_overlap")
    assert (output["topic"], output["system"]) == ("1", "candidate")
    assert output["values"] == {"value": 0.375} and output["over"] == "mean"
    first, second = output["parts"]
    assert [m["what"] for m in first["matches"]] == ["b", "c"]
    assert second["matches"] == [
        {"what": "c", "weight": 1.0, "candidate": [[4, 5]], "reference": [[0, 1]],
         "texts": [], "also": []}
    ]  # fmt: skip
    assert [(m["what"], m["reference"]) for m in second["missed"]] == [("e", [[2, 3]])]
    assert output["terms"]["matched"] == "different words that both have"
    call = ("explain", "--candidate", "-", "--reference", "r1.txt", "-m", "lcs", "--json")
    assert succeed(*call, stdin=b"b c d").json[0]["values"]["f"] == 1.0
    (texts / "empty.txt").write_text("")
    (output,) = explained(f"{PAIR} empty.txt -m unit_overlap --json").json
    assert output["values"] == {"value": None}
    write(texts / "two.jsonl", [(1, "a", "fog", "fog"), (1, "b", "", "fog")])
    (output,) = explained("two.jsonl -m rouge1.recall --differ a b --json").json
    assert [row["difference"] for row in output["rows"]] == [1]


def test_with_jackknifing_each_group_is_explained_and_a_note_stands_once(corpus):
    output = explained(f"corpus -m lcs {LEAD} --json --protocol all_peers").json
    against = [[part["against"] for part in entry["parts"]] for entry in output]
    assert against == [["m2", "m3"], ["m1", "m3"], ["m1", "m2"]]
    typed = "corpus -m coselection -m unit_overlap --id t01 --system echo"
    done = explained(f"{typed} --json --protocol all_peers")
    note = "note: coselection has no value here: it needs the units of the candidate\n"
    assert done.err == note


def test_which_summary_must_be_clear(long_jsonl, texts, corpus, refuses):
    """Only what there are several of is asked for; a wrong name is never passed over."""
    write(texts / "systems.jsonl", [(1, "a", "Fog.", "Fog."), (1, "b", "Fog.", "Fog.")])
    write(texts / "ids.jsonl", [(1, "a", "Fog.", "Fog."), (2, "a", "Fog.", "Fog.")])
    refuses(f"""
        explain long.jsonl -m rouge1 --id 3
        explain long.jsonl -m rouge1 --system bart
        explain long.jsonl -m rouge1 --topic 3
        explain long.jsonl -m rouge1 --author 3
        explain long.jsonl -m rouge1 --differ bart brat
        explain systems.jsonl -m rouge1
        explain ids.jsonl -m rouge1
        explain corpus -m lcs
        explain corpus -m lcs --id t01
        explain corpus -m lcs --system lead
        explain corpus -m lcs --id t011 --system lead
        explain corpus -m lcs --id t01 --system led
        explain corpus -m lcs --system led
        explain {PAIR} r1.txt -m lcs --id 2
        explain {PAIR} r1.txt -m lcs --system me
        explain {PAIR} r1.txt -m retention
    """)
