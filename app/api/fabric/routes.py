"""What can be asked of the fabric of a scenario."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter(prefix="/fabric", tags=["fabric"])
