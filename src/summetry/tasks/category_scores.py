"""Precision, recall and F of categories that texts were given.

For one text, with the categories that it was given and those that it has,

    P = |given and right| / |given|     R = |given and right| / |right|
    F = 2 |given and right| / (|given| + |right|)

and over all texts

    documents    the mean over texts, of those that have a value (the paper's measure)
    categories   the same counts for each category over all texts, then the mean over categories
    micro        all counts added, then P, R and F

A text that was given nothing has no P, a recall of 0 and an F of 0.

Chance is what F over texts would be if the same categories had been given to the same texts in
another order: the mean over all orders is exact, p is by permutation.

Source: Steinberger and Jezek (2009), section 3.4.1; how to average is ours.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError
from summetry.metrics.coselection import PrecisionRecallF
from summetry.stats.concordance import SAME, divided
from summetry.stats.significance import DRAWS, is_significant

Average = Literal["documents", "categories", "micro"]
AVERAGES: tuple[Average, ...] = get_args(Average)


# Orders of texts that are held at once, as numbers.
_STEP = 1 << 20
_ALPHA = 0.05


class CategorizationScores(NamedTuple):
    """P, R and F of each text, and over all texts in three ways."""

    per_document: tuple[PrecisionRecallF, ...]
    documents: PrecisionRecallF
    categories: PrecisionRecallF
    micro: PrecisionRecallF


def categorization_scores(
    given: Sequence[Collection[str]], right: Sequence[Collection[str]]
) -> CategorizationScores:
    """The scores of texts by the categories that each was given, and those that each has.

    >>> categorization_scores([["sport"], ["sport"]], [["sport"], ["news"]]).micro.precision
    0.5
    """
    if len(given) != len(right):
        raise SummetryError(
            f"each text needs the categories that it was given and those that it has, got "
            f"{len(given)} and {len(right)}"
        )
    names = sorted({name for texts in (given, right) for own in texts for name in own})
    texts = [
        CategorizedText(place, *sets) for place, sets in enumerate(zip(given, right, strict=True))
    ]
    tally = Tally.of(texts, len(texts), names)
    averages = {average: tally.scores(average) for average in AVERAGES}
    return CategorizationScores(tuple(map(_scores_of_text, texts)), **averages)


class CategorizedText(NamedTuple):
    """A text that was given categories, and the number of its topic."""

    topic: int
    given: Collection[str]
    right: Collection[str]


def _scores_of_text(text: CategorizedText) -> PrecisionRecallF:
    given, right = set(text.given), set(text.right)
    hits, both = len(given & right), len(given) + len(right)
    return PrecisionRecallF(
        hits / len(given) if given else math.nan,
        hits / len(right) if right else math.nan,
        2 * hits / both if both else math.nan,
    )


class Chance(NamedTuple):
    """F over texts, its expectation by chance, and the share of orders with an F as large."""

    f: float
    expected: float
    p: float

    @property
    def is_beaten(self) -> bool:
        return bool(is_significant(self.p, _ALPHA))


def by_chance(texts: Sequence[CategorizedText], draws: int = DRAWS, seed: int = 0) -> Chance:
    """Whether texts were given their categories better than by chance.

    >>> by_chance([CategorizedText(0, ["a"], ["a"]), CategorizedText(1, ["b"], ["b"])]).expected
    0.5
    """
    (given, kind_given), (right, kind_right) = (
        _kinds([frozenset(names) for names in sets])
        for sets in ([text.given for text in texts], [text.right for text in texts])
    )
    f_of = np.array([[_scores_of_text(CategorizedText(0, a, b)).f for b in right] for a in given])
    seen = float(f_of[kind_given, kind_right].mean())
    weights = np.bincount(kind_given), np.bincount(kind_right)
    expected = float(weights[0] @ f_of @ weights[1]) / len(texts) ** 2
    rng, as_large = np.random.default_rng(seed), 0
    step = max(_STEP // len(texts), 1)
    for start in range(0, draws, step):
        orders = np.tile(kind_given, (min(step, draws - start), 1))
        means = f_of[rng.permuted(orders, axis=1), kind_right].mean(axis=1)
        as_large += int((means >= seen - SAME).sum())
    return Chance(seen, expected, (1 + as_large) / (1 + draws))


def _kinds(sets: Sequence[frozenset[str]]) -> tuple[list[frozenset[str]], Ints]:
    """The different sets, and which of them each is."""
    kinds = list(dict.fromkeys(sets))
    number = {kind: place for place, kind in enumerate(kinds)}
    return kinds, np.array([number[one] for one in sets])


@dataclass(frozen=True)
class Tally:
    """What the texts of each topic add to the averages.

    ``documents`` has a row per topic: the sums of P, R and F, and how many texts have each;
    ``categories`` (topics x categories x 3) counts hits, given and right ones.
    """

    documents: Floats
    categories: Floats
    texts: int

    @classmethod
    def of(cls, texts: Iterable[CategorizedText], topics: int, categories: Sequence[str]) -> Tally:
        places = {name: place for place, name in enumerate(categories)}
        documents, counts = np.zeros((topics, 6)), np.zeros((topics, len(places), 3))
        number = 0
        for text in texts:
            number += 1
            scores = np.array(_scores_of_text(text))
            documents[text.topic, :3] += np.nan_to_num(scores)
            documents[text.topic, 3:] += ~np.isnan(scores)
            given, right = set(text.given), set(text.right)
            for kind, names in enumerate((given & right, given, right)):
                counts[text.topic, [places[name] for name in names], kind] += 1
        return cls(documents, counts, number)

    def rows(self, topics: Sequence[int]) -> Tally:
        """The tally of some topics."""
        return Tally(self.documents[topics], self.categories[topics], self.texts)

    def numbers(self, average: Average) -> Floats:
        """What is added over topics for an average: one row per topic."""
        if average == "documents":
            return self.documents
        counts = self.categories if average == "categories" else self.categories.sum(axis=1)
        return counts.reshape(len(counts), -1)

    def scores(self, average: Average) -> PrecisionRecallF:
        values = averaged(self.numbers(average).sum(axis=0)[:, None], average)
        return PrecisionRecallF(*(float(value[0]) for value in values))


def averaged(sums: Floats, average: Average) -> tuple[Floats, Floats, Floats]:
    """P, R and F of each column of sums, as :meth:`Tally.numbers` has them."""
    if average == "documents":
        p, r, f = divided(sums[:3], sums[3:])
        return p, r, f
    hits, given, right = sums.reshape(-1, 3, sums.shape[1]).transpose(1, 0, 2)
    values = (divided(hits, given), divided(hits, right), divided(2 * hits, given + right))
    p, r, f = (
        divided(np.nansum(value, axis=0), (~np.isnan(value)).sum(axis=0)) for value in values
    )
    return p, r, f
