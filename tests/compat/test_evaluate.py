"""``summetry.compat.evaluate`` gives what the rouge of Hugging Face's evaluate gives."""

from typing import Any

import numpy as np
import pytest
from rouge_score_package import run_with_rouge_score

from summetry.compat import evaluate
from summetry.compat.rouge_score.rouge_scorer import RougeScorer
from summetry.compat.rouge_score.scoring import BootstrapAggregator
from summetry.errors import SummetryError

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
PREDICTIONS = ["The cats sat.", "a dog ran off\nit barked", "", "one two two", "nothing alike"]
REFERENCES = ["A cat sits here.", "it barks\nthe dog ran", "empty", "two one two", "Всё иначе"]
SEVERAL = [[text, "the cat sat", "one two"] for text in REFERENCES]


def looped(references: list[Any], **settings: Any) -> list[dict[str, Any]]:
    """One pair after the other through the scorer, as the metric of evaluate does it."""
    scorer = RougeScorer(TYPES, **settings)
    return [
        scorer.score_multi(texts, prediction)
        if isinstance(texts, list)
        else scorer.score(texts, prediction)
        for texts, prediction in zip(references, PREDICTIONS, strict=True)
    ]


@pytest.mark.parametrize("references", [REFERENCES, SEVERAL], ids=["one", "several"])
@pytest.mark.parametrize("use_stemmer", [False, True])
def test_values_are_f_of_the_scorer(references: list[Any], use_stemmer: bool) -> None:
    scores = looped(references, use_stemmer=use_stemmer)
    pairs = {"predictions": PREDICTIONS, "references": references, "use_stemmer": use_stemmer}
    each = evaluate.load("rouge").compute(**pairs, use_aggregator=False)
    assert list(each.items()) == [(t, [s[t].fmeasure for s in scores]) for t in TYPES]
    aggregator = BootstrapAggregator(seed=3)
    for score in scores:
        aggregator.add_scores(score)
    middle = {name: bounds.mid.fmeasure for name, bounds in aggregator.aggregate().items()}
    together = evaluate.load("rouge", seed=3).compute(**pairs)
    assert together == middle
    assert all(isinstance(value, np.float64) for value in together.values())


def test_values_of_evaluate_as_recorded() -> None:
    # evaluate 0.4.6 with the metric's script, rouge-score 0.1.2 and seed=0.
    values = [0.3090909090909091, 0.14444444444444443, 0.20606060606060606, 0.24242424242424238]
    metric = evaluate.load("rouge")
    for _ in range(2):
        together = metric.compute(predictions=PREDICTIONS, references=REFERENCES)
        assert together == dict(zip(TYPES, values, strict=True))


def test_types_are_chosen_and_keep_their_order() -> None:
    metric = evaluate.load("rouge")
    settings = {"rouge_types": ["rougeL", "rouge1"], "use_aggregator": False}
    values = metric.compute(predictions=["a b"], references=["b a"], **settings)
    assert list(values.items()) == [("rougeL", [0.5]), ("rouge1", [1.0])]
    assert metric.compute(predictions=["a"], references=["a"], rouge_types=[]) == {}


def test_a_tokenizer_is_a_function() -> None:
    pairs = {"predictions": ["É à"], "references": [["É", "x"]], "use_aggregator": False}
    values = evaluate.load("rouge").compute(**pairs, tokenizer=str.split, rouge_types=["rouge1"])
    assert values == {"rouge1": [pytest.approx(2 / 3)]}


def test_predictions_may_come_bit_by_bit_and_are_then_forgotten() -> None:
    metric = evaluate.load("rouge")
    metric.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
    metric.add_batch(predictions=PREDICTIONS[1:3], references=REFERENCES[1:3])
    mixed = metric.compute(predictions=PREDICTIONS[3:], references=REFERENCES[3:])
    assert mixed == metric.compute(predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(SummetryError, match="nothing to score: give predictions and references"):
        metric.compute()


def test_what_cannot_be_scored_is_not_kept() -> None:
    metric = evaluate.load("rouge")
    with pytest.raises(SummetryError, match="no rouge type"):
        metric.compute(predictions=["a"], references=["b"], rouge_types=["rouge"])
    values = metric.compute(predictions=["a"], references=["a"], use_aggregator=False)
    assert values["rouge1"] == [1.0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"predictions": ["a"], "references": ["a", "b"]}, "got 2 references and 1 prediction$"),
        ({"predictions": "a", "references": ["a"]}, r"predictions must be a list, got a string"),
        ({"predictions": ["a"], "references": "a"}, "references must be a list, got a string"),
        ({"predictions": ["a"]}, "references must be a list, got None"),
        ({"predictions": ["a", None], "references": ["a"] * 2}, r"predictions\[1\] must be a str"),
        ({"predictions": ["a"], "references": [[]]}, r"references\[0\] must hold one text or more"),
        ({"predictions": [], "references": []}, "there is nothing to score"),
        ({"rouge_types": "rouge1"}, "rouge_types must be a list, got a string"),
        ({"rouge_types": ["rougeW"]}, "no rouge type is named 'rougeW'; there are rouge1 to"),
        ({"tokenizer": "blanks"}, "tokenizer must be a function or None, got a string"),
    ],
)
def test_input_is_checked(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(SummetryError, match=message):
        evaluate.load("rouge").compute(**arguments)


def test_there_is_one_metric() -> None:
    assert evaluate.load("rouge", keep_in_memory=True, module_type="metric").name == "rouge"
    with pytest.raises(SummetryError, match="has no metric but 'rouge', got 'bleu'; the metrics"):
        evaluate.load("bleu")
    with pytest.raises(SummetryError, match="load takes the option seed, got num_process"):
        evaluate.load("rouge", num_process=2)
    with pytest.raises(SummetryError, match="seed must be a whole number, got None"):
        evaluate.load("rouge", seed=None)


def test_the_package_itself_agrees_where_it_is_installed() -> None:
    code = f"""
import numpy as np
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.scoring import BootstrapAggregator
scorer = RougeScorer({TYPES!r}, use_stemmer=True)
aggregator = BootstrapAggregator()
scores = [scorer.score_multi(r, p) for r, p in zip(given["references"], given["predictions"])]
for score in scores:
    aggregator.add_scores(score)
np.random.seed(4)
given["together"] = {{t: a.mid.fmeasure for t, a in aggregator.aggregate().items()}}
given["each"] = {{t: [score[t].fmeasure for score in scores] for t in {TYPES!r}}}
"""
    pairs = {"predictions": PREDICTIONS * 9, "references": SEVERAL * 9}
    theirs = run_with_rouge_score(code, pairs)
    metric = evaluate.load("rouge", seed=4)
    assert metric.compute(**pairs, use_stemmer=True) == theirs["together"]
    assert metric.compute(**pairs, use_stemmer=True, use_aggregator=False) == theirs["each"]
