"""The pages of a design's fabric: a tab each."""

from __future__ import annotations

from fastapi import APIRouter

from app.surfaces.pages.fabric import (
    bandwidth_page,
    bill,
    cables,
    faults,
    floor,
    growth,
    networks,
    sharing,
    sizes,
    supernode,
    topology,
)
from app.surfaces.pages.opened import first_section

router = APIRouter(include_in_schema=False)

TAB_ROUTERS: tuple[APIRouter, ...] = (
    topology.router,
    supernode.router,
    sizes.router,
    growth.router,
    bandwidth_page.router,
    networks.router,
    bill.router,
    floor.router,
    cables.router,
    faults.router,
    sharing.router,
)

for tab in TAB_ROUTERS:
    router.include_router(tab)

router.include_router(first_section("fabric"))
