"""Catalog values as they were at a save, shared by all revisions that saw the same."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import LargeBinary
from sqlmodel import Field, SQLModel

from app.db.tables.base import now


class CatalogSnapshotRow(SQLModel, table=True):
    __tablename__ = "catalog_snapshot"

    hash: str = Field(primary_key=True, max_length=64)  # of the values before they are compressed
    content: bytes = Field(sa_type=LargeBinary, nullable=False)
    created_at: datetime = Field(default_factory=now)
