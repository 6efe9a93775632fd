"""What a test of judges and a judge's run wrote to files, read back."""

import json

import pytest

from summetry.errors import SummetryError
from summetry.formats.judge_tables import read_alt_test, read_judge

JUDGE = {
    "judge": "llm", "dimension": "quality", "tested": "llm", "winning_rate": 1, "advantage": 0.75,
    "behind": None, "p": None, "beaten": None, "verdict": "passes",
}  # fmt: skip
ANNOTATOR = {
    "judge": "llm", "dimension": "quality", "annotator": "ann", "instances": 12, "advantage": None,
    "annotator_advantage": None, "p": None, "corrected_p": None, "wins": "no",
}  # fmt: skip
ALT_TEST = {
    "settings": {"alignment": "rmse", "epsilon": 0.1, "alpha": 0.05, "seed": 0},
    "verdicts": ["quality: llm passes"],
    "judges": {"title": "Judges", "rows": [JUDGE], "notes": ["a note"]},
    "annotators": {"title": "Annotators", "rows": [ANNOTATOR], "notes": []},
}
BIAS = {"dimension": "d", "bias": "flips", "value": 0.25, "low": None, "high": None, "number": 4}
SYSTEM = {
    "dimension": "d", "system": "ada", "topics": 4, "asked": 4, "mark": 3, "parse_failure": 0,
    "refusal": 1, "no_answer": 0, "not_asked": 0, "mean": 3, "low": 2.5, "high": 3.5, "worst": 2,
    "best": 4,
}  # fmt: skip
JUDGED = {
    "model": "m",
    "requests": {"mark": 3, "refusal": 1},
    "points": {"title": "Marks", "rows": [SYSTEM], "notes": []},
    "biases": {"title": "Biases", "rows": [BIAS], "notes": []},
}


def written(path, data):
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def test_a_test_of_judges_has_its_rows_settings_and_verdicts(tmp_path):
    found = read_alt_test(written(tmp_path / "a.json", ALT_TEST))
    assert (found.settings.epsilon, found.verdicts) == (0.1, ("quality: llm passes",))
    (judge,), (annotator,) = found.judges.rows, found.annotators.rows
    assert (judge.tested, judge.winning_rate, judge.behind) == ("llm", 1.0, None)
    assert (annotator.annotator, annotator.instances, annotator.advantage) == ("ann", 12, None)
    assert found.judges.notes == ("a note",)


def test_a_run_of_a_judge_has_the_modes_that_are_there(tmp_path):
    found = read_judge(written(tmp_path / "a.json", JUDGED))
    assert (found.model, found.requests) == ("m", {"mark": 3, "refusal": 1})
    (system,), (bias,) = found.points.rows, found.biases.rows
    assert (system.system, system.worst, bias.bias, bias.low) == ("ada", 2.0, "flips", None)
    assert found.pairs.rows == found.units.rows == ()


EMPTY = {"title": "", "rows": [], "notes": []}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", r"a\.json: expected what `summetry alt-test -o FILE\.json` writes, found no JSON"),
        ("judge,dimension\nllm,quality\n", "alt-test -o FILE.json` writes, found no JSON"),
        (JUDGED, "found JSON of another kind: Object missing required field `settings`"),
        ([1], "found JSON of another kind: Expected `object`, got `array`"),
        ({**ALT_TEST, "judges": EMPTY}, "alt-test -o FILE.json` writes, found no rows"),
        (
            {**ALT_TEST, "judges": {"rows": [{**JUDGE, "advantage": "much"}]}},
            r"Expected `float`, got `str` - at `\$\.judges\.rows\[0\]\.advantage`",
        ),
    ],
)
def test_what_no_test_of_judges_wrote_is_refused(tmp_path, data, message):
    with pytest.raises(SummetryError, match=message):
        read_alt_test(written(tmp_path / "a.json", data))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", r"a\.json: expected what `summetry judge --tables FILE\.json` writes, found no JSON"),
        (ALT_TEST, "found JSON of another kind: Object missing required field `model`"),
        ({**JUDGED, "points": EMPTY}, "judge --tables FILE.json` writes, found no rows"),
        ({"model": "m", "requests": {}}, "judge --tables FILE.json` writes, found no rows"),
    ],
)
def test_what_no_judge_wrote_is_refused(tmp_path, data, message):
    with pytest.raises(SummetryError, match=message):
        read_judge(written(tmp_path / "a.json", data))


def test_bytes_that_are_no_text_are_no_json(tmp_path):
    (tmp_path / "a.json").write_bytes(b'{"model": "\xff"}')
    with pytest.raises(SummetryError, match="found no JSON"):
        read_judge(tmp_path / "a.json")


@pytest.mark.parametrize("read", [read_alt_test, read_judge])
def test_a_file_that_is_not_there_is_named(tmp_path, read):
    with pytest.raises(SummetryError, match=r"none\.json: no such file or folder"):
        read(tmp_path / "none.json")
