"""Routes of the claims pages: all claims of the articles, and one of them with its calculation."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from app.catalog.lookup import Catalog
from app.likeness import most_like
from app.surfaces.pages.catalog.ready import catalog
from app.surfaces.pages.claims.page import claim_page, claims_page
from app.surfaces.pages.templating import TemplatesDep
from app.validation.claims.judge import SEARCH, Asked, Fault, claims_of, facets, read_asked
from app.validation.claims.ledger import ledger

router = APIRouter(prefix="/claims", include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422

CatalogDep = Annotated[Catalog, Depends(catalog)]


@router.get("")
def whole(request: Request, found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    raw = dict(reversed(request.query_params.multi_items()))  # of what is given twice, the first holds
    asked = read_asked(raw)
    faults = (*asked.faults, *_unknown(raw))
    shown = claims_page(
        claims_of(found).all(), Asked(words=asked.words, chosen=asked.chosen, faults=faults), raw
    )
    status = UNPROCESSABLE if shown.faults else 200
    return page.page("claims/page.html", status=status, shown=shown)


@router.get("/{key}")
def one(key: str, found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    known = ledger().claims
    if key not in known:
        return page.page("claims/missing.html", status=404, asked=key, near=most_like(key, known))
    return page.page("claims/claim.html", shown=claim_page(claims_of(found).one(key), found))


def _unknown(raw: dict[str, str]) -> list[Fault]:
    """Parameters that narrow nothing."""
    known = (SEARCH, *facets())
    return [
        Fault(name=name, message=f"“{name[:60]}” is not something to filter claims by.", hint=f"Known: {', '.join(known)}.")
        for name in raw
        if name not in known
    ]  # fmt: skip
