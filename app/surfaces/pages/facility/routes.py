"""The pages of a design's power and cooling: a tab each."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import RedirectResponse

from app.surfaces.pages.facility import cooling, electrical, hours, it, power_supply, racks, savings, sites
from app.surfaces.pages.facility.opened import OpenedDep

router = APIRouter(include_in_schema=False)

TAB_ROUTERS: tuple[APIRouter, ...] = (
    it.router,
    electrical.router,
    cooling.router,
    hours.router,
    power_supply.router,
    racks.router,
    sites.router,
    savings.router,
)

for tab in TAB_ROUTERS:
    router.include_router(tab)


@router.get("/facility/{key}")
def facility(opened: OpenedDep) -> RedirectResponse:
    """The first of the tabs."""
    return RedirectResponse(opened.address(opened.room.tabs[0].key), 303)
