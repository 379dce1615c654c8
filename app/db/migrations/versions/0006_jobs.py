"""Jobs, and the blocks of their results.

Revision 0006, after 0005.
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

Text = sqlmodel.sql.sqltypes.AutoString
Moment = sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.create_table(
        "job",
        sa.Column("id", Text(length=32), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("kind", Text(length=32), nullable=False),
        sa.Column("name", Text(length=200), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("outputs", sa.JSON(), nullable=False),
        sa.Column("columns", sa.JSON(), nullable=False),
        sa.Column("state", Text(length=16), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("feasible", sa.Integer(), nullable=False),
        sa.Column("blocks", sa.Integer(), nullable=False),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", Text(length=2000), nullable=False),
        sa.Column("worker", Text(length=64), nullable=True),
        sa.Column("lease_until", Moment(), nullable=True),
        sa.Column("catalog_revision", Text(length=64), nullable=False),
        sa.Column("engine_version", Text(length=32), nullable=False),
        sa.Column("created_by", Text(length=64), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("started_at", Moment(), nullable=True),
        sa.Column("finished_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_job_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
    )
    op.create_index("ix_job_by_creation", "job", ["workspace_id", "created_at", "id"])
    op.create_index("ix_job_waiting", "job", ["state", "lease_until", "created_at"])
    op.create_table(
        "job_block",
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("figures", sa.LargeBinary(), nullable=False),
        sa.Column("limits", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_job_block_job_id")),
        sa.PrimaryKeyConstraint("job_id", "number", name=op.f("pk_job_block")),
    )


def downgrade() -> None:
    op.drop_table("job_block")
    op.drop_table("job")
