"""The route of the growth page."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from app.catalog.lookup import Catalog
from app.surfaces.pages.catalog.ready import catalog
from app.surfaces.pages.growth.page import growth_page
from app.surfaces.pages.templating import TemplatesDep

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422

CatalogDep = Annotated[Catalog, Depends(catalog)]


@router.get("/trends")
def trends(request: Request, found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    """What grows how fast, where it leads, and the gap between two devices."""
    shown = growth_page(found, dict(request.query_params))
    status = UNPROCESSABLE if shown.asked.faults else 200
    return page.page("growth/page.html", status=status, shown=shown)
