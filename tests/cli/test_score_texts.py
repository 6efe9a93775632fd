"""``summetry score --candidate``: one summary, or folders of them."""

import json

import pytest

from summetry import score

ONE = ("score", "--candidate", "a.txt", "--reference", "r1.txt", "--reference", "r2.txt")


def test_one_pair_as_json_has_the_spelling_that_was_used(scored, texts):
    done = scored(*ONE, "--source", "s.txt", "-m", "unit_overlap", "--json")
    (entry,) = done.json.values()
    assert done.json == {"unit_overlap": {"value": 0.375, "signature": entry["signature"]}}
    assert entry["signature"].startswith("unit_overlap|text:auto,words,fold|refs:2,mean|data:")


@pytest.mark.parametrize(
    "spelling", ["unit_overlap(references=best)", "unit_overlap( n = 1 )", "lcs.recall", "lcs"]
)
def test_every_spelling_is_its_own_key(scored, texts, spelling):
    output = scored(*ONE, "-m", "cosine", "-m", spelling, "--json").json
    expected = score("a b c", ["b c d", "c e"], ["cosine", spelling])
    for values in output.values():
        del values["signature"]
    assert output == {name: dict(values) for name, values in expected.items()}
    assert list(output) == ["cosine", spelling.removesuffix(".recall")]


def test_one_pair_as_a_table(scored, texts):
    done = scored(*ONE, "-m", "unit_overlap", "-m", "lcs.f", "-o", "s.csv")
    assert done.lines[:3] == [
        "value         score",
        "unit_overlap  0.375000",
        "lcs.f         0.533333",
    ]
    assert [line.split()[0] for line in done.lines[4:7]] == ["unit_overlap", "lcs", "all"]
    assert done.lines[6].startswith("all           text:auto,words,fold|refs:2,mean|data:")
    assert done.lines[7] == "wrote s.csv and s.csv.signatures.json"


GRAPHS = ("-m", "autosummeng", "-m", "memog", "-m", "npower")


def test_graph_metrics_that_are_one_with_one_reference_are_shown_once(scored, texts):
    one = ("score", "--candidate", "a.txt", "--reference", "r1.txt")
    done = scored(*one, *GRAPHS)
    shown = [line.split()[0] for line in done.lines[1 : done.lines.index("")]]
    assert shown == ["autosummeng.vs", "autosummeng.nvs", "npower"]
    assert done.lines[5:8] == [
        "with one reference the same as autosummeng.vs: memog.vs, npower.autosummeng,",
        "npower.memog",
        "with one reference the same as autosummeng.nvs: memog.nvs",
    ]
    # Programs get every value, and so do people who compare with several references.
    whole = scored(*one, *GRAPHS, "--json").json
    assert whole["memog"]["vs"] == whole["npower"]["memog"] == whole["autosummeng"]["vs"]
    several = scored(*ONE, *GRAPHS).lines
    assert [line.split()[0] for line in several[1 : several.index("")]] == [
        "autosummeng.vs", "autosummeng.nvs", "memog.vs", "memog.nvs",
        "npower", "npower.autosummeng", "npower.memog",
    ]  # fmt: skip
    # Other graphs are another number.
    other = scored(*one, "-m", "autosummeng.vs", "-m", "memog(window=2).vs").lines
    assert [line.split()[0] for line in other[1:3]] == ["autosummeng.vs", "memog(window=2).vs"]


def test_what_is_undefined_is_null_and_a_dash(scored, texts):
    (texts / "empty.txt").write_text("")
    call = ("score", "--candidate", "a.txt", "--reference", "empty.txt", "-m", "unit_overlap")
    assert scored(*call, "--json").json["unit_overlap"]["value"] is None
    assert scored(*call).lines[1].split() == ["unit_overlap", "-"]


def test_an_empty_candidate_has_the_worst_value(scored, texts):
    (texts / "empty.txt").write_text("")
    done = scored("score", "--candidate", "empty.txt", "--reference", "r1.txt", "--json")
    assert {name: values["f"] for name, values in done.json.items()} == {
        "rouge-1": 0, "rouge-2": 0, "rouge-l": 0
    }  # fmt: skip


@pytest.mark.parametrize("place", ["--candidate", "--reference", "--source"])
def test_one_of_the_texts_may_be_standard_input(scored, texts, place):
    names = {"--candidate": "a.txt", "--reference": "r1.txt", "--source": "s.txt"}
    content = b"\xef\xbb\xbf" + (texts / names[place]).read_bytes()
    names[place] = "-"
    options = [part for pair in names.items() for part in pair]
    done = scored("score", *options, "--all", "--json", stdin=content)
    assert done.json["unit_overlap"]["value"] == 0.5
    assert done.json["compression"]["value"] == 0.5


def test_standard_input_that_is_not_utf8_is_told(call, texts):
    options = ("--candidate", "-", "--reference", "r1.txt")
    done = call("score", *options, stdin=b"a\nb \xff")
    assert (done.code, done.out) == (2, "")
    message = "standard input:2: expected UTF-8, found the byte 0xff; save the file as UTF-8"
    assert done.err == f"error: {message}\n"


def test_folders_are_matched_by_name(scored, here):
    for name, text in {"sys/1": "a b c", "sys/2": "x", "ann/1": "b c d", "bob/1": "c e"}.items():
        (here / f"{name}.txt").parent.mkdir(exist_ok=True)
        (here / f"{name}.txt").write_text(text)
    done = scored(
        "score", "--candidate", "sys", "--reference", "ann", "--reference", "bob",
        "-m", "unit_overlap", "--json",
    )  # fmt: skip
    (system,) = done.json["systems"]
    assert (system["system"], system["topics"]) == ("sys", 1), "one topic has no reference"
    assert system["means"]["unit_overlap"]["value"] == 0.375
    assert system["undefined"]["unit_overlap"]["value"] == 1
    assert done.json["signatures"]["unit_overlap"].split("|")[2] == "refs:0-2,mean"


def test_the_language_is_passed_on(scored, here):
    (here / "a.txt").write_text("the cats")
    (here / "r.txt").write_text("a cat")
    call = ("score", "--candidate", "a.txt", "--reference", "r.txt", "--json")
    metric = ("-m", "unit_overlap(text=auto(stem=true,stop=true))")
    (output,) = scored(*call, *metric, "--language", "en").json.values()
    assert output["value"] == 1.0


def test_a_long_text_is_scored(scored, here):
    words = " ".join(f"w{i % 5000}" for i in range(200_000))
    (here / "long.txt").write_text(words)
    call = ("--candidate", "long.txt", "--reference", "long.txt", "-m", "unit_overlap", "--json")
    assert scored("score", *call).json["unit_overlap"]["value"] == 1.0


def test_json_is_plain_json(scored, texts):
    def refuse(name):
        raise AssertionError(name)

    (texts / "empty.txt").write_text("")
    done = scored("score", "--candidate", "a.txt", "--reference", "empty.txt", "--json")
    json.loads(done.out, parse_constant=refuse)


@pytest.mark.parametrize("command", ["score", "explain"])
def test_two_files_of_as_many_lines_may_be_many_summaries(scored, here, command):
    for name in ("hyp", "ref"):
        (here / f"{name}.txt").write_text("A ferry sank. Fog came.\nThe pier is old.\n" * 2)
    one = (command, "--candidate", "hyp.txt", "--reference", "ref.txt", "-m", "rouge1")
    note = (
        "note: both files have 4 lines; if each line is a summary: "
        f"summetry {command} hyp.txt --references ref.txt\n"
    )
    assert scored(*one).err == note
    # Other numbers of lines, or lines that are no sentences, are one text each.
    for text in ("One two three.\n" * 3, "a b\n" * 4):
        (here / "ref.txt").write_text(text)
        assert scored(*one).err == ""


def test_a_reference_beside_a_corpus_is_answered_with_the_commands(call, texts):
    done = call("score", "a.txt", "--reference", "r1.txt")
    assert (done.code, done.err) == (
        2,
        "error: --reference and --source go with --candidate; if each line or row is a summary: "
        "summetry score a.txt --references r1.txt; if the file is one summary: summetry score "
        "--candidate a.txt --reference r1.txt\n",
    )
    done = call("score", "a.txt", "--reference", "highlights")
    assert done.err.endswith("a column of a table is named by --columns reference=highlights\n")


@pytest.mark.parametrize(
    ("typed", "value"),
    [("fmeasure", "f"), ("f1", "f"), ("F1", "f"), ("p", "precision"), ("r", "recall")],
)
def test_values_may_have_the_names_of_other_programs(scored, texts, typed, value):
    output = scored(*ONE, "-m", f"rouge-1.{typed}", "--json").json
    expected = score("a b c", ["b c d", "c e"], ["rouge-1"])["rouge-1"]
    assert output["rouge-1"][value] == expected[value] and len(output["rouge-1"]) == 2


def test_a_value_that_is_not_there_is_answered_with_the_name_that_was_typed(call, texts):
    done = call(*ONE, "-m", "rouge1.f2")
    assert done.err == "error: rouge1 has no value 'f2'; its values: recall, precision, f\n"
