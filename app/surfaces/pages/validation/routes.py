"""Routes of the validation pages: how right the engine is by kind, all measurements, and one of them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from app.catalog.lookup import Catalog
from app.surfaces.pages.catalog.ready import catalog
from app.surfaces.pages.templating import TemplatesDep
from app.surfaces.pages.validation.asked import Asked, asked_of
from app.surfaces.pages.validation.collectives.row import collective_page
from app.surfaces.pages.validation.collectives.words import CollectiveWords
from app.surfaces.pages.validation.figures import cost_page, fabric_page, scaling_page
from app.surfaces.pages.validation.missing import missing
from app.surfaces.pages.validation.overview import overview
from app.surfaces.pages.validation.power import power_page
from app.surfaces.pages.validation.run import run_page
from app.surfaces.pages.validation.runs import runs_page
from app.surfaces.pages.validation.serving.routes import router as serving
from app.surfaces.pages.validation.subject import COLLECTIVES, TRAINING
from app.surfaces.pages.validation.words import Words

router = APIRouter(prefix="/validation", include_in_schema=False, default_response_class=HTMLResponse)
router.include_router(serving)

UNPROCESSABLE = 422

CatalogDep = Annotated[Catalog, Depends(catalog)]


def asked(request: Request, found: CatalogDep) -> Asked:
    """What the address asks for, as a dependency of routes."""
    return asked_of(TRAINING, Words(found), request.query_params.multi_items())


def asked_collectives(request: Request, found: CatalogDep) -> Asked:
    """The same of measured collectives."""
    return asked_of(COLLECTIVES, CollectiveWords(found), request.query_params.multi_items())


AskedDep = Annotated[Asked, Depends(asked)]
CollectivesDep = Annotated[Asked, Depends(asked_collectives)]


@router.get("")
def whole(asked: AskedDep, page: TemplatesDep) -> HTMLResponse:
    shown = overview(asked)
    status = UNPROCESSABLE if shown.faults else 200
    return page.page("validation/overview.html", status=status, shown=shown)


@router.get("/training")
def runs(asked: AskedDep, page: TemplatesDep) -> HTMLResponse:
    shown = runs_page(asked)
    status = UNPROCESSABLE if shown.faults else 200
    return page.page("validation/runs.html", status=status, shown=shown)


@router.get("/training/{key:path}")
def run(key: str, asked: AskedDep, found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    try:
        shown = run_page(asked, key, found)
    except KeyError:
        return missing(page, asked, key)
    status = UNPROCESSABLE if shown.faults else 200
    return page.page("validation/run.html", status=status, run=shown)


@router.get("/collectives")
def collectives(asked: CollectivesDep, page: TemplatesDep) -> HTMLResponse:
    return whole(asked, page)


@router.get("/collectives/table")
def collectives_table(asked: CollectivesDep, page: TemplatesDep) -> HTMLResponse:
    return runs(asked, page)


@router.get("/collectives/table/{key:path}")
def collective(key: str, asked: CollectivesDep, found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    try:
        shown = collective_page(asked, key, found)
    except KeyError:
        return missing(page, asked, key)
    status = UNPROCESSABLE if shown.faults else 200
    return page.page("validation/collective.html", status=status, run=shown)


@router.get("/scaling")
def scaling(found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    return page.page("validation/scaling.html", shown=scaling_page(found))


@router.get("/fabric")
def fabric(found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    return page.page("validation/fabric.html", shown=fabric_page(found))


@router.get("/power")
def power(found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    return page.page("validation/power.html", shown=power_page(found))


@router.get("/cost")
def cost(found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    return page.page("validation/cost.html", shown=cost_page(found))
