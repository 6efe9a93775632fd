"""Researchers: passwords, what lets them in, which studies are theirs, what they did."""

from __future__ import annotations

import secrets
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from summetry.errors import SummetryError
from summetry.web import tables
from summetry.web.database import now
from summetry.web.store.keys import Kind, end_key, end_keys, find_key, make_key
from summetry.web.store.studies import check_name

SHORTEST_PASSWORD = 10
_hasher = PasswordHasher()
# Checked when the name is unknown, so that the answer takes as long as for a known one.
_nobody = _hasher.hash(secrets.token_hex(16))


def add_researcher(
    connection: Connection, name: str, password: str = "", *, is_admin: bool = False
) -> int:
    """A new account; without a hashed password it can be entered by a one-time link only."""
    name = check_name(name, "name", 80)
    values = {"name": name, "password": password, "is_admin": is_admin}
    try:
        with connection.begin_nested():
            added = connection.execute(insert(tables.researchers).values(values))
    except IntegrityError:
        raise SummetryError(f"there is an account {name!r} already") from None
    (key,) = added.inserted_primary_key or (None,)
    return int(key or 0)


def find_researcher(connection: Connection, researcher: int) -> Row[Any] | None:
    query = select(tables.researchers).where(tables.researchers.c.id == researcher)
    return connection.execute(query).one_or_none()


def all_researchers(connection: Connection) -> list[Row[Any]]:
    return list(connection.execute(select(tables.researchers).order_by(tables.researchers.c.name)))


def find_by_name(connection: Connection, name: str) -> Row[Any] | None:
    query = select(tables.researchers).where(tables.researchers.c.name == " ".join(name.split()))
    return connection.execute(query).one_or_none()


def hashed(password: str) -> str:
    """The digest of a password; it takes long on purpose, so call it outside of transactions."""
    if len(password) < SHORTEST_PASSWORD:
        raise SummetryError(
            f"password: expected {SHORTEST_PASSWORD} or more characters, found {len(password)}"
        )
    return _hasher.hash(password)


def is_password(password: str, researcher: Row[Any] | None) -> bool:
    """Whether a password is that of a researcher; takes as long as :func:`hashed`."""
    try:
        _hasher.verify((researcher and researcher.password) or _nobody, password)
    except (VerificationError, InvalidHashError):
        return False
    return True


def set_password(connection: Connection, researcher: int, password: str) -> None:
    """A new hashed password; every link, session and token of the researcher ends."""
    found = update(tables.researchers).where(tables.researchers.c.id == researcher)
    connection.execute(found.values(password=password))
    end_keys(connection, researcher)


def set_admin(connection: Connection, researcher: int, is_admin: bool) -> None:
    found = update(tables.researchers).where(tables.researchers.c.id == researcher)
    connection.execute(found.values(is_admin=is_admin))


def reset_access(connection: Connection, researcher: int) -> str:
    """The secret of a new one-time link; the password and everything else that let in is gone."""
    set_password(connection, researcher, "")
    return make_link(connection, researcher)


def delete_researcher(connection: Connection, researcher: int) -> None:
    connection.execute(delete(tables.researchers).where(tables.researchers.c.id == researcher))


def make_link(connection: Connection, researcher: int) -> str:
    """The secret of a link that logs a researcher in, once, for a day."""
    return make_key(connection, "link", researcher)


def is_link(connection: Connection, secret: str) -> bool:
    """Whether a link can still be used."""
    return find_key(connection, "link", secret) is not None


def use_link(connection: Connection, secret: str) -> Row[Any] | None:
    """The researcher whom a link logs in; the link is used up."""
    key = find_key(connection, "link", secret)
    if key is None or not end_key(connection, "link", secret):
        return None
    return find_researcher(connection, key.researcher)


def make_token(connection: Connection, researcher: int, name: str) -> str:
    """A new token for the API, for a year."""
    return make_key(connection, "token", researcher, check_name(name, "name of the token", 80))


def find_token(connection: Connection, secret: str) -> Row[Any] | None:
    """The researcher to whom a token belongs."""
    return _owner(connection, "token", secret)


def find_session(connection: Connection, secret: str) -> Row[Any] | None:
    """The researcher who is logged in by a cookie."""
    return _owner(connection, "session", secret)


def _owner(connection: Connection, kind: Kind, secret: str) -> Row[Any] | None:
    key = find_key(connection, kind, secret)
    return find_researcher(connection, key.researcher) if key else None


def tokens_of(connection: Connection, researcher: int) -> list[Row[Any]]:
    query = select(tables.keys).where(tables.keys.c.researcher == researcher)
    return list(connection.execute(query.where(tables.keys.c.kind == "token").order_by("id")))


def delete_token(connection: Connection, researcher: int, token: int) -> None:
    found = delete(tables.keys).where(tables.keys.c.id == token, tables.keys.c.kind == "token")
    connection.execute(found.where(tables.keys.c.researcher == researcher))


def add_member(connection: Connection, study: str, researcher: int) -> None:
    if not is_member(connection, study, researcher):
        row = {"study": study, "researcher": researcher}
        connection.execute(insert(tables.members).values(row))


def remove_member(connection: Connection, study: str, researcher: int) -> None:
    found = delete(tables.members).where(tables.members.c.study == study)
    connection.execute(found.where(tables.members.c.researcher == researcher))


def members_of(connection: Connection, study: str) -> list[Row[Any]]:
    query = select(tables.researchers).join(tables.members).where(tables.members.c.study == study)
    return list(connection.execute(query.order_by(tables.researchers.c.name)))


def is_member(connection: Connection, study: str, researcher: int) -> bool:
    query = select(tables.members.c.study).where(tables.members.c.study == study)
    found = connection.execute(query.where(tables.members.c.researcher == researcher))
    return found.first() is not None


def write_log(
    connection: Connection, who: str, action: str, study: str | None = None, detail: str = ""
) -> None:
    row = {"time": now(), "who": who, "action": action, "study": study, "detail": detail[:2000]}
    connection.execute(insert(tables.log).values(row))


def read_log(connection: Connection, study: str | None = None, most: int = 500) -> list[Row[Any]]:
    """The newest entries: of one study, or of everything."""
    query = select(tables.log).order_by(tables.log.c.id.desc()).limit(most)
    if study is not None:
        query = query.where(tables.log.c.study == study)
    return list(connection.execute(query))
