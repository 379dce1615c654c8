"""Saved studies, reviews, and news that leave the server.

Revision 0008, after 0007.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

Text = sqlmodel.sql.sqltypes.AutoString
Moment = sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.create_table(
        "study",
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
        sa.ForeignKeyConstraint(["forked_from_id"], ["study.id"], name=op.f("fk_study_forked_from_id")),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_study_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study")),
    )
    _create_list_index("by_update", ["updated_at", "id", "search_text"])
    _create_list_index("by_name", ["sort_name", "id", "search_text"])
    _create_list_index("deleted", ["updated_at", "id"], "deleted_at IS NOT NULL")
    op.create_table(
        "study_revision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.String(length=32), nullable=False),
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
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_study_revision_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study_revision")),
        sa.UniqueConstraint("study_id", "revision", name=op.f("uq_study_revision_study_id_revision")),
    )
    op.create_table(
        "study_tag",
        sa.Column("tag", Text(length=40), nullable=False),
        sa.Column("study_id", sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_study_tag_study_id")),
        sa.PrimaryKeyConstraint("tag", "study_id", name=op.f("pk_study_tag")),
    )
    op.create_index(
        "ix_study_tag_by_update",
        "study_tag",
        ["workspace_id", "deleted", "tag", "updated_at", "study_id"],
    )
    op.create_table(
        "review_step",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("kind", Text(length=16), nullable=False),
        sa.Column("saved_id", Text(length=32), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("state", Text(length=16), nullable=False),
        sa.Column("note", Text(length=500), nullable=False),
        sa.Column("account_id", Text(length=64), nullable=True),
        sa.Column("actor", Text(length=200), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_review_step_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_step")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_review_step_saved_id", "review_step", ["saved_id", "revision", "id"])
    op.create_index("ix_review_step_workspace_id", "review_step", ["workspace_id"])
    op.create_table(
        "notification",
        sa.Column("id", Text(length=32), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("saved_id", Text(length=32), nullable=False),
        sa.Column("channel", Text(length=16), nullable=False),
        sa.Column("recipient", Text(length=64), nullable=False),
        sa.Column("event", Text(length=32), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("next_try_at", Moment(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("done_at", Moment(), nullable=True),
        sa.Column("error", Text(length=500), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspace.id"], name=op.f("fk_notification_workspace_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notification")),
    )
    op.create_index("ix_notification_due", "notification", ["done_at", "next_try_at"])
    op.create_index("ix_notification_workspace_id", "notification", ["workspace_id"])


def _create_list_index(name: str, columns: list[str], condition: str = "deleted_at IS NULL") -> None:
    where: Any = sa.text(condition)
    op.create_index(
        f"ix_study_{name}",
        "study",
        ["workspace_id", *columns],
        sqlite_where=where,
        postgresql_where=where,
    )


def downgrade() -> None:
    for table in ("notification", "review_step", "study_tag", "study_revision", "study"):
        op.drop_table(table)
