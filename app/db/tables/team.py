"""Teams: who belongs to a workspace, who is invited, and what was done by whom."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index
from sqlmodel import Field, SQLModel

from app.db.tables.base import now
from app.db.tables.saved import new_id


class MembershipRow(SQLModel, table=True):
    """The role of an account in a workspace."""

    __tablename__ = "membership"

    workspace_id: int = Field(foreign_key="workspace.id", primary_key=True)
    account_id: str = Field(foreign_key="account.id", primary_key=True, index=True, max_length=32)
    role: str = Field(max_length=16)  # viewer | commenter | editor | owner
    created_by: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(default_factory=now)


class InvitationRow(SQLModel, table=True):
    """Anyone who brings the token may join with this role, once."""

    __tablename__ = "invitation"

    id: str = Field(default_factory=new_id, primary_key=True, max_length=32)
    workspace_id: int = Field(foreign_key="workspace.id", index=True)
    email: str = Field(default="", max_length=320)  # for whom it is meant; empty for anyone who has it
    role: str = Field(max_length=16)
    secret_hash: str = Field(max_length=64, unique=True)
    created_by: str | None = Field(default=None, max_length=64)
    created_at: datetime = Field(default_factory=now)
    expires_at: datetime
    accepted_at: datetime | None = None
    accepted_by: str | None = Field(default=None, max_length=64)
    revoked_at: datetime | None = None


class AuditEntryRow(SQLModel, table=True):
    """What someone did to people, rights or shared work. Rows are only ever added."""

    __tablename__ = "audit_entry"
    __table_args__ = (
        Index("ix_audit_entry_workspace", "workspace_id", "id"),
        Index("ix_audit_entry_account", "account_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(default_factory=now)
    account_id: str | None = Field(default=None, max_length=64)
    actor: str = Field(default="", max_length=200)  # what they were called then
    workspace_id: int | None = None
    action: str = Field(max_length=64)
    kind: str = Field(default="", max_length=32)  # of what it was done to
    resource_id: str = Field(default="", max_length=64)
    detail: dict[str, Any] = Field(default_factory=dict, sa_type=JSON, nullable=False)
    address: str = Field(default="", max_length=64)
    request_id: str = Field(default="", max_length=64)
