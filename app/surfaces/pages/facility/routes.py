"""The pages of a design's power and cooling: a tab each."""

from __future__ import annotations

from fastapi import APIRouter

from app.surfaces.pages.facility import cooling, electrical, hours, it, power_supply, racks, savings, sites
from app.surfaces.pages.opened import first_section

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

router.include_router(first_section("facility"))
