"""Saved projections of scaling laws.

Revision 0004, after 0003.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

Text = sqlmodel.sql.sqltypes.AutoString
Moment = sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.create_table(
        "projection",
        sa.Column("id", Text(length=32), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("name", Text(length=200), nullable=False),
        sa.Column("sort_name", Text(length=600), nullable=False),
        sa.Column("search_text", Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("summary", sa.JSON(), nullable=False),
        sa.Column("forked_from_id", Text(length=32), nullable=True),
        sa.Column("created_by", Text(length=64), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.Column("deleted_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(
            ["forked_from_id"], ["projection.id"], name=op.f("fk_projection_forked_from_id")
        ),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_projection_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projection")),
    )
    _create_list_index("by_update", ["updated_at", "id", "search_text"])
    _create_list_index("by_name", ["sort_name", "id", "search_text"])
    _create_list_index("deleted", ["updated_at", "id"], "deleted_at IS NOT NULL")
    op.create_table(
        "projection_revision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("projection_id", sa.String(length=32), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("schema_version", sa.Integer(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("summary", sa.JSON(), nullable=False),
        sa.Column("results", sa.LargeBinary(), nullable=False),
        sa.Column("catalog_revision", Text(length=64), nullable=False),
        sa.Column("engine_version", Text(length=32), nullable=False),
        sa.Column("note", Text(length=500), nullable=False),
        sa.Column("created_by", Text(length=64), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["projection_id"], ["projection.id"], name=op.f("fk_projection_revision_projection_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projection_revision")),
        sa.UniqueConstraint(
            "projection_id", "revision", name=op.f("uq_projection_revision_projection_id_revision")
        ),
    )
    op.create_table(
        "projection_tag",
        sa.Column("tag", Text(length=40), nullable=False),
        sa.Column("projection_id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["projection_id"], ["projection.id"], name=op.f("fk_projection_tag_projection_id")
        ),
        sa.PrimaryKeyConstraint("tag", "projection_id", name=op.f("pk_projection_tag")),
    )
    op.create_index(
        "ix_projection_tag_by_update",
        "projection_tag",
        ["workspace_id", "deleted", "tag", "updated_at", "projection_id"],
    )


def _create_list_index(name: str, columns: list[str], condition: str = "deleted_at IS NULL") -> None:
    where: Any = sa.text(condition)
    op.create_index(
        f"ix_projection_{name}",
        "projection",
        ["workspace_id", *columns],
        sqlite_where=where,
        postgresql_where=where,
    )


def downgrade() -> None:
    for table in ("projection_tag", "projection_revision", "projection"):
        op.drop_table(table)
