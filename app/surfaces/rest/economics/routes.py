"""What can be asked of the money, the carbon and the uncertainty of a scenario."""

from __future__ import annotations

from app.surfaces.rest.economics import uncertainty
from app.surfaces.rest.views import view_router
from app.views.economics.room import VIEWS

router = view_router("economics", VIEWS)
router.include_router(uncertainty.router)
