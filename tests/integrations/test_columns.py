"""A column of values in one line, from the columns of other people's libraries."""

import numpy as np
import pytest

import summetry
from summetry.errors import SummetryError
from summetry.integrations.lm_eval import score

# By hand: the first two share one of two bigrams, the next none, and one word has no bigram.
TEXTS = {
    "summary": ["the ferry sank", "a bridge opened", "fog"],
    "reference": ["the ferry burned", "one bridge closed", "fog"],
    "references": [["a boat sank", "the ferry burned"], ["one bridge closed"], ["fog", "mist"]],
}
VALUES = [0.5, 0.0, 0.0]
LIBRARIES = ["pandas", "polars", "pyarrow", "datasets"]


def frame_of(library):
    package = pytest.importorskip(library)
    if library == "pandas":
        return package.DataFrame(TEXTS, index=[7, 3, 9])
    if library == "polars":
        return package.DataFrame(TEXTS)
    return package.table(TEXTS) if library == "pyarrow" else package.Dataset.from_dict(TEXTS)


def rouge2(candidates, references):
    return summetry.score(candidates, references, "rouge2")["rouge2"].f


def with_missing(library):
    if library == "datasets":
        return pytest.importorskip("datasets").Dataset.from_dict({"text": ["a", None, "b"]})["text"]
    package = pytest.importorskip(library)
    make = package.array if library == "pyarrow" else package.Series
    return make(["a", None, "b"])


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("references", ["reference", "references"])
def test_columns_give_an_array_in_the_order_of_the_rows(library, references):
    frame = frame_of(library)
    values = rouge2(frame["summary"], frame[references])
    assert isinstance(values, np.ndarray) and values.tolist() == VALUES


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_missing_text_is_named_with_its_row(library):
    column, texts = with_missing(library), ["a", "b", "c"]
    for arguments, name in (((column, texts), "candidates"), ((texts, column), "references")):
        with pytest.raises(SummetryError, match=rf"^{name}\[1\].* must be a text.*it is missing"):
            summetry.score(*arguments, "rouge1")


@pytest.mark.parametrize("missing", [None, float("nan"), "pandas.NA"])
def test_a_missing_text_of_pandas_is_named_with_its_label(missing):
    pandas = pytest.importorskip("pandas")
    missing = pandas.NA if missing == "pandas.NA" else missing
    column = pandas.Series(["a", missing, "b"], index=["x", "y", "z"], dtype=object)
    texts = ["a", "b", "c"]
    for arguments, name in (((column, texts), "candidates"), ((texts, column), "references")):
        with pytest.raises(SummetryError, match=rf"^{name}\[1\] \(index y\).*it is missing"):
            summetry.score(*arguments, "rouge1")


def test_a_missing_reference_among_several_is_named_and_unequal_lengths_are():
    with pytest.raises(SummetryError, match="got 2 for 3 candidates"):
        summetry.score(frame_of("pandas")["summary"], ["a", "b"], "rouge1")
    with pytest.raises(SummetryError, match=r"^references\[1\]\[0\] must be .*it is missing"):
        summetry.score(["a", "b"], [["a", "c"], [None, "b"]], "rouge1")


def test_columns_of_pandas_with_different_indexes_are_refused():
    """Else rows that were sorted or filtered would go with texts of other rows."""
    frame = frame_of("pandas")
    with pytest.raises(SummetryError, match=r"references\.loc\[candidates\.index\]"):
        summetry.score(frame["summary"], frame["reference"].sort_index(), "rouge2")
    with pytest.raises(SummetryError, match="candidates and sources have different indexes"):
        summetry.score(frame["summary"], sources=frame["reference"].sort_index(), metrics="cosine")
    again = frame["reference"].sort_index().loc[frame.index]
    assert rouge2(frame["summary"], again).tolist() == VALUES


def test_the_function_that_lm_eval_calls_gives_the_mean_of_several_predictions():
    several = score(["a b c", "a b"], ["a b c", "c d"], metrics=["rouge1", "rouge2.precision"])
    assert several == {"rouge1": 0.5, "rouge2.precision": 0.5}
    with pytest.raises(SummetryError, match="got 1 for 2 candidates"):
        score(["a"], ["a", "b"])
