"""What can be asked of the power and cooling of a scenario."""

from __future__ import annotations

from app.surfaces.rest.facility import hours
from app.surfaces.rest.views import view_router
from app.views.facility.room import VIEWS

router = view_router("facility", VIEWS)
router.include_router(hours.router)
