"""How far a summary says each content unit of its topic, by the words of both.

    value = (likeness to the closest sentence + likeness to the whole summary) / 2

A unit is said best by one sentence, and less surely by words from several; so both count. Likeness
is one of two:

``overlap``  the distinct words of the unit that the text has, divided by those of the unit
``vectors``  the cosine of both as vectors of words, each weighing tf * (ln((N + 1) / (n + 1)) + 1):
             tf is how often the text has it, N the units of the topic, n those that have it

A unit without a word (all may be stop words) is like nothing and has no value, NaN. A summary
without a sentence has 0.

A further kind of likeness is a function from :class:`UnitTexts` to :class:`UnitValues`, entered in
``LIKENESSES``: it has the tokens of all sentences and texts there, and the strings behind them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from summetry import spec
from summetry.arrays.ngrams import shared_ngrams
from summetry.arrays.token_tables import Bags, TokenTable, bags_of, gather_runs
from summetry.arrays.types import Floats, Ints
from summetry.arrays.vectors import InverseFrequencies, bag_entries, shared_tokens
from summetry.metrics.base import ratio
from summetry.metrics.pyramid.pyramid_metrics import judged_by_units
from summetry.records.batches import Batch, DistinctTexts, SentenceTable
from summetry.records.pyramids import Scu
from summetry.text.pipeline import TextPipeline

# Pairs of texts whose common words are held at once.
_PAIRS = 1 << 16


def unit_text(scu: Scu) -> str:
    """What a unit says: its label, or its name where it has none.

    >>> unit_text(Scu("1", "a ferry sank")), unit_text(Scu("a ferry sank"))
    ('a ferry sank', 'a ferry sank')
    """
    return scu.label.strip() or scu.id


class UnitValues(NamedTuple):
    """One entry for each unit of each comparison, in the order of both."""

    # The comparison that an entry belongs to.
    owners: Ints
    # By the closest sentence, by the whole summary, and the mean of both, which counts.
    sentence: Floats
    summary: Floats
    value: Floats
    # The place of the closest sentence in the summary, of equals the first; -1 where it has none.
    closest: Ints


@dataclass(frozen=True)
class UnitTexts:
    """The candidates of a batch and the units of their topics as rows of tables of tokens.

    ``sentences`` has the ``texts`` sentence by sentence; a text itself is a row of
    ``sentences.whole``. The units of pyramid p are the texts ``units[first[p]:first[p+1]]``, and
    each comparison has a candidate and a pyramid.
    """

    texts: DistinctTexts
    sentences: SentenceTable
    candidates: Ints
    pyramids: Ints
    units: Ints
    first: Ints

    @cached_property
    def words(self) -> TokenTable:
        """The distinct tokens of every sentence, and behind them those of every text."""
        bags = _with_wholes(self.sentences)
        return TokenTable(bags.ids, bags.offsets, self.sentences.table.words)

    @cached_property
    def owners(self) -> Ints:
        """The comparison of each entry."""
        sizes = np.diff(self.first)[self.pyramids]
        return np.repeat(np.arange(len(self.candidates), dtype=np.int64), sizes)

    @cached_property
    def places(self) -> Ints:
        """The place of each entry among ``units``."""
        return gather_runs(self.first[self.pyramids], np.diff(self.first)[self.pyramids])

    @cached_property
    def sizes(self) -> Ints:
        """How many sentences the candidate of each comparison has."""
        return np.diff(self.sentences.first)[self.candidates]

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """Each entry with each sentence of its candidate: numbers of entries, and of sentences
        among those of all candidates, comparison by comparison."""
        start = np.cumsum(self.sizes) - self.sizes
        sizes = self.sizes[self.owners]
        entry = np.repeat(np.arange(len(self.owners), dtype=np.int64), sizes)
        return entry, gather_runs(start[self.owners], sizes)

    @cached_property
    def rows(self) -> Ints:
        """The row of each sentence of all candidates, comparison by comparison."""
        return gather_runs(self.sentences.first[self.candidates], self.sizes)

    def whole(self, texts: Ints) -> Ints:
        """The rows of whole texts among ``words``."""
        return texts + len(self.sentences.table)

    def closest(self, values: Floats) -> tuple[Floats, Ints]:
        """Of a value for each of ``pairs`` the largest for each entry (0 without any), and the
        place of the first sentence that has it (-1 without any)."""
        entry, sentence = self.pairs
        best = np.zeros(len(self.owners))
        np.maximum.at(best, entry, values)
        start = (np.cumsum(self.sizes) - self.sizes)[self.owners]
        hits = np.flatnonzero(values == best[entry])[::-1]
        places = np.full(len(best), -1, dtype=np.int64)
        places[entry[hits]] = sentence[hits] - start[entry[hits]]
        return best, places

    def defined(self, values: Floats) -> Floats:
        """NaN for entries whose unit has no words."""
        return np.where(self.words.lengths[self.whole(self.units[self.places])], values, np.nan)


def unit_texts(batch: Batch, pipeline: TextPipeline) -> UnitTexts:
    """The texts of a batch, made once for all who ask."""
    key = ("texts of content units", spec.show(pipeline))
    return batch.derived(key, lambda: _unit_texts(batch, pipeline))


def unit_values(batch: Batch, by: str, pipeline: TextPipeline) -> UnitValues:
    """How far the candidate of each comparison says each unit of its pyramid."""
    key = ("values of content units", by, spec.show(pipeline))
    return batch.derived(key, lambda: LIKENESSES[by](unit_texts(batch, pipeline)))


def _unit_texts(batch: Batch, pipeline: TextPipeline) -> UnitTexts:
    texts = DistinctTexts()
    candidates, pyramids, units, first = [], [], [], [0]
    known: dict[tuple[int, str], int] = {}
    for comparison, judged in zip(batch.comparisons, judged_by_units(batch), strict=True):
        side, language = comparison.candidate, comparison.material.language
        candidates.append(texts.add(side.text, language, side.sentences))
        key = (id(judged.pyramid), language)
        if key not in known:
            known[key] = len(first) - 1
            units += [texts.add(unit_text(scu), language, None) for scu in judged.pyramid.scus]
            first.append(len(units))
        pyramids.append(known[key])
    arrays = (np.array(part, dtype=np.int64) for part in (candidates, pyramids, units, first))
    return UnitTexts(texts, texts.encode(pipeline), *arrays)


def _by_overlap(texts: UnitTexts) -> UnitValues:
    entry, sentence = texts.pairs
    unit = texts.whole(texts.units[texts.places])
    size = texts.words.lengths[unit]
    shared = shared_ngrams(texts.words, unit[entry], texts.rows[sentence])
    best, closest = texts.closest(shared.astype(np.float64))
    every = shared_ngrams(texts.words, unit, texts.whole(texts.candidates[texts.owners]))
    # Divided once, so that a share is the number that a threshold of the same share is.
    value = ratio(best + every, 2 * size)
    return UnitValues(texts.owners, ratio(best, size), ratio(every, size), value, closest)


def _by_vectors(texts: UnitTexts) -> UnitValues:
    weights = _Weights(texts, _with_wholes(texts.sentences))
    entry, sentence = texts.pairs
    unit, topics = texts.whole(texts.units[texts.places]), texts.pyramids[texts.owners]
    of_unit = weights.lengths(unit, topics)
    of_sentence = weights.lengths(texts.rows, np.repeat(texts.pyramids, texts.sizes))
    whole = texts.whole(texts.candidates)
    of_summary = weights.lengths(whole, texts.pyramids)[texts.owners]
    products = weights.products(unit[entry], texts.rows[sentence], topics[entry])
    cosines = _cosines(products, of_unit[entry], of_sentence[sentence])
    best, closest = texts.closest(cosines)
    products = weights.products(unit, whole[texts.owners], topics)
    summary = _cosines(products, of_unit, of_summary)
    by_sentence, by_summary = texts.defined(best), texts.defined(summary)
    mean = (by_sentence + by_summary) / 2
    return UnitValues(texts.owners, by_sentence, by_summary, mean, closest)


LIKENESSES: Mapping[str, Callable[[UnitTexts], UnitValues]] = {
    "overlap": _by_overlap,
    "vectors": _by_vectors,
}


class _Weights:
    """Vectors of bags whose weights depend on the pyramid that they are compared by."""

    def __init__(self, texts: UnitTexts, bags: Bags) -> None:
        self.bags = bags
        at, unit = bag_entries(bags, texts.whole(texts.units))
        pyramids = len(texts.first) - 1
        of = np.repeat(np.arange(pyramids, dtype=np.int64), np.diff(texts.first))
        # How many units of a pyramid have a word.
        holding = bags_of(of[unit], bags.ids[at], pyramids, bags.size)
        self.isf = InverseFrequencies(np.diff(texts.first), holding)

    def lengths(self, rows: Ints, pyramids: Ints) -> Floats:
        """The lengths of the vectors of these rows, each by a pyramid."""
        at, owner = bag_entries(self.bags, rows)
        weight = self.isf.of(pyramids[owner], self.bags.ids[at]) * self.bags.counts[at]
        squares = np.bincount(owner, weights=weight * weight, minlength=len(rows))
        return np.sqrt(squares.astype(np.float64))

    def products(self, left: Ints, right: Ints, pyramids: Ints) -> Floats:
        """The products of the vectors of pairs of rows, each by a pyramid."""
        parts = [np.zeros(0)]
        for start in range(0, len(left), _PAIRS):
            some = slice(start, start + _PAIRS)
            shared = shared_tokens(self.bags, left[some], right[some])
            weight = self.isf.of(pyramids[some][shared.pair], self.bags.ids[shared.left])
            counts = self.bags.counts[shared.left] * self.bags.counts[shared.right]
            parts.append(shared.total(weight * weight * counts))
        return np.concatenate(parts)


def _with_wholes(sentences: SentenceTable) -> Bags:
    """The bags of all sentences, and behind them those of all texts."""
    one, two = sentences.table.bags, sentences.whole.bags
    return Bags(
        np.concatenate([one.ids, two.ids]),
        np.concatenate([one.counts, two.counts]),
        np.concatenate([one.offsets, one.offsets[-1] + two.offsets[1:]]),
        one.size,
    )


def _cosines(products: Floats, left: Floats, right: Floats) -> Floats:
    """0 where a vector is empty; never above 1 by an error of rounding."""
    return np.minimum(np.nan_to_num(ratio(products, left * right), nan=0.0), 1.0)
