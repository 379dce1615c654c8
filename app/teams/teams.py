"""Teams: workspaces of several people, each with a role. One owner is always left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from sqlmodel import Session, col, func, select

from app.db.tables import AccountRow, MembershipRow, WorkspaceRow
from app.db.tables.base import now
from app.saved.access import ROLES, Action, ForbiddenError, HiddenError, Resource, Role, may, require
from app.teams.accounts import clean_name
from app.teams.asking import Asking
from app.teams.audit import audit, may_administer, require_administrator
from app.teams.errors import NotThereError, cannot

KEY = re.compile(r"[a-z][a-z0-9-]{1,61}[a-z0-9]")
KEY_WORDS = "A key has 3 to 63 lower-case letters, digits and hyphens, and begins with a letter."


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """Someone in a team."""

    account_id: str
    name: str
    email: str
    role: Role
    since: datetime
    disabled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamInList:
    """A team as lists show it; `role` is that of the caller."""

    id: int
    key: str
    name: str
    members: int
    role: Role | None
    deleted_at: datetime | None


def create(session: Session, asking: Asking, key: str, name: str) -> WorkspaceRow:
    """A team; its creator owns it.

    Raises
    ------
    ForbiddenError : no one with an account asks, or their token may not manage anything
    ScenarioError : key or name cannot be used
    """
    actor = asking.actor
    if actor.account_id is None or "manage" not in actor.scopes:
        raise ForbiddenError("Teams are made by people who are signed in, or by a token that may manage.")
    is_key = KEY.fullmatch(key) is not None
    if not is_key or key.startswith("p-") or key in ("personal", "new"):
        raise cannot(
            f"The key {key} is kept for other uses." if is_key else KEY_WORDS,
            rule="key_syntax",
            field="key",
            hint="It stands in addresses, such as research-lab.",
            stated=not is_key,
        )
    if session.exec(select(WorkspaceRow).where(WorkspaceRow.key == key)).first() is not None:
        raise cannot(
            f"There is a team with the key {key}.", rule="unique", field="key", hint="Choose another."
        )
    team = WorkspaceRow(key=key, name=clean_name(name), kind="team", created_by=actor.account_id)
    session.add(team)
    session.flush()
    session.add(
        MembershipRow(
            workspace_id=team.id or 0, account_id=actor.account_id, role="owner", created_by=actor.account_id
        )
    )
    session.flush()
    _log(session, asking, "team.created", team)
    return team


def team_of(
    session: Session, asking: Asking, key: str, action: Action = "read", *, lock: bool = False
) -> WorkspaceRow:
    """A team, where the caller may do this with it. Administrators may manage the members of every team.

    Raises
    ------
    NotThereError : there is no such team, or they may not know of it
    ForbiddenError : they may not do this
    """
    found = select(WorkspaceRow).where(
        WorkspaceRow.key == key, WorkspaceRow.kind == "team", col(WorkspaceRow.deleted_at).is_(None)
    )
    row = session.exec(found.with_for_update() if lock else found).first()
    missing = NotThereError(f"There is no team {key[:64]!r}.")
    if row is None:
        raise missing
    if not may_administer(asking):
        try:
            require(asking.actor, action, Resource(workspace_id=row.id or 0))
        except HiddenError:
            raise missing from None
    return row


def may_manage(asking: Asking, team: WorkspaceRow) -> bool:
    """Return whether someone may change who is in a team."""
    return may(asking.actor, "manage", Resource(workspace_id=team.id or 0)) or may_administer(asking)


def listed(session: Session, asking: Asking, *, everybodys: bool = False) -> list[TeamInList]:
    """The teams of the caller, by name; with `everybodys` all there are, for administrators.

    Raises
    ------
    ForbiddenError : everybody's are asked for by someone who is no administrator
    """
    counted = (
        select(WorkspaceRow, func.count(col(MembershipRow.account_id)))
        .outerjoin(MembershipRow, col(MembershipRow.workspace_id) == col(WorkspaceRow.id))
        .where(WorkspaceRow.kind == "team")
        .group_by(*WorkspaceRow.__table__.columns)  # type: ignore[attr-defined]
        .order_by(func.lower(col(WorkspaceRow.name)), col(WorkspaceRow.id))
    )
    if everybodys:
        require_administrator(asking)
    else:
        counted = counted.where(
            col(WorkspaceRow.id).in_(list(asking.actor.roles)), col(WorkspaceRow.deleted_at).is_(None)
        )
    return [
        TeamInList(
            id=row.id or 0,
            key=row.key,
            name=row.name,
            members=count,
            role=asking.actor.roles.get(row.id or 0),
            deleted_at=row.deleted_at,
        )
        for row, count in session.exec(counted).all()
    ]


def rename(session: Session, asking: Asking, key: str, name: str) -> WorkspaceRow:
    """Change what a team is called; its key stays, for it is in addresses."""
    team = team_of(session, asking, key, "manage", lock=True)
    team.name = clean_name(name)
    _log(session, asking, "team.renamed", team, name=team.name)
    return team


def delete(session: Session, asking: Asking, key: str) -> None:
    """Put a team away with all its work: no one has a role in it, until an administrator brings it back."""
    team = team_of(session, asking, key, "manage", lock=True)
    team.deleted_at = now()
    _log(session, asking, "team.deleted", team)


def restore(session: Session, asking: Asking, key: str) -> WorkspaceRow:
    """Bring back a team that was deleted, with its members and its work.

    Raises
    ------
    ForbiddenError : the caller is no administrator
    NotThereError : no such team was deleted
    """
    require_administrator(asking)
    found = select(WorkspaceRow).where(WorkspaceRow.key == key, WorkspaceRow.kind == "team").with_for_update()
    team = session.exec(found).first()
    if team is None or team.deleted_at is None:
        raise NotThereError(f"There is no deleted team {key[:64]!r}.")
    team.deleted_at = None
    _log(session, asking, "team.restored", team)
    return team


def members(session: Session, workspace_id: int) -> list[Member]:
    """Who is in a team, owners first, then by name."""
    rows: Sequence[tuple[MembershipRow, AccountRow]] = session.exec(
        select(MembershipRow, AccountRow)
        .join(AccountRow, col(AccountRow.id) == col(MembershipRow.account_id))
        .where(MembershipRow.workspace_id == workspace_id, col(AccountRow.deleted_at).is_(None))
    ).all()
    found = [
        Member(
            account_id=account.id,
            name=account.name,
            email=account.email,
            role=cast(Role, membership.role),
            since=membership.created_at,
            disabled=account.disabled_at is not None,
        )
        for membership, account in rows
    ]
    return sorted(found, key=lambda each: (-ROLES.index(each.role), each.name.casefold(), each.account_id))


def add_member(
    session: Session, asking: Asking, team: WorkspaceRow, account_id: str, role: Role, *, by: str | None
) -> None:
    """Put someone into a team; who is in it already keeps the higher role.

    The right to is asked elsewhere.
    """
    row = session.get(MembershipRow, (team.id, account_id), with_for_update=True)
    if row is None:
        session.add(MembershipRow(workspace_id=team.id or 0, account_id=account_id, role=role, created_by=by))
    elif ROLES.index(cast(Role, row.role)) < ROLES.index(role):
        row.role = role
    else:
        return
    session.flush()
    _log(session, asking, "member.joined", team, member=account_id, role=role)


def set_role(session: Session, asking: Asking, key: str, account_id: str, role: str) -> None:
    """Change the role of a member, from the next request on.

    Raises
    ------
    NotThereError : there is no such team or member
    ScenarioError : there is no such role, or no one would own the team
    """
    team = team_of(session, asking, key, "manage", lock=True)
    wanted = role_named(role)
    row = _membership(session, team, account_id)
    if row.role == wanted:
        return
    if row.role == "owner":
        _refuse_last_owner(session, team, account_id)
    before, row.role = row.role, wanted
    _log(session, asking, "member.role_changed", team, member=account_id, role=wanted, before=before)


def remove_member(session: Session, asking: Asking, key: str, account_id: str) -> None:
    """Take someone out of a team, or leave it oneself; their work in it stays.

    Raises
    ------
    NotThereError : there is no such team or member
    ForbiddenError : it is someone else, and the caller does not own the team
    ScenarioError : no one would own the team
    """
    leaves = asking.actor.account_id == account_id
    if leaves and "manage" not in asking.actor.scopes:
        raise ForbiddenError("This token may not manage anything, and so not leave a team.")
    team = team_of(session, asking, key, "read" if leaves else "manage", lock=True)
    row = _membership(session, team, account_id)
    if row.role == "owner":
        _refuse_last_owner(session, team, account_id)
    session.delete(row)
    session.flush()
    _log(session, asking, "member.left" if leaves else "member.removed", team, member=account_id)


def role_named(role: str) -> Role:
    """A role by its name.

    Raises
    ------
    ScenarioError : there is no such role
    """
    if role not in ROLES:
        raise cannot(
            f"There is no role {role[:40]!r}.", rule="role", field="role", hint=f"Roles: {', '.join(ROLES)}."
        )
    return role


def owners(session: Session, workspace_id: int) -> list[str]:
    """The accounts that own a workspace and can be used."""
    return list(
        session.exec(
            select(MembershipRow.account_id)
            .join(AccountRow, col(AccountRow.id) == col(MembershipRow.account_id))
            .where(
                MembershipRow.workspace_id == workspace_id,
                MembershipRow.role == "owner",
                col(AccountRow.deleted_at).is_(None),
            )
        )
    )


def _membership(session: Session, team: WorkspaceRow, account_id: str) -> MembershipRow:
    row = session.get(MembershipRow, (team.id, account_id))
    if row is None:
        raise NotThereError(f"There is no member {account_id[:40]!r} in {team.name}.")
    return row


def _refuse_last_owner(session: Session, team: WorkspaceRow, account_id: str) -> None:
    # the team is locked by now, so two owners cannot both leave it to the other
    if all(owner == account_id for owner in owners(session, team.id or 0)):
        raise cannot(
            f"{team.name} would have no owner.",
            rule="last_owner",
            field="role",
            hint="Make another member an owner first, or delete the team.",
        )


def _log(session: Session, asking: Asking, action: str, team: WorkspaceRow, **detail: object) -> None:
    audit(session, asking, action, kind="team", resource_id=team.key, workspace_id=team.id, **detail)
