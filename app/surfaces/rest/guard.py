"""Around every request of the API: never a naked error."""

from __future__ import annotations

import logging

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.request_id import request_id_of
from app.server.routes import route_of
from app.surfaces.rest.problem_types import INTERNAL_ERROR, OUT_OF_MEMORY, ProblemType
from app.surfaces.rest.problems import PROBLEM_JSON, json_bytes, problem_content

logger = logging.getLogger(__name__)


class Guard:
    """Answers for what nobody expected; the log says why, under the id of the request."""

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
