"""Requests that were answered already, so that one sent twice is done once."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON
from sqlmodel import Field, SQLModel

from app.db.tables.base import now


class IdempotencyKeyRow(SQLModel, table=True):
    """Written in the transaction of the work itself: the row is there exactly when the work is done."""

    __tablename__ = "idempotency_key"

    workspace_id: int = Field(foreign_key="workspace.id", primary_key=True)
    key: str = Field(primary_key=True, max_length=255)
    request_hash: str = Field(max_length=64)
    response: dict[str, Any] = Field(sa_type=JSON, nullable=False)
    created_at: datetime = Field(default_factory=now, index=True)
