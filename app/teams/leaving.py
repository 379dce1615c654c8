"""Taking everything along, and leaving: what a person's account holds as one file, and its deletion."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, SQLModel, col, delete, select

from app.db.tables import (
    PERSONAL_WORKSPACE_ID,
    AccountIdentityRow,
    AccountRow,
    ApiTokenRow,
    AuditEntryRow,
    ChangeRow,
    CommentRow,
    MembershipRow,
    MentionRow,
    PresenceRow,
    SignInRow,
    WorkspaceRow,
    table_of,
)
from app.db.tables.base import now
from app.saved.access import ForbiddenError
from app.teams import belongings
from app.teams.accounts import DELETED_NAME, account_of, refuse_last_administrator
from app.teams.asking import Asking
from app.teams.audit import audit, may_administer
from app.teams.errors import cannot
from app.teams.teams import owners

README = """What Podwright holds of this account.

account.json        the account, its identities at a provider, its roles, tokens (without their secrets),
                    browsers that are signed in, comments, and the log of what it did
workspace-KEY.json  everything in the workspace of one's own, table by table: saved scenarios, designs and
                    projections with all their revisions, own catalog entries and measured runs
"""


def export(session: Session, account_id: str) -> bytes:
    """Everything of a person as a ZIP file."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README)
        archive.writestr("account.json", _json(account_data(session, account_id)))
        for workspace in _personal(session, account_id):
            rows = belongings.rows_of(session, workspace.id or 0)
            archive.writestr(f"workspace-{workspace.key}.json", _json(rows))
    return content.getvalue()


def account_data(session: Session, account_id: str) -> dict[str, Any]:
    """What is known of a person; neither passwords nor anything else that proves who asks."""
    account = account_of(session, account_id)
    kept: dict[str, tuple[type[SQLModel], str]] = {
        "account": (AccountRow, "id"),
        "identities": (AccountIdentityRow, "account_id"),
        "tokens": (ApiTokenRow, "account_id"),
        "sign_ins": (SignInRow, "account_id"),
        "comments": (CommentRow, "author_id"),
        "log": (AuditEntryRow, "account_id"),
    }
    secrets = {"password_hash", "secret_hash"}
    data: dict[str, Any] = {}
    for name, (row, column) in kept.items():
        table = table_of(row)
        found = belongings.plain_rows(session, table, table.c[column] == account.id)
        data[name] = [{key: value for key, value in one.items() if key not in secrets} for one in found]
    roles = session.exec(
        select(WorkspaceRow.key, WorkspaceRow.name, MembershipRow.role)
        .join(MembershipRow, col(MembershipRow.workspace_id) == col(WorkspaceRow.id))
        .where(MembershipRow.account_id == account.id)
        .order_by(col(WorkspaceRow.id))
    ).all()
    return {
        **data,
        "account": data["account"][0],
        "roles": [{"workspace": key, "name": name, "role": role} for key, name, role in roles],
    }


def delete_account(session: Session, asking: Asking, account_id: str) -> None:
    """Delete an account and the work in its own workspace, for good. What it did in teams stays.

    The row stays without name and address, for its id is on revisions and comments.

    Raises
    ------
    ForbiddenError : it is somebody else's, and the caller is no administrator
    ScenarioError : it is the last administrator, or a team with other members would have no owner
    """
    if asking.actor.account_id != account_id and not may_administer(asking):
        raise ForbiddenError("Only its owner or an administrator deletes an account.")
    account = account_of(session, account_id, lock=True)
    refuse_last_administrator(session, account)
    _leave_teams(session, account)
    for workspace in _personal(session, account_id):
        belongings.remove(session, workspace.id or 0)
        session.exec(delete(MembershipRow).where(col(MembershipRow.workspace_id) == workspace.id))
        session.flush()
        if workspace.id != PERSONAL_WORKSPACE_ID:  # this machine needs its own when nobody signs in
            session.delete(workspace)
    for row in (MembershipRow, ApiTokenRow, SignInRow, AccountIdentityRow, MentionRow, PresenceRow):
        table = table_of(row)
        session.execute(sa.delete(table).where(table.c.account_id == account_id))
    _rename_on_work(session, account_id)
    account.email, account.email_key, account.name = "", f"deleted:{account.id}", DELETED_NAME
    account.password_hash, account.is_admin, account.deleted_at = None, False, now()
    session.flush()
    audit(session, asking, "account.deleted", kind="account", resource_id=account_id)


def _leave_teams(session: Session, account: AccountRow) -> None:
    """Teams of this account alone are put away; raises where others would be left without an owner."""
    rows = session.exec(
        select(WorkspaceRow)
        .join(MembershipRow, col(MembershipRow.workspace_id) == col(WorkspaceRow.id))
        .where(MembershipRow.account_id == account.id, WorkspaceRow.kind == "team")
        .order_by(col(WorkspaceRow.id))
        .with_for_update(of=table_of(WorkspaceRow))
    ).all()
    left = []
    for team in rows:
        members = select(MembershipRow.account_id).where(MembershipRow.workspace_id == team.id)
        if session.exec(members).all() == [account.id]:
            team.deleted_at = team.deleted_at or now()
        elif team.deleted_at is None and owners(session, team.id or 0) == [account.id]:
            left.append(team.name)
    if left:
        raise cannot(
            f"No one else owns {', '.join(left)}.",
            rule="last_owner",
            hint="Make another member an owner, or delete the team.",
        )


def _rename_on_work(session: Session, account_id: str) -> None:
    """Comments and the log of changes name people as they were called then; the log for administrators stays."""
    for row, id_column, name_column in (
        (CommentRow, "author_id", "author_name"),
        (ChangeRow, "account_id", "actor"),
    ):
        table = table_of(row)
        session.execute(
            sa.update(table).where(table.c[id_column] == account_id).values({name_column: DELETED_NAME})
        )


def _personal(session: Session, account_id: str) -> list[WorkspaceRow]:
    return list(
        session.exec(
            select(WorkspaceRow)
            .join(MembershipRow, col(MembershipRow.workspace_id) == col(WorkspaceRow.id))
            .where(MembershipRow.account_id == account_id, WorkspaceRow.kind == "personal")
            .order_by(col(WorkspaceRow.id))
        )
    )


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
