"""Signing in and out, and choosing the workspace to work in."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from app.scenarios.errors import InputError
from app.settings import Settings
from app.surfaces.pages.people.asking import (
    PeopleDep,
    SettingsDep,
    drop,
    local_path,
    private,
    put_sign_in,
    put_workspace,
)
from app.surfaces.pages.saved.forms import FormDep
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.teams import signed_in
from app.teams.asking import asked
from app.teams.audit import audit
from app.teams.errors import SignInError, ThrottledError
from app.teams.identify import SIGN_IN_COOKIE, WORKSPACE_COOKIE
from app.teams.signing_in import sign_in as begin

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

NOT_HERE = "On this server people sign in with its provider only."


@router.get("/sign-in")
def sign_in_form(page: TemplatesDep, settings: SettingsDep, next: str = "") -> Response:
    """Asks for address and password; anyone who is known already goes on."""
    if asked().by in ("local", "browser"):
        return RedirectResponse(local_path(next), 303)
    return _form(page, settings, next=local_path(next))


@router.post("/sign-in")
def sign_in(
    request: Request, form: FormDep, page: TemplatesDep, found: PeopleDep, settings: SettingsDep
) -> Response:
    """Signs a browser in. Its secret is new, whatever cookie it brought."""
    onward, email = local_path(form.get("next", "")), form.get("email", "").strip()[:320]
    if asked().by == "local":
        return RedirectResponse(onward, 303)
    if not settings.local_sign_in:
        return _form(page, settings, next=onward, email=email, fault=NOT_HERE, status=403)
    try:
        secret = begin(found, email, form.get("password", ""), instead_of=asked().sign_in)
    except SignInError as error:
        return _form(page, settings, next=onward, email=email, fault=str(error), status=422)
    except ThrottledError as error:
        refused = _form(page, settings, next=onward, email=email, fault=str(error), status=429)
        refused.headers["retry-after"] = str(error.retry_after_s)
        return refused
    response = RedirectResponse(onward, 303)
    put_sign_in(response, request, secret)
    return private(response)


@router.post("/sign-out")
def sign_out(request: Request, form: FormDep, found: PeopleDep) -> Response:
    """Signs this browser out, on the server and here."""
    asking = asked()
    if asking.by == "browser" and asking.actor.account_id:
        with found.writing() as session:
            signed_in.end(session, asking.actor.account_id, asking.sign_in)
            audit(session, asking, "sign_in.ended", kind="account", resource_id=asking.actor.account_id)
    response = RedirectResponse("/" if asking.by == "local" else "/sign-in", 303)
    for name in (SIGN_IN_COOKIE, WORKSPACE_COOKIE):
        drop(response, request, name)
    response.headers["clear-site-data"] = '"cache"'  # what was seen while signed in is no one else's
    return private(response)


@router.post("/workspace")
def choose_workspace(request: Request, form: FormDep) -> Response:
    """From now on this browser lists and saves in another workspace."""
    keys = {workspace.key for workspace in asked().workspaces}
    if form.get("key", "") not in keys:
        raise HTTPException(404, "You are in no such workspace.")
    response = RedirectResponse(local_path(form.get("next", "")), 303)
    put_workspace(response, request, form["key"])
    return response


def _form(
    page: Templates, settings: Settings, *, next: str, email: str = "", fault: str = "", status: int = 200
) -> Response:
    faults = [InputError(path="", value=None, rule="sign_in", message=fault)] if fault else []
    return private(
        page.page(
            "people/sign_in.html",
            status=status,
            next=next,
            email=email,
            faults=faults,
            local=settings.local_sign_in,
            provider=settings.oidc_name if settings.oidc_issuer else "",
        )
    )
