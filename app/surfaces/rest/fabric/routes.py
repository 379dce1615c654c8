"""What can be asked of the fabric of a scenario."""

from __future__ import annotations

from fastapi import APIRouter

from app.surfaces.rest.fabric import bandwidth, bill, by_size, cables, floor, networks, resilience, topologies

router = APIRouter(prefix="/fabric", tags=["fabric"])

PARTS: tuple[APIRouter, ...] = (
    topologies.router,
    bandwidth.router,
    networks.router,
    bill.router,
    by_size.router,
    cables.router,
    floor.router,
    resilience.router,
)

for part in PARTS:
    router.include_router(part)
