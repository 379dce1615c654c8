"""Names that people give to revisions. Revisions themselves never change."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field, SQLModel

from app.db.tables.base import now


class RevisionNameRow(SQLModel, table=True):
    __tablename__ = "revision_name"

    saved_id: str = Field(primary_key=True, max_length=32)
    revision: int = Field(primary_key=True)
    kind: str = Field(max_length=16)
    name: str = Field(max_length=200)
    note: str = Field(default="", max_length=500)
    created_by: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(default_factory=now)
