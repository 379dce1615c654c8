"""The web application: wires rooms together, nothing else."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from app import __version__, paths
from app.api.router import create_api
from app.api.site import site_router
from app.settings import Settings, get_settings
from app.teams.middleware import Identified, identify_of
from app.web import health, pages
from app.web.calibrate import routes as calibrate
from app.web.catalog import routes as catalog
from app.web.claims import routes as claims
from app.web.designs import Examples
from app.web.errors import add_error_handlers
from app.web.explore import routes as explore
from app.web.gallery import routes as gallery
from app.web.gate import Gate
from app.web.growth import routes as growth
from app.web.saved import routes as saved
from app.web.saved.designs import AllDesigns
from app.web.saved.errors import add_saved_handlers
from app.web.saved.ready import work_asked
from app.web.scaling import routes as scaling
from app.web.security import SecurityHeaders
from app.web.static_files import StaticFiles, static_router
from app.web.studio import routes as studio
from app.web.templating import Templates
from app.web.terms import routes as terms
from app.web.validation import routes as validation


def create_app(settings: Settings | None = None) -> FastAPI:
    """A ready application with settings of its own, or those of the process."""
    app = FastAPI(
        title="Podwright",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    static_files = StaticFiles(paths.static())
    app.state.settings = settings or get_settings()
    api = create_api(app.state.settings)
    examples = Examples(app.state.settings, api.state.services.searches)  # pages and REST search once
    app.state.designs = AllDesigns(examples, lambda: work_asked(app))
    app.state.templates = Templates(str(paths.templates()), static_files)
    add_error_handlers(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(Gate, required=app.state.settings.asks_to_sign_in)
    app.add_middleware(Identified, identify=identify_of(app.state.settings))
    app.add_middleware(SecurityHeaders)
    add_saved_handlers(app)
    app.mount("/api", api)
    app.include_router(health.router)
    app.include_router(site_router(api, app.state.templates.page))
    app.include_router(static_router(static_files))
    app.include_router(pages.router)
    app.include_router(studio.router)
    app.include_router(explore.router)
    app.include_router(calibrate.router)
    for router in (*scaling.ROUTERS, *saved.ROUTERS):
        app.include_router(router)
    app.include_router(catalog.router)
    app.include_router(terms.router)
    app.include_router(validation.router)
    app.include_router(claims.router)
    app.include_router(growth.router)
    app.include_router(gallery.router)
    return app
