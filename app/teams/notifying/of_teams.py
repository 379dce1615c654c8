"""Webhooks that teams set themselves: mentions and changes of state of their work are posted to them too."""

from __future__ import annotations

import secrets
from typing import Any
from urllib.parse import urlsplit

from sqlmodel import Session

from app.db.tables import TeamWebhookRow
from app.db.tables.base import now
from app.db.tables.saved import new_id
from app.settings import Settings
from app.teams.asking import Asking
from app.teams.audit import audit
from app.teams.errors import NotThereError, cannot
from app.teams.notifying.webhook import DeliveryError, post_webhook
from app.teams.teams import team_of

LONGEST_URL = 500
SECRET_BYTES = 32


def set_webhook(session: Session, asking: Asking, settings: Settings, key: str, url: str) -> TeamWebhookRow:
    """The webhook of a team at an address, with a new secret.

    Raises
    ------
    ForbiddenError, NotThereError : the caller may not manage the team, or there is none
    ScenarioError : the address cannot be posted to
    """
    team = team_of(session, asking, key, "manage", lock=True)
    url = url.strip()
    host = _host(url)
    if not host or len(url) > LONGEST_URL:
        raise cannot(
            "This is no address that begins with https:// and names a host.", rule="https", field="url",
            hint="Such as https://chat.example.org/hooks/pods, at most 500 characters.",
        )  # fmt: skip
    if settings.webhook_hosts_allowed and host not in settings.webhook_hosts_allowed:
        raise cannot(
            f"News may not be posted to {host[:100]}.", rule="host", field="url",
            hint=f"This server allows {', '.join(settings.webhook_hosts_allowed)}; its administrator may add others.",
        )  # fmt: skip
    row = webhook_of(session, team.id or 0) or TeamWebhookRow(workspace_id=team.id or 0, url="", secret="")
    row.url, row.secret = url, secrets.token_urlsafe(SECRET_BYTES)
    row.created_by, row.created_at = asking.actor.account_id, now()
    session.add(row)
    audit(session, asking, "team.webhook_set", workspace_id=team.id, host=host)
    session.flush()
    return row


def remove_webhook(session: Session, asking: Asking, key: str) -> None:
    """Remove the webhook of a team; waiting messages are dropped."""
    team = team_of(session, asking, key, "manage", lock=True)
    row = webhook_of(session, team.id or 0)
    if row is not None:
        session.delete(row)
        audit(session, asking, "team.webhook_removed", workspace_id=team.id)


def managed_webhook(session: Session, asking: Asking, key: str) -> TeamWebhookRow:
    """The webhook of a team, for those who may change it and send a test there.

    Raises
    ------
    ForbiddenError, NotThereError : the caller may not manage the team, or there is no team or no webhook
    """
    team = team_of(session, asking, key, "manage")
    row = webhook_of(session, team.id or 0)
    if row is None:
        raise NotThereError(f"The team {key[:64]!r} has no webhook.")
    return row


def webhook_of(session: Session, workspace_id: int) -> TeamWebhookRow | None:
    return session.get(TeamWebhookRow, workspace_id)


def send_test(settings: Settings, row: TeamWebhookRow, *, team: str, by: str) -> str:
    """Post a test; why it was not taken, "" where it was."""
    content = {
        "event": "tested", "by": by, "text": "", "says": f"{by} tests the webhook of the team {team}.",
        "at": now().isoformat(), "address": f"{settings.public_url}/teams/{team}",
    }  # fmt: skip
    try:
        post_for_team(settings, row.url, row.secret, new_id(), content)
    except DeliveryError as error:
        return str(error)
    return ""


def post_for_team(settings: Settings, url: str, secret: str, id: str, content: dict[str, Any]) -> None:
    """Post to the webhook of a team: a private address only where the server allows its host by name.

    Raises
    ------
    DeliveryError : it was not taken, or the host is not allowed any more
    """
    host, allowed = _host(url), settings.webhook_hosts_allowed
    if allowed and host not in allowed:
        raise DeliveryError(f"News may not be posted to {host} any more.")
    post_webhook(url, secret, id, content, private_addresses=host in allowed)


def _host(url: str) -> str:
    """The host of an address of HTTPS; "" of any other.

    >>> _host("https://Chat.example.org:8443/x"), _host("http://chat.example.org"), _host("https://a:b@c.org")
    ('chat.example.org', '', '')
    """
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return ""
    if parts.scheme != "https" or parts.username is not None or any(sign.isspace() for sign in url):
        return ""
    return (parts.hostname or "").lower()
