"""What can be asked of the fabric of a scenario."""

from __future__ import annotations

from app.surfaces.rest.fabric import bill, cables
from app.surfaces.rest.views import view_router
from app.views.fabric.room import VIEWS

router = view_router("fabric", VIEWS)
router.include_router(bill.router)
router.include_router(cables.router)
