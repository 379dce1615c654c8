"""Rows of the log of changes, as sent to open pages and programs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Engine
from sqlmodel import Session

from app.db.session import write_session
from app.db.tables import ChangeRow, table_of
from app.db.tables.base import now
from app.saved.access import Actor

KEPT_FOR = timedelta(days=30)
MOST_REPLAYED = 1_000
"""A client that missed more must read everything again."""

TOLD: dict[str, tuple[str, ...]] = {
    "named": ("name",),
    "reviewed": ("state",),
    "commented": ("comment", "done", "anchor_kind", "anchor"),
}
"""What is told of a change beside who made it: the log holds more, such as whom something was shared with."""

CHANGES = table_of(ChangeRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something that someone did to saved work. Ids grow in the order in which changes were committed."""

    id: int
    at: datetime
    kind: str
    saved_id: str
    event: str
    revision: int | None
    version: int | None
    by: str
    account_id: str | None
    detail: dict[str, Any]

    def told_to(self, actor: Actor) -> dict[str, Any]:
        """The change as plain values; `you` says whether the one who is told made it."""
        return {
            "event": self.event,
            "at": self.at.isoformat().replace("+00:00", "Z"),
            "revision": self.revision,
            "version": self.version,
            "by": self.by,
            "you": actor.is_local or (self.account_id is not None and self.account_id == actor.account_id),
            **{name: self.detail.get(name) for name in TOLD.get(self.event, ())},
        }


def newest_id(session: Session, saved_id: str | None = None) -> int:
    """The last change of something, or of anything; 0 where there is none."""
    query = sa.select(sa.func.coalesce(sa.func.max(CHANGES.c.id), 0))
    if saved_id is not None:
        query = query.where(CHANGES.c.saved_id == saved_id)
    found: int = session.execute(query).scalar_one()
    return found


def oldest_id(session: Session) -> int:
    """The first change that is still kept."""
    found: int = session.execute(sa.select(sa.func.coalesce(sa.func.min(CHANGES.c.id), 0))).scalar_one()
    return found


def changes_after(session: Session, id: int, limit: int, saved_id: str | None = None) -> list[Change]:
    """What came after a change, the oldest first."""
    query = sa.select(CHANGES).where(CHANGES.c.id > id).order_by(CHANGES.c.id).limit(limit)
    if saved_id is not None:
        query = query.where(CHANGES.c.saved_id == saved_id)
    return [
        Change(
            id=row.id,
            at=row.at,
            kind=row.kind,
            saved_id=row.saved_id,
            event=row.event,
            revision=row.revision,
            version=row.version,
            by=row.actor,
            account_id=row.account_id,
            detail=row.detail,
        )
        for row in session.execute(query)
    ]


def clear_old_changes(engine: Engine) -> int:
    """Take out what no one will ask for any more; how many rows that were."""
    with write_session(engine) as session:
        gone: Any = session.execute(CHANGES.delete().where(CHANGES.c.at < now() - KEPT_FOR))
        return int(gone.rowcount)
