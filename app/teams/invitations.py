"""Invitations: a link that is passed on by hand, and lets one person into a team once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, cast

from sqlmodel import Session, col, select

from app.db.tables import AccountRow, InvitationRow, WorkspaceRow
from app.db.tables.base import now
from app.saved.access import ForbiddenError, Role
from app.teams.accounts import account_of, clean_email, email_key
from app.teams.asking import Asking
from app.teams.audit import audit
from app.teams.errors import NotThereError, cannot
from app.teams.names import names_of
from app.teams.secrets import Secrets, new_secret
from app.teams.teams import add_member, role_named, team_of

VALID = timedelta(days=7)

State = Literal["open", "accepted", "revoked", "expired"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """An invitation as anyone who has it sees it."""

    id: str
    team_key: str
    team: str
    role: Role
    email: str
    invited_by: str
    expires_at: datetime
    state: State


def invite(
    session: Session, asking: Asking, secrets: Secrets, key: str, role: str, email: str = ""
) -> tuple[InvitationRow, str]:
    """An invitation into a team, and the secret of its link, which is kept nowhere.

    Raises
    ------
    NotThereError, ForbiddenError : there is no such team, or the caller does not own it
    ScenarioError : role or address cannot be used
    """
    team = team_of(session, asking, key, "manage")
    secret = new_secret()
    row = InvitationRow(
        workspace_id=team.id or 0,
        email=clean_email(email) if email.strip() else "",
        role=role_named(role),
        secret_hash=secrets.hash("invitation", secret),
        created_by=asking.actor.account_id,
        expires_at=now() + VALID,
    )
    session.add(row)
    session.flush()
    _log(session, asking, "invitation.made", row, role=row.role)
    return row, secret


def waiting(session: Session, workspace_id: int) -> Sequence[InvitationRow]:
    """The invitations into a team that can still be accepted, the newest first."""
    rows = select(InvitationRow).where(
        InvitationRow.workspace_id == workspace_id,
        col(InvitationRow.accepted_at).is_(None),
        col(InvitationRow.revoked_at).is_(None),
        col(InvitationRow.expires_at) > now(),
    )
    return session.exec(rows.order_by(col(InvitationRow.created_at).desc(), col(InvitationRow.id))).all()


def revoke(session: Session, asking: Asking, key: str, invitation_id: str) -> None:
    """Revoke an invitation.

    Raises
    ------
    NotThereError : there is no such team or invitation
    ScenarioError : it was accepted already
    """
    team = team_of(session, asking, key, "manage")
    row = session.get(InvitationRow, invitation_id, with_for_update=True)
    if row is None or row.workspace_id != team.id:
        raise NotThereError(f"There is no invitation {invitation_id[:40]!r}.")
    if row.accepted_at is not None:
        raise cannot(
            "This invitation was accepted.", rule="accepted", hint="Remove the member from the team instead."
        )
    if row.revoked_at is None:
        row.revoked_at = now()
        _log(session, asking, "invitation.revoked", row)


def opened(session: Session, secrets: Secrets, secret: str) -> Invitation:
    """The invitation of a link.

    Raises
    ------
    NotThereError : there is none, or its team was deleted
    """
    row, team = _found(session, secrets, secret)
    return Invitation(
        id=row.id,
        team_key=team.key,
        team=team.name,
        role=cast(Role, row.role),
        email=row.email,
        invited_by=names_of(session, [row.created_by]).get(row.created_by or "", ""),
        expires_at=row.expires_at,
        state=_state(row),
    )


def accept(session: Session, asking: Asking, secrets: Secrets, secret: str) -> WorkspaceRow:
    """Join the team of an invitation, as the caller.

    Raises
    ------
    NotThereError : there is no such invitation
    ForbiddenError : no one is signed in in a browser
    ScenarioError : it was used, revoked or has expired, or is for someone else
    """
    if asking.actor.account_id is None or asking.by != "browser":
        raise ForbiddenError("Sign in to accept the invitation.")
    row, team = _found(session, secrets, secret, lock=True)
    account = account_of(session, asking.actor.account_id)
    _refuse_unless_for(row, account)
    row.accepted_at, row.accepted_by = now(), account.id
    _log(session, asking, "invitation.accepted", row)
    add_member(session, asking, team, account.id, cast(Role, row.role), by=row.created_by)
    return team


def _found(
    session: Session, secrets: Secrets, secret: str, *, lock: bool = False
) -> tuple[InvitationRow, WorkspaceRow]:
    found = select(InvitationRow).where(InvitationRow.secret_hash == secrets.hash("invitation", secret))
    row = session.exec(found.with_for_update() if lock else found).first()
    team = session.get(WorkspaceRow, row.workspace_id) if row else None
    if row is None or team is None or team.deleted_at is not None:
        raise NotThereError("There is no such invitation. A letter of the link may be missing.")
    return row, team


def _refuse_unless_for(row: InvitationRow, account: AccountRow) -> None:
    words = {
        "accepted": "This invitation was used already.",
        "revoked": "This invitation was taken back.",
        "expired": f"This invitation was valid until {row.expires_at:%Y-%m-%d}.",
    }
    state = _state(row)
    if state != "open":
        raise cannot(words[state], rule=state, hint="Ask an owner of the team for another one.")
    if row.email and email_key(row.email) != account.email_key:
        raise cannot(
            f"This invitation is for {row.email}, and you are signed in as {account.email}.",
            rule="for_another",
            hint="Sign in with that address, or ask an owner of the team for another invitation.",
        )


def _state(row: InvitationRow) -> State:
    if row.accepted_at is not None:
        return "accepted"
    if row.revoked_at is not None:
        return "revoked"
    return "open" if row.expires_at > now() else "expired"


def _log(session: Session, asking: Asking, action: str, row: InvitationRow, **detail: object) -> None:
    audit(
        session,
        asking,
        action,
        kind="invitation",
        resource_id=row.id,
        workspace_id=row.workspace_id,
        **detail,
    )
