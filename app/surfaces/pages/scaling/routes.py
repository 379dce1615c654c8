"""Routes of the scaling pages: projecting, comparing, feeding a scenario, and what was saved."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from fastapi.responses import HTMLResponse

from app.catalog.lookup import Catalog
from app.saved.errors import ChangedMeanwhileError, NotSavedError
from app.saved.records import Saved
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from app.surfaces.pages.catalog.tabs import workspace_catalog
from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.saved.forms import FormDep, done, version_of
from app.surfaces.pages.saved.rights import ReadDep, WriteDep, saved_key
from app.surfaces.pages.scaling.compare import compare_address, compare_page
from app.surfaces.pages.scaling.form import ScalingForm, scaling_form
from app.surfaces.pages.scaling.page import first_visit, projected, scaling_page
from app.surfaces.pages.scaling.record import record_page
from app.surfaces.pages.scaling.record import router as saving
from app.surfaces.pages.scaling.use import use_page
from app.surfaces.pages.templating import TemplatesDep

router = APIRouter(prefix="/scaling", include_in_schema=False, default_response_class=HTMLResponse)
ROUTERS = (saving, router)
"""In this order: what is saved is asked for by its id, which every other word of an address looks like."""

UNPROCESSABLE = 422
LIVE = "live"
"""Says that the script of the page asks."""
CatalogDep = Annotated[Catalog, Depends(workspace_catalog)]


@router.get("")
def scaling(request: Request, source: DesignsDep, work: ReadDep, page: TemplatesDep) -> HTMLResponse:
    """The form and what it comes to; the address is the form."""
    form = scaling_form(request.query_params)
    if not form.texts:
        form = first_visit(source)
    shown = scaling_page(source, work, form, _saved(work, form))
    # browsers log any other status of what a script asks for as an error, and a refusal is a good answer
    status = 200 if shown.answer or request.query_params.get(LIVE) else UNPROCESSABLE
    return page.page("scaling/page.html", status=status, scaling=shown)


@router.get("/use")
def use(
    request: Request, source: DesignsDep, work: ReadDep, found: CatalogDep, page: TemplatesDep
) -> HTMLResponse:
    """The projection as the workload of a scenario. One that cannot be made is shown with its faults."""
    form, made = projected(source, scaling_form(request.query_params))
    if made is None:
        shown = scaling_page(source, work, scaling_form(request.query_params), _saved(work, form))
        return page.page("scaling/page.html", status=UNPROCESSABLE, scaling=shown)
    using = use_page(source, found, form, made, request.query_params)
    status = UNPROCESSABLE if using.aspect_error else 200
    return page.page("scaling/use.html", status=status, use=using)


@router.get("/compare")
def compare(
    work: ReadDep, page: TemplatesDep, p: Annotated[list[str] | None, Query()] = None
) -> HTMLResponse:
    """Saved projections side by side."""
    shown = compare_page(work, p or [])
    return page.page("scaling/compare.html", status=404 if shown.faults else 200, compare=shown)


@router.get("/{id}")
def record(id: str, work: ReadDep, page: TemplatesDep, revision: int = 0) -> HTMLResponse:
    """A saved projection, its newest revision or an older one."""
    shown = record_page(work, _id(id), revision)
    return page.page("scaling/record.html", record=shown, compare_address=compare_address)


@router.post("/{id}/revisions/{number}/restore")
def restore(id: str, number: int, request: Request, form: FormDep, work: WriteDep) -> Response:
    """An old revision saved again as the newest, with the figures of today."""
    document = work.revision("projection", _id(id), number).document
    note = f"Restored from revision {number}"
    try:
        saved = work.replace("projection", id, document, version=version_of(form), note=note)
    except ChangedMeanwhileError:
        raise HTTPException(409, "It was changed meanwhile. Nothing was written; look at it again.") from None
    except ScenarioError as error:
        raise HTTPException(UNPROCESSABLE, f"Revision {number} cannot be saved again: {error}") from None
    return done(request, f"/scaling/{saved.id}", said=f"Restored as revision {saved.revision}")


def _id(text: str) -> str:
    if saved_key(text) is None:
        raise NotSavedError("projection", text[:60])
    return text


def _saved(work: SavedWork, form: ScalingForm) -> Saved | None:
    """The saved projection that the form began as; None where it is not there any more."""
    named = saved_key(form.text("projection"))
    try:
        return work.get("projection", named.id) if named else None
    except NotSavedError:
        return None
