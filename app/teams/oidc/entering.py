"""From what a provider says of someone to their account. No one gets an account of another by an address.

An account is known by issuer and subject. Where these are new, in this order:

1. someone is signed in and asked to connect: their account gets the identity;
2. an account with this address has no password and no identity: an administrator made it to be found so;
3. someone has an invitation, or is in a group that has a team: they get a new account;
4. no one else gets in.

2 and 3 need an address which the provider says is verified, and 3 one that no account has.
"""

from __future__ import annotations

from typing import cast

from sqlmodel import Session, col, select

from app.db.tables import AccountIdentityRow, AccountRow, MembershipRow, WorkspaceRow
from app.saved.access import ROLES, Role
from app.teams import accounts
from app.teams.asking import Asking
from app.teams.audit import audit
from app.teams.errors import SignInError
from app.teams.oidc.provider import Claims
from app.teams.signing_in import asking_of
from app.teams.teams import owners

BY_GROUP = "oidc"
"""In place of an account, as what made a membership."""

NO_ACCOUNT = (
    "There is no account for you here. Ask an administrator, or an owner of a team for an invitation."
)
NOT_VERIFIED = (
    "The provider does not say that your address is verified, so no account can be found or made by it."
)
CONNECT_FIRST = (
    "There is an account with this address. Sign in with its password, and connect it under Account."
)
OTHERS = "This identity belongs to another account."


def entered(
    session: Session, claims: Claims, rules: list[tuple[str, str, str]], *, invited: bool = False
) -> AccountRow:
    """The account of someone who comes from the provider, with the roles that their groups have.

    Raises
    ------
    SignInError : they have none, and get none
    """
    identity = session.get(AccountIdentityRow, (claims.issuer, claims.subject))
    if identity is not None:
        account = session.get(AccountRow, identity.account_id)
        if account is None or account.deleted_at is not None or account.disabled_at is not None:
            raise SignInError("This account is disabled. Ask an administrator of this server.")
    else:
        account = _new(session, claims, rules, invited)
    _keep_in_step(session, account, claims, rules)
    return account


def connect(session: Session, asking: Asking, claims: Claims) -> None:
    """From now on the provider lets the account of the caller in.

    Raises
    ------
    SignInError : the identity belongs to another account
    """
    account = accounts.account_of(session, asking.actor.account_id or "")
    identity = session.get(AccountIdentityRow, (claims.issuer, claims.subject))
    if identity is not None and identity.account_id != account.id:
        raise SignInError(OTHERS)
    if identity is None:
        _add(session, asking, account, claims)


def _new(session: Session, claims: Claims, rules: list[tuple[str, str, str]], invited: bool) -> AccountRow:
    if not claims.email:
        raise SignInError(NOT_VERIFIED)
    account = accounts.by_email(session, claims.email)
    if account is not None:
        known = select(AccountIdentityRow).where(AccountIdentityRow.account_id == account.id)
        if account.password_hash is not None or session.exec(known).first() is not None:
            raise SignInError(CONNECT_FIRST)
        if account.disabled_at is not None:
            raise SignInError("This account is disabled. Ask an administrator of this server.")
    elif invited or _wanted(session, claims, rules):
        account = accounts.create(session, Asking(), email=claims.email, name=claims.name)
    else:
        raise SignInError(NO_ACCOUNT)
    _add(session, asking_of(account), account, claims)
    return account


def _add(session: Session, asking: Asking, account: AccountRow, claims: Claims) -> None:
    session.add(AccountIdentityRow(issuer=claims.issuer, subject=claims.subject, account_id=account.id))
    session.flush()
    audit(session, asking, "account.connected", kind="account", resource_id=account.id, issuer=claims.issuer)


def _wanted(session: Session, claims: Claims, rules: list[tuple[str, str, str]]) -> dict[int, Role]:
    """The highest role that someone's groups give in each team; teams that are not there give none."""
    found: dict[int, Role] = {}
    for group, key, role in rules:
        team = session.exec(
            select(WorkspaceRow).where(
                WorkspaceRow.key == key, WorkspaceRow.kind == "team", col(WorkspaceRow.deleted_at).is_(None)
            )
        ).first()
        if team is None or team.id is None or group not in claims.groups:
            continue
        roles = [found[team.id], cast(Role, role)] if team.id in found else [cast(Role, role)]
        found[team.id] = max(roles, key=ROLES.index)
    return found


def _keep_in_step(
    session: Session, account: AccountRow, claims: Claims, rules: list[tuple[str, str, str]]
) -> None:
    """Roles that groups gave follow the groups; those that people gave stay as they are."""
    wanted = _wanted(session, claims, rules)
    rows = session.exec(select(MembershipRow).where(MembershipRow.account_id == account.id)).all()
    present = {row.workspace_id: row for row in rows}
    for workspace_id, role in wanted.items():
        if workspace_id not in present:
            session.add(
                MembershipRow(
                    workspace_id=workspace_id, account_id=account.id, role=role, created_by=BY_GROUP
                )
            )
            _log(session, account, "member.joined", workspace_id, role)
    for workspace_id, row in present.items():
        if row.created_by != BY_GROUP or row.role == wanted.get(workspace_id):
            continue
        if row.role == "owner" and owners(session, workspace_id) == [account.id]:
            continue  # a team is not left without an owner
        if workspace_id in wanted:
            row.role = wanted[workspace_id]
            _log(session, account, "member.role_changed", workspace_id, row.role)
        else:
            session.delete(row)
            _log(session, account, "member.left", workspace_id, row.role)
    session.flush()


def _log(session: Session, account: AccountRow, action: str, workspace_id: int, role: str) -> None:
    audit(
        session,
        asking_of(account),
        action,
        kind="team",
        workspace_id=workspace_id,
        member=account.id,
        role=role,
        by=BY_GROUP,
    )
