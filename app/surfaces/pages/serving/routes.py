"""The pages of a served model: a tab each."""

from __future__ import annotations

from fastapi import APIRouter

from app.surfaces.pages.opened import first_section
from app.surfaces.pages.serving import cost, edge, latency, memory, roofline, simulation, sizing

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

router.include_router(first_section("serving"))
