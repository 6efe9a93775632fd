"""A plain function as a metric."""

import math
import pickle

import pytest

from summetry import spec
from summetry.errors import PlugInError
from summetry.metrics import FAMILIES, Needs
from summetry.metrics.functions import as_metric
from summetry.records.batches import Batch, compare_texts


def words_kept(candidate, references, source):
    """How many words of the source stand in the candidate."""
    return len(set(candidate.split()) & set((source or "").split()))


def two_values(candidate, references, source):
    return {"f": len(references), "recall": math.nan if source is None else 0.5}


two_values.values = ("recall", "f")
two_values.better = {"recall": "higher", "f": "lower"}


def score(metric, *texts):
    batch = Batch([compare_texts(*one, "en") for one in texts])
    return {name: numbers.tolist() for name, numbers in metric.score(metric.count(batch)).items()}


def test_a_function_is_called_with_texts_and_its_number_is_the_value():
    metric = as_metric(words_kept)
    texts = ("a b", ["x"], "a b c"), ("a", [], None), ("c", [], "c")
    assert score(metric, *texts) == {"value": [2.0, 0.0, 1.0]}


def test_a_function_describes_itself_as_a_metric():
    metric = as_metric(words_kept)
    assert (metric.name, metric.values, metric.headline) == ("words_kept", ("value",), "value")
    assert metric.bounds == (-math.inf, math.inf) and metric.needs is Needs.NOTHING
    assert metric.better == {"value": "higher"} and metric.family in FAMILIES
    assert type(metric).__doc__ == "How many words of the source stand in the candidate."
    assert spec.show(metric) == "words_kept"


def test_a_dict_gives_values_in_the_order_of_their_names():
    metric = as_metric(two_values)
    numbers = score(metric, ("a", ["b", "c"], None), ("a", [], "d"))
    assert list(numbers) == ["recall", "f"] and numbers["f"] == [2.0, 0.0]
    assert math.isnan(numbers["recall"][0]) and numbers["recall"][1] == 0.5
    assert metric.better == {"recall": "higher", "f": "lower"}


def test_an_undefined_value_is_left_out_of_a_sum_of_rows():
    counts = as_metric(two_values).count(
        Batch([compare_texts("a", [], source, "en") for source in (None, "d")])
    )
    assert as_metric(two_values).score(counts.sum(axis=0, keepdims=True))["recall"] == [0.5]


class Größe:
    def __call__(self, candidate, references, source):
        return len(candidate)


@pytest.mark.parametrize(
    ("function", "own_name", "name"),
    [(lambda c, r, s: 0.0, "", "lambda"), (words_kept, "kept", "kept"), (Größe(), "", "Gr_e")],
)
def test_a_name_can_be_spelt(function, own_name, name):
    metric = as_metric(function, own_name)
    assert metric.name == name and spec.parse(metric.name).name == name


def test_metrics_of_one_function_are_equal_and_can_be_sent_to_another_process():
    metric = as_metric(words_kept)
    assert metric == as_metric(words_kept) == pickle.loads(pickle.dumps(metric))
    assert len({metric, as_metric(words_kept), as_metric(two_values)}) == 2
    assert metric != as_metric(words_kept, "kept") and metric != "words_kept"


def test_an_explanation_has_the_values_and_no_matches():
    explained = as_metric(words_kept).explain(compare_texts("a b", [], "b", "en"))
    assert explained.values == {"value": 1.0} and explained.parts == ()


def returning(result, values=None):
    def function(candidate, references, source):
        return result

    if values is not None:
        function.values = values
    return as_metric(function)


@pytest.mark.parametrize(
    ("result", "values", "message"),
    [
        (None, None, "the function 'function' must return a number, got None"),
        ("0.5", None, "the function 'function' must return a number, got a string"),
        ({"f": 1}, None, "the function 'function' returns a dict, and must say its keys before"),
        (0.5, ("r", "f"), "must return a dict with numbers for r, f, got a float"),
        ({"f": 1}, ("r", "f"), "must return a dict with numbers for r, f, got {'f': 1}"),
        ({"f": 1, "r": "x"}, ("r", "f"), "must return a dict with numbers for r, f, got {'f': 1, "),
    ],
)
def test_a_wrong_result_names_the_function(result, values, message):
    with pytest.raises(PlugInError) as error:
        score(returning(result, values), ("a", [], None))
    assert message in str(error.value) and "\n" not in str(error.value)


def test_a_function_that_fails_is_named():
    def broken(candidate, references, source):
        return 1 / 0

    with pytest.raises(PlugInError, match="the function 'broken' failed: ZeroDivisionError: div"):
        score(as_metric(broken), ("a", [], None))

    def leaving(candidate, references, source):
        raise SystemExit("no licence")

    with pytest.raises(PlugInError, match="the function 'leaving' failed: SystemExit: no licence"):
        score(as_metric(leaving), ("a", [], None))


@pytest.mark.parametrize(
    "returns", [dict[str, float], dict, "dict[str, float]", "t.Mapping[str, int]"]
)
def test_a_dict_must_be_announced(returns):
    def some(candidate, references, source):
        return {"f": 1.0}

    some.__annotations__["return"] = returns
    with pytest.raises(PlugInError, match="'some' returns a dict, and must say its keys"):
        as_metric(some)


@pytest.mark.parametrize("values", [(), "f", ("a b",), (1,)])
def test_values_must_be_names(values):
    with pytest.raises(PlugInError, match="must have a tuple of names as its attribute 'values'"):
        returning(0.0, values)


@pytest.mark.parametrize("better", ["up", None, {"f": "higher"}])
def test_better_must_be_a_direction(better):
    def some(candidate, references, source):
        return 1.0

    some.better = better
    with pytest.raises(PlugInError, match="must have one of higher, lower, neither"):
        as_metric(some)
