"""The web application: wires rooms together, nothing else."""

from __future__ import annotations

from fastapi import FastAPI, Request
from sqlalchemy import Engine
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Scope

from app import __version__, paths
from app.catalog.ready import close_engine, ready_engine
from app.jobs.runner import JobRunner
from app.saved.clearing import TrashClearing, file_is_there
from app.server.ending import Ending
from app.server.heavy import HeavyLimits, HeavyWork, Workers
from app.server.metrics import requests_under_way
from app.server.on_demand import LoadRoutes, OnDemand
from app.server.refusals import Refusal
from app.server.stack import surround
from app.service import Service
from app.settings import Settings, get_settings
from app.surfaces.pages import health
from app.surfaces.pages.designs import Designs
from app.surfaces.pages.errors import add_error_handlers, error_response
from app.surfaces.pages.gate import Gate
from app.surfaces.pages.groups import GROUPS
from app.surfaces.pages.later import SectionComesLaterError, section_later
from app.surfaces.pages.people.asking import add_people_handlers
from app.surfaces.pages.saved import home
from app.surfaces.pages.saved.errors import add_saved_handlers
from app.surfaces.pages.security import SecurityHeaders
from app.surfaces.pages.static_files import StaticFiles, static_router
from app.surfaces.pages.templating import Templates
from app.surfaces.pages.together.comments import add_together
from app.surfaces.pages.units.reading import ChosenUnits
from app.surfaces.pages.warm_up import WarmUp
from app.surfaces.rest.handlers import refusal_response
from app.surfaces.rest.problems import COMPRESSION
from app.surfaces.rest.router import create_api
from app.surfaces.rest.site import site_router
from app.teams.middleware import Identified
from app.teams.notifying.sender import Notifier
from app.teams.oidc.provider import Provider

WORKER = "app.worker"
"""What a process for heavy requests runs."""


def create_app(settings: Settings | None = None, *, is_worker: bool = False) -> FastAPI:
    """A ready application with settings of its own, or those of the process.

    One that `is_worker` answers what another has let in: it has no limits, no background work and no workers.
    """
    found = settings or get_settings()
    ending = Ending(found.shutdown_notice_seconds)
    app = FastAPI(
        title="Podwright",
        version=__version__,
        lifespan=ending.lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    static_files = StaticFiles(paths.static())
    app.state.settings, app.state.ending = found, ending
    api = create_api(found)
    app.state.service = Service(found, api.state.services)
    app.state.designs = Designs(app.state.service)
    app.state.templates = Templates(str(paths.templates()), static_files)
    app.state.people = api.state.people
    app.state.provider = Provider(found) if found.oidc_issuer else None
    on_demand = app.state.on_demand = OnDemand(GROUPS)
    app.add_middleware(LoadRoutes, on_demand=on_demand)
    add_error_handlers(app)
    app.add_middleware(ChosenUnits)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=COMPRESSION)
    if found.most_heavy_workers and not is_worker:
        _compute_elsewhere(app, found, ending)
    app.add_middleware(Gate, required=found.asks_to_sign_in)
    who_asks = Middleware(Identified, settings=found)
    if is_worker:
        app.add_middleware(who_asks.cls, *who_asks.args, **who_asks.kwargs)
    else:
        headers = Middleware(SecurityHeaders, https_only=found.public_url.startswith("https://"))
        surround(app, found, ending, _answer_to, who_asks=who_asks, headers=headers)
    ending.finally_do("the database", lambda: close_engine(found))
    app.state.feed = api.state.live.feed
    ending.finally_do("streams of events", app.state.feed.close_all)
    ending.finally_do("evaluations", api.state.services.workers.close)
    if found.run_jobs and not is_worker:
        runner = JobRunner.of(found)
        ending.at_first_do(runner.start)
        ending.finally_do("jobs", runner.stop)
    if found.trash_days and not is_worker:
        clearing = TrashClearing(lambda: _database_there(found), found.trash_days)
        ending.at_first_do(clearing.start)
        ending.finally_do("clearing the trash", clearing.stop)
    if not is_worker:  # teams may have webhooks where the server has none
        notifier = Notifier(lambda: _database_there(found), found)
        ending.at_first_do(notifier.start)
        ending.finally_do("news", notifier.stop)
    if found.warm_up and not is_worker:
        warm_up = WarmUp(lambda: _database_there(found), requests_under_way)
        ending.at_first_do(warm_up.start)
        ending.finally_do("warm-up", warm_up.stop)
    add_saved_handlers(app)
    add_people_handlers(app)
    add_together(app)
    app.add_exception_handler(SectionComesLaterError, section_later)
    app.mount("/api", api)
    app.include_router(health.router)
    app.include_router(site_router(api, app.state.templates.page))
    app.include_router(static_router(static_files))
    app.include_router(home.router)
    on_demand.include_in(app)
    return app


def _compute_elsewhere(app: FastAPI, settings: Settings, ending: Ending) -> None:
    """Heavy requests go to processes of their own. One caller leaves a process for the others where people sign in."""
    most = settings.most_heavy_workers
    limits = HeavyLimits(
        workers=most,
        of_one_caller=max(1, most - 2) if settings.asks_to_sign_in else most,
        seconds_per_minute=settings.most_heavy_seconds_per_minute,
    )
    pool = Workers(WORKER, settings, most, settings.heavy_memory_mb * 1_000_000)
    app.add_middleware(HeavyWork, pool=pool, limits=limits, answering=_answer_to)
    ending.at_first_do(pool.start)
    ending.finally_do("workers", pool.close)


def _database_there(settings: Settings) -> Engine | None:
    """The database brought up to date, where there is one already."""
    if not file_is_there(settings.database_url):
        return None
    return ready_engine(settings)


def _answer_to(scope: Scope, refusal: Refusal) -> ASGIApp:
    """What is refused before it reaches a route, in the words of the API or of the pages."""
    request = Request(scope)
    if scope["path"].startswith("/api/"):
        return refusal_response(request, refusal)
    return error_response(request, refusal.status, refusal.detail, dict(refusal.headers), refusal.kept)
