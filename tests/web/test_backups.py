"""Backups while the server runs, and back again, on both kinds of database."""

import sqlite3

import pytest
from sqlalchemy import select

from summetry.errors import SummetryError
from summetry.web.app import create_app
from summetry.web.backups import backup, restore
from summetry.web.database import Database
from summetry.web.server import administrator_link
from summetry.web.tables import metadata


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


def filled(address):
    """A database with the demo studies."""
    database = Database(address)
    create_app(database, "a secret of the tests, long enough")
    administrator_link(database, demo=True)
    database.close()
    return str(address)


def test_a_backup_holds_everything_and_is_one_file(tmp_path):
    original = filled(tmp_path / "summetry.db")
    rows = backup(original, tmp_path / "monday.db")
    assert content(original) == content(tmp_path / "monday.db")
    assert rows == sum(map(len, content(original).values())) > 100
    copied = tmp_path / "elsewhere.db"
    copied.write_bytes((tmp_path / "monday.db").read_bytes())
    assert content(copied) == content(original)


def test_a_backup_is_made_while_somebody_writes(tmp_path):
    original = filled(tmp_path / "summetry.db")
    database = Database(original)
    with database.writing() as connection:
        connection.execute(metadata.tables["log"].delete())
        backup(original, tmp_path / "monday.db")
    database.close()
    assert content(tmp_path / "monday.db")["studies"] == content(original)["studies"]


def test_a_backup_is_restored_into_a_new_database_only(tmp_path):
    original = filled(tmp_path / "summetry.db")
    backup(original, tmp_path / "monday.db")
    restore(str(tmp_path / "new.db"), tmp_path / "monday.db")
    assert content(tmp_path / "new.db") == content(original)
    with pytest.raises(SummetryError, match="expected an empty database"):
        restore(original, tmp_path / "monday.db")


def test_postgresql_is_backed_up_to_a_file_and_restored_from_one(tmp_path, postgres):
    original = filled(tmp_path / "summetry.db")
    backup(original, tmp_path / "monday.db")
    restore(postgres, tmp_path / "monday.db")
    assert content(postgres) == content(original)
    backup(postgres, tmp_path / "tuesday.db")
    assert content(tmp_path / "tuesday.db") == content(original)
    # New rows get numbers after the restored ones.
    database = Database(postgres)
    administrator_link(database)
    database.close()


def test_an_earlier_backup_is_written_over_only_when_that_is_said(tmp_path):
    original = filled(tmp_path / "summetry.db")
    (tmp_path / "monday.db").write_text("mine")
    with pytest.raises(SummetryError, match="--force"):
        backup(original, tmp_path / "monday.db")
    assert (tmp_path / "monday.db").read_text() == "mine"
    backup(original, tmp_path / "monday.db", force=True)
    assert content(tmp_path / "monday.db") == content(original)


def test_what_is_no_database_of_the_page_is_refused(tmp_path):
    with pytest.raises(SummetryError, match="no such file"):
        backup(str(tmp_path / "none.db"), tmp_path / "monday.db")
    (tmp_path / "text.db").write_text("these are not the bytes of a database " * 100)
    with pytest.raises(SummetryError, match="does not open"):
        backup(str(tmp_path / "text.db"), tmp_path / "monday.db")
    assert not (tmp_path / "monday.db").exists()


def test_a_newer_database_is_refused(tmp_path):
    original = filled(tmp_path / "summetry.db")
    with sqlite3.connect(original) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(SummetryError, match="newer Summetry"):
        Database(original).upgrade()
