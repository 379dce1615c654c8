"""All views, by the room that they belong to."""

from __future__ import annotations

from typing import Any

from app.views import economics, fabric, facility, serving
from app.views.view import View

ROOMS: dict[str, tuple[View[Any, Any], ...]] = {
    "fabric": fabric.VIEWS,
    "facility": facility.VIEWS,
    "economics": economics.VIEWS,
    "serving": serving.VIEWS,
}
VIEWS = tuple(view for views in ROOMS.values() for view in views)
