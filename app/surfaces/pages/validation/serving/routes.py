"""Routes of the validation of serving: a summary, each scored latency with its table and rows, and throughputs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse

from app.catalog.lookup import Catalog
from app.surfaces.pages.catalog.ready import catalog
from app.surfaces.pages.templating import TemplatesDep
from app.surfaces.pages.validation.asked import Asked, asked_of
from app.surfaces.pages.validation.figures import throughput_page
from app.surfaces.pages.validation.missing import missing
from app.surfaces.pages.validation.runs import runs_page
from app.surfaces.pages.validation.serving.overview import latency_errors
from app.surfaces.pages.validation.serving.row import latency_page
from app.surfaces.pages.validation.serving.subject import LATENCIES, Latency, serving_subject
from app.surfaces.pages.validation.serving.summary import serving_summary
from app.surfaces.pages.validation.serving.words import ServingWords
from app.validation.serving.published import published_serving
from app.validation.serving.throughput import THROUGHPUT

router = APIRouter(prefix="/serving", include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
BY_ADDRESS = {one.address.rpartition("/")[2]: one for one in LATENCIES.values()}

CatalogDep = Annotated[Catalog, Depends(catalog)]


def latency_of(quantity: str) -> Latency:
    """The latency of an address, as a dependency of routes."""
    if quantity not in BY_ADDRESS:
        raise HTTPException(404, f"There are {', '.join(BY_ADDRESS)} and throughput of served models.")
    return BY_ADDRESS[quantity]


LatencyDep = Annotated[Latency, Depends(latency_of)]


def asked(request: Request, latency: LatencyDep, found: CatalogDep) -> Asked:
    """What the address asks for of a latency."""
    subject = serving_subject(latency, found)
    return asked_of(subject, ServingWords(found), request.query_params.multi_items())


AskedDep = Annotated[Asked, Depends(asked)]


@router.get("")
def summary(found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    shown = serving_summary(published_serving(found), THROUGHPUT.shipped(found).report)
    return page.page("validation/serving.html", shown=shown)


@router.get("/throughput")
def throughput(found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    shown = throughput_page(found)
    return page.page("validation/throughput.html", shown=shown)


@router.get("/{quantity}")
def latency(latency: LatencyDep, asked: AskedDep, found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    errors = latency_errors(asked, latency, published_serving(found))
    status = UNPROCESSABLE if errors.shared.faults else 200
    return page.page("validation/latency.html", status=status, errors=errors, shown=errors.shared)


@router.get("/{quantity}/table")
def latencies(asked: AskedDep, page: TemplatesDep) -> HTMLResponse:
    shown = runs_page(asked)
    status = UNPROCESSABLE if shown.faults else 200
    return page.page("validation/runs.html", status=status, shown=shown)


@router.get("/{quantity}/table/{key:path}")
def measurement(
    key: str, latency: LatencyDep, asked: AskedDep, found: CatalogDep, page: TemplatesDep
) -> HTMLResponse:
    try:
        shown = latency_page(asked, key, ServingWords(found), latency, found)
    except KeyError:
        return missing(page, asked, key)
    status = UNPROCESSABLE if shown.faults else 200
    return page.page("validation/latency_row.html", status=status, run=shown)
