"""What can be asked of the power and cooling of a scenario."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter(prefix="/facility", tags=["facility"])

PARTS: tuple[APIRouter, ...] = ()

for part in PARTS:
    router.include_router(part)
