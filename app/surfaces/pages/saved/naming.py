"""Naming a revision of a scenario, so that it is found again."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from app.saved.naming import name_revision, unname_revision
from app.saved.records import Revision
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from app.surfaces.pages.saved.forms import FormDep, asked_again, done
from app.surfaces.pages.saved.rights import ReadDep, WriteDep
from app.surfaces.pages.templating import TemplatesDep

router = APIRouter(
    prefix="/designs/{key}/revisions/{number}/name",
    include_in_schema=False,
    default_response_class=HTMLResponse,
)


@router.get("")
def name_form(key: str, number: int, work: ReadDep, page: TemplatesDep) -> HTMLResponse:
    revision = work.revision("scenario", key, number)
    return page.page("saved/revision_name.html", **_form(revision, revision.label, revision.label_note))


@router.post("")
def name(
    key: str, number: int, request: Request, form: FormDep, work: WriteDep, page: TemplatesDep
) -> Response:
    typed = form.get("name", ""), form.get("note", "")
    try:
        named = name_revision(work, "scenario", key, number, *typed)
    except ScenarioError as error:
        refused = _form(work.revision("scenario", key, number), *typed, faults=error.errors)
        return asked_again(request, page, "saved/revision_name.html", **refused)
    return _done(request, work, key, f"Revision {number} is called {named.label}")


@router.post("/remove")
def remove(key: str, number: int, request: Request, form: FormDep, work: WriteDep) -> Response:
    unname_revision(work, "scenario", key, number)
    return _done(request, work, key, f"Revision {number} has no name any more")


def _done(request: Request, work: SavedWork, key: str, said: str) -> Response:
    saved = work.get("scenario", key)
    told = {"id": saved.id, "revision": saved.revision, "version": saved.version}
    return done(request, f"/designs/{key}/history", said=said, saved=told)


def _form(revision: Revision, name: str, note: str, faults: Any = ()) -> dict[str, Any]:
    return {
        "key": revision.id,
        "number": revision.revision,
        "had_name": revision.label,
        "name": name,
        "note": note,
        "faults": faults,
        "back": f"/designs/{revision.id}/history",
    }
