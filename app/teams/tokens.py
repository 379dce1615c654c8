"""Tokens of programs: made with less than what their owner may do, shown once, kept as a hash."""

from __future__ import annotations

import secrets as random
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from app.db.tables import ApiTokenRow, WorkspaceRow
from app.db.tables.base import now
from app.saved.access import ACTIONS, Action, ForbiddenError
from app.teams.accounts import clean_name
from app.teams.asking import Asking
from app.teams.audit import audit
from app.teams.errors import NotThereError, cannot
from app.teams.secrets import Secrets, new_secret

USUAL_DAYS = 90
MOST_DAYS = 366
MOST_TOKENS = 100


def make(
    session: Session,
    asking: Asking,
    secrets: Secrets,
    *,
    name: str,
    scopes: Sequence[str] = (),
    workspace: str = "",
    days: int = USUAL_DAYS,
) -> tuple[ApiTokenRow, str]:
    """A token, and the text of it that is shown once. Every token may read.

    One that is made with another has no more scopes, no other workspace and no longer life than that one.

    Raises
    ------
    ForbiddenError : the caller may make none
    ScenarioError : name, scopes, workspace or days cannot be used
    """
    actor = asking.actor
    if actor.account_id is None or asking.by not in ("browser", "token") or "manage" not in actor.scopes:
        raise ForbiddenError("Tokens are made by people who are signed in, or by a token that may manage.")
    workspace_id = _workspace(asking, workspace)
    if not 1 <= days <= MOST_DAYS:
        raise cannot(
            f"A token lasts 1 to {MOST_DAYS} days.",
            rule="out_of_range",
            field="days",
            hint="Make another one before it ends.",
        )
    wanted = _scopes(actor.scopes, scopes)
    expires_at = now() + timedelta(days=days)
    parent = session.get(ApiTokenRow, asking.token_id) if asking.token_id else None
    if parent is not None:
        expires_at = min(expires_at, parent.expires_at or expires_at)
        workspace_id = parent.workspace_id if parent.workspace_id is not None else workspace_id
    if len(listed(session, actor.account_id)) >= MOST_TOKENS:
        raise cannot(
            f"An account has at most {MOST_TOKENS} tokens.",
            rule="too_many",
            hint="Revoke one that is not used.",
        )
    return _made(
        session, asking, secrets, actor.account_id, clean_name(name), wanted, workspace_id, expires_at
    )


def make_for(
    session: Session,
    asking: Asking,
    secrets: Secrets,
    account_id: str,
    *,
    name: str,
    scopes: Sequence[str],
    workspace_id: int | None,
    days: int,
) -> tuple[ApiTokenRow, str]:
    """A token of someone else, as the local user may make it."""
    if not asking.actor.is_local:
        raise ForbiddenError("Tokens of others are made on the command line of the server.")
    wanted = _scopes(frozenset(ACTIONS), scopes)
    expires_at = now() + timedelta(days=days)
    return _made(session, asking, secrets, account_id, clean_name(name), wanted, workspace_id, expires_at)


def listed(session: Session, account_id: str) -> Sequence[ApiTokenRow]:
    """The tokens of an account that can still be used, the newest first."""
    rows = select(ApiTokenRow).where(
        ApiTokenRow.account_id == account_id,
        col(ApiTokenRow.revoked_at).is_(None),
        col(ApiTokenRow.expires_at) > now(),
    )
    return session.exec(rows.order_by(col(ApiTokenRow.created_at).desc(), col(ApiTokenRow.id))).all()


def revoke(session: Session, asking: Asking, token_id: str) -> None:
    """Revoke an own token; a token may also end itself.

    Raises
    ------
    ForbiddenError : a token that may not manage anything asks for another one
    NotThereError : the caller has no such token
    """
    row = session.get(ApiTokenRow, token_id, with_for_update=True)
    if row is None or row.account_id != asking.actor.account_id or row.revoked_at is not None:
        raise NotThereError(f"You have no token {token_id[:40]!r}.")
    if asking.token_id != token_id and "manage" not in asking.actor.scopes:
        raise ForbiddenError("This token may end itself, but no other.")
    row.revoked_at = now()
    audit(session, asking, "token.revoked", kind="token", resource_id=row.id, workspace_id=row.workspace_id)


def _made(
    session: Session,
    asking: Asking,
    secrets: Secrets,
    account_id: str,
    name: str,
    scopes: list[Action],
    workspace_id: int | None,
    expires_at: datetime,
) -> tuple[ApiTokenRow, str]:
    secret = new_secret()
    row = ApiTokenRow(
        id=random.token_hex(8),
        account_id=account_id,
        workspace_id=workspace_id,
        name=name,
        secret_hash=secrets.hash("token", secret),
        scopes=scopes,
        expires_at=expires_at,
    )
    session.add(row)
    session.flush()
    audit(
        session,
        asking,
        "token.made",
        kind="token",
        resource_id=row.id,
        workspace_id=workspace_id,
        scopes=scopes,
        account=account_id,
    )
    return row, f"pwt_{row.id}.{secret}"


def _scopes(may: frozenset[Action], wanted: Sequence[str]) -> list[Action]:
    """Scopes in the order of the actions, reading always among them."""
    for scope in wanted:
        if scope not in ACTIONS:
            raise cannot(
                f"There is no scope {scope[:40]!r}.",
                rule="scope",
                field="scopes",
                hint=f"Scopes: {', '.join(ACTIONS)}.",
            )
    found = [action for action in ACTIONS if action == "read" or action in wanted]
    beyond = [action for action in found if action not in may]
    if beyond:
        raise cannot(
            f"A token gives no more than what makes it has: it may not {' or '.join(beyond)}.",
            rule="beyond_own_scopes",
            field="scopes",
        )
    return found


def _workspace(asking: Asking, key: str) -> int | None:
    if not key:
        return None
    for workspace in asking.workspaces:
        if workspace.key == key:
            return workspace.id
    raise cannot(
        f"You are in no workspace {key[:64]!r}.",
        rule="workspace",
        field="workspace",
        hint=f"Yours: {', '.join(workspace.key for workspace in asking.workspaces)}.",
    )


def workspace_keys(session: Session, rows: Sequence[ApiTokenRow]) -> dict[int, str]:
    """The keys of the workspaces that tokens are bound to."""
    ids = {row.workspace_id for row in rows if row.workspace_id is not None}
    if not ids:
        return {}
    found = select(WorkspaceRow.id, WorkspaceRow.key).where(col(WorkspaceRow.id).in_(ids))
    return {id or 0: key for id, key in session.exec(found).all()}
