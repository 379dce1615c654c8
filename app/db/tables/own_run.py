"""Runs that people measured themselves, kept to correct the bias of their deployment."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index
from sqlmodel import Field, SQLModel

from app.db.tables.base import now


class OwnRunRow(SQLModel, table=True):
    """One measured run. Its prediction is not kept: the engine of the day makes it from the document."""

    __tablename__ = "own_run"
    __table_args__ = (
        Index("ix_own_run_deployment", "workspace_id", "accelerator", "framework", "precision"),
    )

    id: int | None = Field(default=None, primary_key=True)
    workspace_id: int = Field(foreign_key="workspace.id")
    accelerator: str = Field(max_length=200)
    framework: str = Field(max_length=32)
    precision: str = Field(max_length=16)
    source: str = Field(max_length=500)  # where the measurement stands
    measured_tokens_per_s: float  # of one accelerator
    document: dict[str, Any] = Field(sa_type=JSON, nullable=False)
    created_by: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(default_factory=now)
