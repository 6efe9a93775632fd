"""Which item a person is given next, and how many people a study still needs.

An item is open while fewer people have it than the study asks for. Who has returned it, or has
let it expire, does not have it any more, and can take it again while it is open.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, select

from summetry.web import tables
from summetry.web.settings import StudySettings
from summetry.web.store.answers import (
    HELD,
    PRACTICE,
    Key,
    State,
    answers_of,
    give_item,
    key_of,
    open_page,
)
from summetry.web.store.studies import Study


@dataclass(frozen=True)
class Step:
    """What a person does next, and at which place of their own order."""

    place: int
    key: Key
    repeated: bool = False
    is_new: bool = True


@dataclass(frozen=True)
class Plan:
    """The items of a study, and how many people have each in each state.

    With ``apart``, topics that a person has not met come before all others, and then those that
    were met longest ago; ``once_per_topic``: one person gets one item of each topic only.
    """

    settings: StudySettings
    # In the order of the corpus, without practice.
    items: Sequence[Key]
    counts: Mapping[Key, Counter[State]]
    practice: Key | None = None
    apart: bool = False
    once_per_topic: bool = False

    def held(self, key: Key) -> int:
        """How many people have an item, or have submitted it."""
        return sum(self._counts(key)[state] for state in HELD)

    def lacking(self, key: Key) -> int:
        """How many more people an item needs; without a limit none."""
        return max(0, self.settings.per_text - self.held(key))

    @property
    def answers_needed(self) -> int:
        """How many answers are still to be begun."""
        return sum(map(self.lacking, self.items))

    @property
    def people_needed(self) -> int:
        """How many new people can give these answers, if those who are here do nothing more.

        Nobody gets an item twice, or two of a group; dealt in turn, that is all that there is to
        heed (McNaughton's wrap-around rule).
        """
        groups: Counter[Key] = Counter()
        for key in self.items:
            groups[self._group(key)] += self.lacking(key)
        share = min(self.settings.per_informant or len(groups), len(groups))
        most = max(groups.values(), default=0)
        return max(most, math.ceil(groups.total() / share)) if most else 0

    @property
    def is_full(self) -> bool:
        """Whether all answers that the study asks for are begun or submitted."""
        return bool(self.items) and self.settings.per_text > 0 and not self.answers_needed

    @property
    def in_work(self) -> int:
        """How many answers somebody has and has not submitted."""
        return sum(c["assigned"] + c["begun"] for c in map(self._counts, self.items))

    @property
    def submitted(self) -> int:
        """How many of the answers that the study asks for are submitted."""
        most = self.settings.per_text
        return sum(min(self._counts(key)["submitted"], most) for key in self.items)

    @property
    def target(self) -> int:
        """How many answers the study asks for; 0 without a limit."""
        return self.settings.per_text * len(self.items)

    def next(self, seed: int, answers: Sequence[Row[Any]]) -> Step | None:
        """What a person with these answers does next; None where nothing is left.

        First what they have begun, then the item that fewest people have; among equals a shuffle
        decides that is the person's own.
        """
        if self.practice and not any(answer.place == PRACTICE for answer in answers):
            return Step(PRACTICE, self.practice)
        open_to = self.open_to(answers)
        for answer in sorted(answers, key=lambda answer: answer.state == "expired"):
            key = key_of(answer.item)
            if answer.state in ("assigned", "begun") or (
                answer.state == "expired" and key in open_to
            ):
                return Step(answer.place, key, answer.repeated, is_new=False)
        place = 1 + max((answer.place for answer in answers), default=PRACTICE)
        if open_to:
            last_places = {key_of(a.item)[0]: a.place for a in answers} if self.apart else {}
            shuffled = [key for key in _shuffled(self.items, seed) if key in open_to]
            first = min(shuffled, key=lambda key: (last_places.get(key[0], -1), self.held(key)))
            return Step(place, first)
        earlier = self._to_repeat(answers)
        return Step(place, earlier, repeated=True) if earlier else None

    def share(self, answers: Sequence[Row[Any]]) -> int:
        """How many items a person with these answers does in all, as far as is known now."""
        groups = {self._group(key) for key in self.open_to(answers)}
        count = _count_held(answers) + min(len(groups), self._left(answers))
        has_repeated = any(answer.repeated for answer in answers)
        return count + (has_repeated or (self.settings.repeat and count > 1))

    def open_to(self, answers: Sequence[Row[Any]]) -> set[Key]:
        """The items that a person could be given now; what they returned is not given again."""
        return self._free(answers) - {key_of(a.item) for a in answers if a.state == "returned"}

    def can_take(self, answers: Sequence[Row[Any]], answer: Row[Any]) -> bool:
        """Whether a person can take again what they returned."""
        return key_of(answer.item) in self._free(answers)

    def _free(self, answers: Sequence[Row[Any]]) -> set[Key]:
        """The items that fewer people have than are needed and that the person may still do."""
        if not self._left(answers):
            return set()
        states = {key_of(answer.item): answer.state for answer in _counted(answers)}
        topics = {key_of(answer.item)[0] for answer in answers} if self.once_per_topic else set()
        return {
            key
            for key in self.items
            if (self.lacking(key) or not self.settings.per_text)
            and (states[key] not in HELD if key in states else key[0] not in topics)
        }

    def _left(self, answers: Sequence[Row[Any]]) -> int:
        """How many more items a person may have."""
        most = self.settings.per_informant
        return max(0, most - _count_held(answers)) if most else len(self.items)

    def _counts(self, key: Key) -> Counter[State]:
        return self.counts.get(key, Counter())

    def _group(self, key: Key) -> Key:
        """The items of which one person gets one only."""
        return key[:1] if self.once_per_topic else key

    def _to_repeat(self, answers: Sequence[Row[Any]]) -> Key | None:
        """The first item that the person submitted, which was longest ago."""
        done = [answer for answer in _counted(answers) if answer.state == "submitted"]
        if not self.settings.repeat or len(done) < 2 or any(answer.repeated for answer in answers):
            return None
        return key_of(done[0].item)


def assign_next(connection: Connection, study: Study, person: Row[Any], plan: Plan) -> int | None:
    """The place of what the person does next, which is begun or given now; None if nothing is."""
    answers = answers_of(connection, study, person.id)
    step = plan.next(person.seed, answers)
    if step is None:
        return None
    if step.is_new:
        give_item(connection, person.id, step.place, step.key, step.repeated)
    for answer in answers:
        if answer.place == step.place:
            # Theirs from now on, also if it had expired.
            open_page(connection, answer)
    return step.place


def lock_study(connection: Connection, study: str) -> None:
    """Let nobody else be given an item of the study until the transaction ends.

    Two people who ask at the same time must not both get the last one that is open.
    """
    connection.execute(
        select(tables.studies.c.id).where(tables.studies.c.id == study).with_for_update()
    )


def _counted(answers: Sequence[Row[Any]]) -> list[Row[Any]]:
    """The answers that count for an item: neither practice nor the repeated one."""
    return [answer for answer in answers if answer.place > PRACTICE and not answer.repeated]


def _count_held(answers: Sequence[Row[Any]]) -> int:
    return sum(answer.state in HELD for answer in _counted(answers))


def _shuffled(items: Sequence[Key], seed: int) -> list[Key]:
    shuffled = list(items)
    random.Random(seed).shuffle(shuffled)
    return shuffled
