"""Whether a server may be started as it is set up: never open to others without a secret and an administrator."""

from __future__ import annotations

from sqlalchemy import Engine
from sqlmodel import col, func, select

from app.db.session import read_session
from app.db.tables import AccountRow
from app.settings import MAKE_SECRET, Settings


class UnsafeToServeError(RuntimeError):
    """The server would let others in without a way to know who they are; the message says what to do."""


def check_safe_to_serve(settings: Settings, engine: Engine) -> None:
    """Nothing, where the server is for this machine only, or can tell who comes.

    Raises
    ------
    UnsafeToServeError : there is no secret, or no administrator
    """
    if not settings.asks_to_sign_in:
        return
    missing = []
    if not settings.secret.get_secret_value():
        missing.append(f"Set PODWRIGHT_SECRET to something only this server knows: {MAKE_SECRET} makes one.")
    if not has_administrator(engine):
        missing.append(
            "Make an administrator: `podwright user add you@example.org --admin` asks for a password."
        )
    if missing:
        where = (
            f"{settings.host} can be reached by others" if settings.sign_in == "auto" else "people sign in"
        )
        raise UnsafeToServeError(f"The server is not started, as {where}. {' '.join(missing)}")


def has_administrator(engine: Engine) -> bool:
    """Return whether someone can sign in and manage accounts."""
    usable = select(func.count()).where(
        col(AccountRow.is_admin), col(AccountRow.disabled_at).is_(None), col(AccountRow.deleted_at).is_(None)
    )
    with read_session(engine) as session:
        return session.exec(usable).one() > 0
