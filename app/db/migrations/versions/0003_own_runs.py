"""Runs that people measured themselves.

Revision 0003, after 0002.
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

Text = sqlmodel.sql.sqltypes.AutoString
Moment = sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.create_table(
        "own_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("accelerator", Text(length=200), nullable=False),
        sa.Column("framework", Text(length=32), nullable=False),
        sa.Column("precision", Text(length=16), nullable=False),
        sa.Column("source", Text(length=500), nullable=False),
        sa.Column("measured_tokens_per_s", sa.Float(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("created_by", Text(length=64), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_own_run_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_own_run")),
    )
    op.create_index(
        "ix_own_run_deployment", "own_run", ["workspace_id", "accelerator", "framework", "precision"]
    )


def downgrade() -> None:
    op.drop_table("own_run")
