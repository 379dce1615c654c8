"""Teams, their members, and invitations into them."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response

from app.surfaces.rest.bodies import BodyDep
from app.surfaces.rest.documented import problem_answers
from app.surfaces.rest.origin import refuse_foreign_site
from app.surfaces.rest.parameters import only
from app.surfaces.rest.people.declared import (
    CHANGING,
    PRIVATE,
    READING,
    SENDING,
    AccountId,
    AskingDep,
    InvitationId,
    PeopleDep,
    SettingsDep,
    TeamKey,
    declared_body,
    input_faults,
    sent,
)
from app.surfaces.rest.people.models import (
    InvitationBody,
    InvitationsAnswer,
    MadeInvitationAnswer,
    MadeWebhookAnswer,
    MembersAnswer,
    RoleChange,
    TeamAnswer,
    TeamBody,
    TeamChange,
    TeamsAnswer,
    WebhookAnswer,
    WebhookBody,
    WebhookTestAnswer,
    invitation_answer,
    member_answer,
    one_team_answer,
    team_answer,
    webhook_answer,
)
from app.surfaces.rest.problems import json_bytes, json_response
from app.teams import invitations, teams
from app.teams.notifying import of_teams

router = APIRouter(prefix="/teams", tags=["people"])
CHANGES = [only(), Depends(refuse_foreign_site)]


@router.get(
    "",
    summary="List my teams",
    response_model=TeamsAnswer,
    response_description="Teams of the caller, by name.",
    responses=problem_answers(*READING),
    dependencies=[only()],
)
def list_teams(asking: AskingDep, found: PeopleDep) -> Response:
    """The teams that the caller is in, with their role."""
    with found.reading() as session:
        listed = teams.listed(session, asking)
    return json_response({"items": [team_answer(team) for team in listed]}, PRIVATE)


@router.post(
    "",
    summary="Create a team",
    status_code=201,
    response_model=TeamAnswer,
    response_description="The team.",
    responses=problem_answers(*SENDING),
    openapi_extra=declared_body(TeamBody, "Key and name.", {"key": "materials-lab", "name": "Materials lab"}),
    dependencies=CHANGES,
)
def make_team(body: BodyDep, asking: AskingDep, found: PeopleDep) -> Response:
    """Anyone who makes a team owns it, and no one else is in it until they are invited."""
    wanted = sent(TeamBody, body)
    with input_faults(), found.writing() as session:
        team = teams.create(session, asking, wanted.key, wanted.name)
    content = json_bytes({"key": team.key, "name": team.name, "role": "owner"})
    return Response(content, 201, headers=PRIVATE, media_type="application/json")


@router.get(
    "/{key}",
    summary="Get a team",
    response_model=TeamAnswer,
    response_description="The team.",
    responses=problem_answers(*READING),
    dependencies=[only()],
)
def get_team(key: TeamKey, asking: AskingDep, found: PeopleDep) -> Response:
    """Members see it, and administrators, who look after its members but do not see its work."""
    with found.reading() as session:
        team = teams.team_of(session, asking, key)
    return json_response(one_team_answer(asking, team), PRIVATE)


@router.patch(
    "/{key}",
    summary="Rename a team",
    response_model=TeamAnswer,
    response_description="The team.",
    responses=problem_answers(*SENDING),
    openapi_extra=declared_body(TeamChange, "Its name.", {"name": "Research laboratory"}),
    dependencies=CHANGES,
)
def rename_team(key: TeamKey, body: BodyDep, asking: AskingDep, found: PeopleDep) -> Response:
    """For owners. The key stays, for it is in addresses."""
    wanted = sent(TeamChange, body)
    with input_faults(), found.writing() as session:
        team = teams.rename(session, asking, key, wanted.name)
    return json_response(one_team_answer(asking, team), PRIVATE)


@router.delete(
    "/{key}",
    summary="Delete a team",
    status_code=204,
    response_description="Access is removed for everyone.",
    responses=problem_answers(*CHANGING),
    dependencies=CHANGES,
)
def delete_team(key: TeamKey, asking: AskingDep, found: PeopleDep) -> Response:
    """For owners. Its work is put away with it; an administrator can bring both back."""
    with found.writing() as session:
        teams.delete(session, asking, key)
    return Response(status_code=204)


@router.get(
    "/{key}/members",
    summary="List the members of a team",
    response_model=MembersAnswer,
    response_description="All members, owners first.",
    responses=problem_answers(*READING),
    dependencies=[only()],
)
def list_members(key: TeamKey, asking: AskingDep, found: PeopleDep) -> Response:
    """Every member sees the others, with their roles."""
    with found.reading() as session:
        team = teams.team_of(session, asking, key)
        members = teams.members(session, team.id or 0)
    return json_response({"items": [member_answer(member) for member in members]}, PRIVATE)


@router.patch(
    "/{key}/members/{account_id}",
    summary="Change the role of a member",
    response_model=MembersAnswer,
    response_description="All members as they are now.",
    responses=problem_answers(*SENDING),
    openapi_extra=declared_body(RoleChange, "The role.", {"role": "editor"}),
    dependencies=CHANGES,
)
def set_role(
    key: TeamKey, account_id: AccountId, body: BodyDep, asking: AskingDep, found: PeopleDep
) -> Response:
    """For owners; it holds from the next request on. The last owner stays one."""
    wanted = sent(RoleChange, body)
    with input_faults(), found.writing() as session:
        teams.set_role(session, asking, key, account_id, wanted.role)
        members = teams.members(session, teams.team_of(session, asking, key).id or 0)
    return json_response({"items": [member_answer(member) for member in members]}, PRIVATE)


@router.delete(
    "/{key}/members/{account_id}",
    summary="Remove a member or leave a team",
    status_code=204,
    response_description="They are no longer in it.",
    responses=problem_answers(*CHANGING),
    dependencies=CHANGES,
)
def remove_member(key: TeamKey, account_id: AccountId, asking: AskingDep, found: PeopleDep) -> Response:
    """Owners take out others, and everybody may leave. What they saved in the team stays. The last owner stays."""
    with input_faults(), found.writing() as session:
        teams.remove_member(session, asking, key, account_id)
    return Response(status_code=204)


@router.get(
    "/{key}/invitations",
    summary="List the invitations into a team",
    response_model=InvitationsAnswer,
    response_description="Those that can still be accepted, the newest first.",
    responses=problem_answers(*READING),
    dependencies=[only()],
)
def list_invitations(key: TeamKey, asking: AskingDep, found: PeopleDep) -> Response:
    """For owners, without the links, which are shown once when they are made."""
    with found.reading() as session:
        team = teams.team_of(session, asking, key, "manage")
        rows = invitations.waiting(session, team.id or 0)
    return json_response({"items": [invitation_answer(row) for row in rows]}, PRIVATE)


@router.post(
    "/{key}/invitations",
    summary="Invite a member to a team",
    status_code=201,
    response_model=MadeInvitationAnswer,
    response_description="The invitation, the only time that its link is shown.",
    responses=problem_answers(*SENDING),
    openapi_extra=declared_body(
        InvitationBody, "The role, and for whom it is.", {"role": "editor", "email": "grace@example.org"}
    ),
    dependencies=CHANGES,
)
def invite(
    key: TeamKey,
    request: Request,
    body: BodyDep,
    asking: AskingDep,
    found: PeopleDep,
    settings: SettingsDep,
) -> Response:
    """For owners. The link works once, within 7 days; its creator passes it on, for no mail is sent."""
    wanted = sent(InvitationBody, body)
    with input_faults(), found.writing() as session:
        row, secret = invitations.invite(session, asking, found.secrets, key, wanted.role, wanted.email)
    origin = settings.public_url or f"{request.url.scheme}://{request.url.netloc}"
    content = json_bytes({**invitation_answer(row), "link": f"{origin}/invitations/{secret}"})
    return Response(content, 201, headers=PRIVATE, media_type="application/json")


@router.delete(
    "/{key}/invitations/{invitation_id}",
    summary="Revoke an invitation",
    status_code=204,
    response_description="Its link is worthless.",
    responses=problem_answers(*CHANGING),
    dependencies=CHANGES,
)
def revoke_invitation(
    key: TeamKey, invitation_id: InvitationId, asking: AskingDep, found: PeopleDep
) -> Response:
    """For owners, as long as it was not accepted."""
    with input_faults(), found.writing() as session:
        invitations.revoke(session, asking, key, invitation_id)
    return Response(status_code=204)


@router.get(
    "/{key}/webhook",
    summary="Get the webhook of a team",
    response_model=WebhookAnswer,
    response_description="Its address, without the secret.",
    responses=problem_answers(*READING),
    dependencies=[only()],
)
def get_webhook(key: TeamKey, asking: AskingDep, found: PeopleDep) -> Response:
    """For owners. 404 where the team has no webhook."""
    with found.reading() as session:
        row = of_teams.managed_webhook(session, asking, key)
    return json_response(webhook_answer(row), PRIVATE)


@router.put(
    "/{key}/webhook",
    summary="Set the webhook of a team",
    response_model=MadeWebhookAnswer,
    response_description="The webhook, the only time that its secret is shown.",
    responses=problem_answers(*SENDING),
    openapi_extra=declared_body(WebhookBody, "Its address.", {"url": "https://hooks.example.org/pods"}),
    dependencies=CHANGES,
)
def set_webhook(
    key: TeamKey, body: BodyDep, asking: AskingDep, found: PeopleDep, settings: SettingsDep
) -> Response:
    """For owners.

    Mentions and changes of state of the team's work are posted there, signed with a new secret.
    """
    wanted = sent(WebhookBody, body)
    with input_faults(), found.writing() as session:
        row = of_teams.set_webhook(session, asking, settings, key, wanted.url)
        answer = {**webhook_answer(row), "secret": row.secret}
    return json_response(answer, PRIVATE)


@router.delete(
    "/{key}/webhook",
    summary="Remove the webhook of a team",
    status_code=204,
    response_description="Nothing is posted for the team any more.",
    responses=problem_answers(*CHANGING),
    dependencies=CHANGES,
)
def remove_webhook(key: TeamKey, asking: AskingDep, found: PeopleDep) -> Response:
    """For owners. A post that waits to be sent is given up."""
    with found.writing() as session:
        of_teams.remove_webhook(session, asking, key)
    return Response(status_code=204)


@router.post(
    "/{key}/webhook/test",
    summary="Test the webhook of a team",
    response_model=WebhookTestAnswer,
    response_description="Whether the webhook accepted it, and why not.",
    responses=problem_answers(*CHANGING),
    dependencies=CHANGES,
)
def test_webhook(key: TeamKey, asking: AskingDep, found: PeopleDep, settings: SettingsDep) -> Response:
    """For owners. Posts one message with the event `tested` and waits for the answer."""
    with found.reading() as session:
        row = of_teams.managed_webhook(session, asking, key)
    error = of_teams.send_test(settings, row, team=key, by=asking.actor.name)
    return json_response({"accepted": not error, "error": error}, PRIVATE)
