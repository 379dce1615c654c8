"""Saved work beyond its workspace: shared with other teams, and with anyone with a link."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from app.db.tables.base import now
from app.db.tables.saved import new_id


class ShareGrantRow(SQLModel, table=True):
    """A team that may use something of another workspace."""

    __tablename__ = "share_grant"

    saved_id: str = Field(primary_key=True, max_length=32)
    workspace_id: int = Field(foreign_key="workspace.id", primary_key=True, index=True)
    kind: str = Field(max_length=16)  # scenario | supernode | pod | projection
    role: str = Field(max_length=16)  # viewer | commenter | editor
    created_by: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(default_factory=now)


class ShareLinkRow(SQLModel, table=True):
    """A link; its token is made from the id with the server's secret, so it is kept nowhere."""

    __tablename__ = "share_link"
    __table_args__ = (Index("ix_share_link_saved_id", "saved_id"),)

    id: str = Field(default_factory=new_id, primary_key=True, max_length=32)
    workspace_id: int = Field(foreign_key="workspace.id")  # of what is shared
    kind: str = Field(max_length=16)
    saved_id: str = Field(max_length=32)
    role: str = Field(max_length=16)  # viewer | commenter | editor
    revision: int | None = None  # the one it shows for ever; none for whatever is newest
    label: str = Field(default="", max_length=200)
    created_by: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(default_factory=now)
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None
