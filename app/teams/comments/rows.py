"""Rows of comments, read and put together as threads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Session, col, select

from app.db.tables import AccountRow, CommentRow, MentionRow, table_of
from app.saved.access import Actor, Resource, may
from app.saved.cursor import place_of, token
from app.saved.errors import BadCursorError
from app.saved.records import Kind, Page
from app.saved.rows import HeadRow
from app.teams.comments.anchors import Anchor
from app.teams.comments.people import names_of
from app.teams.comments.records import Comment, Thread
from app.teams.together.presence import LOCAL_ID


def author_id_of(actor: Actor) -> str | None:
    """What a comment keeps of its author; nothing of a guest."""
    return LOCAL_ID if actor.is_local else actor.account_id


def is_own(actor: Actor, row: CommentRow) -> bool:
    """Return whether an actor wrote a comment. Guests are not known again."""
    return row.author_id is not None and row.author_id == author_id_of(actor)


def threads_of(
    session: Session,
    actor: Actor,
    kind: Kind,
    head: HeadRow,
    *,
    limit: int,
    after: str | None,
    resolved: bool | None,
    anchor: Anchor | None,
    until_revision: int | None,
    may_comment: bool,
) -> Page[Thread]:
    """One page of the threads on something, the oldest first.

    Raises
    ------
    BadCursorError : `after` was not given out for this list
    """
    name = f"comments/{head.id}"
    first = select(CommentRow).where(*_on(kind, head.id), col(CommentRow.thread_id).is_(None))
    if resolved is not None:
        first = first.where(
            col(CommentRow.resolved_at).is_not(None) if resolved else col(CommentRow.resolved_at).is_(None)
        )
    if anchor is not None:
        first = first.where(col(CommentRow.anchor_kind) == anchor.kind, col(CommentRow.anchor) == anchor.path)
    if until_revision is not None:
        first = first.where(col(CommentRow.revision) <= until_revision)
    if after is not None:
        at, id = place_of(after, name, str, str)
        place = sa.tuple_(
            sa.literal(_moment(at, after), table_of(CommentRow).c.created_at.type),
            sa.literal(id),
        )
        first = first.where(sa.tuple_(col(CommentRow.created_at), col(CommentRow.id)) > place)
    # a deleted remark is only shown for the answers to it
    answered = select(CommentRow.thread_id).where(
        *_on(kind, head.id),
        col(CommentRow.deleted_at).is_(None),
        col(CommentRow.thread_id).is_not(None),
    )
    first = first.where(sa.or_(col(CommentRow.deleted_at).is_(None), col(CommentRow.id).in_(answered)))
    rows = session.exec(first.order_by(col(CommentRow.created_at), col(CommentRow.id)).limit(limit + 1)).all()
    shown = rows[:limit]
    replies = _replies(session, shown, until_revision)
    every = [*shown, *(row for each in replies.values() for row in each)]
    comments = comments_of(session, actor, head, every, may_comment=may_comment)
    items = tuple(
        Thread(first=comments[row.id], replies=tuple(comments[one.id] for one in replies[row.id]))
        for row in shown
    )
    more = len(rows) > limit
    return Page(
        items=items,
        next=token(name, shown[-1].created_at.isoformat(), shown[-1].id) if more else None,
    )


def comments_of(
    session: Session, actor: Actor, head: HeadRow, rows: Sequence[CommentRow], *, may_comment: bool
) -> dict[str, Comment]:
    """Rows as records, by id."""
    owns = may(actor, "manage", Resource(workspace_id=head.workspace_id))
    named: defaultdict[str, list[str]] = defaultdict(list)
    for comment_id, name in session.exec(
        select(MentionRow.comment_id, AccountRow.name)
        .join(AccountRow, col(AccountRow.id) == col(MentionRow.account_id))
        .where(col(MentionRow.comment_id).in_([row.id for row in rows]))
        .order_by(col(AccountRow.name))
    ):
        named[comment_id].append(name)
    resolvers = names_of(session, {row.resolved_by for row in rows if row.resolved_by})
    found = {}
    for row in rows:
        gone = row.deleted_at is not None
        mine = is_own(actor, row) and may_comment and not gone
        found[row.id] = Comment(
            id=row.id,
            kind=row.kind,  # type: ignore[arg-type]
            saved_id=row.saved_id,
            revision=row.revision,
            anchor=Anchor(row.anchor_kind, row.anchor),  # type: ignore[arg-type]
            thread_id=row.thread_id,
            body="" if gone else row.body,
            author="" if gone else row.author_name,
            created_at=row.created_at,
            edited_at=row.edited_at,
            resolved_at=row.resolved_at,
            resolved_by=resolvers.get(row.resolved_by or "", "a guest") if row.resolved_at else "",
            is_deleted=gone,
            mentions=tuple(named[row.id]) if not gone else (),
            may_edit=mine,
            may_delete=mine or (owns and not gone),
        )
    return found


def open_threads(session: Session, kind: Kind, saved_id: str) -> dict[Anchor, int]:
    """Number of open threads by place."""
    query = (
        select(CommentRow.anchor_kind, CommentRow.anchor, sa.func.count())
        .where(
            *_on(kind, saved_id),
            col(CommentRow.thread_id).is_(None),
            col(CommentRow.resolved_at).is_(None),
            col(CommentRow.deleted_at).is_(None),
        )
        .group_by(col(CommentRow.anchor_kind), col(CommentRow.anchor))
    )
    return {Anchor(kind, path): count for kind, path, count in session.exec(query)}  # type: ignore[arg-type]


def _on(kind: Kind, saved_id: str) -> tuple[sa.ColumnElement[bool], ...]:
    return col(CommentRow.saved_id) == saved_id, col(CommentRow.kind) == kind


def _replies(
    session: Session, first: Sequence[CommentRow], until_revision: int | None
) -> defaultdict[str, list[CommentRow]]:
    query = select(CommentRow).where(
        col(CommentRow.thread_id).in_([row.id for row in first]), col(CommentRow.deleted_at).is_(None)
    )
    if until_revision is not None:
        query = query.where(col(CommentRow.revision) <= until_revision)
    found: defaultdict[str, list[CommentRow]] = defaultdict(list)
    for row in session.exec(query.order_by(col(CommentRow.created_at), col(CommentRow.id))):
        found[row.thread_id or ""].append(row)
    return found


def _moment(text: str, given: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise BadCursorError(given) from None
