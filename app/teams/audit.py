"""The log of who did what to people, rights and shared work. It is only ever added to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from app.db.tables import AuditEntryRow
from app.saved.access import ForbiddenError, Resource, may, require
from app.teams.asking import Asking, whence

AREAS = ("account", "sign_in", "team", "member", "invitation", "token", "share", "review", "work", "catalog")
"""An action is `<area>.<what was done>`, as in member.role_changed."""


def audit(
    session: Session,
    asking: Asking,
    action: str,
    *,
    kind: str = "",
    resource_id: str = "",
    workspace_id: int | None = None,
    **detail: Any,
) -> None:
    """Write down what someone does, in the transaction in which they do it. `detail` must hold no secret."""
    origin = whence()
    if asking.token_id:
        detail["token"] = asking.token_id
    session.add(
        AuditEntryRow(
            account_id=asking.actor.account_id,
            actor=asking.actor.name,
            workspace_id=workspace_id,
            action=action,
            kind=kind,
            resource_id=resource_id,
            detail=detail,
            address=origin.address,
            request_id=origin.request_id,
        )
    )


MOST_ENTRIES = 2**31 - 1
"""Contents of the column: PostgreSQL compares it with no larger number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditQuery:
    """What of the log is asked for; empty is all of it. `before` is where the page before it ended."""

    area: str = ""
    account_id: str = ""
    workspace_id: int | None = None
    before: int | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True)
class AuditPage:
    """Entries, the newest first; `next` is the `before` of the page that follows."""

    entries: Sequence[AuditEntryRow]
    next: int | None


def entries(session: Session, asking: Asking, query: AuditQuery) -> AuditPage:
    """A page of the log: administrators read all of it, owners of teams what was done in theirs.

    Raises
    ------
    ForbiddenError : the caller may read nothing of what is asked for
    """
    rows = select(AuditEntryRow)
    if query.workspace_id is not None:
        rows = rows.where(col(AuditEntryRow.workspace_id) == query.workspace_id)
    if not may_administer(asking):
        rows = rows.where(col(AuditEntryRow.workspace_id).in_(_read_by(asking, query.workspace_id)))
    if query.area:
        rows = rows.where(col(AuditEntryRow.action).startswith(f"{query.area}.", autoescape=True))
    if query.account_id:
        rows = rows.where(col(AuditEntryRow.account_id) == query.account_id)
    if query.before is not None:
        rows = rows.where(col(AuditEntryRow.id) < min(query.before, MOST_ENTRIES))
    found = session.exec(rows.order_by(col(AuditEntryRow.id).desc()).limit(query.limit + 1)).all()
    shown = found[: query.limit]
    return AuditPage(shown, shown[-1].id if len(found) > query.limit else None)


def _read_by(asking: Asking, wanted: int | None) -> list[int]:
    """The workspaces whose log someone may read."""
    if wanted is not None:
        require(asking.actor, "manage", Resource(workspace_id=wanted))
    owned = [id for id in asking.actor.roles if may(asking.actor, "manage", Resource(workspace_id=id))]
    if not owned:
        raise ForbiddenError("The log is for administrators, and for owners of teams.")
    return owned


def may_administer(asking: Asking) -> bool:
    """Return whether someone looks after the accounts of this server; a token needs the scope for it."""
    return asking.actor.is_admin and "manage" in asking.actor.scopes


def require_administrator(asking: Asking) -> None:
    """Nothing, where the caller is an administrator.

    Raises
    ------
    ForbiddenError : they are not, or their token may not manage anything
    """
    if not may_administer(asking):
        raise ForbiddenError("This is for administrators of this server.")
