"""Simple Match: how many words of the query a sentence has.

    score(S) = sum over the words q of the query of 18 if S has q, else 0

It is SemDist without a thesaurus, on the same scale, so scores tie in masses. With
``query=tokens`` a word that the query has twice counts twice. ``normalise=length`` divides by the
number of words of the sentence; a sentence without words has no score then.

Source: Kennedy and Szpakowicz (2010), section 2.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from summetry.arrays.token_tables import TokenTable, table_of
from summetry.arrays.types import Ints
from summetry.lexicons.word_paths import SAME
from summetry.summarizers._query import AnsweringQuery, Query, query_words
from summetry.summarizers.base import SUMMARIZERS


def simple_match(
    sentences: Sequence[Sequence[str]], query: Sequence[str], count: Query = "set"
) -> list[int]:
    """The score of each sentence, all given as lists of words.

    >>> simple_match([["fog", "pier", "fog"], ["ferry"], []], ["fog", "pier", "crew"])
    [36, 0, 0]
    """
    return list(map(int, SimpleMatch(count).score(table_of([*sentences, query]))))


@SUMMARIZERS.register
@dataclass(frozen=True)
class SimpleMatch(AnsweringQuery):
    """How many words of the query, or of the title, a unit has (Kennedy and Szpakowicz, 2010)."""

    name: ClassVar[str] = "simple_match"

    def score(self, table: TokenTable, language: str = "") -> Ints:
        words, counts = query_words(table, self.query)
        worth = np.zeros(len(table.words), np.int64)
        worth[words] = SAME * counts
        bags = table.bags
        rows = np.repeat(np.arange(len(table), dtype=np.int64), bags.lengths)
        # Sums of whole numbers are exact as floats far beyond any query.
        sums = np.bincount(rows, weights=worth[bags.ids], minlength=len(table))
        return sums[:-1].astype(np.int64)
