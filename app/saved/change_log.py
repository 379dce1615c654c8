"""The log of changes: what every process follows to tell open pages what someone did."""

from __future__ import annotations

from typing import Any, Literal

import sqlalchemy as sa
from sqlmodel import Session

from app.db.tables import ChangeRow
from app.db.tables.base import now
from app.saved.access import Actor

Event = Literal[
    "created",
    "saved",
    "merged",
    "renamed",
    "tagged",
    "deleted",
    "restored",
    "named",
    "shared",
    "commented",
    "reviewed",
]

LOCK = 7_205_331  # any number that nothing else locks


def log_change(
    session: Session,
    actor: Actor,
    event: Event,
    *,
    kind: str,
    saved_id: str,
    workspace_id: int,
    revision: int | None = None,
    version: int | None = None,
    detail: dict[str, Any] | None = None,
) -> None:
    """Add a row in the transaction of the change itself.

    Readers go on from the last id that they saw, so ids must appear in their order. On SQLite one
    writer at a time sees to that; on a database server a lock does, until the end of the transaction.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
    session.add(
        ChangeRow(
            at=now(),
            workspace_id=workspace_id,
            kind=kind,
            saved_id=saved_id,
            event=event,
            revision=revision,
            version=version,
            account_id=actor.account_id,
            actor=actor.name,
            detail=detail or {},
        )
    )
    session.flush()
