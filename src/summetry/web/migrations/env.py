"""Runs the migrations on the connection that :class:`summetry.web.database.Database` gives."""

from alembic import context

from summetry.web.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite cannot change a column in place: the table is copied.
    render_as_batch=True,
)
context.run_migrations()
