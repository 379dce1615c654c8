"""New designs from templates: those of the workspace, and the worked examples."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from app.saved.records import Kind
from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.saved.cards import saved_card
from app.surfaces.pages.saved.forms import FormDep, done
from app.surfaces.pages.saved.items import told_of
from app.surfaces.pages.saved.rights import ReadDep, WriteDep, address_of
from app.surfaces.pages.templating import TemplatesDep

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

MOST = 200


@router.get("/templates")
def templates(work: ReadDep, source: DesignsDep, page: TemplatesDep) -> HTMLResponse:
    """What a design can begin with. An example is opened, and saved under a name when it is changed."""
    found = work.listed("scenario", limit=MOST, template=True, sort="name").items if work.has_lists else ()
    return page.page(
        "saved/templates.html",
        cards=[saved_card(saved) for saved in found],
        examples=[(key, source.title(key)) for key in source.listed()],
    )


@router.post("/saved/{kind}/{id}/begin")
def begin(kind: Kind, id: str, request: Request, form: FormDep, work: WriteDep) -> Response:
    """A copy of a template, under its name and no template itself."""
    made = work.duplicate(kind, id, name=work.get(kind, id).name)
    return done(request, address_of(kind, made.id), said=f"{made.name} was made from the template")


@router.post("/saved/{kind}/{id}/template")
def offer(kind: Kind, id: str, request: Request, form: FormDep, work: WriteDep) -> Response:
    """Offer it where something new begins."""
    saved = work.update(kind, id, version=None, template=True)
    return done(request, address_of(kind, id), **told_of(saved, "is offered as a template"))


@router.post("/saved/{kind}/{id}/template/remove")
def withdraw(kind: Kind, id: str, request: Request, form: FormDep, work: WriteDep) -> Response:
    """Offer it no longer."""
    saved = work.update(kind, id, version=None, template=False)
    return done(request, address_of(kind, id), **told_of(saved, "is no template any more"))
