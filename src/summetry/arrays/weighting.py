"""Terms by sentences as a weighted matrix: a_ij = L_ij * G_i for term i in sentence j.

    L  FQ  tf, how often the sentence has the term
       BI  1
       AU  0.5 + 0.5 tf / (tf of the sentence's most frequent term)
       LO  log(1 + tf)
    G  NW  1
       ISF log(N / n) + 1 for a term that n of the text's N sentences have
       GF  gf / n for a term that the text has gf times
       EN  1 + sum over sentences of p log p / log N, where p = tf / gf

A term that a sentence does not have weighs 0 there; ``au_absent=half`` gives it the 0.5 that the
formula of AU prints (a sentence without any term keeps its zeros). EN is printed with a minus,
which would weigh a term up for being everywhere: ``en=printed``. In a text of one sentence EN is
1. The base of the logarithm matters to ISF; LO is only scaled by it.

Source: Steinberger and Jezek (2009), section 6.2, eq. 14.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from summetry.arrays.token_tables import Bags, TokenTable, gather_runs, table_of
from summetry.arrays.types import Floats, Ints
from summetry.arrays.vectors import find_in_bags

Local: TypeAlias = Literal["FQ", "BI", "AU", "LO"]
Scope: TypeAlias = Literal["NW", "ISF", "GF", "EN"]
AuAbsent: TypeAlias = Literal["zero", "half"]
Entropy: TypeAlias = Literal["standard", "printed"]
LogBase: TypeAlias = Literal["e", 2, 10]


@dataclass(frozen=True)
class Weighting:
    """A local and a global weight, and how the paper's open points are read."""

    local: Local = "BI"
    scope: Scope = "NW"
    au_absent: AuAbsent = "zero"
    en: Entropy = "standard"
    log: LogBase = "e"

    def logarithm(self, values: Floats) -> Floats:
        return np.log(values) / (1.0 if self.log == "e" else np.log(self.log))


# What the paper found best against full texts.
BINARY = Weighting("BI", "NW")


class WeightedMatrix(NamedTuple):
    """The terms of a text as rows, in order of appearance, and its sentences as columns."""

    terms: list[str]
    matrix: Floats


def weighting_matrix(
    sentences: Sequence[Sequence[str]], weighting: Weighting = BINARY
) -> WeightedMatrix:
    """The matrix of a text that is given as sentences of tokens.

    >>> weighting_matrix([["fog", "pier", "fog"], ["fog"]], Weighting("FQ", "GF"))
    WeightedMatrix(terms=['fog', 'pier'], matrix=array([[3. , 1.5],
           [1. , 0. ]]))
    """
    table = tokens_as_table(sentences)
    weighted = weigh(occurrences(table, np.array([0, len(sentences)], np.int64)), weighting)
    matrix = np.zeros((len(table.words), len(sentences)))
    matrix[weighted.occurrences.term, weighted.occurrences.sentence] = weighted.weights
    return WeightedMatrix(list(table.words), matrix)


def tokens_as_table(sentences: Sequence[Sequence[str]]) -> TokenTable:
    """Sentences of tokens as a table, its words in order of appearance."""
    return table_of(sentences, dict.fromkeys(chain.from_iterable(sentences)))


@dataclass(frozen=True)
class Occurrences:
    """Which sentences of many texts have which terms: an entry for each term of each sentence.

    Entries are ordered by text, term and sentence. ``bags`` are the terms of each text, ``term``
    is the place of an entry's term in them; ``sentence`` counts through all texts, the sentences
    of text ``i`` being ``first[i]`` to ``first[i+1]``.
    """

    bags: Bags
    term: Ints
    sentence: Ints
    count: Ints
    first: Ints

    @cached_property
    def sentences(self) -> Ints:
        """The number of sentences of each text."""
        return np.diff(self.first)

    @cached_property
    def holding(self) -> Ints:
        """How many sentences have each term."""
        return np.bincount(self.term, minlength=len(self.bags.ids)).astype(np.int64)

    @cached_property
    def starts(self) -> Ints:
        """Where the entries of each term start, and where the last ones end."""
        return np.concatenate([[0], np.cumsum(self.holding)]).astype(np.int64)

    @cached_property
    def borders(self) -> Ints:
        """Where the entries of each text start, and where the last ones end."""
        return self.starts[self.bags.offsets]

    @cached_property
    def text_of_term(self) -> Ints:
        return np.repeat(np.arange(len(self.first) - 1, dtype=np.int64), self.bags.lengths)

    def entries(self, texts: Ints) -> tuple[Ints, Ints]:
        """The entries of these texts, and which of ``texts`` each is of."""
        lengths = np.diff(self.borders)[texts]
        owners = np.repeat(np.arange(len(texts), dtype=np.int64), lengths)
        return gather_runs(self.borders[texts], lengths), owners

    def take(self, texts: Ints) -> Occurrences:
        """These texts, in this order; a text may be taken more than once."""
        entries, owner = self.entries(texts)
        lengths = self.bags.lengths[texts]
        offsets, first = (
            np.concatenate([[0], np.cumsum(many)]).astype(np.int64)
            for many in (lengths, self.sentences[texts])
        )
        terms = gather_runs(self.bags.offsets[texts], lengths)
        bags = Bags(self.bags.ids[terms], self.bags.counts[terms], offsets, self.bags.size)
        return Occurrences(
            bags,
            self.term[entries] + (offsets[:-1] - self.bags.offsets[texts])[owner],
            self.sentence[entries] + (first[:-1] - self.first[texts])[owner],
            self.count[entries],
            first,
        )


def occurrences(table: TokenTable, first: Ints) -> Occurrences:
    """The terms of texts whose sentences are the rows ``first[i]`` to ``first[i+1]``."""
    bags, texts = table.bags, len(first) - 1
    sentence = np.repeat(np.arange(len(table), dtype=np.int64), bags.lengths)
    text = np.searchsorted(first, sentence, side="right") - 1
    keys = text * bags.size + bags.ids
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    is_new = np.ones(len(keys), dtype=np.bool_)
    is_new[1:] = keys[1:] != keys[:-1]
    terms, term = keys[is_new], np.cumsum(is_new) - 1
    counts = bags.counts[order]
    total = np.bincount(term, weights=counts, minlength=len(terms)).astype(np.int64)
    offsets = np.searchsorted(terms, np.arange(texts + 1, dtype=np.int64) * bags.size)
    whole = Bags(terms % bags.size, total, offsets.astype(np.int64), bags.size)
    return Occurrences(whole, term.astype(np.int64), sentence[order], counts, first)


@dataclass(frozen=True)
class Weighted:
    """The matrices of many texts: a weight for each entry."""

    occurrences: Occurrences
    weights: Floats


def weigh(entries: Occurrences, weighting: Weighting, scope: Floats | None = None) -> Weighted:
    """The matrices of ``entries``; ``scope`` is the global weight of each term, if not its own."""
    if scope is None:
        scope = scope_weights(entries, weighting)
    if weighting.local == "AU" and weighting.au_absent == "half":
        entries = _with_absent_terms(entries)
    return Weighted(entries, _local_weights(entries, weighting) * scope[entries.term])


def scope_weights(entries: Occurrences, weighting: Weighting) -> Floats:
    """The global weight of each term of each text, from the text's own sentences."""
    holding, sentences = entries.holding, entries.sentences[entries.text_of_term]
    if weighting.scope == "ISF":
        return weighting.logarithm(sentences / holding) + 1
    if weighting.scope == "GF":
        return entries.bags.counts / holding
    if weighting.scope == "EN":
        return _entropy_weights(entries, sentences, weighting.en)
    return np.ones(len(holding))


def scope_weights_from(
    entries: Occurrences, texts: Ints, others: Occurrences, weighting: Weighting
) -> Floats:
    """The global weight of each term of text ``i`` in the text ``texts[i]`` of ``others``.

    A term that the other text does not have weighs as if it had it once, in one sentence.
    """
    known = scope_weights(others, weighting)
    rows = texts[entries.text_of_term]
    places = find_in_bags(others.bags, rows, entries.bags.ids)
    weights = np.ones(len(rows))
    if weighting.scope == "ISF":
        weights += weighting.logarithm(np.maximum(others.sentences[rows], 1).astype(np.float64))
    has_it = places >= 0
    weights[has_it] = known[places[has_it]]
    return weights


def _entropy_weights(entries: Occurrences, sentences: Ints, en: Entropy) -> Floats:
    terms = len(entries.holding)
    total = entries.bags.counts
    share = entries.count / total[entries.term]
    parts = np.bincount(entries.term, weights=share * np.log(share), minlength=terms)
    several = sentences > 1
    spread = np.divide(-parts, np.log(sentences), out=np.zeros(terms), where=several)
    # A term that every sentence has equally often must weigh exactly 0, not 1e-17.
    most = np.zeros(terms, np.int64)
    np.maximum.at(most, entries.term, entries.count)
    spread[several & (most * sentences == total)] = 1.0
    return 1 + spread if en == "printed" else np.maximum(1 - spread, 0.0)


def _local_weights(entries: Occurrences, weighting: Weighting) -> Floats:
    count = entries.count.astype(np.float64)
    if weighting.local == "BI":
        return np.ones(len(count))
    if weighting.local == "LO":
        return weighting.logarithm(1 + count)
    if weighting.local == "AU":
        most = np.zeros(int(entries.first[-1]))
        np.maximum.at(most, entries.sentence, count)
        return 0.5 + 0.5 * (count / most[entries.sentence])
    return count


def _with_absent_terms(entries: Occurrences) -> Occurrences:
    """An entry for every term in every sentence that has any, with count 0 where it is absent."""
    first = entries.first
    held = np.unique(entries.sentence)
    borders = np.searchsorted(held, first)
    sentences = np.diff(borders)[entries.text_of_term]
    term = np.repeat(np.arange(len(sentences), dtype=np.int64), sentences)
    sentence = held[gather_runs(borders[:-1][entries.text_of_term], sentences)]
    size = max(int(first[-1]), 1)
    count = np.zeros(len(term), np.int64)
    count[np.searchsorted(term * size + sentence, entries.term * size + entries.sentence)] = (
        entries.count
    )
    return replace(entries, term=term, sentence=sentence, count=count)
