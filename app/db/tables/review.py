"""Reviews of saved work: each row is one step, written once and never changed."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from app.db.tables.base import now


class ReviewStepRow(SQLModel, table=True):
    """Someone moved one revision to another state. A revision without any row is a draft."""

    __tablename__ = "review_step"
    __table_args__ = (
        Index("ix_review_step_saved_id", "saved_id", "revision", "id"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    workspace_id: int = Field(foreign_key="workspace.id", index=True)
    kind: str = Field(max_length=16)
    saved_id: str = Field(max_length=32)
    revision: int
    state: str = Field(max_length=16)  # draft | in_review | approved
    note: str = Field(default="", max_length=500)
    account_id: str | None = Field(default=None, max_length=64)
    actor: str = Field(default="", max_length=200)  # what they were called then
    at: datetime = Field(default_factory=now)
