"""Sentences by the strong lexical chains that run through them.

A lexical chain is a set of related words with all their occurrences in the topic. Words are
related that stand in one group of a thesaurus: a word's meaning with the words listed for it
(see ``lexicons.thesaurus``). Every word is in one chain at most, found like this:

1. Of each group the words that the topic has. The group whose words occur most often becomes a
   chain; of equal ones that whose first word comes first in the topic, then the earlier one in
   the thesaurus.
2. Its words leave all other groups. Repeat, as long as a group has two words or more.
3. Each word that is left and occurs twice or more is a chain of its own.

    score = length * homogeneity,  homogeneity = 1 - distinct / length

for a chain of so many occurrences and distinct words. A chain is strong if its score is more than
``strong`` standard deviations above the mean of all chains; where none is, those of the highest
score are. A unit's score is made from those of the strong chains, by ``pick``:

``concentration``  over its content words, the mean of the score of the chain that each is in
``total``          the sum instead of the mean
``first``          the scores of the chains that begin in it: the unit is the first with a
                   representative word, one that is as frequent as the mean word of its chain

Source: R. Barzilay and M. Elhadad, Using lexical chains for text summarization (1997). They take
nouns only and decide between senses by the whole text; without a tagger all content words are
taken, and rule 1 stands for the decision.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError
from summetry.lexicons.thesaurus import Thesaurus, read_thesaurus
from summetry.stats.concordance import divided
from summetry.summarizers.base import SUMMARIZERS, Ranking, Source, content_words, rank_by
from summetry.text.pipeline import TextPipeline

Chain = tuple[int, ...]


def build_chains(counts: Sequence[int], groups: Sequence[Sequence[int]]) -> list[Chain]:
    """Chains as sorted tuples of words; words are numbers, in the order of their first use.

    ``counts`` says how often each occurs. The chains are in the order of the rules above.

    >>> build_chains([2, 1, 1, 3], [[0, 1], [1, 2, 3]])
    [(1, 2, 3), (0,)]
    """
    free = [True] * len(counts)
    left = [sorted(group) for group in groups]

    def turn(number: int) -> tuple[int, int, int]:
        return -sum(map(counts.__getitem__, left[number])), left[number][0], number

    waiting = [turn(number) for number, words in enumerate(left) if len(words) > 1]
    heapq.heapify(waiting)
    chains: list[Chain] = []
    while waiting:
        number = waiting[0][-1]
        words = [word for word in left[number] if free[word]]
        if len(words) < 2:
            heapq.heappop(waiting)
        elif len(words) < len(left[number]):
            # Other chains took some of its words in the meantime: it is put back in order.
            left[number] = words
            heapq.heapreplace(waiting, turn(number))
        else:
            heapq.heappop(waiting)
            chains.append(tuple(words))
            for word in words:
                free[word] = False
    alone = [(word,) for word, count in enumerate(counts) if free[word] and count > 1]
    return chains + alone


def chain_score(length: int, distinct: int) -> int:
    """length * (1 - distinct / length), a whole number.

    >>> chain_score(length=5, distinct=2)
    3
    """
    return length - distinct


def strong_chains(scores: Sequence[int], deviations: float = 2.0) -> list[bool]:
    """Which scores are more than ``deviations`` standard deviations above the mean, exactly.

    Where none is, the highest are.

    >>> strong_chains([1, 1, 1, 1, 1, 1, 9])
    [False, False, False, False, False, False, True]
    """
    if not scores:
        return []
    mean = Fraction(sum(scores), len(scores))
    variance = Fraction(sum(score**2 for score in scores), len(scores)) - mean**2
    limit = Fraction(deviations) ** 2 * variance
    is_strong = [score > mean and (score - mean) ** 2 > limit for score in scores]
    return is_strong if any(is_strong) else [score == max(scores) for score in scores]


@SUMMARIZERS.register
@dataclass(frozen=True)
class LexicalChains:
    """The strong lexical chains of a thesaurus (Barzilay and Elhadad, 1997)."""

    thesaurus: str = ""
    # The relations of the thesaurus that count, "all" of them, or none: then words just repeat.
    relations: tuple[str, ...] | None = ("all",)
    pick: Literal["concentration", "total", "first"] = "concentration"
    strong: float = 2.0
    text: TextPipeline = field(default_factory=content_words)

    name: ClassVar[str] = "lexical_chains"

    def __post_init__(self) -> None:
        if not 0 <= self.strong < float("inf"):
            raise SummetryError(f"lexical_chains: strong must be 0 or more, got {self.strong}")

    def rank(self, source: Source, count: int) -> Ranking:
        table = _in_order_of_use(source.tokens(self.text))
        counts = np.bincount(table.ids, minlength=len(table.words))
        chains = build_chains(counts.tolist(), self._groups(source, table))
        lengths = [int(counts[list(chain)].sum()) for chain in chains]
        scores = [chain_score(n, len(chain)) for n, chain in zip(lengths, chains, strict=True)]
        is_strong = strong_chains(scores, self.strong)
        strong = [(c, s) for c, s, is_it in zip(chains, scores, is_strong, strict=True) if is_it]
        if self.pick == "first":
            return rank_by(_where_they_begin(table, counts, strong))
        return rank_by(_by_occurrence(table, strong, self.pick == "concentration"))

    def _groups(self, source: Source, table: TokenTable) -> list[list[int]]:
        if self.relations is None:
            return []
        if not self.thesaurus:
            raise SummetryError(
                "lexical_chains needs a thesaurus file: give one, as in "
                'lexical_chains(thesaurus="th_en.dat"), or take words that repeat without one: '
                "lexical_chains(relations=none)"
            )
        known = _known_thesaurus(self.thesaurus, _stamp(self.thesaurus))
        relations = known.relations if self.relations == ("all",) else self.relations
        forms = _forms(known, self.text, source.language)
        return _shared_groups(known.only(relations), forms, table.words)


def _in_order_of_use(table: TokenTable) -> TokenTable:
    """The table with words numbered by their first place in the text."""
    used, first = np.unique(table.ids, return_index=True)
    order = used[np.argsort(first)]
    number = np.zeros(len(table.words), np.int64)
    number[order] = np.arange(len(order))
    return TokenTable(number[table.ids], table.offsets, [table.words[i] for i in order])


def _by_occurrence(table: TokenTable, strong: list[tuple[Chain, int]], mean: bool) -> Floats:
    worth = np.zeros(len(table.words))
    for chain, score in strong:
        worth[list(chain)] = score
    total = np.bincount(table.owners, weights=worth[table.ids], minlength=len(table))
    if not mean:
        return total.astype(np.float64)
    # A unit without content words has no mean.
    return divided(total, table.lengths)


def _where_they_begin(table: TokenTable, counts: Ints, strong: list[tuple[Chain, int]]) -> Floats:
    _, first = np.unique(table.ids, return_index=True)
    scores = np.zeros(len(table))
    for chain, score in strong:
        length = counts[list(chain)].sum()
        # Words are numbered by first use, so the first representative one comes first.
        begin = next(word for word in chain if counts[word] * len(chain) >= length)
        scores[np.searchsorted(table.offsets, first[begin], side="right") - 1] += score
    return scores


def _shared_groups(known: Thesaurus, forms: Sequence[str], words: Sequence[str]) -> list[list[int]]:
    """Of each group the numbers of those ``words`` that it has, if they are two or more."""
    number = {word: i for i, word in enumerate(words)}
    here = np.array([number.get(form, -1) for form in forms], np.int64)[known.members]
    groups = np.repeat(np.arange(len(known), dtype=np.int64), np.diff(known.offsets))
    size = max(len(words), 1)
    keys = np.unique(groups[here >= 0] * size + here[here >= 0])
    ends = [*(np.flatnonzero(np.diff(keys // size)) + 1).tolist(), len(keys)]
    flat = (keys % size).tolist()
    return [flat[a:b] for a, b in pairwise([0, *ends]) if b - a > 1]


def _stamp(path: str) -> tuple[int, int]:
    """The time and size of a file, which change when it is written anew."""
    if not Path(path).is_file():
        raise SummetryError(
            f"there is no thesaurus file {path!r}; say where it is, as in "
            'lexical_chains(thesaurus="th_en.dat")'
        )
    status = Path(path).stat()
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=2)
def _known_thesaurus(path: str, stamp: tuple[int, int]) -> Thesaurus:
    return read_thesaurus(Path(path))


@lru_cache(maxsize=4)
def _forms(known: Thesaurus, pipeline: TextPipeline, language: str) -> tuple[str, ...]:
    """The words of a thesaurus as the pipeline writes them; "" for several words or none."""
    table = pipeline.encode(known.words, [language] * len(known.words))
    one = table.lengths == 1
    ids = table.ids[np.where(one, table.offsets[:-1], 0)] if len(table.ids) else table.offsets[:-1]
    return tuple(table.words[i] if n else "" for i, n in zip(ids, one, strict=True))
