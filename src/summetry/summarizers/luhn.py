"""Sentences by their densest window of frequent words.

Significant are the frequent content words of the topic. Significant words with at most ``gap``
other words between them, stop words included, make one window; it begins and ends with a
significant word, and no window can be made longer. With s significant words among its l words

    significance = s^2 / l

and a unit has that of its best window, 0 where it has none. Luhn leaves open where the line of
frequent words is to be drawn. Here they are the ``share`` most frequent of the distinct words
(all that are as frequent as the last of them too), if they occur ``least`` times or more.

Source: H. P. Luhn, The automatic creation of literature abstracts (1958).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

import numpy as np

from summetry.arguments import check_whole
from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Bools, Floats
from summetry.summarizers._words import check_cut, running_words
from summetry.summarizers.base import SUMMARIZERS, Ranking, Source, borders, content_words, rank_by
from summetry.text.pipeline import TextPipeline


def significance(is_significant: Sequence[bool], gap: int = 4) -> Fraction:
    """The significance of one sentence, of which we know which words are significant.

    >>> significance([True, False, True, True, False, False, False, False, False, True])
    Fraction(9, 4)
    """
    windows: list[list[int]] = []
    for place in np.flatnonzero(is_significant).tolist():
        if windows and place - windows[-1][-1] <= gap + 1:
            windows[-1].append(place)
        else:
            windows.append([place])
    return max(
        (Fraction(len(window) ** 2, window[-1] - window[0] + 1) for window in windows),
        default=Fraction(0),
    )


def best_windows(table: TokenTable, is_significant: Bools, gap: int) -> Floats:
    """The :func:`significance` of every text of a table; one truth value for each token."""
    places = np.flatnonzero(is_significant)
    rows = np.searchsorted(table.offsets, places, side="right") - 1
    parted = (np.diff(places) > gap + 1) | (np.diff(rows) > 0)
    window = borders(np.cumsum(np.append(np.zeros(min(len(places), 1), np.bool_), parted)))
    first, last = map(np.flatnonzero, window)
    scores = (last - first + 1) ** 2 / (places[last] - places[first] + 1)
    best = np.zeros(len(table))
    np.maximum.at(best, rows[first], scores)
    return best


@SUMMARIZERS.register
@dataclass(frozen=True)
class Luhn:
    """The densest window of frequent words (Luhn, 1958)."""

    gap: int = 4
    share: float = 0.1
    least: int = 2
    text: TextPipeline = field(default_factory=content_words)

    name: ClassVar[str] = "luhn"

    def __post_init__(self) -> None:
        check_cut(self.share, self.least, self.name)
        check_whole("luhn: gap", self.gap, 0)

    def rank(self, source: Source, count: int) -> Ranking:
        words = running_words(source, self.text)
        is_frequent = words.frequent_share(self.share, self.least)
        is_significant = is_frequent[words.table.ids] & words.is_content
        return rank_by(best_windows(words.table, is_significant, self.gap))
