"""How far a study is, as its pages and the JSON API say it."""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row

from summetry.records.corpus import Corpus
from summetry.web.pages import Desk
from summetry.web.store.answers import PRACTICE, Key, State, all_answers, count_states
from summetry.web.store.assignment import Plan
from summetry.web.store.people import people_of
from summetry.web.store.studies import Study
from summetry.web.tasks import TASKS


def load_plan(connection: Connection, study: Study, corpus: Corpus) -> Plan:
    """What there is to do in a study, and who has it."""
    task = TASKS[study.task]
    keys = [item.key for item in task.items(study, corpus)]
    practice = next((key for key in keys if key[0] == study.settings.practice), None)
    items = [
        key
        for key in keys
        if not practice or (key[0] != practice[0] if task.once_per_topic else key != practice)
    ]
    counts = count_states(connection, study)
    return Plan(study.settings, items, counts, practice, task.apart, task.once_per_topic)


@dataclass(frozen=True)
class TextProgress:
    """How many people have a text in each state; of several items of it all count."""

    title: str
    states: Counter[State]
    target: int
    # How many more people must begin it.
    needed: int


@dataclass(frozen=True)
class PersonProgress:
    """How far a person is; practice counts as time only."""

    person: Row[Any]
    states: Counter[State]
    # How many items they do in all, as far as is known now.
    share: int
    seconds: float
    changed: datetime.datetime | None

    @classmethod
    def of(cls, person: Row[Any], answers: Sequence[Row[Any]], plan: Plan) -> PersonProgress:
        """What a person with these answers has done."""
        states: Counter[State] = Counter(a.state for a in answers if a.place > PRACTICE)
        seconds = sum(answer.seconds for answer in answers)
        changed = max((answer.changed for answer in answers), default=None)
        return cls(person, states, plan.share(answers), seconds, changed)


@dataclass(frozen=True)
class Progress:
    """How far a study is with its texts and people."""

    plan: Plan
    texts: list[TextProgress]
    people: list[PersonProgress]
    answers: list[Row[Any]]

    @property
    def submitted(self) -> int:
        """How many answers were submitted, repeated ones among them."""
        return sum(one.states["submitted"] for one in self.people)

    @property
    def changed(self) -> datetime.datetime | None:
        return max((answer.changed for answer in self.answers), default=None)


def load_progress(desk: Desk) -> Progress:
    connection, study, corpus = desk.connection, desk.study, desk.uploaded()
    plan = load_plan(connection, study, corpus)
    answers = all_answers(connection, study)
    by_person: defaultdict[int, list[Row[Any]]] = defaultdict(list)
    for answer in answers:
        by_person[answer.person].append(answer)
    people = [
        PersonProgress.of(person, by_person[person.id], plan)
        for person in people_of(connection, study.id)
    ]
    return Progress(plan, _texts(plan, corpus), people, answers)


def _texts(plan: Plan, corpus: Corpus) -> list[TextProgress]:
    keys: defaultdict[str, list[Key]] = defaultdict(list)
    for key in plan.items:
        keys[key[0]].append(key)
    return [
        TextProgress(
            topic.title or topic.id,
            sum((plan.counts.get(key, Counter()) for key in keys[topic.id]), Counter()),
            plan.settings.per_text * len(keys[topic.id]),
            sum(map(plan.lacking, keys[topic.id])),
        )
        for topic in corpus.topics
        if topic.id in keys
    ]
