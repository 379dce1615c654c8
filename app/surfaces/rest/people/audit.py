"""The log of who did what to people, rights and shared work."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from app.scenarios.errors import shorten
from app.surfaces.rest.documented import problem_answers, query_parameter
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.paging import LIMIT, read_limit
from app.surfaces.rest.parameters import given_parameters, only, parameter_problem
from app.surfaces.rest.people.declared import PRIVATE, READING, AskingDep, PeopleDep
from app.surfaces.rest.people.models import AuditAnswer, audit_answer
from app.surfaces.rest.problems import json_response
from app.teams import teams
from app.teams.audit import AREAS, AuditQuery, entries

router = APIRouter(prefix="/audit", tags=["people"])

PARAMETERS = [
    query_parameter("area", "Only changes of this item.", {"type": "string", "enum": list(AREAS)}),
    query_parameter("account", "Only actions of this account, by its id.", {"type": "string", "maxLength": 64}),
    query_parameter("team", "Only actions in this team, by its key.", {"type": "string", "maxLength": 64}),
    query_parameter(
        "before", "next of the page before.", {"type": "integer", "minimum": 1, "maximum": 2**63 - 1}
    ),
    LIMIT,
]  # fmt: skip


@router.get(
    "",
    summary="Read the audit log",
    response_model=AuditAnswer,
    response_description="A page of the log, the newest first.",
    responses=problem_answers(*READING),
    openapi_extra={"parameters": PARAMETERS},
    dependencies=[only("area", "account", "team", "before", "limit")],
)
def read_log(request: Request, asking: AskingDep, found: PeopleDep) -> Response:
    """Sign-ins and failures, accounts, tokens, teams, members, roles, invitations, shares and deletions. Administrators
    read all of it, owners of teams what was done in theirs.
    """
    given = given_parameters(request)
    area = given.get("area", "")
    if "area" in given and area not in AREAS:  # an empty one is none either
        hint = f"Known: {', '.join(AREAS)}."
        raise parameter_problem("area", "area", f"{shorten(area)} is no area of the log.", hint)
    with found.reading() as session:
        team = teams.team_of(session, asking, given["team"], "manage") if given.get("team") else None
        wanted = AuditQuery(
            area=area,
            account_id=given.get("account", ""),
            workspace_id=team.id if team else None,
            before=_before(given.get("before")),
            limit=read_limit(given, Limits()),
        )
        page = entries(session, asking, wanted)
    items = [audit_answer(row) for row in page.entries]
    return json_response({"items": items, "next": page.next}, PRIVATE)


def _before(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 20 and 1 <= int(text) < 2**63):
        raise parameter_problem("before", "range", f"{shorten(text)} is not where a page ended.")
    return int(text)
