"""Workspaces, catalog and scenarios, with the columns of tenancy in each."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "setting",
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("value", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_setting")),
    )
    workspace = op.create_table(
        "workspace",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("created_by", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=True),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workspace")),
        sa.UniqueConstraint("key", name=op.f("uq_workspace_key")),
    )
    # The local user: everything belongs to them until teams are set up.
    op.execute(
        workspace.insert().values(
            key="personal", name="Personal workspace", kind="personal", created_at=datetime.now(UTC)
        )
    )
    op.create_table(
        "scenario",
        sa.Column("id", sqlmodel.sql.sqltypes.AutoString(length=32), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("forked_from_id", sqlmodel.sql.sqltypes.AutoString(length=32), nullable=True),
        sa.Column("created_by", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=True),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("updated_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("archived_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["forked_from_id"], ["scenario.id"], name=op.f("fk_scenario_forked_from_id")),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_scenario_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scenario")),
    )
    with op.batch_alter_table("scenario", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_scenario_workspace_id"), ["workspace_id"], unique=False)

    op.create_table(
        "source",
        sa.Column("workspace_id", sa.Integer(), nullable=True),
        sa.Column("created_by", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=True),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("citation", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("url", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("families", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("licence", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("licence_basis", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("ship", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("credit", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("as_of", sqlmodel.sql.sqltypes.AutoString(length=10), nullable=False),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_source_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_source")),
    )
    with op.batch_alter_table("source", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_source_workspace_id"), ["workspace_id"], unique=False)
        batch_op.create_index(
            "ux_source_citation_url_builtin",
            ["citation", "url"],
            unique=True,
            sqlite_where=sa.text("workspace_id IS NULL"),
            postgresql_where=sa.text("workspace_id IS NULL"),
        )
        batch_op.create_index(
            "ux_source_citation_url_workspace",
            ["workspace_id", "citation", "url"],
            unique=True,
            sqlite_where=sa.text("workspace_id IS NOT NULL"),
            postgresql_where=sa.text("workspace_id IS NOT NULL"),
        )

    op.create_table(
        "climate_year",
        sa.Column("workspace_id", sa.Integer(), nullable=True),
        sa.Column("created_by", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=True),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("country", sqlmodel.sql.sqltypes.AutoString(length=2), nullable=False),
        sa.Column("year_kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("attributes", sa.JSON(), nullable=False),
        sa.Column("statistics", sa.JSON(), nullable=False),
        sa.Column("hours", sa.Integer(), nullable=False),
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("columns", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("source_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["source_id"], ["source.id"], name=op.f("fk_climate_year_source_id")),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspace.id"], name=op.f("fk_climate_year_workspace_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_climate_year")),
    )
    with op.batch_alter_table("climate_year", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_climate_year_workspace_id"), ["workspace_id"], unique=False)
        batch_op.create_index(
            "ux_climate_year_key_builtin",
            ["key"],
            unique=True,
            sqlite_where=sa.text("workspace_id IS NULL"),
            postgresql_where=sa.text("workspace_id IS NULL"),
        )
        batch_op.create_index(
            "ux_climate_year_key_workspace",
            ["workspace_id", "key"],
            unique=True,
            sqlite_where=sa.text("workspace_id IS NOT NULL"),
            postgresql_where=sa.text("workspace_id IS NOT NULL"),
        )

    op.create_table(
        "part",
        sa.Column("workspace_id", sa.Integer(), nullable=True),
        sa.Column("created_by", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=True),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(length=32), nullable=False),
        sa.Column("key", sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("vendor", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=True),
        sa.Column("status", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("attributes", sa.JSON(), nullable=False),
        sa.Column("source_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["source_id"], ["source.id"], name=op.f("fk_part_source_id")),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_part_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_part")),
    )
    with op.batch_alter_table("part", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_part_kind"), ["kind"], unique=False)
        batch_op.create_index(batch_op.f("ix_part_workspace_id"), ["workspace_id"], unique=False)
        batch_op.create_index(
            "ux_part_kind_key_builtin",
            ["kind", "key"],
            unique=True,
            sqlite_where=sa.text("workspace_id IS NULL"),
            postgresql_where=sa.text("workspace_id IS NULL"),
        )
        batch_op.create_index(
            "ux_part_kind_key_workspace",
            ["workspace_id", "kind", "key"],
            unique=True,
            sqlite_where=sa.text("workspace_id IS NOT NULL"),
            postgresql_where=sa.text("workspace_id IS NOT NULL"),
        )

    op.create_table(
        "scenario_revision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("scenario_id", sqlmodel.sql.sqltypes.AutoString(length=32), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("schema_version", sa.Integer(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("resolved", sa.JSON(), nullable=False),
        sa.Column("catalog_revision", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("engine_version", sqlmodel.sql.sqltypes.AutoString(length=32), nullable=False),
        sa.Column("note", sqlmodel.sql.sqltypes.AutoString(length=500), nullable=False),
        sa.Column("created_by", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=True),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["scenario_id"], ["scenario.id"], name=op.f("fk_scenario_revision_scenario_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scenario_revision")),
        sa.UniqueConstraint(
            "scenario_id", "revision", name=op.f("uq_scenario_revision_scenario_id_revision")
        ),
    )
    with op.batch_alter_table("scenario_revision", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_scenario_revision_scenario_id"), ["scenario_id"], unique=False)

    op.create_table(
        "fact",
        sa.Column("workspace_id", sa.Integer(), nullable=True),
        sa.Column("created_by", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=True),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("part_id", sa.Integer(), nullable=False),
        sa.Column("field", sqlmodel.sql.sqltypes.AutoString(length=80), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("low", sa.Float(), nullable=True),
        sa.Column("typical", sa.Float(), nullable=True),
        sa.Column("high", sa.Float(), nullable=True),
        sa.Column("unit", sqlmodel.sql.sqltypes.AutoString(length=32), nullable=False),
        sa.Column("printed_value", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("printed_unit", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("printed_column", sqlmodel.sql.sqltypes.AutoString(length=80), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("confidence", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("as_of", sqlmodel.sql.sqltypes.AutoString(length=10), nullable=False),
        sa.Column("source_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["part_id"], ["part.id"], name=op.f("fk_fact_part_id")),
        sa.ForeignKeyConstraint(["source_id"], ["source.id"], name=op.f("fk_fact_source_id")),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_fact_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fact")),
    )
    with op.batch_alter_table("fact", schema=None) as batch_op:
        batch_op.create_index("ix_fact_part_id", ["part_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_fact_workspace_id"), ["workspace_id"], unique=False)
        batch_op.create_index(
            "ux_fact_part_id_field_builtin",
            ["part_id", "field"],
            unique=True,
            sqlite_where=sa.text("workspace_id IS NULL"),
            postgresql_where=sa.text("workspace_id IS NULL"),
        )
        batch_op.create_index(
            "ux_fact_part_id_field_workspace",
            ["workspace_id", "part_id", "field"],
            unique=True,
            sqlite_where=sa.text("workspace_id IS NOT NULL"),
            postgresql_where=sa.text("workspace_id IS NOT NULL"),
        )

    op.create_table(
        "price",
        sa.Column("workspace_id", sa.Integer(), nullable=True),
        sa.Column("created_by", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=True),
        sa.Column("created_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(length=32), nullable=False),
        sa.Column("key", sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
        sa.Column("part_id", sa.Integer(), nullable=True),
        sa.Column("item", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("condition", sqlmodel.sql.sqltypes.AutoString(length=32), nullable=False),
        sa.Column("term", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("low", sa.Float(), nullable=True),
        sa.Column("typical", sa.Float(), nullable=True),
        sa.Column("high", sa.Float(), nullable=True),
        sa.Column("unit", sqlmodel.sql.sqltypes.AutoString(length=48), nullable=False),
        sa.Column("printed_unit", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("value_kind", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("confidence", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("as_of", sqlmodel.sql.sqltypes.AutoString(length=10), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("attributes", sa.JSON(), nullable=False),
        sa.Column("source_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["part_id"], ["part.id"], name=op.f("fk_price_part_id")),
        sa.ForeignKeyConstraint(["source_id"], ["source.id"], name=op.f("fk_price_source_id")),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_price_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_price")),
    )
    with op.batch_alter_table("price", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_price_kind"), ["kind"], unique=False)
        batch_op.create_index(batch_op.f("ix_price_part_id"), ["part_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_price_workspace_id"), ["workspace_id"], unique=False)
        batch_op.create_index(
            "ux_price_kind_key_builtin",
            ["kind", "key"],
            unique=True,
            sqlite_where=sa.text("workspace_id IS NULL"),
            postgresql_where=sa.text("workspace_id IS NULL"),
        )
        batch_op.create_index(
            "ux_price_kind_key_workspace",
            ["workspace_id", "kind", "key"],
            unique=True,
            sqlite_where=sa.text("workspace_id IS NOT NULL"),
            postgresql_where=sa.text("workspace_id IS NOT NULL"),
        )


def downgrade() -> None:
    with op.batch_alter_table("price", schema=None) as batch_op:
        batch_op.drop_index(
            "ux_price_kind_key_workspace",
            sqlite_where=sa.text("workspace_id IS NOT NULL"),
            postgresql_where=sa.text("workspace_id IS NOT NULL"),
        )
        batch_op.drop_index(
            "ux_price_kind_key_builtin",
            sqlite_where=sa.text("workspace_id IS NULL"),
            postgresql_where=sa.text("workspace_id IS NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_price_workspace_id"))
        batch_op.drop_index(batch_op.f("ix_price_part_id"))
        batch_op.drop_index(batch_op.f("ix_price_kind"))

    op.drop_table("price")
    with op.batch_alter_table("fact", schema=None) as batch_op:
        batch_op.drop_index(
            "ux_fact_part_id_field_workspace",
            sqlite_where=sa.text("workspace_id IS NOT NULL"),
            postgresql_where=sa.text("workspace_id IS NOT NULL"),
        )
        batch_op.drop_index(
            "ux_fact_part_id_field_builtin",
            sqlite_where=sa.text("workspace_id IS NULL"),
            postgresql_where=sa.text("workspace_id IS NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_fact_workspace_id"))
        batch_op.drop_index("ix_fact_part_id")

    op.drop_table("fact")
    with op.batch_alter_table("scenario_revision", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_scenario_revision_scenario_id"))

    op.drop_table("scenario_revision")
    with op.batch_alter_table("part", schema=None) as batch_op:
        batch_op.drop_index(
            "ux_part_kind_key_workspace",
            sqlite_where=sa.text("workspace_id IS NOT NULL"),
            postgresql_where=sa.text("workspace_id IS NOT NULL"),
        )
        batch_op.drop_index(
            "ux_part_kind_key_builtin",
            sqlite_where=sa.text("workspace_id IS NULL"),
            postgresql_where=sa.text("workspace_id IS NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_part_workspace_id"))
        batch_op.drop_index(batch_op.f("ix_part_kind"))

    op.drop_table("part")
    with op.batch_alter_table("climate_year", schema=None) as batch_op:
        batch_op.drop_index(
            "ux_climate_year_key_workspace",
            sqlite_where=sa.text("workspace_id IS NOT NULL"),
            postgresql_where=sa.text("workspace_id IS NOT NULL"),
        )
        batch_op.drop_index(
            "ux_climate_year_key_builtin",
            sqlite_where=sa.text("workspace_id IS NULL"),
            postgresql_where=sa.text("workspace_id IS NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_climate_year_workspace_id"))

    op.drop_table("climate_year")
    with op.batch_alter_table("source", schema=None) as batch_op:
        batch_op.drop_index(
            "ux_source_citation_url_workspace",
            sqlite_where=sa.text("workspace_id IS NOT NULL"),
            postgresql_where=sa.text("workspace_id IS NOT NULL"),
        )
        batch_op.drop_index(
            "ux_source_citation_url_builtin",
            sqlite_where=sa.text("workspace_id IS NULL"),
            postgresql_where=sa.text("workspace_id IS NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_source_workspace_id"))

    op.drop_table("source")
    with op.batch_alter_table("scenario", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_scenario_workspace_id"))

    op.drop_table("scenario")
    op.drop_table("workspace")
    op.drop_table("setting")
