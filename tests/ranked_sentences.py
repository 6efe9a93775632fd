"""Sources and random sentences for the tests of summarizers, and plain ways to the same scores."""

import math

import numpy as np
from hypothesis import strategies as st

from summetry.records.topics import Document, Topic
from summetry.summarizers import SUMMARIZERS, Source

WORDS = ["fog", "pier", "ferry", "ice", "quay", "паром"]
sentence_lists = st.lists(st.lists(st.sampled_from(WORDS), max_size=6), max_size=7)


def source_of(*documents, language="en", **topic):
    """A topic whose documents are lists of units."""
    listed_documents = tuple(
        Document(id=f"d{i}", units=tuple(units)) for i, units in enumerate(documents)
    )
    return Source(Topic(id="t", documents=listed_documents, **topic), language)


def rank(spelling, *units, **topic):
    """The ranking of these units by a summarizer."""
    return SUMMARIZERS.build(spelling).rank(source_of(units, **topic), 1)


def joined(sentences):
    """Sentences that are lists of words as units of a source, one blank between words."""
    return [" ".join(words) for words in sentences]


def walk_oracle(weights, damping):
    """PageRank from a system of linear equations; a node without links sends to all."""
    size = len(weights)
    if not size:
        return []
    moves = np.zeros((size, size))
    for i, row in enumerate(weights):
        total = math.fsum(row)
        for j, weight in enumerate(row):
            moves[j, i] = weight / total if total else 1 / size
    return np.linalg.solve(np.eye(size) - damping * moves, [(1 - damping) / size] * size).tolist()


def idf_oracle(sentences):
    """ln(N / n) of every word."""
    idf = {}
    for word in {word for words in sentences for word in words}:
        holding = sum(word in words for words in sentences)
        idf[word] = math.log(len(sentences) / holding)
    return idf


def scores_of_all(values, defined):
    """``values`` for the sentences that are ``defined``, NaN for the others."""
    rest = iter(values)
    return [next(rest) if is_defined else math.nan for is_defined in defined]
