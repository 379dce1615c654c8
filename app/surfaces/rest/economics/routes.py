"""What can be asked of the money, the carbon and the uncertainty of a scenario."""

from __future__ import annotations

from fastapi import APIRouter

from app.surfaces.rest.economics import (
    carbon,
    cash_flow,
    cost,
    cost_against_time,
    decision,
    difference,
    own_or_rent,
    runs,
    uncertainty,
)

router = APIRouter(prefix="/economics", tags=["economics"])

PARTS: tuple[APIRouter, ...] = (
    cost.router,
    cash_flow.router,
    own_or_rent.router,
    decision.router,
    runs.router,
    cost_against_time.router,
    carbon.router,
    difference.router,
    uncertainty.router,
)

for part in PARTS:
    router.include_router(part)
