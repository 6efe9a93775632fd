"""A linear classifier of texts that no text is classified by that it has learnt from.

Texts are rows of counts by word, weighted by tf.idf of the training texts and brought to length 1:

    weight = tf (ln((1 + N) / (1 + df)) + 1)

for N training texts of which df have the word; words that none of them has do not count. These are
the weights of scikit-learn's ``TfidfTransformer``, the classifier is its ``LinearSVC`` with C = 1:
one plane for each category against all others. A text is given the category whose plane it is
farthest in front of, and of two equally good ones the first by name. Where training texts have
several categories, it is given all others too in front of whose planes it is, as by scikit-learn's
``OneVsRestClassifier``. scikit-learn is imported on first use.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
    names: Sequence[str]
    # For each category the direction of its plane and how far it is from the origin; of two
    # categories one plane parts the second from the first.
    planes: Floats
    offsets: Floats
    # Whether a text can be given several categories.
    is_multiple: bool = False

    @classmethod
    def learn(cls, bags: Any, classes: Sequence[Sequence[str]]) -> Machine:
        """What can be learnt of texts that each have these categories."""
        svm = optional_module("sklearn.svm", "categorization", "scikit-learn")
        frequencies = np.bincount(bags.indices, minlength=bags.shape[1])
        known = np.log((1 + bags.shape[0]) / (1 + frequencies)) + 1
        idf = np.where(frequencies > 0, known, 0.0)
        # With more words than texts the dual problem is solved 40 times faster than the primal one;
        # its steps are in a random order, which the seed fixes.
        model = svm.LinearSVC(dual=True, tol=1e-6, max_iter=10_000, random_state=0)
        weighted, names = _weighted(bags, idf), sorted({name for own in classes for name in own})
        if len(names) > 1 and all(len(own) == 1 for own in classes):
            model.fit(weighted, [name for (name,) in classes])
            return cls(idf, names, model.coef_, model.intercept_)
        planes, offsets = np.zeros((len(names), bags.shape[1])), np.ones(len(names))
        for number, name in enumerate(names):
            has = [name in own for own in classes]
            # All texts are in front of the plane of what all training texts have.
            if not all(has):
                model.fit(weighted, has)
                planes[number], offsets[number] = model.coef_[0], model.intercept_[0]
        return cls(idf, names, planes, offsets, is_multiple=True)

    def distances(self, weighted: Any) -> Floats:
        """How far each row of weights is in front of the plane of each category."""
        distances: Floats = weighted @ self.planes.T + self.offsets
        if distances.shape[1] < len(self.names):
            distances = np.hstack([-distances, distances])
        return np.round(distances, _DIGITS)

    def given(self, bags: Any) -> list[list[str]]:
        """The categories of each row; nothing for one without a known word."""
        weighted = _weighted(bags, self.idf)
        distances = self.distances(weighted)
        chosen = distances > 0 if self.is_multiple else np.zeros_like(distances, bool)
        chosen[np.arange(len(chosen)), np.argmax(distances, axis=1)] = True
        chosen[np.asarray(weighted.sum(axis=1)).ravel() == 0] = False
        return [[self.names[place] for place in np.flatnonzero(row).tolist()] for row in chosen]


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


def dealt(categories: Sequence[Collection[str]], folds: int, seed: int = 0) -> Ints:
    """The fold of each topic: each category is shuffled and dealt out, so folds are alike.

    A topic goes to the fold with the smallest shares of its categories, added; of equal ones to
    that with the fewest topics.

    >>> sorted(dealt([["a"], ["a"], ["b"], ["b"]], 2).tolist()[:2])
    [0, 1]
    """
    rng = np.random.default_rng(seed)
    fold_of = np.full(len(categories), -1)
    names = sorted({name for own in categories for name in own})
    has = np.array([[name in own for name in names] for own in categories])
    sizes = has.sum(axis=0)
    shares, topics = np.zeros((folds, len(names))), np.zeros(folds, np.int64)
    for column in has.T:
        for topic in rng.permutation(np.flatnonzero(column & (fold_of < 0))):
            own = has[topic]
            fold = np.lexsort((topics, shares[:, own].sum(axis=1)))[0]
            fold_of[topic] = fold
            topics[fold] += 1
            shares[fold, own] += 1 / sizes[own]
    return fold_of
