"""People: accounts, how they signed in, and the tokens of their programs.

Secrets are never stored: passwords as Argon2id, everything else that proves who asks as a hash.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON
from sqlmodel import Field, SQLModel

from app.db.tables.base import now
from app.db.tables.saved import new_id


class AccountRow(SQLModel, table=True):
    """Someone who can sign in.

    One that was deleted stays as a row without a name, for its id is on old work.
    """

    __tablename__ = "account"

    id: str = Field(default_factory=new_id, primary_key=True, max_length=32)
    email: str = Field(max_length=320)
    email_key: str = Field(max_length=400, unique=True)  # the address whatever its case
    name: str = Field(max_length=200)
    password_hash: str | None = Field(default=None, max_length=400)  # none where only the provider knows it
    is_admin: bool = False
    units: str = Field(
        default="", max_length=40, sa_column_kwargs={"server_default": ""}
    )  # in which figures are read; empty for base units
    created_at: datetime = Field(default_factory=now)
    last_seen_at: datetime | None = None
    disabled_at: datetime | None = None
    deleted_at: datetime | None = None


class AccountIdentityRow(SQLModel, table=True):
    """An account at an OpenID Connect provider."""

    __tablename__ = "account_identity"

    issuer: str = Field(primary_key=True, max_length=400)
    subject: str = Field(primary_key=True, max_length=255)
    account_id: str = Field(foreign_key="account.id", index=True, max_length=32)
    created_at: datetime = Field(default_factory=now)


class SignInRow(SQLModel, table=True):
    """A browser that is signed in; deleting the row signs it out."""

    __tablename__ = "sign_in"

    secret_hash: str = Field(primary_key=True, max_length=64)  # of what the cookie holds
    account_id: str = Field(foreign_key="account.id", index=True, max_length=32)
    method: str = Field(max_length=16)  # password | oidc
    browser: str = Field(default="", max_length=300)
    address: str = Field(default="", max_length=64)
    created_at: datetime = Field(default_factory=now)
    last_used_at: datetime = Field(default_factory=now)
    expires_at: datetime


class SignInAttemptRow(SQLModel, table=True):
    """Failures to sign in, counted for an address of mail and for an address of the network."""

    __tablename__ = "sign_in_attempt"

    key_hash: str = Field(primary_key=True, max_length=64)
    failures: int = 0
    last_at: datetime = Field(default_factory=now)
    blocked_until: datetime | None = None


class ApiTokenRow(SQLModel, table=True):
    """A token for programs: what it may do, where, and until when."""

    __tablename__ = "api_token"

    id: str = Field(primary_key=True, max_length=32)  # the part of the token that may be shown
    account_id: str = Field(foreign_key="account.id", index=True, max_length=32)
    workspace_id: int | None = Field(default=None, foreign_key="workspace.id")  # none: wherever its owner may
    name: str = Field(max_length=200)
    secret_hash: str = Field(max_length=64)
    scopes: list[Any] = Field(default_factory=list, sa_type=JSON, nullable=False)  # actions of access.py
    created_at: datetime = Field(default_factory=now)
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None
