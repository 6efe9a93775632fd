"""How far a reference can be trusted: what becomes of it when one informant is left out.

``leave_one_out`` asks how well the vote of the others predicts each informant; ``stability`` asks
how much of the reference stays the same without them, at every length. A long reference
stays the same by its length alone, so the share that chance would give is taken out:
(J - E) / (1 - E), where J is the shared units divided by all units of both, and E its mean for
random extracts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from summetry.arguments import Progress, one_by_one
from summetry.records.lengths import Fit, Length, TopicLengths
from summetry.references.agreement import PERCENTS
from summetry.references.comparison import Shares, compare_units
from summetry.references.majority import References, TopicVotes
from summetry.references.voting import Ties, mask_of
from summetry.stats.agreement import jaccard, mean_defined
from summetry.stats.chance import expected_jaccard


class Predicted(NamedTuple):
    """An informant's extracts against the references of the others, means over topics."""

    informant: str
    topics: int
    shares: Shares
    # The f of extracts of the same size, drawn at random.
    chance: float


class Stability(NamedTuple):
    """How much of the references of one length stays when an informant is left out."""

    # The length, in per cent of the words.
    percent: int
    jaccard: float
    chance: float
    corrected: float


class Validation(NamedTuple):
    """How far the references of a corpus can be trusted."""

    predicted: list[Predicted]
    stability: list[Stability]
    # The length of the longest extract of each topic in per cent, mean over topics.
    longest: float
    # The most stable one up to that length.
    best: Stability | None


def validate_references(references: References, progress: Progress | None = None) -> Validation:
    """Both checks on references, with the settings by which they were made."""
    votes = [topic.votes for topic in references.by_topic]
    fit, ties = references.fit, references.ties
    lines = stability(votes, fit, ties, progress=progress)
    longest = mean_defined([max(topic.percents) for topic in votes])
    predicted = leave_one_out(votes, references.length, fit, ties)
    # A reference that is longer than anybody's extract would be no summary.
    best = most_stable([line for line in lines if line.percent <= longest])
    return Validation(predicted, lines, longest, best)


def leave_one_out(
    votes: Sequence[TopicVotes],
    length: Length | TopicLengths,
    fit: Fit = "stop",
    ties: Ties | None = None,
) -> list[Predicted]:
    """Every informant against the vote of the others, who alone say what the mean length is.

    Topics that only one informant worked on have no others, and are left out.
    """
    by_informant: dict[str, list[tuple[Shares, float]]] = {}
    for topic in votes:
        for place, extract in enumerate(topic.extracts if len(topic.extracts) > 1 else ()):
            reference = topic.without(place).reference(length, fit, ties).units
            # The vote predicts, so it is what is evaluated.
            shares = compare_units(reference, extract.units)
            chance = _expected_f(len(topic.words), len(reference), len(extract.units))
            by_informant.setdefault(extract.informant, []).append((shares, chance))
    return [
        Predicted(
            informant,
            len(pairs),
            Shares(*(mean_defined(values) for values in zip(*(s for s, _ in pairs), strict=True))),
            mean_defined([chance for _, chance in pairs]),
        )
        for informant, pairs in by_informant.items()
    ]


def stability(
    votes: Sequence[TopicVotes],
    fit: Fit = "stop",
    ties: Ties | None = None,
    percents: Sequence[int] = PERCENTS,
    progress: Progress | None = None,
) -> list[Stability]:
    """Shared units of the reference with and without each informant, means over both."""
    by_percent: dict[int, list[tuple[float, float]]] = {percent: [] for percent in percents}
    for topic in one_by_one(votes, progress):
        if len(topic.extracts) < 2:
            continue
        whole = [mask_of(units) for units in topic.at_percents(percents, fit, ties)]
        for place in range(len(topic.extracts)):
            fewer = map(mask_of, topic.without(place).at_percents(percents, fit, ties))
            for percent, a, b in zip(percents, whole, fewer, strict=True):
                sizes = sorted((a.bit_count(), b.bit_count()))
                chance = expected_jaccard(len(topic.words), *sizes)
                by_percent[percent].append((jaccard(a, b), chance))
    return [_stability(percent, pairs) for percent, pairs in by_percent.items()]


def most_stable(lines: Sequence[Stability]) -> Stability | None:
    """The line that is furthest above chance; of equal ones the shortest."""
    defined = [line for line in lines if not math.isnan(line.corrected)]
    return max(defined, key=lambda line: line.corrected) if defined else None


def _stability(percent: int, pairs: Sequence[tuple[float, float]]) -> Stability:
    seen, chance = (mean_defined([pair[i] for pair in pairs]) for i in (0, 1))
    corrected = (seen - chance) / (1 - chance) if chance != 1 else math.nan
    return Stability(percent, seen, chance, corrected)


def _expected_f(units: int, a: int, b: int) -> float:
    """2 E|A n B| / (|A| + |B|) for random sets."""
    return 2 * a * b / (units * (a + b)) if units and a + b else math.nan
