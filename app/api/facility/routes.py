"""What can be asked of the power and cooling of a scenario."""

from __future__ import annotations

from fastapi import APIRouter

from app.api.facility import cooling, electrical, hours, it, racks, savings, sites

router = APIRouter(prefix="/facility", tags=["facility"])

PARTS: tuple[APIRouter, ...] = (
    it.router,
    electrical.router,
    cooling.router,
    hours.router,
    racks.router,
    sites.router,
    savings.router,
)

for part in PARTS:
    router.include_router(part)
