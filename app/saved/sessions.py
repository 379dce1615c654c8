"""Transactions on saved work, and the question whether the caller may have it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from app.db.session import read_session, write_session
from app.db.tables import ShareGrantRow
from app.saved.access import ACTIONS, Action, Actor, HiddenError, Resource, Role, may, require
from app.saved.errors import ChangedMeanwhileError, NotSavedError
from app.saved.faults import refuse_other_schema, storage_faults
from app.saved.records import Kind
from app.saved.rows import TABLES, HeadRow
from app.saved.writing import record
from app.server.events import SAVED


class Sessions:
    """Units of work that read or write, all with the same faults and rights.

    What is named by its id may be of any workspace whose work the actor may see; lists and what is new
    are of `workspace_id`.
    """

    def __init__(self, engine: Engine, actor: Actor, workspace_id: int) -> None:
        self.engine = engine
        self.actor = actor
        self.workspace_id = workspace_id

    def require(self, action: Action) -> None:
        """Nothing, where the actor may do this in the workspace.

        Raises
        ------
        ForbiddenError : it is not allowed
        """
        require(self.actor, action, Resource(workspace_id=self.workspace_id))

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """
        Raises
        ------
        StorageError : the database cannot be read
        """
        with storage_faults(self.engine), read_session(self.engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """
        Raises
        ------
        StorageError : the database cannot be written; nothing was
        """
        with SAVED.timed(), storage_faults(self.engine), write_session(self.engine) as session:
            refuse_other_schema(session.connection(), self.engine)
            yield session

    @contextmanager
    def changing(
        self,
        kind: Kind,
        id: str,
        version: int | None,
        *,
        action: Action = "write",
        deleted: bool = False,
    ) -> Iterator[tuple[Session, HeadRow]]:
        """Write to one item, if it is still at the version that was read; None is whatever it is at.

        Raises
        ------
        NotSavedError : it is not there
        ForbiddenError : the actor may see it, but not do this
        ChangedMeanwhileError : it is at another version
        StorageError : the database cannot be written; nothing was
        """
        with self.writing() as session:
            head = self.head(session, kind, id, action=action, deleted=deleted, lock=True)
            if version is not None and head.version != version:
                raise ChangedMeanwhileError(record(session, kind, head))
            yield session, head

    def head(
        self,
        session: Session,
        kind: Kind,
        id: str,
        *,
        action: Action = "read",
        revision: int | None = None,
        deleted: bool = False,
        lock: bool = False,
    ) -> HeadRow:
        """The row of something saved; with `deleted`, also of one that was deleted.

        `revision` is the only one that is asked for, where one is.

        Raises
        ------
        NotSavedError : it is not there, or the actor may not see it
        ForbiddenError : the actor may see it, but not do this
        """
        # SQLite has the whole database locked by now; others lock the row
        found: Any = session.get(TABLES[kind].head, id, with_for_update=lock or None)
        row: HeadRow | None = found
        if row is None or getattr(row, "kind", kind) != kind:
            raise NotSavedError(kind, id)
        if row.deleted_at is not None and not deleted:
            raise NotSavedError(kind, id)
        try:
            require(self.actor, action, self._resource(session, row, revision))
        except HiddenError:
            raise NotSavedError(kind, id) from None
        return row

    def rights(self, session: Session, kind: Kind, id: str) -> frozenset[Action]:
        """What the actor may do with something that is there.

        Raises
        ------
        NotSavedError : it is not there, or the actor may not see it
        """
        resource = self._resource(session, self.head(session, kind, id), None)
        return frozenset(action for action in ACTIONS if may(self.actor, action, resource))

    def _resource(self, session: Session, row: HeadRow, revision: int | None) -> Resource:
        """What rights on a row are decided by; a share is only looked for where it could matter."""
        if row.deleted_at is not None:
            return Resource(workspace_id=row.workspace_id)  # put away, it is its workspace's own
        teams = [team for team in self.actor.roles if team != row.workspace_id]
        shared: dict[int, Role] = {}
        if teams and self.actor.roles.get(row.workspace_id) not in ("editor", "owner"):
            grants = select(ShareGrantRow).where(
                col(ShareGrantRow.saved_id) == row.id, col(ShareGrantRow.workspace_id).in_(teams)
            )
            shared = {grant.workspace_id: grant.role for grant in session.exec(grants)}  # type: ignore[misc]
        return Resource(workspace_id=row.workspace_id, saved_id=row.id, revision=revision, shared_with=shared)
