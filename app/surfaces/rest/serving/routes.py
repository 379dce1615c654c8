"""What can be asked of a served model."""

from __future__ import annotations

from app.surfaces.rest.views import view_router
from app.views.serving.room import VIEWS

router = view_router("serving", VIEWS)
