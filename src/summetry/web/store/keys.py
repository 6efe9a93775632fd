"""Secrets that let somebody in: one-time links, sessions, tokens of the API, personal links.

The database holds only their digests, so whoever reads it, or a backup, cannot use them. What is
lost is replaced: an informant can have any number of personal links, all of them valid.
"""

from __future__ import annotations

import datetime
import hashlib
import secrets
from typing import Any, Literal

from sqlalchemy import Connection, Row, bindparam, delete, insert, select

from summetry.web import tables
from summetry.web.database import now

Kind = Literal["link", "session", "token", "person"]
# Keys of a person, an informant, last as long as the person.
_DAYS: dict[Kind, float | None] = {"link": 1, "session": 0.5, "token": 365, "person": None}
_key = tables.keys.c
# Asked for by every request, so made once.
_FIND = select(tables.keys).where(
    _key.digest == bindparam("of_secret"), _key.kind == bindparam("of_kind")
)


def make_key(connection: Connection, kind: Kind, owner: int, name: str = "") -> str:
    """A new secret; ``owner`` is a person for personal links, and else a researcher."""
    secret, days, moment = secrets.token_urlsafe(18), _DAYS[kind], now()
    if kind in ("link", "session"):
        # Tokens that have expired stay in the list of tokens.
        old = delete(tables.keys).where(_key.researcher == owner, _key.kind == kind)
        connection.execute(old.where(_key.expires < moment))
    row: dict[str, Any] = {"kind": kind, "digest": _digest(secret), "name": name, "created": moment}
    row["expires"] = days and moment + datetime.timedelta(days=days)
    row["person" if kind == "person" else "researcher"] = owner
    connection.execute(insert(tables.keys).values(row))
    return secret


def find_key(connection: Connection, kind: Kind, secret: str) -> Row[Any] | None:
    """The row of a secret that is still valid."""
    asked = {"of_secret": _digest(secret), "of_kind": kind}
    row = connection.execute(_FIND, asked).one_or_none()
    return row if row and (row.expires is None or row.expires >= now()) else None


def end_key(connection: Connection, kind: Kind, secret: str) -> bool:
    """Whether this call ended the key: of two at the same time, one does."""
    found = delete(tables.keys).where(_key.digest == _digest(secret), _key.kind == kind)
    return connection.execute(found).rowcount == 1


def end_keys(connection: Connection, researcher: int) -> None:
    """End every link, session and token of a researcher."""
    connection.execute(delete(tables.keys).where(_key.researcher == researcher))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
