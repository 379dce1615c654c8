"""Signing in with address and password: the same answer, after the same time, for every kind of refusal."""

from __future__ import annotations

from sqlmodel import Session

from app.db.tables import AccountRow
from app.db.tables.base import now
from app.saved.access import Actor
from app.teams import passwords, signed_in
from app.teams.accounts import by_email, email_key
from app.teams.asking import Asking, whence
from app.teams.audit import audit
from app.teams.errors import SignInError, cannot
from app.teams.people import People
from app.teams.throttle import begin_attempt, succeeded

NO_ENTRY = "Address and password do not belong together."
DISABLED = "This account is disabled. Ask an administrator of this server."


def sign_in(people: People, email: str, password: str, *, instead_of: str = "") -> str:
    """Sign in with a password; the secret that the browser's cookie is to hold.

    Raises
    ------
    ThrottledError : too many attempts failed, or too many people sign in at once
    SignInError : they do not belong together, or the account cannot be used
    """
    account, better = _proven(people, email_key(email), password)
    if account is None:
        raise SignInError(NO_ENTRY)
    if account.disabled_at is not None:
        raise SignInError(DISABLED)
    with people.writing() as session:
        if better is not None:
            _keep(session, account.id, better)
        return enter(session, people, account, "password", instead_of=instead_of)


def enter(session: Session, people: People, account: AccountRow, method: str, *, instead_of: str = "") -> str:
    """Sign in someone who has proven who they are."""
    row = session.get(AccountRow, account.id)
    if row is None or row.disabled_at is not None or row.deleted_at is not None:
        raise SignInError(DISABLED)
    row.last_seen_at = now()
    audit(session, asking_of(account), "sign_in.began", kind="account", resource_id=account.id, method=method)
    return signed_in.begin(session, people.secrets, account.id, method, instead_of=instead_of)


def require_password(people: People, account: AccountRow, password: str, *, field: str = "password") -> None:
    """Nothing, where this is the password of an account: asked before what cannot be taken back.

    Raises
    ------
    ThrottledError : too many attempts failed, or too many people sign in at once
    ScenarioError : it is not
    """
    if account.password_hash is None:
        return  # the provider knows who they are, and they are signed in
    proven, better = _proven(people, account.email_key, password)
    if proven is None:
        raise cannot("This is not the password of your account.", rule="wrong_password", field=field)
    if better is not None:
        with people.writing() as session:
            _keep(session, account.id, better)


def asking_of(account: AccountRow) -> Asking:
    """An account that is about to be signed in, for the log."""
    return Asking(actor=Actor(name=account.name, account_id=account.id), by="browser")


def _proven(people: People, key: str, password: str) -> tuple[AccountRow | None, str | None]:
    """The account whose password this is, and a better hash of it where there is one."""
    with passwords.room_to_sign_in():
        address = whence().address
        with people.writing() as session:
            begin_attempt(session, people.secrets, key, address)
        with people.reading() as session:
            account = by_email(session, key)
        right, better = passwords.verified(password, account.password_hash if account else None)
        if account is None or not right:
            with people.writing() as session:
                # no one is known by it, and what was typed as an address may be a password
                audit(
                    session,
                    Asking(),
                    "sign_in.failed",
                    kind="account",
                    resource_id=account.id if account else "",
                )
            return None, None
        with people.writing() as session:
            succeeded(session, people.secrets, key, address)
        return account, better


def _keep(session: Session, account_id: str, password_hash: str) -> None:
    row = session.get(AccountRow, account_id, with_for_update=True)
    if row is not None:
        row.password_hash = password_hash
