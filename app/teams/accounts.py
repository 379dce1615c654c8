"""Accounts: made, changed, disabled. Each has a workspace of its own; one administrator is always left."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, or_, select

from app.db.tables import PERSONAL_WORKSPACE_ID, AccountRow, MembershipRow, WorkspaceRow
from app.db.tables.base import now
from app.db.tables.saved import new_id
from app.scenarios.fields import BLANKS, UNSEEN, WORDS, matches
from app.teams import signed_in
from app.teams.asking import Asking
from app.teams.audit import audit, require_administrator
from app.teams.errors import NotThereError, cannot

LONGEST_EMAIL = 320
_OF_EMAIL = f"[^@\x00-\x20{UNSEEN}{BLANKS}]+"
EMAIL: Final = f"^ *{_OF_EMAIL}@{_OF_EMAIL} *$"
LONGEST_NAME = 200
PERSONAL_NAME = "Personal"
TAKEN: dict[str, Any] = {
    "message": "There is an account with this address.",
    "rule": "unique",
    "field": "email",
    "hint": "Use another address.",
}
THIS_MACHINE = "This machine"
DELETED_NAME = "Deleted account"


def create(
    session: Session,
    asking: Asking,
    *,
    email: str,
    name: str = "",
    password_hash: str | None = None,
    is_admin: bool = False,
) -> AccountRow:
    """An account and its personal workspace; who may make one is asked by the caller.

    Without a password only the OpenID Connect provider lets its owner in. The first administrator takes over
    the workspace of this machine, with all that was saved before anybody signed in.

    Raises
    ------
    ScenarioError : address or name cannot be used
    """
    address = clean_email(email)
    _refuse_taken(session, address)
    account = AccountRow(
        email=address,
        email_key=email_key(address),
        name=clean_name(name) if name.strip() else address.partition("@")[0],
        password_hash=password_hash,
        is_admin=is_admin,
    )
    session.add(account)
    _flush(session)
    if not (is_admin and _take_over_this_machine(session, account)):
        workspace = WorkspaceRow(
            key=f"p-{new_id()[:8]}", name=PERSONAL_NAME, kind="personal", created_by=account.id
        )
        session.add(workspace)
        session.flush()
        _own(session, workspace.id or 0, account)
    audit(session, asking, "account.created", kind="account", resource_id=account.id, is_admin=is_admin)
    return account


def account_of(session: Session, account_id: str, *, lock: bool = False) -> AccountRow:
    """An account that was not deleted.

    Raises
    ------
    NotThereError : there is none
    """
    row = session.get(AccountRow, account_id, with_for_update=lock or None)
    if row is None or row.deleted_at is not None:
        raise NotThereError(f"There is no account {account_id[:40]!r}.")
    return row


def by_email(session: Session, email: str) -> AccountRow | None:
    """The account of an address, whatever its case."""
    return session.exec(select(AccountRow).where(AccountRow.email_key == email_key(email))).first()


def listed(session: Session, *, search: str = "", after: str = "", limit: int = 50) -> Sequence[AccountRow]:
    """Accounts in the order of their addresses; `after` is the last address of the page before."""
    rows = select(AccountRow).where(col(AccountRow.deleted_at).is_(None))
    if search:
        wanted = email_key(search)
        name = func.lower(col(AccountRow.name)).contains(search.strip().lower(), autoescape=True)
        rows = rows.where(or_(col(AccountRow.email_key).contains(wanted, autoescape=True), name))
    if after:
        rows = rows.where(col(AccountRow.email_key) > email_key(after))
    return session.exec(rows.order_by(col(AccountRow.email_key)).limit(limit)).all()


def rename(session: Session, asking: Asking, account_id: str, name: str) -> None:
    """Change what someone is called.

    Raises
    ------
    ScenarioError : the name cannot be used
    """
    account = account_of(session, account_id, lock=True)
    wanted = clean_name(name)
    if wanted != account.name:
        account.name = wanted
        audit(session, asking, "account.renamed", kind="account", resource_id=account.id)


def change_email(session: Session, asking: Asking, account_id: str, email: str) -> None:
    """Change the address with which someone signs in.

    Raises
    ------
    ScenarioError : it cannot be used, or is someone else's
    """
    account = account_of(session, account_id, lock=True)
    address = clean_email(email)
    if address == account.email:
        return
    if email_key(address) != account.email_key:
        _refuse_taken(session, address)
    account.email, account.email_key = address, email_key(address)
    _flush(session)
    audit(session, asking, "account.email_changed", kind="account", resource_id=account.id)


def set_password(
    session: Session, asking: Asking, account_id: str, password_hash: str, *, stay: str = ""
) -> None:
    """Give an account another password; it is signed out everywhere but in the browser that asks (`stay`)."""
    account_of(session, account_id, lock=True).password_hash = password_hash
    signed_in.end_others(session, account_id, but=stay)
    audit(session, asking, "account.password_changed", kind="account", resource_id=account_id)


def set_administrator(session: Session, asking: Asking, account_id: str, is_admin: bool) -> None:
    """Say whether an account looks after this server.

    Raises
    ------
    ForbiddenError : the caller is no administrator
    ScenarioError : it is the last one
    """
    require_administrator(asking)
    account = account_of(session, account_id, lock=True)
    if account.is_admin == is_admin:
        return
    if not is_admin:
        refuse_last_administrator(session, account)
    account.is_admin = is_admin
    if is_admin:
        _take_over_this_machine(session, account)
    action = "account.made_administrator" if is_admin else "account.no_longer_administrator"
    audit(session, asking, action, kind="account", resource_id=account.id)


def disable(session: Session, asking: Asking, account_id: str) -> None:
    """Lock an account: signed out everywhere, tokens refused. Its work stays.

    Raises
    ------
    ForbiddenError : the caller is no administrator
    ScenarioError : it is the last administrator
    """
    require_administrator(asking)
    account = account_of(session, account_id, lock=True)
    if account.disabled_at is None:
        refuse_last_administrator(session, account)
        account.disabled_at = now()
        signed_in.end_others(session, account_id)
        audit(session, asking, "account.disabled", kind="account", resource_id=account_id)


def enable(session: Session, asking: Asking, account_id: str) -> None:
    """Unlock an account.

    Raises
    ------
    ForbiddenError : the caller is no administrator
    """
    require_administrator(asking)
    account = account_of(session, account_id, lock=True)
    if account.disabled_at is not None:
        account.disabled_at = None
        audit(session, asking, "account.enabled", kind="account", resource_id=account_id)


def refuse_last_administrator(session: Session, account: AccountRow) -> None:
    """Nothing, where someone else can manage accounts as well.

    Raises
    ------
    ScenarioError : no one else can
    """
    if not account.is_admin or account.disabled_at is not None:
        return
    usable = (
        select(AccountRow)
        .where(
            col(AccountRow.is_admin),
            col(AccountRow.disabled_at).is_(None),
            col(AccountRow.deleted_at).is_(None),
        )
        .order_by(col(AccountRow.id))
        .with_for_update()  # two who leave at once must not both see the other
    )
    if all(other.id == account.id for other in session.exec(usable).all()):
        raise cannot(
            f"{account.name} is the last administrator.",
            rule="last_administrator",
            hint="Make another account an administrator first.",
        )


def email_key(email: str) -> str:
    """An address whatever its case.

    >>> email_key(" Ada@Example.org ")
    'ada@example.org'
    """
    return unicodedata.normalize("NFKC", email.strip()).casefold()


def clean_email(email: str) -> str:
    """An address as it is kept.

    Raises
    ------
    ScenarioError : it is none
    """
    address = email.strip()
    if len(address) > LONGEST_EMAIL or not matches(EMAIL, address):
        raise cannot(
            "This is no address of mail.",
            rule="email",
            field="email",
            hint="Write it as name@example.org.",
            stated=True,
        )
    return address


def clean_name(name: str) -> str:
    """Name of someone, in one line.

    Raises
    ------
    ScenarioError : it is empty, too long or not printable
    """
    wanted = " ".join(name.split())
    if len(wanted) > LONGEST_NAME or not matches(WORDS, wanted):
        raise cannot(
            f"A name has 1 to {LONGEST_NAME} printable characters.",
            rule="plain_text",
            field="name",
            stated=True,
        )
    return wanted


def _refuse_taken(session: Session, email: str) -> None:
    if by_email(session, email) is not None:
        raise cannot(**TAKEN)


def _flush(session: Session) -> None:
    try:
        session.flush()
    except IntegrityError:  # someone else was given the address at this moment
        raise cannot(**TAKEN) from None


def _own(session: Session, workspace_id: int, account: AccountRow) -> None:
    session.add(
        MembershipRow(workspace_id=workspace_id, account_id=account.id, role="owner", created_by=account.id)
    )
    session.flush()


def _take_over_this_machine(session: Session, account: AccountRow) -> bool:
    """Give the workspace of this machine to an account, where it is no one's; whether it did."""
    machine = session.get(WorkspaceRow, PERSONAL_WORKSPACE_ID, with_for_update=True)
    taken = select(MembershipRow).where(MembershipRow.workspace_id == PERSONAL_WORKSPACE_ID)
    if machine is None or session.exec(taken).first() is not None:
        return False
    if session.exec(select(MembershipRow).where(MembershipRow.account_id == account.id)).first() is not None:
        machine.name = THIS_MACHINE  # they have one called Personal
    _own(session, PERSONAL_WORKSPACE_ID, account)
    return True
