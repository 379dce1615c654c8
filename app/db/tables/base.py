"""Parts common to all tables: names of constraints, and the creator of a row."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Index, Table, text
from sqlmodel import Field, SQLModel

# Set before any table is declared: batch migrations on SQLite can only touch constraints that have a name.
SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = SQLModel.metadata


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)


def table_of(row: type[SQLModel]) -> Table:
    """The table behind a row class, for bulk work without objects."""
    table = row.__table__  # type: ignore[attr-defined]
    assert isinstance(table, Table)
    return table


class Owned(SQLModel):
    """Tenancy of a catalog row: built-in rows belong to no workspace, a team's rows to theirs."""

    workspace_id: int | None = Field(default=None, foreign_key="workspace.id", index=True)
    created_by: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(default_factory=now)


def unique_per_workspace(table: str, *columns: str) -> tuple[Index, Index]:
    """Unique among the built-in rows, and unique within each workspace (NULLs alone would be distinct)."""
    builtin = text("workspace_id IS NULL")
    owned = text("workspace_id IS NOT NULL")
    name = "_".join(columns)
    return (
        Index(
            f"ux_{table}_{name}_builtin",
            *columns,
            unique=True,
            sqlite_where=builtin,
            postgresql_where=builtin,
        ),
        Index(
            f"ux_{table}_{name}_workspace",
            "workspace_id",
            *columns,
            unique=True,
            sqlite_where=owned,
            postgresql_where=owned,
        ),
    )
