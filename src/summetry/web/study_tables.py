"""What a study holds beside its records, as rows: settings, people, answers, versions, the log.

The code of the study, which lets people in, is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import Connection, select

from summetry.web import tables
from summetry.web.store.accounts import members_of, read_log
from summetry.web.store.answers import all_answers
from summetry.web.store.people import people_of
from summetry.web.store.studies import Study

Rows: TypeAlias = Iterable[tuple[Any, ...]]


@dataclass(frozen=True)
class Table:
    """Some rows, and what their columns are called."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def records(self) -> list[dict[str, Any]]:
        """Every row with the names of its columns."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def read_table(name: str, connection: Connection, study: Study) -> Table:
    columns, select_rows = TABLES[name]
    return Table(columns, list(select_rows(connection, study)))


def _select_study(connection: Connection, study: Study) -> Rows:
    """The study and its settings: what was asked, and how."""
    yield study.id, study.name, study.task, study.state, study.created, study.settings.as_data()


def _select_people(connection: Connection, study: Study) -> Rows:
    """Everybody who was invited or has joined, and what they said of themselves."""
    for one in people_of(connection, study.id):
        background = msgspec.json.decode(one.background)
        yield one.name, one.group, one.language, one.invited, one.joined, background


def _select_answers(connection: Connection, study: Study) -> Rows:
    """Every answer, also to practice and repetition: what it holds, and what was submitted last."""
    names = {person.id: person.name for person in people_of(connection, study.id)}
    for one in all_answers(connection, study):
        given = one.given and msgspec.json.decode(one.given)
        yield (
            names[one.person], one.place, msgspec.json.decode(one.item), one.repeated, one.state,
            one.version, round(one.seconds, 1), one.changed, one.submitted,
            msgspec.json.decode(one.content), given,
        )  # fmt: skip


def _select_versions(connection: Connection, study: Study) -> Rows:
    """Every change that informants made: who, what, when, and what the answer was then."""
    person, answer, version = tables.people.c, tables.answers.c, tables.versions.c
    query = (
        select(
            person.name, answer.place, answer.item, version.number, version.action, version.back,
            version.time, version.content,
        )
        .join(tables.answers, answer.id == version.answer)
        .join(tables.people, person.id == answer.person)
        .where(person.study == study.id)
        .order_by(person.id, answer.place, version.number)
    )  # fmt: skip
    for name, place, item, *plain, content in connection.execute(query):
        yield name, place, msgspec.json.decode(item), *plain, msgspec.json.decode(content)


def _select_researchers(connection: Connection, study: Study) -> Rows:
    for member in members_of(connection, study.id):
        yield (member.name,)


def _select_log(connection: Connection, study: Study) -> Rows:
    """What researchers did, newest first."""
    for row in read_log(connection, study.id, most=2**31 - 1):
        yield row.time, row.who, row.action, row.detail


TABLES: dict[str, tuple[tuple[str, ...], Callable[[Connection, Study], Rows]]] = {
    "study": (("id", "name", "task", "state", "created", "settings"), _select_study),
    "people": (("name", "group", "language", "invited", "joined", "background"), _select_people),
    "answers": (
        ("person", "place", "item", "repeated", "state", "version", "seconds", "changed",
         "submitted", "content", "given"),
        _select_answers,
    ),
    "versions": (
        ("person", "place", "item", "version", "action", "back", "time", "content"),
        _select_versions,
    ),
    "researchers": (("name",), _select_researchers),
    "log": (("time", "who", "action", "detail"), _select_log),
}  # fmt: skip
# What goes with the corpus into a zip file; versions are long, and the rest is not about answers.
EXPORTED = ("study", "people", "answers")
