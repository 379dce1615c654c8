"""Accepting an invitation: signed in, with a new account, or after signing in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from app.scenarios.errors import InputError, ScenarioError
from app.settings import Settings
from app.surfaces.pages.people.asking import PeopleDep, SettingsDep, private, put_sign_in, put_workspace
from app.surfaces.pages.saved.forms import FormDep
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.teams import accounts, invitations, passwords
from app.teams.asking import Asking, asked
from app.teams.errors import cannot
from app.teams.people import People
from app.teams.signing_in import asking_of, enter

router = APIRouter(
    prefix="/invitations/{secret}", include_in_schema=False, default_response_class=HTMLResponse
)


@router.get("")
def invitation_page(secret: str, page: TemplatesDep, found: PeopleDep, settings: SettingsDep) -> Response:
    return _page(page, found, settings, secret)


@router.post("/accept")
def accept(
    secret: str, request: Request, form: FormDep, page: TemplatesDep, found: PeopleDep, settings: SettingsDep
) -> Response:
    """Joins the team with the account that is signed in."""
    try:
        with found.writing() as session:
            team = invitations.accept(session, asked(), found.secrets, secret)
    except ScenarioError as error:
        return _page(page, found, settings, secret, error.errors)
    response = RedirectResponse(f"/teams/{team.key}", 303)
    put_workspace(response, request, team.key)
    return response


@router.post("/join")
def join(
    secret: str, request: Request, form: FormDep, page: TemplatesDep, found: PeopleDep, settings: SettingsDep
) -> Response:
    """Makes an account and joins the team with it. An invitation for an address makes one of that address."""
    typed = {name: form.get(name, "") for name in ("email", "name")}
    try:
        with found.reading() as session:
            invitation = invitations.opened(session, found.secrets, secret)
        _refuse_unless_open(invitation, settings)
        email = invitation.email or typed["email"]
        passwords.check(form.get("password", ""), email=email, name=typed["name"])
        made = passwords.hashed(form.get("password", ""))
        with found.writing() as session:
            account = accounts.create(session, Asking(), email=email, name=typed["name"], password_hash=made)
            asking = asking_of(account)
            team = invitations.accept(session, asking, found.secrets, secret)
            sign_in = enter(session, found, account, "password", instead_of=asked().sign_in)
    except ScenarioError as error:
        return _page(page, found, settings, secret, error.errors, typed)
    response = RedirectResponse(f"/teams/{team.key}", 303)
    put_sign_in(response, request, sign_in)
    put_workspace(response, request, team.key)
    return private(response)


def _refuse_unless_open(invitation: invitations.Invitation, settings: Settings) -> None:
    if not settings.local_sign_in:
        raise cannot("On this server people sign in with its provider only.", rule="sign_in")
    if invitation.state != "open":
        raise cannot("This invitation can no longer be used.", rule=invitation.state)


def _page(
    page: Templates,
    found: People,
    settings: Settings,
    secret: str,
    faults: Iterable[InputError] = (),
    typed: dict[str, Any] | None = None,
) -> Response:
    with found.reading() as session:
        invitation = invitations.opened(session, found.secrets, secret)
    context = {
        "invitation": invitation,
        "secret": secret,
        "faults": faults,
        "typed": typed or {"email": "", "name": ""},
        "local": settings.local_sign_in,
        "provider": settings.oidc_name if settings.oidc_issuer else "",
    }
    return private(page.page("people/invitation.html", status=422 if faults else 200, **context))
