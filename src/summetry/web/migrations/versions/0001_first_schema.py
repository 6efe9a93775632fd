"""The first schema: until it is released, the tables as they are in the code.

The second migration begins by writing down here what the first release had; a test fails until
then, since the tables that it changes would be new already.
"""

from alembic import op

from summetry.web.tables import metadata

revision = "0001"
down_revision = None


def upgrade() -> None:
    metadata.create_all(op.get_bind(), checkfirst=False)
