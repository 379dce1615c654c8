"""Comments on saved work: what pages and the API work with."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from app.db.tables import CommentRow, IdempotencyKeyRow, MentionRow, table_of
from app.db.tables.base import now
from app.db.tables.saved import new_id
from app.saved.access import ForbiddenError
from app.saved.change_log import log_change
from app.saved.errors import KeyReusedError, NotSavedError
from app.saved.faults import storage_faults
from app.saved.idempotency import KEPT_FOR, LONGEST_KEY
from app.saved.records import Kind, Page
from app.saved.rows import HeadRow
from app.saved.store import SavedWork
from app.scenarios.errors import refuse
from app.teams.comments.anchors import WHOLE, Anchor, check_anchor
from app.teams.comments.people import people_of
from app.teams.comments.records import Comment, Person, Thread
from app.teams.comments.rows import author_id_of, comments_of, is_own, open_threads, threads_of
from app.teams.comments.text import clean_body, clean_guest_name, named_in
from app.teams.notifying.outbox import path_of, tell_people, tell_webhook

MOST_AT_ONCE = 500
KEYS = table_of(IdempotencyKeyRow)


class NoCommentError(LookupError):
    """There is no such comment on this, or it was deleted."""

    def __init__(self, id: str) -> None:
        super().__init__(f"There is no comment {id[:40]!r} here.")


@dataclasses.dataclass(frozen=True, slots=True)
class Once:
    """The key of a request that may be sent again, and what makes two requests the same."""

    key: str
    request_hash: str


class Comments:
    """Of saved work as one actor sees it. Every method raises NotSavedError for what they may not see."""

    def __init__(self, work: SavedWork) -> None:
        self._work = work
        self._sessions = work.sessions
        self._actor = work.actor

    def listed(
        self,
        kind: Kind,
        id: str,
        *,
        limit: int = MOST_AT_ONCE,
        after: str | None = None,
        resolved: bool | None = None,
        anchor: Anchor | None = None,
        revision: int | None = None,
    ) -> Page[Thread]:
        """Threads, the oldest first; with `revision` those that were there when it was the newest.

        Raises
        ------
        BadCursorError : `after` was not given out for this list
        """
        with self._sessions.reading() as session:
            head = self._sessions.head(session, kind, id, revision=revision)
            return threads_of(
                session,
                self._actor,
                kind,
                head,
                limit=limit,
                after=after,
                resolved=resolved,
                anchor=anchor,
                until_revision=revision,
                may_comment=revision is None and self._may_comment(session, kind, id),
            )

    def may_comment(self, kind: Kind, id: str) -> bool:
        """Return whether the actor may write here."""
        with self._sessions.reading() as session:
            return self._may_comment(session, kind, id)

    def open_threads(self, kind: Kind, id: str) -> dict[Anchor, int]:
        """Number of open threads by place."""
        with self._sessions.reading() as session:
            return open_threads(session, kind, self._sessions.head(session, kind, id).id)

    def people(self, kind: Kind, id: str) -> tuple[Person, ...]:
        """Who can be named here; guests are not told."""
        with self._sessions.reading() as session:
            head = self._sessions.head(session, kind, id)
            return tuple(people_of(session, head)) if self._actor.account_id else ()

    def get(self, kind: Kind, id: str, comment_id: str) -> Comment:
        """One comment.

        Raises
        ------
        NoCommentError : there is none
        """
        with self._sessions.reading() as session:
            head = self._sessions.head(session, kind, id)
            return self._record(session, kind, head, self._row(session, kind, head, comment_id))

    def add(
        self,
        kind: Kind,
        id: str,
        body: str,
        *,
        anchor: Anchor = WHOLE,
        thread_id: str | None = None,
        guest_name: str = "",
        once: Once | None = None,
    ) -> tuple[Comment, bool]:
        """Write a comment, or an answer where a thread is named; and whether that was done before.

        Raises
        ------
        ScenarioError : the text or what it is about cannot be used
        NoCommentError : there is no such thread
        KeyReusedError : the key came with another request
        """
        with storage_faults(self._sessions.engine):
            before = self._done_before(kind, id, once)
            if before is not None:
                return before, True
            text = clean_body(body)
            author = self._author(guest_name)
            if thread_id is None:
                self._check(anchor, kind, id)
            try:
                return self._added(kind, id, text, anchor, thread_id, author, once), False
            except IntegrityError:  # another process took the key meanwhile: its comment stands
                before = self._done_before(kind, id, once)
                if before is None:
                    raise
                return before, True

    def edit(self, kind: Kind, id: str, comment_id: str, body: str) -> Comment:
        """Edit an own comment.

        Raises
        ------
        ScenarioError : the text cannot be used
        NoCommentError : there is none
        ForbiddenError : it is someone else's
        """
        text = clean_body(body)
        with self._changing(kind, id, comment_id) as (session, head, row):
            if not is_own(self._actor, row):
                raise ForbiddenError("Only who wrote a comment can change it.")
            if text != row.body:
                row.body, row.edited_at = text, now()
                self._name(session, head, row)
                self._log(session, kind, head, row, "edited")
            return self._record(session, kind, head, row)

    def delete(self, kind: Kind, id: str, comment_id: str) -> None:
        """Take a comment away for good: one's own, or any as an owner of the workspace. Answers to it stay.

        Raises
        ------
        NoCommentError : there is none
        ForbiddenError : it is someone else's
        """
        with self._changing(kind, id, comment_id) as (session, head, row):
            if not self._record(session, kind, head, row).may_delete:
                raise ForbiddenError("Only who wrote a comment, or an owner of the workspace, can delete it.")
            row.body, row.author_name, row.author_id, row.deleted_at = "", "", None, now()
            for mention in self._mentions(session, row):
                session.delete(mention)
            self._log(session, kind, head, row, "deleted")

    def resolve(self, kind: Kind, id: str, comment_id: str, *, resolved: bool = True) -> Comment:
        """Close a thread by its first comment, or open it again.

        Raises
        ------
        NoCommentError : there is none
        ScenarioError : it is an answer
        """
        with self._changing(kind, id, comment_id) as (session, head, row):
            if row.thread_id is not None:
                raise refuse(
                    "An answer cannot be resolved.",
                    rule="thread",
                    path="comment",
                    hint=f"Its thread begins with {row.thread_id}.",
                )
            if (row.resolved_at is not None) != resolved:
                row.resolved_at = now() if resolved else None
                row.resolved_by = author_id_of(self._actor) if resolved else None
                self._log(session, kind, head, row, "resolved" if resolved else "reopened")
            return self._record(session, kind, head, row)

    def _added(
        self,
        kind: Kind,
        id: str,
        text: str,
        anchor: Anchor,
        thread_id: str | None,
        author: str,
        once: Once | None,
    ) -> Comment:
        with self._sessions.changing(kind, id, None, action="comment") as (session, head):
            if thread_id is not None:
                first = self._row(session, kind, head, thread_id)
                if first.thread_id is not None:
                    hint = f"Its thread begins with {first.thread_id}."
                    raise refuse("An answer cannot be answered.", rule="thread", path="thread", hint=hint)
                anchor = Anchor(first.anchor_kind, first.anchor)  # type: ignore[arg-type]
            row = CommentRow(
                id=new_id(),
                workspace_id=head.workspace_id,
                kind=kind,
                saved_id=head.id,
                revision=head.revision,
                anchor_kind=anchor.kind,
                anchor=anchor.path,
                thread_id=thread_id,
                body=text,
                author_id=author_id_of(self._actor),
                author_name=author,
            )
            session.add(row)
            session.flush()
            self._name(session, head, row)
            if once is not None:
                session.execute(KEYS.delete().where(KEYS.c.created_at < now() - KEPT_FOR))
                session.add(
                    IdempotencyKeyRow(
                        workspace_id=head.workspace_id,
                        key=self._key(once),
                        request_hash=once.request_hash,
                        response={"comment": row.id},
                    )
                )
                session.flush()
            self._log(session, kind, head, row, "added")
            return self._record(session, kind, head, row)

    def _done_before(self, kind: Kind, id: str, once: Once | None) -> Comment | None:
        """The comment that a key made, where it did."""
        if once is None:
            return None
        with self._sessions.reading() as session:
            head = self._sessions.head(session, kind, id, action="comment")
            key = session.get(IdempotencyKeyRow, (head.workspace_id, self._key(once)))
            if key is None or key.created_at < now() - KEPT_FOR:
                return None
            if key.request_hash != once.request_hash:
                raise KeyReusedError(once.key)
            return self._record(session, kind, head, self._row(session, kind, head, key.response["comment"]))

    def _key(self, once: Once) -> str:
        if not 1 <= len(once.key) <= LONGEST_KEY:
            raise ValueError(f"an idempotency key has 1 to {LONGEST_KEY} characters")
        return f"{self._actor.account_id}:{once.key}" if self._actor.account_id else once.key

    def _author(self, guest_name: str) -> str:
        if self._actor.account_id is None and not self._actor.is_local:
            return clean_guest_name(guest_name)
        return self._actor.name

    def _check(self, anchor: Anchor, kind: Kind, id: str) -> None:
        results: Any = None
        if anchor.kind == "result":
            revision = self._work.get(kind, id).revision
            if kind == "scenario":
                results = self._work.results(id, revision)
            else:
                results = self._work.kept(kind, id, revision)
        check_anchor(anchor, kind, results)

    @contextmanager
    def _changing(
        self, kind: Kind, id: str, comment_id: str
    ) -> Iterator[tuple[Session, HeadRow, CommentRow]]:
        with self._sessions.changing(kind, id, None, action="comment") as (session, head):
            yield session, head, self._row(session, kind, head, comment_id)

    def _row(self, session: Session, kind: Kind, head: HeadRow, comment_id: str) -> CommentRow:
        row = session.get(CommentRow, comment_id)
        if row is None or (row.kind, row.saved_id) != (kind, head.id) or row.deleted_at is not None:
            raise NoCommentError(comment_id)
        return row

    def _record(self, session: Session, kind: Kind, head: HeadRow, row: CommentRow) -> Comment:
        session.flush()
        may_comment = self._may_comment(session, kind, head.id)
        return comments_of(session, self._actor, head, [row], may_comment=may_comment)[row.id]

    def _may_comment(self, session: Session, kind: Kind, id: str) -> bool:
        try:
            self._sessions.head(session, kind, id, action="comment")
        except (NotSavedError, ForbiddenError):
            return False
        return True

    def _name(self, session: Session, head: HeadRow, row: CommentRow) -> None:
        """Tell those whom a text names, but for its author; take back what it names no more."""
        wanted = {one.id for one in named_in(row.body, people_of(session, head))} - {row.author_id}
        for mention in self._mentions(session, row):
            if mention.account_id not in wanted:
                session.delete(mention)
            wanted.discard(mention.account_id)
        session.add_all(MentionRow(comment_id=row.id, account_id=account_id) for account_id in sorted(wanted))
        session.flush()
        if wanted:
            self._tell(session, head, row, wanted)

    def _tell(self, session: Session, head: HeadRow, row: CommentRow, account_ids: set[str]) -> None:
        """By webhook and by mail, where the server has them; those who were told before are not told
        again."""
        content = {
            "kind": row.kind,
            "id": head.id,
            "path": path_of(row.kind, head.id),  # type: ignore[arg-type]
            "name": head.name,
            "revision": head.revision,
            "by": row.author_name,
            "text": row.body,
            "says": f"{row.author_name} mentioned you in a comment on {head.name}.",
        }
        tell_webhook(session, self._work.channels, head, "mentioned", content)
        tell_people(session, self._work.channels, head, "mentioned", content, account_ids)

    def _mentions(self, session: Session, row: CommentRow) -> list[MentionRow]:
        return list(session.exec(select(MentionRow).where(col(MentionRow.comment_id) == row.id)))

    def _log(self, session: Session, kind: Kind, head: HeadRow, row: CommentRow, done: str) -> None:
        actor = self._actor
        if author_id_of(actor) is None and done == "added":
            actor = dataclasses.replace(actor, name=row.author_name)
        log_change(
            session,
            actor,
            "commented",
            kind=kind,
            saved_id=head.id,
            workspace_id=head.workspace_id,
            revision=head.revision,
            version=head.version,
            detail={"comment": row.id, "done": done, "anchor_kind": row.anchor_kind, "anchor": row.anchor},
        )
