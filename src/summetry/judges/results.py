"""What judges said, system by system, with what they did not say; and how biased they are.

The value of a system on a topic is the mean of its marks there (over trials; of pairs over all
verdicts, where a win is 1 and equal 1/2; of units over all units), its value the mean over topics.
For intervals topics are drawn with replacement. ``worst`` and ``best`` are the mean if every
request without a mark had got the lowest or the highest one: failures are never left out silently.

Biases, each over topics:

    first wins      share of verdicts, equal ones aside, in which the summary shown first wins
    called equal    share of verdicts that name neither
    flips           share of pairs whose verdict is another one in the other order
    longer wins     share of verdicts, equal ones and equally long ones aside, for the longer one
    mark and length Spearman's coefficient of mark and words within a topic, mean over topics
    equal marks     share of pairs of trials of one question that say the same
    difference      mean absolute difference of two trials of one question
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from summetry.judges.answers import FAILURES, Kind, Outcome
from summetry.judges.prompts import Ask
from summetry.judges.rubrics import Asked, Mode
from summetry.stats.agreement import mean_defined
from summetry.stats.concordance import divided
from summetry.stats.contrasts import bootstrap_rows
from summetry.stats.ratings import Estimate
from summetry.stats.resampling import bootstrap
from summetry.stats.sums import bootstrap_sums

Said = Sequence[tuple[Ask, Outcome]]
Lengths = Mapping[tuple[str, str], int]
_NONE = Estimate(math.nan, math.nan, math.nan)


class SystemRow(NamedTuple):
    """A system on a dimension; the counts are of requests that are about it."""

    dimension: str
    mode: Mode
    system: str
    topics: int
    asked: int
    counts: Mapping[Kind, int]
    mean: Estimate
    worst: float
    best: float


class Bias(NamedTuple):
    """How far a judge is from being fair, or sure; ``number`` things were counted."""

    dimension: str
    bias: str
    estimate: Estimate
    number: int


def system_rows(said: Said, draws: int, seed: int) -> list[SystemRow]:
    """The systems of each dimension, as they came."""
    rows: list[SystemRow] = []
    for asked, own in _by_rubric(said).items():
        by_system: dict[str, dict[str, list[Outcome]]] = {}
        for ask, outcome in own:
            for system, mine in _shares(ask, outcome):
                by_system.setdefault(system, {}).setdefault(ask.topic, []).append(mine)
        topics = list(dict.fromkeys(ask.topic for ask, _ in own))
        low, high = asked.ends
        table = np.array(
            [
                [_mean(of_topic.get(topic, ())) for topic in topics]
                for of_topic in by_system.values()
            ]
        )
        spread = bootstrap_rows(table, draws, seed)
        for place, (system, of_topic) in enumerate(by_system.items()):
            every = [one for outcomes in of_topic.values() for one in outcomes]
            counts: dict[Kind, int] = {
                kind: sum(one.kind == kind for one in every) for kind in ("mark", *FAILURES)
            }
            ends = (float(spread.low[place]), float(spread.high[place]))
            mean = Estimate(mean_defined(table[place].tolist()), *ends)
            rows.append(
                SystemRow(
                    asked.dimension, asked.mode, system, len(of_topic), len(every), counts, mean,
                    _filled(of_topic, low), _filled(of_topic, high),
                )
            )  # fmt: skip
    return rows


def biases(said: Said, lengths: Lengths, draws: int, seed: int) -> list[Bias]:
    """The biases of each dimension that can be seen in what was asked."""
    found: list[Bias] = []
    for asked, own in _by_rubric(said).items():
        marked = [(ask, outcome.value) for ask, outcome in own if outcome.value is not None]
        if asked.mode == "pairs":
            found += _pair_biases(asked.dimension, marked, lengths, draws, seed)
        elif asked.mode == "points":
            found.append(_mark_and_length(asked.dimension, marked, lengths, draws, seed))
        found += _trial_biases(asked.dimension, marked, draws, seed)
    return found


def _by_rubric(said: Said) -> dict[Asked, list[tuple[Ask, Outcome]]]:
    groups: dict[Asked, list[tuple[Ask, Outcome]]] = {}
    for ask, outcome in said:
        groups.setdefault(ask.asked, []).append((ask, outcome))
    return groups


def _shares(ask: Ask, outcome: Outcome) -> list[tuple[str, Outcome]]:
    """What each system of a request got."""
    first, *second = ask.systems
    if not second:
        return [(first, outcome)]
    other = None if outcome.value is None else 1 - outcome.value
    return [(first, outcome), (second[0], outcome._replace(value=other))]


def _mean(outcomes: Iterable[Outcome], missing: float = math.nan) -> float:
    """The mean of the values; one that is not there counts as ``missing``, or not at all if NaN."""
    return mean_defined([missing if one.value is None else one.value for one in outcomes])


def _filled(by_topic: Mapping[str, Sequence[Outcome]], value: float) -> float:
    """The mean over topics with ``value`` for each request that has no mark."""
    return mean_defined([_mean(outcomes, value) for outcomes in by_topic.values()])


def _pair_biases(
    dimension: str, marked: Sequence[tuple[Ask, float]], lengths: Lengths, draws: int, seed: int
) -> list[Bias]:
    first, equal, longer, flips = (_Shares() for _ in range(4))
    by_order: dict[tuple[str, frozenset[str], int], dict[str, float]] = {}
    for ask, value in marked:
        one, other = ask.systems
        equal.add(ask.topic, value == 0.5)
        ahead = lengths[ask.topic, one] - lengths[ask.topic, other]
        if value != 0.5:
            first.add(ask.topic, value == 1)
            if ahead:
                longer.add(ask.topic, (value == 1) == (ahead > 0))
        key = (ask.topic, frozenset(ask.systems), ask.trial)
        by_order.setdefault(key, {})[one] = value
    for (topic, _, _), values in by_order.items():
        if len(values) == 2:
            # The same verdict gives what the first gets to the second in the other order.
            flips.add(topic, sum(values.values()) != 1)
    names = {"first wins": first, "called equal": equal, "flips": flips, "longer wins": longer}
    return [Bias(dimension, name, *of.share(draws, seed)) for name, of in names.items()]


def _mark_and_length(
    dimension: str, marked: Sequence[tuple[Ask, float]], lengths: Lengths, draws: int, seed: int
) -> Bias:
    name = "mark and length"
    cells: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for ask, value in marked:
        cells[ask.systems[0], ask.topic].append(value)
    systems, topics = (list(dict.fromkeys(key[place] for key in cells)) for place in (0, 1))
    if len(systems) < 2:
        return Bias(dimension, name, _NONE, len(cells))
    marks, words = np.full((2, len(systems), len(topics)), np.nan)
    for (system, topic), values in cells.items():
        place = systems.index(system), topics.index(topic)
        marks[place], words[place] = mean_defined(values), lengths[topic, system]
    found = bootstrap(words, marks, "summary", "spearman", "topics", draws=draws, seed=seed)
    ends = (found.low, found.high) if len(topics) > 1 else (math.nan, math.nan)
    return Bias(dimension, name, Estimate(found.value, *ends), len(cells))


def _trial_biases(
    dimension: str, marked: Sequence[tuple[Ask, float]], draws: int, seed: int
) -> list[Bias]:
    by_question: defaultdict[tuple[str, tuple[str, ...], str], list[float]] = defaultdict(list)
    is_repeated = False
    for ask, value in marked:
        by_question[ask.topic, ask.systems, ask.unit].append(value)
        is_repeated |= ask.trial > 1
    if not is_repeated:
        return []
    equal, apart = _Shares(), _Shares()
    for (topic, _, _), values in by_question.items():
        for one, other in combinations(values, 2):
            equal.add(topic, one == other)
            apart.add(topic, abs(one - other))
    names = {"equal marks of two trials": equal, "difference of two trials": apart}
    return [Bias(dimension, name, *of.share(draws, seed)) for name, of in names.items()]


class _Shares:
    """Numbers by topic, for their mean over all and its interval."""

    def __init__(self) -> None:
        self.sums: dict[str, list[float]] = {}

    def add(self, topic: str, number: float) -> None:
        total = self.sums.setdefault(topic, [0.0, 0.0])
        total[0] += number
        total[1] += 1

    def share(self, draws: int, seed: int) -> tuple[Estimate, int]:
        """The mean, and how many numbers it is of."""
        if not self.sums:
            return _NONE, 0
        numbers = np.array(list(self.sums.values()))
        (estimate,) = bootstrap_sums(numbers, lambda sums: [divided(*sums)], draws, seed)
        return estimate, int(numbers[:, 1].sum())
