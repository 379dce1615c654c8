"""The API as an application of its own, mounted below `/api`, with its errors and its limits."""

from __future__ import annotations

from fastapi import Depends, FastAPI

from app import __version__
from app.db.address import read_address
from app.server.on_demand import Group, LoadRoutes, OnDemand
from app.settings import Settings
from app.surfaces.rest.guard import Guard, known
from app.surfaces.rest.handlers import add_handlers
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.live import Live
from app.surfaces.rest.people.declared import add_people_handlers
from app.surfaces.rest.saved.errors import add_saved_handlers
from app.surfaces.rest.services import Services
from app.teams.people import People

_HERE = __name__.rpartition(".")[0]


def _routes(prefixes: tuple[str, ...], *modules: str) -> Group:
    return Group(prefixes, *(f"{_HERE}.{module}" for module in modules))


GROUPS = (
    _routes(("/evaluations", "/explanations"), "evaluations", "batches"),
    _routes(("/searches", "/domain-studies"), "searches"),
    _routes(("/step-timelines",), "step_timelines"),
    _routes(("/sweeps",), "sweeps"),
    _routes(("/study",), "study", "study_reports"),
    _routes(("/fleets",), "fleets"),
    _routes(("/fabric/", "/facility/", "/economics/", "/operations/", "/serving/"), "rooms"),
    _routes(("/questions/",), "questions"),
    _routes(("/jobs",), "jobs"),
    _routes(("/calibrations",), "calibrations"),
    _routes(("/own-runs",), "own_runs"),
    _routes(("/projections", "/scaling-laws"), "projections"),
    _routes(("/trends",), "trends"),
    _routes(("/figures/",), "figures"),
    _routes(("/gallery",), "gallery"),
    _routes(("/scenarios",), "saved.scenarios"),
    _routes(("/designs",), "saved.designs"),
    _routes(("/saved-projections",), "saved.projections"),
    _routes(("/saved-studies",), "saved.studies"),
    _routes(("/saved-fleets",), "saved.fleets"),
    _routes(("/scenarios/", "/exports/", "/imports"), "exports"),
    _routes(("/model-descriptions",), "model_descriptions"),
    _routes(("/reports/", "/packs", "/pictures/"), "reports"),
    # the address of other kinds of the catalog holds that of the climate
    _routes(("/catalog",), "team_climate", "team_catalog", "catalog"),
    _routes(("/validation/",), "validation"),
    _routes(("/claims",), "claims"),
    _routes(("/terms",), "terms"),
    _routes(("/schemas/", "/examples"), "reference"),
    _routes(("/account", "/workspaces", "/tokens"), "people.account"),
    _routes(("/teams",), "people.teams"),
    _routes(("/audit",), "people.audit"),
)


def create_api(settings: Settings, limits: Limits | None = None) -> FastAPI:
    """The routes under `/v1`; the application that mounts it chooses the prefix."""
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
    on_demand = api.state.on_demand = OnDemand(GROUPS, prefix="/v1")
    api.add_middleware(LoadRoutes, on_demand=on_demand)
    api.add_middleware(Guard)
    on_demand.include_in(api)
    return api
