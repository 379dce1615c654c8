"""What was deleted long ago goes for good by itself, where a server is set up so."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from app.db.address import read_address
from app.db.session import read_session, write_session
from app.db.tables.base import now
from app.db.turns import TurnTimeoutError
from app.saved import trash
from app.saved.access import Actor
from app.saved.change_log import log_change
from app.saved.records import Kind
from app.saved.rows import TABLES, HeadRow

logger = logging.getLogger(__name__)

EVERY_S = 86_400.0
CLEARING = Actor(name="Trash")


def clear(engine: Engine, older_than: timedelta) -> int:
    """Delete for good what was deleted before that, but for what other saved work names; how many went."""
    moment = now() - older_than
    with read_session(engine) as session:
        found = trash.deleted_before(session, moment)
    return sum(_cleared(engine, kind, id) for kind, id in found)


def _cleared(engine: Engine, kind: Kind, id: str) -> bool:
    with write_session(engine) as session:
        head = _still_deleted(session, kind, id)
        if head is None or trash.uses(session, kind, id):
            return False
        log_change(
            session,
            CLEARING,
            "deleted",
            kind=kind,
            saved_id=id,
            workspace_id=head.workspace_id,
            detail={"for_good": True},
        )
        trash.erase(session, kind, id)
    return True


def _still_deleted(session: Session, kind: Kind, id: str) -> HeadRow | None:
    row: HeadRow | None = session.get(TABLES[kind].head, id, with_for_update=True)  # type: ignore[assignment]
    return row if row is not None and row.deleted_at is not None else None


class TrashClearing:
    """Clears at the start of a server and once a day, in a thread alongside it.

    `engine` gives None where there is no database yet: then there is nothing to clear.
    """

    def __init__(self, engine: Callable[[], Engine | None], days: int) -> None:
        self._engine = engine
        self._older_than = timedelta(days=days)
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="trash", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while True:
            try:
                engine = self._engine()
                count = clear(engine, self._older_than) if engine is not None else 0
                if count:
                    logger.info("%d deleted long ago went for good", count)
            except (SQLAlchemyError, TurnTimeoutError, OSError) as error:
                logger.error("the trash cannot be cleared", exc_info=error)
            if self._stopping.wait(EVERY_S):
                return


def file_is_there(database_url: str) -> bool:
    """Return whether a database file exists; a database server is taken to be there."""
    url = read_address(database_url)
    return url.get_backend_name() != "sqlite" or not url.database or Path(url.database).exists()
