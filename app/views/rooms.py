"""All views, by the room that they belong to."""

from __future__ import annotations

from typing import Any

from app.views.economics import room as economics
from app.views.fabric import room as fabric
from app.views.facility import room as facility
from app.views.operations import room as operations
from app.views.serving import room as serving
from app.views.view import View

ROOMS: dict[str, tuple[View[Any, Any], ...]] = {
    "fabric": fabric.VIEWS,
    "facility": facility.VIEWS,
    "economics": economics.VIEWS,
    "operations": operations.VIEWS,
    "serving": serving.VIEWS,
}
VIEWS = tuple(view for views in ROOMS.values() for view in views)
