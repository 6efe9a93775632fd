"""Redundancy: how alike the sentences of a summary are.

    max    cosine of the two sentences that are most alike
    mean   mean cosine over all pairs of sentences

The cosine is that of word counts, as in the metric ``cosine``. ``max`` comes first, since what
troubles a reader is one thing that is said twice, and two sentences are quickly checked; the mean
of many pairs hardly changes by it. A sentence without any word does not count; with fewer than two
sentences there is no value.

Source: the cosine is eq. 4 of Steinberger and Jezek (2009); a sentence's greatest similarity to
another one is the redundancy of Carbonell and Goldstein (1998), MMR.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar, NamedTuple

import numpy as np

from summetry.arrays.token_tables import Bags, cut_into_runs, gather_runs
from summetry.arrays.types import Floats, Ints
from summetry.arrays.vectors import bag_entries, shared_tokens
from summetry.metrics._pairs import placed_ngrams
from summetry.metrics.base import METRICS, Better, Counts, MeanMetric, explained, one_value, ratio
from summetry.metrics.explanations import Explanation, Match, Part, Sheet, left_out
from summetry.metrics.indicators._base import Indicator, sentence_spans
from summetry.records.batches import Batch, Comparison
from summetry.text.pipeline import LanguagePipeline, TextPipeline
from summetry.text.tokens import Span

# Pairs of sentences whose words are compared at once: a long text has millions of pairs.
_AT_ONCE = 1 << 14


@METRICS.register
@dataclass(frozen=True)
class Redundancy(Indicator, MeanMetric):
    """Cosine of the two most alike sentences of the summary, and the mean over all pairs."""

    text: TextPipeline = field(default_factory=LanguagePipeline)

    name: ClassVar[str] = "redundancy"
    values: ClassVar[tuple[str, ...]] = ("max", "mean")
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    reads_sentences: ClassVar[bool] = True
    better: ClassVar[Better] = {"max": "neither", "mean": "neither"}
    terms: ClassVar[dict[str, str]] = {
        "found": "over the words that the two most alike share, the product of both counts",
        "first": "sum of the squared counts of the first of them",
        "second": "sum of the squared counts of the second",
        "total": "sum of the cosines of all pairs of sentences",
        "pairs": "pairs of sentences",
    }

    def count(self, batch: Batch) -> Counts:
        sentences = batch.sentences(self.text)
        # Each distinct candidate once; sentences without words are left out.
        texts, places = np.unique(batch.candidates, return_inverse=True)
        counts = np.diff(sentences.first)[texts]
        rows = gather_runs(sentences.first[texts], counts)
        owners = np.repeat(np.arange(len(texts), dtype=np.int64), counts)
        has_words = sentences.table.lengths[rows] > 0
        rows, owners = rows[has_words], owners[has_words]
        most, total, pairs = _cosines(sentences.table.bags, rows, owners, len(texts))
        return np.hstack([one_value(of[places]) for of in (most, ratio(total, pairs))])

    def explain(self, comparison: Comparison) -> Explanation:
        text, language = comparison.candidate.text, comparison.material.language
        spans = sentence_spans(comparison, self.text)
        cut = [(span, self.text.locate(text[slice(*span)], language)) for span in spans]
        sentences = [_Sentence.of(span, words) for span, words in cut if words]
        pairs = [(one.cosine(other), one, other) for one, other in combinations(sentences, 2)]
        if not pairs:
            why = "fewer than two sentences have words, so there is no pair to compare"
            part = Part("", {"pairs": 0.0}, left_out(self.values), note=why)
            return explained(self, comparison, [part])
        pairs.sort(key=lambda pair: -pair[0])
        _, one, other = pairs[0]
        facts = {
            "found": one.product(other),
            "first": one.product(one),
            "second": other.product(other),
            "total": math.fsum(value for value, _, _ in pairs),
            "pairs": float(len(pairs)),
        }
        formulas = {
            "max": "found / (first * second)**0.5 if found else 0",
            "mean": "total / pairs",
        }
        shown = {sentence.span: text[slice(*sentence.span)].strip() for sentence in sentences}
        rows = tuple((value, shown[a.span], shown[b.span]) for value, a, b in pairs)
        table = Sheet("Pairs of sentences, most alike first", ("cosine", "one", "another"), rows)
        matches = tuple(one.matches(other))
        return explained(self, comparison, [Part("", facts, formulas, matches, tables=(table,))])


class _Sentence(NamedTuple):
    """A sentence with the places of its words in the text."""

    span: Span
    words: dict[str, tuple[Span, ...]]
    counts: Counter[str]

    @classmethod
    def of(cls, span: Span, tokens: list[tuple[str, Span]]) -> _Sentence:
        start = span[0]
        words = placed_ngrams([(token, (a + start, b + start)) for token, (a, b) in tokens])
        return cls(span, words, Counter(token for token, _ in tokens))

    def product(self, other: _Sentence) -> float:
        return float(sum(n * other.counts[word] for word, n in self.counts.items()))

    def cosine(self, other: _Sentence) -> float:
        return self.product(other) / math.sqrt(self.product(self) * other.product(other))

    def matches(self, other: _Sentence) -> Iterator[Match]:
        for word, spans in self.words.items():
            if word in other.words:
                weight = self.counts[word] * other.counts[word]
                yield Match(word, float(weight), (*spans, *other.words[word]))


def _cosines(bags: Bags, rows: Ints, owners: Ints, texts: int) -> tuple[Floats, Floats, Ints]:
    """Of all pairs of rows of one owner the largest cosine, their sum, and how many there are.

    ``rows`` are those of the owners, one owner after the other, and none is empty.
    """
    entries, place = bag_entries(bags, rows)
    squares = np.bincount(place, bags.counts[entries].astype(np.float64) ** 2, len(rows))
    here = np.arange(len(rows), dtype=np.int64)
    sizes = np.bincount(owners, minlength=texts)
    # Each row has a pair with every later row of its owner.
    later = np.cumsum(sizes)[owners] - here - 1
    most, total = np.full(texts, np.nan), np.zeros(texts)
    for some in cut_into_runs(later, _AT_ONCE):
        left = np.repeat(here[some], later[some])
        right = gather_runs(here[some] + 1, later[some])
        shared = shared_tokens(bags, rows[left], rows[right])
        products = bags.counts[shared.left].astype(np.float64) * bags.counts[shared.right]
        cosines = shared.total(products) / np.sqrt(squares[left] * squares[right])
        # One after the other: the size of blocks changes no bit of a sum.
        np.add.at(total, owners[left], cosines)
        np.fmax.at(most, owners[left], cosines)
    pairs: Ints = (sizes * (sizes - 1) // 2).astype(np.int64)
    return most, total, pairs
