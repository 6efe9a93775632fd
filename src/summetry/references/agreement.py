"""How far the informants of a corpus agree: by topic, genre, group, and as a whole.

The paper's figure (``all_votes``, ``at_length``) is not corrected for chance: over all votes it is
the mean number of units in an extract divided by the number of units that anybody chose, and so
falls to the mean length of the extracts as informants are added. Beside each figure stands what
the same numbers of units, chosen at random, would give.

Source: Hassel and Dalianis (2005), section 4 and figure 2; the kappas as in ``stats.agreement``.
"""

from __future__ import annotations

import dataclasses
import math
import zlib
from collections import Counter
from collections.abc import Collection, Hashable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import numpy as np

from summetry.arguments import Progress, check_whole, one_by_one
from summetry.records.corpus import Corpus
from summetry.records.lengths import Fit, Length, TopicLengths, TopicLengthsLike, fill, parse_length
from summetry.references.majority import (
    TopicVotes,
    Voters,
    groups_of,
    topic_votes,
)
from summetry.references.voting import Ballot, Ties, count_votes, mask_of
from summetry.stats.agreement import (
    Kappa,
    cohen_of_masks,
    fleiss_kappa,
    jaccard,
    krippendorff_alpha,
    mean_defined,
    votes_agreement,
)
from summetry.stats.chance import expected_jaccard, expected_votes_agreement
from summetry.stats.concordance import divided
from summetry.stats.ratings import Estimate
from summetry.stats.resampling import percentiles, times_drawn

# Agreement is shown at these per cents of a text.
PERCENTS = tuple(range(5, 101, 5))
MEAN = Length("mean")


@dataclass(frozen=True)
class Agreement:
    """One topic, or means over several. Lengths and agreements of votes are in per cent."""

    name: str
    topics: int
    extracts: int
    shortest: float
    longest: float
    mean: float
    all_votes: float
    all_votes_chance: float
    at_length: float
    at_length_chance: float
    percent: float
    percent_chance: float
    fleiss: float
    cohen: float
    alpha: float
    jaccard: float
    jaccard_chance: float


@dataclass(frozen=True)
class TopicAgreement:
    """The agreement on one topic, and the counts from which coefficients over topics are made."""

    genre: str
    row: Agreement
    # Votes for and against each unit.
    table: tuple[tuple[int, int], ...]
    # Agreement at each of PERCENTS.
    curve: tuple[float, ...]


class Pooled(NamedTuple):
    """The coefficients over the units of several topics in one table."""

    name: str
    kappa: Kappa
    alpha: float


@dataclass(frozen=True)
class CorpusAgreement:
    """Agreement by topic, by genre, by group of informants, and over everything."""

    topics: tuple[TopicAgreement, ...]
    # Means over topics, and the coefficients over the units of all their topics.
    genres: tuple[Agreement, ...]
    genres_pooled: tuple[Pooled, ...]
    groups: tuple[Agreement, ...]
    groups_pooled: tuple[Pooled, ...]
    whole: Agreement
    # Over the units of all topics in one table.
    pooled: Kappa
    pooled_alpha: float
    curve: tuple[float, ...]


# Topics whose agreement was computed before, by everything that it depends on.
Memo = MutableMapping[Hashable, TopicAgreement]


class _Asked(NamedTuple):
    """The reference by majority vote that agreement is shown at, and what estimates chance."""

    length: Length | TopicLengths
    fit: Fit
    ties: Ties | None
    draws: int
    seed: int


def agreement(
    corpus: Corpus,
    voters: Voters | None = None,
    length: TopicLengthsLike = "mean",
    fit: Fit = "overshoot",
    ties: Ties | None = None,
    draws: int = 100,
    seed: int = 0,
    progress: Progress | None = None,
    memo: Memo | None = None,
) -> CorpusAgreement:
    """How far the informants agree.

    ``length``, ``fit`` and ``ties`` are for the reference by majority vote; ``draws`` random
    choices, drawn with ``seed``, estimate what chance would give there. Who asks again after a few
    extracts have changed gives the same ``memo``: topics that stayed as they were are taken from
    it.
    """
    check_whole("draws", draws, 0)
    voters, length = voters or Voters(), parse_length(length)
    memo = {} if memo is None else memo
    asked = _Asked(length, fit, ties, draws, seed)
    votes = one_by_one(topic_votes(corpus, voters), progress)
    topics = [_remembered(memo, topic, asked) for topic in votes]
    whole = _pooled(topics, "all")
    curves = zip(*(topic.curve for topic in topics), strict=True)
    genres = _by_genre(topics)
    groups = _by_group(corpus, voters, memo, asked)
    return CorpusAgreement(
        tuple(topics),
        *_means_and_pooled(genres),
        *_means_and_pooled(groups),
        mean_of([topic.row for topic in topics], "all"),
        whole.kappa,
        whole.alpha,
        tuple(mean_defined(values) for values in curves),
    )


def _remembered(memo: Memo, votes: TopicVotes, asked: _Asked) -> TopicAgreement:
    """The agreement on a topic; whatever it depends on is in the key."""
    topic = votes.topic
    key = (
        topic.id, topic.genre, topic.units, votes.language, votes.words, tuple(votes.chosen),
        votes.ballot.weights, asked.length.of_topic(topic.id), *asked[1:],
    )  # fmt: skip
    if key not in memo:
        memo[key] = topic_agreement(votes, *asked)
    return memo[key]


def topic_agreement(
    votes: TopicVotes,
    length: Length | TopicLengths = MEAN,
    fit: Fit = "overshoot",
    ties: Ties | None = None,
    draws: int = 0,
    seed: int = 0,
) -> TopicAgreement:
    """How far the informants of one topic agree; one of them alone agrees with nobody."""
    ballot, units = votes.ballot, len(votes.words)
    chosen = [frozenset(extract) for extract in votes.chosen]
    sizes = [len(extract) for extract in chosen]
    lengths = votes.percents
    # Weights are for references; these coefficients count people.
    table = _for_and_against(count_votes(units, chosen))
    kappa = fleiss_kappa(table)
    pairs = list(combinations(map(mask_of, chosen), 2))

    def of_several(agreement: float) -> float:
        # The votes of one person always agree.
        return agreement if pairs else math.nan

    row = Agreement(
        name=votes.topic.id,
        topics=1,
        extracts=len(chosen),
        shortest=min(lengths),
        longest=max(lengths),
        mean=mean_defined(lengths),
        all_votes=of_several(all_votes_agreement(ballot)),
        all_votes_chance=of_several(expected_votes_agreement(units, sizes)),
        at_length=of_several(votes.reference(length, fit, ties).agreement),
        at_length_chance=of_several(chance_at_length(votes, length, fit, draws, seed)),
        percent=100 * kappa.agreement,
        percent_chance=100 * kappa.chance,
        fleiss=kappa.kappa,
        cohen=mean_defined([cohen_of_masks(a, b, units).kappa for a, b in pairs]),
        alpha=krippendorff_alpha(table),
        jaccard=mean_defined([jaccard(a, b) for a, b in pairs]),
        jaccard_chance=_mean_expected_jaccard(units, sizes),
    )
    curve = tuple(map(of_several, curve_of(votes, fit, ties)))
    return TopicAgreement(votes.topic.genre, row, table, curve)


def mean_of(rows: Sequence[Agreement], name: str) -> Agreement:
    """Plain means over topics, as in the paper; topics and extracts are added up."""
    topics, extracts = sum(row.topics for row in rows), sum(row.extracts for row in rows)
    fields = [field.name for field in dataclasses.fields(Agreement)[3:]]
    means = [mean_defined([getattr(row, field) for row in rows]) for field in fields]
    return Agreement(name, topics, extracts, *means)


def all_votes_agreement(ballot: Ballot) -> float:
    """Hassel and Dalianis's agreement over all units that anybody chose, in per cent."""
    chosen = sum(1 for count in ballot.counts if count)
    return votes_agreement(sum(ballot.votes, Fraction(0)), chosen, ballot.most)


def extracts_kappa(n: int, extracts: Sequence[Collection[int]]) -> Kappa:
    """Fleiss' kappa of extracts of ``n`` units, with the classes chosen and not chosen.

    >>> extracts_kappa(2, [[0], [1]]).kappa
    -1.0
    """
    return fleiss_kappa(_for_and_against(count_votes(n, extracts)))


def alpha_interval(table: Sequence[tuple[int, int]], draws: int = 1000, seed: int = 0) -> Estimate:
    """Krippendorff's alpha of votes for and against units, with an interval.

    For the interval the units of the text are drawn with replacement. It is undefined (NaN)
    without draws, and where alpha is.
    """
    votes = np.array(table, np.float64).reshape(len(table), 2)
    people = votes.sum(axis=1)
    value = krippendorff_alpha(table)
    if not draws or math.isnan(value):
        return Estimate(value, math.nan, math.nan)
    # As krippendorff_alpha has it for two classes, for all resamples at once.
    votes, people = votes[people > 1], people[people > 1]
    size = len(votes)
    drawn = times_drawn(np.random.default_rng(seed).integers(0, size, (draws, size)), size)
    disagreeing = (votes.prod(axis=1) / (people - 1)) @ drawn
    chosen, left = votes.T @ drawn
    alphas = 1 - divided((chosen + left - 1) * disagreeing, chosen * left)
    low, high, _ = percentiles(alphas, 0.95)
    return Estimate(value, low, high)


def curve_of(
    votes: TopicVotes, fit: Fit = "overshoot", ties: Ties | None = None
) -> tuple[float, ...]:
    """Agreement at each of PERCENTS of the words; NaN at a length into which nothing fits."""
    counts, voters = votes.ballot.counts, sum(votes.ballot.weights)
    references = votes.at_percents(PERCENTS, fit, ties)
    return tuple(votes_agreement(sum(counts[u] for u in r), len(r), voters) for r in references)


def _means_and_pooled(
    parts: Mapping[str, Sequence[TopicAgreement]],
) -> tuple[tuple[Agreement, ...], tuple[Pooled, ...]]:
    means = (mean_of([topic.row for topic in topics], name) for name, topics in parts.items())
    return tuple(means), tuple(_pooled(topics, name) for name, topics in parts.items())


def _pooled(topics: Sequence[TopicAgreement], name: str) -> Pooled:
    table = [row for topic in topics for row in topic.table]
    return Pooled(name, fleiss_kappa(table), krippendorff_alpha(table))


def _by_genre(topics: Sequence[TopicAgreement]) -> dict[str, list[TopicAgreement]]:
    return {
        genre or "(no genre)": [topic for topic in topics if topic.genre == genre]
        for genre in dict.fromkeys(topic.genre for topic in topics)
    }


def _by_group(
    corpus: Corpus, voters: Voters, memo: Memo, asked: _Asked
) -> dict[str, list[TopicAgreement]]:
    """Each group of informants by itself."""
    groups = groups_of(corpus)
    # In the order of the informants; a group that is left out as a whole has no line.
    voting = dict.fromkeys(group for name, group in groups.items() if voters.weight(name, groups))
    parts = {}
    for group in voting if len(voting) > 1 else ():
        votes = topic_votes(corpus, dataclasses.replace(voters, group=group))
        parts[group] = [_remembered(memo, topic, asked) for topic in votes]
    return parts


def _for_and_against(ballot: Ballot) -> tuple[tuple[int, int], ...]:
    return tuple((count, ballot.informants - count) for count in ballot.counts)


def _mean_expected_jaccard(units: int, sizes: Sequence[int]) -> float:
    pairs = Counter(tuple(sorted(pair)) for pair in combinations(sizes, 2))
    expected = {(a, b): expected_jaccard(units, a, b) for a, b in pairs if a or b}
    total = sum(pairs[pair] for pair in expected)
    return math.fsum(n * pairs[p] for p, n in expected.items()) / total if total else math.nan


def chance_at_length(
    votes: TopicVotes, length: Length | TopicLengths, fit: Fit, draws: int, seed: int = 0
) -> float:
    """The mean agreement at this length of random extracts with as many units, in per cent."""
    length = length.of_topic(votes.topic.id)
    lengths, gap = votes.lengths(length)
    sizes = [len(set(extract)) for extract in votes.chosen]
    units = len(votes.words)
    # The draws of a topic do not depend on which other topics there are.
    random = np.random.default_rng([seed, zlib.crc32(votes.topic.id.encode())])
    weights = np.array(votes.ballot.weights)
    agreements = []
    for _ in range(draws):
        drawn = [random.permutation(units)[:size] for size in sizes]
        counts = np.zeros(units, np.int64)
        for units_of_one, weight in zip(drawn, weights.tolist(), strict=True):
            counts[units_of_one] += weight
        order = [u for u in np.argsort(-counts, kind="stable").tolist() if counts[u]]
        limit = length.limit(lengths, [extract.tolist() for extract in drawn], gap)
        taken = list(fill(order, lengths, limit, fit, gap).units)
        votes_taken = int(counts[taken].sum())
        agreements.append(votes_agreement(votes_taken, len(taken), int(weights.sum())))
    return mean_defined(agreements)
