"""The bandwidth tab: ladders of a design and of systems of the catalog, side by side."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse
from pydantic import ValidationError

from app.scenarios.errors import ScenarioError, shorten
from app.surfaces.pages.fabric.bandwidth_page import bandwidth_page, choice_of
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.templating import TemplatesDep
from app.views.fabric.bandwidth import MOST_SYSTEMS, BandwidthOptions, bandwidth_ladders

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
Beside = Annotated[list[str], Query(alias="with", default_factory=list)]


@router.get("/fabric/{key}/bandwidth")
def bandwidth(opened: OpenedDep, page: TemplatesDep, beside: Beside) -> HTMLResponse:
    """Levels from registers to another site, with what is chosen beside the design."""
    chosen = [key for key in beside if key]
    if opened.scenario is None:
        return page.page("fabric/bandwidth.html", opened=opened)
    fault = ""
    try:
        asked = BandwidthOptions(systems=chosen)
        ladders = bandwidth_ladders(opened.scenario, opened.catalog, asked)
    except (ScenarioError, ValidationError) as error:
        fault = _words(error, chosen)
        ladders = bandwidth_ladders(opened.scenario, opened.catalog, BandwidthOptions())
    return page.page(
        "fabric/bandwidth.html",
        status=UNPROCESSABLE if fault else 200,
        opened=opened,
        shown=bandwidth_page(ladders, opened.scenario.as_json),
        choice=choice_of(opened, chosen[:MOST_SYSTEMS], fault),
    )


def _words(error: ScenarioError | ValidationError, chosen: list[str]) -> str:
    if isinstance(error, ScenarioError):
        return " ".join(f"{one.message} {one.hint}" for one in error.errors)
    if len(chosen) > MOST_SYSTEMS:
        return (
            f"{len(chosen)} systems are chosen; at most {MOST_SYSTEMS} stand beside a design. Take some out."
        )
    return f"{shorten(', '.join(chosen))} is no key of a system. Choose from the lists."
