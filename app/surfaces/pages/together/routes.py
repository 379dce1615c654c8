"""Every page of working together."""

from __future__ import annotations

from app.surfaces.pages.together import comments, newest

ROUTERS = (comments.router, comments.router, newest.router)
