"""What administrators look after: accounts, teams, and the log of who did what."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from app.scenarios.errors import InputError, ScenarioError
from app.surfaces.pages.people.asking import AdministratorDep, PeopleDep, private
from app.surfaces.pages.saved.forms import FormDep
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.teams import accounts, leaving, passwords, teams
from app.teams.asking import Asking
from app.teams.errors import NotThereError
from app.teams.people import People

router = APIRouter(prefix="/admin", include_in_schema=False, default_response_class=HTMLResponse)

AT_ONCE = 50


@router.get("")
def accounts_page(
    asking: AdministratorDep, page: TemplatesDep, found: PeopleDep, q: str = "", after: str = ""
) -> Response:
    return _accounts(page, found, q=q, after=after)


@router.post("/accounts")
def make_account(asking: AdministratorDep, form: FormDep, page: TemplatesDep, found: PeopleDep) -> Response:
    """An account with a first password, or with none where only the provider is to let its owner in."""
    typed = {name: form.get(name, "") for name in ("email", "name")}
    password = form.get("password", "")
    try:
        if password:
            passwords.check(password, **typed)
        made = passwords.hashed(password) if password else None
        with found.writing() as session:
            accounts.create(session, asking, **typed, password_hash=made, is_admin=bool(form.get("is_admin")))
    except ScenarioError as error:
        return _accounts(page, found, faults=error.errors, wrong="new", typed=typed)
    return RedirectResponse("/admin", 303)


@router.post("/accounts/{id}/{what}")
def change_account(
    id: str, what: str, asking: AdministratorDep, form: FormDep, page: TemplatesDep, found: PeopleDep
) -> Response:
    """Disables, enables or deletes an account, makes it an administrator or not, or sets its password."""
    try:
        _change(found, asking, id, what, form)
    except ScenarioError as error:
        return _accounts(page, found, faults=error.errors, wrong="change")
    return RedirectResponse("/admin", 303)


@router.get("/teams")
def teams_page(asking: AdministratorDep, page: TemplatesDep, found: PeopleDep) -> Response:
    with found.reading() as session:
        listed = teams.listed(session, asking, everybodys=True)
    return private(page.page("people/admin_teams.html", teams=listed))


@router.post("/teams/{key}/restore")
def restore_team(key: str, asking: AdministratorDep, form: FormDep, found: PeopleDep) -> Response:
    with found.writing() as session:
        teams.restore(session, asking, key)
    return RedirectResponse("/admin/teams", 303)


def _change(found: People, asking: Asking, id: str, what: str, form: dict[str, str]) -> None:
    """
    Raises
    ------
    NotThereError : there is no such account, or nothing of this kind can be done to it
    ScenarioError : it cannot be done
    """
    if what == "password":
        with found.reading() as session:
            account = accounts.account_of(session, id)
        password = form.get("password", "")
        passwords.check(password, email=account.email, name=account.name)
        made = passwords.hashed(password)
    with found.writing() as session:
        match what:
            case "password":
                accounts.set_password(session, asking, id, made)
            case "disable":
                accounts.disable(session, asking, id)
            case "enable":
                accounts.enable(session, asking, id)
            case "administrator":
                accounts.set_administrator(session, asking, id, bool(form.get("is_admin")))
            case "delete":
                leaving.delete_account(session, asking, id)
            case _:
                raise NotThereError("There is nothing of this kind to do with an account.")


def _accounts(
    page: Templates,
    found: People,
    *,
    q: str = "",
    after: str = "",
    faults: Iterable[InputError] = (),
    wrong: str = "",
    typed: dict[str, Any] | None = None,
) -> Response:
    with found.reading() as session:
        rows = accounts.listed(session, search=q, after=after, limit=AT_ONCE + 1)
    shown = rows[:AT_ONCE]
    context = {
        "accounts": shown,
        "q": q,
        "more": shown[-1].email if len(rows) > AT_ONCE else "",
        "faults": faults,
        "wrong": wrong,
        "typed": typed or {"email": "", "name": ""},
    }
    return private(page.page("people/admin.html", status=422 if wrong else 200, **context))
