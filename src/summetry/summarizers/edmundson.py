"""Sentences by cue words, key words, title words and place, each with a weight.

    score = cue * C + key * K + title * T + position * P

C  bonus words of the unit minus its stigma words, from the cue list of the language
K  the frequency in the topic of each key word of the unit, added up; key words are cut from the
   others as in ``luhn``
T  how many words of the unit are content words of the title
P  ``places=ends``: 1 if the unit begins or ends its document, and 1 if it begins or ends a
   paragraph; ``places=declining``: 1 / n for the n-th unit of a document

Each of the four is divided by its largest absolute value in the topic, so that weights can be
compared; a topic in which one of them is 0 everywhere is ranked by the others. The defaults are
the combination that Edmundson found best: cue, title and place without key words. The lists, the
division and all weights are ours.

``swesum`` is short for weights near those of the summarizer SweSum for news: place first, the
first unit best and the next ones less and less, then key words and words of the title. With these
weights the first unit of a document is never behind another of it.

Source: H. P. Edmundson, New methods in automatic extracting (1969).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError
from summetry.summarizers._cues import cues
from summetry.summarizers._words import check_cut, language_of, phrase_counts, running_words
from summetry.summarizers.base import (
    SUMMARIZERS,
    Ranking,
    Source,
    borders,
    check_weights,
    content_words,
    rank_by,
)
from summetry.text.pipeline import TextPipeline


@SUMMARIZERS.register
@dataclass(frozen=True)
class Edmundson:
    """Cue words, key words, title words and place, weighted (Edmundson, 1969)."""

    cue: float = 1.0
    key: float = 0.0
    title: float = 1.0
    position: float = 1.0
    places: Literal["ends", "declining"] = "ends"
    share: float = 0.1
    least: int = 2
    text: TextPipeline = field(default_factory=content_words)

    name: ClassVar[str] = "edmundson"
    aliases: ClassVar[dict[str, str]] = {
        "swesum": "edmundson(cue=0,key=1,title=1,position=4,places=declining)"
    }

    def __post_init__(self) -> None:
        check_cut(self.share, self.least, self.name)
        check_weights(self, "cue", "key", "title", "position")

    def rank(self, source: Source, count: int) -> Ranking:
        scores = np.zeros(len(source))
        for weight, values in (
            (self.cue, self._cue_words),
            (self.key, self._key_words),
            (self.title, self._title_words),
            (self.position, self._positions),
        ):
            # What weighs nothing is not computed: without cue words a language needs no list.
            if weight:
                scores += weight * _by_largest(values(source))
        return rank_by(scores)

    def _cue_words(self, source: Source) -> Ints:
        code = language_of(source, self.text)
        if not code:
            raise SummetryError(
                "edmundson needs to know the language of each topic for its cue words: give the "
                "corpus or topic a language, name it, as in text=en(stop=true,stem=true), "
                "or leave them out with cue=0"
            )
        known = cues(code)
        bonus = phrase_counts(source, self.text, known.bonus)
        return bonus - phrase_counts(source, self.text, known.stigma)

    def _key_words(self, source: Source) -> Ints:
        words = running_words(source, self.text)
        is_key = words.frequent_share(self.share, self.least)
        return words.total(np.where(is_key, words.frequencies, 0))

    def _title_words(self, source: Source) -> Ints:
        table = source.tokens(self.text, source.topic.title)
        is_of_title = np.isin(table.ids, table.row(len(source)))
        return np.bincount(table.owners[is_of_title], minlength=len(table))[: len(source)]

    def _positions(self, source: Source) -> Floats:
        if self.places == "declining":
            return 1 / (source.places + 1)
        document, paragraph = borders(source.documents), borders(source.paragraphs)
        ends = (document.begins | document.ends).astype(np.float64)
        return ends + (paragraph.begins | paragraph.ends)


def _by_largest(values: Ints | Floats) -> Floats:
    """``values`` divided by the largest of their absolute values; 0 where all are 0."""
    largest = np.abs(values).max(initial=0)
    return values / (largest or 1)
