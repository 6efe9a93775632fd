"""Researchers: passwords, one-time links, tokens, which studies are theirs, what they did."""

from __future__ import annotations

import datetime
import hashlib
import secrets
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from summetry.errors import SummetryError
from summetry.web import tables
from summetry.web.database import now
from summetry.web.store.studies import check_name

SHORTEST_PASSWORD = 10
_hasher = PasswordHasher()
# Verified when the name is unknown, so that the answer takes as long as for a known one.
_nobody = _hasher.hash(secrets.token_hex(16))


def add_researcher(
    connection: Connection, name: str, password: str = "", *, is_admin: bool = False
) -> int:
    """A new account; without a password it can be entered by a one-time link only."""
    name = check_name(name, "name", 80)
    values = {"name": name, "password": _hashed(password), "is_admin": is_admin}
    # Not 0: SQLite gives the number of a removed account to the next one, and cookies of the
    # removed one must not open it.
    values["generation"] = secrets.randbelow(2**30)
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


def check_password(connection: Connection, name: str, password: str) -> Row[Any] | None:
    query = select(tables.researchers).where(tables.researchers.c.name == name.strip())
    found = connection.execute(query).one_or_none()
    try:
        _hasher.verify((found and found.password) or _nobody, password)
    except (VerificationError, InvalidHashError):
        return None
    return found


def set_password(connection: Connection, researcher: int, password: str) -> None:
    """A new password; who is logged in by the old one is logged out."""
    found = update(tables.researchers).where(tables.researchers.c.id == researcher)
    generation = tables.researchers.c.generation + 1
    connection.execute(found.values(password=_hashed(password), generation=generation))


def set_admin(connection: Connection, researcher: int, is_admin: bool) -> None:
    found = update(tables.researchers).where(tables.researchers.c.id == researcher)
    connection.execute(found.values(is_admin=is_admin))


def reset_access(connection: Connection, researcher: int) -> str:
    """The secret of a new one-time link; the password and earlier links are gone."""
    set_password(connection, researcher, "")
    connection.execute(delete(tables.links).where(tables.links.c.researcher == researcher))
    return make_link(connection, researcher)


def find_by_name(connection: Connection, name: str) -> Row[Any] | None:
    query = select(tables.researchers).where(tables.researchers.c.name == " ".join(name.split()))
    return connection.execute(query).one_or_none()


def delete_researcher(connection: Connection, researcher: int) -> None:
    connection.execute(delete(tables.researchers).where(tables.researchers.c.id == researcher))


def make_link(connection: Connection, researcher: int) -> str:
    """The secret of a link that logs a researcher in, once, for a day."""
    secret = secrets.token_urlsafe(24)
    expires = now() + datetime.timedelta(days=1)
    row = {"digest": _digest(secret), "researcher": researcher, "expires": expires}
    connection.execute(insert(tables.links).values(row))
    return secret


def is_link(connection: Connection, secret: str) -> bool:
    """Whether a link can still be used."""
    query = select(tables.links.c.expires).where(tables.links.c.digest == _digest(secret))
    expires = connection.execute(query).scalar_one_or_none()
    return expires is not None and bool(expires >= now())


def use_link(connection: Connection, secret: str) -> Row[Any] | None:
    """The researcher whom a link logs in; the link is used up."""
    found = tables.links.c.digest == _digest(secret)
    row = connection.execute(select(tables.links).where(found)).one_or_none()
    if row is None or connection.execute(delete(tables.links).where(found)).rowcount != 1:
        return None
    return find_researcher(connection, row.researcher) if row.expires >= now() else None


def make_token(connection: Connection, researcher: int, name: str) -> str:
    """A new token for the API; only its digest is kept."""
    secret = secrets.token_urlsafe(32)
    row = {"researcher": researcher, "name": check_name(name, "name of the token", 80)}
    row |= {"digest": _digest(secret), "created": now()}
    connection.execute(insert(tables.tokens).values(row))
    return secret


def find_token(connection: Connection, secret: str) -> Row[Any] | None:
    """The researcher to whom a token belongs."""
    query = select(tables.tokens.c.researcher).where(tables.tokens.c.digest == _digest(secret))
    researcher = connection.execute(query).scalar_one_or_none()
    return None if researcher is None else find_researcher(connection, researcher)


def tokens_of(connection: Connection, researcher: int) -> list[Row[Any]]:
    query = select(tables.tokens).where(tables.tokens.c.researcher == researcher)
    return list(connection.execute(query.order_by(tables.tokens.c.id)))


def delete_token(connection: Connection, researcher: int, token: int) -> None:
    found = delete(tables.tokens).where(tables.tokens.c.id == token)
    connection.execute(found.where(tables.tokens.c.researcher == researcher))


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


def _hashed(password: str) -> str:
    if not password:
        return ""
    if len(password) < SHORTEST_PASSWORD:
        raise SummetryError(
            f"password: expected {SHORTEST_PASSWORD} or more characters, found {len(password)}"
        )
    return _hasher.hash(password)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
