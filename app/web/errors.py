"""Errors: what happened and what to do, as a page for people and as problem+json for programs."""

from __future__ import annotations

import logging
from http import HTTPStatus

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from app.web.security import HEADERS
from app.web.templating import Templates

logger = logging.getLogger(__name__)

ADVICE = {
    404: ("There is nothing at this address.", "The link may be old, or a letter may be missing."),
    405: ("This address cannot be used that way.", "Open it as a page instead."),
    422: ("The request could not be read.", "Check the address and try again."),
    500: (
        "Something went wrong on our side.",
        "Nothing was changed. Try again; if it happens again, the server log says why.",
    ),
}


def add_error_handlers(app: FastAPI) -> None:
    """The same look for every error of the application."""

    async def expected(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        detail = error.detail if error.detail != HTTPStatus(error.status_code).phrase else ""
        return error_response(request, error.status_code, detail, dict(error.headers or {}))

    async def unreadable(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return error_response(request, 422, f"{place}: {first['msg']}.")

    async def unexpected(request: Request, error: Exception) -> Response:
        logger.error("%s %s failed", request.method, request.url.path, exc_info=error)
        return error_response(request, 500, "", dict(HEADERS))

    app.add_exception_handler(HTTPException, expected)
    app.add_exception_handler(RequestValidationError, unreadable)
    app.add_exception_handler(Exception, unexpected)


def error_response(
    request: Request, status: int, detail: str = "", headers: dict[str, str] | None = None
) -> Response:
    """A page where the caller reads HTML, problem details (RFC 9457) otherwise."""
    title, advice = ADVICE.get(status, (f"{HTTPStatus(status).phrase}.", ""))
    if _wants_page(request):
        pages: Templates = request.app.state.templates
        response: Response = pages.page(
            "error.html", status=status, title=title, detail=detail, advice=advice, code=status
        )
        response.headers.update(headers or {})
        return response
    content = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail or title,
        "instance": request.url.path,
    }
    return JSONResponse(content, status, headers=headers, media_type="application/problem+json")


def _wants_page(request: Request) -> bool:
    accept = request.headers.get("accept", "")
    if request.url.path.startswith(("/api/", "/healthz")):
        return False
    return "json" not in accept or "text/html" in accept
