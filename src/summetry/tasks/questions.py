"""What people can answer after reading: the source, a summary, an abstract, or nothing.

A summary is good if it lets people answer nearly as well as the source does, in less time. The
share of right answers after reading nothing says how much can be guessed or is known anyway, so a
summary keeps

    kept = (summary - nothing) / (source - nothing)

of these shares, on the questions that were asked after the summary.

Only answers to questions whose right choice is known are counted. An answer without a choice is
wrong. Whole questions are drawn for intervals.

Two conditions are compared by the questions that were answered in both: the difference of the
shares of right answers to each, in a paired permutation test. Where fewer than two questions were
answered in both, it is done by people who answered in both; where there are fewer than two such
people, Fisher's exact test takes all answers as independent.

Source: Steinberger and Jezek (2009), section 3.4.3, after Morris, Kasper and Adams (1992); the
tests and the share that is kept are ours.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from summetry.arguments import check_choice, check_whole
from summetry.arrays.types import Floats
from summetry.errors import SummetryError, for_python
from summetry.formats import load
from summetry.records.corpus import Corpus
from summetry.records.judgments import Condition
from summetry.stats.agreement import mean_defined
from summetry.stats.concordance import divided
from summetry.stats.contrasts import bootstrap_rows, check_draws, differences, p_of_pairs
from summetry.stats.multiple import holm
from summetry.stats.ratings import Estimate
from summetry.stats.significance import DRAWS
from summetry.stats.sums import bootstrap_sums, share_kept
from summetry.tasks.results import TaskResult, as_record, called

By = Literal["system", "condition"]
# In the order of the paper.
CONDITIONS: tuple[Condition, ...] = get_args(Condition)
_UPPER, _LOWER = ("source", ""), ("nothing", "")


class AnswersAfter(NamedTuple):
    """The answers that were given after reading one thing; ``author`` is that of a summary."""

    condition: str
    author: str
    answers: int
    questions: int
    people: int
    # The share of right answers, its place between nothing and the source, and the mean time.
    right: Estimate
    kept: Estimate
    seconds: Estimate


class AnswerDifference(NamedTuple):
    """Two conditions: by how much the first has more right answers, and takes longer.

    ``number`` questions or people were compared one by one; without ``paired`` it is all answers.
    """

    first: str
    second: str
    paired: Literal["questions", "people", ""]
    number: int
    difference: float
    low: float
    high: float
    p: float
    corrected_p: float
    seconds: float


@dataclass(frozen=True, repr=False)
class Answers(TaskResult):
    """What ``compare_answers`` gives back: a row for each condition, and a test for each pair."""

    rows: tuple[AnswersAfter, ...]
    differences: tuple[AnswerDifference, ...]
    draws: int = DRAWS
    seed: int = 0
    notes: tuple[str, ...] = ()

    @property
    def shown(self) -> Sequence[str]:
        ends = ("right_low", "right_high")
        return ("condition", "system", "answers", "right", *ends, "kept", "seconds")

    def records(self) -> list[dict[str, Any]]:
        return [as_record(row, author="system") for row in self.rows]


@for_python
def compare_answers(
    corpus: Corpus | str | Path, by: By = "system", *, draws: int = DRAWS, seed: int = 0
) -> Answers:
    """How well people answer after reading the source, each system's summaries, or nothing.

    With ``by="condition"`` the summaries of all systems are one condition, and so are abstracts.
    """
    check_choice("by", by, get_args(By))
    check_draws(draws)
    check_whole("seed", seed, 0)
    read = corpus if isinstance(corpus, Corpus) else load(corpus)
    groups = _groups(read, by)
    if not groups:
        raise SummetryError(
            f"{called(read)} has no answers to questions whose right choice is known; "
            f"they are in answers.jsonl and questions.jsonl"
        )
    questions = list(dict.fromkeys(one.question for given in groups.values() for one in given))
    sums = {key: _sums(given, questions) for key, given in groups.items()}
    rows = tuple(_row(key, groups[key], sums, draws, seed) for key in groups)
    notes = []
    if len(questions) < 2:
        notes.append("one question alone has no interval")
    return Answers(rows, tuple(_differences(groups, draws, seed)), draws, seed, tuple(notes))


class _Given(NamedTuple):
    """An answer: to which question, by whom, whether it is right, and how long it took."""

    question: tuple[str, str]
    person: str
    is_right: bool
    seconds: float


def _groups(corpus: Corpus, by: By) -> dict[tuple[str, str], list[_Given]]:
    """The answers of each condition, and author of what was read, in the order of the paper."""
    right = {(q.topic, q.id): q.answer for q in corpus.questions if q.answer is not None}
    groups: defaultdict[tuple[str, str], list[_Given]] = defaultdict(list)
    for answer in corpus.answers:
        question = (answer.topic, answer.question)
        if question in right:
            author = answer.author if by == "system" else ""
            seconds = math.nan if answer.seconds is None else float(answer.seconds)
            given = _Given(question, answer.judge, answer.choice == right[question], seconds)
            groups[answer.condition, author].append(given)
    order = sorted(groups, key=lambda key: CONDITIONS.index(key[0]))
    return {key: groups[key] for key in order}


def _sums(given: Iterable[_Given], questions: Sequence[tuple[str, str]]) -> Floats:
    """For each question right answers, answers, seconds, and answers whose seconds are known."""
    places = {question: place for place, question in enumerate(questions)}
    sums = np.zeros((len(questions), 4))
    for one in given:
        is_timed = not math.isnan(one.seconds)
        numbers = (one.is_right, 1, one.seconds if is_timed else 0, is_timed)
        sums[places[one.question]] += np.array(numbers, np.float64)
    return sums


def _row(
    key: tuple[str, str],
    given: Sequence[_Given],
    sums: dict[tuple[str, str], Floats],
    draws: int,
    seed: int,
) -> AnswersAfter:
    own = sums[key]
    # Where nobody read the source, or nothing, these are sums of no answer: undefined.
    bounds = [sums.get(bound, 0 * own)[:, :2] for bound in (_LOWER, _UPPER)]

    def values_of(drawn: Floats) -> list[Floats]:
        right, seconds = divided(drawn[0], drawn[1]), divided(drawn[2], drawn[3])
        lower, upper = divided(drawn[4], drawn[5]), divided(drawn[6], drawn[7])
        return [right, share_kept(right, lower, upper), seconds]

    asked = own[:, 1] > 0
    numbers = np.concatenate([own, *bounds], axis=1)[asked]
    right, kept, seconds = bootstrap_sums(numbers, values_of, draws, seed)
    if key in (_LOWER, _UPPER):
        kept = Estimate(math.nan, math.nan, math.nan)
    people = len({one.person for one in given})
    return AnswersAfter(*key, len(given), int(asked.sum()), people, right, kept, seconds)


def _differences(
    groups: dict[tuple[str, str], list[_Given]], draws: int, seed: int
) -> list[AnswerDifference]:
    """Every pair of conditions, with p corrected for all of them."""
    found = [
        _difference(
            tuple(" ".join(filter(None, key)) for key in two),
            [groups[key] for key in two],
            draws,
            seed,
        )
        for two in combinations(groups, 2)
    ]
    corrected = holm([one.p for one in found]).tolist() if found else []
    return [one._replace(corrected_p=p) for one, p in zip(found, corrected, strict=True)]


def _difference(
    names: Sequence[str], two: Sequence[list[_Given]], draws: int, seed: int
) -> AnswerDifference:
    from scipy.stats import fisher_exact

    seconds = [mean_defined([one.seconds for one in given]) for given in two]
    longer = seconds[0] - seconds[1]
    first, second = names
    paired: Literal["questions", "people"]
    for paired in ("questions", "people"):
        shares = [_shares(given, paired) for given in two]
        both = [name for name in shares[0] if name in shares[1]]
        if len(both) > 1:
            table = np.array([[share[name] for name in both] for share in shares])
            pair = differences(table, np.array([0]), np.array([1]))
            spread = bootstrap_rows(pair.values, draws, seed)
            p = float(p_of_pairs(pair, draws=draws, seed=seed)[0])
            mean, low, high = (float(of[0]) for of in (pair.means(), spread.low, spread.high))
            return AnswerDifference(first, second, paired, len(both), mean, low, high, p, p, longer)
    right = [[sum(one.is_right for one in given), len(given)] for given in two]
    p = float(fisher_exact([[n, answers - n] for n, answers in right]).pvalue)
    difference = right[0][0] / right[0][1] - right[1][0] / right[1][1]
    answers = right[0][1] + right[1][1]
    return AnswerDifference(
        first, second, "", answers, difference, math.nan, math.nan, p, p, longer
    )


def _shares(given: Iterable[_Given], of: Literal["questions", "people"]) -> dict[Hashable, float]:
    """The share of right answers to each question, or of each person."""
    groups: defaultdict[Hashable, list[bool]] = defaultdict(list)
    for one in given:
        groups[one.question if of == "questions" else one.person].append(one.is_right)
    return {name: sum(right) / len(right) for name, right in groups.items()}
