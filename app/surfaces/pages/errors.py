"""Errors: what happened and what to do, as a page for people and as problem+json for programs."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from http import HTTPStatus

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.request_id import request_id_of
from app.server.routes import allowed_methods, route_of
from app.surfaces.pages.templating import Templates

logger = logging.getLogger(__name__)

ADVICE = {
    400: ("The request could not be read.", "Nothing was changed."),
    401: ("You are not signed in.", "Sign in and try again; your entries are kept in this browser."),
    403: ("You may not do this.", "Ask an owner of the workspace for a role that may."),
    404: ("There is nothing at this address.", "The link may be old, or a letter may be missing."),
    405: ("This address cannot be used that way.", "Open it as a page instead."),
    408: ("The request came too slowly.", "Nothing was changed. Try again over a better connection."),
    413: ("The request is too large.", "Nothing was changed. Send less of it."),
    415: ("The content type of the request is not supported.", "Nothing was changed."),
    422: ("The request could not be read.", "Check the address and try again."),
    500: (
        "Something went wrong on our side.",
        "Nothing was changed. Try again; if it happens again, the server log says why.",
    ),
    429: ("Too many requests came from you.", "Wait a little; your entries are kept in this browser."),
    503: ("The server cannot do it now.", "Nothing was written. Your entries are kept in this browser."),
    507: (
        "There is no room left.",
        "Nothing was written; reading goes on. Your entries are kept in this browser.",
    ),
    504: (
        "It took too long.",
        "The server gave up. Try again later; what was to be saved may have been, so look first.",
    ),
}

MEMORY = "It needs more memory than one request may use. Ask for less at once."


def add_error_handlers(app: FastAPI) -> None:
    """The same look for every error of the application."""

    async def expected(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        detail = error.detail if error.detail != HTTPStatus(error.status_code).phrase else ""
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = ", ".join(allowed_methods(app, request.scope))
        return error_response(request, error.status_code, detail, headers)

    async def unreadable(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return error_response(request, 422, f"{place}: {first['msg']}.")

    app.add_exception_handler(HTTPException, expected)
    app.add_exception_handler(RequestValidationError, unreadable)
    app.add_middleware(LastResort)


class LastResort:
    """Answers for what no one expected, and keeps it to itself.

    An error that reaches the server makes it close the connection, and the caller's next request is lost with
    it. That is right only for an answer that broke off in the middle.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except MemoryError:
            logger.warning("%s %s needed too much memory", scope["method"], route_of(scope))
            if started:
                raise
            await error_response(Request(scope), 503, MEMORY)(scope, receive, send)
        except Exception:
            if started:
                raise
            logger.exception("%s %s failed", scope["method"], route_of(scope))
            await error_response(Request(scope), 500)(scope, receive, send)


def error_response(
    request: Request,
    status: int,
    detail: str = "",
    headers: dict[str, str] | None = None,
    kept: Sequence[tuple[str, str]] = (),
) -> Response:
    """A page where the caller reads HTML, problem details (RFC 9457) otherwise.

    `kept` are fields of the form that was sent, shown to be sent again.
    """
    title, advice = ADVICE.get(status, (f"{HTTPStatus(status).phrase}.", ""))
    if wants_page(request):
        pages: Templates = request.app.state.templates
        response: Response = pages.page(
            "error.html",
            status=status,
            title=title,
            detail=detail,
            advice=advice,
            code=status,
            request_id=request_id_of(request.scope),
            kept=kept,
            path=request.url.path,
        )
        response.headers.update(headers or {})
        return response
    content = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail or title,
        "instance": request.url.path,
        "request_id": request_id_of(request.scope),
    }
    return JSONResponse(content, status, headers=headers, media_type="application/problem+json")


def wants_page(request: Request) -> bool:
    """Return whether an answer is for people to read."""
    accept = request.headers.get("accept", "")
    if request.url.path.startswith(("/api/", "/healthz", "/readyz")):
        return False
    return "json" not in accept or "text/html" in accept
