"""The database of the page: migrations, backups and back again; what is refused at the start."""

import contextlib
import datetime
import re
import socket
import sqlite3
import stat
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from command_line import assert_refused, run_command
from sqlalchemy import Boolean, DateTime, Float, Integer, MetaData, func, insert, select

from summetry.errors import SummetryError
from summetry.web.backups import backup, restore
from summetry.web.database import Database, migrations
from summetry.web.server import Serving, administrator_link
from summetry.web.store.accounts import add_researcher
from summetry.web.tables import metadata

REVISIONS = [
    script.revision for script in ScriptDirectory.from_config(migrations()).walk_revisions()
]


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    is_file = request.param == "sqlite"
    opened = Database(tmp_path / "new.db" if is_file else request.getfixturevalue("postgres"))
    yield opened
    opened.close()


def test_the_migrations_make_the_tables_of_the_code(database):
    database.upgrade()
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def value_for(column, rows):
    """Something that a column can hold."""
    if column.foreign_keys:
        (key,) = column.foreign_keys
        return rows[key.column.table.name][key.column.name]
    kinds = {Integer: 7, Float: 1.5, Boolean: True, DateTime: datetime.datetime(2026, 11, 1, 12)}
    for kind, value in kinds.items():
        if isinstance(column.type, kind):
            return value
    return "{}" if column.name in ("settings", "head", "background", "content") else "x"


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_earlier_schema_is_brought_forward_with_what_is_in_it(database, revision):
    with database.writing() as connection:
        config = migrations()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        old = MetaData()
        old.reflect(connection)
        rows = {}
        for table in old.sorted_tables:
            if table.name != "alembic_version":
                rows[table.name] = {c.name: value_for(c, rows) for c in table.columns}
                connection.execute(insert(table).values(rows[table.name]))
    database.upgrade()
    assert len(rows) > 8
    with database.reading() as connection:
        for table in metadata.sorted_tables:
            if table.name in rows:
                count = select(func.count()).select_from(table)
                assert connection.execute(count).scalar_one() == 1, table.name


# ── backups ───────────────────────────────────────────────────────────────


def content(address):
    """All rows of all tables."""
    database = Database(address)
    with database.reading() as connection:
        rows = {
            table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
            for table in metadata.sorted_tables
        }
    database.close()
    return rows


@pytest.fixture
def original(tmp_path, demo_database):
    """The address of a database with the demo studies."""
    (tmp_path / "summetry.db").write_bytes(demo_database)
    return str(tmp_path / "summetry.db")


@pytest.fixture
def monday(tmp_path):
    """Where a backup is written."""
    return tmp_path / "monday.db"


def test_a_backup_holds_everything_and_is_one_file(tmp_path, original, monday):
    rows = backup(original, monday)
    assert content(original) == content(monday)
    assert rows == sum(map(len, content(original).values())) > 100
    copied = tmp_path / "elsewhere.db"
    copied.write_bytes(monday.read_bytes())
    assert content(copied) == content(original)


def test_a_backup_is_made_while_somebody_writes(original, monday):
    database = Database(original)
    with database.writing() as connection:
        connection.execute(metadata.tables["log"].delete())
        backup(original, monday)
    database.close()
    assert content(monday)["studies"] == content(original)["studies"]


def test_a_backup_is_restored_into_a_new_database_only(tmp_path, original, monday):
    backup(original, monday)
    assert stat.S_IMODE(monday.stat().st_mode) == 0o600
    restore(str(tmp_path / "new.db"), monday)
    assert content(tmp_path / "new.db") == content(original)
    with pytest.raises(SummetryError, match="expected an empty database"):
        restore(original, monday)


def test_postgresql_is_backed_up_to_a_file_and_restored_from_one(
    tmp_path, original, monday, postgres
):
    backup(original, monday)
    restore(postgres, monday)
    assert content(postgres) == content(original)
    backup(postgres, tmp_path / "tuesday.db")
    assert content(tmp_path / "tuesday.db") == content(original)
    # New rows get numbers after the restored ones.
    database = Database(postgres)
    administrator_link(database)
    database.close()


def test_an_earlier_backup_is_written_over_only_when_that_is_said(original, monday):
    monday.write_text("mine")
    with pytest.raises(SummetryError, match="--force"):
        backup(original, monday)
    assert monday.read_text() == "mine"
    backup(original, monday, force=True)
    assert content(monday) == content(original)


@pytest.mark.parametrize("text, words", [
    (None, "no such file"),
    ("these are not the bytes of a database " * 100, "cannot be used: file is not a database"),
])  # fmt: skip
def test_what_is_no_database_of_the_page_is_not_backed_up(tmp_path, monday, text, words):
    if text:
        (tmp_path / "wrong.db").write_text(text)
    with pytest.raises(SummetryError, match=words):
        backup(str(tmp_path / "wrong.db"), monday)
    assert not monday.exists()


def test_a_damaged_database_gets_one_line(original, monday):
    pages = bytearray(Path(original).read_bytes())
    # All but the first page, which has the header and the schema.
    pages[4096 * 8 :] = b"\xff" * (len(pages) - 4096 * 8)
    Path(original).write_bytes(pages)
    done = run_command("serve", "backup", monday, "--database", original)
    assert_refused(done, 2, f"{original}: the database cannot be used: database disk image is")
    assert "go back to a backup" in done.err and not monday.exists()


@pytest.mark.parametrize("tables", ["films (id)", "alembic_version (version_num)"])
def test_the_database_of_another_program_is_refused_and_stays_as_it_is(tmp_path, tables):
    path = tmp_path / "films.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(f"CREATE TABLE {tables}")
        if "alembic" in tables:
            connection.execute("INSERT INTO alembic_version VALUES ('0001')")
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(SummetryError, match=r"found the tables of another program \((films|alem)"):
        Database(path).upgrade()
    assert path.read_bytes() == before


def test_a_newer_database_is_refused(original):
    with sqlite3.connect(original) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(SummetryError, match="newer Summetry"):
        Database(original).upgrade()


# ── the log of SQLite ──


def test_the_log_is_folded_into_the_file_while_another_program_has_it_open(original):
    database, other = Database(original), Database(original)
    database.upgrade()
    log = Path(f"{original}-wal")
    with other.engine.connect():
        for name in map(str, range(200)):
            with database.writing() as connection:
                add_researcher(connection, name)
        # One change at most beyond the megabyte at which SQLite begins the log again.
        assert 0 < log.stat().st_size < 1_200_000
    database.fold()
    assert log.stat().st_size == 0
    other.close()
    database.close()


# ── addresses ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize("address, words", [
    ("FOLDER", "expected a database file, found a folder"),
    ("FOLDER/none/a.db", "there is no folder"),
    ("://", "expected a file or postgresql://USER:PASSWORD@HOST/NAME"),
    ("mysql://host/name", "SQLite and PostgreSQL are supported, got 'mysql'"),
])  # fmt: skip
def test_an_address_that_is_none_is_refused(tmp_path, address, words):
    with pytest.raises(SummetryError, match=re.escape(words)):
        Database(address.replace("FOLDER", str(tmp_path)))


def test_an_address_is_shown_without_its_password():
    assert str(Database("postgresql://me:secret@host/name")).endswith("//me:***@host/name")


# ── starting the page: nothing is written or served before this is right ──


def test_a_port_in_use_gets_one_line_and_leaves_no_database(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = run_command("serve", "--demo", "--port", port, folder=tmp_path)
    assert_refused(done, 2, f"--port {port}: 127.0.0.1 cannot be listened on")
    assert "--port 0" in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_none_is_named():
    with pytest.raises(SummetryError, match="expected a number from 0 to 65535, found 99999"):
        Serving("x.db", port=99999).check()
