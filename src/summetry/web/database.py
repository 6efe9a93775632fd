"""The database of the web page: SQLite in a file, or PostgreSQL."""

from __future__ import annotations

import contextlib
import datetime
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from summetry.errors import SummetryError, first_names, optional_module

# How long a writer of SQLite waits for another one, in milliseconds.
_PATIENCE = 20_000
# A database that has tables is one of the page if these are among them.
_OUR_TABLES = {"alembic_version", "studies", "researchers"}

Trouble = Literal["busy", "full", "damaged", "unwritable"]
# Codes of SQLite (the lower eight bits) and of PostgreSQL (how they begin).
_TROUBLES: dict[int | str, Trouble] = {
    5: "busy", 6: "busy", "40": "busy", "55P03": "busy", "57": "busy", "08": "busy",
    13: "full", "53100": "full",
    11: "damaged", 26: "damaged", "XX": "damaged",
    8: "unwritable", 10: "unwritable", 14: "unwritable", "25006": "unwritable",
}  # fmt: skip


class Database:
    """Connections for reading and for writing; the newest schema once it is opened."""

    def __init__(self, address: str | Path) -> None:
        self.url = _url(address)
        self.is_sqlite = is_sqlite = self.url.get_backend_name() == "sqlite"
        # Requests are answered by up to 40 threads; each needs a connection for a moment.
        pooling = {} if is_sqlite else {"pool_size": 10, "max_overflow": 30}
        self.engine = create_engine(self.url, **pooling)
        if is_sqlite:
            event.listen(self.engine, "do_connect", _make_private)
            event.listen(self.engine, "connect", _prepare)
            event.listen(self.engine, "begin", _begin)
        # SQLite has one writer at a time; asking for the lock at once never fails half-way.
        self._writers: Engine = self.engine.execution_options(writes=True)

    def reading(self) -> AbstractContextManager[Connection]:
        return self.engine.begin()

    def writing(self) -> AbstractContextManager[Connection]:
        """One transaction: all of it is on disk when the block ends, or none of it."""
        return self._writers.begin()

    def upgrade(self) -> None:
        """Bring the tables to the newest schema; what is in them stays."""
        config = migrations()
        with self.explaining():
            try:
                self._refuse_others()
                if self.is_sqlite:
                    self._write_ahead()
                if self.revision() == ScriptDirectory.from_config(config).get_current_head():
                    # Most of the time; a backup need not wait for those who write.
                    return
                with self.writing() as connection:
                    config.attributes["connection"] = connection
                    command.upgrade(config, "head")
            except CommandError as error:
                raise SummetryError(
                    f"{self}: made by a newer Summetry ({error}); update Summetry to open it"
                ) from None

    def _refuse_others(self) -> None:
        """Refuse the database of another program, before anything of it is changed."""
        with self.reading() as connection:
            names = set(inspect(connection).get_table_names())
        if names and not names >= _OUR_TABLES:
            raise SummetryError(
                f"{self}: expected a database of the web page, or a new one, found the tables of "
                f"another program ({first_names(sorted(names))}); name another file"
            )

    def _write_ahead(self) -> None:
        """Changes go to a log beside the file of SQLite, so that readers do not wait for them."""
        with self.engine.connect() as connection:
            connection.exec_driver_sql("ROLLBACK")
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")

    @contextlib.contextmanager
    def explaining(self, name: object = None) -> Iterator[None]:
        """What is wrong with the database itself, in one line for those who run the page."""
        try:
            yield
        except DatabaseError as error:
            advice = {
                "busy": "another program is writing to it; try again soon",
                "full": "its disk is full; make room, and repeat it",
                "damaged": "it is damaged, or no database; go back to a backup",
            }
            why = str(error.orig).strip().splitlines()[0]
            told = advice.get(trouble_of(error) or "", "")
            raise SummetryError(
                f"{name or self}: the database cannot be used: {why}{told and '; '}{told}"
            ) from None

    def revision(self) -> str | None:
        """The schema of the tables; None where there are none of ours."""
        with self.reading() as connection:
            return MigrationContext.configure(connection).get_current_revision()

    def close(self) -> None:
        self.engine.dispose()

    def fold(self) -> None:
        """Move what is in SQLite's log into its file, also where another program has it open."""
        if self.is_sqlite:
            with self.engine.connect() as connection:
                connection.exec_driver_sql("ROLLBACK")
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def __str__(self) -> str:
        """The address without a password."""
        if self.url.get_backend_name() == "sqlite":
            return str(self.url.database)
        return self.url.render_as_string(hide_password=True)


def trouble_of(error: DatabaseError) -> Trouble | None:
    """What kept a database from its work; None where it is a fault of the program."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return _TROUBLES.get(code & 0xFF)
    state = str(getattr(error.orig, "sqlstate", None) or "")
    if not state and isinstance(error, OperationalError):
        # PostgreSQL cannot be reached.
        return "busy"
    return _TROUBLES.get(state) or _TROUBLES.get(state[:2])


def migrations() -> Config:
    """Where Alembic finds the migrations."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


def now() -> datetime.datetime:
    """The time that is stored: UTC, without a zone, to the millisecond."""
    moment = datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def _url(address: str | Path) -> URL:
    text = str(address)
    if "://" not in text:
        path = Path(text)
        if path.is_dir():
            raise SummetryError(f"{path}: expected a database file, found a folder")
        if not path.absolute().parent.is_dir():
            raise SummetryError(f"{path}: there is no folder {path.parent} for the database")
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except ArgumentError:
        raise SummetryError(
            "--database: expected a file or postgresql://USER:PASSWORD@HOST/NAME"
        ) from None
    backend = url.get_backend_name()
    if backend == "postgresql":
        optional_module("psycopg", "PostgreSQL", "psycopg", "psycopg-binary")
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise SummetryError(f"--database: SQLite and PostgreSQL are supported, got {backend!r}")
    return url


def _make_private(_: Any, __: Any, arguments: list[Any], ___: Any) -> None:
    """Make the file of SQLite readable for its owner only; the log beside it is made alike."""
    name = str(arguments[0]) if arguments else ""
    if name and not name.startswith((":", "file:")):
        with contextlib.suppress(FileExistsError):
            os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _prepare(connection: object, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # type: ignore[attr-defined]
    cursor = connection.cursor()  # type: ignore[attr-defined]
    # A write that was answered survives the end of the process, and of the machine.
    # What is deleted on request is overwritten, not only forgotten.
    # The log goes into the file at 1 MB; SQLite's 4 MB are more than a small study ever writes.
    settings = (
        "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON", "wal_autocheckpoint=250",
    )  # fmt: skip
    for setting in settings:
        cursor.execute(f"PRAGMA {setting}")
    cursor.execute(f"PRAGMA busy_timeout={_PATIENCE}")
    cursor.close()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
