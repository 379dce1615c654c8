"""The caller: their account, their workspaces, and the tokens of their programs."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response

from app.saved.access import ACTIONS
from app.surfaces.rest.bodies import BodyDep
from app.surfaces.rest.documented import problem_answers
from app.surfaces.rest.origin import refuse_foreign_site
from app.surfaces.rest.parameters import only
from app.surfaces.rest.people.declared import (
    CHANGING,
    PRIVATE,
    READING,
    SENDING,
    AskingDep,
    PeopleDep,
    TokenId,
    declared_body,
    input_faults,
    sent,
)
from app.surfaces.rest.people.models import (
    AccountAnswer,
    MadeTokenAnswer,
    TokenBody,
    TokensAnswer,
    WorkspacesAnswer,
    token_answer,
    workspace_answers,
)
from app.surfaces.rest.problems import json_bytes, json_response
from app.teams import tokens

router = APIRouter(tags=["people"])


@router.get(
    "/account",
    summary="Read the current account",
    response_model=AccountAnswer,
    response_description="The caller and its rights.",
    responses=problem_answers(*READING),
    dependencies=[only()],
)
def get_account(asking: AskingDep) -> Response:
    """The account behind the token or the sign-in, the scopes of the token, and the workspaces with the role in each.
    What may be done in one is what the role allows, and the scopes as well.
    """
    actor = asking.actor
    account = {"id": actor.account_id, "name": actor.name, "is_admin": actor.is_admin}
    content = {
        "account": account if actor.account_id else None,
        "by": asking.by,
        "scopes": [action for action in ACTIONS if action in actor.scopes],
        "workspace": asking.workspace.key if asking.workspace else None,
        "workspaces": workspace_answers(asking),
    }
    return json_response(content, PRIVATE)


@router.get(
    "/workspaces",
    summary="List my workspaces",
    response_model=WorkspacesAnswer,
    response_description="Workspaces of the caller.",
    responses=problem_answers(*READING),
    dependencies=[only()],
)
def list_workspaces(asking: AskingDep) -> Response:
    """One's own workspace and those of one's teams. `workspace=KEY` on any request asks for one."""
    return json_response({"items": workspace_answers(asking)}, PRIVATE)


@router.get(
    "/tokens",
    summary="List my tokens",
    response_model=TokensAnswer,
    response_description="Those that can still be used, the newest first.",
    responses=problem_answers(*READING),
    dependencies=[only()],
)
def list_tokens(asking: AskingDep, found: PeopleDep) -> Response:
    """Without their secrets, which are shown once when they are made."""
    with found.reading() as session:
        rows = tokens.listed(session, asking.actor.account_id or "")
        keys = tokens.workspace_keys(session, rows)
    return json_response({"items": [token_answer(row, keys) for row in rows]}, PRIVATE)


@router.post(
    "/tokens",
    summary="Create a token",
    status_code=201,
    response_model=MadeTokenAnswer,
    response_description="The token, the only time that it is shown.",
    responses=problem_answers(*SENDING),
    openapi_extra=declared_body(
        TokenBody, "Purpose.", {"name": "Nightly report", "scopes": ["read"], "days": 30}
    ),
    dependencies=[only(), Depends(refuse_foreign_site)],
)
def make_token(body: BodyDep, asking: AskingDep, found: PeopleDep) -> Response:
    """Needs a sign-in, or a token with the scope manage. A token that is made with another has no more scopes, no
    other workspace and no longer life than that one.
    """
    wanted = sent(TokenBody, body)
    with input_faults(), found.writing() as session:
        row, text = tokens.make(
            session,
            asking,
            found.secrets,
            name=wanted.name,
            scopes=wanted.scopes,
            workspace=wanted.workspace,
            days=wanted.days,
        )
        keys = tokens.workspace_keys(session, [row])
    content = json_bytes({**token_answer(row, keys), "token": text})
    return Response(content, 201, headers=PRIVATE, media_type="application/json")


@router.delete(
    "/tokens/{token_id}",
    summary="Revoke a token",
    status_code=204,
    response_description="It can no longer be used.",
    responses=problem_answers(*CHANGING),
    dependencies=[only(), Depends(refuse_foreign_site)],
)
def revoke_token(token_id: TokenId, asking: AskingDep, found: PeopleDep) -> Response:
    """One's own only. A token may end itself, and others where it has the scope manage."""
    with found.writing() as session:
        tokens.revoke(session, asking, token_id)
    return Response(status_code=204)
