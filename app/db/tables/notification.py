"""Notifications by webhook or mail, written in the transaction that they report and sent afterwards."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index
from sqlmodel import Field, SQLModel

from app.db.tables.base import now
from app.db.tables.saved import new_id


class NotificationRow(SQLModel, table=True):
    """One message to one place. It stays for a while after it was sent or given up."""

    __tablename__ = "notification"
    __table_args__ = (Index("ix_notification_due", "done_at", "next_try_at"),)

    id: str = Field(default_factory=new_id, primary_key=True, max_length=32)
    workspace_id: int = Field(foreign_key="workspace.id", index=True)
    saved_id: str = Field(max_length=32)
    channel: str = Field(max_length=16)  # webhook | mail
    recipient: str = Field(default="", max_length=64)  # account of a mail; "" of a webhook
    event: str = Field(max_length=32)  # mentioned | reviewed
    content: dict[str, Any] = Field(default_factory=dict, sa_type=JSON, nullable=False)
    created_at: datetime = Field(default_factory=now)
    next_try_at: datetime = Field(default_factory=now)
    attempts: int = 0
    done_at: datetime | None = None  # sent, or given up
    error: str = Field(default="", max_length=500)  # of the last try; "" where it was sent
