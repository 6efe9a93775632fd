"""Errors: each message says what was expected, what was found, where, and what to do."""

import pytest

from summetry import compare, score
from summetry.errors import (
    FormatError,
    MissingPackageError,
    Place,
    SummetryError,
    UnknownNameError,
    counted,
    did_you_mean,
    for_python,
    in_python,
    shorten,
)


def test_only_one_thing_is_singular():
    topics = ", ".join(counted(number, "topic") for number in (0, 1, 2, 1_044))
    assert topics == "0 topics, 1 topic, 2 topics, 1,044 topics"
    assert [counted(n, "summary") for n in range(3)] == ["0 summaries", "1 summary", "2 summaries"]


@pytest.mark.parametrize(
    ("name", "names", "hint"),
    [
        ("coselction", ["cosine", "coselection"], " Did you mean 'coselection'?"),
        ("xyz", ["cosine", "coselection"], ""),
        ("xyz", [], ""),
        ("ROUGE-1", ["rouge-1", "rougeL"], " Did you mean 'rouge-1'?"),
        ("rougel", ["rouge-1", "rougeL"], " Did you mean 'rougeL'?"),
        # Of several names with the same beginning one is proposed alone if it is the name itself.
        ("a", ["A, B", "A, C"], " Did you mean one of 'A, B', 'A, C'?"),
        ("t1", ["t10", "t11", "T1"], " Did you mean 'T1'?"),
    ],
)
def test_near_names_are_proposed_and_far_ones_are_not(name, names, hint):
    assert did_you_mean(name, names) == hint


@pytest.mark.parametrize(("names", "known"), [(["t2", "t1"], "t1, t2"), ([], "none")])
def test_where_no_command_lists_them_the_message_does(names, known):
    message = str(UnknownNameError("topic", "zz", names))
    assert message == f"no topic is named 'zz'. Known: {known}."


def test_of_very_many_names_some_are_listed():
    message = str(UnknownNameError("id", "zz", (f"a{number:06}" for number in range(100_000))))
    assert message.startswith("no id is named 'zz'. Known: a000000, a000001, ")
    assert message.endswith(" and 99,960 more.") and len(message) < 500


def test_a_format_error_says_where_expected_found_and_what_to_do():
    assert str(Place("a/topics.jsonl")) == "a/topics.jsonl"
    place = Place("topics.jsonl", 3)
    error = FormatError(place, "UTF-8", "the byte 0xff", "save the file as UTF-8")
    expected = "topics.jsonl:3: expected UTF-8, found the byte 0xff"
    assert str(error) == f"{expected}; save the file as UTF-8"
    assert error.place == place and str(place) == "topics.jsonl:3"
    assert str(FormatError(place, "UTF-8", "the byte 0xff")) == expected


def test_a_missing_package_names_what_to_install():
    assert str(MissingPackageError("a chart", "altair", "vl-convert-python")) == (
        "a chart needs the package altair, which is not installed: "
        "pip install altair vl-convert-python"
    )


def test_long_text_loses_its_middle_in_a_message():
    assert shorten("short") == "'short'"
    assert shorten("a" * 60) == repr("a" * 60)
    assert shorten("a" * 31 + "b" * 31) == repr("a" * 30 + "..." + "b" * 30)
    book = "a" * 200 + "x" + "b" * 200
    cut = "a" * 200 + "..." + "b" * 200
    assert (
        str(FormatError(Place("t"), book, book, book)) == f"t: expected {cut}, found {cut}; {cut}"
    )


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
    ("function", "named", "hint"),
    [
        (score, {"predictions": ["a"]}, r"'predictions'\. Did you mean 'candidates'\?$"),
        (score, {"candidate": ["a"]}, r"'candidate'\. Did you mean 'candidates'\?$"),
        (score, {"candidates": ["a"], "refs": ["a"]}, r"'refs'\. Did you mean 'references'\?$"),
        (score, {"candidates": ["a"], "xyz": 1}, r"'xyz'$"),
        (score, {}, r"missing 1 required positional argument: 'candidates'$"),
        (score, {"candidates": ["a"], "references": ["a"], "stem": True},
         r"Stems are an option of a metric: 'rouge1\(stem=true\)'"),
        # What the function has under no name is not guessed.
        (compare, {"scores": "s.csv", "predictions": ["a"]},
         r"unexpected keyword argument 'predictions'$"),
    ],
)  # fmt: skip
def test_an_argument_that_is_named_otherwise_elsewhere_is_answered_by_ours(function, named, hint):
    with pytest.raises(TypeError, match=hint):
        function(metrics="rouge1", **named)


def test_an_error_within_a_call_stands_as_it_is():
    @for_python
    def fail(candidates, **more):
        raise TypeError("no 'refs' here")

    with pytest.raises(TypeError, match=r"^no 'refs' here$"):
        fail([], refs=[])
