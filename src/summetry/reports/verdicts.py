"""What a comparison of systems says, in one sentence per pair.

    bart is better than lead on rouge2 by 0.031 (0.012 to 0.050, corrected p = .002)
    bart and t5 do not differ significantly on rouge2: bart is ahead by 0.004 (-0.010 to 0.018,
    corrected p = .41); 30 topics could show 0.065
    bart and t5 do not differ significantly on rouge2: bart is ahead by 0.050 (0.043 to 0.060,
    p = .25); too few topics: with 3 the smallest possible p is .25

In brackets are the interval of the difference and p, which is called corrected where several tests
share alpha. What the topics could show is the smallest difference that is found with the wanted
probability.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from summetry.errors import SummetryError, counted
from summetry.metaeval.columns import short_name
from summetry.metaeval.rankings import PairTest, Ranking, having_p
from summetry.reports.tables import LARGE
from summetry.stats.significance import is_significant

_DIGITS = 3
# A p below this is not shown in full, one above the other with two digits.
_SMALLEST_P, _LARGE_P = 0.001, 0.1


def verdicts(ranking: Ranking) -> list[str]:
    """The best system against the next, and against the baseline, in one sentence each."""
    systems = [standing.system for standing in ranking.systems if standing.topics]
    if len(systems) < 2:
        return []
    best, following = systems[:2]
    sentences = [sentence_of(ranking, best, following)]
    if ranking.is_named and ranking.baseline in systems[2:]:
        sentences.append(sentence_of(ranking, best, ranking.baseline))
    return sentences


def verdict_sentence(ranking: Ranking, pair: PairTest) -> str:
    """Whether the first of a pair is better or worse than the baseline, and by how much."""
    verdict, metric = ranking.verdict(pair), _metric(ranking)
    fewer = f", {pair.topics:,} of {ranking.topics:,} topics"
    topics = fewer if pair.topics < ranking.topics else ""
    if verdict in ("better", "worse"):
        better = pair if verdict == "better" else pair.reversed()
        difference = _shown(ranking, better, ranking.family())
        return f"{pair.first} is {verdict} than {pair.second} on {metric} by {difference}{topics}"
    if not pair.difference:
        return f"{pair.first} is as good as {pair.second} on {metric}{topics}"
    word = "better" if (pair.difference > 0) == (ranking.better == "higher") else "worse"
    size = _number(abs(pair.difference), pair.difference)
    return (
        f"{pair.first} is {size} {word} than {pair.second} on {metric}{topics}, "
        f"not significantly ({_shown_p(ranking, pair, ranking.family())})"
    )


class Gate(NamedTuple):
    """Whether a system is worse than the baseline, and why it is; or what passed."""

    is_failed: bool
    sentences: list[str]


def gate(rankings: Sequence[Ranking], tolerance: float, asked: str, tolerating: str) -> Gate:
    """Failed if a system is significantly worse than the baseline, and by more than ``tolerance``.

    That it cannot be known is an error, which begins with what was ``asked``; ``tolerating`` says
    what lets a worse system pass.
    """
    for ranking in rankings:
        _check_testable(ranking, asked)
    lines = []
    for ranking in rankings:
        failing, worse = ranking.worse(tolerance), ranking.worse()
        for pair in ranking.against:
            sentence = verdict_sentence(ranking, pair)
            if pair in failing and tolerance:
                sentence += f", more than {tolerance:g}"
            elif pair in worse and pair not in failing:
                sentence += f"; {tolerating} tolerates it"
            lines.append((pair in failing, sentence))
    is_failed = any(is_worse for is_worse, _ in lines)
    # Of a build that fails, only why is said.
    return Gate(is_failed, [sentence for is_worse, sentence in lines if is_worse == is_failed])


def _check_testable(ranking: Ranking, asked: str) -> None:
    if ranking.better == "neither":
        raise SummetryError(
            f"{asked}: {ranking.column.name} does not say which direction is better"
        )
    for pair in ranking.against:
        if ranking.verdict(pair) == "undefined":
            raise SummetryError(
                f"{asked}: {pair.first} and {pair.second} cannot be tested on "
                f"{short_name(ranking.column)}: {pair.reason}"
            )
    # Equal scores need no test.
    if any(pair.difference or pair.deviation for pair in ranking.against):
        for note in ranking.unreachable_against():
            raise SummetryError(f"{asked}: {note}")


def sentence_of(ranking: Ranking, first: str, second: str) -> str:
    """Whether the first of two systems is better than the second."""
    return _sentence(ranking, *tested(ranking, first, second))


def sentence_with_power(ranking: Ranking, first: str, second: str) -> str:
    """As :func:`sentence_of`, and what the topics could show also where they showed something."""
    pair, comparisons = tested(ranking, first, second)
    sentence = _sentence(ranking, pair, comparisons)
    if ranking.verdict(pair) in ("unclear", "undefined"):
        return sentence
    return sentence + _why_unclear(ranking, pair, comparisons, counted(pair.topics, "topic"))


def tested(ranking: Ranking, first: str, second: str) -> tuple[PairTest, int]:
    """The first of two systems minus the second, and for how many comparisons p is corrected."""
    # A baseline that was named beforehand has fewer tests to be corrected for.
    is_own = ranking.is_named and ranking.baseline in (first, second)
    pairs = ranking.against if is_own else ranking.pairs
    (pair,) = (pair for pair in pairs if {pair.first, pair.second} == {first, second})
    return pair if pair.first == first else pair.reversed(), len(having_p(pairs))


def _sentence(ranking: Ranking, pair: PairTest, comparisons: int) -> str:
    verdict = ranking.verdict(pair)
    ahead = -pair.difference if ranking.better == "lower" else pair.difference
    if verdict != "undefined" and ahead < 0:
        # By the topics that both have it is the other way round than by all of each.
        return _sentence(ranking, pair.reversed(), comparisons)
    both, metric = f"{pair.first} and {pair.second}", _metric(ranking)
    if verdict == "undefined":
        return f"{both} cannot be compared on {metric}: {pair.reason}"
    difference = _shown(ranking, pair, comparisons)
    if verdict != "unclear":
        return f"{pair.first} is {verdict} than {pair.second} on {metric} by {difference}"
    topics = counted(pair.topics, "topic")
    if not pair.difference and not pair.deviation:
        return f"{both} have the same scores on {metric}, {topics}"
    if ranking.better == "neither":
        leads = f"{pair.first} is higher by"
    else:
        leads = f"{pair.first} is ahead by" if pair.difference else "the means differ by"
    why = _why_unclear(ranking, pair, comparisons, topics)
    return f"{both} do not differ significantly on {metric}: {leads} {difference}{why}"


def _why_unclear(ranking: Ranking, pair: PairTest, comparisons: int, topics: str) -> str:
    """What the topics could show, or that they could show nothing."""
    least = ranking.unreachable(pair, comparisons)
    if least:
        p = printed_p(least.corrected, ranking.settings.alpha).removeprefix("= ")
        corrected = "corrected " * ranking.settings.corrects(comparisons)
        return (
            f"; too few {least.of}: with {least.number:,} the smallest possible {corrected}p is {p}"
        )
    smallest = ranking.smallest_shown(pair, comparisons)
    could = 0 < smallest < math.inf
    return f"; {topics} could show {_number(smallest, smallest)}" if could else ""


def _metric(ranking: Ranking) -> str:
    lower = " (lower is better)" if ranking.better == "lower" else ""
    return f"{short_name(ranking.column)}{lower}"


def _shown(ranking: Ranking, pair: PairTest, comparisons: int) -> str:
    """By how much the first is better, the interval, and p."""
    numbers: Sequence[float] = (pair.difference, pair.low, pair.high)
    if ranking.better == "lower":
        numbers = (-pair.difference, -pair.high, -pair.low)
    mean, low, high = (_number(number, pair.difference) for number in numbers)
    # An interval without 0 beside a difference that is not significant would puzzle a reader.
    is_without_0 = pair.low * pair.high > 0 and ranking.verdict(pair) == "unclear"
    why = " before correction" if ranking.settings.corrects(comparisons) else " by the bootstrap"
    alone = why if is_without_0 else ""
    return f"{mean} ({low} to {high}{alone}, {_shown_p(ranking, pair, comparisons)})"


def _shown_p(ranking: Ranking, pair: PairTest, comparisons: int) -> str:
    corrected = "corrected " * ranking.settings.corrects(comparisons)
    return f"{corrected}p {printed_p(pair.corrected, ranking.settings.alpha)}"


def _number(number: float, size: float) -> str:
    """A number with three digits behind the point, or with two that ``size`` needs to be seen.

    >>> _number(0.0312, 0.0312), _number(-0.00049, 0.00012)
    ('0.031', '-0.00049')
    """
    small = abs(size)
    digits = math.ceil(-math.log10(small)) + 1 if 0 < small < 10**-_DIGITS else _DIGITS
    shown = f"{number:.{digits}f}" if abs(number) < LARGE else f"{number:.{digits}g}"
    return shown if float(shown) else shown.removeprefix("-")


def unbroken_p(p: float, alpha: float) -> str:
    """p with its name in one piece, which no line break parts."""
    return f"p {printed_p(p, alpha)}".replace(" ", "\N{NO-BREAK SPACE}")


def printed_p(p: float, alpha: float) -> str:
    """p as journals print it, and never on the wrong side of alpha.

    >>> [printed_p(p, 0.05) for p in (0.0021, 0.41, 0.0001, 0.0503, 1.0)]
    ['= .002', '= .41', '< .001', '= .0503', '= 1']
    """
    if p < _SMALLEST_P:
        return "< .001"
    digits = 2 if p >= _LARGE_P else 3
    while is_significant(round(p, digits), alpha) != is_significant(p, alpha):
        digits += 1
    shown = f"{p:.{digits}f}"
    return "= 1" if float(shown) >= 1 else f"= {shown.removeprefix('0')}"
