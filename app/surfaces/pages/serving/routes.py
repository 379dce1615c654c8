"""The pages of a served model: a tab each."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import RedirectResponse

from app.surfaces.pages.serving import cost, edge, latency, memory, roofline, simulation, sizing
from app.surfaces.pages.serving.opened import OpenedDep

router = APIRouter(include_in_schema=False)

TAB_ROUTERS: tuple[APIRouter, ...] = (
    latency.router,
    simulation.router,
    roofline.router,
    memory.router,
    sizing.router,
    cost.router,
    edge.router,
)

for tab in TAB_ROUTERS:
    router.include_router(tab)


@router.get("/serving/{key}")
def serving(opened: OpenedDep) -> RedirectResponse:
    """The first of the tabs."""
    return RedirectResponse(opened.address(opened.room.tabs[0].key), 303)
