"""Bounds as rouge-score 0.1.2 gives them after ``np.random.seed``, and the rouge of evaluate."""

from collections import namedtuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score_package import run_with_rouge_score

from summetry.compat import evaluate
from summetry.compat.rouge_score import scoring
from summetry.compat.rouge_score.rouge_scorer import RougeScorer
from summetry.compat.rouge_score.scoring import AggregateScore, BootstrapAggregator, Score
from summetry.errors import SummetryError


@pytest.fixture(autouse=True)
def _global_generator():
    """Oracles seed numpy's global generator; what was there comes back."""
    state = np.random.get_state()
    yield
    np.random.set_state(state)


def slow_bounds(table, n_samples, confidence_interval):
    """One resample after the other from numpy's global generator."""
    table, size = np.array(table), len(table)
    rows = [np.random.choice(np.arange(size), size=size) for _ in range(n_samples)]
    means = [table[sample].mean(axis=0) for sample in rows]
    tail = (1 - confidence_interval) / 2
    percentiles = 100 * np.array([tail, 0.5, 1 - tail])
    return np.percentile(np.array(means), percentiles, axis=0).tolist()


def aggregated(tables, *settings, **seed):
    aggregator = BootstrapAggregator(*settings, **seed)
    for name, rows in tables.items():
        for row in rows:
            aggregator.add_scores({name: Score(*row)})
    return {name: [list(b) for b in bounds] for name, bounds in aggregator.aggregate().items()}


def rows_of(count, seed=1):
    return [tuple(row) for row in np.random.default_rng(seed).random((count, 3)).tolist()]


values = st.floats(0, 1)
rows = st.lists(st.tuples(values, values, values), min_size=1, max_size=12)
tables = st.dictionaries(st.sampled_from(["rouge1", "rouge2", "rougeL"]), rows)


@given(tables, st.integers(0, 2**32 - 1), st.integers(1, 30), st.floats(0, 1))
def test_bounds_are_those_of_the_global_generator_with_this_seed(
    tables, seed, n_samples, confidence_interval
):
    np.random.seed(seed)
    slow = {name: slow_bounds(t, n_samples, confidence_interval) for name, t in tables.items()}
    assert aggregated(tables, confidence_interval, n_samples, seed=seed) == slow


@pytest.mark.parametrize("block", [1, 2000, 1 << 18], ids=["one", "two", "all"])
def test_many_scores_are_added_up_in_the_same_order(block, monkeypatch):
    # The sums of many numbers depend on their order in the last bits. One, two or all resamples
    # are drawn at a time.
    monkeypatch.setattr(scoring, "_BLOCK", block)
    table = rows_of(1000)
    np.random.seed(5)
    slow = slow_bounds(table, 21, 0.95)
    assert aggregated({"rouge1": table}, 0.95, 21, seed=5) == {"rouge1": slow}


def test_bounds_of_rouge_score_as_recorded():
    # np.random.seed(0) and the aggregator of rouge-score 0.1.2 with numpy 2.4.6.
    tables = {"rouge1": [(0.5, 0.25, 1 / 3), (0.1, 0.2, 0.4 / 3), (1.0, 0.5, 2 / 3)]}
    low = [0.10000000000000002, 0.20000000000000004, 0.13333333333333333]
    middle = [0.5333333333333333, 0.31666666666666665, 0.37777777777777777]
    assert aggregated(tables) == {"rouge1": [low, middle, [1.0, 0.5, 0.6666666666666666]]}
    # Two calls agree and leave the global generator alone.
    before = np.random.get_state()[1].tolist()
    tables = {"rouge1": rows_of(9), "rouge2": rows_of(9, 2)}
    assert aggregated(tables) == aggregated(tables) == aggregated(tables, seed=0)
    assert aggregated(tables) != aggregated(tables, seed=1)
    assert np.random.get_state()[1].tolist() == before


def test_bounds_have_the_types_of_rouge_score():
    Other = namedtuple("Other", ["first", "second"])
    aggregator = BootstrapAggregator(n_samples=10)
    assert aggregator.aggregate() == {}
    aggregator.add_scores({"rouge1": Score(0.5, 0.5, 0.5), "other": Other(1, 0)})
    same = Score(0.5, 0.5, 0.5)
    bounds = aggregator.aggregate()
    assert bounds["rouge1"] == AggregateScore(low=same, mid=same, high=same)
    assert isinstance(bounds["rouge1"].mid.fmeasure, np.float64)
    assert bounds["other"].mid == Other(1.0, 0.0)
    # F is 0 where precision and recall are, and a base scorer needs a score.
    assert (scoring.fmeasure(0.0, 0.0), scoring.fmeasure(0.5, 1.0)) == (0.0, 1 / 1.5)
    with pytest.raises(TypeError, match="abstract"):
        scoring.BaseScorer()


def test_settings_are_checked(refused):
    wrong = {"confidence_interval": 1.5}, {"n_samples": 0}, {"seed": None}, {"seed": -1}
    refused(lambda settings: BootstrapAggregator(**settings), wrong)
    assert evaluate.load("rouge", keep_in_memory=True, module_type="metric").name == "rouge"


def test_no_other_metric_and_no_other_options_are_loaded(refused):
    loaded = ("bleu", {}), ("rouge", {"num_process": 2}), ("rouge", {"seed": None})
    refused(lambda name, options: evaluate.load(name, **options), loaded)


# The rouge of Hugging Face's evaluate

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
PREDICTIONS = ["The cats sat.", "a dog ran off\nit barked", "", "one two two", "nothing alike"]
REFERENCES = ["A cat sits here.", "it barks\nthe dog ran", "empty", "two one two", "Всё иначе"]
SEVERAL = [[text, "the cat sat", "one two"] for text in REFERENCES]


@pytest.mark.parametrize("references", [REFERENCES, SEVERAL], ids=["one", "several"])
@pytest.mark.parametrize("use_stemmer", [False, True])
def test_values_are_f_of_the_scorer(references, use_stemmer):
    """One pair after the other through the scorer, as the metric of evaluate does it."""
    scorer = RougeScorer(TYPES, use_stemmer=use_stemmer)
    score = scorer.score_multi if references is SEVERAL else scorer.score
    scores = [score(*pair) for pair in zip(references, PREDICTIONS, strict=True)]
    pairs = {"predictions": PREDICTIONS, "references": references, "use_stemmer": use_stemmer}
    each = evaluate.load("rouge").compute(**pairs, use_aggregator=False)
    assert list(each.items()) == [(t, [s[t].fmeasure for s in scores]) for t in TYPES]
    aggregator = BootstrapAggregator(seed=3)
    for each_score in scores:
        aggregator.add_scores(each_score)
    middle = {name: bounds.mid.fmeasure for name, bounds in aggregator.aggregate().items()}
    together = evaluate.load("rouge", seed=3).compute(**pairs)
    assert together == middle
    assert all(isinstance(value, np.float64) for value in together.values())


def test_values_of_evaluate_as_recorded_and_of_chosen_types():
    # evaluate 0.4.6 with the metric's script, rouge-score 0.1.2 and seed=0.
    values = [0.3090909090909091, 0.14444444444444443, 0.20606060606060606, 0.24242424242424238]
    metric = evaluate.load("rouge")
    for _ in range(2):
        together = metric.compute(predictions=PREDICTIONS, references=REFERENCES)
        assert together == dict(zip(TYPES, values, strict=True))
    # Types are chosen and keep their order, and a tokenizer is a function.
    settings = {"rouge_types": ["rougeL", "rouge1"], "use_aggregator": False}
    values = metric.compute(predictions=["a b"], references=["b a"], **settings)
    assert list(values.items()) == [("rougeL", [0.5]), ("rouge1", [1.0])]
    assert metric.compute(predictions=["a"], references=["a"], rouge_types=[]) == {}
    settings = {"rouge_types": ["rouge1"], "use_aggregator": False, "tokenizer": str.split}
    values = metric.compute(predictions=["É à"], references=[["É", "x"]], **settings)
    assert values == {"rouge1": [pytest.approx(2 / 3)]}


def test_predictions_may_come_bit_by_bit_and_are_then_forgotten():
    metric = evaluate.load("rouge")
    metric.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
    metric.add_batch(predictions=PREDICTIONS[1:3], references=REFERENCES[1:3])
    mixed = metric.compute(predictions=PREDICTIONS[3:], references=REFERENCES[3:])
    assert mixed == metric.compute(predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(SummetryError, match="nothing to score: give predictions and references"):
        metric.compute()
    # What cannot be scored is not kept.
    metric = evaluate.load("rouge")
    with pytest.raises(SummetryError, match="no rouge type"):
        metric.compute(predictions=["a"], references=["b"], rouge_types=["rouge"])
    values = metric.compute(predictions=["a"], references=["a"], use_aggregator=False)
    assert values["rouge1"] == [1.0]


def test_input_is_checked(refused):
    refused(lambda given: evaluate.load("rouge").compute(**given), [
        {"predictions": ["a"], "references": ["a", "b"]},
        {"predictions": "a", "references": ["a"]},
        {"predictions": ["a"], "references": "a"},
        {"predictions": ["a"]},
        {"predictions": ["a", None], "references": ["a"] * 2},
        {"predictions": ["a"], "references": [[]]},
        {"predictions": [], "references": []},
        {"rouge_types": "rouge1"},
        {"rouge_types": ["rougeW"]},
        {"tokenizer": "blanks"},
    ])  # fmt: skip


@pytest.mark.slow  # Its imports alone take more than 2 seconds.
def test_the_package_itself_agrees_where_it_is_installed():
    code = f"""
import numpy as np
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.scoring import BootstrapAggregator, Score
np.random.seed(7)
aggregator = BootstrapAggregator(0.9, 50)
for name, rows in given["tables"].items():
    for row in rows:
        aggregator.add_scores({{name: Score(*row)}})
given["bounds"] = {{name: [list(b) for b in a] for name, a in aggregator.aggregate().items()}}
scorer = RougeScorer({TYPES!r}, use_stemmer=True)
aggregator = BootstrapAggregator()
scores = [scorer.score_multi(r, p) for r, p in zip(given["references"], given["predictions"])]
for score in scores:
    aggregator.add_scores(score)
np.random.seed(4)
given["together"] = {{t: a.mid.fmeasure for t, a in aggregator.aggregate().items()}}
given["each"] = {{t: [score[t].fmeasure for score in scores] for t in {TYPES!r}}}
"""
    tables = {"rouge1": rows_of(700), "rougeL": rows_of(3, 2)}
    pairs = {"predictions": PREDICTIONS * 9, "references": SEVERAL * 9}
    theirs = run_with_rouge_score(code, {"tables": tables, **pairs})
    assert aggregated(tables, 0.9, 50, seed=7) == theirs["bounds"]
    metric = evaluate.load("rouge", seed=4)
    assert metric.compute(**pairs, use_stemmer=True) == theirs["together"]
    assert metric.compute(**pairs, use_stemmer=True, use_aggregator=False) == theirs["each"]
