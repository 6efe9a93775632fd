"""A linear classifier of texts that no text is classified by that it has learnt from.

Texts are rows of counts by word, weighted by tf.idf of the training texts and brought to length 1:

    weight = tf (ln((1 + N) / (1 + df)) + 1)

for N training texts of which df have the word; words that none of them has do not count. These are
the weights of scikit-learn's ``TfidfTransformer``, the classifier is its ``LinearSVC`` with C = 1:
one plane for each category against all others, and of two equally good categories the first by
name. scikit-learn is imported on first use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from summetry.arrays.types import Floats, Ints
from summetry.errors import optional_module

# Distances from planes are known so exactly; of equal ones the first category by name is taken, so
# that noise decides nothing.
_DIGITS = 4


def bags_of_words(texts: Sequence[Ints], size: int) -> Any:
    """Texts, each as the numbers of its words, as rows of counts; words are below ``size``."""
    from scipy.sparse import csr_array

    ids = np.concatenate([np.empty(0, np.int64), *texts]).astype(np.int32)
    ends = np.concatenate([[0], np.cumsum([len(text) for text in texts])]).astype(np.int32)
    bags = csr_array((np.ones(len(ids)), ids, ends), shape=(len(texts), max(size, 1)))
    bags.sum_duplicates()
    return bags


@dataclass(frozen=True)
class Machine:
    """A linear classifier of tf.idf; what no training text has does not count."""

    idf: Floats
    model: Any

    @classmethod
    def learn(cls, bags: Any, classes: Any) -> Machine:
        svm = optional_module("sklearn.svm", "categorization", "scikit-learn")
        frequencies = np.bincount(bags.indices, minlength=bags.shape[1])
        known = np.log((1 + bags.shape[0]) / (1 + frequencies)) + 1
        idf = np.where(frequencies > 0, known, 0.0)
        # With more words than texts the dual problem is solved 40 times faster than the primal one;
        # its steps are in a random order, which the seed fixes.
        model = svm.LinearSVC(dual=True, tol=1e-6, max_iter=10_000, random_state=0)
        return cls(idf, model.fit(_weighted(bags, idf), classes))

    def given(self, bags: Any) -> list[list[str]]:
        """The category of each row; nothing for one without a known word."""
        weighted = _weighted(bags, self.idf)
        is_empty = np.asarray(abs(weighted).sum(axis=1)).ravel() == 0
        distances = self.model.decision_function(weighted)
        if distances.ndim == 1:
            # One plane between two categories.
            distances = np.stack([-distances, distances], axis=1)
        nearest = np.argmax(np.round(distances, _DIGITS), axis=1)
        names = self.model.classes_[nearest].tolist()
        return [[] if empty else [name] for name, empty in zip(names, is_empty, strict=True)]


class Machines(NamedTuple):
    """A classifier for each fold, and the fold of each topic."""

    machines: Sequence[Machine]
    fold_of: Ints

    def given(self, bags: Any, owners: Ints) -> list[list[str]]:
        """The categories of texts, each by the classifier that has not seen its topic."""
        given: list[list[str]] = [[] for _ in owners]
        for fold, machine in enumerate(self.machines):
            mine = np.flatnonzero(self.fold_of[owners] == fold)
            if len(mine):
                for place, names in zip(mine.tolist(), machine.given(bags[mine]), strict=True):
                    given[place] = names
        return given


def _weighted(bags: Any, idf: Floats) -> Any:
    """tf.idf with rows of length 1; a row without a known word is all 0."""
    from scipy.sparse import csr_array

    rows = np.repeat(np.arange(bags.shape[0]), np.diff(bags.indptr))
    data = bags.data * idf[bags.indices]
    lengths = np.sqrt(np.bincount(rows, weights=data**2, minlength=bags.shape[0]))
    data = data / np.where(lengths > 0, lengths, 1.0)[rows]
    return csr_array((data, bags.indices, bags.indptr), shape=bags.shape)


def dealt(categories: Sequence[str], folds: int, seed: int = 0) -> Ints:
    """The fold of each topic: each category is shuffled and dealt out, so folds are alike.

    >>> sorted(dealt(["a", "a", "b", "b"], 2).tolist()[:2])
    [0, 1]
    """
    rng = np.random.default_rng(seed)
    fold_of = np.zeros(len(categories), np.int64)
    names = np.array(categories)
    order = [rng.permutation(np.flatnonzero(names == name)) for name in sorted(set(categories))]
    fold_of[np.concatenate(order)] = np.arange(len(categories)) % folds
    return fold_of
