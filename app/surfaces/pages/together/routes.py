"""Every page of working together."""

from __future__ import annotations

from app.surfaces.pages.together import comments, mentions, newest

ROUTERS = (comments.router, mentions.router, newest.router)
