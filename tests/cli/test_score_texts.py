"""``summetry score --candidate``: one summary, or folders of them."""

import shlex

import pytest
from command_line import assert_refused, run_command, succeed

from summetry import score

ONE = "score --candidate a.txt --reference r1.txt"
TWO = f"{ONE} --reference r2.txt"


def typed(line, **options):
    return succeed(*shlex.split(line), **options)


@pytest.fixture(autouse=True)
def files(texts):
    (texts / "empty.txt").write_text("")
    return texts


@pytest.mark.parametrize("spelling", ["unit_overlap( n = 1 )", "lcs.recall", "lcs"])
def test_json_of_one_pair_has_values_and_signatures_by_the_spelling_that_was_used(spelling):
    output = typed(f"{TWO} -m unit_overlap -m '{spelling}' --json").json
    expected = score("a b c", ["b c d", "c e"], ["unit_overlap", spelling])
    signatures = [values.pop("signature") for values in output.values()]
    assert signatures[0].startswith("unit_overlap|text:auto,words,fold|refs:2,mean|data:")
    assert output == {name: dict(values) for name, values in expected.items()}
    assert list(output) == ["unit_overlap", spelling.removesuffix(".recall")]
    assert output["unit_overlap"] == {"value": 0.375}


def test_tables_of_one_pair(shows):
    """What one reference makes equal is shown once; other graphs are another number."""
    graphs = "-m autosummeng -m memog -m npower"
    shows(
        f"{TWO} -m unit_overlap -m lcs.f -o s.csv",
        f"{ONE} {graphs}",
        f"{TWO} {graphs}",
        f"{ONE} -m autosummeng.vs -m memog(window=2).vs",
        "score --candidate a.txt --reference empty.txt -m unit_overlap",
    )
    # Programs get every value.
    output = typed(f"{ONE} {graphs} --json").json
    assert output["memog"]["vs"] == output["npower"]["memog"] == output["autosummeng"]["vs"]
    output = typed("score --candidate a.txt --reference empty.txt -m unit_overlap --json").json
    assert output["unit_overlap"]["value"] is None
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
    output = typed(f"score {options} -m unit_overlap,compression --json", stdin=content).json
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


def test_the_language_is_passed_on(files):
    (files / "a.txt").write_text("the cats")
    (files / "r1.txt").write_text("a cat")
    metric = "unit_overlap(text=auto(stem=true,stop=true))"
    (output,) = typed(f"{ONE} -m {metric} --language en --json").json.values()
    assert output["value"] == 1.0


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


def test_mistakes(refuses):
    refuses(f"""
        score a.txt --reference r1.txt
        score a.txt --reference highlights
        {TWO} -m rouge1.f2
    """)
    done = run_command("score", "--candidate", "-", "--reference", "r1.txt", stdin=b"a\nb \xff")
    words = "standard input:2: expected UTF-8, found the byte 0xff; save the file as UTF-8\n"
    assert_refused(done, 2, f"error: {words}")
