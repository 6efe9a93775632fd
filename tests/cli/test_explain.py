"""``summetry explain``: in words, as JSON, and what it says where there is nothing to explain."""

import pytest

import summetry
from summetry.metrics import METRICS

LEAD = ("--topic", "t01", "--author", "lead")


@pytest.mark.parametrize("name", METRICS.names())
def test_the_values_are_those_of_score(scored, demo, demo_folder, name):
    table = summetry.evaluate(demo, [name])
    (row,) = [i for i, r in enumerate(table.rows) if (r.topic, r.author) == ("t01", "lead")]
    expected = {c.value: table.data[row, i] for i, c in enumerate(table.columns)}
    (output,) = scored("explain", demo_folder, "-m", name, *LEAD, "--json").json
    assert (output["metric"], output["topic"], output["author"]) == (name, "t01", "lead")
    assert output["values"] == pytest.approx(expected, rel=1e-14)
    lines = scored("explain", demo_folder, "-m", name, *LEAD).lines
    for value, number in expected.items():
        assert f"{value} {number:.6f}".split() in [line.split() for line in lines]


def test_a_pair_in_words(scored, texts):
    done = scored("explain", "--candidate", "a.txt", "--reference", "r1.txt", "-m", "unit_overlap")
    assert done.lines == [
        "unit_overlap  topic 1  author candidate",
        "value  score",
        "value  0.500000",
        "",
        "a b c",
        "",
        "against reference 1",
        "matched = 2, candidate = 3, reference = 3",
        "value = matched / (candidate + reference - matched)",
        "matched  weight",
        "b        1",
        "c        1",
    ]


def test_a_pair_as_json_has_the_places_of_matches(scored, texts):
    call = ("explain", "--candidate", "a.txt", "--reference", "r1.txt", "--reference", "r2.txt")
    (output,) = scored(*call, "-m", "unit_overlap", "--json").json
    assert output["values"] == {"value": 0.375} and output["over"] == "mean"
    first, second = output["parts"]
    assert [m["what"] for m in first["matches"]] == ["b", "c"]
    assert second["matches"] == [
        {"what": "c", "weight": 1.0, "candidate": [[4, 5]], "reference": [[0, 1]]}
    ]


def test_several_references_and_many_matches_are_told(scored, demo_folder):
    lines = scored("explain", demo_folder, "-m", "cosine", *LEAD).lines
    assert [line for line in lines if line.startswith("against ")] == [
        "against m1", "against m2", "against m3",
    ]  # fmt: skip
    assert any(line.startswith("... and ") and "--json has all" in line for line in lines)
    assert lines[-1] == "the value is the mean over 3 references"


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
    call = ("explain", demo_folder, "-m", "coselection", "-m", "unit_overlap", "--topic", "t01")
    done = scored(*call, "--author", "echo", "--json", "--protocol", protocol)
    assert {entry["metric"] for entry in done.json} == {"unit_overlap"}
    assert done.err == (
        "note: coselection has no value here, for want of the units of the candidate\n"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "the corpus 'demo' has many summaries: name one with --topic and --author"),
        (("--topic", "t01"), "has many summaries"),
        (("--topic", "t011", "--author", "lead"), "no topic is named 't011'. Did you mean 't01'?"),
        (("--topic", "t01", "--author", "led"), "of t01 is named 'led'. Did you mean 'lead'?"),
    ],
)
def test_which_summary_must_be_clear(call, demo_folder, options, message):
    done = call("explain", demo_folder, "-m", "lcs", *options)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--topic", "2"), "no topic is named '2'. Known: 1."),
        (("--author", "me"), "no author of a summary of 1 is named 'me'. Known: candidate."),
        (("--topic", "1", "--author", "me"), "no author of a summary of 1 is named 'me'"),
    ],
)
def test_a_wrong_name_is_not_passed_over_where_there_is_one_summary(call, texts, options, message):
    done = call("explain", "--candidate", "a.txt", "--reference", "r1.txt", "-m", "lcs", *options)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    one = ("explain", "--candidate", "a.txt", "--reference", "r1.txt", "-m", "lcs")
    assert call(*one, "--topic", "1", "--author", "candidate").code == 0
