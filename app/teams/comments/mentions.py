"""Comments that name someone, as that account is notified."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy import Engine
from sqlmodel import Session, col, select

from app.db.session import read_session, write_session
from app.db.tables import CommentRow, MentionRow, ShareGrantRow
from app.db.tables.base import now
from app.saved.access import Actor
from app.saved.faults import storage_faults
from app.saved.rows import TABLES
from app.teams.comments.anchors import Anchor
from app.teams.comments.records import Mention

MOST = 100


class Mentions:
    """Of one account. What it may not see any more is neither shown nor counted."""

    def __init__(self, engine: Engine, actor: Actor) -> None:
        self._engine = engine
        self._actor = actor

    def unread(self) -> int:
        """Number of unread notifications."""
        if not self._actor.account_id:
            return 0
        query = self._visible(select(sa.func.count())).where(col(MentionRow.read_at).is_(None))
        with storage_faults(self._engine), read_session(self._engine) as session:
            found: int = session.execute(query).scalar_one()
            return found

    def newest(self) -> list[Mention]:
        """The last ones, the newest first."""
        if not self._actor.account_id:
            return []
        query: Any = self._visible(select(CommentRow, MentionRow.read_at))
        query = query.order_by(col(CommentRow.created_at).desc(), col(CommentRow.id)).limit(MOST)
        with storage_faults(self._engine), read_session(self._engine) as session:
            return [
                _mention(row, read_at is not None, name)
                for row, read_at in session.exec(query)
                if (name := _name_of(session, row)) is not None
            ]

    def read(self, *, saved_id: str = "", comment_id: str = "") -> None:
        """Mark them as read: those on one thing, one, or all."""
        mine = [
            col(MentionRow.account_id) == (self._actor.account_id or ""),
            col(MentionRow.read_at).is_(None),
        ]
        if saved_id:
            on_it = select(CommentRow.id).where(col(CommentRow.saved_id) == saved_id)
            mine.append(col(MentionRow.comment_id).in_(on_it))
        if comment_id:
            mine.append(col(MentionRow.comment_id) == comment_id)
        with storage_faults(self._engine), write_session(self._engine) as session:
            session.execute(sa.update(MentionRow).where(*mine).values(read_at=now()))

    def _visible(self, query: Any) -> Any:
        teams = list(self._actor.roles)
        shared = select(ShareGrantRow.saved_id).where(col(ShareGrantRow.workspace_id).in_(teams))
        return (
            query.select_from(MentionRow)
            .join(CommentRow, col(CommentRow.id) == col(MentionRow.comment_id))
            .where(
                col(MentionRow.account_id) == self._actor.account_id,
                col(CommentRow.deleted_at).is_(None),
                sa.or_(col(CommentRow.workspace_id).in_(teams), col(CommentRow.saved_id).in_(shared)),
            )
        )


def _name_of(session: Session, row: CommentRow) -> str | None:
    """Name of the item that a comment is on; None where it was deleted."""
    head: Any = session.get(TABLES[row.kind].head, row.saved_id)  # type: ignore[index]
    return None if head is None or head.deleted_at is not None else str(head.name)


def _mention(row: CommentRow, is_read: bool, name: str) -> Mention:
    return Mention(
        comment_id=row.id,
        kind=row.kind,  # type: ignore[arg-type]
        saved_id=row.saved_id,
        name=name,
        anchor=Anchor(row.anchor_kind, row.anchor),  # type: ignore[arg-type]
        author=row.author_name,
        body=row.body,
        created_at=row.created_at,
        is_read=is_read,
    )
