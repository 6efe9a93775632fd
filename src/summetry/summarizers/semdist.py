"""SemDist: sentences whose words are near to those of the query in Roget's Thesaurus.

    score(S) = sum over the words q of the query of max SemDist(w, q) over the words w of S

SemDist is 0 to 18: twice the number of levels that the best paths of two words share, and 18 for a
word and itself (see ``lexicons.word_paths``). A sentence without words has 0. With
``query=tokens`` a word that the query has twice counts twice. ``normalise=length`` divides by the
number of words of the sentence; a sentence without words has no score then.

Source: Kennedy and Szpakowicz (2010), section 2.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from summetry.arrays.token_tables import TokenTable, table_of
from summetry.arrays.types import Ints
from summetry.errors import SummetryError
from summetry.lexicons.word_paths import SAME, WordPaths, load_paths, paths_of, thesaurus_folder
from summetry.summarizers._query import AnsweringQuery, Query, query_words
from summetry.summarizers.base import SUMMARIZERS

ROGET = "roget1911"

# The paths of each word's senses: eight levels from class to semicolon group.
Thesaurus = Mapping[str, Sequence[Sequence[str]]]


def semdist(word: str, other: str, thesaurus: Thesaurus) -> int:
    """How near two words are, 0 to 18.

    >>> semdist("pier", "quay", {"pier": ["abcdefgh"], "quay": ["abcdexyz", "kbcdefgh"]})
    10
    """
    if word == other:
        return SAME
    known = paths_of({w: thesaurus[w] for w in (word, other) if w in thesaurus})
    return int(known.near(word, *known.senses_of([other]))[0])


def semdist_scores(
    sentences: Sequence[Sequence[str]],
    query: Sequence[str],
    thesaurus: Thesaurus,
    count: Query = "set",
) -> list[int]:
    """The score of each sentence, all given as lists of words.

    >>> semdist_scores([["pier", "fog"], ["quay"], []], ["pier"], {"pier": ["abcdefgh"],
    ... "quay": ["abcdexyz"]})
    [18, 10, 0]
    """
    table = table_of([*sentences, query])
    return list(map(int, _scores(table, paths_of(thesaurus), count)))


def _scores(table: TokenTable, known: WordPaths, query: Query) -> Ints:
    paths, senses = known.senses_of(table.words)
    filled = np.flatnonzero(table.lengths[:-1])
    starts = table.offsets[filled]
    ids = table.ids[: table.offsets[len(table) - 1]]
    scores = np.zeros(len(table) - 1, np.int64)
    if not len(filled):
        return scores
    for word, times in zip(*query_words(table, query), strict=True):
        nearness = known.near(table.words[word], paths, senses)
        nearness[word] = SAME
        # Units without words have no row here, so each run of words ends where the next begins.
        scores[filled] += times * np.maximum.reduceat(nearness[ids], starts)
    return scores


@SUMMARIZERS.register
@dataclass(frozen=True)
class SemDist(AnsweringQuery):
    """Nearness to the query, or to the title, in Roget's Thesaurus (Kennedy, Szpakowicz, 2010)."""

    # A file, or the name of a thesaurus that `summetry download` fetched.
    thesaurus: str = ROGET

    name: ClassVar[str] = "semdist"

    def score(self, table: TokenTable, language: str = "") -> Ints:
        path = find_thesaurus(self.thesaurus)
        return _scores(table, load_paths(path, self.text, language), self.query)


def find_thesaurus(thesaurus: str) -> Path:
    """The file of a thesaurus: one that was downloaded, or one that is named."""
    if thesaurus == ROGET:
        path = thesaurus_folder() / f"{ROGET}.txt"
        if not path.is_file():
            raise SummetryError(
                "semdist needs Roget's Thesaurus: `summetry download roget1911` fetches it, or "
                'name a file by semdist(thesaurus="roget.txt") or `summetry rank --thesaurus FILE`'
            )
        return path
    if not Path(thesaurus).is_file():
        raise SummetryError(
            f"there is no thesaurus file {thesaurus!r}; say where it is, as in "
            'semdist(thesaurus="roget.txt"), or fetch one by `summetry download roget1911`'
        )
    return Path(thesaurus)
