"""Around every request of the API: never a naked error."""

from __future__ import annotations

import logging

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.scenarios.errors import shorten
from app.scenarios.fields import matches
from app.server.request_id import request_id_of
from app.server.routes import route_of
from app.surfaces.rest.handlers import storage_problem
from app.surfaces.rest.origin import SAFE_METHODS, refuse_foreign_site
from app.surfaces.rest.parameters import WORKSPACE_KEY, parameter_problem
from app.surfaces.rest.problem_types import (
    INTERNAL_ERROR,
    NO_CSRF_TOKEN,
    OUT_OF_MEMORY,
    SIGN_IN_REQUIRED,
    ProblemType,
)
from app.surfaces.rest.problems import PROBLEM_JSON, ProblemError, json_bytes, problem_content
from app.surfaces.rest.services import Services
from app.teams.asking import Asking
from app.teams.secrets import same

logger = logging.getLogger(__name__)


class Guard:
    """Answers for what no one expected; the log says why, under the id of the request."""

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
            logger.warning(
                "request %s: %s %s needed too much memory",
                request_id_of(scope),
                scope["method"],
                route_of(scope),
            )
            if not started:
                await _answer(OUT_OF_MEMORY, "It needs more memory than one request may use.", scope, send)
        except Exception:
            request_id = request_id_of(scope)
            logger.exception("request %s: %s %s failed", request_id, scope["method"], route_of(scope))
            if started:
                return
            await _answer(INTERNAL_ERROR, f"The server log says why, under {request_id}.", scope, send)


async def _answer(kind: ProblemType, detail: str, scope: Scope, send: Send) -> None:
    content = problem_content(kind, detail, instance=scope["path"], request_id=request_id_of(scope))
    headers = [(b"content-type", PROBLEM_JSON.encode())]
    await send({"type": "http.response.start", "status": kind.status, "headers": headers})
    await send({"type": "http.response.body", "body": json_bytes(content)})


CSRF_HEADER = "x-csrf-token"


async def known(request: Request) -> None:
    """A dependency of the whole API.

    Raises
    ------
    ProblemError : no one knows who asks, or a browser's cookie came without the token of its page
    """
    for key in request.query_params.getlist("workspace"):
        if not matches(WORKSPACE_KEY, key):
            raise parameter_problem(
                "workspace",
                "key_syntax",
                f"{shorten(key)} is not the key of a workspace: keys are lower-case letters, digits and hyphens.",
                "GET /api/v1/workspaces lists them.",
            )
    asking: Asking = getattr(request.state, "asking", Asking())
    if asking.actor.is_nobody:
        if (fault := getattr(request.state, "unknown", None)) is not None:
            services: Services = request.app.state.services
            raise storage_problem(fault, services.limits)
        detail = getattr(request.state, "refusal", "Send a token as Authorization: Bearer pwt_...")
        raise ProblemError(SIGN_IN_REQUIRED, detail, headers={"www-authenticate": 'Bearer realm="Podwright"'})
    if request.method in SAFE_METHODS or asking.by not in ("browser", "local"):
        return
    refuse_foreign_site(request)
    if asking.csrf and not same(asking.csrf, request.headers.get(CSRF_HEADER, "")):
        raise ProblemError(NO_CSRF_TOKEN, "The request has no X-CSRF-Token, or not that of this sign-in.")
