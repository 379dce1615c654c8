"""Every page of working together."""

from __future__ import annotations

from app.web.together import comments, mentions, newest

ROUTERS = (comments.router, mentions.router, newest.router)
