"""Routes of the catalog pages: kinds, the table of a kind, and one row."""

from __future__ import annotations

import datetime
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from app.catalog.errors import CatalogLookupError
from app.catalog.lookup import Catalog
from app.surfaces.pages.catalog.browse import browse
from app.surfaces.pages.catalog.detail import detail
from app.surfaces.pages.catalog.filters import read_query
from app.surfaces.pages.catalog.kinds import VIEWS
from app.surfaces.pages.catalog.table import table_of
from app.surfaces.pages.catalog.tabs import grouped_tabs, part_link, workspace_catalog
from app.surfaces.pages.catalog.words import MARKS
from app.surfaces.pages.fabric.bandwidth_page import system_figure
from app.surfaces.pages.templating import Templates, templates
from app.views.fabric.bandwidth import system_ladder

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422


def today() -> datetime.date:
    """The date that ages are counted from, as a dependency of routes."""
    return datetime.datetime.now(datetime.UTC).date()


CatalogDep = Annotated[Catalog, Depends(workspace_catalog)]
TemplatesDep = Annotated[Templates, Depends(templates)]
TodayDep = Annotated[datetime.date, Depends(today)]


@router.get("/catalog")
def kinds(found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    groups, own = grouped_tabs(found), len(found.own_parts())
    return page.page("catalog/kinds.html", groups=groups, revision=found.revision, marks=MARKS, own=own)


@router.get("/catalog/{kind}")
def rows(kind: str, request: Request, found: CatalogDep, page: TemplatesDep, day: TodayDep) -> HTMLResponse:
    try:
        table = table_of(found, kind)
    except CatalogLookupError as error:
        return _missing(page, kind, error)
    shown = browse(found, kind, read_query(table, request.query_params.multi_items()), today=day)
    status = UNPROCESSABLE if shown.faults else 200
    return page.page("catalog/kind.html", status=status, browse=shown, marks=MARKS)


@router.get("/catalog/{kind}/{key:path}")
def row(kind: str, key: str, found: CatalogDep, page: TemplatesDep, day: TodayDep) -> HTMLResponse:
    try:
        shown = detail(found, kind, key, today=day)
    except CatalogLookupError as error:
        return _missing(page, kind, error, key)
    ladder = system_ladder(found, key) if kind == "systems" else None
    figure = system_figure(ladder) if ladder else None
    return page.page("catalog/part.html", detail=shown, marks=MARKS, ladder=figure)


def _missing(page: Templates, kind: str, error: CatalogLookupError, key: str = "") -> HTMLResponse:
    """There is no such kind or row; what is nearest is one click away."""
    view = VIEWS.get(kind)
    if view is None:
        near = [(VIEWS[name].tab, f"/catalog/{quote(name)}") for name in error.nearest if name in VIEWS]
    else:
        near = [(name, part_link(kind, name)) for name in error.nearest]
    return page.page("catalog/missing.html", status=404, view=view, asked=key or kind, near=near)
