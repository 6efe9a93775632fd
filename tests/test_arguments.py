"""Calls from Python with the wrong things: one message, which names the argument."""

import math
from inspect import signature
from pathlib import Path

import numpy as np
import pytest
from command_line import assert_refused, run_command

from summetry import compare, correlate, evaluate, load, score, summarize
from summetry.arguments import (
    as_list,
    as_names,
    as_path,
    check_choice,
    check_function,
    check_share,
    check_string,
    check_strings,
    check_whole,
    kind_of,
)
from summetry.errors import SummetryError
from summetry.files import is_text
from summetry.metrics import METRICS


@pytest.mark.parametrize("value", [["a", "b"], ("a", "b"), iter("ab"), np.array(["a", "b"])])
def test_whatever_has_items_is_a_list(value):
    assert as_list("x", value) == ["a", "b"]


@pytest.mark.parametrize("value", ["ab", b"ab", {"a": 1}, None, 3, {"a", "b"}])
def test_a_string_is_not_a_list_and_a_set_has_no_order_to_match_texts_by(value):
    order = ", whose order is left to" * isinstance(value, set)
    with pytest.raises(SummetryError, match=f"^x must be a list, got {kind_of(value)}{order}"):
        as_list("x", value)
    assert as_names("x", {"b", "a"}) == ["a", "b"]


def test_a_frame_is_not_taken_for_the_names_of_its_columns():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"summary": ["a b"], "gold": ["a"]})
    with pytest.raises(SummetryError, match=r"^references must be .*a DataFrame; give one of its"):
        score(["a b"], frame)
    for gold in (frame["gold"], [[text] for text in frame["gold"]]):
        scores = score(frame["summary"], gold, "unit_overlap")
        assert scores["unit_overlap"]["value"].tolist() == [0.5]


def test_a_path_is_a_string_or_a_path():
    assert as_path("x", "a/b", "a path") == as_path("x", Path("a/b"), "a path") == Path("a/b")
    for wrong in (None, 3, b"a", ["a"], ""):
        with pytest.raises(SummetryError, match=r"^x must be a path, got "):
            as_path("x", wrong, "a path")


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (lambda: as_names("x", ["a", None]), "x[1] must be a string, got None"),
        (lambda: check_string("x", 3), "x must be a string, got an int"),
        (lambda: check_choice("x", "stpo", ["stop", "skip"]),
         "x must be one of stop, skip, got 'stpo'. Did you mean 'stop'?"),
        (lambda: check_choice("x", 3, ["stop"]), "x must be one of stop, got 3"),
        (lambda: check_choice("x", [], ["stop"]), "x must be one of stop, got a list"),
        (lambda: check_choice("x", np.zeros(2), ["stop"]), "x must be one of stop, got an ndarray"),
        (lambda: check_function("x", 3), "x must be a function or None, got an int"),
        (lambda: check_strings(x=None, y=3), "y must be a string, got an int"),
        (lambda: check_whole("x", 0, 1), "x must be 1 or more, got 0"),
        (lambda: check_whole("x", 1.5, 1), "x must be a whole number, got 1.5"),
        (lambda: check_whole("x", True, 1), "x must be a whole number, got True"),
        (lambda: check_whole("x", None, 1), "x must be a whole number, got None"),
        (lambda: check_share("x", "5%"), "x must be a number, got '5%'"),
        (lambda: check_share("x", 1), "x must be between 0 and 1, such as 0.05, got 1"),
        (lambda: check_share("x", math.nan), "x must be between 0 and 1, such as 0.05, got nan"),
    ],
)  # fmt: skip
def test_a_check_says_what_it_wants(check, message):
    with pytest.raises(SummetryError) as caught:
        check()
    assert str(caught.value) == message


def test_score_takes_whatever_has_items():
    """Generators too, which can be asked once only."""
    scores = score(
        (text for text in ("a b", "c")),
        ([text] for text in ("a b", "c d")),
        (metric for metric in ("unit_overlap", "lcs.f")),
    )
    assert scores["unit_overlap"]["value"].tolist() == [1.0, 0.5]
    assert list(scores) == ["unit_overlap", "lcs"]
    assert list(scores["lcs"]) == ["f"], "the only value that was asked for"
    # One shared word of one and of two: precision 1, recall 1/2.
    assert scores["lcs.f"].tolist() == pytest.approx([1.0, 2 / 3])


NO_TEXT = "must be a text or a list of texts"
NO_TEXTS = "references must be a text, or a list of texts, for each candidate"
WRONG = {
    "score": [
        ({"candidates": b"a"}, f"candidates {NO_TEXT}, got bytes; .deco"),
        ({"candidates": [b"a"]}, "candidates[0] must be a text, got bytes; .decode() makes a text"),
        ({"candidates": np.array("a")}, "got an ndarray without dimensions; .item() takes out"),
        ({"references": [], "metrics": "rouge1"}, "rouge1 needs references, which the call does"),
        ({"references": None}, f"for one candidate references {NO_TEXT}, got None"),
        ({"candidates": ["a"], "references": None}, f"{NO_TEXTS}, got None"),
        ({"candidates": ["a"], "references": "a"}, f"{NO_TEXTS}, got a string"),
        ({"metrics": []}, "at least one metric is needed"),
        ({"metrics": ["lcs", 3]}, "metrics[1] must be a metric, its spelling or a fun"),
        ({"metrics": [METRICS.get("lcs")]}, "its spelling or a function, got the class Lcs"),
        ({"candidates": {"a"}}, f"candidates {NO_TEXT}, got a set, whose order"),
        ({"references": {"a"}}, f"for one candidate references {NO_TEXT}, got a set, whose"),
        ({"references": []}, "does not have; what would give it: the argument references"),
        ({"metrics": ["compression"]}, "does not have; what would give it: the argument sources"),
    ],
    "load": [
        ({"path": ["a"]}, "path must be a path or a frame, got a list"),
        ({"on_error": "skp"}, "on_error must be one of stop, skip, got 'skp'. Did you mean"),
        ({"columns": "a=b"}, "columns must map a role to a name, got a string"),
        ({"columns": {"id": 3}}, "columns['id'] must be a string, got an int"),
        ({"columns": {"id": "x"}}, "columns are those of a table, and this is of the format"),
        ({"path": ""}, "path must be a path or a frame, got an empty string"),
    ],
    "evaluate": [
        ({"corpus": ["x"]}, "corpus must be a corpus, a frame or a path to one, got a list"),
        ({"metrics": []}, "at least one metric is needed"),
        ({"workers": 0}, "workers must be 1 or more, got 0"),
        ({"chunk_items": 0}, "chunk_items must be 1 or more, got 0"),
        ({"cache": ""}, "cache must be a folder, got an empty string"),
    ],
    "compare": [
        ({"metrics": [3]}, "metrics[0] must be a string, got an int"),
        ({"correction": None}, "no correction is named None"),
        ({"alpha": 5}, "alpha must be between 0 and 1, such as 0.05, got 5"),
        ({"alpha": 0.9}, "alpha must be below the power, 0.8, got 0.9"),
        ({"draws": 2.5}, "draws must be a whole number, got 2.5"),
        ({"protocol": "all"}, "no score is of the protocol 'all'; they are of no_models"),
    ],
    "correlate": [
        ({"dimensions": "x"}, "no dimension of judgments is named 'x'"),
        ({"coefficients": {"pearson": 1}}, "coefficients must be a list, got a dict"),
        ({"protocols": "all"}, "no protocol of the scores is named 'all'"),
        ({"seed": -1}, "seed must be 0 or more, got -1"),
    ],
    "summarize": [
        ({"source": ""}, "the text: expected a text with sentences, found none"),
        ({"source": "Zzz."},
         "the language cannot be guessed from the words; name it with language="),
        ({"language": "en"}, "language and query go with a text; a corpus has its own"),
        ({"length": []},
         "length must be a number of sentences or as 3 sentences, 100 words, 600 characters, "
         "665 bytes, 30% or mean, got a list"),
        ({"names": "our *"}, "names must be a list, got a string; write ['our *']"),
        ({"names": {"a"}}, "names must be a list, got a set, whose order is left to chance"),
        ({"summarizers": [3]}, "summarizers[0] must be a summarizer or its spelling, got an int"),
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def calls(demo, demo_folder):
    """Each function with arguments that are right."""
    table = evaluate(demo, ["lcs.f", "unit_overlap"])
    short = {"length": "9 words"}
    return {
        "score": (score, {"candidates": "a", "references": ["a"], "metrics": ["lcs"]}),
        "load": (load, {"path": demo_folder}),
        "evaluate": (evaluate, {"corpus": demo, "metrics": ["lcs"]}),
        "compare": (compare, {"scores": table, "metrics": "lcs"}),
        "correlate": (correlate, {"scores": table, "judgments": demo}),
        "summarize": (summarize, {"source": demo, "summarizers": ["length"], **short}),
    }


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [(name, *case) for name, cases in WRONG.items() for case in cases],
    ids=[f"{name}: {message}" for name, cases in WRONG.items() for _, message in cases],
)
def test_a_message_names_the_argument(calls, name, arguments, message):
    function, right = calls[name]
    with pytest.raises(SummetryError) as caught:
        function(**right | arguments)
    assert message in str(caught.value)


# Flags, whose every value is true or false, and columns, which a table of scores has no use for.
ANYTHING = {"all_values", "tests", "all_tests", "columns"}


@pytest.mark.parametrize("name", WRONG)
def test_an_argument_of_another_kind_is_named(calls, name):
    function, right = calls[name]
    for argument in signature(function).parameters.keys() - ANYTHING:
        with pytest.raises(SummetryError, match=rf"\b{argument}\b.* (got an? object|go with)"):
            function(**right | {argument: object()})


# At most 255 characters, and more bytes: more than a name of a file may have.
SHORT_TEXTS = {
    "ru": "Паром затонул в тумане. Никто не пострадал. " * 5,
    "zh": "渡轮在雾中沉没。没有人受伤。" * 16,
    "th": "เรือเฟอร์รี่จมในหมอก\nไม่มีใครบาดเจ็บ\n" * 6,
    "en": "The ferry sank.\nNobody was hurt.\n",
}


@pytest.mark.parametrize("language", SHORT_TEXTS)
def test_a_text_is_none_for_a_path_whatever_its_script(calls, language):
    text = SHORT_TEXTS[language]
    assert len(text) <= 255 and (language == "en" or len(text.encode()) > 255)
    assert str(summarize(text, "lead", 1, language=language)) in text
    for name in ("load", "evaluate", "compare", "correlate"):
        function, right = calls[name]
        first = next(iter(right))
        with pytest.raises(SummetryError, match=r"expected .*, found a text, .* name a file"):
            function(**right | {first: text})


def test_a_text_is_none_for_a_path_on_the_command_line():
    for arguments in (["score"], ["agreement"], ["score", "--reference", "x", "--candidate"]):
        assert_refused(run_command(*arguments, SHORT_TEXTS["ru"]), 2, "found a text, 'Паром")


def test_a_file_whose_name_has_a_line_break_is_one(tmp_path):
    assert not is_text(tmp_path / "a.txt") and is_text(str(tmp_path / "a\nb.txt"))
    (tmp_path / "a\nb.txt").write_text("id,system\n")
    assert not is_text(str(tmp_path / "a\nb.txt")) and is_text("a\0b") and is_text("\ud800" * 90)
