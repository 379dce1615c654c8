"""Sends waiting notifications in a thread of the server; failed ones are tried again after growing pauses."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from app.db.session import read_session, write_session
from app.db.tables import AccountRow, NotificationRow, TeamWebhookRow, table_of
from app.db.tables.base import now
from app.db.turns import TurnTimeoutError
from app.settings import Settings
from app.teams.notifying.mail import send_mail
from app.teams.notifying.of_teams import post_for_team
from app.teams.notifying.webhook import DeliveryError, post_webhook

logger = logging.getLogger(__name__)

EVERY_S = 5.0
AT_ONCE = 50
LEASE = timedelta(minutes=2)
"""Time for which one process owns a message; longer than a try."""
WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480))
"""Pauses after failed tries; a message is dropped after one more failure."""
KEPT_FOR = timedelta(days=30)
NEWS = table_of(NotificationRow)


class Place(NamedTuple):
    """Where a message goes: a mail address, or a webhook with what signs; "" where there is none any more."""

    address: str
    secret: str = ""


Send = Callable[[Settings, NotificationRow, Place], None]


def send_due(engine: Engine, settings: Settings, send: Send | None = None) -> int:
    """Try every message whose time has come; how many were taken."""
    with read_session(engine) as session:
        due = session.exec(
            select(NotificationRow)
            .where(col(NotificationRow.done_at).is_(None), col(NotificationRow.next_try_at) <= now())
            .order_by(col(NotificationRow.next_try_at), col(NotificationRow.id))
            .limit(AT_ONCE)
        ).all()
        places = {row.id: _place(session, row) for row in due}
    return sum(_tried(engine, settings, row, places[row.id], send or deliver) for row in due)


def deliver(settings: Settings, row: NotificationRow, to: Place) -> None:
    """Send one message.

    Raises
    ------
    DeliveryError : it was not taken
    """
    place = f"{settings.public_url}{row.content['path']}"
    content = {**row.content, "event": row.event, "at": row.created_at.isoformat(), "address": place}
    if row.channel == "webhook":
        if not settings.webhook_url:
            raise DeliveryError("The server has no webhook any more.")
        post_webhook(
            settings.webhook_url,
            settings.webhook_secret.get_secret_value(),
            row.id,
            content,
            private_addresses=settings.webhook_private_addresses,
        )
    elif row.channel == "team_webhook":
        if not to.address:
            raise DeliveryError("The team has no webhook any more.")
        post_for_team(settings, to.address, to.secret, row.id, content)
    elif not to.address or not settings.smtp_host:
        raise DeliveryError("There is no address to send it to, or no mail server any more.")
    else:
        says = row.content["says"]
        text = "\n\n".join(part for part in (says, row.content.get("text", ""), place) if part)
        send_mail(settings, to.address, says, f"{text}\n")


def _tried(engine: Engine, settings: Settings, row: NotificationRow, to: Place, send: Send) -> bool:
    if not _claimed(engine, row):
        return False  # another process has it
    error = ""
    try:
        send(settings, row, to)
    except DeliveryError as fault:
        error = str(fault)[:500]
        logger.warning("news %s were not sent, try %d: %s", row.id, row.attempts + 1, error)
    _write(engine, row, error)
    return not error


def _claimed(engine: Engine, row: NotificationRow) -> bool:
    with write_session(engine) as session:
        claim = (
            sa.update(NEWS)
            .where(NEWS.c.id == row.id, NEWS.c.attempts == row.attempts, NEWS.c.done_at.is_(None))
            .values(attempts=row.attempts + 1, next_try_at=now() + LEASE)
        )
        found: Any = session.execute(claim)
        return bool(found.rowcount == 1)


def _write(engine: Engine, row: NotificationRow, error: str) -> None:
    values: dict[str, Any] = {"error": error}
    if not error or row.attempts >= len(WAITS):
        values["done_at"] = now()
    else:
        values["next_try_at"] = now() + WAITS[row.attempts]
    with write_session(engine) as session:
        session.execute(sa.update(NEWS).where(NEWS.c.id == row.id).values(**values))


def _place(session: Session, row: NotificationRow) -> Place:
    """Of the webhook of a team, or the account that a mail is for, where it has an address and can sign
    in."""
    if row.channel == "team_webhook":
        hook = session.get(TeamWebhookRow, row.workspace_id)
        return Place(hook.url, hook.secret) if hook else Place("")
    account = session.get(AccountRow, row.recipient) if row.channel == "mail" else None
    if account is None or account.deleted_at is not None or account.disabled_at is not None:
        return Place("")
    return Place(account.email)


def clear_sent(engine: Engine) -> None:
    """Forget what was sent or given up long ago."""
    with write_session(engine) as session:
        session.execute(NEWS.delete().where(NEWS.c.done_at < now() - KEPT_FOR))


class Notifier:
    """One thread a process. `engine` gives None where there is no database yet."""

    def __init__(self, engine: Callable[[], Engine | None], settings: Settings) -> None:
        self._engine = engine
        self._settings = settings
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="news", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout=15)

    def _run(self) -> None:
        cleared = False
        while not self._stopping.wait(EVERY_S):
            try:
                engine = self._engine()
                if engine is None:
                    continue
                if not cleared:
                    clear_sent(engine)
                    cleared = True
                send_due(engine, self._settings)
            except (SQLAlchemyError, TurnTimeoutError, OSError) as error:
                logger.error("news cannot be sent, and are tried again", exc_info=error)
