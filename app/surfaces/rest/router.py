"""The API as an application of its own, mounted below `/api`, with its errors and its limits."""

from __future__ import annotations

from fastapi import Depends, FastAPI

from app import __version__
from app.db.address import read_address
from app.settings import Settings
from app.surfaces.rest import (
    batches,
    calibrations,
    catalog,
    claims,
    evaluations,
    exports,
    figures,
    gallery,
    jobs,
    model_descriptions,
    own_runs,
    projections,
    reference,
    rooms,
    searches,
    step_timelines,
    sweeps,
    team_catalog,
    team_climate,
    terms,
    trends,
    validation,
)
from app.surfaces.rest.guard import Guard
from app.surfaces.rest.handlers import add_handlers
from app.surfaces.rest.known import known
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.live import Live
from app.surfaces.rest.people import account, audit
from app.surfaces.rest.people import teams as people_teams
from app.surfaces.rest.people.declared import add_people_handlers
from app.surfaces.rest.saved import designs, scenarios
from app.surfaces.rest.saved import projections as saved_projections
from app.surfaces.rest.saved.errors import add_saved_handlers
from app.surfaces.rest.services import Services
from app.teams.people import People

ROUTERS = (
    evaluations.router,
    batches.router,
    searches.router,
    step_timelines.router,
    sweeps.router,
    *rooms.ROUTERS,
    jobs.router,
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
    model_descriptions.router,
    team_climate.router,  # before other kinds, whose address holds its own
    team_catalog.router,
    catalog.router,
    validation.router,
    claims.router,
    terms.router,
    reference.router,
    account.router,
    people_teams.router,
    audit.router,
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
    api.state.services, api.state.live = Services(settings, found), Live(settings)
    api.state.settings, api.state.people = settings, People.of(settings)
    add_handlers(api, found, read_address(settings.database_url))
    add_saved_handlers(api, found)
    add_people_handlers(api)
    team_catalog.add_catalog_handlers(api, found)
    api.add_middleware(Guard)
    for router in ROUTERS:
        api.include_router(router, prefix="/v1")
    return api
