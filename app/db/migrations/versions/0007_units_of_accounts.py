"""The units in which an account reads figures.

Revision 0007, after 0006.
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    column: sa.Column[str] = sa.Column(
        "units", sqlmodel.sql.sqltypes.AutoString(length=40), nullable=False, server_default=""
    )
    op.add_column("account", column)


def downgrade() -> None:
    op.drop_column("account", "units")
