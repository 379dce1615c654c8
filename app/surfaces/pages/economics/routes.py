"""The pages of a design's money, carbon and uncertainty: a tab each."""

from __future__ import annotations

from fastapi import APIRouter

from app.surfaces.pages.economics import (
    build_out,
    carbon,
    cash,
    cost,
    decision,
    difference,
    rent,
    runs,
    time,
    uncertainty,
)
from app.surfaces.pages.opened import first_section

router = APIRouter(include_in_schema=False)

TAB_ROUTERS: tuple[APIRouter, ...] = (
    cost.router,
    cash.router,
    build_out.router,
    rent.router,
    decision.router,
    runs.router,
    time.router,
    carbon.router,
    difference.router,
    uncertainty.router,
)

for tab in TAB_ROUTERS:
    router.include_router(tab)

router.include_router(first_section("economics"))
