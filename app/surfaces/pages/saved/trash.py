"""Trash of the workspace: brought back, or deleted for good."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse

from app.saved.records import KINDS, WORDS, Kind, Saved
from app.scenarios.errors import ScenarioError
from app.settings import Settings
from app.surfaces.pages.saved.cards import saved_card
from app.surfaces.pages.saved.forms import FormDep, asked_again, done
from app.surfaces.pages.saved.rights import ReadDep, WriteDep
from app.surfaces.pages.templating import TemplatesDep

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

AT_ONCE = 100


@router.get("/deleted")
def deleted(request: Request, work: ReadDep, page: TemplatesDep) -> HTMLResponse:
    """Everything that was deleted, newest first, with a way back."""
    settings: Settings = request.app.state.settings
    found = [
        saved_card(saved) for kind in KINDS for saved in work.listed(kind, limit=AT_ONCE, deleted=True).items
    ]
    found.sort(key=lambda card: card.deleted_at or card.changed_at, reverse=True)
    by = work.deleted_by([card.id for card in found])
    return page.page("saved/deleted.html", cards=found, by=by, words=WORDS, kept_days=settings.trash_days)


@router.get("/saved/{kind}/{id}/erase")
def ask(kind: Kind, id: str, work: ReadDep, page: TemplatesDep) -> HTMLResponse:
    """Asks first, as nothing brings it back."""
    saved = work.get(kind, id, deleted=True)
    if saved.deleted_at is None:
        raise HTTPException(404, f"{saved.name} is not deleted.")
    work.require("manage")
    return page.page("saved/erase.html", **_form(saved))


@router.post("/saved/{kind}/{id}/erase")
def erase(
    kind: Kind, id: str, request: Request, form: FormDep, work: WriteDep, page: TemplatesDep
) -> Response:
    saved = work.get(kind, id, deleted=True)
    try:
        work.erase(kind, id)
    except ScenarioError as error:
        return asked_again(request, page, "saved/erase.html", **_form(saved, error.errors))
    return done(request, "/deleted", said=f"{saved.name} is gone for good")


def _form(saved: Saved, faults: tuple[Any, ...] = ()) -> dict[str, Any]:
    return {"saved": saved, "word": WORDS[saved.kind], "faults": faults}
