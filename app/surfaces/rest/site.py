"""Pages about the API: its description, its documentation, and whether it can work."""

from __future__ import annotations

import functools
from typing import Any, Protocol

import orjson
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import HTMLResponse

from app import __version__
from app.surfaces.rest.conditional import etag
from app.surfaces.rest.problem_types import NOT_READY, PROBLEM_TYPES
from app.surfaces.rest.problems import ProblemError, json_response, problem_response
from app.surfaces.rest.services import Services


class Page(Protocol):
    """Renders a template of the site."""

    def __call__(self, name: str, **context: Any) -> HTMLResponse: ...


def site_router(api: FastAPI, page: Page) -> APIRouter:
    """`/openapi.json`, `/docs`, `/docs/problems` and `/readyz`."""
    router = APIRouter(include_in_schema=False)

    @functools.cache
    def document() -> bytes:
        # imported here: the description of the API brings all of it
        from app.surfaces.rest.openapi import openapi_document

        return orjson.dumps(openapi_document(api))

    @router.get("/openapi.json")
    def openapi(request: Request) -> Response:
        content = document()
        headers = {"etag": etag(content.decode()), "cache-control": "no-cache"}
        if headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers, media_type="application/json")

    @router.get("/docs")
    def docs() -> HTMLResponse:
        return page("api_docs.html")

    @router.get("/docs/problems")
    def problems() -> HTMLResponse:
        return page("api_problems.html", problems=PROBLEM_TYPES)

    @router.get("/readyz")
    def readyz(request: Request) -> Response:
        services: Services = api.state.services
        if request.app.state.ending.has_begun:
            return problem_response(request, ProblemError(NOT_READY, "The server is about to end."))
        try:
            services.check()
        except ProblemError as problem:
            return problem_response(request, problem)
        return json_response({"status": "ready", "version": __version__}, {"cache-control": "no-store"})

    return router
