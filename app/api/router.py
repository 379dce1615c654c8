"""The API as an application of its own, mounted below `/api`, with its errors and its limits."""

from __future__ import annotations

from fastapi import Depends, FastAPI

from app import __version__
from app.api import (
    calibrations,
    catalog,
    claims,
    evaluations,
    exports,
    figures,
    gallery,
    own_runs,
    projections,
    reference,
    searches,
    terms,
    trends,
    validation,
)
from app.api.guard import Guard
from app.api.handlers import add_handlers
from app.api.known import known
from app.api.limits import Limits
from app.api.saved import designs, scenarios
from app.api.saved import projections as saved_projections
from app.api.saved.errors import add_saved_handlers
from app.api.services import Services
from app.settings import Settings

ROUTERS = (
    evaluations.router,
    searches.router,
    calibrations.router,
    own_runs.router,
    projections.router,
    trends.router,
    figures.router,
    gallery.router,
    scenarios.router,
    designs.router,
    saved_projections.router,
    exports.router,
    catalog.router,
    validation.router,
    claims.router,
    terms.router,
    reference.router,
)


def create_api(settings: Settings, limits: Limits | None = None) -> FastAPI:
    """The routes under `/v1`; whoever mounts it chooses what stands before that."""
    found = limits or Limits()
    api = FastAPI(
        title="Podwright",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
        dependencies=[Depends(known)],
    )
    api.state.services = Services(settings, found)
    add_handlers(api, found)
    add_saved_handlers(api, found)
    api.add_middleware(Guard, limits=found)
    for router in ROUTERS:
        api.include_router(router, prefix="/v1")
    return api
