"""The informants and judges of a study."""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from summetry.errors import SummetryError
from summetry.web import tables
from summetry.web.database import now
from summetry.web.store.keys import find_key
from summetry.web.store.studies import check_name, json_text

LONGEST_NAME = 40

# Asked for by every request, so made once.
_BY_NUMBER = select(tables.people).where(
    tables.people.c.id == bindparam("of_person"), tables.people.c.study == bindparam("of_study")
)


def add_person(
    connection: Connection,
    study: str,
    name: str,
    *,
    group: str = "",
    background: dict[str, str] | None = None,
    language: str = "",
    joined: bool = True,
) -> Row[Any]:
    """A new person; ``joined`` is false for one who is invited and has not been here yet."""
    name = check_name(name, "name", LONGEST_NAME)
    moment = now()
    values = {
        "study": study,
        "name": name,
        "group": group,
        "background": json_text(background or {}),
        "language": language,
        "seed": secrets.randbelow(2**31),
        "invited": None if joined else moment,
        "joined": moment if joined else None,
    }
    try:
        with connection.begin_nested():
            added = connection.execute(insert(tables.people).values(values))
    except IntegrityError:
        raise SummetryError(
            f"the name {name!r} is taken in this study; choose another one"
        ) from None
    (key,) = added.inserted_primary_key or (None,)
    return connection.execute(select(tables.people).where(tables.people.c.id == key)).one()


def find_person(connection: Connection, study: str, key: str) -> Row[Any] | None:
    """The person of a study to whom a personal link belongs."""
    row = find_key(connection, "person", key)
    return row and person_by_number(connection, study, row.person)


def person_by_number(connection: Connection, study: str, number: int) -> Row[Any] | None:
    asked = {"of_study": study, "of_person": number}
    return connection.execute(_BY_NUMBER, asked).one_or_none()


def people_of(connection: Connection, study: str) -> list[Row[Any]]:
    query = select(tables.people).where(tables.people.c.study == study)
    return list(connection.execute(query.order_by(tables.people.c.id)))


def change_person(connection: Connection, person: int, **values: Any) -> None:
    connection.execute(update(tables.people).where(tables.people.c.id == person).values(**values))


def delete_person(connection: Connection, person: int) -> None:
    """Forget a person: answers, every version of them, and the name."""
    connection.execute(delete(tables.people).where(tables.people.c.id == person))
