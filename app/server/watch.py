"""Request log: one line in the log, and a count."""

from __future__ import annotations

import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.metrics import REQUESTS_UNDER_WAY, count_request
from app.server.routes import route_of
from app.server.streams import is_event_stream

logger = logging.getLogger("app.requests")

QUIET = ("/healthz", "/readyz", "/metrics", "/static/")  # asked for all the time: told only at level debug
NEVER_ANSWERED = 499  # the caller went away before


class Watch:
    """Inside of request ids, outside of all that may refuse."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, size, is_stream = NEVER_ANSWERED, 0, False

        async def watched(message: Message) -> None:
            nonlocal status, size, is_stream
            if message["type"] == "http.response.start":
                status, is_stream = message["status"], is_event_stream(message)
            else:
                size += len(message.get("body", b""))
            await send(message)

        start = time.perf_counter()
        try:
            with REQUESTS_UNDER_WAY.track_inprogress():
                await self.app(scope, receive, watched)
        finally:
            seconds = time.perf_counter() - start
            route = route_of(scope)
            count_request(scope["method"], route, status, None if is_stream else seconds)
            _tell(scope, route, status, seconds, size)


def _tell(scope: Scope, route: str, status: int, seconds: float, size: int) -> None:
    """Neither the query nor headers nor the body: they may hold secrets, or work that is no one else's."""
    level = logging.DEBUG if scope["path"].startswith(QUIET) else logging.INFO
    if not logger.isEnabledFor(level):
        return
    milliseconds = round(1000 * seconds, 1)
    fields = {
        "method": scope["method"],
        "route": route,
        "status": status,
        "milliseconds": milliseconds,
        "bytes": size,
        "account": getattr(scope.get("state", {}).get("actor"), "account_id", None),
    }
    words = f"{scope['method']} {route} {status}, {milliseconds:g} ms, {size:,} bytes"
    logger.log(level, words, extra=fields)
