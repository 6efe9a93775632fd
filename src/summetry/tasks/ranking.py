"""Sentence rankers judged by the content units (SCUs) of source sentences.

Sentences that a peer summary used are labelled: positive if they carry an SCU, negative if not.
A ranker ranks all sentences of a topic, then

- **directly**: average precision over the labelled ones (see ``stats.precision``);
- **indirectly**: of the labelled ones the first 30 (the pool) are tried in order for a summary of
  100 words; one that would exceed it is skipped. The SCUs of the summary are counted, all listings
  (total) and distinct ones of the topic (unique), with their weights (score).

With unlabelled sentences kept, which carry no SCU that anybody knows of, the same counts are a
lower bound. The share of unique SCUs by length shows how a longer summary repeats itself; no pool
is cut there, as 30 sentences can hardly fill 1,000 words.

``ranking_run`` does it for all topics of a corpus.

Source: Kennedy and Szpakowicz (2010), section 3.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from summetry.records.lengths import fill
from summetry.stats.agreement import mean_defined
from summetry.stats.paired import PermutationTest, TTest, paired_t_test, permutation_test
from summetry.stats.precision import Ties
from summetry.stats.significance import DRAWS

WORDS = 100
POOL = 30
LENGTHS = (100, 250, 500, 1000)

# An SCU that a sentence carries: its id and its weight.
Scus = Sequence[tuple[str, float]]


class Selected(NamedTuple):
    """The sentences of a summary, in the order in which they were taken, and what they carry."""

    selected: tuple[int, ...]
    words: int
    total_score: float
    unique_score: float
    total_scus: int
    unique_scus: int
    positive: int
    negative: int
    unlabelled: int = 0

    @property
    def unique_share(self) -> float:
        """Distinct SCUs by all listings; undefined without any."""
        return self.unique_scus / self.total_scus if self.total_scus else math.nan


def indirect_evaluation(
    ranked: Sequence[int],
    lengths: Sequence[int],
    scus: Sequence[Scus],
    labelled: Sequence[bool],
    pool: int | None = POOL,
    limit: int = WORDS,
    keep_unlabelled: bool = False,
) -> Selected:
    """What a summary of ``limit`` words made from a ranking carries.

    ``ranked`` are sentences, best first; all else is given by sentence.

    >>> found = indirect_evaluation([0, 1, 2], [60, 50, 40], [[("11", 4)], [], []], [True] * 3)
    >>> found.selected, found.total_score, found.negative
    ((0, 2), 4, 1)
    """
    candidates = [unit for unit in ranked if keep_unlabelled or labelled[unit]][:pool]
    taken = fill(candidates, lengths, limit, "skip").units
    known = [unit for unit in taken if labelled[unit]]
    listed = [scu for unit in known for scu in scus[unit]]
    positive = sum(bool(scus[unit]) for unit in known)
    return Selected(
        selected=taken,
        words=sum(lengths[unit] for unit in taken),
        total_score=sum(weight for _, weight in listed),
        unique_score=sum(dict(listed).values()),
        total_scus=len(listed),
        unique_scus=len(dict(listed)),
        positive=positive,
        negative=len(known) - positive,
        unlabelled=len(taken) - len(known),
    )


def redundancy_by_length(
    ranked: Sequence[int],
    lengths: Sequence[int],
    scus: Sequence[Scus],
    labelled: Sequence[bool],
    limits: Sequence[int] = LENGTHS,
    pool: int | None = None,
) -> list[float]:
    """The share of unique SCUs in summaries of each length."""
    found = (indirect_evaluation(ranked, lengths, scus, labelled, pool, n) for n in limits)
    return [selected.unique_share for selected in found]


def added(summaries: Iterable[Selected]) -> Selected:
    """The counts of several topics as one; an SCU is of its topic, so unique ones add up."""
    counts = [summary[1:] for summary in summaries]
    return Selected((), *map(sum, zip(*counts, strict=True))) if counts else _NOTHING


_NOTHING = Selected((), 0, 0, 0, 0, 0, 0, 0, 0)


@dataclass(frozen=True)
class RankerScores:
    """What one ranker reaches, topic by topic."""

    ranker: str
    stable: tuple[float, ...]
    expected: tuple[float, ...]
    summaries: tuple[Selected, ...]
    lower_bound: tuple[Selected, ...]
    by_length: dict[int, tuple[Selected, ...]]

    def precision(self, ties: Ties) -> tuple[float, ...]:
        """Average precision of each topic, ties as they come or on average."""
        return self.stable if ties == "stable" else self.expected

    def macro(self, ties: Ties) -> float:
        """Macro-average precision: the mean over topics that have a positive sentence."""
        return mean_defined(self.precision(ties))


@dataclass(frozen=True)
class RankingEvaluation:
    """All rankers on all labelled topics of a corpus.

    ``by_chance`` is the average precision of each topic that a random order has on average.
    """

    topics: tuple[str, ...]
    by_chance: tuple[float, ...]
    sentences: int
    labelled: int
    positive: int
    rankers: tuple[RankerScores, ...]
    words: int
    pool: int | None
    notes: tuple[str, ...] = ()

    @property
    def topics_with_positives(self) -> int:
        return sum(not math.isnan(value) for value in self.by_chance)


class RankerComparison(NamedTuple):
    """Two rankers' average precision compared over topics."""

    first: str
    second: str
    t_test: TTest
    permutation: PermutationTest


def compare_rankers(
    found: RankingEvaluation, ties: Ties = "stable", draws: int = DRAWS, seed: int = 0
) -> list[RankerComparison]:
    """Every pair of rankers, over the topics that have a positive sentence."""
    values = {
        scores.ranker: [value for value in scores.precision(ties) if not math.isnan(value)]
        for scores in found.rankers
    }
    return [
        RankerComparison(
            first,
            second,
            paired_t_test(values[first], values[second]),
            permutation_test(values[first], values[second], draws, seed),
        )
        for first, second in combinations(values, 2)
    ]
