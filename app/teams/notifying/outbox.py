"""Outbox of notifications, written in the transaction that they report: they are sent only if it is
committed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Literal

from sqlmodel import Session

from app.db.tables import NotificationRow, TeamWebhookRow
from app.saved.records import Kind
from app.saved.rows import HeadRow

Event = Literal["mentioned", "reviewed"]


def path_of(kind: Kind, id: str) -> str:
    """The page of something saved, on this server.

    >>> path_of("study", "ab"), path_of("pod", "cd")
    ('/studies/ab', '/saved/pod/cd')
    """
    shelves = {"scenario": "/designs", "projection": "/scaling", "study": "/studies", "fleet": "/fleet/saved"}
    return f"{shelves.get(kind, f'/saved/{kind}')}/{id}"


def tell_webhook(
    session: Session, channels: Collection[str], head: HeadRow, event: Event, content: dict[str, Any]
) -> None:
    """Tell the webhook of the server and that of the team, where there is one."""
    if "webhook" in channels:
        _add(session, head, "webhook", "", event, content)
    if session.get(TeamWebhookRow, head.workspace_id) is not None:
        _add(session, head, "team_webhook", "", event, content)


def tell_people(
    session: Session,
    channels: Collection[str],
    head: HeadRow,
    event: Event,
    content: dict[str, Any],
    account_ids: Iterable[str],
) -> None:
    """Tell accounts by mail, where the server sends any. Their addresses are looked up when it is sent."""
    if "mail" in channels:
        for account_id in sorted(account_ids):
            _add(session, head, "mail", account_id, event, content)


def _add(
    session: Session, head: HeadRow, channel: str, recipient: str, event: Event, content: dict[str, Any]
) -> None:
    session.add(
        NotificationRow(
            workspace_id=head.workspace_id,
            saved_id=head.id,
            channel=channel,
            recipient=recipient,
            event=event,
            content=content,
        )
    )
