"""``summetry score --candidate``: one summary, or folders of them."""

import json
import shlex

import pytest
from command_line import assert_refused, run_command, succeed

from summetry import score

ONE = "score --candidate a.txt --reference r1.txt"
TWO = f"{ONE} --reference r2.txt"
EMPTY = "score --candidate a.txt --reference empty.txt"


def typed(line, **options):
    return succeed(*shlex.split(line), **options)


def names_of_values(done):
    return [line.split()[0] for line in done.lines[1 : done.lines.index("")]]


@pytest.fixture(autouse=True)
def files(texts):
    (texts / "empty.txt").write_text("")
    return texts


@pytest.mark.parametrize(
    "spelling", ["unit_overlap(references=best)", "unit_overlap( n = 1 )", "lcs.recall", "lcs"]
)
def test_json_of_one_pair_has_values_and_signatures_by_the_spelling_that_was_used(spelling):
    output = typed(f"{TWO} -m unit_overlap -m '{spelling}' --json").json
    expected = score("a b c", ["b c d", "c e"], ["unit_overlap", spelling])
    signatures = [values.pop("signature") for values in output.values()]
    assert signatures[0].startswith("unit_overlap|text:auto,words,fold|refs:2,mean|data:")
    assert output == {name: dict(values) for name, values in expected.items()}
    assert list(output) == ["unit_overlap", spelling.removesuffix(".recall")]
    assert output["unit_overlap"] == {"value": 0.375}


def test_one_pair_as_a_table():
    done = typed(f"{TWO} -m unit_overlap -m lcs.f -o s.csv")
    assert done.lines[:3] == [
        "value         score",
        "unit_overlap  0.375000",
        "lcs.f         0.533333",
    ]
    assert [line.split()[0] for line in done.lines[4:7]] == ["unit_overlap", "lcs", "all"]
    assert done.lines[6].startswith("all           text:auto,words,fold|refs:2,mean|data:")
    assert done.lines[7] == "wrote s.csv and s.csv.signatures.json"


def test_graph_metrics_that_are_one_with_one_reference_are_shown_once():
    graphs = "-m autosummeng -m memog -m npower"
    done = typed(f"{ONE} {graphs}")
    assert names_of_values(done) == ["autosummeng.vs", "autosummeng.nvs", "npower"]
    assert done.lines[5:8] == [
        "with one reference the same as autosummeng.vs: memog.vs, npower.autosummeng,",
        "npower.memog",
        "with one reference the same as autosummeng.nvs: memog.nvs",
    ]
    # Programs get every value, and so do people who compare with several references.
    output = typed(f"{ONE} {graphs} --json").json
    assert output["memog"]["vs"] == output["npower"]["memog"] == output["autosummeng"]["vs"]
    assert names_of_values(typed(f"{TWO} {graphs}")) == [
        "autosummeng.vs", "autosummeng.nvs", "memog.vs", "memog.nvs",
        "npower", "npower.autosummeng", "npower.memog",
    ]  # fmt: skip
    # Other graphs are another number.
    done = typed(f"{ONE} -m autosummeng.vs -m memog(window=2).vs")
    assert names_of_values(done) == ["autosummeng.vs", "memog(window=2).vs"]


def test_what_is_undefined_is_null_in_plain_json_and_a_dash():
    output = json.loads(typed(f"{EMPTY} -m unit_overlap --json").out, parse_constant=pytest.fail)
    assert output["unit_overlap"]["value"] is None
    assert typed(f"{EMPTY} -m unit_overlap").lines[1].split() == ["unit_overlap", "-"]
    # An empty candidate has the worst value.
    output = typed("score --candidate empty.txt --reference r1.txt --json").json
    values = {name: values["f"] for name, values in output.items()}
    assert values == {"rouge-1": 0, "rouge-2": 0, "rouge-l": 0}


@pytest.mark.parametrize("option", ["--candidate", "--reference", "--source"])
def test_one_of_the_texts_may_be_standard_input(files, option):
    names = {"--candidate": "a.txt", "--reference": "r1.txt", "--source": "s.txt"}
    content = b"\xef\xbb\xbf" + (files / names[option]).read_bytes()
    names[option] = "-"
    options = " ".join(f"{option} {name}" for option, name in names.items())
    output = typed(f"score {options} --all --json", stdin=content).json
    assert output["unit_overlap"]["value"] == output["compression"]["value"] == 0.5


def test_folders_are_matched_by_name(files):
    for name, text in {"sys/1": "a b c", "sys/2": "x", "ann/1": "b c d", "bob/1": "c e"}.items():
        (files / f"{name}.txt").parent.mkdir(exist_ok=True)
        (files / f"{name}.txt").write_text(text)
    folders = "--candidate sys --reference ann --reference bob"
    output = typed(f"score {folders} -m unit_overlap --json").json
    (system,) = output["systems"]
    assert (system["system"], system["topics"]) == ("sys", 1), "one topic has no reference"
    assert system["means"]["unit_overlap"]["value"] == 0.375
    assert system["undefined"]["unit_overlap"]["value"] == 1
    assert output["signatures"]["unit_overlap"].split("|")[2] == "refs:0-2,mean"


def test_the_language_is_passed_on_and_a_long_text_is_scored(files):
    (files / "a.txt").write_text("the cats")
    (files / "r1.txt").write_text("a cat")
    metric = "unit_overlap(text=auto(stem=true,stop=true))"
    (output,) = typed(f"{ONE} -m {metric} --language en --json").json.values()
    assert output["value"] == 1.0
    (files / "a.txt").write_text(" ".join(f"w{i % 5000}" for i in range(200_000)))
    line = "score --candidate a.txt --reference a.txt -m unit_overlap --json"
    assert typed(line).json["unit_overlap"]["value"] == 1.0


@pytest.mark.parametrize("command", ["score", "explain"])
def test_two_files_of_as_many_lines_may_be_many_summaries(files, command):
    for name in ("hyp", "ref"):
        (files / f"{name}.txt").write_text("A ferry sank. Fog came.\nThe pier is old.\n" * 2)
    line = f"{command} --candidate hyp.txt --reference ref.txt -m rouge1"
    assert typed(line).err == (
        "note: both files have 4 lines; if each line is a summary: "
        f"summetry {command} hyp.txt --references ref.txt\n"
    )
    # Other numbers of lines, or lines that are no sentences, are one text each.
    for text in ("One two three.\n" * 3, "a b\n" * 4):
        (files / "ref.txt").write_text(text)
        assert typed(line).err == ""


@pytest.mark.parametrize(
    ("name", "value"),
    [("fmeasure", "f"), ("f1", "f"), ("F1", "f"), ("p", "precision"), ("r", "recall")],
)
def test_values_may_have_the_names_of_other_programs(name, value):
    output = typed(f"{TWO} -m rouge-1.{name} --json").json
    expected = score("a b c", ["b c d", "c e"], ["rouge-1"])["rouge-1"]
    assert output["rouge-1"][value] == expected[value] and len(output["rouge-1"]) == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("score --candidate - --reference r1.txt",
         "standard input:2: expected UTF-8, found the byte 0xff; save the file as UTF-8"),
        ("score a.txt --reference r1.txt",
         "--reference and --source go with --candidate; if each line or row is a summary: summetry "
         "score a.txt --references r1.txt; if the file is one summary: summetry score --candidate "
         "a.txt --reference r1.txt"),
        (f"{TWO} -m rouge1.f2", "rouge1 has no value 'f2'; its values: recall, precision, f"),
    ],
)  # fmt: skip
def test_mistakes_are_told_in_one_line(line, message):
    done = run_command(*shlex.split(line), stdin=b"a\nb \xff")
    assert_refused(done, 2, f"error: {message}\n")
    done = run_command("score", "a.txt", "--reference", "highlights")
    assert done.err.endswith("a column of a table is named by --columns reference=highlights\n")
