"""Webhooks of teams, to which notifications about their work are posted."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field, SQLModel

from app.db.tables.base import now


class TeamWebhookRow(SQLModel, table=True):
    """The webhook of a team. Its secret signs, so that it is kept as it is; pages show it once."""

    __tablename__ = "team_webhook"

    workspace_id: int = Field(foreign_key="workspace.id", primary_key=True)
    url: str = Field(max_length=500)
    secret: str = Field(max_length=64)
    created_by: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(default_factory=now)
