"""Doing a request once, however often it is sent.

The row of a key is written in the transaction of the work itself, so a crash leaves both or neither.
"""

from __future__ import annotations

import copy
import dataclasses
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from app.db.session import read_session
from app.db.tables import IdempotencyKeyRow, table_of
from app.db.tables.base import now
from app.saved.errors import KeyInFlightError, KeyReusedError
from app.saved.records import Saved

KEPT_FOR = timedelta(hours=24)
LONGEST_KEY = 200  # of the caller; with the account before it, it fits into its column
TIMES = ("created_at", "updated_at", "deleted_at")


@dataclass(frozen=True, slots=True)
class _Pending:
    key: str
    request_hash: str


class IdempotencyKeys:
    """Keys of one account in one workspace: those that were answered, in the database, and those being worked on."""

    def __init__(self, engine: Engine, workspace_id: int, account_id: str | None = None) -> None:
        self._engine = engine
        self._workspace_id = workspace_id
        self._account_id = account_id
        self._guard = threading.Lock()
        self._in_flight: dict[tuple[int, str], str] = {}
        self._thread = threading.local()

    def of(self, workspace_id: int, account_id: str | None) -> IdempotencyKeys:
        """The keys of another account or workspace, in step with these."""
        own = copy.copy(self)
        own._workspace_id, own._account_id = workspace_id, account_id
        return own

    def once(self, key: str, request_hash: str, work: Callable[[], Saved]) -> tuple[Saved, bool]:
        """What `work` saves, or saved when the key came first; and whether that was before.

        `work` makes one save in this thread. When it fails, the key is free again.

        Raises
        ------
        KeyReusedError : the key came with another request
        KeyInFlightError : the first request of the key is still being worked on
        """
        if not 1 <= len(key) <= LONGEST_KEY:
            raise ValueError(f"an idempotency key has 1 to {LONGEST_KEY} characters")
        if self._account_id is not None:
            key = f"{self._account_id}:{key}"  # two people may choose the same
        with self._claimed(key, request_hash):
            before = self._answered(key, request_hash)
            if before is not None:
                return before, True
            self._thread.pending = _Pending(key, request_hash)
            try:
                return work(), False
            except IntegrityError:
                # another process took the key while this one worked: its save stands
                before = self._answered(key, request_hash)
                if before is None:
                    raise
                return before, True
            finally:
                self._thread.pending = None

    def note(self, session: Session, saved: Saved) -> None:
        """Write the key that this thread works for, if it does, into the transaction of its save."""
        pending: _Pending | None = getattr(self._thread, "pending", None)
        if pending is None:
            return
        table = table_of(IdempotencyKeyRow)
        session.execute(table.delete().where(table.c.created_at < now() - KEPT_FOR))
        session.add(
            IdempotencyKeyRow(
                workspace_id=self._workspace_id,
                key=pending.key,
                request_hash=pending.request_hash,
                response=_plain(saved),
                created_at=now(),
            )
        )
        session.flush()
        self._thread.pending = None

    @contextmanager
    def _claimed(self, key: str, request_hash: str) -> Iterator[None]:
        claim = (self._workspace_id, key)
        with self._guard:
            if claim in self._in_flight:
                same = self._in_flight[claim] == request_hash
                raise KeyInFlightError(key) if same else KeyReusedError(key)
            self._in_flight[claim] = request_hash
        try:
            yield
        finally:
            with self._guard:
                del self._in_flight[claim]

    def _answered(self, key: str, request_hash: str) -> Saved | None:
        with read_session(self._engine) as session:
            row = session.get(IdempotencyKeyRow, (self._workspace_id, key))
        if row is None or row.created_at < now() - KEPT_FOR:
            return None
        if row.request_hash != request_hash:
            raise KeyReusedError(key)
        return _saved(row.response)


def _plain(saved: Saved) -> dict[str, Any]:
    values = dataclasses.asdict(saved)
    times = {name: values[name] and values[name].isoformat() for name in TIMES}
    return {**values, "tags": list(saved.tags), **times}


def _saved(values: dict[str, Any]) -> Saved:
    times = {name: values[name] and datetime.fromisoformat(values[name]) for name in TIMES}
    return Saved(**{**values, "tags": tuple(values["tags"]), **times})
