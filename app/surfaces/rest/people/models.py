"""The shapes of what is asked and answered about people."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from app.db.tables import ApiTokenRow, AuditEntryRow, InvitationRow, TeamWebhookRow, WorkspaceRow
from app.saved.access import Action, Role
from app.scenarios.fields import WORDS, Part, Whole, schema_pattern
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.parameters import WORKSPACE_KEY
from app.surfaces.rest.saved.answers import time_text
from app.teams.accounts import EMAIL
from app.teams.asking import Asking
from app.teams.notifying.of_teams import LONGEST_URL
from app.teams.teams import Member, TeamInList
from app.teams.tokens import MOST_DAYS, USUAL_DAYS

Name = Annotated[str, Field(min_length=1, max_length=200), schema_pattern(WORDS)]
Email = Annotated[str, Field(max_length=320), schema_pattern(f"^(?:{EMAIL[1:-1]})?$")]


class WorkspaceAnswer(Answer):
    """A workspace of the caller."""

    key: str = Field(description="Value for workspace=.")
    name: str
    kind: str = Field(description="personal or team.")
    role: Role


class WorkspacesAnswer(Answer):
    """All."""

    items: list[WorkspaceAnswer]


class PersonAnswer(Answer):
    """An account."""

    id: str
    name: str
    is_admin: bool


class AccountAnswer(Answer):
    """The caller and its rights."""

    account: PersonAnswer | None = Field(
        description="null for the local user without sign-in, and for guests."
    )
    by: Literal["local", "browser", "token", "link"]
    scopes: list[Action] = Field(description="Upper limit of the rights, for any role.")
    workspace: str | None = Field(description="Key of the one that is asked for; null where there is none.")
    workspaces: list[WorkspaceAnswer]


class TokenAnswer(Answer):
    """A token, without its secret."""

    id: str
    name: str
    scopes: list[Action]
    workspace: str | None = Field(description="Key of the only workspace that it is for; null for all.")
    created_at: str
    expires_at: str | None
    last_used_at: str | None


class TokensAnswer(Answer):
    """Those that can still be used, the newest first."""

    items: list[TokenAnswer]


class MadeTokenAnswer(TokenAnswer):
    """A token, the only time that it is shown."""

    token: str = Field(description="Value for Authorization: Bearer.")


class TokenBody(Part):
    """A token to be made."""

    name: Name = Field(description="Purpose.")
    scopes: list[Action] = Field(default=["read"], max_length=20, description="Reading is always among them.")
    workspace: str = Field(
        default="", max_length=64, description="Key of the only workspace that it is for; empty for all."
    )
    days: Annotated[Whole, Field(ge=1, le=MOST_DAYS)] = Field(
        default=USUAL_DAYS, description="Until it ends."
    )


class TeamAnswer(Answer):
    """A team."""

    key: str
    name: str
    role: Role | None = Field(description="Role of the caller; null for administrators who are not members.")


class TeamsAnswer(Answer):
    """Teams of the caller, by name."""

    items: list[TeamAnswer]


class TeamBody(Part):
    """A team to be made."""

    key: Annotated[str, Field(max_length=63), schema_pattern(WORKSPACE_KEY)] = Field(
        description="Stands in addresses and stays: lower-case letters, digits and hyphens."
    )
    name: Name = Field(description="Name of the scenario.")


class TeamChange(Part):
    """Changes of a team."""

    name: Name = Field(description="Name of the scenario.")


class MemberAnswer(Answer):
    """Someone in a team."""

    account: str = Field(description="id of the account.")
    name: str
    email: str
    role: Role
    since: str
    disabled: bool


class MembersAnswer(Answer):
    """All members, owners first."""

    items: list[MemberAnswer]


class RoleChange(Part):
    """Another role of a member."""

    role: Role = Field(description="From the next request on.")


class InvitationAnswer(Answer):
    """An invitation that was not accepted yet."""

    id: str
    role: Role
    email: str = Field(description="E-mail address that may accept it; empty for anyone with the link.")
    created_at: str
    expires_at: str


class InvitationsAnswer(Answer):
    """Those that can still be accepted, the newest first."""

    items: list[InvitationAnswer]


class MadeInvitationAnswer(InvitationAnswer):
    """An invitation, the only time that its link is shown."""

    link: str = Field(description="To be passed on; no mail is sent.")


class InvitationBody(Part):
    """An invitation to be made."""

    role: Role = Field(description="Role of the new member.")
    email: Email = Field(default="", description="The only address that may accept it; empty for any.")


class WebhookAnswer(Answer):
    """The webhook of a team, without its secret."""

    url: str = Field(description="Address that news of the team are posted to.")
    created_at: str = Field(description="Time at which the address and its secret were set.")


class MadeWebhookAnswer(WebhookAnswer):
    """The webhook of a team, the only time that its secret is shown."""

    secret: str = Field(description="Posts are signed with it.")


class WebhookBody(Part):
    """Address to which notifications about the work of a team are posted."""

    url: Annotated[str, Field(max_length=LONGEST_URL)] = Field(
        description="Begins with https:// and names a host that this server may post to."
    )


class WebhookTestAnswer(Answer):
    """Outcome of a test of a webhook."""

    accepted: bool = Field(description="Whether the webhook answered with a status from 200 to 299.")
    error: str = Field(description="Why the test was not accepted; empty where it was.")


class AuditEntryAnswer(Answer):
    """Something that someone did."""

    id: int
    at: str
    account: str | None = Field(description="id of the account; null on the command line, or if unknown.")
    actor: str = Field(description="Name at that time.")
    action: str
    kind: str
    resource: str
    workspace_id: int | None
    detail: dict[str, Any]
    address: str = Field(description="Of the network; empty on the command line.")
    request_id: str


class AuditAnswer(Answer):
    """A page of the log, the newest first."""

    items: list[AuditEntryAnswer]
    next: int | None = Field(description="Value of `before` for the next page; null at the end.")


def workspace_answers(asking: Asking) -> list[dict[str, Any]]:
    """Workspaces of the caller."""
    return [
        {"key": one.key, "name": one.name, "kind": one.kind, "role": asking.actor.roles[one.id]}
        for one in asking.workspaces
    ]


def token_answer(row: ApiTokenRow, keys: dict[int, str]) -> dict[str, Any]:
    """A token as it is listed."""
    return {
        "id": row.id,
        "name": row.name,
        "scopes": row.scopes,
        "workspace": keys.get(row.workspace_id) if row.workspace_id is not None else None,
        "created_at": time_text(row.created_at),
        "expires_at": time_text(row.expires_at) if row.expires_at else None,
        "last_used_at": time_text(row.last_used_at) if row.last_used_at else None,
    }


def team_answer(team: TeamInList) -> dict[str, Any]:
    """A team of a list."""
    return {"key": team.key, "name": team.name, "role": team.role}


def one_team_answer(asking: Asking, team: WorkspaceRow) -> dict[str, Any]:
    """One team."""
    return {"key": team.key, "name": team.name, "role": asking.actor.roles.get(team.id or 0)}


def member_answer(member: Member) -> dict[str, Any]:
    """Someone in a team."""
    return {
        "account": member.account_id,
        "name": member.name,
        "email": member.email,
        "role": member.role,
        "since": time_text(member.since),
        "disabled": member.disabled,
    }


def invitation_answer(row: InvitationRow) -> dict[str, Any]:
    """An invitation without its link."""
    return {
        "id": row.id,
        "role": row.role,
        "email": row.email,
        "created_at": time_text(row.created_at),
        "expires_at": time_text(row.expires_at),
    }


def webhook_answer(row: TeamWebhookRow) -> dict[str, Any]:
    """The webhook of a team without its secret."""
    return {"url": row.url, "created_at": time_text(row.created_at)}


def audit_answer(row: AuditEntryRow) -> dict[str, Any]:
    """A line of the log."""
    return {
        "id": row.id,
        "at": time_text(row.at),
        "account": row.account_id,
        "actor": row.actor,
        "action": row.action,
        "kind": row.kind,
        "resource": row.resource_id,
        "workspace_id": row.workspace_id,
        "detail": row.detail,
        "address": row.address,
        "request_id": row.request_id,
    }
