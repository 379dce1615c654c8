"""Teams: those of the caller, a new one, and who is in one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from app.saved.access import ROLES
from app.scenarios.errors import InputError, ScenarioError
from app.surfaces.pages.people.asking import PeopleDep, PersonDep, SettingsDep, origin, private, put_workspace
from app.surfaces.pages.saved.forms import FormDep
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.teams import invitations, teams
from app.teams.asking import Asking
from app.teams.errors import cannot
from app.teams.notifying import of_teams
from app.teams.people import People
from app.teams.roles import MEANINGS

router = APIRouter(prefix="/teams", include_in_schema=False, default_response_class=HTMLResponse)


@router.get("")
def teams_page(asking: PersonDep, page: TemplatesDep, found: PeopleDep) -> Response:
    return _list(page, found, asking)


@router.post("")
def make_team(
    request: Request, asking: PersonDep, form: FormDep, page: TemplatesDep, found: PeopleDep
) -> Response:
    """A new team; its maker works in it from now on."""
    typed = {"key": form.get("key", ""), "name": form.get("name", "")}
    try:
        with found.writing() as session:
            team = teams.create(session, asking, typed["key"].strip(), typed["name"])
    except ScenarioError as error:
        return _list(page, found, asking, faults=error.errors, typed=typed)
    response = RedirectResponse(f"/teams/{team.key}", 303)
    put_workspace(response, request, team.key)
    return response


@router.get("/{key}")
def team_page(key: str, asking: PersonDep, page: TemplatesDep, found: PeopleDep) -> Response:
    return _team(page, found, asking, key)


@router.post("/{key}/rename")
def rename(key: str, asking: PersonDep, form: FormDep, page: TemplatesDep, found: PeopleDep) -> Response:
    try:
        with found.writing() as session:
            teams.rename(session, asking, key, form.get("name", ""))
    except ScenarioError as error:
        return _team(page, found, asking, key, error.errors, wrong="rename")
    return RedirectResponse(f"/teams/{key}", 303)


@router.post("/{key}/delete")
def delete(key: str, asking: PersonDep, form: FormDep, page: TemplatesDep, found: PeopleDep) -> Response:
    """Puts a team away; its key is typed, so that it does not happen by a slip."""
    try:
        if form.get("confirm", "").strip() != key:
            raise cannot(
                "This is not the key of the team.", rule="confirm", field="confirm", hint=f"Type {key}."
            )
        with found.writing() as session:
            teams.delete(session, asking, key)
    except ScenarioError as error:
        return _team(page, found, asking, key, error.errors, wrong="delete")
    return RedirectResponse("/teams", 303)


@router.post("/{key}/members/{account_id}/role")
def set_role(
    key: str, account_id: str, asking: PersonDep, form: FormDep, page: TemplatesDep, found: PeopleDep
) -> Response:
    try:
        with found.writing() as session:
            teams.set_role(session, asking, key, account_id, form.get("role", ""))
    except ScenarioError as error:
        return _team(page, found, asking, key, error.errors, wrong="members")
    return RedirectResponse(f"/teams/{key}", 303)


@router.post("/{key}/members/{account_id}/remove")
def remove(
    key: str, account_id: str, asking: PersonDep, form: FormDep, page: TemplatesDep, found: PeopleDep
) -> Response:
    """Takes someone out of the team, or leaves it."""
    try:
        with found.writing() as session:
            teams.remove_member(session, asking, key, account_id)
    except ScenarioError as error:
        return _team(page, found, asking, key, error.errors, wrong="members")
    return RedirectResponse("/teams" if account_id == asking.actor.account_id else f"/teams/{key}", 303)


@router.post("/{key}/invitations")
def invite(
    key: str,
    request: Request,
    asking: PersonDep,
    form: FormDep,
    page: TemplatesDep,
    found: PeopleDep,
    settings: SettingsDep,
) -> Response:
    """A link that lets someone in, shown once. No mail is sent."""
    typed = {"email": form.get("email", ""), "role": form.get("role", "")}
    try:
        with found.writing() as session:
            team = teams.team_of(session, asking, key, "manage")
            row, secret = invitations.invite(
                session, asking, found.secrets, key, typed["role"], typed["email"]
            )
    except ScenarioError as error:
        return _team(page, found, asking, key, error.errors, wrong="invite", typed=typed)
    link = f"{origin(request, settings)}/invitations/{secret}"
    return private(page.page("people/invited.html", status=201, team=team, invitation=row, link=link))


@router.post("/{key}/invitations/{id}/revoke")
def revoke(
    key: str, id: str, asking: PersonDep, form: FormDep, page: TemplatesDep, found: PeopleDep
) -> Response:
    try:
        with found.writing() as session:
            invitations.revoke(session, asking, key, id)
    except ScenarioError as error:
        return _team(page, found, asking, key, error.errors, wrong="invite")
    return RedirectResponse(f"/teams/{key}", 303)


@router.post("/{key}/webhook")
def webhook(
    key: str, asking: PersonDep, form: FormDep, page: TemplatesDep, found: PeopleDep, settings: SettingsDep
) -> Response:
    """Set where news of the team are posted to, send a test there, or remove it. The secret is shown once."""
    typed = {"url": form.get("url", "")}
    try:
        if form.get("do") == "remove":
            with found.writing() as session:
                of_teams.remove_webhook(session, asking, key)
            return RedirectResponse(f"/teams/{key}", 303)
        if form.get("do") == "test":
            with found.reading() as session:
                row = of_teams.managed_webhook(session, asking, key)
            why = of_teams.send_test(settings, row, team=key, by=asking.actor.name)
            said = f"The test was not taken. {why}" if why else "The test was taken."
            return _team(page, found, asking, key, tried=said, wrong="webhook" if why else "")
        with found.writing() as session:
            secret = of_teams.set_webhook(session, asking, settings, key, typed["url"]).secret
    except ScenarioError as error:
        return _team(page, found, asking, key, error.errors, wrong="webhook", typed=typed)
    return _team(page, found, asking, key, secret=secret)


def _list(
    page: Templates,
    found: People,
    asking: Asking,
    *,
    faults: Iterable[InputError] = (),
    typed: dict[str, str] | None = None,
) -> Response:
    with found.reading() as session:
        mine = teams.listed(session, asking)
    status = 422 if faults else 200
    context = {
        "teams": mine,
        "faults": faults,
        "typed": typed or {"key": "", "name": ""},
        "meanings": MEANINGS,
    }
    return private(page.page("people/teams.html", status=status, **context))


def _team(
    page: Templates,
    found: People,
    asking: Asking,
    key: str,
    faults: Iterable[InputError] = (),
    *,
    wrong: str = "",
    typed: dict[str, Any] | None = None,
    secret: str = "",
    tried: str = "",
) -> Response:
    with found.reading() as session:
        team = teams.team_of(session, asking, key)
        manages = teams.may_manage(asking, team)
        context = {
            "team": team,
            "members": teams.members(session, team.id or 0),
            "waiting": invitations.waiting(session, team.id or 0) if manages else (),
            "manages": manages,
            "me": asking.actor.account_id,
            "my_role": asking.actor.roles.get(team.id or 0),
            "roles": ROLES,
            "meanings": MEANINGS,
            "faults": faults,
            "wrong": wrong,
            "typed": {"email": "", "role": "editor", **(typed or {})},
            "webhook": of_teams.webhook_of(session, team.id or 0) if manages else None,
            "secret": secret,
            "tried": tried,
        }
    return private(page.page("people/team.html", status=422 if wrong else 200, **context))
