"""Transactions on the saved work of one workspace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine
from sqlmodel import Session

from app.db.session import read_session, write_session
from app.scenarios.saved.errors import ChangedMeanwhileError, NotSavedError
from app.scenarios.saved.faults import refuse_other_schema, storage_faults
from app.scenarios.saved.records import Kind
from app.scenarios.saved.rows import TABLES, HeadRow
from app.scenarios.saved.writing import record


class Sessions:
    """Units of work that read or write, all with the same faults."""

    def __init__(self, engine: Engine, workspace_id: int) -> None:
        self.engine = engine
        self.workspace_id = workspace_id

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
        with storage_faults(self.engine), write_session(self.engine) as session:
            refuse_other_schema(session.connection(), self.engine)
            yield session

    @contextmanager
    def changing(
        self, kind: Kind, id: str, version: int | None, *, deleted: bool = False
    ) -> Iterator[tuple[Session, HeadRow]]:
        """Write to one item, if it is still at the version that was read; None is whatever it is at.

        Raises
        ------
        NotSavedError : it is not there
        ChangedMeanwhileError : it is at another version
        StorageError : the database cannot be written; nothing was
        """
        with self.writing() as session:
            head = self.head(session, kind, id, deleted=deleted, lock=True)
            if version is not None and head.version != version:
                raise ChangedMeanwhileError(record(session, kind, head))
            yield session, head

    def head(
        self, session: Session, kind: Kind, id: str, *, deleted: bool = False, lock: bool = False
    ) -> HeadRow:
        """The row of something saved; with `deleted`, also of one that was deleted.

        Raises
        ------
        NotSavedError : it is not there
        """
        # SQLite has the whole database locked by now; others lock the row
        found: Any = session.get(TABLES[kind].head, id, with_for_update=lock or None)
        row: HeadRow | None = found
        if row is None or row.workspace_id != self.workspace_id:
            raise NotSavedError(kind, id)
        if getattr(row, "kind", kind) != kind or (row.deleted_at is not None and not deleted):
            raise NotSavedError(kind, id)
        return row
