"""Saved scenarios, their revisions, and the saved designs that each revision names."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    UniqueConstraint,
    event,
    text,
)
from sqlmodel import Field, SQLModel

from app.db.tables.saved import RevisionColumns, SavedColumns, TagColumns, refuse_change, saved_indexes

NOT_DELETED = text("deleted_at IS NULL")


def _filter_index(name: str) -> Index:
    return Index(
        f"ix_scenario_by_{name}",
        "workspace_id",
        name,
        "updated_at",
        "id",
        sqlite_where=NOT_DELETED,
        postgresql_where=NOT_DELETED,
    )


class ScenarioRow(SavedColumns, table=True):
    __tablename__ = "scenario"
    __table_args__ = (
        *saved_indexes("scenario"),
        _filter_index("model"),
        _filter_index("system"),
        _filter_index("feasible"),
    )

    forked_from_id: str | None = Field(default=None, foreign_key="scenario.id", max_length=32)
    # what lists are filtered by; of the summary
    model: str | None = Field(default=None, max_length=200)
    system: str | None = Field(default=None, max_length=200)
    feasible: bool | None = None


class ScenarioRevisionRow(RevisionColumns, table=True):
    """A save of a scenario, with its evaluation and the catalog values that went into it."""

    __tablename__ = "scenario_revision"
    __table_args__ = (UniqueConstraint("scenario_id", "revision"),)

    saved_id: str = Field(
        sa_column=Column("scenario_id", String(32), ForeignKey("scenario.id"), nullable=False)
    )
    # with saved designs put in; None where that is the same
    expanded: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    results: bytes | None = Field(default=None, sa_type=LargeBinary, nullable=True)  # compressed JSON
    snapshot_hash: str | None = Field(default=None, foreign_key="catalog_snapshot.hash", max_length=64)


class ScenarioTagRow(TagColumns, table=True):
    __tablename__ = "scenario_tag"
    __table_args__ = (
        Index("ix_scenario_tag_by_update", "workspace_id", "deleted", "tag", "updated_at", "scenario_id"),
    )

    saved_id: str = Field(
        sa_column=Column("scenario_id", String(32), ForeignKey("scenario.id"), primary_key=True)
    )


class ScenarioDesignRow(SQLModel, table=True):
    """A saved design that a revision names, and which revision of it was put in."""

    __tablename__ = "scenario_design"

    scenario_revision_id: int = Field(foreign_key="scenario_revision.id", primary_key=True)
    field: str = Field(primary_key=True, max_length=32)  # supernode | pod
    design_id: str = Field(foreign_key="design.id", index=True, max_length=32)
    design_revision: int


_refuse = refuse_change("scenario")
event.listen(ScenarioRevisionRow, "before_update", _refuse)
event.listen(ScenarioRevisionRow, "before_delete", _refuse)
