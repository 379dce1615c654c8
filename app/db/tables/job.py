"""Long work that outlives a request and a process: sweeps, and the blocks of their results."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, ForeignKey, Index, LargeBinary, String
from sqlmodel import Field, SQLModel

from app.db.tables.base import now
from app.db.tables.saved import new_id


class JobRow(SQLModel, table=True):
    """A job.

    The process that runs it is `worker` until `lease_until`; after that any process may take it up.
    """

    __tablename__ = "job"
    __table_args__ = (
        Index("ix_job_by_creation", "workspace_id", "created_at", "id"),
        Index("ix_job_waiting", "state", "lease_until", "created_at"),
    )

    id: str = Field(default_factory=new_id, primary_key=True, max_length=32)
    workspace_id: int = Field(foreign_key="workspace.id")
    kind: str = Field(max_length=32)  # sweep
    name: str = Field(max_length=200)
    document: dict[str, Any] = Field(sa_type=JSON, nullable=False)  # its scenario written out
    outputs: list[str] = Field(sa_type=JSON, nullable=False)
    columns: list[str] = Field(sa_type=JSON, nullable=False)  # axes that vary fastest
    state: str = Field(max_length=16)  # queued | running | done | failed | cancelled
    total: int  # designs
    done: int = 0
    feasible: int = 0
    blocks: int  # that the work is cut into
    cancel_requested: bool = False
    attempts: int = 0  # times it was taken up since it last got on
    error: str = Field(default="", max_length=2000)
    worker: str | None = Field(default=None, max_length=64)
    lease_until: datetime | None = None
    catalog_revision: str = Field(max_length=64)
    engine_version: str = Field(max_length=32)
    created_by: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(default_factory=now)
    started_at: datetime | None = None
    finished_at: datetime | None = None


class JobBlockRow(SQLModel, table=True):
    """Results of some designs in a row: columns of numbers, compressed. Written once."""

    __tablename__ = "job_block"

    job_id: str = Field(sa_column=Column(String(32), ForeignKey("job.id"), primary_key=True))
    number: int = Field(primary_key=True)
    start: int  # index of its first design
    count: int
    figures: bytes = Field(sa_type=LargeBinary, nullable=False)  # float64, each output by itself
    limits: bytes = Field(sa_type=LargeBinary, nullable=False)  # uint8
