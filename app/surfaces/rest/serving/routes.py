"""What can be asked of a served model."""

from __future__ import annotations

from fastapi import APIRouter

from app.surfaces.rest.serving import cost, edge, latency, memory, roofline, simulation, sizing

router = APIRouter(prefix="/serving", tags=["serving"])

PARTS: tuple[APIRouter, ...] = (
    latency.router,
    simulation.router,
    roofline.router,
    memory.router,
    sizing.router,
    cost.router,
    edge.router,
)

for part in PARTS:
    router.include_router(part)
