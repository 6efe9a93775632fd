"""Plain functions as metrics of a run: numbers, names, processes, and what is kept of them."""

import numpy as np
import pytest

import summetry
from summetry.engine.pairs import PairPlan
from summetry.engine.run import Run
from summetry.errors import PlugInError, SummetryError
from summetry.metrics.cosine import Cosine
from summetry.records.batches import TextColumns


def letters(candidate, references, source):
    return len(candidate)


def brackets(candidate, references, source):
    return {"open": candidate.count("("), "close": len(references)}


brackets.values = ("open", "close")


def test_a_function_scores_one_text_and_many():
    assert summetry.score("abc", metrics=[letters]) == {"letters": {"value": 3.0}}
    scores = summetry.score(
        ["a (", "bb"], [["x"], ["y", "z"]], metrics=["lcs.f", brackets, letters]
    )
    assert scores["brackets"]["open"].tolist() == [1, 0]
    assert scores["brackets"]["close"].tolist() == [1, 2]
    assert scores["letters"]["value"].tolist() == [3, 2]


def test_a_function_is_given_the_source():
    def share(candidate, references, source):
        return np.nan if source is None else len(candidate) / len(source)

    assert summetry.score("ab", metrics=[share], sources="abcd") == {"share": {"value": 0.5}}
    assert np.isnan(summetry.score("ab", metrics=[share])["share"]["value"])


def test_a_function_has_a_column_and_a_signature(demo):
    table = summetry.evaluate(demo, [letters, "lcs.f"])
    texts = [len(demo.text_of(s)) for s in demo.summaries if s.role == "candidate"]
    assert sorted(table.column("letters")) == sorted(texts)
    signature = table.columns[0].signature
    assert signature.startswith("letters|data:") and "plugin" not in signature


def test_several_workers_give_the_same_numbers(demo):
    one = summetry.evaluate(demo, [letters, brackets])
    two = summetry.evaluate(demo, [letters, brackets], workers=2, chunk_items=20)
    assert one == two


def test_a_function_that_other_processes_cannot_have_is_told(demo):
    with pytest.raises(SummetryError, match=r"^lambda cannot be given to other proc.* worker$"):
        summetry.evaluate(demo, [lambda candidate, references, source: 1.0], workers=2)


def test_work_of_a_function_is_not_kept(demo, tmp_path):
    summetry.evaluate(demo, ["lcs", letters], cache=tmp_path)
    assert not list((tmp_path / "chunks").iterdir())
    summetry.evaluate(demo, ["lcs"], cache=tmp_path)
    assert list((tmp_path / "chunks").iterdir())


def test_a_metric_that_nobody_registered_can_be_given(demo):
    class Own(Cosine):
        name = "own"

    scores = summetry.evaluate(demo, [Own()])
    assert scores.column("own").tobytes() == (
        summetry.evaluate(demo, ["cosine"]).column("cosine").tobytes()
    )


def test_two_functions_of_one_name_are_refused():
    first, second = (lambda c, r, s: 1.0), (lambda c, r, s: 2.0)
    with pytest.raises(SummetryError, match="two metrics are named 'lambda'; rename one"):
        summetry.score("a", metrics=[first, second])
    assert summetry.score("a", metrics=[first, first]) == {"lambda": {"value": 1.0}}


def test_a_function_that_is_named_like_a_metric_is_refused():
    def cosine(candidate, references, source):
        return 1.0

    with pytest.raises(SummetryError, match="there is a metric 'cosine' already; rename the func"):
        summetry.score("a", metrics=[cosine])


def test_a_function_that_fails_is_named():
    def broken(candidate, references, source):
        return 1 / len(candidate)

    with pytest.raises(PlugInError, match="the function 'broken' failed: ZeroDivisionError: divis"):
        summetry.score("", metrics=[broken])
    plan = PairPlan(TextColumns(["ab", ""], [[], []], [None, None]))
    run = Run(plan, [broken], on_error="skip")
    assert np.array_equal(run.table().data, [[0.5], [np.nan]], equal_nan=True)
    assert run.notes == ("skipped: topic 2, author candidate: ZeroDivisionError: division by zero",)


def test_a_function_takes_the_source_or_the_references_only_if_it_asks_for_them():
    def words(candidate):
        return len(candidate.split())

    def listed(candidate, references):
        return len(references)

    def weighted(candidate, references, weight=2.0, *, scale=3.0):
        return weight * scale

    def aware(candidate, references=(), source=None):
        return len(references) + (source == "s")

    def anything(*texts):
        return len(texts)

    metrics = [words, listed, weighted, aware, anything]
    scores = summetry.score("a b", ["x", "y", "z"], metrics, sources="s")
    assert [scores[m.__name__].value for m in metrics] == [2, 3, 6, 4, 3]


def test_a_function_alone_is_a_list_of_one():
    assert summetry.score("abc", "x", letters)["letters"].value == 3
    assert summetry.score("abc", "x", Cosine())["cosine"].value == 0


def one_reference(candidate, reference):
    return 1.0


@pytest.mark.parametrize(
    ("function", "takes"),
    [
        (one_reference, r"one_reference takes \(candidate, reference\)"),
        (lambda candidate, source: 1.0, r"lambda takes \(candidate, source\)"),
        (lambda: 1.0, r"lambda takes \(\)"),
        (lambda a, b, c, d: 1.0, r"lambda takes \(a, b, c, d\)"),
        (lambda a, b, *, beta: 1.0, r"lambda takes \(a, b, beta\)"),
    ],
)
def test_a_function_of_other_arguments_is_refused_before_it_is_called(function, takes):
    expected = (
        r"^a metric function takes \(candidate\), \(candidate, references\) or \(candidate, "
        r"references, source\), where references is a list; "
    )
    with pytest.raises(PlugInError, match=f"{expected}{takes}$"):
        summetry.score("a", "b", function)
