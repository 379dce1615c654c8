"""One's own account: what one is called, how one signs in, tokens, and the way out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from sqlmodel import select

from app.db.tables import AccountIdentityRow
from app.saved.access import ACTIONS
from app.scenarios.errors import InputError, ScenarioError
from app.surfaces.pages.people.asking import PeopleDep, PersonDep, SettingsDep, drop, private
from app.surfaces.pages.saved.forms import FormDep
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.teams import accounts, leaving, passwords, signed_in, signing_in, tokens
from app.teams.asking import Asking
from app.teams.audit import audit
from app.teams.errors import NotThereError, cannot
from app.teams.identify import SIGN_IN_COOKIE
from app.teams.people import People

router = APIRouter(prefix="/account", include_in_schema=False, default_response_class=HTMLResponse)

MEANINGS = {
    "read": "Read all data of the account",
    "comment": "Comment",
    "write": "Save and change",
    "delete": "Delete and restore",
    "share": "Share with teams and by links",
    "manage": "Manage teams, members and tokens",
}


@router.get("")
def account_page(asking: PersonDep, page: TemplatesDep, found: PeopleDep, settings: SettingsDep) -> Response:
    return _page(page, found, asking, provider=settings.oidc_name if settings.oidc_issuer else "")


@router.post("/profile")
def profile(asking: PersonDep, form: FormDep, page: TemplatesDep, found: PeopleDep) -> Response:
    """Another name or address; the address is what one signs in with, so it asks for the password."""
    id, email = _id(asking), form.get("email", "").strip()
    try:
        with found.reading() as session:
            account = accounts.account_of(session, id)
        if email != account.email:
            signing_in.require_password(found, account, form.get("password", ""))
        with found.writing() as session:
            accounts.rename(session, asking, id, form.get("name", ""))
            accounts.change_email(session, asking, id, email)
    except ScenarioError as error:
        typed = {"name": form.get("name", ""), "email": email}
        return _page(page, found, asking, wrong="profile", faults=error.errors, typed=typed)
    return RedirectResponse("/account", 303)


@router.post("/password")
def password(asking: PersonDep, form: FormDep, page: TemplatesDep, found: PeopleDep) -> Response:
    """Another password; every other browser is signed out."""
    id, wanted = _id(asking), form.get("new_password", "")
    try:
        with found.reading() as session:
            account = accounts.account_of(session, id)
        passwords.check(wanted, email=account.email, name=account.name, field="new_password")
        if wanted != form.get("again", ""):
            raise cannot(
                "The two passwords differ.", rule="differ", field="again", hint="Type both once more."
            )
        signing_in.require_password(found, account, form.get("password", ""))
        made = passwords.hashed(wanted)
        with found.writing() as session:
            accounts.set_password(session, asking, id, made, stay=asking.sign_in)
    except ScenarioError as error:
        return _page(page, found, asking, wrong="password", faults=error.errors)
    return RedirectResponse("/account#sign-ins", 303)


@router.post("/sign-ins/end")
def end_sign_in(asking: PersonDep, form: FormDep, found: PeopleDep) -> Response:
    """Signs one browser out, or all others."""
    which = form.get("which", "")
    with found.writing() as session:
        if which == "others":
            signed_in.end_others(session, _id(asking), but=asking.sign_in)
        elif not signed_in.end(session, _id(asking), which):
            raise NotThereError("This browser is signed out already.")
        audit(session, asking, "sign_in.revoked", kind="account", resource_id=_id(asking))
    return RedirectResponse("/account#sign-ins", 303)


@router.post("/tokens")
def make_token(asking: PersonDep, form: FormDep, page: TemplatesDep, found: PeopleDep) -> Response:
    """A token, shown once."""
    scopes = [action for action in ACTIONS if form.get(f"scope_{action}")]
    days = form.get("days", "").strip()
    try:
        if not (days.isascii() and days.isdigit() and len(days) < 6):
            raise cannot("Days are a whole number.", rule="whole_number", field="days")
        with found.writing() as session:
            row, text = tokens.make(
                session,
                asking,
                found.secrets,
                name=form.get("name", ""),
                scopes=scopes,
                workspace=form.get("workspace", ""),
                days=int(days),
            )
    except ScenarioError as error:
        typed = {"token_name": form.get("name", ""), "days": days, "scopes": scopes, "workspace": form.get("workspace", "")}  # fmt: skip
        return _page(page, found, asking, wrong="token", faults=error.errors, typed=typed)
    return private(page.page("people/token_made.html", status=201, token=row, text=text))


@router.post("/tokens/{id}/revoke")
def revoke_token(id: str, asking: PersonDep, form: FormDep, found: PeopleDep) -> Response:
    with found.writing() as session:
        tokens.revoke(session, asking, id)
    return RedirectResponse("/account#tokens", 303)


@router.get("/export")
def export(asking: PersonDep, found: PeopleDep) -> Response:
    """Everything of this account as one file."""
    with found.reading() as session:
        content = leaving.export(session, _id(asking))
    headers = {"content-disposition": 'attachment; filename="podwright-account.zip"'}
    return private(Response(content, media_type="application/zip", headers=headers))


@router.get("/delete")
def delete_form(asking: PersonDep, page: TemplatesDep, found: PeopleDep) -> Response:
    return _delete_page(page, found, asking)


@router.post("/delete")
def delete(
    request: Request, asking: PersonDep, form: FormDep, page: TemplatesDep, found: PeopleDep
) -> Response:
    """The account is gone, and the work in its own workspace with it."""
    try:
        with found.reading() as session:
            account = accounts.account_of(session, _id(asking))
        if form.get("confirm", "").strip() != account.email:
            raise cannot("This is not the address of your account.", rule="confirm", field="confirm")
        signing_in.require_password(found, account, form.get("password", ""))
        with found.writing() as session:
            leaving.delete_account(session, asking, account.id)
    except ScenarioError as error:
        return _delete_page(page, found, asking, error.errors)
    response = RedirectResponse("/sign-in", 303)
    drop(response, request, SIGN_IN_COOKIE)
    return private(response)


def _delete_page(
    page: Templates, found: People, asking: Asking, faults: Iterable[InputError] = ()
) -> Response:
    with found.reading() as session:
        account = accounts.account_of(session, _id(asking))
    status = 422 if faults else 200
    return private(page.page("people/delete.html", status=status, account=account, faults=faults))


def _page(
    page: Templates,
    found: People,
    asking: Asking,
    *,
    wrong: str = "",
    faults: Iterable[InputError] = (),
    typed: dict[str, Any] | None = None,
    provider: str = "",
) -> Response:
    """The page as it is, with what was typed into the form that is `wrong`."""
    with found.reading() as session:
        account = accounts.account_of(session, _id(asking))
        browsers = signed_in.signed_in(session, account.id)
        mine = tokens.listed(session, account.id)
        keys = tokens.workspace_keys(session, mine)
        connected = session.exec(
            select(AccountIdentityRow)
            .where(AccountIdentityRow.account_id == account.id)
            .order_by(AccountIdentityRow.issuer, AccountIdentityRow.subject)
        ).all()
    usual = {"name": account.name, "email": account.email, "token_name": "", "days": tokens.USUAL_DAYS}
    context = {
        "account": account,
        "browsers": browsers,
        "tokens": mine,
        "keys": keys,
        "connected": connected,
        "provider": provider,
        "wrong": wrong,
        "faults": faults,
        "typed": {**usual, "scopes": ["read"], "workspace": "", **(typed or {})},
        "meanings": MEANINGS,
        "longest_days": tokens.MOST_DAYS,
    }
    return private(page.page("people/account.html", status=422 if wrong else 200, **context))


def _id(asking: Asking) -> str:
    return asking.actor.account_id or ""
