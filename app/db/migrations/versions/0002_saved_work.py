"""Saved work: versions, tags and summaries of scenarios, designs, kept catalog values, idempotency keys.

Revision 0002, after 0001.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

Text = sqlmodel.sql.sqltypes.AutoString
Moment = sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.create_table(
        "catalog_snapshot",
        sa.Column("hash", Text(length=64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_catalog_snapshot")),
    )
    op.create_table(
        "idempotency_key",
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("key", Text(length=255), nullable=False),
        sa.Column("request_hash", Text(length=64), nullable=False),
        sa.Column("response", sa.JSON(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspace.id"], name=op.f("fk_idempotency_key_workspace_id")
        ),
        sa.PrimaryKeyConstraint("workspace_id", "key", name=op.f("pk_idempotency_key")),
    )
    op.create_index(op.f("ix_idempotency_key_created_at"), "idempotency_key", ["created_at"])
    _upgrade_scenarios()
    _create_designs()
    _create_tags("scenario")
    _create_tags("design")
    op.create_table(
        "scenario_design",
        sa.Column("scenario_revision_id", sa.Integer(), nullable=False),
        sa.Column("field", Text(length=32), nullable=False),
        sa.Column("design_id", Text(length=32), nullable=False),
        sa.Column("design_revision", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["design_id"], ["design.id"], name=op.f("fk_scenario_design_design_id")),
        sa.ForeignKeyConstraint(
            ["scenario_revision_id"],
            ["scenario_revision.id"],
            name=op.f("fk_scenario_design_scenario_revision_id"),
        ),
        sa.PrimaryKeyConstraint("scenario_revision_id", "field", name=op.f("pk_scenario_design")),
    )
    op.create_index(op.f("ix_scenario_design_design_id"), "scenario_design", ["design_id"])


def _upgrade_scenarios() -> None:
    # Column by column: a table that others refer to cannot be rebuilt while foreign keys are enforced.
    op.drop_index(op.f("ix_scenario_workspace_id"), table_name="scenario")
    op.execute("ALTER TABLE scenario RENAME COLUMN archived_at TO deleted_at")
    for column in (
        sa.Column("sort_name", Text(length=600), nullable=False, server_default=""),
        sa.Column("search_text", Text(), nullable=False, server_default=""),
        sa.Column("version", sa.Integer(), nullable=False, server_default="1"),
        sa.Column("tags", sa.JSON(), nullable=False, server_default="[]"),
        sa.Column("summary", sa.JSON(), nullable=False, server_default="{}"),
        sa.Column("model", Text(length=200), nullable=True),
        sa.Column("system", Text(length=200), nullable=True),
        sa.Column("feasible", sa.Boolean(), nullable=True),
    ):
        op.add_column("scenario", column)
    op.execute("UPDATE scenario SET sort_name = lower(name), search_text = lower(name)")
    _create_list_indexes("scenario")
    for name in ("model", "system", "feasible"):
        _create_partial_index(f"ix_scenario_by_{name}", "scenario", [name, "updated_at", "id"])
    with op.batch_alter_table("scenario_revision") as batch:
        # its unique constraint serves the same look-ups
        batch.drop_index(batch.f("ix_scenario_revision_scenario_id"))
        batch.add_column(sa.Column("summary", sa.JSON(), nullable=False, server_default="{}"))
        batch.add_column(sa.Column("expanded", sa.JSON(), nullable=True))
        batch.add_column(sa.Column("results", sa.LargeBinary(), nullable=True))
        batch.add_column(sa.Column("snapshot_hash", Text(length=64), nullable=True))
        batch.create_foreign_key(
            batch.f("fk_scenario_revision_snapshot_hash"), "catalog_snapshot", ["snapshot_hash"], ["hash"]
        )
        # replaced by the snapshot; no version of Podwright ever filled it
        batch.drop_column("resolved")


def _create_designs() -> None:
    op.create_table(
        "design",
        sa.Column("id", Text(length=32), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("kind", Text(length=16), nullable=False),
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
        sa.ForeignKeyConstraint(["forked_from_id"], ["design.id"], name=op.f("fk_design_forked_from_id")),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_design_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_design")),
    )
    _create_list_indexes("design", "kind")
    op.create_table(
        "design_revision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("design_id", sa.String(length=32), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("schema_version", sa.Integer(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("summary", sa.JSON(), nullable=False),
        sa.Column("catalog_revision", Text(length=64), nullable=False),
        sa.Column("engine_version", Text(length=32), nullable=False),
        sa.Column("note", Text(length=500), nullable=False),
        sa.Column("created_by", Text(length=64), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["design_id"], ["design.id"], name=op.f("fk_design_revision_design_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_design_revision")),
        sa.UniqueConstraint("design_id", "revision", name=op.f("uq_design_revision_design_id_revision")),
    )


def _create_tags(of: str) -> None:
    table, owner = f"{of}_tag", f"{of}_id"
    op.create_table(
        table,
        sa.Column("tag", Text(length=40), nullable=False),
        sa.Column(owner, sa.String(length=32), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.Column("updated_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint([owner], [f"{of}.id"], name=op.f(f"fk_{table}_{owner}")),
        sa.PrimaryKeyConstraint("tag", owner, name=op.f(f"pk_{table}")),
    )
    columns = ["workspace_id", "deleted", "tag", "updated_at", owner]
    op.create_index(f"ix_{table}_by_update", table, columns)


def _create_list_indexes(table: str, *before: str) -> None:
    _create_partial_index(f"ix_{table}_by_update", table, [*before, "updated_at", "id", "search_text"])
    _create_partial_index(f"ix_{table}_by_name", table, [*before, "sort_name", "id", "search_text"])
    _create_partial_index(
        f"ix_{table}_deleted", table, [*before, "updated_at", "id"], "deleted_at IS NOT NULL"
    )


def _create_partial_index(
    name: str, table: str, columns: list[str], condition: str = "deleted_at IS NULL"
) -> None:
    where: Any = sa.text(condition)
    op.create_index(name, table, ["workspace_id", *columns], sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    for table in (
        "scenario_design", "design_tag", "scenario_tag", "design_revision", "design", "idempotency_key",
    ):  # fmt: skip
        op.drop_table(table)
    with op.batch_alter_table("scenario_revision") as batch:
        batch.drop_constraint(batch.f("fk_scenario_revision_snapshot_hash"), type_="foreignkey")
        for column in ("summary", "expanded", "results", "snapshot_hash"):
            batch.drop_column(column)
        batch.add_column(sa.Column("resolved", sa.JSON(), nullable=False, server_default="{}"))
        batch.create_index(batch.f("ix_scenario_revision_scenario_id"), ["scenario_id"])
    for index in ("by_update", "by_name", "deleted", "by_model", "by_system", "by_feasible"):
        op.drop_index(f"ix_scenario_{index}", table_name="scenario")
    for column in (
        "sort_name", "search_text", "version", "tags", "summary", "model", "system", "feasible",
    ):  # fmt: skip
        op.drop_column("scenario", column)
    op.execute("ALTER TABLE scenario RENAME COLUMN deleted_at TO archived_at")
    op.create_index(op.f("ix_scenario_workspace_id"), "scenario", ["workspace_id"])
    op.drop_table("catalog_snapshot")
