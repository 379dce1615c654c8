"""Comments as the rest of the product sees them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.saved.records import Kind
from app.teams.comments.anchors import Anchor


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A remark, or an answer to one. What was deleted has no text and no author any more.

    `revision` is the newest when it was written, `mentions` are the names of those who are told of it.
    """

    id: str
    kind: Kind
    saved_id: str
    revision: int
    anchor: Anchor
    thread_id: str | None
    body: str
    author: str
    created_at: datetime
    edited_at: datetime | None
    resolved_at: datetime | None
    resolved_by: str
    is_deleted: bool
    mentions: tuple[str, ...]
    may_edit: bool
    may_delete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """A remark with its answers, the oldest first."""

    first: Comment
    replies: tuple[Comment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Someone who can be named in a comment."""

    id: str
    name: str
    email: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A comment that names someone, and what it is about."""

    comment_id: str
    kind: Kind
    saved_id: str
    name: str
    anchor: Anchor
    author: str
    body: str
    created_at: datetime
    is_read: bool
