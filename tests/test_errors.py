"""Errors: each message says what was expected, what was found, where, and what to do."""

import pytest

from summetry import compare, score
from summetry.errors import (
    FormatError,
    MissingPackageError,
    NeedsError,
    Place,
    SummetryError,
    SummetryWarning,
    UnknownNameError,
    counted,
    did_you_mean,
    for_python,
    in_python,
    shorten,
)


@pytest.mark.parametrize("kind", [UnknownNameError, FormatError, NeedsError, MissingPackageError])
def test_every_error_of_a_user_has_one_base(kind):
    assert issubclass(kind, SummetryError)


def test_a_warning_is_not_an_error():
    assert issubclass(SummetryWarning, UserWarning)


def test_a_place_is_a_file_and_a_line_where_there_is_one():
    assert str(Place("a/topics.jsonl", 4)) == "a/topics.jsonl:4"
    assert str(Place("a/topics.jsonl")) == "a/topics.jsonl"


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0 summaries"), (1, "1 summary"), (2, "2 summaries"), (1_044, "1,044 summaries")],
)
def test_only_one_thing_is_singular(number, words):
    assert counted(number, "summary") == words
    assert counted(number, "topic") == words.replace("summaries", "topics").replace(
        "summary", "topic"
    )


def test_a_near_name_is_proposed_and_a_far_one_is_not():
    assert did_you_mean("coselction", ["cosine", "coselection"]) == " Did you mean 'coselection'?"
    assert did_you_mean("xyz", ["cosine", "coselection"]) == ""
    assert did_you_mean("xyz", []) == ""
    assert did_you_mean("ROUGE-1", ["rouge-1", "rougeL"]) == " Did you mean 'rouge-1'?"
    assert did_you_mean("rougel", ["rouge-1", "rougeL"]) == " Did you mean 'rougeL'?"


def test_several_names_with_the_same_beginning_are_proposed_unless_one_is_the_name_itself():
    assert did_you_mean("a", ["A, B", "A, C"]) == " Did you mean one of 'A, B', 'A, C'?"
    assert did_you_mean("t1", ["t10", "t11", "T1"]) == " Did you mean 'T1'?"


@pytest.mark.parametrize(
    ("kind", "command"),
    [("metric", "metrics"), ("format", "formats"), ("summarizer", "summarizers")],
)
def test_an_unknown_name_names_the_command_that_lists_all(kind, command):
    assert str(UnknownNameError(kind, "lsb", ["lsa", "lead"])) == (
        f"no {kind} is named 'lsb'. Did you mean 'lsa'? `summetry {command}` lists all."
    )


def test_where_no_command_lists_them_the_message_does():
    message = str(UnknownNameError("topic", "zz", ["t2", "t1"]))
    assert message == "no topic is named 'zz'. Known: t1, t2."
    assert str(UnknownNameError("topic", "zz", [])) == "no topic is named 'zz'. Known: none."


def test_of_very_many_names_some_are_listed():
    message = str(UnknownNameError("id", "zz", (f"a{number:06}" for number in range(100_000))))
    assert message.startswith("no id is named 'zz'. Known: a000000, a000001, ")
    assert message.endswith(" and 99,960 more.") and len(message) < 500


def test_a_format_error_says_where_expected_found_and_what_to_do():
    place = Place("topics.jsonl", 3)
    error = FormatError(place, "UTF-8", "the byte 0xff", "save the file as UTF-8")
    assert str(error) == (
        "topics.jsonl:3: expected UTF-8, found the byte 0xff; save the file as UTF-8"
    )
    assert error.place == place
    assert str(FormatError(place, "a", "b")) == "topics.jsonl:3: expected a, found b"


def test_a_missing_package_names_what_to_install():
    assert str(MissingPackageError("reading Parquet", "pyarrow")) == (
        "reading Parquet needs the package pyarrow, which is not installed: pip install pyarrow"
    )
    assert str(MissingPackageError("a chart", "altair", "vl-convert-python")) == (
        "a chart needs the package altair, which is not installed: "
        "pip install altair vl-convert-python"
    )
    assert str(MissingPackageError("a frame", "pandas")).endswith("pip install pandas")


def test_long_text_loses_its_middle_in_a_message():
    assert shorten("short") == "'short'"
    assert shorten("a" * 60) == repr("a" * 60)
    assert shorten("a" * 31 + "b" * 31) == repr("a" * 30 + "..." + "b" * 30)


@pytest.mark.parametrize(
    ("option", "argument"),
    [
        ("--columns: no such role", "columns: no such role"),
        ("say --columns id=NAME,system=by", "say columns={'id': 'NAME', 'system': 'by'}"),
        ("as in --columns candidate=bart+t5.", "as in columns={'candidate': 'bart+t5'}."),
        ("--draws 59 or more, or --test t, can", "draws=59 or more, or test='t', can"),
        ("prefer --test\npermutation", "prefer\ntest='permutation'"),
        ("to go on: --on-error skip", "to go on: on_error='skip'"),
        ("--protocol all_peers shows them", "protocol='all_peers' shows them"),
        ("--references FILE names them", "references=FILE names them"),
        ("--format 'table' reads it", "format='table' reads it"),
        ("--language names another", "language names another"),
        ("score again with -m rouge-2; or", "score again with metrics='rouge-2'; or"),
        ("`summetry rank --thesaurus FILE`", "`summetry rank --thesaurus FILE`"),
        ("a--b, x-m and -- stay", "a--b, x-m and -- stay"),
    ],
)
def test_options_of_the_command_line_are_arguments_in_python(option, argument):
    assert in_python(option) == argument
    assert in_python(argument) == argument


def test_an_error_speaks_of_python_only_where_python_calls():
    """A command calls the same function from a module of the package."""

    @for_python
    def fail():
        raise SummetryError("say --columns id=NAME")

    with pytest.raises(SummetryError, match=r"^say columns=\{'id': 'NAME'\}$"):
        fail()
    inside = {"__name__": "summetry.cli.example", "fail": fail}
    with pytest.raises(SummetryError, match=r"^say --columns id=NAME$"):
        eval("fail()", inside)


@pytest.mark.parametrize(
    ("named", "hint"),
    [
        ({"predictions": ["a"]}, r"'predictions'\. Did you mean 'candidates'\?$"),
        ({"candidate": ["a"]}, r"'candidate'\. Did you mean 'candidates'\?$"),
        ({"candidates": ["a"], "refs": ["a"]}, r"'refs'\. Did you mean 'references'\?$"),
        ({"candidates": ["a"], "xyz": 1}, r"'xyz'$"),
        ({}, r"missing 1 required positional argument: 'candidates'$"),
    ],
)
def test_an_argument_that_is_named_otherwise_elsewhere_is_answered_by_ours(named, hint):
    with pytest.raises(TypeError, match=hint):
        score(metrics="rouge1", **named)


def test_stems_as_an_argument_are_answered_by_the_spelling():
    with pytest.raises(TypeError, match=r"Stems are an option of a metric: 'rouge1\(stem=true\)'"):
        score(["a"], ["a"], "rouge1", stem=True)


def test_what_the_function_has_under_no_name_is_not_guessed():
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'predictions'$"):
        compare("scores.csv", predictions=["a"])


def test_an_error_within_a_call_stands_as_it_is():
    @for_python
    def fail(candidates, **more):
        raise TypeError("no 'refs' here")

    with pytest.raises(TypeError, match=r"^no 'refs' here$"):
        fail([], refs=[])
