"""The page of a measurement that there is none of."""

from __future__ import annotations

from fastapi.responses import HTMLResponse

from app.likeness import most_like
from app.surfaces.pages.templating import Templates
from app.surfaces.pages.validation.asked import Asked


def missing(page: Templates, asked: Asked, key: str) -> HTMLResponse:
    """What is nearest to what was asked for."""
    known = [one.run.id for one in asked.everything]
    return page.page(
        "validation/missing.html",
        status=404,
        asked=key,
        near=most_like(key, known),
        rows=asked.subject.rows,
        noun=asked.subject.noun,
    )
