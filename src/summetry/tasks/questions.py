"""What people can answer after reading: the source, a summary, an abstract, or nothing.

A summary is good if it lets people answer nearly as well as the source does, in less time. The
share of right answers after reading nothing says how much can be guessed or is known anyway
(Morris, Kasper and Adams 1992).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from summetry.records.corpus import Corpus
from summetry.records.judgments import Answer


@dataclass(frozen=True)
class AnswersAfter:
    """The answers that were given after reading one thing; ``author`` is that of a summary."""

    condition: str
    author: str
    answers: int
    # The share of right answers, and the mean time; NaN where they are not known.
    right: float
    seconds: float


def answers_after(corpus: Corpus) -> list[AnswersAfter]:
    """One row for each condition and author, in the order in which they come first.

    Only answers to questions whose right choice is known are counted. An answer without a choice
    is wrong.
    """
    right = {(q.topic, q.id): q.answer for q in corpus.questions if q.answer is not None}
    groups: defaultdict[tuple[str, str], list[Answer]] = defaultdict(list)
    for answer in corpus.answers:
        if (answer.topic, answer.question) in right:
            groups[answer.condition, answer.author].append(answer)
    return [
        AnswersAfter(
            condition,
            author,
            len(given),
            _mean(one.choice == right[one.topic, one.question] for one in given),
            _mean(one.seconds for one in given if one.seconds is not None),
        )
        for (condition, author), given in groups.items()
    ]


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return fmean(known) if known else math.nan
