"""The schema: migrations make the tables of the code, and keep what is in them."""

import datetime

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Boolean, DateTime, Float, Integer, MetaData, func, insert, select

from summetry.web.database import Database, migrations
from summetry.web.tables import metadata

REVISIONS = [
    script.revision for script in ScriptDirectory.from_config(migrations()).walk_revisions()
]


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    address = tmp_path / "summetry.db"
    if request.param == "postgresql":
        address = request.getfixturevalue("postgres")
    opened = Database(address)
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
