"""What the examples of the API about people speak of: a team with a webhook, someone in it, a token and an invitation."""

from __future__ import annotations

from datetime import timedelta

from sqlmodel import delete, select

from app.db.session import write_session
from app.db.tables import AccountRow, ApiTokenRow, InvitationRow, MembershipRow, TeamWebhookRow, WorkspaceRow
from app.db.tables.base import now
from tests.people import People

TEAM, NEW_TEAM = "research-lab", "materials-lab"
ADA = "ada00000000000000000000000000000"
TOKEN = "0123456789abcdef"
INVITATION = "1a000000000000000000000000000000"
EVERYTHING = ("read", "comment", "write", "delete", "share", "manage")


def keep_examples(people: People) -> None:
    """All of it is there, whatever became of it before."""
    owner = people.account("Grace", admin=True).id
    team = people.team(TEAM, {"Grace": "owner"})
    later = now() + timedelta(days=30)
    with write_session(people.engine) as session:
        session.get(WorkspaceRow, team).deleted_at = None
        made = session.exec(select(WorkspaceRow).where(WorkspaceRow.key == NEW_TEAM)).first()
        if made is not None:
            session.exec(delete(MembershipRow).where(MembershipRow.workspace_id == made.id))
            session.delete(made)
        session.merge(AccountRow(id=ADA, email="ada@example.org", email_key="ada@example.org", name="Ada"))
        session.flush()
        session.merge(MembershipRow(workspace_id=team, account_id=ADA, role="viewer"))
        session.merge(
            ApiTokenRow(
                id=TOKEN, account_id=owner, name="Report", secret_hash="0", scopes=["read"], expires_at=later,
                revoked_at=None,
            )
        )  # fmt: skip
        session.merge(
            InvitationRow(
                id=INVITATION, workspace_id=team, role="viewer", secret_hash="0", expires_at=later,
                revoked_at=None, accepted_at=None,
            )
        )  # fmt: skip
        session.merge(TeamWebhookRow(workspace_id=team, url="https://127.0.0.1/", secret="0" * 43))
