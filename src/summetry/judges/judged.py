"""The result of judging: judgments, verdicts and content units as records, with signatures."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from summetry.judges.answers import FAILURES, Kind, Outcome
from summetry.judges.prompts import Ask
from summetry.judges.results import Bias, Lengths, SystemRow, biases, system_rows
from summetry.judges.rubrics import Asked
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.pyramids import PeerScu, Pyramid
from summetry.records.scores import html_table, pandas_frame, text_table
from summetry.records.summaries import Person
from summetry.stats.choices import Choice, shares_won
from summetry.text.tokens import find_words

if TYPE_CHECKING:
    import pandas

# What a judge that is a model belongs to in people.jsonl.
GROUP = "models"
VERDICT_COLUMNS = ("id", "dimension", "judge", "first", "second", "better", "outcome", "why")


class Reason(NamedTuple):
    """Why a judge gave a value to a summary; ``beside`` is the unit that was looked for, or the
    other summary of a pair."""

    id: str
    system: str
    dimension: str
    judge: str
    beside: str
    value: float
    reason: str


class Spent(msgspec.Struct, frozen=True):
    """What answers took: requests with their repetitions, tokens, and the cost, if known."""

    requests: int
    prompt_tokens: float
    answer_tokens: float
    cost: float = math.nan


@dataclass(frozen=True, repr=False, eq=False)
class Judged:
    """What a judge said of the summaries of a corpus."""

    corpus: Corpus
    model: str
    trials: int
    said: tuple[tuple[Ask, Outcome], ...]
    # Of each dimension, how to reproduce its judgments.
    signatures: Mapping[str, str]
    # What all answers took, and those that were asked for now; how many the log had before.
    spent: Spent
    sent: Spent
    from_log: int
    draws: int
    seed: int
    notes: tuple[str, ...] = ()

    @cached_property
    def rows(self) -> tuple[SystemRow, ...]:
        """Every system on every dimension."""
        return tuple(system_rows(self.said, self.draws, self.seed))

    @cached_property
    def biases(self) -> tuple[Bias, ...]:
        """How fair the judge is, and how sure."""
        return tuple(biases(self.said, self._lengths(), self.draws, self.seed))

    @property
    def counts(self) -> dict[Kind, int]:
        """How many requests came to what."""
        kinds = [outcome.kind for _, outcome in self.said]
        return {kind: kinds.count(kind) for kind in ("mark", *FAILURES)}

    @property
    def asked(self) -> list[Asked]:
        return list(dict.fromkeys(ask.asked for ask, _ in self.said))

    def judge_of(self, trial: int) -> str:
        """The name of the judge: the model, and which trial where there are several."""
        return self.model if self.trials == 1 else f"{self.model}#{trial}"

    def judgments(self) -> tuple[Judgment, ...]:
        """Marks, and of pairs the share that a system won; a trial is a judge of its own."""
        found: list[Judgment] = []
        choices: defaultdict[tuple[str, str, str], list[Choice]] = defaultdict(list)
        for ask, outcome in self.said:
            if outcome.value is None:
                continue
            judge = self.judge_of(ask.trial)
            if ask.asked.mode == "points":
                mark = int(outcome.value)
                found.append(Judgment(ask.topic, ask.systems[0], judge, ask.asked.dimension, mark))
            elif ask.asked.mode == "pairs":
                key = (ask.topic, judge, ask.asked.dimension)
                choices[key].append(Choice(ask.systems[0], ask.systems[1], outcome.value))
        for (topic, judge, dimension), own in choices.items():
            for system, share in shares_won(own).items():
                found.append(Judgment(topic, system, judge, dimension, share))
        return tuple(found)

    def scores(self) -> tuple[list[str], list[list[Any]]]:
        """The headings and rows of a table of scores: the mean judgment of each summary.

        A column has the name of the judge in it: people may have judged the same dimension.
        """
        cells: dict[tuple[str, str], dict[str, list[float]]] = {}
        for one in self.judgments():
            assert not isinstance(one.value, str)
            own = cells.setdefault((one.topic, one.author), {})
            own.setdefault(one.dimension, []).append(float(one.value))
        dimensions = [asked.dimension for asked in self.asked if asked.mode != "units"]
        means = [
            [*key, *(fmean(own[name]) if name in own else None for name in dimensions)]
            for key, own in cells.items()
        ]
        return ["id", "system", *map(self.score_name, dimensions)], means

    def score_name(self, dimension: str) -> str:
        """The column of a dimension in a table of scores."""
        judge = re.sub(r"\W+", "-", self.model).strip("-")
        return f"{dimension}-by-{judge}"

    def verdicts(self) -> list[list[Any]]:
        """Each request on a pair: what was shown first and second, and which is better."""
        rows = []
        for ask, outcome in self.said:
            if ask.asked.mode == "pairs":
                first, second = ask.systems
                better = {1.0: first, 0.0: second, 0.5: "equal", None: ""}[outcome.value]
                about = [ask.topic, ask.asked.dimension, self.judge_of(ask.trial), first, second]
                rows.append([*about, better, outcome.kind, outcome.why])
        return rows

    def reasons(self) -> list[Reason]:
        """Why each summary got its mark, where the judge says so; of a pair, for both of them."""
        reasons = []
        for ask, outcome in self.said:
            if outcome.value is None or not outcome.why:
                continue
            values = [(outcome.value, ask.unit)]
            if ask.asked.mode == "pairs":
                first, second = ask.systems
                values = [(outcome.value, f"{second} as B"), (1 - outcome.value, f"{first} as A")]
            for system, (value, beside) in zip(ask.systems, values, strict=True):
                what = ask.topic, system, ask.asked.dimension, self.judge_of(ask.trial)
                reasons.append(Reason(*what, beside, value, outcome.why))
        return reasons

    def pyramids(self) -> tuple[Pyramid, ...]:
        """The content units with the systems that express them, by more than half of the answers.

        A summary of which a unit has no answer at all counts as not judged on its topic.
        """
        votes: defaultdict[tuple[str, str], defaultdict[str, list[float]]]
        votes = defaultdict(lambda: defaultdict(list))
        for ask, outcome in self.said:
            if ask.asked.mode == "units":
                own = votes[ask.topic, ask.systems[0]][ask.unit]
                own += [] if outcome.value is None else [outcome.value]
        topics = {topic for topic, _ in votes}
        found = []
        for pyramid in self.corpus.pyramids:
            peers = {
                system: tuple(
                    PeerScu(unit) for unit, own in units.items() if 2 * sum(own) > len(own)
                )
                for (topic, system), units in votes.items()
                if topic == pyramid.topic and all(units.values())
            }
            if pyramid.topic in topics:
                judged = msgspec.structs.replace(pyramid, peers=peers, annotator=self.model)
                found.append(judged)
        return tuple(found)

    def unit_rows(self) -> list[list[Any]]:
        """A table of content units: topic, unit, label, weight, system, and 0 or 1."""
        rows: list[list[Any]] = []
        for pyramid in self.pyramids():
            for system, parts in pyramid.peers.items():
                there = {part.scu for part in parts}
                for scu in pyramid.scus:
                    about = [pyramid.topic, scu.id, scu.label, scu.weight, system]
                    rows.append([*about, int(scu.id in there)])
        return rows

    def not_judged(self) -> list[tuple[str, str]]:
        """Topics and systems of which some content unit has no answer."""
        judged = {(one.topic, system) for one in self.pyramids() for system in one.peers}
        asked = [(a.topic, a.systems[0]) for a, _ in self.said if a.asked.mode == "units"]
        return [key for key in dict.fromkeys(asked) if key not in judged]

    def to_corpus(self) -> Corpus:
        """The corpus with these judgments instead of its own, and these content units."""
        trials = range(1, self.trials + 1)
        signed = {"signatures": dict(self.signatures)}
        judges = [Person(self.judge_of(trial), GROUP, signed) for trial in trials]
        names = {judge.id for judge in judges}
        others = [person for person in self.corpus.people if person.id not in names]
        changed: dict[str, Any] = {"judgments": self.judgments(), "scales": {}}
        if any(asked.mode == "units" for asked in self.asked):
            changed["pyramids"] = self.pyramids()
        return replace(self.corpus, people=(*others, *judges), **changed)

    def records(self) -> list[dict[str, Any]]:
        """One dict per dimension and system, with every number."""
        return [
            {
                "dimension": row.dimension, "mode": row.mode, "system": row.system,
                "topics": row.topics, "asked": row.asked, **dict(row.counts.items()),
                "mean": row.mean.value, "low": row.mean.low, "high": row.mean.high,
                "worst": row.worst, "best": row.best,
            }
            for row in self.rows
        ]  # fmt: skip

    def to_pandas(self) -> pandas.DataFrame:
        """The records as a frame."""
        return pandas_frame(self.records())

    def __repr__(self) -> str:
        shown = ("dimension", "system", "asked", "mark", "mean", "low", "high", "worst", "best")
        rows = [[_cell(record[name]) for name in shown] for record in self.records()]
        return "\n".join(
            [*text_table(shown, rows), "(.records(), .biases, .judgments() have more)"]
        )

    def _repr_html_(self) -> str:
        return html_table(repr(self))

    def _lengths(self) -> Lengths:
        return {
            (summary.topic, summary.author): len(find_words(self.corpus.text_of(summary)))
            for summary in self.corpus.summaries
        }


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "-" if value != value else f"{value:.3f}"
    return str(value)
