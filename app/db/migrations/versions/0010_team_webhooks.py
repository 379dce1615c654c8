"""Webhooks of teams.

Revision 0010, after 0009.
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

Text = sqlmodel.sql.sqltypes.AutoString
Moment = sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.create_table(
        "team_webhook",
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("url", Text(length=500), nullable=False),
        sa.Column("secret", Text(length=64), nullable=False),
        sa.Column("created_by", Text(length=64), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspace.id"], name=op.f("fk_team_webhook_workspace_id")
        ),
        sa.PrimaryKeyConstraint("workspace_id", name=op.f("pk_team_webhook")),
    )


def downgrade() -> None:
    op.drop_table("team_webhook")
