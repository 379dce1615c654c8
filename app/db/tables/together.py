"""Working together: comments, who looks at what, and the log of changes that every process follows."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index
from sqlmodel import Field, SQLModel

from app.db.tables.base import now
from app.db.tables.saved import new_id


class CommentRow(SQLModel, table=True):
    """A remark on something saved, on one field or result of it, or an answer to another remark."""

    __tablename__ = "comment"
    __table_args__ = (Index("ix_comment_saved_id", "saved_id", "created_at"),)

    id: str = Field(default_factory=new_id, primary_key=True, max_length=32)
    workspace_id: int = Field(foreign_key="workspace.id")
    kind: str = Field(max_length=16)
    saved_id: str = Field(max_length=32)
    revision: int  # the newest when it was written
    anchor_kind: str = Field(default="whole", max_length=16)  # whole | field | result
    anchor: str = Field(default="", max_length=200)  # path of the field or result
    thread_id: str | None = Field(default=None, foreign_key="comment.id", max_length=32)
    body: str = Field(max_length=10_000)
    author_id: str | None = Field(default=None, max_length=64)  # none for anyone who came by a link
    author_name: str = Field(max_length=200)
    created_at: datetime = Field(default_factory=now)
    edited_at: datetime | None = None
    resolved_at: datetime | None = None  # of a thread's first comment
    resolved_by: str | None = Field(default=None, max_length=64)
    deleted_at: datetime | None = None


class MentionRow(SQLModel, table=True):
    """Someone named in a comment."""

    __tablename__ = "mention"
    __table_args__ = (Index("ix_mention_account_id", "account_id", "read_at"),)

    comment_id: str = Field(foreign_key="comment.id", primary_key=True, max_length=32)
    account_id: str = Field(foreign_key="account.id", primary_key=True, max_length=32)
    created_at: datetime = Field(default_factory=now)
    read_at: datetime | None = None


class ChangeRow(SQLModel, table=True):
    """Something happened to saved work. Written in the transaction of the change, in the order of commits."""

    __tablename__ = "change_log"
    __table_args__ = (Index("ix_change_log_saved_id", "saved_id", "id"), {"sqlite_autoincrement": True})

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(default_factory=now, index=True)
    workspace_id: int
    kind: str = Field(max_length=16)
    saved_id: str = Field(max_length=32)
    event: str = Field(max_length=32)  # created | saved | tagged | deleted | restored | commented | ...
    revision: int | None = None
    version: int | None = None
    account_id: str | None = Field(default=None, max_length=64)
    actor: str = Field(default="", max_length=200)
    detail: dict[str, Any] = Field(default_factory=dict, sa_type=JSON, nullable=False)


class PresenceRow(SQLModel, table=True):
    """An open page; it is gone when it has not been seen for a while."""

    __tablename__ = "presence"
    __table_args__ = (Index("ix_presence_saved_id", "saved_id", "last_seen_at"),)

    id: str = Field(primary_key=True, max_length=32)
    saved_id: str = Field(max_length=32)
    account_id: str | None = Field(default=None, max_length=64)
    name: str = Field(max_length=200)
    place: str = Field(default="", max_length=200)  # the field that is being changed
    since: datetime = Field(default_factory=now)
    last_seen_at: datetime = Field(default_factory=now)
