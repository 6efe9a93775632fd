"""Backups: a consistent copy of a database while the server runs, and back again.

A backup is always a SQLite file, whatever it was made from, so it can be looked at, served and
restored into either kind of database.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, text

from summetry.arguments import Progress, counter
from summetry.errors import SummetryError
from summetry.files import written_whole
from summetry.web.database import Database
from summetry.web.tables import metadata

_ROWS = 1000


def backup(
    database: str, target: Path, force: bool = False, progress: Progress | None = None
) -> int:
    """Copy a database into a SQLite file, whole or not at all; the number of rows."""
    if target.exists() and not force:
        raise SummetryError(f"{target}: there is such a file already; --force writes over it")
    source = _existing(database)
    with written_whole(target) as part, closing(source):
        # Made anew as a database: the empty file that holds its place is none.
        part.unlink(missing_ok=True)
        with closing(Database(part)) as copy:
            copy.upgrade()
            rows = _copy(source, copy, progress, target)
            with copy.engine.connect() as connection:
                # One file holds everything, without the log of the last changes beside it.
                connection.exec_driver_sql("ROLLBACK")
                connection.exec_driver_sql("PRAGMA journal_mode=DELETE")
    return rows


def restore(target: str, file: Path, progress: Progress | None = None) -> int:
    """Copy a backup into a database that has no studies yet; the number of rows."""
    with closing(_existing(str(file))) as source, closing(Database(target)) as copy:
        copy.upgrade()
        with copy.reading() as connection:
            if any(_count(connection, table) for table in metadata.sorted_tables):
                raise SummetryError(
                    f"{copy}: expected an empty database, found one with content; restore into a "
                    f"new one"
                )
        return _copy(source, copy, progress, target)


def _existing(database: str) -> Database:
    if "://" not in database and not Path(database).is_file():
        raise SummetryError(f"{database}: no such file; --database names the database of the page")
    opened = Database(database)
    # An older backup is brought to the schema of today in place, as the server would do it.
    opened.upgrade()
    return opened


def _copy(source: Database, target: Database, progress: Progress | None, name: object) -> int:
    """Copy all rows; ``name`` is that of the target in messages."""
    snapshot = source.engine.execution_options(isolation_level="REPEATABLE READ")
    # One transaction of SQLite sees one state anyway.
    engine = source.engine if source.is_sqlite else snapshot
    with source.explaining(), engine.begin() as reading:
        total = sum(_count(reading, table) for table in metadata.sorted_tables)
        tick = counter(total, progress)
        with target.explaining(name), target.writing() as writing:
            for table in metadata.sorted_tables:
                for rows in _rows(source, reading, table):
                    writing.execute(insert(table), rows)
                    tick(len(rows))
                if not target.is_sqlite:
                    _move_sequence(writing, table)
    return total


def _rows(source: Database, reading: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    with source.explaining():
        for rows in reading.execute(select(table)).mappings().partitions(_ROWS):
            yield [dict(row) for row in rows]


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def _move_sequence(connection: Connection, table: Table) -> None:
    """Rows that came with their numbers do not move PostgreSQL's counter of them."""
    if "id" in table.c and table.c.id.autoincrement is not False and table.name != "studies":
        connection.execute(
            text(
                f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), "
                f"(SELECT COALESCE(MAX(id), 0) + 1 FROM {table.name}), false)"
            )
        )
