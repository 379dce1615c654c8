"""What saved scenarios, designs and projections have in common. Each has its own tables.

A saved row is the head: what it is called now, which revision is the newest, and what lists show and
look for. Its revisions hold the documents and never change. Tag rows are an index of the head's tags.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, text
from sqlmodel import Field, SQLModel

from app.db.tables.base import now


def new_id() -> str:
    """An id that says nothing about how many there are."""
    return uuid.uuid4().hex


class SavedColumns(SQLModel):
    """The head of something saved."""

    id: str = Field(default_factory=new_id, primary_key=True, max_length=32)
    workspace_id: int = Field(foreign_key="workspace.id")
    name: str = Field(max_length=200)
    sort_name: str = Field(default="", max_length=600)  # the name whatever its case
    search_text: str = ""  # what a search looks through, whatever its case; fits into an index
    revision: int = 1  # the newest
    version: int = 1  # grows with every change: what an ETag says
    tags: list[str] = Field(default_factory=list, sa_type=JSON, nullable=False)
    summary: dict[str, Any] = Field(default_factory=dict, sa_type=JSON, nullable=False)
    created_by: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(default_factory=now)
    updated_at: datetime = Field(default_factory=now)
    deleted_at: datetime | None = None
    is_template: bool = False  # offered where something new begins


class RevisionColumns(SQLModel):
    """One save: the document as it was written, and with what it was computed."""

    id: int | None = Field(default=None, primary_key=True)
    revision: int
    schema_version: int
    document: dict[str, Any] = Field(sa_type=JSON, nullable=False)
    summary: dict[str, Any] = Field(default_factory=dict, sa_type=JSON, nullable=False)
    catalog_revision: str = Field(max_length=64)
    engine_version: str = Field(max_length=32)
    note: str = Field(default="", max_length=500)
    created_by: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(default_factory=now)


class TagColumns(SQLModel):
    """One tag of one head, with what lists are ordered by, so that a page of a tag is read off an index."""

    tag: str = Field(primary_key=True, max_length=40)
    workspace_id: int
    deleted: bool = False
    updated_at: datetime


class ImmutableRevisionError(RuntimeError):
    """Someone tried to change a saved revision."""


def refuse_change(what: str) -> Callable[[object, object, Any], None]:
    """A listener of `before_update` and `before_delete` for revisions of `what`."""

    def refuse(_mapper: object, _connection: object, row: Any) -> None:
        raise ImmutableRevisionError(f"revision {row.revision} of {what} {row.saved_id} cannot be changed")

    return refuse


def saved_indexes(table: str, *before: str) -> tuple[Index, Index, Index]:
    """Indexes that lists of one workspace are read off: newest first, by name, and what was deleted.

    They end with what a search looks through, so that one which finds little reads no rows in vain.
    """
    there, deleted = text("deleted_at IS NULL"), text("deleted_at IS NOT NULL")

    def index(name: str, condition: Any, *columns: str) -> Index:
        place = ("workspace_id", *before, *columns)
        return Index(f"ix_{table}_{name}", *place, sqlite_where=condition, postgresql_where=condition)

    return (
        index("by_update", there, "updated_at", "id", "search_text"),
        index("by_name", there, "sort_name", "id", "search_text"),
        index("deleted", deleted, "updated_at", "id"),
    )
