"""Every route of sharing."""

from __future__ import annotations

from app.surfaces.pages.sharing import opening, share

ROUTERS = (opening.router, share.router)
