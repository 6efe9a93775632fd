"""Plain functions as metrics; formulas on arrays give what Python gives for each number."""

import ast
import math
import pickle
import threading

import numpy as np
import pytest

from summetry import spec
from summetry.errors import PlugInError
from summetry.metrics import FAMILIES, METRICS, Needs
from summetry.metrics.formulas import _TREES, FormulaMetric, _compile, evaluate
from summetry.metrics.functions import as_metric
from summetry.records.batches import Batch, compare_texts
from summetry.reports.formulas import shown_formulas


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


def test_a_function_is_called_with_texts_and_describes_itself_as_a_metric():
    metric = as_metric(words_kept)
    texts = ("a b", ["x"], "a b c"), ("a", [], None), ("c", [], "c")
    assert score(metric, *texts) == {"value": [2.0, 0.0, 1.0]}
    assert (metric.name, metric.values, metric.headline) == ("words_kept", ("value",), "value")
    assert metric.bounds == (-math.inf, math.inf) and metric.needs is Needs.NOTHING
    assert metric.better == {"value": "higher"} and metric.family in FAMILIES
    assert type(metric).__doc__ == "How many words of the source stand in the candidate."
    assert spec.show(metric) == "words_kept"
    explained = metric.explain(compare_texts("a b", [], "b", "en"))
    assert explained.values == {"value": 1.0} and explained.parts == ()


def test_a_dict_gives_values_in_the_order_of_their_names():
    metric = as_metric(two_values)
    numbers = score(metric, ("a", ["b", "c"], None), ("a", [], "d"))
    assert list(numbers) == ["recall", "f"] and numbers["f"] == [2.0, 0.0]
    assert numbers["recall"] == pytest.approx([math.nan, 0.5], nan_ok=True)
    assert metric.better == {"recall": "higher", "f": "lower"}
    # An undefined value is left out of a sum of rows.
    counts = metric.count(Batch([compare_texts("a", [], text, "en") for text in (None, "d")]))
    assert metric.score(counts.sum(axis=0, keepdims=True))["recall"] == [0.5]


class Größe:
    def __call__(self, candidate, references, source):
        return len(candidate)


def test_names_can_be_spelt_and_metrics_of_one_function_are_equal_in_another_process_too():
    unnamed = {as_metric(lambda c, r, s: 0.0): "lambda", as_metric(Größe()): "Gr_e"}
    for metric, name in {**unnamed, as_metric(words_kept, "kept"): "kept"}.items():
        assert metric.name == name and spec.parse(metric.name).name == name
    metric = as_metric(words_kept)
    assert metric == as_metric(words_kept) == pickle.loads(pickle.dumps(metric))
    assert len({metric, as_metric(words_kept), as_metric(two_values)}) == 2
    assert metric != as_metric(words_kept, "kept") and metric != "words_kept"


def function_with(result=1.0, **attributes):
    """A function that returns this, or raises it."""

    def broken(candidate, references, source):
        if isinstance(result, BaseException):
            raise result
        return result

    for name, value in attributes.items():
        setattr(broken, name, value)
    return broken


RF = {"values": ("r", "f")}


@pytest.mark.parametrize(("result", "attributes", "message"), [
    (None, {}, "the function 'broken' must return a number, got None"),
    ("0.5", {}, "the function 'broken' must return a number, got a string"),
    ({"f": 1}, {}, "the function 'broken' returns a dict, and must say its keys before"),
    (0.5, RF, "must return a dict with numbers for r, f, got a float"),
    ({"f": 1}, RF, "must return a dict with numbers for r, f, got {'f': 1}"),
    ({"f": 1, "r": "x"}, RF, "must return a dict with numbers for r, f, got {'f': 1, "),
    (ZeroDivisionError("div"), {}, "the function 'broken' failed: ZeroDivisionError: div"),
    (SystemExit("no licence"), {}, "the function 'broken' failed: SystemExit: no licence"),
])  # fmt: skip
def test_a_wrong_result_names_the_function(result, attributes, message):
    with pytest.raises(PlugInError) as error:
        score(as_metric(function_with(result, **attributes)), ("a", [], None))
    assert message in str(error.value) and "\n" not in str(error.value)


RETURNS = [{"return": it} for it in (dict, dict[str, float], "dict[str, float]", "t.Mapping[K, V]")]


@pytest.mark.parametrize(("attribute", "wrong", "message"), [
    ("__annotations__", RETURNS, "'broken' returns a dict, and must say its keys"),
    ("values", [(), "f", ("a b",), (1,)], "must have a tuple of names as its attribute 'val"),
    ("better", ["up", None, {"f": "higher"}], "must have one of higher, lower, neither"),
])  # fmt: skip
def test_what_a_function_says_of_its_values_is_checked(attribute, wrong, message):
    for content in wrong:
        with pytest.raises(PlugInError, match=message):
            as_metric(function_with(**{attribute: content}))


# Formulas

CLASSES = [METRICS.get(name) for name in METRICS.names()]
FORMULAS = sorted(
    {f for cls in CLASSES if issubclass(cls, FormulaMetric) for f in cls.formulas.values()}
)
NAMES = sorted(
    {node.id for f in FORMULAS for node in ast.walk(ast.parse(f)) if isinstance(node, ast.Name)}
)


def test_a_formula_of_arrays_is_that_of_each_entry():
    rows = np.random.default_rng(1).integers(1, 9, (50, len(NAMES)))
    rows[:, NAMES.index("candidate")] += 9  # More than is matched.
    facts = {**dict(zip(NAMES, rows.T, strict=True)), "beta": 0.3}
    assert len(FORMULAS) > 12
    for formula in FORMULAS:
        evaluated = np.broadcast_to(evaluate(formula, facts), len(rows))
        for value, row in zip(evaluated.tolist(), rows.tolist(), strict=True):
            numbers = {**dict(zip(NAMES, row, strict=True)), "beta": 0.3}
            expected = eval(formula, {"__builtins__": {}}, numbers)
            # Python's power may round a root otherwise than a root is rounded.
            tolerance = 1e-15 if "0.5" in formula else 0
            assert value == pytest.approx(expected, rel=tolerance, abs=0), formula
    facts = {"a": np.array([1, 2, 0]), "b": np.array([2, 0, 0])}
    assert evaluate("a / b if b else 7", facts).tolist() == [0.5, 7.0, 7.0]
    assert evaluate("-a / b", facts).tolist()[:2] == [-0.5, -math.inf]
    assert math.isnan(evaluate("a / b", facts)[2])
    squares = np.array([2, 3, 5, 1e308])
    assert evaluate("a ** 0.5", {"a": squares}).tolist() == [math.sqrt(x) for x in squares]


@pytest.mark.parametrize("formula", ["exit()", "a.real", "a[0]", "[a]", "lambda: a", "(b := a)"])
def test_a_formula_is_arithmetic_and_nothing_else(formula):
    with pytest.raises(AssertionError, match="no arithmetic in a formula"):
        evaluate(formula, {"a": 1.0})


@pytest.mark.parametrize("read", [_compile.__wrapped__, lambda f: shown_formulas({"f": f}, {})])
def test_trees_of_formulas_are_made_by_one_thread_at_a_time(read):
    """CPython counts the depth of trees for all threads together, and raises a SystemError."""
    thread = threading.Thread(target=read, args=["2 * 3"], daemon=True)
    with _TREES:
        thread.start()
        thread.join(0.02)
        assert thread.is_alive()
    thread.join(5)
    assert not thread.is_alive()
