"""What can be asked of the power and cooling of a scenario."""

from __future__ import annotations

from fastapi import APIRouter

from app.surfaces.rest.facility import hours, savings
from app.surfaces.rest.views import add_view
from app.views.facility import room as facility

router = APIRouter(prefix="/facility", tags=["facility"])

add_view(router, facility.IT)
add_view(router, facility.ELECTRICAL)
add_view(router, facility.COOLING)
router.include_router(hours.router)
add_view(router, facility.RACKS)
add_view(router, facility.SITES)
router.include_router(savings.router)
