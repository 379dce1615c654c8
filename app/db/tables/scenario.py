"""Scenarios and their revisions. A revision never changes once it is written."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, UniqueConstraint, event
from sqlmodel import Field, SQLModel

from app.db.tables.base import now


def new_id() -> str:
    """An id that says nothing about how many there are."""
    return uuid.uuid4().hex


class ScenarioRow(SQLModel, table=True):
    __tablename__ = "scenario"

    id: str = Field(default_factory=new_id, primary_key=True, max_length=32)
    workspace_id: int = Field(foreign_key="workspace.id", index=True)
    name: str = Field(max_length=200)
    revision: int = 1  # the newest
    forked_from_id: str | None = Field(default=None, foreign_key="scenario.id", max_length=32)
    created_by: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(default_factory=now)
    updated_at: datetime = Field(default_factory=now)
    archived_at: datetime | None = None


class ScenarioRevisionRow(SQLModel, table=True):
    """The document as saved, and the catalog values it was evaluated with."""

    __tablename__ = "scenario_revision"
    __table_args__ = (UniqueConstraint("scenario_id", "revision"),)

    id: int | None = Field(default=None, primary_key=True)
    scenario_id: str = Field(foreign_key="scenario.id", index=True, max_length=32)
    revision: int
    schema_version: int
    document: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    resolved: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    catalog_revision: str = Field(max_length=64)
    engine_version: str = Field(max_length=32)
    note: str = Field(default="", max_length=500)
    created_by: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(default_factory=now)


class ImmutableRevisionError(RuntimeError):
    """Somebody tried to change a saved revision."""


@event.listens_for(ScenarioRevisionRow, "before_update")
def _refuse_change(_mapper: object, _connection: object, row: ScenarioRevisionRow) -> None:
    raise ImmutableRevisionError(f"revision {row.revision} of scenario {row.scenario_id} cannot be changed")
