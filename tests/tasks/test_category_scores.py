"""Precision, recall and F of categories, against counting by hand and scikit-learn."""

import math
import warnings
from random import Random

import pytest

from summetry.errors import SummetryError
from summetry.tasks.category_scores import categorization_scores

NAMES = ["news", "sport", "culture", "none of the above"]


def test_three_texts_by_hand():
    given = [["sport"], ["news"], ["sport", "news"]]
    right = [["sport"], ["sport"], ["sport"]]
    scores = categorization_scores(given, right)
    assert [tuple(one) for one in scores.per_document] == [(1, 1, 1), (0, 0, 0), (0.5, 1, 2 / 3)]
    assert scores.documents == pytest.approx((0.5, 2 / 3, 5 / 9))
    # Two hits of four that were given, of three that are right.
    assert scores.micro == pytest.approx((1 / 2, 2 / 3, 4 / 7))
    # sport: 2 of 2 given, 2 of 3 right, F 4/5; news: 0 of 2, and none is right.
    assert scores.categories == pytest.approx((1 / 2, 2 / 3, 2 / 5))


def test_a_text_that_was_given_nothing_has_no_precision_and_loses_recall():
    scores = categorization_scores([[], ["sport"]], [["sport"], ["sport"]])
    assert math.isnan(scores.per_document[0].precision)
    assert scores.per_document[0][1:] == (0, 0)
    assert scores.documents == (1.0, 0.5, 0.5)
    none = NAMES[-1]
    scores = categorization_scores([[none], [none]], [[none], ["news"]])
    assert scores.micro == (0.5, 0.5, 0.5), "none of the above is a category like any other"
    with pytest.raises(SummetryError, match="got 2 and 1"):
        categorization_scores([["a"], ["b"]], [["a"]])


@pytest.mark.parametrize("most", [1, 3])
def test_scikit_learn_counts_the_same(most):
    metrics = pytest.importorskip("sklearn.metrics")
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    draw = Random(most)
    given = [draw.sample(NAMES, draw.randint(1, most)) for _ in range(40)]
    right = [draw.sample(NAMES, draw.randint(1, most)) for _ in range(40)]
    binary = preprocessing.MultiLabelBinarizer().fit([NAMES])
    sets = binary.transform(right), binary.transform(given)
    scores = categorization_scores(given, right)
    for ours, theirs in {"documents": "samples", "categories": "macro", "micro": "micro"}.items():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            wanted = metrics.precision_recall_fscore_support(*sets, average=theirs)[:3]
        assert getattr(scores, ours) == pytest.approx(wanted), ours
