"""The page of a measurement that there is none of."""

from __future__ import annotations

from fastapi.responses import HTMLResponse
from rapidfuzz import fuzz, process

from app.web.templating import Templates
from app.web.validation.asked import Asked

LONGEST_ID = 80


def missing(page: Templates, asked: Asked, key: str) -> HTMLResponse:
    """What is nearest to what was asked for."""
    known = [one.run.id for one in asked.everything]
    near = process.extract(key[:LONGEST_ID], known, scorer=fuzz.WRatio, processor=str.lower, limit=3)
    return page.page(
        "validation/missing.html",
        status=404,
        asked=key,
        near=[name for name, _, _ in near],
        rows=asked.subject.rows,
        noun=asked.subject.noun,
    )
