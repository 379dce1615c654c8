"""Saved fleets.

Revision 0009, after 0008.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

Text = sqlmodel.sql.sqltypes.AutoString
Moment = sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.create_table(
        "fleet",
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
        sa.Column("is_template", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["forked_from_id"], ["fleet.id"], name=op.f("fk_fleet_forked_from_id")),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_fleet_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fleet")),
    )
    _create_list_index("by_update", ["updated_at", "id", "search_text"])
    _create_list_index("by_name", ["sort_name", "id", "search_text"])
    _create_list_index("deleted", ["updated_at", "id"], "deleted_at IS NOT NULL")
    op.create_table(
        "fleet_revision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("fleet_id", sa.String(length=32), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("schema_version", sa.Integer(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("summary", sa.JSON(), nullable=False),
        sa.Column("results", sa.LargeBinary(), nullable=True),
        sa.Column("catalog_revision", Text(length=64), nullable=False),
        sa.Column("engine_version", Text(length=32), nullable=False),
        sa.Column("note", Text(length=500), nullable=False),
        sa.Column("created_by", Text(length=64), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["fleet_id"], ["fleet.id"], name=op.f("fk_fleet_revision_fleet_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fleet_revision")),
        sa.UniqueConstraint("fleet_id", "revision", name=op.f("uq_fleet_revision_fleet_id_revision")),
    )
    op.create_table(
        "fleet_tag",
        sa.Column("tag", Text(length=40), nullable=False),
        sa.Column("fleet_id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["fleet_id"], ["fleet.id"], name=op.f("fk_fleet_tag_fleet_id")),
        sa.PrimaryKeyConstraint("tag", "fleet_id", name=op.f("pk_fleet_tag")),
    )
    op.create_index(
        "ix_fleet_tag_by_update",
        "fleet_tag",
        ["workspace_id", "deleted", "tag", "updated_at", "fleet_id"],
    )


def _create_list_index(name: str, columns: list[str], condition: str = "deleted_at IS NULL") -> None:
    where: Any = sa.text(condition)
    op.create_index(
        f"ix_fleet_{name}",
        "fleet",
        ["workspace_id", *columns],
        sqlite_where=where,
        postgresql_where=where,
    )


def downgrade() -> None:
    for table in ("fleet_tag", "fleet_revision", "fleet"):
        op.drop_table(table)
