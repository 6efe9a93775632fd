"""What people did with the items of a study: assigned, changed, undone, submitted.

An answer has a version, which a change must name: a second tab that shows an older one is told so
and changes nothing.
"""

from __future__ import annotations

import datetime
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, bindparam, func, insert, select, update

from summetry.web import tables
from summetry.web.database import now
from summetry.web.settings import StudySettings
from summetry.web.store.studies import json_text

Content = dict[str, Any]
# Longer pauses between two changes are not counted as time at work, in seconds.
LONGEST_PAUSE = 60.0
# Place of the practice text, before the first of a person's own texts.
PRACTICE = 0
# What every click does, made once: building a query takes longer than answering it.
_AT_PLACE = select(tables.answers).where(
    tables.answers.c.person == bindparam("of_person"), tables.answers.c.place == bindparam("at")
)
_BEFORE = select(tables.answers.c.item).where(
    tables.answers.c.person == bindparam("of_person"),
    tables.answers.c.place.between(PRACTICE + 1, bindparam("at") - 1),
)
_CHANGE = (
    update(tables.answers)
    .where(tables.answers.c.id == bindparam("of_answer"))
    .where(tables.answers.c.version == bindparam("shown"))
    .values(
        version=bindparam("next"),
        content=bindparam("text"),
        changed=bindparam("now"),
        seconds=tables.answers.c.seconds + bindparam("more"),
        state=bindparam("in_state"),
    )
)
_SUBMIT = _CHANGE.values(state="submitted", given=bindparam("text"), submitted=bindparam("now"))
_KEEP = insert(tables.versions)


class ConflictError(Exception):
    """The answer was changed elsewhere since it was shown."""


class NothingToUndoError(Exception):
    """The answer is as it was when it was begun."""


@dataclass(frozen=True)
class Given:
    """What a person submitted for an item."""

    person: str
    key: tuple[str, ...]
    repeated: bool
    content: Content
    seconds: float
    submitted: datetime.datetime


def answers_of(connection: Connection, person: int) -> list[Row[Any]]:
    """All answers of a person, in their own order."""
    query = select(tables.answers).where(tables.answers.c.person == person)
    return list(connection.execute(query.order_by(tables.answers.c.place)))


def find_answer(connection: Connection, person: int, place: int) -> Row[Any] | None:
    return connection.execute(_AT_PLACE, {"of_person": person, "at": place}).one_or_none()


def earlier_items(connection: Connection, answer: Row[Any]) -> list[tuple[str, ...]]:
    """What a person was given before an item, the practice text excepted.

    Nothing for an item that is shown again: it is asked as it was the first time.
    """
    if answer.repeated:
        return []
    found = connection.execute(_BEFORE, {"of_person": answer.person, "at": answer.place})
    return [_key(item) for item in found.scalars()]


def assign_next(
    connection: Connection,
    person: Row[Any],
    settings: StudySettings,
    items: Sequence[tuple[str, ...]],
    practice: tuple[str, ...] | None,
    *,
    apart: bool = False,
    once_per_topic: bool = False,
) -> int | None:
    """The place of what the person does next: begun, or newly given; None where all is done.

    The item that fewest people have comes first; among equally covered ones, a shuffle that is
    the person's own decides. With ``apart``, topics that the person has not met come before all
    others, and then those that were met longest ago; ``once_per_topic``: of each topic one item
    only.
    """
    mine = answers_of(connection, person.id)
    if practice and not any(answer.place == PRACTICE for answer in mine):
        _assign(connection, person.id, PRACTICE, practice)
        return PRACTICE
    for answer in mine:
        if answer.state != "submitted":
            return int(answer.place)
    regular = [answer for answer in mine if answer.place > PRACTICE]
    own = [answer for answer in regular if not answer.repeated]
    place = 1 + max((answer.place for answer in regular), default=PRACTICE)
    if not settings.per_informant or len(own) < settings.per_informant:
        # Two people who ask at the same time must not both be given the last free item.
        locked = select(tables.studies.c.id).where(tables.studies.c.id == person.study)
        connection.execute(locked.with_for_update())
        had = {_key(answer.item) for answer in own}
        topics = {_key(answer.item)[0] for answer in mine} if once_per_topic else set()
        covered = coverage(connection, person.study)
        free = [
            key
            for key in _shuffled(items, person.seed)
            if key not in had
            and key != practice
            and key[0] not in topics
            and not (settings.per_text and covered[key] >= settings.per_text)
        ]
        if free:
            met = {_key(answer.item)[0]: answer.place for answer in mine} if apart else {}
            chosen = min(free, key=lambda key: (met.get(key[0], -1), covered[key]))
            _assign(connection, person.id, place, chosen)
            return place
    if settings.repeat and len(own) > 1 and not any(answer.repeated for answer in regular):
        # The first one was longest ago.
        _assign(connection, person.id, place, _key(own[0].item), repeated=True)
        return place
    return None


def coverage(connection: Connection, study: str) -> Counter[tuple[str, ...]]:
    """How many people have been given each item."""
    query = (
        select(tables.answers.c.item, func.count())
        .join(tables.people, tables.people.c.id == tables.answers.c.person)
        .where(tables.people.c.study == study, tables.answers.c.place > PRACTICE)
        .where(tables.answers.c.repeated.is_(False))
        .group_by(tables.answers.c.item)
    )
    return Counter({_key(item): count for item, count in connection.execute(query)})


def change(
    connection: Connection,
    answer: Row[Any],
    version: int,
    content: Content,
    action: str = "change",
    back: int | None = None,
    longest_pause: float = LONGEST_PAUSE,
) -> int:
    """Keep a new version of an answer; its number.

    ``version`` is the one that was shown; ``back`` is the one that `undo` goes back to.
    """
    moment = now()
    text = json_text(content)
    pause = (moment - answer.changed).total_seconds()
    values = {"of_answer": answer.id, "shown": version, "next": version + 1, "now": moment}
    values |= {"text": text, "more": max(0.0, min(pause, longest_pause))}
    values["in_state"] = "draft" if answer.given is None else "submitted"
    found = connection.execute(_SUBMIT if action == "submit" else _CHANGE, values)
    if found.rowcount != 1:
        raise ConflictError
    row = {"answer": answer.id, "number": version + 1, "action": action, "content": text}
    row |= {"back": version if back is None else back, "time": moment}
    connection.execute(_KEEP, row)
    return version + 1


def undo(
    connection: Connection,
    answer: Row[Any],
    version: int,
    longest_pause: float = LONGEST_PAUSE,
) -> int:
    """Go back by one change; the number of the new version."""
    here = _version(connection, answer.id, version)
    if here is None or here.back is None:
        raise NothingToUndoError
    before = _version(connection, answer.id, here.back)
    if before is None:
        raise NothingToUndoError
    content = msgspec.json.decode(before.content)
    # A second undo goes on from where this one arrived.
    back = -1 if before.back is None else before.back
    return change(connection, answer, version, content, "undo", back, longest_pause)


def open_page(connection: Connection, answer: Row[Any]) -> None:
    """Start the clock of an answer: a page that was opened anew is at work from now on."""
    found = update(tables.answers).where(tables.answers.c.id == answer.id)
    connection.execute(found.values(changed=now()))


def given_answers(connection: Connection, study: str) -> list[Given]:
    """What was submitted in a study, the practice text excepted, in the order of joining."""
    person, answer = tables.people.c, tables.answers.c
    query = (
        select(
            person.name,
            answer.item,
            answer.repeated,
            answer.given,
            answer.seconds,
            answer.submitted,
        )
        .join(tables.people, person.id == answer.person)
        .where(person.study == study, answer.given.is_not(None), answer.place > PRACTICE)
        .order_by(person.id, answer.place)
    )
    return [
        Given(name, _key(item), repeated, msgspec.json.decode(given), seconds, when)
        for name, item, repeated, given, seconds, when in connection.execute(query)
    ]


def count_answers(connection: Connection, study: str) -> int:
    """How many items people of a study have been given, the practice text among them."""
    query = select(func.count(tables.answers.c.id)).join(tables.people)
    return int(connection.execute(query.where(tables.people.c.study == study)).scalar_one())


def all_answers(connection: Connection, study: str) -> list[Row[Any]]:
    """Every answer of a study, begun or submitted, in the order of joining."""
    query = select(tables.answers).join(tables.people).where(tables.people.c.study == study)
    order = tables.answers.c.person, tables.answers.c.place
    return list(connection.execute(query.order_by(*order)))


def count_versions(connection: Connection, person: int) -> int:
    """How many versions of their answers a person has made."""
    query = select(func.count(tables.versions.c.id)).join(tables.answers)
    return int(connection.execute(query.where(tables.answers.c.person == person)).scalar_one())


def stamp(connection: Connection, study: str) -> tuple[Any, ...]:
    """Changes whenever something was submitted or taken back."""
    answer = tables.answers.c
    query = (
        select(func.count(answer.given), func.max(answer.submitted))
        .join(tables.people, tables.people.c.id == answer.person)
        .where(tables.people.c.study == study)
    )
    return tuple(connection.execute(query).one())


def _assign(
    connection: Connection, person: int, place: int, key: tuple[str, ...], repeated: bool = False
) -> None:
    moment = now()
    row = {"person": person, "place": place, "item": json_text(key), "repeated": repeated}
    row |= {"state": "assigned", "version": 0, "content": "{}", "seconds": 0.0, "changed": moment}
    added = connection.execute(insert(tables.answers).values(row))
    (answer,) = added.inserted_primary_key or (None,)
    first = {"answer": answer, "number": 0, "action": "start", "content": "{}", "time": moment}
    connection.execute(insert(tables.versions).values(first))


def _version(connection: Connection, answer: int, number: int) -> Row[Any] | None:
    query = select(tables.versions).where(
        tables.versions.c.answer == answer, tables.versions.c.number == number
    )
    return connection.execute(query).one_or_none()


def _key(item: str) -> tuple[str, ...]:
    return msgspec.json.decode(item, type=tuple[str, ...])


def _shuffled(items: Sequence[tuple[str, ...]], seed: int) -> list[tuple[str, ...]]:
    shuffled = list(items)
    random.Random(seed).shuffle(shuffled)
    return shuffled
