"""Names of people, by the ids that saved work is signed with."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import Session, col, select

from app.db.tables import AccountRow


def names_of(session: Session, ids: Iterable[str | None]) -> dict[str, str]:
    """Names of accounts by id; who is not known is left out, and who was deleted is "Deleted account"."""
    wanted = {id for id in ids if id}
    if not wanted:
        return {}
    rows = select(AccountRow.id, AccountRow.name).where(col(AccountRow.id).in_(wanted))
    return dict(session.exec(rows).all())
