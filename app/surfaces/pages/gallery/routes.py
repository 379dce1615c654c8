"""Routes of the gallery of reference designs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import HTMLResponse

from app.catalog.lookup import Catalog
from app.scenarios.errors import ScenarioError
from app.surfaces.pages.catalog.ready import catalog
from app.surfaces.pages.gallery.page import groups, reference_page
from app.surfaces.pages.templating import TemplatesDep
from app.views.gallery.answer import gallery_answer, reference_answer

router = APIRouter(prefix="/gallery", include_in_schema=False, default_response_class=HTMLResponse)

PATIENCE_S = 1.0
"""Longest wait for figures that are not computed yet [s]."""
CatalogDep = Annotated[Catalog, Depends(catalog)]


@router.get("")
def whole(found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    """Every design with our figures, and how many of the published ones agree; those that are still computed say so."""
    answer = gallery_answer(found, PATIENCE_S)
    return page.page("gallery/list.html", groups=groups(answer), computing=answer["computing"])


@router.get("/{key}")
def one(key: str, found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    """A design with its published figures beside ours, and what explains the differences."""
    try:
        answer = reference_answer(found, key)
    except ScenarioError as error:
        raise HTTPException(404, str(error)) from error
    return page.page("gallery/design.html", shown=reference_page(answer))
