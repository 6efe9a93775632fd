"""What people did with the items of a study: begun, changed, undone, returned, submitted.

An answer is assigned until its first change, and begun until it is submitted. Before that it goes
back to the others when its person returns it, or expires when nothing has happened to it for as
long as the study says. Its content stays: work that goes on begins again, and what is submitted
late counts like everything else.

An answer has a version, which a change must name: a second tab that shows an older one is told so
and changes nothing.
"""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import msgspec
from sqlalchemy import Connection, Row, and_, bindparam, case, func, insert, select, update

from summetry.web import tables
from summetry.web.database import now
from summetry.web.store.studies import Study, json_text

Content = dict[str, Any]
# The key of an item: its topic, and what else the task needs.
Key: TypeAlias = tuple[str, ...]
State: TypeAlias = Literal["assigned", "begun", "returned", "expired", "submitted"]
STATES: tuple[State, ...] = get_args(State)
# In these states an item is somebody's.
HELD: tuple[State, ...] = ("assigned", "begun", "submitted")
# Longer pauses between two changes are not counted as time at work, in seconds.
LONGEST_PAUSE = 60.0
# Place of the practice text, before the first of a person's own texts.
PRACTICE = 0
# Practice and repetition are nobody else's, so that they do not expire.
_COUNTS = and_(tables.answers.c.place > PRACTICE, tables.answers.c.repeated.is_(False))
_WITH_STATE = select(
    tables.answers,
    case(
        (tables.answers.c.given.is_not(None), "submitted"),
        (tables.answers.c.returned, "returned"),
        (and_(_COUNTS, tables.answers.c.changed < bindparam("idle_since")), "expired"),
        (tables.answers.c.version > 0, "begun"),
        else_="assigned",
    ).label("state"),
)
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
        returned=bindparam("gone"),
    )
)
_SUBMIT = _CHANGE.values(
    given=bindparam("text"),
    submitted=bindparam("now"),
    submissions=tables.answers.c.submissions + 1,
)
_KEEP = insert(tables.versions)


class ConflictError(Exception):
    """The answer was changed elsewhere since it was shown."""


class NothingToUndoError(Exception):
    """The answer is as it was when it was begun."""


def key_of(item: str) -> Key:
    """The key of an item as it is stored."""
    return msgspec.json.decode(item, type=tuple[str, ...])


@dataclass(frozen=True)
class Given:
    """What a person submitted for an item."""

    person: str
    key: Key
    repeated: bool
    content: Content
    seconds: float
    submitted: datetime.datetime


def answers_of(connection: Connection, study: Study, person: int) -> list[Row[Any]]:
    """All answers of a person with the state of each, in their own order."""
    query = _WITH_STATE.where(tables.answers.c.person == person).order_by(tables.answers.c.place)
    return list(connection.execute(query, {"idle_since": _idle_since(study)}))


def all_answers(connection: Connection, study: Study) -> list[Row[Any]]:
    """Every answer of a study with its state, in the order of joining."""
    query = _WITH_STATE.join(tables.people).where(tables.people.c.study == study.id)
    order = tables.answers.c.person, tables.answers.c.place
    return list(connection.execute(query.order_by(*order), {"idle_since": _idle_since(study)}))


def count_states(connection: Connection, study: Study) -> dict[Key, Counter[State]]:
    """How many people have each item in each state."""
    of_study = _WITH_STATE.join(tables.people).where(tables.people.c.study == study.id)
    rows = of_study.where(_COUNTS).subquery()
    query = select(rows.c.item, rows.c.state, func.count()).group_by(rows.c.item, rows.c.state)
    counts: defaultdict[Key, Counter[State]] = defaultdict(Counter)
    for item, state, n in connection.execute(query, {"idle_since": _idle_since(study)}):
        counts[key_of(item)][state] += n
    return counts


def was_taken_over(connection: Connection, study: Study, answer: Row[Any]) -> bool:
    """Whether enough others have by now what a person returned, or did not touch for long."""
    is_left = answer.returned or answer.changed < _idle_since(study)
    is_own = answer.place == PRACTICE or answer.repeated
    if answer.given is not None or is_own or not is_left or not study.settings.per_text:
        return False
    of_study = _WITH_STATE.join(tables.people).where(tables.people.c.study == study.id)
    others = tables.answers.c.item == answer.item, tables.answers.c.person != answer.person
    rows = of_study.where(_COUNTS, *others).subquery()
    query = select(func.count()).where(rows.c.state.in_(HELD))
    found = connection.execute(query, {"idle_since": _idle_since(study)})
    return int(found.scalar_one()) >= study.settings.per_text


def find_answer(connection: Connection, person: int, place: int) -> Row[Any] | None:
    return connection.execute(_AT_PLACE, {"of_person": person, "at": place}).one_or_none()


def earlier_items(connection: Connection, answer: Row[Any]) -> list[Key]:
    """What a person was given before an item, the practice text excepted.

    Nothing for an item that is shown again: it is asked as it was the first time.
    """
    if answer.repeated:
        return []
    found = connection.execute(_BEFORE, {"of_person": answer.person, "at": answer.place})
    return [key_of(item) for item in found.scalars()]


def give_item(
    connection: Connection, person: int, place: int, key: Key, repeated: bool = False
) -> None:
    """Put an item at a place of a person's own order."""
    moment = now()
    row = {"person": person, "place": place, "item": json_text(key), "repeated": repeated}
    row |= {"version": 0, "content": "{}", "seconds": 0.0, "changed": moment}
    added = connection.execute(insert(tables.answers).values(row))
    (answer,) = added.inserted_primary_key or (None,)
    first = {"answer": answer, "number": 0, "action": "start", "content": "{}", "time": moment}
    connection.execute(insert(tables.versions).values(first))


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
    values["gone"] = action == "return"
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
        Given(name, key_of(item), repeated, msgspec.json.decode(given), seconds, when)
        for name, item, repeated, given, seconds, when in connection.execute(query)
    ]


def count_answers(connection: Connection, study: str) -> int:
    """How many items people of a study have been given, the practice text among them."""
    query = select(func.count(tables.answers.c.id)).join(tables.people)
    return int(connection.execute(query.where(tables.people.c.study == study)).scalar_one())


def count_versions(connection: Connection, person: int) -> int:
    """How many versions of their answers a person has made."""
    query = select(func.count(tables.versions.c.id)).join(tables.answers)
    return int(connection.execute(query.where(tables.answers.c.person == person)).scalar_one())


def stamp(connection: Connection, study: str) -> tuple[Any, ...]:
    """Changes whenever something was submitted. It counts, since clocks can be set back."""
    query = (
        select(func.sum(tables.answers.c.submissions))
        .join(tables.people, tables.people.c.id == tables.answers.c.person)
        .where(tables.people.c.study == study)
    )
    return tuple(connection.execute(query).one())


def _version(connection: Connection, answer: int, number: int) -> Row[Any] | None:
    query = select(tables.versions).where(
        tables.versions.c.answer == answer, tables.versions.c.number == number
    )
    return connection.execute(query).one_or_none()


def _idle_since(study: Study) -> datetime.datetime:
    """What was last touched before this moment, and not submitted, has expired."""
    if not study.settings.return_after:
        return datetime.datetime.min
    return now() - datetime.timedelta(minutes=study.settings.return_after)
