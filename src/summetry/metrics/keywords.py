"""Keywords: how many of the most frequent words of a text are also those of its summary.

    recall = |Ks n Kr| / |Kr|      over_n = |Ks n Kr| / n
    dice = 2 |Ks n Kr| / (|Ks| + |Kr|)      jaccard = |Ks n Kr| / |Ks u Kr|

Ks and Kr are the ``n`` most frequent lemmas, stop words left out, of the summary and of what it
is compared with; a text with fewer distinct words has fewer keywords. The paper does not say how
the two sets are compared, so recall is our reading and the other three are offered beside it.
Words of equal frequency rank by first occurrence; where that decides who is the last keyword, the
explanation and a note say so. An empty candidate has 0, an empty reference no value.

Source: Steinberger and Jezek (2009), section 6.3.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Generic, NamedTuple, TypeVar

import numpy as np

from summetry import spec
from summetry.arrays.token_tables import Bags, TokenTable
from summetry.arrays.types import Bools
from summetry.arrays.vectors import shared_tokens
from summetry.errors import SummetryError
from summetry.metrics._pairs import Against, TextPairMetric, TextPairs, placed
from summetry.metrics.base import METRICS, Over
from summetry.metrics.explanations import Match
from summetry.metrics.formulas import Facts
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.pipeline import LanguagePipeline, TextPipeline
from summetry.text.tokens import Span

Word = TypeVar("Word", bound=Hashable)

# More than any text has.
MOST_KEYWORDS = 1_000_000_000


class KeywordOverlap(NamedTuple, Generic[Word]):
    """The keywords of a summary and of its reference, and what they share."""

    summary: tuple[Word, ...]
    reference: tuple[Word, ...]
    common: int
    recall: float
    over_n: float
    dice: float
    jaccard: float
    tie_at_cut: bool


def top_words(words: Iterable[Word], n: int, stop: Container[Word] = ()) -> tuple[Word, ...]:
    """The ``n`` most frequent words that are not in ``stop``; of equal ones the earlier first.

    >>> top_words("the dam and the lake and the lake".split(), 2, {"the", "and"})
    ('lake', 'dam')
    """
    return tuple(word for word, _ in _by_frequency(words, stop)[:n])


def tie_decides(words: Iterable[Word], n: int, stop: Container[Word] = ()) -> bool:
    """Whether the last of the ``n`` keywords is as frequent as the first word left out.

    >>> tie_decides("a a b c".split(), 2), tie_decides("a a b c".split(), 3)
    (True, False)
    """
    ranked = _by_frequency(words, stop)
    return len(ranked) > n and ranked[n - 1][1] == ranked[n][1]


def keyword_overlap(
    summary: Sequence[Word], reference: Sequence[Word], n: int, stop: Container[Word] = ()
) -> KeywordOverlap[Word]:
    """The keywords that two texts share, by four denominators; NaN where one of them is 0."""
    mine, theirs = (top_words(words, n, stop) for words in (summary, reference))
    common = len({*mine} & {*theirs})
    both = len(mine) + len(theirs)
    return KeywordOverlap(
        mine,
        theirs,
        common,
        recall=common / len(theirs) if theirs else math.nan,
        over_n=common / n,
        dice=2 * common / both if both else math.nan,
        jaccard=common / (both - common) if both else math.nan,
        tie_at_cut=tie_decides(summary, n, stop) or tie_decides(reference, n, stop),
    )


def _by_frequency(words: Iterable[Word], stop: Container[Word]) -> list[tuple[Word, int]]:
    # Of equally frequent words the first occurrence decides the order.
    return Counter(word for word in words if word not in stop).most_common()


class TopWords(NamedTuple):
    """The keywords of many texts, and in which texts a tie decided who is the last."""

    bags: Bags
    tied: Bools


def top_words_of_texts(table: TokenTable, n: int) -> TopWords:
    """:func:`top_words` and :func:`tie_decides` of every text of a table."""
    bags, size = table.bags, table.bags.size
    # Ascending keys, as in the bags; for each the first token that has it.
    first = np.unique(table.owners * size + table.ids, return_index=True)[1]
    row = np.repeat(np.arange(len(table), dtype=np.int64), bags.lengths)
    order = np.lexsort((first, -bags.counts, row))
    place = np.arange(len(order), dtype=np.int64) - bags.offsets[row]
    kept = np.zeros(len(order), dtype=np.bool_)
    kept[order[place < n]] = True
    offsets = np.concatenate([[0], np.cumsum(np.minimum(bags.lengths, n))]).astype(np.int64)
    top = Bags(bags.ids[kept], bags.counts[kept], offsets, size)
    tied = np.zeros(len(table), dtype=np.bool_)
    next_one = np.flatnonzero(place == n)
    counts = bags.counts[order]
    tied[row[next_one]] = counts[next_one] == counts[next_one - 1]
    return TopWords(top, tied)


@METRICS.register
@dataclass(frozen=True)
class Keywords(TextPairMetric):
    """Words that are among the most frequent of both texts (Steinberger and Jezek, 6.3)."""

    n: int = 30
    against: Against = "source"
    references: Over = "mean"
    text: TextPipeline = field(default_factory=lambda: LanguagePipeline(stop=True, lemma=True))

    name: ClassVar[str] = "keywords"
    formulas: ClassVar[dict[str, str]] = {
        "recall": "matched / reference",
        "over_n": "matched / n",
        "dice": "2 * matched / (candidate + reference)",
        "jaccard": "matched / (candidate + reference - matched)",
    }

    def __post_init__(self) -> None:
        if not 1 <= self.n <= MOST_KEYWORDS:
            raise SummetryError(f"keywords: n must be from 1 to {MOST_KEYWORDS:,}, got {self.n}")

    @property
    def terms(self) -> dict[str, str]:
        return {
            "matched": "keywords that both have",
            "candidate": "keywords of the candidate: its most frequent words",
            "reference": f"keywords of the {self.other}",
            "n": "keywords that each may have",
            "tie_at_cut": "1 if words of equal frequency compete for the last place",
        }

    def facts(self, batch: Batch, pairs: TextPairs) -> Facts:
        bags, tied = self._top(batch)
        return {
            "matched": shared_tokens(bags, pairs.left, pairs.right).types,
            "candidate": bags.lengths[pairs.left],
            "reference": bags.lengths[pairs.right],
            "n": self.n,
            "tie_at_cut": tied[pairs.left] | tied[pairs.right],
        }

    def notes(self, batch: Batch) -> dict[str, int]:
        """For how many comparisons the order of the words, not their number, made a keyword."""
        facts, owners = self.pair_facts(batch)
        comparisons = len(np.unique(owners[facts["tie_at_cut"]]))
        what = f"words of equal frequency at rank {self.n}; the earlier ones are the keywords"
        return {what: comparisons} if comparisons else {}

    def matches(self, comparison: Comparison, other: Side) -> list[Match]:
        tokens = placed(comparison, other, self.text)
        mine = self._keywords(tokens.candidate)
        return [tokens.match(w, 1.0) for w in self._keywords(tokens.reference) if w in mine]

    def missed(
        self, comparison: Comparison, other: Side, matches: Sequence[Match]
    ) -> tuple[Match, ...]:
        mine, words = placed(comparison, other, self.text)
        matched = {match.what for match in matches}
        missed = [word for word in self._keywords(words) if word not in matched]
        return tuple(Match(word, 1.0, mine.get(word, ()), words[word]) for word in missed)

    def _keywords(self, words: Mapping[str, Sequence[Span]]) -> list[str]:
        # The sort is stable: of words that are equally frequent the earlier comes first.
        return sorted(words, key=lambda word: -len(words[word]))[: self.n]

    def _top(self, batch: Batch) -> TopWords:
        key = "keywords", spec.show(self.text), self.n
        return batch.derived(key, lambda: top_words_of_texts(batch.tokens(self.text), self.n))
