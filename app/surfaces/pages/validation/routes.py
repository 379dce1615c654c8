"""Routes of the validation pages: accuracy of the engine by kind, all measurements, and one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse

from app.catalog.lookup import Catalog
from app.likeness import most_like
from app.surfaces.pages.catalog.tabs import catalog
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.surfaces.pages.validation.asked import Asked, asked_of
from app.surfaces.pages.validation.figures import (
    cost_page,
    fabric_page,
    reliability_page,
    scaling_page,
    throughput_page,
)
from app.surfaces.pages.validation.measured import MeasuredPage, collective_page, latency_page, run_page
from app.surfaces.pages.validation.overview import overview, runs_page
from app.surfaces.pages.validation.power import power_page
from app.surfaces.pages.validation.serving import latency_errors, serving_summary
from app.surfaces.pages.validation.subjects import COLLECTIVES, LATENCIES, TRAINING, Latency, serving_subject
from app.validation.serving.published import published_serving
from app.validation.serving.throughput import THROUGHPUT

router = APIRouter(prefix="/validation", include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
BY_ADDRESS = {one.address.rpartition("/")[2]: one for one in LATENCIES.values()}

CatalogDep = Annotated[Catalog, Depends(catalog)]


def asked(request: Request, found: CatalogDep) -> Asked:
    """What the address asks for, as a dependency of routes."""
    return asked_of(TRAINING, found, request.query_params.multi_items())


def asked_collectives(request: Request, found: CatalogDep) -> Asked:
    """The same of measured collectives."""
    return asked_of(COLLECTIVES, found, request.query_params.multi_items())


def latency_of(quantity: str) -> Latency:
    """The latency of an address, as a dependency of routes."""
    if quantity not in BY_ADDRESS:
        raise HTTPException(404, f"There are {', '.join(BY_ADDRESS)} and throughput of served models.")
    return BY_ADDRESS[quantity]


LatencyDep = Annotated[Latency, Depends(latency_of)]


def asked_latency(request: Request, latency: LatencyDep, found: CatalogDep) -> Asked:
    """What the address asks for of a latency."""
    return asked_of(serving_subject(latency), found, request.query_params.multi_items())


AskedDep = Annotated[Asked, Depends(asked)]
CollectivesDep = Annotated[Asked, Depends(asked_collectives)]
AskedLatencyDep = Annotated[Asked, Depends(asked_latency)]


def _status(faults: Any) -> int:
    return UNPROCESSABLE if faults else 200


@router.get("")
def whole(asked: AskedDep, page: TemplatesDep) -> HTMLResponse:
    shown = overview(asked)
    return page.page("validation/overview.html", status=_status(shown.faults), shown=shown)


@router.get("/training")
def runs(asked: AskedDep, page: TemplatesDep) -> HTMLResponse:
    shown = runs_page(asked)
    return page.page("validation/runs.html", status=_status(shown.faults), shown=shown)


@router.get("/training/{key:path}")
def run(key: str, asked: AskedDep, found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    return _measured(page, "run", asked, key, lambda: run_page(asked, key, found))


@router.get("/collectives")
def collectives(asked: CollectivesDep, page: TemplatesDep) -> HTMLResponse:
    return whole(asked, page)


@router.get("/collectives/table")
def collectives_table(asked: CollectivesDep, page: TemplatesDep) -> HTMLResponse:
    return runs(asked, page)


@router.get("/collectives/table/{key:path}")
def collective(key: str, asked: CollectivesDep, found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    return _measured(page, "collective", asked, key, lambda: collective_page(asked, key, found))


@router.get("/scaling")
def scaling(found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    return page.page("validation/scaling.html", shown=scaling_page(found))


@router.get("/fabric")
def fabric(found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    return page.page("validation/fabric.html", shown=fabric_page(found))


@router.get("/power")
def power(found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    return page.page("validation/power.html", shown=power_page(found))


@router.get("/reliability")
def reliability(found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    return page.page("validation/reliability.html", shown=reliability_page(found))


@router.get("/cost")
def cost(found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    return page.page("validation/cost.html", shown=cost_page(found))


@router.get("/serving")
def serving(found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    shown = serving_summary(published_serving(found), THROUGHPUT.shipped(found).report)
    return page.page("validation/serving.html", shown=shown)


@router.get("/serving/throughput")
def throughput(found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    return page.page("validation/throughput.html", shown=throughput_page(found))


@router.get("/serving/{quantity}")
def latency(
    latency: LatencyDep, asked: AskedLatencyDep, found: CatalogDep, page: TemplatesDep
) -> HTMLResponse:
    errors = latency_errors(asked, latency, published_serving(found))
    status = _status(errors.shared.faults)
    return page.page("validation/latency.html", status=status, errors=errors, shown=errors.shared)


@router.get("/serving/{quantity}/table")
def latencies(asked: AskedLatencyDep, page: TemplatesDep) -> HTMLResponse:
    return runs(asked, page)


@router.get("/serving/{quantity}/table/{key:path}")
def measurement(
    key: str, latency: LatencyDep, asked: AskedLatencyDep, found: CatalogDep, page: TemplatesDep
) -> HTMLResponse:
    return _measured(page, "latency_row", asked, key, lambda: latency_page(asked, key, latency, found))


def _measured(
    page: Templates, template: str, asked: Asked, key: str, shown: Callable[[], MeasuredPage]
) -> HTMLResponse:
    """The page of a measurement; what is nearest to what was asked for, where there is none."""
    try:
        run = shown()
    except KeyError:
        near = most_like(key, [one.run.id for one in asked.everything])
        subject = asked.subject
        return page.page(
            "validation/missing.html", status=404, asked=key, near=near, rows=subject.rows, noun=subject.noun
        )
    return page.page(f"validation/{template}.html", status=_status(run.faults), run=run)
