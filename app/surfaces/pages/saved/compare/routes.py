"""The address of a comparison."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.saved.compare.page import Asked, compare_page
from app.surfaces.pages.saved.ready import ReadDep
from app.surfaces.pages.templating import TemplatesDep

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/compare")
def compare(
    work: ReadDep,
    source: DesignsDep,
    page: TemplatesDep,
    a: str = "",
    b: str = "",
    s: str = "",
    of: str = "",
    every: Annotated[bool, Query(alias="all")] = False,
) -> HTMLResponse:
    """`of` is the design that the unsaved scenario in `s` was made from: another B leaves it behind."""
    found = compare_page(Asked(a, b, s if of in ("", b) else "", every), source, work)
    return page.page("saved/compare.html", status=404 if found.faults else 200, page=found)
