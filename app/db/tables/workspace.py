"""Workspaces: who a scenario or a catalog row belongs to."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field, SQLModel

from app.db.tables.base import now

PERSONAL_WORKSPACE_ID = 1
"""The workspace that the first migration makes: that of the one person at this machine."""


class WorkspaceRow(SQLModel, table=True):
    __tablename__ = "workspace"

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(max_length=64, unique=True)
    name: str = Field(max_length=200)
    kind: str = Field(max_length=16)  # personal | team
    catalog_changes: int = 0  # grows whenever the workspace's own catalog rows change
    created_by: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(default_factory=now)
    deleted_at: datetime | None = None
