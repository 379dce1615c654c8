"""Browsers that are signed in: begun with a secret of their own, listed, and signed out from anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, delete, select

from app.db.tables import SignInRow
from app.db.tables.base import now
from app.teams.asking import whence
from app.teams.secrets import Secrets, new_secret

UNUSED = timedelta(days=14)
LONGEST = timedelta(days=90)


def until(begun: datetime, used: datetime) -> datetime:
    """When a sign-in ends that was last used at a moment.

    >>> from datetime import UTC
    >>> day = datetime(2026, 1, 1, tzinfo=UTC)
    >>> (until(day, day) - day).days, (until(day, day + timedelta(days=89)) - day).days
    (14, 90)
    """
    return min(begun + LONGEST, used + UNUSED)


def begin(session: Session, secrets: Secrets, account_id: str, method: str, *, instead_of: str = "") -> str:
    """Sign a browser in; the secret that its cookie is to hold.

    It is new every time, so that no one can sign in another with a secret that they know. `instead_of` is the
    hash of the sign-in that the browser had before, which ends.
    """
    secret, moment, origin = new_secret(), now(), whence()
    session.exec(delete(SignInRow).where(col(SignInRow.expires_at) <= moment))
    if instead_of:
        session.exec(delete(SignInRow).where(col(SignInRow.secret_hash) == instead_of))
    session.add(
        SignInRow(
            secret_hash=secrets.hash("sign-in", secret),
            account_id=account_id,
            method=method,
            browser=origin.browser,
            address=origin.address,
            created_at=moment,
            last_used_at=moment,
            expires_at=until(moment, moment),
        )
    )
    return secret


def signed_in(session: Session, account_id: str) -> Sequence[SignInRow]:
    """The browsers in which an account is signed in, the one used last first."""
    rows = select(SignInRow).where(col(SignInRow.account_id) == account_id, col(SignInRow.expires_at) > now())
    return session.exec(rows.order_by(col(SignInRow.last_used_at).desc(), col(SignInRow.secret_hash))).all()


def end(session: Session, account_id: str, secret_hash: str) -> bool:
    """Sign one browser of an account out; whether it was signed in."""
    return _end(session, account_id, col(SignInRow.secret_hash) == secret_hash)


def end_others(session: Session, account_id: str, but: str = "") -> None:
    """Sign an account out everywhere, but in the browser that asks."""
    _end(session, account_id, col(SignInRow.secret_hash) != but)


def _end(session: Session, account_id: str, which: Any) -> bool:
    gone = session.exec(delete(SignInRow).where(col(SignInRow.account_id) == account_id, which))
    return bool(gone.rowcount)
