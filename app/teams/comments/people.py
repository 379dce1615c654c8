"""Who can be named in comments on something: accounts that may see it."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa
from sqlmodel import Session, col, select

from app.db.tables import AccountRow, MembershipRow, ShareGrantRow
from app.saved.rows import HeadRow
from app.teams.comments.records import Person
from app.teams.together.presence import LOCAL_ID

MOST = 500


def people_of(session: Session, head: HeadRow) -> list[Person]:
    """Members of its workspace, and of teams that it is shared with, by name."""
    shared = select(ShareGrantRow.workspace_id).where(col(ShareGrantRow.saved_id) == head.id)
    members = select(MembershipRow.account_id).where(
        sa.or_(
            col(MembershipRow.workspace_id) == head.workspace_id, col(MembershipRow.workspace_id).in_(shared)
        )
    )
    rows = session.exec(
        select(AccountRow)
        .where(
            col(AccountRow.id).in_(members),
            col(AccountRow.disabled_at).is_(None),
            col(AccountRow.deleted_at).is_(None),
        )
        .order_by(col(AccountRow.name), col(AccountRow.id))
        .limit(MOST)
    ).all()
    return [Person(id=row.id, name=row.name, email=row.email) for row in rows]


def names_of(session: Session, ids: Collection[str]) -> dict[str, str]:
    """What accounts are called now."""
    found = {LOCAL_ID: "You"} if LOCAL_ID in ids else {}
    query = select(AccountRow.id, AccountRow.name).where(
        col(AccountRow.id).in_(sorted(set(ids) - {LOCAL_ID}))
    )
    return found | dict(session.exec(query).all())
