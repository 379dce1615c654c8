"""Accounts, teams and rights; sharing; comments, presence and the log of changes; names of revisions.

Revision 0005, after 0004.
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

Text = sqlmodel.sql.sqltypes.AutoString
Moment = sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", Text(length=32), nullable=False),
        sa.Column("email", Text(length=320), nullable=False),
        sa.Column("email_key", Text(length=400), nullable=False),
        sa.Column("name", Text(length=200), nullable=False),
        sa.Column("password_hash", Text(length=400), nullable=True),
        sa.Column("is_admin", sa.Boolean(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("last_seen_at", Moment(), nullable=True),
        sa.Column("disabled_at", Moment(), nullable=True),
        sa.Column("deleted_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("email_key", name=op.f("uq_account_email_key")),
    )
    op.create_table(
        "audit_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("account_id", Text(length=64), nullable=True),
        sa.Column("actor", Text(length=200), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=True),
        sa.Column("action", Text(length=64), nullable=False),
        sa.Column("kind", Text(length=32), nullable=False),
        sa.Column("resource_id", Text(length=64), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("address", Text(length=64), nullable=False),
        sa.Column("request_id", Text(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entry")),
        sqlite_autoincrement=True,  # an id is never given out twice, even after old rows were cleared
    )
    op.create_index("ix_audit_entry_account", "audit_entry", ["account_id", "id"])
    op.create_index("ix_audit_entry_workspace", "audit_entry", ["workspace_id", "id"])

    op.create_table(
        "change_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("kind", Text(length=16), nullable=False),
        sa.Column("saved_id", Text(length=32), nullable=False),
        sa.Column("event", Text(length=32), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("account_id", Text(length=64), nullable=True),
        sa.Column("actor", Text(length=200), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_change_log")),
        sqlite_autoincrement=True,  # an id is never given out twice, even after old rows were cleared
    )
    op.create_index(op.f("ix_change_log_at"), "change_log", ["at"])
    op.create_index("ix_change_log_saved_id", "change_log", ["saved_id", "id"])

    op.create_table(
        "presence",
        sa.Column("id", Text(length=32), nullable=False),
        sa.Column("saved_id", Text(length=32), nullable=False),
        sa.Column("account_id", Text(length=64), nullable=True),
        sa.Column("name", Text(length=200), nullable=False),
        sa.Column("place", Text(length=200), nullable=False),
        sa.Column("since", Moment(), nullable=False),
        sa.Column("last_seen_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_presence")),
    )
    op.create_index("ix_presence_saved_id", "presence", ["saved_id", "last_seen_at"])

    op.create_table(
        "revision_name",
        sa.Column("saved_id", Text(length=32), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("kind", Text(length=16), nullable=False),
        sa.Column("name", Text(length=200), nullable=False),
        sa.Column("note", Text(length=500), nullable=False),
        sa.Column("created_by", Text(length=64), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("saved_id", "revision", name=op.f("pk_revision_name")),
    )
    op.create_table(
        "sign_in_attempt",
        sa.Column("key_hash", Text(length=64), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("last_at", Moment(), nullable=False),
        sa.Column("blocked_until", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("key_hash", name=op.f("pk_sign_in_attempt")),
    )
    op.create_table(
        "account_identity",
        sa.Column("issuer", Text(length=400), nullable=False),
        sa.Column("subject", Text(length=255), nullable=False),
        sa.Column("account_id", Text(length=32), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_account_identity_account_id")),
        sa.PrimaryKeyConstraint("issuer", "subject", name=op.f("pk_account_identity")),
    )
    op.create_index(op.f("ix_account_identity_account_id"), "account_identity", ["account_id"])

    op.create_table(
        "api_token",
        sa.Column("id", Text(length=32), nullable=False),
        sa.Column("account_id", Text(length=32), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=True),
        sa.Column("name", Text(length=200), nullable=False),
        sa.Column("secret_hash", Text(length=64), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=True),
        sa.Column("last_used_at", Moment(), nullable=True),
        sa.Column("revoked_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_api_token_account_id")),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_api_token_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_token")),
    )
    op.create_index(op.f("ix_api_token_account_id"), "api_token", ["account_id"])

    op.create_table(
        "comment",
        sa.Column("id", Text(length=32), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("kind", Text(length=16), nullable=False),
        sa.Column("saved_id", Text(length=32), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("anchor_kind", Text(length=16), nullable=False),
        sa.Column("anchor", Text(length=200), nullable=False),
        sa.Column("thread_id", Text(length=32), nullable=True),
        sa.Column("body", Text(length=10000), nullable=False),
        sa.Column("author_id", Text(length=64), nullable=True),
        sa.Column("author_name", Text(length=200), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("edited_at", Moment(), nullable=True),
        sa.Column("resolved_at", Moment(), nullable=True),
        sa.Column("resolved_by", Text(length=64), nullable=True),
        sa.Column("deleted_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["thread_id"], ["comment.id"], name=op.f("fk_comment_thread_id")),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_comment_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comment")),
    )
    op.create_index("ix_comment_saved_id", "comment", ["saved_id", "created_at"])

    op.create_table(
        "invitation",
        sa.Column("id", Text(length=32), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("email", Text(length=320), nullable=False),
        sa.Column("role", Text(length=16), nullable=False),
        sa.Column("secret_hash", Text(length=64), nullable=False),
        sa.Column("created_by", Text(length=64), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=False),
        sa.Column("accepted_at", Moment(), nullable=True),
        sa.Column("accepted_by", Text(length=64), nullable=True),
        sa.Column("revoked_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_invitation_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_invitation_secret_hash")),
    )
    op.create_index(op.f("ix_invitation_workspace_id"), "invitation", ["workspace_id"])

    op.create_table(
        "membership",
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("account_id", Text(length=32), nullable=False),
        sa.Column("role", Text(length=16), nullable=False),
        sa.Column("created_by", Text(length=64), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_membership_account_id")),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_membership_workspace_id")),
        sa.PrimaryKeyConstraint("workspace_id", "account_id", name=op.f("pk_membership")),
    )
    op.create_index(op.f("ix_membership_account_id"), "membership", ["account_id"])

    op.create_table(
        "share_grant",
        sa.Column("saved_id", Text(length=32), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("kind", Text(length=16), nullable=False),
        sa.Column("role", Text(length=16), nullable=False),
        sa.Column("created_by", Text(length=64), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_share_grant_workspace_id")),
        sa.PrimaryKeyConstraint("saved_id", "workspace_id", name=op.f("pk_share_grant")),
    )
    op.create_index(op.f("ix_share_grant_workspace_id"), "share_grant", ["workspace_id"])

    op.create_table(
        "share_link",
        sa.Column("id", Text(length=32), nullable=False),
        sa.Column("workspace_id", sa.Integer(), nullable=False),
        sa.Column("kind", Text(length=16), nullable=False),
        sa.Column("saved_id", Text(length=32), nullable=False),
        sa.Column("role", Text(length=16), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=True),
        sa.Column("label", Text(length=200), nullable=False),
        sa.Column("created_by", Text(length=64), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=True),
        sa.Column("revoked_at", Moment(), nullable=True),
        sa.Column("last_used_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], name=op.f("fk_share_link_workspace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_share_link")),
    )
    op.create_index("ix_share_link_saved_id", "share_link", ["saved_id"])

    op.create_table(
        "sign_in",
        sa.Column("secret_hash", Text(length=64), nullable=False),
        sa.Column("account_id", Text(length=32), nullable=False),
        sa.Column("method", Text(length=16), nullable=False),
        sa.Column("browser", Text(length=300), nullable=False),
        sa.Column("address", Text(length=64), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("last_used_at", Moment(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_sign_in_account_id")),
        sa.PrimaryKeyConstraint("secret_hash", name=op.f("pk_sign_in")),
    )
    op.create_index(op.f("ix_sign_in_account_id"), "sign_in", ["account_id"])

    op.create_table(
        "mention",
        sa.Column("comment_id", Text(length=32), nullable=False),
        sa.Column("account_id", Text(length=32), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("read_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_mention_account_id")),
        sa.ForeignKeyConstraint(["comment_id"], ["comment.id"], name=op.f("fk_mention_comment_id")),
        sa.PrimaryKeyConstraint("comment_id", "account_id", name=op.f("pk_mention")),
    )
    op.create_index("ix_mention_account_id", "mention", ["account_id", "read_at"])

    op.add_column("design", sa.Column("is_template", sa.Boolean(), nullable=False, server_default=sa.false()))

    op.add_column(
        "projection", sa.Column("is_template", sa.Boolean(), nullable=False, server_default=sa.false())
    )

    op.add_column(
        "scenario", sa.Column("is_template", sa.Boolean(), nullable=False, server_default=sa.false())
    )

    op.add_column("workspace", sa.Column("catalog_changes", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("workspace", sa.Column("deleted_at", Moment(), nullable=True))


def downgrade() -> None:
    # not in batches, which would rebuild tables that others refer to
    op.drop_column("workspace", "deleted_at")
    op.drop_column("workspace", "catalog_changes")
    op.drop_column("scenario", "is_template")
    op.drop_column("projection", "is_template")
    op.drop_column("design", "is_template")
    op.drop_table("mention")
    op.drop_table("sign_in")
    op.drop_table("share_link")
    op.drop_table("share_grant")
    op.drop_table("membership")
    op.drop_table("invitation")
    op.drop_table("comment")
    op.drop_table("api_token")
    op.drop_table("account_identity")
    op.drop_table("sign_in_attempt")
    op.drop_table("revision_name")
    op.drop_table("presence")
    op.drop_table("change_log")
    op.drop_table("audit_entry")
    op.drop_table("account")
