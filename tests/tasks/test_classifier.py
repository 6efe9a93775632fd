"""The linear classifier, against scikit-learn's own pipeline."""

from random import Random

import numpy as np
import pytest
from labelled_collections import WORDS, sentence

from summetry.tasks.classifier import Machine, Machines, bags_of_words, dealt

pytest.importorskip("sklearn")


def numbered(texts):
    words = sorted({word for text in texts for word in text.split()})
    places = {word: place for place, word in enumerate(words)}
    return [np.array([places[word] for word in text.split()], np.int64) for text in texts], words


def test_it_classifies_as_scikit_learn_does_with_words_of_the_training_texts_alone():
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    draw = Random(4)
    classes = [name for name in WORDS for _ in range(8)]
    texts = [sentence(draw, name, 2) for name in classes]
    tried = [sentence(draw, name, 1) + " unseen words" for name in classes]
    ids, words = numbered([*texts, *tried])
    bags = bags_of_words(ids, len(words))
    machine = Machine.learn(bags[: len(texts)], np.array(classes))
    words_of = TfidfVectorizer(token_pattern=r"\S+")
    theirs = make_pipeline(words_of, LinearSVC(dual=False, tol=1e-8)).fit(texts, classes)
    given = machine.given(bags[len(texts) :])
    assert [names[0] for names in given] == theirs.predict(tried).tolist()


def test_words_of_no_training_text_change_nothing():
    ids, words = numbered(["goal match", "bank loan", "goal", "goal unseen thing"])
    bags = bags_of_words(ids, len(words))
    machine = Machine.learn(bags[:2], np.array(["sport", "money"]))
    alone, with_others = machine.model.decision_function(_weighted(machine, bags[2:])).tolist()
    assert alone == with_others


def _weighted(machine, bags):
    from summetry.tasks.classifier import _weighted

    return _weighted(bags, machine.idf)


def test_of_two_equally_good_categories_the_first_by_name_is_taken():
    ids, words = numbered(["goal day", "bank day", "day"])
    bags = bags_of_words(ids, len(words))
    for classes in (["sport", "money"], ["money", "sport"]):
        machine = Machine.learn(bags[:2], np.array(classes))
        assert machine.given(bags[2:]) == [["money"]]


def test_a_text_without_a_known_word_is_given_nothing():
    ids, words = numbered(["goal match", "bank loan", "unseen"])
    bags = bags_of_words([*ids, np.empty(0, np.int64)], len(words))
    machine = Machine.learn(bags[:2], np.array(["sport", "money"]))
    assert machine.given(bags) == [["sport"], ["money"], [], []]


def test_each_text_is_classified_by_the_machine_of_its_topics_fold():
    class Saying:
        def __init__(self, name):
            self.name = name

        def given(self, bags):
            return [[self.name]] * bags.shape[0]

    machines = Machines([Saying("zero"), Saying("one")], np.array([1, 0, 1]))
    bags = bags_of_words([np.array([0])] * 4, 1)
    given = machines.given(bags, np.array([0, 1, 2, 1]))
    assert given == [["one"], ["zero"], ["one"], ["zero"]]


@pytest.mark.parametrize("folds", [2, 3, 5])
def test_folds_have_nearly_as_many_topics_of_each_category(folds):
    categories = ["a"] * 10 + ["b"] * 7 + ["c"] * 2
    fold_of = dealt(categories, folds, seed=3)
    assert set(fold_of.tolist()) == set(range(folds))
    for name in "abc":
        mine = fold_of[np.array(categories) == name]
        counts = np.bincount(mine, minlength=folds)
        assert counts.max() - counts.min() <= 1
        # So there is always another one to learn from.
        assert counts.max() < len(mine)


def test_the_seed_decides_the_folds():
    categories = ["a"] * 20
    assert (dealt(categories, 4, 1) == dealt(categories, 4, 1)).all()
    assert (dealt(categories, 4, 1) != dealt(categories, 4, 2)).any()
