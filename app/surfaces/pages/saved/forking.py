"""A copy in a workspace that is chosen."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from app.saved.access import Resource, may
from app.saved.records import WORDS, Kind, Saved
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError, refuse
from app.surfaces.pages.catalog.own.page import team_in
from app.surfaces.pages.saved.exporting import asks_for_prices
from app.surfaces.pages.saved.forms import FormDep, asked_again, done
from app.surfaces.pages.saved.importing import way_of
from app.surfaces.pages.saved.rights import ReadDep, WriteDep, address_of
from app.surfaces.pages.templating import TemplatesDep
from app.teams.asking import Workspace, asked

router = APIRouter(
    prefix="/saved/{kind}/{id}/fork", include_in_schema=False, default_response_class=HTMLResponse
)


@router.get("")
def form(kind: Kind, id: str, work: ReadDep, page: TemplatesDep) -> HTMLResponse:
    saved = work.get(kind, id)
    work.require("write")
    return page.page("saved/fork.html", **_form(work, saved, {"name": saved.name}))


@router.post("")
def fork(
    kind: Kind, id: str, request: Request, typed: FormDep, work: WriteDep, page: TemplatesDep
) -> Response:
    """What the other workspace does not have is written out in the copy, and its note says so."""
    saved = work.get(kind, id)
    try:
        target = _target(typed.get("workspace", ""))
        team = team_in(request, target)
        conflicts = way_of(typed)
        made = work.of(work.actor, target.id).duplicate(
            kind,
            id,
            name=typed.get("name", "").strip(),
            receive=lambda rows, document: team.receive(rows, document, conflicts=conflicts),
            own_prices=typed.get("own_prices") == "yes",
        )
    except ScenarioError as error:
        return asked_again(request, page, "saved/fork.html", **_form(work, saved, typed, error.errors))
    said = f"{made.name} was made in {target.name}: {made.note[:1].lower()}{made.note[1:]}"
    is_here = target.id == work.workspace_id
    return done(request, address_of(kind, made.id if is_here else id), said=said)


def _writable() -> tuple[Workspace, ...]:
    """The workspaces in which the caller can save."""
    asking = asked()
    return tuple(
        each for each in asking.workspaces if may(asking.actor, "write", Resource(workspace_id=each.id))
    )


def _target(key: str) -> Workspace:
    for workspace in _writable():
        if workspace.key == key:
            return workspace
    hint = "Choose one in which you may save."
    raise refuse("This is no workspace of yours.", rule="one_of", path="workspace", value=key[:80], hint=hint)


def _form(
    work: SavedWork, saved: Saved, typed: dict[str, str], faults: tuple[Any, ...] = ()
) -> dict[str, Any]:
    workspace = asked().workspace
    return {
        "saved": saved,
        "word": WORDS[saved.kind],
        "workspaces": _writable(),
        "typed": {
            "name": "",
            "workspace": workspace.key if workspace else "",
            "own_prices": "",
            "conflicts": "",
            **typed,
        },
        "faults": faults,
        "asks_for_prices": saved.kind == "scenario" and asks_for_prices(work, saved.workspace_id),
        "differs": any(fault.rule == "own_row_differs" for fault in faults),
        "back": address_of(saved.kind, saved.id),
    }
