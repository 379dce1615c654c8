"""Taking everything along, and leaving: what a person's account holds as one file, and its deletion."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Column, ColumnElement, Table
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
from app.db.tables.base import metadata, now
from app.saved.access import ForbiddenError
from app.saved.rows import ALL_TABLES
from app.teams.accounts import DELETED_NAME, account_of, refuse_last_administrator
from app.teams.asking import Asking
from app.teams.audit import audit, may_administer
from app.teams.errors import cannot
from app.teams.teams import owners

README = """What Podwright holds of this account.

account.json        the account, its identities at a provider, its roles, tokens (without their secrets),
                    browsers that are signed in, comments, and the log of what it did
workspace-KEY.json  everything in the own workspace, table by table: saved scenarios, designs and
                    projections with all their revisions, own catalog entries and measured runs
"""


def export(session: Session, account_id: str) -> bytes:
    """Everything of a person as a ZIP file."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README)
        archive.writestr("account.json", _json(account_data(session, account_id)))
        for workspace in _personal(session, account_id):
            rows = rows_of(session, workspace.id or 0)
            archive.writestr(f"workspace-{workspace.key}.json", _json(rows))
    return content.getvalue()


def account_data(session: Session, account_id: str) -> dict[str, Any]:
    """All data about an account, without passwords and other secrets."""
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
        found = plain_rows(session, table, table.c[column] == account.id)
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
    ForbiddenError : it is someone else's, and the caller is no administrator
    ScenarioError : it is the last administrator, or a team with other members would have no owner
    """
    if asking.actor.account_id != account_id and not may_administer(asking):
        raise ForbiddenError("Only its owner or an administrator deletes an account.")
    account = account_of(session, account_id, lock=True)
    refuse_last_administrator(session, account)
    _leave_teams(session, account)
    for workspace in _personal(session, account_id):
        remove(session, workspace.id or 0)
        session.exec(delete(MembershipRow).where(col(MembershipRow.workspace_id) == workspace.id))
        session.flush()
        if workspace.id != PERSONAL_WORKSPACE_ID:  # this machine needs its own when no one signs in
            session.delete(workspace)
    for row in (MembershipRow, ApiTokenRow, SignInRow, AccountIdentityRow, MentionRow, PresenceRow):
        table = table_of(row)
        session.execute(sa.delete(table).where(table.c.account_id == account_id))
    _rename_on_work(session, account_id)
    account.email, account.email_key, account.name = "", f"deleted:{account.id}", DELETED_NAME
    account.units = ""
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


HEADS = tuple(tables.heads.name for tables in ALL_TABLES)
OF_PEOPLE = ("workspace", "membership", "audit_entry")
"""What names a workspace without being a part of its work: people, and the log of what they did."""


def tables_of(workspace_id: int) -> Iterator[tuple[Table, ColumnElement[bool]]]:
    """Each table that holds something of a workspace, and which of its rows; what refers to others comes last."""
    found: dict[str, ColumnElement[bool]] = {}
    for table in metadata.sorted_tables:
        if table.name in OF_PEOPLE:
            continue
        reasons: list[ColumnElement[bool]] = []
        if "workspace_id" in table.c:
            reasons.append(table.c.workspace_id == workspace_id)
        else:
            for key in table.foreign_keys:
                parent = key.column.table
                if parent.name in found:
                    reasons.append(key.parent.in_(_ids(key.column, found[parent.name])))
        if "saved_id" in table.c:
            heads = (metadata.tables[name] for name in HEADS)
            reasons += [
                table.c.saved_id.in_(_ids(head.c.id, head.c.workspace_id == workspace_id)) for head in heads
            ]
        if reasons:
            found[table.name] = sa.or_(*reasons)
            yield table, found[table.name]


def rows_of(session: Session, workspace_id: int) -> dict[str, list[dict[str, Any]]]:
    """All that belongs to a workspace, by table, as plain JSON; no secrets are among it."""
    held = {"api_token", "invitation", "share_link", "idempotency_key", "presence", "notification"}
    return {
        table.name: found
        for table, condition in tables_of(workspace_id)
        if table.name not in held and (found := plain_rows(session, table, condition))
    }


def plain_rows(session: Session, table: Table, condition: ColumnElement[bool]) -> list[dict[str, Any]]:
    """Rows as plain JSON, in the order of their keys."""
    rows = session.execute(sa.select(table).where(condition).order_by(*table.primary_key)).mappings()
    return [{str(name): _plain(value) for name, value in row.items()} for row in rows]


def remove(session: Session, workspace_id: int) -> None:
    """Delete all that belongs to a workspace, for good. What others made from it stays theirs."""
    for name in HEADS:
        head = metadata.tables[name]
        gone = _ids(head.c.id, head.c.workspace_id == workspace_id)
        session.execute(sa.update(head).where(head.c.forked_from_id.in_(gone)).values(forked_from_id=None))
    for table, condition in reversed(list(tables_of(workspace_id))):
        session.execute(sa.delete(table).where(condition))


def _ids(column: Column[Any], condition: ColumnElement[bool]) -> sa.Select[Any]:
    return sa.select(column).where(condition)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return None if isinstance(value, bytes) else value  # arrays of climate years, which are not text
