"""The log of who did what: all of it for administrators, a team's for its owners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse
from sqlmodel import Session

from app.db.tables import AuditEntryRow, WorkspaceRow
from app.saved.access import Resource, require
from app.surfaces.pages.people.asking import AdministratorDep, PeopleDep, PersonDep, private
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.teams import teams
from app.teams.accounts import by_email
from app.teams.audit import AREAS, AuditPage, AuditQuery, entries
from app.teams.names import names_of

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/admin/log")
def whole_log(
    asking: AdministratorDep,
    page: TemplatesDep,
    found: PeopleDep,
    area: str = "",
    email: str = "",
    before: str = "",
) -> Response:
    with found.reading() as session:
        account = by_email(session, email) if email.strip() else None
        wanted = AuditQuery(
            area=_area(area), account_id=account.id if account else "", before=_number(before)
        )
        log = entries(session, asking, wanted)
        missing = bool(email.strip()) and account is None
        shown = AuditPage((), None) if missing else log
        return _page(page, session, shown, path="/admin/log", area=wanted.area, email=email, team=None)


@router.get("/teams/{key}/log")
def team_log(
    key: str, asking: PersonDep, page: TemplatesDep, found: PeopleDep, area: str = "", before: str = ""
) -> Response:
    with found.reading() as session:
        team = teams.team_of(session, asking, key)
        if not teams.may_manage(asking, team):
            require(asking.actor, "manage", Resource(workspace_id=team.id or 0))
        wanted = AuditQuery(area=_area(area), workspace_id=team.id, before=_number(before))
        log = entries(session, asking, wanted)
        return _page(page, session, log, path=f"/teams/{key}/log", area=wanted.area, email="", team=team)


def _page(
    page: Templates,
    session: Session,
    log: AuditPage,
    *,
    path: str,
    area: str,
    email: str,
    team: WorkspaceRow | None,
) -> Response:
    narrowed = {name: text for name, text in (("area", area), ("email", email)) if text}
    more = f"{path}?{urlencode({**narrowed, 'before': log.next})}" if log.next else ""
    names = names_of(session, [id for entry in log.entries for id in _accounts(entry)])
    context: dict[str, Any] = {
        "log": [(entry, details_of(entry.detail, names)) for entry in log.entries],
        "names": names,
        "path": path,
        "area": area,
        "email": email,
        "areas": AREAS,
        "more": more,
        "team": team,
    }
    return private(page.page("people/log.html", **context))


def _accounts(entry: AuditEntryRow) -> list[str | None]:
    """People named in the entries, by id."""
    return [entry.account_id, entry.resource_id, entry.detail.get("member"), entry.detail.get("account")]


def details_of(detail: dict[str, Any], names: Mapping[str, str]) -> str:
    """What else an entry says, in one line, accounts by their names.

    >>> details_of({"role": "editor", "member": "a1", "scopes": ["read", "write"]}, {"a1": "Ada"})
    'role editor, member Ada, scopes read write'
    """
    return ", ".join(f"{name.replace('_', ' ')} {_word(value, names)}" for name, value in detail.items())


def _word(value: Any, names: Mapping[str, str]) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return " ".join(map(str, value))
    return names.get(str(value), str(value))


def _area(text: str) -> str:
    return text if text in AREAS else ""


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else None
